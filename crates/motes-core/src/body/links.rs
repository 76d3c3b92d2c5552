//! Links: pairs of particles of a body that keep their distance. In a world they are rows of the [`store`](crate::store).

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
        let leads_somewhere = |&[a, b]: &[u32; 2]| a != b && (a.max(b) as usize) < count;
        if !self.pairs.iter().all(leads_somewhere) {
            Some("pairs of two different particles that exist")
        } else if !(self.compliance >= 0.0 && self.compliance.is_finite()) {
            Some("a compliance of 0 or more, metres per newton")
        } else {
            None
        }
    }
}
