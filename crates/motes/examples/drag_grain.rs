//! A ray picks a grain of a heap, and a spring drags it out, frame by frame: two small edits, whatever the size of the world.
//!
//! `cargo run --release -p motes --example drag_grain`, with `-- --gpu` on a GPU.

use motes::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = if std::env::args().any(|argument| argument == "--gpu") {
        World::on_gpu(Settings::default())?
    } else {
        World::new(Settings::default())?
    };
    println!("on {}", world.engine().1);
    let sand = world.add_material(Material::SAND)?;
    let floor = Plane::new(Vec3::Y, 0.0)?;
    world.add_collider(Collider::new("floor", floor.into(), sand, Pose::IDENTITY))?;
    let heap = world.add_group(Group::grains("heap", sand))?;
    let block = Solid::cuboid_between(Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 0.8, 0.5));
    world.add_particles(heap, &fill(&block, &Filling::cubic(0.05))?, Vec3::ZERO)?;
    (0..60).for_each(|_| world.step(1.0 / 60.0));

    // What a mouse would point at from above.
    let pointer = RayCast::new(Vec3::new(0.1, 3.0, 0.1), Vec3::NEG_Y);
    let hit = world.query(pointer).ok_or("nothing there")?;
    let Hit::Particle(grain) = hit.hit else {
        return Err("the heap is gone".into());
    };
    println!("the ray meets a grain at {:.2}", hit.point);
    let mass = Material::SAND.ball_mass(0.05);
    for frame in 1..=90 {
        let hand = hit.point + Vec3::new(0.0, 1.0, 0.0) * (frame as f32 / 60.0).min(1.0);
        world.pull_particle(grain, Spring::critical(hand, mass, 0.1))?;
        world.step(1.0 / 60.0);
        if frame % 15 == 0 {
            let place = world.positions(&[grain])[0].ok_or("the grain is gone")?;
            println!(
                "{:.2} s: the hand is at {hand:.2}, the grain at {place:.2}",
                world.time()
            );
        }
    }
    Ok(())
}
