//! What accelerates gas: its warmth, and the air it leaves behind (Unified, eq. 29).

use crate::heat::{AMBIENT, ZERO_CELSIUS};

/// Temperature of the surroundings, kelvin.
pub const SURROUNDINGS: f32 = AMBIENT + ZERO_CELSIUS;

/// Most that cold lets gas fall, in gravities: as if it were half as warm as its surroundings, in kelvin.
pub const COLDEST: f32 = -1.0;

/// How strongly a gas of a temperature, °C, is lifted, in gravities: `1 − T₀/T` in kelvin, what an ideal gas is lighter than as much of its
/// surroundings.
#[inline(always)]
pub fn lift(temperature: f32) -> f32 {
    (1.0 - SURROUNDINGS / (temperature + ZERO_CELSIUS).max(1.0)).max(COLDEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warmth_lifts_and_cold_draws_down_within_bounds() {
        assert_eq!(lift(AMBIENT), 0.0);
        // Twice as warm in kelvin: half as dense.
        assert!((lift(2.0 * SURROUNDINGS - ZERO_CELSIUS) - 0.5).abs() < 1e-6);
        assert!(lift(1e9) <= 1.0);
        assert_eq!([lift(-273.15), lift(-200.0)], [COLDEST; 2]);
    }
}
