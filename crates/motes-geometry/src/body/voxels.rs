//! How much of each cell of a lattice lies inside a mesh, by lines along x that are measured exactly.

use glam::{UVec3, Vec2, Vec3};
use motes_core::random::unit_at;
use rayon::prelude::*;

use super::lattice::Lattice;
use crate::tree::Tree;

/// The part of a cell inside the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Share {
    /// Fraction of the cell, 0 to 1.
    pub(super) covered: f32,
    /// Middle of the covered part from the middle of the cell, in cells.
    pub(super) middle: Vec3,
}

/// Lines through a cell along each of the other two axes.
const LINES: usize = 4;

/// Places along a line that are asked one by one where it finds no consistent crossings, per cell.
const STEPS: usize = 4;

/// Covers every cell of the lattice.
pub(super) fn shares(tree: &Tree, lattice: &Lattice) -> Vec<Share> {
    let UVec3 {
        x: width, y: height, ..
    } = lattice.dims;
    let mut shares = vec![Share::default(); lattice.len()];
    let layer = width as usize * height as usize;
    shares.par_chunks_mut(layer).enumerate().for_each(|(z, layer)| {
        let mut crossings = Vec::new();
        let mut intervals = Vec::new();
        for (y, row) in layer.chunks_mut(width as usize).enumerate() {
            for line in 0..LINES * LINES {
                // A random place in each part of the cell: regular lines would all miss or all meet a flat face.
                let index = (2 * LINES * LINES * (y + height as usize * z) + 2 * line) as u64;
                let offset = |part: usize, index| (part as f32 + unit_at(1, index)) / LINES as f32 - 0.5;
                let (v, w) = (offset(line % LINES, index), offset(line / LINES, index + 1));
                let cells = Vec2::new(y as f32 + v, z as f32 + w);
                let place =
                    Vec2::new(lattice.origin.y, lattice.origin.z) + Vec2::new(lattice.pitch.y, lattice.pitch.z) * cells;
                inside(tree, lattice, place, &mut crossings, &mut intervals);
                intervals.iter().for_each(|&interval| cover(row, interval, v, w));
            }
        }
    });
    for share in &mut shares {
        if share.covered > 0.0 {
            share.middle /= share.covered;
            share.covered = (share.covered / (LINES * LINES) as f32).min(1.0);
        }
    }
    shares
}

/// Adds an interval of a line, in cells from the first cell's lower face, to the cells that it passes.
fn cover(row: &mut [Share], (from, to): (f32, f32), v: f32, w: f32) {
    let (from, to) = (from.max(0.0), to.min(row.len() as f32));
    if from >= to {
        return;
    }
    let last = (to.ceil() as usize).min(row.len());
    for (index, share) in row.iter_mut().enumerate().take(last).skip(from as usize) {
        let (low, high) = (from.max(index as f32), to.min(index as f32 + 1.0));
        let length = (high - low).max(0.0);
        share.covered += length;
        share.middle += length * Vec3::new(0.5 * (low + high) - index as f32 - 0.5, v, w);
    }
}

/// The parts of a line inside the mesh, in cells. A line that meets an edge is shifted a little; where the mesh has a
/// hole, the winding number decides place by place.
fn inside(
    tree: &Tree,
    lattice: &Lattice,
    place: Vec2,
    crossings: &mut Vec<(f32, bool)>,
    intervals: &mut Vec<(f32, f32)>,
) {
    let cells = |x: f32| (x - lattice.origin.x) / lattice.pitch.x + 0.5;
    for attempt in 0..3 {
        crossings.clear();
        intervals.clear();
        let shift = 1e-3 * attempt as f32 * Vec2::new(0.73, 0.41) * lattice.pitch.y;
        tree.crossings(place + shift, crossings);
        crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut depth = 0;
        let mut is_sound = true;
        let mut entered = 0.0;
        for &(x, leaves) in crossings.iter() {
            if leaves {
                depth -= 1;
                is_sound &= depth >= 0;
                if depth == 0 {
                    intervals.push((entered, cells(x)));
                }
            } else {
                if depth == 0 {
                    entered = cells(x);
                }
                depth += 1;
            }
        }
        if is_sound && depth == 0 {
            return;
        }
    }
    intervals.clear();
    for step in 0..lattice.dims.x as usize * STEPS {
        let (from, to) = (step as f32 / STEPS as f32, (step + 1) as f32 / STEPS as f32);
        let x = lattice.origin.x + lattice.pitch.x * (0.5 * (from + to) - 0.5);
        if tree.winding_number(Vec3::new(x, place.x, place.y)) > 0.5 {
            intervals.push((from, to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use crate::models;

    fn total(mesh: &crate::Mesh, pitch: f32) -> f32 {
        let lattice = Lattice::over(&mesh.bounds(), 0.55 * pitch, pitch).unwrap();
        let shares = shares(&Tree::new(mesh), &lattice);
        shares.iter().map(|share| share.covered).sum::<f32>() * lattice.cell_volume()
    }

    #[test]
    fn shares_add_up_to_the_volume() {
        for name in ["rabbit", "gear", "fish"] {
            let mesh = models::by_name(name).unwrap().mesh(64).unwrap();
            let ratio = total(&mesh, 0.05) / mesh.volume();
            assert!((ratio - 1.0).abs() < 0.01, "{name}: {ratio}");
        }
        assert!((total(&cuboid(Vec3::new(0.3, 0.2, 0.5)), 0.09) / 0.24 - 1.0).abs() < 0.06);
    }

    #[test]
    fn a_hole_hardly_changes_the_shares() {
        let mut mesh = models::by_name("rabbit").unwrap().mesh(48).unwrap();
        let whole = total(&mesh, 0.05);
        mesh.triangles.drain(100..112);
        assert!((total(&mesh, 0.05) / whole - 1.0).abs() < 0.01);
    }

    #[test]
    fn the_middle_of_a_share_is_that_of_the_covered_part() {
        let mut row = [Share::default(); 3];
        cover(&mut row, (0.25, 1.5), 0.0, 0.0);
        assert_eq!(row.map(|share| share.covered), [0.75, 0.5, 0.0]);
        assert!((row[0].middle.x / row[0].covered - 0.125).abs() < 1e-6);
        assert!((row[1].middle.x / row[1].covered + 0.25).abs() < 1e-6);
    }
}
