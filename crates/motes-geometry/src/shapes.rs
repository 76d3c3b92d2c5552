//! Meshes of simple shapes and of any [`Solid`]: closed, facing out, with clean edges, to be drawn or made into bodies.

use std::f32::consts::FRAC_PI_2;

use glam::{Affine3A, Vec2, Vec3};

use crate::dual_contour::dual_contour;
use crate::error::GeometryError;
use crate::lathe::{arc, lathe, pinned_to_axis};
use crate::mesh::{Mesh, cuboid};
use crate::solid::Solid;

/// Cells that a solid is meshed with beyond its bounds.
const MARGIN: f32 = 1.5;

/// Segments of a full turn per cell along the longest side, so that facets are about as wide as cells.
const SEGMENTS_PER_CELL: u32 = 3;

impl Mesh {
    /// A box of twelve triangles around the origin; `half_extents` in metres.
    pub fn cuboid(half_extents: Vec3) -> Self {
        cuboid(half_extents)
    }

    /// A ball around the origin, of a radius in metres and `segments` steps around.
    pub fn ball(radius: f32, segments: u32) -> Self {
        Self::capsule(radius, 0.0, segments)
    }

    /// An upright cylinder with round ends; radius and half height without the ends in metres, `segments` steps around.
    pub fn capsule(radius: f32, half_height: f32, segments: u32) -> Self {
        let steps = (segments / 4).max(2);
        let middle = Vec2::new(0.0, half_height);
        let mut profile: Vec<Vec2> = arc(-middle, radius, -FRAC_PI_2, 0.0, steps).collect();
        let equator = usize::from(half_height == 0.0);
        profile.extend(arc(middle, radius, 0.0, FRAC_PI_2, steps).skip(equator));
        lathe(&pinned_to_axis(profile), segments)
    }

    /// An upright cylinder; radius and half height in metres, `segments` steps around.
    pub fn cylinder(radius: f32, half_height: f32, segments: u32) -> Self {
        Self::frustum(radius, radius, half_height, segments)
    }

    /// An upright cone with its tip cut off, or whole where a radius is zero; lengths in metres, `segments` steps around.
    pub fn frustum(bottom_radius: f32, top_radius: f32, half_height: f32, segments: u32) -> Self {
        let rims = [(bottom_radius, -half_height), (top_radius, half_height)];
        let rims = rims.into_iter().filter(|(radius, _)| *radius > 0.0);
        let mut profile = vec![Vec2::new(0.0, -half_height)];
        profile.extend(rims.map(Vec2::from));
        profile.push(Vec2::new(0.0, half_height));
        lathe(&profile, segments)
    }

    /// The surface of a solid, with `resolution` cells along its longest side.
    ///
    /// Boxes, balls, capsules, cylinders and cones, moved and turned, are made directly; all others by
    /// [`dual_contour`](crate::dual_contour()), which keeps sharp edges. Features narrower than two cells may be lost.
    pub fn from_solid(solid: &Solid, resolution: u32) -> Result<Self, GeometryError> {
        let bounds = solid.bounds();
        let size = bounds.size();
        if !size.is_finite() {
            return Err(GeometryError::Unbounded);
        }
        if size.min_element() <= 0.0 {
            return Err(GeometryError::NoVolume);
        }
        let segments = (SEGMENTS_PER_CELL * resolution).clamp(12, 720);
        Ok(match solid {
            Solid::Cuboid { half_extents } => Self::cuboid(*half_extents),
            Solid::Sphere { radius } => Self::ball(*radius, segments),
            Solid::Capsule { radius, half_height } => Self::capsule(*radius, *half_height, segments),
            Solid::Cylinder { radius, half_height } => Self::cylinder(*radius, *half_height, segments),
            Solid::Frustum {
                bottom_radius,
                top_radius,
                half_height,
            } => Self::frustum(*bottom_radius, *top_radius, *half_height, segments),
            Solid::Translated(inner, offset) => {
                Self::from_solid(inner, resolution)?.transformed(&Affine3A::from_translation(*offset))
            }
            Solid::Rotated(inner, rotation) => {
                Self::from_solid(inner, resolution)?.transformed(&Affine3A::from_quat(*rotation))
            }
            other => {
                let cell_size = size.max_element() / resolution.max(1) as f32;
                let distance = |point: Vec3| other.distance(point);
                dual_contour(&distance, &bounds.expanded(MARGIN * cell_size), cell_size)?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use std::f32::consts::PI;

    #[test]
    fn every_shape_is_closed_faces_out_and_has_its_volume() {
        let ball = 4.0 / 3.0 * PI * 0.125;
        let cone = PI * 0.25 * 2.0 / 3.0;
        for (mesh, volume) in [
            (Mesh::cuboid(Vec3::new(0.5, 1.0, 1.5)), 6.0),
            (Mesh::ball(0.5, 64), ball),
            (Mesh::capsule(0.5, 1.0, 64), ball + PI * 0.5),
            (Mesh::cylinder(0.5, 1.0, 64), PI * 0.5),
            (Mesh::frustum(0.5, 0.0, 1.0, 64), cone),
            (Mesh::frustum(0.0, 0.5, 1.0, 64), cone),
        ] {
            assert!(mesh.is_watertight());
            assert!((mesh.volume() / volume - 1.0).abs() < 0.01, "{}", mesh.volume());
        }
    }

    #[test]
    fn solids_become_meshes_on_their_surface() {
        let brick = Solid::Cuboid {
            half_extents: Vec3::new(0.3, 0.1, 0.2),
        };
        let hole = Solid::Cylinder {
            radius: 0.08,
            half_height: 1.0,
        };
        let ring = Solid::Torus {
            ring_radius: 0.4,
            tube_radius: 0.1,
        };
        let turned = brick.clone().rotated(Quat::from_rotation_z(0.7)).translated(Vec3::X);
        assert_eq!(Mesh::from_solid(&turned, 32).unwrap().triangles.len(), 12);
        for solid in [turned, hole.clone(), brick.minus(hole), ring] {
            let mesh = Mesh::from_solid(&solid, 48).unwrap();
            assert!(mesh.is_watertight() && mesh.volume() > 0.0);
            let off = mesh.positions.iter().map(|&point| solid.distance(point).abs());
            let off = off.fold(0.0, f32::max);
            assert!(off < 4e-3, "{off}");
        }
    }

    #[test]
    fn solids_without_end_or_volume_are_refused() {
        let below = Solid::HalfSpace {
            normal: Vec3::Y,
            offset: 0.0,
        };
        assert_eq!(Mesh::from_solid(&below, 32), Err(GeometryError::Unbounded));
        let sheet = Solid::Cuboid {
            half_extents: Vec3::new(1.0, 0.0, 1.0),
        };
        assert_eq!(Mesh::from_solid(&sheet, 32), Err(GeometryError::NoVolume));
        let nowhere = Solid::Sphere { radius: f32::NAN };
        assert!(Mesh::from_solid(&nowhere, 32).is_err());
    }
}
