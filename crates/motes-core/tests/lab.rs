#[path = "common/gas.rs"]
mod air;
#[path = "common/tank.rs"]
mod tank;
use air::*;
use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::*;
use tank::*;

fn env(name: &str, default: f32) -> f32 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[test]
fn plume_rise() {
    let steps = [env("SUB", 2.0) as u32, env("IT", 4.0) as u32];
    let radius = env("R", 0.05);
    let settings = settings(radius, steps);
    let mut world = open_on(Box::new(CpuEngine::with_threads(2)), settings.clone());
    let smoke = Smoke {
        lifetime: 1e9,
        ..Smoke::of(&settings)
    };
    world.set_smoke(Some(smoke)).expect("smoke");
    let material = Material {
        air_drag: env("DRAG", 2.0),
        baroclinity: env("BETA", 0.3),
        cooling: env("COOL", 0.0),
        surface_tension: env("GAMMA", 0.0),
        gravity_scale: env("SCALE", 0.0),
        thermal_diffusivity: env("DIFF", 0.0),
        ..Material::SMOKE
    };
    let group = gas(&mut world, material);
    let hot = Plume {
        temperature: env("TEMP", 100.0),
        sheath: env("SHEATH", 1.0) as u32,
        ..Plume::default()
    };
    let mut emitter = source(group, env("SIZE", 0.3), env("SPEED", 0.5), hot);
    emitter.stop = env("STOP", 1e9);
    world.add_emitter(emitter).expect("source");
    let frames = (env("T", 8.0) * 60.0) as usize;
    let mut points = Vec::new();
    let start = std::time::Instant::now();
    for frame in 1..=frames {
        world.step(DT);
        if frame % 15 == 0 {
            let mut heights: Vec<f32> = world.passive().positions().iter().map(|p| p.y).collect();
            heights.sort_by(f32::total_cmp);
            let top = heights
                .get((heights.len() as f32 * 0.98) as usize)
                .copied()
                .unwrap_or(0.0);
            points.push((frame as f32 / 60.0, top));
            if frame % 60 == 0 {
                let width = world
                    .particles()
                    .positions
                    .iter()
                    .map(|p| p.xyz().with_y(0.0).length())
                    .sum::<f32>()
                    / world.particle_count().max(1) as f32;
                let engine: &mut CpuEngine = world.engine_as_mut().expect("cpu");
                let errors = engine.density_errors();
                let mean = errors.iter().sum::<f32>() / errors.len() as f32;
                let worst = errors.iter().copied().fold(-9.0, f32::max);
                let strong = {
                    let p = world.particles();
                    (0..p.len()).map(|s| p.swirls.get(s).xyz().length()).fold(0.0, f32::max)
                };
                println!(
                    "t {:.1} top {top:.2} fastest {:.2} gas {} markers {} width {width:.2} density {mean:.3} {worst:.3} swirl {strong:.1}",
                    frame as f32 / 60.0,
                    fastest(&world),
                    world.particle_count(),
                    world.passive_count()
                );
            }
        }
    }
    for window in [[0.5, 2.0], [1.0, 4.0], [2.0, 8.0], [4.0, 16.0]] {
        let chosen: Vec<_> = points
            .iter()
            .filter(|p| p.0 >= window[0] && p.0 <= window[1] && p.1 > 0.0)
            .map(|p| (p.0.ln() as f64, p.1.ln() as f64))
            .collect();
        let n = chosen.len() as f64;
        if n < 3.0 {
            continue;
        }
        let (mx, my) = (
            chosen.iter().map(|p| p.0).sum::<f64>() / n,
            chosen.iter().map(|p| p.1).sum::<f64>() / n,
        );
        let slope = chosen.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum::<f64>()
            / chosen.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>();
        println!("exponent {window:?}: {slope:.3}");
    }
    println!("{:.1} ms a frame", start.elapsed().as_secs_f64() * 1e3 / frames as f64);
}
mod bench {
    include!("/tmp/lab/body.rs");
}
#[test]
fn speed() {
    bench::main().expect("bench");
}
