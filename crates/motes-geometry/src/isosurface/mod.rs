//! From samples on a grid to a closed, manifold mesh: one vertex per sheet of the surface in each cell, one quadrilateral
//! around each crossed edge.

pub(crate) mod cell;

use std::collections::HashMap;

use glam::{IVec3, UVec3, Vec3};

use crate::mesh::Mesh;
use cell::{EDGES, NONE, Sheets};

/// Distances at the corners of a grid of cubic cells, x fastest.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// Position of the first sample, metres.
    pub origin: Vec3,
    /// Distance between samples, metres.
    pub cell_size: f32,
    /// Number of samples along each axis.
    pub dims: UVec3,
    /// Signed distances, negative inside, `x + dims.x * (y + dims.y * z)`.
    pub values: &'a [f32],
}

/// Stands for the outside around the grid. It is far larger than any distance, so that the surface of a solid that
/// reaches the border is closed right at the border.
const FAR_OUTSIDE: f32 = 1e30;

/// An edge of the grid that the surface crosses: the place of its lower end, and its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GridEdge {
    pub(crate) from: IVec3,
    pub(crate) axis: usize,
}

/// One sheet of the surface in one cell.
pub(crate) struct Sheet<'a> {
    /// Lower corner of the cell, in cells of the grid.
    pub(crate) cell: IVec3,
    /// The edges that it crosses.
    pub(crate) edges: &'a [GridEdge],
}

/// The zero surface of the samples, facing out. `place` says where the vertex of a sheet goes.
pub(crate) fn extract(samples: &Samples, mut place: impl FnMut(&Sheet) -> Vec3) -> Mesh {
    let counts = samples.dims.as_ivec3() + 1;
    let mut net = Net {
        mesh: Mesh::default(),
        cells: HashMap::new(),
        doubled: HashMap::new(),
    };
    let mut edges = Vec::new();
    for cell in places(counts) {
        let values = samples.corner_values(cell);
        let inside = values.iter().filter(|value| **value < 0.0).count();
        if inside == 0 || inside == 8 {
            continue;
        }
        let sheets = Sheets::of(&values);
        let first = net.mesh.positions.len() as u32;
        for sheet in 0..sheets.count {
            edges.clear();
            edges.extend(
                (0..EDGES)
                    .filter(|&edge| sheets.of_edge[edge] as usize == sheet)
                    .map(|edge| grid_edge(cell, edge)),
            );
            net.mesh.positions.push(place(&Sheet {
                cell: cell - 1,
                edges: &edges,
            }));
        }
        net.cells.insert(cell, CellVertices { first, sheets });
    }
    net.find_doubled(samples);
    for cell in places(counts) {
        for axis in 0..3 {
            let inside = samples.value(cell) < 0.0;
            if inside != (samples.value(cell + IVec3::AXES[axis]) < 0.0) {
                net.add_quad(cell, axis, inside);
            }
        }
    }
    net.mesh
}

/// The edge of a cell as an edge of the grid; cells and values are in a frame padded by one layer.
fn grid_edge(cell: IVec3, edge: usize) -> GridEdge {
    GridEdge {
        from: cell + corner(cell::corners(edge)[0]) - 1,
        axis: edge / 4,
    }
}

fn corner(index: usize) -> IVec3 {
    IVec3::new((index & 1) as i32, (index >> 1 & 1) as i32, (index >> 2) as i32)
}

fn places(counts: IVec3) -> impl Iterator<Item = IVec3> {
    (0..counts.z).flat_map(move |z| (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| IVec3::new(x, y, z))))
}

struct CellVertices {
    first: u32,
    sheets: Sheets,
}

impl CellVertices {
    fn vertex(&self, edge: usize) -> u32 {
        self.first + u32::from(self.sheets.of_edge[edge])
    }
}

/// A face that two sheets cross, which meet again on both sides of it: without a vertex on each, two different edges of
/// the mesh would have the same ends.
struct DoubledFace {
    pairs: [[usize; 2]; 2],
    vertices: [u32; 2],
}

struct Net {
    mesh: Mesh,
    cells: HashMap<IVec3, CellVertices>,
    /// By the cell above the face, and the face's axis.
    doubled: HashMap<(IVec3, usize), DoubledFace>,
}

