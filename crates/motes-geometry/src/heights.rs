//! Procedural height grids for heightfield colliders.

use glam::Vec2;
use motes_core::random::unit_at;

/// Heights between 0 and `amplitude` of a rolling dune field, row by row: `heights[row * columns + column]`.
///
/// Value noise in two octaves: hills `wavelength` apart, and ripples of a quarter of the height at a third of it.
/// `cell_size`, `amplitude` and `wavelength` are in metres.
pub fn dunes(columns: usize, rows: usize, cell_size: f32, amplitude: f32, wavelength: f32, seed: u64) -> Vec<f32> {
    let frequency = if wavelength > 0.0 { cell_size / wavelength } else { 0.0 };
    let height = |index: usize| {
        let place = frequency * Vec2::new((index % columns) as f32, (index / columns) as f32);
        let hills = value_noise(place, seed);
        let ripples = value_noise(3.0 * place, seed.wrapping_add(1));
        amplitude * (0.8 * hills + 0.2 * ripples)
    };
    (0..columns * rows).map(height).collect()
}

/// Random values on the whole numbers, joined smoothly; between 0 and 1.
fn value_noise(place: Vec2, seed: u64) -> f32 {
    let cell = place.floor();
    let fraction = place - cell;
    let fade = fraction * fraction * fraction * (fraction * (6.0 * fraction - 15.0) + 10.0);
    let corner = |x: f32, y: f32| {
        let (column, row) = ((cell.x + x) as i32 as u32, (cell.y + y) as i32 as u32);
        unit_at(seed, u64::from(row) << 32 | u64::from(column))
    };
    let near = corner(0.0, 0.0) + (corner(1.0, 0.0) - corner(0.0, 0.0)) * fade.x;
    let far = corner(0.0, 1.0) + (corner(1.0, 1.0) - corner(0.0, 1.0)) * fade.x;
    near + (far - near) * fade.y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_stay_between_zero_and_the_amplitude_and_use_most_of_it() {
        let heights = dunes(80, 60, 0.1, 0.5, 1.0, 4);
        assert_eq!(heights.len(), 80 * 60);
        let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let high = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        assert!((0.0..0.1).contains(&low) && (0.4..=0.5).contains(&high), "{low} {high}");
    }

    #[test]
    fn neighbouring_heights_differ_little() {
        let heights = dunes(100, 100, 0.02, 1.0, 1.0, 1);
        assert!(
            heights
                .chunks(100)
                .all(|row| row.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.08))
        );
    }

    #[test]
    fn seeds_choose_the_landscape() {
        assert_eq!(dunes(9, 9, 0.3, 1.0, 1.0, 1), dunes(9, 9, 0.3, 1.0, 1.0, 1));
        assert_ne!(dunes(9, 9, 0.3, 1.0, 1.0, 1), dunes(9, 9, 0.3, 1.0, 1.0, 2));
        assert!(dunes(0, 5, 0.3, 1.0, 1.0, 1).is_empty());
    }
}
