//! Bodies on the device: what the host knows of them in the form that kernels read, and back.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::body::bodies::{self, Carried};
use motes_core::constraints::revolution::Revolution;
use motes_core::engine::Frame;
use motes_core::engine::edit::BodyChange;
use motes_core::engine::timings::Stage;
use motes_core::glam::{Mat3, Quat, Vec3, Vec4, Vec4Swizzles};
use motes_core::{Bodies, ParticleId, Particles};

use super::State;
use super::attachments::{Attachment, Attachments};
use super::chunks::{self, Chunk};
use super::drives::Drive;
use crate::buffers::{Buffer, bytes_of};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::readback::ReadBack;

/// One body: `Body` in `lib/body.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Body {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) kind: u32,
    pub(crate) path: u32,
    pub(crate) angular_impulse: [f32; 3],
    pub(crate) mass_scaling: f32,
    pub(crate) origin: [f32; 3],
    pub(crate) limit: f32,
    pub(crate) force: [f32; 3],
    pub(crate) mass: f32,
    pub(crate) torque: [f32; 3],
    pub(crate) stiffness: f32,
    pub(crate) from_position: [f32; 3],
    pub(crate) cluster_stiffness: f32,
    pub(crate) to_position: [f32; 3],
    pub(crate) threshold: f32,
    pub(crate) rest_center: [f32; 3],
    pub(crate) creep: f32,
    pub(crate) velocity: [f32; 3],
    pub(crate) mobility: f32,
    pub(crate) spin: [f32; 3],
    pub(crate) unity: f32,
    pub(crate) inertia: [[f32; 4]; 3],
    pub(crate) inverse_inertia: [[f32; 4]; 3],
    pub(crate) rotation: [f32; 4],
    pub(crate) from_rotation: [f32; 4],
    pub(crate) to_rotation: [f32; 4],
    pub(crate) turn: [f32; 4],
    pub(crate) offset: [f32; 3],
    pub(crate) lever: f32,
    pub(crate) angular_momentum: [f32; 3],
    pub(crate) in_tree: f32,
    pub(crate) rebound: [f32; 3],
    pub(crate) start_moved: f32,
    pub(crate) rebound_spin: [f32; 3],
    pub(crate) unused_spin: f32,
    pub(crate) axis: [f32; 3],
    pub(crate) unused_axis: f32,
    pub(crate) axis_point: [f32; 3],
    pub(crate) unused_axis_point: f32,
}

/// A part of a soft body: `Cluster` in `lib/cluster.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Cluster {
    pub(crate) center: [f32; 3],
    pub(crate) first: u32,
    pub(crate) rest_center: [f32; 3],
    pub(crate) count: u32,
    pub(crate) rotation: [f32; 4],
    pub(crate) guess: [f32; 4],
}

/// Bits of `Body::kind`; the last of them as `bodies::Body::bends` says.
pub(crate) const RIGID: u32 = 1;
pub(crate) const KINEMATIC: u32 = 2;
pub(crate) const PLASTIC: u32 = 4;
pub(crate) const BENDS: u32 = 8;

/// Sections of the members: see `lib/rests.wgsl`.
pub(crate) const REST: usize = 0;
pub(crate) const OWNER: usize = 1;
pub(crate) const SURFACE: usize = 2;
pub(crate) const FACES: usize = 3;
pub(crate) const STRAIN: usize = 5;
pub(crate) const PULL: usize = 6;
pub(crate) const BALLS: usize = 7;
pub(crate) const START_PULL: usize = 8;
const SECTIONS: usize = 9;

pub(crate) const NO_MEMBER: u32 = u32::MAX;

/// How far the plane of a contact that is left out is put down, metres: nothing gets there in a sub-step.
pub(crate) const OUT_OF_THE_WAY: f32 = 1e6;

