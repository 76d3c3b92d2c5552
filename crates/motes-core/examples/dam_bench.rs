//! Milliseconds a step takes in a breaking dam of 97 200 particles of a liquid, one sub-step of four iterations: with the default solve, or with
//! others in turn if any argument is given.
//! `cargo run --release -p motes-core --example dam_bench`

use std::time::Instant;

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{Collider, CpuEngine, Denominator, Group, Liquids, Material, Pose, PositionBased, Settings, World};

const DIAMETER: f32 = 0.02;
const COUNTS: [usize; 3] = [60, 45, 36];

/// A dam that is about to break.
fn dam(liquids: Liquids) -> Result<World, Box<dyn std::error::Error>> {
    let settings = Settings {
        particle_radius: 0.5 * DIAMETER,
        substeps: 1,
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
    Ok(world)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let usual = PositionBased::default();
    let precomputed = PositionBased {
        denominator: Denominator::Precomputed,
        ..usual
    };
    let all = [
        ("chebyshev", Liquids::Chebyshev),
        ("position based", Liquids::PositionBased(usual)),
        ("precomputed", Liquids::PositionBased(precomputed)),
        ("unified", Liquids::PositionBased(PositionBased::UNIFIED)),
    ];
    let count = if std::env::args().len() > 1 { all.len() } else { 1 };
    let mut dams = Vec::new();
    for (name, liquids) in &all[..count] {
        dams.push((name, dam(*liquids)?, f64::MAX));
    }
    for round in 0..10 {
        for (name, world, best) in &mut dams {
            for _ in 0..12 {
                let begin = Instant::now();
                world.step(1.0 / 240.0);
                *best = best.min(1e3 * begin.elapsed().as_secs_f64());
            }
            let timings = world.timings();
            let stages: Vec<String> = { timings.milliseconds() }
                .filter(|(_, milliseconds)| *milliseconds > 0.5)
                .map(|(name, milliseconds)| format!("{name} {milliseconds:.1}"))
                .collect();
            println!(
                "{name}, round {round}: best so far {best:.1} ms; last: {}",
                stages.join(", ")
            );
        }
    }
    for (name, world, _) in &mut dams {
        let engine: &mut CpuEngine = world.engine_as_mut().ok_or("not on the CPU")?;
        let neighbors = engine.fluid_neighbor_count() as f32;
        let count = world.particles().len();
        println!(
            "{name}: {count} particles, {:.1} neighbours each",
            neighbors / count as f32
        );
    }
    Ok(())
}
