//! Rectangles of cloth.

use glam::{Vec2, Vec3};

use super::ClothShape;
use crate::error::{GeometryError, positive};
use crate::mesh::Mesh;

/// Most vertices of a sheet.
const MAX_VERTICES: f64 = 2e7;

/// A rectangle of cloth, of so many columns and rows of vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothGrid {
    /// Width along the warp and height along the weft, metres.
    pub size: [f32; 2],
    /// Vertices along the width and along the height.
    pub resolution: [u32; 2],
}

impl ClothGrid {
    /// A rectangle whose vertices are `spacing` metres apart, or a little less, so that they end at its edges.
    pub fn with_spacing(size: [f32; 2], spacing: f32) -> Result<Self, GeometryError> {
        positive("spacing", spacing)?;
        let along = |length: f32| -> Result<u32, GeometryError> {
            let steps = f64::from(positive("size", length)?) / f64::from(spacing);
            if steps > MAX_VERTICES {
                return Err(GeometryError::TooManyPoints {
                    wanted: steps,
                    limit: MAX_VERTICES,
                });
            }
            // A length that is a multiple of the spacing but for rounding gets no step more.
            Ok((steps - 1e-4).ceil().max(1.0) as u32 + 1)
        };
        Ok(Self {
            size,
            resolution: [along(size[0])?, along(size[1])?],
        })
    }
}

/// Rows and columns of a grid of vertices. Vertex `row * columns + column`; row 0 is at the bottom, column 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridLayout {
    /// Vertices in a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// Width and height of a cell, metres.
    pub cell: [f32; 2],
}

impl GridLayout {
    /// Names that [`GridLayout::named`] knows, besides `row N` and `column N`, which count from 0 at the bottom and the left.
    pub const NAMES: [&'static str; 15] = [
        "top_left",
        "top_right",
        "bottom_left",
        "bottom_right",
        "top",
        "bottom",
        "left",
        "right",
        "corners",
        "edges",
        "center",
        "top_center",
        "bottom_center",
        "left_center",
        "right_center",
    ];

    /// The vertex in a column and a row.
    pub fn vertex(&self, column: u32, row: u32) -> u32 {
        row * self.columns + column
    }

    /// All vertices in a row.
    pub fn row(&self, row: u32) -> Vec<u32> {
        (0..self.columns).map(|column| self.vertex(column, row)).collect()
    }

    /// All vertices in a column.
    pub fn column(&self, column: u32) -> Vec<u32> {
        (0..self.rows).map(|row| self.vertex(column, row)).collect()
    }

    /// Vertices by the name of their place; see [`GridLayout::NAMES`].
    pub fn named(&self, name: &str) -> Option<Vec<u32>> {
        let (right, top) = (self.columns - 1, self.rows - 1);
        let (across, up) = (self.columns / 2, self.rows / 2);
        let mut vertices = match name {
            "top_left" => vec![self.vertex(0, top)],
            "top_right" => vec![self.vertex(right, top)],
            "bottom_left" => vec![self.vertex(0, 0)],
            "bottom_right" => vec![self.vertex(right, 0)],
            "top" => self.row(top),
            "bottom" => self.row(0),
            "left" => self.column(0),
            "right" => self.column(right),
            "corners" => [(0, 0), (right, 0), (0, top), (right, top)]
                .map(|(column, row)| self.vertex(column, row))
                .to_vec(),
            "edges" => [self.row(0), self.row(top), self.column(0), self.column(right)].concat(),
            "center" => vec![self.vertex(across, up)],
            "top_center" => vec![self.vertex(across, top)],
            "bottom_center" => vec![self.vertex(across, 0)],
            "left_center" => vec![self.vertex(0, up)],
            "right_center" => vec![self.vertex(right, up)],
            _ => {
                let (kind, number) = name.split_once(' ')?;
                let number: u32 = number.trim().parse().ok()?;
                match kind {
                    "row" if number < self.rows => self.row(number),
                    "column" if number < self.columns => self.column(number),
                    _ => return None,
                }
            }
        };
        vertices.sort_unstable();
        vertices.dedup();
        Some(vertices)
    }

    /// Whether the diagonal of the cell that begins at a column and a row rises to the right. It does in every other cell:
    /// diagonals that all rise one way make a cloth stiffer along them than across.
    pub(super) fn rises(column: u32, row: u32) -> bool {
        (column + row).is_multiple_of(2)
    }
}

