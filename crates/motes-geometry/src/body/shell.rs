//! Particles in layers below the surface, for large bodies that need not be filled.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::BodyOptions;
use super::surface::{SurfacePoint, surface_points};
use crate::distance::MeshDistance;
use crate::error::GeometryError;
use crate::grid::cell_of;
use crate::mesh::Mesh;

/// Least distance of two particles, in spacings.
const LEAST_GAP: f32 = 0.62;

/// Positions, and equal first masses.
pub(super) fn fill(
    mesh: &Mesh,
    distance: &MeshDistance,
    options: &BodyOptions,
    layers: u32,
) -> Result<(Vec<Vec3>, Vec<f64>), GeometryError> {
    let pitch = options.pitch();
    let surface = surface_points(mesh, pitch, options.seed)?;
    let mut placed = Spread::new(LEAST_GAP * pitch);
    for layer in 0..layers.max(1) {
        let depth = options.radius + layer as f32 * pitch;
        let lowered: Vec<Option<Vec3>> = surface
            .par_iter()
            .map(|point| lower(point, depth, layer == 0, distance))
            .collect();
        lowered.into_iter().flatten().for_each(|position| placed.add(position));
    }
    let masses = vec![1.0; placed.points.len()];
    Ok((placed.points, masses))
}

/// The place at a depth below a point of the surface, and below other faces beside an edge. Where the solid is thinner,
/// points of the outermost layer go as deep as they can; those of the others are left out.
fn lower(point: &SurfacePoint, depth: f32, is_outermost: bool, distance: &MeshDistance) -> Option<Vec3> {
    let mut position = point.position - depth * point.normal;
    for _ in 0..3 {
        let (below, outward) = distance.with_gradient(position);
        let lacking = depth + below;
        if lacking <= 0.2 * depth {
            return Some(position);
        }
        let is_far_side = outward.dot(point.normal) < -0.5;
        if is_far_side {
            break;
        }
        position -= lacking * outward;
    }
    let shares: &[f32] = if is_outermost { &[0.75, 0.5, 0.3, 0.1] } else { &[] };
    shares.iter().find_map(|share| {
        let position = point.position - share * depth * point.normal;
        (-distance.signed_distance(position) >= 0.8 * share * depth).then_some(position)
    })
}

/// Points that keep a distance from each other.
struct Spread {
    gap: f32,
    points: Vec<Vec3>,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl Spread {
    fn new(gap: f32) -> Self {
        Self {
            gap,
            points: Vec::new(),
            cells: HashMap::new(),
        }
    }

    fn add(&mut self, point: Vec3) {
        let cell = cell_of(point, self.gap);
        let steps = (0..27).map(|step| IVec3::new(step % 3, step / 3 % 3, step / 9) - 1);
        let near = steps.filter_map(|step| self.cells.get(&(cell + step))).flatten();
        if near
            .into_iter()
            .all(|&other| self.points[other as usize].distance(point) >= self.gap)
        {
            self.cells.entry(cell).or_default().push(self.points.len() as u32);
            self.points.push(point);
        }
    }
}
