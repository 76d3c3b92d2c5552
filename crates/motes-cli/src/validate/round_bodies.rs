//! Round is round and flat is flat where bodies touch each other.

use glam::{Quat, Vec3};
use motes_core::{BodyId, Material, NewBody, Pose};
use motes_geometry::Mesh;

use super::lab::{DT, Lab, step};
use super::round::{RADIUS, ROLLING, STEPS, Touching, furthest, solid};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "round/sphere of 8 across rolls on a body",
            source: "exact: 5/7 of g sin θ on a slab of particles, what is furthest from it of 5° and 20°, 2 x 4, 4 x 4 and 8 x 8",
            reference: ROLLING,
            band: [0.95 * ROLLING, 1.05 * ROLLING],
            unit: "g sin θ",
            quick: false,
            measure: |engine| rolling(engine, Touching::Shape),
            control_name: "contacts of the particles' balls",
            control: |engine| rolling(engine, Touching::Particles),
        },
        Case {
            name: "round/box slides on a body",
            source: "exact: friction of the material, of a box that slides down 25° on a slab of particles, what is furthest from it of the same steps",
            reference: FRICTION,
            band: [0.95 * FRICTION, 1.05 * FRICTION],
            unit: "",
            quick: false,
            measure: |engine| sliding(engine, Touching::Shape),
            control_name: "contacts of the particles' balls",
            control: |engine| sliding(engine, Touching::Particles),
        },
    ]
}

const FRICTION: f64 = 0.3;

/// A slope that is a body.
fn slab(engine: EngineMaker, steps: [u32; 2], friction: f32, tilt: Quat, touching: Touching) -> Lab {
    let mut lab = Lab::new(engine, step(steps, RADIUS), Material::WOOD.with_friction(friction));
    let half = Vec3::new(1.5, 0.1, 0.45);
    let new = NewBody {
        kinematic: true,
        pose: Pose {
            position: tilt * Vec3::new(1.0, -half.y, 0.0),
            rotation: tilt,
        },
        ..solid(&lab, &Mesh::cuboid(half), touching)
    };
    lab.world.add_body(new).expect("slab");
    lab
}

/// Acceleration down a slope between two frames, m/s².
fn acceleration(lab: &mut Lab, body: BodyId, tilt: Quat, frames: [u32; 2]) -> f32 {
    let speeds = frames.map(|frames| {
        (0..frames).for_each(|_| lab.world.step(DT));
        lab.world.body_motion(body).expect("alive").velocity.dot(tilt * Vec3::X)
    });
    (speeds[1] - speeds[0]) / (frames[1] as f32 * DT)
}

fn rolling(engine: EngineMaker, touching: Touching) -> f64 {
    let roll = |steps: [u32; 2], degrees: f32| {
        let tilt = Quat::from_rotation_z(-degrees.to_radians());
        let mut lab = slab(engine, steps, 0.5, tilt, touching);
        let radius = 8.0 * RADIUS;
        let new = NewBody {
            pose: Pose {
                position: tilt * Vec3::Y * radius,
                rotation: Quat::from_rotation_x(0.3),
            },
            ..solid(&lab, &Mesh::ball(radius, 32), touching)
        };
        let id = lab.world.add_body(new).expect("sphere");
        let found = acceleration(&mut lab, id, tilt, [20, 40]) / (9.81 * degrees.to_radians().sin());
        f64::from(found)
    };
    let trials = STEPS
        .into_iter()
        .flat_map(|steps| [5.0, 20.0].map(|degrees| (steps, degrees)));
    furthest(trials.map(|(steps, degrees)| roll(steps, degrees)), ROLLING)
}

fn sliding(engine: EngineMaker, touching: Touching) -> f64 {
    let friction = |steps: [u32; 2]| {
        let tilt = Quat::from_rotation_z(-25f32.to_radians());
        let mut lab = slab(engine, steps, FRICTION as f32, tilt, touching);
        let half = Vec3::new(0.3, 0.15, 0.25);
        let new = NewBody {
            pose: Pose {
                position: tilt * Vec3::Y * half.y,
                rotation: tilt,
            },
            ..solid(&lab, &Mesh::cuboid(half), touching)
        };
        let id = lab.world.add_body(new).expect("box");
        let found = acceleration(&mut lab, id, tilt, [15, 45]);
        let (sine, cosine) = 25f32.to_radians().sin_cos();
        f64::from((9.81 * sine - found) / (9.81 * cosine))
    };
    furthest(STEPS.into_iter().map(friction), FRICTION)
}
