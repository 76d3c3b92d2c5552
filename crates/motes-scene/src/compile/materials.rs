//! Materials by name: presets, and those of the file, which may build on each other.

use std::collections::BTreeMap;

use motes_core::Material;

use crate::decode::path::quoted;
use crate::issues::Issues;
use crate::looks::liquid_color;
use crate::model::{Color, MaterialTable};
use crate::nearest::nearest;

/// Every material that a scene can name.
#[derive(Default)]
pub(crate) struct Materials {
    known: BTreeMap<String, Material>,
    /// What those of the file start from in the end.
    presets: BTreeMap<String, &'static str>,
}

impl Materials {
    /// The presets and the materials of a file.
    pub(crate) fn resolve(tables: &BTreeMap<String, MaterialTable>, issues: &mut Issues<'_>) -> Self {
        let (mut known, mut presets) = (BTreeMap::new(), BTreeMap::new());
        for name in tables.keys() {
            // A material that cannot be made still has a name, so that its users are not blamed.
            let built = build(name, tables, issues);
            presets.extend(built.map(|(preset, _)| (name.clone(), preset)));
            known.insert(
                name.clone(),
                built.map_or(Material::default(), |(_, material)| material),
            );
        }
        for (name, preset) in Material::PRESETS {
            known.entry(name.to_owned()).or_insert(preset);
        }
        Self { known, presets }
    }

    /// The colour of a liquid of that name.
    pub(crate) fn liquid_color(&self, name: &str) -> Option<Color> {
        liquid_color(self.preset_of(name))
    }

    /// The preset that a material of that name starts from in the end.
    pub(crate) fn preset_of<'a>(&self, name: &'a str) -> &'a str {
        self.presets.get(name).copied().unwrap_or(name)
    }

    /// The material of that name; notes a name that is not known.
    pub(crate) fn get(&self, name: &str, path: &str, issues: &mut Issues<'_>) -> Option<Material> {
        let material = self.known.get(name).copied();
        if material.is_none() && issues.known("material") {
            unknown(name, path, self.known.keys().map(String::as_str), issues);
        }
        material
    }
}

/// Follows a material down to its preset and builds it up again; with the name of that.
fn build(
    name: &str,
    tables: &BTreeMap<String, MaterialTable>,
    issues: &mut Issues<'_>,
) -> Option<(&'static str, Material)> {
    let path = format!("material.{}.base", quoted(name));
    let mut chain = Vec::new();
    let mut current = name;
    let preset = loop {
        match tables.get(current) {
            // A material may carry the name of the preset it starts from.
            Some(table) if chain.last().is_none_or(|(last, _)| *last != current) => {
                if chain.iter().any(|(seen, _)| *seen == current) {
                    issues.error(&path, format!("material `{}` is its own base", current.escape_debug()));
                    return None;
                }
                chain.push((current, table));
                current = &table.base;
            }
            _ => match Material::PRESETS.iter().find(|(preset, _)| *preset == current) {
                Some(preset) => break *preset,
                None => {
                    let presets = Material::PRESETS.map(|(preset, _)| preset);
                    let others = tables.keys().map(String::as_str).filter(|other| *other != name);
                    unknown(current, &path, presets.into_iter().chain(others), issues);
                    return None;
                }
            },
        }
    };
    let (name, preset) = preset;
    let built = chain.iter().rev().fold(preset, |base, (_, table)| table.material(base));
    Some((name, built))
}

fn unknown<'a>(name: &str, path: &str, valid: impl Iterator<Item = &'a str> + Clone, issues: &mut Issues<'_>) {
    let help = match nearest(name, valid.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            let names: Vec<String> = valid.map(|name| format!("`{name}`")).collect();
            format!("valid are {}", names.join(", "))
        }
    };
    issues.error_with_help(path, format!("unknown material `{}`", name.escape_debug()), help);
}
