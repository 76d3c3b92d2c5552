//! How the mass of a mesh is shared among the particles of its rig.

use glam::Vec3;
use rayon::prelude::*;

use super::surface::Surface;
use super::{RigParticle, has_inside};
use crate::distance::MeshDistance;
use crate::grid::Grid;
use crate::mesh::Mesh;

/// Distance of the points at which the inside is looked at, in spacings.
const STEP: f32 = 0.3;

/// Most such points.
const MOST_POINTS: f32 = 4e5;

/// Least share of a particle, as part of the mean: very light particles move very fast.
const LEAST: f32 = 0.2;

/// Shares of the mass, together 1: by the inside that is nearest to each particle, or by the surface where there is no inside.
pub(super) fn mass_shares(
    mesh: &Mesh,
    surface: &Surface,
    distance: &MeshDistance,
    particles: &[RigParticle],
    cells: &[Vec<u32>],
    spacing: f32,
) -> Vec<f32> {
    let centers: Vec<Vec3> = particles.iter().map(|particle| particle.position).collect();
    let mut shares = if has_inside(mesh) {
        inside(mesh, distance, &centers, spacing)
    } else {
        vec![0.0; centers.len()]
    };
    if shares.iter().sum::<f32>() == 0.0 {
        let area = |cell: &Vec<u32>| cell.iter().map(|&vertex| surface.areas[vertex as usize]).sum();
        shares = cells.iter().map(area).collect();
    }
    let mean = shares.iter().sum::<f32>() / shares.len().max(1) as f32;
    if mean <= 0.0 {
        return vec![1.0 / shares.len().max(1) as f32; shares.len()];
    }
    shares.iter_mut().for_each(|share| *share = share.max(LEAST * mean));
    let total: f32 = shares.iter().sum();
    shares.into_iter().map(|share| share / total).collect()
}

/// Share of open edges up to which a mesh still has an inside.
pub(super) const CLOSED_ENOUGH: f32 = 0.01;

/// How many points of a lattice inside the mesh are nearest to each particle.
fn inside(mesh: &Mesh, distance: &MeshDistance, centers: &[Vec3], spacing: f32) -> Vec<f32> {
    let bounds = mesh.bounds();
    let size = bounds.size();
    let points = |step: f32| (size / step).ceil().max(Vec3::ONE).element_product();
    let mut step = STEP * spacing;
    if points(step) > MOST_POINTS {
        step = (size.element_product() / MOST_POINTS).cbrt().max(step);
    }
    let counts = (size / step).ceil().max(Vec3::ONE).as_uvec3();
    let grid = Grid::new(centers, spacing);
    let layers: Vec<Vec<u32>> = (0..counts.z)
        .into_par_iter()
        .map(|z| {
            let mut found = Vec::new();
            for y in 0..counts.y {
                for x in 0..counts.x {
                    let point = bounds.min + step * (Vec3::new(x as f32, y as f32, z as f32) + 0.5);
                    if distance.is_inside(point) {
                        found.extend(grid.nearest(point));
                    }
                }
            }
            found
        })
        .collect();
    let mut shares = vec![0.0; centers.len()];
    for index in layers.into_iter().flatten() {
        shares[index as usize] += 1.0;
    }
    shares
}
