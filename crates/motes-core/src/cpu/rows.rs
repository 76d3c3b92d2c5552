//! Rows of the store: where their particles are, and the two ways to solve them.
//!
//! Particles that have rows are *participants*, numbered in the order of the grid when rows were added last: neighbours by
//! rows stay neighbours in memory however they move, and however the engine sorts them.

mod colored;
mod ends;
mod hauling;
mod jacobi;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use self::colored::ColoredRows;
use self::ends::EndLists;
use self::hauling::Hauling;
use super::shapes::NONE;
use super::{CHUNK, State};
use crate::constraints::distance::{HOLDS, overlong};
use crate::constraints::relaxation::{Averaging, divisor};
use crate::constraints::softness::iteration_part;
use crate::particles::ParticleId;
use crate::settings::ConstraintSolver;
use crate::store::batch::{Batch, FOLLOWS, acts};
use crate::store::{ConstraintKind, Constraints};

/// What the engine knows of rows besides what they are.
#[derive(Default)]
pub(super) struct RowWork {
    /// Who the participants are, and the number of each by the index of its id.
    ids: Vec<ParticleId>,
    numbers: Vec<u32>,
    /// Slot of each participant, and the participant in each slot.
    slots: Vec<u32>,
    in_slot: Vec<u32>,
    /// Where the participants are, and their inverse masses (w), and where they start the sub-step.
    positions: Vec<Vec4>,
    at_start: Vec<Vec4>,
    solver: Solver,
    hauling: Hauling,
    /// What was known of the store when the lists were made, and when they were filled.
    additions: u64,
    edits: u64,
    /// The multipliers have begun anew in this sub-step.
    begun: bool,
    /// The store does not know the impulses of the last sub-step.
    ahead: bool,
}

/// The rows in the order that a way to solve them wants.
enum Solver {
    Jacobi(EndLists),
    GaussSeidel(ColoredRows),
}

impl Default for Solver {
    fn default() -> Self {
        Self::Jacobi(EndLists::default())
    }
}

/// Length of a sub-step, and of an iteration in sixtieths of a second.
#[derive(Clone, Copy)]
struct Times {
    h: f32,
    part: f32,
}

impl Solver {
    /// Whether no row acts in the sub-step.
    fn rests(&self) -> bool {
        match self {
            Self::Jacobi(ends) => ends.rests,
            Self::GaussSeidel(_) => false,
        }
    }
}

impl RowWork {
    /// Finds the participants in their slots.
    fn locate(&mut self, batch: &Batch, ids: &[ParticleId], solver: ConstraintSolver) {
        let solves = match self.solver {
            Solver::Jacobi(_) => ConstraintSolver::Jacobi,
            Solver::GaussSeidel(_) => ConstraintSolver::GaussSeidel,
        };
        if self.additions != batch.additions() || solves != solver {
            self.number(batch, ids);
            self.solver = match solver {
                ConstraintSolver::Jacobi => Solver::Jacobi(EndLists::new(batch, &self.numbers, self.ids.len())),
                ConstraintSolver::GaussSeidel => Solver::GaussSeidel(ColoredRows::new(batch, &self.numbers)),
            };
            self.additions = batch.additions();
            self.edits = 0;
        }
        let (numbers, participants) = (&self.numbers, &self.ids);
        self.in_slot.resize(ids.len(), NONE);
        (&mut self.in_slot, ids)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(participant, id)| {
                let number = numbers.get(id.index as usize).copied().unwrap_or(NONE);
                let known = number != NONE && participants[number as usize] == *id;
                *participant = if known { number } else { NONE };
            });
        self.slots.clear();
        self.slots.resize(self.ids.len(), NONE);
        for (slot, &participant) in (0..).zip(&self.in_slot) {
            if participant != NONE {
                self.slots[participant as usize] = slot;
            }
        }
        if self.edits != batch.edits() {
            match &mut self.solver {
                Solver::Jacobi(ends) => ends.fill(batch, &self.slots),
                Solver::GaussSeidel(rows) => rows.fill(batch, &self.slots),
            }
            self.edits = batch.edits();
        }
    }

    /// Numbers all particles that have rows, in the order of their slots.
    fn number(&mut self, batch: &Batch, ids: &[ParticleId]) {
        self.ids.clear();
        self.ids.extend(ids.iter().filter(|&&id| batch.involves(id)));
        let indices = self.ids.iter().map(|id| id.index as usize + 1).max().unwrap_or(0);
        self.numbers.clear();
        self.numbers.resize(indices, NONE);
        for (number, id) in (0..).zip(&self.ids) {
            self.numbers[id.index as usize] = number;
        }
    }

    fn impulses(&self, to: &mut [f32]) {
        match &self.solver {
            Solver::Jacobi(ends) => ends.impulses(to),
            Solver::GaussSeidel(rows) => rows.impulses(to),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let words = [&self.numbers, &self.slots, &self.in_slot];
        4 * words.iter().map(|list| list.capacity()).sum::<usize>()
            + 8 * self.ids.capacity()
            + 16 * (self.positions.capacity() + self.at_start.capacity())
            + self.hauling.memory_bytes()
            + match &self.solver {
                Solver::Jacobi(ends) => ends.memory_bytes(),
                Solver::GaussSeidel(rows) => rows.memory_bytes(),
            }
    }
}

