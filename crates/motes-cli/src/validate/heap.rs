//! The angle of repose of a heap poured from a spout.

use glam::{Quat, Vec3};
use motes_core::emitter::EmitterShape;
use motes_core::{Emitter, Material, Pose, Settings};

use super::lab::{Lab, fine};
use super::{Case, EngineMaker};

const RADIUS: f32 = 0.05;
const GRAINS: u64 = 3000;
/// Heaps whose mean is taken where angles are compared: one alone differs by a degree or two from the next.
const HEAPS: u64 = 3;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "grains/angle of repose, dry sand",
            source: "dry sand: 25 to 35 degrees",
            reference: 30.0,
            band: [25.0, 35.0],
            unit: "degrees",
            quick: false,
            measure: |engine| angle(engine, Material::SAND, 1),
            control_name: "no friction",
            control: |engine| angle(engine, Material::FRICTIONLESS, 1),
        },
        Case {
            name: "grains/repose without friction",
            source: "a heap without friction runs flat: below 10 degrees",
            reference: 0.0,
            band: [0.0, 10.0],
            unit: "degrees",
            quick: false,
            measure: |engine| angle(engine, Material::FRICTIONLESS, 1),
            control_name: "dry sand",
            control: |engine| angle(engine, Material::SAND, 1),
        },
        Case {
            name: "grains/repose rises with friction",
            source: "least rise of the angle over mu = 0, 0.2, 0.4, 0.8, mean of three heaps",
            reference: 5.0,
            band: [1.0, 90.0],
            unit: "degrees",
            quick: false,
            measure: |engine| least_rise(engine, |sand| sand),
            control_name: "friction with the floor alone",
            control: |engine| least_rise(engine, |_| Material::FRICTIONLESS),
        },
    ]
}

/// Least rise of the angle when the friction of the floor rises, and with it that of `grains`, degrees.
fn least_rise(engine: EngineMaker, grains: fn(Material) -> Material) -> f64 {
    let angles: Vec<f64> = [0.0, 0.2, 0.4, 0.8]
        .into_iter()
        .map(|friction| {
            let sand = Material::SAND.with_friction(friction);
            let heaps = (1..=HEAPS).map(|seed| angle_on(engine, grains(sand), sand, seed));
            heaps.sum::<f64>() / HEAPS as f64
        })
        .collect();
    angles
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .fold(f64::INFINITY, f64::min)
}

/// Slope of the heap's flank, degrees.
fn angle(engine: EngineMaker, material: Material, seed: u64) -> f64 {
    angle_on(engine, material, material, seed)
}

fn angle_on(engine: EngineMaker, grains: Material, floor: Material, seed: u64) -> f64 {
    flank_angle(&pour(engine, fine(), [grains, floor], seed).positions())
}

/// A heap of grains on a floor of the same material, 12 s after the first fell.
pub(super) fn poured(engine: EngineMaker, settings: Settings, material: Material, seed: u64) -> Lab {
    pour(engine, settings, [material; 2], seed)
}

fn pour(engine: EngineMaker, settings: Settings, [grains, floor]: [Material; 2], seed: u64) -> Lab {
    let mut lab = Lab::new(engine, settings, grains);
    lab.floor_of(floor, Vec3::Y);
    let spout = Emitter {
        pose: Pose {
            position: Vec3::new(0.0, 1.1, 0.0),
            rotation: Quat::from_rotation_x(std::f32::consts::PI),
        },
        rate: 600.0,
        spread: 0.1,
        limit: GRAINS,
        seed,
        ..Emitter::new("spout", lab.group, EmitterShape::Disc { radius: 0.4 })
    };
    lab.world.add_emitter(spout).expect("spout");
    lab.run(12.0);
    lab
}

/// Angle of the line through the heap's surface between a fifth and four fifths of its height.
pub(super) fn flank_angle(positions: &[Vec3]) -> f64 {
    let ring = 2.0 * RADIUS;
    let mut tops: Vec<(f64, f64)> = Vec::new();
    for k in 0..200 {
        let (inner, outer) = (k as f32 * ring, (k + 1) as f32 * ring);
        // The surface of a ring: the mean of its highest tenth, not its single highest grain.
        let mut heights: Vec<f32> = positions
            .iter()
            .filter(|p| (inner..outer).contains(&p.x.hypot(p.z)))
            .map(|p| p.y)
            .collect();
        heights.sort_by(f32::total_cmp);
        let top = &heights[heights.len() - heights.len().div_ceil(10)..];
        if !top.is_empty() {
            let mean = top.iter().sum::<f32>() / top.len() as f32;
            tops.push((f64::from(0.5 * (inner + outer)), f64::from(mean - RADIUS)));
        }
    }
    let summit = tops.iter().map(|(_, height)| *height).fold(0.0, f64::max);
    if summit < 2.0 * f64::from(RADIUS) {
        return 0.0;
    }
    let flank: Vec<_> = tops
        .into_iter()
        .filter(|(_, h)| *h > 0.2 * summit && *h < 0.8 * summit)
        .collect();
    slope(&flank).map_or(90.0, |slope| (-slope).atan().to_degrees().max(0.0))
}

/// Slope of the least-squares line through points.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x, sy + y));
    let (mx, my) = (sx / n, sy / n);
    let sxx: f64 = points.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    let sxy: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    (sxx > 0.0).then(|| sxy / sxx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flank_of_an_ideal_cone_is_found() {
        let mut positions = Vec::new();
        for ring in 0..40 {
            let distance = ring as f32 * RADIUS;
            let surface = RADIUS + 0.577 * (2.0 - distance).max(0.0);
            for k in 0..120 {
                let turn = k as f32 * 0.05236;
                let mut y = RADIUS;
                while y <= surface {
                    positions.push(Vec3::new(distance * turn.cos(), y, distance * turn.sin()));
                    y += RADIUS;
                }
            }
        }
        let angle = flank_angle(&positions);
        assert!((angle - 30.0).abs() < 2.0, "{angle}");
    }
}
