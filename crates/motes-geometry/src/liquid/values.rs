//! What particles carry, at places between them.

use glam::Vec3;
use rayon::prelude::*;

use crate::grid::Grid;

/// How far particles count, in spacings.
const REACH: f32 = 1.5;

/// The mean of the values of particles, such as velocities, around each of some places, by distance; 0 where no particle is within one and
/// a half spacings, metres. Particles that are not finite, or without a value, do not count.
pub fn liquid_values(positions: &[Vec3], values: &[Vec3], spacing: f32, places: &[Vec3]) -> Vec<Vec3> {
    let (points, values): (Vec<Vec3>, Vec<Vec3>) = positions
        .iter()
        .zip(values)
        .filter(|(place, _)| place.is_finite())
        .unzip();
    if !(spacing > 0.0 && spacing.is_finite()) || points.is_empty() {
        return vec![Vec3::ZERO; places.len()];
    }
    let reach = REACH * spacing;
    let grid = Grid::new(&points, reach);
    let mean = |place: &Vec3| {
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        grid.each_within(*place, reach, |number, squared| {
            let weight = (1.0 - squared / (reach * reach)).powi(2);
            sum += weight * values[number as usize];
            total += weight;
        });
        if total > 0.0 { sum / total } else { Vec3::ZERO }
    };
    places.par_iter().map(mean).collect()
}
