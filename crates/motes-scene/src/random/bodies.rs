//! Bodies: rigid, soft and plastic, of models and of solids, some of which melt.

use super::dice::{Decimal, Triple};
use super::draft::{Draft, Slot};
use super::grains::solid;
use super::menu::Ingredient;

/// Models, and the height of each over its longest side.
const MODELS: [(&str, f64); 10] = [
    ("banana", 0.38),
    ("beast", 0.86),
    ("castle", 0.65),
    ("fish", 0.57),
    ("gear", 0.23),
    ("octopus", 0.81),
    ("rabbit", 1.0),
    ("teapot", 0.61),
    ("torus", 0.3),
    ("truck", 0.64),
];

pub(super) fn write(draft: &mut Draft) {
    let Some(kind) = draft.body_kind() else { return };
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("body");
    draft.open(kind, &name);
    let radius = draft.some_radius();
    let melts = draft.takes(Ingredient::Melting, 8);
    let spacing = if melts {
        1.0
    } else {
        draft.dice.one_of(&[0.9, 0.9, 0.75, 1.0])
    };
    if spacing != 0.9 && !melts {
        draft.number("spacing", spacing);
    }
    if draft.dice.chance(50) {
        model(draft, &slot, 2.0 * radius * spacing);
    } else {
        let (shape, volume) = solid(draft, &slot, 0.57);
        draft.count(volume, 2.0 * radius * spacing);
        draft.line(&format!("shape = {shape}"));
        draft.key("position", slot.center);
        let rotation = draft.dice.rotation();
        draft.key("rotation", rotation);
    }
    draft.key("resolution", 32);
    if draft.dice.chance(30) {
        let density = draft.dice.between(100.0, 4000.0);
        draft.number("density", density);
    }
    if kind == "rigid" && draft.dice.chance(20) {
        draft.line("filling = { shell = 2 }");
    }
    start(draft, slot.size, radius);
    match kind {
        "soft" => softness(draft),
        "plastic" => plasticity(draft, radius),
        _ => {}
    }
    if melts {
        melting(draft, kind);
    }
}

fn model(draft: &mut Draft, slot: &Slot, distance: f64) {
    let (model, height) = draft.dice.one_of(&MODELS);
    let size = slot.size * draft.dice.between(0.45, 0.62);
    draft.count(0.25 * size * size * size, distance);
    draft.line(&format!("model = \"{model}\""));
    draft.number("size", size);
    draft.key("position", slot.center.plus([0.0, -0.5 * height * size, 0.0]));
    draft.line("copies = { count = [1, 1, 1], turn = \"random\" }");
}

/// Velocity and spin.
fn start(draft: &mut Draft, size: f64, radius: f64) {
    let speed = draft.speed(radius);
    if speed > 0.0 {
        let velocity = draft.dice.vector(0.5 * speed);
        draft.key("velocity", velocity);
    }
    let rim = draft.speed(radius);
    if rim > 0.0 {
        let spin = draft.dice.vector(0.5 * 57.3 * rim / (0.5 * size));
        draft.key("angular_velocity", spin);
    }
}

fn softness(draft: &mut Draft) {
    let stiffness = draft.dice.one_of(&[0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0]);
    draft.number("stiffness", stiffness);
    match draft.dice.whole(0, 4) {
        0 => draft.line("clusters = false"),
        1 => {
            let whole = draft.dice.between(0.02, 0.5);
            draft.line(&format!("clusters = {{ whole = {} }}", Decimal(whole)));
        }
        _ => {}
    }
    match draft.dice.whole(0, 5) {
        0 => draft.line("links = true"),
        1 => draft.line("links = { compliance = 1e-5 }"),
        _ => {}
    }
}

fn plasticity(draft: &mut Draft, radius: f64) {
    let stiffness = draft.dice.between(0.5, 1.0);
    draft.number("stiffness", stiffness);
    let creep = draft.dice.between(0.1, 0.9);
    draft.number("creep", creep);
    if draft.dice.chance(30) {
        let threshold = radius * draft.dice.between(0.02, 0.5);
        draft.number("threshold", threshold);
    }
    if draft.dice.chance(30) {
        let limit = radius * draft.dice.between(1.0, 4.0);
        draft.number("limit", limit);
    }
}

/// It softens during the run, and in some scenes melts and freezes.
fn melting(draft: &mut Draft, kind: &str) {
    let end = draft.duration();
    let warmest = draft.dice.one_of(&[55, 70]);
    draft.line(&format!("\n[{kind}.melting]\nsolidus = 45\nliquidus = 65"));
    // Every other one, so that all else is as the dice fall.
    if draft.used.len().is_multiple_of(2) {
        draft.line("into = \"water\"");
    }
    draft.line(&format!(
        "temperature = [[0, 20], [{}, {warmest}], [{}, 20]]",
        Decimal(0.4 * end),
        Decimal(0.9 * end)
    ));
}

/// A box, with room around it, for others to hang things on: its half edges and its place.
pub(super) fn block(draft: &mut Draft, kind: &str, name: &str, center: Triple, edges: [f64; 3]) {
    draft.open(kind, name);
    draft.count(edges.iter().product(), 1.8 * draft.radius);
    draft.line(&format!("shape = {{ box = {{ size = {} }} }}", Triple(edges)));
    draft.key("position", center);
    draft.key("resolution", 24);
    match kind {
        "soft" => draft.line("stiffness = 0.6"),
        "plastic" => draft.line("stiffness = 0.9"),
        _ => {}
    }
}
