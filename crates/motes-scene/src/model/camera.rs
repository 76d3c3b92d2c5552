//! `[camera]`: where pictures are taken from.

use glam::Vec3;

use crate::decode::limits::{between, degrees, places};

crate::table! {
    /// The camera.
    struct CameraTable {
        /// Where it stands, metres.
        position: Vec3 => places(),
        /// What it looks at, metres.
        target: Vec3 = Vec3::ZERO => places(),
        /// Vertical field of view, degrees.
        field_of_view: f32 = 40.0 => between(1.0, 170.0).of("degrees"),
        /// How far it circles its target over the whole run, degrees.
        orbit: f32 = 0.0 => degrees(),
    }
}
