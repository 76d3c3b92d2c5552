//! Motions of colliders and kinematic bodies.

use glam::Vec3;

use super::Rotation;
use crate::decode::limits::{degrees, places, seconds, velocities, within};

crate::choice! {
    /// A prescribed motion.
    enum MotionTable {
        /// At a constant rate.
        "steady" => Steady(SteadyMotion),
        /// To and fro about the starting pose.
        "swing" => Swing(SwingMotion),
        /// Along keyframes.
        "path" => Path(PathMotion),
    }
}

crate::table! {
    /// Movement and turning at a constant rate.
    default struct SteadyMotion {
        /// Velocity, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Turning about the world's axes through its origin, degrees per second.
        angular_velocity: Vec3 = Vec3::ZERO => within(1e6).of("degrees/s"),
    }
}

crate::table! {
    /// Swinging to and fro, starting from the middle.
    struct SwingMotion {
        /// Furthest displacement, metres.
        offset: Vec3 = Vec3::ZERO => places(),
        /// Furthest rotation about the world's axes, degrees.
        rotation: Vec3 = Vec3::ZERO => degrees(),
        /// Seconds for a full cycle.
        period: f32 => seconds().but_not_lowest(),
    }
}

crate::table! {
    /// Movement along keyframes; waits at both ends unless it repeats.
    struct PathMotion {
        /// The keyframes, in order of time.
        keys: Vec<KeyTable>,
        /// Start again after the last.
        repeat: bool = false,
    }
}

crate::table! {
    /// Where it is at a time.
    struct KeyTable {
        /// Seconds since the start.
        time: f32 => seconds(),
        /// Position, metres; by default its own.
        position: Option<Vec3> = None => places(),
        /// Rotation, degrees; by default its own.
        rotation: Option<Rotation> = None => degrees(),
    }
}
