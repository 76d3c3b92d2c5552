//! Joints: what two things that are joined leave each other free to do, and what acts along or about that.
//!
//! A joint holds by its attachments: a point of a ball joint, two of a hinge, three of a slider or a fixed one. What is left free
//! is its *axis*: the angle of a hinge, the offset of a slider, the distance of two points, the angle by which a ball
//! joint leans. Springs, motors, friction and limits act on that ([`constraints::axis`](crate::constraints::axis)).

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::body::BodyId;
use crate::body::attachment::{AttachmentId, Joint, Partner};
use crate::constraints::articulated::LARGEST_TURN;
use crate::constraints::axis::{BallLaw, Law, RESPONSE, UNLIMITED};
use crate::constraints::spatial::Spatial;
use crate::space::pose::Pose;

/// Names one joint for as long as it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JointId(pub(crate) u32);

/// A joint to be added to a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewJoint {
    /// The body.
    pub body: BodyId,
    /// What it is joined to.
    pub partner: Partner,
    /// How, and where.
    pub joint: Joint,
    /// Force at which it breaks, newtons; infinite, which is the default, holds for ever.
    pub breaking_force: f32,
    /// What acts on its axis; nothing by default.
    pub axis: JointAxis,
    /// Of a ball joint with a limit, the middle of its cone in the world; by default from the joint to the body's centre.
    pub cone: Option<Vec3>,
}

impl NewJoint {
    /// One that nothing breaks and nothing acts on.
    pub fn new(body: BodyId, partner: Partner, joint: Joint) -> Self {
        Self {
            body,
            partner,
            joint,
            breaking_force: f32::INFINITY,
            axis: JointAxis::default(),
            cone: None,
        }
    }
}

/// What acts on the axis of a joint. Hinges and ball joints are in radians and newton metres, sliders and distances in metres and
/// newtons; a joint is at 0 as it is made, a distance at its length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointAxis {
    /// Least and most that it gets to, rad or m. Of a ball joint the second is how far it leans. Infinite by default.
    pub limits: [f32; 2],
    /// Of a spring, N·m/rad or N/m; 0 by default.
    pub stiffness: f32,
    /// Where the spring rests, rad or m; by default where it is made.
    pub rest: Option<f32>,
    /// Viscous damping, N·m·s/rad or N·s/m; 0 by default. Of a ball joint, about all axes.
    pub damping: f32,
    /// The torque or force of dry friction, N·m or N; 0 by default. Of a ball joint, about all axes.
    pub friction: f32,
    /// What drives it.
    pub motor: Option<JointMotor>,
}

impl Default for JointAxis {
    fn default() -> Self {
        Self {
            limits: [f32::NEG_INFINITY, f32::INFINITY],
            stiffness: 0.0,
            rest: None,
            damping: 0.0,
            friction: 0.0,
            motor: None,
        }
    }
}

/// What drives a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum JointMotor {
    /// It goes at a speed, rad/s or m/s, with a torque or force of at most so much, N·m or N. A hinge turns by at most 1 rad in a
    /// sub-step.
    Speed {
        /// Speed, rad/s or m/s.
        speed: f32,
        /// Largest torque, N·m, or force, N.
        most: f32,
    },
    /// It goes to a place and stays, no faster than at a speed, and slows down within its last twentieth of a second.
    Position {
        /// Angle, rad, or offset, m.
        target: f32,
        /// Largest speed, rad/s or m/s.
        speed: f32,
        /// Largest torque, N·m, or force, N.
        most: f32,
    },
}

