//! Vessels, standing on their origin unless said otherwise.

use glam::Vec3;

use crate::decode::limits::{between, metres, places};

crate::choice! {
    /// A vessel.
    enum Vessel {
        /// A closed hourglass, its neck at the origin.
        "hourglass" => Hourglass(HourglassVessel),
        /// A funnel, open at both ends.
        "funnel" => Funnel(FunnelVessel),
        /// Half of a hollow ball, open at the top.
        "bowl" => Bowl(BowlVessel),
        /// A drinking glass.
        "cup" => Cup(CupVessel),
        /// A pipe, open at both ends.
        "tube" => Tube(TubeVessel),
        /// A tank with flat walls, open at the top.
        "tank" => Tank(TankVessel),
        /// Any profile, turned about the axis.
        "turned" => Turned(TurnedVessel),
    }
}

crate::table! {
    /// A closed hourglass around the origin.
    struct HourglassVessel {
        /// Height, metres.
        height: f32 => metres(),
        /// Radius of the bulbs, metres.
        radius: f32 => metres(),
        /// Radius of the neck, metres.
        neck_radius: f32 => metres(),
        /// Steps around.
        segments: u32 = 64 => between(3.0, 2048.0),
    }
}

crate::table! {
    /// A funnel: a cone over a spout.
    struct FunnelVessel {
        /// Radius at the top, metres.
        radius: f32 => metres(),
        /// Radius of the spout, metres.
        neck_radius: f32 => metres(),
        /// Height of the cone, metres.
        height: f32 => metres(),
        /// Length of the spout, metres.
        spout: f32 = 0.0 => between(0.0, 1e6).of("m"),
        /// Steps around.
        segments: u32 = 64 => between(3.0, 2048.0),
    }
}

crate::table! {
    /// Half of a hollow ball.
    struct BowlVessel {
        /// Outer radius, metres.
        radius: f32 => metres(),
        /// Thickness, metres.
        thickness: f32 => metres(),
        /// Steps around.
        segments: u32 = 64 => between(3.0, 2048.0),
    }
}

crate::table! {
    /// A drinking glass.
    struct CupVessel {
        /// Outer radius, metres.
        radius: f32 => metres(),
        /// Height, metres.
        height: f32 => metres(),
        /// Thickness of wall and floor, metres.
        thickness: f32 => metres(),
        /// Steps around.
        segments: u32 = 64 => between(3.0, 2048.0),
    }
}

crate::table! {
    /// A pipe.
    struct TubeVessel {
        /// Outer radius, metres.
        radius: f32 => metres(),
        /// Height, metres.
        height: f32 => metres(),
        /// Thickness, metres.
        thickness: f32 => metres(),
        /// Steps around.
        segments: u32 = 64 => between(3.0, 2048.0),
    }
}

crate::table! {
    /// A tank with flat walls.
    struct TankVessel {
        /// Edge lengths of its inside, metres; y is up.
        size: Vec3 => metres(),
        /// Thickness of walls and floor, metres.
        thickness: f32 => metres(),
    }
}

crate::table! {
    /// Any profile, turned about the axis.
    struct TurnedVessel {
        /// Points [distance from the axis, height], metres.
        profile: Vec<[f32; 2]> => places(),
        /// Steps around.
        segments: u32 = 64 => between(3.0, 2048.0),
    }
}

impl TurnedVessel {
    /// The least distance from the axis between two wider parts of the profile.
    fn neck(&self) -> Option<f32> {
        let distances: Vec<f32> = self.profile.iter().map(|[distance, _]| distance.abs()).collect();
        let wider_before = running_max(distances.iter().copied());
        let mut wider_after = running_max(distances.iter().rev().copied());
        wider_after.reverse();
        let necks = (0..distances.len()).filter(|&at| distances[at] < wider_before[at].min(wider_after[at]));
        necks
            .map(|at| distances[at])
            .filter(|distance| *distance > 0.0)
            .reduce(f32::min)
    }
}

/// The greatest value up to each place.
fn running_max(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut max = 0.0f32;
    values
        .map(|value| {
            max = max.max(value);
            max
        })
        .collect()
}

impl Vessel {
    /// Key and inner radius of the narrowest passage between two openings or bulbs, metres.
    pub fn neck(&self) -> Option<(&'static str, f32)> {
        match self {
            Self::Hourglass(glass) => Some(("hourglass.neck_radius", glass.neck_radius)),
            Self::Funnel(cone) => Some(("funnel.neck_radius", cone.neck_radius)),
            Self::Tube(pipe) => Some(("tube.thickness", pipe.radius - pipe.thickness)),
            Self::Turned(turned) => Some(("turned.profile", turned.neck()?)),
            Self::Bowl(_) | Self::Cup(_) | Self::Tank(_) => None,
        }
    }

    /// Key and value of a wall thicker than its vessel.
    pub fn too_thick(&self) -> Option<(&'static str, f32)> {
        let (key, thickness, radius) = match self {
            Self::Bowl(bowl) => ("bowl.thickness", bowl.thickness, bowl.radius),
            Self::Cup(cup) => ("cup.thickness", cup.thickness, cup.radius.min(cup.height)),
            Self::Tube(tube) => ("tube.thickness", tube.thickness, tube.radius),
            _ => return None,
        };
        (thickness >= radius).then_some((key, thickness))
    }
}
