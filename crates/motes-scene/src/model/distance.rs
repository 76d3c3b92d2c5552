//! `[[distance]]`: distances that particles keep, for ropes and nets of grains, and grains tied to bodies.

use glam::Vec3;

use crate::decode::limits::{between, metres, places, positive};

crate::table! {
    /// Pairs of particles that keep their distance from the start on. Those of `of` and of `to` that are `within` a
    /// distance, or the one of either that is nearest to the point `at`.
    struct DistanceTable {
        /// Name of grains, cloth, a rope or a body; of copies, with the number of one behind it ("link 0") or "last".
        of: String,
        /// What they are held to, likewise; by default each other.
        to: Option<String> = None,
        /// Every pair that starts no further apart than this is held, metres. Needed unless there is `at`.
        within: Option<f32> = None => metres(),
        /// Only the particle of either that is nearest to this point is held, metres.
        at: Option<Vec3> = None => places(),
        /// Distance at rest, metres; by default that at the start.
        rest_length: Option<f32> = None => between(0.0, 1e6).of("m"),
        /// How far a force stretches each pair, metres per newton; 0 is as stiff as the iterations get it.
        compliance: Option<f32> = None => between(0.0, 1e9).of("m/N"),
        /// Instead of a compliance: share of its error that is undone in a sixtieth of a second.
        stiffness: Option<f32> = None => positive(1.0),
        /// Tension at which a pair breaks, newtons.
        breaking_force: f32 = f32::INFINITY => positive(1e12).of("N").or_infinite(),
    }
}
