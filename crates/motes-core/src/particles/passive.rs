//! Passive particles: spray, foam, bubbles, markers of smoke. They are carried along by others, or fly on their own, and act on
//! nothing. They have no ids and no contacts with each other, so that there can be millions of them.

use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::engine::Population;
use crate::heat::AMBIENT;

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
    /// A marker of smoke, which goes with gas: see [`smoke`](crate::smoke).
    Smoke,
}

impl PassiveKind {
    /// All of them, each at its number.
    pub const ALL: [Self; 5] = [Self::Marker, Self::Spray, Self::Foam, Self::Bubble, Self::Smoke];

    /// The kind of that number, as devices and files have it.
    pub fn of_number(number: u32) -> Self {
        Self::ALL.get(number as usize).copied().unwrap_or_default()
    }

    /// Its name: `marker`, `spray`, `foam`, `bubble` or `smoke`.
    pub fn name(self) -> &'static str {
        ["marker", "spray", "foam", "bubble", "smoke"][self as usize]
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
    /// How warm it is, °C.
    pub temperature: f32,
}

/// All passive particles of a world, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PassiveParticles {
    positions: Vec<Vec4>,
    velocities: Vec<Vec4>,
    kinds: Vec<PassiveKind>,
    /// One each, °C, or none where all are as warm as the surroundings.
    temperatures: Vec<f32>,
}

impl Passive {
    /// As it is kept: position and age, velocity and lifetime. The largest number stands for infinity, which kernels of a
    /// device need not know.
    pub fn parts(&self) -> [Vec4; 2] {
        let lifetime = self.lifetime.min(f32::MAX);
        [self.position.extend(0.0), self.velocity.extend(lifetime)]
    }

    /// As it is kept where it is of a kind, as warm as the surroundings.
    pub fn of_kind(&self, kind: PassiveKind) -> PassiveParts {
        let [position, velocity] = self.parts();
        PassiveParts {
            position,
            velocity,
            kind,
            temperature: AMBIENT,
        }
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
            temperatures: Vec::new(),
        }
    }

    /// The same with temperatures, °C, one each, or none.
    pub fn with_temperatures(mut self, mut temperatures: Vec<f32>) -> Self {
        if !temperatures.is_empty() {
            temperatures.resize(self.len(), AMBIENT);
        }
        self.temperatures = temperatures;
        self
    }

    /// Adds particles.
    pub fn add(&mut self, new: &[PassiveParts]) {
        new.iter().for_each(|&new| self.push(new));
    }

    /// Adds particles while there are fewer than `most`; returns how many were left out.
    pub fn add_up_to(&mut self, most: u32, new: &[PassiveParts]) -> u64 {
        let room = (most as usize).saturating_sub(self.len()).min(new.len());
        self.add(&new[..room]);
        (new.len() - room) as u64
    }

    /// Adds one as it is kept.
    pub fn push(&mut self, new: PassiveParts) {
        if !self.temperatures.is_empty() || new.temperature != AMBIENT {
            self.temperatures.resize(self.positions.len(), AMBIENT);
            self.temperatures.push(new.temperature);
        }
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

    /// How warm each is, °C; none where all are as warm as the surroundings.
    pub fn temperatures(&self) -> &[f32] {
        &self.temperatures
    }

    /// How warm one is, °C.
    pub fn temperature(&self, place: usize) -> f32 {
        self.temperatures.get(place).copied().unwrap_or(AMBIENT)
    }

    /// How many there are of a kind.
    pub fn count_of(&self, kind: PassiveKind) -> usize {
        self.kinds.iter().filter(|&&found| found == kind).count()
    }

    /// Positions with ages and velocities with lifetimes, to change.
    pub fn parts_mut(&mut self) -> (&mut [Vec4], &mut [Vec4]) {
        (&mut self.positions, &mut self.velocities)
    }

    /// The same with kinds and temperatures, as far as those are stored.
    pub(crate) fn all_mut(&mut self) -> (&mut [Vec4], &mut [Vec4], &mut [PassiveKind], &mut [f32]) {
        let warmth = &mut self.temperatures;
        (&mut self.positions, &mut self.velocities, &mut self.kinds, warmth)
    }

    /// Has one temperature stored of each.
    pub(crate) fn store_temperatures(&mut self) {
        self.temperatures.resize(self.positions.len(), AMBIENT);
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
                if let Some(&temperature) = self.temperatures.get(k) {
                    self.temperatures[kept] = temperature;
                }
                kept += 1;
            }
        }
        self.positions.truncate(kept);
        self.velocities.truncate(kept);
        self.kinds.truncate(kept);
        self.temperatures.truncate(kept);
    }

    /// As many velocities and kinds as positions, and temperatures, if any.
    pub(crate) fn is_sound(&self) -> bool {
        let count = self.positions.len();
        let warm = self.temperatures.is_empty() || self.temperatures.len() == count;
        count == self.velocities.len() && count == self.kinds.len() && warm
    }

    /// Memory held, bytes.
    pub fn memory_bytes(&self) -> usize {
        16 * (self.positions.capacity() + self.velocities.capacity())
            + self.kinds.capacity()
            + 4 * self.temperatures.capacity()
    }
}
