//! Where the particles of a rig go: sprayed over the surface, moved to the middle of the vertices around them until thin limbs
//! are chains along their middle (Müller & Chentanez 2011, §6.2 and §8), thinned out, and spread evenly.

use rayon::prelude::*;

use super::reach::cells;
use super::surface::{Flood, Surface};
use super::{RigOptions, Seed};
use crate::body::surface_points;
use crate::error::GeometryError;
use crate::grid::Grid;
use crate::mesh::Mesh;

/// How often particles move to the middle of the vertices within a spacing of them.
const MOVES: usize = 5;

/// How often they move to the middle of the vertices that are nearest to them (Lloyd 1982), which spreads them evenly and takes them
/// back to the ends of limbs.
const SPREADS: usize = 6;

/// Particles nearer than this many spacings, of which one is enough.
const CLOSE: f32 = 0.7;

/// The particles of a rig on a surface.
pub(super) fn spray(
    mesh: &Mesh,
    surface: &Surface,
    options: &RigOptions,
    spacing: f32,
) -> Result<Vec<Seed>, GeometryError> {
    let mut seeds = strew(mesh, surface, spacing, options.seed)?;
    if options.skeleton {
        for _ in 0..MOVES {
            drift(surface, &mut seeds, spacing);
        }
        thin(surface, &mut seeds, spacing);
    }
    for _ in 0..SPREADS {
        spread(surface, &mut seeds, spacing);
    }
    Ok(seeds)
}

/// Particles on the surface, at least one on each part.
fn strew(mesh: &Mesh, surface: &Surface, spacing: f32, seed: u64) -> Result<Vec<Seed>, GeometryError> {
    let points = surface_points(mesh, spacing, seed)?;
    let grid = Grid::new(&surface.positions, spacing);
    let mut seeds: Vec<Seed> = points
        .par_iter()
        .filter_map(|point| {
            let home = grid.nearest(point.position)?;
            let center = point.position;
            Some(Seed { center, home })
        })
        .collect();
    seeds.retain(|seed| surface.areas[seed.home as usize] > 0.0);
    let mut is_there = vec![false; surface.part_count];
    for seed in &seeds {
        is_there[surface.parts[seed.home as usize] as usize] = true;
    }
    for (vertex, &part) in (0..).zip(&surface.parts) {
        if let Some(is_there) = is_there.get_mut(part as usize)
            && !*is_there
        {
            *is_there = true;
            let center = surface.positions[vertex as usize];
            seeds.push(Seed { center, home: vertex });
        }
    }
    Ok(seeds)
}

/// Moves each particle to the middle of the vertices around it.
fn drift(surface: &Surface, seeds: &mut [Seed], radius: f32) {
    let chunk = seeds.len().div_ceil(rayon::current_num_threads()).max(1);
    seeds.par_chunks_mut(chunk).for_each(|seeds| {
        let (mut flood, mut near) = (Flood::new(surface), Vec::new());
        for seed in seeds {
            flood.fill(surface, seed.home, seed.center, radius, &mut near);
            settle(surface, seed, &near);
        }
    });
}

/// Moves each particle to the middle of the vertices that it is nearest to.
fn spread(surface: &Surface, seeds: &mut [Seed], radius: f32) {
    let cells = cells(surface, seeds, radius);
    for (seed, cell) in seeds.iter_mut().zip(&cells) {
        settle(surface, seed, cell);
    }
}

fn settle(surface: &Surface, seed: &mut Seed, vertices: &[u32]) {
    if let Some(center) = surface.middle(vertices)
        && let Some(home) = surface.nearest_of(vertices, center)
    {
        *seed = Seed { center, home };
    }
}

/// Drops one of each two particles that are close to each other along the surface.
fn thin(surface: &Surface, seeds: &mut Vec<Seed>, spacing: f32) {
    let close = CLOSE * spacing;
    let centers: Vec<_> = seeds.iter().map(|seed| seed.center).collect();
    let grid = Grid::new(&centers, close);
    let mut pairs = Vec::new();
    for (index, center) in (0..).zip(&centers) {
        grid.each_within(*center, close, |other, squared| {
            if other > index {
                pairs.push((squared.to_bits(), index, other));
            }
        });
    }
    pairs.sort_unstable();
    let mut flood = Flood::new(surface);
    let mut near = Vec::new();
    let mut kept = vec![true; seeds.len()];
    for (_, a, b) in pairs {
        if kept[a as usize] && kept[b as usize] {
            let [here, there] = [a, b].map(|end| seeds[end as usize]);
            flood.fill(surface, here.home, here.center, spacing, &mut near);
            kept[b as usize] = !near.contains(&there.home);
        }
    }
    let mut kept = kept.into_iter();
    seeds.retain(|_| kept.next() == Some(true));
}
