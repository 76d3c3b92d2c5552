//! How long a plume takes (Unified, figure 14): `cargo run --release --example smoke_bench -p motes-core -- [THREADS]`.
//! 16 384 particles of gas and four times as many markers, two sub-steps of four iterations; mean of a second, milliseconds a frame and stage.

use std::error::Error;
use std::time::Instant;

use motes_core::glam::Vec3;
use motes_core::random::Random;
use motes_core::{CpuEngine, Group, Material, Passive, Settings, Smoke, World};

const COUNTS: [usize; 3] = [32, 16, 32];
const FRAMES: u32 = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let threads = std::env::args().nth(1).map_or(Ok(2), |count| count.parse())?;
    let settings = Settings::default();
    let diameter = settings.contact_distance();
    let mut world = World::with_engine(settings.clone(), Box::new(CpuEngine::with_threads(threads)))?;
    world.set_smoke(Some(Smoke {
        lonely: 1.0,
        ..Smoke::of(&settings)
    }))?;
    let material = world.add_material(Material::SMOKE)?;
    let gas = world.add_group(Group::gas("smoke", material).with_temperature(100.0))?;
    let mut places = Vec::new();
    for x in 0..COUNTS[0] {
        for y in 0..COUNTS[1] {
            for z in 0..COUNTS[2] {
                places.push(diameter * Vec3::new(x as f32, y as f32, z as f32));
            }
        }
    }
    world.add_particles(gas, &places, Vec3::ZERO)?;
    let mut random = Random::new(1, 0);
    let markers: Vec<Passive> = { places.iter().flat_map(|place| [place; 4]) }
        .map(|place| Passive {
            position: *place + 0.5 * diameter * Vec3::new(random.signed(), random.signed(), random.signed()),
            velocity: Vec3::ZERO,
            lifetime: f32::INFINITY,
        })
        .collect();
    world.add_smoke(&markers)?;
    let mut stages: Vec<(&str, f64)> = Vec::new();
    let start = Instant::now();
    for _ in 0..FRAMES {
        world.step(1.0 / 60.0);
        for (stage, time) in world.timings().milliseconds() {
            match stages.iter_mut().find(|(known, _)| *known == stage) {
                Some((_, sum)) => *sum += time,
                None => stages.push((stage, time)),
            }
        }
    }
    let a_frame = |milliseconds: f64| milliseconds / f64::from(FRAMES);
    println!(
        "{} particles, {} markers, {threads} threads: {:.1} ms a frame",
        world.particle_count(),
        world.passive_count(),
        a_frame(1e3 * start.elapsed().as_secs_f64())
    );
    for (stage, sum) in stages {
        println!("  {stage:<24} {:.2}", a_frame(sum));
    }
    Ok(())
}
