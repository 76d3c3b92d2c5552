//! Names used twice, materials used never, friction that makes no sense.

use std::collections::{BTreeMap, BTreeSet};

use crate::compile::Materials;
use crate::decode::path::quoted;
use crate::issues::Issues;
use crate::model::BodyKind;
use crate::scene::Scene;

pub(super) fn check(scene: &Scene, issues: &mut Issues<'_>) {
    duplicates("grains", scene.grains.iter().map(|table| table.name.as_str()), issues);
    for kind in [BodyKind::Rigid, BodyKind::Soft, BodyKind::Plastic] {
        let tables = scene.bodies().filter(|(other, ..)| *other == kind);
        duplicates(kind.list(), tables.map(|(_, _, keys)| keys.name.as_str()), issues);
    }
    duplicates(
        "collider",
        scene.collider.iter().map(|table| table.name.as_str()),
        issues,
    );
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
    let used: BTreeSet<&str> = scene
        .grains
        .iter()
        .map(|table| &table.material)
        .chain(scene.bodies().filter_map(|(_, _, keys)| keys.material.as_ref()))
        .chain(scene.collider.iter().map(|table| &table.material))
        .chain(scene.emitter.iter().map(|table| &table.material))
        .chain(scene.material.values().map(|table| &table.base))
        .map(String::as_str)
        .collect();
    // A user whose own material is not known may be the one.
    let lists = ["grains", "collider", "emitter", "material"];
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
        if material.kinetic_friction > material.static_friction {
            let (kinetic, held) = (material.kinetic_friction, material.static_friction);
            let message = format!("kinetic friction {kinetic} is above static friction {held}, so nothing ever holds");
            issues.warning(&path, message);
        }
    }
}
