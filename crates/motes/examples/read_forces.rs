//! Grains rain onto a plate. Each frame asks for the force on it and does not wait: answers come when they come, some frames
//! later on a GPU.
//!
//! `cargo run --release -p motes --example read_forces`, with `-- --gpu` on a GPU.

use motes::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = if std::env::args().any(|argument| argument == "--gpu") {
        World::on_gpu(Settings::default())?
    } else {
        World::new(Settings::default())?
    };
    println!("on {}", world.engine().1);
    let sand = world.add_material(Material::SAND)?;
    let plate = Plane::new(Vec3::Y, 0.0)?;
    let plate = world.add_collider(Collider::new("plate", plate.into(), sand, Pose::IDENTITY))?;
    let rain = world.add_group(Group::grains("rain", sand))?;
    world.add_emitter(Emitter {
        pose: Pose {
            position: Vec3::new(0.0, 1.5, 0.0),
            rotation: Quat::from_rotation_x(std::f32::consts::PI),
        },
        rate: 200.0,
        limit: 300,
        ..Emitter::new("spout", rain, EmitterShape::Disc { radius: 0.4 })
    })?;

    let mut asked = std::collections::VecDeque::new();
    let mut last = None;
    for frame in 1..=180u32 {
        world.step(1.0 / 60.0);
        asked.push_back((frame, world.ask(ColliderForces)));
        while let Some((of, forces)) = asked.front().and_then(|(of, pending)| Some((*of, pending.take()?))) {
            asked.pop_front();
            last = forces
                .into_iter()
                .find(|force| force.collider == plate)
                .map(|force| (of, force));
        }
        if let (0, Some((of, force))) = (frame % 30, &last) {
            let (newtons, contacts) = (-force.force.y, force.contacts);
            println!("frame {frame}: {newtons:.1} N on the plate in frame {of}, {contacts} grains touch it");
        }
    }
    let weight = world.particle_count() as f32 * Material::SAND.ball_mass(0.05) * 9.81;
    println!("{} grains weigh {weight:.1} N", world.particle_count());
    Ok(())
}
