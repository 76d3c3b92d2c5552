//! Shapes as words: those of few numbers go into a collider's record, the others into the pool.

use std::sync::Arc;

use motes_core::Shape;
use motes_core::colliders::{ConvexHull, Heightfield, SdfGrid, TriangleMesh};

use super::pool::push_point;

/// Bits of the kinds that kernels know, unless there are only planes.
const SMALL_KINDS: u32 = 0b1111;

/// Bits of the kinds that are surfaces of triangles.
pub(super) const SHELLS: u32 = 1 << 5 | 1 << 7;

/// A bit for every kind that a kernel for these shapes has to know; planes in any case.
pub(super) fn kinds<'a>(shapes: impl Iterator<Item = &'a Shape>) -> u32 {
    let kinds = shapes.fold(1, |kinds, shape| kinds | 1 << kind(shape));
    if kinds == 1 { kinds } else { kinds | SMALL_KINDS }
}

/// Number of a kind of shape, as in `lib/shape.wgsl`.
pub(super) fn kind(shape: &Shape) -> u32 {
    match shape {
        Shape::Plane(_) => 0,
        Shape::Sphere(_) => 1,
        Shape::Capsule(_) => 2,
        Shape::Cuboid(_) => 3,
        Shape::ConvexHull(_) => 4,
        Shape::TriangleMesh(_) => 5,
        Shape::SdfGrid(_) => 6,
        Shape::Heightfield(_) => 7,
    }
}

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
        Shape::TriangleMesh(mesh) => Place::InPool(Large::Mesh(Arc::clone(mesh))),
        Shape::SdfGrid(grid) => Place::InPool(Large::Grid(Arc::clone(grid))),
        Shape::Heightfield(field) => Place::InPool(Large::Field(Arc::clone(field))),
    }
}

/// A shape of many numbers. Equal when it is the same one, not one like it.
#[derive(Clone, Debug)]
pub(super) enum Large {
    Hull(Arc<ConvexHull>),
    Mesh(Arc<TriangleMesh>),
    Grid(Arc<SdfGrid>),
    Field(Arc<Heightfield>),
}

impl PartialEq for Large {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Hull(a), Self::Hull(b)) => Arc::ptr_eq(a, b),
            (Self::Mesh(a), Self::Mesh(b)) => Arc::ptr_eq(a, b),
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

    /// Words that the shape takes.
    pub(super) fn words(&self) -> usize {
        match self {
            Self::Hull(hull) => 4 + 3 * hull.vertices().len() + 7 * hull.triangles().len(),
            Self::Mesh(mesh) => {
                let (starts, fans) = mesh.fans();
                let bvh = mesh.bvh();
                8 + 3 * mesh.vertices().len()
                    + 6 * mesh.triangles().len()
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
            Self::Mesh(mesh) => {
                let (starts, fans) = mesh.fans();
                let bvh = mesh.bvh();
                let mut packer = Packer::new(base, 8);
                packer.numbers(0, mesh.vertices());
                packer.words(1, mesh.triangles().as_flattened());
                packer.numbers(2, mesh.normals());
                packer.words(3, starts);
                packer.words(4, fans);
                packer.words(5, bytemuck::cast_slice(bvh.nodes()));
                packer.words(6, bvh.order());
                packer.words[7] = bvh.nodes().len() as u32;
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

    fn numbers<T: bytemuck::Pod>(&mut self, entry: usize, numbers: &[T]) {
        self.words(entry, bytemuck::cast_slice(numbers));
    }
}

#[cfg(test)]
mod tests {
    use motes_core::glam::{UVec3, Vec2, Vec3};

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
            assert_eq!(large.pack(7).len(), large.words());
        }
    }
}
