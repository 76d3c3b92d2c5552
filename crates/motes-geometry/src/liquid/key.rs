//! Places of a grid as numbers whose order is that of rows: x runs fastest, then y, then z.

use glam::IVec3;

/// Bits of a coordinate.
const BITS: u32 = 21;

const HALF: i32 = 1 << (BITS - 1);

/// The number of a place.
pub(super) fn key(place: IVec3) -> u64 {
    let part = |value: i32| (value + HALF) as u64;
    part(place.z) << (2 * BITS) | part(place.y) << BITS | part(place.x)
}

/// The place of a number.
pub(super) fn place(key: u64) -> IVec3 {
    let part = |shift: u32| (key >> shift & ((1 << BITS) - 1)) as i32 - HALF;
    IVec3::new(part(0), part(BITS), part(2 * BITS))
}

/// How far from the origin places of a width still have numbers, metres, with some to spare.
pub(super) fn limit_of(width: f32) -> f32 {
    (HALF - 16) as f32 * width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_survive_and_rows_are_runs() {
        for place_of in [IVec3::ZERO, IVec3::new(-7, 1_000_000, -1_000_000)] {
            assert_eq!(place(key(place_of)), place_of);
            assert_eq!(key(place_of + IVec3::X), key(place_of) + 1);
        }
    }
}
