//! Pairs of materials: both looked up, none told twice.

use std::collections::BTreeMap;

use motes_core::{Material, MaterialPair};

use super::Surroundings;
use crate::issues::Issues;

/// What one `[[material_pair]]` sets.
pub(crate) struct PlannedPair {
    pub(crate) index: usize,
    pub(crate) materials: [(String, Material); 2],
    pub(crate) pair: MaterialPair,
}

pub(super) fn all(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Vec<PlannedPair> {
    let mut first = BTreeMap::new();
    let mut pairs = Vec::new();
    for (index, table) in around.scene.material_pair.iter().enumerate() {
        let path = format!("material_pair[{index}].between");
        let [a, b] = [0, 1].map(|side| {
            let name = &table.between[side];
            let material = around.materials.get(name, &format!("{path}[{side}]"), issues);
            material.map(|material| (name.clone(), material))
        });
        let (Some(a), Some(b)) = (a, b) else {
            continue;
        };
        let mut names = [a.0.clone(), b.0.clone()];
        names.sort();
        if let Some(earlier) = first.get(&names) {
            let names = names.map(|name| format!("`{}`", name.escape_debug())).join(" and ");
            issues.error(&path, format!("{names} are a pair already, material_pair[{earlier}]"));
            continue;
        }
        first.insert(names, index);
        pairs.push(PlannedPair {
            index,
            materials: [a, b],
            pair: table.pair(),
        });
    }
    pairs
}
