//! Constraints between particles of any groups, kept as rows: one batch per kind, one array per property.
//!
//! A row names its particles by id, and has a rest value, a softness, a multiplier (what it has done in the last
//! sub-step), and perhaps a force at which it breaks. Links of bodies are rows like any other; cloth, ropes and nets are
//! made of nothing else. A new kind is a variant of [`ConstraintKind`], its formula in `constraints/`, and its line in the
//! kernels of both engines: handles, colours, edits, breaking and saving come with the store.

mod balloon_handles;
pub mod balloons;
pub mod batch;
mod colors;
mod handles;
pub mod strands;

use serde::{Deserialize, Serialize};

use crate::body::BodyId;
use crate::particles::ParticleId;
use crate::store::balloons::Inside;
use crate::store::batch::Batch;

pub use balloon_handles::Inflation;
pub use balloons::{BalloonState, Filling, NewBalloon};
pub use colors::{COLORS, CROWDED};

/// What a row keeps to its rest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ConstraintKind {
    /// The distance of two particles, metres.
    #[default]
    Distance,
    /// The curvature of a chain or a surface at four particles, as the length of a vector, metres.
    Bending,
    /// Nothing: a triangle of three particles that the air acts on.
    Face,
    /// What is inside a closed surface of faces: see [`NewBalloon`].
    Balloon,
}

impl ConstraintKind {
    /// Every kind, in the order of the batches.
    pub const ALL: [Self; 4] = [Self::Distance, Self::Bending, Self::Face, Self::Balloon];

    /// Particles of a row.
    pub const fn width(self) -> usize {
        match self {
            Self::Distance => 2,
            Self::Bending => 4,
            Self::Face => 3,
            // It has faces instead.
            Self::Balloon => 0,
        }
    }

    /// Whether its rows have weights.
    pub const fn is_weighted(self) -> bool {
        matches!(self, Self::Bending | Self::Face)
    }

    /// Name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Bending => "bending",
            Self::Face => "face",
            Self::Balloon => "balloon",
        }
    }
}

/// Names one row for as long as it lives, and no other row ever after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConstraintId {
    /// Its kind.
    pub kind: ConstraintKind,
    /// Small number that is used again after the row is gone.
    pub index: u32,
    /// Counts the rows that used `index` before.
    pub generation: u32,
}

/// How far a row yields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Softness {
    /// How far a force stretches it, metres per newton, whatever the sub-steps and iterations (XPBD). 0 is as stiff as the
    /// iterations get it.
    Compliance(f32),
    /// Fraction of its error that is undone in 1/60 s, above 0 and at most 1, whatever the masses: the stiffness of the
    /// papers of position based dynamics.
    Stiffness(f32),
}

impl Softness {
    /// Unyielding.
    pub const STIFF: Self = Self::Compliance(0.0);

    /// The compliance or the stiffness.
    pub(crate) fn value(self) -> f32 {
        match self {
            Self::Compliance(value) | Self::Stiffness(value) => value,
        }
    }

    /// As one number: a compliance, or a stiffness below zero.
    pub fn encode(self) -> f32 {
        match self {
            Self::Compliance(compliance) => compliance,
            Self::Stiffness(stiffness) => -stiffness,
        }
    }

    /// The softness that a number stands for.
    pub fn decode(number: f32) -> Self {
        if number < 0.0 {
            Self::Stiffness(-number)
        } else {
            Self::Compliance(number)
        }
    }

    /// What would do instead, if it cannot be used.
    pub(crate) fn problem(self) -> Option<&'static str> {
        match self {
            Self::Compliance(compliance) if !(compliance >= 0.0 && compliance.is_finite()) => {
                Some("a compliance of 0 or more, metres per newton")
            }
            Self::Stiffness(stiffness) if !(stiffness > 0.0 && stiffness <= 1.0) => {
                Some("a stiffness above 0 and at most 1")
            }
            _ => None,
        }
    }
}

/// A distance to be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewDistance {
    /// The two particles, of any groups.
    pub particles: [ParticleId; 2],
    /// Their distance at rest, metres.
    pub rest_length: f32,
    /// How far it yields.
    pub softness: Softness,
    /// Tension at which it breaks, newtons; infinite for never.
    pub breaking_force: f32,
    /// It is the edge of a sheet of faces, and does not break: the sheet tears across it. See [`tear`](crate::tear).
    pub tears: bool,
}

impl NewDistance {
    /// An unyielding distance that never breaks.
    pub fn new(particles: [ParticleId; 2], rest_length: f32) -> Self {
        Self {
            particles,
            rest_length,
            softness: Softness::STIFF,
            breaking_force: f32::INFINITY,
            tears: false,
        }
    }
}

/// A curvature to be kept: the vector `Σ wₖ xₖ` of three or four particles is to have a length.
///
/// For a chain the weights of three neighbours are 1, −2, 1; for two triangles at an edge they are sums of cotangents
/// (Bergou et al. 2006). They add up to zero, so that only the shape counts and not the place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewBending {
    /// The particles, of any groups: those of the edge first, then those across. A chain names the last of its three twice.
    pub particles: [ParticleId; 4],
    /// Weights of their positions.
    pub weights: [f32; 4],
    /// Length of the vector at rest, metres: 0 where it is straight or flat. Of a surface with the sign of its product with the
    /// normal, that of the triangle of the first three particles.
    pub rest: f32,
    /// How far it yields: metres of the vector for a newton along it.
    pub softness: Softness,
}

