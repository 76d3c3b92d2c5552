//! Smoke: gas that fills a part of the room, with markers, and plumes.

use super::dice::Decimal;
use super::draft::Draft;
use super::grains::solid;

pub(super) fn write(draft: &mut Draft) {
    let pours = draft.dice.chance(50) && !draft.is_passive && draft.shaking.is_none();
    let gives = match pours {
        true => plume(draft),
        false => block(draft),
    };
    if !gives {
        return;
    }
    let lifetime = draft.dice.between(0.3, 3.0);
    draft.line("\n[smoke]");
    draft.number("lifetime", lifetime);
    if draft.dice.chance(30) {
        let most = draft.dice.whole(20_000, 60_000);
        draft.key("most", most);
    }
    if draft.dice.chance(30) {
        draft.line("lonely = 0.5");
    }
    if draft.dice.chance(30) {
        let fade = draft.dice.one_of(&["\"even\"", "\"late\"", "\"spread\""]);
        draft.key("fade", fade);
    }
    if draft.dice.chance(30) {
        draft.line("strays = \"fly\"");
    }
}

fn block(draft: &mut Draft) -> bool {
    let Some(slot) = draft.slot() else { return false };
    open(draft, "fluid");
    let radius = draft.some_radius();
    let (shape, volume) = solid(draft, &slot, 0.95);
    draft.count(volume, 2.0 * radius);
    draft.line(&format!("shape = {shape}"));
    draft.key("position", slot.center);
    let temperature = draft.dice.between(-20.0, 600.0);
    draft.number("temperature", temperature);
    let markers = draft.dice.between(0.5, 4.0);
    draft.number("markers", markers);
    true
}

fn plume(draft: &mut Draft) -> bool {
    let Some(slot) = draft.slot() else { return false };
    open(draft, "emitter");
    let radius = draft.some_radius();
    let opening = (draft.dice.between(3.0, 5.0) * radius).min(0.3 * slot.size);
    draft.line(&format!("shape = {{ disc = {{ radius = {} }} }}", Decimal(opening)));
    draft.key("position", slot.center);
    let direction = draft
        .dice
        .one_of(&["[0, 1, 0]", "[0, 1, 0]", "[1, 0, 0]", "[0, -1, 1]"]);
    draft.key("direction", direction);
    let speed = draft.dice.between(0.3, (4.0 * radius / draft.substep()).min(3.0));
    draft.number("speed", speed);
    let limit = draft.dice.whole(60, 300);
    draft.key("limit", limit);
    draft.particles -= f64::from(limit);
    if draft.dice.chance(40) {
        let lifetime = draft.dice.between(0.3, 2.0);
        draft.number("lifetime", lifetime);
    }
    let markers = Decimal(draft.dice.between(1.0, 6.0));
    let sheath = if opening >= 5.0 * radius {
        draft.dice.whole(0, 2)
    } else {
        draft.dice.whole(0, 1)
    };
    let temperature = Decimal(draft.dice.between(20.0, 800.0));
    draft.line(&format!(
        "plume = {{ markers = {markers}, sheath = {sheath}, temperature = {temperature} }}"
    ));
    true
}

/// Opens a table of a gas; half of them are a preset as it is.
fn open(draft: &mut Draft, list: &str) {
    let name = draft.name("gas");
    let mut material = draft.dice.one_of(&["air", "smoke", "smoke", "steam"]).to_owned();
    if draft.dice.chance(50) {
        let own = format!("stuff{}", draft.next_material());
        draft.line(&format!("\n[material.{own}]\nbase = \"{material}\""));
        let drag = draft.dice.one_of(&["0", "1", "10", "50"]);
        draft.key("air_drag", drag);
        let baroclinity = draft.dice.one_of(&["0", "0.3", "1", "5"]);
        draft.key("baroclinity", baroclinity);
        if draft.dice.chance(50) {
            let expansion = draft.dice.between(0.0, 2.0);
            draft.number("expansion", expansion);
            let diffusivity = draft.dice.one_of(&["0", "0.001", "0.1"]);
            draft.key("thermal_diffusivity", diffusivity);
            let cooling = draft.dice.between(0.0, 4.0);
            draft.number("cooling", cooling);
        }
        material = own;
    }
    draft.line(&format!("\n[[{list}]]\nname = \"{name}\"\nmaterial = \"{material}\""));
    draft.used.push(material);
}
