//! How a particle with an orientation turns (Müller & Chentanez 2011, eq. 10–15), with what the paper leaves out: that an ellipsoid which
//! nothing touches keeps its angular momentum, not its angular velocity.

use glam::{Quat, Vec3};

use super::ellipsoid::Ellipsoid;

/// Turns further than this in a sub-step, radians, an ellipsoid keeps its angular velocity: its momentum would need more rounds to follow.
pub const FOLLOWS: f32 = 0.7;

/// Where an orientation gets to by a turn, axis times angle (eq. 11).
#[inline]
pub fn turned(from: Quat, turn: Vec3) -> Quat {
    let half = 0.5 * turn;
    let squared = half.length_squared();
    // The series is exact to the last bit where the sine over its angle would divide by nearly nothing.
    let (over, cosine) = if squared < 1e-4 {
        (1.0 - squared / 6.0, 1.0 - 0.5 * squared)
    } else {
        let angle = squared.sqrt();
        (angle.sin() / angle, angle.cos())
    };
    let turn = over * half;
    (Quat::from_xyzw(turn.x, turn.y, turn.z, cosine) * from).normalize()
}

/// The turn, axis times angle, that leads from one orientation to another (eq. 14), of all that do the shortest.
#[inline]
pub fn between(from: Quat, to: Quat) -> Vec3 {
    let way = to * from.conjugate();
    let way = if way.w < 0.0 { -way } else { way };
    let axis = Vec3::new(way.x, way.y, way.z);
    let sine = axis.length();
    let over = if sine < 0.05 {
        // 2 asin(s)/s near zero.
        let squared = sine * sine;
        2.0 + squared / 3.0 + 0.15 * squared * squared
    } else {
        2.0 * sine.atan2(way.w) / sine
    };
    axis * over
}

/// The same turn, of all that lead there the one nearest to an expected turn: what spins fast may go round more than half way in a sub-step.
#[inline]
pub fn between_near(from: Quat, to: Quat, expected: Vec3) -> Vec3 {
    let shortest = between(from, to);
    let angle = shortest.length();
    if expected.length_squared() < 4.0 || angle < 1e-3 {
        return shortest;
    }
    let axis = shortest / angle;
    let rounds = ((expected.dot(axis) - angle) / std::f32::consts::TAU).round();
    axis * (angle + rounds * std::f32::consts::TAU)
}

/// The turn that one turn and then another small one come to. Where both are small, the series (Baker, Campbell and Hausdorff) loses less to rounding
/// than quaternions do.
#[inline]
pub fn joined(turn: Vec3, further: Vec3, from: Quat) -> Vec3 {
    if turn.length_squared() < 0.04 && further.length_squared() < 1e-4 {
        let across = further.cross(turn);
        return turn + further + 0.5 * across + (further - turn).cross(across) / 12.0;
    }
    let end = turned(turned(from, turn), further);
    between_near(from, end, turn + further)
}

/// Moments of inertia of a solid ellipsoid about its axes for each kg, m².
pub fn inertia(radii: Vec3) -> Vec3 {
    let squares = radii * radii;
    0.2 * Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y)
}

/// How an ellipsoid answers to a torque, as grains do that have [`TURNING`](super::rolling::TURNING) for it: the inverse of its inertia for each kg, times the
/// square of the radius that the ways of its rim are measured by, about the axes of the world.
pub fn yields(rotation: Quat, radii: Vec3, radius: f32) -> Ellipsoid {
    Ellipsoid::turned(rotation, radius * radius / inertia(radii))
}

