//! Outflow through a round hole in the floor of a bin (Beverloo et al. 1961), at several steps.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};
use motes_core::{Collider, Material, Pose, Settings};
use motes_geometry::lathe::lathe;

use super::lab::{DT, Lab, RADIUS, at_any_step_and_size, mesh_shape, step};
use super::{Case, EngineMaker};

/// Radius of the bin and height of the filling, over the diameter of the hole.
const BIN: [f32; 2] = [1.25, 4.0];

/// How often a bin is filled.
const FILLINGS: u64 = 3;

/// Frames without a grain after which nothing flows, and after which the arch is broken.
const STILL: usize = 6;
const JAMMED: usize = 30;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "grains/outflow, 5 diameters",
            source: "Beverloo 1961: rate over 0.58 rho sqrt(g) (D - 1.4 d)^2.5, the furthest off at 2 x 4, 4 x 4, 8 x 8 and at half the size",
            reference: 1.0,
            band: [0.8, 1.2],
            unit: "",
            quick: false,
            measure: |engine| at_any_step_and_size(|settings| outflow(engine, settings, Material::SAND, 5.0)[0]),
            control_name: "no friction",
            control: |engine| outflow(engine, step([4, 4], RADIUS), Material::FRICTIONLESS, 5.0)[0],
        },
        Case {
            name: "grains/outflow, 8 diameters",
            source: "Beverloo 1961: rate over 0.58 rho sqrt(g) (D - 1.4 d)^2.5, the furthest off at 2 x 4, 4 x 4, 8 x 8 and at half the size",
            reference: 1.0,
            band: [0.8, 1.2],
            unit: "",
            quick: false,
            measure: |engine| at_any_step_and_size(|settings| outflow(engine, settings, Material::SAND, 8.0)[0]),
            control_name: "no friction",
            control: |engine| outflow(engine, step([4, 4], RADIUS), Material::FRICTIONLESS, 8.0)[0],
        },
        Case {
            name: "grains/outflow at half the filling",
            source: "Beverloo 1961: does not depend on the filling; rate at half of it over that at the whole, 8 diameters, the furthest off of the same",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| at_any_step_and_size(|settings| outflow(engine, settings, Material::SAND, 8.0)[1]),
            control_name: "no friction",
            control: |engine| outflow(engine, step([4, 4], RADIUS), Material::FRICTIONLESS, 8.0)[1],
        },
    ]
}

/// Rate of outflow through a hole of so many diameters over Beverloo's, and rate at half the filling over that rate: means of several
/// fillings, because one flows a few per cent faster than the next.
fn outflow(engine: EngineMaker, settings: Settings, material: Material, orifice: f32) -> [f64; 2] {
    let rates = (0..FILLINGS).map(|seed| rates(engine, settings.clone(), material, orifice, seed));
    let [whole, half] = rates.fold([0.0; 2], |sum, [whole, half]| [sum[0] + whole, sum[1] + half]);
    [f64::from(whole / FILLINGS as f32), f64::from(half / whole)]
}

/// Rates of outflow, of a whole filling and of half of it, over Beverloo's.
fn rates(engine: EngineMaker, settings: Settings, material: Material, orifice: f32, seed: u64) -> [f32; 2] {
    let radius = settings.particle_radius;
    let gravity = settings.gravity.length();
    let diameter = 2.0 * radius;
    let mut lab = Lab::new(engine, settings, material);
    let hole = 0.5 * orifice * diameter;
    let [bin_radius, filling] = BIN.map(|share| share * orifice * diameter);
    let profile = [
        Vec2::new(hole, 0.0),
        Vec2::new(bin_radius, 0.0),
        Vec2::new(bin_radius, 2.0 * filling),
    ];
    let bin = Collider::new("bin", mesh_shape(&lathe(&profile, 96)), lab.material, Pose::IDENTITY);
    lab.world.add_collider(bin).expect("bin");
    let plug = lab.floor(Vec3::Y);
    lab.rain([2.0 * bin_radius, filling], seed, |site| {
        site.x.hypot(site.z) < bin_radius - 1.3 * radius
    });
    let settled = lab.positions();
    let bulk_density = bulk_density(&settled, bin_radius, material.ball_mass(radius));
    lab.world.remove_collider(plug).expect("plug");
    let law = 0.58 * bulk_density * gravity.sqrt() * (orifice * diameter - 1.4 * diameter).powf(2.5);
    let left = leave(&mut lab, settled.len(), hole);
    let rate = |from: f32, to: f32| {
        let frame = |share: f32| {
            left.iter()
                .position(|&gone| gone as f32 >= share * settled.len() as f32)
        };
        let (Some(start), Some(end)) = (frame(from), frame(to)) else {
            return 0.0;
        };
        (left[end] - left[start]) as f32 * material.ball_mass(radius) / ((end - start) as f32 * DT)
    };
    [(0.08, 0.23), (0.43, 0.58)].map(|(from, to)| rate(from, to) / law)
}

/// How many of so many grains have left through the hole, frame by frame, until a third of them is still there. Arches over a narrow hole stop
/// the flow now and then; they are broken, and as in experiments (Zuriguel et al. 2005) only time in which it flows counts.
fn leave(lab: &mut Lab, all: usize, hole: f32) -> Vec<usize> {
    let diameter = 2.0 * lab.world.settings().particle_radius;
    let mut left = vec![0];
    let mut still = 0;
    for _ in 0..3600 {
        lab.world.step(DT);
        let gone = all - lab.count_above(-2.0 * diameter);
        lab.remove_below(-1.0);
        still = if left.last() == Some(&gone) { still + 1 } else { 0 };
        if still < STILL {
            left.push(gone);
        } else if still.is_multiple_of(JAMMED) {
            lab.lift_within(2.0 * hole, 1.0);
        }
        if gone >= 2 * all / 3 {
            break;
        }
    }
    left
}

/// Mass over volume between a fifth and four fifths of the filling's height, kg/m³.
fn bulk_density(positions: &[Vec3], bin_radius: f32, mass: f32) -> f32 {
    let mut heights: Vec<f32> = positions.iter().map(|place| place.y).collect();
    heights.sort_by(f32::total_cmp);
    let [low, high] = [heights.len() / 5, 4 * heights.len() / 5];
    (high - low) as f32 * mass / ((heights[high] - heights[low]) * PI * bin_radius * bin_radius)
}
