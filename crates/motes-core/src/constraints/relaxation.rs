//! How far the corrections of many constraints on one particle may each go (Unified §4.2–4.3, eq. 12–13).
//!
//! Eq. 12 divides the sum of a particle's corrections by their number, because in the worst case (fig. 2) all push the
//! same way. Most contacts do not: six neighbours around a grain share three directions, and dividing by six wastes two
//! thirds of every iteration. [`Averaging::Directional`] divides by the number of constraints that act in the busiest
//! direction, the largest eigenvalue of `Σ n nᵀ`: identical constraints are still averaged, perpendicular ones are not
//! held back by each other. A contact counts on the mass of either side divided by its divisor and gives both the same
//! impulse, so that momentum is kept, which the average of eq. 12 does not do.
//!
//! What is left is the slowness of any such iteration: news travels one contact at a time and fades, so that a pile needs
//! as many iterations as the square of its height in grains. [`accelerate`] carries every impulse on in the direction
//! it is going (Nesterov 1983; for contacts, Mazhar et al. 2015): iterations then count by the height itself.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// How the corrections of several constraints on one particle are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Averaging {
    /// All corrections in full: plain Jacobi iteration, which may diverge.
    None,
    /// Corrections divided by the number of constraints (eq. 12).
    Count,
    /// Corrections divided by the number of constraints in the busiest direction.
    #[default]
    Directional,
}

/// How far to carry the change of iteration `index` of `count` on: Nesterov's sequence, and nothing in the last one, which
/// must leave every constraint within its bounds.
pub fn momentum(index: u32, count: u32) -> f32 {
    if index + 1 >= count {
        0.0
    } else {
        index as f32 / (index + 3) as f32
    }
}

/// How far an impulse that was `before` and is now `solved` is carried on, if the last iteration had carried it by
/// `carried` to where it was before; not at all if it has turned around since.
#[inline(always)]
pub fn accelerate(before: Vec3, carried: Vec3, solved: Vec3, momentum: f32) -> Vec3 {
    let change = solved - (before - carried);
    let turned = (before - solved).dot(change) > 0.0;
    change * if turned { 0.0 } else { momentum }
}

/// What the corrections of a particle are divided by: for `count` constraints whose normals add up to `Σ n nᵀ`, given
/// as its diagonal and its elements xy, yz, zx.
#[inline(always)]
pub fn divisor(averaging: Averaging, count: f32, diagonal: Vec3, mixed: Vec3) -> f32 {
    let busy = match averaging {
        Averaging::None => 1.0,
        Averaging::Count => count,
        Averaging::Directional => busiest(diagonal, mixed),
    };
    if count > 1.0 && busy > 1.0 { busy } else { 1.0 }
}

/// An upper bound, at most 15 % high, on the largest eigenvalue: the Frobenius norm of the fourth power, fourth root.
#[inline(always)]
fn busiest(diagonal: Vec3, mixed: Vec3) -> f32 {
    let (d, m) = square(diagonal, mixed);
    let (d, m) = square(d, m);
    (d.dot(d) + 2.0 * m.dot(m)).sqrt().sqrt().sqrt()
}

/// A symmetric matrix, given as its diagonal and its elements xy, yz, zx, times a vector.
#[inline(always)]
pub(super) fn symmetric_times(d: Vec3, m: Vec3, v: Vec3) -> Vec3 {
    Vec3::new(
        d.x * v.x + m.x * v.y + m.z * v.z,
        m.x * v.x + d.y * v.y + m.y * v.z,
        m.z * v.x + m.y * v.y + d.z * v.z,
    )
}

