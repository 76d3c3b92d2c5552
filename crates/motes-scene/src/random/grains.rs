//! Grains: a solid filled with loose particles.

use super::dice::{Decimal, Triple};
use super::draft::{Draft, Slot};

pub(super) fn write(draft: &mut Draft) {
    let Some(slot) = draft.slot() else { return };
    let name = draft.name("grains");
    draft.open("grains", &name);
    let radius = draft.some_radius();
    let spacing = draft.dice.between(1.0, 1.2);
    let (shape, volume) = solid(draft, &slot, 0.9);
    draft.count(volume, 2.0 * radius * spacing);
    draft.line(&format!("shape = {shape}"));
    draft.key("position", slot.center);
    draft.number("spacing", spacing);
    if draft.dice.chance(40) {
        let jitter = draft.dice.between(0.0, spacing - 1.0);
        draft.number("jitter", jitter);
    }
    if draft.dice.chance(30) {
        draft.line("packing = \"cubic\"");
    }
    let speed = draft.speed(radius);
    if speed > 0.0 {
        let velocity = draft.dice.vector(0.5 * speed);
        draft.key("velocity", velocity);
    }
}

/// A solid around the origin that fits a place to a share, and its volume.
pub(super) fn solid(draft: &mut Draft, slot: &Slot, share: f64) -> (String, f64) {
    let size = share * slot.size;
    let mut part = |low: f64| draft.dice.between(low, 1.0) * size;
    match part(0.0) / size {
        kind if kind < 0.4 => {
            let edges = [part(0.4), part(0.4), part(0.4)];
            let shape = format!("{{ box = {{ size = {} }} }}", Triple(edges));
            (shape, edges.iter().product())
        }
        kind if kind < 0.6 => {
            let radius = 0.5 * part(0.5);
            (
                format!("{{ sphere = {{ radius = {} }} }}", Decimal(radius)),
                4.2 * radius * radius * radius,
            )
        }
        kind if kind < 0.7 => {
            let (radius, height) = (0.5 * part(0.5), part(0.5));
            let shape = format!(
                "{{ cylinder = {{ radius = {}, height = {}, base = {} }} }}",
                Decimal(radius),
                Decimal(height),
                Triple([0.0, -0.5 * height, 0.0])
            );
            (shape, 3.2 * radius * radius * height)
        }
        kind if kind < 0.8 => {
            let (radius, top, height) = (0.5 * part(0.7), 0.25 * part(0.4), part(0.5));
            let shape = format!(
                "{{ cone = {{ radius = {}, top_radius = {}, height = {}, base = {} }} }}",
                Decimal(radius),
                Decimal(top),
                Decimal(height),
                Triple([0.0, -0.5 * height, 0.0])
            );
            (shape, 2.0 * radius * radius * height)
        }
        kind if kind < 0.9 => {
            let radius = 0.25 * part(0.6);
            let length = size - 2.0 * radius;
            let shape = format!(
                "{{ capsule = {{ radius = {}, length = {} }} }}",
                Decimal(radius),
                Decimal(length)
            );
            (shape, 3.2 * radius * radius * size)
        }
        _ => {
            let tube = 0.15 * part(0.7);
            let radius = 0.5 * size - tube;
            let shape = format!(
                "{{ torus = {{ radius = {}, tube_radius = {} }} }}",
                Decimal(radius),
                Decimal(tube)
            );
            (shape, 20.0 * radius * tube * tube)
        }
    }
}
