//! Bakes a solid or a mesh into a grid of signed distances, the collider for any shape that is not convex.

use glam::Vec3;
use motes_core::Bounds;
use motes_core::colliders::SdfGrid;
use rayon::prelude::*;

use crate::distance::MeshDistance;
use crate::error::{GeometryError, positive};
use crate::mesh::Mesh;
use crate::samples::SampleGrid;
use crate::solid::Solid;

/// Cells left free around the solid, so that the surface and its gradient never meet the border.
const MARGIN_CELLS: f32 = 2.0;

/// Largest number of samples of a grid.
const MAX_SAMPLES: f64 = 1e8;

/// Signed distances of the solid on a grid of cubic cells, `cell_size` metres wide.
///
/// Features narrower than a cell are lost; a quarter of the smallest feature is a good size.
pub fn bake(solid: &Solid, cell_size: f32) -> Result<SdfGrid, GeometryError> {
    filled(&grid(&solid.bounds(), cell_size)?, |start, row| {
        for (step, value) in row.iter_mut().enumerate() {
            *value = solid.distance(start + Vec3::X * (step as f32 * cell_size));
        }
    })
}

/// Signed distances of a mesh on a grid of cubic cells, `cell_size` metres wide: exact distances to its triangles, signs by
/// winding number, so that small holes do no harm.
pub fn bake_mesh(mesh: &Mesh, cell_size: f32) -> Result<SdfGrid, GeometryError> {
    mesh.check()?;
    let grid = grid(&mesh.bounds(), cell_size)?;
    let distance = MeshDistance::new(mesh);
    filled(&grid, |start, row| {
        let mut before: Option<f32> = None;
        for (step, value) in row.iter_mut().enumerate() {
            let point = start + Vec3::X * (step as f32 * cell_size);
            let limit = before.map_or(f32::INFINITY, |before| before.abs() + 1.001 * cell_size);
            let size = distance.unsigned(point, limit);
            // No surface lies between this sample and the one before if they are farther from it than from each other.
            let sign = match before {
                Some(before) if size.max(before.abs()) > cell_size => before.signum(),
                _ if distance.is_inside(point) => -1.0,
                _ => 1.0,
            };
            *value = sign * size;
            before = Some(*value);
        }
    })
}

/// The grid over a solid in this box.
fn grid(bounds: &Bounds, cell_size: f32) -> Result<SampleGrid, GeometryError> {
    let margin = MARGIN_CELLS * positive("cell size", cell_size)?;
    SampleGrid::over(&bounds.expanded(margin), cell_size, MAX_SAMPLES)
}

/// Fills row after row along x, in parallel; each is given the place of its first sample.
fn filled(grid: &SampleGrid, fill: impl Fn(Vec3, &mut [f32]) + Sync) -> Result<SdfGrid, GeometryError> {
    let [width, height, depth] = grid.dims.to_array().map(|count| count as usize);
    let mut values = vec![0.0; width * height * depth];
    values.par_chunks_mut(width).enumerate().for_each(|(row, values)| {
        let place = Vec3::new(0.0, (row % height) as f32, (row / height) as f32);
        fill(grid.origin + grid.cell_size * place, values);
    });
    Ok(SdfGrid::new(grid.origin, grid.cell_size, grid.dims, values)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::UVec3;

    #[test]
    fn baked_distance_is_that_of_the_solid() {
        let solid = Solid::Torus {
            ring_radius: 1.0,
            tube_radius: 0.4,
        };
        let grid = bake(&solid, 0.05).unwrap();
        for point in [
            Vec3::new(1.0, 0.3, 0.0),
            Vec3::new(0.5, 0.2, 0.9),
            Vec3::new(0.0, 0.1, -1.2),
        ] {
            assert!((grid.signed_distance(point).0 - solid.distance(point)).abs() < 0.01);
        }
    }

    #[test]
    fn a_baked_mesh_has_the_distances_and_signs_of_its_triangles() {
        for name in ["octopus", "gear"] {
            let mesh = crate::models::by_name(name).unwrap().mesh(48).unwrap();
            let grid = bake_mesh(&mesh, 0.04).unwrap();
            let distance = MeshDistance::new(&mesh);
            let dims = grid.dims();
            for (index, &value) in grid.values().iter().enumerate().step_by(17) {
                let index = index as u32;
                let place = UVec3::new(index % dims.x, index / dims.x % dims.y, index / (dims.x * dims.y));
                let expected = distance.signed_distance(grid.origin() + grid.cell_size() * place.as_vec3());
                assert!((value - expected).abs() < 1e-5, "{name}: {value} is not {expected}");
            }
            assert!(grid.steepness() < 1.8, "{}", grid.steepness());
        }
        let mut broken = crate::mesh::cuboid(Vec3::ONE);
        broken.positions[2].x = f32::INFINITY;
        assert_eq!(bake_mesh(&broken, 0.1), Err(GeometryError::NotFinite { index: 2 }));
        assert_eq!(bake_mesh(&Mesh::default(), 0.1), Err(GeometryError::Unbounded));
    }

    #[test]
    fn grid_covers_the_solid_with_room_to_spare() {
        let grid = bake(&Solid::Sphere { radius: 1.0 }, 0.3).unwrap();
        assert!(grid.bounds().min.cmplt(Vec3::splat(-1.5)).all());
        assert!(grid.bounds().max.cmpgt(Vec3::splat(1.5)).all());
    }

    #[test]
    fn endless_solids_bad_cells_and_huge_grids_are_refused() {
        let ball = Solid::Sphere { radius: 1.0 };
        let floor = Solid::HalfSpace {
            normal: Vec3::Y,
            offset: 0.0,
        };
        assert_eq!(bake(&floor, 0.1), Err(GeometryError::Unbounded));
        assert_eq!(bake(&Solid::Union(vec![]), 0.1), Err(GeometryError::Unbounded));
        assert!(matches!(bake(&ball, 0.0), Err(GeometryError::BadSize { .. })));
        assert!(matches!(bake(&ball, 1e-4), Err(GeometryError::TooManyPoints { .. })));
    }
}
