//! A rabbit hangs on a hinge like the sign of an inn, is kicked, and swings; then the hinge is let go.
//!
//! `cargo run --release -p motes --example hinged_rabbit`

use motes::geometry::body;
use motes::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings {
        particle_radius: 0.03,
        ..Settings::default()
    };
    let options = BodyOptions::solid(settings.particle_radius);
    let mut world = World::new(settings)?;
    let wood = world.add_material(Material::WOOD)?;
    let ground = Plane::new(Vec3::Y, 0.0)?;
    world.add_collider(Collider::new("ground", ground.into(), wood, Pose::IDENTITY))?;

    let mesh = models::by_name("rabbit").ok_or("no such model")?.mesh(48)?;
    let shape = body(&mesh, &options)?;
    let rabbit = world.add_body(NewBody {
        pose: Pose::at(Vec3::new(0.0, 1.0, 0.0)),
        ..shape.to_new("rabbit", wood)
    })?;
    let motion = world.body_motion(rabbit).ok_or("gone")?;
    let ears = motion.center + Vec3::new(0.0, 0.6, 0.0);
    let hinge = world.join(rabbit, Partner::World, Joint::Hinge(ears, Vec3::X), f32::INFINITY)?;
    // Newton seconds: as much as brings it to a metre per second.
    world.kick_body(rabbit, motion.mass * Vec3::Z, motion.center)?;

    for frame in 1..=240 {
        if frame == 180 {
            hinge.iter().try_for_each(|&id| world.detach(id))?;
        }
        world.step(1.0 / 60.0);
        world.health()?;
        if frame % 30 == 0 {
            let motion = world.body_motion(rabbit).ok_or("gone")?;
            let speed = motion.velocity.length();
            println!("{:.1} s: at {:.2}, {speed:.2} m/s", world.time(), motion.center);
        }
    }
    Ok(())
}
