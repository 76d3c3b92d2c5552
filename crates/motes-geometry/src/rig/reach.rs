//! Which particles are nearest to each vertex: straight through the ball around a particle, and on along the surface (Dijkstra
//! 1959), never through the air.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Seed;
use super::surface::{Flood, Surface};

/// A distance, metres, and the particle it leads to.
pub(super) type Reached = (f32, u32);

/// The nearest particles of each vertex, at most `most` of them, nearest first, within `limit` metres. Particles see the vertices within
/// `radius` of them straight.
pub(super) fn nearest(surface: &Surface, seeds: &[Seed], radius: f32, most: usize, limit: f32) -> Vec<Vec<Reached>> {
    let mut reached: Vec<Vec<Reached>> = vec![Vec::new(); surface.positions.len()];
    let mut open = BinaryHeap::new();
    for (vertex, straight) in (0..).zip(straight(surface, seeds, radius, most)) {
        for (distance, particle) in straight {
            open.push(Reverse((distance.to_bits(), vertex, particle)));
        }
    }
    // Distances are not negative, so that their bits are in the same order.
    while let Some(Reverse((bits, vertex, particle))) = open.pop() {
        let distance = f32::from_bits(bits);
        let known = &mut reached[vertex as usize];
        if known.len() >= most || known.iter().any(|(_, other)| *other == particle) {
            continue;
        }
        known.push((distance, particle));
        let place = surface.positions[vertex as usize];
        for &other in surface.around(vertex) {
            let beyond = distance + place.distance(surface.positions[other as usize]);
            if beyond <= limit && is_open(&reached[other as usize], particle, most) {
                open.push(Reverse((beyond.to_bits(), other, particle)));
            }
        }
    }
    reached
}

/// The nearest particles of each vertex among those that see it straight, at most `most` of them.
fn straight(surface: &Surface, seeds: &[Seed], radius: f32, most: usize) -> Vec<Vec<Reached>> {
    let mut all: Vec<Vec<Reached>> = vec![Vec::new(); surface.positions.len()];
    let (mut flood, mut seen) = (Flood::new(surface), Vec::new());
    for (particle, seed) in (0..).zip(seeds) {
        flood.fill(surface, seed.home, seed.center, radius, &mut seen);
        for &vertex in &seen {
            let distance = surface.positions[vertex as usize].distance(seed.center);
            let known = &mut all[vertex as usize];
            let place = known.partition_point(|(other, _)| *other <= distance);
            if place < most {
                known.insert(place, (distance, particle));
                known.truncate(most);
            }
        }
    }
    all
}

fn is_open(known: &[Reached], particle: u32, most: usize) -> bool {
    known.len() < most && known.iter().all(|(_, other)| *other != particle)
}

/// The vertices nearest to each particle; those that no particle reaches are nobody's.
pub(super) fn cells(surface: &Surface, seeds: &[Seed], radius: f32) -> Vec<Vec<u32>> {
    let mut cells = vec![Vec::new(); seeds.len()];
    for (vertex, reached) in (0..).zip(nearest(surface, seeds, radius, 1, f32::INFINITY)) {
        if let Some(&(_, particle)) = reached.first() {
            cells[particle as usize].push(vertex);
        }
    }
    cells
}
