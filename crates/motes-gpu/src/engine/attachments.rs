//! Attachments on the device: what holds points of bodies, and what came of it.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use motes_core::body::attachment::{Anchor, Attached, AttachmentId};
use motes_core::engine::Frame;
use motes_core::glam::{Vec3, Vec4};
use motes_core::{Bodies, BodyId, ColliderId, Pose};

use super::islands::Islands;
use crate::buffers::{Buffer, bytes_of};
use crate::device::Gpu;
use crate::error::GpuError;

/// One attachment: `Attachment` in `lib/attachment.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Attachment {
    pub(crate) point: [f32; 3],
    pub(crate) body: u32,
    pub(crate) anchor: [f32; 3],
    pub(crate) other: u32,
    pub(crate) impulse: [f32; 3],
    pub(crate) breaking_force: f32,
    pub(crate) member: u32,
    pub(crate) other_member: u32,
    pub(crate) path: u32,
    pub(crate) state: u32,
}

/// Values of `Attachment::state`.
const BROKEN: u32 = 0;
const HOLDS: u32 = 2;

const NO_BODY: u32 = u32::MAX;
const NO_PATH: u32 = u32::MAX;

/// How many there are of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AttachmentCounts {
    pub(super) attachments: usize,
    pub(super) islands: usize,
    /// Some can break.
    pub(super) fragile: bool,
}

/// The attachments of a world on the device, in the order of their islands.
pub(super) struct Attachments {
    gpu: Gpu,
    pub(super) rows: Buffer<Attachment>,
    pub(super) islands: Buffer<[u32; 2]>,
    pub(super) levels: Buffer<u32>,
    /// Of attachments to colliders, the places of their anchors at the ends of all sub-steps.
    pub(super) anchors: Buffer<Vec4>,
    counts: AttachmentCounts,
    /// The rows of all attachments, in ascending order of these.
    places: Vec<(AttachmentId, u32)>,
    /// Rows of attachments to colliders, with the point that they are held to.
    paths: Vec<(u32, ColliderId, Vec3)>,
    /// What `anchors` holds, and for how many sub-steps.
    driven: (Vec<Vec4>, u32),
}

