//! What random scenes are held to, and how far a run came to breaking it.

use std::collections::BTreeMap;

/// Something that holds of every scene of a class. What is measured of it must not exceed its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// Every number of every particle is finite: how many are not.
    Numbers,
    /// What starts in a closed room stays in it: how far a centre is outside, in radii.
    Room,
    /// Particles stay out of colliders: how far a centre is below a surface, in radii.
    Walls,
    /// Rigid bodies keep their shape: how far a particle is from its place, in radii.
    Rigid,
    /// Neighbours in a soft body stay together: their distance over that at rest.
    Stretch,
    /// Bodies stay in one piece: pieces above those at the start.
    Pieces,
    /// Joints between what does not bend stay closed: widest gap, in radii.
    Joints,
    /// Grains that are to keep their distance do, as far as nothing fits between them: longest of those that do not yield, over its
    /// length at rest.
    Rows,
    /// Cloth and ropes stretch no further than until others fit through: longest thread over its length at rest.
    Threads,
    /// Cloth that tears stays a surface: vertices that belong to no triangle.
    Faces,
    /// Whole balloons have the volume of their filling at its pressure: as a ratio of 1 or more.
    Volume,
    /// Where nothing puts energy in, there is never more than at the start: what is too much, over what can be turned over.
    Energy,
    /// Nothing is faster than the start, gravity and what drives the scene account for: as a ratio.
    Speed,
    /// The same bytes at any number of threads, and after saving and restoring: 1 where they differ.
    Bytes,
    /// Both engines come to the same: particles, centre of mass and energy, as a share of their bands.
    Engines,
}

impl Claim {
    /// All of them, in the order in which they are reported.
    pub const ALL: [Self; 15] = [
        Self::Numbers,
        Self::Room,
        Self::Walls,
        Self::Rigid,
        Self::Stretch,
        Self::Pieces,
        Self::Joints,
        Self::Rows,
        Self::Threads,
        Self::Faces,
        Self::Volume,
        Self::Energy,
        Self::Speed,
        Self::Bytes,
        Self::Engines,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Room => "room",
            Self::Walls => "walls",
            Self::Rigid => "rigid",
            Self::Stretch => "stretch",
            Self::Pieces => "pieces",
            Self::Joints => "joints",
            Self::Rows => "rows",
            Self::Threads => "threads",
            Self::Faces => "faces",
            Self::Volume => "volume",
            Self::Energy => "energy",
            Self::Speed => "speed",
            Self::Bytes => "bytes",
            Self::Engines => "engines",
        }
    }

    /// The greatest measure that keeps it.
    pub fn bound(self) -> f64 {
        match self {
            Self::Numbers | Self::Pieces | Self::Faces | Self::Bytes => 0.0,
            // Behind the surface of a thin wall, a particle is pushed out on the wrong side.
            Self::Room | Self::Walls => 0.0,
            // Shapes are matched last, so that only rounding is left: 1e-6 of a coordinate of metres, in radii of centimetres.
            Self::Rigid => 1e-3,
            // Beyond it the particles of a gap let others through.
            Self::Stretch => 3.0,
            // Half of what two bodies need to catch on each other there.
            Self::Joints => 0.5,
            // From there on another grain fits between two that were to stay side by side.
            Self::Rows | Self::Threads => 2.0,
            // Iterations close volumes, and contacts that come after them move the skin by less than it is thick.
            Self::Volume => 1.25,
            // Overlaps that `check` lets pass are undone, which lifts things by a few hundredths of a radius, and rooms are
            // dozens of radii high.
            Self::Energy => 1e-3,
            Self::Speed | Self::Engines => 1.0,
        }
    }
}

/// The greatest measure of each claim in a run, and the frame of it.
#[derive(Clone, Debug, Default)]
pub struct Measures(BTreeMap<Claim, (f64, u64)>);

impl Measures {
    /// Notes a measure; what is no number breaks every claim.
    pub fn note(&mut self, claim: Claim, measure: f64, frame: u64) {
        let measure = if measure.is_nan() { f64::INFINITY } else { measure };
        let worst = self.0.entry(claim).or_insert((f64::NEG_INFINITY, frame));
        if measure > worst.0 {
            *worst = (measure, frame);
        }
    }

    /// The measure of a claim and its frame; none where the claim is not made.
    pub fn get(&self, claim: Claim) -> Option<(f64, u64)> {
        self.0.get(&claim).copied()
    }

    /// Claims that are broken, each with its measure and frame.
    pub fn broken(&self) -> Vec<(Claim, f64, u64)> {
        let all = { self.0.iter() }.map(|(claim, (measure, frame))| (*claim, *measure, *frame));
        all.filter(|(claim, measure, _)| *measure > claim.bound()).collect()
    }
}
