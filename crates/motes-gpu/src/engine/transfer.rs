//! Particles and contacts between host and device.

use std::collections::HashMap;

use motes_core::contacts::ContactMemory;
use motes_core::glam::{Vec3, Vec4, Vec4Swizzles};
use motes_core::report::Touched;
use motes_core::timings::Stage;
use motes_core::{ColliderForce, Contact, ParticleId, TriggerOverlap};

use super::GpuEngine;
use super::arrays::{Kind, NEW};
use crate::error::GpuError;

/// The pairs of a sub-step, read back.
struct HostPairs {
    /// For each slot, the first and number of its pairs.
    ranges: Vec<[u32; 4]>,
    members: Vec<u32>,
    impulses: Vec<Vec4>,
}

impl GpuEngine {
    /// Writes the host's particles to the device if they have changed.
    pub(super) fn upload(&mut self) {
        if !self.stale_device {
            return;
        }
        if let Some(memory) = self.memory.take() {
            self.write_contact_memory(&memory);
        }
        let host = &self.host;
        let then: HashMap<ParticleId, u32> = (0..).zip(&self.slots).map(|(slot, &id)| (id, slot)).collect();
        let kinds: Vec<Kind> = (0..host.len())
            .map(|slot| {
                let before = then.get(&host.ids()[slot]).copied().unwrap_or(NEW);
                [host.phases[slot].0, host.materials[slot].0, slot as u32, before]
            })
            .collect();
        self.arrays.positions.write(0, &host.positions);
        self.arrays.velocities.write(0, &host.velocities);
        self.arrays.kinds.write(0, &kinds);
        // Another table of cells lies differently, and each sub-step leaves only its own empty.
        let cells = self.arrays.cells.raw();
        self.recorder.encoder().clear_buffer(cells, 0, None);
        self.has_lifetimes = host.lifetimes.iter().any(|left| left.is_finite());
        self.stale_device = false;
        self.uploaded = true;
        self.stages = None;
    }

    /// Reads the particles back if they have changed.
    pub(super) fn download(&mut self) {
        if !self.stale_host {
            return;
        }
        self.stale_host = false;
        let read = self.read_particles();
        self.note(read);
    }

    fn read_particles(&mut self) -> Result<(), GpuError> {
        let count = self.host.len();
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let positions = self.arrays.positions.read_in(0..count, &mut encoder)?;
        let velocities = self.arrays.velocities.read_in(0..count, &mut encoder)?;
        let kinds = self.arrays.kinds.read_in(0..count, &mut encoder)?;
        self.gpu.queue().submit([encoder.finish()]);
        let (positions, velocities, kinds) = (positions.wait()?, velocities.wait()?, kinds.wait()?);
        self.slots.clear();
        for ((position, velocity), kind) in positions.iter().zip(&velocities).zip(&kinds) {
            let home = kind[2] as usize;
            self.host.positions[home] = *position;
            self.host.velocities[home] = *velocity;
            self.slots.push(self.host.ids()[home]);
        }
        Ok(())
    }

    /// The present contacts between particles.
    fn read_pairs(&mut self) -> Result<HostPairs, GpuError> {
        self.download();
        let set = &self.arrays.pairs[self.now];
        let ranges = set.ranges.read(0..self.slots.len())?.wait()?;
        let used = ranges.iter().map(|range| range[0] + range[1]).max().unwrap_or(0) as usize;
        let members = set.members.read(0..used)?.wait()?;
        let impulses = set.impulses.read(0..used)?.wait()?;
        Ok(HostPairs {
            ranges,
            members,
            impulses,
        })
    }

    pub(super) fn read_contact_memory(&mut self) -> Result<ContactMemory, GpuError> {
        let mut memory = ContactMemory::default();
        if self.slots.is_empty() && !self.stale_host {
            return Ok(memory);
        }
        let HostPairs {
            ranges,
            members,
            impulses,
        } = self.read_pairs()?;
        for range in ranges {
            for pair in range[0] as usize..(range[0] + range[1]) as usize {
                if impulses[pair] != Vec4::ZERO {
                    memory.others.push(members[pair]);
                    memory.impulses.push(impulses[pair]);
                }
            }
            memory.ends.push(memory.others.len() as u32);
        }
        memory.ids = self.slots.clone();
        Ok(memory)
    }

