//! What gas there is about markers of smoke (eq. 28), eight particles of it at a time.

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

/// Particles that are looked at together.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// Where what is no gas is taken to be: out of everybody's reach.
const NOWHERE: f32 = 1e15;

/// The gas, part by part and slot by slot, with eight more in the end that are nowhere.
pub(super) struct Carriers<'a> {
    grid: &'a Grid,
    aside: u32,
    /// Coordinates (metres), velocities (m/s) and temperatures (°C).
    parts: [Vec<f32>; 7],
    /// Roots of the weight at distance 0 and of how it falls with the squared distance; of all particles, or one of each.
    shapes: [Vec<f32>; 2],
    /// Who has a marker about it, where somebody asks.
    seen: Vec<AtomicBool>,
}

impl State {
    /// Notes the gas for markers to be carried by, and whether they are to tell which of it they see.
    pub(super) fn carriers(&self, asks: bool) -> Carriers<'_> {
        let settings = &self.frame.settings;
        let count = self.predicted.len();
        let particles = &self.particles;
        let is_gas = |slot: usize| particles.phases[slot].has(Phase::GAS);
        let column = |value: &(dyn Fn(usize) -> f32 + Sync)| -> Vec<f32> {
            { (0..count + LANES).into_par_iter() }
                .with_min_len(CHUNK)
                .map(|slot| {
                    if slot < count && is_gas(slot) {
                        value(slot)
                    } else {
                        NOWHERE
                    }
                })
                .collect()
        };
        let reach = |slot: usize| 2.0 * settings.smoothing_radius * self.radius(slot);
        // In weights of the whole space, where sizes differ.
        let roots = |reach: f32| [1.0 / reach, 1.0 / (reach * reach * reach)];
        let shapes = match self.radii.is_empty() {
            true => roots(settings.smoothing_distance()).map(|root| vec![root]),
            false => [0, 1].map(|part| column(&|slot| roots(reach(slot))[part])),
        };
        Carriers {
            grid: &self.grid,
            aside: cells_within(settings.smoothing_radius / self.cell_width(), 0),
            parts: [
                column(&|slot| self.predicted[slot].x),
                column(&|slot| self.predicted[slot].y),
                column(&|slot| self.predicted[slot].z),
                column(&|slot| particles.velocities[slot].x),
                column(&|slot| particles.velocities[slot].y),
                column(&|slot| particles.velocities[slot].z),
                column(&|slot| particles.temperatures.get(slot)),
            ],
            shapes,
            seen: (0..if asks { count } else { 0 })
                .map(|_| AtomicBool::new(false))
                .collect(),
        }
    }

    /// Notes for how long gas has had no marker about it, at the end of a frame.
    pub(super) fn note_lonely(&mut self, seen: &[AtomicBool]) {
        let (dt, count) = (self.frame.dt, self.particles.len());
        if seen.len() != count {
            return;
        }
        self.particles.swirls.store(count);
        let phases = &self.particles.phases;
        for (slot, swirl) in self.particles.swirls.values_mut(count).iter_mut().enumerate() {
            let alone = phases[slot].has(Phase::GAS) && !seen[slot].load(Ordering::Relaxed);
            swirl.w = if alone { swirl.w + dt } else { 0.0 };
        }
    }
}

impl Carriers<'_> {
    /// Takes out who has been seen.
    pub(super) fn into_seen(self) -> Vec<AtomicBool> {
        self.seen
    }

    /// What there is about each marker of a chunk that is smoke.
    pub(super) fn about(&self, positions: &[Vec4], kinds: &[PassiveKind], carried: &mut [Carried]) {
        vector::run(About {
            carriers: self,
            positions,
            kinds,
            carried,
        });
    }

    #[inline(always)]
    fn around(&self, point: Vec3) -> Carried {
        let mut sums = [[0.0; LANES]; 5];
        self.grid.around(
            point,
            |_| self.aside,
            |from, to| {
                let (mut from, to) = (from as usize, to as usize);
                while from < to {
                    self.add(point, from, (to - from).min(LANES), &mut sums);
                    from += LANES;
                }
            },
        );
        let [weight, x, y, z, temperature] = sums.map(|lanes| {
            let [a, b, c, d, e, f, g, h] = lanes;
            ((a + e) + (c + g)) + ((b + f) + (d + h))
        });
        Carried {
            weight,
            velocity: Vec3::new(x, y, z),
            temperature,
        }
    }

    #[inline(always)]
    fn eight(values: &[f32], from: usize) -> Lanes {
        match values[from..].first_chunk() {
            Some(eight) => *eight,
            None => [NOWHERE; LANES],
        }
    }

    #[inline(always)]
    fn shape(&self, part: usize, from: usize) -> Lanes {
        match self.shapes[part][..] {
            [one] => [one; LANES],
            _ => Self::eight(&self.shapes[part], from),
        }
    }

    #[inline(always)]
    fn add(&self, point: Vec3, from: usize, count: usize, sums: &mut [Lanes; 5]) {
        let [x, y, z, u, v, w, t] = &self.parts;
        let ([x, y, z], [u, v, w, t]) = (
            [x, y, z].map(|values| Self::eight(values, from)),
            [u, v, w, t].map(|values| Self::eight(values, from)),
        );
        let [top, fall] = [0, 1].map(|part| self.shape(part, from));
        let mut weights = [0.0; LANES];
        for k in 0..LANES {
            let (x, y, z) = (x[k] - point.x, y[k] - point.y, z[k] - point.z);
            let root = (top[k] - fall[k] * (x * x + y * y + z * z)).max(0.0);
            let weight = root * root * root;
            weights[k] = if k < count { weight } else { 0.0 };
        }
        for k in 0..LANES {
            sums[0][k] += weights[k];
            sums[1][k] += weights[k] * u[k];
            sums[2][k] += weights[k] * v[k];
            sums[3][k] += weights[k] * w[k];
            sums[4][k] += weights[k] * t[k];
        }
        if !self.seen.is_empty() {
            for k in 0..count {
                if weights[k] > 0.0 {
                    self.seen[from + k].store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

struct About<'a> {
    carriers: &'a Carriers<'a>,
    positions: &'a [Vec4],
    kinds: &'a [PassiveKind],
    carried: &'a mut [Carried],
}

impl Kernel for About<'_> {
    #[inline(always)]
    fn run(self) {
        let markers = self.positions.iter().zip(self.kinds).zip(self.carried);
        for ((position, kind), carried) in markers {
            if *kind == PassiveKind::Smoke {
                *carried = self.carriers.around(position.xyz());
            }
        }
    }
}
