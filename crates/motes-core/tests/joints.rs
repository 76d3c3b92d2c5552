//! Joints of bodies that bend: they hold what is joined as it stands, and neither push nor turn the whole.

use glam::Vec3;
use motes_core::{BodyId, Joint, Material, NewBody, Partner, Plasticity, Settings, World};

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

/// The greatest distance of a particle of a body that hangs by a corner from its nearest neighbour, over that at rest.
fn torn_by_its_weight(change: fn(&mut NewBody)) -> f32 {
    let mut world = World::new(Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    })
    .expect("settings");
    let clay = world.add_material(Material::default()).expect("material");
    let place = |k: usize| 2.0 * RADIUS * Vec3::new((k % 4) as f32, (k / 4 % 4) as f32, (k / 16) as f32);
    let mut new = NewBody::new("clay", clay, (0..64).map(place).collect(), vec![0.5; 64]);
    change(&mut new);
    let body = world.add_body(new).expect("body");
    let corner = Joint::Ball(Vec3::new(-0.05, 0.35, -0.05));
    world.join(body, Partner::World, corner, f32::INFINITY).expect("joint");
    let mut lonely: f32 = 0.0;
    for _ in 0..120 {
        world.step(DT);
        let places = places(&mut world, body);
        for (k, a) in places.iter().enumerate() {
            let others = places.iter().enumerate().filter(|(other, _)| *other != k);
            let nearest = others.map(|(_, b)| a.distance(*b)).fold(f32::INFINITY, f32::min);
            lonely = lonely.max(nearest / (2.0 * RADIUS));
        }
    }
    lonely
}

#[test]
fn what_bends_is_not_torn_where_it_hangs() {
    let soft = torn_by_its_weight(|new| new.stiffness = 0.6);
    assert!(soft < 1.75, "{soft}");
    let plastic = torn_by_its_weight(|new| {
        new.stiffness = 0.9;
        new.plasticity = Some(Plasticity {
            threshold: 0.1 * RADIUS,
            creep: 0.5,
            limit: f32::INFINITY,
        });
    });
    assert!(plastic < 1.75, "{plastic}");
}

/// A bar of clay along x whose middle is somewhere, of masses of 0.2 kg.
fn bar(world: &mut World, length: usize, middle: Vec3, [stiffness, creep]: [f32; 2]) -> BodyId {
    let clay = world.add_material(Material::default()).expect("material");
    let place = |k: usize| {
        let [x, y, z] = [k / 9, k / 3 % 3, k % 3].map(|number| number as f32);
        2.0 * RADIUS * (Vec3::new(x, y, z) - Vec3::new(0.5 * (length - 1) as f32, 1.0, 1.0))
    };
    let mut new = NewBody::new("bar", clay, (0..9 * length).map(place).collect(), vec![0.2; 9 * length]);
    new.stiffness = stiffness;
    new.plasticity = Some(Plasticity {
        threshold: 0.1 * RADIUS,
        creep,
        limit: f32::INFINITY,
    });
    new.pose.position = middle;
    world.add_body(new).expect("bar")
}

#[test]
fn clay_between_a_nail_and_a_weight_gains_no_energy_while_it_flows() {
    for creep in [0.2, 0.9] {
        let mut world = World::new(Settings {
            particle_radius: RADIUS,
            ..Settings::default()
        })
        .expect("settings");
        let clay = bar(&mut world, 5, Vec3::ZERO, [0.6, creep]);
        let joint = Joint::Ball(Vec3::new(-0.2, 0.1, 0.0));
        world.join(clay, Partner::World, joint, f32::INFINITY).expect("joint");
        let iron = world.add_material(Material::default()).expect("material");
        let place = |k: usize| 2.0 * RADIUS * (Vec3::new((k % 2) as f32, (k / 2 % 2) as f32, (k / 4) as f32) - 0.5);
        let mut new = NewBody::new("iron", iron, (0..8).map(place).collect(), vec![10.0; 8]);
        new.pose.position = Vec3::new(0.42, 0.0, 0.0);
        let weight = world.add_body(new).expect("body");
        let joint = Joint::Ball(Vec3::new(0.3, 0.0, 0.0));
        world
            .join(weight, Partner::Body(clay), joint, f32::INFINITY)
            .expect("joint");
        let energy = |world: &World| -> f32 {
            let particles = world.particles();
            let each = particles.positions.iter().zip(&particles.velocities);
            each.map(|(place, velocity)| {
                let half = velocity.truncate() + 0.5 * DT / 2.0 * Vec3::NEG_Y * 9.81;
                (0.5 * half.length_squared() + 9.81 * place.y) / place.w
            })
            .sum()
        };
        let (start, turned) = (energy(&world), 80.0 * 9.81);
        let mut most: f32 = 0.0;
        for _ in 0..180 {
            world.step(DT);
            most = most.max(energy(&world) - start);
        }
        assert!(most < 1e-3 * turned, "{creep}: {most} J of {turned}");
    }
}
