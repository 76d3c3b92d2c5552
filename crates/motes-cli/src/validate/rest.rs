//! What rests goes on resting, and what nothing drives gains nothing, without anything being put to sleep.

use glam::{Quat, Vec3, Vec4Swizzles};
use motes_core::{Averaging, BodyId, Material, NewBody, Pose, Settings};
use motes_geometry::{BodyOptions, Mesh, body, models};

use super::heap::{flank_angle, poured};
use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "rest/box below its friction angle",
            source: "exact: a box at 75 % of its friction angle rests; fastest creep for mu = 0.2, 0.5, 0.8",
            reference: 0.0,
            band: [0.0, 1e-4],
            unit: "m/s",
            quick: true,
            measure: |engine| box_creep(engine, 1.0),
            control_name: "half of each impulse forgotten",
            control: |engine| box_creep(engine, 0.5),
        },
        Case {
            name: "rest/frictionless grains gain nothing",
            source: "exact: largest energy over the energy at the start, 1, 4, 16 and 32 iterations",
            reference: 1.0,
            band: [0.0, 1.0],
            unit: "",
            quick: false,
            measure: |engine| largest_energy(engine, &Settings::default()),
            control_name: "plain Jacobi, doubled",
            control: |engine| {
                let wrong = Settings {
                    averaging: Averaging::None,
                    relaxation: 2.0,
                    ..Settings::default()
                };
                largest_energy(engine, &wrong)
            },
        },
        Case {
            name: "rest/a heap keeps its slope",
            source: "exact: change of the flank of 3000 grains, mu = 0.5, from 12 s to 60 s",
            reference: 0.0,
            band: [0.0, 2.0],
            unit: "degrees",
            quick: false,
            measure: |engine| slope_lost(engine, 1.0),
            control_name: "a tenth of each impulse forgotten",
            control: |engine| slope_lost(engine, 0.9),
        },
        Case {
            name: "rest/a pile of bodies stays",
            source: "exact: mean drift of 36 rabbits from 10 s to 40 s",
            reference: 0.0,
            band: [0.0, 2e-3],
            unit: "m",
            quick: false,
            measure: |engine| pile_drift(engine, 1.0),
            control_name: "half of each impulse forgotten",
            control: |engine| pile_drift(engine, 0.5),
        },
    ]
}

fn remembering(contact_memory: f32) -> Settings {
    Settings {
        contact_memory,
        ..Settings::default()
    }
}

fn box_creep(engine: EngineMaker, memory: f32) -> f64 {
    let creep = |friction: f32| {
        let mut lab = Lab::new(engine, remembering(memory), Material::SAND.with_friction(friction));
        let tilt = Quat::from_rotation_z(-0.75 * friction.atan());
        lab.floor(tilt * Vec3::Y);
        let pose = Pose {
            position: tilt * Vec3::new(0.0, 0.2, 0.0),
            rotation: tilt,
        };
        let id = add_body(&mut lab, &Mesh::cuboid(Vec3::splat(0.2)), pose);
        lab.run(2.0);
        let before = place(&mut lab, id).position;
        lab.run(8.0);
        f64::from(place(&mut lab, id).position.distance(before) / 8.0)
    };
    [0.2, 0.5, 0.8].into_iter().map(creep).fold(0.0, f64::max)
}

/// Energy of grains let go in a box without friction, over what they had at the start.
fn largest_energy(engine: EngineMaker, settings: &Settings) -> f64 {
    let largest = |iterations: u32| {
        let settings = Settings {
            iterations,
            ..settings.clone()
        };
        let mut lab = Lab::new(engine, settings, Material::FRICTIONLESS);
        lab.floor(Vec3::Y);
        for axis in [Vec3::X, Vec3::Z] {
            lab.wall(-0.6 * axis, axis);
            lab.wall(0.6 * axis, -axis);
        }
        let grains: Vec<Vec3> = (0..9 * 9 * 12)
            .map(|i| {
                let (x, y, z) = (i % 9, i / 81, i / 9 % 9);
                let site = Vec3::new(x as f32 - 4.0, y as f32 + 2.5, z as f32 - 4.0);
                0.12 * site + Vec3::new(0.003 * (y % 3) as f32, 0.0, 0.004 * (y % 2) as f32)
            })
            .collect();
        lab.add(&grains, Vec3::ZERO);
        let start = energy(&mut lab);
        let mut largest: f64 = 0.0;
        for _ in 0..300 {
            lab.world.step(DT);
            largest = largest.max(energy(&mut lab) / start);
        }
        largest
    };
    [1, 4, 16, 32].into_iter().map(largest).fold(0.0, f64::max)
}

/// Kinetic and potential energy of all particles, joules.
fn energy(lab: &mut Lab) -> f64 {
    let gravity = lab.world.settings().gravity;
    let particles = lab.world.particles();
    let weights = particles.positions.iter();
    let potential: f64 = weights
        .map(|position| f64::from(-gravity.dot(position.xyz()) / position.w))
        .sum();
    lab.kinetic_energy() + potential
}

/// By how many degrees the flank of a heap changes.
fn slope_lost(engine: EngineMaker, memory: f32) -> f64 {
    let mut lab = poured(engine, remembering(memory), Material::SAND.with_friction(0.5), 1);
    let before = flank_angle(&lab.positions());
    lab.run(48.0);
    (flank_angle(&lab.positions()) - before).abs()
}

/// How far bodies in a pile move, on average, metres.
fn pile_drift(engine: EngineMaker, memory: f32) -> f64 {
    let mut lab = Lab::new(engine, remembering(memory), Material::WOOD);
    lab.floor(Vec3::Y);
    let rabbit = models::by_name("rabbit").expect("a model").mesh(48).expect("a mesh");
    let size = rabbit.bounds().max - rabbit.bounds().min;
    let rabbit = rabbit.transformed(&glam::Affine3A::from_scale(Vec3::splat(0.6 / size.max_element())));
    let ids: Vec<BodyId> = (0..36)
        .map(|k| {
            let site = Vec3::new((k % 3) as f32 - 1.0, (k / 6) as f32, (k / 3 % 2) as f32 - 0.5);
            let turn = Vec3::new((k * 37 % 11) as f32, (k * 53 % 7) as f32, (k * 29 % 13) as f32);
            let pose = Pose {
                position: Vec3::new(0.0, 0.5, 0.0) + Vec3::new(0.55, 0.6, 0.55) * site,
                rotation: Quat::from_scaled_axis(0.3 * turn),
            };
            add_body(&mut lab, &rabbit, pose)
        })
        .collect();
    lab.run(10.0);
    let before: Vec<Pose> = ids.iter().map(|&id| place(&mut lab, id)).collect();
    lab.run(30.0);
    let drift = ids.iter().zip(&before);
    let drift: f32 = drift
        .map(|(&id, before)| place(&mut lab, id).position.distance(before.position))
        .sum();
    f64::from(drift / ids.len() as f32)
}

fn add_body(lab: &mut Lab, mesh: &Mesh, pose: Pose) -> BodyId {
    let options = BodyOptions::solid(lab.world.settings().particle_radius);
    let new = body(mesh, &options).expect("a body").to_new("body", lab.material);
    lab.world.add_body(NewBody { pose, ..new }).expect("a body")
}

fn place(lab: &mut Lab, id: BodyId) -> Pose {
    lab.world.body_motion(id).expect("alive").pose
}
