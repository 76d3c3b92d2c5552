//! Balloons: rows over all the faces of a closed surface, with what they are filled with.
//!
//! A row of this kind has no particles of its own but a list of faces, which name them. Engines take it as an [`Enclosure`]: triangles over
//! particles, and where faces have gone or come apart at an edge others that span the hole, so that there is a volume inside all the same.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::batch::acts;
use super::{ConstraintId, ConstraintKind, Constraints, Softness};
use crate::constraints::volume::{AMBIENT_PRESSURE, Content, Skin, TRACE, leak};
use crate::particles::ParticleId;

/// Triangles or particles of a balloon that are added up together, before all the sums are. Fixed, so that results do not depend on the
/// number of threads.
pub const PIECE: usize = 64;

/// What a balloon is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Filling {
    /// What has a volume of its own, whatever pressure it takes: water, or the balloons of the papers.
    Volume {
        /// Its volume, m³.
        volume: f32,
        /// How far it yields: m³ for each pascal, or the share of its error that is undone in 1/60 s.
        softness: Softness,
    },
    /// As much air as keeps this pressure above that of the surroundings, pascals: from a pump or a fan.
    Pressure(f32),
    /// So much air, closed in, as has this volume without pressure, m³. Squeezed to half of that it pushes back with an atmosphere more
    /// (Boyle).
    Gas(f32),
}

impl Filling {
    /// What would do instead, if it cannot be used, after the name of the field and what was found.
    pub(super) fn problem(self) -> Option<(&'static str, f32, &'static str)> {
        let amount = |value: f32| value >= 0.0 && value.is_finite();
        match self {
            Self::Volume { volume, .. } if !amount(volume) => Some(("volume", volume, "0 or more, m³")),
            Self::Volume { softness, .. } => softness.problem().map(|_| {
                (
                    "softness",
                    softness.value(),
                    "m³/Pa of 0 or more, or a stiffness above 0 and at most 1",
                )
            }),
            Self::Pressure(pressure) if !pressure.is_finite() || pressure.abs() > 1e3 * AMBIENT_PRESSURE => {
                Some(("pressure", pressure, "pascals, up to a thousand atmospheres"))
            }
            Self::Gas(volume) if !amount(volume) => Some(("gas", volume, "0 or more, m³")),
            Self::Pressure(_) | Self::Gas(_) => None,
        }
    }

    /// Its main number: a volume, a pressure or an amount of gas.
    pub fn amount(self) -> f32 {
        match self {
            Self::Volume { volume: amount, .. } | Self::Pressure(amount) | Self::Gas(amount) => amount,
        }
    }

    /// The same kind of filling with another number.
    #[must_use]
    pub fn with_amount(self, amount: f32) -> Self {
        match self {
            Self::Volume { softness, .. } => Self::Volume {
                volume: amount,
                softness,
            },
            Self::Pressure(_) => Self::Pressure(amount),
            Self::Gas(_) => Self::Gas(amount),
        }
    }
}

/// A balloon to be.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBalloon {
    /// Faces of a closed surface that look out: see [`crate::World::add_faces`].
    pub faces: Vec<ConstraintId>,
    /// What is in it.
    pub filling: Filling,
}

/// A balloon as it is at the end of the last frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalloonState {
    /// Volume inside, m³.
    pub volume: f32,
    /// Pressure above that of the surroundings in the last sub-step, pascals.
    pub pressure: f32,
    /// What it was filled with.
    pub filling: Filling,
    /// What has left of that through holes, m³.
    pub lost: f32,
    /// Area of its holes, m².
    pub hole: f32,
}

/// What the store knows of a balloon besides its row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// Faces around it, some of them gone perhaps.
    pub faces: Vec<ConstraintId>,
    /// What they are like at rest.
    pub skin: Skin,
    /// What it was filled with.
    pub filling: Filling,
    /// What has left of it, m³. Where a pump was cut off, less than zero: what it left behind, as an amount of gas.
    pub lost: f32,
    /// Counts how often it was filled, for engines that keep `lost` themselves.
    pub fills: u32,
    /// It was seen with a hole.
    pub burst: bool,
}

