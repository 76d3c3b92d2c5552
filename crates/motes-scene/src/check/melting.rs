//! Bodies that never melt, liquids that never freeze, heat that does nothing, and particles that would burst apart.

use motes_core::heat::AMBIENT;
use motes_core::{Melting, Temperature};

use super::Subject;
use crate::issues::Issues;

/// Particles this much further apart than they are wide leave gaps that close when they are a liquid, diameters.
const LOOSE: f32 = 1.02;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    let melting = subject.scene.bodies().any(|(.., keys)| keys.melting.is_some());
    let freezing = subject.scene.fluid.iter().any(|table| table.freezing.is_some());
    let heats = !subject.scene.heat.is_empty();
    if heats && !melting && !freezing && !subject.has_gas() && subject.all_sources {
        let help = "give a body a `melting` table or a liquid a `freezing` table, or add a gas";
        issues.warning_with_help("heat[0]", "there is nothing to melt or to warm", help);
    }
    let hottest = |course: &Temperature| course.keys.iter().map(|key| key[1]).fold(f32::MIN, f32::max);
    let coldest = |course: &Temperature| course.keys.iter().map(|key| key[1]).fold(f32::MAX, f32::min);
    let zones = subject.plan.heat.iter().map(|zone| &zone.temperature);
    let warmest_zone = zones.clone().map(hottest).fold(AMBIENT, f32::max);
    let coldest_zone = zones.map(coldest).fold(AMBIENT, f32::min);
    for planned in &subject.plan.bodies {
        let Some(melting @ Melting { solidus, .. }) = &planned.body.melting else {
            continue;
        };
        let path = format!("{}.melting", planned.path());
        let most = match &melting.script {
            Some(script) => hottest(script),
            None => melting.temperature.max(warmest_zone),
        };
        if most <= *solidus && issues.sound("heat") {
            let message = format!("never melts: it gets no warmer than {most} °C");
            issues.warning_with_help(&path, message, "add a `[[heat]]` zone, or lower its `solidus`");
        }
        let spacing = format!("{}.spacing", planned.path());
        if planned.spacing < 1.0 {
            let message = "its particles overlap, so that they burst apart when it melts";
            issues.warning_with_help(&spacing, message, "leave `spacing` at 1 or above");
        }
        let Some((name, liquid, _)) = &planned.liquid else {
            continue;
        };
        if planned.spacing > LOOSE {
            let message = "its particles are further apart than those of a liquid, so that it shrinks when it melts";
            issues.warning_with_help(&spacing, message, "leave `spacing` at 1");
        }
        if !liquid.is_liquid() {
            let message = format!("`{name}` has no viscosity: it is no liquid");
            let help = "name a liquid like `water`, or `grains`";
            issues.warning_with_help(&format!("{path}.into"), message, help);
        }
    }
    for planned in &subject.plan.fluids {
        let Some(melting) = planned.freezing.as_ref().map(|freezing| &freezing.melting) else {
            continue;
        };
        let path = format!("{}.freezing", planned.path());
        let (start, least) = match &melting.script {
            Some(script) => (script.at(0.0), coldest(script)),
            None => (melting.temperature, melting.temperature.min(coldest_zone)),
        };
        if start <= melting.solidus {
            let message = format!("is frozen from the start: it has {start} °C");
            issues.warning_with_help(&path, message, "give it a `temperature`");
        } else if least > melting.solidus && issues.sound("heat") {
            let message = format!("never freezes: it gets no colder than {least} °C");
            issues.warning_with_help(&path, message, "add a `[[heat]]` zone that is cold");
        }
    }
}