/// How many there are of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BodyCounts {
    pub(crate) bodies: usize,
    pub(crate) members: usize,
    pub(crate) indices: usize,
    pub(crate) clusters: usize,
    /// Members of the largest body.
    pub(crate) largest: usize,
    /// Members of the largest cluster.
    pub(crate) largest_cluster: usize,
    /// Parts that bodies are taken in, if any of them is large.
    pub(crate) chunks: usize,
    pub(crate) plastic: bool,
    /// Whether any body is rigid or would be if it were stiff enough.
    pub(crate) whole: bool,
    /// Whether any body is not rigid, or may become so.
    pub(crate) soft: bool,
}

/// The bodies of a world on the device.
pub(crate) struct DeviceBodies {
    gpu: Gpu,
    pub(super) bodies: Buffer<Body>,
    pub(super) members: Buffer<[u32; 4]>,
    /// Slots of members, members by index of an id, members of clusters, clusters of members.
    pub(super) membership: Buffer<u32>,
    pub(super) clusters: Buffer<Cluster>,
    pub(super) chunks: Buffer<Chunk>,
    /// Poses of kinematic bodies at the ends of all sub-steps: position, rotation.
    pub(super) poses: Buffer<Vec4>,
    pub(super) attachments: Attachments,
    counts: BodyCounts,
    /// The members by index of an id.
    numbers: Vec<u32>,
    /// Bodies that something pushed on in the last frame.
    pushed: Vec<usize>,
    /// Whether the first of them has become soft since launches were made.
    softened: bool,
}

/// Bodies that have been asked for.
pub(super) struct BodiesOnTheWay {
    bodies: ReadBack<Body>,
    members: ReadBack<[u32; 4]>,
    clusters: ReadBack<Cluster>,
    attachments: ReadBack<Attachment>,
    drives: ReadBack<Drive>,
}

/// The same when they are there.
type Arrived = (Vec<Body>, Vec<[u32; 4]>, Vec<Cluster>, Vec<Attachment>, Vec<Drive>);

