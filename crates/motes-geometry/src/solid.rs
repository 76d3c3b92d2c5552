//! Solids as signed distance functions: primitives joined by set operations, to be filled with grains or baked into
//! colliders.

use std::sync::Arc;

use glam::{Quat, Vec3};
use motes_core::{Bounds, Pose};

use crate::distance::MeshDistance;
use crate::mesh::Mesh;
use crate::primitives;

/// A solid body, upright along y around the origin, metres.
///
/// The distance of a primitive is exact. Set operations keep its sign and never overstate its size, so a ball that
/// fits by [`Solid::distance`] fits the solid; but a union whose parts only touch counts the seam between them as
/// surface. Let the parts of a union overlap where grains should fill the joint.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// A box.
    Cuboid {
        /// Half of each edge length.
        half_extents: Vec3,
    },
    /// A ball.
    Sphere {
        /// Radius.
        radius: f32,
    },
    /// An upright cylinder.
    Cylinder {
        /// Radius.
        radius: f32,
        /// Half of the height.
        half_height: f32,
    },
    /// An upright cone with its tip cut off; a cone when one radius is zero.
    Frustum {
        /// Radius at the bottom.
        bottom_radius: f32,
        /// Radius at the top.
        top_radius: f32,
        /// Half of the height.
        half_height: f32,
    },
    /// An upright cylinder with round ends.
    Capsule {
        /// Radius.
        radius: f32,
        /// Half of the height without the ends.
        half_height: f32,
    },
    /// A ring lying flat.
    Torus {
        /// Radius of the circle through the middle of the tube.
        ring_radius: f32,
        /// Radius of the tube.
        tube_radius: f32,
    },
    /// What a closed mesh encloses.
    Mesh(Arc<MeshSolid>),
    /// Everything below a plane: points with `normal · point <= offset`.
    HalfSpace {
        /// Unit normal, out of the solid.
        normal: Vec3,
        /// Distance of the plane from the origin along the normal.
        offset: f32,
    },
    /// Points in any of the parts.
    Union(Vec<Solid>),
    /// Points in all of the parts.
    Intersection(Vec<Solid>),
    /// Points in the first and not in the second.
    Difference(Box<Solid>, Box<Solid>),
    /// A solid moved.
    Translated(Box<Solid>, Vec3),
    /// A solid turned about the origin by a unit quaternion.
    Rotated(Box<Solid>, Quat),
}

/// The inside of a mesh, to be asked for distances.
#[derive(Debug)]
pub struct MeshSolid {
    distance: MeshDistance,
    bounds: Bounds,
}

/// Of two that were made apart, nobody knows.
impl PartialEq for MeshSolid {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Solid {
    /// What a closed mesh encloses.
    pub fn of_mesh(mesh: &Mesh) -> Self {
        Self::Mesh(Arc::new(MeshSolid {
            distance: MeshDistance::new(mesh),
            bounds: mesh.bounds(),
        }))
    }

    /// A box between two corners.
    pub fn cuboid_between(min: Vec3, max: Vec3) -> Self {
        let half_extents = 0.5 * (max - min).abs();
        Self::Cuboid { half_extents }.translated(0.5 * (min + max))
    }

    /// A frustum standing on a point.
    pub fn frustum_on(base: Vec3, bottom_radius: f32, top_radius: f32, height: f32) -> Self {
        let half_height = 0.5 * height;
        Self::Frustum {
            bottom_radius,
            top_radius,
            half_height,
        }
        .translated(base + Vec3::Y * half_height)
    }

    /// This solid moved by an offset.
    pub fn translated(self, offset: Vec3) -> Self {
        Self::Translated(Box::new(self), offset)
    }

    /// This solid turned about the origin.
    pub fn rotated(self, rotation: Quat) -> Self {
        Self::Rotated(Box::new(self), rotation)
    }

    /// This solid without another.
    pub fn minus(self, other: Self) -> Self {
        Self::Difference(Box::new(self), Box::new(other))
    }

