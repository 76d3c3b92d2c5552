//! Ellipsoids that touch (Müller & Chentanez 2011, *Solid Simulation with Oriented Particles*, appendix).
//!
//! An ellipsoid is kept as `Q = R diag(a², b², c²) Rᵀ`, the inverse of the paper's A (eq. 25), m². Its support along a unit vector n, how far
//! it reaches that way, is `h = √(nᵀQn)`, and the point there `Qn/h` (eq. 28): a plane is touched at that of its normal reversed.
//!
//! For two of them the paper multiplies scalars by matrices from within (from eq. 37 to 38), and its λ (eq. 40) is right for balls only. What it
//! looks for is where the second, shifted along the line between both centres, touches the first. Centres are then on the surface of the
//! Minkowski sum of both: `d ∥ Q₁n/h₁ + Q₂n/h₂` for the common normal n. With p = h₁/h₂ that is `n ∥ ((1 + 1/p) Q₁ + (1 + p) Q₂)⁻¹ d`, the
//! ellipsoid about the sum that touches it there; p hardly depends on n, so that a few rounds find both. Between balls the first one is exact.
//!
//! Written without branches, so that loops over many contacts become vector code.

use glam::{Mat3, Quat, Vec3};

use super::relaxation::symmetric_times;

/// Rounds in which the normal of two ellipsoids is found.
pub const ROUNDS: usize = 3;

/// An ellipsoid about the origin: `Q` as its diagonal and its elements xy, yz, zx, m².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ellipsoid {
    /// Elements xx, yy, zz.
    pub diagonal: Vec3,
    /// Elements xy, yz, zx.
    pub mixed: Vec3,
}

impl Ellipsoid {
    /// With radii along its axes, metres, turned by a rotation.
    pub fn new(rotation: Quat, radii: Vec3) -> Self {
        Self::turned(rotation, radii * radii)
    }

    /// The symmetric matrix with values along its axes, turned by a rotation.
    pub fn turned(rotation: Quat, values: Vec3) -> Self {
        let axes = Mat3::from_quat(rotation);
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
        let mixed = |v: Vec3| Vec3::new(v.x * v.y, v.y * v.z, v.z * v.x);
        Self {
            diagonal: values.x * x * x + values.y * y * y + values.z * z * z,
            mixed: values.x * mixed(x) + values.y * mixed(y) + values.z * mixed(z),
        }
    }

    /// A ball of a radius, metres.
    pub fn ball(radius: f32) -> Self {
        Self {
            diagonal: Vec3::splat(radius * radius),
            mixed: Vec3::ZERO,
        }
    }

    /// `Q v`.
    #[inline(always)]
    pub fn times(&self, v: Vec3) -> Vec3 {
        symmetric_times(self.diagonal, self.mixed, v)
    }

    /// How far it reaches along a unit vector, metres.
    #[inline(always)]
    pub fn reach(&self, normal: Vec3) -> f32 {
        normal.dot(self.times(normal)).sqrt()
    }

    /// Its point that lies furthest along a unit vector.
    #[inline(always)]
    pub fn point(&self, normal: Vec3) -> Vec3 {
        let through = self.times(normal);
        through * (1.0 / normal.dot(through).sqrt())
    }

    /// The inverse matrix times a vector, but for its length.
    #[inline(always)]
    fn solve_direction(&self, v: Vec3) -> Vec3 {
        let (d, m) = (self.diagonal, self.mixed);
        let diagonal = Vec3::new(d.y * d.z - m.y * m.y, d.z * d.x - m.z * m.z, d.x * d.y - m.x * m.x);
        let mixed = Vec3::new(m.y * m.z - m.x * d.z, m.z * m.x - m.y * d.x, m.x * m.y - m.z * d.y);
        symmetric_times(diagonal, mixed, v)
    }
}

