//! Convex hulls of points (quickhull of parry3d), and a few named ones.

use std::f32::consts::TAU;
use std::panic::catch_unwind;

use glam::{Quat, Vec3};
use parry3d::transformation::try_convex_hull;

use crate::error::GeometryError;
use crate::mesh::Mesh;

/// Points closer to one plane than this fraction of their extent count as flat.
const FLATNESS: f32 = 1e-3;

/// Largest distance of a point outside a face of its hull, as a fraction of the hull's extent.
const CONVEXITY: f32 = 1e-4;

const MAX_ATTEMPTS: u32 = 5;

/// The convex hull of the points, as a watertight mesh facing out.
pub fn convex_hull(points: &[Vec3]) -> Result<Mesh, GeometryError> {
    if points.len() < 4 {
        return Err(GeometryError::TooFewPoints { found: points.len() });
    }
    if let Some(index) = points.iter().position(|point| !point.is_finite()) {
        return Err(GeometryError::NotFinite { index });
    }
    if is_flat(points) {
        return Err(GeometryError::Flat);
    }
    // Quickhull in f32 rarely folds a face over on lattices of coplanar points; turned points round differently.
    let mut result = attempt(points, Quat::IDENTITY);
    for turn in 1..MAX_ATTEMPTS {
        if result.is_ok() {
            break;
        }
        let angle = turn as f32;
        result = attempt(points, Quat::from_axis_angle(Vec3::new(0.36, 0.48, 0.8), angle));
    }
    result.map_err(|reason| GeometryError::HullFailed { reason })
}

/// The hull of the points turned by a rotation, turned back, if it is closed and convex.
fn attempt(points: &[Vec3], rotation: Quat) -> Result<Mesh, String> {
    let turned: Vec<Vec3> = points.iter().map(|&point| rotation * point).collect();
    // parry asserts its topology; a failed assertion is an error like any other.
    let (positions, triangles) = catch_unwind(|| try_convex_hull(&turned))
        .map_err(|_| "quickhull lost its topology to rounding".to_string())?
        .map_err(|error| error.to_string())?;
    let positions = positions.iter().map(|&point| rotation.conjugate() * point).collect();
    let mesh = Mesh::new(positions, triangles);
    if !mesh.is_watertight() || mesh.volume() <= 0.0 {
        return Err("the result is not closed".to_string());
    }
    let tolerance = CONVEXITY * mesh.bounds().size().max_element();
    let encloses = |[a, b, c]: [Vec3; 3]| {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        points.iter().all(|point| normal.dot(point - a) <= tolerance)
    };
    if !mesh.corners().all(encloses) {
        return Err("the result is not convex".to_string());
    }
    Ok(mesh)
}

fn is_flat(points: &[Vec3]) -> bool {
    let origin = points[0];
    let farthest = |measure: &dyn Fn(Vec3) -> f32| {
        points
            .iter()
            .map(|&point| point - origin)
            .max_by(|a, b| measure(*a).total_cmp(&measure(*b)))
            .unwrap_or_default()
    };
    let axis = farthest(&|offset| offset.length());
    let extent = axis.length();
    let direction = axis.normalize_or_zero();
    let across = farthest(&|offset| direction.cross(offset).length());
    let normal = direction.cross(across).normalize_or_zero();
    let height = farthest(&|offset| normal.dot(offset).abs());
    normal.dot(height).abs() <= FLATNESS * extent || direction.cross(across).length() <= FLATNESS * extent
}

/// A regular tetrahedron around the origin, corners at `radius` metres.
pub fn tetrahedron(radius: f32) -> Vec<Vec3> {
    let corners = [
        Vec3::ONE,
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
    ];
    corners.iter().map(|corner| corner.normalize() * radius).collect()
}

/// A regular octahedron around the origin, corners at `radius` metres.
pub fn octahedron(radius: f32) -> Vec<Vec3> {
    [Vec3::X, Vec3::Y, Vec3::Z]
        .iter()
        .flat_map(|axis| [radius * *axis, -radius * *axis])
        .collect()
}

