//! The particles of a world, one array per property, and the ids that outlive any reordering.

pub mod optional;
pub mod orientation;
pub mod passive;
pub mod phase;
pub mod property;
pub mod rest;
pub mod sizes;
pub mod spin;
mod stored;

use std::collections::VecDeque;

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::heat::AMBIENT;
use crate::material::MaterialId;
use crate::particles::optional::{ById, BySlot, OptionalWords};
use crate::particles::orientation::Orientation;
use crate::particles::phase::Phase;
use crate::particles::property::{Column, Spares, properties};
use crate::particles::spin::Spin;

/// Names one particle for as long as it lives, and no other particle ever after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct ParticleId {
    /// Small number that is used again after the particle is gone.
    pub index: u32,
    /// Counts the particles that used `index` before.
    pub generation: u32,
}

/// What a particle is made of when it is added.
#[derive(Clone, Copy, Debug)]
pub struct NewParticle {
    /// Centre, metres.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Inverse mass, 1/kg; 0 pins the particle.
    pub inverse_mass: f32,
    /// Group and flags.
    pub phase: Phase,
    /// Material.
    pub material: MaterialId,
    /// Seconds until the particle is removed; infinite keeps it.
    pub lifetime: f32,
    /// Where it is in the undeformed shape of its group, metres, if that matters: see [`rest`].
    pub rest_position: Option<Vec3>,
    /// Angular velocity, rad/s, of a grain that turns: see [`spin`].
    pub spin: Option<Vec3>,
    /// Its shape and which way it points, of an ellipsoid: see [`orientation`].
    pub orientation: Orientation,
    /// Temperature of a gas, °C.
    pub temperature: f32,
}

properties! {
    /// All particles, struct of arrays. A particle's *slot* (its place in every array) may change with each step; its id
    /// does not.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(try_from = "stored::Stored", into = "stored::Stored")]
    pub struct Particles from NewParticle, saved as SavedProperties {
        /// Centre (xyz, metres) and inverse mass (w, 1/kg).
        hot pub positions: Vec4 = |new, _| new.position.extend(new.inverse_mass); saved + digested
        /// Velocity (xyz, m/s) and the fraction of a sub-step that the next kick by forces covers (w).
        ///
        /// Velocities live half a sub-step before the positions (leapfrog), which makes free flight exact; a velocity
        /// given at the time of the positions therefore gets half a kick first. See [`Self::FULL_KICK`].
        hot pub velocities: Vec4 = |new, _| new.velocity.extend(Particles::HALF_KICK); saved + digested
        /// Group and collision flags.
        hot pub phases: Phase = |new, _| new.phase; saved
        /// Material of each particle.
        hot pub materials: MaterialId = |new, _| new.material; saved
        hot pub(crate) ids: ParticleId = |_, id| id; saved + digested
        /// Where each is in the undeformed shape of its group (xyz, metres), and 1 (w); zeros for those without. See [`rest`].
        hot pub rest_positions: Vec4 = |new, _| rest::packed(new.rest_position), usual Vec4::ZERO; saved
        /// How those turn that do. See [`spin`].
        hot pub spins: Spin = |new, _| Spin::new(new.spin), usual Spin::NONE; saved + digested
        /// Which way those point that are ellipsoids, and their radii. See [`orientation`].
        hot pub orientations: Orientation = |new, _| new.orientation, usual Orientation::NONE; saved + digested
        /// Temperature of each particle of a gas, °C; all else is at that of the surroundings, see [`heat`](crate::heat).
        hot pub temperatures: f32 = |new, _| new.temperature, usual AMBIENT; saved + digested
        /// Vortex strength of each particle of a gas (xyz, 1/s: Unified, eq. 31), and for how long it has had no marker of smoke about it (w, seconds).
        hot pub swirls: Vec4 = |_, _| Vec4::ZERO, usual Vec4::ZERO; saved + digested
        /// Seconds each particle has left; the largest number for ever.
        cold pub lifetimes: f32 = |new, _| new.lifetime.min(f32::MAX), usual f32::MAX; saved
        /// A number of the caller's own, which the particle carries along.
        cold pub tags: u32 = |_, _| 0, usual 0; saved
    }
    with {
        entries: Vec<Entry>,
        free: Vec<u32>,
        /// Indices of those who died in the last frames, the latest frame last.
        resting: VecDeque<Vec<u32>>,
        entries_stale: bool,
    }
}

