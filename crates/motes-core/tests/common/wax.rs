//! Cubes that melt, for tests.
#![allow(dead_code)]

use glam::Vec3;
use motes_core::colliders::Plane;
use motes_core::{BodyId, Collider, GroupId, Material, Melting, NewBody, Pose, Settings, Shape, Temperature, World};

pub(crate) const DT: f32 = 1.0 / 60.0;
pub(crate) const RADIUS: f32 = 0.05;

/// A world with a floor, or without one and without gravity.
pub(crate) fn world(floor: bool) -> World {
    let mut settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    if !floor {
        settings.gravity = Vec3::ZERO;
    }
    let mut world = World::new(settings).expect("settings");
    let stone = world.add_material(Material::default()).expect("material");
    if floor {
        let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
        let floor = Collider::new("floor", plane, stone, Pose::IDENTITY);
        world.add_collider(floor).expect("floor");
    }
    world
}

/// Five by five by five slippery particles that almost touch, the lowest of them on the floor. Each layer lies a little
/// beside the one below, or its grains would stand on each other for ever.
pub(crate) fn cube(world: &mut World, x: f32, melting: Melting) -> (BodyId, GroupId) {
    let stone = world.add_material(Material::ICE).expect("material");
    let places = (0..125).map(|k| {
        let layer = (k / 5 % 5) as f32;
        let beside = 0.1 * (layer % 2.0);
        Vec3::new((k % 5) as f32 + beside, layer, (k / 25) as f32 + 0.7 * beside)
    });
    let positions: Vec<Vec3> = places.map(|place| 2.0 * RADIUS * place + RADIUS * Vec3::Y).collect();
    let masses = vec![0.5; positions.len()];
    let body = world
        .add_body(NewBody {
            pose: Pose::at(x * Vec3::X),
            melting: Some(melting),
            ..NewBody::new("cube", stone, positions, masses)
        })
        .expect("body");
    (body, world.body_group(body).expect("group"))
}

pub(crate) fn scripted(keys: &[[f32; 2]]) -> Melting {
    Melting {
        script: Some(Temperature { keys: keys.to_vec() }),
        ..Melting::between(50.0, 60.0)
    }
}

pub(crate) fn run(world: &mut World, seconds: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        world.step(DT);
        world.health().expect("finite numbers");
    }
}

pub(crate) fn top(world: &mut World) -> f32 {
    world.particles().positions.iter().map(|p| p.y).fold(0.0, f32::max)
}

pub(crate) fn fastest(world: &mut World) -> f32 {
    let speeds = world.particles().velocities.iter().map(|v| v.truncate().length());
    speeds.fold(0.0, f32::max)
}

/// Mass, momentum and angular momentum about the origin.
pub(crate) fn totals(world: &mut World) -> (f32, Vec3, Vec3) {
    let particles = world.particles();
    let each = particles.positions.iter().zip(&particles.velocities);
    each.fold((0.0, Vec3::ZERO, Vec3::ZERO), |(mass, momentum, spin), (x, v)| {
        let (m, p) = (1.0 / x.w, v.truncate() / x.w);
        (mass + m, momentum + p, spin + x.truncate().cross(p))
    })
}
