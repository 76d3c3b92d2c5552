//! Rows that keep curvatures, of four particles each: all at once, or colour by colour, when each colour sees what those before it
//! did.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::super::CHUNK;
use super::super::shapes::NONE;
use super::Times;
use super::bend_lanes::BendLanes;
use super::shared::SharedPositions;
use crate::constraints::bending::{project, shared_mass};
use crate::constraints::softness::Response;
use crate::settings::ConstraintSolver;
use crate::store::batch::{ALIVE, Batch, acts};
use crate::store::{COLORS, CROWDED};

/// All rows, in the order that a way to solve them wants.
pub(super) enum BendRows {
    Jacobi(BendLanes),
    GaussSeidel(ColoredBends),
}

impl BendRows {
    /// Of a number of participants, given the number of each by the index of its id.
    pub(super) fn new(batch: &Batch, numbers: &[u32], count: usize, solver: ConstraintSolver) -> Self {
        match solver {
            ConstraintSolver::Jacobi => Self::Jacobi(BendLanes::new(batch, numbers, count)),
            ConstraintSolver::GaussSeidel => Self::GaussSeidel(ColoredBends::new(batch, numbers)),
        }
    }

    /// Fetches rest values and softnesses of all rows.
    pub(super) fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        match self {
            Self::Jacobi(lanes) => lanes.fill(batch, slots),
            Self::GaussSeidel(colored) => colored.fill(batch, slots),
        }
    }

    /// Begins a sub-step: no row has done anything yet.
    pub(super) fn begin(&mut self, positions: &[Vec4], times: Times) {
        match self {
            Self::Jacobi(lanes) => lanes.begin(positions, times),
            Self::GaussSeidel(colored) => colored.begin(positions, times),
        }
    }

    /// One iteration.
    pub(super) fn solve(&mut self, positions: &mut [Vec4]) {
        match self {
            Self::Jacobi(lanes) => lanes.solve(positions),
            Self::GaussSeidel(colored) => colored.solve(positions),
        }
    }

    /// Tells what each row has done in the sub-step.
    pub(super) fn impulses(&self, to: &mut [f32]) {
        match self {
            Self::Jacobi(lanes) => lanes.impulses(to),
            Self::GaussSeidel(colored) => colored.impulses(to),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match self {
            Self::Jacobi(lanes) => lanes.memory_bytes(),
            Self::GaussSeidel(colored) => colored.memory_bytes(),
        }
    }
}

/// One row.
#[derive(Clone, Copy, Default)]
struct Row {
    ends: [u32; 4],
    weights: [f32; 4],
    /// What it has done in the sub-step.
    impulse: Vec4,
    rest: f32,
    response: Response,
}

/// All rows, colour by colour.
pub(super) struct ColoredBends {
    rows: Vec<Row>,
    /// Place in the store of each, and how far it yields; infinite for those that do nothing.
    places: Vec<u32>,
    softness: Vec<f32>,
    /// Where each colour ends.
    ends: Vec<usize>,
    positions: SharedPositions,
}

impl ColoredBends {
    fn new(batch: &Batch, numbers: &[u32]) -> Self {
        let mut places: Vec<u32> = batch.ids().map(|id| id.index).collect();
        places.sort_by_key(|&place| batch.colors()[place as usize]);
        let row = |&place: &u32| Row {
            ends: [0, 1, 2, 3].map(|k| numbers[batch.particles_of(place as usize)[k].index as usize]),
            weights: batch.weights()[place as usize],
            ..Row::default()
        };
        let rows: Vec<Row> = places.iter().map(row).collect();
        let mut ends = vec![0; COLORS];
        for &place in &places {
            ends[batch.colors()[place as usize] as usize] += 1;
        }
        let mut before = 0;
        for end in &mut ends {
            before += *end;
            *end = before;
        }
        Self {
            softness: vec![f32::INFINITY; rows.len()],
            rows,
            places,
            ends,
            positions: SharedPositions::default(),
        }
    }

    fn fill(&mut self, batch: &Batch, slots: &[u32]) {
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
    }

    fn begin(&mut self, positions: &[Vec4], times: Times) {
        (&mut self.rows, &self.softness)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(row, &softness)| {
                let masses = row.ends.map(|end| positions[end as usize].w);
                let inverse_mass = shared_mass(row.weights, masses, row.weights.map(f32::abs));
                row.response = match inverse_mass > 0.0 {
                    true => Response::new(softness, inverse_mass, times.h, times.part),
                    false => Response::default(),
                };
                row.impulse = Vec4::ZERO;
            });
    }

    fn solve(&mut self, positions: &mut [Vec4]) {
        self.positions.take(positions);
        let there = &self.positions;
        let mut first = 0;
        for (color, &end) in self.ends.iter().enumerate() {
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

    fn impulses(&self, to: &mut [f32]) {
        for (row, &place) in self.rows.iter().zip(&self.places) {
            to[place as usize] = row.impulse.xyz().length();
        }
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Row>() * self.rows.capacity()
            + 4 * (self.places.capacity() + self.softness.capacity())
            + 8 * self.ends.capacity()
            + self.positions.memory_bytes()
    }
}

impl Row {
    fn solve(&mut self, positions: &SharedPositions) {
        if self.response.step == 0.0 {
            return;
        }
        let places @ [a, b, c, d] = self.ends.map(|end| positions.get(end));
        // The weights add up to zero, and differences of neighbours are exact.
        let (to_b, to_c, to_d) = ((b - a).xyz(), (c - a).xyz(), (d - a).xyz());
        let v = self.weights[1] * to_b + self.weights[2] * to_c + self.weights[3] * to_d;
        let normal = to_b.cross(to_c) + to_d.cross(to_b);
        let change = project(v, self.rest, normal, self.impulse.xyz(), self.response).extend(0.0);
        self.impulse += change;
        for ((end, place), weight) in self.ends.into_iter().zip(places).zip(self.weights) {
            if weight != 0.0 {
                positions.set(end, place + place.w * weight * change);
            }
        }
    }
}
