//! Cloth, ropes and balloons: what is needed of a sheet or a chain to make particles and constraints of it.
//!
//! A [`ClothShape`] is a sheet of triangles at rest, [from a grid](ClothShape::grid), [a disc](ClothShape::disc), [from any mesh](ClothShape::from_mesh)
//! or [from a closed one](ClothShape::from_closed_mesh). [`ClothShape::springs`] makes it as stiff as a [`Membrane`],
//! [`ClothShape::hinges`] have it resist bending, and [`ClothShape::tethers`] keep it from stretching further. A [`RopeShape`] is the
//! same for chains. Vertices are particles; numbers are in SI units.

mod alternate;
mod ball;
mod bend;
mod disc;
mod drawn;
mod fold;
mod from_mesh;
mod geodesic;
mod globe;
mod grid;
mod quartic;
mod rope;
mod select;
mod strength;
mod stretch;
mod surface;
mod tethers;
mod unfold;

use glam::{Vec2, Vec3};

pub use bend::{Hinge, clamp_hinges};
pub use drawn::DrawnSheet;
pub use from_mesh::{SheetOptions, SheetRepairs};
pub use grid::{ClothGrid, GridLayout};
pub use rope::{RopeBend, RopePath, RopeShape, clamp_bends};
pub use stretch::{ClothSpring, Membrane, SpringKind};
pub use surface::SheetEdge;
pub use tethers::{Measure, Tether};

use crate::error::GeometryError;
use crate::mesh::Mesh;

/// A sheet at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothShape {
    /// Vertices, metres.
    pub positions: Vec<Vec3>,
    /// Vertices of each triangle, counter-clockwise seen from the side that normals point to.
    pub triangles: Vec<[u32; 3]>,
    /// Coordinates on the cloth of each triangle's corners, metres: u along the warp, v along the weft. Triangles side by
    /// side agree, but for those along a seam.
    pub uvs: Vec<[Vec2; 3]>,
    /// What resists bending: one for each edge between two triangles, or, of a grid, for each of its threads at a vertex and each cell.
    pub hinges: Vec<Hinge>,
    /// Area of each vertex, m²: a third of that of its triangles.
    pub areas: Vec<f32>,
    /// Vertices of each rim in order, with the sheet to the left.
    pub rims: Vec<Vec<u32>>,
    /// Rows and columns, if it is a grid.
    pub grid: Option<GridLayout>,
    edges: Vec<SheetEdge>,
}

impl ClothShape {
    /// A sheet of triangles that agree on their sides; `grid` if it is one.
    fn new(mesh: Mesh, uvs: Vec<[Vec2; 3]>, grid: Option<GridLayout>) -> Result<Self, GeometryError> {
        let edges = surface::sheet_edges(&mesh)?;
        let Mesh {
            positions, triangles, ..
        } = mesh;
        let mut areas = vec![0.0f64; positions.len()];
        for (corners, area) in triangles.iter().zip(surface::triangle_areas(&positions, &triangles)) {
            corners.iter().for_each(|&corner| areas[corner as usize] += area / 3.0);
        }
        let mut shape = Self {
            hinges: Vec::new(),
            areas: areas.into_iter().map(|area| area as f32).collect(),
            rims: surface::rims(&edges, positions.len()),
            positions,
            triangles,
            uvs,
            grid,
            edges,
        };
        shape.hinges = bend::hinges(&shape);
        Ok(shape)
    }

    /// Edges of the triangles, each once.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.edges.iter().map(|edge| edge.ends)
    }

    /// Edges of the triangles with what is on either side of them, in the order of the springs along them.
    pub fn sides(&self) -> &[SheetEdge] {
        &self.edges
    }

    /// Whether there is no rim, so that it holds a volume.
    pub fn is_closed(&self) -> bool {
        self.rims.is_empty() && !self.triangles.is_empty()
    }

    /// Area of the sheet, m².
    pub fn area(&self) -> f32 {
        self.areas.iter().map(|&area| f64::from(area)).sum::<f64>() as f32
    }

    /// The volume inside, m³; meaningful for a closed sheet, negative if its normals point in.
    pub fn volume(&self) -> f32 {
        let origin = self.positions.first().copied().unwrap_or_default().as_dvec3();
        let part = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| self.positions[corner as usize].as_dvec3() - origin);
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(part).sum::<f64>() as f32
    }

    /// Mass of each vertex, kg, of a cloth of that many kg/m².
    pub fn masses(&self, areal_density: f32) -> Vec<f32> {
        self.areas.iter().map(|area| area * areal_density).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests;
