//! Liquids: blocks and jets of every preset, and of densities, viscosities and tensions of their own.

use motes_core::Material;

use super::dice::Decimal;
use super::draft::Draft;
use super::grains::solid;

pub(super) fn write(draft: &mut Draft) {
    for _ in 0..draft.dice.whole(1, 2) {
        let pours = draft.dice.chance(30);
        if pours && !draft.is_passive && draft.shaking.is_none() {
            jet(draft);
        } else {
            block(draft);
        }
    }
    if draft.dice.chance(40) {
        let amount = draft.dice.between(0.2, 4.0);
        draft.line("\n[foam]");
        draft.number("amount", amount);
        if draft.dice.chance(30) {
            let most = draft.dice.whole(10, 500);
            draft.key("most", most);
        }
    }
}

fn block(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    open(draft, "fluid");
    let radius = draft.some_radius();
    let (shape, volume) = solid(draft, &slot, 0.95);
    draft.count(volume, 2.0 * radius);
    draft.line(&format!("shape = {shape}"));
    draft.key("position", slot.center);
    if draft.dice.chance(30) {
        let jitter = draft.dice.between(0.0, 0.1);
        draft.number("jitter", jitter);
    }
    let speed = draft.speed(radius);
    if speed > 0.0 {
        let velocity = draft.dice.vector(0.5 * speed);
        draft.key("velocity", velocity);
    }
}

fn jet(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    open(draft, "emitter");
    let radius = draft.some_radius();
    let opening = (draft.dice.between(2.0, 5.0) * radius).min(0.3 * slot.size);
    draft.line(&format!("shape = {{ disc = {{ radius = {} }} }}", Decimal(opening)));
    draft.key("position", slot.center);
    let direction = draft
        .dice
        .one_of(&["[0, -1, 0]", "[1, 0, 0]", "[0, 1, 1]", "[-1, -1, 0]"]);
    draft.key("direction", direction);
    let speed = draft.dice.between(0.3, (4.0 * radius / draft.substep()).min(4.0));
    draft.number("speed", speed);
    let limit = draft.dice.whole(40, 200);
    draft.key("limit", limit);
    draft.particles -= f64::from(limit);
}

/// Opens a table of a liquid; half of them are a preset as it is.
fn open(draft: &mut Draft, list: &str) {
    let name = draft.name("liquid");
    let presets: Vec<&str> = { Material::PRESETS.iter() }
        .filter(|(_, material)| material.is_liquid())
        .map(|(preset, _)| *preset)
        .collect();
    let mut material = draft.dice.one_of(&presets).to_owned();
    if draft.dice.chance(50) {
        let own = format!("stuff{}", draft.next_material());
        draft.line(&format!("\n[material.{own}]\nbase = \"{material}\""));
        let density = draft.dice.between(700.0, 3000.0);
        draft.number("density", density);
        if draft.dice.chance(50) {
            let viscosity = draft.dice.one_of(&["0.001", "0.1", "5", "50"]);
            draft.key("viscosity", viscosity);
        }
        if draft.dice.chance(50) {
            let tension = draft.dice.one_of(&["0", "0.02", "0.07", "0.5"]);
            draft.key("surface_tension", tension);
            let angle = draft.dice.between(0.0, 180.0);
            draft.number("contact_angle", angle);
        }
        material = own;
    }
    draft.line(&format!("\n[[{list}]]\nname = \"{name}\"\nmaterial = \"{material}\""));
    draft.used.push(material);
}
