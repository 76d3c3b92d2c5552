//! Exact results: momentum, energy, the parabola of a projectile.

use glam::Vec3;
use motes_core::random::Random;
use motes_core::{Averaging, Material, Particles, Settings};

use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "conservation/momentum",
            source: "exact: momentum drift over impulse exchanged",
            reference: 0.0,
            band: [0.0, 1e-4],
            unit: "",
            quick: true,
            measure: |engine| momentum(engine, false),
            control_name: "one grain pinned",
            control: |engine| momentum(engine, true),
        },
        Case {
            name: "conservation/energy",
            source: "exact: largest energy over the energy at the start, no forcing",
            reference: 1.0,
            band: [0.0, 1.0],
            unit: "",
            quick: true,
            measure: |engine| energy(engine, Settings::default()),
            control_name: "plain Jacobi, doubled",
            control: |engine| {
                let wrong = Settings {
                    averaging: Averaging::None,
                    relaxation: 2.0,
                    iterations: 16,
                    ..Settings::default()
                };
                energy(engine, wrong)
            },
        },
        Case {
            name: "conservation/projectile",
            source: "exact: y = y0 + v t - g t^2/2 at 1 s, relative error",
            reference: 0.0,
            band: [0.0, 0.005],
            unit: "",
            quick: true,
            measure: |engine| projectile(engine, Particles::HALF_KICK),
            control_name: "whole first kick",
            control: |engine| projectile(engine, Particles::FULL_KICK),
        },
    ]
}

/// Two grains meet off-centre in space.
fn momentum(engine: EngineMaker, pinned: bool) -> f64 {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    let mut lab = Lab::new(engine, settings, Material::SAND.with_restitution(0.5));
    let first = lab.add(&[Vec3::new(-0.3, 0.0, 0.0)], Vec3::new(2.0, 0.0, 0.0))[0];
    let second = lab.add(&[Vec3::new(0.3, 0.03, 0.0)], Vec3::new(-1.0, 0.0, 0.0))[0];
    if pinned {
        lab.world.set_inverse_masses(&[(second, 0.0)]).expect("alive");
    }
    lab.run(1.0);
    let (first, second) = (lab.velocity(first), lab.velocity(second));
    let exchanged = (first - Vec3::new(2.0, 0.0, 0.0)).length();
    f64::from((first + second - Vec3::X).length() / exchanged)
}

/// A swarm of lively grains in a closed box without gravity.
fn energy(engine: EngineMaker, settings: Settings) -> f64 {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..settings
    };
    let mut lab = Lab::new(engine, settings, Material::GLASS);
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        lab.wall(-axis, axis);
        lab.wall(axis, -axis);
    }
    let mut random = Random::new(3, 0);
    for i in 0..1000 {
        let site = Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32);
        let velocity = 3.0 * Vec3::new(random.signed(), random.signed(), random.signed());
        lab.add(&[0.102 * (site - 4.5)], velocity);
    }
    let start = lab.kinetic_energy();
    let mut largest: f64 = 0.0;
    for _ in 0..180 {
        lab.world.step(DT);
        largest = largest.max(lab.kinetic_energy() / start);
    }
    largest
}

fn projectile(engine: EngineMaker, first_kick: f32) -> f64 {
    let mut lab = Lab::new(engine, Settings::default(), Material::SAND);
    let id = lab.add(&[Vec3::new(0.0, 10.0, 0.0)], Vec3::new(3.0, 2.0, 0.0))[0];
    let kicked = lab
        .world
        .rewrite_particles(|particles| particles.velocities[0].w = first_kick);
    debug_assert!(kicked.is_ok(), "no array changes its length");
    lab.run(1.0);
    let expected = Vec3::new(3.0, 10.0 + 2.0 - 0.5 * 9.81, 0.0);
    f64::from(lab.position(id).distance(expected) / (0.5 * 9.81))
}
