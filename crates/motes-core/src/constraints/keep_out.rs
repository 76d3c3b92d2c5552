//! What one contact with a collider needs to stop a rigid body alone, when all of its contacts together did not.

use glam::{Mat3, Vec3};

/// How deep a body may be in a collider, in radii of the particle there, before its contact is solved alone: what a few iterations
/// leave over of a body that only stands there is less.
pub const DEEP: f32 = 0.1;

/// Contacts of a body that are solved alone one after the other, at most.
pub const ROUNDS: u32 = 8;

/// Inverse mass, 1/kg, that an impulse along a unit normal meets at the end of an arm from the centre of a body.
pub fn inverse_mass_at(mass: f32, inverse_inertia: &Mat3, arm: Vec3, normal: Vec3) -> f32 {
    let turning = arm.cross(normal);
    1.0 / mass + turning.dot(*inverse_inertia * turning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_on_the_end_of_a_rod_meets_a_quarter_of_its_mass() {
        // A rod of 3 kg and 2 m: m/12 l² about its middle.
        let inverse_inertia = Mat3::from_diagonal(Vec3::new(0.0, 1.0, 1.0));
        let at = |arm: Vec3| inverse_mass_at(3.0, &inverse_inertia, arm, Vec3::Y);
        assert!((at(Vec3::X) - 4.0 / 3.0).abs() < 1e-6);
        assert!((at(Vec3::ZERO) - 1.0 / 3.0).abs() < 1e-6);
    }
}