impl DeviceBodies {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            bodies: Buffer::new(gpu, "bodies", 1)?,
            members: Buffer::new(gpu, "members of bodies", 1)?,
            membership: Buffer::new(gpu, "membership", 1)?,
            clusters: Buffer::new(gpu, "clusters", 1)?,
            chunks: Buffer::new(gpu, "chunks of bodies", 1)?,
            poses: Buffer::new(gpu, "paths of bodies", 1)?,
            attachments: Attachments::new(gpu)?,
            counts: BodyCounts::default(),
            numbers: Vec::new(),
            pushed: Vec::new(),
            softened: false,
            gpu: gpu.clone(),
        })
    }

    pub(crate) fn counts(&self) -> BodyCounts {
        self.counts
    }

    /// Memory on the device, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bodies.bytes()
            + self.members.bytes()
            + self.membership.bytes()
            + self.clusters.bytes()
            + self.chunks.bytes()
            + self.poses.bytes()
            + self.attachments.bytes()
    }

    /// Has nobody be in any slot, before members are looked for.
    pub(crate) fn empty_slots(&self, encoder: &mut wgpu::CommandEncoder) {
        if self.counts.bodies > 0 {
            encoder.clear_buffer(self.membership.raw(), 0, Some(bytes_of::<u32>(self.counts.members)));
        }
    }

    /// Takes note that an index has been given to a new particle: the member that had it is dead.
    pub(crate) fn reuse(&mut self, index: u32) {
        if let Some(number) = self.numbers.get_mut(index as usize)
            && std::mem::replace(number, NO_MEMBER) != NO_MEMBER
        {
            self.membership
                .write(self.counts.members + index as usize, &[NO_MEMBER]);
        }
    }

    /// Writes all of the host's bodies; says whether memory was replaced or launches have to be made anew.
    fn upload(&mut self, bodies: &Bodies, particles: &Particles) -> Result<bool, GpuError> {
        let members = bodies.rest.len();
        self.numbers.clear();
        let indices = if members == 0 { 0 } else { particles.index_count() };
        self.numbers.resize(indices, NO_MEMBER);
        for (member, &id) in (0..).zip(&bodies.particles) {
            if particles.slot(id).is_some() {
                self.numbers[id.index as usize] = member;
            }
        }
        let mut chunks = chunks::of(bodies);
        let counts = BodyCounts {
            bodies: bodies.len(),
            members,
            indices: self.numbers.len(),
            clusters: bodies.clusters.len(),
            largest: bodies.list.iter().map(|body| body.count as usize).max().unwrap_or(0),
            largest_cluster: bodies
                .clusters
                .iter()
                .map(|cluster| cluster.count as usize)
                .max()
                .unwrap_or(0),
            chunks: chunks.len(),
            plastic: bodies.list.iter().any(|body| body.plasticity.is_some()),
            whole: bodies.list.iter().any(is_whole),
            soft: bodies.list.iter().any(|body| !body.is_rigid()),
        };
        let (membership, starts) = membership_of(bodies, &self.numbers);
        let clusters_at = members + counts.indices;
        let rows: Vec<Body> = bodies.list.iter().map(pack).collect();
        let mut clusters: Vec<Cluster> = bodies
            .clusters
            .iter()
            .map(|cluster| Cluster {
                first: clusters_at as u32 + cluster.first,
                count: cluster.count,
                rotation: cluster.rotation.to_array(),
                guess: cluster.rotation.to_array(),
                ..Cluster::default()
            })
            .collect();
        let columns = pack_members(bodies, &starts);
        let mut replaced = self.bodies.ensure_exactly(rows.len())?;
        replaced |= self.members.ensure_exactly(columns.len())?;
        replaced |= self.membership.ensure_exactly(membership.len())?;
        replaced |= self.clusters.ensure_exactly(clusters.len())?;
        replaced |= self.chunks.ensure_exactly(chunks.len())?;
        // Empty ones in the rest of the room.
        clusters.resize(self.clusters.capacity(), Cluster::default());
        chunks.resize(self.chunks.capacity(), Chunk::EMPTY);
        self.bodies.write(0, &rows);
        self.members.write(0, &columns);
        self.membership.write(0, &membership);
        self.clusters.write(0, &clusters);
        self.chunks.write(0, &chunks);
        self.pushed.clear();
        let same = std::mem::replace(&mut self.counts, counts) == counts;
        Ok(replaced || !same)
    }

    /// Tells the device what pushes on bodies in a frame, and where kinematic ones go.
    /// The member that is this particle, if any.
    pub(super) fn member(&self, id: ParticleId, bodies: &Bodies) -> Option<u32> {
        let number = self.numbers.get(id.index as usize).copied()?;
        (number != NO_MEMBER && bodies.particles[number as usize] == id).then_some(number)
    }

    fn drive(&mut self, bodies: &Bodies, frame: &Frame) -> Result<bool, GpuError> {
        let still = std::mem::take(&mut self.pushed);
        for body in still {
            if let Some(mass) = bodies.list.get(body).map(|body| body.mass) {
                self.write_push(body, mass, Vec3::ZERO, Vec3::ZERO);
            }
        }
        for push in &frame.pushes {
            self.write_push(push.body, bodies.list[push.body].mass, push.force, push.torque);
            self.pushed.push(push.body);
        }
        let substeps = frame.settings.substeps.max(1);
        let mut poses = Vec::new();
        for (place, body) in bodies.list.iter().enumerate() {
            let Some([from, to]) = &body.path else { continue };
            let word = bytes_of::<Body>(place) + std::mem::offset_of!(Body, path) as u64;
            let first = (poses.len() as u32).to_le_bytes();
            self.gpu.queue().write_buffer(self.bodies.raw(), word, &first);
            for substep in 0..=substeps {
                let pose = from.lerp(to, substep as f32 / substeps as f32);
                poses.extend([pose.position.extend(0.0), Vec4::from(pose.rotation)]);
            }
        }
        let replaced = self.poses.ensure(poses.len())?;
        self.poses.write(0, &poses);
        Ok(replaced || std::mem::take(&mut self.softened))
    }

    fn write_push(&self, body: usize, mass: f32, force: Vec3, torque: Vec3) {
        let words = [force.x, force.y, force.z, mass, torque.x, torque.y, torque.z];
        let offset = bytes_of::<Body>(body) + std::mem::offset_of!(Body, force) as u64;
        self.gpu
            .queue()
            .write_buffer(self.bodies.raw(), offset, bytemuck::cast_slice(&words));
    }

    /// Tells the device how stiff a body is.
    pub(super) fn write_stiffness(&mut self, place: usize, body: &bodies::Body) {
        self.softened |= !self.counts.soft && !body.is_rigid();
        self.counts.soft |= !body.is_rigid();
        let row = pack(body);
        let write = |offset: usize, word: u32| {
            let offset = bytes_of::<Body>(place) + offset as u64;
            self.gpu
                .queue()
                .write_buffer(self.bodies.raw(), offset, &word.to_le_bytes());
        };
        write(std::mem::offset_of!(Body, kind), row.kind);
        write(std::mem::offset_of!(Body, stiffness), row.stiffness.to_bits());
        write(
            std::mem::offset_of!(Body, cluster_stiffness),
            row.cluster_stiffness.to_bits(),
        );
    }

    /// Tells the device what an edit has made of a body itself.
    pub(super) fn write_change(&self, place: usize, bodies: &Bodies, change: &BodyChange) {
        let body = &bodies.list[place];
        let queue = self.gpu.queue();
        let write = |offset: usize, bytes: &[u8]| {
            queue.write_buffer(self.bodies.raw(), bytes_of::<Body>(place) + offset as u64, bytes);
        };
        match change {
            BodyChange::Kick { .. } | BodyChange::Velocity { .. } => {}
            BodyChange::Kinematic(_) => write(std::mem::offset_of!(Body, kind), &pack(body).kind.to_le_bytes()),
            BodyChange::Pose(_) => {
                let rotation = body.rotation.to_array();
                write(std::mem::offset_of!(Body, rotation), bytemuck::bytes_of(&rotation));
                for cluster in body.clusters() {
                    let offset = bytes_of::<Cluster>(cluster) + std::mem::offset_of!(Cluster, rotation) as u64;
                    // The guess for the next match follows.
                    queue.write_buffer(self.clusters.raw(), offset, bytemuck::bytes_of(&[rotation; 2]));
                }
            }
        }
    }

    /// Copies the bodies themselves, as they are at this point of `encoder`.
    pub(super) fn read_rows(&self, encoder: &mut wgpu::CommandEncoder) -> Result<ReadBack<Body>, GpuError> {
        self.bodies.read_in(0..self.counts.bodies, encoder)
    }

    fn request(&self) -> Result<BodiesOnTheWay, GpuError> {
        let members = if self.counts.plastic {
            SECTIONS * self.counts.members
        } else {
            0
        };
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let requested = BodiesOnTheWay {
            bodies: self.bodies.read_in(0..self.counts.bodies, &mut encoder)?,
            members: self.members.read_in(0..members, &mut encoder)?,
            clusters: self.clusters.read_in(0..self.counts.clusters, &mut encoder)?,
            attachments: {
                let rows = 0..self.attachments.counts().attachments;
                self.attachments.rows.read_in(rows, &mut encoder)?
            },
            drives: {
                let drives = &self.attachments.drives;
                drives.rows.read_in(0..drives.len(), &mut encoder)?
            },
        };
        self.gpu.queue().submit([encoder.finish()]);
        Ok(requested)
    }
}

