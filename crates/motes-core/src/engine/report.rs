//! What a step tells about contacts: who touched what, where and how hard.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::colliders::collider::ColliderId;
use crate::particles::ParticleId;

/// One contact of a particle in the last sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The particle.
    pub particle: ParticleId,
    /// What it touched.
    pub other: Touched,
    /// Where, metres.
    pub point: Vec3,
    /// Unit normal, towards the particle.
    pub normal: Vec3,
    /// Force on the particle along the normal, newtons.
    pub normal_force: f32,
    /// Force on the particle across the normal, newtons.
    pub friction_force: Vec3,
}

impl Contact {
    /// A contact between two particles, given by their centres and radii, as either of them sees it; `force` is that on the
    /// first, newtons.
    pub fn between(particles: [ParticleId; 2], positions: [Vec3; 2], radii: [f32; 2], force: Vec3) -> [Self; 2] {
        let [a, b] = positions;
        let normal = (a - b).normalize_or_zero();
        let normal_force = force.dot(normal);
        let friction_force = force - normal_force * normal;
        let [first, second] = particles;
        [(1.0, first, second), (-1.0, second, first)].map(|(sign, particle, other)| Self {
            particle,
            other: Touched::Particle(other),
            point: a.lerp(b, radii[0] / (radii[0] + radii[1])),
            normal: sign * normal,
            normal_force,
            friction_force: sign * friction_force,
        })
    }
}

/// The other side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// A collider.
    Collider(ColliderId),
    /// Another particle.
    Particle(ParticleId),
}

/// Sum of the contacts of one collider, averaged over the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColliderForce {
    /// The collider.
    pub collider: ColliderId,
    /// Force of the particles on the collider, newtons.
    pub force: Vec3,
    /// Torque about the collider's origin, newton metres.
    pub torque: Vec3,
    /// Particles in contact in the last sub-step.
    pub contacts: u32,
}

/// A particle inside a trigger at the end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TriggerOverlap {
    /// The trigger.
    pub collider: ColliderId,
    /// The particle.
    pub particle: ParticleId,
}
