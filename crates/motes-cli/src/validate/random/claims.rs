//! What random scenes are held to: measures of how far a run is from breaking each claim, and their bounds.

use std::collections::BTreeMap;

use glam::Vec3;
use motes_core::Bounds;

use super::snapshot::{Body, Snapshot};

/// Something that holds of every scene of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// Every number of every particle is finite.
    Numbers,
    /// What starts in a closed room stays in it: centres, in radii outside.
    Room,
    /// Centres of particles stay out of colliders, in radii below their surface.
    Walls,
    /// Rigid bodies keep their shape, in radii.
    Rigid,
    /// Neighbours in a body that bends stay near each other: distance over the one at rest.
    Stretch,
    /// Bodies stay in one piece: the number of pieces above that at the start.
    Pieces,
    /// Joints between what does not bend stay closed, in radii.
    Joints,
    /// Where nothing puts energy in, there is never more than at the start: what is too much, over the greatest that
    /// can be turned over.
    Energy,
    /// Speeds stay below what the start, gravity and whatever drives the scene account for, as a ratio.
    Speed,
    /// The same bytes at any number of threads, and after saving and restoring: 1 where they differ.
    Bytes,
    /// Both engines come to about the same: particles, centre of mass and energy, as a share of their bands.
    Engines,
}

impl Claim {
    /// All of them, in the order in which they are reported.
    pub const ALL: [Self; 11] = [
        Self::Numbers,
        Self::Room,
        Self::Walls,
        Self::Rigid,
        Self::Stretch,
        Self::Pieces,
        Self::Joints,
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
            Self::Energy => "energy",
            Self::Speed => "speed",
            Self::Bytes => "bytes",
            Self::Engines => "engines",
        }
    }

    /// The greatest measure that keeps it.
    pub fn bound(self) -> f64 {
        match self {
            Self::Numbers | Self::Pieces | Self::Bytes => 0.0,
            Self::Room => 0.0,
            Self::Walls => 0.0,
            Self::Rigid => 1e-2,
            Self::Stretch => 3.0,
            Self::Joints => 0.5,
            Self::Energy => 1e-3,
            Self::Speed => 1.0,
            Self::Engines => 1.0,
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

    /// The measure of a claim and its frame.
    pub fn get(&self, claim: Claim) -> Option<(f64, u64)> {
        self.0.get(&claim).copied()
    }

    /// Claims that are broken, each with its measure and frame.
    pub fn broken(&self) -> Vec<(Claim, f64, u64)> {
        let all = self
            .0
            .iter()
            .map(|(claim, (measure, frame))| (*claim, *measure, *frame));
        all.filter(|(claim, measure, _)| *measure > claim.bound()).collect()
    }
}

/// What is known of a scene before it runs.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Nothing puts energy in.
    pub is_passive: bool,
    /// Greatest speed of whatever moves by itself or comes into being, m/s.
    pub driven_speed: f64,
    /// Speed that fields can give during the run, m/s.
    pub field_speed: f64,
    /// Corners of the room in its frame.
    pub room: Option<Bounds>,
    /// Length of a sub-step, seconds.
    pub substep: f64,
}

/// Holds the frames of a run against its start.
pub struct Watch {
    expected: Expected,
    start: [f64; 2],
    turnover: f64,
    fall: f64,
    fastest: f64,
    inside: Vec<(u32, u32)>,
    webs: BTreeMap<motes_core::BodyId, Web>,
    /// The greatest measures so far.
    pub measures: Measures,
}

/// Which members of a body are neighbours at the start.
struct Web {
    pairs: Vec<(u32, u32, f32)>,
    pieces: usize,
}

/// Pairs of members that are closer than this many times the least distance of two are neighbours: in a hexagonal lattice
/// the twelve next ones, and the six after those.
const NEIGHBORS: f32 = 1.6;

/// Neighbours that are further apart than this many times their distance at rest hold nothing together.
const APART: f32 = 2.5;

/// An elastic impact of something heavy on something light throws the light one at up to three times the speed of either.
const AMPLIFICATION: f64 = 3.0;

impl Watch {
    /// Begins with the start of a run.
    pub fn new(expected: Expected, first: &Snapshot) -> Self {
        let start = first.energy();
        let heights = |particle: &super::snapshot::Particle| {
            let down = particle.weight.as_dvec3();
            down.dot(particle.position.as_dvec3())
        };
        let size = expected.room.map_or(1.0, |room| f64::from(room.size().length()));
        let weight: f64 = first
            .particles
            .iter()
            .map(|particle| f64::from(particle.weight.length()))
            .sum();
        let accelerations = first.particles.iter().filter(|particle| particle.mass > 0.0);
        let gravity = accelerations
            .map(|particle| f64::from(particle.weight.length()) / particle.mass)
            .fold(0.0, f64::max);
        let _ = heights;
        let [fast, driven] = first.speeds();
        Self {
            start,
            turnover: start[0] + weight * size,
            fall: (2.0 * gravity * size).sqrt(),
            fastest: fast.max(driven).max(expected.driven_speed),
            inside: first.particles.iter().map(|particle| particle.id).collect(),
            webs: first.bodies.iter().filter(|body| !body.is_rigid).map(web).collect(),
            measures: Measures::default(),
            expected,
        }
    }

