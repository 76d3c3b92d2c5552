//! Passive particles: spray, foam, bubbles, markers of smoke. They are carried along by others, or fly on their own, and act on
//! nothing. They have no ids and no contacts with each other, so that there can be millions of them.

use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::engine::Population;

/// A passive particle when it is added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passive {
    /// Where it is, metres.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Seconds until it is removed; infinite keeps it.
    pub lifetime: f32,
}

/// What a passive particle is, which says how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum PassiveKind {
    /// Added by the user: it goes with whatever is around it, or flies.
    #[default]
    Marker,
    /// Drops in the air, see [`foam`](crate::foam).
    Spray,
    /// On the surface of a liquid.
    Foam,
    /// Under it.
    Bubble,
}

impl PassiveKind {
    /// All of them, each at its number.
    pub const ALL: [Self; 4] = [Self::Marker, Self::Spray, Self::Foam, Self::Bubble];

    /// The kind of that number, as devices and files have it.
    pub fn of_number(number: u32) -> Self {
        Self::ALL.get(number as usize).copied().unwrap_or_default()
    }

    /// Its name: `marker`, `spray`, `foam` or `bubble`.
    pub fn name(self) -> &'static str {
        ["marker", "spray", "foam", "bubble"][self as usize]
    }
}

/// A passive particle as it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveParts {
    /// Where it is (xyz, metres) and its age (w, seconds).
    pub position: Vec4,
    /// Its velocity (xyz, m/s) and lifetime (w, seconds).
    pub velocity: Vec4,
    /// What it is.
    pub kind: PassiveKind,
}

/// All passive particles of a world, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PassiveParticles {
    positions: Vec<Vec4>,
    velocities: Vec<Vec4>,
    kinds: Vec<PassiveKind>,
}

impl Passive {
    /// As it is kept: position and age, velocity and lifetime. The largest number stands for infinity, which kernels of a
    /// device need not know.
    pub fn parts(&self) -> [Vec4; 2] {
        let lifetime = self.lifetime.min(f32::MAX);
        [self.position.extend(0.0), self.velocity.extend(lifetime)]
    }
}

/// Passive particles whose coordinates are beyond this, metres, are removed: nothing sees them there.
pub const FARTHEST: f32 = 1e18;

impl PassiveParticles {
    /// Those with these positions and ages, velocities and lifetimes, and kinds; as many as there are of all.
    pub fn from_parts(mut positions: Vec<Vec4>, mut velocities: Vec<Vec4>, mut kinds: Vec<PassiveKind>) -> Self {
        let count = positions.len().min(velocities.len()).min(kinds.len());
        positions.truncate(count);
        velocities.truncate(count);
        kinds.truncate(count);
        Self {
            positions,
            velocities,
            kinds,
        }
    }

    /// Adds particles.
    pub fn add(&mut self, new: &[Passive]) {
        self.positions.extend(new.iter().map(|new| new.parts()[0]));
        self.velocities.extend(new.iter().map(|new| new.parts()[1]));
        self.kinds.resize(self.positions.len(), PassiveKind::Marker);
    }

    /// Adds one as it is kept.
    pub fn push(&mut self, new: PassiveParts) {
        self.positions.push(new.position);
        self.velocities.push(new.velocity);
        self.kinds.push(new.kind);
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Where each is (xyz, metres) and its age (w, seconds).
    pub fn positions(&self) -> &[Vec4] {
        &self.positions
    }

    /// Velocity of each (xyz, m/s) and its lifetime (w, seconds): it is removed before the frame in which it would reach that
    /// age.
    pub fn velocities(&self) -> &[Vec4] {
        &self.velocities
    }

    /// What each is.
    pub fn kinds(&self) -> &[PassiveKind] {
        &self.kinds
    }

    /// How many there are of a kind.
    pub fn count_of(&self, kind: PassiveKind) -> usize {
        self.kinds.iter().filter(|&&found| found == kind).count()
    }

    /// Positions with ages and velocities with lifetimes, to change.
    pub fn parts_mut(&mut self) -> (&mut [Vec4], &mut [Vec4]) {
        (&mut self.positions, &mut self.velocities)
    }

    /// The same with kinds.
    pub(crate) fn all_mut(&mut self) -> (&mut [Vec4], &mut [Vec4], &mut [PassiveKind]) {
        (&mut self.positions, &mut self.velocities, &mut self.kinds)
    }

    /// Removes all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Removes those who die before a frame, as other particles do; the rest keep their order.
    pub fn remove_dead(&mut self, population: &Population<'_>) {
        let lives = |position: &Vec4, velocity: &Vec4| {
            position.w + population.dt < velocity.w
                && position.truncate().abs().max_element() < FARTHEST
                && !population.kills(position.truncate())
        };
        let Some(first) = (0..self.len()).find(|&k| !lives(&self.positions[k], &self.velocities[k])) else {
            return;
        };
        let mut kept = first;
        for k in first..self.len() {
            let (position, velocity) = (self.positions[k], self.velocities[k]);
            if lives(&position, &velocity) {
                (self.positions[kept], self.velocities[kept]) = (position, velocity);
                self.kinds[kept] = self.kinds[k];
                kept += 1;
            }
        }
        self.positions.truncate(kept);
        self.velocities.truncate(kept);
        self.kinds.truncate(kept);
    }

    /// As many velocities and kinds as positions.
    pub(crate) fn is_sound(&self) -> bool {
        self.positions.len() == self.velocities.len() && self.positions.len() == self.kinds.len()
    }

    /// Memory held, bytes.
    pub fn memory_bytes(&self) -> usize {
        16 * (self.positions.capacity() + self.velocities.capacity()) + self.kinds.capacity()
    }
}
