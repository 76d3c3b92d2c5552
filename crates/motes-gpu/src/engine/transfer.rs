//! Particles and contacts between host and device: uploads and read-backs.

use std::sync::Arc;

use motes_core::engine::contacts::ContactMemory;
use motes_core::engine::report::Touched;
use motes_core::engine::timings::Stage;
use motes_core::glam::{Vec3, Vec4, Vec4Swizzles};
use motes_core::{Bodies, ColliderId, Contact, ParticleId, Particles, TriggerOverlap};

use super::arrays::{COUPLE, KINDS, Kind, NEW, POSITIONS, SUPPORTS, VELOCITIES, vectors_of_pair};
use super::{State, reports};
use crate::colliders::ColliderContact;
use crate::error::GpuError;
use crate::readback::ReadBack;

/// The pairs of a sub-step, read back.
pub(super) struct HostPairs {
    /// For each slot, the first and number of its pairs.
    pub(super) ranges: Vec<[u32; 4]>,
    pub(super) members: Vec<u32>,
    /// Vectors of each pair one after the other, as many as there are of each: the first is its impulse.
    pub(super) vectors: Vec<Vec4>,
    pub(super) of_pair: usize,
}

impl HostPairs {
    /// The contacts in a sub-step of `h` seconds, once for either side, given who was in which slot and where.
    pub(super) fn contacts(
        &self,
        slots: &[ParticleId],
        positions: &[Vec4],
        radius: impl Fn(ParticleId) -> f32,
        h: f32,
    ) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for (slot, range) in self.ranges.iter().enumerate().take(slots.len()) {
            for pair in range[0] as usize..(range[0] + range[1]) as usize {
                let both = [slot, self.members[pair] as usize];
                let force = self.vectors[self.of_pair * pair].xyz() / (h * h);
                if force == Vec3::ZERO || both[1] >= slots.len() {
                    continue;
                }
                let places = both.map(|slot| positions[slot].xyz());
                let ids = both.map(|slot| slots[slot]);
                contacts.extend(Contact::between(ids, places, ids.map(&radius), force));
            }
        }
        contacts
    }
}

/// The contacts with colliders in a sub-step, read back.
pub(super) struct HostContacts {
    /// For each slot, the first and number of its contacts.
    pub(super) ranges: Vec<[u32; 2]>,
    pub(super) contacts: Vec<ColliderContact>,
}

impl HostContacts {
    /// The contacts in a sub-step of `h` seconds, given who was in which slot and the colliders by their places.
    pub(super) fn contacts(&self, slots: &[ParticleId], colliders: &[ColliderId], h: f32) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for (&particle, range) in slots.iter().zip(&self.ranges) {
            let own = self.contacts.get(range[0] as usize..(range[0] + range[1]) as usize);
            for contact in own.into_iter().flatten() {
                let newtons = 1.0 / (h * h * contact.inverse_mass);
                if contact.normal_sum != 0.0 {
                    contacts.push(Contact {
                        particle,
                        other: Touched::Collider(colliders[contact.collider as usize]),
                        point: contact.point.into(),
                        normal: contact.normal.into(),
                        normal_force: newtons * contact.normal_sum,
                        friction_force: newtons * Vec3::from(contact.friction_sum),
                    });
                }
            }
        }
        contacts
    }
}

/// Particles that have been asked for.
struct OnTheWay {
    positions: ReadBack<Vec4>,
    velocities: ReadBack<Vec4>,
    kinds: ReadBack<Kind>,
    /// Optional properties, each with its place.
    optional: Vec<(usize, ReadBack<u32>)>,
}

/// The same when they are there.
type Arrived = (Vec<Vec4>, Vec<Vec4>, Vec<Kind>);