/// The membership, and where the clusters of each member begin among them.
fn membership_of(bodies: &Bodies, numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let members = bodies.rest.len();
    let mut membership = vec![0; members];
    membership.extend(numbers);
    membership.extend(&bodies.cluster_members);
    let mut starts = vec![0; members + 1];
    for &member in &bodies.cluster_members {
        starts[member as usize + 1] += 1;
    }
    let mut sum = membership.len() as u32;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut ends = starts.clone();
    membership.resize(membership.len() + bodies.cluster_members.len(), 0);
    for (number, cluster) in (0..).zip(&bodies.clusters) {
        let entries = cluster.first as usize..(cluster.first + cluster.count) as usize;
        for &member in &bodies.cluster_members[entries] {
            membership[ends[member as usize] as usize] = number;
            ends[member as usize] += 1;
        }
    }
    (membership, starts)
}

fn bits(vector: Vec4) -> [u32; 4] {
    vector.to_array().map(f32::to_bits)
}

fn from_bits(words: [u32; 4]) -> Vec4 {
    Vec4::from_array(words.map(f32::from_bits))
}

fn pack_members(bodies: &Bodies, starts: &[u32]) -> Vec<[u32; 4]> {
    let members = bodies.rest.len();
    let mut columns = vec![[0; 4]; SECTIONS * members];
    for (place, body) in (0..).zip(&bodies.list) {
        for member in body.members() {
            let clusters = starts[member + 1] - starts[member];
            columns[OWNER * members + member] = [place, starts[member], clusters, 0];
        }
    }
    for member in 0..members {
        columns[REST * members + member] = bits(bodies.rest[member]);
        columns[SURFACE * members + member] = bits(bodies.fields[member]);
        columns[BALLS * members + member] = bits(bodies.inscribed[member]);
        columns[STRAIN * members + member] = bits(Vec4::ZERO.with_w(bodies.flowed[member]));
    }
    for corner in &bodies.corners {
        let member = corner.member as usize;
        columns[FACES * members + member] = bits(corner.normals[1].extend(1.0));
        columns[(FACES + 1) * members + member] = bits(corner.normals[2].extend(0.0));
    }
    columns
}

