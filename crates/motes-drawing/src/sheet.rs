//! Cloth and ropes as they are drawn and exported: surfaces that may be different in every frame.

use motes_geometry::ShadedMesh;
use motes_render::{Fabric, Mesh};

use crate::export::{Geometry, Object, Paint};

/// How a sheet looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetLook {
    /// sRGB colour, the first one of the pattern.
    pub color: [u8; 3],
    /// 1 hides what is behind.
    pub opacity: f32,
    /// Pattern, second colour and back.
    pub fabric: Fabric,
}

/// A sheet of cloth, the skin of a balloon or the surface of a rope in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Its name in exports: the same in every frame, and no other object's.
    pub name: String,
    /// Its surface, in the world's coordinates. Vertices and triangles may be others in every frame.
    pub surface: ShadedMesh,
    /// How it looks.
    pub look: SheetLook,
}

impl Sheet {
    /// The sheet for exports, seen from both sides.
    pub fn object(&self) -> Object {
        Object {
            name: self.name.clone(),
            paint: Paint {
                color: self.look.color,
                opacity: self.look.opacity,
                two_sided: true,
            },
            geometry: Geometry::Changing(self.surface.clone()),
        }
    }

    /// The sheet for pictures.
    pub(crate) fn mesh(&self) -> Mesh {
        let ShadedMesh {
            positions,
            normals,
            uvs,
            triangles,
        } = &self.surface;
        Mesh::with_normals(positions.clone(), triangles.clone(), normals).with_fabric(self.look.fabric, uvs.clone())
    }
}
