//! Meshes in a shadow map: what is nearest to the light is drawn first, and what is then hidden is passed over.

use super::super::floors::Floors;
use super::LightMap;
use crate::MeshInstance;
use glam::{Affine3A, Vec3A, Vec4};
use std::ops::Range;

/// Largest cells of the coarser version that takes the place of a mesh, texels: most vertices move by less than a
/// cell, and points are looked up 1.5 texels off their surface.
const DETAIL: f32 = 2.0;

/// Columns of a triangle from which it pays to find those of each row.
const WIDE: usize = 12;

/// Triangles that are drawn between two looks at which parts of the map are covered.
const LOOK: usize = 1 << 15;

/// What may be higher than the box around a mesh by rounding, texels.
const SLACK: f32 = 0.01;

/// Buffers for drawing meshes.
#[derive(Debug, Default)]
pub(crate) struct MeshScratch {
    order: Vec<Shadow>,
    /// Column, row and height of the vertices of a mesh.
    places: Vec<Vec3A>,
}

/// Where in a map a mesh is.
#[derive(Clone, Debug)]
struct Shadow {
    /// Its place in the list.
    number: usize,
    to_map: Affine3A,
    columns: Range<usize>,
    rows: Range<usize>,
    /// Nothing of it is higher.
    top: f32,
}

impl LightMap {
    /// Adds the lit sides of meshes.
    pub(crate) fn draw_meshes(&mut self, instances: &[&MeshInstance], scratch: &mut MeshScratch) {
        let MeshScratch { order, places } = scratch;
        order.clear();
        let numbered = instances.iter().enumerate();
        order.extend(numbered.filter_map(|(number, instance)| self.shadow(number, instance)));
        order.sort_by(|a, b| b.top.total_cmp(&a.top));
        let mut floors: Option<Floors> = None;
        let mut drawn = 0;
        for shadow in order.iter() {
            if drawn > LOOK {
                let floors = floors.get_or_insert_with(|| Floors::new(self.size));
                floors.look(&self.heights);
                drawn = 0;
            }
            let hide = |floors: &Floors| floors.hide(&shadow.columns, &shadow.rows, shadow.top);
            if !floors.as_ref().is_some_and(hide) {
                drawn += self.draw_mesh(instances[shadow.number], &shadow.to_map, floors.as_ref(), places);
            }
        }
    }

    /// Where a mesh is; nothing if it lies beside the map.
    fn shadow(&self, number: usize, instance: &MeshInstance) -> Option<Shadow> {
        let to_map = self.frame.transform(&instance.pose);
        let corners = instance
            .mesh
            .box_corners()
            .map(|corner| to_map.transform_point3a(corner.into()));
        let (min, max) = corners[1..]
            .iter()
            .fold((corners[0], corners[0]), |(min, max), &corner| {
                (min.min(corner), max.max(corner))
            });
        let is_beside = |axis: usize| !(max[axis] >= 0.0 && min[axis] <= self.size[axis] as f32);
        // A texel more, as a centre may be at the rim of the box.
        (!is_beside(0) && !is_beside(1)).then(|| Shadow {
            number,
            to_map,
            columns: self.range(0, min.x - 1.0, max.x + 1.0),
            rows: self.range(1, min.y - 1.0, max.y + 1.0),
            top: max.z + SLACK * self.texel,
        })
    }