impl Net {
    fn find_doubled(&mut self, samples: &Samples) {
        let mut found: Vec<(IVec3, usize, [[usize; 2]; 2])> = Vec::new();
        for (&cell, above) in &self.cells {
            let values = samples.corner_values(cell);
            for axis in 0..3 {
                let (pairs, count) = cell::segments(&values, axis, 0);
                let Some(below) = self.cells.get(&(cell - IVec3::AXES[axis])) else {
                    continue;
                };
                let other = pairs.map(|pair| across(pair[0], axis));
                if count == 2
                    && above.vertex(pairs[0][0]) == above.vertex(pairs[1][0])
                    && below.vertex(other[0]) == below.vertex(other[1])
                {
                    found.push((cell, axis, pairs));
                }
            }
        }
        found.sort_unstable_by_key(|(cell, axis, _)| (cell.to_array(), *axis));
        for (cell, axis, pairs) in found {
            let vertices = pairs.map(|pair| {
                let middle = pair.map(|edge| samples.crossing(grid_edge(cell, edge)));
                self.mesh.positions.push(0.5 * (middle[0] + middle[1]));
                self.mesh.positions.len() as u32 - 1
            });
            self.doubled.insert((cell, axis), DoubledFace { pairs, vertices });
        }
    }

    /// The quadrilateral around one crossed edge of the grid.
    fn add_quad(&mut self, cell: IVec3, axis: usize, inside: bool) {
        let (u, v) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
        // The edge's place in each of the four cells around it.
        let around = [(cell - u - v, 1, 1), (cell - v, 0, 1), (cell, 0, 0), (cell - u, 1, 0)];
        let mut corners = Vec::with_capacity(8);
        for index in 0..4 {
            let (here, bu, bv) = around[index];
            let Some(vertices) = self.cells.get(&here) else { return };
            let edge = cell::edge(axis, bu, bv);
            debug_assert_ne!(vertices.sheets.of_edge[edge], NONE);
            corners.push(vertices.vertex(edge));
            let (next, next_u, next_v) = around[(index + 1) % 4];
            let ((above, above_u, above_v), step) = if (next - here).max_element() > 0 {
                ((next, next_u, next_v), next - here)
            } else {
                ((here, bu, bv), here - next)
            };
            let face_axis = (0..3).find(|&axis| step[axis] != 0).unwrap_or(0);
            if let Some(face) = self.doubled.get(&(above, face_axis)) {
                let edge = cell::edge(axis, above_u, above_v);
                let pair = usize::from(!face.pairs[0].contains(&edge));
                corners.push(face.vertices[pair]);
            }
        }
        if !inside {
            corners.reverse();
        }
        if let [a, b, c, d] = corners[..] {
            self.mesh.push_quad([a, b, c, d]);
        } else {
            let middle = corners
                .iter()
                .map(|&index| self.mesh.positions[index as usize])
                .sum::<Vec3>();
            let center = self.mesh.positions.len() as u32;
            self.mesh.positions.push(middle / corners.len() as f32);
            for (index, &corner) in corners.iter().enumerate() {
                self.mesh
                    .triangles
                    .push([center, corner, corners[(index + 1) % corners.len()]]);
            }
        }
    }
}

/// The edge of the cell below a face that is this edge of the cell above it.
fn across(edge: usize, face_axis: usize) -> usize {
    let axis = edge / 4;
    edge | if face_axis == (axis + 1) % 3 { 1 } else { 2 }
}

impl Samples<'_> {
    /// Value at a place of the grid padded by one layer of outside.
    fn value(&self, padded: IVec3) -> f32 {
        let place = padded - 1;
        if place.cmplt(IVec3::ZERO).any() || place.cmpge(self.dims.as_ivec3()).any() {
            return FAR_OUTSIDE;
        }
        let place = place.as_uvec3();
        let index =
            place.x as usize + self.dims.x as usize * (place.y as usize + self.dims.y as usize * place.z as usize);
        self.values[index]
    }

    fn corner_values(&self, cell: IVec3) -> [f32; 8] {
        std::array::from_fn(|index| self.value(cell + corner(index)))
    }

    /// Where the surface crosses an edge, by linear interpolation.
    pub(crate) fn crossing(&self, edge: GridEdge) -> Vec3 {
        let (a, b) = (
            self.value(edge.from + 1),
            self.value(edge.from + IVec3::AXES[edge.axis] + 1),
        );
        self.origin + self.cell_size * (edge.from.as_vec3() + Vec3::AXES[edge.axis] * (a / (a - b)))
    }
}
