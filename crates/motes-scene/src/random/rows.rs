//! Rows: ropes, nets and lumps of grains whose neighbours keep their distance; pinned, or tied to a body.

use super::bodies::block;
use super::dice::{Decimal, Triple};
use super::draft::{Draft, Slot};
use super::menu::Ingredient;

pub(super) fn write(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("woven");
    let spacing = draft.dice.between(1.0, 1.15);
    let step = 2.0 * draft.radius * spacing;
    // As many whole steps as leave room for a block at either end.
    let reach = step * (0.5 * slot.size / step).floor().max(3.0);
    let layer = 1.05 * step;
    let edges = match draft.dice.whole(0, 2) {
        0 => [reach, layer, layer],
        1 => [reach, layer, reach],
        _ => [2.05 * step; 3],
    };
    draft.open("grains", &name);
    draft.count(edges.iter().product(), step);
    draft.line(&format!("shape = {{ box = {{ size = {} }} }}", Triple(edges)));
    draft.key("position", slot.center);
    draft.number("spacing", spacing);
    draft.line("packing = \"cubic\"");
    let ends = [-0.5, 0.5].map(|side| slot.center.plus([side * edges[0], 0.0, 0.0]));
    if draft.shaking.is_none() && draft.dice.chance(40) {
        draft.line(&format!("pins = [{}]", ends[0]));
    } else {
        let speed = draft.speed(draft.radius);
        if speed > 0.0 {
            let velocity = draft.dice.vector(0.5 * speed);
            draft.key("velocity", velocity);
        }
    }
    draft.line(&format!("\n[[distance]]\nof = \"{name}\""));
    let within = step * draft.dice.one_of(&[1.1, 1.5]);
    draft.number("within", within);
    softness(draft);
    if draft.menu.has(Ingredient::Rigid) && draft.dice.chance(50) {
        tie(draft, &slot, &name, ends[1]);
    }
}

/// How far rows yield: mostly not at all.
fn softness(draft: &mut Draft) {
    match draft.dice.whole(0, 5) {
        0 => draft.line("compliance = 1e-3"),
        1 => draft.line("compliance = 1e-5"),
        2 => {
            let stiffness = draft.dice.between(0.1, 1.0);
            draft.number("stiffness", stiffness);
        }
        _ => {}
    }
    if draft.dice.chance(15) {
        let force = Decimal(draft.dice.between(20.0, 2000.0));
        draft.key("breaking_force", force);
    }
}

/// A block beyond an end, tied to it.
fn tie(draft: &mut Draft, slot: &Slot, name: &str, end: Triple) {
    let weight = draft.name("weight");
    let edge = (0.15 * slot.size).max(4.0 * draft.radius);
    let center = end.plus([0.5 * edge + 0.5 * draft.radius, 0.0, 0.0]);
    block(draft, "rigid", &weight, center, [edge; 3]);
    draft.line(&format!(
        "\n[[distance]]\nof = \"{name}\"\nto = \"{weight}\"\nat = {end}"
    ));
    softness(draft);
}
