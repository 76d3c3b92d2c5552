//! Attachments on the device: what holds points of bodies, and what came of it.

mod regroup;

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use motes_core::body::attachment::{Anchor, Attached, AttachmentId};
use motes_core::body::islands::Islands;
use motes_core::engine::Frame;
use motes_core::glam::{Vec3, Vec4};
use motes_core::{Bodies, ColliderId, Pose};

use super::drives::{Drive, Drives};
use super::trees::{DeviceTrees, filled};
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
    pub(crate) path: u32,
    pub(crate) state: u32,
    pub(crate) drive: u32,
    pub(crate) is_on: u32,
    pub(crate) slope: [f32; 3],
    pub(crate) per_mass: f32,
    pub(crate) center: [f32; 3],
    pub(crate) inverse_mass: f32,
    pub(crate) arm: [f32; 3],
    pub(crate) first: u32,
    pub(crate) other_slope: [f32; 3],
    pub(crate) other_per_mass: f32,
    pub(crate) other_center: [f32; 3],
    pub(crate) other_inverse_mass: f32,
    pub(crate) other_arm: [f32; 3],
    pub(crate) other_first: u32,
    pub(crate) count: u32,
    pub(crate) other_count: u32,
    pub(crate) is_solved: u32,
    pub(crate) in_tree: u32,
    pub(crate) earlier: [f32; 3],
    pub(crate) unused_z: u32,
    pub(crate) from_anchor: [f32; 3],
    pub(crate) unused_w: u32,
}

/// Values of `Attachment::state`; of those that wait, an end is missing for the time being.
pub(crate) const BROKEN: u32 = 0;
pub(crate) const WAITS: u32 = 1;
pub(crate) const HOLDS: u32 = 2;

/// Bit of the counts of members that hold a point: they are entries of the list of members of clusters.
pub(crate) const LISTED: u32 = 1 << 30;

pub(crate) const NO_BODY: u32 = u32::MAX;
pub(crate) const NO_PATH: u32 = u32::MAX;

/// How many there are of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AttachmentCounts {
    pub(super) attachments: usize,
    /// Rigid bodies that are attached to something.
    pub(super) bodies: usize,
    /// Islands with loops or bodies that bend.
    pub(super) islands: usize,
    pub(super) trees: usize,
    /// Some can break.
    pub(super) fragile: bool,
    /// Something acts on the axis of some.
    pub(super) driven: bool,
}

/// The attachments of a world on the device, in the order of their islands, those in trees last.
pub(super) struct Attachments {
    gpu: Gpu,
    pub(super) rows: Buffer<Attachment>,
    pub(super) islands: Buffer<[u32; 2]>,
    pub(super) levels: Buffer<u32>,
    pub(super) trees: DeviceTrees,
    pub(super) drives: Drives,
    /// Rigid bodies that are attached, with the first of their entries in the list after it.
    pub(super) bodies: Buffer<[u32; 2]>,
    pub(super) incidence: Buffer<u32>,
    /// Of attachments to colliders, the places of their anchors at the start of the frame and the ends of all sub-steps.
    pub(super) anchors: Buffer<Vec4>,
    counts: AttachmentCounts,
    /// The rows of all attachments, in ascending order of these.
    places: Vec<(AttachmentId, u32)>,
    /// Rows of attachments to colliders, with the point that they are held to.
    paths: Vec<(u32, ColliderId, Vec3)>,
    /// What `anchors` holds, and for how many sub-steps.
    driven: (Vec<Vec4>, u32),
    /// Where the members of clusters begin among the membership.
    clusters_at: u32,
    /// Attachments that the device knows to be switched off.
    off: Vec<AttachmentId>,
}

/// Rigid bodies that are attached, each with its first entry of the list of attachments after it: twice the row, and one more
/// where the body is the second; behind the last one the end.
fn incidence(rows: &[Attachment], bodies: &Bodies) -> (Vec<[u32; 2]>, Vec<u32>) {
    let ends = (0..).zip(rows).flat_map(|(row, attachment)| {
        let ends = [(attachment.body, 2 * row), (attachment.other, 2 * row + 1)];
        ends.into_iter().filter(move |_| attachment.state != BROKEN)
    });
    let is_turned = |&(body, _): &(u32, u32)| {
        let body = bodies.list.get(body as usize);
        body.is_some_and(|body| body.is_rigid() && body.path.is_none())
    };
    let mut ends: Vec<(u32, u32)> = ends.filter(is_turned).collect();
    ends.sort_unstable();
    let mut attached: Vec<[u32; 2]> = Vec::new();
    for (place, &(body, _)) in (0..).zip(&ends) {
        if attached.last().is_none_or(|&[last, _]| last != body) {
            attached.push([body, place]);
        }
    }
    attached.push([NO_BODY, ends.len() as u32]);
    (attached, ends.into_iter().map(|(_, entry)| entry).collect())
}

