//! Shapes as words: those of few numbers go into a collider's record, the others into the pool.

use std::sync::Arc;

use motes_core::Shape;
use motes_core::colliders::{ConvexHull, Heightfield, SdfGrid, TriangleMesh};
use motes_core::glam::Vec3;

use super::cells::{self, MeshCells};
use super::pool::push_point;

/// Numbers of the kinds of shapes.
pub(crate) const PLANE: u32 = 0;
pub(crate) const SPHERE: u32 = 1;
pub(crate) const CAPSULE: u32 = 2;
pub(crate) const CUBOID: u32 = 3;
pub(crate) const HULL: u32 = 4;
pub(crate) const MESH: u32 = 5;
pub(crate) const GRID: u32 = 6;
pub(crate) const HEIGHTFIELD: u32 = 7;
pub(crate) const SHAPE_KINDS: u32 = 8;

/// Bits of the kinds that kernels know, unless there are only planes.
const SMALL_KINDS: u32 = 1 << PLANE | 1 << SPHERE | 1 << CAPSULE | 1 << CUBOID;

/// Bits of the kinds that are surfaces of triangles.
pub(crate) const SHELLS: u32 = 1 << 5 | 1 << 7;

/// A bit for every kind that a kernel for these shapes has to know; planes in any case.
pub(super) fn kinds<'a>(shapes: impl Iterator<Item = &'a Shape>) -> u32 {
    let kinds = shapes.fold(1, |kinds, shape| kinds | 1 << kind(shape));
    if kinds == 1 { kinds } else { kinds | SMALL_KINDS }
}

pub(super) fn kind(shape: &Shape) -> u32 {
    match shape {
        Shape::Plane(_) => PLANE,
        Shape::Sphere(_) => SPHERE,
        Shape::Capsule(_) => CAPSULE,
        Shape::Cuboid(_) => CUBOID,
        Shape::ConvexHull(_) => HULL,
        Shape::TriangleMesh(_) => MESH,
        Shape::SdfGrid(_) => GRID,
        Shape::Heightfield(_) => HEIGHTFIELD,
    }
}

/// What the words at the beginning of a mesh say, as `lib/shape_shell.wgsl` explains.
pub(crate) const MESH_INDICES: usize = 0;
pub(crate) const MESH_FAN_STARTS: usize = 1;
pub(crate) const MESH_FANS: usize = 2;
pub(crate) const MESH_NODES: usize = 3;
pub(crate) const MESH_ORDER: usize = 4;
pub(crate) const MESH_NODE_COUNT: usize = 5;
pub(crate) const MESH_CELL_STARTS: usize = 6;
pub(crate) const MESH_CELL_LISTS: usize = 7;
pub(crate) const MESH_CELL_REACH: usize = 8;
pub(crate) const MESH_CELL_ORIGIN: usize = 9;
pub(crate) const MESH_CELL_WIDTH: usize = 12;
pub(crate) const MESH_CELL_SIDES: usize = 13;
pub(crate) const MESH_CORNERS: usize = 16;
pub(crate) const MESH_ACROSS: usize = 17;
const MESH_HEADER: usize = 18;

/// Where the numbers of a shape go.
pub(super) enum Place {
    Here([f32; 4]),
    InPool(Large),
}

pub(super) fn place(shape: &Shape) -> Place {
    match shape {
        Shape::Plane(plane) => Place::Here(plane.normal().extend(plane.offset()).to_array()),
        Shape::Sphere(sphere) => Place::Here([sphere.radius(), 0.0, 0.0, 0.0]),
        Shape::Capsule(capsule) => Place::Here([capsule.half_length(), capsule.radius(), 0.0, 0.0]),
        Shape::Cuboid(cuboid) => Place::Here(cuboid.half_size().extend(0.0).to_array()),
        Shape::ConvexHull(hull) => Place::InPool(Large::Hull(Arc::clone(hull))),
        Shape::TriangleMesh(mesh) => Place::InPool(Large::Mesh(Arc::clone(mesh), None)),
        Shape::SdfGrid(grid) => Place::InPool(Large::Grid(Arc::clone(grid))),
        Shape::Heightfield(field) => Place::InPool(Large::Field(Arc::clone(field))),
    }
}

