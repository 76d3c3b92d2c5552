//! Moves particles a little where masses alone cannot give the inertia of the mesh, as in bodies one particle thick.

use glam::{DMat3, DVec3, Vec3};

use super::MassProperties;

/// Bounds on the stretch along an axis.
const STRETCH: (f64, f64) = (0.8, 1.25);

/// Moments that differ by less are left alone.
const CLOSE_ENOUGH: f64 = 1e-3;

/// Shifts and stretches all positions so that centre and second moments come close to the expected ones. None moves
/// farther than `limit` metres or to a place that is not allowed.
pub(super) fn nudge(
    positions: &mut [Vec3],
    masses: &[f32],
    expected: &MassProperties,
    limit: f32,
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
            let step = (moved - *position).clamp_length_max(limit);
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
        nudge(&mut moved, &masses, &expected, 1.0, |_| true);
        let [_, center, inertia] = MassProperties::of_points(&moved, &masses).difference(&expected);
        assert!(center < 1e-3 && inertia < 1e-3, "{center} {inertia}");
    }
}