impl Attachments {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            rows: Buffer::new(gpu, "attachments", 1)?,
            islands: Buffer::new(gpu, "islands of attachments", 1)?,
            levels: Buffer::new(gpu, "levels of attachments", 1)?,
            trees: DeviceTrees::new(gpu)?,
            drives: Drives::new(gpu)?,
            bodies: Buffer::new(gpu, "attached bodies", 1)?,
            incidence: Buffer::new(gpu, "attachments of bodies", 1)?,
            anchors: Buffer::new(gpu, "anchors of attachments", 1)?,
            counts: AttachmentCounts::default(),
            places: Vec::new(),
            paths: Vec::new(),
            driven: Default::default(),
            clusters_at: 0,
            off: Vec::new(),
            gpu: gpu.clone(),
        })
    }

    pub(super) fn counts(&self) -> AttachmentCounts {
        self.counts
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.bytes()
            + self.islands.bytes()
            + self.levels.bytes()
            + self.trees.bytes()
            + self.drives.bytes()
            + self.bodies.bytes()
            + self.incidence.bytes()
            + self.anchors.bytes()
    }

    /// Writes all of the host's attachments; says whether memory was replaced or launches have to be made anew. Members of clusters
    /// are listed from an entry of the membership on.
    pub(super) fn upload(&mut self, bodies: &Bodies, clusters_at: u32) -> Result<bool, GpuError> {
        self.clusters_at = clusters_at;
        self.places.clear();
        self.paths.clear();
        self.off.clear();
        self.driven = Default::default();
        let mut replaced = self.drives.begin_upload(bodies)?;
        if bodies.attachments.is_empty() {
            let had = std::mem::take(&mut self.counts);
            return Ok(had.attachments > 0);
        }
        let Islands { trees, loops } = Islands::of(bodies);
        let mut rows = Vec::with_capacity(bodies.attachments.len());
        for (row, &number) in (0..).zip(loops.order.iter().chain(&trees.order)) {
            let attached = &bodies.attachments[number as usize];
            rows.push(Attachment {
                drive: self.drives.note(attached, row, bodies),
                in_tree: u32::from(row as usize >= loops.order.len()),
                ..pack(attached, bodies, clusters_at)
            });
            self.places.push((attached.id, row));
            if let Anchor::Collider(collider, point) = attached.attachment.anchor {
                self.paths.push((row, collider, point));
            }
        }
        self.places.sort_unstable();
        let (attached, entries) = incidence(&rows, bodies);
        let counts = AttachmentCounts {
            attachments: rows.len(),
            bodies: attached.len() - 1,
            islands: loops.islands.len(),
            trees: trees.islands.len(),
            fragile: bodies
                .attachments
                .iter()
                .any(|one| one.attachment.breaking_force.is_finite()),
            driven: self.drives.any(),
        };
        self.drives.end_upload();
        // Broken and empty ones in the rest of the room.
        replaced |= filled(&mut self.rows, rows, Attachment::default())?;
        replaced |= filled(&mut self.islands, loops.islands, [0; 2])?;
        replaced |= filled(&mut self.levels, loops.levels, 0)?;
        replaced |= self.trees.upload(&trees, loops.order.len() as u32)?;
        replaced |= filled(&mut self.bodies, attached, [NO_BODY, 0])?;
        replaced |= filled(&mut self.incidence, entries, 0)?;
        let same = std::mem::replace(&mut self.counts, counts) == counts;
        Ok(replaced || !same)
    }

    /// Tells the device where colliders take their attachments in a frame.
    pub(super) fn drive(&mut self, frame: &Frame, bodies: &Bodies) -> Result<bool, GpuError> {
        self.switch(bodies);
        if self.paths.is_empty() {
            self.drives.write_changed(bodies, None);
            return Ok(false);
        }
        let substeps = frame.settings.substeps.max(1);
        let mut poses: HashMap<ColliderId, Vec<Pose>> = HashMap::new();
        let mut anchors = Vec::with_capacity(self.paths.len() * (substeps as usize + 1));
        for &(_, collider, point) in &self.paths {
            let Some(found) = frame.collider(collider) else {
                anchors.extend((0..=substeps).map(|_| Vec4::ZERO));
                continue;
            };
            let poses = poses.entry(collider).or_insert_with(|| {
                let ends = (0..=substeps).map(|end| end as f32 / substeps as f32);
                ends.map(|end| found.from.lerp(&found.to, end)).collect()
            });
            anchors.extend(poses.iter().map(|pose| pose.point(point).extend(1.0)));
        }
        if substeps != self.driven.1 {
            for (place, &(row, ..)) in (0..).zip(&self.paths) {
                let word = bytes_of::<Attachment>(row as usize) + std::mem::offset_of!(Attachment, path) as u64;
                let first: u32 = place * (substeps + 1);
                self.gpu
                    .queue()
                    .write_buffer(self.rows.raw(), word, &first.to_le_bytes());
            }
        }
        let first = self.drives.poses(frame, substeps, &mut anchors);
        self.drives.write_changed(bodies, Some(&first));
        let replaced = self.anchors.ensure(anchors.len())?;
        let wanted = (anchors, substeps);
        if replaced || wanted != self.driven {
            self.anchors.write(0, &wanted.0);
            self.driven = wanted;
        }
        Ok(replaced)
    }

    /// Tells the device which attachments are switched on.
    fn switch(&mut self, bodies: &Bodies) {
        let off = |attached: &&Attached| {
            attached
                .joint
                .and_then(|id| bodies.joint(id))
                .is_some_and(|joint| !joint.is_on)
        };
        let off: Vec<AttachmentId> = bodies
            .attachments
            .iter()
            .filter(off)
            .map(|attached| attached.id)
            .collect();
        if off == self.off {
            return;
        }
        for (ids, is_on) in [(&self.off, 1_u32), (&off, 0)] {
            for id in ids {
                if let Ok(place) = self.places.binary_search_by_key(id, |place| place.0) {
                    let row = self.places[place].1 as usize;
                    let word = bytes_of::<Attachment>(row) + std::mem::offset_of!(Attachment, is_on) as u64;
                    self.gpu
                        .queue()
                        .write_buffer(self.rows.raw(), word, &is_on.to_le_bytes());
                }
            }
        }
        self.off = off;
    }

    /// Takes over what the attachments did, and leaves out the broken ones.
    pub(super) fn accept(&self, rows: &[Attachment], drives: &[Drive], bodies: &mut Bodies) {
        self.drives.accept(drives, bodies);
        bodies.attachments.retain_mut(|attached| {
            let place = self.places.binary_search_by_key(&attached.id, |place| place.0);
            let Some(row) = place.ok().and_then(|place| rows.get(self.places[place].1 as usize)) else {
                return true;
            };
            attached.impulse = row.impulse.into();
            attached.earlier = row.earlier.into();
            // They flow with their bodies.
            attached.attachment.point = row.point.into();
            if let Anchor::Body(_, point) = &mut attached.attachment.anchor {
                *point = row.anchor.into();
            }
            row.state != BROKEN
        });
        bodies.drop_loose_joints();
    }
}

