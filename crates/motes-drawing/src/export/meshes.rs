//! Bodies as one mesh, Stanford PLY, binary little endian: the topology never changes, so that a sequence of files plays
//! back as one deforming mesh.

use std::io::{self, Write};

use glam::Vec3;
use motes_core::World;
use motes_scene::Looks;

use super::write_floats;
use crate::surface::Surface;

/// Vertices and triangles of bodies, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergedMesh {
    /// Place, metres, sRGB colour, and number of the body.
    vertices: Vec<(Vec3, [u8; 3], u32)>,
    triangles: Vec<[u32; 3]>,
}

impl MergedMesh {
    /// All bodies as they are, numbered as among the looks. One that is gone is drawn together into a point, so that no
    /// vertex changes its number.
    pub fn of(world: &mut World, looks: &Looks) -> Self {
        let mut all = Self::default();
        for (number, look) in (0..).zip(&looks.bodies) {
            let mesh = &look.form.mesh;
            let vertices = match Surface::of(world, look) {
                Some(surface) => surface.vertices(look),
                None => vec![Vec3::ZERO; mesh.positions.len()],
            };
            all.add(number, &vertices, &mesh.triangles, look.color.0);
        }
        all
    }

    /// Adds a body of that number: vertices, metres, triangles between them, and an sRGB colour.
    pub fn add(&mut self, body: u32, vertices: &[Vec3], triangles: &[[u32; 3]], color: [u8; 3]) {
        let first = self.vertices.len() as u32;
        self.vertices
            .extend(vertices.iter().map(|vertex| (*vertex, color, body)));
        let shifted = triangles.iter().map(|triangle| triangle.map(|corner| first + corner));
        self.triangles.extend(shifted);
    }

    /// Writes the mesh with a colour and the number of the body at every vertex.
    pub fn write_ply(&self, mut out: impl Write) -> io::Result<()> {
        write!(
            out,
            "ply\nformat binary_little_endian 1.0\ncomment motes, metres\nelement vertex {}\n\
             property float x\nproperty float y\nproperty float z\n\
             property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uint body\n\
             element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
            self.vertices.len(),
            self.triangles.len()
        )?;
        for (position, color, body) in &self.vertices {
            write_floats(&mut out, &position.to_array())?;
            out.write_all(color)?;
            out.write_all(&body.to_le_bytes())?;
        }
        for [a, b, c] in &self.triangles {
            out.write_all(&[3])?;
            for corner in [a, b, c] {
                out.write_all(&corner.to_le_bytes())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use motes_geometry::{Format, Mesh, ReadOptions, parse_mesh};

    #[test]
    fn what_is_written_is_read_back_as_one_mesh() {
        let brick = Mesh::cuboid(Vec3::ONE);
        let mut merged = MergedMesh::default();
        merged.add(0, &brick.positions, &brick.triangles, [255, 0, 0]);
        let moved: Vec<Vec3> = brick.positions.iter().map(|place| *place + Vec3::X * 5.0).collect();
        merged.add(1, &moved, &brick.triangles, [0, 255, 0]);
        let mut bytes = Vec::new();
        merged.write_ply(&mut bytes).expect("written");
        let mesh = parse_mesh(&bytes, Format::Ply, &ReadOptions::default()).expect("a mesh");
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (16, 24));
        assert!(mesh.is_watertight());
        assert!((mesh.volume() - 16.0).abs() < 1e-4);
    }
}
