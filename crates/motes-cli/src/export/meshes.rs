//! Bodies as one mesh, Stanford PLY, binary little endian: the topology never changes, so that a sequence of files plays
//! back as one deforming mesh.

use std::path::Path;

use anyhow::Result;
use glam::Vec3;
use motes_render::write_file;

/// Vertices and triangles of all bodies, one after the other.
#[derive(Debug, Default)]
pub(crate) struct MergedMesh {
    vertices: Vec<(Vec3, [u8; 3], u32)>,
    triangles: Vec<[u32; 3]>,
}

impl MergedMesh {
    /// Adds a body, which has a number and a colour.
    pub(crate) fn add(&mut self, body: u32, vertices: &[Vec3], triangles: &[[u32; 3]], color: [u8; 3]) {
        let first = self.vertices.len() as u32;
        self.vertices
            .extend(vertices.iter().map(|vertex| (*vertex, color, body)));
        let shifted = triangles.iter().map(|triangle| triangle.map(|corner| first + corner));
        self.triangles.extend(shifted);
    }

    /// Writes the mesh with a colour and the number of the body at every vertex.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut bytes = format!(
            "ply\nformat binary_little_endian 1.0\ncomment motes, metres\nelement vertex {}\n\
             property float x\nproperty float y\nproperty float z\n\
             property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uint body\n\
             element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
            self.vertices.len(),
            self.triangles.len()
        )
        .into_bytes();
        for (position, color, body) in &self.vertices {
            bytes.extend(position.to_array().iter().flat_map(|value| value.to_le_bytes()));
            bytes.extend(color);
            bytes.extend(body.to_le_bytes());
        }
        for triangle in &self.triangles {
            bytes.push(3);
            bytes.extend(triangle.iter().flat_map(|corner| corner.to_le_bytes()));
        }
        Ok(write_file(path, &bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use motes_geometry::{Mesh, ReadOptions, read_mesh};

    #[test]
    fn what_is_written_is_read_back_as_one_mesh() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.ply");
        let brick = Mesh::cuboid(Vec3::ONE);
        let mut merged = MergedMesh::default();
        merged.add(0, &brick.positions, &brick.triangles, [255, 0, 0]);
        let moved: Vec<Vec3> = brick.positions.iter().map(|place| *place + Vec3::X * 5.0).collect();
        merged.add(1, &moved, &brick.triangles, [0, 255, 0]);
        merged.write(&path).expect("written");
        let mesh = read_mesh(&path, &ReadOptions::default()).expect("a mesh");
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (16, 24));
        assert!(mesh.is_watertight());
        assert!((mesh.volume() - 16.0).abs() < 1e-4);
    }
}