fn pack(attached: &Attached, bodies: &Bodies, clusters_at: u32) -> Attachment {
    let attachment = &attached.attachment;
    let (other, anchor) = match attachment.anchor {
        Anchor::World(point) => (Some(NO_BODY), point),
        Anchor::Collider(..) => (Some(NO_BODY), Vec3::ZERO),
        Anchor::Body(other, point) => (bodies.place(other).map(|place| place as u32), point),
    };
    let (Some(body), Some(other)) = (bodies.place(attachment.body), other) else {
        return Attachment::default();
    };
    let held_by = |place: u32, point: Vec3| {
        let Some(body) = bodies.list.get(place as usize) else {
            return [0; 2];
        };
        let part = bodies.part_at(place as usize, point - body.origin);
        match part.is_listed {
            true => [clusters_at + part.first, part.count | LISTED],
            false => [part.first, part.count],
        }
    };
    let [first, count] = held_by(body as u32, attachment.point);
    let [other_first, other_count] = held_by(other, anchor);
    Attachment {
        first,
        count,
        other_first,
        other_count,
        point: attachment.point.to_array(),
        body: body as u32,
        anchor: anchor.to_array(),
        other,
        impulse: attached.impulse.to_array(),
        earlier: attached.earlier.to_array(),
        breaking_force: attachment.breaking_force.min(f32::MAX),
        path: NO_PATH,
        state: HOLDS,
        is_on: 1,
        ..Attachment::default()
    }
}
