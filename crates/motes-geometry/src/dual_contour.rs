//! The surface of a distance function as a mesh with its sharp edges (Ju et al. 2002, "Dual contouring of Hermite data").
//!
//! Each vertex is pulled onto the tangent planes of the surface around it by relaxation, and kept in its cell.

use std::collections::HashMap;

use glam::{IVec3, UVec3, Vec3};
use motes_core::Bounds;
use rayon::prelude::*;

use crate::error::GeometryError;
use crate::isosurface::{GridEdge, Samples, Sheet, extract};
use crate::mesh::Mesh;
use crate::samples::SampleGrid;

/// Samples along the side of a block that is skipped as a whole where the surface is far.
const BLOCK: usize = 4;

/// The distance functions meshed here may overstate a distance by up to this factor.
const OVERSTATED: f32 = 1.5;

/// Largest number of samples of a grid.
const MAX_SAMPLES: f64 = 2.5e8;

/// Meshes the zero surface of a signed distance function, negative inside, within a box.
///
/// `cell_size` is the width of the cells, metres; features narrower than two cells may be lost. The mesh is closed and
/// manifold and faces out. The function may understate distances, and overstate them by half at most.
pub fn dual_contour<F>(distance: &F, bounds: &Bounds, cell_size: f32) -> Result<Mesh, GeometryError>
where
    F: Fn(Vec3) -> f32 + Sync + ?Sized,
{
    let SampleGrid {
        origin,
        cell_size,
        dims,
    } = SampleGrid::over(bounds, cell_size, MAX_SAMPLES)?;
    let values = sample(distance, origin, cell_size, dims);
    let samples = Samples {
        origin,
        cell_size,
        dims,
        values: &values,
    };
    let crossings: HashMap<GridEdge, Crossing> = crossed_edges(&samples)
        .into_par_iter()
        .map(|edge| (edge, Crossing::find(distance, &samples, edge)))
        .collect();
    Ok(extract(&samples, |sheet| place(&samples, sheet, &crossings)))
}

/// Values of the function on the grid; far from the surface only their signs are right.
fn sample<F>(distance: &F, origin: Vec3, cell_size: f32, dims: UVec3) -> Vec<f32>
where
    F: Fn(Vec3) -> f32 + Sync + ?Sized,
{
    let [width, height, depth] = dims.to_array().map(|count| count as usize);
    let mut values = vec![0.0; width * height * depth];
    let reach = OVERSTATED * 0.5 * cell_size * (BLOCK as f32) * 3.0f32.sqrt();
    let at = |x: usize, y: usize, z: usize| origin + cell_size * Vec3::new(x as f32, y as f32, z as f32);
    values
        .par_chunks_mut(width * height * BLOCK)
        .enumerate()
        .for_each(|(slab, values)| {
            let layers = values.len() / (width * height);
            for (y0, x0) in (0..height)
                .step_by(BLOCK)
                .flat_map(|y| (0..width).step_by(BLOCK).map(move |x| (y, x)))
            {
                let (z0, half) = (slab * BLOCK, Vec3::splat(0.5 * cell_size * (BLOCK - 1) as f32));
                let middle = distance(at(x0, y0, z0) + half);
                for z in 0..layers {
                    for y in y0..(y0 + BLOCK).min(height) {
                        for x in x0..(x0 + BLOCK).min(width) {
                            values[x + width * (y + height * z)] = if middle.abs() > reach {
                                middle
                            } else {
                                distance(at(x, y, z0 + z))
                            };
                        }
                    }
                }
            }
        });
    values
}

fn crossed_edges(samples: &Samples) -> Vec<GridEdge> {
    let [width, height, depth] = samples.dims.to_array().map(|count| count as usize);
    let (values, strides) = (samples.values, [1, width, width * height]);
    let limits = [width, height, depth];
    let mut edges = Vec::new();
    for index in 0..values.len() {
        let place = [index % width, index / width % height, index / (width * height)];
        for axis in 0..3 {
            let crossed =
                place[axis] + 1 < limits[axis] && (values[index] < 0.0) != (values[index + strides[axis]] < 0.0);
            if crossed {
                let from = IVec3::from_array(place.map(|part| part as i32));
                edges.push(GridEdge { from, axis });
            }
        }
    }
    edges
}

