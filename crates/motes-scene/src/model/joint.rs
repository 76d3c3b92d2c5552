//! `[[joint]]`: what holds bodies together, and to the world.

use glam::Vec3;

use crate::decode::limits::{Limits, between, places, positive, seconds, within};

crate::words! {
    /// What a joint leaves free.
    enum JointKind {
        /// Turning about a point.
        "ball" => Ball,
        /// Turning about an axis.
        "hinge" => Hinge,
        /// Nothing.
        "fixed" => Fixed,
        /// Sliding along an axis.
        "slider" => Slider,
        /// All but the distance of two points.
        "distance" => Distance,
    }
}

crate::table! {
    /// What acts on the axis of a joint. Angles are in degrees, torques per radian.
    default struct AxisKeys {
        /// Lowest and highest angle of a hinge, degrees; or offset of a slider or distance of two points, metres.
        limits: Option<[f32; 2]> = None => within(1e6).of("degrees or m"),
        /// How far a ball joint leans at most, degrees.
        cone: Option<f32> = None => between(0.0, 180.0).of("degrees"),
        /// Stiffness of a spring, N·m/rad or N/m.
        stiffness: f32 = 0.0 => between(0.0, 1e12).of("N·m/rad or N/m"),
        /// Where the spring rests, degrees or metres; by default where it starts.
        rest: Option<f32> = None => within(1e6).of("degrees or m"),
        /// Viscous damping, N·m·s/rad or N·s/m; of a ball joint about all axes.
        damping: f32 = 0.0 => between(0.0, 1e12).of("N·m·s/rad or N·s/m"),
        /// Dry friction, N·m or N; of a ball joint about all axes.
        friction: f32 = 0.0 => between(0.0, 1e12).of("N·m or N"),
    }
}

crate::table! {
    /// What drives a hinge or a slider: at a speed, or to a place.
    struct MotorTable {
        /// Speed, degrees/s or m/s; with a target, the highest.
        speed: f32 => within(1e6).of("degrees/s or m/s"),
        /// Angle, degrees, or offset, metres, to go to and stay at.
        target: Option<f32> = None => within(1e6).of("degrees or m"),
        /// Largest torque of a hinge, N·m.
        torque: Option<f32> = None => between(0.0, 1e12).of("N·m"),
        /// Largest force of a slider, N.
        force: Option<f32> = None => between(0.0, 1e12).of("N"),
    }
}

crate::table! {
    /// A joint between a body and something else, as they stand at the start.
    struct JointTable {
        ..acting: AxisKeys,
        /// Name, for triggers that switch it.
        name: String = String::new(),
        /// Name of the body; of copies, with the number of one behind it ("link 0") or "last", or "each" for a joint of every one.
        body: String,
        /// What it is joined to: "world", or the name of a body or of a collider; with "each" behind it, every copy to its own.
        to: String = "world".into(),
        /// "ball", "hinge", "fixed", "slider" or "distance".
        kind: JointKind = JointKind::Ball,
        /// Where they are joined, metres; by default halfway between two bodies, otherwise in the middle of the body. Of a
        /// distance, the point of the body, by default its middle.
        at: Option<Vec3> = None => places(),
        /// Of a distance, the point of what it is joined to, metres; by default the middle of the other body.
        to_at: Option<Vec3> = None => places(),
        /// Axis of a hinge or a slider, or the middle of the cone of a ball joint.
        axis: Option<Vec3> = None,
        /// What drives it.
        motor: Option<MotorTable> = None,
        /// Time at which it is switched on, seconds; until then, or until `off_at`, it is off if this comes first.
        on_at: Option<f32> = None => seconds(),
        /// Time at which it is switched off, seconds.
        off_at: Option<f32> = None => seconds(),
        /// Force at which it breaks, newtons.
        breaking_force: f32 = f32::INFINITY => forces(),
    }
}

crate::table! {
    /// Joints between neighbouring copies, halfway between them.
    struct JoinedTable {
        ..acting: AxisKeys,
        /// "ball", "hinge", "fixed" or "slider".
        kind: JointKind = JointKind::Ball,
        /// Axis of hinges and sliders, in the frame of each body.
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
