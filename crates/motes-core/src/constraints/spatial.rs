//! Six-dimensional vectors and symmetric tensors of rigid bodies (Featherstone, *Rigid Body Dynamics Algorithms*, ch. 2).

use std::ops::{Add, AddAssign, Neg, Sub};

use glam::{Mat3, Vec3};

use super::attachment::cross;

/// A small displacement of a body (metres, radians), or an impulse times time on it (kg·m, kg·m²).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spatial {
    /// Along the axes.
    pub linear: Vec3,
    /// About the axes.
    pub angular: Vec3,
}

impl Spatial {
    /// Nothing.
    pub const ZERO: Self = Self {
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
    };

    /// The displacement of a point of a body, of that of its centre; of the centre, if the arm leads there.
    pub fn displacement_at(self, arm: Vec3) -> Self {
        Self {
            linear: self.linear + self.angular.cross(arm),
            ..self
        }
    }

    /// The sum of the products of all components: the work of an impulse on a displacement.
    pub fn dot(self, other: Self) -> f32 {
        self.linear.dot(other.linear) + self.angular.dot(other.angular)
    }

    /// So many times as much.
    pub fn scaled(self, factor: f32) -> Self {
        Self {
            linear: factor * self.linear,
            angular: factor * self.angular,
        }
    }

    /// The impulse about the centre, of one at the end of an arm.
    pub fn impulse_from(self, arm: Vec3) -> Self {
        Self {
            angular: self.angular + arm.cross(self.linear),
            ..self
        }
    }
}

impl Add for Spatial {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            linear: self.linear + other.linear,
            angular: self.angular + other.angular,
        }
    }
}

impl AddAssign for Spatial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Spatial {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            linear: -self.linear,
            angular: -self.angular,
        }
    }
}

impl Sub for Spatial {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

/// A symmetric tensor between impulses and displacements, as the blocks of `[along, crossᵀ; cross, turning]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialTensor {
    /// From linear to linear.
    pub along: Mat3,
    /// From linear to angular.
    pub cross: Mat3,
    /// From angular to angular.
    pub turning: Mat3,
}

impl SpatialTensor {
    /// Nothing.
    pub const ZERO: Self = Self {
        along: Mat3::ZERO,
        cross: Mat3::ZERO,
        turning: Mat3::ZERO,
    };

    /// The mobility of a free body at its centre: the displacement by an impulse.
    pub fn of_body(inverse_mass: f32, inverse_inertia: Mat3) -> Self {
        Self {
            along: Mat3::from_diagonal(Vec3::splat(inverse_mass)),
            cross: Mat3::ZERO,
            turning: inverse_inertia,
        }
    }

    /// The same with so much of the outer product of a vector with itself.
    pub fn plus_outer(&self, vector: Spatial, factor: f32) -> Self {
        let Spatial { linear, angular } = vector;
        let outer = |a: Vec3, b: Vec3| Mat3::from_cols(a * (factor * b.x), a * (factor * b.y), a * (factor * b.z));
        Self {
            along: self.along + outer(linear, linear),
            cross: self.cross + outer(angular, linear),
            turning: self.turning + outer(angular, angular),
        }
    }

    /// The product with a vector.
    pub fn times(&self, vector: Spatial) -> Spatial {
        Spatial {
            linear: self.along * vector.linear + self.cross.transpose() * vector.angular,
            angular: self.cross * vector.linear + self.turning * vector.angular,
        }
    }

    /// The mobility at the end of an arm, of that where the arm begins.
    pub fn at(&self, arm: Vec3) -> Self {
        let arm = cross(arm);
        let cross = self.cross + self.turning * arm;
        Self {
            along: self.along + self.cross.transpose() * arm - arm * cross,
            cross,
            turning: self.turning,
        }
    }

    /// The inverse, restricted to the linear and the angular motion that two projections leave; zero for the rest. As much
    /// is added to the angular mobility as a share of it, so that what cannot turn at all has an inverse too.
    pub fn inverse(&self, points: &Mat3, held: &Mat3, share: f32) -> Self {
        let along = if *points == Mat3::IDENTITY {
            self.along.inverse()
        } else if *points == Mat3::ZERO {
            Mat3::ZERO
        } else {
            let size = self.along.x_axis.x + self.along.y_axis.y + self.along.z_axis.z;
            let full = *points * self.along * *points + (Mat3::IDENTITY - *points) * size;
            *points * full.inverse() * *points
        };
        let size = self.turning.x_axis.x + self.turning.y_axis.y + self.turning.z_axis.z;
        if *held == Mat3::ZERO || size <= 0.0 {
            return Self { along, ..Self::ZERO };
        }
        let reach = self.cross * along;
        let free = *held * (self.turning - reach * self.cross.transpose()) * *held;
        let full = free + Mat3::from_diagonal(Vec3::splat((1.0 + share) * size)) - *held * size;
        let turning = *held * full.inverse() * *held;
        let back = turning * reach;
        Self {
            along: along + reach.transpose() * back,
            cross: -back,
            turning,
        }
    }
}

impl Add for SpatialTensor {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            along: self.along + other.along,
            cross: self.cross + other.cross,
            turning: self.turning + other.turning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> SpatialTensor {
        let inertia = Mat3::from_cols(
            Vec3::new(3.0, 0.5, 0.2),
            Vec3::new(0.5, 2.0, -0.3),
            Vec3::new(0.2, -0.3, 4.0),
        );
        SpatialTensor::of_body(0.5, inertia)
    }

    #[test]
    fn a_mobility_at_a_point_is_that_of_the_centre_by_the_lever() {
        let arm = Vec3::new(0.3, -0.2, 0.5);
        let impulse = Spatial {
            linear: Vec3::new(1.0, 2.0, -0.5),
            angular: Vec3::new(-0.4, 0.3, 0.9),
        };
        let there = some().at(arm).times(impulse);
        let expected = some().times(impulse.impulse_from(arm)).displacement_at(arm);
        assert!((there - expected).linear.length() < 1e-5 && (there - expected).angular.length() < 1e-5);
        let back = some().at(arm).at(-arm);
        assert!(back.along.abs_diff_eq(some().along, 1e-5) && back.cross.abs_diff_eq(Mat3::ZERO, 1e-5));
    }

    #[test]
    fn an_inverse_undoes_what_is_held_and_leaves_the_rest_alone() {
        let tensor = some().at(Vec3::new(0.3, -0.2, 0.5));
        let axis = Vec3::new(0.6, 0.0, 0.8);
        let hinge = Mat3::IDENTITY - Mat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        let wanted = Spatial {
            linear: Vec3::new(0.1, -0.2, 0.3),
            angular: Vec3::new(0.2, 0.1, -0.1),
        };
        for held in [Mat3::ZERO, hinge, Mat3::IDENTITY] {
            let impulse = tensor.inverse(&Mat3::IDENTITY, &held, 1e-6).times(wanted);
            let found = tensor.times(impulse);
            assert!((found.linear - wanted.linear).length() < 1e-4, "{held}");
            assert!((held * (found.angular - wanted.angular)).length() < 1e-4, "{held}");
            assert!(
                (impulse.angular - held * impulse.angular).length() < 1e-4,
                "{held}: {impulse:?}"
            );
        }
    }
}
