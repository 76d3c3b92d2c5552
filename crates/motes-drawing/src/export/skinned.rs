//! A mesh that hangs on joints, for formats that know such meshes.

use std::sync::Arc;

use motes_core::Pose;
use motes_geometry::{Blend, Creased, GeometryError, Mesh, RigSkin, ShadedMesh, VertexWeights};
use motes_scene::CreatureForm;

/// A mesh whose vertices follow joints, at most four each.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinnedMesh {
    /// The mesh at rest.
    pub rest: ShadedMesh,
    /// What the vertices follow, and how they move.
    pub skin: RigSkin,
    /// Poses of the joints at rest.
    pub bind: Vec<Pose>,
}

impl SkinnedMesh {
    /// The mesh of a creature, with vertices split along edges where triangles meet at more than an angle, degrees.
    pub(super) fn of_form(form: &CreatureForm, angle: f32) -> Result<Arc<Self>, GeometryError> {
        let creased = Creased::new(&form.mesh, angle);
        let rest = creased.shaded(&form.mesh.positions);
        let followed = form.skin.weights();
        let mut weights = VertexWeights::default();
        for &source in creased.sources() {
            weights.indices.push(followed.indices[source as usize]);
            weights.weights.push(followed.weights[source as usize]);
        }
        let mesh = Mesh::new(rest.positions.clone(), rest.triangles.clone());
        let skin = RigSkin::new(&mesh, weights, form.bind.len())?;
        Ok(Arc::new(Self {
            skin: skin.with_normals(rest.normals.clone()),
            rest,
            bind: form.bind.clone(),
        }))
    }

    /// The mesh when its joints are at some poses.
    pub fn posed(&self, poses: &[Pose]) -> ShadedMesh {
        let motions = self.skin.motions(&self.bind, poses);
        let (positions, normals) = self.skin.deform(&motions, Blend::DualQuaternion);
        ShadedMesh {
            positions,
            normals,
            ..self.rest.clone()
        }
    }
}
