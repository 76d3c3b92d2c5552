//! Smoke among things: what it lifts, and what pushes it aside.

#[path = "common/gas.rs"]
mod air;
#[path = "common/tank.rs"]
mod tank;

use air::{STILL, gas, open, source};
use motes_core::colliders::Sphere;
use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::{Collider, Group, Material, Motion, NewDistance, Passive, Plume, Pose, World};
use tank::{DT, STEPS, block, settings};

/// A flat sheet of so many particles to a side about a point, metres, of a weight, kg/m².
fn sheet(world: &mut World, side: usize, middle: Vec3, weight: f32) -> Vec<motes_core::ParticleId> {
    let cotton = world.add_material(Material::FRICTIONLESS).expect("material");
    let group = Group::grains("sheet", cotton).ignoring_rest_overlaps();
    let group = world.add_group(group).expect("group");
    let pitch = 0.08;
    let corner = middle - 0.5 * pitch * (side as f32 - 1.0) * Vec3::new(1.0, 0.0, 1.0);
    let place = |i: usize| corner + pitch * Vec3::new((i % side) as f32, 0.0, (i / side) as f32);
    let places: Vec<Vec3> = (0..side * side).map(place).collect();
    let ids = world.add_particles(group, &places, Vec3::ZERO).expect("particles");
    let mut rows = Vec::new();
    for i in 0..side * side {
        for (dx, dz) in [(1, 0), (0, 1), (1, 1)] {
            if i % side + dx < side && i / side + dz < side {
                let j = i + dx + dz * side;
                rows.push(NewDistance::new([ids[i], ids[j]], places[i].distance(places[j])));
            }
        }
    }
    world.add_distances(&rows).expect("rows");
    let inverse = 1.0 / (weight * pitch * pitch);
    let inverses: Vec<_> = ids.iter().map(|&id| (id, inverse)).collect();
    world.set_inverse_masses(&inverses).expect("alive");
    ids
}

fn height(world: &World, ids: &[motes_core::ParticleId]) -> f32 {
    let places = world.positions(ids);
    places.iter().flatten().map(|place| place.y).sum::<f32>() / ids.len() as f32
}

#[test]
fn a_jet_of_smoke_lifts_a_light_sheet() {
    for steps in [STEPS[0], STEPS[1]] {
        let highest = |speed: f32| {
            let mut world = open(settings(0.05, steps));
            let group = gas(&mut world, STILL);
            let ids = sheet(&mut world, 9, 0.8 * Vec3::Y, 0.05);
            if speed > 0.0 {
                world
                    .add_emitter(source(group, 0.3, speed, Plume::default()))
                    .expect("source");
            }
            let mut highest = 0.0_f32;
            for _ in 0..90 {
                world.step(DT);
                highest = highest.max(height(&world, &ids));
            }
            world.health().expect("finite numbers");
            highest
        };
        let (with, without) = (highest(4.0), highest(0.0));
        assert!(with > 1.1 && without < 0.81, "{steps:?}: {with} {without}");
    }
}

/// A block of smoke at rest with markers in it.
fn cloud(world: &mut World) {
    let group = gas(world, Material { air_drag: 3.0, ..STILL });
    let places = block([12, 6, 12], 0.1, Vec3::new(-0.6, -0.3, -0.6));
    world.add_particles(group, &places, Vec3::ZERO).expect("gas");
    let markers: Vec<_> = places
        .iter()
        .map(|&position| Passive {
            position,
            velocity: Vec3::ZERO,
            lifetime: f32::INFINITY,
        })
        .collect();
    world.add_smoke(&markers).expect("markers");
}

/// Markers within a column about the middle, metres.
fn in_the_middle(world: &World, radius: f32) -> usize {
    let positions = world.passive().positions().iter();
    positions
        .filter(|place| place.xyz().with_y(0.0).length() < radius && place.y.abs() < 0.3)
        .count()
}

#[test]
fn a_falling_sheet_pushes_smoke_aside() {
    let left = |falls: bool| {
        let mut world = open(settings(0.05, STEPS[0]));
        cloud(&mut world);
        if falls {
            sheet(&mut world, 9, 0.6 * Vec3::Y, 1.0);
        }
        tank::run(&mut world, 0.6);
        in_the_middle(&world, 0.3)
    };
    let (pushed, still) = (left(true), left(false));
    assert!(still > 100 && (pushed as f32) < 0.7 * still as f32, "{pushed} {still}");
}

#[test]
fn a_moving_body_drags_smoke_along() {
    let way = |speed: f32| {
        let mut world = open(settings(0.05, STEPS[0]));
        cloud(&mut world);
        let steel = world.add_material(Material::STEEL).expect("material");
        let ball = Sphere::new(0.25).expect("sphere");
        let start = Pose {
            position: -Vec3::X,
            ..Pose::IDENTITY
        };
        let mut ball = Collider::new("ball", ball.into(), steel, start);
        ball.motion = Motion::Steady {
            velocity: speed * Vec3::X,
            angular_velocity: Vec3::ZERO,
        };
        world.add_collider(ball).expect("collider");
        let markers: Vec<f32> = world.passive().positions().iter().map(|place| place.x).collect();
        tank::run(&mut world, 1.0);
        let inside = |place: Vec3, x: f32| (place - x * Vec3::X).length() < 0.24;
        let at = -1.0 + speed;
        assert!(
            !world.passive().positions().iter().any(|place| inside(place.xyz(), at)),
            "none is in the ball"
        );
        let moved = world
            .passive()
            .positions()
            .iter()
            .zip(&markers)
            .map(|(place, before)| place.x - before);
        moved.sum::<f32>() / markers.len() as f32
    };
    assert!(way(2.0) > 0.03, "{}", way(2.0));
    assert!(way(1e-3).abs() < 0.005, "{}", way(1e-3));
}
