//! `[camera]`: where pictures are taken from.

use glam::Vec3;

use crate::decode::limits::between;

crate::table! {
    /// The camera.
    struct CameraTable {
        /// Where it stands, metres.
        position: Vec3,
        /// What it looks at, metres.
        target: Vec3 = Vec3::ZERO,
        /// Vertical field of view, degrees.
        field_of_view: f32 = 40.0 => between(1.0, 170.0),
        /// How far it circles its target over the whole run, degrees.
        orbit: f32 = 0.0 => between(-36_000.0, 36_000.0),
    }
}
