//! Polygons of a file, cut into triangles when all vertices are known.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use crate::mesh::Mesh;

/// Polygons one after the other.
#[derive(Default)]
pub(super) struct Polygons {
    corners: Vec<u32>,
    ends: Vec<usize>,
    /// Texture coordinate of each corner; empty if none has any.
    textures: Vec<u32>,
}

/// The texture coordinate of a corner without one.
pub(super) const NO_TEXTURE: u32 = u32::MAX;

/// Polygons with more corners are cut like a fan, whatever their shape.
const MAX_CLIPPED: usize = 400;

impl Polygons {
    /// Adds a polygon; one with fewer than three corners has no area and is passed over.
    pub(super) fn push(&mut self, corners: impl IntoIterator<Item = u32>) {
        let start = self.corners.len();
        self.corners.extend(corners);
        if self.corners.len() - start < 3 {
            self.corners.truncate(start);
        } else {
            self.ends.push(self.corners.len());
        }
    }

    /// Adds triangles.
    pub(super) fn extend_triangles(&mut self, triangles: &[[u32; 3]]) {
        let start = self.corners.len();
        self.corners.extend(triangles.as_flattened());
        self.ends.extend((1..=triangles.len()).map(|count| start + 3 * count));
    }

    /// Adds a polygon whose corners may have texture coordinates.
    pub(super) fn push_textured(&mut self, corners: &[(u32, u32)]) {
        let start = self.corners.len();
        self.push(corners.iter().map(|corner| corner.0));
        if self.corners.len() > start
            && (!self.textures.is_empty() || corners.iter().any(|corner| corner.1 != NO_TEXTURE))
        {
            self.textures.resize(start, NO_TEXTURE);
            self.textures.extend(corners.iter().map(|corner| corner.1));
        }
    }

    /// Adds the polygons of another list.
    pub(super) fn append(&mut self, next: Self) {
        let start = self.corners.len();
        self.corners.extend(next.corners);
        self.ends.extend(next.ends.iter().map(|end| start + end));
        if !(self.textures.is_empty() && next.textures.is_empty()) {
            self.textures.resize(start, NO_TEXTURE);
            self.textures.extend(next.textures);
            self.textures.resize(self.corners.len(), NO_TEXTURE);
        }
    }

    /// Triangles there will be.
    pub(super) fn triangle_count(&self) -> usize {
        self.corners.len() - 2 * self.ends.len()
    }

    /// The polygon and index of the first corner that is not a vertex.
    pub(super) fn missing(&self, vertices: usize) -> Option<(usize, u32)> {
        let place = self.corners.iter().position(|&corner| corner as usize >= vertices)?;
        Some((self.ends.partition_point(|&end| end <= place), self.corners[place]))
    }

    /// All polygons as triangles over the vertices; the corners must be in range.
    pub(super) fn triangulated(&self, positions: Vec<Vec3>) -> Mesh {
        self.triangulated_with(positions, &[])
    }

    /// The same with texture coordinates; those that do not exist are zero.
    pub(super) fn triangulated_with(&self, positions: Vec<Vec3>, textures: &[Vec2]) -> Mesh {
        let mut triangles = Vec::with_capacity(self.triangle_count());
        let mut uvs = Vec::new();
        let mut start = 0;
        for &end in &self.ends {
            match &self.corners[start..end] {
                &[a, b, c] => triangles.push([a, b, c]),
                polygon => clip(&positions, polygon, &mut triangles),
            }
            if let Some(named) = self.textures.get(start..end) {
                let polygon = self.corners[start..end].iter().copied().zip(named.iter().copied());
                // Searching a polygon of a million corners for each of them would never end.
                let names: Option<HashMap<u32, u32>> = (end - start > 16).then(|| polygon.clone().collect());
                let of = |vertex: u32| {
                    let name = match &names {
                        Some(names) => names.get(&vertex).copied(),
                        None => polygon.clone().find(|corner| corner.0 == vertex).map(|corner| corner.1),
                    };
                    name.and_then(|name| textures.get(name as usize).copied())
                        .unwrap_or_default()
                };
                uvs.extend(triangles[uvs.len()..].iter().map(|corners: &[u32; 3]| corners.map(of)));
            }
            start = end;
        }
        let mut mesh = Mesh::new(positions, triangles);
        mesh.uvs = uvs;
        mesh
    }
}

/// Cuts off one ear after the other, in the plane that the polygon lies in.
fn clip(positions: &[Vec3], polygon: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let at = |corner: u32| positions[corner as usize];
    let pairs = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let normal: Vec3 = pairs
        .map(|(&a, &b)| (at(a) - at(polygon[0])).cross(at(b) - at(polygon[0])))
        .sum();
    let fan = |triangles: &mut Vec<[u32; 3]>, rest: &[u32]| {
        triangles.extend(rest[1..].windows(2).map(|pair| [rest[0], pair[0], pair[1]]));
    };
    let Some(normal) = normal.try_normalize().filter(|_| polygon.len() <= MAX_CLIPPED) else {
        return fan(triangles, polygon);
    };
    let (u, v) = normal.any_orthonormal_pair();
    let turn = u.cross(v).dot(normal).signum();
    let flat = |corner: u32| Vec2::new(at(corner).dot(u), turn * at(corner).dot(v));
    let mut rest = polygon.to_vec();
    while rest.len() > 3 {
        let count = rest.len();
        let ear = (0..count).find(|&index| {
            let corners = [
                rest[(index + count - 1) % count],
                rest[index],
                rest[(index + 1) % count],
            ];
            let [a, b, c] = corners.map(flat);
            let others = rest.iter().filter(|corner| !corners.contains(corner));
            (b - a).perp_dot(c - a) > 0.0 && !others.map(|&corner| flat(corner)).any(|p| in_triangle(p, [a, b, c]))
        });
        let Some(ear) = ear else {
            return fan(triangles, &rest);
        };
        triangles.push([rest[(ear + count - 1) % count], rest[ear], rest[(ear + 1) % count]]);
        rest.remove(ear);
    }
    triangles.push([rest[0], rest[1], rest[2]]);
}

fn in_triangle(point: Vec2, [a, b, c]: [Vec2; 3]) -> bool {
    [(a, b), (b, c), (c, a)]
        .iter()
        .all(|&(from, to)| (to - from).perp_dot(point - from) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bent_polygon_is_cut_without_leaving_its_outline() {
        let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (1.0, 0.5), (0.0, 2.0)];
        let positions: Vec<Vec3> = outline.iter().map(|&(x, y)| Vec3::new(x, y, 0.0)).collect();
        let mut polygons = Polygons::default();
        polygons.push(0..5);
        polygons.push([0, 1]);
        let mesh = polygons.triangulated(positions);
        assert_eq!(mesh.triangles.len(), 3);
        assert!((mesh.area() - 2.5).abs() < 1e-6, "{}", mesh.area());
    }

    #[test]
    fn corners_without_a_vertex_are_found() {
        let mut polygons = Polygons::default();
        polygons.push([0, 1, 2]);
        polygons.push([0, 1, 7]);
        assert_eq!(polygons.missing(3), Some((1, 7)));
        assert_eq!(polygons.missing(8), None);
    }
}