impl State {
    /// Writes the host's particles to the device if they have changed.
    pub(super) fn upload(&mut self) -> Result<(), GpuError> {
        if !self.stale_device {
            return Ok(());
        }
        self.redo = match self.memory.take() {
            Some(memory) => {
                self.write_contact_memory(&memory);
                Some(memory)
            }
            None => (!self.stepped).then(ContactMemory::default),
        };
        let order = self.device_order();
        let host = &self.host;
        let by_slot = |of: &[Vec4]| order.iter().map(|&(home, _)| of[home]).collect::<Vec<Vec4>>();
        let kind = |&(home, before): &(usize, u32)| {
            [
                host.phases[home].0,
                host.materials[home].0,
                host.ids()[home].index,
                before,
            ]
        };
        self.arrays.vectors.write(POSITIONS, 0, &by_slot(&host.positions));
        self.arrays.vectors.write(VELOCITIES, 0, &by_slot(&host.velocities));
        self.arrays
            .kinds
            .write(KINDS, 0, &order.iter().map(kind).collect::<Vec<Kind>>());
        self.crowd.upload(host, &self.arrays)?;
        self.colliders.forget_count();
        // Not so after a rehearsal.
        self.empty_cells();
        self.stale_device = false;
        self.stale_bodies = true;
        self.uploaded = true;
        self.stages = None;
        Ok(())
    }

    /// Where on the host the particles are that go to the device, slot by slot, and the slot each had in the last sub-step:
    /// in the order they had there, which decides among those of one cell. So a restored world goes on as if it had
    /// never stopped.
    fn device_order(&self) -> Vec<(usize, u32)> {
        let host = &self.host;
        let mut known = vec![false; host.len()];
        let mut order = Vec::with_capacity(host.len());
        for (before, &id) in (0..).zip(&self.slots) {
            if let Some(home) = host.slot(id) {
                known[home] = true;
                order.push((home, before));
            }
        }
        order.extend((0..host.len()).filter(|&home| !known[home]).map(|home| (home, NEW)));
        order
    }

    /// Reads the particles back if they have changed.
    pub(super) fn download(&mut self) {
        if !self.stale_host {
            return;
        }
        let read = self.read_particles();
        self.stale_host = matches!(read, Err(GpuError::NotYet));
        self.note(read);
    }

    /// The same without blocking.
    pub(super) async fn fetch(&mut self) -> Result<(), GpuError> {
        self.fetch_bodies().await?;
        self.fetch_passive().await?;
        if !self.stale_host {
            return Ok(());
        }
        self.listen().await?;
        self.flush_edits()?;
        Arc::make_mut(&mut self.host).sweep();
        let OnTheWay {
            positions,
            velocities,
            kinds,
            optional,
        } = self.request_particles()?;
        let arrived = (positions.await?, velocities.await?, kinds.await?);
        for (place, words) in optional {
            let words = words.await?;
            self.accept_optional(place, &words);
        }
        self.accept(&arrived)?;
        self.stale_host = false;
        Ok(())
    }

    fn read_particles(&mut self) -> Result<(), GpuError> {
        self.hear(reports::ALL)?;
        if self.awaits_deaths() {
            return Err(GpuError::NotYet);
        }
        self.flush_edits()?;
        Arc::make_mut(&mut self.host).sweep();
        let OnTheWay {
            positions,
            velocities,
            kinds,
            optional,
        } = self.request_particles()?;
        let arrived = (positions.wait()?, velocities.wait()?, kinds.wait()?);
        for (place, words) in optional {
            let words = words.wait()?;
            self.accept_optional(place, &words);
        }
        self.accept(&arrived)
    }

    fn request_particles(&self) -> Result<OnTheWay, GpuError> {
        // All deaths have been heard of, so that this is how many there are.
        let count = self.crowd.bound();
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let requested = OnTheWay {
            positions: self.arrays.vectors.read_in(POSITIONS, count, &mut encoder)?,
            velocities: self.arrays.vectors.read_in(VELOCITIES, count, &mut encoder)?,
            kinds: self.arrays.kinds.read_in(KINDS, count, &mut encoder)?,
            optional: self.crowd.optional().read_in(self.host.index_count(), &mut encoder)?,
        };
        self.gpu.queue().submit([encoder.finish()]);
        Ok(requested)
    }

    /// Takes over an optional property. Those who wait to be born keep what the host has given them.
    fn accept_optional(&mut self, place: usize, words: &[u32]) {
        let host = Arc::make_mut(&mut self.host);
        let known = host.ids()[..host.len() - self.crowd.waiting()].to_vec();
        host.optional_mut()[place].set_words(words, &known);
    }

