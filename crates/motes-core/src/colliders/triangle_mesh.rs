//! A two-sided shell of triangles, open or closed.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Bvh, ShapeError, error::valid_triangles, shell::Shell, triangle::Triangle};
use crate::space::bounds::Bounds;

/// Triangles that stop particles from either side.
///
/// Vertices at the same place are joined, so that triangles meant to be neighbours are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Data", into = "Data")]
pub struct TriangleMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    /// Triangles around vertex `v`: `fans[fan_starts[v]..fan_starts[v + 1]]`.
    fan_starts: Vec<u32>,
    fans: Vec<u32>,
    bvh: Bvh,
    degenerate_count: usize,
}

/// What is stored; the rest is rebuilt.
#[derive(Serialize, Deserialize)]
struct Data {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    degenerate_count: usize,
}

impl From<TriangleMesh> for Data {
    fn from(mesh: TriangleMesh) -> Self {
        Self {
            vertices: mesh.vertices,
            triangles: mesh.triangles,
            degenerate_count: mesh.degenerate_count,
        }
    }
}

impl TryFrom<Data> for TriangleMesh {
    type Error = ShapeError;

    fn try_from(data: Data) -> Result<Self, ShapeError> {
        let mut mesh = Self::new(data.vertices, data.triangles)?;
        mesh.degenerate_count = mesh.degenerate_count.saturating_add(data.degenerate_count);
        Ok(mesh)
    }
}

impl TriangleMesh {
    /// A mesh of these vertices (metres) and triangles. Triangles without area are left out and counted.
    pub fn new(vertices: Vec<Vec3>, mut triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        valid_triangles("triangle mesh", &vertices, &triangles)?;
        let given = triangles.len();
        let joined = join(&vertices);
        let mut normals = Vec::with_capacity(given);
        triangles.retain_mut(|triangle| {
            *triangle = triangle.map(|index| joined[index as usize]);
            let corners = triangle.map(|index| vertices[index as usize]);
            let normal = Triangle { corners }.normal();
            normals.extend(normal);
            normal.is_some()
        });
        if triangles.is_empty() {
            return Err(ShapeError::OnlyDegenerateTriangles {
                shape: "triangle mesh",
                found: given,
            });
        }
        let (fan_starts, fans) = fans(vertices.len(), &triangles);
        let boxes: Vec<_> = triangles
            .iter()
            .map(|triangle| Bounds::of(triangle.map(|index| vertices[index as usize])))
            .collect();
        Ok(Self {
            bvh: Bvh::new(&boxes),
            degenerate_count: given - triangles.len(),
            vertices,
            triangles,
            normals,
            fan_starts,
            fans,
        })
    }

    /// Positions of the vertices, metres.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Vertices of each triangle that has an area, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Unit normal of each triangle, by winding.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// The triangles around each vertex: those of vertex `v` are `fans.1[fans.0[v]..fans.0[v + 1]]`.
    pub fn fans(&self) -> (&[u32], &[u32]) {
        (&self.fan_starts, &self.fans)
    }

    /// The hierarchy over the triangles.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// How many triangles had no area and were left out.
    pub fn degenerate_count(&self) -> usize {
        self.degenerate_count
    }

    /// The box around the triangles.
    pub fn bounds(&self) -> Bounds {
        let root = &self.bvh.nodes()[0];
        Bounds {
            min: root.min,
            max: root.max,
        }
    }

    /// Distance to the nearest triangle, never negative, and the direction away from it.
    pub fn distance(&self, point: Vec3) -> (f32, Vec3) {
        let (mut nearest, mut direction) = (f32::INFINITY, Vec3::Y);
        let mut walk = self.bvh.nearest_first(point);
        while let Some(leaf) = walk.next(nearest) {
            for &triangle in &self.bvh.order()[leaf] {
                let away = point - self.corners(triangle).closest(point).0;
                if away.length_squared() < nearest {
                    nearest = away.length_squared();
                    direction = away.try_normalize().unwrap_or(self.normals[triangle as usize]);
                }
            }
        }
        (nearest.sqrt(), direction)
    }

    /// Whether a ball touches the surface.
    pub fn touches(&self, center: Vec3, radius: f32) -> bool {
        let limit = radius * radius;
        let is_near = |&triangle: &u32| self.corners(triangle).closest(center).0.distance_squared(center) < limit;
        let mut walk = self.bvh.walk();
        while let Some(leaf) = walk.next(|_, node| node.distance_squared(center) < limit) {
            if self.bvh.order()[leaf].iter().any(is_near) {
                return true;
            }
        }
        false
    }
}

