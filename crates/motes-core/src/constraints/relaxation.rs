//! How the corrections of many constraints on one particle become one (Unified §4.2–4.3, eq. 12–13).
//!
//! Eq. 12 divides the sum of all corrections by their number, because in the worst case (fig. 2) all push the same
//! way. Most contacts do not: six neighbours around a grain share three directions, and dividing by six wastes two
//! thirds of every iteration. [`Averaging::Directional`] counts how many constraints act in each direction, as the
//! matrix `A = Σ n nᵀ`, and divides by that: identical constraints are still averaged, perpendicular ones are not held
//! back by each other.

use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// How the corrections of several constraints on one particle are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Averaging {
    /// All corrections in full: plain Jacobi iteration, which may diverge.
    None,
    /// The sum divided by the number of constraints (eq. 12).
    Count,
    /// The sum divided, direction by direction, by the number of constraints that act in it.
    #[default]
    Directional,
}

/// The factor that the sum of a particle's `count` corrections is divided by.
#[inline]
pub fn divisor(count: u32, averaging: Averaging) -> f32 {
    match averaging {
        Averaging::None => 1.0,
        Averaging::Count | Averaging::Directional => count.max(1) as f32,
    }
}

/// A little of every direction, so that normals that all but cancel cannot squeeze a particle out at high speed.
const ROUND: f32 = 0.1;

/// `A⁻¹` for `A = Σ n nᵀ`, given as its diagonal and its elements xy, yz, zx.
#[inline]
pub fn inverse_directions(diagonal: Vec3, mixed: Vec3) -> Mat3 {
    let (d, m) = (diagonal + ROUND, mixed);
    Mat3::from_cols(
        Vec3::new(d.x, m.x, m.z),
        Vec3::new(m.x, d.y, m.y),
        Vec3::new(m.z, m.y, d.z),
    )
    .inverse()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Σ n nᵀ` as its diagonal and mixed elements.
    fn directions(normals: &[Vec3]) -> (Vec3, Vec3) {
        normals.iter().fold((Vec3::ZERO, Vec3::ZERO), |(diagonal, mixed), n| {
            (diagonal + n * n, mixed + Vec3::new(n.x * n.y, n.y * n.z, n.z * n.x))
        })
    }

    /// The particle of fig. 2, held at the origin by two identical constraints.
    fn iterate(averaging: Averaging, iterations: usize) -> f32 {
        let mut x = 1.0;
        for _ in 0..iterations {
            let sum = -x - x;
            x += match averaging {
                Averaging::Directional => {
                    let (diagonal, mixed) = directions(&[Vec3::X, Vec3::X]);
                    (inverse_directions(diagonal, mixed) * (Vec3::X * sum)).x
                }
                _ => sum / divisor(2, averaging),
            };
        }
        x
    }

    #[test]
    fn two_identical_constraints_converge_with_averaging() {
        assert_eq!(iterate(Averaging::Count, 1), 0.0);
        assert!(iterate(Averaging::Directional, 10).abs() < 1e-6);
    }

    #[test]
    fn plain_jacobi_oscillates_for_ever() {
        assert_eq!(iterate(Averaging::None, 30).abs(), 1.0);
    }

    #[test]
    fn perpendicular_constraints_do_not_hold_each_other_back() {
        let (diagonal, mixed) = directions(&[Vec3::X, Vec3::Y, Vec3::Z]);
        let moved = inverse_directions(diagonal, mixed) * Vec3::ONE;
        assert!((moved - Vec3::splat(1.0 / 1.1)).length() < 1e-5);
    }

    #[test]
    fn normals_that_all_but_cancel_move_nothing_far() {
        for tilt in [1e-4f32, 1e-3, 1e-2, 0.1, 0.3] {
            let normals = [Vec3::new(1.0, tilt, 0.0), Vec3::new(-1.0, tilt, 0.0)].map(Vec3::normalize);
            let (diagonal, mixed) = directions(&normals);
            let moved = inverse_directions(diagonal, mixed) * (normals[0] + normals[1]);
            assert!(moved.length() < 2.5, "{tilt}: {moved}");
        }
    }
}
