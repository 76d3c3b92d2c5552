//! Rows that keep curvatures, eight side by side and all at once: every row works out what it does, then every participant moves by
//! the sum of what its rows do. Lines of three particles, of which sheets have the most, do not pay for a fourth.

use glam::{Mat4, Vec3, Vec4};
use rayon::prelude::*;

use super::Times;
use super::ends::{SIDE, Side, TASK};
use super::jacobi::{any_acts, fetch};
use super::shares::{Share, Shares};
use crate::constraints::bending::{project, shared_mass};
use crate::constraints::softness::Response;
use crate::cpu::shapes::NONE;
use crate::cpu::vector::{self, Kernel};
use crate::particles::ParticleId;
use crate::store::batch::{ALIVE, Batch, acts};

/// Eights of rows in a task. Fixed, so that results do not depend on the number of threads.
const EIGHTS: usize = TASK / SIDE;

/// Eight rows of `N` participants each. Where there are fewer, rows that do nothing.
#[derive(Clone, Copy)]
struct Eight<const N: usize> {
    ends: [[u32; SIDE]; N],
    weights: [Side; N],
    rest: Side,
    compliance: Side,
    /// 0 of what does nothing.
    step: Side,
    /// What they have done in the sub-step.
    impulse: [Side; 3],
}

/// Rows of `N` participants.
struct Rows<const N: usize> {
    eights: Vec<Eight<N>>,
    /// Place in the store of each, and how far it yields; infinite for those that do nothing.
    places: Vec<u32>,
    softness: Vec<f32>,
}

/// All rows that keep curvatures.
pub(super) struct BendLanes {
    lines: Rows<3>,
    folds: Rows<4>,
    /// What each row did last, lines first.
    changes: Vec<Vec4>,
    /// The rows of each participant, in the order of the store, and the sum of its weights in those that act.
    shares: Shares,
    totals: Vec<f32>,
}

impl BendLanes {
    /// Of a number of participants, given the number of each by the index of its id.
    pub(super) fn new(batch: &Batch, numbers: &[u32], count: usize) -> Self {
        let all: Vec<u32> = batch.ids().map(|id| id.index).collect();
        let all = || all.iter().copied();
        let is_line = |&row: &u32| {
            let particles = batch.particles_of(row as usize);
            particles[2] == particles[3] && batch.weights()[row as usize][3] == 0.0
        };
        let lines = Rows::new(batch, numbers, all().filter(is_line).collect());
        let folds = Rows::new(batch, numbers, all().filter(|row| !is_line(row)).collect());
        let mut names = vec![NONE; batch.places()];
        let places = lines.places.iter().chain(&folds.places);
        for (name, &place) in (0..).zip(places).filter(|(_, place)| **place != NONE) {
            names[place as usize] = name;
        }
        let names = &names;
        let shares = all().flat_map(|row| {
            let particles = batch
                .particles_of(row as usize)
                .iter()
                .zip(batch.weights()[row as usize]);
            let name = names[row as usize];
            let share =
                move |(id, weight): (&ParticleId, f32)| (numbers[id.index as usize], Share { row: name, weight });
            particles.filter(|&(_, weight)| weight != 0.0).map(share)
        });
        Self {
            changes: vec![Vec4::ZERO; lines.places.len() + folds.places.len()],
            shares: Shares::new(shares, count),
            totals: vec![0.0; count],
            lines,
            folds,
        }
    }

    /// Fetches rest values and softnesses of all rows.
    pub(super) fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        self.lines.fill(batch, slots);
        self.folds.fill(batch, slots);
        let (lines, folds) = (&self.lines.softness, &self.folds.softness);
        let softness = |row: u32| {
            lines
                .get(row as usize)
                .unwrap_or_else(|| &folds[row as usize - lines.len()])
        };
        let shares = &self.shares;
        (self.totals.par_iter_mut().enumerate().with_min_len(TASK)).for_each(|(number, total)| {
            let acting = shares
                .of(number)
                .iter()
                .filter(|share| *softness(share.row) < f32::INFINITY);
            *total = acting.map(|share| share.weight.abs()).sum();
        });
    }

    /// Begins a sub-step: no row has done anything yet.
    pub(super) fn begin(&mut self, positions: &[Vec4], times: Times) {
        self.lines.begin(positions, &self.totals, times);
        self.folds.begin(positions, &self.totals, times);
    }

    /// One iteration.
    pub(super) fn solve(&mut self, positions: &mut [Vec4]) {
        let (of_lines, of_folds) = self.changes.split_at_mut(self.lines.places.len());
        rayon::join(
            || self.lines.solve(positions, of_lines),
            || self.folds.solve(positions, of_folds),
        );
        let (shares, changes) = (&self.shares, &self.changes);
        (positions.par_chunks_mut(TASK).enumerate()).for_each(|(task, positions)| {
            for (number, position) in (task * TASK..).zip(positions) {
                let mut sum = Vec4::ZERO;
                for share in shares.of(number) {
                    sum += share.weight * changes[share.row as usize];
                }
                *position += position.w * sum;
            }
        });
    }

    /// Tells what each row has done in the sub-step.
    pub(super) fn impulses(&self, to: &mut [f32]) {
        self.lines.impulses(to);
        self.folds.impulses(to);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.lines.memory_bytes()
            + self.folds.memory_bytes()
            + 16 * self.changes.capacity()
            + self.shares.memory_bytes()
            + 4 * self.totals.capacity()
    }
}

