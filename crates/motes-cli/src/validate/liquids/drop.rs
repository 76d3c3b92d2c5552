//! A liquid rabbit drops into a pool (Macklin and Müller 2013, fig. 3 and 4): how much too dense the water gets.

use glam::{Affine3A, Vec3};
use motes_core::{Liquids, PositionBased, Settings};
use motes_geometry::{Filling, Solid, fill, models};

use super::super::lab::{DT, step};
use super::super::{Case, EngineMaker};
use super::tank::{IDEAL, Tank};

/// Sides of the tank and depth of the pool, in particles.
const SIDES: [usize; 2] = [24, 24];
const POOL: usize = 10;
/// Size of a particle and of the rabbit, metres, and how high it begins above the pool.
const RADIUS: f32 = 0.01;
const SIZE: f32 = 0.4;
const FALL: f32 = 0.2;
/// Sub-steps and iterations of the paper.
const STEPS: [u32; 2] = [4, 10];

/// The density constraint of the paper.
pub(super) fn paper() -> Liquids {
    Liquids::PositionBased(PositionBased::default())
}

pub(super) fn cases() -> Vec<Case> {
    let case = Case {
        name: "liquids/rabbit drop, mean density error",
        source: "Macklin and Mueller 2013, fig. 4: mean by which it is too dense over 2 s, 4 x 10",
        reference: 0.0,
        band: [0.0, 0.01],
        unit: "",
        quick: false,
        measure: |engine| errors(engine, Liquids::Chebyshev, STEPS)[0],
        control_name: "one sub-step and iteration",
        control: |engine| errors(engine, Liquids::Chebyshev, [1, 1])[0],
    };
    let source = "Macklin and Mueller 2013, fig. 4: the frame with the largest mean, 4 x 10";
    vec![
        Case {
            name: "liquids/rabbit drop, worst frame",
            source,
            band: [0.0, 0.05],
            measure: |engine| errors(engine, Liquids::Chebyshev, STEPS)[1],
            control: |engine| errors(engine, Liquids::Chebyshev, [1, 1])[1],
            ..case
        },
        Case {
            name: "liquids/rabbit drop, mean density error, position based",
            measure: |engine| errors(engine, paper(), STEPS)[0],
            control: |engine| errors(engine, paper(), [1, 1])[0],
            ..case
        },
        Case {
            name: "liquids/rabbit drop, worst frame, position based",
            source,
            band: [0.0, 0.05],
            measure: |engine| errors(engine, paper(), STEPS)[1],
            control: |engine| errors(engine, paper(), [1, 1])[1],
            ..case
        },
        case,
    ]
}

/// Mean part by which the water is too dense, over all frames and in the worst of them.
fn errors(engine: EngineMaker, liquids: Liquids, numbers: [u32; 2]) -> [f64; 2] {
    let settings = Settings {
        liquids,
        ..step(numbers, RADIUS)
    };
    let mut tank = Tank::new(engine, settings, SIDES);
    let water = tank.liquid(IDEAL);
    tank.fill(water, [SIDES[0], POOL], 0);
    let middle = 0.5 * tank.diameter * Vec3::new(SIDES[0] as f32, 0.0, SIDES[1] as f32);
    let surface = POOL as f32 * tank.diameter;
    tank.world
        .add_particles(water, &rabbit(middle + (surface + FALL) * Vec3::Y), Vec3::ZERO)
        .expect("rabbit");
    let frames = (2.0 / DT).round() as usize;
    let (mut sum, mut worst) = (0.0, 0.0_f64);
    for _ in 0..frames {
        tank.run(DT);
        let [mean, _] = tank.excess();
        sum += mean / frames as f64;
        worst = worst.max(mean);
    }
    [sum, worst]
}

/// Places of the particles of a rabbit whose feet stand in the middle of something.
fn rabbit(feet: Vec3) -> Vec<Vec3> {
    let mesh = models::by_name("rabbit").expect("a model").mesh(48).expect("mesh");
    let bounds = mesh.bounds();
    let scale = SIZE / bounds.size().max_element();
    let foot = Vec3::new(bounds.center().x, bounds.min.y, bounds.center().z);
    let placed =
        Affine3A::from_translation(feet) * Affine3A::from_scale(Vec3::splat(scale)) * Affine3A::from_translation(-foot);
    let mesh = mesh.transformed(&placed);
    fill(&Solid::of_mesh(&mesh), &Filling::cubic(RADIUS)).expect("a filling")
}
