//! Discs of cloth, for tablecloths, parachutes and the drape test.

use glam::{Vec2, Vec3};

use super::ClothShape;
use crate::error::{GeometryError, positive};
use crate::mesh::Mesh;

/// Most rings of a disc.
const MAX_RINGS: f64 = 2000.0;

impl ClothShape {
    /// A disc about the origin that faces z: rings of 6, 12, 18, … vertices about one in the middle. Vertices of a ring are
    /// `spacing` metres apart at most, and edges between rings up to 1.39 times as long. The warp runs along x.
    pub fn disc(diameter: f32, spacing: f32) -> Result<Self, GeometryError> {
        let radius = 0.5 * positive("diameter", diameter)?;
        // Along the rim of n rings the vertices are 2π/6 of the distance of the rings apart.
        let wanted = f64::from(radius) / f64::from(positive("spacing", spacing)?) * std::f64::consts::FRAC_PI_3;
        if wanted > MAX_RINGS {
            return Err(GeometryError::TooManyPoints {
                wanted: 3.0 * wanted * wanted,
                limit: 3.0 * MAX_RINGS * MAX_RINGS,
            });
        }
        let rings = (wanted - 1e-4).ceil().max(1.0) as u32;
        let mut positions = vec![Vec3::ZERO];
        let mut triangles = Vec::new();
        for ring in 1..=rings {
            let (inner, first) = (first_of(ring - 1), first_of(ring));
            let count = 6 * ring;
            for number in 0..count {
                let angle = std::f32::consts::TAU * number as f32 / count as f32;
                let place = radius * ring as f32 / rings as f32 * Vec2::from_angle(angle);
                positions.push(place.extend(0.0));
            }
            for sector in 0..6 {
                for step in 0..ring {
                    let outside = |step: u32| first + (sector * ring + step) % count;
                    let inside = |step: u32| match ring {
                        1 => 0,
                        _ => inner + (sector * (ring - 1) + step) % (count - 6),
                    };
                    triangles.push([inside(step), outside(step), outside(step + 1)]);
                    if step + 1 < ring {
                        triangles.push([inside(step), outside(step + 1), inside(step + 1)]);
                    }
                }
            }
        }
        let flat = |corners: &[u32; 3]| corners.map(|corner| positions[corner as usize].truncate());
        let uvs = triangles.iter().map(flat).collect();
        Self::new(Mesh::new(positions.clone(), triangles), uvs, None)
    }
}

/// Number of the first vertex of a ring.
fn first_of(ring: u32) -> u32 {
    match ring {
        0 => 0,
        _ => 1 + 3 * ring * (ring - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_is_round_whole_and_evenly_sampled() {
        let disc = ClothShape::disc(2.0, 0.1).unwrap();
        assert!(
            (disc.area() / std::f32::consts::PI - 1.0).abs() < 0.002,
            "{}",
            disc.area()
        );
        assert_eq!(disc.rims.len(), 1);
        assert!({ disc.rims[0].iter() }.all(|&vertex| (disc.positions[vertex as usize].length() - 1.0).abs() < 1e-6));
        let lengths: Vec<f32> = disc
            .edges()
            .map(|[a, b]| disc.positions[a as usize].distance(disc.positions[b as usize]))
            .collect();
        let longest = lengths.iter().copied().fold(0.0, f32::max);
        let shortest = lengths.iter().copied().fold(f32::INFINITY, f32::min);
        // Between rings by the distance of these and as far along them: √(1 + (π/3)²) of the distance of the rings.
        assert!(longest < 0.139 && shortest > 0.08, "{shortest} to {longest} m");
        assert!(disc.triangles.iter().all(|corners| {
            let [a, b, c] = corners.map(|corner| disc.positions[corner as usize]);
            (b - a).cross(c - a).z > 0.0
        }));
        assert!(ClothShape::disc(1.0, 1e-9).is_err());
    }

    #[test]
    fn a_small_disc_is_a_hexagon() {
        let disc = ClothShape::disc(0.1, 1.0).unwrap();
        assert_eq!((disc.positions.len(), disc.triangles.len()), (7, 6));
    }
}
