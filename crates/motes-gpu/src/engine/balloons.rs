//! Balloons of the store on the device: their triangles and participants in pieces, and the kernels that fill them.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::glam::Vec4;
use motes_core::store::balloons::{Enclosures, PIECE};
use motes_core::{ConstraintKind, Constraints, Filling};

use super::State;
use super::features::Features;
use super::row_list::{NOBODY, RowParams};
use super::stages::{Bound, WORKGROUP};
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Source;
use crate::kernels;
use crate::launch::Launch;

/// Kinds of fillings.
pub(crate) const HOLDS_VOLUME: u32 = 0;
pub(crate) const HOLDS_PRESSURE: u32 = 1;
pub(crate) const HOLDS_GAS: u32 = 2;

/// How many there are: `BalloonParams` in `lib/balloon.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct BalloonParams {
    pub(crate) triangle_pieces: u32,
    pub(crate) participant_pieces: u32,
    pub(crate) balloons: u32,
    pub(crate) unused: u32,
}

/// Some triangles or participants of one balloon: `Piece` in `lib/balloon.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Piece {
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) balloon: u32,
    pub(crate) near: u32,
}

/// What a balloon is: `Balloon` in `lib/balloon.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Balloon {
    pub(crate) triangles: [u32; 2],
    pub(crate) participants: [u32; 2],
    pub(crate) row: u32,
    pub(crate) filling: u32,
    pub(crate) amount: f32,
    pub(crate) softness: f32,
    pub(crate) open: u32,
    pub(crate) room: f32,
    pub(crate) unused_b: u32,
    pub(crate) unused_c: u32,
}

/// What becomes of it: `BalloonWork` in `lib/balloon.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct BalloonWork {
    pub(crate) impulse: f32,
    pub(crate) change: f32,
    pub(crate) lost: f32,
    pub(crate) volume: f32,
    pub(crate) hole: f32,
    pub(crate) unused_a: f32,
    pub(crate) unused_b: f32,
    pub(crate) unused_c: f32,
}

/// The balloons of a world on the device.
pub(crate) struct DeviceBalloons {
    gpu: Gpu,
    params: Uniforms<BalloonParams>,
    /// By which `locate_rows` finds the participants.
    row_params: Uniforms<RowParams>,
    numbers: Buffer<u32>,
    slots: Buffer<u32>,
    triangles: Buffer<[u32; 4]>,
    triangle_pieces: Buffer<Piece>,
    participant_pieces: Buffer<Piece>,
    /// Where the triangles of each participant end, and which they are.
    starts: Buffer<u32>,
    members: Buffer<u32>,
    areas: Buffer<Vec4>,
    slopes: Buffer<Vec4>,
    /// What pieces add up to.
    parts: Buffer<Vec4>,
    yieldings: Buffer<f32>,
    balloons: Buffer<Balloon>,
    /// By place in the store.
    work: Buffer<BalloonWork>,
    /// What the host has written to `balloons`.
    listed: Vec<Balloon>,
    /// How often each was filled when its state was written.
    fills: Vec<u32>,
    edits: Option<[u64; 2]>,
}

