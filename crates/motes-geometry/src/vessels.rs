//! Vessels: hourglass, funnel, bowl, cup and tube, which are turned, and a tank, which is not.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Vec2, Vec3};

use crate::lathe::{arc, lathe, pinned_to_axis};
use crate::mesh::Mesh;

/// Steps along each curved part of a profile.
const CURVE_POINTS: u32 = 24;

/// Fractions of half the height at which an hourglass bulb reaches its full radius and starts to close.
const BULB: (f32, f32) = (0.72, 0.9);

/// Upward profile of an hourglass around the origin, lengths in metres: a raised cosine out of the neck, a straight
/// part, and a rounded rim into a flat cap.
pub fn hourglass_profile(height: f32, radius: f32, neck_radius: f32) -> Vec<Vec2> {
    let half = 0.5 * height;
    let rim = ((1.0 - BULB.1) * half).min(0.5 * radius);
    let mut upper: Vec<Vec2> = (0..=CURVE_POINTS)
        .map(|index| {
            let fraction = index as f32 / CURVE_POINTS as f32;
            let opening = 0.5 - 0.5 * (PI * fraction).cos();
            Vec2::new(neck_radius + (radius - neck_radius) * opening, BULB.0 * half * fraction)
        })
        .collect();
    upper.extend(arc(
        Vec2::new(radius - rim, half - rim),
        rim,
        0.0,
        FRAC_PI_2,
        CURVE_POINTS,
    ));
    upper.push(Vec2::new(0.0, half));
    let lower = upper.iter().skip(1).rev().map(|point| Vec2::new(point.x, -point.y));
    lower.chain(upper.iter().copied()).collect()
}

/// A closed hourglass around the origin, lengths in metres. Its surface is the glass: sand goes inside.
pub fn hourglass(height: f32, radius: f32, neck_radius: f32, segments: u32) -> Mesh {
    lathe(&hourglass_profile(height, radius, neck_radius), segments)
}

/// A funnel, open at both ends: a spout of `neck_radius` from y = 0 up to `spout`, then a cone up to `spout + height`
/// where it has `radius`; metres.
pub fn funnel(radius: f32, neck_radius: f32, height: f32, spout: f32, segments: u32) -> Mesh {
    let mut profile = vec![Vec2::new(neck_radius, spout), Vec2::new(radius, spout + height)];
    if spout > 0.0 {
        profile.insert(0, Vec2::new(neck_radius, 0.0));
    }
    lathe(&profile, segments)
}

/// Half of a hollow ball, open at the top, its lowest point at the origin; outer `radius` and `thickness` in metres.
pub fn bowl(radius: f32, thickness: f32, segments: u32) -> Mesh {
    let center = Vec2::new(0.0, radius);
    let mut profile: Vec<Vec2> = arc(center, radius, -FRAC_PI_2, 0.0, CURVE_POINTS).collect();
    profile.extend(arc(center, radius - thickness, 0.0, -FRAC_PI_2, CURVE_POINTS));
    lathe(&pinned_to_axis(profile), segments)
}

/// A drinking glass standing on y = 0: outer `radius`, `height` and `thickness` of wall and floor, metres.
pub fn cup(radius: f32, height: f32, thickness: f32, segments: u32) -> Mesh {
    let inner = radius - thickness;
    let profile = [
        (0.0, 0.0),
        (radius, 0.0),
        (radius, height),
        (inner, height),
        (inner, thickness),
        (0.0, thickness),
    ];
    lathe(&profile.map(Vec2::from), segments)
}

/// A pipe standing on y = 0, open at both ends; `radius` is outer, metres.
pub fn tube(radius: f32, height: f32, thickness: f32, segments: u32) -> Mesh {
    let inner = radius - thickness;
    let profile = [
        (inner, 0.0),
        (radius, 0.0),
        (radius, height),
        (inner, height),
        (inner, 0.0),
    ];
    lathe(&profile.map(Vec2::from), segments)
}

/// A tank with flat walls standing on y = 0 around the y axis, open at the top: `size` of its inside and `thickness` of walls and floor,
/// metres.
pub fn tank(size: Vec3, thickness: f32) -> Mesh {
    let (inner, outer) = (0.5 * size, 0.5 * size + thickness);
    let (floor, rim) = (thickness, thickness + size.y);
    let rings = [(outer, 0.0), (outer, rim), (inner, rim), (inner, floor)];
    let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)];
    let ring = |(half, height): (Vec3, f32)| corners.map(|(x, z)| Vec3::new(x * half.x, height, z * half.z));
    let mut triangles = vec![[0, 2, 1], [0, 3, 2]];
    for ring in [0, 4, 8] {
        for side in 0..4 {
            let [a, b] = [ring + side, ring + (side + 1) % 4];
            triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
        }
    }
    triangles.extend([[12, 13, 14], [12, 14, 15]]);
    Mesh::new(rings.into_iter().flat_map(ring).collect(), triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_vessels_are_watertight_and_face_out() {
        for mesh in [
            hourglass(2.0, 0.5, 0.05, 48),
            bowl(1.0, 0.1, 48),
            cup(0.5, 1.0, 0.05, 48),
            tube(0.5, 1.0, 0.05, 48),
            tank(Vec3::new(1.0, 0.5, 0.7), 0.05),
        ] {
            assert!(mesh.is_watertight());
            assert!(mesh.volume() > 0.0);
        }
    }

    #[test]
    fn shells_have_the_volume_of_the_outside_minus_the_inside() {
        let close = |found: f32, expected: f32| {
            assert!((found / expected - 1.0).abs() < 5e-3, "{found} {expected}");
        };
        close(bowl(1.0, 0.1, 192).volume(), 2.0 / 3.0 * PI * (1.0 - 0.9f32.powi(3)));
        close(cup(0.5, 1.0, 0.1, 192).volume(), PI * (0.25 - 0.16 * 0.9));
        close(tube(0.5, 1.0, 0.1, 192).volume(), PI * (0.25 - 0.16));
        let tank = tank(Vec3::new(2.0, 1.0, 1.0), 0.1).volume();
        close(tank, 2.2 * 1.1 * 1.2 - 2.0);
    }

    #[test]
    fn hourglass_is_narrowest_at_its_middle_and_symmetric() {
        let profile = hourglass_profile(2.0, 0.5, 0.05);
        let neck = profile[1..profile.len() - 1]
            .iter()
            .min_by(|a, b| a.x.total_cmp(&b.x))
            .unwrap();
        assert_eq!(*neck, Vec2::new(0.05, 0.0));
        for (low, high) in profile.iter().zip(profile.iter().rev()) {
            assert_eq!(*low, Vec2::new(high.x, -high.y));
        }
    }

    #[test]
    fn hourglass_profile_has_no_corner_between_its_caps() {
        let profile = hourglass_profile(2.0, 0.5, 0.05);
        let directions: Vec<Vec2> = profile.windows(2).map(|pair| (pair[1] - pair[0]).normalize()).collect();
        assert!(directions.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.98));
    }

    #[test]
    fn funnel_is_an_open_surface_from_neck_to_rim() {
        let funnel = funnel(1.0, 0.1, 1.5, 0.5, 32);
        assert!(!funnel.is_watertight());
        assert_eq!(funnel.bounds().size().y, 2.0);
        assert!((funnel.bounds().max.x - 1.0).abs() < 1e-6);
    }
}
