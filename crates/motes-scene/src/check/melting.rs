//! Bodies that never melt, heat that melts nothing, and particles that would burst apart.

use motes_core::heat::AMBIENT;
use motes_core::{Melting, Temperature};

use super::Subject;
use crate::issues::Issues;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let melting = subject.scene.bodies().filter(|(.., keys)| keys.melting.is_some());
    let heats = !subject.scene.heat.is_empty();
    if heats && melting.count() == 0 && subject.all_sources {
        issues.warning_with_help("heat[0]", "there is nothing to melt", "give a body a `melting` table");
    }
    let hottest = |course: &Temperature| course.keys.iter().map(|key| key[1]).fold(f32::MIN, f32::max);
    let around = subject.plan.heat.iter().map(|zone| hottest(&zone.temperature));
    let around = around.fold(AMBIENT, f32::max);
    for planned in &subject.plan.bodies {
        let Some(melting @ Melting { solidus, .. }) = &planned.body.melting else {
            continue;
        };
        let path = format!("{}.melting", planned.path());
        let most = match &melting.script {
            Some(script) => hottest(script),
            None => melting.temperature.max(around),
        };
        if most <= *solidus && issues.sound("heat") {
            let message = format!("never melts: it gets no warmer than {most} °C");
            issues.warning_with_help(&path, message, "add a `[[heat]]` zone, or lower its `solidus`");
        }
        if planned.spacing < 1.0 {
            let message = "its particles overlap, so that they burst apart when it melts";
            issues.warning_with_help(
                &format!("{}.spacing", planned.path()),
                message,
                "leave `spacing` at 1 or above",
            );
        }
    }
}
