//! The surface of a sampled distance field as a mesh: naive surface nets (Gibson 1998), one vertex per
//! sheet of the surface in each cell.

use glam::Vec3;

use crate::isosurface;
pub use crate::isosurface::Samples;
use crate::mesh::Mesh;

/// The zero surface of the samples, facing out; a solid cut off by the border of the grid is closed there. Sheets of
/// the surface that share a cell keep vertices of their own, so that the mesh is manifold.
pub fn surface_nets(samples: &Samples) -> Mesh {
    isosurface::extract(samples, |sheet| {
        let sum: Vec3 = sheet.edges.iter().map(|&edge| samples.crossing(edge)).sum();
        sum / sheet.edges.len() as f32
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::UVec3;
    use proptest::prelude::*;
    use std::f32::consts::PI;

    fn sampled(dims: u32, cell_size: f32, distance: impl Fn(Vec3) -> f32) -> Mesh {
        let origin = Vec3::splat(-0.5 * cell_size * (dims - 1) as f32);
        let place = |index: u32| UVec3::new(index % dims, index / dims % dims, index / dims / dims).as_vec3();
        let values: Vec<f32> = (0..dims.pow(3))
            .map(|index| distance(origin + cell_size * place(index)))
            .collect();
        surface_nets(&Samples {
            origin,
            cell_size,
            dims: UVec3::splat(dims),
            values: &values,
        })
    }

    #[test]
    fn sphere_is_watertight_and_within_half_a_cell_of_the_surface() {
        let mesh = sampled(27, 0.1, |point| point.length() - 1.0);
        assert!(mesh.is_watertight());
        assert!(mesh.positions.iter().all(|point| (point.length() - 1.0).abs() < 0.05));
        assert!((mesh.volume() / (4.0 / 3.0 * PI) - 1.0).abs() < 0.02);
    }

    #[test]
    fn solid_that_fills_the_grid_is_closed_at_its_border() {
        let mesh = sampled(5, 0.5, |_| -1.0);
        assert!(mesh.is_watertight());
        assert!(mesh.volume() > 0.0);
        assert!((mesh.bounds().max - Vec3::ONE).length() < 1e-3);
    }

    #[test]
    fn empty_space_has_no_surface() {
        assert!(sampled(4, 1.0, |_| 1.0).triangles.is_empty());
    }

    proptest! {
        #[test]
        fn any_signs_on_a_grid_give_a_closed_manifold_surface(values in prop::collection::vec(-1.0f32..1.0, 5 * 5 * 5)) {
            let mesh = surface_nets(&Samples {
                origin: Vec3::ZERO,
                cell_size: 1.0,
                dims: UVec3::splat(5),
                values: &values,
            });
            prop_assert!(mesh.is_watertight());
            prop_assert!(mesh.volume() > 0.0);
        }
    }
}