/// Where the particle of an id index is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    slot: u32,
    generation: u32,
}

/// The name of the property.
pub const TEMPERATURES: &str = "temperatures";

/// The name of the property.
pub const SWIRLS: &str = "swirls";

const GONE: u32 = u32::MAX;

impl Particles {
    /// `velocities.w` of a particle in motion.
    pub const FULL_KICK: f32 = 1.0;
    /// `velocities.w` of a particle whose velocity belongs to the same moment as its position.
    pub const HALF_KICK: f32 = 0.5;
    /// Frames for which the index of a dead particle is not given out again, so that an engine may learn of a death that
    /// late and all engines still give the same ids.
    pub const REST: usize = 8;

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Id of the particle in each slot.
    pub fn ids(&self) -> &[ParticleId] {
        &self.ids
    }

    /// The slot of a particle, if it is alive.
    pub fn slot(&self, id: ParticleId) -> Option<usize> {
        debug_assert!(!self.entries_stale, "slots were asked for between stages");
        let entry = self.entries.get(id.index as usize)?;
        (entry.generation == id.generation && entry.slot != GONE).then_some(entry.slot as usize)
    }

    /// Adds a particle.
    pub fn add(&mut self, new: NewParticle) -> ParticleId {
        let slot = self.len() as u32;
        let index = self.free.pop().unwrap_or_else(|| {
            self.entries.push(Entry {
                slot: GONE,
                generation: 0,
            });
            self.entries.len() as u32 - 1
        });
        let entry = &mut self.entries[index as usize];
        entry.slot = slot;
        let id = ParticleId {
            index,
            generation: entry.generation,
        };
        self.push_properties(&new, id);
        id
    }

