//! Rows of the store: where their particles are, and the two ways to solve them. Curvatures come before distances, so that what
//! is seen of a stretch is what the last of them left.

mod balloons;
mod bends;
mod colored;
mod ends;
mod faces;
mod hauling;
mod jacobi;
mod participants;
mod shared;
mod shares;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use self::balloons::BalloonWork;
use self::bends::BendRows;
use self::colored::ColoredRows;
use self::ends::EndLists;
use self::faces::FaceWork;
use self::hauling::Hauling;
use self::participants::Participants;
use super::shapes::NONE;
use super::{CHUNK, State};
use crate::constraints::chebyshev::Pace;
use crate::constraints::distance::{COUNTED, HOLDS, overlong};
use crate::constraints::relaxation::{Averaging, divisor};
use crate::constraints::softness::iteration_part;
use crate::particles::ParticleId;
use crate::settings::ConstraintSolver;
use crate::store::batch::{Batch, FOLLOWS, TEARS, acts};
use crate::store::{ConstraintKind, Constraints};

/// What the engine knows of rows besides what they are.
#[derive(Default)]
pub(super) struct RowWork {
    distances: DistanceWork,
    bends: BendWork,
    faces: FaceWork,
    balloons: BalloonWork,
}

/// Of distances.
#[derive(Default)]
struct DistanceWork {
    participants: Participants,
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

/// Of curvatures.
#[derive(Default)]
struct BendWork {
    participants: Participants,
    positions: Vec<Vec4>,
    rows: Option<BendRows>,
    solver: ConstraintSolver,
    additions: u64,
    edits: u64,
    begun: bool,
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

/// Length of a sub-step, and of an iteration in sixtieths of a second, and how that one hastens.
#[derive(Clone, Copy)]
struct Times {
    h: f32,
    part: f32,
    pace: Pace,
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

impl DistanceWork {
    /// Finds the participants in their slots.
    fn locate(&mut self, batch: &Batch, ids: &[ParticleId], solver: ConstraintSolver) {
        let solves = match self.solver {
            Solver::Jacobi(_) => ConstraintSolver::Jacobi,
            Solver::GaussSeidel(_) => ConstraintSolver::GaussSeidel,
        };
        let who = &mut self.participants;
        if self.additions != batch.additions() || solves != solver {
            who.number(batch, ids);
            self.solver = match solver {
                ConstraintSolver::Jacobi => Solver::Jacobi(EndLists::new(batch, &who.numbers, who.len())),
                ConstraintSolver::GaussSeidel => Solver::GaussSeidel(ColoredRows::new(batch, &who.numbers)),
            };
            self.additions = batch.additions();
            self.edits = 0;
        }
        who.locate(ids);
        if self.edits != batch.edits() {
            match &mut self.solver {
                Solver::Jacobi(ends) => ends.fill(batch, &who.slots),
                Solver::GaussSeidel(rows) => rows.fill(batch, &who.slots),
            }
            self.edits = batch.edits();
        }
    }

    fn impulses(&self, to: &mut [f32]) {
        match &self.solver {
            Solver::Jacobi(ends) => ends.impulses(to),
            Solver::GaussSeidel(rows) => rows.impulses(to),
        }
    }

    fn memory_bytes(&self) -> usize {
        self.participants.memory_bytes()
            + 16 * (self.positions.capacity() + self.at_start.capacity())
            + self.hauling.memory_bytes()
            + match &self.solver {
                Solver::Jacobi(ends) => ends.memory_bytes(),
                Solver::GaussSeidel(rows) => rows.memory_bytes(),
            }
    }
}

impl BendWork {
    fn locate(&mut self, batch: &Batch, ids: &[ParticleId], solver: ConstraintSolver) {
        let who = &mut self.participants;
        if self.additions != batch.additions() || self.solver != solver {
            who.number(batch, ids);
            self.rows = Some(BendRows::new(batch, &who.numbers, who.len(), solver));
            self.solver = solver;
            self.additions = batch.additions();
            self.edits = 0;
        }
        who.locate(ids);
        if self.edits != batch.edits()
            && let Some(rows) = &mut self.rows
        {
            rows.fill(batch, &who.slots);
            self.edits = batch.edits();
        }
    }

    fn solve(&mut self, predicted: &mut [Vec4], times: Times) {
        let Some(rows) = &mut self.rows else { return };
        self.participants.fetch(&mut self.positions, predicted);
        if !std::mem::replace(&mut self.begun, true) {
            rows.begin(&self.positions, times);
        }
        self.ahead = true;
        rows.solve(&mut self.positions);
        self.participants.give_back(&self.positions, predicted);
    }

    fn memory_bytes(&self) -> usize {
        self.participants.memory_bytes()
            + 16 * self.positions.capacity()
            + self.rows.as_ref().map_or(0, BendRows::memory_bytes)
    }
}

impl RowWork {
    pub(super) fn memory_bytes(&self) -> usize {
        self.distances.memory_bytes()
            + self.bends.memory_bytes()
            + self.faces.memory_bytes()
            + self.balloons.memory_bytes()
    }
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
        let RowWork {
            distances,
            bends,
            balloons,
            ..
        } = &mut self.rows;
        balloons.settle(&mut self.constraints, self.h);
        if std::mem::take(&mut distances.ahead) {
            distances.impulses(self.constraints.batch_mut(ConstraintKind::Distance).impulses_mut());
        }
        if std::mem::take(&mut bends.ahead)
            && let Some(rows) = &bends.rows
        {
            rows.impulses(self.constraints.batch_mut(ConstraintKind::Bending).impulses_mut());
        }
    }