impl DeviceBalloons {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            params: Uniforms::new(gpu, "balloon params", 1)?,
            row_params: Uniforms::new(gpu, "row params of balloons", 1)?,
            numbers: Buffer::new(gpu, "numbers of participants of balloons", 1)?,
            slots: Buffer::new(gpu, "slots of participants of balloons", 1)?,
            triangles: Buffer::new(gpu, "triangles of balloons", 1)?,
            triangle_pieces: Buffer::new(gpu, "pieces of triangles", 1)?,
            participant_pieces: Buffer::new(gpu, "pieces of participants", 1)?,
            starts: Buffer::new(gpu, "starts of triangles", 1)?,
            members: Buffer::new(gpu, "triangles of participants", 1)?,
            areas: Buffer::new(gpu, "areas of triangles", 1)?,
            slopes: Buffer::new(gpu, "slopes of volumes", 1)?,
            parts: Buffer::new(gpu, "parts of volumes", 1)?,
            yieldings: Buffer::new(gpu, "yieldings of volumes", 1)?,
            balloons: Buffer::new(gpu, "balloons", 1)?,
            work: Buffer::new(gpu, "work on balloons", 1)?,
            listed: Vec::new(),
            fills: Vec::new(),
            edits: None,
            gpu: gpu.clone(),
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        let words = [&self.numbers, &self.slots, &self.starts, &self.members];
        words.iter().map(|buffer| buffer.bytes()).sum::<u64>()
            + self.triangles.bytes()
            + self.triangle_pieces.bytes()
            + self.participant_pieces.bytes()
            + self.areas.bytes()
            + self.slopes.bytes()
            + self.parts.bytes()
            + self.yieldings.bytes()
            + self.balloons.bytes()
            + self.work.bytes()
    }

    /// Whether there is anything to solve.
    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// Whether anything can leave.
    pub(super) fn are_open(&self) -> bool {
        self.listed.iter().any(|balloon| balloon.open == 1)
    }

    /// Takes note that the store is another, or that what the device did is to be done again.
    pub(super) fn forget(&mut self) {
        self.edits = None;
        self.fills.clear();
    }

    /// Writes what changed of the store; says whether memory was replaced.
    pub(super) fn take_over(&mut self, constraints: &mut Constraints) -> Result<bool, GpuError> {
        let changed = constraints.batch_mut(ConstraintKind::Balloon).take_changed();
        let mut replaced = false;
        if self.edits != Some(constraints.balloon_edits()) {
            let enclosures = constraints.enclose();
            replaced = self.list(&enclosures)?;
            self.edits = Some(constraints.balloon_edits());
        } else if changed.is_empty() {
            return Ok(false);
        }
        for balloon in &mut self.listed {
            let Some(inside) = constraints.inside(balloon.row as usize) else {
                continue;
            };
            (balloon.amount, balloon.room) = (inside.filling.amount(), inside.room().min(f32::MAX));
            (balloon.filling, balloon.softness) = match inside.filling {
                Filling::Volume { softness, .. } => (HOLDS_VOLUME, softness.encode()),
                Filling::Pressure(_) => (HOLDS_PRESSURE, 0.0),
                Filling::Gas(_) => (HOLDS_GAS, 0.0),
            };
        }
        self.balloons.write(0, &self.listed);
        replaced |= self.fill(constraints)?;
        Ok(replaced)
    }

    /// Has the device begin with what the host knows of balloons that were filled anew.
    fn fill(&mut self, constraints: &Constraints) -> Result<bool, GpuError> {
        let insides = constraints.insides();
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let replaced = self.work.ensure_keeping(insides.len(), &mut encoder)?;
        if replaced {
            self.gpu.queue().submit([encoder.finish()]);
        }
        self.fills.resize(insides.len(), 0);
        for (row, (inside, fills)) in insides.iter().zip(&mut self.fills).enumerate() {
            if std::mem::replace(fills, inside.fills) != inside.fills {
                let lost = inside.lost;
                let begun = BalloonWork {
                    lost,
                    ..BalloonWork::default()
                };
                self.work.write(row, &[begun]);
            }
        }
        Ok(replaced)
    }

    fn list(&mut self, enclosures: &Enclosures) -> Result<bool, GpuError> {
        let (mut triangle_pieces, mut participant_pieces) = (Vec::new(), Vec::new());
        self.listed.clear();
        let mut triangles: Vec<[u32; 4]> = enclosures.triangles.iter().map(|&[a, b, c]| [a, b, c, 0]).collect();
        for (number, balloon) in (0..).zip(&enclosures.list) {
            let near = balloon.participants.start as u32;
            triangles[balloon.faces_end..balloon.triangles.end]
                .iter_mut()
                .for_each(|triangle| triangle[3] = 1);
            let cut = |range: &std::ops::Range<usize>, pieces: &mut Vec<Piece>| {
                let first = pieces.len() as u32;
                pieces.extend(range.clone().step_by(PIECE).map(|start| Piece {
                    first: start as u32,
                    end: (start + PIECE).min(range.end) as u32,
                    balloon: number,
                    near,
                }));
                [first, pieces.len() as u32]
            };
            self.listed.push(Balloon {
                triangles: cut(&balloon.triangles, &mut triangle_pieces),
                participants: cut(&balloon.participants, &mut participant_pieces),
                row: balloon.row,
                open: u32::from(balloon.faces_end < balloon.triangles.end),
                ..Balloon::default()
            });
        }
        let (starts, members) = faces_of_participants(enclosures);
        let indices = enclosures.participants.iter().map(|id| id.index as usize + 1).max();
        let mut numbers = vec![NOBODY; indices.unwrap_or(0)];
        for (number, id) in (0..).zip(&enclosures.participants) {
            numbers[id.index as usize] = number;
        }
        let mut replaced = self.numbers.ensure(numbers.len())?;
        replaced |= self.slots.ensure(starts.len())?;
        replaced |= self.triangles.ensure(triangles.len())?;
        replaced |= self.triangle_pieces.ensure(triangle_pieces.len())?;
        replaced |= self.participant_pieces.ensure(participant_pieces.len())?;
        replaced |= self.starts.ensure(starts.len())?;
        replaced |= self.members.ensure(members.len())?;
        replaced |= self.areas.ensure(triangles.len())?;
        replaced |= self.slopes.ensure(starts.len())?;
        replaced |= self.parts.ensure(triangle_pieces.len())?;
        replaced |= self.yieldings.ensure(participant_pieces.len())?;
        replaced |= self.balloons.ensure(self.listed.len())?;
        self.numbers.write(0, &numbers);
        self.triangles.write(0, &triangles);
        self.triangle_pieces.write(0, &triangle_pieces);
        self.participant_pieces.write(0, &participant_pieces);
        self.starts.write(0, &starts);
        self.members.write(0, &members);
        self.params.write(
            0,
            &BalloonParams {
                triangle_pieces: triangle_pieces.len() as u32,
                participant_pieces: participant_pieces.len() as u32,
                balloons: self.listed.len() as u32,
                unused: 0,
            },
        );
        self.row_params.write(
            0,
            &RowParams {
                participants: starts.len() as u32,
                indices: numbers.len() as u32,
                ..RowParams::default()
            },
        );
        Ok(replaced)
    }

    /// Empties what a frame fills.
    pub(super) fn begin_frame(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(self.slots.raw(), 0, None);
    }
}