    /// Keeps the particles whose slot passes, in their order; returns how many were removed.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) -> usize {
        self.keep(|particles, slot| {
            let kept = keep(slot);
            if !kept {
                particles.retire(particles.ids[slot].index, 0);
            }
            kept
        })
    }

    /// Moves the slots that pass together; returns how many were left out.
    fn keep(&mut self, mut keep: impl FnMut(&mut Self, usize) -> bool) -> usize {
        let before = self.len();
        let mut kept = 0;
        for slot in 0..before {
            if !keep(self, slot) {
                continue;
            }
            if kept != slot {
                self.move_properties(slot, kept);
                self.entries[self.ids[kept].index as usize].slot = kept as u32;
            }
            kept += 1;
        }
        self.truncate_properties(kept);
        before - kept
    }

    /// Starts a frame: indices that have rested for [`Self::REST`] frames may be given out again, the lowest first.
    pub fn begin_frame(&mut self) {
        if self.resting.len() >= Self::REST
            && let Some(mut rested) = self.resting.pop_front()
        {
            rested.sort_unstable_by(|a, b| b.cmp(a));
            self.free.append(&mut rested);
        }
        self.resting.push_back(Vec::new());
    }

    /// Takes note that particles died `frames_ago` frames before the present one. They keep their slots until
    /// [`Self::sweep`].
    pub fn bury(&mut self, indices: impl IntoIterator<Item = u32>, frames_ago: usize) {
        for index in indices {
            if self.entries.get(index as usize).is_some_and(|entry| entry.slot != GONE) {
                self.retire(index, frames_ago);
            }
        }
    }

    /// Removes the slots of particles that were buried.
    pub fn sweep(&mut self) {
        let current = |id: &ParticleId, entries: &[Entry]| entries[id.index as usize].generation == id.generation;
        if self.ids.iter().all(|id| current(id, &self.entries)) {
            return;
        }
        self.keep(|particles, slot| current(&particles.ids[slot], &particles.entries));
    }

    /// The living particle of an index.
    pub fn id_of(&self, index: u32) -> Option<ParticleId> {
        let entry = self.entries.get(index as usize).filter(|entry| entry.slot != GONE)?;
        let generation = entry.generation;
        Some(ParticleId { index, generation })
    }

    /// The particle that an index was given to last, alive or dead.
    pub fn latest_id(&self, index: u32) -> Option<ParticleId> {
        let entry = self.entries.get(index as usize)?;
        let dead = u32::from(entry.slot == GONE);
        let generation = entry.generation.wrapping_sub(dead);
        Some(ParticleId { index, generation })
    }

    /// Whether all arrays have one length.
    pub(crate) fn is_even(&self) -> bool {
        self.properties_are_for(self.len())
    }

    /// One past the highest index in use.
    pub fn index_count(&self) -> usize {
        self.entries.len()
    }

    /// Takes an index out of use, to rest as if since `frames_ago` frames before the present one.
    fn retire(&mut self, index: u32, frames_ago: usize) {
        let entry = &mut self.entries[index as usize];
        entry.slot = GONE;
        entry.generation = entry.generation.wrapping_add(1);
        if self.resting.is_empty() {
            self.resting.push_back(Vec::new());
        }
        let place = self.resting.len().saturating_sub(1 + frames_ago);
        self.resting[place].push(index);
    }

    /// Sets a velocity that belongs to the present moment.
    pub fn set_velocity(&mut self, slot: usize, velocity: Vec3) {
        self.velocities[slot] = velocity.extend(Self::HALF_KICK);
    }

    /// To be called by an engine that has moved particles to other slots.
    pub(crate) fn mark_reordered(&mut self) {
        self.entries_stale = true;
    }

    /// Makes [`Self::slot`] right again after a reordering.
    pub(crate) fn refresh_slots(&mut self) {
        if std::mem::take(&mut self.entries_stale) {
            for (slot, id) in self.ids.iter().enumerate() {
                self.entries[id.index as usize].slot = slot as u32;
            }
        }
    }

    /// Memory held by the arrays, bytes.
    pub fn memory_bytes(&self) -> usize {
        self.property_bytes()
            + self.entries.capacity() * 8
            + self.free.capacity() * 4
            + self.resting.iter().map(|rested| rested.capacity() * 4).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grain(x: f32) -> NewParticle {
        NewParticle {
            position: Vec3::new(x, 0.0, 0.0),
            velocity: Vec3::ZERO,
            inverse_mass: 1.0,
            phase: Phase::grains(0),
            material: MaterialId(0),
            lifetime: f32::INFINITY,
            rest_position: None,
            spin: None,
            orientation: Orientation::NONE,
            temperature: AMBIENT,
        }
    }

    #[test]
    fn ids_survive_removal_of_others_and_are_never_given_out_again() {
        let mut particles = Particles::default();
        let ids: Vec<_> = (0..5).map(|i| particles.add(grain(i as f32))).collect();
        assert_eq!(particles.retain(|slot| slot != 1 && slot != 3), 2);
        assert_eq!(particles.slot(ids[1]), None);
        let slot = particles.slot(ids[4]).expect("alive");
        assert_eq!(particles.positions[slot].x, 4.0);
        let newcomer = particles.add(grain(9.0));
        assert!(!ids.contains(&newcomer));
        assert_eq!(particles.slot(ids[3]), None);
    }

    #[test]
    fn a_death_that_is_heard_of_late_changes_no_id() {
        let run = |late: usize| {
            let mut particles = Particles::default();
            for i in 0..20 {
                particles.add(grain(i as f32));
            }
            let mut ids = Vec::new();
            for frame in 0..40_usize {
                particles.begin_frame();
                if frame >= late && frame - late < 10 {
                    // Backwards, because the order of deaths within a frame is the engine's own.
                    let dead = [(frame - late) as u32, 19 - (frame - late) as u32];
                    particles.bury(dead, late);
                }
                ids.push(particles.add(grain(0.0)));
            }
            particles.sweep();
            assert_eq!(particles.len(), 40);
            assert!((0..40).all(|slot| particles.slot(particles.ids[slot]) == Some(slot)));
            (ids, particles.ids)
        };
        let at_once = run(0);
        assert_eq!(at_once, run(3));
        assert_eq!(at_once, run(Particles::REST - 1));
        assert!(at_once.0.iter().any(|id| id.generation > 0), "indices are used again");
    }
}
