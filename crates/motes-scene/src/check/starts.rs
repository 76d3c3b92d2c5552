//! Grains, bodies and creatures that start inside colliders or kill volumes, or with nothing to fall on.

use glam::Vec3;
use motes_core::{Bounds, Pose};

use super::{Subject, counted};
use crate::compile::{PlannedCollider, PlannedKill, PlannedPart, SheetKind};
use crate::issues::Issues;

/// Overlaps up to this share of a radius are left to the solver.
const TOLERANCE: f32 = 0.1;

/// The particles of a table.
struct Start<'a> {
    /// Path of the table.
    table: String,
    /// The key that says where its particles are.
    key: &'static str,
    noun: &'static str,
    channels: u8,
    radius: f32,
    centers: Box<dyn Iterator<Item = Vec3> + 'a>,
}

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.grains {
        let table = &subject.scene.grains[planned.index];
        let start = || Start {
            table: format!("grains[{}]", planned.index),
            key: "shape",
            noun: "grain",
            channels: table.channels.0,
            radius: planned.radius,
            centers: Box::new(planned.centers.iter().copied()),
        };
        inside_colliders(subject, start, issues);
        inside_kill_volumes(subject, start, issues);
        let is_held = table.pinned || subject.hangs(planned.index);
        if !is_held && planned.material.gravity_scale != 0.0 {
            nothing_below(subject, start, issues);
        }
    }
    for planned in &subject.plan.fluids {
        let table = &subject.scene.fluid[planned.index];
        let start = || Start {
            table: planned.path(),
            key: "shape",
            noun: "drop",
            channels: table.channels.0,
            radius: planned.radius,
            centers: Box::new(planned.centers.iter().copied()),
        };
        inside_colliders(subject, start, issues);
        inside_kill_volumes(subject, start, issues);
        if planned.material.gravity_scale != 0.0 && !planned.material.is_gas {
            nothing_below(subject, start, issues);
        }
    }
    for planned in subject.plan.emitters.iter().filter(|planned| planned.is_liquid()) {
        let start = || Start {
            table: format!("emitter[{}]", planned.index),
            key: "position",
            noun: "drop",
            channels: subject.scene.emitter[planned.index].channels.0,
            radius: planned.radius,
            centers: Box::new(std::iter::once(planned.emitter.pose.position)),
        };
        if planned.emitter.lifetime.is_infinite() && planned.material.gravity_scale != 0.0 {
            nothing_below(subject, start, issues);
        }
    }
    for planned in &subject.plan.sheets {
        let start = || Start {
            table: planned.path(),
            key: match planned.kind {
                SheetKind::Cloth => "position",
                SheetKind::Rope => "points",
            },
            noun: "particle",
            channels: planned.channels,
            radius: planned.radius,
            centers: Box::new(planned.centers.iter().copied()),
        };
        inside_colliders(subject, start, issues);
        inside_kill_volumes(subject, start, issues);
        let is_it = |part: &PlannedPart| *part == PlannedPart::Sheet(planned.kind, planned.index);
        if !planned.is_pinned() && !subject.is_tied(is_it) && planned.material.1.gravity_scale != 0.0 {
            nothing_below(subject, start, issues);
        }
    }
    for planned in &subject.plan.creatures {
        let start = || Start {
            table: planned.path(),
            key: "position",
            noun: "particle",
            channels: planned.creature.channels,
            radius: planned.thinnest(),
            centers: Box::new(planned.free_centers()),
        };
        inside_colliders(subject, start, issues);
        inside_kill_volumes(subject, start, issues);
        if !planned.is_pinned() && planned.sinks() && planned.material.gravity_scale != 0.0 {
            nothing_below(subject, start, issues);
        }
    }
    for planned in &subject.plan.bodies {
        let start = || Start {
            table: planned.path(),
            key: "position",
            noun: "particle",
            channels: planned.body.channels,
            radius: planned.radius,
            centers: Box::new(planned.centers().map(|(_, center)| center)),
        };
        if !planned.may_overlap && !planned.body.kinematic {
            inside_colliders(subject, start, issues);
        }
        inside_kill_volumes(subject, start, issues);
        let is_it =
            |part: &PlannedPart| matches!(part, PlannedPart::Body(body) if planned.table() == (body.kind, body.index));
        let is_clamped = planned.clamped(0).next().is_some();
        let is_held = planned.body.kinematic || is_clamped || subject.is_held(planned) || subject.is_tied(is_it);
        if !is_held && planned.material.gravity_scale != 0.0 {
            nothing_below(subject, start, issues);
        }
    }
}

