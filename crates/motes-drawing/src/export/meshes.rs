//! Objects as one mesh, Stanford PLY, binary little endian. Vertices and triangles keep their numbers from frame to frame while
//! no object changes its own, so that a sequence of files plays back as one deforming mesh.

use std::collections::HashMap;
use std::io::{self, Write};

use glam::{Vec2, Vec3};
use motes_geometry::ShadedMesh;

use super::snapshot::{Paint, Snapshot};
use super::write_floats;

/// The objects of a run, one after the other, as they were in the last frame that was taken over.
#[derive(Clone, Debug, Default)]
pub struct MeshSequence {
    /// In the order in which they first came.
    parts: Vec<Part>,
    /// Their numbers by name.
    numbers: HashMap<String, usize>,
}

#[derive(Clone, Debug)]
struct Part {
    paint: Paint,
    mesh: ShadedMesh,
}

impl MeshSequence {
    /// Takes over a frame. An object that is gone is drawn together into a point at the origin, so that those behind it keep
    /// their numbers.
    pub fn follow(&mut self, snapshot: &Snapshot) {
        for part in &mut self.parts {
            part.mesh.positions.fill(Vec3::ZERO);
        }
        for object in snapshot.objects.iter().filter(|object| object.geometry.is_sound()) {
            let part = Part {
                paint: object.paint,
                mesh: object.geometry.placed(),
            };
            match self.numbers.get(&object.name) {
                Some(&number) => self.parts[number] = part,
                None => {
                    self.numbers.insert(object.name.clone(), self.parts.len());
                    self.parts.push(part);
                }
            }
        }
    }

    /// Writes the mesh with normals, colours, the number of the object and, if any object has them, texture coordinates at
    /// every vertex.
    pub fn write_ply(&self, mut out: impl Write) -> io::Result<()> {
        let vertices: usize = self.parts.iter().map(|part| part.mesh.positions.len()).sum();
        let triangles: usize = self.parts.iter().map(|part| part.mesh.triangles.len()).sum();
        let has_uvs = self.parts.iter().any(|part| !part.mesh.uvs.is_empty());
        let uvs = if has_uvs {
            "property float s\nproperty float t\n"
        } else {
            ""
        };
        write!(
            out,
            "ply\nformat binary_little_endian 1.0\ncomment motes, metres\nelement vertex {vertices}\n\
             property float x\nproperty float y\nproperty float z\n\
             property float nx\nproperty float ny\nproperty float nz\n{uvs}\
             property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uint object\n\
             element face {triangles}\nproperty list uchar uint vertex_indices\nend_header\n",
        )?;
        for (number, part) in (0_u32..).zip(&self.parts) {
            for (vertex, place) in part.mesh.positions.iter().enumerate() {
                write_floats(&mut out, &place.to_array())?;
                write_floats(&mut out, &part.mesh.normals[vertex].to_array())?;
                if has_uvs {
                    let uv = part.mesh.uvs.get(vertex).copied().unwrap_or(Vec2::ZERO);
                    write_floats(&mut out, &uv.to_array())?;
                }
                out.write_all(&part.paint.color)?;
                out.write_all(&number.to_le_bytes())?;
            }
        }
        let mut first = 0;
        for part in &self.parts {
            for corners in &part.mesh.triangles {
                out.write_all(&[3])?;
                for corner in corners {
                    out.write_all(&(first + corner).to_le_bytes())?;
                }
            }
            first += part.mesh.positions.len() as u32;
        }
        Ok(())
    }
}
