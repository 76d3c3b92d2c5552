//! What a world tells about its last frames: contacts, forces, faults, times, memory.

use crate::engine::report::{ColliderForce, Contact, TriggerOverlap};
use crate::engine::timings::Timings;
use crate::error::Exploded;

use super::World;
use super::questions::{ColliderContacts, ColliderForces, ParticleContacts, TriggerOverlaps};

impl World {
    /// Fails when particles stopped being finite numbers in the last frame, and names the first.
    pub fn health(&self) -> Result<(), Exploded> {
        let Some(blowup) = self.engine.blowup() else {
            return Ok(());
        };
        let group = self.model.groups.at(blowup.group);
        Err(Exploded {
            group: group.map_or_else(String::new, |group| group.name.clone()),
            particle: blowup.particle.index,
            count: blowup.count,
            frame: self.model.frame,
        })
    }

    /// Contacts of particles with colliders in the last sub-step.
    pub fn collider_contacts(&self) -> Vec<Contact> {
        self.query(ColliderContacts)
    }

    /// Contacts between particles in the last sub-step, once for either side.
    pub fn particle_contacts(&self) -> Vec<Contact> {
        self.query(ParticleContacts)
    }

    /// Force and torque on every collider, averaged over the last frame.
    pub fn collider_forces(&self) -> Vec<ColliderForce> {
        self.query(ColliderForces)
    }

    /// Particles inside triggers at the end of the last frame, sorted.
    pub fn trigger_overlaps(&self) -> Vec<TriggerOverlap> {
        self.query(TriggerOverlaps)
    }

    /// Waits until all frames that were begun are done. Reading anything does so by itself; this is for measuring.
    pub fn wait(&self) {
        self.engine.wait();
    }

    /// Frames that may be under way at once before there is anything to wait for.
    pub fn frames_in_flight(&self) -> u32 {
        self.engine.frames_in_flight()
    }

    /// Whether to time every stage, where that costs time itself.
    pub fn measure_stages(&mut self, measure: bool) {
        self.engine.measure_stages(measure);
    }

    /// What a user should know of the last frames, once: a capacity that was hit, for one.
    pub fn notice(&mut self) -> Option<String> {
        self.engine.notice()
    }

    /// What went wrong with the device, if anything did; frames after that are not to be trusted.
    pub fn fault(&self) -> Option<String> {
        self.engine.fault()
    }

    /// Time per stage of the last frame.
    pub fn timings(&self) -> Timings {
        self.engine.timings()
    }

    /// Memory held for particles and solver, bytes.
    pub fn memory_bytes(&self) -> usize {
        self.engine.memory_bytes()
    }
}
