//! Cloth and ropes that are attached: to bodies, to colliders, to each other, and to points that drag them about.

use super::bodies::block;
use super::dice::{Decimal, Triple};
use super::draft::{Draft, Slot};
use super::menu::Ingredient;

pub(super) fn write(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    match draft.dice.whole(0, 3) {
        0 if draft.menu.has(Ingredient::Rigid) => weight(draft, &slot),
        1 if draft.shaking.is_none() => carried(draft, &slot),
        2 => knotted(draft, &slot),
        _ if draft.shaking.is_none() => dragged(draft, &slot),
        _ => knotted(draft, &slot),
    }
}

/// Opens a square of cloth in the middle of a place, or above it; returns its edge.
fn square(draft: &mut Draft, name: &str, center: Triple, share: f64, slot: &Slot) -> f64 {
    let fabric = draft.dice.one_of(&["silk", "cotton", "denim", "rubber_sheet"]);
    let edge = share * slot.size;
    draft.particles -= edge * edge / (4.0 * draft.radius * draft.radius);
    draft.line(&format!("\n[[cloth]]\nname = \"{name}\"\nfabric = \"{fabric}\""));
    draft.line(&format!("size = [{0}, {0}]", Decimal(edge)));
    draft.key("position", center);
    edge
}

/// Opens a rope between two points.
fn rope(draft: &mut Draft, name: &str, from: Triple, to: Triple) {
    let length = [0, 1, 2].map(|axis: usize| from.0[axis] - to.0[axis]);
    let length = length.iter().map(|part| part * part).sum::<f64>().sqrt();
    draft.open("rope", name);
    draft.particles -= length / (1.5 * draft.radius);
    draft.line(&format!("points = [{from}, {to}]"));
}

/// What holds something up: where rooms move nothing does.
fn pins(draft: &mut Draft, pins: &str, percent: u32) {
    if draft.shaking.is_none() && draft.dice.chance(percent) {
        draft.line(&format!("pins = [\"{pins}\"]"));
    }
}

/// A block at the end of a rope or at a corner of cloth, about as heavy as what holds it or many times that.
fn weight(draft: &mut Draft, slot: &Slot) {
    let load = draft.name("load");
    let edge = (0.2 * slot.size).max(4.0 * draft.radius);
    let end = slot.center;
    block(
        draft,
        "rigid",
        &load,
        end.plus([0.0, -0.5 * edge - draft.radius, 0.0]),
        [edge; 3],
    );
    let density = draft.dice.between(50.0, 2000.0);
    draft.number("density", density);
    let name = draft.name("tie");
    if draft.dice.chance(50) {
        rope(draft, &name, slot.center.plus([0.0, 0.4 * slot.size, 0.0]), end);
        pins(draft, "start", 70);
        let breaking = breaking(draft);
        draft.line(&format!("attach = [{{ pins = [\"end\"], to = \"{load}\"{breaking} }}]"));
    } else {
        square(draft, &name, end.plus([0.0, 0.2 * slot.size, 0.0]), 0.4, slot);
        pins(draft, "top", 70);
        let breaking = breaking(draft);
        draft.line(&format!("attach = [{{ at = [{end}], to = \"{load}\"{breaking} }}]"));
    }
}

/// How a tie yields or breaks: mostly not at all.
fn breaking(draft: &mut Draft) -> String {
    match draft.dice.whole(0, 5) {
        0 => format!(", breaking_force = {}", draft.dice.whole(20, 2000)),
        1 => ", compliance = 1e-4".to_owned(),
        _ => String::new(),
    }
}

/// Cloth or a rope that goes with a collider, which swings in scenes that may be driven.
fn carried(draft: &mut Draft, slot: &Slot) {
    let (holder, name) = (draft.name("mast"), draft.name("sail"));
    let radius = 1.6 * draft.radius;
    let top = slot.center.plus([0.0, 0.3 * slot.size, 0.0]);
    draft.open("collider", &holder);
    draft.line(&format!("shape = {{ sphere = {{ radius = {} }} }}", Decimal(radius)));
    draft.key("position", top);
    if draft.moves(70) {
        let offset = draft.dice.vector(0.1 * slot.size);
        let period = Decimal(draft.dice.between(0.6, 2.0));
        draft.line(&format!("motion.swing = {{ offset = {offset}, period = {period} }}"));
    }
    let below = top.plus([0.0, -radius - 1.2 * draft.radius, 0.0]);
    let held = if draft.dice.chance(50) {
        rope(draft, &name, below, below.plus([0.0, -0.4 * slot.size, 0.0]));
        "start"
    } else {
        square(draft, &name, below.plus([0.0, -0.2 * slot.size, 0.0]), 0.4, slot);
        "top"
    };
    draft.line(&format!("attach = [{{ pins = [\"{held}\"], to = \"{holder}\" }}]"));
}

/// A rope knotted to a corner of cloth.
fn knotted(draft: &mut Draft, slot: &Slot) {
    let (sheet, name) = (draft.name("sheet"), draft.name("cord"));
    let middle = slot.center.plus([0.0, 0.2 * slot.size, 0.0]);
    let edge = square(draft, &sheet, middle, 0.4, slot);
    pins(draft, "top", 60);
    let corner = middle.plus([0.5 * edge, -0.5 * edge, 0.0]);
    let from = corner.plus([0.0, -2.0 * draft.radius, 0.0]);
    let to = Triple([from.0[0], slot.center.0[1] - 0.35 * slot.size, from.0[2]]);
    rope(draft, &name, from, to);
    let breaking = breaking(draft);
    draft.line(&format!(
        "attach = [{{ pins = [\"start\"], to = \"{sheet}\"{breaking} }}]"
    ));
}

/// Cloth or a rope that is pinned to a point, which in scenes that may be driven drags it along a path or to and fro.
fn dragged(draft: &mut Draft, slot: &Slot) {
    let name = draft.name("dragged");
    let top = slot.center.plus([0.0, 0.3 * slot.size, 0.0]);
    let held = if draft.dice.chance(50) {
        rope(draft, &name, top, top.plus([0.0, -0.6 * slot.size, 0.0]));
        "start"
    } else {
        square(draft, &name, top.plus([0.0, -0.25 * slot.size, 0.0]), 0.5, slot);
        draft.dice.one_of(&["top", "top_left", "corners"])
    };
    let mut motion = String::new();
    if draft.moves(80) {
        let offset = draft.dice.vector(0.1 * slot.size);
        let period = Decimal(draft.dice.between(0.5, 2.0));
        motion = format!(", motion = {{ swing = {{ offset = {offset}, period = {period} }} }}");
    }
    draft.line(&format!("attach = [{{ pins = [\"{held}\"]{motion} }}]"));
}