/// The angular velocity, rad/s, with which an ellipsoid goes on that had another in the sub-step before, of length `h_before`, and that nothing
/// touches: its angular momentum, with its inertia half way through either sub-step, stays as it was.
pub fn precessed(rotation: Quat, radii: Vec3, velocity: Vec3, [h_before, h]: [f32; 2]) -> Vec3 {
    let inertia = inertia(radii);
    let speed = velocity.length();
    if inertia.min_element() == inertia.max_element() || speed * h.max(h_before) > FOLLOWS {
        return velocity;
    }
    let before = turned(rotation, -0.5 * h_before * velocity);
    let momentum = before * (inertia * (before.conjugate() * velocity));
    let mut found = velocity;
    for _ in 0..3 {
        let halfway = turned(rotation, 0.5 * h * found);
        found = halfway * ((halfway.conjugate() * momentum) / inertia);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_quarter_turn_a_second_is_half_a_turn_after_two() {
        let spin = std::f32::consts::FRAC_PI_2 * Vec3::Y;
        let end = turned(Quat::IDENTITY, 2.0 * spin);
        assert!((end * Vec3::X + Vec3::X).length() < 1e-6);
    }

    #[test]
    fn nothing_is_lost_of_the_slowest_spin() {
        let turn = Vec3::new(1e-12, -2e-12, 3e-13);
        let found = between(Quat::IDENTITY, turned(Quat::IDENTITY, turn));
        assert!((found - turn).length() < 1e-5 * turn.length(), "{found}");
        assert_eq!(turned(Quat::IDENTITY, Vec3::ZERO), Quat::IDENTITY);
        assert_eq!(between(Quat::IDENTITY, Quat::IDENTITY), Vec3::ZERO);
    }

    #[test]
    fn what_spins_fast_is_known_by_what_was_expected() {
        for angle in [0.1, 2.5, 4.0, 7.0, 30.0] {
            let turn = angle * Vec3::new(0.6, 0.0, 0.8);
            let end = turned(Quat::from_rotation_x(0.3), turn);
            let found = between_near(Quat::from_rotation_x(0.3), end, 1.05 * turn);
            assert!((found - turn).length() < 1e-4, "{found} {turn}");
        }
    }

    #[test]
    fn turns_join_to_the_same_whether_small_or_large() {
        let from = Quat::from_rotation_y(0.4);
        for size in [0.1f32, 0.19, 0.21, 2.0] {
            let (turn, further) = (size * Vec3::new(0.6, 0.8, 0.0), Vec3::new(0.002, -0.003, 0.008));
            let end = turned(turned(from, turn), further);
            assert!(
                (turned(from, joined(turn, further, from)) - end).length() < 3e-7,
                "{size}"
            );
        }
    }

    #[test]
    fn a_ball_has_two_fifths_of_its_mass_times_the_square_of_its_radius() {
        assert!((inertia(Vec3::splat(2.0)) - Vec3::splat(1.6)).length() < 1e-6);
        assert!((inertia(Vec3::new(3.0, 2.0, 1.0)) - Vec3::new(1.0, 2.0, 2.6)).length() < 1e-6);
        let answer = yields(Quat::IDENTITY, Vec3::splat(0.3), 0.3);
        assert!((answer.diagonal - Vec3::splat(2.5)).length() < 1e-5);
    }

    #[test]
    fn a_thrown_ellipsoid_keeps_angular_momentum_and_energy() {
        let (radii, h) = (Vec3::new(0.3, 0.2, 0.1), 1.0 / 120.0);
        let inertia = inertia(radii);
        let (mut rotation, mut velocity) = (Quat::IDENTITY, Vec3::new(0.3, 8.0, 0.2));
        let (momentum, energy) = (inertia * velocity, velocity.dot(inertia * velocity));
        let mut furthest: f32 = 0.0;
        for _ in 0..1200 {
            velocity = precessed(rotation, radii, velocity, [h, h]);
            let halfway = turned(rotation, 0.5 * h * velocity);
            let own = halfway.conjugate() * velocity;
            assert!((halfway * (inertia * own) - momentum).length() < 0.02 * momentum.length());
            assert!((own.dot(inertia * own) / energy - 1.0).abs() < 0.05);
            furthest = furthest.max(own.x.abs().max(own.z.abs()));
            rotation = turned(rotation, h * velocity);
        }
        // About the middle axis it does not go on for long: it turns over.
        assert!(furthest > 4.0, "{furthest}");
    }

    proptest! {
        #[test]
        fn a_turn_is_found_again(axis in prop::array::uniform3(-1.0f32..1.0), start in prop::array::uniform3(-1.0f32..1.0)) {
            let (turn, start) = (Vec3::from(axis), Quat::from_scaled_axis(start.into()));
            prop_assert!((between(start, turned(start, turn)) - turn).length() < 1e-5);
        }
    }
}
