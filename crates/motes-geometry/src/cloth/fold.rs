//! Flat sheets that start folded or rolled up, without being stretched.

use glam::{DVec2, Vec2, Vec3};

use super::ClothShape;
use crate::error::{GeometryError, positive};

impl ClothShape {
    /// Where the vertices of a sheet in the plane of x and y are when it is gathered along x into so many pleats, to `share` of its width:
    /// a curtain drawn aside. Each pleat is two arcs of a circle, one to either side, so nothing is stretched.
    pub fn pleated(&self, pleats: u32, share: f32) -> Result<Vec<Vec3>, GeometryError> {
        let (low, width) = self.extent()?;
        if !(0.1..=1.0).contains(&share) {
            return Err(GeometryError::BadSize {
                name: "share of the width, from 0.1 to 1,",
                value: share,
            });
        }
        // An arc of half the angle φ is sin φ / φ as wide as it is long.
        let (mut narrow, mut wide) = (1e-6, std::f64::consts::PI);
        for _ in 0..60 {
            let middle: f64 = 0.5 * (narrow + wide);
            if middle.sin() / middle > f64::from(share) {
                narrow = middle;
            } else {
                wide = middle;
            }
        }
        let half = 0.5 * (narrow + wide);
        let arc = width / f64::from(2 * pleats.max(1));
        let radius = arc / (2.0 * half);
        let chord = 2.0 * radius * half.sin();
        let middle = 0.5 * width / arc * chord;
        let place = |place: &Vec3| {
            let along = f64::from(place.x - low) / arc;
            let number = along.floor().min((width / arc).round() - 1.0).max(0.0);
            let angle = (2.0 * (along - number) - 1.0) * half;
            let side = if number % 2.0 == 0.0 { 1.0 } else { -1.0 };
            let x = number * chord + 0.5 * chord + radius * angle.sin();
            let z = side * radius * (angle.cos() - half.cos());
            Vec3::new((x - middle) as f32, place.y, place.z + z as f32)
        };
        Ok(self.positions.iter().map(place).collect())
    }

    /// Where the vertices of a sheet in the plane of x and y are when it is rolled up from its right end: a scroll whose
    /// inmost turn has a radius, and whose turns lie a thickness apart, metres.
    pub fn rolled(&self, radius: f32, thickness: f32) -> Result<Vec<Vec3>, GeometryError> {
        let (low, width) = self.extent()?;
        let radius = f64::from(positive("radius", radius)?);
        let growth = f64::from(positive("thickness", thickness)?) / std::f64::consts::TAU;
        // A spiral r = radius + growth θ is radius θ + growth θ²/2 long, but for the square of growth over radius.
        let turn = |length: f64| ((radius * radius + 2.0 * growth * length).sqrt() - radius) / growth;
        let place = |place: &Vec3| {
            let from_end = width - f64::from(place.x - low);
            let angle = turn(from_end);
            let spoke = DVec2::from_angle(angle) * (radius + growth * angle);
            let flat: Vec2 = spoke.as_vec2();
            Vec3::new(flat.x, place.y, place.z + flat.y)
        };
        Ok(self.positions.iter().map(place).collect())
    }

    /// Least x and width, metres.
    fn extent(&self) -> Result<(f32, f64), GeometryError> {
        let all = || self.positions.iter().map(|place| place.x);
        let (low, high) = (
            all().fold(f32::INFINITY, f32::min),
            all().fold(f32::NEG_INFINITY, f32::max),
        );
        Ok((low, f64::from(positive("width", high - low)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClothGrid, ClothShape};
    use super::*;

    fn banner() -> ClothShape {
        let grid = ClothGrid {
            size: [2.0, 0.5],
            resolution: [161, 11],
        };
        ClothShape::grid(&grid).unwrap()
    }

    /// Longest and shortest edge, as shares of what they were.
    fn strain(shape: &ClothShape, places: &[Vec3]) -> [f32; 2] {
        let ratio = |[a, b]: [u32; 2]| {
            let [a, b] = [a as usize, b as usize];
            places[a].distance(places[b]) / shape.positions[a].distance(shape.positions[b])
        };
        shape
            .edges()
            .map(ratio)
            .fold([f32::INFINITY, 0.0], |[low, high], ratio| {
                [low.min(ratio), high.max(ratio)]
            })
    }

    #[test]
    fn a_gathered_curtain_is_narrower_and_as_long_as_before() {
        let shape = banner();
        for (pleats, share) in [(4, 0.5), (10, 0.8), (4, 1.0)] {
            let places = shape.pleated(pleats, share).unwrap();
            let [low, high] = [places[0].x, places[160].x];
            assert!(
                (high - low - 2.0 * share).abs() < 0.002 && (high + low).abs() < 0.002,
                "{low} to {high}"
            );
            let [shortest, longest] = strain(&shape, &places);
            assert!(shortest > 0.97 && longest < 1.0 + 1e-4, "{shortest} {longest}");
            assert!(places[0].z.abs() < 1e-4 && places[160].z.abs() < 1e-4);
        }
        assert!(shape.pleated(4, 0.0).is_err() && shape.pleated(4, f32::NAN).is_err());
    }

    #[test]
    fn a_scroll_keeps_its_length_and_its_turns_apart() {
        let shape = banner();
        let places = shape.rolled(0.05, 0.01).unwrap();
        let [shortest, longest] = strain(&shape, &places);
        assert!(shortest > 0.98 && longest < 1.01, "{shortest} {longest}");
        let radius = |place: &Vec3| place.x.hypot(place.z);
        assert!((radius(&places[160]) - 0.05).abs() < 1e-5);
        // 0.05 θ + 0.01/4π θ² = 2 at θ = 27.75, four turns and a half.
        assert!((radius(&places[0]) - 0.0942).abs() < 1e-3, "{}", radius(&places[0]));
        assert!(shape.rolled(0.0, 0.01).is_err());
    }
}
