//! Milliseconds a step takes in a breaking dam of 97 200 particles of a liquid, one sub-step of four iterations, and how dense it gets; if any argument is
//! given the same by the papers' solves, by PCISPH and by SPH, at the sub-steps these take.
//! `cargo run --release -p motes-core --example dam_bench`

use std::error::Error;
use std::time::Instant;

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{
    Collider, CpuEngine, Denominator, Group, Liquids, Material, Pose, PositionBased, Settings, Sph, World,
};

const DIAMETER: f32 = 0.02;
const COUNTS: [usize; 3] = [60, 45, 36];
const FRAME: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let sph = Sph::default();
    let reach = DIAMETER * Settings::default().smoothing_radius;
    let longest = sph.longest_substep(reach, Material::WATER.viscosity, Material::WATER.density);
    let short = (FRAME / longest).ceil() as u32;
    let usual = PositionBased::default();
    let precomputed = PositionBased {
        denominator: Denominator::Precomputed,
        ..usual
    };
    let all = [
        ("default", Liquids::Chebyshev, 4, 4),
        ("position based", Liquids::PositionBased(usual), 4, 4),
        ("precomputed", Liquids::PositionBased(precomputed), 4, 4),
        ("unified", Liquids::PositionBased(PositionBased::UNIFIED), 4, 4),
        ("PCISPH", Liquids::Pcisph, 10, 4),
        ("SPH", Liquids::Sph(sph), short, 1),
    ];
    let count = if std::env::args().len() > 1 { all.len() } else { 1 };
    for (name, liquids, substeps, iterations) in all.into_iter().take(count) {
        println!("{name}, {substeps} sub-steps of {iterations} iterations a frame");
        break_dam(liquids, substeps, iterations)?;
    }
    Ok(())
}

/// One sub-step at a time.
fn break_dam(liquids: Liquids, substeps: u32, iterations: u32) -> Result<(), Box<dyn Error>> {
    let settings = Settings {
        particle_radius: 0.5 * DIAMETER,
        substeps: 1,
        iterations,
        liquids,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::new()))?;
    let water = world.add_material(Material::WATER)?;
    let depth = COUNTS[2] as f32 * DIAMETER;
    for (name, normal, offset) in [
        ("floor", Vec3::Y, 0.0),
        ("left", Vec3::X, 0.0),
        ("right", Vec3::NEG_X, -120.0 * DIAMETER),
        ("back", Vec3::Z, 0.0),
        ("front", Vec3::NEG_Z, -depth),
    ] {
        let plane = Plane::new(normal, offset)?;
        world.add_collider(Collider::new(name, plane.into(), water, Pose::IDENTITY))?;
    }
    let group = world.add_group(Group::fluid("water", water))?;
    let mut places = Vec::new();
    for x in 0..COUNTS[0] {
        for y in 0..COUNTS[1] {
            for z in 0..COUNTS[2] {
                places.push(DIAMETER * (Vec3::new(x as f32, y as f32, z as f32) + 0.5));
            }
        }
    }
    world.add_particles(group, &places, Vec3::ZERO)?;
    let (mut best, mut errors) = (f64::MAX, Vec::new());
    let rounds = 10;
    for round in 0..rounds {
        // Half a second in all.
        for _ in 0..3 * substeps {
            let begin = Instant::now();
            world.step(FRAME / substeps as f32);
            best = best.min(1e3 * begin.elapsed().as_secs_f64());
        }
        let timings = world.timings();
        let stages: Vec<String> = { timings.milliseconds() }
            .filter(|(_, milliseconds)| *milliseconds > 0.5)
            .map(|(name, milliseconds)| format!("{name} {milliseconds:.1}"))
            .collect();
        println!("round {round}: best so far {best:.1} ms; last: {}", stages.join(", "));
        let engine: &mut CpuEngine = world.engine_as_mut().ok_or("not on the CPU")?;
        let found = engine.density_errors();
        errors.push(found.iter().map(|error| error.max(0.0)).sum::<f32>() / found.len() as f32);
    }
    let mean = errors.iter().sum::<f32>() / rounds as f32;
    let engine: &mut CpuEngine = world.engine_as_mut().ok_or("not on the CPU")?;
    let neighbors = engine.fluid_neighbor_count() as f32 / places.len() as f32;
    println!(
        "{} particles, {neighbors:.1} neighbours each; {:.0} ms a frame at best, too dense by {mean:.5} on average",
        places.len(),
        f64::from(substeps) * best
    );
    Ok(())
}
