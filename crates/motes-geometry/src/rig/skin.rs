//! A mesh that follows the particles of its rig: linear blend skinning (Müller & Chentanez 2011, §7), or dual quaternions (Kavan et
//! al. 2008).

use glam::{Vec3, Vec4};
use motes_core::Pose;
use rayon::prelude::*;

use super::weights::VertexWeights;
use super::{Blend, Motion};
use crate::error::GeometryError;
use crate::mesh::Mesh;
use crate::shaded::smooth_normals;
use crate::skin::INFLUENCES;

/// Vertices that one thread takes at a time.
const CHUNK: usize = 4096;

/// A mesh hung on the particles of a rig.
#[derive(Clone, Debug, PartialEq)]
pub struct RigSkin {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    weights: VertexWeights,
    particles: usize,
}

impl RigSkin {
    /// Hangs a mesh on particles, of which there are `particles`, by the weights of its vertices.
    pub fn new(mesh: &Mesh, weights: VertexWeights, particles: usize) -> Result<Self, GeometryError> {
        mesh.check()?;
        if particles == 0 {
            return Err(GeometryError::NoParticles);
        }
        let vertices = mesh.positions.len();
        if weights.indices.len() != vertices || weights.weights.len() != vertices {
            return Err(GeometryError::WrongWeights {
                found: weights.len(),
                vertices,
            });
        }
        let missing = |indices: &[u32; INFLUENCES]| indices.iter().any(|&index| index as usize >= particles);
        if let Some(link) = weights.indices.iter().position(missing) {
            return Err(GeometryError::MissingParticle { link });
        }
        Ok(Self {
            normals: smooth_normals(&mesh.positions, &mesh.triangles),
            positions: mesh.positions.clone(),
            triangles: mesh.triangles.clone(),
            weights,
            particles,
        })
    }

    /// The same with other unit normals at the vertices, if there are as many.
    pub fn with_normals(self, normals: Vec<Vec3>) -> Self {
        if normals.len() == self.positions.len() {
            Self { normals, ..self }
        } else {
            self
        }
    }

    /// Vertices as the mesh was hung up, metres.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Unit normals of the vertices as the mesh was hung up.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Vertex indices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// What each vertex follows.
    pub fn weights(&self) -> &VertexWeights {
        &self.weights
    }

    /// How many particles the mesh hangs on.
    pub fn particles(&self) -> usize {
        self.particles
    }

    /// How particles have moved from the poses at which the mesh was hung up to those they have.
    ///
    /// # Panics
    /// If there are not as many poses as particles.
    pub fn motions(&self, bind: &[Pose], poses: &[Pose]) -> Vec<Motion> {
        assert!(
            bind.len() == self.particles && poses.len() == self.particles,
            "the mesh hangs on {} particles, found {} and {} poses",
            self.particles,
            bind.len(),
            poses.len()
        );
        bind.iter()
            .zip(poses)
            .map(|(from, to)| Motion::between(*from, *to))
            .collect()
    }

    /// Vertices, metres, and their unit normals after the particles have moved, into memory that is there.
    ///
    /// # Panics
    /// If there are not as many motions as particles.
    pub fn deform_into(&self, motions: &[Motion], blend: Blend, positions: &mut Vec<Vec3>, normals: &mut Vec<Vec3>) {
        assert_eq!(motions.len(), self.particles, "a motion for each particle");
        positions.resize(self.positions.len(), Vec3::ZERO);
        normals.resize(self.positions.len(), Vec3::ZERO);
        let chunks = positions.par_chunks_mut(CHUNK).zip(normals.par_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(chunk, (positions, normals))| {
            let first = chunk * CHUNK;
            let range = first..first + positions.len();
            let vertices = Vertices {
                positions: &self.positions[range.clone()],
                normals: &self.normals[range.clone()],
                indices: &self.weights.indices[range.clone()],
                weights: &self.weights.weights[range],
            };
            match blend {
                Blend::Linear => linear(&vertices, motions, positions, normals),
                Blend::DualQuaternion => dual_quaternions(&vertices, motions, positions, normals),
            }
        });
    }

    /// As [`deform_into`](Self::deform_into), into new memory.
    pub fn deform(&self, motions: &[Motion], blend: Blend) -> (Vec<Vec3>, Vec<Vec3>) {
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        self.deform_into(motions, blend, &mut positions, &mut normals);
        (positions, normals)
    }
}

/// Some of the vertices.
struct Vertices<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    indices: &'a [[u32; INFLUENCES]],
    weights: &'a [[f32; INFLUENCES]],
}

impl Vertices<'_> {
    fn each(&self) -> impl Iterator<Item = (Vec3, Vec3, &[u32; INFLUENCES], &[f32; INFLUENCES])> {
        let places = self.positions.iter().zip(self.normals);
        let pulls = self.indices.iter().zip(self.weights);
        places
            .zip(pulls)
            .map(|((&position, &normal), (indices, weights))| (position, normal, indices, weights))
    }
}

/// Σ w M v.
fn linear(vertices: &Vertices, motions: &[Motion], positions: &mut [Vec3], normals: &mut [Vec3]) {
    let outputs = positions.iter_mut().zip(normals);
    for ((position, normal, indices, weights), (moved, turned)) in vertices.each().zip(outputs) {
        let mut columns = [Vec4::ZERO; 4];
        for (&index, &weight) in indices.iter().zip(weights) {
            let motion = motions[index as usize].columns();
            for (column, part) in columns.iter_mut().zip(motion) {
                *column += weight * *part;
            }
        }
        let [x, y, z, shift] = columns;
        *moved = (x * position.x + y * position.y + z * position.z + shift).truncate();
        *turned = (x * normal.x + y * normal.y + z * normal.z)
            .truncate()
            .normalize_or(normal);
    }
}

/// The unit dual quaternion along Σ w q̂, all on one side of the first.
fn dual_quaternions(vertices: &Vertices, motions: &[Motion], positions: &mut [Vec3], normals: &mut [Vec3]) {
    let outputs = positions.iter_mut().zip(normals);
    for ((position, normal, indices, weights), (moved, turned)) in vertices.each().zip(outputs) {
        let pivot = motions[indices[0] as usize].dual()[0];
        let (mut real, mut moving) = (Vec4::ZERO, Vec4::ZERO);
        for (&index, &weight) in indices.iter().zip(weights) {
            let [rotation, part] = *motions[index as usize].dual();
            let weight = if rotation.dot(pivot) < 0.0 { -weight } else { weight };
            real += weight * rotation;
            moving += weight * part;
        }
        let scale = real.length_recip();
        let (real, moving) = if scale.is_finite() {
            (real * scale, moving * scale)
        } else {
            (pivot, motions[indices[0] as usize].dual()[1])
        };
        let (axis, cosine) = (real.truncate(), real.w);
        let turn = |v: Vec3| v + 2.0 * axis.cross(axis.cross(v) + cosine * v);
        let shift = 2.0 * (cosine * moving.truncate() - moving.w * axis + axis.cross(moving.truncate()));
        *moved = turn(position) + shift;
        *turned = turn(normal);
    }
}
