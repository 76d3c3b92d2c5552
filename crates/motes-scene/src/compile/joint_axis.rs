//! What acts on the axes of joints, and when joints and colliders are switched.

use glam::Vec3;
use motes_core::{JointAxis, JointMotor};

use crate::issues::Issues;
use crate::model::{AxisKeys, JointKind, MotorTable};

/// When something is switched on and off, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Switches {
    pub(crate) on_at: Option<f32>,
    pub(crate) off_at: Option<f32>,
}

impl Switches {
    /// Of the times on and off that a table gives; `path` leads to the latter.
    pub(crate) fn new([on_at, off_at]: [Option<f32>; 2], path: &str, issues: &mut Issues<'_>) -> Self {
        if on_at.is_some() && on_at == off_at {
            issues.error(path, "it cannot be switched on and off at the same time");
        }
        Self { on_at, off_at }
    }

    /// The times at which it is switched, seconds, and which way.
    pub(crate) fn times(&self) -> impl Iterator<Item = (f64, bool)> {
        let times = [(self.on_at, true), (self.off_at, false)];
        times.into_iter().filter_map(|(time, on)| Some((f64::from(time?), on)))
    }

    /// Whether it is on at the start.
    pub(crate) fn starts_on(&self) -> bool {
        match (self.on_at, self.off_at) {
            (Some(on), Some(off)) => off < on,
            (Some(_), None) => false,
            (None, _) => true,
        }
    }
}

/// What acts on the axis of a joint; nothing if it makes no sense.
pub(super) fn acting(
    kind: JointKind,
    keys: &AxisKeys,
    motor: Option<&MotorTable>,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<JointAxis> {
    let mut sound = true;
    let word = kind.word();
    let turns = matches!(kind, JointKind::Ball | JointKind::Hinge);
    let unit = |value: f32| if turns { value.to_radians() } else { value };
    let mut refuse = |key: &str, given: bool, message: String| {
        if given {
            issues.error(&format!("{path}.{key}"), message);
            sound = false;
        }
    };
    let is_fixed = kind == JointKind::Fixed;
    let has_axis = matches!(kind, JointKind::Hinge | JointKind::Slider | JointKind::Distance);
    refuse(
        "cone",
        keys.cone.is_some() && kind != JointKind::Ball,
        format!("only a ball joint has a cone, not a `{word}` joint"),
    );
    let only = |key: &str| format!("a `{word}` joint has no {key}: it has no axis of its own");
    refuse("limits", keys.limits.is_some() && !has_axis, only("limits"));
    refuse("stiffness", keys.stiffness > 0.0 && !has_axis, only("spring"));
    refuse("rest", keys.rest.is_some() && !has_axis, only("spring"));
    refuse(
        "rest",
        keys.rest.is_some() && has_axis && keys.stiffness == 0.0,
        "where a spring rests, without `stiffness`".into(),
    );
    refuse("damping", keys.damping > 0.0 && is_fixed, only("damping"));
    refuse("friction", keys.friction > 0.0 && is_fixed, only("friction"));
    if let Some([least, most]) = keys.limits {
        refuse(
            "limits",
            least > most,
            format!("the lower limit comes first: {least} is above {most}"),
        );
        refuse(
            "limits",
            kind == JointKind::Distance && most <= 0.0,
            "a distance is more than 0".into(),
        );
    }
    let wants_motor = motor.is_some();
    let motor = motor.and_then(|table| drive(kind, table, path, issues));
    if !sound || wants_motor != motor.is_some() {
        return None;
    }
    let limits = match (keys.limits, keys.cone) {
        (Some(limits), _) => limits.map(unit),
        (None, Some(cone)) => [f32::NEG_INFINITY, unit(cone)],
        (None, None) => JointAxis::default().limits,
    };
    Some(JointAxis {
        limits,
        stiffness: keys.stiffness,
        rest: keys.rest.map(unit),
        damping: keys.damping,
        friction: keys.friction,
        motor,
    })
}

fn drive(kind: JointKind, table: &MotorTable, path: &str, issues: &mut Issues<'_>) -> Option<JointMotor> {
    let path = format!("{path}.motor");
    let turns = kind == JointKind::Hinge;
    let (most, other) = match kind {
        JointKind::Hinge => (table.torque, table.force.map(|_| "force")),
        JointKind::Slider => (table.force, table.torque.map(|_| "torque")),
        _ => {
            issues.error(
                &path,
                format!("a motor drives a hinge or a slider, not a `{}` joint", kind.word()),
            );
            return None;
        }
    };
    let wanted = if turns { "torque" } else { "force" };
    if let Some(other) = other {
        let message = format!("a motor of a `{}` has a `{wanted}`, not a `{other}`", kind.word());
        issues.error(&format!("{path}.{other}"), message);
        return None;
    }
    let Some(most) = most else {
        issues.error(&path, format!("missing key `{wanted}`: the largest that the motor has"));
        return None;
    };
    let unit = |value: f32| if turns { value.to_radians() } else { value };
    match table.target {
        Some(_) if table.speed <= 0.0 => {
            issues.error(
                &format!("{path}.speed"),
                "a motor that goes to a target needs a speed above 0",
            );
            None
        }
        Some(target) => Some(JointMotor::Position {
            target: unit(target),
            speed: unit(table.speed),
            most,
        }),
        None => Some(JointMotor::Speed {
            speed: unit(table.speed),
            most,
        }),
    }
}

/// The axis of a joint; nothing if it is missing, or given where it means nothing.
pub(super) fn axis(
    kind: JointKind,
    axis: Option<Vec3>,
    has_cone: bool,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<Vec3> {
    let place = format!("{path}.axis");
    let takes = match kind {
        JointKind::Hinge => "a hinge turns about one",
        JointKind::Slider => "a slider moves along one",
        _ => "",
    };
    match axis {
        None if !takes.is_empty() => issues.error(path, format!("missing key `axis`: {takes}")),
        None => return Some(Vec3::Y),
        Some(_) if takes.is_empty() && !(kind == JointKind::Ball && has_cone) => issues.error(
            &place,
            format!(
                "only a hinge, a slider and a cone have an axis, not a `{}` joint",
                kind.word()
            ),
        ),
        Some(axis) => match axis.try_normalize() {
            Some(direction) => return Some(direction),
            None => issues.error(&place, "an axis must have a length"),
        },
    }
    None
}
