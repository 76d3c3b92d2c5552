//! Keeps all particle arrays in the order of the grid, so that neighbours in space are neighbours in memory.

use bytemuck::Zeroable;
use glam::{Mat4, Vec3, Vec4};
use rayon::prelude::*;
use wide::f32x4;

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

/// Counts what the corrections of a particle are divided by.
struct Count<'a> {
    averaging: Averaging,
    predicted: &'a [Vec4],
}

impl Count<'_> {
    /// Every neighbour counts, touching or not: it may come to act during the sub-step, and glue acts at a distance.
    #[inline(always)]
    fn divisor(&self, i: usize, neighbors: [&[u32]; 2]) -> f32 {
        let center = self.predicted[i];
        let mut sums = [f32x4::ZERO; 6];
        for list in neighbors {
            for four in list.chunks(4) {
                // The particle itself fills up the last four: at distance zero it adds nothing.
                let row = |k: usize| four.get(k).map_or(Vec4::ZERO, |&j| self.predicted[j as usize] - center);
                let columns = Mat4::from_cols(row(0), row(1), row(2), row(3)).transpose();
                let [x, y, z] = [columns.x_axis, columns.y_axis, columns.z_axis].map(|c| f32x4::new(c.to_array()));
                let squared = x * x + y * y + z * z;
                let inverse = f32x4::ONE / squared.fast_max(f32x4::splat(f32::MIN_POSITIVE));
                let (sx, sy, sz) = (x * inverse, y * inverse, z * inverse);
                for (sum, term) in sums.iter_mut().zip([x * sx, y * sy, z * sz, x * sy, y * sz, z * sx]) {
                    *sum += term;
                }
            }
        }
        let [xx, yy, zz, xy, yz, zx] = sums.map(f32x4::reduce_add);
        let count = neighbors.map(<[u32]>::len).into_iter().sum::<usize>() as u32;
        relaxation::divisor(self.averaging, count, Vec3::new(xx, yy, zz), Vec3::new(xy, yz, zx))
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
