//! Grains that start inside colliders or kill volumes, or with nothing to fall on.

use motes_core::{Bounds, Pose};

use super::{Subject, counted};
use crate::compile::{PlannedCollider, PlannedGrains, PlannedKill};
use crate::issues::Issues;

/// Overlaps up to this share of a radius are left to the solver.
const TOLERANCE: f32 = 0.1;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.grains {
        inside_colliders(subject, planned, issues);
        inside_kill_volumes(subject, planned, issues);
        nothing_below(subject, planned, issues);
    }
}

fn inside_colliders(subject: &Subject<'_>, planned: &PlannedGrains, issues: &mut Issues<'_>) {
    let radius = subject.scene.particle_radius * (1.0 - TOLERANCE);
    let channels = subject.scene.grains[planned.index].channels.0;
    for obstacle in &subject.plan.colliders {
        let collider = &obstacle.collider;
        if collider.trigger || collider.channels & channels == 0 {
            continue;
        }
        let pose = start(obstacle);
        let near = collider.shape.bounds().expanded(radius);
        let inside = planned.centers.iter().filter(|center| {
            let local = pose.local_point(**center);
            near.contains(local) && collider.shape.contains(local, radius)
        });
        let inside = inside.count();
        if inside > 0 {
            let message = format!("{} start inside collider `{}`", counted(inside, "grain"), collider.name);
            issues.warning(&format!("grains[{}].shape", planned.index), message);
        }
    }
}

fn start(obstacle: &PlannedCollider) -> Pose {
    obstacle.collider.motion.pose(&obstacle.collider.initial_pose, 0.0)
}

fn inside_kill_volumes(subject: &Subject<'_>, planned: &PlannedGrains, issues: &mut Issues<'_>) {
    for PlannedKill { index, volume } in &subject.plan.kill_volumes {
        let doomed = planned.centers.iter().filter(|center| volume.contains(**center));
        let doomed = doomed.count();
        if doomed > 0 {
            let message = format!(
                "{} start inside kill[{index}] and vanish at once",
                counted(doomed, "grain")
            );
            issues.warning(&format!("grains[{}].shape", planned.index), message);
        }
    }
}

fn nothing_below(subject: &Subject<'_>, planned: &PlannedGrains, issues: &mut Issues<'_>) {
    if !subject.all_colliders || !issues.sound("gravity") {
        return;
    }
    let down = subject.plan.settings.gravity.normalize_or_zero();
    let table = &subject.scene.grains[planned.index];
    if down == glam::Vec3::ZERO || planned.centers.is_empty() || table.pinned || planned.material.gravity_scale == 0.0 {
        return;
    }
    let depth = |bounds: Bounds| bounds.min.dot(down).max(bounds.max.dot(down));
    let lowest = depth(Bounds::of(planned.centers.iter().copied()));
    let held = subject.plan.colliders.iter().any(|obstacle| {
        let collider = &obstacle.collider;
        let bounds = collider.shape.bounds();
        let solid = !collider.trigger && collider.channels & table.channels.0 != 0;
        solid && (!bounds.size().is_finite() || depth(bounds.transformed(&start(obstacle))) > lowest)
    });
    if !held {
        let message = "no collider lies below: the grains fall out of the scene";
        issues.warning_with_help(&format!("grains[{}]", planned.index), message, "add a `plane` collider");
    }
}