impl Inside {
    pub(super) fn new(faces: Vec<ConstraintId>, filling: Filling) -> Self {
        Self {
            faces,
            skin: Skin::UNKNOWN,
            filling,
            lost: 0.0,
            fills: 1,
            burst: false,
        }
    }

    /// What there is left in it.
    pub fn content(&self) -> Content {
        content(self.filling, self.lost)
    }

    /// The volume up to which a pump fills it, m³.
    pub fn room(&self) -> f32 {
        match self.filling {
            Filling::Pressure(pressure) => self.skin.room(pressure),
            Filling::Volume { .. } | Filling::Gas(_) => f32::INFINITY,
        }
    }

    /// Takes note of what leaves in a sub-step of `h` seconds through holes of an area, m², at a volume inside and a pressure.
    pub(crate) fn leak(&mut self, volume: f32, pressure: f32, hole: f32, h: f32) {
        if let Filling::Pressure(pressure) = self.filling
            && self.lost >= 0.0
        {
            self.lost = -(volume * (1.0 + pressure / AMBIENT_PRESSURE)).max(TRACE);
        }
        let all = match self.content() {
            Content::Volume { volume: content, .. } | Content::Gas(content) => content - volume,
            Content::Pressure(_) => 0.0,
        };
        self.lost += leak(pressure, hole, all, h);
        if matches!(self.filling, Filling::Pressure(_)) {
            // There is always a trace left, by which it is known that the pump is off.
            self.lost = self.lost.min(-TRACE);
        }
    }
}

/// What is left of a filling.
pub fn content(filling: Filling, lost: f32) -> Content {
    match filling {
        Filling::Volume { volume, softness } => Content::Volume {
            volume: (volume - lost).max(0.0),
            softness: softness.encode(),
        },
        Filling::Gas(amount) => Content::Gas((amount - lost).max(0.0)),
        Filling::Pressure(_) if lost < 0.0 => Content::Gas(-lost),
        Filling::Pressure(pressure) => Content::Pressure(pressure),
    }
}

/// A balloon, ready to be solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enclosure {
    /// Its row among the balloons.
    pub row: u32,
    /// Its triangles, by numbers of participants: faces, and what spans its holes.
    pub triangles: std::ops::Range<usize>,
    /// Where those that span holes begin.
    pub faces_end: usize,
    /// Its participants.
    pub participants: std::ops::Range<usize>,
}

/// All balloons that act, one behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enclosures {
    /// One for each balloon.
    pub list: Vec<Enclosure>,
    /// Triangles of all, by numbers of participants.
    pub triangles: Vec<[u32; 3]>,
    /// The particles that they are made of.
    pub participants: Vec<ParticleId>,
}

impl Enclosures {
    /// Whether a triangle spans a hole.
    pub fn has_holes(&self) -> bool {
        self.list
            .iter()
            .any(|balloon| balloon.faces_end < balloon.triangles.end)
    }

    pub(super) fn add(&mut self, row: u32, faces: &[[ParticleId; 3]]) {
        let first = (self.triangles.len(), self.participants.len());
        let mut numbers = HashMap::new();
        for corners in faces {
            let triangle = corners.map(|id| {
                *numbers.entry(id).or_insert_with(|| {
                    self.participants.push(id);
                    self.participants.len() as u32 - 1
                })
            });
            self.triangles.push(triangle);
        }
        let faces_end = self.triangles.len();
        for rim in rims(&self.triangles[first.0..]) {
            let others = rim.windows(2).skip(1);
            self.triangles.extend(others.map(|side| [rim[0], side[0], side[1]]));
        }
        self.list.push(Enclosure {
            row,
            triangles: first.0..self.triangles.len(),
            faces_end,
            participants: first.1..self.participants.len(),
        });
    }
}

