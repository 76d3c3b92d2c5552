//! What gas there is about markers of smoke (eq. 28): those in one cell look at the same gas, eight of them at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use crate::cpu::grid::Grid;
use crate::cpu::vector::{self, Kernel};
use crate::cpu::{CHUNK, State};
use crate::particles::passive::PassiveKind;
use crate::particles::phase::Phase;
use crate::particles::sizes::cells_within;
use crate::smoke::markers::Carried;

/// Markers that look together.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// Where a lane without a marker is: out of everybody's reach.
const NOWHERE: Vec3 = Vec3::splat(1e15);

/// The gas, slot by slot, as markers look at it.
pub(super) struct Carriers<'a> {
    grid: &'a Grid,
    aside: u32,
    /// Place (metres), velocity (m/s), temperature (°C) and one over the smoothing radius (1/m), 0 of what is no gas.
    particles: Vec<[f32; 8]>,
    /// Who has a marker about it, where somebody asks.
    seen: Vec<AtomicBool>,
}

impl State {
    /// Notes the gas for markers to be carried by, and whether they are to tell which of it they see.
    pub(super) fn carriers(&self, asks: bool) -> Carriers<'_> {
        let smoothing = self.frame.settings.smoothing_radius;
        let particles = &self.particles;
        let look = |slot: usize| {
            let (place, velocity) = (self.predicted[slot], particles.velocities[slot]);
            let is_gas = f32::from(u8::from(particles.phases[slot].has(Phase::GAS)));
            let near = is_gas * 0.5 / (smoothing * self.radius(slot));
            let warmth = particles.temperatures.get(slot);
            [
                place.x, place.y, place.z, velocity.x, velocity.y, velocity.z, warmth, near,
            ]
        };
        Carriers {
            grid: &self.grid,
            aside: cells_within(smoothing / self.cell_width(), 0),
            particles: { (0..particles.len()).into_par_iter() }
                .with_min_len(CHUNK)
                .map(look)
                .collect(),
            seen: (0..if asks { particles.len() } else { 0 })
                .map(|_| AtomicBool::new(false))
                .collect(),
        }
    }

    /// Notes for how long gas has had no marker about it, at the end of a frame.
    pub(super) fn note_lonely(&mut self, seen: &[AtomicBool]) {
        let (dt, count) = (self.frame.dt, self.particles.len());
        self.particles.swirls.store(count);
        let phases = &self.particles.phases;
        let swirls = self.particles.swirls.values_mut(count).iter_mut();
        for ((swirl, seen), phase) in swirls.zip(seen).zip(phases) {
            let alone = phase.has(Phase::GAS) && !seen.load(Ordering::Relaxed);
            swirl.w = if alone { swirl.w + dt } else { 0.0 };
        }
    }
}

/// Markers in order of their cells: a number by the cell, and which of them.
fn in_order(grid: &Grid, positions: &[Vec4], kinds: &[PassiveKind]) -> Vec<u64> {
    let key = |(number, (position, kind)): (usize, (&Vec4, &PassiveKind))| {
        let [x, y, z] = grid.cell(position.xyz()).map(|cell| cell as u64);
        let cell = (x & 0x7ff) << 21 | (y & 0x3ff) << 11 | z & 0x7ff;
        (*kind == PassiveKind::Smoke).then_some(cell << 32 | number as u64)
    };
    let markers = positions.par_iter().zip(kinds).enumerate().with_min_len(CHUNK);
    let mut order: Vec<u64> = markers.filter_map(key).collect();
    order.par_sort_unstable();
    order
}

impl Carriers<'_> {
    /// Takes out who has been seen.
    pub(super) fn into_seen(self) -> Vec<AtomicBool> {
        self.seen
    }

    /// What there is about each marker; nothing about what is no smoke.
    pub(super) fn about(&self, positions: &[Vec4], kinds: &[PassiveKind]) -> Vec<Carried> {
        let order = in_order(self.grid, positions, kinds);
        let mut found = vec![Carried::default(); order.len()];
        { found.par_chunks_mut(CHUNK).zip(order.par_chunks(CHUNK)) }.for_each(|(found, order)| {
            vector::run(About {
                carriers: self,
                positions,
                order,
                found,
            });
        });
        let mut carried = vec![Carried::default(); positions.len()];
        for (found, marker) in found.into_iter().zip(order) {
            carried[marker as u32 as usize] = found;
        }
        carried
    }

    /// The slots in the cells around a point, row by row: the first, and the one after the last.
    fn rows(&self, point: Vec3, rows: &mut Vec<[u32; 2]>) {
        rows.clear();
        self.grid.around(
            point,
            |_| self.aside,
            |from, to| {
                if from < to {
                    rows.push([from, to]);
                }
            },
        );
    }

    /// What there is about eight points.
    #[inline(always)]
    fn around(&self, points: &[Vec3; LANES], rows: &[[u32; 2]], found: &mut [Carried]) {
        let [mut x, mut y, mut z] = [[0.0; LANES]; 3];
        for k in 0..LANES {
            (x[k], y[k], z[k]) = points[k].into();
        }
        let asks = !self.seen.is_empty();
        let [mut weight, mut u, mut v, mut w, mut t]: [Lanes; 5] = [[0.0; LANES]; 5];
        for &[from, to] in rows {
            let slots = from as usize..to as usize;
            for (slot, gas) in slots.clone().zip(&self.particles[slots]) {
                let [gx, gy, gz, gu, gv, gw, gt, near] = *gas;
                let square = near * near;
                let mut here = [0.0; LANES];
                for k in 0..LANES {
                    let (x, y, z) = (x[k] - gx, y[k] - gy, z[k] - gz);
                    let root = near * (1.0 - square * (x * x + y * y + z * z)).max(0.0);
                    here[k] = root * root * root;
                }
                for k in 0..LANES {
                    weight[k] += here[k];
                    u[k] += here[k] * gu;
                    v[k] += here[k] * gv;
                    w[k] += here[k] * gw;
                    t[k] += here[k] * gt;
                }
                if asks && here.iter().fold(false, |any, &here| any | (here > 0.0)) {
                    self.seen[slot].store(true, Ordering::Relaxed);
                }
            }
        }
        for (k, found) in found.iter_mut().enumerate() {
            *found = Carried {
                weight: weight[k],
                velocity: Vec3::new(u[k], v[k], w[k]),
                temperature: t[k],
            };
        }
    }
}

/// A part of the markers, in order of their cells.
struct About<'a> {
    carriers: &'a Carriers<'a>,
    positions: &'a [Vec4],
    order: &'a [u64],
    found: &'a mut [Carried],
}

impl Kernel for About<'_> {
    #[inline(always)]
    fn run(self) {
        let mut rows = Vec::with_capacity(64);
        let place = |marker: u64| self.positions[marker as u32 as usize].xyz();
        let mut first = 0;
        while first < self.order.len() {
            let cell = self.carriers.grid.cell(place(self.order[first]));
            let is_there = |marker: &&u64| self.carriers.grid.cell(place(**marker)) == cell;
            let count = self.order[first..].iter().take_while(is_there).count();
            self.carriers.rows(place(self.order[first]), &mut rows);
            let markers = self.order[first..first + count].chunks(LANES);
            let found = self.found[first..first + count].chunks_mut(LANES);
            for (markers, found) in markers.zip(found) {
                let point = |k: usize| markers.get(k).map_or(NOWHERE, |&marker| place(marker));
                let points: [Vec3; LANES] = std::array::from_fn(point);
                self.carriers.around(&points, &rows, found);
            }
            first += count;
        }
    }
}
