//! Plain triangle meshes, for drawing and for making colliders.

use std::collections::{BTreeMap, HashMap};

use glam::{Affine3A, Vec2, Vec3};
use motes_core::Bounds;
use rayon::prelude::*;

use crate::error::GeometryError;

/// Triangles over shared vertices, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertices, metres.
    pub positions: Vec<Vec3>,
    /// Vertex indices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Colour of each triangle, sRGB; empty if the mesh has no colours of its own.
    pub colors: Vec<[u8; 3]>,
    /// Texture coordinates of each triangle's corners, as in the file; empty if the mesh has none.
    pub uvs: Vec<[Vec2; 3]>,
}

/// Triangles that are summed up one after the other.
const CHUNK: usize = 1 << 16;

/// Colour of triangles without one among others that have one.
const WHITE: [u8; 3] = [255; 3];

impl Mesh {
    /// Triangles over vertices, without colours.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            positions,
            triangles,
            colors: Vec::new(),
            uvs: Vec::new(),
        }
    }

    /// Colour of a triangle, sRGB, if the mesh has colours of its own.
    pub fn color(&self, triangle: usize) -> Option<[u8; 3]> {
        self.colors.get(triangle).copied()
    }

    /// The colour that covers most of the surface, sRGB, if the mesh has colours of its own.
    pub fn main_color(&self) -> Option<[u8; 3]> {
        let mut areas: BTreeMap<[u8; 3], f64> = BTreeMap::new();
        for ([a, b, c], &color) in self.corners().zip(&self.colors) {
            *areas.entry(color).or_default() += f64::from((b - a).cross(c - a).length());
        }
        let most = areas.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        most.map(|(color, _)| color)
    }

    /// Drops the triangles that do not pass the test, with their colours.
    pub(crate) fn retain_triangles(&mut self, mut keep: impl FnMut(&[Vec3], [u32; 3]) -> bool) {
        let kept: Vec<bool> = self
            .triangles
            .iter()
            .map(|&corners| keep(&self.positions, corners))
            .collect();
        let mut each = kept.iter();
        self.triangles.retain(|_| each.next() == Some(&true));
        let mut each = kept.iter();
        self.colors.retain(|_| each.next() == Some(&true));
        let mut each = kept.iter();
        self.uvs.retain(|_| each.next() == Some(&true));
    }

    /// Turns a triangle over.
    pub(crate) fn turn(&mut self, triangle: usize) {
        self.triangles[triangle].swap(1, 2);
        if let Some(uvs) = self.uvs.get_mut(triangle) {
            uvs.swap(1, 2);
        }
    }

    /// The smallest box around the vertices; empty for an empty mesh.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.positions.iter().copied())
    }

    /// The mesh moved by a transform; a mirroring transform turns the triangles over, so that they still face out.
    pub fn transformed(mut self, transform: &Affine3A) -> Self {
        for position in &mut self.positions {
            *position = transform.transform_point3(*position);
        }
        if transform.matrix3.determinant() < 0.0 {
            self = self.flipped();
        }
        self
    }

    /// The mesh with its inside out.
    pub fn flipped(mut self) -> Self {
        (0..self.triangles.len()).for_each(|triangle| self.turn(triangle));
        self
    }

    /// Adds the triangles of another mesh; vertices are not merged. If only one of the two has colours, the other is white; if only
    /// one has texture coordinates, those of the other are zero.
    pub fn append(&mut self, other: &Self) {
        if !(self.colors.is_empty() && other.colors.is_empty()) {
            self.colors.resize(self.triangles.len(), WHITE);
            self.colors.extend_from_slice(&other.colors);
            self.colors.resize(self.triangles.len() + other.triangles.len(), WHITE);
        }
        if !(self.uvs.is_empty() && other.uvs.is_empty()) {
            self.uvs.resize(self.triangles.len(), [Vec2::ZERO; 3]);
            self.uvs.extend_from_slice(&other.uvs);
            self.uvs
                .resize(self.triangles.len() + other.triangles.len(), [Vec2::ZERO; 3]);
        }
        let offset = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        let shifted = other
            .triangles
            .iter()
            .map(|triangle| triangle.map(|index| index + offset));
        self.triangles.extend(shifted);
    }

    /// Corner positions of every triangle.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.corners_of(&self.triangles)
    }

    /// Corner positions of some triangles.
    pub(crate) fn corners_of<'a>(&'a self, triangles: &'a [[u32; 3]]) -> impl Iterator<Item = [Vec3; 3]> + 'a {
        triangles
            .iter()
            .map(|triangle| triangle.map(|index| self.positions[index as usize]))
    }

    /// The triangles in chunks, which are the same on any number of threads, so that sums over them are too.
    pub(crate) fn chunks(&self) -> impl IndexedParallelIterator<Item = &[[u32; 3]]> {
        self.triangles.par_chunks(CHUNK)
    }

    /// Surface area, square metres.
    pub fn area(&self) -> f32 {
        let area = |[a, b, c]: [Vec3; 3]| f64::from(0.5 * (b - a).cross(c - a).length());
        let sums = self.chunks().map(|chunk| self.corners_of(chunk).map(area).sum());
        sums.collect::<Vec<f64>>().iter().sum::<f64>() as f32
    }

    /// Enclosed volume, cubic metres; meaningful for a watertight mesh, negative if it is inside out.
    pub fn volume(&self) -> f32 {
        let origin = self.positions.first().copied().unwrap_or_default();
        let tetrahedron = |corners: [Vec3; 3]| {
            let [a, b, c] = corners.map(|corner| corner - origin);
            f64::from(a.dot(b.cross(c)) / 6.0)
        };
        let sums = self.chunks().map(|chunk| self.corners_of(chunk).map(tetrahedron).sum());
        sums.collect::<Vec<f64>>().iter().sum::<f64>() as f32
    }

    /// Whether every edge is used once in each direction, so that the surface is closed and consistently turned.
    pub fn is_watertight(&self) -> bool {
        let mut uses: HashMap<(u32, u32), (u32, u32)> = HashMap::new();
        for &[a, b, c] in &self.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let entry = uses.entry((from.min(to), from.max(to))).or_default();
                if from < to {
                    entry.0 += 1;
                } else {
                    entry.1 += 1;
                }
            }
        }
        !uses.is_empty() && uses.values().all(|&(forward, backward)| forward == 1 && backward == 1)
    }

    /// The share of edges that only one triangle has: 0 for a closed mesh, little for one with small holes, 1 for loose triangles.
    pub fn open_share(&self) -> f32 {
        let edges = crate::edges::Edges::of(self);
        let (open, all) = edges.iter().fold((0usize, 0usize), |(open, all), uses| {
            (open + usize::from(uses.len() == 1), all + 1)
        });
        if all == 0 { 1.0 } else { open as f32 / all as f32 }
    }

    /// Whether every vertex is finite and every corner exists.
    pub(crate) fn check(&self) -> Result<(), GeometryError> {
        if let Some(index) = self.positions.iter().position(|position| !position.is_finite()) {
            return Err(GeometryError::NotFinite { index });
        }
        let exists = |corner: &u32| (*corner as usize) < self.positions.len();
        match self.triangles.iter().position(|triangle| !triangle.iter().all(exists)) {
            Some(triangle) => Err(GeometryError::MissingVertex { triangle }),
            None => Ok(()),
        }
    }

    /// Adds a quadrilateral as two triangles, counter-clockwise seen from outside.
    pub(crate) fn push_quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

