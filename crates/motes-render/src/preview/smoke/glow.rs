//! The light of hot smoke: the colour of a black body, and a brightness that a picture can show.

use crate::Puff;
use glam::Vec3A;

/// Wavelengths that stand for red, green and blue, metres.
const WAVELENGTHS: [f32; 3] = [610e-9, 549e-9, 468e-9];
/// Second constant of radiation, h c / k, m K.
const RADIATION: f32 = 0.014_388;
/// °C above the first glow at which the radiance in red is [`GAIN`].
const BRIGHT: f32 = 500.0;
const GAIN: f32 = 2.5;
/// Most radiance in red.
const MOST: f32 = 40.0;

/// Radiance of a thick cloud at a temperature, °C; none below [`Puff::GLOWS_FROM`].
///
/// Hue follows Planck's law. Brightness would rise a million times from 500 to 1200 °C, where eyes and cameras adapt; here it rises
/// with the third power of what the temperature is above the first glow.
pub(crate) fn radiance(temperature: f32) -> Vec3A {
    let above = (temperature - Puff::GLOWS_FROM) / BRIGHT;
    if !(above > 0.0 && above.is_finite()) {
        return Vec3A::ZERO;
    }
    let kelvin = temperature + 273.15;
    let planck = |wavelength: f32| {
        let share = RADIATION / (wavelength * kelvin);
        (WAVELENGTHS[0] / wavelength).powi(5) / share.exp_m1()
    };
    let [red, green, blue] = WAVELENGTHS.map(planck);
    let strength = (GAIN * above * above * above).min(MOST);
    // Below 400 K all would round to nothing, but nothing glows there.
    Vec3A::new(1.0, green / red, blue / red) * strength
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_glows_below_the_first_red() {
        for cold in [f32::NAN, -300.0, 20.0, 499.0, 500.0, f32::INFINITY] {
            assert_eq!(radiance(cold), Vec3A::ZERO, "{cold}");
        }
        assert!(radiance(520.0).x > 0.0);
    }

    #[test]
    fn what_is_hotter_is_brighter_and_less_red() {
        let steps: Vec<Vec3A> = (6..30).map(|hundreds| radiance(hundreds as f32 * 100.0)).collect();
        for pair in steps.windows(2) {
            assert!(pair[1].x >= pair[0].x, "{pair:?}");
            assert!(pair[1].y / pair[1].x > pair[0].y / pair[0].x, "{pair:?}");
            assert!(pair[1].x > pair[1].y && pair[1].y > pair[1].z, "{pair:?}");
        }
    }

    #[test]
    fn green_to_red_is_that_of_a_black_body() {
        // Planck's law at 1500 K, 549 nm over 610 nm, by hand: 1.693 exp(-17.473 + 15.725).
        let light = radiance(1500.0 - 273.15);
        assert!((light.y / light.x - 0.2948).abs() < 0.003, "{light}");
    }
}
