//! Round is round and flat is flat: bodies of few particles roll and tip as the shapes that they stand for.

use glam::{Quat, Vec3};
use motes_core::{Material, NewBody, Pose, Settings};
use motes_geometry::{BodyOptions, Mesh, body};

use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "round/sphere of 8 across rolls",
            source: "exact: 5/7 of g sin θ, what is furthest from it of 5° and 20°, 2 x 4, 4 x 4 and 8 x 8",
            reference: ROLLING,
            band: [0.95 * ROLLING, 1.05 * ROLLING],
            unit: "g sin θ",
            quick: true,
            measure: |engine| rolling(engine, 8.0, Touching::Shape),
            control_name: "contacts of the particles' balls",
            control: |engine| rolling(engine, 8.0, Touching::Particles),
        },
        Case {
            name: "round/sphere of 16 across rolls",
            source: "exact: the same of a sphere twice as large",
            reference: ROLLING,
            band: [0.95 * ROLLING, 1.05 * ROLLING],
            unit: "g sin θ",
            quick: false,
            measure: |engine| rolling(engine, 16.0, Touching::Shape),
            control_name: "contacts of the particles' balls",
            control: |engine| rolling(engine, 16.0, Touching::Particles),
        },
        Case {
            name: "round/sphere slips where it is too steep to roll",
            source: "exact: 1 - µ / tan θ of g sin θ where tan θ > 3.5 µ; µ = 0.1, 30°, at the steps above",
            reference: SLIPPING,
            band: [0.95 * SLIPPING, 1.05 * SLIPPING],
            unit: "g sin θ",
            quick: false,
            measure: |engine| slipping(engine, 0.1),
            control_name: "µ = 0.3, with which it rolls",
            control: |engine| slipping(engine, 0.3),
        },
        Case {
            name: "round/box tips, half as wide as high",
            source: "exact: tan θ = w / h, what is furthest from it of 2 x 4, 4 x 4 and 8 x 8",
            reference: 26.57,
            band: [25.07, 28.07],
            unit: "°",
            quick: false,
            measure: |engine| tipping(engine, 0.5, Touching::Shape),
            control_name: "contacts of the particles' balls",
            control: |engine| tipping(engine, 0.5, Touching::Particles),
        },
        Case {
            name: "round/box tips, a quarter as wide as high",
            source: "exact: the same",
            reference: 14.04,
            band: [12.54, 15.54],
            unit: "°",
            quick: false,
            measure: |engine| tipping(engine, 0.25, Touching::Shape),
            control_name: "contacts of the particles' balls",
            control: |engine| tipping(engine, 0.25, Touching::Particles),
        },
    ]
}

pub(super) const ROLLING: f64 = 5.0 / 7.0;
/// 1 - 0.1 / tan 30°.
const SLIPPING: f64 = 0.8268;

pub(super) const RADIUS: f32 = 0.05;
pub(super) const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];

/// With what bodies touch colliders.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Touching {
    Shape,
    Particles,
}

/// A slope in a world of one material.
pub(super) fn slope(engine: EngineMaker, [substeps, iterations]: [u32; 2], friction: f32, tilt: Quat) -> Lab {
    let settings = Settings {
        substeps,
        iterations,
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut lab = Lab::new(engine, settings, Material::WOOD.with_friction(friction));
    lab.floor(tilt * Vec3::Y);
    lab
}

pub(super) fn solid(lab: &Lab, mesh: &Mesh, touching: Touching) -> NewBody {
    let solid = body(mesh, &BodyOptions::solid(RADIUS)).expect("a mesh that becomes a body");
    let mut new = solid.to_new("body", lab.material);
    if touching == Touching::Particles {
        new.inscribed.clear();
    }
    new
}

/// Of some values the one furthest from a reference.
pub(super) fn furthest(values: impl Iterator<Item = f64>, reference: f64) -> f64 {
    values.fold(reference, |worst, value| {
        let is_further = (value - reference).abs() > (worst - reference).abs();
        if is_further || value.is_nan() { value } else { worst }
    })
}

/// Acceleration of a sphere down a slope, in g sin θ, from half a second to two seconds after it was let go.
fn acceleration(engine: EngineMaker, steps: [u32; 2], sphere: (f32, Touching), degrees: f32, friction: f32) -> f64 {
    let tilt = Quat::from_rotation_z(-degrees.to_radians());
    let mut lab = slope(engine, steps, friction, tilt);
    let (across, touching) = sphere;
    let radius = across * RADIUS;
    let new = NewBody {
        pose: Pose {
            position: tilt * Vec3::Y * radius,
            rotation: Quat::from_rotation_x(0.3),
        },
        ..solid(&lab, &Mesh::ball(radius, 32), touching)
    };
    let id = lab.world.add_body(new).expect("body");
    let speeds = [30, 90].map(|frames| {
        (0..frames).for_each(|_| lab.world.step(DT));
        let motion = lab.world.body_motion(id).expect("alive");
        motion.velocity.dot(tilt * Vec3::X)
    });
    f64::from((speeds[1] - speeds[0]) / (90.0 * DT * 9.81 * degrees.to_radians().sin()))
}

fn rolling(engine: EngineMaker, across: f32, touching: Touching) -> f64 {
    let trials = STEPS
        .into_iter()
        .flat_map(|steps| [5.0, 20.0].map(|degrees| (steps, degrees)));
    let found = trials.map(|(steps, degrees)| acceleration(engine, steps, (across, touching), degrees, 0.5));
    furthest(found, ROLLING)
}

fn slipping(engine: EngineMaker, friction: f32) -> f64 {
    let sphere = (8.0, Touching::Shape);
    let found = STEPS.map(|steps| acceleration(engine, steps, sphere, 30.0, friction));
    furthest(found.into_iter(), SLIPPING)
}

/// The steepest slope on which a box of that width stands, in degrees, by halving the range around what it should be.
fn tipping(engine: EngineMaker, width: f32, touching: Touching) -> f64 {
    let exact = width.atan().to_degrees();
    let found = STEPS.map(|steps| {
        let (mut stands, mut tips) = (exact - 8.0, exact + 8.0);
        for _ in 0..7 {
            let middle = 0.5 * (stands + tips);
            if falls(engine, steps, width, middle, touching) {
                tips = middle;
            } else {
                stands = middle;
            }
        }
        f64::from(0.5 * (stands + tips))
    });
    furthest(found.into_iter(), f64::from(exact))
}

/// Whether a box, 0.8 m high and so many times as wide, falls over within four seconds.
fn falls(engine: EngineMaker, steps: [u32; 2], width: f32, degrees: f32, touching: Touching) -> bool {
    let tilt = Quat::from_rotation_z(-degrees.to_radians());
    let mut lab = slope(engine, steps, 1.5, tilt);
    let half = Vec3::new(0.4 * width, 0.4, 0.4);
    let new = NewBody {
        pose: Pose {
            position: tilt * Vec3::Y * half.y,
            rotation: tilt,
        },
        ..solid(&lab, &Mesh::cuboid(half), touching)
    };
    let id = lab.world.add_body(new).expect("body");
    for _ in 0..240 {
        lab.world.step(DT);
        let pose = lab.world.body_motion(id).expect("alive").pose;
        if pose.rotation.angle_between(tilt) > 0.3 {
            return true;
        }
    }
    false
}