impl<const N: usize> Rows<N> {
    fn new(batch: &Batch, numbers: &[u32], mut places: Vec<u32>) -> Self {
        places.resize(places.len().next_multiple_of(SIDE), NONE);
        let eight = |places: &[u32; SIDE]| {
            let mut eight = Eight::NOTHING;
            for (lane, &place) in places.iter().enumerate().filter(|(_, place)| **place != NONE) {
                for k in 0..N {
                    eight.ends[k][lane] = numbers[batch.particles_of(place as usize)[k].index as usize];
                    eight.weights[k][lane] = batch.weights()[place as usize][k];
                }
            }
            eight
        };
        Self {
            eights: places.as_chunks().0.iter().map(eight).collect(),
            softness: vec![f32::INFINITY; places.len()],
            places,
        }
    }

    fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        let rows = (&self.places, &mut self.softness);
        let eights = self.eights.par_iter_mut().with_min_len(EIGHTS);
        (eights, rows.0.par_chunks(SIDE), rows.1.par_chunks_mut(SIDE))
            .into_par_iter()
            .for_each(|(eight, places, softness)| {
                for (lane, (&place, softness)) in places.iter().zip(softness).enumerate() {
                    let there = eight.ends.iter().all(|ends| slots[ends[lane] as usize] != NONE);
                    let state = batch.states().get(place as usize).copied().unwrap_or(0);
                    let act = there && state & ALIVE != 0 && acts(state);
                    eight.rest[lane] = if act { batch.rest()[place as usize] } else { 0.0 };
                    *softness = if act {
                        batch.softness()[place as usize]
                    } else {
                        f32::INFINITY
                    };
                }
            });
    }

    fn begin(&mut self, positions: &[Vec4], totals: &[f32], times: Times) {
        let tasks = self.eights.par_chunks_mut(EIGHTS).zip(self.softness.par_chunks(TASK));
        tasks.for_each(|(eights, softness)| {
            vector::run(Respond {
                eights,
                softness,
                positions,
                totals,
                times,
            });
        });
    }

    fn solve(&mut self, positions: &[Vec4], changes: &mut [Vec4]) {
        let tasks = self.eights.par_chunks_mut(EIGHTS).zip(changes.par_chunks_mut(TASK));
        tasks.for_each(|(eights, changes)| {
            vector::run(WorkOut {
                eights,
                positions,
                changes,
            });
        });
    }

    fn impulses(&self, to: &mut [f32]) {
        for (eight, places) in self.eights.iter().zip(self.places.chunks(SIDE)) {
            for (lane, &place) in places.iter().enumerate().filter(|(_, place)| **place != NONE) {
                let [x, y, z] = eight.impulse.map(|values| values[lane]);
                to[place as usize] = Vec3::new(x, y, z).length();
            }
        }
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Eight<N>>() * self.eights.capacity() + 4 * (self.places.capacity() + self.softness.capacity())
    }
}

/// Finds how the rows of a task answer to their errors.
struct Respond<'a, const N: usize> {
    eights: &'a mut [Eight<N>],
    softness: &'a [f32],
    positions: &'a [Vec4],
    totals: &'a [f32],
    times: Times,
}

