//! Shapes that particles cannot enter: one shape, one file.
//!
//! Every shape answers one question, [`Shape::contacts`]: given the path of a particle through a sub-step, in the
//! shape's own frame, which planes must the particle stay above? Moving colliders need nothing more, because the
//! path is taken relative to the collider's start and end pose.

mod bvh;
mod capsule;
mod cast;
pub mod collider;
mod convex_hull;
mod cuboid;
mod error;
mod heightfield;
mod plane;
mod sdf_grid;
mod shell;
mod sphere;
mod sweep;
#[cfg(test)]
mod tests;
mod triangle;
mod triangle_mesh;

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

pub use bvh::{Bvh, BvhNode, NearestFirst, Walk};
pub use capsule::Capsule;
pub use convex_hull::ConvexHull;
pub use cuboid::Cuboid;
pub use error::ShapeError;
pub use heightfield::Heightfield;
pub use plane::Plane;
pub use sdf_grid::SdfGrid;
pub use sphere::Sphere;
pub use triangle::{Feature, Triangle};
pub use triangle_mesh::TriangleMesh;

use crate::space::bounds::Bounds;
use sweep::convex_contacts;

/// The path of one particle through a sub-step, in a collider's local frame, metres.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// Centre at the start of the sub-step (seen from the start pose).
    pub start: Vec3,
    /// Predicted centre at the end of the sub-step (seen from the end pose).
    pub end: Vec3,
    /// Particle radius.
    pub radius: f32,
    /// Surfaces whose distance from the centre at `end` is below `radius + margin` are reported as well.
    pub margin: f32,
}

impl Sweep {
    /// Distance from the centre at `end` below which a surface is reported.
    #[inline]
    pub(crate) fn reach(&self) -> f32 {
        self.radius + self.margin
    }
}

/// A plane that the particle's centre must stay one radius above, in the collider's local frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePlane {
    /// A point on the surface.
    pub point: Vec3,
    /// Unit normal, out of the surface on the particle's side.
    pub normal: Vec3,
}

impl SurfacePlane {
    /// Height of a point above the plane, metres; negative below it.
    #[inline]
    pub fn height(&self, point: Vec3) -> f32 {
        (point - self.point).dot(self.normal)
    }
}

/// The form of a collider in its own frame. Large shapes are shared, so a clone is cheap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// A half space.
    Plane(Plane),
    /// A ball around the origin.
    Sphere(Sphere),
    /// A ball swept along a piece of the local y axis.
    Capsule(Capsule),
    /// A box around the origin.
    Cuboid(Cuboid),
    /// A convex polyhedron.
    ConvexHull(Arc<ConvexHull>),
    /// A two-sided shell of triangles.
    TriangleMesh(Arc<TriangleMesh>),
    /// A solid given by signed distances on a grid.
    SdfGrid(Arc<SdfGrid>),
    /// A terrain, solid below.
    Heightfield(Arc<Heightfield>),
}

impl Shape {
    /// The box around the shape in its own frame; infinite for a plane.
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Plane(_) => Bounds::INFINITE,
            Self::Sphere(shape) => shape.bounds(),
            Self::Capsule(shape) => shape.bounds(),
            Self::Cuboid(shape) => shape.bounds(),
            Self::ConvexHull(shape) => shape.bounds(),
            Self::TriangleMesh(shape) => shape.bounds(),
            Self::SdfGrid(shape) => shape.bounds(),
            Self::Heightfield(shape) => shape.bounds(),
        }
    }

    /// Appends the planes that a particle on this path must stay above.
    ///
    /// A path that enters or crosses the shape gets the plane of its first touch, on the side it came from; surfaces
    /// within `radius + margin` of the place it then comes to rest are added. Nothing is reported on the far side.
    pub fn contacts(&self, sweep: &Sweep, out: &mut Vec<SurfacePlane>) {
        match self {
            Self::Plane(shape) => shape.contacts(sweep, out),
            Self::Sphere(shape) => convex_contacts(|p| shape.signed_distance(p), sweep, out),
            Self::Capsule(shape) => convex_contacts(|p| shape.signed_distance(p), sweep, out),
            Self::Cuboid(shape) => convex_contacts(|p| shape.signed_distance(p), sweep, out),
            Self::ConvexHull(shape) => shape.contacts(sweep, out),
            Self::TriangleMesh(shape) => shell::contacts(&**shape, sweep, out),
            Self::SdfGrid(shape) => shape.contacts(sweep, out),
            Self::Heightfield(shape) => shape.contacts(sweep, out),
        }
    }

    /// Whether a ball overlaps the shape. For a mesh: whether it touches the surface.
    pub fn contains(&self, point: Vec3, radius: f32) -> bool {
        match self {
            Self::TriangleMesh(shape) => shape.touches(point, radius),
            Self::Heightfield(shape) => shape.contains(point, radius),
            _ => self.signed_distance(point).0 < radius,
        }
    }

    /// Distance from a point to the surface, metres, negative inside, and the unit direction in which it grows.
    ///
    /// A mesh has no inside: its distance is never negative and the direction leads away from the nearest triangle.
    pub fn signed_distance(&self, point: Vec3) -> (f32, Vec3) {
        match self {
            Self::Plane(shape) => shape.signed_distance(point),
            Self::Sphere(shape) => shape.signed_distance(point),
            Self::Capsule(shape) => shape.signed_distance(point),
            Self::Cuboid(shape) => shape.signed_distance(point),
            Self::ConvexHull(shape) => shape.signed_distance(point),
            Self::TriangleMesh(shape) => shape.distance(point),
            Self::SdfGrid(shape) => shape.signed_distance(point),
            Self::Heightfield(shape) => shape.signed_distance(point),
        }
    }
}

macro_rules! shape_from {
    ($($variant:ident($source:ty)),* $(,)?) => {$(
        impl From<$source> for Shape {
            fn from(shape: $source) -> Self {
                Self::$variant(shape.into())
            }
        }
    )*};
}
shape_from!(
    Plane(Plane),
    Sphere(Sphere),
    Capsule(Capsule),
    Cuboid(Cuboid),
    ConvexHull(ConvexHull),
    TriangleMesh(TriangleMesh),
    SdfGrid(SdfGrid),
    Heightfield(Heightfield),
);