/// Square of a symmetric matrix, given and returned as its diagonal and its elements xy, yz, zx.
#[inline(always)]
fn square(d: Vec3, m: Vec3) -> (Vec3, Vec3) {
    let squares = m * m;
    let diagonal = Vec3::new(
        d.x * d.x + squares.x + squares.z,
        d.y * d.y + squares.y + squares.x,
        d.z * d.z + squares.z + squares.y,
    );
    let mixed = Vec3::new(
        m.x * (d.x + d.y) + m.y * m.z,
        m.y * (d.y + d.z) + m.z * m.x,
        m.z * (d.z + d.x) + m.x * m.y,
    );
    (diagonal, mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along(averaging: Averaging, normals: &[Vec3]) -> f32 {
        let (diagonal, mixed) = normals.iter().fold((Vec3::ZERO, Vec3::ZERO), |(diagonal, mixed), n| {
            (diagonal + n * n, mixed + Vec3::new(n.x * n.y, n.y * n.z, n.z * n.x))
        });
        divisor(averaging, normals.len() as f32, diagonal, mixed)
    }

    /// The particle of fig. 2, held at the origin by two identical constraints.
    fn iterate(averaging: Averaging, iterations: usize) -> f32 {
        let divisor = along(averaging, &[Vec3::X, Vec3::X]);
        (0..iterations).fold(1.0, |x: f32, _| x + (-x - x) / divisor)
    }

    #[test]
    fn two_identical_constraints_converge_with_averaging() {
        assert!(iterate(Averaging::Count, 1).abs() < 1e-6);
        assert!(iterate(Averaging::Directional, 10).abs() < 1e-6);
    }

    #[test]
    fn plain_jacobi_oscillates_for_ever() {
        assert_eq!(iterate(Averaging::None, 30).abs(), 1.0);
    }

    #[test]
    fn a_symmetric_matrix_is_squared_as_any_other() {
        let (d, m) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-0.5, 0.25, 4.0));
        let matrix = glam::Mat3::from_cols_array(&[d.x, m.x, m.z, m.x, d.y, m.y, m.z, m.y, d.z]);
        let (diagonal, mixed) = square(d, m);
        let expected = matrix * matrix;
        assert_eq!(diagonal, expected.diagonal());
        assert_eq!(
            mixed,
            Vec3::new(expected.y_axis.x, expected.z_axis.y, expected.x_axis.z)
        );
    }

    /// Residual of a chain of particles, each tied to the next and the first to the ground, after some iterations.
    fn chain(accelerated: bool) -> f32 {
        const LENGTH: usize = 20;
        let (mut impulses, mut carried) = ([Vec3::ZERO; LENGTH], [Vec3::ZERO; LENGTH]);
        let at = |impulses: &[Vec3; LENGTH], i: usize| {
            1.0 + impulses[i].x - impulses.get(i + 1).map_or(0.0, |impulse| impulse.x)
        };
        let stretch =
            |impulses: &[Vec3; LENGTH], i: usize| at(impulses, i) - if i == 0 { 0.0 } else { at(impulses, i - 1) };
        for iteration in 0..120 {
            let before = impulses;
            for i in 0..LENGTH {
                let solved = before[i] - Vec3::X * stretch(&before, i) / 4.0;
                let momentum = if accelerated { momentum(iteration, 120) } else { 0.0 };
                carried[i] = accelerate(before[i], carried[i], solved, momentum);
                impulses[i] = solved + carried[i];
            }
        }
        (0..LENGTH).map(|i| at(&impulses, i).abs()).sum::<f32>() / LENGTH as f32
    }

    #[test]
    fn a_chain_is_solved_several_times_better_with_momentum() {
        assert!(chain(true) < 0.2 * chain(false), "{} {}", chain(true), chain(false));
    }

    #[test]
    fn the_last_iteration_is_not_carried_on() {
        assert_eq!(
            (momentum(0, 4), momentum(1, 4), momentum(3, 4), momentum(0, 1)),
            (0.0, 0.25, 0.0, 0.0)
        );
    }

    #[test]
    fn perpendicular_constraints_do_not_hold_each_other_back() {
        assert!(along(Averaging::Directional, &[Vec3::X, Vec3::Y, Vec3::Z]) < 1.2);
        let cage = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
        assert!((2.0..2.4).contains(&along(Averaging::Directional, &cage)));
        assert_eq!(along(Averaging::Count, &cage), 6.0);
    }
}
