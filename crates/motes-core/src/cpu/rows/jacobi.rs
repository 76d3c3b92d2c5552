//! Averaged Jacobi iteration over rows, by gather: every participant works out all of its rows and moves by their sum.
//!
//! As with contacts, the mass of a participant is shared among its rows by the directions they have (Tonge et al. 2012;
//! `relaxation.rs`), and what one end receives the other gives. The iterations of a sub-step are weighted by how many there are
//! (`chebyshev.rs`).

use glam::{Mat4, Vec3, Vec4};

use super::Times;
use super::ends::{Chunk, Ends, SIDE, Side};
use crate::constraints::chebyshev::Pace;
use crate::constraints::distance::{RESTS, SAME_PLACE, STATED, hasten, may_act, target};
use crate::constraints::relaxation::{Averaging, divisor};
use crate::constraints::softness::Response;
use crate::cpu::vector::Kernel;

/// The positions of eight participants, coordinate by coordinate, and their inverse masses.
#[inline(always)]
pub(super) fn fetch(positions: &[Vec4], at: impl Fn(usize) -> usize) -> [Side; 4] {
    let mut columns = [[0.0; SIDE]; 4];
    for half in [0, SIDE / 2] {
        let get = |lane: usize| positions[at(half + lane)];
        let transposed = Mat4::from_cols(get(0), get(1), get(2), get(3)).transpose();
        for (column, values) in columns.iter_mut().zip(transposed.to_cols_array_2d()) {
            column[half..half + SIDE / 2].copy_from_slice(&values);
        }
    }
    columns
}

/// The positions of eight participants in a row, of whom there may be fewer.
#[inline(always)]
fn fetch_own(positions: &[Vec4], first: usize) -> [Side; 4] {
    fetch(positions, |lane| (first + lane).min(positions.len() - 1))
}

/// One iteration over the rows of a task.
pub(super) struct SolveChunk<'a> {
    pub(super) chunk: &'a mut Chunk,
    pub(super) positions: &'a [Vec4],
    /// The first participant of the task.
    pub(super) first: usize,
    pub(super) next: &'a mut [Vec4],
    /// Effective inverse masses of the participants of the task.
    pub(super) mobilities: &'a [f32],
    pub(super) pace: Pace,
}

impl Kernel for SolveChunk<'_> {
    #[inline(always)]
    fn run(self) {
        let Chunk { starts, ends, .. } = self.chunk;
        let mobilities = self.mobilities.chunks(SIDE);
        for (eight, (next, mobilities)) in self.next.chunks_mut(SIDE).zip(mobilities).enumerate() {
            let first = self.first + eight * SIDE;
            if !any_moves(mobilities) {
                next.copy_from_slice(&self.positions[first..first + next.len()]);
                continue;
            }
            let own = fetch_own(self.positions, first);
            let mut sum = [[0.0; SIDE]; 3];
            for ends in &mut ends[starts[eight] as usize..starts[eight + 1] as usize] {
                if any_acts(&ends.step) {
                    solve(ends, &own, self.positions, self.pace, &mut sum);
                }
            }
            for (lane, next) in next.iter_mut().enumerate() {
                let sum = Vec3::new(sum[0][lane], sum[1][lane], sum[2][lane]);
                let old = Vec4::new(own[0][lane], own[1][lane], own[2][lane], own[3][lane]);
                *next = old + (old.w * sum).extend(0.0);
            }
        }
    }
}

/// Whether any of eight rows does anything.
#[inline(always)]
pub(super) fn any_acts(steps: &Side) -> bool {
    (0..SIDE).fold(false, |any, lane| any | (steps[lane] != 0.0))
}

/// Whether any of some participants moves by its rows: a pin may have thousands of tethers.
#[inline(always)]
fn any_moves(mobilities: &[f32]) -> bool {
    mobilities.iter().any(|&mobility| mobility > 0.0)
}

#[inline(always)]
fn solve(ends: &mut Ends, own: &[Side; 4], positions: &[Vec4], pace: Pace, sum: &mut [Side; 3]) {
    let other = fetch(positions, |lane| ends.partners[lane] as usize);
    for lane in 0..SIDE {
        let x = own[0][lane] - other[0][lane];
        let y = own[1][lane] - other[1][lane];
        let z = own[2][lane] - other[2][lane];
        let length = (x * x + y * y + z * z).sqrt();
        let response = Response {
            compliance: ends.compliance[lane],
            step: ends.step[lane],
        };
        let so_far = [ends.impulse[lane], ends.last[lane]];
        let more = hasten(length, ends.target[lane], so_far, response, pace);
        ends.last[lane] = more;
        ends.impulse[lane] += more;
        let per_length = more / length.max(SAME_PLACE);
        sum[0][lane] += per_length * x;
        sum[1][lane] += per_length * y;
        sum[2][lane] += per_length * z;
    }
}

/// Finds the effective inverse mass of each participant of a task, as any one of its rows sees it.
pub(super) struct DivideChunk<'a> {
    pub(super) chunk: &'a Chunk,
    pub(super) positions: &'a [Vec4],
    pub(super) first: usize,
    pub(super) mobilities: &'a mut [f32],
}

