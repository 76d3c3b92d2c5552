//! `[render]`: how pictures look.

use glam::Vec3;

use super::Color;
use crate::decode::limits::{between, metres, places, speeds};

crate::words! {
    /// What colours the particles.
    enum ColorBy {
        /// The colour of their object.
        "material" => Material,
        /// Their speed, from blue to red.
        "speed" => Speed,
        /// Their id, each its own.
        "id" => Id,
    }
}

crate::words! {
    /// What is drawn of liquids.
    enum LiquidWord {
        /// Their surface.
        "surface" => Surface,
        /// Their particles, as spheres.
        "particles" => Particles,
    }
}

crate::words! {
    /// What is drawn of gases besides their smoke.
    enum GasWord {
        /// Nothing.
        "hidden" => Hidden,
        /// Their particles, as spheres.
        "particles" => Particles,
    }
}

crate::table! {
    /// A slab of the world: of particles and smoke, only what is in it is drawn.
    default struct SliceTable {
        /// A point half-way through it, metres.
        point: Vec3 = Vec3::ZERO => places(),
        /// Direction across it.
        normal: Vec3 = Vec3::Z,
        /// How thick it is, metres.
        thickness: f32 = 0.1 => metres(),
    }
}

crate::table! {
    /// How pictures look.
    default struct RenderTable {
        /// What colours the particles: "material", "speed" or "id".
        color_by: ColorBy = ColorBy::Material,
        /// Speed of the hottest colour, m/s.
        speed_max: f32 = 5.0 => speeds().but_not_lowest(),
        /// Draw a ground.
        ground: bool = true,
        /// Height of the ground, metres.
        ground_height: f32 = 0.0 => places(),
        /// Colour of the ground.
        ground_color: Color = Color([0xd8, 0xd4, 0xcc]),
        /// Colour of the background.
        background: Color = Color([0xee, 0xf1, 0xf5]),
        /// Direction in which the light shines; by default from above and behind the left shoulder.
        light: Option<Vec3> = None,
        /// What is drawn of liquids: "surface" or "particles". What is coloured by speed or id is drawn as particles.
        liquid: LiquidWord = LiquidWord::Surface,
        /// What is drawn of gases besides their smoke: "hidden" or "particles".
        gas: GasWord = GasWord::Hidden,
        /// A slab: of particles and smoke, only what is in it is drawn.
        slice: Option<SliceTable> = None,
        /// Edge of the cubes that the surfaces of liquids are made with, in diameters of particles.
        liquid_resolution: f32 = 0.5 => between(0.1, 2.0),
    }
}
