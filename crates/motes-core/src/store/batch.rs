//! The rows of one kind, struct of arrays, behind handles with generations.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::colors::Incidence;
use super::{ConstraintId, ConstraintKind, ConstraintState, Softness};
use crate::body::BodyId;
use crate::particles::{ParticleId, Particles};

/// Bits of a row's state. A row acts if it is alive and nothing else.
pub const ALIVE: u8 = 1;
/// Switched off by the user.
pub const OFF: u8 = 2;
/// A link of a body that keeps its shape by itself.
pub const IDLE: u8 = 4;
/// A link whose rest value follows the rest shape of a body that flows.
pub const FOLLOWS: u8 = 8;
/// An edge of a sheet that does not break: the sheet tears at it.
pub const TEARS: u8 = 16;

/// Whether a row in this state acts.
pub const fn acts(state: u8) -> bool {
    state & (ALIVE | OFF | IDLE) == ALIVE
}

const NO_BODY: u32 = u32::MAX;

/// A row to be added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewRow<'a> {
    pub(crate) particles: &'a [ParticleId],
    /// Of rows that have them.
    pub(crate) weights: [f32; 4],
    pub(crate) rest: f32,
    pub(crate) softness: Softness,
    pub(crate) breaking_force: f32,
    /// `OFF`, `IDLE`, `FOLLOWS` and `TEARS`.
    pub(crate) state: u8,
    pub(crate) body: Option<BodyId>,
}

/// All rows of one kind. Rows keep their places; those of the dead are used again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Batch {
    rows: Stored,
    /// Rows at each index of a particle's id.
    incidence: Vec<Incidence>,
    len: usize,
    /// Rows among these at which sheets tear.
    tearing: usize,
    /// Rows that changed since an engine asked.
    changed: Vec<u32>,
    /// Counts rows added or given to other particles.
    additions: u64,
    /// Counts changes of any kind.
    edits: u64,
}

/// The arrays as they are written to a state file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Stored {
    kind: ConstraintKind,
    /// Row by row.
    particles: Vec<ParticleId>,
    /// Of kinds that have them, row by row.
    weights: Vec<[f32; 4]>,
    rest: Vec<f32>,
    softness: Vec<f32>,
    breaking_force: Vec<f32>,
    impulses: Vec<f32>,
    states: Vec<u8>,
    colors: Vec<u8>,
    bodies: Vec<u32>,
    generations: Vec<u32>,
    free: Vec<u32>,
    /// Rows that died in the last frames, the latest frame last.
    resting: VecDeque<Vec<u32>>,
}

impl Batch {
    pub(super) fn new(kind: ConstraintKind) -> Self {
        Self {
            rows: Stored {
                kind,
                ..Stored::default()
            },
            incidence: Vec::new(),
            len: 0,
            tearing: 0,
            changed: Vec::new(),
            additions: 0,
            edits: 0,
        }
    }

    /// The kind of the rows.
    pub fn kind(&self) -> ConstraintKind {
        self.rows.kind
    }

    /// Number of rows that are alive.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none is alive.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Places of rows, the dead included.
    pub fn places(&self) -> usize {
        self.rows.states.len()
    }

    /// The particles of all rows, one row behind the other.
    pub fn particles(&self) -> &[ParticleId] {
        &self.rows.particles
    }

    /// Weights of the particles of all rows; none of a kind that has none.
    pub fn weights(&self) -> &[[f32; 4]] {
        &self.rows.weights
    }

    /// Rest values, metres.
    pub fn rest(&self) -> &[f32] {
        &self.rows.rest
    }

    /// Softnesses, each as one number: see [`Softness::encode`].
    pub fn softness(&self) -> &[f32] {
        &self.rows.softness
    }

    /// Forces at which rows break, newtons; infinite for never.
    pub fn breaking_force(&self) -> &[f32] {
        &self.rows.breaking_force
    }

    /// What each row did in the last sub-step, kg·m; of a distance positive pushes apart.
    pub fn impulses(&self) -> &[f32] {
        &self.rows.impulses
    }

    /// The same, for an engine to fill in.
    pub fn impulses_mut(&mut self) -> &mut [f32] {
        &mut self.rows.impulses
    }

    /// [`ALIVE`], [`OFF`], [`IDLE`], [`FOLLOWS`] and [`TEARS`].
    pub fn states(&self) -> &[u8] {
        &self.rows.states
    }

