//! Keeps all particle arrays in the order of the grid, so that neighbours in space are neighbours in memory.

use bytemuck::Zeroable;
use glam::{Vec3A, Vec3Swizzles, Vec4};
use rayon::prelude::*;

use super::{CHUNK, State};
use crate::constraints::relaxation::{self, Averaging};
use crate::material::MaterialId;
use crate::particles::ParticleId;
use crate::phase::Phase;

/// Buffers that the arrays are rearranged through.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) vectors: Vec<Vec4>,
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
    /// Lines 6–7: sorts the particles by cell, finds pairs of neighbours, and counts how many contacts each particle's
    /// corrections have to be shared among.
    pub(super) fn find_neighbors(&mut self) {
        let settings = &self.frame.settings;
        let distance = settings.neighbor_distance();
        self.grid.sort(&self.predicted, distance);
        let order = self.grid.order();
        let particles = &mut self.particles;
        self.memory.keep(&mut self.pairs, &mut self.impulses);
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
        let count = Count {
            averaging: settings.averaging,
            near: (settings.contact_distance() * (1.0 + NEAR)).powi(2),
            predicted: &self.predicted,
        };
        self.anchors.resize(particles.len(), Vec4::ZERO);
        let (phases, starts) = (&particles.phases, &particles.positions);
        self.pairs.build(
            &self.grid,
            &self.predicted,
            phases,
            distance,
            &mut self.anchors,
            |i, neighbors| starts[i].with_w(count.divisor(i, neighbors)),
        );
    }
}

/// Contacts closer than this, in particle diameters, may come to act during the sub-step.
const NEAR: f32 = 0.1;

/// Counts what the corrections of a particle are divided by.
struct Count<'a> {
    averaging: Averaging,
    /// Square of the distance within which contacts count.
    near: f32,
    predicted: &'a [Vec4],
}

impl Count<'_> {
    #[inline(always)]
    fn divisor(&self, i: usize, neighbors: [&[u32]; 2]) -> f32 {
        let center = Vec3A::from_vec4(self.predicted[i]);
        let (mut diagonal, mut mixed) = (Vec3A::ZERO, Vec3A::ZERO);
        let mut count = 0;
        for &j in neighbors.into_iter().flatten() {
            let offset = Vec3A::from_vec4(self.predicted[j as usize]) - center;
            let length_squared = offset.length_squared();
            if length_squared < self.near {
                let scaled = offset / length_squared.max(f32::MIN_POSITIVE);
                diagonal += offset * scaled;
                mixed += offset * scaled.yzx();
                count += 1;
            }
        }
        relaxation::divisor(self.averaging, count, diagonal.into(), mixed.into())
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
