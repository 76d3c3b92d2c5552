//! How the surface runs through a cube (Lorensen and Cline 1987, "Marching cubes"). The table of all 256 cases is made from a rule for
//! faces alone, so that cubes always agree about the face between them: samples inside that meet at a corner only are kept apart.

use std::sync::LazyLock;

use crate::isosurface::cell::{EDGES, corners, edge};

/// Triangles of a cube, by the edges on which their corners lie, for all sets of corners that are inside.
pub(super) static CASES: LazyLock<Vec<Vec<[u8; 3]>>> = LazyLock::new(|| (0..256).map(triangles).collect());

/// The triangles of one case; their corners turn left seen from outside.
fn triangles(inside: usize) -> Vec<[u8; 3]> {
    let mut next = [None; EDGES];
    for face in 0..6 {
        for [from, to] in segments(inside, face / 2, face % 2) {
            next[from] = Some(to);
        }
    }
    let mut found = Vec::new();
    for start in 0..EDGES {
        let mut around = Vec::new();
        let mut here = start;
        while let Some(following) = next[here].take() {
            around.push(here);
            here = following;
        }
        if let Some(cut) = cut(&around) {
            found.extend(cut);
        }
    }
    found
}

/// The surface on a face, as pairs of crossed edges, with the inside to the left seen from outside the cube.
fn segments(inside: usize, axis: usize, side: usize) -> Vec<[usize; 2]> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    // Corners and edges in the order in which they turn left seen from outside.
    let places = [(0, 0), (1, 0), (1, 1), (0, 1)];
    let mut corners = places.map(|(bu, bv)| side << axis | bu << u | bv << v);
    let mut edges = [edge(u, 0, side), edge(v, side, 1), edge(u, 1, side), edge(v, side, 0)];
    if side == 0 {
        corners.reverse();
        edges = [edges[2], edges[1], edges[0], edges[3]];
    }
    let is_in = |number: usize| inside >> corners[number % 4] & 1 == 1;
    // Each run of corners inside is cut off from the others: the surface goes from the edge after it to that before it.
    let starts = (0..4).filter(|&number| is_in(number) && !is_in(number + 3));
    starts
        .map(|start| {
            let length = (1..4).take_while(|step| is_in(start + step)).count();
            [edges[(start + 3) % 4], edges[(start + length) % 4]]
        })
        .collect()
}

/// A polygon cut into triangles by diagonals through the cube, none of which lies in a face: there it could be one of the next cube's too.
fn cut(polygon: &[usize]) -> Option<Vec<[u8; 3]>> {
    let count = polygon.len();
    if count < 3 {
        return None;
    }
    if count == 3 {
        return Some(vec![[0, 1, 2].map(|corner| polygon[corner] as u8)]);
    }
    for first in 0..count {
        for span in 2..count - 1 {
            let turned: Vec<usize> = (0..count).map(|step| polygon[(first + step) % count]).collect();
            if share_face(turned[0], turned[span]) {
                continue;
            }
            let parts = [turned[..=span].to_vec(), [&turned[span..], &turned[..1]].concat()];
            if let [Some(mut one), Some(other)] = parts.map(|part| cut(&part)) {
                one.extend(other);
                return Some(one);
            }
        }
    }
    None
}

/// Whether two edges lie on the same face of a cube.
fn share_face(a: usize, b: usize) -> bool {
    let all = [corners(a), corners(b)].concat();
    (0..3).any(|axis| all.iter().all(|corner| corner >> axis & 1 == all[0] >> axis & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossed_edges_are_all_used_and_no_other() {
        for inside in 0..256_usize {
            let mut used: Vec<u8> = CASES[inside].iter().flatten().copied().collect();
            used.sort_unstable();
            used.dedup();
            let is_in = |corner: usize| inside >> corner & 1;
            let crossed = (0..EDGES as u8).filter(|edge| {
                let [a, b] = corners(*edge as usize);
                is_in(a) != is_in(b)
            });
            assert_eq!(used, crossed.collect::<Vec<_>>(), "{inside:08b}");
            assert!(CASES[inside].len() <= 5, "{inside:08b}");
        }
    }

    #[test]
    fn a_corner_inside_faces_away_from_it() {
        // Corner 0 and its edges along x, y and z.
        let [triangle] = CASES[1][..] else {
            panic!("one triangle")
        };
        let turned = (0..3).map(|step| [0, 1, 2].map(|i| triangle[(i + step) % 3]));
        assert!(turned.into_iter().any(|corners| corners == [0, 4, 8]), "{triangle:?}");
    }
}