/// A box of twelve triangles around the origin; `half_extents` in metres.
pub fn cuboid(half_extents: Vec3) -> Mesh {
    let positions = (0..8)
        .map(|corner| {
            let sign = |bit: u32| if corner & bit == 0 { -1.0 } else { 1.0 };
            half_extents * Vec3::new(sign(1), sign(2), sign(4))
        })
        .collect();
    let mut mesh = Mesh::new(positions, Vec::new());
    for quad in [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ] {
        mesh.push_quad(quad);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brick() -> Mesh {
        cuboid(Vec3::new(0.5, 1.0, 1.5))
    }

    #[test]
    fn cuboid_has_the_area_and_volume_of_its_edges() {
        assert!((brick().area() - 22.0).abs() < 1e-5);
        assert!((brick().volume() - 6.0).abs() < 1e-5);
        assert!(brick().is_watertight());
    }

    #[test]
    fn bounds_follow_a_translation() {
        let moved = brick().transformed(&Affine3A::from_translation(Vec3::X));
        assert_eq!(moved.bounds().min, Vec3::new(0.5, -1.0, -1.5));
        assert_eq!(moved.bounds().max, Vec3::new(1.5, 1.0, 1.5));
    }

    #[test]
    fn mirrored_mesh_still_faces_out() {
        let mirrored = brick().transformed(&Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        assert!((mirrored.volume() - 6.0).abs() < 1e-5);
        assert!(brick().flipped().volume() < 0.0);
    }

    #[test]
    fn append_adds_the_volumes() {
        let mut both = brick();
        both.append(&brick().transformed(&Affine3A::from_translation(Vec3::new(5.0, 0.0, 0.0))));
        assert!((both.volume() - 12.0).abs() < 1e-4);
        assert!(both.is_watertight());
    }

    #[test]
    fn colors_stay_with_their_triangles() {
        let mut red = brick();
        red.colors = vec![[255, 0, 0]; 12];
        let mut all = brick();
        all.append(&red);
        all.append(&brick());
        assert_eq!(
            [0, 11, 12, 23, 24].map(|index| all.color(index).unwrap()[1]),
            [255, 255, 0, 0, 255]
        );
        all.retain_triangles(|_, corners| corners[0] >= 8);
        assert_eq!((all.triangles.len(), all.colors.len()), (24, 24));
        assert_eq!(all.color(0), Some([255, 0, 0]));
        all.colors[13] = [255, 0, 0];
        assert_eq!((all.main_color(), brick().main_color()), (Some([255, 0, 0]), None));
        assert_eq!(all.only(&[3, 20]).colors, [[255, 0, 0], [255; 3]]);
        let fine = all.refined(0.5).unwrap();
        assert_eq!(fine.colors.len(), fine.triangles.len());
        assert_eq!(fine.color(0), Some([255, 0, 0]));
    }

    #[test]
    fn mesh_with_a_missing_triangle_is_not_watertight() {
        let mut open = brick();
        open.triangles.pop();
        assert_eq!((brick().open_share(), Mesh::default().open_share()), (0.0, 1.0));
        assert!((open.open_share() - 3.0 / 18.0).abs() < 1e-6);
        assert!(!open.is_watertight());
        assert!(!Mesh::default().is_watertight());
    }
}
