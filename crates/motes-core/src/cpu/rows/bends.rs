//! Rows that keep curvatures, of four particles each. All at once, or colour by colour: each colour sees what those before it did.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::super::CHUNK;
use super::super::shapes::NONE;
use super::Times;
use super::hinges::Hinges;
use super::shared::SharedPositions;
use crate::constraints::bending::{project, shared_mass};
use crate::constraints::softness::Response;
use crate::settings::ConstraintSolver;
use crate::store::batch::{ALIVE, Batch, acts};
use crate::store::{COLORS, CROWDED};

/// The participants of a row, and their weights.
#[derive(Clone, Copy, Default)]
pub(super) struct Hinge {
    pub(super) ends: [u32; 4],
    pub(super) weights: [f32; 4],
}

/// One row that is solved on its own.
#[derive(Clone, Copy, Default)]
struct Row {
    hinge: Hinge,
    /// What it has done in the sub-step.
    impulse: Vec4,
    rest: f32,
    response: Response,
}

/// All rows, in the order of the store or colour by colour.
pub(super) struct BendRows {
    /// Place in the store of each, and how far it yields; infinite for those that do nothing.
    places: Vec<u32>,
    softness: Vec<f32>,
    way: Way,
}

enum Way {
    Jacobi(Hinges),
    /// The rows, and where each colour ends.
    GaussSeidel {
        rows: Vec<Row>,
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
        let hinge = |&place: &u32| Hinge {
            ends: [0, 1, 2, 3].map(|k| numbers[batch.particles_of(place as usize)[k].index as usize]),
            weights: batch.weights()[place as usize],
        };
        let hinges: Vec<Hinge> = places.iter().map(hinge).collect();
        let way = match solver {
            ConstraintSolver::Jacobi => Way::Jacobi(Hinges::new(&hinges, count)),
            ConstraintSolver::GaussSeidel => {
                let mut ends = vec![0; COLORS];
                for &place in &places {
                    ends[batch.colors()[place as usize] as usize] += 1;
                }
                let mut count = 0;
                for end in &mut ends {
                    count += *end;
                    *end = count;
                }
                let row = |hinge| Row {
                    hinge,
                    ..Row::default()
                };
                Way::GaussSeidel {
                    rows: hinges.into_iter().map(row).collect(),
                    ends,
                    positions: SharedPositions::default(),
                }
            }
        };
        Self {
            softness: vec![f32::INFINITY; places.len()],
            places,
            way,
        }
    }

    /// Fetches rest values and softnesses of all rows.
    pub(super) fn fill(&mut self, batch: &Batch, numbers: &[u32], slots: &[u32]) {
        let state = |place: u32| {
            let place = place as usize;
            let mut ends = batch.particles_of(place).iter().map(|id| numbers[id.index as usize]);
            let alive = batch.states()[place] & ALIVE != 0 && acts(batch.states()[place]);
            let act = alive && ends.all(|end| slots[end as usize] != NONE);
            match act {
                true => (batch.rest()[place], batch.softness()[place]),
                false => (0.0, f32::INFINITY),
            }
        };
        let places = self.places.par_iter().with_min_len(CHUNK);
        let (rest, softness): (Vec<f32>, Vec<f32>) = places.map(|&place| state(place)).unzip();
        match &mut self.way {
            Way::Jacobi(hinges) => hinges.fill(&rest, &softness),
            Way::GaussSeidel { rows, .. } => {
                rows.iter_mut().zip(rest).for_each(|(row, rest)| row.rest = rest);
            }
        }
        self.softness = softness;
    }

    /// Begins a sub-step: no row has done anything yet.
    pub(super) fn begin(&mut self, positions: &[Vec4], times: Times) {
        let rows = match &mut self.way {
            Way::Jacobi(hinges) => return hinges.begin(&self.softness, positions, times),
            Way::GaussSeidel { rows, .. } => rows,
        };
        (rows, &self.softness)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(row, &softness)| {
                let masses = row.hinge.ends.map(|end| positions[end as usize].w);
                let weights = row.hinge.weights;
                let inverse_mass = shared_mass(weights, masses, weights.map(f32::abs));
                row.response = match inverse_mass > 0.0 {
                    true => Response::new(softness, inverse_mass, times.h, times.part),
                    false => Response::default(),
                };
                row.impulse = Vec4::ZERO;
            });
    }

    /// One iteration.
    pub(super) fn solve(&mut self, positions: &mut [Vec4]) {
        let (rows, ends, there) = match &mut self.way {
            Way::Jacobi(hinges) => return hinges.solve(positions),
            Way::GaussSeidel { rows, ends, positions } => (rows, ends, positions),
        };
        there.take(positions);
        let mut first = 0;
        for (color, &end) in ends.iter().enumerate() {
            let rows = &mut rows[first..end];
            if color == CROWDED as usize {
                rows.iter_mut().for_each(|row| row.solve(there));
            } else if !rows.is_empty() {
                rows.par_iter_mut().with_min_len(CHUNK).for_each(|row| row.solve(there));
            }
            first = end;
        }
        there.give(positions);
    }

    /// Tells what each row has done in the sub-step.
    pub(super) fn impulses(&self, to: &mut [f32]) {
        let mut tell = |place: u32, impulse: f32| to[place as usize] = impulse;
        match &self.way {
            Way::Jacobi(hinges) => {
                let told = self.places.iter().zip(hinges.impulses());
                told.for_each(|(&place, impulse)| tell(place, impulse));
            }
            Way::GaussSeidel { rows, .. } => {
                let told = self.places.iter().zip(rows);
                told.for_each(|(&place, row)| tell(place, row.impulse.xyz().length()));
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let way = match &self.way {
            Way::Jacobi(hinges) => hinges.memory_bytes(),
            Way::GaussSeidel { rows, ends, positions } => {
                size_of::<Row>() * rows.capacity() + 8 * ends.capacity() + positions.memory_bytes()
            }
        };
        4 * (self.places.capacity() + self.softness.capacity()) + way
    }
}

impl Row {
    fn solve(&mut self, positions: &SharedPositions) {
        if self.response.step == 0.0 {
            return;
        }
        let Hinge { ends, weights } = self.hinge;
        let places = ends.map(|end| positions.get(end));
        let [a, b, c, d] = places;
        // The weights add up to zero, and differences of neighbours are exact.
        let (to_b, to_c, to_d) = ((b - a).xyz(), (c - a).xyz(), (d - a).xyz());
        let v = weights[1] * to_b + weights[2] * to_c + weights[3] * to_d;
        let normal = to_b.cross(to_c) + to_d.cross(to_b);
        let change = project(v, self.rest, normal, self.impulse.xyz(), self.response).extend(0.0);
        self.impulse += change;
        for ((end, place), weight) in ends.into_iter().zip(places).zip(weights) {
            if weight != 0.0 {
                positions.set(end, place + place.w * weight * change);
            }
        }
    }
}
