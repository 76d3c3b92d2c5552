//! Joints: of every kind, to the world, to colliders and between bodies; chains and rings.

use super::bodies::block;
use super::dice::{Decimal, Triple};
use super::draft::{Draft, Slot};
use super::menu::Ingredient;

pub(super) fn write(draft: &mut Draft) {
    let Some(kind) = draft.body_kind() else { return };
    let Some(slot) = draft.slot() else { return };
    match draft.dice.whole(0, 3) {
        0 => hung(draft, &slot, kind),
        1 => pair(draft, &slot, kind),
        2 if draft.menu.has(Ingredient::Rigid) => chain(draft, &slot),
        _ if draft.shaking.is_none() => held_by_a_collider(draft, &slot, kind),
        _ => hung(draft, &slot, kind),
    }
}

/// What stands still where a body is: the world, or a room that moves.
fn ground(draft: &Draft) -> &'static str {
    if draft.shaking.is_some() { "walls" } else { "world" }
}

/// Kind and axis, as keys of a joint.
fn kind(draft: &mut Draft) -> String {
    match draft.dice.whole(0, 2) {
        0 => "kind = \"ball\"".to_owned(),
        1 => format!(
            "kind = \"hinge\"\naxis = {}",
            draft.dice.one_of(&["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]", "[1, 1, 0]"])
        ),
        _ => "kind = \"fixed\"".to_owned(),
    }
}

fn joint(draft: &mut Draft, body: &str, to: &str, at: Triple) {
    let kind = kind(draft);
    draft.line(&format!("\n[[joint]]\nbody = \"{body}\"\nto = \"{to}\"\n{kind}"));
    if !kind.contains("fixed") {
        draft.key("at", at);
    }
}

/// Edges of a block that fits a share of a place.
fn edges(draft: &mut Draft, size: f64) -> [f64; 3] {
    [(); 3].map(|()| (size * draft.dice.between(0.4, 1.0)).max(4.0 * draft.radius))
}

/// A block that hangs from a point of the world.
fn hung(draft: &mut Draft, slot: &Slot, kind: &str) {
    let name = draft.name("hung");
    let edges = edges(draft, 0.55 * slot.size);
    block(draft, kind, &name, slot.center, edges);
    let [x, y, z] = [0, 1, 2].map(|axis: usize| 0.5 * edges[axis] * draft.dice.between(-1.0, 1.0));
    joint(draft, &name, ground(draft), slot.center.plus([x, y, z]));
}

/// Two blocks side by side, joined, and perhaps held by one of them.
fn pair(draft: &mut Draft, slot: &Slot, kind: &str) {
    let (first, second) = (draft.name("left"), draft.name("right"));
    let gap = draft.radius;
    let mut both = [edges(draft, 0.4 * slot.size), edges(draft, 0.4 * slot.size)];
    for edges in &mut both {
        edges[0] = edges[0].min(0.45 * slot.size - gap);
    }
    let centers = [-1.0, 1.0].map(|side: f64| {
        let edge = both[usize::from(side > 0.0)][0];
        slot.center.plus([side * 0.5 * (edge + gap), 0.0, 0.0])
    });
    for ((name, center), edges) in [&first, &second].into_iter().zip(centers).zip(both) {
        let kind = draft.body_kind().unwrap_or(kind);
        block(draft, kind, name, center, edges);
    }
    joint(draft, &first, &second, slot.center);
    if draft.dice.chance(40) {
        joint(draft, &first, ground(draft), centers[0]);
    }
}

/// Links in a row, joined, free or hung by an end or by both.
fn chain(draft: &mut Draft, slot: &Slot) {
    let name = draft.name("link");
    let links = draft.dice.whole(3, 5);
    let distance = 0.9 * slot.size / f64::from(links);
    let length = (distance - 0.6 * draft.radius).max(2.2 * draft.radius);
    draft.open("rigid", &name);
    draft.count(f64::from(links) * length * length * length, 1.8 * draft.radius);
    let thickness = length.min(5.0 * draft.radius);
    draft.line(&format!(
        "shape = {{ box = {{ size = {} }} }}",
        Triple([length, thickness, thickness])
    ));
    let reach = 0.5 * distance * f64::from(links - 1);
    draft.key("position", slot.center.plus([-reach, 0.0, 0.0]));
    let kind = draft.dice.one_of(&[
        "kind = \"ball\"",
        "kind = \"hinge\", axis = [0, 0, 1]",
        "kind = \"fixed\"",
    ]);
    draft.line(&format!(
        "copies = {{ count = [{links}, 1, 1], spacing = [{}, 0, 0], joined = {{ {kind} }} }}",
        Decimal(distance)
    ));
    let ends = [("0", -reach - 0.5 * length), ("last", reach + 0.5 * length)];
    for (end, x) in ends {
        if draft.dice.chance(50) {
            let at = slot.center.plus([x, 0.0, 0.0]);
            draft.line(&format!(
                "\n[[joint]]\nbody = \"{name} {end}\"\nto = \"{}\"\nat = {at}",
                ground(draft)
            ));
        }
    }
}

/// A block under a small ball that carries it about.
fn held_by_a_collider(draft: &mut Draft, slot: &Slot, kind: &str) {
    let (name, holder) = (draft.name("carried"), draft.name("holder"));
    let radius = 2.0 * draft.radius;
    let edges = edges(draft, 0.4 * slot.size);
    let center = slot.center.plus([0.0, -0.1 * slot.size, 0.0]);
    let at = center.plus([0.0, 0.5 * edges[1] + radius, 0.0]);
    block(draft, kind, &name, center, edges);
    draft.open("collider", &holder);
    draft.line(&format!(
        "shape = {{ sphere = {{ radius = {} }} }}",
        Decimal(0.8 * radius)
    ));
    draft.key("position", at.plus([0.0, 0.5 * radius, 0.0]));
    if draft.moves(60) {
        let offset = draft.dice.vector(0.15 * slot.size);
        let period = Decimal(draft.dice.between(0.7, 2.0));
        draft.line(&format!("motion.swing = {{ offset = {offset}, period = {period} }}"));
    }
    joint(draft, &name, &holder, at);
}
