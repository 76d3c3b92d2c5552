//! Groups: the objects a user adds, each with a name, a material and a handle.

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

use crate::heat::AMBIENT;
use crate::material::{Material, MaterialId};
use crate::particles::phase::Phase;

/// Names one group for as long as it lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl GroupId {
    /// The number that stands for the group in a particle's [`Phase`].
    pub fn index(self) -> u32 {
        self.index
    }
}

/// An object made of particles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Name for messages and exports.
    pub name: String,
    /// Material of its particles.
    pub material: MaterialId,
    /// Collision flags of its particles, a union of [`Phase`] flags.
    pub flags: u32,
    /// Collider channels its particles react to.
    pub channels: u8,
    /// Radius of its particles, metres; `None` for that of the settings.
    pub radius: Option<f32>,
    /// Whether its particles turn, if they are of a material with a rolling resistance.
    pub turns: bool,
    /// How warm particles of a gas are when they are added, °C.
    pub temperature: f32,
}

impl Group {
    /// Grains that collide with everything.
    pub fn grains(name: impl Into<String>, material: MaterialId) -> Self {
        Self {
            name: name.into(),
            material,
            flags: Phase::SELF_COLLIDE,
            channels: Phase::ALL_CHANNELS,
            radius: None,
            turns: true,
            temperature: AMBIENT,
        }
    }

    /// A liquid, of which particles keep their density instead of touching each other. At rest they are a diameter apart, so that each
    /// has the mass of a cube of that side.
    pub fn fluid(name: impl Into<String>, material: MaterialId) -> Self {
        Self {
            flags: Phase::SELF_COLLIDE | Phase::FLUID,
            turns: false,
            ..Self::grains(name, material)
        }
    }

    /// A gas: kept at its density as a liquid is, and made of cubes like one. See [`smoke`](crate::smoke).
    pub fn gas(name: impl Into<String>, material: MaterialId) -> Self {
        Self {
            flags: Phase::SELF_COLLIDE | Phase::FLUID | Phase::GAS,
            ..Self::fluid(name, material)
        }
    }

    /// Whether it is a gas.
    pub fn is_gas(&self) -> bool {
        self.flags & Phase::GAS != 0
    }

    /// Mass of a particle of a material and a radius, kg: of a ball, or in liquids of a cube about it.
    pub fn particle_mass(&self, material: &Material, radius: f32) -> f32 {
        if self.flags & Phase::FLUID == 0 {
            material.ball_mass(radius)
        } else {
            material.density * (2.0 * radius).powi(3)
        }
    }

    /// The same, but particles that overlap at rest do not collide with each other: see [`Phase::IGNORE_REST_OVERLAPS`]. They do not
    /// turn.
    pub fn ignoring_rest_overlaps(self) -> Self {
        Self {
            flags: self.flags | Phase::IGNORE_REST_OVERLAPS,
            turns: false,
            ..self
        }
    }

    /// The same with particles that do not turn, whatever their material.
    pub fn without_turning(self) -> Self {
        Self { turns: false, ..self }
    }

    /// The same with particles that are so warm when they are added, °C.
    pub fn with_temperature(self, temperature: f32) -> Self {
        Self { temperature, ..self }
    }

    /// The same with particles of a radius of their own, metres.
    pub fn with_radius(self, radius: f32) -> Self {
        Self {
            radius: Some(radius),
            ..self
        }
    }
}

/// The middle of the particles of each group, metres, of those that have any.
pub fn middles(groups: &[u32], particles: impl Iterator<Item = (Phase, Vec3)>) -> Vec<(u32, Vec3)> {
    let mut sums = vec![(DVec3::ZERO, 0u32); groups.len()];
    let places: HashMap<u32, usize> = groups
        .iter()
        .enumerate()
        .map(|(place, &group)| (group, place))
        .collect();
    for (phase, position) in particles {
        if let Some(&place) = places.get(&phase.group()) {
            sums[place].0 += position.as_dvec3();
            sums[place].1 += 1;
        }
    }
    let found = groups.iter().zip(sums).filter(|(_, (_, count))| *count > 0);
    found
        .map(|(&group, (sum, count))| (group, (sum / f64::from(count)).as_vec3()))
        .collect()
}
