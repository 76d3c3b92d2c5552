//! Joints of bodies that bend: they hold what is joined as it stands, and neither push nor turn the whole.

use glam::Vec3;
use motes_core::{BodyId, Joint, Material, NewBody, Partner, Settings, World};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;

fn world() -> World {
    World::new(Settings {
        particle_radius: RADIUS,
        gravity: Vec3::ZERO,
        ..Settings::default()
    })
    .expect("settings")
}

/// A soft cube of particles with its middle somewhere.
fn cube(world: &mut World, side: usize, middle: Vec3) -> BodyId {
    let rubber = world.add_material(Material::default()).expect("material");
    let half = 0.5 * (side - 1) as f32;
    let place = |index: usize| {
        let [x, y, z] = [index % side, index / side % side, index / side / side].map(|number| number as f32);
        2.0 * RADIUS * (Vec3::new(x, y, z) - half)
    };
    let positions: Vec<Vec3> = (0..side.pow(3)).map(place).collect();
    let masses = vec![1.0; positions.len()];
    let mut new = NewBody::new("cube", rubber, positions, masses);
    new.stiffness = 0.3;
    new.pose.position = middle;
    world.add_body(new).expect("cube")
}

fn places(world: &mut World, body: BodyId) -> Vec<Vec3> {
    let places = world.body_positions(body).expect("alive");
    places.into_iter().map(|place| place.expect("alive")).collect()
}

#[test]
fn soft_bodies_that_are_joined_stay_where_they_are() {
    let joints = [
        Joint::Ball(Vec3::new(0.1, 0.0, 0.0)),
        Joint::Hinge(Vec3::new(0.1, 0.0, 0.0), Vec3::Z),
        Joint::Fixed,
    ];
    for joint in joints {
        let mut world = world();
        let bodies = [
            cube(&mut world, 2, Vec3::ZERO),
            cube(&mut world, 3, Vec3::new(0.32, 0.03, 0.0)),
        ];
        world
            .join(bodies[0], Partner::Body(bodies[1]), joint, f32::INFINITY)
            .expect("joint");
        let before = bodies.map(|body| places(&mut world, body));
        (0..300).for_each(|_| world.step(DT));
        for (body, before) in bodies.into_iter().zip(&before) {
            let after = places(&mut world, body);
            let moved = before
                .iter()
                .zip(&after)
                .map(|(a, b)| a.distance(*b))
                .fold(0.0, f32::max);
            assert!(moved < 1e-3 * RADIUS, "{joint:?}: {moved} m");
        }
    }
}

#[test]
fn joined_soft_bodies_keep_their_momentum() {
    let mut world = world();
    let bodies = [
        cube(&mut world, 2, Vec3::ZERO),
        cube(&mut world, 3, Vec3::new(0.32, 0.03, 0.0)),
    ];
    world
        .join(
            bodies[0],
            Partner::Body(bodies[1]),
            Joint::Ball(Vec3::new(0.1, 0.0, 0.0)),
            f32::INFINITY,
        )
        .expect("joint");
    world
        .kick_body(bodies[0], Vec3::new(2.0, 8.0, -4.0), Vec3::ZERO)
        .expect("kicked");
    (0..120).for_each(|_| world.step(DT));
    let momentum: Vec3 = world
        .particles()
        .velocities
        .iter()
        .map(|velocity| velocity.truncate())
        .sum();
    assert!(momentum.distance(Vec3::new(2.0, 8.0, -4.0)) < 0.1, "{momentum}");
    let speeds = world
        .particles()
        .velocities
        .iter()
        .map(|velocity| velocity.truncate().length());
    assert!(speeds.fold(0.0, f32::max) < 3.0);
}
