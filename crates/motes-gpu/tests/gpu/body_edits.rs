//! Edits of bodies travel to the device and do there what they do on the CPU.

use motes_core::glam::{Quat, Vec3};
use motes_core::{BodyId, CpuEngine, Engine, Pose, World};
use motes_gpu::{Gpu, GpuEngine};

const DT: f32 = 1.0 / 60.0;

type Build = fn(Box<dyn Engine>) -> (World, Vec<BodyId>);
type Work = fn(&mut World, &[BodyId]);

fn somewhere() -> Pose {
    Pose {
        position: Vec3::new(0.4, 1.9, -0.2),
        rotation: Quat::from_rotation_z(0.7) * Quat::from_rotation_x(-0.4),
    }
}

fn kick(world: &mut World, bodies: &[BodyId]) {
    let impulse = Vec3::new(3.0, 8.0, -2.0);
    world
        .kick_body(bodies[0], impulse, Vec3::new(0.2, 0.7, 0.1))
        .expect("alive");
}

fn turn(world: &mut World, bodies: &[BodyId]) {
    let velocity = Vec3::new(0.3, 1.0, 0.0);
    world
        .set_body_velocity(bodies[0], velocity, Vec3::new(2.0, -1.0, 0.5))
        .expect("alive");
}

fn teleport(world: &mut World, bodies: &[BodyId]) {
    world.teleport_body(bodies[0], somewhere()).expect("alive");
}

fn pin(world: &mut World, bodies: &[BodyId]) {
    world.set_kinematic(bodies[0], true).expect("alive");
    let mut pose = world.body_motion(bodies[0]).expect("alive").pose;
    pose.position.y += 0.05;
    world.move_body(bodies[0], pose).expect("kinematic");
}

fn release(world: &mut World, bodies: &[BodyId]) {
    world.set_kinematic(bodies[bodies.len() - 1], false).expect("alive");
}

/// Holds what hangs in the middle where it is, then lets it go and holds something else.
fn hold(world: &mut World, bodies: &[BodyId]) {
    world.set_kinematic(bodies[bodies.len() / 2], true).expect("alive");
}

fn hold_another(world: &mut World, bodies: &[BodyId]) {
    hold(world, bodies);
    world.step(DT);
    world.set_kinematic(bodies[bodies.len() / 2], false).expect("alive");
    world.set_kinematic(bodies[0], true).expect("alive");
}

/// Edits of bodies and of their particles in turn, with dead among these.
fn in_turn(world: &mut World, bodies: &[BodyId]) {
    let group = world.body_group(bodies[0]).expect("alive");
    let ids = world.group_particles(group);
    world.remove_particles(&ids[3..6]);
    world.step(DT);
    kick(world, bodies);
    kick(world, bodies);
    world.push_particles(&[(ids[0], 0.3 * Vec3::X)]).expect("alive");
    teleport(world, bodies);
    turn(world, bodies);
    world.set_positions(&[(ids[1], 2.0 * Vec3::Y)]).expect("alive");
    kick(world, bodies);
}

/// Two frames from the same state on both engines, with edits between them while the device alone knows the particles.
fn compare(gpu: &Gpu, name: &str, build: Build, work: Work) {
    let (mut world, bodies) = build(Box::new(CpuEngine::new()));
    (0..6).for_each(|_| world.step(DT));
    let state = world.save();
    let engine = Box::new(GpuEngine::new(gpu).expect("engine"));
    let mut other = World::restore(&state, engine).expect("state");
    for world in [&mut world, &mut other] {
        world.step(DT);
        work(world, &bodies);
    }
    for (moment, bounds) in [("at once", [2e-5, 2e-3]), ("a frame later", [1e-4, 1e-2])] {
        for &body in &bodies {
            let [a, b] = [&world, &other].map(|world| world.body_motion(body).expect("alive"));
            let apart = (a.center - b.center).length();
            let [p, q] = [a, b].map(|motion| motion.pose.rotation);
            let turned = 2.0 * (p - q).length().min((p + q).length());
            let faster = (a.velocity - b.velocity).length() + (a.angular_velocity - b.angular_velocity).length();
            assert!(
                apart.max(turned) < bounds[0],
                "{name}, {moment}: {apart} m, {turned} rad"
            );
            assert!(faster < bounds[1], "{name}, {moment}: {faster} m/s and rad/s");
            let [a, b] = [&world, &other].map(|world| world.body_positions(body).expect("alive"));
            for (a, b) in a.into_iter().zip(b) {
                assert_eq!(a.is_some(), b.is_some(), "{name}, {moment}");
                let apart = a.zip(b).map_or(0.0, |(a, b)| a.distance(b));
                assert!(apart < bounds[0], "{name}, {moment}: {apart} m");
            }
        }
        world.step(DT);
        other.step(DT);
    }
    assert_eq!(other.fault(), None);
}

#[test]
fn bodies_are_kicked_turned_and_put_elsewhere_as_on_the_cpu() {
    use crate::bodies::{large, linked, plastic, pusher, soft};
    let Some(gpu) = crate::gpu() else { return };
    let works: [(&str, Work); 4] = [("kick", kick), ("turn", turn), ("teleport", teleport), ("pin", pin)];
    let kinds: [(&str, Build); 4] = [
        ("large", large),
        ("soft", soft),
        ("linked", linked),
        ("plastic", plastic),
    ];
    for (kind, build) in kinds {
        for (work, edit) in works {
            compare(&gpu, &format!("{work}, {kind}"), build, edit);
        }
    }
    compare(&gpu, "release", pusher, release);
    compare(&gpu, "release what is held", crate::attachments::pulled, release);
}

#[test]
fn bodies_that_are_joined_are_held_and_let_go_as_on_the_cpu() {
    use crate::attachments::{chain, pulled, soft, swinging, tree};
    let Some(gpu) = crate::gpu() else { return };
    let kinds: [(&str, Build); 5] = [
        ("chain", chain),
        ("tree", tree),
        ("swinging", swinging),
        ("pulled", pulled),
        ("soft", soft),
    ];
    for (kind, build) in kinds {
        compare(&gpu, &format!("hold, {kind}"), build, hold);
        compare(&gpu, &format!("hold another, {kind}"), build, hold_another);
    }
}

#[test]
fn what_broke_on_the_device_stays_broken_when_a_body_is_held() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, links) = crate::attachments::weak_chain(Box::new(GpuEngine::new(&gpu).expect("engine")));
    let whole = world.bodies().attachments.len();
    for _ in 0..40 {
        world.step(DT);
    }
    world.set_kinematic(links[0], true).expect("alive");
    world.step(DT);
    world.set_kinematic(links[0], false).expect("alive");
    world.step(DT);
    assert_eq!(world.bodies().attachments.len(), whole - 1);
    assert_eq!(world.fault(), None);
}

#[test]
fn edits_of_bodies_and_particles_are_carried_out_in_order() {
    let Some(gpu) = crate::gpu() else { return };
    compare(&gpu, "in turn", crate::bodies::large, in_turn);
    compare(&gpu, "in turn, soft", crate::bodies::soft, in_turn);
}