impl Shell for TriangleMesh {
    #[inline]
    fn indices(&self, triangle: u32) -> [u32; 3] {
        self.triangles[triangle as usize]
    }

    #[inline]
    fn vertex(&self, index: u32) -> Vec3 {
        self.vertices[index as usize]
    }

    #[inline]
    fn normal(&self, triangle: u32) -> Vec3 {
        self.normals[triangle as usize]
    }

    #[inline]
    fn visit_near(&self, start: Vec3, end: Vec3, reach: f32, visit: impl FnMut(u32)) {
        self.bvh.visit_near(start, end, reach, visit);
    }

    #[inline]
    fn visit_fan(&self, vertex: u32, mut visit: impl FnMut(u32)) {
        let vertex = vertex as usize;
        let (first, last) = (self.fan_starts[vertex], self.fan_starts[vertex + 1]);
        for &triangle in &self.fans[first as usize..last as usize] {
            visit(triangle);
        }
    }
}

/// For every vertex, the first one at the same place.
fn join(vertices: &[Vec3]) -> Vec<u32> {
    // Adding zero turns -0.0 into 0.0, which are the same place.
    let key = |index: u32| (vertices[index as usize] + 0.0).to_array().map(f32::to_bits);
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by_key(|&index| (key(index), index));
    let mut joined = vec![0; vertices.len()];
    for group in order.chunk_by(|&a, &b| key(a) == key(b)) {
        for &index in group {
            joined[index as usize] = group[0];
        }
    }
    joined
}

/// The triangles around every vertex, as offsets and one list.
fn fans(vertex_count: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; vertex_count + 1];
    for &index in triangles.iter().flatten() {
        starts[index as usize + 1] += 1;
    }
    for vertex in 0..vertex_count {
        starts[vertex + 1] += starts[vertex];
    }
    let mut next = starts.clone();
    let mut fans = vec![0; 3 * triangles.len()];
    for (triangle, indices) in triangles.iter().enumerate() {
        for &index in indices {
            fans[next[index as usize] as usize] = triangle as u32;
            next[index as usize] += 1;
        }
    }
    (starts, fans)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::box_triangles, *};

    #[test]
    fn triangles_without_area_are_left_out_and_counted() {
        let (mut vertices, mut triangles) = box_triangles(Vec3::ONE);
        vertices.push(vertices[0]);
        triangles.extend([[0, 0, 1], [0, 8, 3], [0, 1, 3]]);
        let mesh = TriangleMesh::new(vertices, triangles).expect("valid");
        assert_eq!(mesh.triangles().len(), 13);
        assert_eq!(mesh.degenerate_count(), 2);
    }

    #[test]
    fn vertices_at_one_place_are_joined() {
        let at = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NEG_X * 0.0, Vec3::Y, Vec3::NEG_X];
        let mesh = TriangleMesh::new(at.to_vec(), vec![[0, 1, 2], [3, 4, 5]]).expect("valid");
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 5]]);
    }

    #[test]
    fn bad_meshes_are_refused_and_named() {
        let (vertices, triangles) = box_triangles(Vec3::ONE);
        let empty = TriangleMesh::new(vertices.clone(), vec![]);
        assert!(matches!(
            empty,
            Err(ShapeError::OnlyDegenerateTriangles { found: 0, .. })
        ));
        let short = TriangleMesh::new(vertices[..7].to_vec(), triangles.clone()).expect_err("short");
        assert_eq!(
            short.to_string(),
            "triangle mesh: `triangles[3]` names vertex 7, but there are 7 vertices"
        );
        let mut broken = vertices;
        broken[5].z = f32::INFINITY;
        let broken = TriangleMesh::new(broken, triangles);
        assert!(matches!(broken, Err(ShapeError::NotFiniteAt { index: 5, .. })));
    }

    #[test]
    fn distance_and_touch_agree() {
        let (vertices, triangles) = box_triangles(Vec3::ONE);
        let mesh = TriangleMesh::new(vertices, triangles).expect("valid");
        let (distance, normal) = mesh.distance(Vec3::new(0.2, 3.0, 0.1));
        assert!((distance - 2.0).abs() < 1e-6 && normal.distance(Vec3::Y) < 1e-6);
        assert!(mesh.touches(Vec3::new(0.2, 3.0, 0.1), 2.1));
        assert!(!mesh.touches(Vec3::new(0.2, 3.0, 0.1), 1.9));
        assert!(!mesh.touches(Vec3::ZERO, 0.9));
    }
}
