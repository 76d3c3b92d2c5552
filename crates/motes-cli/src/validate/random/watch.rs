//! Holds the frames of a run against its start.

use std::collections::BTreeMap;

use motes_core::BodyId;

use super::claims::{Claim, Measures};
use super::expected::Expected;
use super::snapshot::{Body, Shapekeeping, Snapshot};
use super::web::{Web, greater, strain};

/// An elastic impact of something heavy throws something light that comes towards it at up to three times the speed.
const AMPLIFICATION: f64 = 3.0;

/// Holds the frames of a run against its start.
pub struct Watch {
    expected: Expected,
    /// Energy at the start, with that of what is bent and what contacts that stick can add, joules.
    start: f64,
    /// Most that can be turned over: energy of motion at the start, and of a fall through the whole room, joules.
    pub turnover: f64,
    /// Speed after a fall through the whole room, m/s.
    fall: f64,
    /// Greatest speed of anything that nothing can stop, m/s.
    fastest: f64,
    webs: BTreeMap<BodyId, Web>,
    /// The greatest measures so far.
    pub measures: Measures,
}

impl Watch {
    /// Begins with the start of a run.
    pub fn new(expected: Expected, first: &Snapshot) -> Self {
        let [kinetic, potential] = first.energy();
        let size = expected.size();
        let weights = { first.particles.iter() }.map(|particle| f64::from(particle.weight.length()));
        let [free, held] = first.speeds();
        let bending = { first.bodies.iter() }.filter(|body| body.keeps != Shapekeeping::Rigid);
        Self {
            start: kinetic + potential + expected.sticking + expected.bent,
            turnover: kinetic + weights.sum::<f64>() * size,
            fall: (2.0 * expected.gravity * size).sqrt(),
            fastest: free.max(held).max(expected.driven_speed),
            webs: bending.map(|body| (body.id, Web::new(body))).collect(),
            measures: Measures::default(),
            expected,
        }
    }

    /// Looks at the end of a frame.
    pub fn look(&mut self, seen: &Snapshot) {
        self.note(seen, Claim::Numbers, seen.not_finite() as f64);
        self.note(seen, Claim::Walls, seen.deepest);
        if let (Some(room), Some(pose)) = (self.expected.room, seen.room) {
            let outside = seen.free().map(|particle| {
                let local = pose.local_point(particle.position);
                let beyond = (local - room.max).max(room.min - local).max_element();
                f64::from(beyond / particle.radius)
            });
            self.note(seen, Claim::Room, outside.fold(f64::NEG_INFINITY, greater));
        }
        for body in &seen.bodies {
            self.look_at(seen, body);
        }
        if let Some(gap) = seen.widest_gap {
            self.note(seen, Claim::Joints, gap);
        }
        if let Some(longest) = seen.longest_row {
            self.note(seen, Claim::Rows, longest);
        }
        if let Some(longest) = seen.longest_thread {
            self.note(seen, Claim::Threads, longest);
        }
        if let Some(bare) = seen.bare_vertices {
            self.note(seen, Claim::Faces, bare);
        }
        if let Some(misfit) = seen.misfit {
            self.note(seen, Claim::Volume, misfit);
        }
        if self.expected.is_passive && self.turnover > 0.0 {
            let excess = seen.energy().iter().sum::<f64>() - self.start;
            self.note(seen, Claim::Energy, excess / self.turnover);
        }
        let [free, held] = seen.speeds();
        self.fastest = self.fastest.max(held);
        let most = AMPLIFICATION * (self.fastest + self.fall + self.expected.field_speed);
        if most > 0.0 {
            self.note(seen, Claim::Speed, free / most);
        }
    }

    fn look_at(&mut self, seen: &Snapshot, body: &Body) {
        match (body.keeps, self.webs.get(&body.id)) {
            (Shapekeeping::Rigid, _) => self.note(seen, Claim::Rigid, strain(body)),
            (Shapekeeping::Soft, Some(web)) => {
                let (stretch, pieces) = (web.stretch(body), web.more_pieces(body));
                self.note(seen, Claim::Stretch, stretch);
                self.note(seen, Claim::Pieces, pieces);
            }
            (Shapekeeping::Plastic, Some(web)) => {
                let pieces = web.more_pieces(body);
                self.note(seen, Claim::Pieces, pieces);
            }
            (Shapekeeping::Melting, _) | (_, None) => {}
        }
    }

    fn note(&mut self, seen: &Snapshot, claim: Claim, measure: f64) {
        self.measures.note(claim, measure, seen.frame);
    }
}
