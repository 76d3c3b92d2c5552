//! Rows that keep curvatures, of four particles each. All at once: every row works out what it does, then every participant
//! moves by the sum of what its rows do. Or colour by colour: each colour sees what those before it did.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::super::CHUNK;
use super::super::shapes::NONE;
use super::Times;
use super::shared::SharedPositions;
use super::shares::Shares;
use crate::constraints::bending::{project, shared_mass};
use crate::constraints::softness::Response;
use crate::settings::ConstraintSolver;
use crate::store::batch::{ALIVE, Batch, acts};
use crate::store::{COLORS, CROWDED};

/// One row.
#[derive(Clone, Copy, Default)]
struct Row {
    ends: [u32; 4],
    weights: [f32; 4],
    /// What it has done in the sub-step, and did last.
    impulse: Vec4,
    change: Vec4,
    rest: f32,
    response: Response,
}

/// All rows, in the order of the store or colour by colour.
pub(super) struct BendRows {
    rows: Vec<Row>,
    /// Place in the store of each, and how far it yields; infinite for those that do nothing.
    places: Vec<u32>,
    softness: Vec<f32>,
    way: Way,
}

enum Way {
    /// The rows of each participant, and the sum of its weights in those that act.
    Jacobi { shares: Shares, totals: Vec<f32> },
    /// Where each colour ends.
    GaussSeidel {
        ends: Vec<usize>,
        positions: SharedPositions,
    },
}

impl BendRows {
    /// Of a number of participants, given the number of each by the index of its id.
    pub(super) fn new(batch: &Batch, numbers: &[u32], count: usize, solver: ConstraintSolver) -> Self {
        let mut places: Vec<u32> = batch.ids().map(|id| id.index).collect();
        if solver == ConstraintSolver::GaussSeidel {
            places.sort_by_key(|&place| batch.colors()[place as usize]);
        }
        let row = |&place: &u32| Row {
            ends: [0, 1, 2, 3].map(|k| numbers[batch.particles_of(place as usize)[k].index as usize]),
            weights: batch.weights()[place as usize],
            ..Row::default()
        };
        let rows: Vec<Row> = places.iter().map(row).collect();
        let way = match solver {
            ConstraintSolver::Jacobi => Way::Jacobi {
                shares: Shares::new(rows.iter().map(|row| (row.ends, row.weights)), count),
                totals: vec![0.0; count],
            },
            ConstraintSolver::GaussSeidel => {
                let mut ends = vec![0; COLORS];
                for &place in &places {
                    ends[batch.colors()[place as usize] as usize] += 1;
                }
                let mut before = 0;
                for end in &mut ends {
                    before += *end;
                    *end = before;
                }
                Way::GaussSeidel {
                    ends,
                    positions: SharedPositions::default(),
                }
            }
        };
        Self {
            softness: vec![f32::INFINITY; rows.len()],
            rows,
            places,
            way,
        }
    }

    /// Fetches rest values and softnesses of all rows.
    pub(super) fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        (&mut self.rows, &mut self.softness, &self.places)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(row, softness, &place)| {
                let place = place as usize;
                let there = row.ends.iter().all(|&end| slots[end as usize] != NONE);
                let act = there && batch.states()[place] & ALIVE != 0 && acts(batch.states()[place]);
                row.rest = if act { batch.rest()[place] } else { 0.0 };
                *softness = if act { batch.softness()[place] } else { f32::INFINITY };
            });
        if let Way::Jacobi { shares, totals } = &mut self.way {
            let softness = &self.softness;
            totals
                .par_iter_mut()
                .enumerate()
                .with_min_len(CHUNK)
                .for_each(|(number, total)| {
                    let acting = shares
                        .of(number)
                        .iter()
                        .filter(|share| softness[share.row as usize] < f32::INFINITY);
                    *total = acting.map(|share| share.weight.abs()).sum();
                });
        }
    }

    /// Begins a sub-step: no row has done anything yet.
    pub(super) fn begin(&mut self, positions: &[Vec4], times: Times) {
        let way = &self.way;
        (&mut self.rows, &self.softness)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(row, &softness)| {
                let masses = row.ends.map(|end| positions[end as usize].w);
                let totals = match way {
                    Way::Jacobi { totals, .. } => row.ends.map(|end| totals[end as usize]),
                    Way::GaussSeidel { .. } => row.weights.map(f32::abs),
                };
                let inverse_mass = shared_mass(row.weights, masses, totals);
                row.response = match inverse_mass > 0.0 {
                    true => Response::new(softness, inverse_mass, times.h, times.part),
                    false => Response::default(),
                };
                row.impulse = Vec4::ZERO;
            });
    }

    /// One iteration.
    pub(super) fn solve(&mut self, positions: &mut [Vec4]) {
        match &mut self.way {
            Way::Jacobi { shares, .. } => {
                let before = &*positions;
                self.rows
                    .par_iter_mut()
                    .with_min_len(CHUNK)
                    .for_each(|row| row.work_out(row.ends.map(|end| before[end as usize])));
                let rows = &self.rows;
                positions
                    .par_iter_mut()
                    .enumerate()
                    .with_min_len(CHUNK)
                    .for_each(|(number, position)| {
                        let mut sum = Vec4::ZERO;
                        for share in shares.of(number) {
                            sum += share.weight * rows[share.row as usize].change;
                        }
                        *position += position.w * sum;
                    });
            }
            Way::GaussSeidel { ends, positions: there } => {
                there.take(positions);
                let mut first = 0;
                for (color, &end) in ends.iter().enumerate() {
                    let rows = &mut self.rows[first..end];
                    if color == CROWDED as usize {
                        rows.iter_mut().for_each(|row| row.solve(there));
                    } else if !rows.is_empty() {
                        rows.par_iter_mut().with_min_len(CHUNK).for_each(|row| row.solve(there));
                    }
                    first = end;
                }
                there.give(positions);
            }
        }
    }

    /// Tells what each row has done in the sub-step.
    pub(super) fn impulses(&self, to: &mut [f32]) {
        for (row, &place) in self.rows.iter().zip(&self.places) {
            to[place as usize] = row.impulse.xyz().length();
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let way = match &self.way {
            Way::Jacobi { shares, totals } => shares.memory_bytes() + 4 * totals.capacity(),
            Way::GaussSeidel { ends, positions } => 8 * ends.capacity() + positions.memory_bytes(),
        };
        size_of::<Row>() * self.rows.capacity() + 4 * (self.places.capacity() + self.softness.capacity()) + way
    }
}

impl Row {
    #[inline]
    fn work_out(&mut self, [a, b, c, d]: [Vec4; 4]) {
        if self.response.step == 0.0 {
            self.change = Vec4::ZERO;
            return;
        }
        // The weights add up to zero, and differences of neighbours are exact.
        let (to_b, to_c, to_d) = ((b - a).xyz(), (c - a).xyz(), (d - a).xyz());
        let v = self.weights[1] * to_b + self.weights[2] * to_c + self.weights[3] * to_d;
        let normal = to_b.cross(to_c) + to_d.cross(to_b);
        let change = project(v, self.rest, normal, self.impulse.xyz(), self.response);
        self.change = change.extend(0.0);
        self.impulse += self.change;
    }

    fn solve(&mut self, positions: &SharedPositions) {
        let places = self.ends.map(|end| positions.get(end));
        self.work_out(places);
        if self.change == Vec4::ZERO {
            return;
        }
        for ((end, place), weight) in self.ends.into_iter().zip(places).zip(self.weights) {
            if weight != 0.0 {
                positions.set(end, place + place.w * weight * self.change);
            }
        }
    }
}