    fn accept(&mut self, arrived: &Arrived) -> Result<(), GpuError> {
        let (positions, velocities, kinds) = arrived;
        let host = Arc::make_mut(&mut self.host);
        self.slots.clear();
        for ((position, velocity), kind) in positions.iter().zip(velocities).zip(kinds) {
            let strange = || GpuError::Rejected {
                reason: format!("a particle with the unknown id {}", kind[2]),
            };
            let id = host.latest_id(kind[2]).ok_or_else(strange)?;
            self.slots.push(id);
            // Those whom the host has removed live on the device until the next frame.
            let Some(home) = host.slot(id) else { continue };
            host.positions[home] = *position;
            host.velocities[home] = *velocity;
        }
        self.splits.mirror(host);
        Ok(())
    }

    /// The present contacts between particles.
    fn read_pairs(&mut self) -> Result<HostPairs, GpuError> {
        self.download();
        let set = &self.arrays.pairs[self.now];
        let ranges = set.ranges.read(0..self.slots.len())?.wait()?;
        let used = ranges.iter().map(|range| range[0] + range[1]).max().unwrap_or(0) as usize;
        let members = set.members.read(0..used)?.wait()?;
        let of_pair = vectors_of_pair(self.turning);
        let vectors = set.impulses.read(0..of_pair * used)?.wait()?;
        Ok(HostPairs {
            ranges,
            members,
            vectors,
            of_pair,
        })
    }

    pub(super) fn read_contact_memory(&mut self) -> Result<ContactMemory, GpuError> {
        let mut memory = ContactMemory::default();
        if !self.stepped {
            return Ok(memory);
        }
        let HostPairs {
            ranges,
            members,
            vectors,
            of_pair,
        } = self.read_pairs()?;
        for range in ranges {
            for pair in range[0] as usize..(range[0] + range[1]) as usize {
                let known = &vectors[of_pair * pair..][..of_pair];
                if known[0].truncate() != Vec3::ZERO {
                    memory.others.push(members[pair]);
                    memory.impulses.push(known[0]);
                    memory.couples.extend(known.get(COUPLE).map(|couple| couple.truncate()));
                }
            }
            memory.ends.push(memory.others.len() as u32);
        }
        let supports = self.arrays.vectors.read_section(SUPPORTS, self.slots.len())?.wait()?;
        memory.supports = supports.into_iter().map(Vec4::truncate).collect();
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
        let of_pair = vectors_of_pair(self.turning);
        let mut vectors = vec![Vec4::ZERO; of_pair * memory.impulses.len()];
        for (pair, vectors) in vectors.chunks_mut(of_pair).enumerate() {
            vectors[0] = memory.impulses[pair];
            if let (Some(to), Some(couple)) = (vectors.get_mut(COUPLE), memory.couples.get(pair)) {
                *to = couple.extend(0.0);
            }
        }
        set.impulses.write(0, &vectors);
        let supports: Vec<Vec4> = memory.supports.iter().map(|support| support.extend(0.0)).collect();
        self.arrays.vectors.write(SUPPORTS, 0, &supports);
        self.slots.clone_from(&memory.ids);
    }

    pub(super) fn sub_step(&self) -> f32 {
        self.frame.dt / self.frame.settings.substeps.max(1) as f32
    }

    /// Radius of a particle, metres.
    pub(super) fn radius(&self, id: ParticleId) -> f32 {
        let group = self.host.slot(id).map(|slot| self.host.phases[slot].group());
        match (&self.frame.sizes, group) {
            (Some(sizes), Some(group)) => sizes.radius(group),
            _ => self.frame.settings.particle_radius,
        }
    }

    /// Replaces everything that there is.
    pub(super) fn load(&mut self, particles: Particles, bodies: Bodies, contacts: ContactMemory) {
        // Deaths are those of particles that are about to be forgotten.
        let heard = self.hear(reports::ALL);
        self.note(heard);
        self.stale_host = false;
        self.bodies_ahead = false;
        self.return_to_host();
        self.host = Arc::new(particles);
        self.bodies = Arc::new(bodies);
        self.stale_bodies = true;
        self.h_before = 0.0;
        self.set_contact_memory(contacts);
    }

    /// Has the next frame start from these contacts, and from the host's particles.
    pub(super) fn set_contact_memory(&mut self, contacts: ContactMemory) {
        self.slots.clone_from(&contacts.ids);
        self.memory = Some(contacts);
        self.stale_device = true;
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
            let (positions, kinds) = (self.arrays.vectors.buffer(), self.arrays.kinds.buffer());
            self.colliders
                .find_overlaps(pass, self.slots.len() as u32, positions, kinds);
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
