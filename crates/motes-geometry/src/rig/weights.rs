//! Which particles each vertex of a mesh follows, and how much: the nearest along the surface, so that no vertex follows a part that
//! moves on its own.

use glam::Vec3;

use super::reach::{Reached, nearest};
use super::surface::Surface;
use super::{FINE, Seed};
use crate::error::{GeometryError, positive};
use crate::grid::Grid;
use crate::mesh::Mesh;
use crate::skin::INFLUENCES;

/// How far a particle pulls at vertices, in spacings.
const REACH: f32 = 2.0;

/// Where more particles are equally near than can be followed, each weight is one within this factor of the distance.
const TIE: f32 = 1.02;

/// What the vertices of a mesh follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexWeights {
    /// The particles that each vertex follows, nearest first; those without weight name the nearest once more.
    pub indices: Vec<[u32; INFLUENCES]>,
    /// Their weights, together 1.
    pub weights: Vec<[f32; INFLUENCES]>,
}

impl VertexWeights {
    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Adds a vertex that follows some particles, by weights that may have any sum above zero; the four heaviest count.
    pub fn push(&mut self, pulls: &[(u32, f32)]) {
        let mut pulls: Vec<(u32, f32)> = pulls.iter().copied().filter(|(_, weight)| *weight > 0.0).collect();
        pulls.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        pulls.truncate(INFLUENCES);
        let total: f32 = pulls.iter().map(|(_, weight)| weight).sum();
        let first = pulls.first().map_or(0, |(index, _)| *index);
        let (mut indices, mut weights) = ([first; INFLUENCES], [0.0; INFLUENCES]);
        for (slot, (index, weight)) in pulls.into_iter().enumerate() {
            indices[slot] = index;
            weights[slot] = weight / total;
        }
        if total <= 0.0 {
            weights[0] = 1.0;
        }
        self.indices.push(indices);
        self.weights.push(weights);
    }
}

/// The weights of a mesh on particles whose places are known, metres; `spacing` is about how far they are from each other.
///
/// A vertex follows the four nearest particles at most, as the way goes along the surface; weights fall to zero where a fifth is as near, or
/// two spacings away.
pub fn rig_weights(mesh: &Mesh, particles: &[Vec3], spacing: f32) -> Result<VertexWeights, GeometryError> {
    let spacing = positive("spacing", spacing)?;
    if particles.is_empty() {
        return Err(GeometryError::NoParticles);
    }
    if let Some(index) = particles.iter().position(|particle| !particle.is_finite()) {
        return Err(GeometryError::NotFinite { index });
    }
    let surface = Surface::new(mesh, FINE * spacing)?;
    let grid = Grid::new(&surface.positions, spacing);
    let seed = |&center: &Vec3| {
        let home = grid.nearest(center)?;
        Some(Seed { center, home })
    };
    let seeds: Option<Vec<Seed>> = particles.iter().map(seed).collect();
    Ok(seeds.map(|seeds| bind(&surface, &seeds, spacing)).unwrap_or_default())
}

pub(super) fn bind(surface: &Surface, seeds: &[Seed], spacing: f32) -> VertexWeights {
    let reach = REACH * spacing;
    let reached = nearest(surface, seeds, spacing, INFLUENCES + 1, f32::INFINITY);
    let centers: Vec<Vec3> = seeds.iter().map(|seed| seed.center).collect();
    let grid = Grid::new(&centers, spacing);
    let mut all = VertexWeights::default();
    for &vertex in &surface.of_mesh {
        let known = &reached[vertex as usize];
        if known.is_empty() {
            let alone = grid.nearest(surface.positions[vertex as usize]).unwrap_or(0);
            all.push(&[(alone, 1.0)]);
        } else {
            all.push(&pulls(known, reach));
        }
    }
    all
}

fn pulls(known: &[Reached], reach: f32) -> Vec<(u32, f32)> {
    let least = known.first().map_or(0.0, |(distance, _)| *distance);
    let next = known.get(INFLUENCES).map_or(reach, |(distance, _)| *distance);
    let reach = next.min(reach).max(TIE * least).max(f32::MIN_POSITIVE);
    let followed = known.iter().take(INFLUENCES);
    let weight = |distance: f32| {
        let share = (distance / reach).min(1.0);
        (1.0 - share * share).powi(2)
    };
    followed
        .map(|&(distance, particle)| (particle, weight(distance)))
        .collect()
}