fn columns(matrix: &Mat3) -> [[f32; 4]; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.extend(0.0).to_array())
}

fn matrix(columns: &[[f32; 4]; 3]) -> Mat3 {
    let [x, y, z] = columns.map(|column| Vec4::from_array(column).xyz());
    Mat3::from_cols(x, y, z)
}

pub(super) fn is_whole(body: &bodies::Body) -> bool {
    body.cluster_count == 0 && body.plasticity.is_none()
}

fn pack(body: &bodies::Body) -> Body {
    let flag = |is: bool, bit: u32| if is { bit } else { 0 };
    let plasticity = body.plasticity;
    let [stiffness, cluster_stiffness] = body.stiffnesses();
    let none = Revolution {
        point: Vec3::ZERO,
        axis: Vec3::ZERO,
    };
    let revolution = body.revolution.unwrap_or(none);
    Body {
        first: body.first,
        count: body.count,
        kind: flag(body.is_rigid(), RIGID)
            | flag(body.path.is_some(), KINEMATIC)
            | flag(plasticity.is_some(), PLASTIC)
            | flag(body.bends(), BENDS),
        origin: body.origin.to_array(),
        limit: plasticity.map_or(0.0, |plasticity| plasticity.limit.min(f32::MAX)),
        mass: body.mass,
        stiffness,
        cluster_stiffness,
        threshold: plasticity.map_or(0.0, |plasticity| plasticity.threshold.min(f32::MAX)),
        creep: plasticity.map_or(0.0, |plasticity| plasticity.creep),
        inertia: columns(&body.inertia),
        inverse_inertia: columns(&body.inverse_inertia),
        rotation: body.rotation.to_array(),
        from_position: body.carried.center.to_array(),
        rest_center: body.carried.rest_center.to_array(),
        velocity: body.carried.velocity.to_array(),
        angular_momentum: body.carried.angular_momentum.to_array(),
        mass_scaling: body.mass_scaling.unwrap_or(-1.0),
        axis: revolution.axis.to_array(),
        axis_point: revolution.point.to_array(),
        ..Body::default()
    }
}

