//! Emitters that cannot do as they are told.

use glam::Vec3;
use motes_core::{Emitter, EmitterShape};

use super::Subject;
use crate::compile::PlannedEmitter;
use crate::issues::Issues;

/// Overlaps up to this share of a radius are left to the solver.
const TOLERANCE: f32 = 0.1;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    if !subject.timing_known {
        return;
    }
    let duration = subject.scene.frames as f32 * subject.scene.dt();
    for planned in &subject.plan.emitters {
        let path = format!("emitter[{}]", planned.index);
        let (emitter, radius) = (&planned.emitter, planned.radius);
        let opening = match emitter.shape {
            EmitterShape::Disc { radius } => radius,
            EmitterShape::Box { half_size } => half_size.x.min(half_size.z),
        };
        if opening < radius {
            let message =
                format!("the opening is {opening} m wide from its middle, less than a particle's radius {radius} m");
            issues.warning(&format!("{path}.shape"), message);
        }
        let capacity = emitter.capacity(planned.stream());
        if emitter.rate.is_finite() && emitter.rate > capacity {
            let message = format!(
                "{} particles a second are wanted, but {capacity:.0} fit through the opening",
                emitter.rate
            );
            issues.warning_with_help(&format!("{path}.rate"), message, "raise `speed` or widen the opening");
        }
        if emitter.stop <= emitter.start {
            issues.warning(&format!("{path}.stop"), "stops before it starts");
        } else if emitter.start >= duration {
            issues.warning(
                &format!("{path}.start"),
                format!("starts after the run, which takes {duration} s"),
            );
        }
        inside_colliders(subject, planned, issues);
    }
}

fn inside_colliders(subject: &Subject<'_>, planned: &PlannedEmitter, issues: &mut Issues<'_>) {
    let radius = planned.radius;
    let channels = subject.scene.emitter[planned.index].channels.0;
    let births = births(&planned.emitter, radius);
    for obstacle in &subject.plan.colliders {
        let collider = &obstacle.collider;
        if collider.trigger || collider.channels & channels == 0 {
            continue;
        }
        let pose = collider
            .motion
            .pose(&collider.initial_pose, f64::from(planned.emitter.start));
        let inside = births.iter().filter(|birth| {
            let local = pose.local_point(**birth);
            collider.shape.contains(local, radius * (1.0 - TOLERANCE))
        });
        let share = match inside.count() {
            0 => continue,
            all if all == births.len() => "the opening lies",
            _ => "part of the opening lies",
        };
        let message = format!("{share} inside collider `{}`", collider.name);
        issues.warning(&format!("emitter[{}].position", planned.index), message);
    }
}

/// The middle of the opening, and the outermost places where particles are born.
fn births(emitter: &Emitter, radius: f32) -> Vec<Vec3> {
    let outermost: Vec<Vec3> = match emitter.shape {
        EmitterShape::Disc { radius: reach } => (0..8)
            .map(|step| {
                let (sin, cos) = (step as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
                (reach - radius).max(0.0) * Vec3::new(cos, 0.0, sin)
            })
            .collect(),
        EmitterShape::Box { half_size } => {
            let reach = (half_size - radius).max(Vec3::ZERO);
            let sign = |corner: u32, axis: u32| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
            (0..8)
                .map(|corner| reach * Vec3::new(sign(corner, 0), sign(corner, 1), sign(corner, 2)))
                .collect()
        }
    };
    let local = std::iter::once(Vec3::ZERO).chain(outermost);
    local.map(|point| emitter.pose.point(point)).collect()
}
