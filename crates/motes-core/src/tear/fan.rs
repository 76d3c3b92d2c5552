//! The faces around a particle, in order: a ring within a sheet, a fan at its rim.

use std::collections::VecDeque;

use super::index::Sheets;
use crate::particles::ParticleId;

/// Faces around a particle, each of which shares an edge with the next.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fan {
    /// Rows of the faces.
    pub(super) faces: Vec<u32>,
    /// What lies around the particle: face `i` is between the particles `i` and `i + 1`; of a ring the last one is followed by the first.
    pub(super) rim: Vec<ParticleId>,
}

impl Fan {
    /// Whether it goes all around.
    pub(super) fn is_ring(&self) -> bool {
        self.rim.len() == self.faces.len()
    }

    /// The places on the rim whose edges have a face on either side.
    pub(super) fn inner(&self) -> std::ops::Range<usize> {
        if self.is_ring() {
            0..self.rim.len()
        } else {
            1..self.rim.len() - 1
        }
    }
}

impl Sheets<'_> {
    /// The faces around a particle that go together, with edges to particles that pass as if they were torn. `None` where an edge has
    /// more than two faces.
    pub(super) fn fans(&self, particle: ParticleId, is_torn: impl Fn(ParticleId) -> bool) -> Option<Vec<Fan>> {
        let faces: Vec<(u32, [ParticleId; 2])> = self.faces_of(particle).collect();
        let faces = faces.as_slice();
        let at = |corner: ParticleId| (0..faces.len()).filter(move |&face| faces[face].1.contains(&corner));
        let mut corners = faces.iter().flat_map(|(_, corners)| corners);
        if corners.any(|&corner| at(corner).count() > 2) {
            return None;
        }
        let beyond = |face: usize, corner: ParticleId| {
            let next = at(corner).find(|&next| next != face);
            next.filter(|_| !is_torn(corner))
        };
        let mut seen = vec![false; faces.len()];
        let mut fans = Vec::new();
        for first in 0..faces.len() {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let (row, [left, right]) = faces[first];
            let (mut run, mut rim) = (VecDeque::from([row]), VecDeque::from([left, right]));
            let (mut face, mut corner) = (first, right);
            while let Some(next) = beyond(face, corner).filter(|&next| !seen[next]) {
                seen[next] = true;
                (face, corner) = (next, other(faces[next].1, corner));
                run.push_back(faces[face].0);
                rim.push_back(corner);
            }
            let closes = beyond(face, corner) == Some(first) && corner == left && run.len() > 1;
            if closes {
                rim.pop_back();
            } else {
                (face, corner) = (first, left);
                while let Some(next) = beyond(face, corner).filter(|&next| !seen[next]) {
                    seen[next] = true;
                    (face, corner) = (next, other(faces[next].1, corner));
                    run.push_front(faces[face].0);
                    rim.push_front(corner);
                }
            }
            let (faces, rim) = (run.into(), rim.into());
            fans.push(Fan { faces, rim });
        }
        Some(fans)
    }

    /// The faces around a particle if they all go together.
    pub(super) fn whole_fan(&self, particle: ParticleId) -> Option<Fan> {
        let mut fans = self.fans(particle, |_| false)?;
        if fans.len() == 1 { fans.pop() } else { None }
    }
}

fn other([a, b]: [ParticleId; 2], corner: ParticleId) -> ParticleId {
    if a == corner { b } else { a }
}
