//! How long a million passive particles take: `cargo run --release --example passive_bench -p motes-core -- [MARKERS]`.
//! Half of them among 100 000 fluid particles, half in free flight; best of several sub-steps, milliseconds.

use std::error::Error;
use std::time::Duration;

use motes_core::engine::timings::Stage;
use motes_core::glam::Vec3;
use motes_core::random::Random;
use motes_core::{Group, Material, Passive, Settings, World};

const FRAMES: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let markers = match std::env::args().nth(1) {
        Some(count) => count.parse()?,
        None => 1_000_000,
    };
    let settings = Settings {
        gravity: Vec3::ZERO,
        substeps: 1,
        iterations: 1,
        ..Settings::default()
    };
    let mut world = World::new(settings)?;
    let material = world.add_material(Material::SAND)?;
    let water = world.add_group(Group::fluid("water", material))?;
    let places: Vec<Vec3> = (0..100_000)
        .map(|i| 0.1 * Vec3::new((i % 50) as f32, (i / 2500) as f32, (i / 50 % 50) as f32))
        .collect();
    world.add_particles(water, &places, Vec3::ZERO)?;
    let mut random = Random::new(1, 0);
    let mut inside = || Vec3::new(4.9 * random.unit(), 3.9 * random.unit(), 4.9 * random.unit());
    let mut among: Vec<Passive> = (0..markers)
        .map(|k| Passive {
            position: inside() + if k < markers / 2 { Vec3::ZERO } else { 10.0 * Vec3::Y },
            velocity: Vec3::ZERO,
            lifetime: f32::INFINITY,
        })
        .collect();
    // A source gives off what is near each other at one time.
    among.sort_by_key(|passive| (10.0 * passive.position).as_ivec3().to_array());
    world.add_passive(&among)?;
    let mut best = Duration::MAX;
    for _ in 0..FRAMES {
        world.step(1e-3);
        best = best.min(world.timings().get(Stage::AdvectDiffuse));
    }
    let megabytes = world.passive().memory_bytes() / 1_000_000;
    println!(
        "{markers} passive particles: {:.1} ms a sub-step, {megabytes} MB",
        best.as_secs_f64() * 1e3
    );
    Ok(())
}
