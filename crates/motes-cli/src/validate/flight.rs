//! Bodies in empty space: what rests there rests, and what turns there turns as Euler's equations say.

use glam::{Quat, Vec3};
use motes_core::{BodyId, BodyMotion, Material, NewBody, Pose, Settings};
use motes_geometry::{BodyOptions, Mesh, body};

use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "flight/rest in empty space",
            source: "exact: fastest of a sphere and a box after 2 s at 2, 8 and 32 sub-steps",
            reference: 0.0,
            band: [0.0, 1e-5],
            unit: "m/s",
            quick: false,
            measure: |engine| speed_at_rest(engine, Vec3::ZERO),
            control_name: "with a breath of wind",
            control: |engine| speed_at_rest(engine, Vec3::X * 1e-4),
        },
        Case {
            name: "flight/turning about the middle axis",
            source: "exact: Euler's equations; worst time between half turns at 2, 8 and 32 sub-steps over theirs, in 60 s",
            reference: 1.0,
            band: [0.98, 1.02],
            unit: "",
            quick: false,
            measure: |engine| interval(engine, [2, 8, 32], Vec3::new(0.2, 0.3, 0.5)),
            control_name: "a box 15 % thicker",
            control: |engine| interval(engine, [2, 8, 32], Vec3::new(0.23, 0.3, 0.5)),
        },
        Case {
            name: "flight/energy of a free body",
            source: "exact: largest change of energy or angular momentum in 60 s, 2, 8 and 32 sub-steps",
            reference: 0.0,
            band: [0.0, 1e-3],
            unit: "",
            quick: false,
            measure: |engine| change(engine, Material::WOOD),
            control_name: "damped by 1e-4 /s",
            control: |engine| {
                let damped = Material {
                    damping: 1e-4,
                    ..Material::WOOD
                };
                change(engine, damped)
            },
        },
    ]
}

/// Half sizes of the box that turns, metres.
const HALF: Vec3 = Vec3::new(0.2, 0.3, 0.5);
/// Its angular velocity at the start, rad/s.
const SPIN: Vec3 = Vec3::new(0.1, 5.0, 0.1);
const SECONDS: f32 = 60.0;

fn floating(engine: EngineMaker, substeps: u32, material: Material, mesh: &Mesh, pose: Pose) -> (Lab, BodyId) {
    let settings = Settings {
        gravity: Vec3::ZERO,
        substeps,
        ..Settings::default()
    };
    let mut lab = Lab::new(engine, settings, material);
    let solid = body(mesh, &BodyOptions::solid(0.05)).expect("a mesh that becomes a body");
    let new = NewBody {
        pose,
        ..solid.to_new("floating", lab.material)
    };
    let id = lab.world.add_body(new).expect("body");
    (lab, id)
}

fn motion(lab: &Lab, id: BodyId) -> BodyMotion {
    lab.world.body_motion(id).expect("alive")
}

fn speed_at_rest(engine: EngineMaker, wind: Vec3) -> f64 {
    let pose = Pose {
        position: Vec3::new(3.3, 2.1, -0.3),
        rotation: Quat::from_rotation_x(0.3),
    };
    let mut fastest: f32 = 0.0;
    for mesh in [Mesh::ball(0.5, 32), Mesh::cuboid(Vec3::new(0.3, 0.2, 0.5))] {
        for substeps in [2, 8, 32] {
            let (mut lab, id) = floating(engine, substeps, Material::WOOD, &mesh, pose);
            lab.world.set_body_velocity(id, wind, Vec3::ZERO).expect("alive");
            lab.run(2.0);
            let found = motion(&lab, id);
            fastest = fastest
                .max(found.velocity.length())
                .max(0.5 * found.angular_velocity.length());
        }
    }
    f64::from(fastest)
}

/// The same box turning, seen after each frame.
fn turning(engine: EngineMaker, substeps: u32, material: Material, half: Vec3, mut see: impl FnMut(BodyMotion)) {
    let (mut lab, id) = floating(engine, substeps, material, &Mesh::cuboid(half), Pose::IDENTITY);
    lab.world.set_body_velocity(id, Vec3::ZERO, SPIN).expect("alive");
    see(motion(&lab, id));
    for _ in 0..(SECONDS / DT) as usize {
        lab.world.step(DT);
        see(motion(&lab, id));
    }
}

/// Mean time between the moments when a number changes its sign, seconds, of a series with a time step.
fn between_flips(series: impl Iterator<Item = f64>, step: f64) -> f64 {
    let mut flips: Vec<f64> = Vec::new();
    let mut before = 1.0;
    for (k, value) in series.enumerate() {
        if value.signum() != before {
            before = value.signum();
            flips.push(k as f64 * step);
        }
    }
    match flips[..] {
        [first, .., last] => (last - first) / (flips.len() - 1) as f64,
        _ => f64::NAN,
    }
}

/// Of those step sizes the interval that is furthest from what Euler's equations say of the box that is meant.
fn interval(engine: EngineMaker, steps: [u32; 3], half: Vec3) -> f64 {
    let ratio = |substeps: u32| {
        let mut about = Vec::new();
        turning(engine, substeps, Material::WOOD, half, |motion| {
            let spin = motion.pose.rotation.conjugate() * motion.angular_velocity;
            about.push(f64::from(spin.y));
        });
        let (lab, id) = floating(engine, 2, Material::WOOD, &Mesh::cuboid(HALF), Pose::IDENTITY);
        let inertia = motion(&lab, id).inertia;
        let expected = between_flips(euler(inertia.to_cols_array_2d()), EULER_STEP);
        between_flips(about.into_iter(), f64::from(DT)) / expected
    };
    let ratios = steps.map(ratio);
    ratios.into_iter().fold(1.0, |worst: f64, ratio| {
        match (ratio - 1.0).abs() > (worst - 1.0).abs() {
            true => ratio,
            false => worst,
        }
    })
}

const EULER_STEP: f64 = 1e-4;

/// Angular velocity about the middle axis, by the midpoint rule.
fn euler(inertia: [[f32; 3]; 3]) -> impl Iterator<Item = f64> {
    let [a, b, c] = [0, 1, 2].map(|axis: usize| f64::from(inertia[axis][axis]));
    let change = move |[x, y, z]: [f64; 3]| [(b - c) / a * y * z, (c - a) / b * z * x, (a - b) / c * x * y];
    let mut spin = SPIN.to_array().map(f64::from);
    (0..(f64::from(SECONDS) / EULER_STEP) as usize).map(move |_| {
        let first = change(spin);
        let middle = [0, 1, 2].map(|k| spin[k] + 0.5 * EULER_STEP * first[k]);
        let second = change(middle);
        spin = [0, 1, 2].map(|k| spin[k] + EULER_STEP * second[k]);
        spin[1]
    })
}

fn change(engine: EngineMaker, material: Material) -> f64 {
    let mut worst: f32 = 0.0;
    for substeps in [2, 8, 32] {
        let mut start = None;
        turning(engine, substeps, material, HALF, |motion| {
            let angular_momentum = motion.inertia * motion.angular_velocity;
            let energy = 0.5 * motion.angular_velocity.dot(angular_momentum);
            let (first_energy, first) = *start.get_or_insert((energy, angular_momentum));
            worst = worst.max((energy / first_energy - 1.0).abs());
            worst = worst.max(angular_momentum.distance(first) / first.length());
        });
    }
    f64::from(worst)
}
