//! What accelerates gas besides its pressure: its warmth, and the air that it moves through (Unified, eq. 29).

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

/// How open it is about a particle, 0 to 1, from how full it is: what all about it weigh, walls included, in weights of a lattice (`ρ/ρ₀`), itself, which weighs `own`,
/// left out. The paper's `1 − ρ/ρ₀` would leave a particle on its own less than all of its drag, for it is no air to itself.
#[inline(always)]
pub fn openness(about: f32, own: f32) -> f32 {
    (1.0 - about / (1.0 - own)).clamp(0.0, 1.0)
}

/// Part of its velocity through the air that a particle loses in a sub-step of `h` seconds, given its drag, 1/s, and how open it is about it. Exact whatever the step, so that it
/// never overshoots.
#[inline(always)]
pub fn dragged(drag: f32, openness: f32, h: f32) -> f32 {
    1.0 - (-drag * openness * h).exp()
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

    #[test]
    fn one_alone_is_wholly_open_and_one_in_a_lattice_is_not() {
        assert_eq!(openness(0.0, 0.4), 1.0);
        assert!(openness(0.6, 0.4).abs() < 1e-6);
        assert_eq!(openness(0.9, 0.4), 0.0, "crowded");
    }

    #[test]
    fn drag_is_the_same_in_one_step_or_many() {
        let mut left = 1.0;
        for _ in 0..8 {
            left *= 1.0 - dragged(50.0, 0.5, 0.01);
        }
        assert!((left - (1.0 - dragged(50.0, 0.5, 0.08))).abs() < 1e-6);
        assert!(dragged(1e6, 1.0, 1.0) <= 1.0);
    }
}
