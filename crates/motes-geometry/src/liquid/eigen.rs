//! Axes of symmetric matrices, by Jacobi's rotations.

use glam::{Mat3, Vec3};

/// Sweeps over all three pairs of axes; after four, what is left beside the diagonal is rounding.
const SWEEPS: usize = 4;

/// Eigenvalues of a symmetric matrix, and the unit vectors that belong to them as columns.
pub(crate) fn eigen(matrix: Mat3) -> (Vec3, Mat3) {
    let mut a = matrix.to_cols_array_2d();
    let mut axes = Mat3::IDENTITY.to_cols_array_2d();
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = a[p][q];
            if off == 0.0 {
                continue;
            }
            let half = 0.5 * (a[q][q] - a[p][p]) / off;
            let tangent = half.signum() / (half.abs() + (half * half + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            for row in &mut a {
                (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
            }
            for column in 0..3 {
                let (x, y) = (a[p][column], a[q][column]);
                (a[p][column], a[q][column]) = (cosine * x - sine * y, sine * x + cosine * y);
                let (x, y) = (axes[p][column], axes[q][column]);
                (axes[p][column], axes[q][column]) = (cosine * x - sine * y, sine * x + cosine * y);
            }
        }
    }
    (Vec3::new(a[0][0], a[1][1], a[2][2]), Mat3::from_cols_array_2d(&axes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn axes_and_values_give_the_matrix_back() {
        for (turn, values) in [
            (
                Quat::from_rotation_x(0.7) * Quat::from_rotation_z(1.9),
                Vec3::new(3.0, 0.5, 0.01),
            ),
            (Quat::from_rotation_y(-2.0), Vec3::new(1.0, 1.0, 0.2)),
            (Quat::IDENTITY, Vec3::ZERO),
        ] {
            let rotation = Mat3::from_quat(turn);
            let matrix = rotation * Mat3::from_diagonal(values) * rotation.transpose();
            let (found, axes) = eigen(matrix);
            assert!((axes.transpose() * axes).abs_diff_eq(Mat3::IDENTITY, 1e-5));
            assert!((axes * Mat3::from_diagonal(found) * axes.transpose()).abs_diff_eq(matrix, 1e-5));
            let mut sorted = [found.to_array(), values.to_array()];
            sorted.iter_mut().for_each(|values| values.sort_by(f32::total_cmp));
            assert!((Vec3::from(sorted[0]) - Vec3::from(sorted[1])).length() < 1e-5);
        }
    }
}
