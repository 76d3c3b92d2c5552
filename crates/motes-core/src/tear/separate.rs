//! One particle becomes two: what follows which side, what is there twice from then on, and what dies.

use std::collections::HashSet;

use super::index::Sheets;
use crate::particles::ParticleId;
use crate::store::batch::{ALIVE, NewRow};
use crate::store::{ConstraintKind, Softness};

/// Where a row of a particle belongs that becomes two.
#[derive(PartialEq)]
enum Side {
    Old,
    New,
    /// To neither alone.
    Both,
}

impl Side {
    fn of(faces: impl Iterator<Item = bool>) -> Option<Self> {
        faces.fold(None, |side, is_new| {
            let own = if is_new { Self::New } else { Self::Old };
            Some(match (side, own) {
                (None, own) => own,
                (Some(Self::New), Self::New) => Self::New,
                (Some(Self::Old), Self::Old) => Self::Old,
                _ => Self::Both,
            })
        })
    }
}

impl Sheets<'_> {
    /// Gives some of the faces around a particle to a new one, and all rows that go with them.
    pub(super) fn separate(&mut self, old: ParticleId, piece: &[u32], new: ParticleId) {
        self.drop_crossings(old, piece);
        self.share_springs(old, piece, new);
        self.share_bendings(old, piece, new);
        for &face in piece {
            self.replace(ConstraintKind::Face, face, old, new);
        }
    }

    /// Tethers are as long as the way through a whole sheet: the first tear takes them from it.
    pub(super) fn drop_tethers(&mut self, particle: ParticleId) {
        let around = self.faces_of(particle).flat_map(|(_, corners)| corners);
        let near: Vec<ParticleId> = around.chain([particle]).collect();
        if near.iter().all(|&id| self.tethers_of(id).is_empty()) {
            return;
        }
        let (mut seen, mut reached) = (HashSet::from([particle]), vec![particle]);
        while let Some(id) = reached.pop() {
            for tether in self.tethers_of(id) {
                self.retire(ConstraintKind::Distance, tether);
            }
            let around: Vec<ParticleId> = self.faces_of(id).flat_map(|(_, corners)| corners).collect();
            reached.extend(around.into_iter().filter(|&next| seen.insert(next)));
        }
    }

    fn tethers_of(&self, particle: ParticleId) -> Vec<u32> {
        let batch = self.batch(ConstraintKind::Distance);
        let pulls = |row: &u32| batch.rest()[*row as usize] < 0.0;
        let rows = self.rows_of(ConstraintKind::Distance, particle).into_iter();
        rows.filter(pulls).collect()
    }

    /// Distances from face to face across an edge that is torn die.
    fn drop_crossings(&mut self, old: ParticleId, piece: &[u32]) {
        let faces: Vec<(u32, [ParticleId; 2])> = self.faces_of(old).collect();
        let corners = |is_new: bool| {
            let own = faces.iter().filter(move |(face, _)| piece.contains(face) == is_new);
            own.flat_map(|&(_, [a, b])| [(a, b), (b, a)])
        };
        let mut across = Vec::new();
        for (shared, left) in corners(true) {
            across.extend(
                { corners(false) }
                    .filter(|&(other, _)| other == shared)
                    .map(|(_, right)| (left, right)),
            );
        }
        for (left, right) in across {
            if left != right && !self.is_edge(left, right) {
                // Several edges may lie between the same two; each has one.
                if let Some(&row) = self.springs(left, right).first() {
                    self.retire(ConstraintKind::Distance, row);
                }
            }
        }
    }

    fn share_springs(&mut self, old: ParticleId, piece: &[u32], new: ParticleId) {
        let faces: Vec<(u32, [ParticleId; 2])> = self.faces_of(old).collect();
        let mut crossed: Vec<ParticleId> = Vec::new();
        for row in self.rows_of(ConstraintKind::Distance, old) {
            let batch = self.batch(ConstraintKind::Distance);
            if batch.rest()[row as usize] < 0.0 {
                continue;
            }
            let ends = batch.particles_of(row as usize);
            let far = if ends[0] == old { ends[1] } else { ends[0] };
            let own = faces.iter().filter(|(_, corners)| corners.contains(&far));
            match Side::of(own.map(|(face, _)| piece.contains(face))) {
                Some(Side::Old) => {}
                Some(Side::New) => self.replace(ConstraintKind::Distance, row, old, new),
                Some(Side::Both) => self.halve(row, [old, far], new, piece),
                None => {
                    // From face to face across an edge opposite, or to something else, which stays.
                    let is_opposite = |&&(_, [a, b]): &&(u32, [ParticleId; 2])| {
                        self.faces_of(a)
                            .any(|(_, corners)| corners.contains(&b) && corners.contains(&far))
                    };
                    let before = crossed.iter().filter(|&&other| other == far).count();
                    let own = faces.iter().filter(is_opposite).nth(before);
                    crossed.push(far);
                    if own.is_some_and(|(face, _)| piece.contains(face)) {
                        self.replace(ConstraintKind::Distance, row, old, new);
                    }
                }
            }
        }
    }

    /// An edge that is torn is there twice: either side has its share of the stiffness, by the areas of its faces.
    fn halve(&mut self, row: u32, [old, far]: [ParticleId; 2], new: ParticleId, piece: &[u32]) {
        let mut areas = [0.0; 2];
        for (face, corners) in self.faces_of(old) {
            if corners.contains(&far) {
                areas[usize::from(piece.contains(&face))] += self.area(face);
            }
        }
        let share = (areas[1] / (areas[0] + areas[1])).clamp(1e-3, 1.0 - 1e-3) as f32;
        let batch = self.batch_mut(ConstraintKind::Distance);
        let place = row as usize;
        let softness = |share: f32| match Softness::decode(batch.softness()[place]) {
            Softness::Compliance(compliance) => Softness::Compliance(compliance / share),
            stiffness @ Softness::Stiffness(_) => stiffness,
        };
        let (kept, given) = (softness(1.0 - share), softness(share));
        let limit = batch.breaking_force()[place];
        let (rest, state) = (batch.rest()[place], batch.states()[place] & !ALIVE);
        batch.set_softness(place, kept);
        batch.set_breaking_force(place, (1.0 - share) * limit);
        self.keep(ConstraintKind::Distance);
        let twin = NewRow {
            particles: &[new, far],
            weights: [0.0; 4],
            rest,
            softness: given,
            breaking_force: share * limit,
            state,
            body: None,
        };
        self.add(ConstraintKind::Distance, twin);
    }

    /// A bending follows the faces that it bends; one across a torn edge dies. A line of three follows the neighbours that it has in the
    /// particle that is torn; one that runs along the tear stays where it was.
    fn share_bendings(&mut self, old: ParticleId, piece: &[u32], new: ParticleId) {
        let faces: Vec<(u32, [ParticleId; 2])> = self.faces_of(old).collect();
        for row in self.rows_of(ConstraintKind::Bending, old) {
            let particles = self.batch(ConstraintKind::Bending).particles_of(row as usize);
            if particles[2] == particles[3] {
                let neighbours = match particles[1] == old {
                    true => vec![particles[0], particles[2]],
                    false => vec![particles[1]],
                };
                let sides = neighbours.iter().filter_map(|neighbour| {
                    let own = faces.iter().filter(|(_, corners)| corners.contains(neighbour));
                    Side::of(own.map(|(face, _)| piece.contains(face)))
                });
                let is_new = sides.filter(|side| *side != Side::Both).map(|side| side == Side::New);
                match Side::of(is_new) {
                    Some(Side::New) => self.replace(ConstraintKind::Bending, row, old, new),
                    Some(Side::Both) => self.retire(ConstraintKind::Bending, row),
                    Some(Side::Old) | None => {}
                }
                continue;
            }
            let (edge, across) = particles.split_at(2);
            let bends = |corners: &[ParticleId; 2]| match edge.iter().find(|&&end| end != old) {
                Some(end) if edge.contains(&old) => {
                    corners.contains(end) && corners.iter().any(|corner| across.contains(corner))
                }
                _ => edge.iter().all(|end| corners.contains(end)),
            };
            let own = faces.iter().filter(|(_, corners)| bends(corners));
            match Side::of(own.map(|(face, _)| piece.contains(face))) {
                Some(Side::New) => self.replace(ConstraintKind::Bending, row, old, new),
                Some(Side::Both) => self.retire(ConstraintKind::Bending, row),
                Some(Side::Old) | None => {}
            }
        }
    }
}