/// Normal of a contact, towards the first, and the distance between the surfaces along it, metres, of two ellipsoids. `offset` leads from the
/// centre of the second to that of the first and is not zero.
#[inline(always)]
pub fn touch(offset: Vec3, first: &Ellipsoid, second: &Ellipsoid) -> (Vec3, f32) {
    // Of any size, so that squares of small numbers stay within range.
    let mut normal = offset * (1.0 / offset.dot(offset).sqrt());
    let (mut first_reach, mut second_reach) = (first.reach(normal), second.reach(normal));
    let direction = normal;
    for _ in 0..ROUNDS {
        let (a, b) = (1.0 + second_reach / first_reach, 1.0 + first_reach / second_reach);
        let sum = Ellipsoid {
            diagonal: first.diagonal * a + second.diagonal * b,
            mixed: first.mixed * a + second.mixed * b,
        };
        let scale = 1.0 / (sum.diagonal.x + sum.diagonal.y + sum.diagonal.z);
        let sum = Ellipsoid {
            diagonal: sum.diagonal * scale,
            mixed: sum.mixed * scale,
        };
        let across = sum.solve_direction(direction);
        normal = across * (1.0 / across.dot(across).sqrt());
        first_reach = first.reach(normal);
        second_reach = second.reach(normal);
    }
    (normal, offset.dot(normal) - first_reach - second_reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_rotation() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0f32..1.0)
            .prop_filter("a direction", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.01)
            .prop_map(|q| Quat::from_array(q).normalize())
    }

    #[test]
    fn an_ellipsoid_reaches_as_far_as_its_radii_along_its_axes() {
        let turn = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let lying = Ellipsoid::new(turn, Vec3::new(3.0, 2.0, 1.0));
        let reaches = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| lying.reach(axis));
        assert!((Vec3::from(reaches) - Vec3::new(2.0, 3.0, 1.0)).length() < 1e-5);
        // (x/4)² + (y/3)² = 1 touches the line with the normal (3, 4)/5 at a distance of √((4·3)² + (3·4)²)/5.
        let flat = Ellipsoid::new(Quat::IDENTITY, Vec3::new(4.0, 3.0, 1.0));
        let normal = Vec3::new(0.6, 0.8, 0.0);
        assert!((flat.reach(normal) - 288.0f32.sqrt() / 5.0).abs() < 1e-5);
        let point = flat.point(normal);
        assert!((point - Vec3::new(9.6, 7.2, 0.0) / (288.0f32.sqrt() / 5.0)).length() < 1e-5);
    }

    #[test]
    fn two_balls_touch_as_balls_do() {
        let (normal, gap) = touch(Vec3::new(0.0, 3.0, 4.0), &Ellipsoid::ball(1.0), &Ellipsoid::ball(2.5));
        assert!((normal - Vec3::new(0.0, 0.6, 0.8)).length() < 1e-6);
        assert!((gap - 1.5).abs() < 1e-6);
    }

    #[test]
    fn a_disc_on_a_ball_touches_with_its_flat_side() {
        let disc = Ellipsoid::new(Quat::IDENTITY, Vec3::new(2.0, 0.5, 2.0));
        let (normal, gap) = touch(Vec3::new(0.0, 1.4, 0.0), &disc, &Ellipsoid::ball(1.0));
        assert!((normal - Vec3::Y).length() < 1e-6 && (gap + 0.1).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn ellipsoids_that_touch_in_one_point_are_found_to(
            turns in [any_rotation(), any_rotation()],
            radii in prop::array::uniform2(prop::array::uniform3(0.5f32..1.5)),
            normal in prop::array::uniform3(-1.0f32..1.0),
        ) {
            let normal = Vec3::from(normal);
            prop_assume!(normal.length() > 0.1);
            let normal = normal.normalize();
            let [first, second] = [0, 1].map(|k: usize| Ellipsoid::new(turns[k], radii[k].into()));
            // The second has its point along the normal where the first has its own along the reverse.
            let offset = first.point(normal) + second.point(normal);
            let (found, gap) = touch(offset, &first, &second);
            prop_assert!((found - normal).length() < 0.02, "{found} {normal}");
            prop_assert!(gap.abs() < 1e-3, "{gap}");
        }

        #[test]
        fn the_contact_does_not_depend_on_who_is_first(
            turns in [any_rotation(), any_rotation()],
            radii in prop::array::uniform2(prop::array::uniform3(0.5f32..1.5)),
            offset in prop::array::uniform3(1.0f32..2.0),
        ) {
            let [first, second] = [0, 1].map(|k: usize| Ellipsoid::new(turns[k], radii[k].into()));
            let (normal, gap) = touch(offset.into(), &first, &second);
            let (back, same) = touch(-Vec3::from(offset), &second, &first);
            prop_assert!((normal + back).length() < 1e-4 && (gap - same).abs() < 1e-4);
        }
    }
}