    /// The part of this solid in another.
    pub fn within(self, other: Self) -> Self {
        Self::Intersection(vec![self, other])
    }

    /// Signed distance to the surface, negative inside, metres; changes by at most the distance moved.
    pub fn distance(&self, point: Vec3) -> f32 {
        match self {
            Self::Cuboid { half_extents } => primitives::cuboid(point, *half_extents),
            Self::Sphere { radius } => point.length() - radius,
            Self::Cylinder { radius, half_height } => primitives::cylinder(point, *radius, *half_height),
            Self::Frustum {
                bottom_radius,
                top_radius,
                half_height,
            } => primitives::frustum(point, *bottom_radius, *top_radius, *half_height),
            Self::Capsule { radius, half_height } => primitives::capsule(point, *radius, *half_height),
            Self::Torus {
                ring_radius,
                tube_radius,
            } => primitives::torus(point, *ring_radius, *tube_radius),
            Self::Mesh(inside) => inside.distance.signed_distance(point),
            Self::HalfSpace { normal, offset } => normal.dot(point) - offset,
            Self::Union(parts) => parts
                .iter()
                .map(|part| part.distance(point))
                .fold(f32::INFINITY, f32::min),
            Self::Intersection(parts) => parts
                .iter()
                .map(|part| part.distance(point))
                .fold(f32::NEG_INFINITY, f32::max),
            Self::Difference(kept, removed) => kept.distance(point).max(-removed.distance(point)),
            Self::Translated(inner, offset) => inner.distance(point - offset),
            Self::Rotated(inner, rotation) => inner.distance(rotation.conjugate() * point),
        }
    }

    /// A box around the solid: tight for primitives, unions and translations, infinite for half-spaces that are not
    /// parallel to an axis.
    pub fn bounds(&self) -> Bounds {
        let around = |half: Vec3| Bounds { min: -half, max: half };
        let upright = |radius: f32, half_height: f32| around(Vec3::new(radius, half_height, radius));
        match self {
            Self::Cuboid { half_extents } => around(*half_extents),
            Self::Sphere { radius } => around(Vec3::splat(*radius)),
            Self::Cylinder { radius, half_height } => upright(*radius, *half_height),
            Self::Frustum {
                bottom_radius,
                top_radius,
                half_height,
            } => upright(bottom_radius.max(*top_radius), *half_height),
            Self::Capsule { radius, half_height } => upright(*radius, half_height + radius),
            Self::Torus {
                ring_radius,
                tube_radius,
            } => upright(ring_radius + tube_radius, *tube_radius),
            Self::Mesh(inside) => inside.bounds,
            Self::HalfSpace { normal, offset } => half_space_bounds(*normal, *offset),
            Self::Union(parts) => parts.iter().map(Self::bounds).fold(Bounds::EMPTY, Bounds::union),
            Self::Intersection(parts) => parts.iter().map(Self::bounds).fold(Bounds::INFINITE, overlap),
            Self::Difference(kept, _) => kept.bounds(),
            Self::Translated(inner, offset) => {
                let Bounds { min, max } = inner.bounds();
                Bounds {
                    min: min + offset,
                    max: max + offset,
                }
            }
            Self::Rotated(inner, rotation) => {
                let bounds = inner.bounds();
                if bounds.min.cmpgt(bounds.max).any() {
                    return Bounds::EMPTY;
                }
                bounds.transformed(&Pose {
                    position: Vec3::ZERO,
                    rotation: *rotation,
                })
            }
        }
    }
}

fn overlap(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        min: a.min.max(b.min),
        max: a.max.min(b.max),
    }
}

