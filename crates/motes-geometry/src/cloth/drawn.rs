//! Sheets with one texture coordinate a vertex, as renderers and files want them.

use glam::Vec2;

use super::ClothShape;

/// A sheet whose vertices along seams are there twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnSheet {
    /// The vertex of the [`ClothShape`] that each vertex follows.
    pub vertices: Vec<u32>,
    /// Coordinates on the cloth of each vertex, metres.
    pub uvs: Vec<Vec2>,
    /// Vertices of each triangle, in the order of the shape's.
    pub triangles: Vec<[u32; 3]>,
}

/// Coordinates as near as this, in edges of a triangle, are one.
const SAME: f32 = 1e-3;

impl ClothShape {
    /// The sheet with one coordinate a vertex: those with several, along seams, are split.
    pub fn drawn(&self) -> DrawnSheet {
        let mut drawn = DrawnSheet::default();
        // The last copy of each vertex, and for each copy the one before.
        let mut last = vec![u32::MAX; self.positions.len()];
        let mut before: Vec<u32> = Vec::new();
        for (corners, uvs) in self.triangles.iter().zip(&self.uvs) {
            let edge = uvs[0].distance(uvs[1]).max(uvs[0].distance(uvs[2]));
            let mut made = [0; 3];
            for ((&corner, &uv), made) in corners.iter().zip(uvs).zip(&mut made) {
                let mut copy = last[corner as usize];
                while copy != u32::MAX && drawn.uvs[copy as usize].distance(uv) > SAME * edge {
                    copy = before[copy as usize];
                }
                if copy == u32::MAX {
                    copy = drawn.vertices.len() as u32;
                    drawn.vertices.push(corner);
                    drawn.uvs.push(uv);
                    before.push(std::mem::replace(&mut last[corner as usize], copy));
                }
                *made = copy;
            }
            drawn.triangles.push(made);
        }
        drawn
    }
}
