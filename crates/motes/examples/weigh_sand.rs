//! A scale: a box of sand settles on a plate, and the force on the plate is compared with the weight of the sand.
//!
//! `cargo run --release -p motes --example weigh_sand`

use motes::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings {
        particle_radius: 0.02,
        substeps: 4,
        iterations: 8,
        ..Settings::default()
    };
    let gravity = settings.gravity.length();
    let mass = Material::SAND.ball_mass(settings.particle_radius);
    let mut world = World::new(settings)?;
    let sand = world.add_material(Material::SAND)?;
    let smooth = world.add_material(Material::FRICTIONLESS)?;

    // Walls without friction carry none of the weight.
    let plate = Cuboid::new(Vec3::new(0.5, 0.05, 0.5))?;
    let plate = world.add_collider(Collider::new(
        "plate",
        plate.into(),
        sand,
        Pose::at(Vec3::new(0.0, -0.05, 0.0)),
    ))?;
    for inward in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let wall = Plane::new(inward, -0.3)?;
        world.add_collider(Collider::new("wall", wall.into(), smooth, Pose::IDENTITY))?;
    }

    let load = world.add_group(Group::grains("load", sand))?;
    let block = Solid::cuboid_between(Vec3::new(-0.3, 0.0, -0.3), Vec3::new(0.3, 0.3, 0.3));
    let filling = Filling {
        spacing: 1.05,
        ..Filling::cubic(0.02)
    };
    let count = world.add_particles(load, &fill(&block, &filling)?, Vec3::ZERO)?.len();
    let weight = count as f32 * mass * gravity;

    // One second to settle, then the mean over half a second.
    let mut mean = 0.0;
    for frame in 0..90 {
        world.step(1.0 / 60.0);
        if frame >= 60 {
            let forces = world.collider_forces();
            mean += forces
                .iter()
                .filter(|force| force.collider == plate)
                .map(|force| -force.force.y)
                .sum::<f32>()
                / 30.0;
        }
    }
    world.health()?;
    println!(
        "{count} grains weigh {weight:.1} N; the plate feels {mean:.1} N ({:.2} %)",
        100.0 * mean / weight
    );
    Ok(())
}
