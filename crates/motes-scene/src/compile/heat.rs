//! Temperatures: bodies that melt, liquids that freeze, and zones of heat.

use motes_core::{HeatZone, Material, Melting, Temperature, Volume};

use super::Surroundings;
use super::field::volume;
use crate::issues::Issues;
use crate::model::{Color, FreezingTable, MeltingTable, Warmth};

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

/// When a body melts, and into what.
#[derive(Clone, Debug)]
pub(crate) struct PlannedMelting {
    pub(crate) melting: Melting,
    /// The name, the properties and the colour of a liquid; nothing for grains.
    pub(crate) liquid: Option<(String, Material, Option<Color>)>,
}

/// When a liquid freezes, and into what.
#[derive(Clone, Debug)]
pub(crate) struct PlannedFreezing {
    pub(crate) melting: Melting,
    /// The name and the properties of the solid.
    pub(crate) solid: (String, Material),
}

/// What a body of ice melts into.
const ICE_AND_WATER: [&str; 2] = ["ice", "water"];

/// The word for what is no liquid.
const GRAINS: &str = "grains";

/// How rough a solid is that nothing is said about.
const FRICTION: f32 = 0.5;

/// When a body of a material melts; `path` leads to its table.
pub(super) fn melting(
    table: &MeltingTable,
    material: &str,
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<PlannedMelting> {
    let [ice, water] = ICE_AND_WATER;
    let usual = match around.materials.preset_of(material) == ice {
        true => water,
        false => GRAINS,
    };
    let into = table.into.as_deref().unwrap_or(usual);
    let liquid = match into {
        GRAINS => None,
        name => {
            let found = around.materials.get(name, &format!("{path}.into"), issues)?;
            Some((name.to_owned(), found, around.materials.liquid_color(name)))
        }
    };
    let heat = Heat {
        limits: [table.solidus, table.liquidus],
        latent_heat: table.latent_heat,
        heat_capacity: table.heat_capacity,
        temperature: &table.temperature,
        time_constant: table.time_constant,
    };
    let known = Melting::of_liquid(around.materials.preset_of(into));
    let melting = heat.melting(known, path, issues)?;
    Some(PlannedMelting { melting, liquid })
}

/// When a liquid of a material freezes; `path` leads to its table.
pub(super) fn freezing(
    table: &FreezingTable,
    liquid: (&str, &Material),
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<PlannedFreezing> {
    let (name, material) = liquid;
    let preset = around.materials.preset_of(name);
    let [ice, water] = ICE_AND_WATER;
    let solid = match &table.solid {
        Some(solid) => {
            let found = around.materials.get(solid, &format!("{path}.solid"), issues)?;
            (solid.clone(), found)
        }
        None if preset == water => (ice.to_owned(), Material::ICE),
        None => {
            let solid = Material {
                density: material.density,
                ..Material::FAST_SAND.with_friction(FRICTION)
            };
            (format!("solid {name}"), solid)
        }
    };
    let heat = Heat {
        limits: [table.solidus, table.liquidus],
        latent_heat: table.latent_heat,
        heat_capacity: table.heat_capacity,
        temperature: &table.temperature,
        time_constant: table.time_constant,
    };
    let melting = heat.melting(Melting::of_liquid(preset), path, issues)?;
    Some(PlannedFreezing { melting, solid })
}

/// What both tables say about heat.
struct Heat<'a> {
    /// Solidus and liquidus, °C.
    limits: [Option<f32>; 2],
    latent_heat: Option<f32>,
    heat_capacity: Option<f32>,
    temperature: &'a Warmth,
    time_constant: f32,
}

impl Heat<'_> {
    /// When it melts, with what is known of it for what is not said.
    fn melting(self, known: Option<Melting>, path: &str, issues: &mut Issues<'_>) -> Option<Melting> {
        let limit = |key: &str, given: Option<f32>, known: Option<f32>, issues: &mut Issues<'_>| {
            if given.or(known).is_none() && issues.sound(&format!("{path}.{key}")) {
                issues.error(path, format!("missing key `{key}`"));
            }
            given.or(known)
        };
        let known_limits = known.as_ref().map(|known| [known.solidus, known.liquidus]);
        let solidus = limit("solidus", self.limits[0], known_limits.map(|limits| limits[0]), issues);
        let liquidus = limit("liquidus", self.limits[1], known_limits.map(|limits| limits[1]), issues);
        let (solidus, liquidus) = (solidus?, liquidus?);
        if liquidus <= solidus {
            let message = format!("expected a temperature above the solidus of {solidus} °C, found {liquidus} °C");
            if issues.sound(&format!("{path}.solidus")) {
                issues.error(&format!("{path}.liquidus"), message);
            }
            return None;
        }
        let course = course(self.temperature, &format!("{path}.temperature"), issues)?;
        let known = known.unwrap_or(Melting::between(solidus, liquidus));
        Some(Melting {
            solidus,
            liquidus,
            liquid: None,
            latent_heat: self.latent_heat.unwrap_or(known.latent_heat),
            heat_capacity: self.heat_capacity.unwrap_or(known.heat_capacity),
            temperature: course.at(0.0),
            time_constant: self.time_constant,
            script: matches!(self.temperature, Warmth::Keys(_)).then_some(course),
        })
    }
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
