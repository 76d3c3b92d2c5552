//! The surface of a sampled distance field as a mesh: naive surface nets (Gibson 1998), one vertex per crossed cell.

use glam::{IVec3, UVec3, Vec3};

use crate::mesh::Mesh;

/// Distances at the corners of a grid of cubic cells, x fastest.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// Position of the first sample, metres.
    pub origin: Vec3,
    /// Distance between samples, metres.
    pub cell_size: f32,
    /// Number of samples along each axis.
    pub dims: UVec3,
    /// Signed distances, negative inside, `x + dims.x * (y + dims.y * z)`.
    pub values: &'a [f32],
}

/// Stands for the outside around the grid. It is far larger than any distance, so that the surface of a solid that
/// reaches the border is closed right at the border.
const FAR_OUTSIDE: f32 = 1e30;

const NO_VERTEX: u32 = u32::MAX;

/// The zero surface of the samples, facing out; a solid cut off by the border of the grid is closed there.
pub fn surface_nets(samples: &Samples) -> Mesh {
    let cells = Cells {
        counts: samples.dims.as_ivec3() + 1,
    };
    let mut mesh = Mesh::default();
    let mut vertices = vec![NO_VERTEX; cells.len()];
    for cell in cells.iter() {
        if let Some(position) = samples.crossing(cell) {
            vertices[cells.index(cell)] = mesh.positions.len() as u32;
            mesh.positions.push(position);
        }
    }
    for cell in cells.iter() {
        for axis in 0..3 {
            let inside = samples.value(cell) < 0.0;
            if inside == (samples.value(cell + IVec3::AXES[axis]) < 0.0) {
                continue;
            }
            let (u, v) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
            let mut around = [cell - u - v, cell - v, cell, cell - u];
            if !inside {
                around.reverse();
            }
            mesh.push_quad(around.map(|cell| vertices[cells.index(cell)]));
        }
    }
    mesh
}

impl Samples<'_> {
    /// Value at a place of the grid padded by one layer of outside.
    fn value(&self, padded: IVec3) -> f32 {
        let place = padded - 1;
        if place.cmplt(IVec3::ZERO).any() || place.cmpge(self.dims.as_ivec3()).any() {
            return FAR_OUTSIDE;
        }
        let place = place.as_uvec3();
        let index =
            place.x as usize + self.dims.x as usize * (place.y as usize + self.dims.y as usize * place.z as usize);
        self.values[index]
    }

    /// Mean of the places where the surface crosses the edges of a cell, if it does.
    fn crossing(&self, cell: IVec3) -> Option<Vec3> {
        let corner = |index: i32| IVec3::new(index & 1, index >> 1 & 1, index >> 2 & 1);
        let values: [f32; 8] = std::array::from_fn(|index| self.value(cell + corner(index as i32)));
        let (mut sum, mut crossings) = (Vec3::ZERO, 0.0);
        for (from, axis) in (0..8).flat_map(|from| [1, 2, 4].map(|axis| (from, axis))) {
            let to = from | axis;
            if to == from || (values[from] < 0.0) == (values[to] < 0.0) {
                continue;
            }
            let fraction = values[from] / (values[from] - values[to]);
            sum += corner(from as i32)
                .as_vec3()
                .lerp(corner(to as i32).as_vec3(), fraction);
            crossings += 1.0;
        }
        (crossings > 0.0).then(|| self.origin + self.cell_size * ((cell - 1).as_vec3() + sum / crossings))
    }
}

struct Cells {
    counts: IVec3,
}

impl Cells {
    fn len(&self) -> usize {
        self.counts.to_array().iter().map(|&count| count as usize).product()
    }

    fn index(&self, cell: IVec3) -> usize {
        cell.x as usize + self.counts.x as usize * (cell.y as usize + self.counts.y as usize * cell.z as usize)
    }

    fn iter(&self) -> impl Iterator<Item = IVec3> {
        let counts = self.counts;
        (0..counts.z)
            .flat_map(move |z| (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| IVec3::new(x, y, z))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
