//! The JSON Schema of scene files, for editors.

use serde_json::{Value as Json, json};

use crate::decode::limits::Limits;
use crate::decode::{Decode, Definitions};
use crate::model::SceneTable;

/// JSON Schema (draft 2020-12) of scene files, made from the same declarations that read them.
pub fn schema() -> Json {
    let mut definitions = Definitions::default();
    let root = SceneTable::schema(&mut definitions, &Limits::default());
    let mut definitions = definitions.into_json();
    for body in ["RigidTable", "SoftTable", "PlasticTable"] {
        let sources = ["mesh", "model", "shape"];
        definitions[body]["oneOf"] = sources.map(|source| json!({ "required": [source] })).into();
    }
    definitions["CreatureTable"]["oneOf"] = ["file", "mesh", "model"]
        .map(|source| json!({ "required": [source] }))
        .into();
    definitions["CameraTable"]["anyOf"] = ["position", "keys"].map(|key| json!({ "required": [key] })).into();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "motes scene",
        "$ref": root["$ref"],
        "$defs": definitions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn schema_carries_descriptions_defaults_and_limits() {
        let schema = schema();
        let substeps = &schema["$defs"]["SolverTable"]["properties"]["substeps"];
        assert_eq!(substeps["default"], 2);
        assert_eq!(substeps["minimum"], 1.0);
        assert_eq!(substeps["description"], "Sub-steps per frame.");
        let grains = &schema["$defs"]["GrainsTable"];
        assert_eq!(grains["required"], json!(["shape"]));
        assert_eq!(grains["additionalProperties"], false);
        assert_eq!(
            schema["$defs"]["SceneTable"]["properties"]["particle_radius"]["default"],
            0.05
        );
    }

    #[test]
    fn every_number_has_limits_but_those_that_may_be_infinite() {
        fn visit<'a>(node: &'a Json, key: &'a str, open: &mut BTreeSet<&'a str>) {
            if node["type"] == "number" {
                let low = node.get("minimum").or(node.get("exclusiveMinimum"));
                assert!(low.is_some(), "{key}");
                open.extend(node.get("maximum").is_none().then_some(key));
            }
            match node {
                Json::Object(entries) => entries.iter().for_each(|(key, value)| visit(value, key, open)),
                Json::Array(items) => items.iter().for_each(|item| visit(item, key, open)),
                _ => {}
            }
        }
        let schema = schema();
        let mut open = BTreeSet::new();
        visit(&schema, "", &mut open);
        let infinite = [
            "breaking_force",
            "lifetime",
            "limit",
            "lonely",
            "max_acceleration",
            "max_speed",
            "range",
            "rate",
            "stop",
            "stretch",
            "wavelength",
        ];
        assert_eq!(open.into_iter().collect::<Vec<_>>(), infinite);
        let position = &schema["$defs"]["GrainsTable"]["properties"]["position"]["items"];
        assert_eq!(
            (&position["minimum"], &position["maximum"]),
            (&json!(-1e6), &json!(1e6))
        );
    }

    #[test]
    fn a_body_is_made_of_exactly_one_thing() {
        let schema = schema();
        for body in ["RigidTable", "SoftTable", "PlasticTable"] {
            let choices = schema["$defs"][body]["oneOf"].as_array().unwrap();
            assert_eq!(choices.len(), 3);
            for choice in choices {
                let key = choice["required"][0].as_str().unwrap();
                assert!(schema["$defs"][body]["properties"][key].is_object(), "{key}");
            }
        }
    }

    #[test]
    fn a_camera_stands_somewhere_or_has_keys() {
        let schema = schema();
        let camera = &schema["$defs"]["CameraTable"];
        let places = camera["anyOf"].as_array().unwrap();
        assert_eq!(places.len(), 2);
        for place in places {
            let key = place["required"][0].as_str().unwrap();
            assert!(camera["properties"][key].is_object(), "{key}");
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn visit(node: &Json, definitions: &Json) {
            match node {
                Json::Object(entries) => {
                    if let Some(target) = entries.get("$ref").and_then(Json::as_str) {
                        let name = target.trim_start_matches("#/$defs/");
                        assert!(definitions[name].is_object(), "{target}");
                    }
                    entries.values().for_each(|value| visit(value, definitions));
                }
                Json::Array(items) => items.iter().for_each(|item| visit(item, definitions)),
                _ => {}
            }
        }
        let schema = schema();
        visit(&schema, &schema["$defs"]);
    }

    #[test]
    fn every_key_is_described() {
        for (name, definition) in schema()["$defs"].as_object().unwrap() {
            assert_ne!(definition["description"], "", "{name}");
            for (key, property) in definition["properties"].as_object().into_iter().flatten() {
                assert_ne!(property["description"], "", "{name}.{key}");
            }
        }
    }
}
