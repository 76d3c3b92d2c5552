//! Rows of the store: where their particles are, and the two ways to solve them. Curvatures come before distances, so that what
//! is seen of a stretch is what the last of them left.

mod balloons;
mod bend_lanes;
mod bends;
mod colored;
mod ends;
mod faces;
mod hauling;
mod jacobi;
mod participants;
mod shared;
mod shares;
mod strands;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use self::balloons::BalloonWork;
use self::bends::BendRows;
use self::colored::ColoredRows;
use self::ends::EndLists;
use self::faces::FaceWork;
use self::hauling::Hauling;
use self::participants::Participants;
use self::strands::{Start, StrandWork};
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
    /// The particles of all rows but balloons.
    participants: Participants,
    /// What was known of the store when they were numbered: of distances, curvatures and faces.
    additions: [u64; 3],
    solver: ConstraintSolver,
    /// Where the participants are, and their inverse masses (w).
    positions: Vec<Vec4>,
    distances: DistanceWork,
    bends: BendWork,
    faces: FaceWork,
    balloons: BalloonWork,
}

/// Of distances.
#[derive(Default)]
struct DistanceWork {
    solver: Option<Solver>,
    strands: StrandWork,
    /// Where the participants start the sub-step.
    at_start: Vec<Vec4>,
    /// How fast they are then, where there are strands.
    velocities: Vec<Vec4>,
    hauling: Hauling,
    /// What was known of the store when the lists were filled.
    edits: u64,
    /// The multipliers have begun anew in this sub-step.
    begun: bool,
    /// The store does not know the impulses of the last sub-step.
    ahead: bool,
}

/// Of curvatures.
#[derive(Default)]
struct BendWork {
    rows: Option<BendRows>,
    edits: u64,
    begun: bool,
    ahead: bool,
}

/// The rows in the order that a way to solve them wants.
enum Solver {
    Jacobi(EndLists),
    GaussSeidel(ColoredRows),
}

/// Length of a sub-step, and of an iteration in sixtieths of a second, and how that one hastens.
#[derive(Clone, Copy)]
struct Times {
    h: f32,
    part: f32,
    pace: Pace,
}

impl Solver {
    fn new(batch: &Batch, who: &Participants, solver: ConstraintSolver) -> Self {
        match solver {
            ConstraintSolver::Jacobi => Self::Jacobi(EndLists::new(batch, &who.numbers, who.len())),
            ConstraintSolver::GaussSeidel => Self::GaussSeidel(ColoredRows::new(batch, &who.numbers)),
        }
    }

    /// Whether no row acts in the sub-step.
    fn rests(&self) -> bool {
        match self {
            Self::Jacobi(ends) => ends.rests,
            Self::GaussSeidel(_) => false,
        }
    }

    fn so_far(&self, row: u32) -> Option<[f32; 3]> {
        match self {
            Self::Jacobi(ends) => ends.so_far(row),
            Self::GaussSeidel(rows) => rows.so_far(row),
        }
    }

    fn change(&mut self, row: u32, more: f32) {
        match self {
            Self::Jacobi(ends) => ends.change(row, more),
            Self::GaussSeidel(rows) => rows.change(row, more),
        }
    }

    fn memory_bytes(&self) -> usize {
        match self {
            Self::Jacobi(ends) => ends.memory_bytes(),
            Self::GaussSeidel(rows) => rows.memory_bytes(),
        }
    }
}

impl DistanceWork {
    /// Takes over what changed of the rows.
    fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        self.begun = false;
        if self.edits != batch.edits() {
            match &mut self.solver {
                Some(Solver::Jacobi(ends)) => ends.fill(batch, slots),
                Some(Solver::GaussSeidel(rows)) => rows.fill(batch, slots),
                None => {}
            }
            self.edits = batch.edits();
        }
    }

    fn impulses(&self, to: &mut [f32]) {
        match &self.solver {
            Some(Solver::Jacobi(ends)) => ends.impulses(to),
            Some(Solver::GaussSeidel(rows)) => rows.impulses(to),
            None => {}
        }
    }

    fn memory_bytes(&self) -> usize {
        16 * (self.at_start.capacity() + self.velocities.capacity())
            + self.hauling.memory_bytes()
            + self.strands.memory_bytes()
            + self.solver.as_ref().map_or(0, Solver::memory_bytes)
    }
}