    /// Colour of each row: see [`super::COLORS`].
    pub fn colors(&self) -> &[u8] {
        &self.rows.colors
    }

    /// Counts rows added or given to other particles: who belongs together changes with nothing else.
    pub fn additions(&self) -> u64 {
        self.additions
    }

    /// Counts changes of any kind.
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// Rows that were added or changed since this was asked last, each once, in ascending order.
    pub fn take_changed(&mut self) -> Vec<u32> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Whether any living row can break by itself.
    pub fn is_fragile(&self) -> bool {
        let rows = self.rows.states.iter().zip(&self.rows.breaking_force);
        rows.into_iter()
            .any(|(state, force)| state & (ALIVE | TEARS) == ALIVE && force.is_finite())
    }

    /// Whether a sheet can tear at any living row.
    pub fn can_tear(&self) -> bool {
        self.tearing > 0
    }

    /// Handles of all rows, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = ConstraintId> {
        (0..self.places() as u32).filter_map(|row| self.id_of(row))
    }

    /// Handles of the links of a body.
    pub fn of_body(&self, body: BodyId) -> impl Iterator<Item = ConstraintId> {
        let rows = (0..).zip(&self.rows.bodies);
        rows.filter(move |&(_, &owner)| owner == body.0)
            .filter_map(|(row, _)| self.id_of(row))
    }

    /// The handle of the living row at a place.
    pub fn id_of(&self, row: u32) -> Option<ConstraintId> {
        let alive = self.rows.states.get(row as usize)? & ALIVE != 0;
        alive.then(|| ConstraintId {
            kind: self.rows.kind,
            index: row,
            generation: self.rows.generations[row as usize],
        })
    }

    /// Whether a particle has any rows.
    pub fn involves(&self, id: ParticleId) -> bool {
        self.rows_of(id) > 0
    }

    /// How many rows a particle has.
    pub fn rows_of(&self, id: ParticleId) -> u32 {
        let of = self.incidence.get(id.index as usize);
        of.filter(|of| of.generation == id.generation).map_or(0, |of| of.count)
    }

    /// The place of a row, if it is alive.
    pub fn place(&self, id: ConstraintId) -> Option<usize> {
        (self.id_of(id.index)? == id).then_some(id.index as usize)
    }

    /// The particles of the row at a place.
    pub fn particles_of(&self, row: usize) -> &[ParticleId] {
        let width = self.rows.kind.width();
        &self.rows.particles[row * width..(row + 1) * width]
    }

    /// One row, if it is alive.
    pub fn get(&self, id: ConstraintId) -> Option<ConstraintState> {
        let row = self.place(id)?;
        let body = self.rows.bodies[row];
        Some(ConstraintState {
            particles: self.particles_of(row).to_vec(),
            weights: self.rows.weights.get(row).copied(),
            rest: self.rows.rest[row],
            softness: Softness::decode(self.rows.softness[row]),
            breaking_force: self.rows.breaking_force[row],
            tears: self.rows.states[row] & TEARS != 0,
            on: self.rows.states[row] & OFF == 0,
            impulse: self.rows.impulses[row],
            body: (body != NO_BODY).then_some(BodyId(body)),
        })
    }

    pub(crate) fn add(&mut self, new: NewRow<'_>) -> ConstraintId {
        let rows = &mut self.rows;
        let width = rows.kind.width();
        let row = rows.free.pop().unwrap_or_else(|| {
            let nobody = ParticleId {
                index: 0,
                generation: u32::MAX,
            };
            rows.particles.resize(rows.particles.len() + width, nobody);
            if rows.kind.is_weighted() {
                rows.weights.push([0.0; 4]);
            }
            rows.rest.push(0.0);
            rows.softness.push(0.0);
            rows.breaking_force.push(0.0);
            rows.impulses.push(0.0);
            rows.states.push(0);
            rows.colors.push(0);
            rows.bodies.push(NO_BODY);
            rows.generations.push(0);
            rows.states.len() as u32 - 1
        }) as usize;
        let color = join(&mut self.incidence, new.particles);
        rows.particles[row * width..(row + 1) * width].copy_from_slice(new.particles);
        if let Some(weights) = rows.weights.get_mut(row) {
            *weights = new.weights;
        }
        rows.rest[row] = new.rest;
        rows.softness[row] = new.softness.encode();
        rows.breaking_force[row] = new.breaking_force;
        rows.impulses[row] = 0.0;
        rows.states[row] = ALIVE | new.state;
        rows.colors[row] = color;
        rows.bodies[row] = new.body.map_or(NO_BODY, |body| body.0);
        let generation = rows.generations[row];
        self.len += 1;
        self.tearing += usize::from(new.state & TEARS != 0);
        self.additions += 1;
        self.touch(row);
        ConstraintId {
            kind: self.rows.kind,
            index: row as u32,
            generation,
        }
    }

    /// Has a row name one particle in place of another. It keeps its handle, and may get another colour.
    pub(crate) fn replace_particle(&mut self, row: usize, from: ParticleId, to: ParticleId) {
        let width = self.rows.kind.width();
        let particles = &mut self.rows.particles[row * width..(row + 1) * width];
        for id in particles.iter_mut() {
            self.incidence[id.index as usize].leave(self.rows.colors[row]);
            if *id == from {
                *id = to;
            }
        }
        self.rows.colors[row] = join(&mut self.incidence, particles);
        self.additions += 1;
        self.touch(row);
    }

    /// Takes a row out of use, to rest as if since `frames_ago` frames before the present one.
    pub(crate) fn retire(&mut self, row: u32, frames_ago: usize) {
        let place = row as usize;
        let width = self.rows.kind.width();
        let rows = &mut self.rows;
        for id in &rows.particles[place * width..(place + 1) * width] {
            self.incidence[id.index as usize].leave(rows.colors[place]);
        }
        self.tearing -= usize::from(rows.states[place] & TEARS != 0);
        rows.states[place] = 0;
        rows.impulses[place] = 0.0;
        rows.bodies[place] = NO_BODY;
        rows.generations[place] = rows.generations[place].wrapping_add(1);
        if rows.resting.is_empty() {
            rows.resting.push_back(Vec::new());
        }
        let frame = rows.resting.len().saturating_sub(1 + frames_ago);
        rows.resting[frame].push(row);
        self.len -= 1;
        self.touch(place);
    }

    pub(super) fn begin_frame(&mut self) {
        let rows = &mut self.rows;
        if rows.states.is_empty() {
            return;
        }
        if rows.resting.len() >= Particles::REST
            && let Some(mut rested) = rows.resting.pop_front()
        {
            rested.sort_unstable_by(|a, b| b.cmp(a));
            rows.free.append(&mut rested);
        }
        rows.resting.push_back(Vec::new());
    }

    pub(super) fn bury(&mut self, alive: &impl Fn(ParticleId) -> bool, frames_ago: usize) {
        let lost = |(index, of): (u32, &Incidence)| {
            let generation = of.generation;
            of.count > 0 && !alive(ParticleId { index, generation })
        };
        if !(0..).zip(&self.incidence).any(lost) {
            return;
        }
        for row in 0..self.places() {
            let lives = self.rows.states[row] & ALIVE != 0;
            if lives && !self.particles_of(row).iter().all(|&id| alive(id)) {
                self.retire(row as u32, frames_ago);
            }
        }
    }

    /// Gives a row another rest value.
    pub(crate) fn set_rest(&mut self, row: usize, rest: f32) {
        if self.rows.rest[row] != rest {
            self.rows.rest[row] = rest;
            self.touch(row);
        }
    }

    /// Gives a row another softness.
    pub(crate) fn set_softness(&mut self, row: usize, softness: Softness) {
        self.rows.softness[row] = softness.encode();
        self.touch(row);
    }

    /// Gives a row another force at which it breaks, newtons.
    pub(crate) fn set_breaking_force(&mut self, row: usize, force: f32) {
        self.rows.breaking_force[row] = force;
        self.touch(row);
    }

    /// Sets or clears bits of a row's state.
    pub(crate) fn set_state(&mut self, row: usize, bit: u8, set: bool) {
        let state = &mut self.rows.states[row];
        let wanted = if set { *state | bit } else { *state & !bit };
        if *state != wanted {
            *state = wanted;
            self.touch(row);
        }
    }

    /// Takes note that what a row is filled with has changed.
    pub(crate) fn refill(&mut self, row: usize) {
        self.note(row);
    }

    /// What follows a body's rest shape by itself is no news to an engine.
    pub(crate) fn follow(&mut self, row: usize, rest: f32) {
        self.rows.rest[row] = rest;
        self.edits += 1;
    }

    fn touch(&mut self, row: usize) {
        self.note(row);
        self.edits += 1;
    }

    fn note(&mut self, row: usize) {
        // Engines that never ask must not pay for it.
        if self.changed.len() > 2 * self.places() + 64 {
            self.changed = self.take_changed();
        }
        self.changed.push(row as u32);
    }

    /// Memory held, bytes.
    pub fn memory_bytes(&self) -> usize {
        let rows = &self.rows;
        let resting = rows.resting.iter().map(Vec::capacity).sum::<usize>();
        8 * rows.particles.capacity()
            + 4 * 4 * rows.rest.capacity()
            + 16 * rows.weights.capacity()
            + 2 * rows.states.capacity()
            + 4 * (rows.bodies.capacity() + rows.generations.capacity() + rows.free.capacity() + resting)
            + 4 * self.changed.capacity()
            + size_of::<Incidence>() * self.incidence.capacity()
    }
}