/// Where the faces of each participant end, and which they are, in order.
fn faces_of_participants(enclosures: &Enclosures) -> (Vec<u32>, Vec<u32>) {
    let faces = || {
        let ranges = enclosures
            .list
            .iter()
            .map(|balloon| balloon.triangles.start..balloon.faces_end);
        ranges.flatten()
    };
    let mut starts = vec![0u32; enclosures.participants.len()];
    for corner in faces().flat_map(|face| enclosures.triangles[face]) {
        starts[corner as usize] += 1;
    }
    let mut next = Vec::with_capacity(starts.len());
    let mut before = 0;
    for start in &mut starts {
        next.push(before);
        before += *start;
        *start = before;
    }
    let mut members = vec![0u32; before as usize];
    for face in faces() {
        for corner in enclosures.triangles[face] {
            let place = &mut next[corner as usize];
            members[*place as usize] = face as u32;
            *place += 1;
        }
    }
    (starts, members)
}

/// Launches for the balloons of a world.
pub(crate) struct BalloonStages {
    pub(crate) locate: Launch,
    measure: [Launch; 2],
    /// In the first iteration of a sub-step, and in the others.
    inflate: [Launch; 2],
    go: Launch,
    /// Where there are holes.
    pub(crate) leak: Option<Launch>,
}

