//! Particles that become two on the device: the new one is born with the next frame, where the old one is by then.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::engine::edit::{Change, Edit, Split};
use motes_core::engine::timings::Stage;
use motes_core::glam::Vec4Swizzles;
use motes_core::{ParticleId, Particles};

use super::State;
use super::edits::EditParams;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;

/// One particle of those that one becomes: `SplitRow` in `split_particles.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SplitRow {
    pub(crate) parent: u32,
    pub(crate) place: u32,
    pub(crate) factor: f32,
    pub(crate) unused: u32,
}

const NOWHERE: u32 = u32::MAX;
const WORKGROUP: u32 = 64;

/// One of those that a particle has become.
struct Part {
    /// The particle that the device knows, itself one of its parts.
    root: ParticleId,
    id: ParticleId,
    /// Inverse mass over that which the root had.
    factor: f32,
}

/// Splits that wait for the next frame.
pub(super) struct DeviceSplits {
    gpu: Gpu,
    kernel: Option<Kernel>,
    params: Uniforms<EditParams>,
    rows: Buffer<SplitRow>,
    /// Those of a root in the order in which they were split off, the root first.
    parts: Vec<Part>,
}

impl DeviceSplits {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            kernel: None,
            params: Uniforms::new(gpu, "split params", 1)?,
            rows: Buffer::new(gpu, "splits", 64)?,
            parts: Vec::new(),
            gpu: gpu.clone(),
        })
    }

    /// Whether none waits.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Forgets them, because the host's particles take the place of the device's.
    pub(super) fn clear(&mut self) {
        self.parts.clear();
    }

    /// Whether a particle is one of those split or split off.
    pub(super) fn concern(&self, index: u32) -> bool {
        self.parts.iter().any(|part| part.id.index == index)
    }

    fn note(&mut self, of: ParticleId, new: ParticleId, share: f32) {
        let known = self.parts.iter().position(|part| part.id == of);
        let place = known.unwrap_or_else(|| {
            let factor = 1.0;
            self.parts.push(Part {
                root: of,
                id: of,
                factor,
            });
            self.parts.len() - 1
        });
        let Part { root, factor, .. } = self.parts[place];
        self.parts[place].factor = factor / (1.0 - share);
        self.parts.push(Part {
            root,
            id: new,
            factor: factor / share,
        });
    }

    /// Does on the host, which knows where the device's particles are, what the device will do.
    pub(super) fn mirror(&self, host: &mut Particles) {
        let roots = self.parts.iter().filter(|part| part.root == part.id);
        for root in roots {
            let Some(slot) = host.slot(root.id) else { continue };
            let (position, velocity) = (host.positions[slot], host.velocities[slot]);
            for part in self.parts.iter().filter(|part| part.root == root.id) {
                if let Some(slot) = host.slot(part.id) {
                    host.positions[slot] = position.xyz().extend(part.factor * position.w);
                    host.velocities[slot] = velocity;
                }
            }
        }
    }

    /// The rows for the device, where the host's last particles, from slot `first` on, are born and wait from `place` on.
    fn pack(&mut self, host: &Particles, first: usize, place: usize) -> Vec<SplitRow> {
        let row = |part: Part| {
            let slot = host.slot(part.id)?;
            let place = match part.root == part.id {
                true => NOWHERE,
                false => (place + slot.checked_sub(first)?) as u32,
            };
            Some(SplitRow {
                parent: part.root.index,
                place,
                factor: part.factor,
                unused: 0,
            })
        };
        let mut rows: Vec<SplitRow> = self.parts.drain(..).filter_map(row).collect();
        rows.sort_by_key(|row| row.parent);
        rows
    }
}

impl State {
    pub(super) fn split(&mut self, split: Split) -> ParticleId {
        if !self.stale_device && self.is_crowded_by(1) {
            self.return_to_host();
        }
        let host = Arc::make_mut(&mut self.host);
        let Some(slot) = host.slot(split.of) else {
            return split.of;
        };
        let waits = slot >= host.len() - self.crowd.waiting();
        let new = host.split(slot, split.share);
        if !self.stale_device {
            self.reuse(new.index);
            self.crowd.expect(1);
            // Of one that waits to be born the host knows everything, unless it was split off itself.
            if !waits || self.splits.concern(split.of.index) {
                self.splits.note(split.of, new, split.share);
            }
        }
        new
    }

    /// Edits of what was split in the same frame would be carried out before it: from there on the host does everything.
    pub(super) fn settle_splits(&mut self, edits: &[Edit]) {
        let lasts = |change: &Change| {
            matches!(change, Change::Phase(_) | Change::Material(_) | Change::Remove)
                || change.optional_property().is_some()
        };
        let comes_late = |edit: &Edit| match edit {
            Edit::Particle(id, change) => !lasts(change) && self.splits.concern(id.index),
            Edit::Group(_, change) => !lasts(change),
            Edit::Stiffness { .. } | Edit::Body { .. } => false,
        };
        if !self.splits.is_empty() && edits.iter().any(comes_late) {
            self.return_to_host();
        }
    }

    /// Records the splits that wait as part of the frame being recorded, before anybody dies in it or is born.
    pub(super) fn record_splits(&mut self) -> Result<(), GpuError> {
        if self.splits.is_empty() {
            return Ok(());
        }
        let births = self.crowd.births();
        let (first, place) = (self.host.len() - births, self.crowd.bound() - births);
        let splits = &mut self.splits;
        let rows = splits.pack(&self.host, first, place);
        splits.rows.ensure(rows.len())?;
        splits.rows.write(0, &rows);
        splits.params.write(
            0,
            &EditParams {
                rows: rows.len() as u32,
                stride: self.arrays.vectors.stride() as u32,
            },
        );
        let kernel = match splits.kernel.take() {
            Some(kernel) => kernel,
            None => Kernel::new(&splits.gpu, &kernels::SPLIT_PARTICLES, &[("WORKGROUP", WORKGROUP)])?,
        };
        let pass = self.recorder.stage(Stage::Population.name());
        let bound = self.crowd.bound().min(self.room);
        let slots = self.edits.locate(pass, &self.arrays, bound, self.host.index_count())?;
        let bindings = kernel.bind(
            &splits.gpu,
            &[
                splits.params.binding(0),
                splits.rows.binding(),
                self.arrays.census.binding(),
                slots.binding(),
                self.arrays.vectors.binding(),
                self.arrays.kinds.binding(),
            ],
        );
        kernel.launch(pass, &bindings, rows.len() as u32);
        splits.kernel = Some(kernel);
        Ok(())
    }
}