    /// Adds the triangles of a mesh; returns how many there were.
    fn draw_mesh(
        &mut self,
        instance: &MeshInstance,
        to_map: &Affine3A,
        floors: Option<&Floors>,
        places: &mut Vec<Vec3A>,
    ) -> usize {
        let (mesh, matrix) = (instance.mesh, &instance.pose.matrix3);
        let outward = mesh.outward() * to_map.matrix3.determinant();
        let scale = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.length());
        let (positions, triangles) = mesh.version(DETAIL * self.texel / scale[0].max(scale[1]).max(scale[2]));
        places.clear();
        places.extend(
            positions
                .iter()
                .map(|&position| to_map.transform_point3a(position.into())),
        );
        for triangle in triangles {
            self.draw_triangle(triangle.map(|corner| places[corner as usize]), outward, floors);
        }
        triangles.len()
    }

    /// Adds a triangle, given in texels and height, unless it is the far side of something closed: one whose corners
    /// turn against the sign of `outward`.
    #[inline]
    fn draw_triangle(&mut self, [a, b, c]: [Vec3A; 3], outward: f32, floors: Option<&Floors>) {
        let (ab, ac) = (b - a, c - a);
        let area = ab.x * ac.y - ab.y * ac.x;
        if !(area.abs() > 1e-12 && area.is_finite() && area * outward >= 0.0) {
            return;
        }
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        let (columns, rows) = (self.range(0, min.x, max.x), self.range(1, min.y, max.y));
        if columns.is_empty() || rows.is_empty() || floors.is_some_and(|floors| floors.hide(&columns, &rows, max.z)) {
            return;
        }
        let (ab_over_area, ac_over_area) = (ab / area, ac / area);
        let steps = Vec4::new(0.5, 1.5, 2.5, 3.5) - a.x;
        let end = Vec4::splat(columns.end as f32 - a.x);
        let highest = Vec4::splat(max.z);
        let edges = (columns.len() > WIDE).then(|| [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)]);
        for row in rows {
            let y = row as f32 + 0.5 - a.y;
            let columns = match &edges {
                Some(edges) => between_edges(edges, row, &columns),
                None => columns.clone(),
            };
            for column in columns.step_by(4) {
                let start = row * self.size[0] + column;
                let texels = &mut self.heights[start..start + 4];
                let x = steps + column as f32;
                let of_b = x * ac_over_area.y - y * ac_over_area.x;
                let of_c = y * ab_over_area.x - x * ab_over_area.y;
                // Slivers would be higher than their corners by rounding, and whether they are hidden would change the picture.
                let candidate = (a.z + of_b * ab.z + of_c * ac.z).min(highest);
                let old = Vec4::from_slice(texels);
                let inside = of_b.min(of_c).cmpge(Vec4::ZERO) & (of_b + of_c).cmple(Vec4::ONE);
                let higher = inside & candidate.cmpgt(old) & x.cmplt(end);
                Vec4::select(higher, candidate, old).write_to_slice(texels);
            }
        }
    }
}

/// An edge of a triangle, in texels.
#[derive(Clone, Copy)]
struct Edge {
    start: Vec3A,
    /// Columns per row.
    slope: f32,
    /// The first and the last column that it reaches, and the same of rows.
    columns: [f32; 2],
    rows: [f32; 2],
}

impl Edge {
    #[inline]
    fn new(start: Vec3A, end: Vec3A) -> Self {
        Self {
            start,
            slope: (end.x - start.x) / (end.y - start.y),
            columns: [start.x.min(end.x), start.x.max(end.x)],
            rows: [start.y.min(end.y), start.y.max(end.y)],
        }
    }
}

/// The columns of a row that lie between edges, with a margin.
#[inline]
fn between_edges(edges: &[Edge; 3], row: usize, columns: &Range<usize>) -> Range<usize> {
    let y = row as f32 + 0.5;
    let (mut first, mut last) = (f32::INFINITY, f32::NEG_INFINITY);
    for edge in edges {
        if y >= edge.rows[0] - 0.5 && y <= edge.rows[1] + 0.5 {
            let x = edge.start.x + (y - edge.start.y) * edge.slope;
            // A level edge has no slope: it may be met anywhere.
            let x = if x.is_nan() {
                edge.columns
            } else {
                [x.clamp(edge.columns[0], edge.columns[1]); 2]
            };
            (first, last) = (first.min(x[0]), last.max(x[1]));
        }
    }
    let start = columns.start.max((first - 2.0).max(0.0) as usize);
    let end = columns.end.min((last + 2.0).max(0.0) as usize);
    start.min(end)..end
}
