//! Solid voxelisation: a particle in every cell whose middle is inside, and one wherever a thin feature would be lost.

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::BodyOptions;
use super::lattice::Lattice;
use super::surface;
use super::voxels::{self, Share};
use crate::distance::MeshDistance;
use crate::error::GeometryError;
use crate::mesh::Mesh;

/// Positions and first masses, in shares of volume.
pub(super) fn fill(
    mesh: &Mesh,
    distance: &MeshDistance,
    options: &BodyOptions,
) -> Result<(Vec<Vec3>, Vec<f64>), GeometryError> {
    let pitch = options.pitch();
    let lattice = Lattice::over(&mesh.bounds(), options.radius, pitch)?;
    let shares = voxels::shares(distance.tree(), &lattice);
    let mut cells: Vec<Option<Vec3>> = shares
        .par_iter()
        .enumerate()
        .map(|(index, share)| {
            let point = lattice.point(index);
            let is_inside = share.covered > FULL || (share.covered > EMPTY && distance.is_inside(point));
            (is_inside && !lattice.is_rim(index)).then(|| {
                if share.covered > FULL {
                    point
                } else {
                    flush(point, distance, options)
                }
            })
        })
        .collect();
    flush_faces(&lattice, &shares, &mut cells, distance, options);
    keep_thin_features(&lattice, &shares, &mut cells, distance, pitch);
    reach_everywhere(mesh, &lattice, &mut cells, distance, options)?;
    let masses = hand_over(&lattice, &shares, &cells);
    let placed: Vec<(Vec3, f64)> = cells
        .into_iter()
        .zip(masses)
        .filter_map(|(cell, mass)| Some((cell?, mass)))
        .collect();
    if placed.is_empty() {
        let centroid = mesh.integrals().centroid.as_vec3();
        return Ok((vec![centroid], vec![1.0]));
    }
    Ok(placed.into_iter().unzip())
}

/// Cells covered by more are inside, by less outside, without asking.
const FULL: f32 = 0.999;
const EMPTY: f32 = 0.01;

/// Farthest that a particle is moved to bring its ball level with the surface, in spacings.
const MOST_MOVED: f32 = 0.25;

/// Moves a particle of the outermost layer along the gradient until its ball touches the surface from inside, as far as
/// it may go without coming closer to another side.
fn flush(point: Vec3, distance: &MeshDistance, options: &BodyOptions) -> Vec3 {
    let pitch = options.pitch();
    let reach = options.radius + 0.5 * pitch;
    if distance.unsigned(point, reach) >= reach {
        return point;
    }
    let (value, gradient) = distance.with_gradient(point);
    if value >= 0.0 {
        return point;
    }
    let wanted = -value - options.radius;
    // Halfway between two sides it cannot touch both.
    if wanted > 0.0 && -distance.signed_distance(point - wanted * gradient) < -value + 0.5 * wanted {
        return point;
    }
    let moved = wanted.clamp(-MOST_MOVED * pitch, MOST_MOVED * pitch);
    let target = point + moved * gradient;
    let found = -distance.signed_distance(target);
    let expected = -value - moved;
    if found > 0.0 && (found - expected).abs() < 0.2 * pitch {
        target
    } else {
        point
    }
}

/// Full cells beside others that are not may also be of the outermost layer.
fn flush_faces(
    lattice: &Lattice,
    shares: &[Share],
    cells: &mut [Option<Vec3>],
    distance: &MeshDistance,
    options: &BodyOptions,
) {
    let moved: Vec<(usize, Vec3)> = (0..cells.len())
        .into_par_iter()
        .filter(|&index| shares[index].covered > FULL && !lattice.is_rim(index))
        .filter(|&index| {
            lattice
                .around(index, IVec3::ONE)
                .any(|other| shares[other].covered <= FULL)
        })
        .map(|index| (index, flush(lattice.point(index), distance, options)))
        .collect();
    for (index, point) in moved {
        cells[index] = Some(point);
    }
}

