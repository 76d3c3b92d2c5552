//! How particles have moved since the mesh was hung on them, as what vertices blend: matrices, or dual quaternions (Kavan et al. 2008,
//! "Geometric skinning with approximate dual quaternion blending").

use glam::{Mat3, Quat, Vec4};
use motes_core::Pose;

/// How the motions of the particles that a vertex follows are mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blend {
    /// Their matrices: fast, and thin where limbs are twisted.
    #[default]
    Linear,
    /// Their dual quaternions: limbs keep their thickness, and bulge a little where they bend.
    DualQuaternion,
}

/// The motion of a particle from one pose to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Columns of the rotation, then the translation, metres.
    columns: [Vec4; 4],
    /// Rotation, and half the translation times it.
    dual: [Vec4; 2],
}

impl Motion {
    /// What takes a thing at one pose to another.
    pub fn between(from: Pose, to: Pose) -> Self {
        let rotation = (to.rotation * from.rotation.conjugate()).normalize();
        let translation = to.position - rotation * from.position;
        let [x, y, z] = Mat3::from_quat(rotation).to_cols_array_2d();
        let column = |[x, y, z]: [f32; 3]| Vec4::new(x, y, z, 0.0);
        let half = 0.5 * translation;
        let moving = Quat::from_xyzw(half.x, half.y, half.z, 0.0) * rotation;
        Self {
            columns: [column(x), column(y), column(z), translation.extend(0.0)],
            dual: [Vec4::from(rotation), Vec4::from(moving)],
        }
    }

    #[inline]
    pub(super) fn columns(&self) -> &[Vec4; 4] {
        &self.columns
    }

    #[inline]
    pub(super) fn dual(&self) -> &[Vec4; 2] {
        &self.dual
    }
}