impl Kernel for DivideChunk<'_> {
    #[inline(always)]
    fn run(self) {
        let Chunk { starts, ends, origins } = self.chunk;
        for (eight, mobilities) in self.mobilities.chunks_mut(SIDE).enumerate() {
            let own = fetch_own(self.positions, self.first + eight * SIDE);
            if own[3].iter().all(|&inverse_mass| inverse_mass == 0.0) {
                mobilities.fill(0.0);
                continue;
            }
            let mut count = [0.0; SIDE];
            let mut sums = [[0.0; SIDE]; 6];
            for place in starts[eight] as usize..starts[eight + 1] as usize {
                let partners = &ends[place].partners;
                let other = fetch(self.positions, |lane| partners[lane] as usize);
                let (softness, rest) = (&origins[place].softness, &ends[place].rest);
                for lane in 0..SIDE {
                    let x = own[0][lane] - other[0][lane];
                    let y = own[1][lane] - other[1][lane];
                    let z = own[2][lane] - other[2][lane];
                    let squared = x * x + y * y + z * z;
                    let acts = (softness[lane] < f32::INFINITY) & may_act(rest[lane], squared);
                    let acts = if acts { 1.0 } else { 0.0 };
                    let weight = acts / squared.max(f32::MIN_POSITIVE);
                    count[lane] += acts;
                    sums[0][lane] += weight * (x * x);
                    sums[1][lane] += weight * (y * y);
                    sums[2][lane] += weight * (z * z);
                    sums[3][lane] += weight * (x * y);
                    sums[4][lane] += weight * (y * z);
                    sums[5][lane] += weight * (z * x);
                }
            }
            let mut found = [0.0; SIDE];
            for lane in 0..SIDE {
                let diagonal = Vec3::new(sums[0][lane], sums[1][lane], sums[2][lane]);
                let mixed = Vec3::new(sums[3][lane], sums[4][lane], sums[5][lane]);
                let mobility = own[3][lane] * divisor(Averaging::Directional, count[lane], diagonal, mixed);
                found[lane] = if count[lane] > 0.0 { mobility } else { RESTS };
            }
            let room = mobilities.len();
            mobilities.copy_from_slice(&found[..room]);
        }
    }
}

/// Finds how the rows of a task answer to their errors.
pub(super) struct RespondChunk<'a> {
    pub(super) chunk: &'a mut Chunk,
    /// Where the participants start the sub-step, and where they are going.
    pub(super) at_start: &'a [Vec4],
    pub(super) positions: &'a [Vec4],
    pub(super) mobilities: &'a [f32],
    pub(super) first: usize,
    pub(super) times: Times,
}

impl Kernel for RespondChunk<'_> {
    #[inline(always)]
    fn run(self) {
        let Chunk { starts, ends, origins } = self.chunk;
        let Times { h, part, .. } = self.times;
        for eight in 0..starts.len() - 1 {
            let first = self.first + eight * SIDE;
            let number = |lane: usize| (first + lane).min(self.mobilities.len() - 1);
            let (mut own_mobilities, mut others) = ([0.0; SIDE], [0.0; SIDE]);
            (0..SIDE).for_each(|lane| own_mobilities[lane] = self.mobilities[number(lane)]);
            let rests = !any_moves(&own_mobilities);
            let own = fetch_own(self.positions, first);
            for place in starts[eight] as usize..starts[eight + 1] as usize {
                let (ends, softness) = (&mut ends[place], &origins[place].softness);
                if rests {
                    (ends.step, ends.impulse, ends.last) = ([0.0; SIDE], [0.0; SIDE], [0.0; SIDE]);
                    continue;
                }
                let other = fetch(self.positions, |lane| ends.partners[lane] as usize);
                (0..SIDE).for_each(|lane| others[lane] = self.mobilities[ends.partners[lane] as usize]);
                let mut softness = *softness;
                for lane in 0..SIDE {
                    let x = own[0][lane] - other[0][lane];
                    let y = own[1][lane] - other[1][lane];
                    let z = own[2][lane] - other[2][lane];
                    let yields = own_mobilities[lane] + others[lane] > 0.0;
                    let acts = yields & may_act(ends.rest[lane], x * x + y * y + z * z);
                    softness[lane] = if acts { softness[lane] } else { f32::INFINITY };
                }
                if (0..SIDE).fold(true, |all, lane| all & (softness[lane] >= 0.0)) {
                    for lane in 0..SIDE {
                        let response = Response::of_compliance(softness[lane], own_mobilities[lane] + others[lane], h);
                        (ends.compliance[lane], ends.step[lane]) = (response.compliance, response.step);
                    }
                } else {
                    for lane in 0..SIDE {
                        let both = own_mobilities[lane] + others[lane];
                        let response = Response::new(softness[lane], both, h, part);
                        ends.compliance[lane] = if softness[lane] < 0.0 {
                            STATED
                        } else {
                            response.compliance
                        };
                        ends.step[lane] = response.step;
                    }
                }
                (ends.impulse, ends.last) = ([0.0; SIDE], [0.0; SIDE]);
                ends.target = ends.rest;
                if ends.rest.iter().any(|&rest| rest < 0.0) {
                    let own = fetch_own(self.at_start, first);
                    let other = fetch(self.at_start, |lane| ends.partners[lane] as usize);
                    for lane in 0..SIDE {
                        let x = own[0][lane] - other[0][lane];
                        let y = own[1][lane] - other[1][lane];
                        let z = own[2][lane] - other[2][lane];
                        let length = (x * x + y * y + z * z).sqrt();
                        ends.target[lane] = target(ends.rest[lane], length, h);
                    }
                }
            }
        }
    }
}
