//! Many bodies from one table: in rows, or along a line.

use glam::Vec3;

use super::JoinedTable;
use crate::decode::limits::{between, degrees, metres, places};

crate::words! {
    /// How copies are turned.
    enum TurnWord {
        /// As the first; along a line, upright and with the x axis where the line goes.
        "none" => None,
        /// With the x axis along the line, up and down as well.
        "along" => Along,
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
        /// How they are turned about their middle: "none", "along" or "random".
        turn: TurnWord = TurnWord::None,
        /// How much further each is turned than the one before, about the line or the longest row, degrees.
        twist: f32 = 0.0 => degrees(),
        /// Random displacement along each axis, metres.
        jitter: f32 = 0.0 => between(0.0, 1e6).of("m"),
        /// Seed of what is random; by default made from the scene's.
        seed: Option<u64> = None,
        /// Joins each copy to the next, or to its neighbours in rows: a chain, a bridge, a net.
        joined: Option<JoinedTable> = None,
    }
}
