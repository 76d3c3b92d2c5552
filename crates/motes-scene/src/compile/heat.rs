//! Temperatures: bodies that melt, and zones of heat.

use motes_core::{HeatZone, Melting, Temperature, Volume};

use super::Surroundings;
use super::field::volume;
use crate::issues::Issues;
use crate::model::{MeltingTable, Warmth};

/// Every `[[heat]]`.
pub(super) fn zones(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Vec<HeatZone> {
    let up = around.scene.up.vector();
    let mut zones = Vec::new();
    for (index, table) in around.scene.heat.iter().enumerate() {
        let path = format!("heat[{index}]");
        let volume = match &table.within {
            Some(region) => volume(region, up, &format!("{path}.within"), issues),
            None => Some(Volume::Everywhere),
        };
        let temperature = course(&table.temperature, &format!("{path}.temperature"), issues);
        zones.extend(
            volume
                .zip(temperature)
                .map(|(volume, temperature)| HeatZone { volume, temperature }),
        );
    }
    zones
}

/// When a body melts; `path` leads to its table.
pub(super) fn melting(table: &MeltingTable, path: &str, issues: &mut Issues<'_>) -> Option<Melting> {
    if table.liquidus <= table.solidus {
        let message = format!(
            "expected a temperature above the solidus of {} °C, found {} °C",
            table.solidus, table.liquidus
        );
        if issues.sound(&format!("{path}.solidus")) {
            issues.error(&format!("{path}.liquidus"), message);
        }
        return None;
    }
    let course = course(&table.temperature, &format!("{path}.temperature"), issues)?;
    Some(Melting {
        solidus: table.solidus,
        liquidus: table.liquidus,
        temperature: course.at(0.0),
        time_constant: table.time_constant,
        script: matches!(table.temperature, Warmth::Keys(_)).then_some(course),
    })
}

fn course(warmth: &Warmth, path: &str, issues: &mut Issues<'_>) -> Option<Temperature> {
    let keys = match warmth {
        Warmth::Constant(temperature) => return Some((*temperature).into()),
        Warmth::Keys(keys) => keys,
    };
    if keys.is_empty() {
        issues.error(path, "expected at least one time and temperature");
        return None;
    }
    let early = keys.first().filter(|key| key[0] < 0.0);
    let mut mistakes: Vec<(String, String)> = early
        .map(|key| {
            (
                format!("{path}[0]"),
                format!("expected a time from 0 s on, found {} s", key[0]),
            )
        })
        .into_iter()
        .collect();
    for (before, pair) in keys.windows(2).enumerate() {
        if pair[1][0] <= pair[0][0] && issues.sound(&format!("{path}[{before}]")) {
            let message = format!("expected a time after {} s, found {} s", pair[0][0], pair[1][0]);
            mistakes.push((format!("{path}[{}]", before + 1), message));
        }
    }
    if !mistakes.is_empty() {
        issues.errors(mistakes.into_iter());
        return None;
    }
    Some(Temperature { keys: keys.clone() })
}
