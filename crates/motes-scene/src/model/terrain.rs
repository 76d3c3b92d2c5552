//! Terrain: heights on a grid.

use crate::decode::limits::{between, metres, places};

crate::choice! {
    /// Heights on a grid, centred on the origin.
    enum Terrain {
        /// Heights written out.
        "grid" => Grid(GridTerrain),
        /// Rolling dunes.
        "dunes" => Dunes(DunesTerrain),
    }
}

crate::table! {
    /// Heights written out.
    struct GridTerrain {
        /// Rows of heights, metres; all equally long.
        heights: Vec<Vec<f32>> => places(),
        /// Distance between neighbouring heights, metres.
        cell_size: f32 => metres(),
    }
}

crate::table! {
    /// Rolling dunes.
    struct DunesTerrain {
        /// Extent along both horizontal axes, metres.
        size: [f32; 2] => metres(),
        /// Distance between neighbouring heights, metres.
        cell_size: f32 => metres(),
        /// Height of the highest crest, metres.
        amplitude: f32 => between(0.0, 1e6).of("m"),
        /// Distance between crests, metres.
        wavelength: f32 => metres(),
        /// Which dunes; by default the scene's seed.
        seed: Option<u64> = None,
    }
}
