//! Links and tethers: pairs of particles of a body that keep their distance, or come no further apart. In a world they are rows of
//! the [`store`](crate::store).

use serde::{Deserialize, Serialize};

/// Pairs of particles of a body that are held at the distance they have in the rest shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// Numbers of two particles each.
    pub pairs: Vec<[u32; 2]>,
    /// How far a force stretches or shortens each, metres per newton; 0 is as stiff as the iterations get it.
    pub compliance: f32,
}

impl Links {
    /// What is wrong with them for a body of so many particles, if anything.
    pub(crate) fn problem(&self, count: usize) -> Option<&'static str> {
        if !lead_somewhere(&self.pairs, count) {
            Some(PAIRS)
        } else if !(self.compliance >= 0.0 && self.compliance.is_finite()) {
            Some("a compliance of 0 or more, metres per newton")
        } else {
            None
        }
    }
}

/// Pairs of particles of a body that come no further apart than a multiple of their distance in the rest shape it is added with: whatever
/// its stiffness, it then hangs together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tethers {
    /// Numbers of two particles each.
    pub pairs: Vec<[u32; 2]>,
    /// The multiple, 1 or more.
    pub stretch: f32,
}

impl Tethers {
    /// What is wrong with them for a body of so many particles, if anything.
    pub(crate) fn problem(&self, count: usize) -> Option<&'static str> {
        let is_multiple = self.stretch >= 1.0 && self.stretch.is_finite();
        if !lead_somewhere(&self.pairs, count) {
            Some(PAIRS)
        } else if !self.pairs.is_empty() && !is_multiple {
            Some("a stretch of 1 or more")
        } else {
            None
        }
    }
}

const PAIRS: &str = "pairs of two different particles that exist";

fn lead_somewhere(pairs: &[[u32; 2]], count: usize) -> bool {
    pairs.iter().all(|&[a, b]| a != b && (a.max(b) as usize) < count)
}