impl ClothShape {
    /// A rectangle around the origin in the plane of x and y, u along x, v along y, normals along z.
    pub fn grid(grid: &ClothGrid) -> Result<Self, GeometryError> {
        let [width, height] = [positive("width", grid.size[0])?, positive("height", grid.size[1])?];
        let [columns, rows] = grid.resolution;
        if columns < 2 || rows < 2 {
            return Err(GeometryError::TooFew {
                what: "a grid of cloth, along each side,",
                least: 2,
                found: columns.min(rows) as usize,
            });
        }
        let wanted = f64::from(columns) * f64::from(rows);
        if wanted > MAX_VERTICES {
            return Err(GeometryError::TooManyPoints {
                wanted,
                limit: MAX_VERTICES,
            });
        }
        let layout = GridLayout {
            columns,
            rows,
            cell: [width / (columns - 1) as f32, height / (rows - 1) as f32],
        };
        let uv = |column: u32, row: u32| {
            let share = |index: u32, count: u32| f64::from(index) / f64::from(count - 1);
            Vec2::new(
                (f64::from(width) * share(column, columns)) as f32,
                (f64::from(height) * share(row, rows)) as f32,
            )
        };
        let place = |index: u32| (uv(index % columns, index / columns) - 0.5 * Vec2::new(width, height)).extend(0.0);
        let positions: Vec<Vec3> = (0..columns * rows).map(place).collect();
        let mut triangles = Vec::with_capacity(2 * ((columns - 1) * (rows - 1)) as usize);
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let [a, b] = [layout.vertex(column, row), layout.vertex(column + 1, row)];
                let [d, c] = [a + columns, b + columns];
                triangles.extend(if GridLayout::rises(column, row) {
                    [[a, b, c], [a, c, d]]
                } else {
                    [[a, b, d], [b, c, d]]
                });
            }
        }
        let corner_uvs = |corners: &[u32; 3]| corners.map(|corner| uv(corner % columns, corner / columns));
        let uvs = triangles.iter().map(corner_uvs).collect();
        Self::new(Mesh::new(positions, triangles), uvs, Some(layout))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> ClothShape {
        let grid = ClothGrid {
            size: [2.0, 1.0],
            resolution: [5, 3],
        };
        ClothShape::grid(&grid).unwrap()
    }

    #[test]
    fn a_grid_has_the_counts_and_the_area_of_its_rectangle() {
        let shape = small();
        assert_eq!((shape.positions.len(), shape.triangles.len()), (15, 16));
        // 4·3 along, 5·2 up, 8 diagonals; 3·3 lines along, 5·1 up, and the twist of 8 cells.
        assert_eq!((shape.edges().count(), shape.hinges.len()), (30, 22));
        assert!((shape.area() - 2.0).abs() < 1e-6);
        assert_eq!(shape.rims, [vec![0, 1, 2, 3, 4, 9, 14, 13, 12, 11, 10, 5]]);
        assert!(!shape.is_closed());
        let masses = shape.masses(0.3);
        assert!((masses.iter().sum::<f32>() - 0.6).abs() < 1e-6);
        // The corner at the start has two of the eight thirds of a cell that its diagonal gives it.
        assert!((masses[0] - 0.3 * 0.25 / 3.0).abs() < 1e-7);
        assert_eq!(shape.positions[14], Vec3::new(1.0, 0.5, 0.0));
        assert!(
            shape
                .triangles
                .iter()
                .all(|corners| super::super::surface::doubled_normal(&shape.positions, corners).z > 0.0)
        );
    }

    #[test]
    fn spacing_gives_the_resolution() {
        let resolution = |size, spacing| ClothGrid::with_spacing(size, spacing).map(|grid| grid.resolution);
        assert_eq!(resolution([1.0, 0.5], 0.1), Ok([11, 6]));
        assert_eq!(resolution([1.0, 0.5], 0.3), Ok([5, 3]));
        assert_eq!(resolution([0.1, 0.1], 1.0), Ok([2, 2]));
        assert!(resolution([1.0, f32::NAN], 0.1).is_err() && resolution([1.0, 1.0], 0.0).is_err());
        assert!(resolution([1.0, 1.0], 1e-30).is_err());
        for bad in [[1, 4], [4, 0], [1 << 20, 1 << 20]] {
            let grid = ClothGrid {
                size: [1.0, 1.0],
                resolution: bad,
            };
            assert!(ClothShape::grid(&grid).is_err());
        }
    }

    #[test]
    fn places_have_names() {
        let layout = small().grid.unwrap();
        let named = |name| layout.named(name).unwrap();
        assert_eq!(named("top_left"), [10]);
        assert_eq!(named("bottom_right"), [4]);
        assert_eq!(named("left"), [0, 5, 10]);
        assert_eq!(named("corners"), [0, 4, 10, 14]);
        assert_eq!(named("edges").len(), 12);
        assert_eq!(named("row 1"), [5, 6, 7, 8, 9]);
        assert_eq!(named("column 2"), [2, 7, 12]);
        assert_eq!(named("center"), [7]);
        for unknown in ["row 3", "column 5", "row x", "middle", ""] {
            assert_eq!(layout.named(unknown), None);
        }
        assert!(GridLayout::NAMES.iter().all(|name| layout.named(name).is_some()));
    }
}
