//! Rooms, parcels and plumes of gas.
#![allow(dead_code)]

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{
    Collider, CpuEngine, Emitter, EmitterShape, Engine, Group, GroupId, Material, Plume, Pose, Settings, Smoke, World,
};

/// Air that does nothing but move.
pub(crate) const STILL: Material = Material {
    expansion: 0.0,
    thermal_diffusivity: 0.0,
    ..Material::AIR
};

/// A world on two threads.
pub(crate) fn open(settings: Settings) -> World {
    open_on(Box::new(CpuEngine::with_threads(2)), settings)
}

pub(crate) fn open_on(engine: Box<dyn Engine>, settings: Settings) -> World {
    let mut world = World::with_engine(settings.clone(), engine).expect("settings");
    world.set_smoke(Some(Smoke::of(&settings))).expect("smoke");
    world
}

pub(crate) fn gas(world: &mut World, material: Material) -> GroupId {
    let material = world.add_material(material).expect("material");
    world.add_group(Group::gas("gas", material)).expect("group")
}

/// A smooth wall.
pub(crate) fn wall(world: &mut World, normal: Vec3, offset: f32) {
    let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
    let plane = Plane::new(normal, offset).expect("plane");
    let collider = Collider::new("wall", plane.into(), smooth, Pose::IDENTITY);
    world.add_collider(collider).expect("collider");
}

/// Walls about a room from the origin on, metres.
pub(crate) fn room(world: &mut World, size: Vec3) {
    for (axis, size) in Vec3::AXES.into_iter().zip(size.to_array()) {
        wall(world, axis, 0.0);
        wall(world, -axis, -size);
    }
}

/// A source of smoke at the origin that blows up.
pub(crate) fn source(group: GroupId, radius: f32, speed: f32, plume: Plume) -> Emitter {
    Emitter {
        speed,
        plume: Some(plume),
        ..Emitter::new("source", group, EmitterShape::Disc { radius })
    }
}
