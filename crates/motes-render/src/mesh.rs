//! Triangle meshes with the normals needed to shade them.

use glam::Vec3;

/// A triangle mesh in its own coordinates, metres.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// One per vertex; empty for a faceted mesh.
    normals: Vec<Vec3>,
    /// Lowest and highest coordinates of the triangles' corners; the wrong way round if there are none.
    bounds: [Vec3; 2],
}

impl Mesh {
    /// A mesh of `triangles`, shaded with interpolated normals if `smooth` and with facets otherwise. Triangles that
    /// name a vertex that does not exist or is not finite are left out; the order of their corners does not matter.
    pub fn new(positions: Vec<Vec3>, mut triangles: Vec<[u32; 3]>, smooth: bool) -> Self {
        triangles.retain(|corners| {
            corners
                .iter()
                .all(|&corner| positions.get(corner as usize).is_some_and(|p| p.is_finite()))
        });
        let normals = if smooth {
            vertex_normals(&positions, &triangles)
        } else {
            Vec::new()
        };
        let corners = triangles.iter().flatten().map(|&corner| positions[corner as usize]);
        let bounds = corners.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], corner| {
            [min.min(corner), max.max(corner)]
        });
        Self {
            positions,
            triangles,
            normals,
            bounds,
        }
    }

    /// Corners of the triangles, metres.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Three indices into [`Mesh::positions`] per triangle, all of them in range.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of the box around the mesh; not finite if the mesh has no triangles.
    pub(crate) fn box_corners(&self) -> [Vec3; 8] {
        let [min, max] = self.bounds;
        std::array::from_fn(|corner| {
            let pick = |bit: usize| corner >> bit & 1 == 1;
            Vec3::select(glam::BVec3::new(pick(0), pick(1), pick(2)), max, min)
        })
    }

    /// The normal of a triangle at the given barycentric weights of its corners, where the mesh is smooth.
    pub(crate) fn smooth_normal(&self, triangle: usize, weights: Vec3) -> Option<Vec3> {
        if self.normals.is_empty() {
            return None;
        }
        let [a, b, c] = self.triangles[triangle].map(|corner| self.normals[corner as usize]);
        (a * weights.x + b * weights.y + c * weights.z).try_normalize()
    }
}

/// Normals averaged over the triangles around each vertex, weighted by area.
fn vertex_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| positions[corner as usize]);
        let normal = (b - a).cross(c - a);
        for &corner in corners {
            normals[corner as usize] += normal;
        }
    }
    for normal in &mut normals {
        *normal = normal.normalize_or_zero();
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_with_missing_or_infinite_corners_are_left_out() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(f32::NAN)];
        let mesh = Mesh::new(positions, vec![[0, 1, 2], [0, 1, 9], [0, 1, 3]], true);
        assert_eq!(mesh.triangles(), [[0, 1, 2]]);
    }

    #[test]
    fn smooth_normals_blend_over_an_edge() {
        let positions = vec![Vec3::ZERO, Vec3::Y, Vec3::X, Vec3::NEG_Z];
        let mesh = Mesh::new(positions, vec![[0, 2, 1], [0, 1, 3]], true);
        let on_edge = mesh.smooth_normal(0, Vec3::new(0.5, 0.0, 0.5));
        let at_corner = mesh.smooth_normal(0, Vec3::new(0.0, 1.0, 0.0));
        assert!(on_edge.is_some_and(|n| n.x.abs() > 0.5 && n.z.abs() > 0.5));
        assert!(at_corner.is_some_and(|n| n.z.abs() > 0.99));
    }
}
