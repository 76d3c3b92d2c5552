//! Cloth that tears where it is pulled too far, and cloth and balloons that are cut.

use super::dice::{Decimal, Triple};
use super::draft::{Draft, Slot};
use super::sheets;

/// Fabrics, some of which tear at once and some hardly ever.
const FABRICS: [&str; 5] = ["paper", "paper", "cotton", "silk", "rubber_sheet"];

pub(super) fn write(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("rag");
    let mut fabric = draft.dice.one_of(&FABRICS).to_owned();
    if draft.dice.chance(40) {
        let base = std::mem::replace(&mut fabric, format!("weak{}", name.replace("rag ", "")));
        draft.line(&format!("\n[fabric.{fabric}]\nbase = \"{base}\""));
        let strain = draft.dice.between(0.01, 0.5);
        draft.number("breaking_strain", strain);
    }
    draft.line(&format!("\n[[cloth]]\nname = \"{name}\"\nfabric = \"{fabric}\""));
    let radius = draft.some_radius();
    if draft.dice.chance(70) {
        let edges = [(); 2].map(|()| 0.65 * slot.size * draft.dice.between(0.6, 1.0));
        draft.particles -= edges[0] * edges[1] / (4.0 * radius * radius);
        draft.line(&format!("size = [{}, {}]", Decimal(edges[0]), Decimal(edges[1])));
        hang(draft, &slot, radius, &["top", "left", "corners", "edges"]);
    } else {
        let across = 0.8 * slot.size * draft.dice.between(0.7, 1.0);
        draft.particles -= across * across / (4.0 * radius * radius);
        draft.number("disc", across);
        hang(draft, &slot, radius, &["rim", "center"]);
    }
    let is_cut = draft.dice.chance(50);
    if is_cut {
        cuts(draft, &slot);
    }
    if !is_cut || draft.dice.chance(60) {
        draft.line("tears = true");
    }
    if !draft.is_passive && draft.dice.chance(40) {
        sheets::wind(draft);
    }
}

/// Turns it somehow, and pins it or throws it.
fn hang(draft: &mut Draft, slot: &Slot, radius: f64, pins: &[&str]) {
    draft.key("position", slot.center);
    let rotation = draft.dice.rotation();
    draft.key("rotation", rotation);
    let pins: Vec<String> = pins.iter().map(|pins| format!("\"{pins}\"")).collect();
    sheets::hold(draft, &pins, 60, radius);
}

/// One or two cuts between any two points of its place: slits, or from rim to rim.
fn cuts(draft: &mut Draft, slot: &Slot) {
    let reach = 0.4 * slot.size;
    let count = draft.dice.whole(1, 2);
    let cuts: Vec<String> = (0..count)
        .map(|_| {
            let at = Decimal(draft.duration() * draft.dice.between(0.0, 0.8));
            let [from, to] = [(); 2].map(|()| {
                let Triple(offset) = draft.dice.vector(reach);
                slot.center.plus(offset)
            });
            format!("{{ at = {at}, from = {from}, to = {to} }}")
        })
        .collect();
    draft.line(&format!("cuts = [{}]", cuts.join(", ")));
}
