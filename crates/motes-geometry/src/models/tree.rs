//! A young tree: a trunk, branches, and tufts of leaves at their ends.

use glam::Vec3;

use super::Sculpture;
use super::brush::{Curve, ellipsoid, join};

/// Where a branch leaves the trunk (a height, metres), its heading, its length, and by how much it rises.
const BRANCHES: [(f32, f32, f32, f32); 7] = [
    (0.40, 0.3, 0.34, 0.20),
    (0.46, 2.4, 0.36, 0.22),
    (0.53, 4.5, 0.33, 0.20),
    (0.60, 1.3, 0.29, 0.20),
    (0.66, 3.5, 0.28, 0.19),
    (0.72, 5.5, 0.24, 0.18),
    (0.80, 2.2, 0.16, 0.15),
];

/// Points along a branch and the trunk.
const POINTS: usize = 5;

struct Branch {
    curve: Curve,
    /// Middles and radii of its tufts.
    tufts: Vec<(Vec3, f32)>,
}

fn trunk_at(height: f32) -> Vec3 {
    Vec3::new(0.018 * (6.0 * height).sin(), height, 0.016 * (5.0 * height + 1.0).sin())
}

fn branch((height, heading, length, rise): (f32, f32, f32, f32)) -> Branch {
    let out = Vec3::new(heading.cos(), 0.0, heading.sin());
    let place = |t: f32| trunk_at(height) + out * (length * t) + Vec3::Y * (rise * t * (0.55 + 0.45 * t));
    let point = |index: usize| {
        let t = index as f32 / (POINTS - 1) as f32;
        (place(t), 0.032 - 0.010 * t)
    };
    let points: Vec<(Vec3, f32)> = (0..POINTS).map(point).collect();
    Branch {
        curve: Curve::through(&points, 3),
        tufts: vec![(place(1.0), 0.085), (place(0.62) + 0.02 * Vec3::Y, 0.06)],
    }
}

pub(super) fn sculpture() -> Sculpture {
    let points: Vec<(Vec3, f32)> = (0..=8)
        .map(|step| 0.105 * step as f32)
        .map(|height| (trunk_at(height), 0.052 - 0.026 * height))
        .collect();
    let trunk = Curve::through(&points, 3);
    let branches = BRANCHES.map(branch);
    Box::new(move |point| {
        let roots = ellipsoid(point, Vec3::Y * 0.005, Vec3::new(0.12, 0.07, 0.12));
        let mut solid = join(trunk.distance(point), roots, 0.06);
        let mut crown = tuft(point, Vec3::new(0.0, 0.90, 0.0), 0.10);
        for branch in &branches {
            solid = join(solid, branch.curve.distance(point), 0.025);
            for &(middle, radius) in &branch.tufts {
                crown = join(crown, tuft(point, middle, radius), 0.02);
            }
        }
        join(solid, crown, 0.015).max(-point.y)
    })
}

/// Leaves: a ball with bumps.
fn tuft(point: Vec3, middle: Vec3, radius: f32) -> f32 {
    let from = point - middle;
    let distance = from.length() - radius;
    if distance > 0.04 {
        return distance;
    }
    let waves = (38.0 * from.x).sin() * (36.0 * from.y + 1.0).sin() * (40.0 * from.z + 2.0).sin();
    distance + 0.009 * waves
}
