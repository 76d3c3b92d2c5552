//! Balloons: closed cloth filled with gas, by a pump, or with what keeps its volume; some are cut open.

use super::dice::Decimal;
use super::draft::{Draft, Slot};
use super::sheets;

/// Skins, from what hardly stretches to what does.
const SKINS: [&str; 4] = ["silk", "cotton", "rubber_sheet", "rubber_sheet"];

pub(super) fn write(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("balloon");
    let skin = skin(draft);
    draft.line(&format!("\n[[cloth]]\nname = \"{name}\"\nfabric = \"{skin}\""));
    // Of few particles it would not be round, and layers of large ones start in each other.
    let is_fine = draft.sizes && draft.dice.chance(50);
    let radius = if is_fine { 0.5 * draft.radius } else { draft.radius };
    if is_fine {
        draft.number("radius", radius);
    }
    let size = draft.dice.between(0.27, 0.34) * slot.size;
    draft.particles -= 4.0 * (size / radius) * (size / radius);
    draft.number("sphere", size);
    draft.key("position", slot.center);
    let filling = filling(draft);
    draft.line(&format!("inflate = {{ {filling} }}"));
    sheets::throw(draft, radius);
    if draft.dice.chance(25) {
        slit(draft, &slot, size);
    }
}

/// A fabric: a preset, or a skin of its own.
fn skin(draft: &mut Draft) -> String {
    let base = draft.dice.one_of(&SKINS);
    if draft.dice.chance(60) {
        return base.to_owned();
    }
    let name = draft.name("skin").replace(' ', "");
    draft.line(&format!("\n[fabric.{name}]\nbase = \"{base}\""));
    let weight = draft.dice.between(0.05, 0.6);
    draft.number("areal_density", weight);
    let stretch = draft.dice.between(300.0, 3000.0);
    draft.number("stretch", stretch);
    name
}

/// What is in it. In scenes that nothing drives, as much as it is made for, so that it has nothing to give.
fn filling(draft: &mut Draft) -> String {
    let kind = draft.dice.whole(0, 2);
    if draft.is_passive {
        return if kind == 0 { "volume = 1" } else { "gas = 1" }.to_owned();
    }
    let mut filling = match kind {
        0 => {
            let mut filling = format!("volume = {}", Decimal(draft.dice.between(0.8, 1.3)));
            if draft.dice.chance(40) {
                filling.push_str(", compliance = 1e-7");
            }
            filling
        }
        1 => format!("pressure = {}", draft.dice.whole(20, 400)),
        _ => format!("gas = {}", Decimal(draft.dice.between(0.6, 1.5))),
    };
    if draft.dice.chance(60) {
        let [start, over] = [0.3, 0.6].map(|share| Decimal(draft.duration() * draft.dice.between(0.0, share)));
        filling.push_str(&format!(", start = {start}, over = {over}"));
    }
    filling
}

/// A cut over its top, after a while.
fn slit(draft: &mut Draft, slot: &Slot, size: f64) {
    let reach = size * draft.dice.between(0.3, 0.7);
    let [from, to] = [-reach, reach].map(|x| slot.center.plus([x, (size * size - x * x).max(0.0).sqrt(), 0.0]));
    let at = Decimal(draft.duration() * draft.dice.between(0.1, 0.6));
    draft.line(&format!("cuts = [{{ at = {at}, from = {from}, to = {to} }}]"));
}
