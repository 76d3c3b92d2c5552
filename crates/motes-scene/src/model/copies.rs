//! Many bodies from one table: in rows, or along a line.

use glam::Vec3;

use crate::decode::limits::{between, metres, places};

crate::words! {
    /// How copies are turned.
    enum TurnWord {
        /// As the first.
        "none" => None,
        /// Any way round, each differently.
        "random" => Random,
    }
}

crate::table! {
    /// Copies in rows (`count` and `spacing`), or along a line (`along` and `distance`).
    default struct CopiesTable {
        /// How many along x, y and z; the first stands where the body would.
        count: Option<[u32; 3]> = None => between(1.0, 1e6),
        /// How far apart along x, y and z, metres.
        spacing: Option<Vec3> = None => places(),
        /// Points of a smooth line, from the position of the body, metres; copies look along it with their x axis.
        along: Option<Vec<Vec3>> = None => places(),
        /// How far apart along the line, metres.
        distance: Option<f32> = None => metres(),
        /// How they are turned about their middle: "none" or "random".
        turn: TurnWord = TurnWord::None,
        /// Random displacement along each axis, metres.
        jitter: f32 = 0.0 => between(0.0, 1e6).of("m"),
        /// Seed of what is random; by default made from the scene's.
        seed: Option<u64> = None,
    }
}
