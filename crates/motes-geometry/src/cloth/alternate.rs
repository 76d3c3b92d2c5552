//! Diagonals that take turns.
//!
//! Programs that cut squares into triangles tend to cut all of them the same way, and cloth made of those is stiffer along the
//! diagonals than across. In flat cells with right angles either diagonal will do.

use std::collections::{HashMap, VecDeque};

use super::surface::{SheetEdge, doubled_normal};
use crate::mesh::Mesh;

/// Cosine of the angles that may pass for right ones.
const SQUARE: f64 = 0.1;

/// Sine of the fold along a diagonal that may pass for none.
const FLAT: f64 = 0.01;

/// A cell: corners counter-clockwise, the diagonal from the first to the third.
#[derive(Clone, Copy)]
struct Cell {
    corners: [u32; 4],
    triangles: [u32; 2],
}

/// Turns diagonals of square cells so that those side by side meet at a vertex; returns how many it turned.
pub(super) fn alternate(mesh: &mut Mesh, edges: &[SheetEdge]) -> usize {
    let cells: Vec<Cell> = edges.iter().filter_map(|edge| cell(mesh, edge)).collect();
    let mut at_side: HashMap<[u32; 2], usize> = HashMap::new();
    for (index, cell) in cells.iter().enumerate() {
        for side in 0..4 {
            at_side.insert([cell.corners[side], cell.corners[(side + 1) % 4]], index);
        }
    }
    // Whether each cell's diagonal is turned, once it is decided.
    let mut turned: Vec<Option<bool>> = vec![None; cells.len()];
    for first in 0..cells.len() {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        let mut open = VecDeque::from([first]);
        while let Some(here) = open.pop_front() {
            for side in 0..4 {
                let [a, b] = [cells[here].corners[side], cells[here].corners[(side + 1) % 4]];
                let Some(&next) = at_side.get(&[b, a]) else { continue };
                if turned[next].is_none() {
                    // Even corners are those of the diagonal as it was.
                    let meets_a = (side % 2 == 0) != (turned[here] == Some(true));
                    let shared = if meets_a { a } else { b };
                    let corner = cells[next].corners.iter().position(|&corner| corner == shared);
                    turned[next] = Some(corner.is_some_and(|corner| corner % 2 == 1));
                    open.push_back(next);
                }
            }
        }
    }
    let all = cells.iter().zip(turned).filter(|(_, turned)| *turned == Some(true));
    all.map(|(cell, _)| turn(mesh, cell)).count()
}

/// The cell of which an edge is the diagonal.
fn cell(mesh: &Mesh, edge: &SheetEdge) -> Option<Cell> {
    let (right, below) = edge.right?;
    let (left, above) = edge.left;
    let corners = [edge.ends[0], below, edge.ends[1], above];
    let places = corners.map(|corner| mesh.positions[corner as usize].as_dvec3());
    let is_square = (0..4).all(|corner| {
        let [before, here, after] = [3, 0, 1].map(|step| places[(corner + step) % 4]);
        (before - here)
            .normalize_or_zero()
            .dot((after - here).normalize_or_zero())
            .abs()
            <= SQUARE
    });
    let normals = [left, right]
        .map(|triangle| doubled_normal(&mesh.positions, &mesh.triangles[triangle as usize]).normalize_or_zero());
    let is_flat = normals[0].cross(normals[1]).length() <= FLAT && normals[0].dot(normals[1]) > 0.0;
    (is_square && is_flat).then_some(Cell {
        corners,
        triangles: [left, right],
    })
}

fn turn(mesh: &mut Mesh, cell: &Cell) {
    let [a, b, c, d] = cell.corners;
    let made = [[a, b, d], [b, c, d]];
    if !mesh.uvs.is_empty() {
        let known = cell
            .triangles
            .map(|triangle| (mesh.triangles[triangle as usize], mesh.uvs[triangle as usize]));
        let uv = |vertex: u32| {
            let found = known.iter().find_map(|(corners, uvs)| {
                let corner = corners.iter().position(|&corner| corner == vertex)?;
                Some(uvs[corner])
            });
            found.unwrap_or_default()
        };
        for (triangle, corners) in cell.triangles.iter().zip(made) {
            mesh.uvs[*triangle as usize] = corners.map(uv);
        }
    }
    for (triangle, corners) in cell.triangles.iter().zip(made) {
        mesh.triangles[*triangle as usize] = corners;
    }
}