/// Where a joint is and what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointState {
    /// Angle, rad, with all turns since it was made; or offset or distance, m.
    pub position: f32,
    /// Its rate in the last sub-step, rad/s or m/s.
    pub speed: f32,
    /// All that it does to the body, averaged over the last frame, newtons; along the axis of a slider in the last sub-step.
    pub force: Vec3,
    /// Torque, N·m, or force, N, of spring, damping, motor, friction and limits on the body in the last sub-step; of friction
    /// and damping of a ball joint, how much it is.
    pub effort: f32,
    /// Whether it is switched on.
    pub is_on: bool,
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// Turning about a point.
    Ball,
    /// Turning about an axis.
    Hinge,
    /// Nothing.
    Fixed,
    /// Sliding along a direction.
    Slider,
    /// All but the distance of two points, which may be free too.
    Distance,
}

/// A joint in use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jointed {
    /// Its handle.
    pub id: JointId,
    /// What it leaves free.
    pub kind: JointKind,
    /// The first of its attachments; the others follow.
    pub first: AttachmentId,
    /// How many there are.
    pub count: u32,
    /// Unit direction of the axis in the frames of the body and of its partner.
    pub directions: [Vec3; 2],
    /// Rotation from the body's frame to its partner's, as it was made.
    pub reference: Quat,
    /// What acts on the axis.
    pub axis: JointAxis,
    /// Whether it is switched on.
    pub is_on: bool,
    /// Angle, rad, or offset or distance, m.
    pub position: f32,
    /// In the last sub-step, rad/s or m/s.
    pub speed: f32,
    /// What acted along the axis in the last sub-step, on the body, kg·m or kg·m².
    pub impulse: f32,
    /// What friction and damping of a ball joint did to the body, kg·m².
    pub turning: Vec3,
}

impl Jointed {
    /// Its attachments.
    pub fn attachments(&self) -> impl Iterator<Item = AttachmentId> + use<> {
        (self.first.0..self.first.0 + self.count).map(AttachmentId)
    }

    /// Whether there is more to it than points that are held.
    pub fn is_driven(&self) -> bool {
        matches!(self.kind, JointKind::Slider | JointKind::Distance) || self.axis.acts()
    }

    pub(crate) fn is_sound(&self) -> bool {
        let [a, b] = self.directions;
        self.count <= 3
            && self.first.0.checked_add(self.count).is_some()
            && self.axis.problem(self.kind).is_none()
            && a.is_finite()
            && b.is_finite()
            && self.reference.is_normalized()
            && [self.position, self.speed, self.impulse]
                .iter()
                .all(|value| value.is_finite())
    }

    /// Where it is, of the points and rotations of the body and its partner: within half a turn of 0, or in metres.
    pub fn place(&self, [body, partner]: &[Pose; 2]) -> f32 {
        let apart = body.position - partner.position;
        match self.kind {
            JointKind::Fixed => 0.0,
            JointKind::Slider => apart.dot(partner.rotation * self.directions[1]),
            JointKind::Distance => apart.length(),
            JointKind::Hinge => {
                let turn = partner.rotation.conjugate() * body.rotation * self.reference.conjugate();
                let sine = turn.xyz().dot(self.directions[1]);
                within_half_a_turn(2.0 * sine.atan2(turn.w))
            }
            JointKind::Ball => {
                let [a, b] = [
                    body.rotation * self.directions[0],
                    partner.rotation * self.directions[1],
                ];
                a.cross(b).length().atan2(a.dot(b))
            }
        }
    }

    /// How far it is from one place to another: of a hinge, by the shorter way.
    pub fn apart(&self, from: f32, to: f32) -> f32 {
        match self.kind {
            JointKind::Hinge => within_half_a_turn(to - from),
            _ => to - from,
        }
    }

    /// How the body moves against its partner along the axis: unit displacement at the joint.
    pub fn direction(&self, [body, partner]: &[Pose; 2]) -> Spatial {
        let (linear, angular) = match self.kind {
            JointKind::Fixed => (Vec3::ZERO, Vec3::ZERO),
            JointKind::Slider => (partner.rotation * self.directions[1], Vec3::ZERO),
            JointKind::Distance => ((body.position - partner.position).normalize_or(Vec3::Y), Vec3::ZERO),
            JointKind::Hinge => (Vec3::ZERO, body.rotation * self.directions[0]),
            JointKind::Ball => {
                let [a, b] = [
                    body.rotation * self.directions[0],
                    partner.rotation * self.directions[1],
                ];
                (Vec3::ZERO, b.cross(a).normalize_or(a.any_orthonormal_vector()))
            }
        };
        Spatial { linear, angular }
    }

