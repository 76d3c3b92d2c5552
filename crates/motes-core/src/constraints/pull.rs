//! A spring between a particle and a point of the world, solved with all other constraints, so that it carries whatever hangs
//! on the particle.
//!
//! XPBD with damping (Macklin et al. 2016, eq. 26) for all three coordinates at once, multiplied out so that
//! a spring without stiffness, which only damps, is one of them.

use glam::Vec3;

use crate::world::edits::Spring;

/// By how much the impulse of a spring changes in an iteration, kg·m: the particle, of an inverse mass, started the sub-step of `h` seconds at
/// `start` and is at `place`.
pub fn drawn(spring: &Spring, [start, place]: [Vec3; 2], impulse: Vec3, inverse_mass: f32, h: f32) -> Vec3 {
    let (stiffness, damping) = (spring.stiffness * h * h, spring.damping * h);
    let wanted = stiffness * (spring.target - place) + damping * (start - place);
    (wanted - impulse) / (1.0 + inverse_mass * (stiffness + damping))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One iteration is enough for a particle on its own: a step of implicit Euler.
    #[test]
    fn a_particle_ends_where_implicit_euler_has_it() {
        let spring = Spring {
            target: Vec3::X,
            stiffness: 30.0,
            damping: 2.0,
        };
        let (h, w, start, velocity) = (0.1, 0.5, Vec3::Y, Vec3::Z);
        let place = start + h * velocity;
        let change = drawn(&spring, [start, place], Vec3::ZERO, w, h);
        let end = place + w * change;
        let force = spring.stiffness * (spring.target - end) - spring.damping * (end - start) / h;
        assert!((change / (h * h)).distance(force) < 1e-3);
        assert!(drawn(&spring, [start, end], change, w, h).length() < 1e-6);
    }
}