/// Takes note of a row at its particles, in the lowest colour that is free at all of them; returns that.
fn join(incidence: &mut Vec<Incidence>, particles: &[ParticleId]) -> u8 {
    let highest = particles.iter().map(|id| id.index as usize + 1).max().unwrap_or(0);
    if incidence.len() < highest {
        incidence.resize(highest, Incidence::default());
    }
    let color = Incidence::free_color(particles.iter().map(|id| incidence[id.index as usize]));
    for id in particles {
        incidence[id.index as usize].join(id.generation, color);
    }
    color
}

impl From<Batch> for Stored {
    fn from(batch: Batch) -> Self {
        batch.rows
    }
}

impl TryFrom<Stored> for Batch {
    type Error = String;

    fn try_from(rows: Stored) -> Result<Self, String> {
        let count = rows.states.len();
        let width = rows.kind.width();
        let lengths = [
            rows.rest.len(),
            rows.softness.len(),
            rows.breaking_force.len(),
            rows.impulses.len(),
            rows.colors.len(),
            rows.bodies.len(),
            rows.generations.len(),
        ];
        let weights = if rows.kind.is_weighted() { count } else { 0 };
        if lengths.iter().any(|&length| length != count)
            || rows.particles.len() != width * count
            || rows.weights.len() != weights
        {
            return Err(format!(
                "constraint arrays of different lengths: {count} and {lengths:?}"
            ));
        }
        let mut used: Vec<bool> = rows.states.iter().map(|state| state & ALIVE != 0).collect();
        let living = used.iter().filter(|&&alive| alive).count();
        let tears = |state: &&u8| **state & (ALIVE | TEARS) == ALIVE | TEARS;
        let tearing = rows.states.iter().filter(tears).count();
        let unused = || rows.resting.iter().flatten().chain(&rows.free);
        for &row in unused() {
            match used.get_mut(row as usize) {
                Some(used) if !*used => *used = true,
                _ => return Err(format!("constraint {row} is both free and used")),
            }
        }
        if used.contains(&false) || rows.resting.len() > Particles::REST {
            return Err("constraints do not add up".into());
        }
        let mut batch = Self {
            incidence: Vec::new(),
            len: living,
            tearing,
            changed: (0..count as u32).collect(),
            additions: 1,
            edits: 1,
            rows,
        };
        batch.list_incidence()?;
        Ok(batch)
    }
}

impl Batch {
    /// Most particles whose rows are looked up by index: what a saved state may name.
    const MOST_INDICES: u32 = 1 << 28;

    fn list_incidence(&mut self) -> Result<(), String> {
        let rows = &self.rows;
        let width = rows.kind.width();
        let living = |row: &usize| rows.states[*row] & ALIVE != 0;
        for row in (0..rows.states.len()).filter(living) {
            for id in &rows.particles[row * width..(row + 1) * width] {
                if id.index >= Self::MOST_INDICES || rows.colors[row] > super::CROWDED {
                    return Err(format!("constraint {row} is out of range"));
                }
                if self.incidence.len() <= id.index as usize {
                    self.incidence.resize(id.index as usize + 1, Incidence::default());
                }
                self.incidence[id.index as usize].join(id.generation, rows.colors[row]);
            }
        }
        Ok(())
    }
}