    /// Makes saved contacts those of the last sub-step.
    fn write_contact_memory(&mut self, memory: &ContactMemory) {
        let mut begin = 0;
        let mut ranges: Vec<[u32; 4]> = Vec::with_capacity(memory.ends.len());
        for &end in &memory.ends {
            ranges.push([begin, end - begin, 0, 0]);
            begin = end;
        }
        let set = &self.arrays.pairs[self.now];
        set.ranges.write(0, &ranges);
        set.members.write(0, &memory.others);
        set.impulses.write(0, &memory.impulses);
        self.slots.clone_from(&memory.ids);
    }

    fn sub_step(&self) -> f32 {
        self.frame.dt / self.frame.settings.substeps.max(1) as f32
    }

    pub(super) fn read_particle_contacts(&mut self) -> Result<Vec<Contact>, GpuError> {
        let HostPairs {
            ranges,
            members,
            impulses,
        } = self.read_pairs()?;
        let positions = self.arrays.predicted.read(0..self.slots.len())?.wait()?;
        let h = self.sub_step();
        let mut contacts = Vec::new();
        for (slot, range) in ranges.iter().enumerate() {
            for pair in range[0] as usize..(range[0] + range[1]) as usize {
                let other = members[pair] as usize;
                let force = impulses[pair].xyz() / (h * h);
                if force == Vec3::ZERO {
                    continue;
                }
                let pair = [slot, other];
                let places = pair.map(|slot| positions[slot].xyz());
                contacts.extend(Contact::between(pair.map(|slot| self.slots[slot]), places, force));
            }
        }
        Ok(contacts)
    }

    pub(super) fn read_collider_contacts(&mut self) -> Result<Vec<Contact>, GpuError> {
        self.download();
        let ranges = self.colliders.ranges().read(0..self.slots.len())?.wait()?;
        let used = ranges.iter().map(|range| range[0] + range[1]).max().unwrap_or(0) as usize;
        let found = self.colliders.contacts().read(0..used)?.wait()?;
        let h = self.sub_step();
        let mut contacts = Vec::new();
        for (&particle, range) in self.slots.iter().zip(&ranges) {
            for contact in &found[range[0] as usize..(range[0] + range[1]) as usize] {
                let newtons = 1.0 / (h * h * contact.inverse_mass);
                if contact.normal_sum != 0.0 {
                    contacts.push(Contact {
                        particle,
                        other: Touched::Collider(self.frame.colliders[contact.collider as usize].id),
                        point: contact.point.into(),
                        normal: contact.normal.into(),
                        normal_force: newtons * contact.normal_sum,
                        friction_force: newtons * Vec3::from(contact.friction_sum),
                    });
                }
            }
        }
        Ok(contacts)
    }

    pub(super) fn read_collider_forces(&mut self) -> Result<Vec<ColliderForce>, GpuError> {
        let colliders = &self.frame.colliders;
        if self.stages.is_none() {
            return Ok(Vec::new());
        }
        let sums = self.colliders.forces().read(0..colliders.len())?.wait()?;
        let per_second = 1.0 / self.frame.dt.max(f32::MIN_POSITIVE);
        Ok(colliders
            .iter()
            .zip(&sums)
            .map(|(frame, sum)| ColliderForce {
                collider: frame.id,
                force: Vec3::from(sum.impulse) * per_second,
                torque: Vec3::from(sum.angular_impulse) * per_second,
                contacts: sum.contacts,
            })
            .collect())
    }

    pub(super) fn read_overlaps(&mut self) -> Result<Vec<TriggerOverlap>, GpuError> {
        if self.stages.is_none() || !self.frame.colliders.iter().any(|frame| frame.collider.trigger) {
            return Ok(Vec::new());
        }
        self.download();
        let at = self.colliders.overlap_counters();
        let mut counts = self.colliders.counters().read(at..at + 2)?.wait()?;
        if counts[1] > 0 {
            self.colliders.reserve_overlaps((counts[0] + counts[1]) as usize)?;
            let pass = self.recorder.stage(Stage::Finish.name());
            let (count, positions, kinds) = (self.slots.len() as u32, &self.arrays.positions, &self.arrays.kinds);
            self.colliders.find_overlaps(pass, count, positions, kinds);
            self.recorder.submit();
            counts = self.colliders.counters().read(at..at + 2)?.wait()?;
        }
        let found = self.colliders.overlaps().read(0..counts[0] as usize)?.wait()?;
        let mut overlaps: Vec<TriggerOverlap> = found
            .iter()
            .map(|&[place, slot]| TriggerOverlap {
                collider: self.frame.colliders[place as usize].id,
                particle: self.slots[slot as usize],
            })
            .collect();
        overlaps.sort_unstable();
        Ok(overlaps)
    }
}
