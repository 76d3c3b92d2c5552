//! Pins that are carried by a motion or a collider are where these have them, and hand on what is held to them.

use glam::{Quat, Vec3};
use motes_core::colliders::Sphere;
use motes_core::{
    Change, Collider, CpuEngine, Group, Keyframe, Material, Motion, NewDistance, ParticleId, Pose, Settings, Shape,
    World, WorldError,
};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.02;

fn world(substeps: u32) -> World {
    let settings = Settings {
        particle_radius: RADIUS,
        substeps,
        iterations: 8,
        ..Settings::default()
    };
    World::with_engine(settings, Box::new(CpuEngine::with_threads(2))).expect("settings")
}

/// Two particles that do not touch, one below the other and tied to it.
fn pair(world: &mut World, damping: f32) -> [ParticleId; 2] {
    let material = Material {
        damping,
        ..Material::GLASS
    };
    let material = world.add_material(material).expect("material");
    let group = world.add_group(Group::grains("cord", material)).expect("group");
    let places = [Vec3::new(0.5, 1.0, 0.0), Vec3::new(0.5, 0.8, 0.0)];
    let ids = world.add_particles(group, &places, Vec3::ZERO).expect("particles");
    world
        .add_distances(&[NewDistance::new([ids[0], ids[1]], 0.2)])
        .expect("row");
    [ids[0], ids[1]]
}

fn place(world: &World, id: ParticleId) -> Vec3 {
    world.positions(&[id])[0].expect("alive")
}

#[test]
fn a_pin_goes_where_its_motion_says_at_any_number_of_substeps_and_with_damping() {
    for substeps in [1, 4, 16] {
        let mut world = world(substeps);
        let [pin, below] = pair(&mut world, 3.0);
        let swing = Motion::Swing {
            offset: Vec3::new(0.3, 0.0, 0.1),
            rotation: Vec3::ZERO,
            period: 1.0,
        };
        world
            .carry_particles(&[pin], Pose::at(Vec3::ZERO), swing)
            .expect("carried");
        for frame in 1..=150 {
            world.step(DT);
            let phase = (std::f64::consts::TAU * f64::from(frame) / 60.0).sin() as f32;
            let expected = Vec3::new(0.5, 1.0, 0.0) + phase * Vec3::new(0.3, 0.0, 0.1);
            assert!(place(&world, pin).distance(expected) < 2e-6, "{substeps}: {frame}");
        }
        let length = place(&world, pin).distance(place(&world, below));
        assert!((length - 0.2).abs() < 2e-3, "what hangs from it follows: {length}");
    }
}

#[test]
fn pins_turn_about_their_origin_and_stand_when_the_path_is_over() {
    let mut world = world(4);
    let [pin, _] = pair(&mut world, 0.0);
    let key = |time, angle| Keyframe {
        time,
        pose: Pose {
            position: Vec3::ZERO,
            rotation: Quat::from_rotation_y(angle),
        },
    };
    let path = Motion::Path {
        keys: vec![key(0.0, 0.0), key(1.0, std::f32::consts::FRAC_PI_2)],
        repeat: false,
    };
    world.carry_particles(&[pin], Pose::IDENTITY, path).expect("carried");
    (0..30).for_each(|_| world.step(DT));
    let half = 0.5 * 0.5f32.sqrt();
    assert!(place(&world, pin).distance(Vec3::new(half, 1.0, -half)) < 1e-5);
    (0..60).for_each(|_| world.step(DT));
    assert!(place(&world, pin).distance(Vec3::new(0.0, 1.0, -0.5)) < 1e-5);
    assert_eq!(world.velocities(&[pin])[0], Some(Vec3::ZERO));
}

#[test]
fn what_is_attached_to_a_collider_goes_with_it_and_stays_when_it_is_removed() {
    let mut world = world(2);
    let [pin, _] = pair(&mut world, 0.0);
    let steel = world.add_material(Material::STEEL).expect("material");
    let ball = Collider::new(
        "ball",
        Shape::Sphere(Sphere::new(0.1).expect("shape")),
        steel,
        Pose::IDENTITY,
    );
    let ball = world.add_collider(ball).expect("collider");
    world.attach_to_collider(&[pin], ball).expect("attached");
    let turned = Pose {
        position: Vec3::new(0.0, 0.3, 0.0),
        rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
    };
    world.move_collider(ball, turned).expect("moved");
    world.step(DT);
    assert!(place(&world, pin).distance(Vec3::new(-1.0, 0.8, 0.0)) < 1e-5);
    world.step(DT);
    let stands = place(&world, pin);
    world.remove_collider(ball).expect("removed");
    (0..5).for_each(|_| world.step(DT));
    assert_eq!(place(&world, pin), stands);
}

#[test]
fn giving_it_a_mass_lets_a_pin_go_and_a_restored_world_carries_on() {
    let mut world = world(2);
    let [pin, _] = pair(&mut world, 0.0);
    let steady = Motion::Steady {
        velocity: Vec3::X,
        angular_velocity: Vec3::ZERO,
    };
    world
        .carry_particles(&[pin], Pose::IDENTITY, steady.clone())
        .expect("carried");
    (0..20).for_each(|_| world.step(DT));
    let mut other = World::restore(&world.save(), Box::new(CpuEngine::with_threads(1))).expect("restored");
    for world in [&mut world, &mut other] {
        (0..20).for_each(|_| world.step(DT));
    }
    assert_eq!(world.digest(), other.digest());
    world.set_inverse_masses(&[(pin, 10.0)]).expect("let go");
    let before = place(&world, pin);
    (0..30).for_each(|_| world.step(DT));
    let after = place(&world, pin);
    assert!(after.y < before.y - 0.5, "it falls: {before} to {after}");
    world.remove_particles(&[pin]);
    let gone = world.carry_particles(&[pin], Pose::IDENTITY, steady);
    assert!(matches!(gone, Err(WorldError::Gone(_))));
}

#[test]
fn a_pin_stands_until_it_is_given_a_velocity_and_keeps_that_one() {
    let mut world = world(3);
    let [first, second] = pair(&mut world, 1.0);
    world.set_velocities(&[(first, Vec3::X)]).expect("velocity");
    world.set_inverse_masses(&[(first, 0.0)]).expect("pinned");
    (0..10).for_each(|_| world.step(DT));
    assert_eq!(place(&world, first), Vec3::new(0.5, 1.0, 0.0), "pinning stops it");
    world.edit(&[(first, Change::Velocity(Vec3::Z))]).expect("velocity");
    (0..60).for_each(|_| world.step(DT));
    assert!(place(&world, first).distance(Vec3::new(0.5, 1.0, 1.0)) < 1e-4);
    assert!(place(&world, second).z > 0.8, "it draws along what hangs from it");
}
