//! Ellipsoids that fit the surface around particles (Müller & Chentanez 2011, §6.2): axes from the covariance of the vertices around,
//! radii from the box along these axes.

use glam::{Mat3, Quat, Vec3};
use rayon::prelude::*;

use super::surface::{Flood, Surface};
use super::{RigParticle, Seed};
use crate::distance::MeshDistance;
use crate::liquid::eigen;

/// Vertices within this many spacings count besides those that are nearest to a particle.
const AROUND: f32 = 0.65;

/// Longest radius, in spacings.
const LONGEST: f32 = 1.0;

/// How much normals around a particle have to agree for it to lie on one side of something.
const ONE_SIDED: f32 = 0.6;

/// The ellipsoids of particles.
pub(super) fn fit(
    surface: &Surface,
    distance: &MeshDistance,
    seeds: &[Seed],
    cells: &[Vec<u32>],
    aspect: f32,
    spacing: f32,
) -> Vec<RigParticle> {
    let tools = || (Flood::new(surface), Vec::new());
    let each = seeds.par_iter().zip(cells).with_min_len(64);
    each.map_init(tools, |(flood, near), (seed, cell)| {
        flood.fill(surface, seed.home, seed.center, AROUND * spacing, near);
        near.extend_from_slice(cell);
        near.sort_unstable();
        near.dedup();
        one(surface, distance, seed.center, near, aspect, LONGEST * spacing)
    })
    .collect()
}

/// The ellipsoid around a middle that fits some vertices.
fn one(
    surface: &Surface,
    distance: &MeshDistance,
    center: Vec3,
    vertices: &[u32],
    aspect: f32,
    longest: f32,
) -> RigParticle {
    let mut covariance = Mat3::ZERO;
    let (mut normal, mut area) = (Vec3::ZERO, 0.0);
    for &vertex in vertices {
        let share = surface.areas[vertex as usize];
        let from = (surface.positions[vertex as usize] - center) / longest;
        covariance += share * Mat3::from_cols(from.x * from, from.y * from, from.z * from);
        normal += share * surface.normals[vertex as usize];
        area += share;
    }
    let axes = axes(covariance / area.max(f32::MIN_POSITIVE));
    let mut ends = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    for &vertex in vertices {
        let along = axes.transpose() * (surface.positions[vertex as usize] - center);
        ends = [ends[0].min(along), ends[1].max(along)];
    }
    let extents = (0.5 * (ends[1] - ends[0])).clamp(Vec3::ZERO, Vec3::splat(longest));
    let most = extents.max_element().max(0.05 * longest);
    let radii = extents.max(Vec3::splat(most / aspect));
    let orientation = Quat::from_mat3(&axes).normalize();
    let mut particle = RigParticle {
        position: center,
        orientation,
        radii,
        mass_share: 0.0,
    };
    let outward = normal.normalize_or_zero();
    if normal.length() > ONE_SIDED * area {
        // As thick as it has to be, it would stand out of the surface it fits: it goes below.
        let reach = (radii * (axes.transpose() * outward)).length();
        let top = vertices
            .iter()
            .map(|&vertex| outward.dot(surface.positions[vertex as usize] - center));
        let above = reach - top.fold(0.0, f32::max);
        let below = center - above * outward;
        if above > 0.0 && distance.is_inside(below) {
            particle.position = below;
        }
    }
    particle
}

/// Axes of a covariance, the longest first, turned right.
fn axes(covariance: Mat3) -> Mat3 {
    let (values, axes) = eigen(covariance);
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let [x, y, _] = order.map(|axis| axes.col(axis).normalize_or(Vec3::AXES[axis]));
    Mat3::from_cols(x, y, x.cross(y))
}
