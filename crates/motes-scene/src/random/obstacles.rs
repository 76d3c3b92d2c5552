//! Obstacles: a collider of any shape in a place of its own, which moves in scenes that may be driven.

use super::dice::{Decimal, Triple};
use super::draft::{Draft, Slot};
use super::grains::solid;

pub(super) fn write(draft: &mut Draft) {
    // What stands still in a room that moves would crush bodies against its walls.
    if draft.shaking.is_some() {
        return;
    }
    let Some(slot) = draft.slot() else { return };
    if draft.moves(15) {
        return paddle(draft, &slot);
    }
    let name = draft.name("obstacle");
    draft.open("collider", &name);
    let (shape, below) = shape(draft, &slot);
    draft.line(&format!("shape = {shape}"));
    draft.key("position", slot.center.plus([0.0, -below, 0.0]));
    if below == 0.0 && draft.dice.chance(60) {
        let rotation = draft.dice.rotation();
        draft.key("rotation", rotation);
    }
    if draft.moves(60) {
        let motion = motion(draft, &slot);
        draft.line(&format!("motion.{motion}"));
    }
}

/// A shape, and how far below the middle of its place its origin is.
fn shape(draft: &mut Draft, slot: &Slot) -> (String, f64) {
    let size = 0.5 * slot.size * draft.dice.between(0.4, 1.0);
    let half = 0.5 * size;
    let [full, r] = [size, half].map(Decimal);
    let upright = |vessel: String| (format!("{{ vessel = {{ {vessel} }} }}"), half);
    match draft.dice.whole(0, 13) {
        0 => (format!("{{ sphere = {{ radius = {r} }} }}"), 0.0),
        1 => (
            format!(
                "{{ capsule = {{ radius = {}, length = {full} }} }}",
                Decimal(0.25 * size)
            ),
            0.0,
        ),
        2 => {
            let edges = [(); 3].map(|()| size * draft.dice.between(0.2, 1.2));
            (format!("{{ box = {{ size = {} }} }}", Triple(edges)), 0.0)
        }
        3 => (format!("{{ hull = {{ tetrahedron = {{ radius = {r} }} }} }}"), 0.0),
        4 => (format!("{{ hull = {{ octahedron = {{ radius = {r} }} }} }}"), 0.0),
        5 => (
            format!("{{ hull = {{ gem = {{ radius = {r}, height = {full} }} }} }}"),
            0.0,
        ),
        6 => (
            format!("{{ hull = {{ wedge = {{ length = {full}, height = {r}, width = {full} }} }} }}"),
            half,
        ),
        7 => {
            let points: Vec<String> = (0..8).map(|_| draft.dice.vector(half).to_string()).collect();
            (format!("{{ hull = {{ points = [{}] }} }}", points.join(", ")), 0.0)
        }
        8 => upright(format!(
            "bowl = {{ radius = {r}, thickness = {} }}",
            Decimal(0.1 * half)
        )),
        9 => upright(format!(
            "cup = {{ radius = {r}, height = {full}, thickness = {} }}",
            Decimal(0.1 * half)
        )),
        10 => {
            let radius = (7.0 * draft.radius).min(0.45 * slot.size);
            let (radius, thickness) = (Decimal(radius), Decimal(0.1 * radius));
            upright(format!(
                "tube = {{ radius = {radius}, height = {full}, thickness = {thickness} }}"
            ))
        }
        11 => {
            let neck = Decimal((6.5 * draft.radius).min(0.3 * slot.size));
            upright(format!(
                "funnel = {{ radius = {}, neck_radius = {neck}, height = {full} }}",
                Decimal(0.45 * slot.size)
            ))
        }
        12 => {
            let triangles = "[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]";
            let corners = [
                [-half, -half, -half],
                [half, half, -half],
                [half, -half, half],
                [-half, half, half],
            ];
            let vertices: Vec<String> = corners.map(|corner| Triple(corner).to_string()).to_vec();
            (
                format!(
                    "{{ mesh = {{ vertices = [{}], triangles = {triangles} }} }}",
                    vertices.join(", ")
                ),
                0.0,
            )
        }
        _ => {
            let (solid, _) = solid(draft, slot, 0.5);
            (format!("{{ sdf = {{ solid = {solid} }} }}"), 0.0)
        }
    }
}

/// Turning on the spot, swinging or going along a path, within its place.
fn motion(draft: &mut Draft, slot: &Slot) -> String {
    let reach = 0.2 * slot.size;
    let period = Decimal(draft.dice.between(0.5, 2.0));
    match draft.dice.whole(0, 2) {
        0 => format!("steady = {{ angular_velocity = {} }}", draft.dice.vector(180.0)),
        1 => {
            let (offset, rotation) = (draft.dice.vector(reach), draft.dice.vector(60.0));
            format!("swing = {{ offset = {offset}, rotation = {rotation}, period = {period} }}")
        }
        _ => {
            let end = draft.duration();
            let places = [(); 2].map(|()| draft.dice.vector(reach).plus(slot.center.0));
            let [middle, last] = [0.4, 0.8].map(|share: f64| Decimal(share * end));
            format!(
                "path = {{ keys = [{{ time = 0, position = {} }}, {{ time = {middle}, position = {} }}, \
                 {{ time = {last}, position = {} }}] }}",
                slot.center, places[0], places[1]
            )
        }
    }
}

/// A kinematic body: a paddle of particles that turns.
fn paddle(draft: &mut Draft, slot: &Slot) {
    let name = draft.name("paddle");
    draft.open("rigid", &name);
    let size = 0.6 * slot.size;
    let edges = [size, size, 2.5 * draft.radius];
    draft.count(edges.iter().product(), 1.8 * draft.radius);
    draft.line(&format!("shape = {{ box = {{ size = {} }} }}", Triple(edges)));
    draft.key("position", slot.center);
    let turn = draft.dice.vector(120.0);
    draft.line(&format!("motion.steady = {{ angular_velocity = {turn} }}"));
}
