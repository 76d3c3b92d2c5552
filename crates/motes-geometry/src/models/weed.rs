//! A water plant: waving strands with a few leaves, on one holdfast.

use glam::Vec3;

use super::Sculpture;
use super::brush::{Curve, ellipsoid, join, turned_ellipsoid};

/// Heading, how far out it leans, height, and by how much it waves, of each strand.
const STRANDS: [(f32, f32, f32, f32); 6] = [
    (0.2, 0.10, 0.98, 0.050),
    (1.3, 0.22, 0.80, -0.045),
    (2.2, 0.16, 0.62, 0.050),
    (3.3, 0.24, 0.86, -0.050),
    (4.3, 0.14, 0.70, 0.045),
    (5.3, 0.26, 0.56, -0.040),
];

/// Radius of a strand at its foot and at its tip, metres.
const THICKNESS: (f32, f32) = (0.034, 0.026);

/// Points of a strand.
const POINTS: usize = 9;

struct Strand {
    curve: Curve,
    /// Middle, direction and length of each leaf.
    leaves: Vec<(Vec3, Vec3)>,
}

fn strand((heading, lean, height, wave): (f32, f32, f32, f32)) -> Strand {
    let out = Vec3::new(heading.cos(), 0.0, heading.sin());
    let across = Vec3::new(-out.z, 0.0, out.x);
    let place = |t: f32| {
        let sway = wave * (7.5 * t).sin() * t.sqrt();
        out * (0.05 + lean * t * t) + across * sway + Vec3::Y * (0.02 + (height - 0.02) * t)
    };
    let radius = |t: f32| THICKNESS.0 + (THICKNESS.1 - THICKNESS.0) * t;
    let points: Vec<(Vec3, f32)> = (0..POINTS)
        .map(|index| index as f32 / (POINTS - 1) as f32)
        .map(|t| (place(t), radius(t)))
        .collect();
    let leaves = [0.42, 0.66, 0.88].into_iter().zip([1.0, -1.0, 1.0]).map(|(t, side)| {
        let direction = (0.75 * side * across + 0.25 * out + 0.6 * Vec3::Y).normalize();
        (place(t) + 0.062 * direction, direction)
    });
    Strand {
        curve: Curve::through(&points, 3),
        leaves: leaves.collect(),
    }
}

pub(super) fn sculpture() -> Sculpture {
    let strands = STRANDS.map(strand);
    Box::new(move |point| {
        let mut solid = ellipsoid(point, Vec3::Y * 0.01, Vec3::new(0.13, 0.06, 0.13));
        for strand in &strands {
            let mut plant = strand.curve.distance(point);
            for &(middle, direction) in &strand.leaves {
                // Far from a leaf, a ball around it is near enough.
                let around = point.distance(middle) - 0.09;
                let leaf = if around > 0.05 {
                    around
                } else {
                    leaf(point, middle, direction)
                };
                plant = join(plant, leaf, 0.02);
            }
            solid = join(solid, plant, 0.03);
        }
        solid.max(-point.y)
    })
}

fn leaf(point: Vec3, middle: Vec3, direction: Vec3) -> f32 {
    let turn = glam::Quat::from_rotation_arc(Vec3::Y, direction);
    turned_ellipsoid(point, middle, Vec3::new(0.030, 0.082, 0.026), turn)
}