impl Body {
    fn carried(&self) -> Carried {
        Carried {
            center: Vec3::from_array(self.from_position),
            rest_center: Vec3::from_array(self.rest_center),
            velocity: Vec3::from_array(self.velocity),
            angular_momentum: Vec3::from_array(self.angular_momentum),
        }
    }
}

impl State {
    /// Brings the bodies and what drives them to the device; says whether launches have to be made anew.
    pub(super) fn take_over_bodies(&mut self, frame: &Frame) -> Result<bool, GpuError> {
        let mut changed = false;
        let regroups = std::mem::take(&mut self.stale_islands);
        if std::mem::take(&mut self.stale_bodies) {
            changed = self.shapes.upload(&self.bodies, &self.host)?;
            self.rows.hauling.stale = true;
            let counts = self.shapes.counts();
            let clusters_at = (counts.members + counts.indices) as u32;
            changed |= self.shapes.attachments.upload(&self.bodies, clusters_at)?;
            self.bodies_ahead = false;
        } else if regroups {
            let pass = self.recorder.stage(Stage::Population.name());
            self.shapes.attachments.regroup(&self.bodies, pass)?;
            changed = true;
        }
        if !self.bodies.is_empty() {
            changed |= self.shapes.drive(&self.bodies, frame)?;
            changed |= self.shapes.attachments.drive(frame, &self.bodies)?;
        }
        Ok(changed)
    }

    /// Reads the bodies back if they have changed.
    pub(super) fn download_bodies(&mut self) {
        if !std::mem::take(&mut self.bodies_ahead) {
            return;
        }
        let read = self.read_bodies();
        self.bodies_ahead = matches!(read, Err(GpuError::NotYet));
        self.note(read);
    }

    fn read_bodies(&mut self) -> Result<(), GpuError> {
        let BodiesOnTheWay {
            bodies,
            members,
            clusters,
            attachments,
            drives,
        } = self.shapes.request()?;
        let arrived = (
            bodies.wait()?,
            members.wait()?,
            clusters.wait()?,
            attachments.wait()?,
            drives.wait()?,
        );
        self.accept_bodies(&arrived);
        Ok(())
    }

    /// The same without blocking.
    pub(super) async fn fetch_bodies(&mut self) -> Result<(), GpuError> {
        if self.bodies_ahead {
            let BodiesOnTheWay {
                bodies,
                members,
                clusters,
                attachments,
                drives,
            } = self.shapes.request()?;
            let arrived = (
                bodies.await?,
                members.await?,
                clusters.await?,
                attachments.await?,
                drives.await?,
            );
            self.accept_bodies(&arrived);
            self.bodies_ahead = false;
        }
        Ok(())
    }

    fn accept_bodies(&mut self, (bodies, columns, clusters, attachments, drives): &Arrived) {
        let count = self.shapes.counts.members;
        let host = Arc::make_mut(&mut self.bodies);
        for (body, found) in host.list.iter_mut().zip(bodies) {
            body.rotation = Quat::from_array(found.rotation);
            body.carried = found.carried();
            if body.plasticity.is_some() {
                body.inertia = matrix(&found.inertia);
                body.inverse_inertia = matrix(&found.inverse_inertia);
                for member in body.members() {
                    host.rest[member] = from_bits(columns[REST * count + member]);
                    host.fields[member] = from_bits(columns[SURFACE * count + member]);
                    host.flowed[member] = f32::from_bits(columns[STRAIN * count + member][3]);
                }
            }
        }
        for (cluster, found) in host.clusters.iter_mut().zip(clusters) {
            cluster.rotation = Quat::from_array(found.rotation);
        }
        self.shapes.attachments.accept(attachments, drives, host);
    }
}
