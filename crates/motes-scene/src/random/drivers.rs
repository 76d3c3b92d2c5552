//! What puts energy in or takes particles out: emitters, fields, places where particles vanish.

use super::dice::Decimal;
use super::draft::Draft;

pub(super) fn emitter(draft: &mut Draft) {
    if draft.is_passive || draft.shaking.is_some() {
        return;
    }
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("emitter");
    draft.open("emitter", &name);
    let radius = draft.some_radius();
    let opening = (draft.dice.between(2.0, 4.0) * radius).min(0.25 * slot.size);
    if draft.dice.chance(60) {
        draft.line(&format!("shape = {{ disc = {{ radius = {} }} }}", Decimal(opening)));
    } else {
        let edge = Decimal(2.0 * opening);
        draft.line(&format!("shape = {{ box = {{ size = [{edge}, {edge}, {edge}] }} }}"));
    }
    draft.key("position", slot.center);
    let direction = draft
        .dice
        .one_of(&["[0, -1, 0]", "[1, 0, 0]", "[0, 1, 1]", "[-1, -1, 0]"]);
    draft.key("direction", direction);
    let speed = draft.dice.between(0.3, (4.0 * radius / draft.substep()).min(4.0));
    draft.number("speed", speed);
    // What is born where others still are would burst apart.
    let rate = draft.dice.between(20.0, 60.0);
    draft.number("rate", rate);
    let limit = draft.dice.whole(20, 120);
    draft.key("limit", limit);
    draft.particles -= f64::from(limit);
    if draft.dice.chance(50) {
        let spread = draft.dice.between(0.0, 30.0);
        draft.number("spread", spread);
    }
    if draft.dice.chance(30) {
        let lifetime = draft.dice.between(0.2, 1.0);
        draft.number("lifetime", lifetime);
    }
}

/// Still air, which takes energy out, is the only field of scenes that are not driven.
pub(super) fn field(draft: &mut Draft) {
    let kind = if draft.is_passive { 0 } else { draft.dice.whole(0, 4) };
    let strength = Decimal(draft.dice.between(-8.0, 8.0));
    let kind = match kind {
        0 => format!("drag = {{ rate = {} }}", Decimal(draft.dice.between(0.1, 3.0))),
        1 => format!("uniform = {{ acceleration = {} }}", draft.dice.vector(6.0)),
        2 => format!("radial = {{ center = [0, 0.5, 0], strength = {strength}, range = 2 }}"),
        3 => format!(
            "vortex = {{ swirl = {strength}, pull = 2, lift = {} }}",
            Decimal(draft.dice.between(0.0, 4.0))
        ),
        _ => {
            let wind = draft.dice.vector(3.0);
            format!(
                "drag = {{ velocity = {wind}, rate = {} }}",
                Decimal(draft.dice.between(0.1, 3.0))
            )
        }
    };
    draft.line(&format!("\n[[field]]\nkind = {{ {kind} }}"));
    if draft.dice.chance(40) {
        let radius = Decimal(draft.dice.between(0.3, 1.0));
        draft.line(&format!(
            "within = {{ sphere = {{ center = [0, 0.5, 0], radius = {radius} }} }}"
        ));
    }
}
