//! Names used twice, materials and pairs of them used never, friction that makes no sense.

use std::collections::{BTreeMap, BTreeSet};

use motes_core::MaterialPair;
use motes_core::material::MaterialTable;

use crate::compile::Materials;
use crate::decode::path::quoted;
use crate::issues::Issues;
use crate::model::BodyKind;
use crate::scene::Scene;

pub(super) fn check(scene: &Scene, issues: &mut Issues<'_>) {
    duplicates("cloth", scene.cloth.iter().map(|table| table.name.as_str()), issues);
    duplicates(
        "creature",
        scene.creature.iter().map(|table| table.name.as_str()),
        issues,
    );
    duplicates("rope", scene.rope.iter().map(|table| table.name.as_str()), issues);
    duplicates("grains", scene.grains.iter().map(|table| table.name.as_str()), issues);
    duplicates("markers", scene.markers.iter().map(|table| table.name.as_str()), issues);
    duplicates("fluid", scene.fluid.iter().map(|table| table.name.as_str()), issues);
    for kind in [BodyKind::Rigid, BodyKind::Soft, BodyKind::Plastic] {
        let tables = scene.bodies().filter(|(other, ..)| *other == kind);
        duplicates(kind.list(), tables.map(|(_, _, keys)| keys.name.as_str()), issues);
    }
    duplicates(
        "collider",
        scene.collider.iter().map(|table| table.name.as_str()),
        issues,
    );
    duplicates("trigger", scene.trigger.iter().map(|table| table.name.as_str()), issues);
    duplicates("emitter", scene.emitter.iter().map(|table| table.name.as_str()), issues);
    materials(scene, issues);
}

fn duplicates<'a>(kind: &str, names: impl Iterator<Item = &'a str>, issues: &mut Issues<'_>) {
    let mut first = BTreeMap::new();
    for (index, name) in names.enumerate().filter(|(_, name)| !name.is_empty()) {
        if let Some(earlier) = first.get(name) {
            let message = format!("`{}` is also the name of {kind}[{earlier}]", name.escape_debug());
            issues.warning(&format!("{kind}[{index}].name"), message);
        } else {
            first.insert(name, index);
        }
    }
}

fn materials(scene: &Scene, issues: &mut Issues<'_>) {
    let touching: BTreeSet<&str> = { scene.grains.iter().map(|table| table.material.as_str()) }
        .chain(scene.fluid.iter().map(|table| table.material.as_str()))
        .chain(scene.rope.iter().map(|table| table.material.as_str()))
        .chain(scene.bodies().map(|(kind, _, keys)| kind.material(keys)))
        .chain(scene.creature.iter().map(|table| table.material.as_str()))
        .chain(scene.collider.iter().map(|table| table.material.as_str()))
        .chain(scene.emitter.iter().map(|table| table.material.as_str()))
        .collect();
    let bases = scene.material.values().map(|table| table.base.as_str());
    let used: BTreeSet<&str> = touching.iter().copied().chain(bases).collect();
    // A user whose own material is not known may be the one.
    let lists = ["grains", "fluid", "rope", "creature", "collider", "emitter", "material"];
    let all_users = lists.iter().chain(&BodyKind::LISTS).all(|list| issues.sound(list));
    // Mistakes in the materials themselves were noted when the scene was compiled.
    let resolved = Materials::resolve(&scene.material, &mut scene.issues());
    for name in scene.material.keys() {
        let path = format!("material.{}", quoted(name));
        if all_users && !used.contains(name.as_str()) {
            issues.warning(&path, "is never used");
        }
        let Some(material) = resolved.get(name, &path, issues) else {
            continue;
        };
        friction(material.static_friction, material.kinetic_friction, &path, issues);
    }
    for (index, table) in scene.material_pair.iter().enumerate() {
        let path = format!("material_pair[{index}]");
        let unused = table.between.iter().find(|name| !touching.contains(name.as_str()));
        if let (true, Some(name)) = (all_users, unused) {
            let message = format!("nothing is made of `{}`, so the pair never meets", name.escape_debug());
            issues.warning(&path, message);
        }
        let given = table.pair();
        if given == MaterialPair::default() {
            issues.warning(&path, "sets neither friction nor restitution");
        }
        let [a, b] = [0, 1].map(|side| resolved.get(&table.between[side], &path, &mut scene.issues()));
        let (Some(a), Some(b)) = (a, b) else {
            continue;
        };
        let mut both = MaterialTable::default();
        let [a, b] = [a, b].map(|material| both.add_apart(material));
        both.set_pair(a, b, given);
        let pair = both.pair(a, b);
        friction(pair.static_friction, pair.kinetic_friction, &path, issues);
    }
}

fn friction(held: f32, kinetic: f32, path: &str, issues: &mut Issues<'_>) {
    if kinetic > held {
        let message = format!("kinetic friction {kinetic} is above static friction {held}, so nothing ever holds");
        issues.warning(path, message);
    }
}
