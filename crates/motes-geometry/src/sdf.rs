//! Bakes a solid into a grid of signed distances, the collider for any shape that is not convex.

use motes_core::colliders::SdfGrid;

use crate::error::{GeometryError, positive};
use crate::solid::Solid;

/// Cells left free around the solid, so that the surface and its gradient never meet the border.
const MARGIN_CELLS: f32 = 2.0;

/// Largest number of samples of a grid.
const MAX_SAMPLES: f64 = 1e8;

/// Signed distances of the solid on a grid of cubic cells, `cell_size` metres wide.
///
/// Features narrower than a cell are lost; a quarter of the smallest feature is a good size.
pub fn bake(solid: &Solid, cell_size: f32) -> Result<SdfGrid, GeometryError> {
    let cell_size = positive("cell size", cell_size)?;
    let bounds = solid.bounds().expanded(MARGIN_CELLS * cell_size);
    if !bounds.size().is_finite() || bounds.min.cmpgt(bounds.max).any() {
        return Err(GeometryError::Unbounded);
    }
    let samples = (bounds.size() / cell_size).ceil() + 1.0;
    let wanted = samples.as_dvec3().element_product();
    if wanted > MAX_SAMPLES {
        return Err(GeometryError::TooManyPoints {
            wanted,
            limit: MAX_SAMPLES,
        });
    }
    let dims = samples.as_uvec3();
    let origin = bounds.center() - 0.5 * cell_size * (samples - 1.0);
    let mut values = Vec::with_capacity(wanted as usize);
    for z in 0..dims.z {
        for y in 0..dims.y {
            for x in 0..dims.x {
                let place = glam::UVec3::new(x, y, z).as_vec3();
                values.push(solid.distance(origin + cell_size * place));
            }
        }
    }
    Ok(SdfGrid::new(origin, cell_size, dims, values)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

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
