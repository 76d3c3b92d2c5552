//! Volume, centre of mass and inertia of the solid inside a mesh, by the divergence theorem: sums over the tetrahedra
//! between a point and each triangle.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use crate::mesh::Mesh;

/// What a solid of density 1 weighs and how it turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Integrals {
    /// Volume, cubic metres; negative for a mesh that is inside out.
    pub volume: f64,
    /// Centre of mass, metres; the middle of the vertices if there is no volume.
    pub centroid: DVec3,
    /// Sums of products of the coordinates about the centre of mass, ∫ r rᵀ dV, m⁵.
    pub second_moments: DMat3,
}

impl Integrals {
    /// Inertia tensor about the centre of mass for a density of 1 kg/m³, kg·m².
    pub fn inertia(&self) -> DMat3 {
        inertia(&self.second_moments)
    }
}

/// The inertia tensor that belongs to second moments: trace on the diagonal, less the moments.
pub fn inertia(second_moments: &DMat3) -> DMat3 {
    let trace = second_moments.x_axis.x + second_moments.y_axis.y + second_moments.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - *second_moments
}

pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

impl Mesh {
    /// Volume, centre of mass and second moments; meaningful for a watertight mesh.
    pub fn integrals(&self) -> Integrals {
        let count = self.positions.len().max(1) as f64;
        let middle = self.positions.iter().map(|position| position.as_dvec3()).sum::<DVec3>() / count;
        let sums = self.chunks().map(|chunk| {
            let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
            for corners in self.corners_of(chunk) {
                let [a, b, c] = corners.map(|corner| corner.as_dvec3() - middle);
                let tetrahedron = a.dot(b.cross(c)) / 6.0;
                let sum = a + b + c;
                volume += tetrahedron;
                first += tetrahedron / 4.0 * sum;
                second += (tetrahedron / 20.0) * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum));
            }
            (volume, first, second)
        });
        let sums: Vec<(f64, DVec3, DMat3)> = sums.collect();
        let (volume, first, second) = sums
            .iter()
            .fold((0.0, DVec3::ZERO, DMat3::ZERO), |(volume, first, second), sum| {
                (volume + sum.0, first + sum.1, second + sum.2)
            });
        let size = f64::from(self.bounds().size().max_element().max(0.0));
        if volume.abs() <= 1e-12 * size.powi(3) || !volume.is_finite() {
            return Integrals {
                volume: 0.0,
                centroid: middle,
                second_moments: DMat3::ZERO,
            };
        }
        let offset = first / volume;
        Integrals {
            volume,
            centroid: middle + offset,
            second_moments: second - volume * outer(offset, offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use glam::{Affine3A, Quat, Vec3};

    #[test]
    fn a_brick_far_from_the_origin_has_the_inertia_of_its_edges() {
        let brick =
            cuboid(Vec3::new(0.5, 1.0, 1.5)).transformed(&Affine3A::from_translation(Vec3::new(40.0, -7.0, 3.0)));
        let found = brick.integrals();
        assert!((found.volume - 6.0).abs() < 1e-4);
        assert!((found.centroid - DVec3::new(40.0, -7.0, 3.0)).length() < 1e-5);
        let inertia = found.inertia();
        let expected = DVec3::new(4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0) / 2.0;
        for axis in 0..3 {
            assert!((inertia.col(axis)[axis] - expected[axis]).abs() < 1e-4, "{inertia}");
        }
        assert!(inertia.y_axis.x.abs() < 1e-4);
    }

    #[test]
    fn turning_a_solid_turns_its_inertia() {
        let brick = cuboid(Vec3::new(0.5, 1.0, 1.5));
        let turn = Quat::from_rotation_z(0.4) * Quat::from_rotation_x(1.1);
        let turned = brick
            .clone()
            .transformed(&Affine3A::from_quat(turn))
            .integrals()
            .inertia();
        let matrix = DMat3::from_quat(turn.as_dquat());
        let expected = matrix * brick.integrals().inertia() * matrix.transpose();
        assert!((turned - expected).abs_diff_eq(DMat3::ZERO, 1e-5));
    }

    #[test]
    fn flat_and_empty_meshes_have_no_volume() {
        assert_eq!(Mesh::default().integrals().volume, 0.0);
        let flat = cuboid(Vec3::new(1.0, 0.0, 1.0)).integrals();
        assert_eq!(flat.volume, 0.0);
        assert!(flat.centroid.is_finite());
    }
}