/// A cut gem around the origin: an eight-sided table, girdle and tip; `radius` and `height` in metres.
pub fn gem(radius: f32, height: f32) -> Vec<Vec3> {
    let ring = |scale: f32, level: f32| {
        (0..8).map(move |side| {
            let (sin, cos) = (side as f32 * TAU / 8.0).sin_cos();
            Vec3::new(scale * radius * cos, level * height, scale * radius * sin)
        })
    };
    ring(0.55, 0.5)
        .chain(ring(1.0, 0.2))
        .chain([Vec3::Y * (-0.5 * height)])
        .collect()
}

/// A ramp on y = 0, centred in x and z, rising along +x; edge lengths in metres.
pub fn wedge(length: f32, height: f32, width: f32) -> Vec<Vec3> {
    let (x, z) = (0.5 * length, 0.5 * width);
    [-z, z]
        .iter()
        .flat_map(|&z| [Vec3::new(-x, 0.0, z), Vec3::new(x, 0.0, z), Vec3::new(x, height, z)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cuboid;
    use proptest::prelude::*;

    #[test]
    fn hull_of_a_cube_and_its_inside_is_the_cube() {
        let mut points = cuboid(Vec3::ONE).positions;
        points.extend([Vec3::ZERO, Vec3::new(0.5, -0.2, 0.9), Vec3::new(0.0, 1.0, 0.0)]);
        let hull = convex_hull(&points).unwrap();
        assert!(hull.is_watertight());
        assert!((hull.volume() - 8.0).abs() < 1e-5);
        assert!((hull.area() - 24.0).abs() < 1e-4);
    }

    #[test]
    fn named_hulls_have_their_volumes() {
        let volume = |points: Vec<Vec3>| convex_hull(&points).unwrap().volume();
        assert!((volume(octahedron(2.0)) - 4.0 / 3.0 * 8.0).abs() < 1e-4);
        assert!((volume(tetrahedron(3.0f32.sqrt())) - 8.0 / 3.0).abs() < 1e-4);
        assert!((volume(wedge(2.0, 1.0, 3.0)) - 3.0).abs() < 1e-4);
        assert!(volume(gem(0.5, 1.0)) > 0.2);
    }

    #[test]
    fn too_few_flat_and_broken_points_are_typed_errors() {
        assert_eq!(
            convex_hull(&[Vec3::X; 3]),
            Err(GeometryError::TooFewPoints { found: 3 })
        );
        assert_eq!(convex_hull(&[Vec3::X; 9]), Err(GeometryError::Flat));
        let line: Vec<Vec3> = (0..9).map(|index| Vec3::ONE * index as f32).collect();
        assert_eq!(convex_hull(&line), Err(GeometryError::Flat));
        let plane: Vec<Vec3> = (0..9)
            .map(|index| Vec3::new((index % 3) as f32, (index / 3) as f32, 1.0))
            .collect();
        assert_eq!(convex_hull(&plane), Err(GeometryError::Flat));
        let mut broken = octahedron(1.0);
        broken[4].z = f32::NAN;
        assert_eq!(convex_hull(&broken), Err(GeometryError::NotFinite { index: 4 }));
    }

    proptest! {
        #[test]
        fn any_points_give_a_hull_around_them_or_an_error(
            coordinates in prop::collection::vec(prop::array::uniform3(-4i8..4), 0..40),
        ) {
            let points: Vec<Vec3> = coordinates.iter().map(|c| Vec3::from_array(c.map(f32::from))).collect();
            if let Ok(hull) = convex_hull(&points) {
                for [a, b, c] in hull.corners() {
                    let normal = (b - a).cross(c - a).normalize_or_zero();
                    prop_assert!(points.iter().all(|point| normal.dot(point - a) < 1e-3));
                }
            }
        }
    }
}
