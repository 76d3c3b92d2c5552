//! Generators think that y is up; scenes may think that z is.

use glam::{Quat, Vec3};

use crate::model::Up;

/// Maps between the coordinates of a scene and those of the generators, without rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Upright(pub(crate) Up);

impl Upright {
    /// A point or direction of the scene, as generators see it.
    pub(crate) fn to_generator(self, vector: Vec3) -> Vec3 {
        match self.0 {
            Up::Y => vector,
            Up::Z => Vec3::new(vector.x, vector.z, -vector.y),
        }
    }

    /// A point or direction of a generator, as the scene sees it.
    pub(crate) fn to_scene(self, vector: Vec3) -> Vec3 {
        match self.0 {
            Up::Y => vector,
            Up::Z => Vec3::new(vector.x, -vector.z, vector.y),
        }
    }

    /// A rotation of the scene, as generators see it.
    pub(crate) fn turn_to_generator(self, rotation: Quat) -> Quat {
        let axis = self.to_generator(Vec3::new(rotation.x, rotation.y, rotation.z));
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    /// The rotation that stands a generated shape up in the scene.
    pub(crate) fn rotation(self) -> Quat {
        match self.0 {
            Up::Y => Quat::IDENTITY,
            Up::Z => Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_is_up_and_there_and_back_is_nowhere() {
        let z = Upright(Up::Z);
        assert_eq!(z.to_scene(Vec3::Y), Vec3::Z);
        let vector = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(z.to_scene(z.to_generator(vector)), vector);
        assert!((z.rotation() * vector - z.to_scene(vector)).length() < 1e-5);
    }

    #[test]
    fn a_turn_means_the_same_on_both_sides() {
        let z = Upright(Up::Z);
        let turn = Quat::from_rotation_z(0.7);
        let point = Vec3::new(0.3, -1.0, 2.0);
        let generated = z.turn_to_generator(turn) * z.to_generator(point);
        assert!((z.to_scene(generated) - turn * point).length() < 1e-5);
    }
}
