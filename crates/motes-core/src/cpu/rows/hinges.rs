//! Curvatures that are solved all at once: eight rows side by side work out what they do, then every participant moves by the sum
//! of what its rows do.

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::super::CHUNK;
use super::Times;
use super::bends::Hinge;
use super::ends::{SIDE, Side, TASK};
use super::jacobi::fetch;
use super::shares::Shares;
use crate::constraints::bending::{project, shared_mass};
use crate::constraints::softness::Response;
use crate::cpu::vector::{self, Kernel};

/// Eight rows; the last may be fewer, and the rest of them do nothing.
#[derive(Clone, Copy, Default)]
struct Eight {
    ends: [[u32; SIDE]; 4],
    weights: [Side; 4],
    rest: Side,
    compliance: Side,
    step: Side,
    /// What they have done in the sub-step.
    impulse: [Side; 3],
}

pub(super) struct Hinges {
    eights: Vec<Eight>,
    /// What each row did last.
    changes: Vec<Vec4>,
    /// The rows of each participant, and the sum of its weights in those that act.
    shares: Shares,
    totals: Vec<f32>,
}

impl Hinges {
    /// Of rows with these participants, of whom there are `count`.
    pub(super) fn new(rows: &[Hinge], count: usize) -> Self {
        let mut eights = vec![Eight::default(); rows.len().div_ceil(SIDE)];
        for (row, hinge) in rows.iter().enumerate() {
            let (eight, lane) = (&mut eights[row / SIDE], row % SIDE);
            for k in 0..4 {
                eight.ends[k][lane] = hinge.ends[k];
                eight.weights[k][lane] = hinge.weights[k];
            }
        }
        Self {
            changes: vec![Vec4::ZERO; SIDE * eights.len()],
            eights,
            shares: Shares::new(rows.iter().map(|hinge| (hinge.ends, hinge.weights)), count),
            totals: vec![0.0; count],
        }
    }

    /// Takes rest values in, and which rows act: those that yield less than infinitely.
    pub(super) fn fill(&mut self, rest: &[f32], softness: &[f32]) {
        for (eight, rest) in self.eights.iter_mut().zip(rest.chunks(SIDE)) {
            eight.rest[..rest.len()].copy_from_slice(rest);
        }
        let shares = &self.shares;
        self.totals
            .par_iter_mut()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(number, total)| {
                let acting = { shares.of(number).iter() }.filter(|share| softness[share.row as usize] < f32::INFINITY);
                *total = acting.map(|share| share.weight.abs()).sum();
            });
    }

    /// Begins a sub-step: no row has done anything yet.
    pub(super) fn begin(&mut self, softness: &[f32], positions: &[Vec4], times: Times) {
        let totals = &self.totals;
        (&mut self.eights, softness.par_chunks(SIDE))
            .into_par_iter()
            .with_min_len(CHUNK / SIDE)
            .for_each(|(eight, softness)| {
                for (lane, &softness) in softness.iter().enumerate() {
                    let ends = eight.ends.map(|ends| ends[lane] as usize);
                    let masses = ends.map(|end| positions[end].w);
                    let weights = eight.weights.map(|weights| weights[lane]);
                    let inverse_mass = shared_mass(weights, masses, ends.map(|end| totals[end]));
                    let response = match inverse_mass > 0.0 {
                        true => Response::new(softness, inverse_mass, times.h, times.part),
                        false => Response::default(),
                    };
                    (eight.compliance[lane], eight.step[lane]) = (response.compliance, response.step);
                }
                eight.impulse = [[0.0; SIDE]; 3];
            });
    }

    /// One iteration.
    pub(super) fn solve(&mut self, positions: &mut [Vec4]) {
        let before = &*positions;
        (
            self.eights.par_chunks_mut(TASK / SIDE),
            self.changes.par_chunks_mut(TASK),
        )
            .into_par_iter()
            .with_min_len(CHUNK / TASK)
            .for_each(|(eights, changes)| {
                vector::run(WorkOut {
                    eights,
                    changes,
                    positions: before,
                });
            });
        let (shares, changes) = (&self.shares, &self.changes);
        positions
            .par_iter_mut()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(number, position)| {
                let mut sum = Vec4::ZERO;
                for share in shares.of(number) {
                    sum += share.weight * changes[share.row as usize];
                }
                *position += position.w * sum;
            });
    }

    /// How much each row has done in the sub-step, of as many as there are places for.
    pub(super) fn impulses(&self) -> impl Iterator<Item = f32> {
        self.eights.iter().flat_map(|eight| {
            (0..SIDE).map(|lane| Vec3::from_array(eight.impulse.map(|impulse| impulse[lane])).length())
        })
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Eight>() * self.eights.capacity()
            + 16 * self.changes.capacity()
            + self.shares.memory_bytes()
            + 4 * self.totals.capacity()
    }
}

/// What some rows do in an iteration.
struct WorkOut<'a> {
    eights: &'a mut [Eight],
    changes: &'a mut [Vec4],
    positions: &'a [Vec4],
}

impl Kernel for WorkOut<'_> {
    #[inline(always)]
    fn run(self) {
        for (eight, changes) in self.eights.iter_mut().zip(self.changes.chunks_mut(SIDE)) {
            work_out(eight, changes, self.positions);
        }
    }
}

#[inline(always)]
fn work_out(eight: &mut Eight, changes: &mut [Vec4], positions: &[Vec4]) {
    let places = [0, 1, 2, 3].map(|k| fetch(positions, |lane| eight.ends[k][lane] as usize));
    let is_flat = eight.rest.iter().all(|&rest| rest == 0.0);
    // The weights add up to zero, and differences of neighbours are exact.
    let from_first = |end: usize, k: usize, lane: usize| places[end][k][lane] - places[0][k][lane];
    if is_flat {
        let mut change = [[0.0; SIDE]; 3];
        for (k, change) in change.iter_mut().enumerate() {
            for (lane, change) in change.iter_mut().enumerate() {
                let v = eight.weights[1][lane] * from_first(1, k, lane)
                    + eight.weights[2][lane] * from_first(2, k, lane)
                    + eight.weights[3][lane] * from_first(3, k, lane);
                *change = -(v + eight.compliance[lane] * eight.impulse[k][lane]) * eight.step[lane];
                eight.impulse[k][lane] += *change;
            }
        }
        for (lane, to) in changes.iter_mut().enumerate() {
            *to = Vec4::new(change[0][lane], change[1][lane], change[2][lane], 0.0);
        }
        return;
    }
    for (lane, to) in changes.iter_mut().enumerate() {
        let [b, c, d] = [1, 2, 3].map(|end| Vec3::from_array([0, 1, 2].map(|k| from_first(end, k, lane))));
        let v = eight.weights[1][lane] * b + eight.weights[2][lane] * c + eight.weights[3][lane] * d;
        let normal = b.cross(c) + d.cross(b);
        let impulse = Vec3::from_array([0, 1, 2].map(|k| eight.impulse[k][lane]));
        let response = Response {
            compliance: eight.compliance[lane],
            step: eight.step[lane],
        };
        let own = match response.step > 0.0 {
            true => project(v, eight.rest[lane], normal, impulse, response),
            false => Vec3::ZERO,
        };
        for (impulse, own) in eight.impulse.iter_mut().zip(own.to_array()) {
            impulse[lane] += own;
        }
        *to = own.extend(0.0);
    }
}
