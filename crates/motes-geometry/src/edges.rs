//! The edges of a mesh and the triangles at each of them, in one sorted list: a million edges are slow to hash.

use std::ops::Range;

use rayon::prelude::*;

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

/// All edges of a mesh whose corners exist, in lists by ranges of lower vertices.
pub(crate) struct Edges(Vec<Vec<EdgeUse>>);

/// Meshes with fewer triangles are not worth a second list.
const WORTH_DIVIDING: usize = 1 << 14;

/// Lists look through all triangles, each of them.
const MOST_LISTS: usize = 8;

impl Edges {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        let lists = match mesh.triangles.len() {
            ..WORTH_DIVIDING => 1,
            _ => rayon::current_num_threads().clamp(1, MOST_LISTS),
        };
        let vertices = mesh.positions.len();
        let range = |list: usize| (vertices * list / lists) as u32..(vertices * (list + 1) / lists) as u32;
        let all = (0..lists)
            .into_par_iter()
            .map(|list| uses(&mesh.triangles, range(list)));
        Self(all.collect())
    }

    /// The uses of each edge, by the order of their triangles.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[EdgeUse]> {
        self.0.iter().flat_map(|list| by_edge(list))
    }

    /// The uses of each edge, list by list.
    pub(crate) fn lists(&self) -> impl ParallelIterator<Item = impl Iterator<Item = &[EdgeUse]>> {
        self.0.par_iter().map(|list| by_edge(list))
    }
}

fn by_edge(list: &[EdgeUse]) -> impl Iterator<Item = &[EdgeUse]> {
    list.chunk_by(|a, b| a.vertices == b.vertices)
}

/// The uses of the edges whose lower vertices are in a range, counted into these, which have a handful each.
fn uses(triangles: &[[u32; 3]], lower: Range<u32>) -> Vec<EdgeUse> {
    let within = || {
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
        let all = (0..).zip(triangles).flat_map(sides);
        all.filter(|edge| lower.contains(&edge.vertices[0]))
    };
    let place = |edge: &EdgeUse| (edge.vertices[0] - lower.start) as usize;
    let mut starts = vec![0; lower.len() + 1];
    within().for_each(|edge| starts[place(&edge) + 1] += 1);
    for vertex in 0..lower.len() {
        starts[vertex + 1] += starts[vertex];
    }
    let unused = EdgeUse {
        vertices: [0; 2],
        side: 0,
        forward: false,
    };
    let mut uses = vec![unused; starts[lower.len()]];
    let mut next = starts.clone();
    for edge in within() {
        let next = &mut next[place(&edge)];
        uses[*next] = edge;
        *next += 1;
    }
    for bounds in starts.windows(2) {
        uses[bounds[0]..bounds[1]].sort_unstable_by_key(|edge| (edge.vertices[1], edge.side));
    }
    uses
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

    #[test]
    fn lists_of_ranges_are_the_parts_of_one_list() {
        let mesh = cuboid(Vec3::ONE);
        let parts = [0..3, 3..4, 4..8].map(|range| uses(&mesh.triangles, range));
        assert_eq!(parts.concat(), uses(&mesh.triangles, 0..8));
    }
}
