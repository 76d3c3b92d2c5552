//! Coarser versions of a mesh: vertices of a cell of a grid become one (Rossignac and Borrel 1993).

use glam::Vec3;
use rayon::prelude::*;

/// A level with fewer triangles is the last.
const FEWEST: usize = 64;
const MOST_LEVELS: usize = 8;

/// One of the coarser versions of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Side of the cells, metres; no vertex was moved by more than their diagonal.
    pub(super) cell: f32,
    pub(super) positions: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Versions with cells of twice the usual edge, four times, and so on, while there is something to leave out.
pub(super) fn levels(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let middle = positions.iter().sum::<Vec3>() / positions.len().max(1) as f32;
    let mut cell = 2.0 * usual_edge(positions, triangles);
    while levels.len() < MOST_LEVELS && cell > 0.0 && cell.is_finite() {
        // A cell is eight of those of the level before, of which each has one vertex.
        let (positions, triangles) = match levels.last() {
            Some(before) => (&before.positions[..], &before.triangles[..]),
            None => (positions, triangles),
        };
        if triangles.len() < FEWEST {
            break;
        }
        levels.push(cluster(positions, triangles, middle, cell));
        cell *= 2.0;
    }
    levels
}

/// The mean length of the edges, metres.
fn usual_edge(positions: &[Vec3], triangles: &[[u32; 3]]) -> f32 {
    let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let lengths = edges.map(|edge| {
        let [start, end] = edge.map(|corner| positions[corner as usize]);
        f64::from(start.distance(end))
    });
    (lengths.sum::<f64>() / (3 * triangles.len()).max(1) as f64) as f32
}

/// Puts the vertices of every cell where the one farthest from the middle is, so that the mesh does not shrink, and leaves out the
/// triangles that lose their area by it.
fn cluster(positions: &[Vec3], triangles: &[[u32; 3]], middle: Vec3, cell: f32) -> Level {
    let cell_of =
        |(number, &position): (usize, &Vec3)| ((position / cell).floor().as_ivec3().to_array(), number as u32);
    let mut by_cell: Vec<([i32; 3], u32)> = positions.par_iter().enumerate().map(cell_of).collect();
    by_cell.par_sort_unstable();
    let mut outermost: Vec<Vec3> = Vec::new();
    let mut moved = vec![0; positions.len()];
    for vertices in by_cell.chunk_by(|a, b| a.0 == b.0) {
        let mut farthest = positions[vertices[0].1 as usize];
        for &(_, number) in vertices {
            let position = positions[number as usize];
            if position.distance_squared(middle) > farthest.distance_squared(middle) {
                farthest = position;
            }
            moved[number as usize] = outermost.len() as u32;
        }
        outermost.push(farthest);
    }
    let triangles = triangles
        .iter()
        .map(|corners| corners.map(|corner| moved[corner as usize]));
    Level {
        cell,
        positions: outermost,
        triangles: triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of `side` × `side` squares of 1 m.
    fn sheet(side: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let row = side + 1;
        let positions = (0..row * row).map(|i| Vec3::new((i % row) as f32, 0.0, (i / row) as f32));
        let corners = (0..side * side).map(|i| i / side * row + i % side);
        let triangles = corners.flat_map(|a| [[a, a + 1, a + row], [a + 1, a + row + 1, a + row]]);
        (positions.collect(), triangles.collect())
    }

    #[test]
    fn every_level_has_far_fewer_triangles_and_stays_within_a_cell() {
        let (positions, triangles) = sheet(32);
        let levels = levels(&positions, &triangles);
        assert!(levels.len() >= 2);
        let mut before = triangles.len();
        for level in &levels {
            assert!(
                level.triangles.len() * 2 < before,
                "{} of {before}",
                level.triangles.len()
            );
            before = level.triangles.len();
            let area = level.triangles.iter().map(|corners| {
                let [a, b, c] = corners.map(|corner| level.positions[corner as usize]);
                0.5 * (b - a).cross(c - a).y.abs()
            });
            let least = (32.0 - 2.0 * level.cell).max(0.0).powi(2);
            assert!(
                (least..=1024.0).contains(&area.sum::<f32>()),
                "cells of {} m",
                level.cell
            );
        }
    }

    #[test]
    fn a_mesh_of_a_few_triangles_has_no_coarser_version() {
        let (positions, triangles) = sheet(4);
        assert!(levels(&positions, &triangles).is_empty());
    }
}