/// Fetches the positions of the participants, which are in these slots.
fn fetch(to: &mut Vec<Vec4>, slots: &[u32], positions: &[Vec4]) {
    to.resize(slots.len(), Vec4::ZERO);
    (&mut *to, slots)
        .into_par_iter()
        .with_min_len(CHUNK)
        .for_each(|(position, &slot)| *position = positions.get(slot as usize).copied().unwrap_or_default());
}

impl State {
    fn distances(&self) -> &Batch {
        self.constraints.batch(ConstraintKind::Distance)
    }

    /// Rows die with their particles.
    pub(super) fn bury_rows(&mut self) {
        if std::mem::take(&mut self.may_have_died) && !self.constraints.is_empty() {
            self.settle_rows();
            let particles = &self.particles;
            self.constraints.bury(|id| particles.slot(id).is_some(), 0);
        }
    }

    /// The constraints, with what they did in the last sub-step.
    pub(super) fn settled_constraints(&mut self) -> &mut Constraints {
        self.bury_rows();
        self.settle_rows();
        &mut self.constraints
    }

    /// Tells the store what its rows did in the last sub-step.
    fn settle_rows(&mut self) {
        if std::mem::take(&mut self.rows.ahead) {
            let impulses = self.constraints.batch_mut(ConstraintKind::Distance).impulses_mut();
            self.rows.impulses(impulses);
        }
    }

    /// Finds the particles of all rows in their slots.
    pub(super) fn locate_rows(&mut self) {
        self.rows.begun = false;
        let batch = self.constraints.batch(ConstraintKind::Distance);
        if batch.is_empty() {
            self.rows = RowWork::default();
        } else {
            let solver = self.frame.settings.constraint_solver;
            self.rows.locate(batch, &self.particles.ids, solver);
        }
    }

