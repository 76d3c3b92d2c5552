//! Triangles for drawing any collider shape, in the shape's own frame.

use glam::Vec3;
use motes_core::colliders::{Heightfield, Plane, SdfGrid, Shape};

use crate::mesh::{Mesh, cuboid};
use crate::surface_nets::{Samples, surface_nets};

/// How finely and how far shapes are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Segments of a full turn of a round shape; 48 by default, where the facets of a sphere stop showing.
    pub segments: u32,
    /// Half the edge of the square drawn for an endless plane, metres; 50 by default.
    pub plane_half_size: f32,
}

impl Default for Detail {
    fn default() -> Self {
        Self {
            segments: 48,
            plane_half_size: 50.0,
        }
    }
}

/// Depth of a terrain's base below its lowest sample, as a fraction of its longer side.
const BASE_DEPTH: f32 = 0.05;

/// The surface of a shape as triangles facing out, in the shape's own frame.
pub fn tessellate(shape: &Shape, detail: &Detail) -> Mesh {
    match shape {
        Shape::Plane(plane) => square(plane, detail.plane_half_size),
        Shape::Sphere(sphere) => Mesh::ball(sphere.radius(), detail.segments),
        Shape::Capsule(capsule) => Mesh::capsule(capsule.radius(), capsule.half_length(), detail.segments),
        Shape::Cuboid(shape) => cuboid(shape.half_size()),
        Shape::ConvexHull(hull) => copied(hull.vertices(), hull.triangles()),
        Shape::TriangleMesh(mesh) => copied(mesh.vertices(), mesh.triangles()),
        Shape::SdfGrid(grid) => isosurface(grid),
        Shape::Heightfield(field) => terrain(field),
    }
}

fn copied(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Mesh {
    Mesh::new(vertices.to_vec(), triangles.to_vec())
}

fn square(plane: &Plane, half_size: f32) -> Mesh {
    let normal = plane.normal();
    let (u, v) = normal.any_orthonormal_pair();
    let corner = |a: f32, b: f32| plane.offset() * normal + half_size * (a * u + b * v);
    let positions = vec![
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    let mut mesh = Mesh::new(positions, Vec::new());
    let turn = u.cross(v).dot(normal);
    mesh.push_quad(if turn > 0.0 { [0, 1, 2, 3] } else { [3, 2, 1, 0] });
    mesh
}

fn isosurface(grid: &SdfGrid) -> Mesh {
    surface_nets(&Samples {
        origin: grid.origin(),
        cell_size: grid.cell_size(),
        dims: grid.dims(),
        values: grid.values(),
    })
}

/// The surface of a terrain, with walls down to a flat base so that it looks like a block cut from the ground.
fn terrain(field: &Heightfield) -> Mesh {
    let mut mesh = Mesh::new(field.vertices().collect(), field.triangles().collect());
    let size = mesh.bounds().size();
    let floor = field.lowest() - BASE_DEPTH * size.x.max(size.z);
    let border = border(field.columns(), field.rows());
    let first = mesh.positions.len() as u32;
    let feet: Vec<Vec3> = border
        .iter()
        .map(|&index| mesh.positions[index as usize].with_y(floor))
        .collect();
    let middle = mesh.bounds().center().with_y(floor);
    mesh.positions.extend(feet);
    mesh.positions.push(middle);
    let count = border.len() as u32;
    for (step, &top) in border.iter().enumerate() {
        let next = (step + 1) % border.len();
        let (foot, next_foot) = (first + step as u32, first + next as u32);
        mesh.push_quad([foot, next_foot, border[next], top]);
        mesh.triangles.push([first + count, next_foot, foot]);
    }
    mesh
}

/// Indices of the border samples, once around, counter-clockwise seen from above.
fn border(columns: u32, rows: u32) -> Vec<u32> {
    let index = |column: u32, row: u32| column + columns * row;
    let (right, front) = (columns - 1, rows - 1);
    let west = (0..front).map(|row| index(0, row));
    let south = (0..right).map(|column| index(column, front));
    let east = (1..rows).rev().map(|row| index(right, row));
    let north = (1..columns).rev().map(|column| index(column, 0));
    west.chain(south).chain(east).chain(north).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::{convex_hull, gem};
    use crate::sdf::bake;
    use crate::solid::Solid;
    use glam::Vec2;
    use motes_core::colliders::{Capsule, ConvexHull, Cuboid, Sphere, TriangleMesh};
    use std::f32::consts::PI;

    fn drawn(shape: impl Into<Shape>) -> Mesh {
        tessellate(&shape.into(), &Detail::default())
    }

    #[test]
    fn round_shapes_are_watertight_and_have_their_volumes() {
        let sphere = drawn(Sphere::new(0.5).unwrap());
        let capsule = drawn(Capsule::new(1.0, 0.5).unwrap());
        let ball = 4.0 / 3.0 * PI * 0.125;
        assert!(sphere.is_watertight() && capsule.is_watertight());
        assert!((sphere.volume() / ball - 1.0).abs() < 0.01);
        assert!((capsule.volume() / (ball + PI * 0.25 * 2.0) - 1.0).abs() < 0.01);
    }

    #[test]
    fn flat_sided_shapes_are_drawn_as_they_are() {
        assert!((drawn(Cuboid::new(Vec3::ONE).unwrap()).volume() - 8.0).abs() < 1e-5);
        let mesh = convex_hull(&gem(1.0, 1.5)).unwrap();
        let hull = drawn(ConvexHull::new(mesh.positions.clone(), mesh.triangles.clone()).unwrap());
        let shell = drawn(TriangleMesh::new(mesh.positions.clone(), mesh.triangles.clone()).unwrap());
        for copy in [hull, shell] {
            assert!(copy.is_watertight());
            assert!((copy.volume() - mesh.volume()).abs() < 1e-5);
        }
    }

    #[test]
    fn plane_faces_along_its_normal_at_its_offset() {
        for normal in [Vec3::Y, -Vec3::Z, Vec3::new(1.0, 2.0, -0.5).normalize()] {
            let mesh = drawn(Plane::new(normal, 0.7).unwrap());
            for [a, b, c] in mesh.corners() {
                assert!((b - a).cross(c - a).normalize().dot(normal) > 0.999);
                assert!((a.dot(normal) - 0.7).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn terrain_is_a_closed_block_on_a_flat_base() {
        let heights = vec![1.0; 4 * 3];
        let mesh = drawn(Heightfield::new(4, 3, Vec2::new(1.0, 2.0), heights).unwrap());
        assert!(mesh.is_watertight());
        let depth = BASE_DEPTH * 4.0;
        assert!((mesh.volume() - 3.0 * 4.0 * depth).abs() < 1e-4, "{}", mesh.volume());
    }

    #[test]
    fn baked_solid_is_drawn_within_half_a_cell_of_its_surface() {
        let solid = Solid::Torus {
            ring_radius: 1.0,
            tube_radius: 0.4,
        };
        let mesh = drawn(bake(&solid, 0.1).unwrap());
        assert!(mesh.is_watertight());
        assert!(mesh.positions.iter().all(|&point| solid.distance(point).abs() < 0.05));
    }
}