impl BendWork {
    /// Takes over what changed of the rows.
    fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        self.begun = false;
        if self.edits != batch.edits()
            && let Some(rows) = &mut self.rows
        {
            rows.fill(batch, slots);
            self.edits = batch.edits();
        }
    }

    fn solve(&mut self, positions: &mut [Vec4], times: Times) {
        let Some(rows) = &mut self.rows else { return };
        if !std::mem::replace(&mut self.begun, true) {
            rows.begin(positions, times);
        }
        self.ahead = true;
        rows.solve(positions);
    }
}

impl RowWork {
    /// Finds the particles of all rows in their slots.
    fn locate(&mut self, constraints: &Constraints, ids: &[ParticleId], solver: ConstraintSolver) {
        let kinds = [ConstraintKind::Distance, ConstraintKind::Bending, ConstraintKind::Face];
        let batches = kinds.map(|kind| constraints.batch(kind));
        if batches.iter().all(|batch| batch.is_empty()) {
            let balloons = std::mem::take(&mut self.balloons);
            *self = Self {
                balloons,
                ..Self::default()
            };
            return;
        }
        let [distances, bends, faces] = batches;
        let additions = batches.map(Batch::additions);
        if self.additions != additions || self.solver != solver {
            let who = &mut self.participants;
            who.number(batches, ids);
            self.distances.solver = (!distances.is_empty()).then(|| Solver::new(distances, who, solver));
            self.distances.strands = StrandWork::new(distances, &who.numbers, who.len());
            let bend_rows = || BendRows::new(bends, &who.numbers, who.len(), solver);
            self.bends.rows = (!bends.is_empty()).then(bend_rows);
            self.faces.list(faces, who);
            (self.distances.edits, self.bends.edits) = (0, 0);
            (self.additions, self.solver) = (additions, solver);
        }
        let who = &mut self.participants;
        who.locate(ids);
        self.distances.fill(distances, &who.slots);
        self.bends.fill(bends, &who.slots);
        self.faces.fill(faces, &who.slots);
    }

    /// Whether the store does not know what its rows did in the last sub-step.
    pub(super) fn are_ahead(&self) -> bool {
        self.distances.ahead || self.bends.ahead || self.balloons.ahead
    }

