//! Marbles: grains that turn, on a slope and on a floor, at several steps.

use glam::{Quat, Vec3};
use motes_core::{Material, ParticleId};

use super::lab::{DT, Lab, RADIUS, furthest_from_one, step};
use super::{Case, EngineMaker};

const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];

/// Rolling resistance of the marble that comes to a stand.
const RESISTANCE: f32 = 0.1;

/// Friction with which one slips down a slope of 30 degrees.
const SLIPPERY: f32 = 0.1;

pub(super) fn cases() -> Vec<Case> {
    let case = |quick, name, source, measure, control_name, control| Case {
        name,
        source,
        reference: 1.0,
        band: [0.95, 1.05],
        unit: "",
        quick,
        measure,
        control_name,
        control,
    };
    vec![
        case(
            true,
            "marbles/rolling down a slope",
            "exact: acceleration over 5/7 g sin, the furthest off at 5 and 20 degrees, 2 x 4, 4 x 4 and 8 x 8",
            |engine| rolling(engine, marble(0.4)),
            "marbles that do not turn",
            |engine| rolling(engine, Material::GLASS.with_friction(0.02)),
        ),
        case(
            false,
            "marbles/slipping down a slope",
            "exact: acceleration over g (sin - mu cos) where the slope is steeper than 3.5 mu, the furthest off at three steps",
            |engine| slipping(engine, SLIPPERY),
            "friction 0.3, with which it rolls",
            |engine| slipping(engine, 0.3),
        ),
        case(
            false,
            "marbles/coming to a stand",
            "exact: way of a marble that rolls at 2 m/s over 7/10 v^2 / (mu_r g), the furthest off at three steps",
            |engine| stopping(engine, RESISTANCE),
            "half the rolling resistance",
            |engine| stopping(engine, 0.5 * RESISTANCE),
        ),
    ]
}

fn marble(friction: f32) -> Material {
    Material::GLASS
        .with_friction(friction)
        .with_restitution(0.0)
        .with_rolling_resistance(0.0)
}

/// A grain on a slope.
fn on_slope(engine: EngineMaker, steps: [u32; 2], material: Material, tilt: Quat) -> (Lab, ParticleId) {
    let mut lab = Lab::new(engine, step(steps, RADIUS), material);
    lab.floor(tilt * Vec3::Y);
    let ids = lab.add(&[RADIUS * (tilt * Vec3::Y)], Vec3::ZERO);
    (lab, ids[0])
}

/// Acceleration down a slope, in g, from half a second to two seconds after it was let go.
fn acceleration(engine: EngineMaker, steps: [u32; 2], material: Material, degrees: f32) -> f64 {
    let tilt = Quat::from_rotation_z(-degrees.to_radians());
    let (mut lab, id) = on_slope(engine, steps, material, tilt);
    let speeds = [30, 90].map(|frames| {
        (0..frames).for_each(|_| lab.world.step(DT));
        let velocity = lab.world.velocities(&[id])[0].expect("alive");
        velocity.dot(tilt * Vec3::X)
    });
    f64::from((speeds[1] - speeds[0]) / (90.0 * DT * 9.81))
}

fn rolling(engine: EngineMaker, material: Material) -> f64 {
    let trials = STEPS
        .into_iter()
        .flat_map(|steps| [5.0_f32, 20.0].map(|degrees| (steps, degrees)));
    furthest_from_one(trials.map(|(steps, degrees)| {
        let law = 5.0 / 7.0 * f64::from(degrees.to_radians().sin());
        acceleration(engine, steps, material, degrees) / law
    }))
}

fn slipping(engine: EngineMaker, friction: f32) -> f64 {
    let degrees = 30.0_f32;
    let (sin, cos) = degrees.to_radians().sin_cos();
    let law = f64::from(sin - SLIPPERY * cos);
    let material = marble(friction);
    furthest_from_one(STEPS.map(|steps| acceleration(engine, steps, material, degrees) / law))
}

fn stopping(engine: EngineMaker, resistance: f32) -> f64 {
    let speed = 2.0;
    furthest_from_one(STEPS.map(|steps| {
        let material = marble(0.5).with_rolling_resistance(resistance);
        let (mut lab, id) = on_slope(engine, steps, material, Quat::IDENTITY);
        lab.run(0.2);
        let place = |lab: &Lab| lab.world.positions(&[id])[0].expect("alive").x;
        let start = place(&lab);
        lab.world.set_velocities(&[(id, speed * Vec3::X)]).expect("alive");
        let spin = speed / RADIUS * Vec3::NEG_Z;
        lab.world.set_spins(&[(id, Some(spin))]).expect("alive");
        lab.run(8.0);
        f64::from((place(&lab) - start) / (0.7 * speed * speed / (RESISTANCE * 9.81)))
    }))
}
