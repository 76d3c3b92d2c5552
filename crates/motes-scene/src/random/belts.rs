//! Belts and turntables, and triggers that count, remove and switch.

use super::dice::{Decimal, Triple};
use super::draft::Draft;

/// Writes a belt, which puts energy in.
pub(super) fn belt(draft: &mut Draft) {
    // What stands still in a room that moves would crush bodies against its walls.
    if draft.is_passive || draft.shaking.is_some() {
        return;
    }
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("belt");
    draft.open("collider", &name);
    if draft.dice.chance(60) {
        let edges = [0.8, 0.15, 0.6].map(|share| share * slot.size);
        draft.line(&format!("shape = {{ box = {{ size = {} }} }}", Triple(edges)));
    } else {
        let (radius, height) = (Decimal(0.35 * slot.size), Decimal(0.2 * slot.size));
        let drum = format!("{{ cylinder = {{ radius = {radius}, height = {height} }} }}");
        draft.line(&format!("shape = {{ sdf = {{ solid = {drum} }} }}"));
    }
    draft.key("position", slot.center.plus([0.0, -0.25 * slot.size, 0.0]));
    let runs = draft.dice.whole(0, 2);
    if runs != 1 {
        let velocity = draft.dice.vector(2.5);
        draft.key("surface_velocity", velocity);
    }
    if runs != 0 {
        let spin = draft.dice.vector(200.0);
        draft.key("surface_spin", spin);
    }
    if draft.dice.chance(30) {
        let time = draft.duration() * draft.dice.between(0.2, 0.8);
        let key = draft.dice.one_of(&["surface_on_at", "surface_off_at"]);
        draft.number(key, time);
    }
    if draft.dice.chance(40) {
        switch(draft, &format!("{name}.surface"), slot.center, 0.5 * slot.size);
    }
}

/// A trigger that has something stop while others are near it.
fn switch(draft: &mut Draft, name: &str, center: Triple, radius: f64) {
    region(draft, center, radius);
    draft.line(&format!("off = [\"{name}\"]"));
    let count = draft.dice.whole(1, 5);
    draft.key("count", count);
    if draft.dice.chance(50) {
        draft.key("back_below", count);
    }
}

/// Writes a trigger that counts what comes or, in scenes that may be driven, removes it.
pub(super) fn trigger(draft: &mut Draft) {
    let size = draft.size();
    let place = [0, 1, 2].map(|axis| 0.4 * size[axis] * draft.dice.between(-1.0, 1.0));
    let radius = draft.dice.between(0.1, 0.4) * size[0];
    let center = draft.middle().plus(place);
    region(draft, center, radius);
    if !draft.is_passive && draft.dice.chance(60) {
        draft.line("kill = true");
    }
    if draft.dice.chance(30) {
        draft.line("counting = \"entered\"");
    }
}

fn region(draft: &mut Draft, center: Triple, radius: f64) {
    let name = draft.name("trigger");
    draft.line(&format!("\n[[trigger]]\nname = \"{name}\""));
    if draft.dice.chance(50) {
        let radius = Decimal(radius);
        draft.line(&format!(
            "within = {{ sphere = {{ center = {center}, radius = {radius} }} }}"
        ));
    } else {
        let [min, max] = [-radius, radius].map(|reach| center.plus([reach; 3]));
        draft.line(&format!("within = {{ box = {{ min = {min}, max = {max} }} }}"));
    }
}
