//! Which rows end at rigid bodies, as the device knows it.

use bytemuck::{Pod, Zeroable};
use motes_core::{Bodies, ParticleId};

use super::bodies::is_whole;
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;

/// A participant that belongs to a body: `HauledEnd` in `lib/haul.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct HauledEnd {
    pub(crate) old: [f32; 4],
    pub(crate) participant: u32,
    pub(crate) member: u32,
    pub(crate) slot: u32,
    pub(crate) body: u32,
}

/// A body and its ends: `Load` in `lib/haul.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Load {
    pub(crate) body: u32,
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) mobility: f32,
}

/// Ends of rows at bodies that are rigid, or would be if they were stiff enough.
pub(crate) struct Hauling {
    pub(super) ends: Buffer<HauledEnd>,
    pub(super) loads: Buffer<Load>,
    /// Participants of which a row acts.
    pub(super) acting: Buffer<u32>,
    /// Bodies that have such ends.
    pub(super) bodies: usize,
    /// Something changed that decides about it.
    pub(super) stale: bool,
}

impl Hauling {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            ends: Buffer::new(gpu, "ends of rows at bodies", 1)?,
            loads: Buffer::new(gpu, "bodies on rows", 1)?,
            acting: Buffer::new(gpu, "participants of which rows act", 1)?,
            bodies: 0,
            stale: false,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.ends.bytes() + self.loads.bytes() + self.acting.bytes()
    }

    /// Lists the ends anew among the participants, given the number of the member with an index of an id; says whether launches
    /// have to be made anew.
    pub(super) fn list(
        &mut self,
        participants: &[ParticleId],
        bodies: &Bodies,
        member: impl Fn(ParticleId) -> Option<u32>,
    ) -> Result<bool, GpuError> {
        self.stale = false;
        let mut ends: Vec<HauledEnd> = Vec::new();
        let mut owners = vec![None; bodies.rest.len()];
        for (place, body) in bodies.list.iter().enumerate().filter(|(_, body)| is_whole(body)) {
            owners[body.members()].fill(Some(place as u32));
        }
        if owners.iter().any(Option::is_some) {
            for (participant, &id) in (0..).zip(participants) {
                if let Some((member, body)) = member(id).and_then(|member| Some((member, owners[member as usize]?))) {
                    ends.push(HauledEnd {
                        participant,
                        member,
                        body,
                        ..HauledEnd::default()
                    });
                }
            }
        }
        ends.sort_unstable_by_key(|end| end.member);
        let mut loads: Vec<Load> = Vec::new();
        for (place, end) in (0..).zip(&ends) {
            match loads.last_mut() {
                Some(load) if load.body == end.body => load.count += 1,
                _ => loads.push(Load {
                    body: end.body,
                    first: place,
                    count: 1,
                    mobility: 0.0,
                }),
            }
        }
        let before = std::mem::replace(&mut self.bodies, loads.len());
        if loads.is_empty() {
            return Ok(before > 0);
        }
        let mut replaced = self.ends.ensure(ends.len())?;
        replaced |= self.loads.ensure(loads.len())?;
        replaced |= self.acting.ensure(participants.len())?;
        loads.resize(self.loads.capacity(), Load::default());
        self.ends.write(0, &ends);
        self.loads.write(0, &loads);
        self.acting.write(0, &vec![0; self.acting.capacity()]);
        Ok(replaced || before == 0)
    }
}
