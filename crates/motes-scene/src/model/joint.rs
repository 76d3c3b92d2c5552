//! `[[joint]]`: what holds bodies together, and to the world.

use glam::Vec3;

use crate::decode::limits::{Limits, places, positive};

crate::words! {
    /// What a joint leaves free.
    enum JointKind {
        /// Turning about a point.
        "ball" => Ball,
        /// Turning about an axis.
        "hinge" => Hinge,
        /// Nothing.
        "fixed" => Fixed,
    }
}

crate::table! {
    /// A joint between a body and something else, as they stand at the start.
    struct JointTable {
        /// Name of the body; of copies, with the number of one behind it ("link 0") or "last".
        body: String,
        /// What it is joined to: "world", or the name of a body or of a collider.
        to: String = "world".into(),
        /// "ball", "hinge" or "fixed".
        kind: JointKind = JointKind::Ball,
        /// Where they are joined, metres; by default halfway between two bodies, otherwise in the middle of the body.
        at: Option<Vec3> = None => places(),
        /// Axis of a hinge.
        axis: Option<Vec3> = None,
        /// Force at which it breaks, newtons.
        breaking_force: f32 = f32::INFINITY => forces(),
    }
}

crate::table! {
    /// Joints between neighbouring copies, halfway between them.
    default struct JoinedTable {
        /// "ball", "hinge" or "fixed".
        kind: JointKind = JointKind::Ball,
        /// Axis of hinges, in the frame of each body.
        axis: Option<Vec3> = None,
        /// Force at which a joint breaks, newtons.
        breaking_force: f32 = f32::INFINITY => forces(),
        /// Whether the last is joined to the first.
        closed: bool = false,
    }
}

fn forces() -> Limits {
    positive(1e12).of("N").or_infinite()
}