/// Corners around each hole, in the order in which triangles that span it have them.
pub(super) fn rims(triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut sides: Vec<([u32; 2], i32)> = sides
        .map(|[a, b]| if a < b { ([a, b], 1) } else { ([b, a], -1) })
        .collect();
    sides.sort_unstable();
    // Sides that no neighbour runs along the other way, turned around.
    let mut open: Vec<[u32; 2]> = Vec::new();
    for same in sides.chunk_by(|a, b| a.0 == b.0) {
        let more: i32 = same.iter().map(|side| side.1).sum();
        let [a, b] = same[0].0;
        let side = if more > 0 { [b, a] } else { [a, b] };
        open.extend(std::iter::repeat_n(side, more.unsigned_abs() as usize));
    }
    open.sort_unstable();
    let mut used = vec![false; open.len()];
    let mut rims = Vec::new();
    for start in 0..open.len() {
        if used[start] {
            continue;
        }
        let mut rim = Vec::new();
        let mut side = start;
        // As many sides lead to a corner as away from it: the way ends where it began.
        loop {
            used[side] = true;
            rim.push(open[side][0]);
            let to = open[side][1];
            let first = open.partition_point(|side| side[0] < to);
            let next = (first..open.len()).take_while(|&next| open[next][0] == to);
            match next.into_iter().find(|&next| !used[next]) {
                Some(next) if to != open[start][0] => side = next,
                _ => break,
            }
        }
        rims.push(rim);
    }
    rims
}

impl Constraints {
    /// What is known of each place of a balloon.
    pub fn insides(&self) -> &[Inside] {
        &self.insides
    }

    /// What is known of the balloon at a place.
    pub fn inside(&self, row: usize) -> Option<&Inside> {
        self.insides.get(row)
    }

    /// The same, for an engine to say what has left.
    pub fn inside_mut(&mut self, row: usize) -> Option<&mut Inside> {
        self.insides.get_mut(row)
    }

    /// Counts changes after which balloons have to be listed anew.
    pub fn balloon_edits(&self) -> [u64; 2] {
        [ConstraintKind::Balloon, ConstraintKind::Face].map(|kind| self.batch(kind).edits())
    }

    /// Lists the balloons that act. Those that have holes for the first time are noted; those of which no face is left are gone.
    pub fn enclose(&mut self) -> Enclosures {
        let mut enclosures = Enclosures::default();
        for row in 0..self.batch(ConstraintKind::Balloon).places() as u32 {
            let Some(id) = self.batch(ConstraintKind::Balloon).id_of(row) else {
                continue;
            };
            let faces = self.faces_of(row as usize);
            if faces.is_empty() {
                self.batch_mut(ConstraintKind::Balloon).retire(row, 0);
                self.burst.push(id);
                continue;
            }
            if !acts(self.batch(ConstraintKind::Balloon).states()[row as usize]) {
                continue;
            }
            enclosures.add(row, &faces);
            let is_open = enclosures.list.last().is_some_and(|balloon| {
                balloon.faces_end < balloon.triangles.end || faces.len() < self.insides[row as usize].faces.len()
            });
            let inside = &mut self.insides[row as usize];
            if is_open && !std::mem::replace(&mut inside.burst, true) {
                self.burst.push(id);
            }
        }
        enclosures
    }

    /// Corners of the faces of a balloon that there are.
    pub(super) fn faces_of(&self, row: usize) -> Vec<[ParticleId; 3]> {
        let batch = self.batch(ConstraintKind::Face);
        let places = self.insides[row].faces.iter().filter_map(|&face| batch.place(face));
        let corners = places.map(|place| {
            let ids = batch.particles_of(place);
            [ids[0], ids[1], ids[2]]
        });
        corners.collect()
    }

