//! `[camera]`: where pictures are taken from.

use glam::Vec3;

use crate::decode::limits::{between, degrees, places, seconds};

crate::table! {
    /// The camera.
    struct CameraTable {
        /// Where it stands, metres; needed unless keys say so.
        position: Option<Vec3> = None => places(),
        /// What it looks at, metres; by default the origin, or the middle of what it follows.
        target: Option<Vec3> = None => places(),
        /// Vertical field of view, degrees.
        field_of_view: f32 = 40.0 => between(1.0, 170.0).of("degrees"),
        /// How far it circles its target over the whole run, degrees.
        orbit: f32 = 0.0 => degrees(),
        /// Name of grains, of an emitter or of a body: the camera goes along with the middle of its particles.
        follow: Option<String> = None,
        /// How long it takes to catch up with what it follows, seconds; 0 stays with it rigidly.
        follow_time: f32 = 0.25 => seconds(),
        /// Where it stands and looks at which times; in between it goes smoothly.
        keys: Vec<CameraKey> = Vec::new(),
    }
}

crate::table! {
    /// The camera at a time. What a key leaves out goes on from the key before to the next that has it.
    struct CameraKey {
        /// Seconds since the start.
        time: f32 => seconds(),
        /// Where it stands, metres.
        position: Option<Vec3> = None => places(),
        /// What it looks at, metres.
        target: Option<Vec3> = None => places(),
        /// Vertical field of view, degrees.
        field_of_view: Option<f32> = None => between(1.0, 170.0).of("degrees"),
    }
}
