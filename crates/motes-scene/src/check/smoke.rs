//! Smoke that nothing gives off or nothing shows, plumes that cannot be, and gas that flies apart.

use glam::Vec3;
use motes_core::{Bounds, EmitterShape};

use super::Subject;
use crate::compile::PlannedEmitter;
use crate::issues::Issues;
use crate::model::PlumeTable;

/// Openings narrower than this have no inside, in diameters.
const COARSE: f32 = 3.0;

/// How far away walls are looked for that hold a gas, in sizes of the gas.
const FAR: f32 = 20.0;

/// Steps of that search along each axis.
const STEPS: u32 = 400;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in gas_emitters(subject) {
        plume(subject, planned, issues);
    }
    missing(subject, issues);
    too_many(subject, issues);
    lonely(subject, issues);
    open(subject, issues);
}

fn gas_emitters<'a>(subject: &'a Subject<'_>) -> impl Iterator<Item = &'a PlannedEmitter> {
    { subject.plan.emitters.iter() }.filter(|planned| planned.is_fluid && planned.material.is_gas)
}

/// Markers for each particle of the gas of an emitter.
fn markers_of(planned: &PlannedEmitter) -> f32 {
    planned.emitter.plume.map_or(0.0, |plume| plume.markers)
}

/// Half the width of an opening where it is narrowest, metres.
fn half_width(shape: EmitterShape) -> f32 {
    match shape {
        EmitterShape::Disc { radius } => radius,
        EmitterShape::Box { half_size } => half_size.x.min(half_size.z),
    }
}

fn plume(subject: &Subject<'_>, planned: &PlannedEmitter, issues: &mut Issues<'_>) {
    let path = format!("emitter[{}]", planned.index);
    let Some(plume) = planned.emitter.plume else { return };
    if !subject.timing_known || !issues.sound(&path) {
        return;
    }
    let half = half_width(planned.emitter.shape);
    let across = half / planned.radius;
    let needed = (2.0 * plume.sheath as f32 + 1.0) * planned.radius;
    if half < 0.999 * needed && plume.markers > 0.0 {
        let message =
            format!("the opening is {across:.1} particles wide, all of which the sheath takes: there is no smoke");
        let help = format!("lower `sheath`, or make it {:.3} m wide", 2.0 * needed);
        issues.warning_with_help(&format!("{path}.plume.sheath"), message, help);
    } else if across < COARSE {
        let message =
            format!("the opening is only {across:.1} particles wide: what leaves it is a string, not a plume");
        issues.warning_with_help(
            &format!("{path}.shape"),
            message,
            "make the particles smaller with `radius`",
        );
    }
    if plume.markers > 0.0 && subject.scene.smoke.is_none() && issues.known("smoke") {
        let message = "without `[smoke]` it gives off gas, which is not seen, and no markers";
        issues.warning_with_help(&format!("{path}.plume"), message, "add a `[smoke]` table");
    }
}

/// Smoke without anything that gives it off, and the other way round.
fn missing(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let (scene, plan) = (subject.scene, &subject.plan);
    for planned in plan.markers.iter().filter(|planned| planned.places.is_empty()) {
        let message = "no marker has found a place in the shape";
        issues.warning(&format!("markers[{}].shape", planned.index), message);
    }
    if scene.smoke.is_none() && issues.known("smoke") {
        let help = "add a `[smoke]` table";
        let seeded = { plan.fluids.iter() }.filter(|planned| scene.fluid[planned.index].markers > 0.0);
        let paths = seeded.map(|planned| format!("{}.markers", planned.path()));
        let paths = paths.chain(plan.markers.iter().map(|planned| format!("markers[{}]", planned.index)));
        for path in paths {
            issues.warning_with_help(
                &path,
                "without `[smoke]` nothing says how it looks, and it is not drawn",
                help,
            );
        }
        return;
    }
    if subject.all_sources && scene.smoke.is_some() && !gives_smoke(subject) {
        let help = "give an emitter of a gas a `plume`, a gas `markers`, or add `[[markers]]`";
        issues.warning_with_help("smoke", "there is no smoke: nothing gives it off", help);
    }
}

fn gives_smoke(subject: &Subject<'_>) -> bool {
    let gives = |plume: &PlumeTable| plume.markers > 0.0;
    !subject.plan.markers.is_empty()
        || { subject.scene.emitter.iter() }.any(|table| table.plume.as_ref().is_some_and(gives))
        || { subject.plan.fluids.iter() }.any(|planned| subject.scene.fluid[planned.index].markers > 0.0)
}

