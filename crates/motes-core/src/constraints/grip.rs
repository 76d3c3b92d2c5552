//! A point of a body that bends, held by a part of it: the weighted mean of particles that is there in the rest shape.
//!
//! Weights go with the mass and linearly with the place (moving least squares), so that the mean follows every affine motion of the
//! part, also for points beyond its particles. It is linear in where the particles are: an impulse at the point acts on each of them by its
//! weight, keeps linear and angular momentum, and has the same levers all through a sub-step. Held by a single particle
//! instead, a body would tear there.

use glam::{Mat3, Vec3};

/// Added to the second moments of a part, compared with their trace, so that one that is flat or a row has an inverse too.
pub const SPARE_SPREAD: f32 = 1e-3;

/// How a part of a body holds a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grip {
    /// Inverse mass of the part, 1/kg.
    pub per_mass: f32,
    /// By how much the response of a particle grows with its place in the rest shape, 1/(kg·m).
    pub slope: Vec3,
    /// Centre of mass of the part in the rest shape, metres.
    pub center: Vec3,
    /// What the mean misses of the point, in the body's frame, metres: nothing to speak of if the part is solid.
    pub arm: Vec3,
    /// Inverse mass that an impulse at the point meets, 1/kg.
    pub inverse_mass: f32,
}

/// A particle of a part: its mass, kg, its place in the rest shape, and whether it can move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Mass, kg.
    pub mass: f32,
    /// Place in the rest shape, metres.
    pub rest: Vec3,
    /// Whether nothing pins it.
    pub is_free: bool,
}

impl Grip {
    /// Of a point of the rest shape, by some particles; none without any.
    pub fn new(particles: impl Iterator<Item = Held> + Clone, point: Vec3) -> Option<Self> {
        let (mut mass, mut center) = (0.0, Vec3::ZERO);
        for held in particles.clone() {
            mass += held.mass;
            center += held.mass * held.rest;
        }
        if mass <= 0.0 {
            return None;
        }
        let center = center / mass;
        let mut spread = Mat3::ZERO;
        for held in particles.clone() {
            let arm = held.rest - center;
            spread += Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z) * held.mass;
        }
        let trace = spread.x_axis.x + spread.y_axis.y + spread.z_axis.z;
        let mut grip = Self {
            per_mass: 1.0 / mass,
            slope: Vec3::ZERO,
            center,
            arm: point - center,
            inverse_mass: 0.0,
        };
        if trace > f32::MIN_POSITIVE {
            let spared = spread + Mat3::from_diagonal(Vec3::splat(SPARE_SPREAD * trace));
            grip.slope = spared.inverse() * grip.arm;
            grip.arm -= spread * grip.slope;
        }
        for held in particles.filter(|held| held.is_free) {
            let response = grip.response(held.rest);
            grip.inverse_mass += held.mass * response * response;
        }
        Some(grip)
    }

    /// How far an impulse at the point moves a particle, metres per kg·m. Times its mass, it is its weight in the mean.
    #[inline]
    pub fn response(&self, rest: Vec3) -> f32 {
        self.per_mass + self.slope.dot(rest - self.center)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn block(counts: [usize; 3]) -> Vec<Held> {
        let [width, height, depth] = counts;
        let held = |k: usize| Held {
            mass: 0.1 + 0.01 * (k % 7) as f32,
            rest: 0.1
                * Vec3::new(
                    (k % width) as f32,
                    (k / width % height) as f32,
                    (k / width / height) as f32,
                ),
            is_free: true,
        };
        (0..width * height * depth).map(held).collect()
    }

    fn mean(grip: &Grip, part: &[Held], place: impl Fn(Vec3) -> Vec3) -> Vec3 {
        part.iter()
            .map(|held| held.mass * grip.response(held.rest) * place(held.rest))
            .sum()
    }

    #[test]
    fn the_mean_is_at_the_point_however_the_part_is_turned_even_beyond_it() {
        let part = block([3, 4, 5]);
        let turn = Quat::from_rotation_y(1.0) * Quat::from_rotation_x(0.4);
        for point in [Vec3::new(0.1, 0.15, 0.2), Vec3::new(0.4, -0.1, 0.6)] {
            let grip = Grip::new(part.iter().copied(), point).expect("particles");
            let place = |rest: Vec3| turn * rest + Vec3::new(2.0, 0.0, -1.0);
            let found = mean(&grip, &part, place) + turn * grip.arm;
            assert!(found.distance(place(point)) < 1e-5, "{found}");
            assert!(grip.arm.length() < 0.02 * point.distance(grip.center) + 1e-6);
        }
    }

    #[test]
    fn an_impulse_at_the_point_keeps_momentum_and_moves_it_by_the_inverse_mass() {
        let part = block([3, 3, 4]);
        let (point, impulse) = (Vec3::new(0.25, 0.1, -0.1), Vec3::new(0.3, -0.2, 0.5));
        let grip = Grip::new(part.iter().copied(), point).expect("particles");
        let (mut push, mut turn) = (Vec3::ZERO, Vec3::ZERO);
        for held in &part {
            let own = held.mass * grip.response(held.rest) * impulse;
            push += own;
            turn += held.rest.cross(own);
        }
        assert!(push.distance(impulse) < 1e-5);
        assert!(turn.distance((point - grip.arm).cross(impulse)) < 1e-5);
        let moved = mean(&grip, &part, |rest| grip.response(rest) * impulse);
        assert!(moved.distance(grip.inverse_mass * impulse) < 1e-5 * moved.length());
    }

    #[test]
    fn a_single_particle_and_a_sheet_hold_points_beside_them_by_an_arm() {
        let single = block([1, 1, 1]);
        let point = Vec3::new(0.0, 0.3, 0.0);
        let grip = Grip::new(single.iter().copied(), point).expect("a particle");
        assert_eq!((grip.slope, grip.arm), (Vec3::ZERO, point));
        assert!((grip.inverse_mass * single[0].mass - 1.0).abs() < 1e-6);
        let sheet = block([4, 1, 4]);
        let grip = Grip::new(sheet.iter().copied(), point).expect("particles");
        assert!((grip.arm.y - 0.3).abs() < 1e-3 && grip.slope.is_finite());
        assert!(
            sheet
                .iter()
                .all(|held| (held.mass * grip.response(held.rest)).abs() < 1.0)
        );
        assert_eq!(Grip::new(std::iter::empty(), point), None);
    }

    #[test]
    fn what_is_pinned_takes_nothing() {
        let mut part = block([2, 2, 2]);
        part.iter_mut().for_each(|held| held.is_free = false);
        let grip = Grip::new(part.iter().copied(), Vec3::ZERO).expect("particles");
        assert_eq!(grip.inverse_mass, 0.0);
    }
}
