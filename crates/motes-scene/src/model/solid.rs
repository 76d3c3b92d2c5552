//! Solids: what can be filled with grains or baked into a collider.

use glam::Vec3;

use super::Rotation;
use crate::decode::limits::{between, degrees, metres, places, positive};

crate::choice! {
    /// A solid.
    enum SolidShape {
        /// A box along the axes.
        "box" => Box(BoxShape),
        /// A ball.
        "sphere" => Sphere(SphereShape),
        /// An upright cylinder standing on its base.
        "cylinder" => Cylinder(CylinderShape),
        /// An upright cone standing on its base; with a `top_radius`, its tip is cut off.
        "cone" => Cone(ConeShape),
        /// An upright cylinder with round ends.
        "capsule" => Capsule(CapsuleShape),
        /// A ring lying flat.
        "torus" => Torus(TorusShape),
        /// A sand castle standing at the origin, gate to the front.
        "castle" => Castle(CastleShape),
        /// A model that comes with motes, standing at the origin.
        "model" => Model(ModelShape),
        /// Everything in any of the solids.
        "union" => Union(Vec<SolidShape>),
        /// Everything in all of the solids.
        "intersection" => Intersection(Vec<SolidShape>),
        /// A solid without others.
        "difference" => Difference(DifferenceShape),
        /// A solid moved and turned.
        "placed" => Placed(PlacedShape),
    }
}

crate::table! {
    /// A box along the axes: either `min` and `max`, or `size` around `center`.
    default struct BoxShape {
        /// Lower corner, metres.
        min: Option<Vec3> = None => places(),
        /// Upper corner, metres.
        max: Option<Vec3> = None => places(),
        /// Edge lengths, metres.
        size: Option<Vec3> = None => metres(),
        /// Middle of a box given by its size, metres.
        center: Vec3 = Vec3::ZERO => places(),
    }
}

impl BoxShape {
    /// Both corners, or why there are none.
    pub fn corners(&self) -> Result<(Vec3, Vec3), String> {
        match (self.min, self.max, self.size) {
            (Some(min), Some(max), None) if self.center == Vec3::ZERO => {
                if min.cmplt(max).all() {
                    Ok((min, max))
                } else {
                    Err(format!(
                        "expected `min` below `max` on every axis, found {min} and {max}"
                    ))
                }
            }
            (None, None, Some(size)) => Ok((self.center - 0.5 * size, self.center + 0.5 * size)),
            _ => Err("expected either `min` and `max`, or `size` and perhaps `center`".into()),
        }
    }
}

crate::table! {
    /// A ball.
    struct SphereShape {
        /// Radius, metres.
        radius: f32 => metres(),
        /// Its middle, metres.
        center: Vec3 = Vec3::ZERO => places(),
    }
}

crate::table! {
    /// An upright cylinder.
    struct CylinderShape {
        /// Radius, metres.
        radius: f32 => metres(),
        /// Height, metres.
        height: f32 => metres(),
        /// Middle of its base, metres.
        base: Vec3 = Vec3::ZERO => places(),
    }
}

crate::table! {
    /// An upright cone, perhaps without its tip.
    struct ConeShape {
        /// Radius at the base, metres; 0 stands on its tip.
        radius: f32 => between(0.0, 1e6).of("m"),
        /// Height, metres.
        height: f32 => metres(),
        /// Radius at the top, metres.
        top_radius: f32 = 0.0 => between(0.0, 1e6).of("m"),
        /// Middle of its base, metres.
        base: Vec3 = Vec3::ZERO => places(),
    }
}

crate::table! {
    /// An upright cylinder with round ends.
    struct CapsuleShape {
        /// Radius, metres.
        radius: f32 => metres(),
        /// Length between the middles of its round ends, metres.
        length: f32 => metres(),
        /// Its middle, metres.
        center: Vec3 = Vec3::ZERO => places(),
    }
}

crate::table! {
    /// A ring lying flat.
    struct TorusShape {
        /// Radius of the circle through the middle of the tube, metres.
        radius: f32 => metres(),
        /// Radius of the tube, metres.
        tube_radius: f32 => metres(),
        /// Its middle, metres.
        center: Vec3 = Vec3::ZERO => places(),
    }
}

crate::table! {
    /// A sand castle.
    struct CastleShape {
        /// Edge of its square base, metres; everything else is in proportion.
        width: f32 => metres(),
    }
}

crate::table! {
    /// A model.
    struct ModelShape {
        /// Its name: banana, beast, castle, cord, doll, fish, gear, octopus, rabbit, teapot, torus, truck or weed.
        name: String,
        /// How many times as large as it comes, which is about a metre.
        scale: f32 = 1.0 => positive(1e4),
    }
}

crate::table! {
    /// A solid without others.
    struct DifferenceShape {
        /// The solid to cut.
        from: Box<SolidShape>,
        /// What is cut away.
        remove: Vec<SolidShape>,
    }
}

crate::table! {
    /// A solid moved and turned.
    struct PlacedShape {
        /// The solid.
        shape: Box<SolidShape>,
        /// Where its origin goes, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Rotation about its origin, degrees.
        rotation: Rotation = Rotation::default() => degrees(),
    }
}