    /// Lines 18–20 for the rows of the store.
    pub(super) fn solve_rows(&mut self, h: f32) {
        let rows = &mut self.rows;
        if rows.ids.is_empty() || rows.begun && rows.solver.rests() {
            return;
        }
        fetch(&mut rows.positions, &rows.slots, &self.predicted);
        if !rows.begun {
            let batch = self.constraints.batch(ConstraintKind::Distance);
            rows.hauling
                .begin(batch, &rows.numbers, &rows.slots, &self.shapes, &self.bodies);
        }
        rows.hauling.lend(&mut rows.positions);
        let times = Times {
            h,
            part: iteration_part(h, self.frame.settings.iterations),
        };
        let first = !std::mem::replace(&mut rows.begun, true);
        rows.ahead = true;
        if first {
            fetch(&mut rows.at_start, &rows.slots, &self.particles.positions);
        }
        match &mut rows.solver {
            Solver::Jacobi(ends) => {
                if first {
                    ends.begin(&rows.at_start, &rows.positions, times);
                    if ends.rests {
                        return;
                    }
                }
                ends.solve(&mut rows.positions);
            }
            Solver::GaussSeidel(colored) => {
                if first {
                    colored.begin(&rows.at_start, &rows.positions, times);
                }
                colored.solve(&mut rows.positions);
            }
        }
        rows.hauling
            .haul(&mut rows.positions, &mut self.predicted, &mut self.shapes, &self.bodies);
        let (positions, in_slot) = (&rows.positions, &rows.in_slot);
        (&mut self.predicted, in_slot)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(predicted, &participant)| {
                if participant != NONE {
                    *predicted = positions[participant as usize];
                }
            });
    }

    /// Brings together again what the stabilisation has moved further apart than tethers allow.
    pub(super) fn hold_tethers(&mut self) {
        if self.rows.ids.is_empty() {
            return;
        }
        let batch = self.constraints.batch(ConstraintKind::Distance);
        let RowWork { numbers, slots, .. } = &self.rows;
        let (starts, anchors) = (&mut self.particles.positions, &self.anchors);
        for _ in 0..HOLDS {
            let pulled = |row: usize| {
                let rest = batch.rest()[row];
                if rest >= 0.0 || !acts(batch.states()[row]) {
                    return None;
                }
                let ids = batch.particles_of(row);
                let ends = [0, 1].map(|end| slots[numbers[ids[end].index as usize] as usize]);
                if ends.contains(&NONE) {
                    return None;
                }
                let [from, to] = ends.map(|slot| starts[slot as usize]);
                let before = ends.map(|slot| anchors[slot as usize].xyz());
                let (way, yielding) = ((to - from).xyz(), from.w + to.w);
                let length = way.length();
                let over = overlong(rest, before[0].distance(before[1]), length);
                (over > 0.0 && yielding > 0.0).then(|| (ends, way / length, over / yielding))
            };
            let rows = (0..batch.places()).into_par_iter().with_min_len(CHUNK);
            let found: Vec<_> = rows.filter_map(pulled).collect();
            if found.is_empty() {
                return;
            }
            let sides = found
                .iter()
                .flat_map(|&([a, b], n, pull)| [(a, n, pull), (b, -n, pull)]);
            let mut pulls: Vec<(u32, Vec3, f32)> = sides.collect();
            pulls.sort_by_key(|&(slot, ..)| slot);
            for own in pulls.chunk_by(|a, b| a.0 == b.0) {
                let (mut sum, mut diagonal, mut mixed) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
                for &(_, n, pull) in own {
                    sum += pull * n;
                    diagonal += n * n;
                    mixed += Vec3::new(n.x * n.y, n.y * n.z, n.z * n.x);
                }
                let shared = divisor(Averaging::Directional, own.len() as f32, diagonal, mixed);
                let start = &mut starts[own[0].0 as usize];
                *start += (start.w / shared * sum).extend(0.0);
            }
        }
    }

    /// Takes away rows that pulled harder than they can bear.
    pub(super) fn break_rows(&mut self, h: f32) {
        if !self.rows.ahead || !self.distances().is_fragile() {
            return;
        }
        self.settle_rows();
        let batch = self.distances();
        let limits = batch.breaking_force().par_iter();
        let broken: Vec<u32> = limits
            .zip(batch.impulses())
            .enumerate()
            .filter(|(_, (limit, impulse))| -**impulse > *limit * h * h)
            .map(|(row, _)| row as u32)
            .collect();
        self.constraints.report_broken(ConstraintKind::Distance, &broken, 0);
    }

    /// Has the links of bodies that flow follow the rest shape.
    pub(super) fn follow_shapes(&mut self) {
        if self.constraints.is_empty() || self.bodies.list.iter().all(|body| body.plasticity.is_none()) {
            return;
        }
        let (bodies, shapes) = (&self.bodies, &self.shapes);
        let batch = self.constraints.batch_mut(ConstraintKind::Distance);
        for row in 0..batch.places() {
            if batch.states()[row] & FOLLOWS == 0 {
                continue;
            }
            let members = [0, 1].map(|end| shapes.member(batch.particles_of(row)[end]));
            let rests = members.map(|member| bodies.rest.get(member as usize).map(|rest| rest.xyz()));
            if let [Some(a), Some(b)] = rests {
                batch.follow(row, a.distance(b));
            }
        }
    }
}