impl BalloonStages {
    /// None without balloons.
    pub(crate) fn new(bound: Bound<'_>) -> Option<Self> {
        if !bound.has(Features::BALLOONS) {
            return None;
        }
        let d = bound.balloons;
        let (params, own_params) = (|| bound.params(), || d.params.binding(0));
        let (vectors, slots) = (|| bound.arrays.vectors.binding(), || d.slots.binding());
        let (balloons, work) = (|| d.balloons.binding(), || d.work.binding());
        let launch =
            |source: &Source, more: &[(&'static str, u32)], resources: &[wgpu::BindingResource<'_>], groups: usize| {
                let mut constants = vec![("WORKGROUP", PIECE as u32)];
                constants.extend(more);
                Launch::new(bound.gpu, &bound.kernel_with(source, &constants), resources, groups)
            };
        let participant_pieces = d.participant_pieces.capacity();
        let inflate = |first: u32| {
            let resources = [
                params(),
                own_params(),
                balloons(),
                d.parts.binding(),
                d.yieldings.binding(),
                work(),
            ];
            launch(
                &kernels::INFLATE,
                &[("FIRST", first)],
                &resources,
                d.balloons.capacity(),
            )
        };
        Some(Self {
            locate: bound.per_particle(
                &bound.kernel(&kernels::LOCATE_ROWS),
                &[
                    params(),
                    d.row_params.binding(0),
                    bound.arrays.kinds.binding(),
                    d.numbers.binding(),
                    slots(),
                ],
            ),
            measure: [
                launch(
                    &kernels::MEASURE_BALLOONS,
                    &[],
                    &[
                        params(),
                        own_params(),
                        vectors(),
                        slots(),
                        d.triangle_pieces.binding(),
                        d.triangles.binding(),
                        d.areas.binding(),
                        d.parts.binding(),
                    ],
                    d.triangle_pieces.capacity(),
                ),
                launch(
                    &kernels::SLOPE_BALLOONS,
                    &[],
                    &[
                        params(),
                        own_params(),
                        vectors(),
                        slots(),
                        d.participant_pieces.binding(),
                        d.starts.binding(),
                        d.members.binding(),
                        d.areas.binding(),
                        d.slopes.binding(),
                        d.yieldings.binding(),
                    ],
                    participant_pieces,
                ),
            ],
            inflate: [inflate(1), inflate(0)],
            go: launch(
                &kernels::MOVE_BALLOONS,
                &[],
                &[
                    params(),
                    own_params(),
                    vectors(),
                    slots(),
                    d.participant_pieces.binding(),
                    d.slopes.binding(),
                    balloons(),
                    work(),
                ],
                participant_pieces,
            ),
            leak: bound.has(Features::LEAKS).then(|| {
                let kernel = bound.kernel(&kernels::LEAK_BALLOONS);
                let groups = d.balloons.capacity().div_ceil(WORKGROUP as usize);
                let resources = [params(), own_params(), balloons(), work()];
                Launch::new(bound.gpu, &kernel, &resources, groups)
            }),
        })
    }

    /// One iteration.
    pub(crate) fn solve(&self, first: bool, pass: &mut wgpu::ComputePass<'_>) {
        self.measure.iter().for_each(|launch| launch.encode(pass));
        self.inflate[usize::from(!first)].encode(pass);
        self.go.encode(pass);
    }
}

impl State {
    /// Reads the pressures of the last sub-step, and what has left.
    pub(super) fn read_balloons(&mut self) -> Result<(), GpuError> {
        if self.balloons.is_empty() {
            return Ok(());
        }
        let work = self.balloons.work.read(0..self.balloons.work.capacity())?.wait()?;
        let constraints = Arc::make_mut(&mut self.constraints);
        let h = self.h_before.max(f32::MIN_POSITIVE);
        for balloon in &self.balloons.listed {
            let row = balloon.row as usize;
            let alive = constraints.batch(ConstraintKind::Balloon).id_of(balloon.row).is_some();
            let Some(own) = work.get(row).filter(|_| alive) else {
                continue;
            };
            constraints.batch_mut(ConstraintKind::Balloon).impulses_mut()[row] = own.impulse / (h * h);
            if let Some(inside) = constraints.inside_mut(row)
                && self.balloons.fills.get(row) == Some(&inside.fills)
            {
                inside.lost = own.lost;
            }
        }
        Ok(())
    }
}
