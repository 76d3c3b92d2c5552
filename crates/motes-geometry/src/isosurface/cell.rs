//! How the surface runs through one cell of a grid: which crossed edges belong to the same sheet.
//!
//! A cell can be crossed by up to four sheets. Giving each a vertex of its own (Nielson 2004, "Dual marching cubes")
//! is what keeps the mesh manifold.

/// Edges of a cell. The edge along `axis` at `u`, `v` (0 or 1 along the two following axes) is `4 * axis + u + 2 * v`.
pub(crate) const EDGES: usize = 12;

/// Number of the edge along `axis` at `(u, v)`.
pub(crate) fn edge(axis: usize, u: usize, v: usize) -> usize {
    4 * axis + u + 2 * v
}

/// The two corners of an edge; bit `a` of a corner is its place along axis `a`.
pub(crate) fn corners(edge: usize) -> [usize; 2] {
    let (axis, u, v) = (edge / 4, edge & 1, edge >> 1 & 1);
    let from = u << ((axis + 1) % 3) | v << ((axis + 2) % 3);
    [from, from | 1 << axis]
}

/// Where the surface crosses a face of a cell, as pairs of its crossed edges: none, one, or two pairs.
pub(crate) fn segments(values: &[f32; 8], axis: usize, side: usize) -> ([[usize; 2]; 2], usize) {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let value = |bu: usize, bv: usize| values[side << axis | bu << u | bv << v];
    let [f00, f10, f01, f11] = [value(0, 0), value(1, 0), value(0, 1), value(1, 1)];
    let inside = |value: f32| value < 0.0;
    let (low_u, high_u) = (edge(u, 0, side), edge(u, 1, side));
    let (low_v, high_v) = (edge(v, side, 0), edge(v, side, 1));
    let crossed = [
        (low_u, inside(f00) != inside(f10)),
        (high_u, inside(f01) != inside(f11)),
        (low_v, inside(f00) != inside(f01)),
        (high_v, inside(f10) != inside(f11)),
    ];
    let mut found = [0; 4];
    let mut count = 0;
    for (edge, _) in crossed.iter().filter(|(_, is_crossed)| *is_crossed) {
        found[count] = *edge;
        count += 1;
    }
    match count {
        2 => ([[found[0], found[1]], [0; 2]], 1),
        4 => {
            // The bilinear interpolant joins the corners whose product is larger (Nielson & Hamann 1991).
            let diagonal_joined = f00 * f11 > f10 * f01;
            let pairs = if inside(f00) == diagonal_joined {
                [[low_u, high_v], [high_u, low_v]]
            } else {
                [[low_u, low_v], [high_u, high_v]]
            };
            (pairs, 2)
        }
        _ => ([[0; 2]; 2], 0),
    }
}

/// The sheets of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sheets {
    /// Number of sheets.
    pub(crate) count: usize,
    /// Sheet of each edge; `NONE` where the surface does not cross it.
    pub(crate) of_edge: [u8; EDGES],
}

pub(crate) const NONE: u8 = u8::MAX;

impl Sheets {
    /// The sheets of a cell with these values at its corners.
    pub(crate) fn of(values: &[f32; 8]) -> Self {
        let mut of_edge = [NONE; EDGES];
        for (index, sheet) in of_edge.iter_mut().enumerate() {
            let [from, to] = corners(index);
            if (values[from] < 0.0) != (values[to] < 0.0) {
                *sheet = index as u8;
            }
        }
        for face in 0..6 {
            let (pairs, count) = segments(values, face / 2, face % 2);
            for [a, b] in pairs.into_iter().take(count) {
                let (kept, merged) = (of_edge[a], of_edge[b]);
                of_edge
                    .iter_mut()
                    .filter(|sheet| **sheet == merged)
                    .for_each(|sheet| *sheet = kept);
            }
        }
        let mut names = [NONE; EDGES];
        let mut count = 0;
        for sheet in &mut of_edge {
            if *sheet != NONE {
                let name = &mut names[*sheet as usize];
                if *name == NONE {
                    *name = count;
                    count += 1;
                }
                *sheet = *name;
            }
        }
        Self {
            count: count as usize,
            of_edge,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(inside: &[usize]) -> [f32; 8] {
        std::array::from_fn(|corner| if inside.contains(&corner) { -1.0 } else { 1.5 })
    }

    #[test]
    fn one_corner_is_one_sheet_of_three_edges_and_opposite_corners_are_two() {
        let one = Sheets::of(&values(&[0]));
        assert_eq!(one.count, 1);
        assert_eq!(one.of_edge.iter().filter(|&&sheet| sheet == 0).count(), 3);
        assert_eq!(Sheets::of(&values(&[0, 7])).count, 2);
        assert_eq!(Sheets::of(&values(&[])).count, 0);
    }

    #[test]
    fn each_crossed_edge_lies_on_exactly_two_segments() {
        for mask in 0..256usize {
            let inside: Vec<usize> = (0..8).filter(|corner| mask >> corner & 1 == 1).collect();
            let values = values(&inside);
            let mut uses = [0; EDGES];
            for face in 0..6 {
                let (pairs, count) = segments(&values, face / 2, face % 2);
                pairs[..count].iter().flatten().for_each(|&edge| uses[edge] += 1);
            }
            let sheets = Sheets::of(&values);
            for (uses, sheet) in uses.into_iter().zip(sheets.of_edge) {
                assert_eq!(uses, if sheet == NONE { 0 } else { 2 });
            }
        }
    }
}
