//! Tanks of liquid.
#![allow(dead_code)]

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{Collider, CpuEngine, Engine, Group, GroupId, Material, Pose, Settings, World};

pub(crate) const DT: f32 = 1.0 / 60.0;

/// Sub-steps and iterations that claims are held to.
pub(crate) const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];

/// Water without any drag.
pub(crate) const IDEAL: Material = Material {
    density: 1000.0,
    ..Material::FRICTIONLESS
};

/// Settings for particles of a radius.
pub(crate) fn settings(radius: f32, [substeps, iterations]: [u32; 2]) -> Settings {
    Settings {
        particle_radius: radius,
        substeps,
        iterations,
        ..Settings::default()
    }
}

/// A tank that is open above, so many particles long and deep, with nothing in it.
pub(crate) fn tank(settings: Settings, sides: [usize; 2]) -> World {
    tank_on(Box::new(CpuEngine::with_threads(2)), settings, sides)
}

/// The same on some engine.
pub(crate) fn tank_on(engine: Box<dyn Engine>, settings: Settings, [length, depth]: [usize; 2]) -> World {
    let diameter = settings.contact_distance();
    let mut world = World::with_engine(settings, engine).expect("settings");
    let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
    for (name, normal, offset) in [
        ("floor", Vec3::Y, 0.0),
        ("left", Vec3::X, 0.0),
        ("right", Vec3::NEG_X, -(length as f32) * diameter),
        ("back", Vec3::Z, 0.0),
        ("front", Vec3::NEG_Z, -(depth as f32) * diameter),
    ] {
        let plane = Plane::new(normal, offset).expect("plane");
        let collider = Collider::new(name, plane.into(), smooth, Pose::IDENTITY);
        world.add_collider(collider).expect("collider");
    }
    world
}

pub(crate) fn liquid(world: &mut World, name: &str, material: Material) -> GroupId {
    let material = world.add_material(material).expect("material");
    world.add_group(Group::fluid(name, material)).expect("group")
}

/// Places of a block of so many particles, some spacing apart, from a corner on.
pub(crate) fn block(counts: [usize; 3], spacing: f32, corner: Vec3) -> Vec<Vec3> {
    let mut places = Vec::new();
    for x in 0..counts[0] {
        for y in 0..counts[1] {
            for z in 0..counts[2] {
                places.push(corner + spacing * (Vec3::new(x as f32, y as f32, z as f32) + 0.5));
            }
        }
    }
    places
}

pub(crate) fn run(world: &mut World, seconds: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        world.step(DT);
        world.health().expect("finite numbers");
    }
}

/// Kinetic and potential energy of all particles, joules.
pub(crate) fn energy(world: &World) -> f64 {
    let particles = world.particles();
    let gravity = world.settings().gravity.as_dvec3();
    { particles.positions.iter().zip(&particles.velocities) }
        .map(|(position, velocity)| {
            let speed = velocity.truncate().as_dvec3();
            (0.5 * speed.length_squared() - gravity.dot(position.truncate().as_dvec3())) / f64::from(position.w)
        })
        .sum()
}

/// Mean and largest part by which liquids are too dense.
pub(crate) fn excess(world: &mut World) -> [f32; 2] {
    let engine: &mut CpuEngine = world.engine_as_mut().expect("on the CPU");
    let errors: Vec<f32> = engine.density_errors().iter().map(|error| error.max(0.0)).collect();
    [
        errors.iter().sum::<f32>() / errors.len() as f32,
        errors.iter().copied().fold(0.0, f32::max),
    ]
}

/// Mean of the heights of the particles, metres.
pub(crate) fn mean_height(world: &World) -> f32 {
    let positions = &world.particles().positions;
    positions.iter().map(|position| position.y).sum::<f32>() / positions.len() as f32
}

pub(crate) fn fastest(world: &World) -> f32 {
    let velocities = &world.particles().velocities;
    velocities.iter().map(|v| v.truncate().length()).fold(0.0, f32::max)
}