impl NewBending {
    /// Of three neighbours in a chain, straight at rest.
    pub fn of_chain([a, b, c]: [ParticleId; 3], softness: Softness) -> Self {
        Self {
            particles: [a, b, c, c],
            weights: [1.0, -2.0, 1.0, 0.0],
            rest: 0.0,
            softness,
        }
    }
}

/// A triangle that the air acts on, as a thin airfoil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewFace {
    /// Its corners, of any groups.
    pub particles: [ParticleId; 3],
    /// Coefficient of drag: 1.2 for a plate across the wind.
    pub drag: f32,
    /// Coefficient of lift.
    pub lift: f32,
}

impl NewFace {
    /// A thin plate.
    pub fn new(particles: [ParticleId; 3]) -> Self {
        Self {
            particles,
            drag: 1.2,
            lift: 1.0,
        }
    }
}

/// One row, as it is at the end of the last frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintState {
    /// Its particles.
    pub particles: Vec<ParticleId>,
    /// Of a bending the weights of their positions, of a face its coefficients of drag and lift.
    pub weights: Option<[f32; 4]>,
    /// Its rest value, metres; of a distance below zero for one that is only not to be exceeded.
    pub rest: f32,
    /// How far it yields.
    pub softness: Softness,
    /// Force at which it breaks, newtons.
    pub breaking_force: f32,
    /// Whether it does not break then, but has the sheet tear whose edge it is.
    pub tears: bool,
    /// Whether it is switched on.
    pub on: bool,
    /// What it did in the last sub-step, kg·m; divided by the square of the sub-step it is a force. Of a distance positive pushes
    /// apart; of a bending it has no sign. Of a balloon the pressure above that of the surroundings, pascals.
    pub impulse: f32,
    /// The body that it is a link of, if any.
    pub body: Option<BodyId>,
}

/// All rows of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Constraints {
    /// The rows of each kind, in the order of [`ConstraintKind::ALL`].
    batches: Vec<Batch>,
    /// Of each place of a balloon.
    insides: Vec<Inside>,
    /// What broke and nobody has been told of.
    broken: Vec<ConstraintId>,
    burst: Vec<ConstraintId>,
}

impl Default for Constraints {
    fn default() -> Self {
        Self {
            batches: ConstraintKind::ALL.map(Batch::new).into(),
            insides: Vec::new(),
            broken: Vec::new(),
            burst: Vec::new(),
        }
    }
}

impl Constraints {
    /// The rows of a kind.
    pub fn batch(&self, kind: ConstraintKind) -> &Batch {
        &self.batches[kind as usize]
    }

    /// The rows of a kind, for an engine to change.
    pub fn batch_mut(&mut self, kind: ConstraintKind) -> &mut Batch {
        &mut self.batches[kind as usize]
    }

    /// Number of rows that are alive.
    pub fn len(&self) -> usize {
        self.batches.iter().map(Batch::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.batches.iter().all(|batch| batch.len() == 0)
    }

    /// Starts a frame: indices that have rested may be given out again.
    pub fn begin_frame(&mut self) {
        for batch in &mut self.batches {
            batch.begin_frame();
        }
    }

    /// Lets the rows die whose particles do not pass, as if `frames_ago` frames before the present one.
    pub fn bury(&mut self, alive: impl Fn(ParticleId) -> bool, frames_ago: usize) {
        for batch in &mut self.batches {
            batch.bury(&alive, frames_ago);
        }
    }

    /// Takes note that rows broke `frames_ago` frames before the present one.
    pub fn report_broken(&mut self, kind: ConstraintKind, rows: &[u32], frames_ago: usize) {
        for &row in rows {
            if let Some(id) = self.batches[kind as usize].id_of(row) {
                self.batches[kind as usize].retire(row, frames_ago);
                self.broken.push(id);
            }
        }
    }

    /// What broke since this was asked last.
    pub fn take_broken(&mut self) -> Vec<ConstraintId> {
        std::mem::take(&mut self.broken)
    }

    /// Handles of all rows, by kind and index.
    pub fn ids(&self) -> impl Iterator<Item = ConstraintId> {
        self.batches.iter().flat_map(Batch::ids)
    }

    /// All rows with their handles, by kind and index.
    pub fn iter(&self) -> impl Iterator<Item = (ConstraintId, ConstraintState)> {
        self.ids().filter_map(|id| Some((id, self.get(id)?)))
    }

    /// Handles of the links of a body.
    pub fn of_body(&self, body: BodyId) -> impl Iterator<Item = ConstraintId> {
        self.batches.iter().flat_map(move |batch| batch.of_body(body))
    }

    /// One row, if it is alive.
    pub fn get(&self, id: ConstraintId) -> Option<ConstraintState> {
        self.batch(id.kind).get(id)
    }

    /// Memory held, bytes.
    pub fn memory_bytes(&self) -> usize {
        let faces = self.insides.iter().map(|inside| inside.faces.capacity());
        self.batches.iter().map(Batch::memory_bytes).sum::<usize>()
            + size_of::<Inside>() * self.insides.capacity()
            + size_of::<ConstraintId>() * faces.sum::<usize>()
    }

    /// The arrays agree with each other.
    pub(crate) fn is_sound(&self) -> bool {
        self.batches.len() == ConstraintKind::ALL.len()
            && self.insides.len() == self.batch(ConstraintKind::Balloon).places()
            && self
                .insides
                .iter()
                .all(|inside| inside.filling.problem().is_none() && inside.lost.is_finite())
            && ConstraintKind::ALL
                .iter()
                .zip(&self.batches)
                .all(|(&kind, batch)| batch.kind() == kind)
    }
}
