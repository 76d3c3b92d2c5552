//! Edges of a sheet with what lies on either side of them, its rims, and frames along the warp.

use glam::{DVec3, Vec2, Vec3};

use crate::edges::Edges;
use crate::error::GeometryError;
use crate::mesh::Mesh;

/// An edge of a sheet, in the direction of its first triangle, which lies to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetEdge {
    /// The vertices that it runs from and to.
    pub ends: [u32; 2],
    /// First triangle, and its vertex that is not of the edge.
    pub left: (u32, u32),
    /// Second triangle and its vertex, unless the edge is on a rim.
    pub right: Option<(u32, u32)>,
}

impl SheetEdge {
    /// The triangles at the edge.
    pub(super) fn triangles(&self) -> impl Iterator<Item = u32> + Clone {
        [Some(self.left), self.right]
            .into_iter()
            .flatten()
            .map(|(triangle, _)| triangle)
    }
}

/// All edges of a mesh that is a sheet. One with three triangles, or with two that do not agree, is refused.
pub(super) fn sheet_edges(mesh: &Mesh) -> Result<Vec<SheetEdge>, GeometryError> {
    let opposite = |side: u32| {
        let corners = mesh.triangles[side as usize / 3];
        (side / 3, corners[(side as usize % 3 + 2) % 3])
    };
    let edge = |uses: &[crate::edges::EdgeUse]| {
        let first = uses[0];
        let mut ends = first.vertices;
        if !first.forward {
            ends.reverse();
        }
        let right = match uses {
            [_] => None,
            [a, b] if a.forward != b.forward => Some(opposite(b.side)),
            [_, _] => return Err(GeometryError::OneSided { ends }),
            _ => {
                return Err(GeometryError::CrowdedEdge {
                    ends,
                    places: ends.map(|end| mesh.positions[end as usize]),
                    triangles: uses.len(),
                });
            }
        };
        Ok(SheetEdge {
            ends,
            left: opposite(first.side),
            right,
        })
    };
    Edges::of(mesh).iter().map(edge).collect()
}

/// Vertices of each rim in order, with the sheet to the left; each begins at its lowest vertex.
pub(super) fn rims(edges: &[SheetEdge], vertices: usize) -> Vec<Vec<u32>> {
    let open = || edges.iter().filter(|edge| edge.right.is_none());
    let mut starts = vec![0u32; vertices + 1];
    open().for_each(|edge| starts[edge.ends[0] as usize + 1] += 1);
    (0..vertices).for_each(|vertex| starts[vertex + 1] += starts[vertex]);
    let mut next = starts.clone();
    let mut followers = vec![0u32; starts[vertices] as usize];
    for edge in open() {
        let place = &mut next[edge.ends[0] as usize];
        followers[*place as usize] = edge.ends[1];
        *place += 1;
    }
    // Two rims may touch in a vertex: each visit takes another of its edges.
    let mut taken = starts.clone();
    let mut rims = Vec::new();
    for first in 0..vertices {
        while taken[first] < starts[first + 1] {
            let mut rim = Vec::new();
            let mut vertex = first;
            while (rim.is_empty() || vertex != first) && taken[vertex] < starts[vertex + 1] {
                rim.push(vertex as u32);
                taken[vertex] += 1;
                vertex = followers[taken[vertex] as usize - 1] as usize;
            }
            rims.push(rim);
        }
    }
    rims
}

/// Area of each triangle, m².
pub(super) fn triangle_areas(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f64> {
    let area = |corners: &[u32; 3]| 0.5 * doubled_normal(positions, corners).length();
    triangles.iter().map(area).collect()
}

/// Normal of a triangle, as long as twice its area.
pub(super) fn doubled_normal(positions: &[Vec3], corners: &[u32; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|corner| positions[corner as usize].as_dvec3());
    (b - a).cross(c - a)
}

/// Normal and direction of the warp in each triangle, both of unit length.
pub(super) fn frames(positions: &[Vec3], triangles: &[[u32; 3]], uvs: &[[Vec2; 3]]) -> Vec<[DVec3; 2]> {
    let frame = |(corners, uv): (&[u32; 3], &[Vec2; 3])| {
        let [a, b, c] = corners.map(|corner| positions[corner as usize].as_dvec3());
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
        let [first, second] = [uv[1] - uv[0], uv[2] - uv[0]].map(|uv| uv.as_dvec2());
        let along = (b - a) * second.y - (c - a) * first.y;
        let along = if first.perp_dot(second) < 0.0 { -along } else { along };
        let along = along - normal * along.dot(normal);
        [normal, along.normalize_or((b - a).normalize_or(DVec3::X))]
    };
    triangles.iter().zip(uvs).map(frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;

    #[test]
    fn a_box_without_its_lid_has_one_rim_of_four() {
        let mut mesh = cuboid(Vec3::ONE);
        mesh.triangles.truncate(10);
        let edges = sheet_edges(&mesh).unwrap();
        assert_eq!(rims(&edges, 8), [vec![4, 6, 7, 5]]);
        let closed = sheet_edges(&cuboid(Vec3::ONE)).unwrap();
        assert!(rims(&closed, 8).is_empty());
        assert_eq!(closed.len(), 18);
    }

    #[test]
    fn two_triangles_that_touch_in_a_corner_have_a_rim_each() {
        let points = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let positions = points.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec();
        let mesh = Mesh::new(positions, vec![[0, 1, 2], [0, 3, 4]]);
        assert_eq!(rims(&sheet_edges(&mesh).unwrap(), 5), [[0, 1, 2], [0, 3, 4]]);
    }

    #[test]
    fn an_edge_of_three_triangles_is_named() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z];
        let mesh = Mesh::new(positions, vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        let error = sheet_edges(&mesh).unwrap_err().to_string();
        assert!(
            error.contains("3 triangles") && error.contains("[0, 0, 0]") && error.contains("[1, 0, 0]"),
            "{error}"
        );
    }

    #[test]
    fn the_warp_follows_the_texture() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let turned = [Vec2::ZERO, Vec2::Y, Vec2::NEG_X];
        let [normal, warp] = frames(&positions, &[[0, 1, 2]], &[turned])[0];
        assert!((normal - DVec3::Z).length() < 1e-12);
        assert!((warp + DVec3::Y).length() < 1e-12, "{warp}");
    }
}
