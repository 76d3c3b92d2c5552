//! Surfaces that run along themselves: belts and turntables draw along what lies on them, by friction.

#[path = "common/block.rs"]
mod block;

use block::block;
use glam::Vec3;
use motes_core::colliders::{Cuboid, Plane};
use motes_core::{
    Collider, ColliderId, CpuEngine, Group, Material, ParticleId, Pose, Settings, Shape, SurfaceMotion, Switch, World,
    WorldError,
};

const DT: f32 = 1.0 / 60.0;
const FRICTION: f32 = 0.3;

fn belt(surface: SurfaceMotion) -> (World, ColliderId, Vec<ParticleId>) {
    let mut world = World::new(Settings::default()).expect("settings");
    let material = world
        .add_material(Material::FAST_SAND.with_friction(FRICTION))
        .expect("material");
    let shape: Shape = Plane::new(Vec3::Y, 0.0).expect("plane").into();
    let collider = Collider::new("belt", shape, material, Pose::IDENTITY).running(surface);
    let belt = world.add_collider(collider).expect("belt");
    let group = world.add_group(Group::grains("grains", material)).expect("group");
    let ids = world
        .add_particles(group, &[Vec3::new(0.3, 0.05, 0.0)], Vec3::ZERO)
        .expect("grain");
    (world, belt, ids)
}

fn run(world: &mut World, seconds: f32) {
    (0..(seconds / DT).round() as usize).for_each(|_| world.step(DT));
}

fn velocity(world: &World, ids: &[ParticleId]) -> Vec3 {
    world.velocities(ids)[0].expect("alive")
}

#[test]
fn a_grain_gains_speed_by_friction_until_it_goes_with_the_belt() {
    let (mut world, _, ids) = belt(SurfaceMotion::straight(Vec3::new(1.5, 0.0, 0.5)));
    run(&mut world, 0.2);
    let expected = FRICTION * 9.81 * 0.2;
    let found = velocity(&world, &ids).length();
    assert!((found / expected - 1.0).abs() < 0.05, "{found} {expected}");
    run(&mut world, 1.0);
    let found = velocity(&world, &ids);
    assert!(found.distance(Vec3::new(1.5, 0.0, 0.5)) < 1e-3, "{found}");
    assert!(world.positions(&ids)[0].expect("alive").y > 0.049);
}

#[test]
fn a_body_goes_with_the_belt_and_does_not_turn() {
    let mut world = World::new(Settings::default()).expect("settings");
    let new = block(&mut world, [4, 4, 4], Pose::at(0.2 * Vec3::Y));
    let material = new.material;
    let body = world.add_body(new).expect("body");
    let shape: Shape = Cuboid::new(Vec3::new(5.0, 0.1, 1.0)).expect("box").into();
    let collider = Collider::new("belt", shape, material, Pose::at(-0.1 * Vec3::Y));
    world
        .add_collider(collider.running(SurfaceMotion::straight(Vec3::X)))
        .expect("belt");
    run(&mut world, 2.0);
    let motion = world.body_motion(body).expect("alive");
    assert!((motion.velocity - Vec3::X).length() < 5e-3, "{}", motion.velocity);
    assert!(motion.angular_velocity.length() < 0.05, "{}", motion.angular_velocity);
}

#[test]
fn the_belt_feels_what_it_draws() {
    let (mut world, belt, _) = belt(SurfaceMotion::straight(3.0 * Vec3::X));
    run(&mut world, 0.2);
    let forces = world.collider_forces();
    let force = forces
        .iter()
        .find(|force| force.collider == belt)
        .expect("touched")
        .force;
    assert!((force.x / force.y - FRICTION).abs() < 0.02, "{force}");
}

#[test]
fn what_lies_on_a_turntable_goes_round_at_its_distance() {
    let (mut world, _, ids) = belt(SurfaceMotion::about(1.5 * Vec3::Y));
    run(&mut world, 2.0);
    let distance = |world: &World| world.positions(&ids)[0].expect("alive").with_y(0.0).length();
    let early = distance(&world);
    run(&mut world, 20.0);
    assert!(
        (distance(&world) / early - 1.0).abs() < 0.01,
        "{early} {}",
        distance(&world)
    );
    let speed = velocity(&world, &ids).length();
    assert!((speed / (1.5 * early) - 1.0).abs() < 0.01, "{speed}");
}

#[test]
fn a_belt_is_stopped_and_started() {
    let (mut world, belt, ids) = belt(SurfaceMotion::straight(Vec3::X));
    world.switch_at(1.0, Switch::Surface(belt), false).expect("belt");
    run(&mut world, 0.9);
    assert!(velocity(&world, &ids).x > 0.99);
    run(&mut world, 1.0);
    assert_eq!(world.is_surface_on(belt), Some(false));
    assert!(velocity(&world, &ids).length() < 1e-3, "friction stops it");
    world.switch_surface(belt, true).expect("belt");
    world
        .set_surface_motion(belt, SurfaceMotion::straight(2.0 * Vec3::Z))
        .expect("belt");
    run(&mut world, 1.0);
    assert!(velocity(&world, &ids).z > 1.99);
}

#[test]
fn a_saved_belt_goes_on_as_it_would_have() {
    let (mut world, belt, _) = belt(SurfaceMotion::straight(Vec3::X));
    world.switch_at(1.0, Switch::Surface(belt), false).expect("belt");
    run(&mut world, 0.5);
    let mut restored = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("state");
    run(&mut world, 1.0);
    run(&mut restored, 1.0);
    assert_eq!(world.digest(), restored.digest());
    assert_eq!(restored.is_surface_on(belt), Some(false));
}

#[test]
fn a_surface_that_runs_nowhere_in_particular_is_refused() {
    let (mut world, belt, _) = belt(SurfaceMotion::STILL);
    let broken = SurfaceMotion::straight(Vec3::new(0.0, f32::NAN, 0.0));
    let found = world.set_surface_motion(belt, broken);
    assert!(
        matches!(&found, Err(WorldError::Value { field, .. }) if field == "surface"),
        "{found:?}"
    );
    let collider = world.collider(belt).expect("belt").clone();
    assert!(world.add_collider(collider.running(broken)).is_err());
}
