//! The camera: whether it is told where to stand, and what it goes along with.

use super::sources::{PlannedSource, Sources};
use crate::issues::Issues;
use crate::model::SceneTable;

/// What the camera goes along with, if anything; notes what is wrong with the camera.
pub(super) fn follow(scene: &SceneTable, sources: &Sources<'_>, issues: &mut Issues<'_>) -> Option<PlannedSource> {
    let camera = scene.camera.as_ref()?;
    let placed = camera.position.is_some() || camera.keys.iter().any(|key| key.position.is_some());
    if !placed && issues.sound("camera.position") && issues.sound("camera.keys") {
        let help = "say where it stands, or leave `[camera]` out for one that sees everything";
        issues.error_with_help("camera", "missing key `position`", help);
    }
    for (before, pair) in camera.keys.windows(2).enumerate() {
        let path = |number: usize| format!("camera.keys[{number}].time");
        if pair[1].time <= pair[0].time && issues.sound(&path(before)) {
            let message = format!("expected a time after {} s, found {} s", pair[0].time, pair[1].time);
            issues.error(&path(before + 1), message);
        }
    }
    sources.find(camera.follow.as_ref()?, "camera.follow", issues)
}
