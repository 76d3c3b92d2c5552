//! Finer meshes of the same surface, for skins that bend.

use std::collections::HashMap;

use glam::Vec2;

use crate::error::{GeometryError, positive};
use crate::mesh::Mesh;

/// Most triangles of a refined mesh.
const MAX_TRIANGLES: usize = 50_000_000;

impl Mesh {
    /// The same surface with no edge longer than `longest_edge`, metres: longer ones are halved, on both sides alike, so that
    /// a closed mesh stays closed. A box of twelve triangles becomes one that a [`Skin`](crate::Skin) can bend.
    pub fn refined(mut self, longest_edge: f32) -> Result<Self, GeometryError> {
        let longest = positive("longest edge", longest_edge)?;
        self.check()?;
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        loop {
            middles.clear();
            let mut triangles = Vec::with_capacity(2 * self.triangles.len());
            let mut colors = Vec::new();
            let mut uvs = Vec::new();
            for (index, corners) in std::mem::take(&mut self.triangles).into_iter().enumerate() {
                let halved =
                    [0, 1, 2].map(|edge| self.middle(corners[edge], corners[(edge + 1) % 3], longest, &mut middles));
                split(corners, halved, &mut triangles);
                if let Some(color) = self.color(index) {
                    colors.resize(triangles.len(), color);
                }
                if let Some(corner_uvs) = self.uvs.get(index) {
                    let names = Names { corners, halved };
                    let made = triangles[uvs.len()..].iter();
                    uvs.extend(made.map(|made: &[u32; 3]| made.map(|vertex| names.uv(vertex, corner_uvs))));
                }
            }
            self.triangles = triangles;
            self.colors = colors;
            self.uvs = uvs;
            if self.triangles.len() > MAX_TRIANGLES {
                return Err(GeometryError::TooMany {
                    what: "triangles",
                    limit: MAX_TRIANGLES,
                });
            }
            if middles.is_empty() {
                return Ok(self);
            }
        }
    }

    /// The vertex in the middle of an edge that is too long.
    fn middle(&mut self, a: u32, b: u32, longest: f32, middles: &mut HashMap<(u32, u32), u32>) -> Option<u32> {
        let [from, to] = [a.min(b), a.max(b)].map(|end| self.positions[end as usize]);
        (from.distance(to) > longest).then(|| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                self.positions.push(from.midpoint(to));
                self.positions.len() as u32 - 1
            })
        })
    }
}

/// Corners of a triangle and the middles of its edges.
struct Names {
    corners: [u32; 3],
    halved: [Option<u32>; 3],
}

impl Names {
    /// Texture coordinates of a corner or a middle, from those of the corners.
    fn uv(&self, vertex: u32, uvs: &[Vec2; 3]) -> Vec2 {
        match self.corners.iter().position(|&corner| corner == vertex) {
            Some(corner) => uvs[corner],
            None => {
                let edge = self.halved.iter().position(|&middle| middle == Some(vertex));
                edge.map_or(Vec2::ZERO, |edge| uvs[edge].midpoint(uvs[(edge + 1) % 3]))
            }
        }
    }
}

/// The parts of a triangle some of whose edges, each named after the corner it starts at, are halved.
fn split([a, b, c]: [u32; 3], halved: [Option<u32>; 3], triangles: &mut Vec<[u32; 3]>) {
    match halved {
        [None, None, None] => triangles.push([a, b, c]),
        [Some(ab), Some(bc), Some(ca)] => triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]),
        [Some(ab), None, None] => triangles.extend([[a, ab, c], [ab, b, c]]),
        [Some(ab), Some(bc), None] => triangles.extend([[ab, b, bc], [a, ab, bc], [a, bc, c]]),
        [x, y, z] => split([b, c, a], [y, z, x], triangles),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models;
    use glam::Vec3;

    #[test]
    fn a_refined_mesh_is_the_same_solid_with_short_edges() {
        for mesh in [
            Mesh::cuboid(Vec3::new(1.0, 0.1, 0.3)),
            Mesh::cylinder(0.3, 0.5, 24),
            models::by_name("torus").unwrap().mesh(12).unwrap(),
        ] {
            let fine = mesh.clone().refined(0.05).unwrap();
            assert!(fine.is_watertight());
            assert!((fine.volume() / mesh.volume() - 1.0).abs() < 1e-4);
            assert!((fine.area() / mesh.area() - 1.0).abs() < 1e-4);
            let longest = |[a, b, c]: [Vec3; 3]| a.distance(b).max(b.distance(c)).max(c.distance(a));
            assert!(fine.corners().all(|corners| longest(corners) <= 0.05));
            assert_eq!(fine.clone().refined(0.05).unwrap(), fine);
        }
    }

    #[test]
    fn texture_coordinates_are_refined_with_the_surface() {
        let mut mesh = Mesh::cuboid(Vec3::new(1.0, 0.1, 0.3));
        let flat = |place: Vec3| glam::Vec2::new(2.0 * place.x - place.y, place.z + 1.0);
        mesh.uvs = mesh.corners().map(|corners| corners.map(flat)).collect();
        let mut fine = mesh.refined(0.05).unwrap().flipped();
        fine.append(&Mesh::cuboid(Vec3::ONE));
        assert_eq!(fine.uvs.len(), fine.triangles.len());
        for (corners, uvs) in fine.corners().zip(&fine.uvs).take(fine.triangles.len() - 12) {
            assert!(
                corners
                    .into_iter()
                    .zip(uvs)
                    .all(|(place, uv)| flat(place).distance(*uv) < 1e-5)
            );
        }
    }

    #[test]
    fn bad_lengths_and_broken_meshes_are_refused() {
        for bad in [0.0, -1.0, f32::NAN] {
            assert!(Mesh::cuboid(Vec3::ONE).refined(bad).is_err());
        }
        let mut broken = Mesh::cuboid(Vec3::ONE);
        broken.positions[0].x = f32::NAN;
        assert!(broken.refined(0.1).is_err());
    }
}