    /// What acts on the axis in a sub-step of `h` seconds.
    pub fn law(&self, h: f32) -> Law {
        let axis = &self.axis;
        let reach = (h / RESPONSE).min(1.0);
        let [least, most] = axis
            .limits
            .map(|limit| limit.clamp(-UNLIMITED, UNLIMITED) - self.position);
        let limits = [
            if least > 0.0 { reach * least } else { least },
            if most < 0.0 { reach * most } else { most },
        ];
        if self.kind == JointKind::Ball {
            return Law {
                limits,
                ..Law::default()
            };
        }
        let (way, most) = match axis.motor {
            None => (0.0, 0.0),
            Some(JointMotor::Speed { speed, most }) => (h * speed, most),
            Some(JointMotor::Position { target, speed, most }) => {
                let way = reach * (target - self.position);
                (way.clamp(-h * speed, h * speed), most)
            }
        };
        // Angles are told apart within half a turn of a sub-step.
        let furthest = if self.kind == JointKind::Hinge {
            LARGEST_TURN
        } else {
            f32::MAX
        };
        let motor = [way.clamp(-furthest, furthest), h * h * most];
        Law {
            spring: h * h * axis.stiffness,
            damping: h * axis.damping,
            offset: self.position - axis.rest.unwrap_or(0.0),
            before: h * self.speed,
            motor,
            friction: h * h * axis.friction,
            limits,
        }
    }

    /// Friction and damping of a ball joint in a sub-step of `h` seconds, if it has any.
    pub fn ball_law(&self, h: f32) -> Option<BallLaw> {
        let has = self.kind == JointKind::Ball && (self.axis.friction > 0.0 || self.axis.damping > 0.0);
        has.then_some(BallLaw {
            friction: h * h * self.axis.friction,
            damping: h * self.axis.damping,
        })
    }
}

impl JointAxis {
    /// Whether it does anything.
    pub fn acts(&self) -> bool {
        let [least, most] = self.limits;
        least.is_finite()
            || most.is_finite()
            || self.stiffness > 0.0
            || self.damping > 0.0
            || self.friction > 0.0
            || self.motor.is_some()
    }

    /// What is wrong with it, for a joint of that kind: the field, what was found, and what would do.
    pub fn problem(&self, kind: JointKind) -> Option<(&'static str, String, &'static str)> {
        let not_negative = |value: f32| value >= 0.0 && value.is_finite();
        let [least, most] = self.limits;
        if least.is_nan() || most.is_nan() || least > most || least == f32::INFINITY || most == f32::NEG_INFINITY {
            return Some(("limits", format!("{least} to {most}"), "the lower limit first"));
        }
        let fields = [
            ("stiffness", self.stiffness),
            ("damping", self.damping),
            ("friction", self.friction),
        ];
        for (field, value) in fields {
            if !not_negative(value) {
                return Some((field, value.to_string(), "a finite number of at least 0"));
            }
        }
        if let Some(rest) = self.rest.filter(|rest| !rest.is_finite()) {
            return Some(("rest", rest.to_string(), "a finite number"));
        }
        if let Some(motor) = self.motor {
            let (target, speed, most) = match motor {
                JointMotor::Speed { speed, most } => (speed, 0.0, most),
                JointMotor::Position { target, speed, most } => (target, speed, most),
            };
            if !target.is_finite() || !not_negative(speed) || !not_negative(most) {
                let expected = "a finite target, and a speed and a largest torque or force of at least 0";
                return Some(("motor", format!("{motor:?}"), expected));
            }
        }
        match kind {
            JointKind::Fixed if self.acts() => {
                Some(("axis", format!("{self:?}"), "nothing, since a fixed joint has none"))
            }
            JointKind::Ball if self.stiffness > 0.0 || self.motor.is_some() => Some((
                "axis",
                format!("{self:?}"),
                "no spring and no motor, since a ball joint has no axis of its own",
            )),
            JointKind::Ball if least.is_finite() || most < 0.0 => Some((
                "limits",
                format!("{least} to {most}"),
                "only an upper limit of at least 0: how far a ball joint leans",
            )),
            JointKind::Distance if most <= 0.0 => Some(("limits", format!("{least} to {most}"), "a positive distance")),
            _ => None,
        }
    }
}