impl<const N: usize> Kernel for Respond<'_, N> {
    #[inline(always)]
    fn run(self) {
        let Times { h, part, .. } = self.times;
        for (eight, softness) in self.eights.iter_mut().zip(self.softness.as_chunks::<SIDE>().0) {
            let (mut masses, mut totals) = ([[0.0; SIDE]; 4], [[0.0; SIDE]; 4]);
            let mut weights = [[0.0; SIDE]; 4];
            for k in 0..N {
                for lane in 0..SIDE {
                    let end = eight.ends[k][lane] as usize;
                    (masses[k][lane], totals[k][lane]) = (self.positions[end].w, self.totals[end]);
                    weights[k][lane] = eight.weights[k][lane];
                }
            }
            let mut inverse_mass = [0.0; SIDE];
            for lane in 0..SIDE {
                let of = |values: &[Side; 4]| [values[0][lane], values[1][lane], values[2][lane], values[3][lane]];
                inverse_mass[lane] = shared_mass(of(&weights), of(&masses), of(&totals));
            }
            let mut found = [Response::default(); SIDE];
            if (0..SIDE).fold(true, |all, lane| all & (softness[lane] >= 0.0)) {
                for lane in 0..SIDE {
                    found[lane] = Response::of_compliance(softness[lane], inverse_mass[lane], h);
                }
            } else {
                for lane in 0..SIDE {
                    found[lane] = Response::new(softness[lane], inverse_mass[lane], h, part);
                }
            }
            for lane in 0..SIDE {
                let moves = inverse_mass[lane] > 0.0;
                eight.compliance[lane] = if moves { found[lane].compliance } else { 0.0 };
                eight.step[lane] = if moves { found[lane].step } else { 0.0 };
            }
            eight.impulse = [[0.0; SIDE]; 3];
        }
    }
}

/// What the rows of a task do.
struct WorkOut<'a, const N: usize> {
    eights: &'a mut [Eight<N>],
    positions: &'a [Vec4],
    changes: &'a mut [Vec4],
}

impl<const N: usize> Kernel for WorkOut<'_, N> {
    #[inline(always)]
    fn run(self) {
        for (eight, changes) in self.eights.iter_mut().zip(self.changes.as_chunks_mut().0) {
            if any_acts(&eight.step) {
                eight.work_out(self.positions, changes);
            } else {
                *changes = [Vec4::ZERO; SIDE];
            }
        }
    }
}

impl<const N: usize> Eight<N> {
    const NOTHING: Self = Self {
        ends: [[0; SIDE]; N],
        weights: [[0.0; SIDE]; N],
        rest: [0.0; SIDE],
        compliance: [0.0; SIDE],
        step: [0.0; SIDE],
        impulse: [[0.0; SIDE]; 3],
    };

    #[expect(clippy::needless_range_loop, reason = "lanes of several arrays side by side")]
    #[inline(always)]
    fn work_out(&mut self, positions: &[Vec4], changes: &mut [Vec4; SIDE]) {
        let first = fetch(positions, |lane| self.ends[0][lane] as usize);
        // The weights add up to zero, and differences of neighbours are exact.
        let mut away = [[[0.0; SIDE]; 3]; 3];
        let mut v = [[0.0; SIDE]; 3];
        for k in 1..N {
            let other = fetch(positions, |lane| self.ends[k][lane] as usize);
            for axis in 0..3 {
                for lane in 0..SIDE {
                    let to = other[axis][lane] - first[axis][lane];
                    away[k - 1][axis][lane] = to;
                    v[axis][lane] += self.weights[k][lane] * to;
                }
            }
        }
        let mut change = [[0.0; SIDE]; 4];
        if !any_acts(&self.rest) {
            for axis in 0..3 {
                for lane in 0..SIDE {
                    let wanted = v[axis][lane] + self.compliance[lane] * self.impulse[axis][lane];
                    change[axis][lane] = -wanted * self.step[lane];
                }
            }
        } else {
            let at = |values: &[Side; 3], lane: usize| Vec3::new(values[0][lane], values[1][lane], values[2][lane]);
            for lane in 0..SIDE {
                let (to_b, to_c, to_d) = (at(&away[0], lane), at(&away[1], lane), at(&away[N - 2], lane));
                let normal = to_b.cross(to_c) + to_d.cross(to_b);
                let response = Response {
                    compliance: self.compliance[lane],
                    step: self.step[lane],
                };
                let found = project(at(&v, lane), self.rest[lane], normal, at(&self.impulse, lane), response);
                for axis in 0..3 {
                    change[axis][lane] = found[axis];
                }
            }
        }
        for axis in 0..3 {
            for lane in 0..SIDE {
                // What does nothing must not do so to what has become infinite.
                let acts = self.step[lane] != 0.0;
                change[axis][lane] = if acts { change[axis][lane] } else { 0.0 };
                self.impulse[axis][lane] += change[axis][lane];
            }
        }
        for (half, changes) in changes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let column = |axis: usize| Vec4::from_slice(&change[axis][4 * half..]);
            let columns = Mat4::from_cols(column(0), column(1), column(2), column(3)).transpose();
            *changes = [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis];
        }
    }
}
