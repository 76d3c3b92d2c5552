//! The gallery's scenes are flawless, and the schema knows every key they use.
#![allow(clippy::unwrap_used)]

use motes_scene::gallery::{find, gallery};
use motes_scene::{Problem, Scene, check, schema};
use serde_json::Value as Json;

const NONE: &[&str] = &[];

#[test]
fn every_scene_builds_without_a_warning() {
    let scenes = gallery()
        .iter()
        .map(|entry| find(entry.name, NONE).unwrap_or_else(|error| panic!("{error}")));
    let scenes: Vec<Scene> = scenes.collect();
    let problems: Vec<Problem> = scenes.iter().flat_map(check).collect();
    assert!(problems.is_empty(), "{problems:#?}");
    for scene in scenes {
        let built = scene
            .build(Box::new(motes_core::CpuEngine::new()))
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(built.world.particle_count() > 0 || !scene.emitter.is_empty());
    }
}

#[test]
fn the_sandcastle_has_the_papers_number_of_grains() {
    let scene = find("sandcastle", NONE).unwrap();
    let built = scene
        .build(Box::new(motes_core::CpuEngine::new()))
        .unwrap_or_else(|error| panic!("{error}"));
    let grains = built.world.particle_count();
    assert!(grains.abs_diff(73_000) < 1_000, "{grains}");
    assert_eq!((scene.solver.substeps, scene.solver.iterations), (2, 12));
}

#[test]
fn the_marbles_meet_every_shape() {
    let text = find("marbles", NONE).unwrap();
    let shapes: std::collections::BTreeSet<String> = text
        .collider
        .iter()
        .map(|collider| format!("{:?}", collider.shape).split('(').next().unwrap().to_owned())
        .collect();
    assert_eq!(shapes.len(), 8, "{shapes:?}");
}

/// The schema a reference leads to.
fn resolve<'a>(node: &'a Json, root: &'a Json) -> &'a Json {
    match node.get("$ref").and_then(Json::as_str) {
        Some(target) => &root["$defs"][target.trim_start_matches("#/$defs/")],
        None => node,
    }
}

/// Whether the schema allows the keys of a document; values are only looked at for their kind.
fn allows(node: &Json, document: &toml::Value, root: &Json) -> bool {
    let node = resolve(node, root);
    if let Some(options) = node.get("oneOf").or(node.get("anyOf")).and_then(Json::as_array) {
        if node.get("properties").is_none() {
            return options.iter().any(|option| allows(option, document, root));
        }
        // Keys of which there has to be exactly one.
        let is_there = |option: &&Json| {
            option["required"][0]
                .as_str()
                .is_some_and(|key| document.get(key).is_some())
        };
        if options.iter().filter(is_there).count() != 1 {
            return false;
        }
    }
    match document {
        toml::Value::Table(table) => table.iter().all(|(key, value)| match node["properties"].get(key) {
            Some(property) => allows(property, value, root),
            None => node["additionalProperties"].is_object() && allows(&node["additionalProperties"], value, root),
        }),
        toml::Value::Array(items) => {
            node["type"] == "array" && items.iter().all(|item| allows(&node["items"], item, root))
        }
        toml::Value::String(word) => match node.get("enum") {
            Some(words) => words.as_array().unwrap().iter().any(|valid| valid == word),
            None => node["type"] == "string",
        },
        toml::Value::Boolean(_) => node["type"] == "boolean",
        toml::Value::Integer(_) => node["type"] == "integer" || node["type"] == "number",
        toml::Value::Float(_) => node["type"] == "number",
        toml::Value::Datetime(_) => false,
    }
}

#[test]
fn the_schema_allows_the_gallery_and_not_its_misspellings() {
    let schema = schema();
    for entry in gallery() {
        let document: toml::Value = toml::from_str(entry.text).unwrap();
        assert!(allows(&schema, &document, &schema), "{}", entry.name);
        let misspelt: toml::Value =
            toml::from_str(&entry.text.replacen("particle_radius", "particel_radius", 1)).unwrap();
        assert!(!allows(&schema, &misspelt, &schema), "{}", entry.name);
    }
}

#[test]
fn every_misspelt_key_is_recognised() {
    for entry in gallery() {
        for (number, line) in entry.text.lines().enumerate() {
            let Some((key, _)) = line.split_once(" = ") else {
                continue;
            };
            let key = key.trim().trim_start_matches("{ ");
            if key.len() < 4 || !key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_') {
                continue;
            }
            let mut slip: Vec<char> = key.chars().collect();
            slip.swap(1, 2);
            let slip: String = slip.into_iter().collect();
            if slip == key {
                continue;
            }
            let mut lines: Vec<String> = entry.text.lines().map(str::to_owned).collect();
            lines[number] = line.replacen(key, &slip, 1);
            let error = Scene::from_toml(&lines.join("\n"), "slip.toml").unwrap_err();
            let help = format!("did you mean `{key}`?");
            let found = error.problems.iter().any(|problem| {
                problem.place.line as usize == number + 1 && problem.help.as_deref() == Some(help.as_str())
            });
            assert!(found, "{} line {}: {slip}: {error}", entry.name, number + 1);
        }
    }
}
