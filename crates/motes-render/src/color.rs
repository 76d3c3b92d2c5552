//! Colours for particles: by speed, by number, and as a slight variation of one base colour.

use glam::Vec3;

/// Colours of [`by_speed`] at equal steps: lightness rises evenly, hue turns from blue over teal and orange to yellow.
const SPEED_RAMP: [[u8; 3]; 7] = [
    [22, 33, 84],
    [22, 74, 124],
    [20, 119, 132],
    [92, 150, 112],
    [206, 150, 72],
    [246, 180, 74],
    [255, 232, 150],
];

/// The colour of a speed, where 0 is rest and 1 the fastest shown; values outside are clamped.
pub fn by_speed(fraction: f32) -> [u8; 3] {
    let steps = (SPEED_RAMP.len() - 1) as f32;
    let place = if fraction > 0.0 { fraction.min(1.0) * steps } else { 0.0 };
    let step = (place as usize).min(SPEED_RAMP.len() - 2);
    let low = to_linear(SPEED_RAMP[step]);
    let high = to_linear(SPEED_RAMP[step + 1]);
    to_srgb(low.lerp(high, place - step as f32))
}

/// A colour by number: neighbouring numbers differ clearly, and no number is much brighter than another.
pub fn by_id(id: u32) -> [u8; 3] {
    const GOLDEN_FRACTION: f32 = 0.618_034;
    // Turns are reduced in integers, as f32 runs out of digits for large numbers.
    let turn = id.wrapping_mul((GOLDEN_FRACTION as f64 * 4_294_967_296.0) as u32) as f32 / 4_294_967_296.0;
    to_srgb(from_hue(turn, 0.42, 0.34))
}

/// `base` made a little lighter or darker and warmer or cooler, differently for every `id`. An `amount` of 1 varies
/// brightness by about a quarter, which suits sand.
pub fn jitter(base: [u8; 3], id: u32, amount: f32) -> [u8; 3] {
    let hash = hash(id);
    let centered = |bits: u32| (bits & 0xffff) as f32 / 32_767.5 - 1.0;
    let lightness = 1.0 + 0.25 * amount * centered(hash);
    let warmth = 0.07 * amount * centered(hash >> 16);
    to_srgb(to_linear(base) * lightness * Vec3::new(1.0 + warmth, 1.0, 1.0 - warmth))
}

/// Reads `#rrggbb`; the `#` may be left out.
pub fn parse(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    Some([(value >> 16) as u8, (value >> 8) as u8, value as u8])
}

/// Linear light of an sRGB colour, 0 to 1 per channel.
pub fn to_linear(color: [u8; 3]) -> Vec3 {
    Vec3::from_array(color.map(|channel| {
        let value = f32::from(channel) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    }))
}

/// The sRGB colour of linear light; what is outside 0 to 1 is clamped.
pub fn to_srgb(light: Vec3) -> [u8; 3] {
    light.to_array().map(|value| (encode(value) * 255.0).round() as u8)
}

/// The sRGB transfer curve, 0 to 1.
pub(crate) fn encode(value: f32) -> f32 {
    if value <= 0.003_130_8 {
        value.max(0.0) * 12.92
    } else {
        1.055 * value.min(1.0).powf(1.0 / 2.4) - 0.055
    }
}

/// Linear light of a hue in turns with about the given luminance and chroma.
fn from_hue(turn: f32, luminance: f32, chroma: f32) -> Vec3 {
    let wave = |shift: f32| ((turn + shift) * std::f32::consts::TAU).cos();
    let tint = Vec3::new(wave(0.0), wave(-1.0 / 3.0), wave(1.0 / 3.0));
    let color = Vec3::splat(luminance) + tint * chroma;
    let weights = Vec3::new(0.2126, 0.7152, 0.0722);
    let clipped = color.max(Vec3::splat(0.02));
    clipped * (luminance / clipped.dot(weights))
}

/// Mixes the bits of a number (Wellons' low-bias 32-bit hash).
fn hash(id: u32) -> u32 {
    let mut bits = id ^ 0x9e37_79b9;
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x7feb_352d);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x846c_a68b);
    bits ^ (bits >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(color: [u8; 3]) -> f32 {
        to_linear(color).dot(Vec3::new(0.2126, 0.7152, 0.0722))
    }

    #[test]
    fn faster_is_brighter_all_along_the_ramp() {
        let shades: Vec<f32> = (0..=60).map(|i| luminance(by_speed(i as f32 / 60.0))).collect();
        assert!(shades.windows(2).all(|pair| pair[1] >= pair[0]));
    }

    #[test]
    fn speeds_outside_the_ramp_take_its_ends() {
        assert_eq!(by_speed(-3.0), by_speed(0.0));
        assert_eq!(by_speed(f32::NAN), by_speed(0.0));
        assert_eq!(by_speed(f32::INFINITY), by_speed(1.0));
    }

    #[test]
    fn neighbouring_ids_get_clearly_different_colors() {
        for id in (0..50).chain(u32::MAX - 50..u32::MAX) {
            let distance: i32 = by_id(id)
                .iter()
                .zip(by_id(id.wrapping_add(1)))
                .map(|(&a, b)| (i32::from(a) - i32::from(b)).abs())
                .sum();
            assert!(distance > 60, "{id}: {distance}");
        }
    }

    #[test]
    fn jitter_keeps_the_base_color_on_average() {
        let base = to_linear([214, 178, 120]);
        let mean = (0..4000)
            .map(|id| to_linear(jitter([214, 178, 120], id, 1.0)))
            .sum::<Vec3>()
            / 4000.0;
        assert!((mean - base).abs().max_element() < 0.01, "{mean} {base}");
        assert_eq!(jitter([214, 178, 120], 7, 0.0), [214, 178, 120]);
    }

    #[test]
    fn hex_colors_are_read_and_wrong_ones_refused() {
        assert_eq!(parse("#ff8000"), Some([255, 128, 0]));
        assert_eq!(parse("0A0b0C"), Some([10, 11, 12]));
        for wrong in ["", "#fff", "#12345g", "#1234567", "+12345", "#ääa"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn srgb_survives_the_round_trip() {
        for value in 0..=255 {
            assert_eq!(to_srgb(to_linear([value; 3])), [value; 3]);
        }
    }
}
