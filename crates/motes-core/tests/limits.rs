//! Edits and questions at the edge of what makes sense: nothing, nowhere, twice, gone, too small.

#[path = "common/block.rs"]
mod block;

use block::{RADIUS, block};
use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{
    Centers, Change, Collider, ConstraintSolver, Group, GroupId, Hit, Material, NearestParticle, NewDistance,
    ParticleId, ParticlesIn, Passive, Pose, RayCast, Settings, Softness, Volume, World, WorldError,
};

const DT: f32 = 1.0 / 60.0;

fn world_of(positions: &[Vec3]) -> (World, GroupId, Vec<ParticleId>) {
    let settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut world = World::new(settings).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    let ids = world.add_particles(group, positions, Vec3::ZERO).expect("grains");
    (world, group, ids)
}

#[test]
fn rays_of_any_length_meet_the_same_and_those_that_lead_nowhere_meet_nothing() {
    let (world, _, ids) = world_of(&[Vec3::Y]);
    let ray = |direction: Vec3, reach: f32| {
        let origin = Vec3::ZERO;
        let hit = world.query(RayCast {
            origin,
            direction,
            reach,
        });
        hit.map(|hit| (hit.hit, hit.distance))
    };
    for length in [1e-40, 1e-30, 1.0, 1e30] {
        let (hit, distance) = ray(Vec3::Y * length, 10.0).expect("a grain");
        assert_eq!(hit, Hit::Particle(ids[0]));
        assert!((distance - 0.95).abs() < 1e-5, "{distance} by a ray of {length}");
    }
    for (direction, reach) in [
        (Vec3::ZERO, 10.0),
        (Vec3::Y, -1.0),
        (Vec3::Y, f32::NAN),
        (Vec3::NAN, 10.0),
        (Vec3::Y * f32::INFINITY, 10.0),
    ] {
        assert_eq!(ray(direction, reach), None, "{direction} {reach}");
    }
}

#[test]
fn colliders_that_are_switched_off_are_seen_by_nobody() {
    let (mut world, _, _) = world_of(&[]);
    let sand = world.add_material(Material::SAND).expect("material");
    let plane = Plane::new(Vec3::Y, 0.0).expect("plane");
    let floor = world
        .add_collider(Collider::new("floor", plane.into(), sand, Pose::IDENTITY))
        .expect("floor");
    let down = RayCast::new(Vec3::Y, Vec3::NEG_Y);
    assert!(world.query(down).is_some());
    assert_eq!(world.colliders_touching(Vec3::ZERO, 0.1), [floor]);
    world.switch_collider(floor, false).expect("switched");
    assert!(world.query(down).is_none());
    assert!(world.colliders_touching(Vec3::ZERO, 0.1).is_empty());
}

#[test]
fn nothing_is_near_a_point_that_is_nowhere_nor_in_a_sphere_of_less_than_nothing() {
    let (world, group, _) = world_of(&[Vec3::Y]);
    for point in [Vec3::INFINITY, Vec3::NAN] {
        let within = f32::INFINITY;
        assert_eq!(world.query(NearestParticle { point, within }), None);
    }
    let inside_out = Volume::Sphere {
        center: Vec3::Y,
        radius: -1.0,
    };
    assert!(world.query(ParticlesIn(inside_out.clone())).is_empty());
    let outside = Volume::Outside(Box::new(inside_out));
    assert_eq!(world.query(ParticlesIn(outside)).len(), 1);
    assert_eq!(world.query(Centers(vec![group, group])), [(group, Vec3::Y)]);
}

#[test]
fn what_is_removed_is_not_found_by_what_comes_after() {
    let (mut world, _, ids) = world_of(&[Vec3::Y, Vec3::X]);
    let moved = Change::Position(Vec3::Z);
    let found = world.edit(&[(ids[0], Change::Remove), (ids[0], moved), (ids[1], moved)]);
    assert_eq!(found, Ok(2));
    assert_eq!(world.positions(&ids), [None, Some(Vec3::Z)]);
}

#[test]
fn a_body_whose_group_was_removed_can_be_removed() {
    let (mut world, _, _) = world_of(&[]);
    let new = block(&mut world, [2; 3], Pose::IDENTITY);
    let body = world.add_body(new).expect("body");
    let group = world.body_group(body).expect("group");
    world.remove_group(group).expect("group");
    assert_eq!(world.remove_body(body), Ok(()));
    assert!(world.remove_body(body).is_err(), "and not twice");
    world.step(DT);
    assert_eq!(world.particle_count(), 0);
}

#[test]
fn rows_between_particles_at_the_same_place_do_nothing_and_blow_nothing_up() {
    for solver in [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel] {
        let (mut world, _, _) = world_of(&[]);
        let sand = world.add_material(Material::SAND).expect("material");
        let mut group = Group::grains("pair", sand);
        group.flags = 0;
        let group = world.add_group(group).expect("group");
        let ids = world.add_particles(group, &[Vec3::Y; 2], Vec3::ZERO).expect("grains");
        let mut settings = world.settings().clone();
        settings.constraint_solver = solver;
        world.set_settings(settings).expect("settings");
        world
            .add_distances(&[NewDistance::new([ids[0], ids[1]], 0.3)])
            .expect("row");
        for _ in 0..30 {
            world.step(DT);
        }
        world.health().expect("finite");
        let [a, b] = <[Option<Vec3>; 2]>::try_from(world.positions(&ids)).expect("two");
        assert_eq!(a, b);
    }
}

#[test]
fn radii_and_softness_that_cannot_be_are_refused_with_what_was_said() {
    let (mut world, _, ids) = world_of(&[Vec3::Y, Vec3::X]);
    let sand = world.add_material(Material::SAND).expect("material");
    for radius in [1e-15, 0.0, -1.0, f32::NAN, 1e9] {
        let group = Group {
            radius: Some(radius),
            ..Group::grains("dust", sand)
        };
        let error = world.add_group(group).expect_err("too small or large");
        assert!(
            matches!(&error, WorldError::Value { field, .. } if field == "radius"),
            "{error}"
        );
    }
    let row = NewDistance {
        softness: Softness::Stiffness(2.0),
        ..NewDistance::new([ids[0], ids[1]], 1.0)
    };
    let error = world.add_distances(&[row]).expect_err("too stiff").to_string();
    assert!(error.contains('2'), "{error}");
}

#[test]
fn passive_particles_that_leave_for_good_are_removed() {
    let (mut world, _, _) = world_of(&[]);
    let lost = Passive {
        position: Vec3::ZERO,
        velocity: Vec3::X * 1e30,
        lifetime: f32::MAX,
    };
    let near = Passive {
        velocity: Vec3::ZERO,
        ..lost
    };
    world.add_passive(&[lost, near]).expect("markers");
    world.step(DT);
    world.step(DT);
    assert_eq!(world.passive_count(), 1);
    assert!(world.passive().positions().iter().all(|position| position.is_finite()));
}
