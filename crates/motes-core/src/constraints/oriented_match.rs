//! Shape matching of particles with an orientation (Müller & Chentanez 2011, §3, eq. 1–9; §5.1, §5.3).
//!
//! A particle adds `m/5 R diag(a², b², c²) R̄ᵀ` to the moments of its group (eq. 8–9; the paper prints the factors in another order, which is right for balls
//! only): a group has full rank then, be it one particle or a row of them.
//!
//! Matching hands on angular momentum only if all that counts is moved, and if it is kept about where the sub-step began, not where it ends. So of a
//! neighbourhood the orientation of the middle counts, which is set, and those of the others do not, which are not: what twists a chain is left to
//! [`torsion`](super::torsion). What a match turns is then made up for by a turn of all that take part ([`Balance`]). A rigid part turns by the
//! [`angle`](rigid_turn) that has the angular momentum of its particles; the best match would be a smaller one.

use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};

use super::ellipsoid::Ellipsoid;
use super::orientation::turned;
use super::rigid::pseudo_inverse;

/// How many times heavier than they are pinned members of a rigid part count: the others go where these say.
pub const HELD: f32 = 1e4;

/// The moment of one ellipsoid of a mass, kg, about its own centre, for a rest shape in which it is turned by `rest`, kg·m².
#[inline]
pub fn moment(mass: f32, radii: Vec3, now: Quat, rest: Quat) -> Mat3A {
    let squares = Vec3A::from(0.2 * mass * radii * radii);
    Mat3A::from_quat(now) * Mat3A::from_diagonal(squares.into()) * Mat3A::from_quat(rest).transpose()
}

/// Inertia tensor of an ellipsoid of a mass, kg, about the axes of the world, kg·m².
#[inline]
pub fn inertia_tensor(mass: f32, radii: Vec3, rotation: Quat) -> Mat3A {
    let turned = Ellipsoid::turned(rotation, mass * super::orientation::inertia(radii));
    let (d, m) = (turned.diagonal, turned.mixed);
    Mat3A::from_cols(
        Vec3A::new(d.x, m.x, m.z),
        Vec3A::new(m.x, d.y, m.y),
        Vec3A::new(m.z, m.y, d.z),
    )
}

/// Inertia tensor of a mass, kg, at a place, kg·m².
#[inline]
pub fn point_inertia(mass: f32, arm: Vec3A) -> Mat3A {
    let squared = mass * arm.length_squared();
    let weighted = mass * arm;
    Mat3A::from_cols(
        squared * Vec3A::X - weighted.x * arm,
        squared * Vec3A::Y - weighted.y * arm,
        squared * Vec3A::Z - weighted.z * arm,
    )
}

/// How the particles of a group make up for what a match turned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    inverse: Mat3A,
}

impl Balance {
    /// Of a group with that inertia about its centre at the start of the sub-step, spins included, kg·m².
    pub fn new(inertia: Mat3A) -> Self {
        let determinant = inertia.determinant();
        let size = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        let inverse = match determinant > 1e-9 * size * size * size {
            true => inertia.inverse(),
            false => Mat3A::from(pseudo_inverse(&Mat3::from(inertia))),
        };
        Self { inverse }
    }

    /// The turn of all, axis times angle, that takes back an angular impulse, kg·m².
    #[inline(always)]
    pub fn turn(&self, angular_impulse: Vec3A) -> Vec3A {
        self.inverse * -angular_impulse
    }
}

/// Twice the axis of the part of a matrix that is not symmetric: `Σ y × x` of `Σ x yᵀ`.
#[inline]
pub fn axial(matrix: &Mat3A) -> Vec3A {
    let (x, y, z) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    Vec3A::new(y.z - z.y, z.x - x.z, x.y - y.x)
}

/// Turns further than this in a sub-step, radians, a rigid part is matched instead: chords tell little of its momentum.
pub const FURTHEST: f32 = 1.0;

