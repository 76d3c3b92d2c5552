//! `attach` of cloth and ropes: particles that are held by something.

use glam::Vec3;

use super::{MotionTable, Region};
use crate::decode::limits::{between, places, positive};

crate::table! {
    /// Some particles of a cloth or a rope, and what they are attached to: the world, in which they may move, a collider, with which
    /// they go, or anything else that has particles, which pulls and is pulled.
    struct AttachTable {
        /// Which particles, by the names that `pins` has.
        pins: Vec<String> = Vec::new(),
        /// Points, metres: the particle nearest to each.
        at: Vec<Vec3> = Vec::new() => places(),
        /// A region: every particle that starts in it.
        within: Option<Region> = None,
        /// Name of a collider, a body, grains, another cloth or rope; of copies with a number behind it ("crate 0"). By default the
        /// world.
        to: Option<String> = None,
        /// How particles that are attached to the world move, as one: `position` in the keys of a path is that of their middle.
        motion: Option<MotionTable> = None,
        /// How far a force stretches what ties each of them to particles of something else, metres per newton.
        compliance: f32 = 0.0 => between(0.0, 1e9).of("m/N"),
        /// Tension at which it breaks, newtons.
        breaking_force: f32 = f32::INFINITY => positive(1e12).of("N").or_infinite(),
    }
}
