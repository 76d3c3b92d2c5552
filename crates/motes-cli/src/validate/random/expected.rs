//! What is known of a scene before it runs: what drives it, and how fast that is.

use std::f64::consts::PI;

use glam::{DVec3, Vec3, Vec4Swizzles};
use motes_core::{Bounds, Collider, ConstraintKind, FieldKind, ForceField, Shape, Softness, World};
use motes_scene::Scene;
use motes_scene::random::ROOM;

use super::balloons;

/// What is known of a scene before it runs.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Nothing puts energy in.
    pub is_passive: bool,
    /// Greatest speed of whatever moves by itself or comes into being, m/s.
    pub driven_speed: f64,
    /// Speed that fields and the warmth and eddies of gases can give during the run, m/s.
    pub field_speed: f64,
    /// Greatest acceleration by gravity, m/s².
    pub gravity: f64,
    /// Work that materials which stick can do by pulling what is near together, joules.
    pub sticking: f64,
    /// Elastic energy of what is bent at the start, joules: a rope that was laid around a corner wants to be straight.
    pub bent: f64,
    /// Inside of the room, in its own frame: a box that is a trigger of that name.
    pub room: Option<Bounds>,
}

impl Expected {
    /// Looks at a scene and its world.
    pub fn of(scene: &Scene, world: &World) -> Self {
        let duration = scene.dt() * scene.frames as f32;
        let fields: Vec<f32> = { world.fields().iter() }
            .map(|field| field_speed(field, duration))
            .collect();
        let emitters = world.emitters().iter().map(|emitter| emitter.speed);
        let colliders = { world.colliders() }.map(|(_, collider, _)| top_speed(collider, scene));
        let wind = world.wind();
        let air = wind.velocity.length() * (1.0 + wind.gusts) + EDDY * wind.turbulence;
        let filled = balloons::speed(scene, world);
        let driven_speed = emitters.chain(colliders).chain([air, filled]).fold(0.0, f32::max);
        let gas = gas_speed(world, duration);
        let drives = world.bodies().list.iter().any(|body| body.drive.is_some()) || drags(scene) || gas.is_some();
        let room = { world.colliders() }.find(|(_, collider, _)| collider.trigger && collider.name == ROOM);
        let scales = { world.materials().as_slice().iter() }.map(|material| f64::from(material.gravity_scale.abs()));
        let is_box = |shape: &Shape| matches!(shape, Shape::Cuboid(_));
        Self {
            is_passive: driven_speed == 0.0 && !drives && fields.iter().all(|speed| *speed == 0.0),
            driven_speed: f64::from(driven_speed),
            field_speed: f64::from(fields.iter().sum::<f32>() + gas.unwrap_or(0.0)),
            gravity: f64::from(world.settings().gravity.length()) * scales.fold(0.0, f64::max),
            sticking: sticking(world),
            bent: bent(world),
            room: room.and_then(|(_, collider, _)| is_box(&collider.shape).then(|| collider.shape.bounds())),
        }
    }

    /// Size of the room, metres; 1 where there is none.
    pub fn size(&self) -> f64 {
        self.room.map_or(1.0, |room| f64::from(room.size().length()))
    }
}

/// Whether something drags cloth, ropes or clamped bodies about.
fn drags(scene: &Scene) -> bool {
    let soft = scene.soft.iter().map(|table| &table.clamp_motion);
    let plastic = scene.plastic.iter().map(|table| &table.clamp_motion);
    let clamped = soft.chain(plastic).any(Option::is_some);
    let cloth = scene.cloth.iter().flat_map(|table| &table.attach);
    let ropes = scene.rope.iter().flat_map(|table| &table.attach);
    clamped || cloth.chain(ropes).any(|attached| attached.motion.is_some())
}

/// Neighbours that a particle can touch at once.
const TOUCHING: f64 = 12.0;

/// Work of all contacts that stick over the gap in which they are looked for, joules.
fn sticking(world: &World) -> f64 {
    let particles = world.particles();
    let margin = f64::from(world.settings().collision_margin);
    let materials = world.materials().as_slice();
    let works = world.particle_radii().into_iter().zip(&particles.materials);
    let works = works.map(|(radius, material)| {
        let material = &materials[material.0 as usize];
        let (radius, stress) = (f64::from(radius), f64::from(material.cohesion + material.adhesion));
        TOUCHING * stress * PI * radius * radius * 2.0 * radius * margin
    });
    works.sum()
}

/// Elastic energy of curvatures, joules.
fn bent(world: &World) -> f64 {
    let particles = world.particles();
    let bendings = { world.constraints().iter() }.filter(|(id, row)| id.kind == ConstraintKind::Bending && row.on);
    let energies = bendings.filter_map(|(_, row)| {
        let Softness::Compliance(compliance) = row.softness else {
            return None;
        };
        let mut curvature = DVec3::ZERO;
        for (id, weight) in row.particles.iter().zip(row.weights?) {
            curvature += f64::from(weight) * particles.positions[particles.slot(*id)?].xyz().as_dvec3();
        }
        let excess = curvature.length() - f64::from(row.rest.abs());
        (compliance > 0.0).then(|| 0.5 * excess * excess / f64::from(compliance))
    });
    energies.sum()
}

/// Most speed that a field gives in a time, m/s.
fn field_speed(field: &ForceField, duration: f32) -> f32 {
    match &field.kind {
        FieldKind::Uniform { acceleration } => acceleration.length() * duration,
        FieldKind::Radial { strength, .. } => strength.abs() * duration,
        FieldKind::Vortex { swirl, pull, lift, .. } => (swirl.abs() + pull.abs() + lift.abs()) * duration,
        FieldKind::Drag { velocity, .. } => velocity.length(),
    }
}

/// Most speed that warmth gives a gas, and both sides of a rim that rolls up, in a time, m/s; none where there is no gas.
fn gas_speed(world: &World, duration: f32) -> Option<f32> {
    let gravity = world.settings().gravity.length();
    let gases = { world.materials().as_slice().iter() }.filter(|material| material.is_gas);
    gases
        .map(|gas| gravity * (gas.expansion + gas.baroclinity) * duration)
        .reduce(f32::max)
}

/// Speed of the fastest eddies over their root mean square.
const EDDY: f32 = 4.0;

/// Greatest speed at which the surface of a collider runs, m/s.
fn running_speed(collider: &Collider) -> f32 {
    let surface = &collider.surface;
    if surface.is_still() {
        return 0.0;
    }
    let Bounds { min, max } = collider.shape.bounds();
    let arm = (max - surface.center).abs().max((min - surface.center).abs());
    surface.velocity.length() + surface.angular_velocity.length() * arm.length()
}

/// Greatest speed of a corner of the box around a collider, or of its surface, m/s.
fn top_speed(collider: &Collider, scene: &Scene) -> f32 {
    if collider.motion.is_fixed() {
        return running_speed(collider);
    }
    let Bounds { min, max } = collider.shape.bounds();
    let corner = |k: u32| Vec3::select(glam::BVec3::new(k & 1 == 0, k & 2 == 0, k & 4 == 0), min, max);
    let pose = |frame: u32| {
        let time = f64::from(scene.dt()) * f64::from(frame);
        collider.motion.pose(&collider.initial_pose, time)
    };
    let mut fastest: f32 = 0.0;
    for frame in 0..scene.frames {
        let (from, to) = (pose(frame), pose(frame + 1));
        let moved = (0..8).map(|k| from.point(corner(k)).distance(to.point(corner(k))));
        fastest = moved.fold(fastest, f32::max);
    }
    fastest / scene.dt() + running_speed(collider)
}
