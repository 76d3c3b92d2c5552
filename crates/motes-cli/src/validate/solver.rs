//! The 2014 paper's figures about the solver itself: averaging (fig. 2) and pre-stabilisation (fig. 4).

use glam::Vec3;
use motes_core::{Averaging, Material, Settings};

use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "solver/two identical constraints",
            source: "Macklin et al. 2014, fig. 2: error left after 30 iterations over the error at the start",
            reference: 0.0,
            band: [0.0, 1e-3],
            unit: "",
            quick: true,
            measure: |engine| identical_constraints(engine, Averaging::Directional),
            control_name: "no averaging",
            control: |engine| identical_constraints(engine, Averaging::None),
        },
        Case {
            name: "solver/no pop from the ground",
            source: "Macklin et al. 2014, fig. 4: exit speed",
            reference: 0.0,
            band: [0.0, 0.05],
            unit: "m/s",
            quick: true,
            measure: |engine| exit_speed(engine, 2),
            control_name: "no stabilisation",
            control: |engine| exit_speed(engine, 0),
        },
    ]
}

/// A grain flies into two pinned grains in one and the same place: how much of the way in is left after the solve.
fn identical_constraints(engine: EngineMaker, averaging: Averaging) -> f64 {
    let settings = Settings {
        gravity: Vec3::ZERO,
        iterations: 30,
        substeps: 1,
        stabilization_iterations: 0,
        averaging,
        ..Settings::default()
    };
    let mut lab = Lab::new(engine, settings, Material::SAND);
    let mut ids = lab.add(&[Vec3::ZERO, Vec3::ZERO], Vec3::ZERO);
    ids.extend(lab.add(&[Vec3::new(0.1, 0.0, 0.0)], Vec3::new(-0.02 / DT, 0.0, 0.0)));
    lab.world
        .set_inverse_masses(&[(ids[0], 0.0), (ids[1], 0.0)])
        .expect("alive");
    lab.world.step(DT);
    f64::from((lab.position(ids[2]).x - 0.1).abs() / 0.02)
}

/// How fast a grain leaves the ground that it starts in, and what it lacks of the way out per second, m/s.
fn exit_speed(engine: EngineMaker, stabilization_iterations: u32) -> f64 {
    let settings = Settings {
        stabilization_iterations,
        ..Settings::default()
    };
    let mut lab = Lab::new(engine, settings, Material::SAND);
    lab.floor(Vec3::Y);
    let id = lab.add(&[Vec3::new(0.0, 0.01, 0.0)], Vec3::ZERO)[0];
    let mut fastest: f32 = 0.0;
    for _ in 0..30 {
        lab.world.step(DT);
        fastest = fastest.max(lab.velocity(id).y);
    }
    let left = lab.world.settings().particle_radius - lab.position(id).y;
    f64::from(fastest + left.max(0.0) / (30.0 * DT))
}
