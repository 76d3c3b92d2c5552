//! The edges of a mesh and the triangles at each of them, in one sorted list: a million edges are slow to hash.

use crate::mesh::Mesh;

/// One triangle's use of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeUse {
    /// The edge's vertices, the lower one first.
    pub(crate) vertices: [u32; 2],
    /// Three times the number of the triangle, and which of its sides it is.
    pub(crate) side: u32,
    /// Whether the triangle goes from the lower vertex to the higher one.
    pub(crate) forward: bool,
}

impl EdgeUse {
    pub(crate) fn triangle(&self) -> u32 {
        self.side / 3
    }
}

/// All edges of a mesh whose corners exist.
pub(crate) struct Edges(Vec<EdgeUse>);

impl Edges {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        let sides = |(triangle, &[a, b, c]): (u32, &[u32; 3])| {
            [(a, b), (b, c), (c, a)]
                .into_iter()
                .zip(3 * triangle..)
                .map(|((from, to), side)| EdgeUse {
                    vertices: [from.min(to), from.max(to)],
                    side,
                    forward: from < to,
                })
        };
        let all = || (0..).zip(&mesh.triangles).flat_map(sides);
        // Counted into the lower vertices, which have a handful each.
        let mut starts = vec![0; mesh.positions.len() + 1];
        all().for_each(|edge| starts[edge.vertices[0] as usize + 1] += 1);
        for vertex in 0..mesh.positions.len() {
            starts[vertex + 1] += starts[vertex];
        }
        let unused = EdgeUse {
            vertices: [0; 2],
            side: 0,
            forward: false,
        };
        let mut uses = vec![unused; 3 * mesh.triangles.len()];
        let mut next = starts.clone();
        for edge in all() {
            let place = &mut next[edge.vertices[0] as usize];
            uses[*place] = edge;
            *place += 1;
        }
        for bounds in starts.windows(2) {
            uses[bounds[0]..bounds[1]].sort_unstable_by_key(|edge| (edge.vertices[1], edge.side));
        }
        Self(uses)
    }

    /// The uses of each edge, by the order of their triangles.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[EdgeUse]> {
        self.0.chunk_by(|a, b| a.vertices == b.vertices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use glam::Vec3;

    #[test]
    fn every_edge_of_a_box_has_two_triangles_that_go_against_each_other() {
        let edges = Edges::of(&cuboid(Vec3::ONE));
        assert_eq!(edges.iter().count(), 18);
        for uses in edges.iter() {
            let [a, b] = uses else { panic!("{uses:?}") };
            assert!(a.vertices[0] < a.vertices[1] && a.forward != b.forward && a.triangle() < b.triangle());
        }
    }
}
