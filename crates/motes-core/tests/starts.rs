//! Joints of bodies that start inside something: what moves them out of there gives them no speed.

#[path = "common/block.rs"]
mod block;

use block::{RADIUS, block};
use glam::Vec3;
use motes_core::colliders::Plane;
use motes_core::{BodyId, Collider, Joint, Partner, Pose, Settings, World};

const DT: f32 = 1.0 / 60.0;

/// A row of blocks along x, hinged to each other and the first to what `held` says, each a third of a particle in the floor.
fn row_in_the_floor(substeps: u32, held: fn(&mut World, BodyId)) -> (World, Vec<BodyId>) {
    let mut world = World::new(Settings {
        particle_radius: RADIUS,
        gravity: Vec3::ZERO,
        substeps,
        ..Settings::default()
    })
    .expect("settings");
    let mut bodies: Vec<BodyId> = Vec::new();
    for k in 0..3 {
        let new = block(
            &mut world,
            [4, 2, 2],
            Pose::at(Vec3::new(0.5 * k as f32, 1.7 * RADIUS, 0.0)),
        );
        let material = new.material;
        let body = world.add_body(new).expect("body");
        match bodies.last() {
            Some(&before) => {
                let hinge = Joint::Hinge(Vec3::new(0.5 * k as f32 - 0.25, 1.7 * RADIUS, 0.0), Vec3::Z);
                world
                    .join(body, Partner::Body(before), hinge, f32::INFINITY)
                    .expect("joint");
            }
            None => {
                let floor = Plane::new(Vec3::Y, 0.0).expect("plane");
                world
                    .add_collider(Collider::new("floor", floor.into(), material, Pose::IDENTITY))
                    .expect("floor");
                held(&mut world, body);
            }
        }
        bodies.push(body);
    }
    (world, bodies)
}

fn hinge_to(world: &mut World, body: BodyId, partner: Partner) {
    let hinge = Joint::Hinge(Vec3::new(-1.5, 1.7 * RADIUS, 0.0), Vec3::Z);
    world.join(body, partner, hinge, f32::INFINITY).expect("joint");
}

/// A hinge to a collider that stands still.
fn to_a_collider(world: &mut World, body: BodyId) {
    let plane = Plane::new(Vec3::Y, 0.0).expect("plane");
    let material = world.add_material(motes_core::Material::default()).expect("material");
    let post = Collider::new("post", plane.into(), material, Pose::at(Vec3::NEG_Y));
    let post = world.add_collider(post).expect("post");
    hinge_to(world, body, Partner::Collider(post));
}

#[test]
fn what_is_moved_out_of_the_floor_on_its_hinges_gains_no_speed() {
    let holders: [fn(&mut World, BodyId); 3] = [
        |_, _| {},
        |world, body| hinge_to(world, body, Partner::World),
        to_a_collider,
    ];
    for (number, held) in holders.into_iter().enumerate() {
        for substeps in [2, 4, 8] {
            let (mut world, bodies) = row_in_the_floor(substeps, held);
            let mut fastest = 0.0_f32;
            for _ in 0..30 {
                world.step(DT);
                for &body in &bodies {
                    let motion = world.body_motion(body).expect("alive");
                    fastest = fastest.max(motion.velocity.length() + 0.2 * motion.angular_velocity.length());
                }
            }
            assert!(fastest < 0.01, "holder {number}, {substeps} sub-steps: {fastest} m/s");
        }
    }
}