    /// Tells the store what its rows did in the last sub-step, if it does not know.
    fn tell(&self, constraints: &mut Constraints, h: f32) {
        if self.balloons.ahead {
            self.balloons.tell(constraints, h);
        }
        if self.distances.ahead {
            self.distances
                .impulses(constraints.batch_mut(ConstraintKind::Distance).impulses_mut());
        }
        if let Some(rows) = self.bends.rows.as_ref().filter(|_| self.bends.ahead) {
            rows.impulses(constraints.batch_mut(ConstraintKind::Bending).impulses_mut());
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.participants.memory_bytes()
            + 16 * self.positions.capacity()
            + self.distances.memory_bytes()
            + self.bends.rows.as_ref().map_or(0, BendRows::memory_bytes)
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

    /// At the end of a frame. What rows did is looked up when somebody asks, unless sheets may tear by it.
    pub(super) fn end_rows(&mut self) {
        self.bury_rows();
        if self.distances().can_tear() {
            self.settle_rows();
        }
    }

    /// Tells the store what its rows did in the last sub-step.
    fn settle_rows(&mut self) {
        self.rows.tell(&mut self.constraints, self.h);
        let RowWork {
            distances,
            bends,
            balloons,
            ..
        } = &mut self.rows;
        (distances.ahead, bends.ahead, balloons.ahead) = (false, false, false);
    }

    /// A copy of the constraints that knows what they did in the last sub-step.
    pub(super) fn constraints_after(&self) -> Constraints {
        let mut constraints = self.constraints.clone();
        self.rows.tell(&mut constraints, self.h);
        constraints
    }

    /// Finds the particles of all rows in their slots.
    pub(super) fn locate_rows(&mut self) {
        let solver = self.frame.settings.constraint_solver;
        let ids = &self.particles.ids;
        self.rows.balloons.locate(&mut self.constraints, ids);
        self.rows.locate(&self.constraints, ids, solver);
    }

    /// Lines 18–20 for the rows of the store. Particles with curvatures and distances go through both before anybody else sees them.
    pub(super) fn solve_rows(&mut self, h: f32, iteration: u32) {
        let times = Times {
            h,
            part: iteration_part(h, self.frame.settings.iterations),
            pace: self.frame.settings.pace(iteration),
        };
        let RowWork {
            participants,
            positions,
            distances,
            bends,
            ..
        } = &mut self.rows;
        let rests = |solver: &Solver| distances.begun && solver.rests();
        let pulls = distances.solver.as_ref().is_some_and(|solver| !rests(solver));
        if pulls || bends.rows.is_some() {
            participants.fetch(positions, &self.predicted);
            bends.solve(positions, times);
            if pulls {
                self.solve_distances(times);
            }
            let RowWork {
                participants,
                positions,
                ..
            } = &self.rows;
            participants.give_back(positions, &mut self.predicted);
        }
        let balloons = &mut self.rows.balloons;
        balloons.solve(&self.constraints, &mut self.predicted, times);
    }

    fn solve_distances(&mut self, times: Times) {
        let RowWork {
            participants: who,
            positions,
            distances: rows,
            ..
        } = &mut self.rows;
        let first = !std::mem::replace(&mut rows.begun, true);
        if first {
            let batch = self.constraints.batch(ConstraintKind::Distance);
            rows.hauling
                .begin(batch, &who.numbers, &who.slots, &self.shapes, &self.bodies);
            who.fetch(&mut rows.at_start, &self.particles.positions);
        }
        rows.hauling.lend(positions);
        rows.ahead = true;
        match &mut rows.solver {
            Some(Solver::Jacobi(ends)) => {
                if first {
                    ends.begin(&rows.at_start, positions, times);
                }
                if !ends.rests {
                    ends.solve(positions, times.pace);
                }
            }
            Some(Solver::GaussSeidel(colored)) => {
                if first {
                    colored.begin(&rows.at_start, positions, times);
                }
                colored.solve(positions);
            }
            None => {}
        }
        if self.frame.settings.direct_strands
            && let Some(solver) = &mut rows.solver
        {
            if first {
                who.fetch(&mut rows.velocities, &self.particles.velocities);
                let start = Start {
                    positions: &rows.at_start,
                    velocities: &rows.velocities,
                    h: times.h,
                };
                rows.strands.begin(solver, &start);
            }
            rows.strands.solve(solver, positions);
        }
        rows.hauling
            .haul(positions, &mut self.predicted, &mut self.shapes, &self.bodies);
    }

    /// Line 26 for faces: what the air gives them.
    pub(super) fn blow(&mut self, h: f32) {
        let air = &self.frame.air;
        if air.density > 0.0 {
            let particles = &mut self.particles;
            let path = [&particles.positions[..], &self.predicted];
            let RowWork {
                participants, faces, ..
            } = &mut self.rows;
            faces.blow(participants, path, air, h, &mut particles.velocities);
        }
    }

    /// Brings together again what the stabilisation has moved further apart than rows and tethers allow. Particles on their own go out of
    /// colliders again, which have the last word.
    pub(super) fn hold_rows(&mut self) {
        let batch = self.constraints.batch(ConstraintKind::Distance);
        if batch.is_empty() {
            return;
        }
        let Participants { numbers, slots, .. } = &self.rows.participants;
        let (starts, anchors, shapes) = (&mut self.particles.positions, &self.anchors, &self.shapes);
        let stays = |slot: &u32| match (starts.get(*slot as usize), anchors.get(*slot as usize)) {
            (Some(start), Some(anchor)) => start.xyz() == anchor.xyz(),
            _ => true,
        };
        if slots.par_iter().with_min_len(CHUNK).all(stays) {
            return;
        }
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
