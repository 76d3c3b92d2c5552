//! Creatures: deformable things of a few hundred particles that have an orientation and the shape of an ellipsoid (Müller & Chentanez 2011,
//! *Solid Simulation with Oriented Particles*).
//!
//! A creature is particles and edges. Every particle is held in the shape of its neighbourhood at rest, itself and those that an edge leads
//! to: chains, sheets and solid parts alike, because an orientation says what positions leave open. Some particles may form rigid
//! parts; one that two parts share is a joint between them.

mod check;
pub mod creatures;
mod handles;
pub mod lists;
mod muscles;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::material::MaterialId;
use crate::particles::ParticleId;
use crate::particles::phase::Phase;
use crate::space::pose::Pose;
use crate::store::Softness;

/// Names one creature for as long as it exists, and no other ever after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CreatureId(pub(crate) u32);

/// A creature to be added to a world. Its particles are in a frame of its own; its pose brings them into the world.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCreature {
    /// Name for messages and exports.
    pub name: String,
    /// Material of its particles: friction, restitution and the like. The masses are given below.
    pub material: MaterialId,
    /// Its particles at rest.
    pub particles: Vec<OrientedParticle>,
    /// What joins them.
    pub edges: Vec<Edge>,
    /// Rigid parts, as numbers of particles. Particles of one have no neighbourhood of their own to hold; one of several parts is a joint, about
    /// which each of them turns, and two shared by the same parts are an axle.
    pub parts: Vec<Vec<u32>>,
    /// How its rigid parts yield for good; never by default.
    pub denting: Option<Denting>,
    /// Where it starts.
    pub pose: Pose,
    /// Velocity of its centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity about that, rad/s.
    pub angular_velocity: Vec3,
    /// Whether its particles collide with each other; those that are nearer at rest than twice its largest radius never do. By default they do.
    pub self_collision: bool,
    /// Collider channels its particles react to.
    pub channels: u8,
}

impl NewCreature {
    /// One at rest in its own frame, without rigid parts.
    pub fn new(
        name: impl Into<String>,
        material: MaterialId,
        particles: Vec<OrientedParticle>,
        edges: Vec<Edge>,
    ) -> Self {
        Self {
            name: name.into(),
            material,
            particles,
            edges,
            parts: Vec::new(),
            denting: None,
            pose: Pose::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            self_collision: true,
            channels: Phase::ALL_CHANNELS,
        }
    }

    /// Mass of all particles, kg.
    pub fn mass(&self) -> f32 {
        self.particles.iter().map(|particle| particle.mass).sum()
    }

    /// Its largest radius, metres: that of its group.
    pub fn largest_radius(&self) -> f32 {
        self.particles
            .iter()
            .fold(0.0, |most, particle| particle.radii.max_element().max(most))
    }
}

/// A particle with an orientation, the shape of an ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrientedParticle {
    /// Centre at rest in the frame of the creature, metres.
    pub position: Vec3,
    /// From its principal axes to the frame of the creature.
    pub orientation: Quat,
    /// Radii along its principal axes, metres.
    pub radii: Vec3,
    /// Mass, kg.
    pub mass: f32,
    /// How stiff its neighbourhood is: the share of a deformation that is undone in a sixtieth of a second, from 0 to 1, whatever the sub-steps and
    /// iterations. 1 is as stiff as the iterations get it. With 0 it follows its neighbours and resists nothing.
    pub stiffness: f32,
    /// How much its edges resist twisting, as a stiffness; of both ends of an edge the mean counts. 0 lets it turn freely.
    pub torsion: f32,
    /// Which part of its weight the surroundings bear: 0 in air, 1 floats, and above 1 rises.
    pub buoyancy: f32,
    /// Whether it stays where it is, orientation included, or goes where it is told: see [`World::carry_particles`](crate::World::carry_particles).
    pub pinned: bool,
}

impl OrientedParticle {
    /// A ball of a radius, metres, and a mass, kg, in a neighbourhood of stiffness and torsion 0.5.
    pub fn ball(position: Vec3, radius: f32, mass: f32) -> Self {
        Self::ellipsoid(
            Pose {
                position,
                rotation: Quat::IDENTITY,
            },
            Vec3::splat(radius),
            mass,
        )
    }

    /// An ellipsoid likewise, of radii along the axes of a pose, metres.
    pub fn ellipsoid(pose: Pose, radii: Vec3, mass: f32) -> Self {
        Self {
            position: pose.position,
            orientation: pose.rotation,
            radii,
            mass,
            stiffness: 0.5,
            torsion: 0.5,
            buoyancy: 0.0,
            pinned: false,
        }
    }

    /// The volume of an ellipsoid, m³.
    pub fn volume(radii: Vec3) -> f32 {
        4.0 / 3.0 * std::f32::consts::PI * radii.element_product()
    }

    /// Its place and axes at rest, in the frame of the creature.
    pub fn bind(&self) -> Pose {
        Pose {
            position: self.position,
            rotation: self.orientation,
        }
    }
}

/// What makes two particles neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// Numbers of the particles.
    pub particles: [u32; 2],
    /// How far it yields to being stretched, in addition to what the neighbourhoods resist. `None` for no resistance of its own.
    pub stretch: Option<Softness>,
    /// How its length changes by itself; it keeps to that as `stretch` says, or unyieldingly.
    pub muscle: Option<Muscle>,
}

impl Edge {
    /// One that only makes its ends neighbours.
    pub fn new(a: u32, b: u32) -> Self {
        Self {
            particles: [a, b],
            stretch: None,
            muscle: None,
        }
    }
}

/// A muscle: the rest length of its edge goes up and down as a sine of the time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Muscle {
    /// Greatest change of the length, as a part of it, below 1.
    pub amplitude: f32,
    /// Times it goes up and down, Hz.
    pub frequency: f32,
    /// How much later than others, as a part of a period: a wave runs along muscles whose phase grows.
    pub phase: f32,
}

impl Muscle {
    /// Its length over that at rest at a time, seconds, with an effort from 0 to 1.
    pub fn length(&self, time: f64, effort: f32) -> f32 {
        let turns = (f64::from(self.frequency) * time - f64::from(self.phase)).fract() as f32;
        1.0 + effort * self.amplitude * (std::f32::consts::TAU * turns).sin()
    }
}

/// How rigid parts yield for good (§5.4 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Denting {
    /// Speed of a collision along its normal above which the parts of the particle yield, m/s.
    pub speed: f32,
    /// For how long they are soft then, seconds: their particles hold their neighbourhoods, as those of no part do.
    pub seconds: f32,
}

impl Default for Denting {
    /// At 4 m/s, for five frames of a sixtieth of a second.
    fn default() -> Self {
        Self {
            speed: 4.0,
            seconds: 5.0 / 60.0,
        }
    }
}

/// A creature as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct CreatureState {
    /// Name.
    pub name: String,
    /// Its particles, in the order they were given.
    pub particles: Vec<CreatureParticle>,
}

/// A particle of a creature as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreatureParticle {
    /// Its id, dead or alive.
    pub id: ParticleId,
    /// Its place and axes in the world; `None` if it is gone.
    pub pose: Option<Pose>,
    /// Its place and axes in the frame of the creature when it was added: a vertex there is at `pose ∘ bind⁻¹` of itself now.
    pub bind: Pose,
    /// Radii along its axes, metres.
    pub radii: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vec3,
}

impl CreatureParticle {
    /// Where what moves with it is now that was at a place in the frame of the creature, metres.
    pub fn carried(&self, place: Vec3) -> Option<Vec3> {
        Some(self.pose?.point(self.bind.local_point(place)))
    }
}
