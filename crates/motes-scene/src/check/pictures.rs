//! Pictures that would not show what is meant.

use glam::Vec3;
use motes_core::Shape;

use super::{Subject, counted};
use crate::issues::Issues;
use crate::model::Format;

/// Least cosine between up and the normal of a plane that is a floor.
const LEVEL: f32 = 0.99;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    camera(subject, issues);
    light(subject, issues);
    video(subject, issues);
}

fn camera(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let Some(camera) = &subject.scene.camera else {
        return;
    };
    if !issues.sound("camera") {
        return;
    }
    let view = subject.scene.camera_at(0);
    let is_told = camera.follow.is_none() || camera.target.is_some();
    if is_told && view.position.distance(view.target) < 1e-6 {
        issues.warning("camera.target", "the camera looks at where it stands");
    }
    let up = subject.scene.up.vector();
    let inside = |position: Vec3| {
        subject.plan.colliders.iter().find(|planned| {
            let table = &subject.scene.collider[planned.index];
            let pose = &planned.collider.initial_pose;
            let local = pose.local_point(position);
            // Walls and ramps are not drawn for a camera behind them.
            let hides = match &planned.collider.shape {
                Shape::Plane(plane) => (pose.rotation * plane.normal()).dot(up) > LEVEL,
                _ => true,
            };
            hides && table.visible && !table.trigger && planned.collider.shape.signed_distance(local).0 < 0.0
        })
    };
    if let Some(planned) = inside(view.position) {
        issues.warning(
            "camera.position",
            format!("the camera is inside `{}`", planned.collider.name),
        );
    }
    let within = |centers: &[Vec3], radius: f32| {
        let near = |center: &&Vec3| center.distance(view.position) < radius;
        centers.iter().filter(near).count()
    };
    let grains = subject.plan.grains.iter();
    let close: usize = grains.map(|planned| within(&planned.centers, planned.radius)).sum();
    let mut fluids = subject.plan.fluids.iter();
    if let Some(planned) = fluids.find(|planned| within(&planned.centers, planned.radius) > 0) {
        let message = format!("the camera is inside liquid `{}`", planned.name);
        issues.warning("camera.position", message);
    }
    if close > 0 {
        issues.warning(
            "camera.position",
            format!("the camera is inside {}", counted(close, "grain")),
        );
    }
    for planned in &subject.plan.bodies {
        if let Some((copy, _)) =
            { planned.centers() }.find(|(_, center)| center.distance(view.position) < planned.radius)
        {
            let message = format!("the camera is inside body `{}`", planned.name(copy));
            issues.warning("camera.position", message);
        }
    }
}

fn light(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let Some(light) = subject.scene.render.light else {
        return;
    };
    if light == Vec3::ZERO {
        issues.warning("render.light", "has no direction: the light shines straight down");
    } else if light.dot(subject.scene.up.vector()) >= 0.0 && issues.sound("up") {
        let message = "shines upwards, from below the horizon: whatever is seen from above is in shadow";
        issues.warning_with_help(
            "render.light",
            message,
            "it is the direction in which the light shines: point it down",
        );
    }
}

fn video(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let output = &subject.scene.output;
    if !output.formats.contains(&Format::Mp4) || !issues.sound("output.formats") {
        return;
    }
    for (key, size, what) in [("width", output.width, "column"), ("height", output.height, "row")] {
        if size % 2 == 1 {
            let message = format!(
                "{size} pixels is odd, which video cannot be: its last {what} is repeated to make {}",
                size + 1
            );
            issues.warning(&format!("output.{key}"), message);
        }
    }
    let (long, short) = (output.width.max(output.height), output.width.min(output.height));
    if !(16..=2160).contains(&short) || long > 3840 {
        let message = format!(
            "no video is written at {}x{}: it can be 16x16 to 3840x2160 or 2160x3840",
            output.width, output.height
        );
        issues.error_with_help("output.width", message, "leave `mp4` out of output.formats");
    }
    if subject.scene.frame_rate.round() > 240.0 {
        let message = format!(
            "no video is written at {} frames per second: it can have 1 to 240",
            subject.scene.frame_rate
        );
        issues.error_with_help("frame_rate", message, "leave `mp4` out of output.formats");
    }
}
