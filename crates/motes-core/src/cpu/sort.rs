//! Keeps all particle arrays in the order of the grid, so that neighbours in space are neighbours in memory.

use bytemuck::Zeroable;
use glam::Vec4;
use rayon::prelude::*;

use super::{CHUNK, State};
use crate::material::MaterialId;
use crate::particles::ParticleId;
use crate::phase::Phase;

/// Buffers that the arrays are rearranged through.
#[derive(Default)]
pub(crate) struct Scratch {
    vectors: Vec<Vec4>,
    phases: Vec<Phase>,
    materials: Vec<MaterialId>,
    floats: Vec<f32>,
    ids: Vec<ParticleId>,
}

impl Scratch {
    pub(super) fn memory_bytes(&self) -> usize {
        16 * self.vectors.capacity()
            + 4 * (self.phases.capacity() + self.materials.capacity() + self.floats.capacity())
            + 8 * self.ids.capacity()
    }
}

impl State {
    /// Lines 6–7: sorts the particles by cell and lists their neighbours.
    pub(super) fn find_neighbors(&mut self) {
        let distance = self.frame.settings.neighbor_distance();
        self.grid.sort(&self.predicted, distance);
        let order = self.grid.order();
        let particles = &mut self.particles;
        self.memory.keep(&mut self.neighbors);
        self.memory.trace(&particles.ids, order);
        let scratch = &mut self.sort;
        rearrange(order, &mut self.predicted, &mut scratch.vectors);
        rearrange(order, &mut particles.positions, &mut scratch.vectors);
        rearrange(order, &mut particles.velocities, &mut scratch.vectors);
        rearrange(order, &mut particles.phases, &mut scratch.phases);
        rearrange(order, &mut particles.materials, &mut scratch.materials);
        rearrange(order, &mut particles.lifetimes, &mut scratch.floats);
        rearrange(order, &mut particles.ids, &mut scratch.ids);
        particles.mark_reordered();
        self.memory.keep_ids(&particles.ids);
        self.neighbors
            .build(&self.grid, &self.predicted, &particles.phases, distance);
    }
}

fn rearrange<T: Copy + Zeroable + Send + Sync>(order: &[u32], values: &mut Vec<T>, scratch: &mut Vec<T>) {
    scratch.resize(values.len(), T::zeroed());
    scratch
        .par_iter_mut()
        .zip(order)
        .with_min_len(CHUNK)
        .for_each(|(to, &from)| *to = values[from as usize]);
    std::mem::swap(values, scratch);
}