/// A point of the surface on an edge of the grid, and the normal there.
#[derive(Clone, Copy)]
struct Crossing {
    point: Vec3,
    normal: Vec3,
}

impl Crossing {
    fn find<F>(distance: &F, samples: &Samples, edge: GridEdge) -> Self
    where
        F: Fn(Vec3) -> f32 + ?Sized,
    {
        let start = samples.origin + samples.cell_size * edge.from.as_vec3();
        let along = samples.cell_size * Vec3::AXES[edge.axis];
        let (mut low, mut high) = (0.0, 1.0);
        let inside = distance(start) < 0.0;
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if (distance(start + middle * along) < 0.0) == inside {
                low = middle;
            } else {
                high = middle;
            }
        }
        let point = start + 0.5 * (low + high) * along;
        Self {
            point,
            normal: slope(distance, point, PROBE * samples.cell_size).normalize_or_zero(),
        }
    }
}

const BISECTIONS: usize = 10;

/// Step of the differences that give normals, in cells.
const PROBE: f32 = 0.05;

/// Direction in which a function grows, by differences over the corners of a tetrahedron.
pub(crate) fn slope<F>(distance: &F, point: Vec3, step: f32) -> Vec3
where
    F: Fn(Vec3) -> f32 + ?Sized,
{
    const CORNERS: [Vec3; 4] = [
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(1.0, 1.0, 1.0),
    ];
    CORNERS
        .iter()
        .map(|&corner| corner * distance(point + step * corner))
        .sum::<Vec3>()
        / (4.0 * step)
}

const RELAXATIONS: usize = 16;

fn place(samples: &Samples, sheet: &Sheet, crossings: &HashMap<GridEdge, Crossing>) -> Vec3 {
    let found: Vec<Crossing> = sheet
        .edges
        .iter()
        .map(|edge| {
            crossings.get(edge).copied().unwrap_or_else(|| Crossing {
                point: samples.crossing(*edge),
                normal: Vec3::ZERO,
            })
        })
        .collect();
    let share = 1.0 / found.len() as f32;
    let mut vertex = share * found.iter().map(|crossing| crossing.point).sum::<Vec3>();
    for _ in 0..RELAXATIONS {
        let pull = |crossing: &Crossing| crossing.normal.dot(crossing.point - vertex) * crossing.normal;
        vertex += 1.5 * share * found.iter().map(pull).sum::<Vec3>();
    }
    let low = samples.origin + samples.cell_size * sheet.cell.as_vec3();
    vertex.clamp(low, low + samples.cell_size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives;

    fn around(half: f32) -> Bounds {
        Bounds {
            min: Vec3::splat(-half),
            max: Vec3::splat(half),
        }
    }

    #[test]
    fn edges_of_a_box_stay_sharp() {
        let half = Vec3::new(0.31, 0.42, 0.27);
        let mesh = dual_contour(&|point| primitives::cuboid(point, half), &around(0.6), 0.05).unwrap();
        assert!(mesh.is_watertight());
        assert!((mesh.volume() / (8.0 * half.element_product()) - 1.0).abs() < 0.002);
        assert!((mesh.bounds().max - half).length() < 0.002, "{}", mesh.bounds().max);
    }

    #[test]
    fn skipping_blocks_leaves_no_gap() {
        let ring = |point| primitives::torus(point, 0.6, 0.1);
        let mesh = dual_contour(&ring, &around(0.8), 0.02).unwrap();
        assert!(mesh.is_watertight());
        assert!(mesh.positions.iter().all(|&point| ring(point).abs() < 0.002));
    }

    #[test]
    fn bad_cells_and_endless_boxes_are_refused() {
        let ball = |point: Vec3| point.length() - 0.5;
        assert!(matches!(
            dual_contour(&ball, &around(1.0), f32::NAN),
            Err(GeometryError::BadSize { .. })
        ));
        assert_eq!(
            dual_contour(&ball, &Bounds::INFINITE, 0.1),
            Err(GeometryError::Unbounded)
        );
        assert!(matches!(
            dual_contour(&ball, &around(1.0), 1e-5),
            Err(GeometryError::TooManyPoints { .. })
        ));
    }
}
