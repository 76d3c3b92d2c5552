//! Pours dry sand from a spout and prints how high the heap is and how steep its flank.
//!
//! `cargo run --release -p motes --example hello_grains`

use motes::prelude::*;

const RADIUS: f32 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Fine sub-steps carry the weight of many layers; see docs/grains.md.
    let mut world = World::new(Settings {
        particle_radius: RADIUS,
        substeps: 6,
        iterations: 6,
        ..Settings::default()
    })?;
    let sand = world.add_material(Material::SAND)?;
    let ground = Plane::new(Vec3::Y, 0.0)?;
    world.add_collider(Collider::new("ground", ground.into(), sand, Pose::IDENTITY))?;
    let heap = world.add_group(Group::grains("heap", sand))?;
    world.add_emitter(spout(heap))?;

    for frame in 1..=480 {
        world.step(1.0 / 60.0);
        world.health()?;
        if frame % 120 == 0 {
            let (count, height, angle) = heap_of(world.particles());
            println!(
                "{:4.1} s: {count:4} grains lie, {height:.2} m high, flank at {angle:.0} degrees",
                world.time()
            );
        }
    }
    Ok(())
}

/// A disc above the ground that points down and gives off a thousand grains.
fn spout(group: GroupId) -> Emitter {
    Emitter {
        pose: Pose {
            position: Vec3::new(0.0, 1.2, 0.0),
            rotation: Quat::from_rotation_x(std::f32::consts::PI),
        },
        speed: 2.0,
        rate: 300.0,
        spread: 0.1,
        limit: 1000,
        seed: 1,
        ..Emitter::new("spout", group, EmitterShape::Disc { radius: 0.3 })
    }
}

/// Number of grains that lie still, the height of the heap they make, metres, and the angle of a cone that high whose
/// grains are as far from its axis on average, degrees.
fn heap_of(particles: &Particles) -> (usize, f32, f32) {
    let lying: Vec<Vec4> = particles
        .positions
        .iter()
        .zip(&particles.velocities)
        .filter(|(_, velocity)| velocity.truncate().length() < 0.5)
        .map(|(position, _)| *position)
        .collect();
    let height = lying.iter().map(|grain| grain.y + RADIUS).fold(0.0, f32::max);
    let mean_distance = lying.iter().map(|grain| grain.x.hypot(grain.z)).sum::<f32>() / lying.len().max(1) as f32;
    // In a full cone the mean distance from the axis is half the radius of the base.
    (lying.len(), height, height.atan2(2.0 * mean_distance).to_degrees())
}
