//! Surface tension: drops of water some millimetres large become round, swing, and lie on a plane at their angle.

use std::f64::consts::PI;

use glam::{DVec3, Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::random::Random;
use motes_core::{Collider, Group, Material, ParticleId, Pose, Settings, World};

use super::super::lab::{furthest_from_one, step};
use super::super::{Case, EngineMaker};
use super::tank::{IDEAL, block};

const RADIUS: f32 = 2e-4;
const DIAMETER: f32 = 2.0 * RADIUS;
const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];

/// Seconds of a frame: with two sub-steps of a tenth of √(ρ d³/γ) each.
const FRAME: f32 = 1.8e-4;

const WATER: Material = Material {
    surface_tension: 0.072,
    ..IDEAL
};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "liquids/a cube becomes a drop",
            source: "exact: sum of fourth moments over the square of the second of a ball, 5/7, after 60 ms; three steps",
            reference: 1.0,
            band: [0.96, 1.04],
            unit: "",
            quick: false,
            measure: |engine| furthest_from_one(STEPS.into_iter().map(|numbers| roundness(engine, numbers, 0.072))),
            control_name: "without tension",
            control: |engine| roundness(engine, [2, 4], 0.0),
        },
        Case {
            name: "liquids/period of a drop",
            source: "Rayleigh 1879: first half period over pi / sqrt(8 gamma / (rho R^3)), 12 particles across, three steps",
            reference: 1.0,
            band: [0.8, 1.2],
            unit: "",
            quick: false,
            measure: |engine| furthest_from_one(STEPS.into_iter().map(|numbers| half_period(engine, numbers, 1.0))),
            control_name: "a quarter of the tension",
            control: |engine| half_period(engine, [2, 4], 0.25),
        },
        Case {
            name: "liquids/angle of drops on a plane",
            source: "Young 1805: most degrees off of 60, 90 and 120 by the height of the middle, of a puddle that draws itself together; three steps",
            reference: 0.0,
            band: [0.0, 15.0],
            unit: "°",
            quick: false,
            measure: |engine| {
                let all = STEPS
                    .into_iter()
                    .flat_map(|numbers| ANGLES.map(|angle| (numbers, angle)));
                all.map(|(numbers, angle)| (plane_angle(engine, numbers, angle) - f64::from(angle)).abs())
                    .fold(0.0, f64::max)
            },
            control_name: "90° for all",
            control: |engine| {
                let off = ANGLES.map(|angle| (plane_angle(engine, [2, 4], 90.0) - f64::from(angle)).abs());
                off.into_iter().fold(0.0, f64::max)
            },
        },
    ]
}

const ANGLES: [f32; 3] = [60.0, 90.0, 120.0];

fn weightless(engine: EngineMaker, numbers: [u32; 2]) -> World {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..step(numbers, RADIUS)
    };
    World::with_engine(settings, engine()).expect("settings of an experiment")
}

/// Adds a liquid at places that are a little out of order.
fn pour(world: &mut World, material: Material, mut places: Vec<Vec3>, part: f32) -> Vec<ParticleId> {
    let mut random = Random::new(7, 0);
    for place in &mut places {
        *place += part * DIAMETER * Vec3::new(random.signed(), random.signed(), random.signed());
    }
    let material = world.add_material(material).expect("material");
    let water = world.add_group(Group::fluid("water", material)).expect("group");
    world.add_particles(water, &places, Vec3::ZERO).expect("liquid")
}

fn run(world: &mut World, seconds: f32) {
    (0..(seconds / FRAME).round() as usize).for_each(|_| world.step(FRAME));
}

fn mean(world: &World, of: impl Fn(DVec3) -> DVec3) -> DVec3 {
    let positions = &world.particles().positions;
    let sum: DVec3 = positions.iter().map(|place| of(place.xyz().as_dvec3())).sum();
    sum / positions.len() as f64
}

fn roundness(engine: EngineMaker, numbers: [u32; 2], surface_tension: f32) -> f64 {
    let mut world = weightless(engine, numbers);
    let material = Material {
        surface_tension,
        ..WATER
    };
    let cube = block([9; 3], DIAMETER, Vec3::splat(-4.5 * DIAMETER));
    pour(&mut world, material, cube, 0.02);
    run(&mut world, 0.06);
    let middle = mean(&world, |place| place);
    let squares = mean(&world, |place| (place - middle).powf(2.0)).element_sum();
    let fourth = mean(&world, |place| (place - middle).powf(4.0)).element_sum();
    fourth / (squares * squares) / (5.0 / 7.0)
}

fn half_period(engine: EngineMaker, numbers: [u32; 2], part: f32) -> f64 {
    let mut world = weightless(engine, numbers);
    let half = 6.0 * DIAMETER;
    let ball = { block([12; 3], DIAMETER, Vec3::splat(-half)).into_iter() }.filter(|place| place.length() < half);
    let material = Material {
        surface_tension: part * WATER.surface_tension,
        viscosity: 0.01,
        ..WATER
    };
    let ids = pour(&mut world, material, ball.collect(), 0.1);
    run(&mut world, 0.03);
    let volume = ids.len() as f32 * DIAMETER.powi(3);
    let cube = 0.75 * volume / std::f32::consts::PI;
    let pulse = (8.0 * WATER.surface_tension / (WATER.density * cube)).sqrt();
    let particles = world.particles();
    let velocities: Vec<_> = { ids.iter() }
        .map(|&id| {
            let place = particles.positions[particles.slot(id).expect("alive")].xyz();
            (id, 0.3 * pulse * place * Vec3::new(-0.5, 1.0, -0.5))
        })
        .collect();
    world.set_velocities(&velocities).expect("alive");
    let frame = f64::from(FRAME * pulse) / PI;
    for number in 1..(3.0 / frame) as usize {
        world.step(FRAME);
        let middle = mean(&world, |place| place);
        let squares = mean(&world, |place| (place - middle).powf(2.0));
        if number > 20 && squares.y * squares.y < squares.x * squares.z {
            return number as f64 * frame;
        }
    }
    f64::INFINITY
}

/// Angle at which a puddle lies once it has drawn itself together, degrees: the middle of a cap of a ball is at a height that its angle and volume decide.
fn plane_angle(engine: EngineMaker, numbers: [u32; 2], contact_angle: f32) -> f64 {
    let mut world = weightless(engine, numbers);
    let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
    let plane = Plane::new(Vec3::Y, 0.0).expect("normal");
    let floor = Collider::new("floor", plane.into(), smooth, Pose::IDENTITY);
    world.add_collider(floor).expect("collider");
    let material = Material {
        contact_angle,
        viscosity: 0.001,
        ..WATER
    };
    let puddle = block([18, 4, 18], DIAMETER, Vec3::new(-9.0, 0.0, -9.0) * DIAMETER);
    let count = pour(&mut world, material, puddle, 0.05).len() as f64;
    run(&mut world, 0.15);
    let height = mean(&world, |place| place).y / (count.cbrt() * f64::from(DIAMETER));
    let middle = |degrees: f64| {
        let cosine = degrees.to_radians().cos();
        let tall = 1.0 - cosine;
        let volume = PI * tall * tall * (3.0 - tall) / 3.0;
        let moment = PI * tall * tall * (2.0 - tall).powi(2) / 4.0;
        (moment / volume - cosine) / volume.cbrt()
    };
    let (mut low, mut high) = (5.0, 179.0);
    for _ in 0..40 {
        let degrees = 0.5 * (low + high);
        match middle(degrees) < height {
            true => low = degrees,
            false => high = degrees,
        }
    }
    low
}
