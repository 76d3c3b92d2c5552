//! Model files as text: one particle, edge list and vertex a line, so that people find and change what they look for.

use std::fmt::Write;

use glam::Vec3;
use serde_json::{Map, Value as Json, json};

use super::{RigGroupTable, RigParticleTable, RigTable};

/// Edges on a line.
const EDGES: usize = 10;

/// A number with six digits that matter, as short as it can be.
fn number(value: f32) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".into();
    }
    let digits = 5 - value.abs().log10().floor() as i32;
    let text = format!("{value:.*}", digits.clamp(0, 12) as usize);
    let short = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    if short == "-0" { "0".into() } else { short.into() }
}

/// A number that TOML reads as one with a fraction, or a whole one: both are numbers here.
fn list(values: &[f32]) -> String {
    let values: Vec<String> = values.iter().copied().map(number).collect();
    format!("[{}]", values.join(", "))
}

fn vector(value: Vec3) -> String {
    list(&value.to_array())
}

/// The row of a vertex: whole numbers of particles, weights in thousandths.
fn row(row: &[f32]) -> String {
    let numbers = row
        .chunks_exact(2)
        .map(|pair| format!("{}, {}", pair[0], number((pair[1] * 1000.0).round() / 1000.0)));
    format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
}

/// A table as JSON; numbers as short as in TOML.
fn particle_keys(particle: &RigParticleTable) -> Vec<(&'static str, String)> {
    let mut keys = vec![
        ("position", vector(particle.position)),
        ("orientation", list(&particle.orientation)),
        ("radii", vector(particle.radii)),
        ("mass", number(particle.mass)),
    ];
    keys.extend(particle.stiffness.map(|value| ("stiffness", number(value))));
    keys.extend(particle.torsion.map(|value| ("torsion", number(value))));
    if particle.buoyancy != 0.0 {
        keys.push(("buoyancy", number(particle.buoyancy)));
    }
    keys
}

/// What comes before the lists, by key.
fn head(table: &RigTable) -> Vec<(&'static str, String)> {
    let text = |value: &String| Json::from(value.as_str()).to_string();
    let mut keys = vec![("format", table.format.to_string())];
    keys.extend(table.mesh.as_ref().map(|value| ("mesh", text(value))));
    keys.extend(table.mesh_up.map(|value| ("mesh_up", format!("\"{}\"", value.word()))));
    keys.extend(table.mesh_scale.map(|value| ("mesh_scale", number(value))));
    keys.extend(table.model.as_ref().map(|value| ("model", text(value))));
    keys.extend(table.resolution.map(|value| ("resolution", value.to_string())));
    keys.extend(table.size.map(|value| ("size", number(value))));
    keys.push(("spacing", number(table.spacing)));
    keys.push(("stiffness", number(table.stiffness)));
    keys.push(("torsion", number(table.torsion)));
    keys
}

fn lines(list: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[\n");
    for line in list {
        let _ = writeln!(text, "  {line},");
    }
    text.push(']');
    text
}

/// The text of a model file in TOML.
pub fn rig_toml(table: &RigTable) -> String {
    let mut text = String::from("# A mesh as oriented particles; see docs/rigs.md.\n");
    for (key, value) in head(table) {
        let _ = writeln!(text, "{key} = {value}");
    }
    let particle = |(index, particle): (usize, &RigParticleTable)| {
        let keys = particle_keys(particle).into_iter();
        let keys: Vec<String> = keys.map(|(key, value)| format!("{key} = {value}")).collect();
        format!("{{ {} }}, # {index}", keys.join(", "))
    };
    text.push_str(
        "\n# Position, axes (a quaternion x, y, z, w), radii along them, share of the mass.\nparticles = [\n",
    );
    for line in table.particles.iter().enumerate().map(particle) {
        let _ = writeln!(text, "  {line}");
    }
    text.push_str("]\n");
    let pairs = table.edges.chunks(EDGES).map(|chunk| {
        let pairs: Vec<String> = chunk.iter().map(|[a, b]| format!("[{a}, {b}]")).collect();
        pairs.join(", ")
    });
    let _ = writeln!(text, "\nedges = {}", lines(pairs));
    if !table.weights.is_empty() {
        let rows = lines(table.weights.iter().map(|weights| row(weights)));
        let _ = writeln!(
            text,
            "\n# For each vertex the number of a particle and its weight, up to four times; without `weights` they are worked out.\nweights = {rows}"
        );
    }
    for group in &table.group {
        let _ = writeln!(
            text,
            "\n[[group]]\nname = {}\nmembers = {:?}\nrigid = {}",
            Json::from(group.name.as_str()),
            group.members,
            group.rigid
        );
    }
    text
}

/// The text of a model file in JSON.
pub fn rig_json(table: &RigTable) -> String {
    let mut entries: Vec<String> = head(table)
        .into_iter()
        .map(|(key, value)| format!("  \"{key}\": {value}"))
        .collect();
    let particle = |particle: &RigParticleTable| {
        let keys = particle_keys(particle).into_iter();
        let keys: Vec<String> = keys.map(|(key, value)| format!("\"{key}\": {value}")).collect();
        format!("{{ {} }}", keys.join(", "))
    };
    let array = |key: &str, rows: Vec<String>| format!("  \"{key}\": [\n    {}\n  ]", rows.join(",\n    "));
    entries.push(array("particles", table.particles.iter().map(particle).collect()));
    entries.push(array(
        "edges",
        table.edges.iter().map(|[a, b]| format!("[{a}, {b}]")).collect(),
    ));
    if !table.group.is_empty() {
        let group = |group: &RigGroupTable| {
            let keys: Map<String, Json> = [
                ("name".to_owned(), json!(group.name)),
                ("members".to_owned(), json!(group.members)),
                ("rigid".to_owned(), json!(group.rigid)),
            ]
            .into_iter()
            .collect();
            Json::Object(keys).to_string()
        };
        entries.push(array("group", table.group.iter().map(group).collect()));
    }
    if !table.weights.is_empty() {
        entries.push(array(
            "weights",
            table.weights.iter().map(|weights| row(weights)).collect(),
        ));
    }
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}