/// More markers at once than find room.
fn too_many(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let Some(smoke) = &subject.scene.smoke else { return };
    if !subject.timing_known || !issues.sound("smoke") {
        return;
    }
    let scene = subject.scene;
    let duration = scene.frames as f32 * scene.dt();
    let seeded = { subject.plan.fluids.iter() }
        .map(|planned| f64::from(scene.fluid[planned.index].markers) * planned.centers.len() as f64);
    let placed = subject.plan.markers.iter().map(|planned| planned.places.len() as f64);
    let given = gas_emitters(subject).map(|planned| {
        let emitter = &planned.emitter;
        let sheath = emitter
            .plume
            .map_or(0.0, |plume| (2.0 * plume.sheath as f32 - 1.0).max(0.0) * planned.radius);
        let half = half_width(emitter.shape);
        let inside = ((half - sheath).max(0.0) / half).powi(2);
        let flow = emitter.rate.min(emitter.capacity(planned.stream()));
        let span = (emitter.stop.min(duration) - emitter.start).clamp(0.0, smoke.lifetime);
        let gas = (f64::from(flow) * f64::from(span)).min(emitter.limit as f64);
        gas * f64::from(inside * markers_of(planned))
    });
    let given: f64 = given.sum();
    let all = given + seeded.chain(placed).sum::<f64>();
    if given > 0.0 && all > 1.05 * f64::from(smoke.most) {
        let message = format!(
            "about {all:.0} markers come together, of which {} find room",
            smoke.most
        );
        issues.warning_with_help(
            "smoke.most",
            message,
            "raise it, or lower `lifetime` or the plumes' `markers`",
        );
    }
}

/// Gas that is removed at once for want of smoke.
fn lonely(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let Some(smoke) = &subject.scene.smoke else { return };
    if smoke.lonely.is_infinite() || !subject.all_sources || !subject.plan.markers.is_empty() {
        return;
    }
    let bare = { subject.plan.fluids.iter() }
        .filter(|planned| planned.material.is_gas && subject.scene.fluid[planned.index].markers == 0.0);
    let bare = bare.map(|planned| planned.path()).chain(
        gas_emitters(subject)
            .filter(|planned| markers_of(planned) == 0.0)
            .map(|planned| format!("emitter[{}]", planned.index)),
    );
    for path in bare {
        let message = format!("no smoke goes with it, so that it is removed after {} s", smoke.lonely);
        issues.warning_with_help(&path, message, "give it markers, or leave `smoke.lonely` at inf");
    }
}

/// Gas that neither walls nor the air hold.
fn open(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    if !subject.all_colliders || !subject.timing_known {
        return;
    }
    let blocks = subject.plan.fluids.iter().filter(|planned| planned.material.is_gas);
    let blocks = blocks.map(|planned| {
        let channels = subject.scene.fluid[planned.index].channels.0;
        let bounds = Bounds::of(planned.centers.iter().copied());
        (planned.path(), planned.material.air_drag, bounds, channels)
    });
    let plumes = gas_emitters(subject).map(|planned| {
        let channels = subject.scene.emitter[planned.index].channels.0;
        let emitter = &planned.emitter;
        let bounds = Bounds::of([emitter.pose.position]).expanded(emitter.reach());
        (
            format!("emitter[{}]", planned.index),
            planned.material.air_drag,
            bounds,
            channels,
        )
    });
    for (path, drag, bounds, channels) in blocks.chain(plumes) {
        let size = bounds.size();
        if drag > 0.0 || !size.is_finite() || size.min_element() < 0.0 {
            continue;
        }
        let reach = FAR * size.max_element().max(subject.smallest());
        let axes = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
        let is_open = |way: &Vec3| !meets_wall(subject, bounds.center(), reach * *way, channels);
        let sides = axes.iter().filter(|way| is_open(way)).count();
        if sides > 0 {
            let message =
                format!("no wall holds the gas on {sides} of 6 sides and it has no `air_drag`: it flies apart");
            let help = "close it in, or give its material an `air_drag`, as `smoke` has";
            issues.warning_with_help(&path, message, help);
        }
    }
}

/// Whether something solid is on the way.
fn meets_wall(subject: &Subject<'_>, from: Vec3, way: Vec3, channels: u8) -> bool {
    let step = way / STEPS as f32;
    subject.plan.colliders.iter().any(|obstacle| {
        let collider = &obstacle.collider;
        if collider.trigger || collider.channels & channels == 0 {
            return false;
        }
        let pose = collider.motion.pose(&collider.initial_pose, 0.0);
        (0..=STEPS).any(|k| {
            let local = pose.local_point(from + k as f32 * step);
            collider.shape.contains(local, 0.51 * step.length())
        })
    })
}