impl Attachments {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            rows: Buffer::new(gpu, "attachments", 1)?,
            islands: Buffer::new(gpu, "islands of attachments", 1)?,
            levels: Buffer::new(gpu, "levels of attachments", 1)?,
            anchors: Buffer::new(gpu, "anchors of attachments", 1)?,
            counts: AttachmentCounts::default(),
            places: Vec::new(),
            paths: Vec::new(),
            driven: Default::default(),
            gpu: gpu.clone(),
        })
    }

    pub(super) fn counts(&self) -> AttachmentCounts {
        self.counts
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.bytes() + self.islands.bytes() + self.levels.bytes() + self.anchors.bytes()
    }

    /// Writes all of the host's attachments; says whether memory was replaced or launches have to be made anew.
    pub(super) fn upload(&mut self, bodies: &Bodies) -> Result<bool, GpuError> {
        self.places.clear();
        self.paths.clear();
        self.driven = Default::default();
        if bodies.attachments.is_empty() {
            let had = std::mem::take(&mut self.counts);
            return Ok(had.attachments > 0);
        }
        let moved: Vec<[Option<usize>; 2]> = bodies.attachments.iter().map(|one| moved_by(one, bodies)).collect();
        let sorted = Islands::new(&moved, bodies.len());
        let counts = AttachmentCounts {
            attachments: moved.len(),
            islands: sorted.islands.len(),
            fragile: bodies
                .attachments
                .iter()
                .any(|one| one.attachment.breaking_force.is_finite()),
        };
        let mut rows = Vec::with_capacity(moved.len());
        for (row, &number) in (0..).zip(&sorted.order) {
            let attached = &bodies.attachments[number as usize];
            rows.push(pack(attached, bodies));
            self.places.push((attached.id, row));
            if let Anchor::Collider(collider, point) = attached.attachment.anchor {
                self.paths.push((row, collider, point));
            }
        }
        self.places.sort_unstable();
        let mut islands = sorted.islands;
        let mut replaced = self.rows.ensure_exactly(rows.len())?;
        replaced |= self.islands.ensure_exactly(islands.len())?;
        replaced |= self.levels.ensure_exactly(sorted.levels.len())?;
        // Broken and empty ones in the rest of the room.
        rows.resize(self.rows.capacity(), Attachment::default());
        islands.resize(self.islands.capacity(), [0; 2]);
        self.rows.write(0, &rows);
        self.islands.write(0, &islands);
        self.levels.write(0, &sorted.levels);
        let same = std::mem::replace(&mut self.counts, counts) == counts;
        Ok(replaced || !same)
    }

    /// Tells the device where colliders take their attachments in a frame.
    pub(super) fn drive(&mut self, frame: &Frame) -> Result<bool, GpuError> {
        if self.paths.is_empty() {
            return Ok(false);
        }
        let substeps = frame.settings.substeps.max(1);
        let mut poses: HashMap<ColliderId, Vec<Pose>> = HashMap::new();
        let mut anchors = Vec::with_capacity(self.paths.len() * substeps as usize);
        for &(_, collider, point) in &self.paths {
            let Some(found) = frame.collider(collider) else {
                anchors.extend((0..substeps).map(|_| Vec4::ZERO));
                continue;
            };
            let poses = poses.entry(collider).or_insert_with(|| {
                let ends = (1..=substeps).map(|end| end as f32 / substeps as f32);
                ends.map(|end| found.from.lerp(&found.to, end)).collect()
            });
            anchors.extend(poses.iter().map(|pose| pose.point(point).extend(1.0)));
        }
        if substeps != self.driven.1 {
            for (place, &(row, ..)) in (0..).zip(&self.paths) {
                let word = bytes_of::<Attachment>(row as usize) + std::mem::offset_of!(Attachment, path) as u64;
                let first: u32 = place * substeps;
                self.gpu
                    .queue()
                    .write_buffer(self.rows.raw(), word, &first.to_le_bytes());
            }
        }
        let replaced = self.anchors.ensure(anchors.len())?;
        let wanted = (anchors, substeps);
        if replaced || wanted != self.driven {
            self.anchors.write(0, &wanted.0);
            self.driven = wanted;
        }
        Ok(replaced)
    }

    /// Takes over what the attachments did, and leaves out the broken ones.
    pub(super) fn accept(&self, rows: &[Attachment], bodies: &mut Bodies) {
        bodies.attachments.retain_mut(|attached| {
            let place = self.places.binary_search_by_key(&attached.id, |place| place.0);
            let Some(row) = place.ok().and_then(|place| rows.get(self.places[place].1 as usize)) else {
                return true;
            };
            attached.impulse = row.impulse.into();
            row.state != BROKEN
        });
    }
}

/// The bodies that an attachment moves.
fn moved_by(attached: &Attached, bodies: &Bodies) -> [Option<usize>; 2] {
    let other = match attached.attachment.anchor {
        Anchor::Body(other, _) => Some(other),
        Anchor::World(_) | Anchor::Collider(..) => None,
    };
    let moved = |id: BodyId| bodies.place(id).filter(|&place| bodies.list[place].path.is_none());
    [moved(attached.attachment.body), other.and_then(moved)]
}

fn pack(attached: &Attached, bodies: &Bodies) -> Attachment {
    let attachment = &attached.attachment;
    let (other, anchor) = match attachment.anchor {
        Anchor::World(point) => (Some(NO_BODY), point),
        Anchor::Collider(..) => (Some(NO_BODY), Vec3::ZERO),
        Anchor::Body(other, point) => (bodies.place(other).map(|place| place as u32), point),
    };
    let (Some(body), Some(other)) = (bodies.place(attachment.body), other) else {
        return Attachment::default();
    };
    Attachment {
        point: attachment.point.to_array(),
        body: body as u32,
        anchor: anchor.to_array(),
        other,
        breaking_force: attachment.breaking_force.min(f32::MAX),
        path: NO_PATH,
        state: HOLDS,
        ..Attachment::default()
    }
}
