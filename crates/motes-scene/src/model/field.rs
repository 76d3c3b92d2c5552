//! `[[field]]`: accelerations that depend on where a particle is.

use glam::Vec3;

use super::Region;
use crate::decode::limits::{accelerations, between, metres, places, velocities};

crate::table! {
    /// A force field.
    struct FieldTable {
        /// What it does.
        kind: FieldWord,
        /// Where it acts; by default everywhere.
        within: Option<Region> = None,
    }
}

crate::choice! {
    /// What a force field does.
    enum FieldWord {
        /// The same acceleration everywhere.
        "uniform" => Uniform(UniformField),
        /// Away from a point, or towards it.
        "radial" => Radial(RadialField),
        /// Around an axis.
        "vortex" => Vortex(VortexField),
        /// Along with a moving medium.
        "drag" => Drag(DragField),
    }
}

crate::table! {
    /// The same acceleration everywhere.
    struct UniformField {
        /// Acceleration, m/s².
        acceleration: Vec3 => accelerations(),
    }
}

crate::table! {
    /// Away from a point; towards it when negative.
    struct RadialField {
        /// The point, metres.
        center: Vec3 = Vec3::ZERO => places(),
        /// Acceleration at the centre, m/s².
        strength: f32 => accelerations(),
        /// Distance over which it falls to zero, metres; inf keeps it constant.
        range: f32 = f32::INFINITY => metres().or_infinite(),
    }
}

crate::table! {
    /// Around an axis.
    struct VortexField {
        /// A point of the axis, metres.
        center: Vec3 = Vec3::ZERO => places(),
        /// Direction of the axis; by default up.
        axis: Option<Vec3> = None,
        /// Acceleration around the axis, m/s².
        swirl: f32 = 0.0 => accelerations(),
        /// Acceleration towards the axis, m/s².
        pull: f32 = 0.0 => accelerations(),
        /// Acceleration along the axis, m/s².
        lift: f32 = 0.0 => accelerations(),
        /// Distance from the axis over which it falls to zero, metres; inf keeps it constant.
        range: f32 = f32::INFINITY => metres().or_infinite(),
    }
}

crate::table! {
    /// Along with a moving medium.
    struct DragField {
        /// Velocity of the medium, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Rate at which the difference decays, 1/s.
        rate: f32 => between(0.0, 1e6).of("1/s"),
    }
}