/// Places particles where the solid is thinner than the lattice: in covered cells with no particle beside them, those
/// with the most first.
fn keep_thin_features(
    lattice: &Lattice,
    shares: &[Share],
    cells: &mut [Option<Vec3>],
    distance: &MeshDistance,
    pitch: f32,
) {
    let mut thin: Vec<usize> = (0..cells.len())
        .filter(|&index| cells[index].is_none() && shares[index].covered > 1e-4)
        .collect();
    thin.sort_by(|&a, &b| shares[b].covered.total_cmp(&shares[a].covered).then(a.cmp(&b)));
    let sunk_middle = |&index: &usize| {
        let middle = lattice.point(index) + lattice.pitch * shares[index].middle;
        sunk(middle, distance, 0.5 * pitch)
    };
    let candidates: Vec<Vec3> = thin.par_iter().map(sunk_middle).collect();
    for (index, candidate) in thin.into_iter().zip(candidates) {
        let share = shares[index];
        let gap = nearest_gap(lattice, cells, index, candidate, pitch);
        if gap > 1.6 * pitch || (share.covered > WORTH_A_PARTICLE && gap > 0.85 * pitch) {
            cells[index] = Some(candidate);
        }
    }
}

/// Distance from a place to the nearest particle of the cells up to two pitches around.
fn nearest_gap(lattice: &Lattice, cells: &[Option<Vec3>], index: usize, place: Vec3, pitch: f32) -> f32 {
    let near = lattice
        .around(index, lattice.steps(2.0 * pitch))
        .chain([index])
        .filter_map(|other| cells[other]);
    near.map(|other| other.distance(place)).fold(f32::INFINITY, f32::min)
}

/// Places particles where the surface is far from all others: in needles and sheets that no line of the voxeliser met.
fn reach_everywhere(
    mesh: &Mesh,
    lattice: &Lattice,
    cells: &mut [Option<Vec3>],
    distance: &MeshDistance,
    options: &BodyOptions,
) -> Result<(), GeometryError> {
    let pitch = options.pitch();
    for point in surface::scattered(mesh, 0.5 * pitch, 0)? {
        let index = lattice.cell(point.position);
        if cells[index].is_some() || nearest_gap(lattice, cells, index, point.position, pitch) < 1.2 * pitch {
            continue;
        }
        let start = point.position - 1e-3 * options.radius * point.normal;
        let position = sunk(start, distance, options.radius);
        if nearest_gap(lattice, cells, index, position, pitch) > 0.85 * pitch {
            cells[index] = Some(position);
        }
    }
    Ok(())
}

/// Share of a cell from which on it gets a particle of its own, if there is room.
const WORTH_A_PARTICLE: f32 = 0.12;

/// A place inside near a point: as deep as `depth` metres if the solid is thick enough there, else about in the middle
/// between its sides.
fn sunk(point: Vec3, distance: &MeshDistance, depth: f32) -> Vec3 {
    let (mut place, (mut value, mut gradient)) = (point, distance.with_gradient(point));
    if value > 0.0 {
        place -= 1.02 * value * gradient;
        (value, gradient) = distance.with_gradient(place);
    }
    let mut step = depth + value;
    for _ in 0..8 {
        let target = place - step * gradient;
        let (found, direction) = distance.with_gradient(target);
        if found < value {
            (place, value, gradient) = (target, found, direction);
            step = depth + value;
        } else {
            step *= 0.5;
        }
        if step < 0.05 * depth {
            break;
        }
    }
    place
}

/// Gives the share of each cell to its particle, or to the nearest particle around it.
fn hand_over(lattice: &Lattice, shares: &[Share], cells: &[Option<Vec3>]) -> Vec<f64> {
    let mut masses = vec![0.0; cells.len()];
    for (index, share) in shares.iter().enumerate().filter(|(_, share)| share.covered > 0.0) {
        let middle = lattice.point(index) + lattice.pitch * share.middle;
        let nearest = |reach: i32| {
            lattice
                .around(index, IVec3::splat(reach))
                .filter_map(|other| Some((cells[other]?.distance_squared(middle), other)))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, other)| other)
        };
        let receiver = cells[index]
            .map(|_| index)
            .or_else(|| nearest(1))
            .or_else(|| nearest(3));
        if let Some(receiver) = receiver {
            masses[receiver] += f64::from(share.covered);
        }
    }
    masses
}