/// A shape of many numbers. Equal when it is the same one, not one like it.
#[derive(Clone, Debug)]
pub(super) enum Large {
    Hull(Arc<ConvexHull>),
    Mesh(Arc<TriangleMesh>, Option<Arc<MeshCells>>),
    Grid(Arc<SdfGrid>),
    Field(Arc<Heightfield>),
}

impl PartialEq for Large {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Hull(a), Self::Hull(b)) => Arc::ptr_eq(a, b),
            (Self::Mesh(a, _), Self::Mesh(b, _)) => Arc::ptr_eq(a, b),
            (Self::Grid(a), Self::Grid(b)) => Arc::ptr_eq(a, b),
            (Self::Field(a), Self::Field(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Large {
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        match place(shape) {
            Place::Here(_) => None,
            Place::InPool(shape) => Some(shape),
        }
    }

    /// The same with what finds contacts sooner, for particles up to a radius.
    pub(super) fn with_cells(self, radius: f32) -> Self {
        match self {
            Self::Mesh(mesh, _) => {
                let cells = MeshCells::new(&mesh, radius).map(Arc::new);
                Self::Mesh(mesh, cells)
            }
            other => other,
        }
    }

    /// Words that the shape takes.
    pub(super) fn words(&self) -> usize {
        match self {
            Self::Hull(hull) => 4 + 3 * hull.vertices().len() + 7 * hull.triangles().len(),
            Self::Mesh(mesh, cells) => {
                let (starts, fans) = mesh.fans();
                let bvh = mesh.bvh();
                MESH_HEADER
                    + 27 * mesh.triangles().len()
                    // What brings vectors to a place that is theirs.
                    + 3
                    + cells.as_ref().map_or(0, |cells| cells.words())
                    + starts.len()
                    + fans.len()
                    + 8 * bvh.nodes().len()
                    + bvh.order().len()
            }
            Self::Grid(grid) => 8 + grid.values().len(),
            Self::Field(field) => 6 + field.heights().len(),
        }
    }

    /// The shape as words, to be stored from word `base` of the pool on.
    pub(super) fn pack(&self, base: u32) -> Vec<u32> {
        match self {
            Self::Hull(hull) => {
                let mut packer = Packer::new(base, 4);
                packer.numbers(0, hull.vertices());
                packer.words(1, hull.triangles().as_flattened());
                packer.numbers(2, hull.planes());
                packer.words[3] = hull.triangles().len() as u32;
                packer.words
            }
            Self::Mesh(mesh, cells) => {
                let (starts, fans) = mesh.fans();
                let bvh = mesh.bvh();
                let mut packer = Packer::new(base, MESH_HEADER);
                packer.vectors(MESH_CORNERS, &corners(mesh));
                packer.vectors(MESH_ACROSS, &across(mesh));
                packer.words(MESH_INDICES, mesh.triangles().as_flattened());
                packer.words(MESH_FAN_STARTS, starts);
                packer.words(MESH_FANS, fans);
                packer.words(MESH_NODES, bytemuck::cast_slice(bvh.nodes()));
                packer.words(MESH_ORDER, bvh.order());
                packer.words[MESH_NODE_COUNT] = bvh.nodes().len() as u32;
                if let Some(cells) = cells {
                    packer.words(MESH_CELL_STARTS, &cells.packed_starts());
                    packer.words(MESH_CELL_LISTS, &cells.triangles);
                    packer.words[MESH_CELL_REACH] = cells.reach.to_bits();
                    packer.words[MESH_CELL_ORIGIN..][..3].copy_from_slice(&cells.low.to_array().map(f32::to_bits));
                    packer.words[MESH_CELL_WIDTH] = cells.width.to_bits();
                    packer.words[MESH_CELL_SIDES..][..3].copy_from_slice(&cells.sides.to_array());
                }
                packer.words.resize(self.words(), 0);
                packer.words
            }
            Self::Grid(grid) => {
                let mut words = Vec::with_capacity(self.words());
                push_point(grid.origin(), &mut words);
                words.push(grid.cell_size().to_bits());
                words.extend(grid.dims().to_array());
                // Outside the box the distance grows along and across its faces at once.
                words.push(1.0_f32.hypot(grid.steepness()).to_bits());
                words.extend_from_slice(bytemuck::cast_slice(grid.values()));
                words
            }
            Self::Field(field) => {
                let mut words = Vec::with_capacity(self.words());
                words.extend([field.columns(), field.rows()]);
                words.extend(field.cell_size().to_array().map(f32::to_bits));
                words.extend([field.lowest(), field.bounds().max.y].map(f32::to_bits));
                words.extend_from_slice(bytemuck::cast_slice(field.heights()));
                words
            }
        }
    }
}

/// The corners of each triangle, so that kernels find them without its indices, each with a number of its normal.
fn corners(mesh: &TriangleMesh) -> Vec<[u32; 4]> {
    let corner = |index: u32, number: f32| {
        mesh.vertices()[index as usize]
            .extend(number)
            .to_array()
            .map(f32::to_bits)
    };
    let triangles = mesh.triangles().iter().zip(mesh.normals());
    triangles
        .flat_map(|(indices, normal)| {
            let mut numbers = normal.to_array().into_iter();
            indices.map(|index| corner(index, numbers.next().unwrap_or_default()))
        })
        .collect()
}

/// What is across each edge: a number and a point.
fn across(mesh: &TriangleMesh) -> Vec<[u32; 4]> {
    let words = |(triangle, apex): (u32, Vec3)| {
        let [x, y, z] = apex.to_array().map(f32::to_bits);
        [triangle, x, y, z]
    };
    cells::across(mesh).into_iter().map(words).collect()
}

/// Arrays one after the other, behind a header that says where each begins.
struct Packer {
    base: u32,
    words: Vec<u32>,
}

impl Packer {
    fn new(base: u32, header: usize) -> Self {
        Self {
            base,
            words: vec![0; header],
        }
    }

    fn words(&mut self, entry: usize, words: &[u32]) {
        self.words[entry] = self.base + self.words.len() as u32;
        self.words.extend_from_slice(words);
    }

    /// The place of vectors is counted in vectors.
    fn vectors(&mut self, entry: usize, vectors: &[[u32; 4]]) {
        let begin = (self.base as usize + self.words.len()).next_multiple_of(4);
        self.words.resize(begin - self.base as usize, 0);
        self.words[entry] = (begin / 4) as u32;
        self.words.extend_from_slice(vectors.as_flattened());
    }

    fn numbers<T: bytemuck::Pod>(&mut self, entry: usize, numbers: &[T]) {
        self.words(entry, bytemuck::cast_slice(numbers));
    }
}

#[cfg(test)]
mod tests {
    use motes_core::glam::{UVec3, Vec2};

    use super::*;

    #[test]
    fn a_shape_takes_as_many_words_as_it_says() {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let triangles = vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        let hull = ConvexHull::new(corners.clone(), triangles.clone()).expect("a hull");
        let mesh = TriangleMesh::new(corners, triangles).expect("a mesh");
        let grid = SdfGrid::new(Vec3::ZERO, 1.0, UVec3::new(2, 3, 4), vec![1.0; 24]).expect("a grid");
        let field = Heightfield::new(3, 5, Vec2::ONE, vec![0.0; 15]).expect("a terrain");
        for shape in [hull.into(), mesh.into(), grid.into(), field.into()] {
            let large = Large::of(&shape).expect("it is large");
            for large in [large.clone(), large.with_cells(0.1)] {
                assert_eq!(large.pack(7).len(), large.words());
            }
        }
    }
}