/// An angle within half a turn of 0, radians.
fn within_half_a_turn(angle: f32) -> f32 {
    angle - (angle / std::f32::consts::TAU).round() * std::f32::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jointed(kind: JointKind) -> Jointed {
        Jointed {
            id: JointId(0),
            kind,
            first: AttachmentId(0),
            count: 2,
            directions: [Vec3::Z; 2],
            reference: Quat::IDENTITY,
            axis: JointAxis::default(),
            is_on: true,
            position: 0.0,
            speed: 0.0,
            impulse: 0.0,
            turning: Vec3::ZERO,
        }
    }

    fn posed(rotation: Quat) -> Pose {
        Pose {
            position: Vec3::ZERO,
            rotation,
        }
    }

    #[test]
    fn an_angle_is_that_about_the_axis_whatever_both_are_turned_by() {
        let hinge = jointed(JointKind::Hinge);
        for angle in [-3.0_f32, -0.5, 0.0, 1e-4, 2.0, 3.1] {
            let both = Quat::from_rotation_x(0.7);
            let poses = [posed(both * Quat::from_rotation_z(angle)), posed(both)];
            assert!((hinge.place(&poses) - angle).abs() < 1e-6, "{angle}");
        }
        assert!((hinge.apart(3.1, -3.1) - 0.083_185).abs() < 1e-5);
    }

    #[test]
    fn a_ball_joint_leans_by_the_angle_of_its_axes_and_along_its_direction() {
        let ball = jointed(JointKind::Ball);
        let poses = |angle: f32| [posed(Quat::from_rotation_x(angle)), posed(Quat::IDENTITY)];
        assert!((ball.place(&poses(0.4)) - 0.4).abs() < 1e-6);
        let further = ball.direction(&poses(0.4)).angular;
        assert!((further - Vec3::X).length() < 1e-6, "{further}");
    }

    #[test]
    fn nonsense_is_named() {
        let axis = |change: &dyn Fn(&mut JointAxis)| {
            let mut axis = JointAxis::default();
            change(&mut axis);
            axis
        };
        let field = |axis: JointAxis, kind| axis.problem(kind).map(|(field, ..)| field);
        let hinge = JointKind::Hinge;
        assert_eq!(field(JointAxis::default(), JointKind::Fixed), None);
        assert_eq!(field(axis(&|axis| axis.limits = [1.0, -1.0]), hinge), Some("limits"));
        assert_eq!(field(axis(&|axis| axis.friction = -1.0), hinge), Some("friction"));
        assert_eq!(field(axis(&|axis| axis.stiffness = f32::NAN), hinge), Some("stiffness"));
        let motor = JointMotor::Speed { speed: 1.0, most: -1.0 };
        assert_eq!(field(axis(&|axis| axis.motor = Some(motor)), hinge), Some("motor"));
        assert_eq!(field(axis(&|axis| axis.friction = 1.0), JointKind::Fixed), Some("axis"));
        assert_eq!(field(axis(&|axis| axis.stiffness = 1.0), JointKind::Ball), Some("axis"));
    }
}