fn half_space_bounds(normal: Vec3, offset: f32) -> Bounds {
    let mut bounds = Bounds::INFINITE;
    for axis in 0..3 {
        if normal[axis] == 1.0 {
            bounds.max[axis] = offset;
        } else if normal[axis] == -1.0 {
            bounds.min[axis] = -offset;
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn zoo() -> Vec<Solid> {
        let ball = Solid::Sphere { radius: 1.0 };
        let brick = Solid::Cuboid {
            half_extents: Vec3::new(0.5, 1.0, 0.7),
        };
        let drum = Solid::Cylinder {
            radius: 0.8,
            half_height: 0.6,
        };
        let cone = Solid::Frustum {
            bottom_radius: 1.0,
            top_radius: 0.3,
            half_height: 0.9,
        };
        let pill = Solid::Capsule {
            radius: 0.4,
            half_height: 0.7,
        };
        let ring = Solid::Torus {
            ring_radius: 0.9,
            tube_radius: 0.3,
        };
        let floor = Solid::HalfSpace {
            normal: Vec3::Y,
            offset: 0.2,
        };
        vec![
            ball.clone().minus(drum.clone()),
            Solid::of_mesh(&Mesh::frustum(0.9, 0.3, 0.7, 12)),
            brick
                .clone()
                .rotated(Quat::from_rotation_z(0.7))
                .translated(Vec3::new(0.2, 0.1, -0.3)),
            Solid::Union(vec![ring.clone(), pill.clone()]),
            cone.clone().within(floor),
            ball,
            brick,
            drum,
            cone,
            pill,
            ring,
        ]
    }

    #[test]
    fn difference_removes_and_intersection_keeps_the_overlap() {
        let left = Solid::cuboid_between(Vec3::ZERO, Vec3::ONE);
        let right = Solid::cuboid_between(Vec3::new(0.5, 0.0, 0.0), Vec3::new(1.5, 1.0, 1.0));
        let in_both = Vec3::new(0.75, 0.5, 0.5);
        let in_left = Vec3::new(0.25, 0.5, 0.5);
        let minus = left.clone().minus(right.clone());
        assert!(minus.distance(in_left) < 0.0 && minus.distance(in_both) > 0.0);
        let both = left.within(right);
        assert!(both.distance(in_left) > 0.0 && both.distance(in_both) < 0.0);
        assert_eq!(
            both.bounds(),
            Bounds {
                min: Vec3::new(0.5, 0.0, 0.0),
                max: Vec3::ONE
            }
        );
    }

    #[test]
    fn rotation_by_a_quarter_turn_swaps_the_extents() {
        let lying = Solid::Cylinder {
            radius: 1.0,
            half_height: 3.0,
        }
        .rotated(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
        assert!((lying.distance(Vec3::new(2.0, 0.5, 0.0)) + 0.5).abs() < 1e-5);
        assert!((lying.bounds().max - Vec3::new(3.0, 1.0, 1.0)).length() < 1e-4);
    }

    #[test]
    fn half_space_cut_by_a_box_has_finite_bounds() {
        let slab = Solid::HalfSpace {
            normal: Vec3::Y,
            offset: 0.5,
        }
        .within(Solid::Cuboid {
            half_extents: Vec3::ONE,
        });
        assert_eq!(slab.bounds().max, Vec3::new(1.0, 0.5, 1.0));
    }

    proptest! {
        #[test]
        fn points_outside_the_bounds_are_outside_the_solid(x in -3.0f32..3.0, y in -3.0f32..3.0, z in -3.0f32..3.0) {
            let point = Vec3::new(x, y, z);
            for solid in zoo() {
                prop_assert!(solid.bounds().contains(point) || solid.distance(point) > -1e-5);
            }
        }

        #[test]
        fn distance_never_changes_faster_than_the_point_moves(
            a in prop::array::uniform3(-2.0f32..2.0),
            b in prop::array::uniform3(-2.0f32..2.0),
        ) {
            let (a, b) = (Vec3::from_array(a), Vec3::from_array(b));
            for solid in zoo() {
                prop_assert!((solid.distance(a) - solid.distance(b)).abs() <= a.distance(b) + 1e-4);
            }
        }
    }
}
