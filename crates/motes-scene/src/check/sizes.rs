//! Sizes and speeds that do not fit the particles or the time step.

use glam::Vec3;
use motes_core::{EmitterShape, Motion};

use super::{Subject, counted};
use crate::issues::Issues;

/// Particles should not move further than this in a sub-step, in diameters.
const FAST: f32 = 4.0;

/// What must be known to judge speeds.
const TIMING: [&str; 4] = ["particle_radius", "frames", "frame_rate", "solver.substeps"];

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    emptiness(subject, issues);
    speeds(subject, issues);
    emitters(subject, issues);
    thin_colliders(subject, issues);
    camera(subject, issues);
}

fn emptiness(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let radius = subject.scene.particle_radius;
    for planned in &subject.plan.grains {
        let path = format!("grains[{}]", planned.index);
        let found = planned.centers.len();
        if found == 0 {
            let message = format!("no grain of radius {radius} m fits into the shape");
            issues.warning_with_help(&format!("{path}.shape"), message, "make it thicker than a grain");
        } else if let Some(count) = subject.scene.grains[planned.index].count
            && found.abs_diff(count as usize) > count as usize / 50
        {
            issues.warning(
                &format!("{path}.count"),
                format!("{count} grains are wanted, but {found} fit"),
            );
        }
    }
    if subject.all_sources && subject.plan.grains.is_empty() && subject.plan.emitters.is_empty() {
        issues.warning("", "the scene has no particles");
    }
}

fn speeds(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    if !TIMING.iter().all(|key| issues.sound(key)) {
        return;
    }
    let scene = subject.scene;
    let step = scene.dt() / scene.solver.substeps as f32;
    let mut slow = |path: String, speed: f32| {
        let diameters = speed * step / (2.0 * scene.particle_radius);
        if diameters > FAST {
            let message = format!("{speed} m/s is {diameters:.1} particle diameters in a sub-step of {step:.2e} s");
            issues.warning_with_help(&path, message, "raise `solver.substeps` or `frame_rate`");
        }
    };
    for planned in &subject.plan.grains {
        let index = planned.index;
        slow(
            format!("grains[{index}].velocity"),
            scene.grains[index].velocity.length(),
        );
    }
    for planned in &subject.plan.emitters {
        slow(format!("emitter[{}].speed", planned.index), planned.emitter.speed);
    }
}

fn emitters(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    if !TIMING.iter().all(|key| issues.sound(key)) {
        return;
    }
    let radius = subject.scene.particle_radius;
    let duration = subject.scene.frames as f32 * subject.scene.dt();
    for planned in &subject.plan.emitters {
        let path = format!("emitter[{}]", planned.index);
        let emitter = &planned.emitter;
        let opening = match emitter.shape {
            EmitterShape::Disc { radius } => radius,
            EmitterShape::Box { half_size } => half_size.x.min(half_size.z),
        };
        if opening < radius {
            let message =
                format!("the opening is {opening} m wide from its middle, less than a particle's radius {radius} m");
            issues.warning(&format!("{path}.shape"), message);
        }
        let capacity = emitter.capacity(radius);
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
    }
}

fn thin_colliders(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    if !TIMING.iter().all(|key| issues.sound(key)) {
        return;
    }
    let radius = subject.scene.particle_radius;
    for planned in &subject.plan.colliders {
        let collider = &planned.collider;
        let thickness = collider.shape.bounds().size().min_element();
        let step = top_speed(&collider.motion) * subject.scene.dt() / subject.scene.solver.substeps as f32;
        if thickness < radius && step > thickness.max(radius) {
            let message =
                format!("is {thickness} m thick and moves {step:.3} m in a sub-step: particles may pass through");
            issues.warning_with_help(
                &format!("collider[{}].motion", planned.index),
                message,
                "raise `solver.substeps`",
            );
        }
    }
}

/// Greatest speed of a collider's origin, m/s.
fn top_speed(motion: &Motion) -> f32 {
    match motion {
        Motion::Fixed => 0.0,
        Motion::Steady { velocity, .. } => velocity.length(),
        Motion::Swing { offset, period, .. } => offset.length() * std::f32::consts::TAU / period,
        Motion::Path { keys, .. } => keys
            .windows(2)
            .map(|pair| pair[0].pose.position.distance(pair[1].pose.position) / (pair[1].time - pair[0].time))
            .fold(0.0, f32::max),
    }
}

fn camera(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let Some(camera) = &subject.scene.camera else {
        return;
    };
    if !issues.sound("camera") {
        return;
    }
    if camera.position.distance(camera.target) < 1e-6 {
        issues.warning("camera.target", "the camera looks at where it stands");
    }
    let inside = |position: Vec3| {
        subject.plan.colliders.iter().find(|planned| {
            let table = &subject.scene.collider[planned.index];
            let local = planned.collider.initial_pose.local_point(position);
            table.visible && !table.trigger && planned.collider.shape.signed_distance(local).0 < 0.0
        })
    };
    if let Some(planned) = inside(camera.position) {
        issues.warning(
            "camera.position",
            format!("the camera is inside `{}`", planned.collider.name),
        );
    }
    let reach = subject.scene.particle_radius;
    let close = subject.plan.grains.iter().flat_map(|planned| &planned.centers);
    let close = close.filter(|center| center.distance(camera.position) < reach).count();
    if close > 0 {
        issues.warning(
            "camera.position",
            format!("the camera is inside {}", counted(close, "grain")),
        );
    }
}
