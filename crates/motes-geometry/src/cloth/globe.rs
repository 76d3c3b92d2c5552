//! Coordinates on closed sheets that cannot be laid flat: longitude and latitude around their middle.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use super::surface::doubled_normal;
use crate::mesh::Mesh;

/// Corners of the triangles of a part, in metres on a ball of the same area: u to the east, v to the north, which is up. One seam runs
/// from pole to pole at the back; towards the poles u is longer than the way is.
pub(super) fn globe(mesh: &Mesh, part: &[u32]) -> Vec<[DVec2; 3]> {
    let (mut area, mut middle) = (0.0, DVec3::ZERO);
    for &triangle in part {
        let weight = 0.5 * doubled_normal(&mesh.positions, &mesh.triangles[triangle as usize]).length();
        area += weight;
        for corner in mesh.triangles[triangle as usize] {
            middle += weight / 3.0 * mesh.positions[corner as usize].as_dvec3();
        }
    }
    middle /= area;
    let radius = (area / (4.0 * PI)).sqrt();
    let corners = |&triangle: &u32| {
        let places =
            mesh.triangles[triangle as usize].map(|corner| mesh.positions[corner as usize].as_dvec3() - middle);
        let mut angles = places.map(|place| {
            let up = place.normalize_or_zero().y.clamp(-1.0, 1.0);
            DVec2::new(place.x.atan2(place.z), up.asin())
        });
        // A pole has every longitude: that of the triangle's other corners suits it.
        let is_pole = places.map(|place| place.x.hypot(place.z) <= 1e-6 * radius);
        let reference = angles
            .iter()
            .zip(is_pole)
            .find(|(_, pole)| !pole)
            .map_or(0.0, |(angle, _)| angle.x);
        for angle in &mut angles {
            angle.x = reference + (angle.x - reference + PI).rem_euclid(TAU) - PI;
        }
        let others = || {
            angles
                .iter()
                .zip(is_pole)
                .filter(|(_, pole)| !pole)
                .map(|(angle, _)| angle.x)
        };
        let mean = others().sum::<f64>() / others().count().max(1) as f64;
        for (angle, pole) in angles.iter_mut().zip(is_pole) {
            if pole {
                angle.x = mean;
            }
        }
        angles.map(|angle| radius * angle)
    };
    part.iter().map(corners).collect()
}