fn inside_colliders<'a>(subject: &Subject<'_>, start: impl Fn() -> Start<'a>, issues: &mut Issues<'_>) {
    for obstacle in &subject.plan.colliders {
        let collider = &obstacle.collider;
        let particles = start();
        let radius = particles.radius * (1.0 - TOLERANCE);
        if collider.trigger || collider.channels & particles.channels == 0 {
            continue;
        }
        let pose = pose(obstacle);
        let near = collider.shape.bounds().expanded(radius);
        let inside = particles.centers.filter(|center| {
            let local = pose.local_point(*center);
            near.contains(local) && collider.shape.contains(local, radius)
        });
        let inside = inside.count();
        if inside > 0 {
            let message = format!(
                "{} start inside collider `{}`",
                counted(inside, particles.noun),
                collider.name
            );
            let path = format!("{}.{}", particles.table, particles.key);
            match particles.noun {
                "grain" | "drop" => issues.warning_with_help(&path, message, "say `carve = true` to leave them out"),
                _ => issues.warning(&path, message),
            }
        }
    }
}

fn pose(obstacle: &PlannedCollider) -> Pose {
    obstacle.collider.motion.pose(&obstacle.collider.initial_pose, 0.0)
}

fn inside_kill_volumes<'a>(subject: &Subject<'_>, start: impl Fn() -> Start<'a>, issues: &mut Issues<'_>) {
    for PlannedKill { index, volume } in &subject.plan.kill_volumes {
        let particles = start();
        let doomed = particles.centers.filter(|center| volume.contains(*center)).count();
        if doomed > 0 {
            let message = format!(
                "{} start inside kill[{index}] and vanish at once",
                counted(doomed, particles.noun)
            );
            issues.warning(&format!("{}.{}", particles.table, particles.key), message);
        }
    }
}

fn nothing_below<'a>(subject: &Subject<'_>, start: impl Fn() -> Start<'a>, issues: &mut Issues<'_>) {
    if !subject.all_colliders || !issues.sound("gravity") {
        return;
    }
    let down = subject.plan.settings.gravity.normalize_or_zero();
    let particles = start();
    let bounds = Bounds::of(particles.centers);
    if down == Vec3::ZERO || bounds.min.x > bounds.max.x {
        return;
    }
    let depth = |bounds: Bounds| bounds.min.dot(down).max(bounds.max.dot(down));
    let lowest = depth(bounds);
    let held = subject.plan.colliders.iter().any(|obstacle| {
        let collider = &obstacle.collider;
        let bounds = collider.shape.bounds();
        let solid = !collider.trigger && collider.channels & particles.channels != 0;
        solid && (!bounds.size().is_finite() || depth(bounds.transformed(&pose(obstacle))) > lowest)
    });
    if !held {
        let what = match particles.noun {
            "grain" => "grains fall",
            "drop" => "liquid falls",
            _ => "bodies fall",
        };
        let message = format!("no collider lies below: the {what} out of the scene");
        let help = match particles.noun {
            "drop" => "add a `plane` collider, or a `vessel` around it",
            _ => "add a `plane` collider",
        };
        issues.warning_with_help(&particles.table, message, help);
    }
}