    /// Looks at the end of a frame.
    pub fn look(&mut self, seen: &Snapshot) {
        let frame = seen.frame;
        let mut note = |claim, measure| self.measures.note(claim, measure, frame);
        note(Claim::Numbers, not_finite(seen) as f64);
        if let (Some(room), Some(pose)) = (self.expected.room, seen.room) {
            let outside = { seen.particles.iter() }
                .filter(|particle| particle.mass > 0.0)
                .map(|particle| {
                    let local = pose.local_point(particle.position);
                    let beyond = (local - room.max).max(room.min - local).max_element();
                    f64::from(beyond / particle.radius)
                });
            note(Claim::Room, outside.fold(f64::NEG_INFINITY, max));
        }
        if seen.deepest.0 > f64::NEG_INFINITY {
            note(Claim::Walls, seen.deepest.0);
        }
        for body in seen.bodies.iter().filter(|body| !body.melts) {
            if body.is_rigid {
                note(Claim::Rigid, strain(body));
            } else if let Some(web) = self.webs.get(&body.id) {
                let (stretch, pieces) = web.look(body);
                note(Claim::Stretch, stretch);
                note(Claim::Pieces, pieces as f64 - web.pieces as f64);
            }
        }
        let radius = seen
            .particles
            .iter()
            .map(|particle| particle.radius)
            .fold(f32::INFINITY, f32::min);
        note(Claim::Joints, seen.widest_gap / f64::from(radius));
        if self.expected.is_passive {
            let [kinetic, potential] = seen.energy();
            let excess = kinetic + potential - self.start[0] - self.start[1];
            note(Claim::Energy, excess / self.turnover.max(f64::MIN_POSITIVE));
        }
        let [fast, driven] = seen.speeds();
        self.fastest = self.fastest.max(driven);
        let most = self.fastest + self.fall + self.expected.field_speed;
        note(Claim::Speed, fast / (AMPLIFICATION * most).max(f64::MIN_POSITIVE));
        let _ = &self.inside;
    }
}

/// The greater of two numbers, of which what is no number is the greatest.
fn max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

fn not_finite(seen: &Snapshot) -> usize {
    let bad = |particle: &&super::snapshot::Particle| !(particle.position.is_finite() && particle.velocity.is_finite());
    let passive = seen.passive.iter().filter(|place| !place.is_finite());
    seen.particles.iter().filter(bad).count() + passive.count()
}

/// How far a member of a rigid body is from where its pose has it, in radii.
fn strain(body: &Body) -> f64 {
    let mass: f32 = body.members.iter().map(|(.., mass)| mass).sum();
    let offset = |&(rest, place, mass): &(Vec3, Vec3, f32)| mass * (place - body.rotation * rest);
    let center = body.members.iter().map(offset).sum::<Vec3>() / mass;
    let errors = body
        .members
        .iter()
        .map(|(rest, place, _)| f64::from((*place - body.rotation * *rest).distance(center) / body.radius));
    errors.fold(0.0, max)
}

fn web(body: &Body) -> (motes_core::BodyId, Web) {
    let places: Vec<Vec3> = body.members.iter().map(|(rest, ..)| *rest).collect();
    let mut least = f32::INFINITY;
    for (k, a) in places.iter().enumerate() {
        for b in &places[k + 1..] {
            least = least.min(a.distance_squared(*b));
        }
    }
    let reach = NEIGHBORS * least.sqrt();
    let mut pairs = Vec::new();
    for (k, a) in places.iter().enumerate() {
        for (l, b) in places.iter().enumerate().skip(k + 1) {
            let distance = a.distance(*b);
            if distance <= reach {
                pairs.push((k as u32, l as u32, distance));
            }
        }
    }
    let mut web = Web { pairs, pieces: 0 };
    web.pieces = web.look(body).1;
    (body.id, web)
}

impl Web {
    /// Greatest stretch of a pair, and the number of pieces that neighbours hold together.
    fn look(&self, body: &Body) -> (f64, usize) {
        let mut owner: Vec<u32> = (0..body.members.len() as u32).collect();
        fn root(owner: &mut [u32], mut k: u32) -> u32 {
            while owner[k as usize] != k {
                owner[k as usize] = owner[owner[k as usize] as usize];
                k = owner[k as usize];
            }
            k
        }
        let mut stretch = 0.0;
        for &(a, b, rest) in &self.pairs {
            let (Some(first), Some(second)) = (body.members.get(a as usize), body.members.get(b as usize)) else {
                continue;
            };
            let ratio = first.1.distance(second.1) / rest;
            stretch = max(stretch, f64::from(ratio));
            if ratio < APART {
                let (a, b) = (root(&mut owner, a), root(&mut owner, b));
                owner[a as usize] = b;
            }
        }
        let pieces = (0..owner.len()).filter(|&k| owner[k] as usize == k).count();
        (stretch, pieces)
    }
}
