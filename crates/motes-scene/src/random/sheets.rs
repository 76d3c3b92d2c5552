//! Cloth and ropes, pinned or thrown, and the wind.

use super::dice::{Decimal, Triple};
use super::draft::{Draft, Slot};

const FABRICS: [&str; 6] = ["silk", "cotton", "denim", "leather", "rubber_sheet", "paper"];

const PINS: [&str; 6] = ["top", "left", "top_left", "corners", "center", "edges"];

pub(super) fn cloth(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("cloth");
    let fabric = draft.dice.one_of(&FABRICS);
    draft.line(&format!("\n[[cloth]]\nname = \"{name}\"\nfabric = \"{fabric}\""));
    let radius = draft.some_radius();
    // It turns in its place without leaving it.
    let edges = [(); 2].map(|()| 0.65 * slot.size * draft.dice.between(0.5, 1.0));
    draft.particles -= edges[0] * edges[1] / (4.0 * radius * radius);
    draft.line(&format!("size = [{}, {}]", Decimal(edges[0]), Decimal(edges[1])));
    draft.key("position", slot.center);
    let rotation = draft.dice.rotation();
    draft.key("rotation", rotation);
    let pins = PINS.map(|pins| format!("\"{pins}\""));
    hold(draft, &pins, 50, radius);
    if draft.dice.chance(15) {
        draft.line("tethers = false");
    }
    if !draft.is_passive && draft.dice.chance(40) {
        wind(draft);
    }
}

pub(super) fn rope(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("rope");
    draft.open("rope", &name);
    let radius = draft.some_radius();
    let points = line(draft, &slot);
    draft.particles -= 2.0 * slot.size / (1.5 * radius);
    draft.line(&format!("points = [{}]", points.join(", ")));
    let pins = ["\"start\"".to_owned(), "\"start\", \"end\"".to_owned()];
    hold(draft, &pins, 60, radius);
    if draft.dice.chance(30) {
        let bending = draft.dice.one_of(&["0", "1e-4", "0.1"]);
        draft.key("bending", bending);
    }
    if draft.dice.chance(20) {
        let force = draft.dice.between(50.0, 2000.0);
        draft.number("breaking_force", force);
    }
}

/// Two or three points of a place.
fn line(draft: &mut Draft, slot: &Slot) -> Vec<String> {
    let reach = 0.4 * slot.size;
    let across = draft.dice.vector(reach);
    let ends = [-1.0, 1.0].map(|side| slot.center.plus([side * reach, side * across.0[1], side * across.0[2]]));
    let mut points: Vec<Triple> = ends.to_vec();
    if draft.dice.chance(50) {
        points.insert(1, slot.center.plus([0.0, across.0[0], 0.0]));
    }
    points.iter().map(Triple::to_string).collect()
}

/// Pins some of it, in so many of a hundred; else throws it. Pins stand still in a room that moves.
pub(super) fn hold(draft: &mut Draft, pins: &[String], percent: u32, radius: f64) {
    if draft.shaking.is_none() && draft.dice.chance(percent) {
        let choice = draft.dice.whole(0, pins.len() as u32 - 1) as usize;
        return draft.line(&format!("pins = [{}]", pins[choice]));
    }
    throw(draft, radius);
}

/// Gives it a velocity, or none.
pub(super) fn throw(draft: &mut Draft, radius: f64) {
    let speed = draft.speed(radius);
    if speed > 0.0 {
        let velocity = draft.dice.vector(0.5 * speed);
        draft.key("velocity", velocity);
    }
}

/// Wind, once in a scene.
pub(super) fn wind(draft: &mut Draft) {
    if std::mem::replace(&mut draft.is_windy, true) {
        return;
    }
    let velocity = draft.dice.vector(4.0);
    let turbulence = Decimal(draft.dice.between(0.0, 2.0));
    draft.line(&format!(
        "\n[wind]\nvelocity = {velocity}\nturbulence = {turbulence}\ngusts = 0.3"
    ));
}