    /// What the faces of a balloon are like at rest, by the distances along their sides; unknown if a side has none.
    pub(super) fn skin(&self, row: usize) -> Skin {
        let side = |a: ParticleId, b: ParticleId| if a.index < b.index { [a, b] } else { [b, a] };
        let faces = self.faces_of(row);
        let sides = |[a, b, c]: [ParticleId; 3]| [side(a, b), side(b, c), side(c, a)];
        let mut lengths: HashMap<[ParticleId; 2], f32> = faces
            .iter()
            .flat_map(|&face| sides(face))
            .map(|side| (side, 0.0))
            .collect();
        let threads = self.batch(ConstraintKind::Distance);
        let mut stiffness = 0.0;
        for thread in threads.ids().filter_map(|id| threads.place(id)) {
            let (ends, rest, softness) = (
                threads.particles_of(thread),
                threads.rest()[thread],
                threads.softness()[thread],
            );
            if rest > 0.0
                && let Some(length) = lengths.get_mut(&side(ends[0], ends[1]))
            {
                *length = rest;
                stiffness += rest * rest / softness.max(0.0);
            }
        }
        let mut area = 0.0;
        for face in faces {
            let [a, b, c] = sides(face).map(|side| lengths[&side]);
            if a.min(b).min(c) <= 0.0 {
                return Skin::UNKNOWN;
            }
            let half = 0.5 * (a + b + c);
            area += (half * (half - a) * (half - b) * (half - c)).max(0.0).sqrt();
        }
        Skin { area, stiffness }
    }

    /// Balloons that got a hole since this was asked last.
    pub(super) fn take_burst(&mut self) -> Vec<ConstraintId> {
        std::mem::take(&mut self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    #[test]
    fn a_closed_surface_has_no_rim_and_what_is_taken_out_leaves_one() {
        assert!(rims(&TETRAHEDRON).is_empty());
        assert_eq!(rims(&TETRAHEDRON[1..]), [vec![0, 2, 1]]);
        // Two faces away: a hole of four corners, seen as the faces were.
        let rim = rims(&TETRAHEDRON[2..]);
        assert_eq!(rim, [vec![0, 2, 1, 3]]);
    }

    #[test]
    fn two_holes_that_share_a_corner_are_spanned_to_the_last_side() {
        // An octahedron without two opposite faces of its upper half, and its ring.
        let ring = [0, 1, 2, 3];
        let upper = (0..4).map(|k| [ring[k], ring[(k + 1) % 4], 4]);
        let lower = (0..4).map(|k| [ring[(k + 1) % 4], ring[k], 5]);
        let all: Vec<[u32; 3]> = upper.chain(lower).collect();
        assert!(rims(&all).is_empty());
        let open: Vec<[u32; 3]> = all
            .iter()
            .copied()
            .enumerate()
            .filter(|(k, _)| ![0, 2].contains(k))
            .map(|(_, t)| t)
            .collect();
        let rims = rims(&open);
        assert_eq!(rims.iter().map(Vec::len).sum::<usize>(), 6);
        let mut closed = open;
        for rim in rims {
            closed.extend(rim.windows(2).skip(1).map(|side| [rim[0], side[0], side[1]]));
        }
        assert!(super::rims(&closed).is_empty());
    }

    #[test]
    fn a_pump_that_is_cut_off_leaves_its_gas_behind() {
        let mut inside = Inside::new(Vec::new(), Filling::Pressure(1000.0));
        assert_eq!(inside.content(), Content::Pressure(1000.0));
        inside.leak(2.0, 1000.0, 0.0, 0.01);
        assert_eq!(inside.content(), Content::Gas(2.0 * (1.0 + 1000.0 / AMBIENT_PRESSURE)));
        for _ in 0..10_000 {
            inside.leak(1e-4, 1000.0, 0.1, 0.01);
        }
        assert!(matches!(inside.content(), Content::Gas(left) if (left - 1e-4).abs() < 1e-6));
    }

    #[test]
    fn what_leaks_is_lost_and_a_slack_one_draws_air_in() {
        let mut inside = Inside::new(Vec::new(), Filling::Gas(1.0));
        inside.leak(0.9, 60.0, 0.01, 0.1);
        assert!((inside.lost - 0.0061).abs() < 1e-6);
        inside.leak(1.2, -60.0, 0.01, 0.1);
        assert!(inside.lost.abs() < 1e-6);
    }
}
