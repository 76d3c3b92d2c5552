//! Moves particles a little where masses alone cannot give the inertia of the mesh, as in bodies one particle thick.

use glam::{DMat3, DVec3, Vec3};

use super::MassProperties;
use crate::mesh::Mesh;

/// Bounds on the stretch along an axis.
const STRETCH: (f64, f64) = (0.8, 1.25);

/// Moments that differ by less are left alone.
const CLOSE_ENOUGH: f64 = 1e-3;

/// Share of a side of the box around a mesh from which on the mesh has a flat face there.
const FLAT: f32 = 0.3;

/// One along the axes on both ends of which a mesh has flat faces, such as all three of a box and the upright one of a
/// cylinder; else zero. Particles that are level with such faces should stay level.
pub(super) fn flat_axes(mesh: &Mesh) -> Vec3 {
    let bounds = mesh.bounds();
    let size = bounds.size();
    let tolerance = 1e-3 * size;
    let mut areas = [Vec3::ZERO; 2];
    for corners in mesh.corners() {
        let [a, b, c] = corners;
        let area = 0.5 * (b - a).cross(c - a).abs();
        for (end, total) in [bounds.min, bounds.max].into_iter().zip(&mut areas) {
            let apart = corners.map(|corner| (corner - end).abs());
            let on_it = apart[0].max(apart[1]).max(apart[2]).cmple(tolerance);
            *total += Vec3::select(on_it, area, Vec3::ZERO);
        }
    }
    let sides = Vec3::new(size.y * size.z, size.z * size.x, size.x * size.y);
    let is_flat = areas[0].min(areas[1]).cmpgt(FLAT * sides);
    Vec3::select(is_flat, Vec3::ONE, Vec3::ZERO)
}

/// Shifts and stretches all positions so that centre and second moments come close to the expected ones, along the axes on
/// which `freedom` is one. None moves farther than `limit` metres or to a place that is not allowed.
pub(super) fn nudge(
    positions: &mut [Vec3],
    masses: &[f32],
    expected: &MassProperties,
    (freedom, limit): (Vec3, f32),
    is_allowed: impl Fn(Vec3) -> bool,
) {
    for _ in 0..3 {
        let found = MassProperties::of_points(positions, masses);
        let [_, center, inertia] = found.difference(expected);
        if center.max(inertia) < CLOSE_ENOUGH {
            return;
        }
        let stretch = stretch(&expected.inertia, &found.inertia);
        for position in positions.iter_mut() {
            let offset = position.as_dvec3() - found.center;
            let moved = (expected.center + stretch * offset).as_vec3();
            let step = (freedom * (moved - *position)).clamp_length_max(limit);
            let target = *position + step;
            if is_allowed(target) {
                *position = target;
            }
        }
    }
}

/// The stretch along each axis that takes one set of second moments to another.
fn stretch(wanted: &DMat3, present: &DMat3) -> DVec3 {
    let ratio =
        DVec3::from_array(moments(wanted)) / DVec3::from_array(moments(present)).max(DVec3::splat(f64::MIN_POSITIVE));
    let stretch = DVec3::from_array(ratio.to_array().map(|part| part.max(0.0).sqrt()));
    stretch.clamp(DVec3::splat(STRETCH.0), DVec3::splat(STRETCH.1))
}

/// Second moments along the axes that belong to an inertia tensor.
fn moments(inertia: &DMat3) -> [f64; 3] {
    let diagonal = [inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z];
    let half_trace = 0.5 * diagonal.iter().sum::<f64>();
    diagonal.map(|part| half_trace - part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use crate::models;

    #[test]
    fn a_box_is_flat_all_around_and_a_cylinder_on_two_sides() {
        assert_eq!(flat_axes(&cuboid(Vec3::new(0.1, 1.0, 3.0))), Vec3::ONE);
        let flat_sides = |name: &str| flat_axes(&models::by_name(name).unwrap().mesh(48).unwrap());
        assert_eq!(flat_sides("rabbit"), Vec3::ZERO);
        assert_eq!(flat_sides("torus"), Vec3::ZERO);
        assert_eq!(flat_axes(&Mesh::cylinder(0.5, 0.1, 24)), Vec3::Y);
    }

    #[test]
    fn points_are_shifted_and_stretched_to_the_expected_inertia() {
        let points: Vec<Vec3> = (0..64)
            .map(|i| Vec3::new((i % 4) as f32, (i / 4 % 4) as f32, (i / 16) as f32) * 0.1)
            .collect();
        let masses = vec![1.0; 64];
        let turned: Vec<Vec3> = points
            .iter()
            .map(|p| Vec3::new(1.05 * p.x, 0.97 * p.y, p.z + 0.01))
            .collect();
        let expected = MassProperties::of_points(&turned, &masses);
        let mut moved = points;
        nudge(&mut moved, &masses, &expected, (Vec3::ONE, 1.0), |_| true);
        let [_, center, inertia] = MassProperties::of_points(&moved, &masses).difference(&expected);
        assert!(center < 1e-3 && inertia < 1e-3, "{center} {inertia}");
    }
}
