//! Which particles of a rig are joined: neighbours along the surface, and those that see each other through the inside.

use glam::Vec3;

use super::surface::Surface;
use super::{RigOptions, Seed};
use crate::distance::MeshDistance;
use crate::grid::Grid;
use crate::links::{find, join};

/// Edges of a rig.
pub(super) struct Joints {
    pub(super) edges: Vec<[u32; 2]>,
    /// Sets of particles that no edge joins to each other.
    pub(super) pieces: usize,
}

/// Joins particles: those whose cells on the surface adjoin and those that see each other through the inside, within the edge
/// distance; what would hang on nothing by the shortest edge along the surface, however long; and parts that touch.
pub(super) fn edges(
    surface: &Surface,
    distance: &MeshDistance,
    seeds: &[Seed],
    cells: &[Vec<u32>],
    options: &RigOptions,
    spacing: f32,
) -> Joints {
    let reach = options.edges * spacing;
    let length = |[a, b]: [u32; 2]| seeds[a as usize].center.distance(seeds[b as usize].center);
    let adjoining = adjoining(surface, cells);
    let mut edges: Vec<[u32; 2]> = adjoining
        .iter()
        .copied()
        .filter(|&pair| length(pair) <= reach)
        .collect();
    edges.extend(through_inside(distance, seeds, reach));
    edges.extend(across_gaps(surface, cells, options.gap * spacing, |pair| {
        length(pair) <= 2.0 * reach
    }));
    let mut heads: Vec<u32> = (0..seeds.len() as u32).collect();
    for &[a, b] in &edges {
        join(&mut heads, a, b);
    }
    let mut longer = adjoining;
    longer.sort_by(|&a, &b| length(a).total_cmp(&length(b)).then(a.cmp(&b)));
    edges.extend(longer.into_iter().filter(|&[a, b]| join(&mut heads, a, b)));
    edges.sort_unstable();
    edges.dedup();
    let pieces = (0..seeds.len() as u32)
        .filter(|&index| find(&mut heads, index) == index)
        .count();
    Joints { edges, pieces }
}

/// Owner of each vertex.
fn owners(surface: &Surface, cells: &[Vec<u32>]) -> Vec<u32> {
    let mut owners = vec![u32::MAX; surface.positions.len()];
    for (particle, cell) in (0..).zip(cells) {
        cell.iter().for_each(|&vertex| owners[vertex as usize] = particle);
    }
    owners
}

fn pair(a: u32, b: u32) -> Option<[u32; 2]> {
    (a != b && a != u32::MAX && b != u32::MAX).then(|| [a.min(b), a.max(b)])
}

/// Pairs of particles with neighbouring vertices.
fn adjoining(surface: &Surface, cells: &[Vec<u32>]) -> Vec<[u32; 2]> {
    let owners = owners(surface, cells);
    let of = |vertex: u32| owners[vertex as usize];
    let vertices = 0..surface.positions.len() as u32;
    let pairs = vertices.flat_map(|vertex| {
        let around = surface.around(vertex).iter();
        around
            .filter_map(move |&other| pair(of(vertex), of(other)))
            .collect::<Vec<_>>()
    });
    let mut pairs: Vec<[u32; 2]> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Pairs of particles within a distance with nothing but inside between them.
fn through_inside(distance: &MeshDistance, seeds: &[Seed], reach: f32) -> Vec<[u32; 2]> {
    let centers: Vec<Vec3> = seeds.iter().map(|seed| seed.center).collect();
    let grid = Grid::new(&centers, reach);
    let mut pairs = Vec::new();
    for (index, &center) in (0..).zip(&centers) {
        grid.each_within(center, reach, |other, _| {
            let there = centers[other as usize];
            if other > index && distance.is_clear(center, there) && distance.is_inside(center.midpoint(there)) {
                pairs.push([index, other]);
            }
        });
    }
    pairs
}

/// Pairs of particles of different parts whose surfaces are within a gap.
fn across_gaps(surface: &Surface, cells: &[Vec<u32>], gap: f32, keep: impl Fn([u32; 2]) -> bool) -> Vec<[u32; 2]> {
    if surface.part_count < 2 || gap <= 0.0 {
        return Vec::new();
    }
    let owners = owners(surface, cells);
    let grid = Grid::new(&surface.positions, gap);
    let mut pairs = Vec::new();
    for (vertex, &place) in surface.positions.iter().enumerate() {
        grid.each_within(place, gap, |other, _| {
            let other = other as usize;
            if surface.parts[vertex] != surface.parts[other]
                && let Some(pair) = pair(owners[vertex], owners[other])
            {
                pairs.push(pair);
            }
        });
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.retain(|&pair| keep(pair));
    pairs
}
