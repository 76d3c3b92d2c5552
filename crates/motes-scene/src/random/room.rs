//! Rooms: closed on all sides, by each kind of collider that can close one. A trigger of the name `room` marks the inside:
//! what starts in it has to stay in it.

use super::dice::{Decimal, Triple};
use super::draft::Draft;

/// Name of the trigger that marks the inside of a closed room.
pub const ROOM: &str = "room";

const WALLS: [&str; 6] = ["floor", "ceiling", "left wall", "right wall", "back wall", "front wall"];

/// Axis and side (0 is low) of each wall.
const SIDES: [(usize, usize); 6] = [(1, 0), (1, 1), (0, 0), (0, 1), (2, 0), (2, 1)];

pub(super) fn write(draft: &mut Draft) {
    let kind = draft.dice.whole(0, 3);
    if kind > 1 && draft.relief == 0.0 && draft.moves(40) {
        draft.shaking = Some(shaking(draft));
    }
    match kind {
        0 => planes(draft),
        1 => slabs(draft),
        2 => hollow_box(draft),
        _ => mesh(draft),
    }
    if draft.relief > 0.0 {
        terrain(draft);
    }
    let size = Triple(draft.size());
    draft.line(&format!(
        "\n[[collider]]\nname = \"{ROOM}\"\ntrigger = true\nvisible = false"
    ));
    draft.line(&format!("shape = {{ box = {{ size = {size} }} }}"));
    stand(draft);
}

/// A room that swings to and fro, or turns.
fn shaking(draft: &mut Draft) -> String {
    let reach = draft.dice.between(0.02, 0.2);
    let offset = draft.dice.vector(reach);
    let period = draft.dice.between(0.5, 2.0);
    if draft.dice.chance(50) {
        return format!("swing = {{ offset = {offset}, period = {} }}", Decimal(period));
    }
    let turn = draft.dice.vector(60.0);
    format!("steady = {{ angular_velocity = {turn} }}")
}

/// Places what was written around the middle of the room, and has it move with the room.
fn stand(draft: &mut Draft) {
    let middle = draft.middle();
    draft.key("position", middle);
    if let Some(shaking) = &draft.shaking {
        let line = format!("motion.{shaking}");
        draft.line(&line);
    }
}

fn planes(draft: &mut Draft) {
    for (wall, (axis, side)) in WALLS.into_iter().zip(SIDES) {
        let mut normal = [0.0; 3];
        normal[axis] = if side == 0 { 1.0 } else { -1.0 };
        let offset = normal[axis] * draft.room[side][axis];
        draft.open("collider", wall);
        let (normal, offset) = (Triple(normal), Decimal(offset));
        draft.line(&format!(
            "shape = {{ plane = {{ normal = {normal}, offset = {offset} }} }}"
        ));
    }
}

/// Six boxes, thick or thin.
fn slabs(draft: &mut Draft) {
    let thickness = draft.radius * draft.dice.between(1.0, 6.0);
    for (wall, (axis, side)) in WALLS.into_iter().zip(SIDES) {
        let [mut low, mut high] = draft.room.map(Triple);
        low = low.plus([-thickness; 3]);
        high = high.plus([thickness; 3]);
        if side == 0 {
            high.0[axis] = draft.room[0][axis];
        } else {
            low.0[axis] = draft.room[1][axis];
        }
        draft.open("collider", wall);
        draft.line(&format!("shape = {{ box = {{ min = {low}, max = {high} }} }}"));
    }
}

/// A box with a box cut out of it, as distances on a grid.
fn hollow_box(draft: &mut Draft) {
    let inner = Triple(draft.size());
    let outer = inner.plus([8.0 * draft.radius; 3]);
    draft.open("collider", "walls");
    draft.line(&format!(
        "shape = {{ sdf = {{ cell_size = {}, solid = {{ difference = {{ \
         from = {{ box = {{ size = {outer} }} }}, remove = [{{ box = {{ size = {inner} }} }}] }} }} }} }}",
        Decimal(draft.radius),
    ));
    stand(draft);
}

/// Twelve triangles without thickness.
fn mesh(draft: &mut Draft) {
    let half = draft.size().map(|edge| 0.5 * edge);
    let corner = |k: usize| Triple([0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -half[axis] } else { half[axis] }));
    let vertices: Vec<String> = (0..8).map(|k| corner(k).to_string()).collect();
    const TRIANGLES: &str = "[[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], \
                             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]";
    draft.open("collider", "walls");
    let vertices = vertices.join(", ");
    draft.line(&format!(
        "shape = {{ mesh = {{ vertices = [{vertices}], triangles = {TRIANGLES} }} }}"
    ));
    stand(draft);
}

/// Dunes or steps on the floor.
fn terrain(draft: &mut Draft) {
    let [low, high] = draft.room;
    let (width, depth) = (high[0] - low[0], high[2] - low[2]);
    draft.open("collider", "terrain");
    if draft.dice.chance(50) {
        let (cell, amplitude) = (Decimal(0.1 * width.min(depth)), Decimal(0.7 * draft.relief));
        let wavelength = Decimal(draft.dice.between(0.5, 1.0) * width);
        draft.line(&format!(
            "shape = {{ heightfield = {{ dunes = {{ size = [{}, {}], cell_size = {cell}, amplitude = {amplitude}, \
             wavelength = {wavelength} }} }} }}",
            Decimal(width),
            Decimal(depth)
        ));
    } else {
        let cell = 0.25 * width.max(depth);
        let rows: Vec<String> = (0..6)
            .map(|_| {
                let heights: Vec<String> = (0..6)
                    .map(|_| Decimal(draft.dice.between(0.0, 0.8 * draft.relief)).to_string())
                    .collect();
                format!("[{}]", heights.join(", "))
            })
            .collect();
        let rows = rows.join(", ");
        draft.line(&format!(
            "shape = {{ heightfield = {{ grid = {{ heights = [{rows}], cell_size = {} }} }} }}",
            Decimal(cell)
        ));
    }
}
