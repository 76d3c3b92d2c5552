//! Surfaces of colliders that are to run, and draw nothing along.

use glam::Vec3;
use motes_core::Shape;

use super::Subject;
use crate::compile::PlannedCollider;
use crate::issues::Issues;
use crate::model::ColliderTable;

/// What of the velocity of a plane's surface must be along the plane, as a share.
const ALONG: f32 = 1e-3;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.colliders {
        let table = &subject.scene.collider[planned.index];
        let path = format!("collider[{}]", planned.index);
        let runs = !planned.collider.surface.is_still();
        if !runs {
            switched_for_nothing(table, &path, issues);
            continue;
        }
        let key = match table.surface_velocity == Vec3::ZERO {
            true => format!("{path}.surface_spin"),
            false => format!("{path}.surface_velocity"),
        };
        if table.trigger {
            issues.warning(&key, "a trigger stops nothing, so that its surface draws nothing along");
        } else if planned.material.static_friction == 0.0 && planned.material.kinetic_friction == 0.0 {
            let message = format!(
                "`{}` has no friction, so that its surface draws little along",
                table.material
            );
            issues.warning_with_help(&key, message, "give the collider a `material` with friction");
        } else {
            out_of_a_plane(planned, &key, issues);
        }
    }
}

fn switched_for_nothing(table: &ColliderTable, path: &str, issues: &mut Issues<'_>) {
    let times = [
        ("surface_on_at", table.surface_on_at),
        ("surface_off_at", table.surface_off_at),
    ];
    if let Some((key, _)) = times.iter().find(|(_, time)| time.is_some()) {
        issues.warning_with_help(
            &format!("{path}.{key}"),
            "its surface does not run",
            "say how fast with `surface_velocity` or `surface_spin`",
        );
    }
}

fn out_of_a_plane(planned: &PlannedCollider, key: &str, issues: &mut Issues<'_>) {
    let surface = &planned.collider.surface;
    let Shape::Plane(plane) = &planned.collider.shape else {
        return;
    };
    let across = |vector: Vec3| vector.dot(plane.normal()) * plane.normal();
    let velocity = surface.velocity;
    let along = (velocity - across(velocity)).length();
    if surface.angular_velocity == Vec3::ZERO && along <= ALONG * velocity.length() {
        let message = "it leads straight out of the plane, along which nothing runs then";
        issues.warning_with_help(key, message, "give a velocity along the plane");
    }
}