    /// Finds the particles of all rows in their slots.
    pub(super) fn locate_rows(&mut self) {
        let solver = self.frame.settings.constraint_solver;
        let RowWork {
            distances,
            bends,
            faces,
            balloons,
        } = &mut self.rows;
        balloons.locate(&mut self.constraints, &self.particles.ids);
        distances.begun = false;
        let batch = self.constraints.batch(ConstraintKind::Distance);
        if batch.is_empty() {
            *distances = DistanceWork::default();
        } else {
            distances.locate(batch, &self.particles.ids, solver);
        }
        bends.begun = false;
        let batch = self.constraints.batch(ConstraintKind::Bending);
        if batch.is_empty() {
            *bends = BendWork::default();
        } else {
            bends.locate(batch, &self.particles.ids, solver);
        }
        let batch = self.constraints.batch(ConstraintKind::Face);
        if batch.is_empty() {
            *faces = FaceWork::default();
        } else {
            faces.locate(batch, &self.particles.ids);
        }
    }

    /// Lines 18–20 for the rows of the store.
    pub(super) fn solve_rows(&mut self, h: f32, iteration: u32) {
        let times = Times {
            h,
            part: iteration_part(h, self.frame.settings.iterations),
            pace: self.frame.settings.pace(iteration),
        };
        self.rows.bends.solve(&mut self.predicted, times);
        self.solve_distances(times);
        let balloons = &mut self.rows.balloons;
        balloons.solve(&self.constraints, &mut self.predicted, times);
    }

    fn solve_distances(&mut self, times: Times) {
        let rows = &mut self.rows.distances;
        let who = &rows.participants;
        if who.is_empty() || rows.begun && rows.solver.rests() {
            return;
        }
        who.fetch(&mut rows.positions, &self.predicted);
        if !rows.begun {
            let batch = self.constraints.batch(ConstraintKind::Distance);
            rows.hauling
                .begin(batch, &who.numbers, &who.slots, &self.shapes, &self.bodies);
        }
        rows.hauling.lend(&mut rows.positions);
        let first = !std::mem::replace(&mut rows.begun, true);
        rows.ahead = true;
        if first {
            who.fetch(&mut rows.at_start, &self.particles.positions);
        }
        match &mut rows.solver {
            Solver::Jacobi(ends) => {
                if first {
                    ends.begin(&rows.at_start, &rows.positions, times);
                    if ends.rests {
                        return;
                    }
                }
                ends.solve(&mut rows.positions, times.pace);
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
        who.give_back(&rows.positions, &mut self.predicted);
    }

    /// Line 26 for faces: what the air gives them.
    pub(super) fn blow(&mut self, h: f32) {
        let air = &self.frame.air;
        if air.density > 0.0 {
            let particles = &mut self.particles;
            let path = [&particles.positions[..], &self.predicted];
            self.rows.faces.blow(path, air, h, &mut particles.velocities);
        }
    }

    /// Brings together again what the stabilisation has moved further apart than rows and tethers allow. Particles on their own go out of
    /// colliders again, which have the last word.
    pub(super) fn hold_rows(&mut self) {
        if self.rows.distances.participants.is_empty() {
            return;
        }
        let batch = self.constraints.batch(ConstraintKind::Distance);
        let Participants { numbers, slots, .. } = &self.rows.distances.participants;
        let (starts, anchors, shapes) = (&mut self.particles.positions, &self.anchors, &self.shapes);
        for _ in 0..HOLDS {
            let pulled = |row: usize| {
                let rest = batch.rest()[row];
                if !acts(batch.states()[row]) {
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
                (over > 0.0 && yielding > 0.0).then(|| (ends, way / length, over, yielding))
            };
            let rows = (0..batch.places()).into_par_iter().with_min_len(CHUNK);
            let found: Vec<_> = rows.filter_map(pulled).collect();
            if found.is_empty() {
                return;
            }
            let sides = found
                .iter()
                .flat_map(|&([a, b], n, over, yielding)| [(a, n, over, yielding), (b, -n, over, yielding)]);
            let mut pulls: Vec<(u32, Vec3, f32, f32)> = sides.collect();
            pulls.sort_by_key(|&(slot, ..)| slot);
            for own in pulls.chunk_by(|a, b| a.0 == b.0) {
                let most = own.iter().map(|&(_, _, over, _)| over).fold(0.0, f32::max);
                let (mut sum, mut diagonal, mut mixed) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
                for &(_, n, over, yielding) in own {
                    sum += over / yielding * n;
                    let counts = (over / (COUNTED * most)).min(1.0);
                    diagonal += counts * (n * n);
                    mixed += counts * Vec3::new(n.x * n.y, n.y * n.z, n.z * n.x);
                }
                let shared = divisor(Averaging::Directional, own.len() as f32, diagonal, mixed);
                let slot = own[0].0 as usize;
                let start = &mut starts[slot];
                *start += (start.w / shared * sum).extend(0.0);
                if start.w > 0.0 && shapes.body_in(slot).is_none() {
                    *start = self.contacts[slot / CHUNK].out_of_colliders(slot % CHUNK, *start);
                }
            }
        }
    }

    /// What leaves through the holes of balloons.
    pub(super) fn leak_balloons(&mut self, h: f32) {
        self.rows.balloons.leak(&mut self.constraints, h);
    }

    /// Takes away rows that pulled harder than they can bear.
    pub(super) fn break_rows(&mut self, h: f32) {
        if !self.rows.distances.ahead || !self.distances().is_fragile() {
            return;
        }
        self.settle_rows();
        let batch = self.distances();
        let rows = (batch.breaking_force(), batch.impulses(), batch.states()).into_par_iter();
        let broken: Vec<u32> = rows
            .enumerate()
            .filter(|(_, (limit, impulse, state))| -**impulse > *limit * h * h && **state & TEARS == 0)
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
