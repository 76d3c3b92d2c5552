//! Regions of space: where a field acts, and `[[kill]]`, where particles are removed.

use glam::Vec3;

use crate::decode::limits::{metres, places};

crate::choice! {
    /// A region of space.
    enum Region {
        /// A box along the axes.
        "box" => Box(BoxRegion),
        /// A ball.
        "sphere" => Sphere(SphereRegion),
        /// Everything below a plane.
        "below" => Below(BelowRegion),
        /// Everything that another region leaves out.
        "outside" => Outside(Box<Region>),
    }
}

crate::table! {
    /// A box along the axes.
    struct BoxRegion {
        /// Lower corner, metres.
        min: Vec3 => places(),
        /// Upper corner, metres.
        max: Vec3 => places(),
    }
}

crate::table! {
    /// A ball.
    struct SphereRegion {
        /// Its middle, metres.
        center: Vec3 = Vec3::ZERO => places(),
        /// Radius, metres.
        radius: f32 => metres(),
    }
}

crate::table! {
    /// Everything below a plane.
    struct BelowRegion {
        /// Height of the plane above the origin, metres along the normal.
        height: f32 => places(),
        /// Normal of the plane; by default up.
        normal: Option<Vec3> = None,
    }
}