/// How a rigid part turns in a sub-step, axis times angle, so that its angular momentum about its start is that of its particles. `before` is `Σ m y yᵀ` of
/// where they start, about their centre and spins included; `wanted` is what turned them since, `Σ m y × x` of where they got to ([`axial`]); `inverse` is that
/// of the inertia at the start. `None` where it turns too far.
pub fn rigid_turn(before: &Mat3A, wanted: Vec3A, inverse: &Mat3A, guess: Vec3) -> Option<Vec3> {
    let mut turn = guess;
    for _ in 0..8 {
        let here = Mat3A::from_quat(turned(Quat::IDENTITY, turn)) * *before;
        let step = Vec3::from(*inverse * (wanted - axial(&here)));
        turn += step;
        let is_near = turn.length_squared() < FURTHEST * FURTHEST;
        if !is_near {
            return None;
        }
        if step.length_squared() < 1e-14 {
            break;
        }
    }
    Some(turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::shape_match::{Moments, rotation};

    #[test]
    fn a_single_particle_is_matched_to_the_orientation_it_has() {
        let now = Quat::from_scaled_axis(Vec3::new(0.4, -0.2, 0.7));
        let rest = Quat::from_rotation_x(0.3);
        let found = rotation(
            &Mat3::from(moment(2.0, Vec3::new(0.3, 0.2, 0.1), now, rest)),
            Quat::IDENTITY,
        );
        assert!(found.angle_between(now * rest.conjugate()) < 1e-4);
    }

    #[test]
    fn a_chain_turns_about_itself_as_its_middle_does() {
        let twist = Quat::from_rotation_x(0.8);
        let bend = Quat::from_rotation_z(0.3);
        let mut moments = Moments::ZERO;
        for k in [-1.0, 0.0, 1.0] {
            let rest = k * Vec3::X;
            moments.add(1.0, (bend * rest).into(), rest.into());
        }
        let radii = Vec3::splat(0.05);
        moments.products += moment(1.0, radii, bend * twist, Quat::IDENTITY);
        let found = rotation(&moments.covariance(), Quat::IDENTITY);
        assert!(found.angle_between(bend * twist) < 2e-3, "{found}");
    }

    #[test]
    fn the_moment_of_a_ball_is_a_fifth_of_its_mass_times_the_square_of_its_radius() {
        let found = moment(3.0, Vec3::splat(2.0), Quat::IDENTITY, Quat::IDENTITY);
        assert!(found.abs_diff_eq(Mat3A::from_diagonal(Vec3::splat(2.4)), 1e-6));
        let inertia = inertia_tensor(3.0, Vec3::splat(2.0), Quat::from_rotation_x(0.4));
        assert!(inertia.abs_diff_eq(Mat3A::from_diagonal(Vec3::splat(4.8)), 1e-5));
    }

    #[test]
    fn two_masses_on_a_stick_resist_turning_across_it() {
        let inertia = point_inertia(2.0, Vec3A::X) + point_inertia(2.0, -Vec3A::X);
        assert!(inertia.abs_diff_eq(Mat3A::from_diagonal(Vec3::new(0.0, 4.0, 4.0)), 1e-6));
        let turn = Balance::new(inertia).turn(Vec3A::new(0.0, 0.0, 2.0));
        assert!((turn + 0.5 * Vec3A::Z).length() < 1e-6, "{turn}");
    }

    #[test]
    fn a_rigid_part_keeps_its_spin_where_a_match_loses_some() {
        let places = [
            Vec3A::X,
            -Vec3A::X,
            Vec3A::Y,
            -Vec3A::Y,
            0.3 * Vec3A::Z,
            -0.3 * Vec3A::Z,
        ];
        let outer = |a: Vec3A, b: Vec3A| Mat3A::from_cols(a * b.x, a * b.y, a * b.z);
        let before = places.iter().fold(Mat3A::ZERO, |sum, &y| sum + outer(y, y));
        let inertia = places.iter().fold(Mat3A::ZERO, |sum, &y| sum + point_inertia(1.0, y));
        // As fast as chords of a turn of 0.3 rad.
        let turn = 0.3 * Vec3::Z;
        let chord = |y: Vec3A| turned(Quat::IDENTITY, turn) * y - y;
        let momentum = places.iter().fold(Vec3A::ZERO, |sum, &y| sum + y.cross(chord(y)));
        let spin = inertia.inverse() * momentum;
        let after = places
            .iter()
            .fold(Mat3A::ZERO, |sum, &y| sum + outer(y + spin.cross(y), y));
        let found = rigid_turn(&before, axial(&after), &inertia.inverse(), Vec3::ZERO).expect("not far");
        assert!((found - turn).length() < 1e-5, "{found}");
        let matched = rotation(&Mat3::from(after), Quat::IDENTITY).to_scaled_axis();
        assert!(matched.z < 0.299, "{matched}");
    }
}
