//! Conveyor belts and turntables: friction draws along what lies on a surface that runs.

use glam::Vec3;
use motes_core::{Material, NewBody, Pose, Settings, SurfaceMotion};
use motes_geometry::{BodyOptions, Mesh, body};

use super::lab::{DT, Lab, RADIUS, at_any_step, furthest_from_one};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "belts/box falls behind the belt",
            source: "exact: by v^2/(2 mu g) until it moves along; ratio, at three steps",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: true,
            measure: |engine| at_any_step(|settings| box_behind(engine, settings, FRICTION)),
            control_name: "half the friction",
            control: |engine| at_any_step(|settings| box_behind(engine, settings, 0.5 * FRICTION)),
        },
        Case {
            name: "belts/grains fall behind the belt",
            source: "exact: by v^2/(2 mu g); ratio, at three steps",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: true,
            measure: |engine| at_any_step(|settings| grains_behind(engine, settings, FRICTION)),
            control_name: "half the friction",
            control: |engine| at_any_step(|settings| grains_behind(engine, settings, 0.5 * FRICTION)),
        },
        Case {
            name: "belts/box moves with the belt",
            source: "exact: speed over that of the belt after 3 s, at three steps",
            reference: 1.0,
            band: [0.995, 1.005],
            unit: "",
            quick: true,
            measure: |engine| at_any_step(|settings| box_on(engine, settings, FRICTION, SPEED).1),
            control_name: "a belt that is 1 % too fast",
            control: |engine| at_any_step(|settings| box_on(engine, settings, FRICTION, 1.01 * SPEED).1),
        },
        Case {
            name: "belts/marble rolls on the belt",
            source: "exact: 2/7 of the speed of the belt; ratio, at three steps",
            reference: 1.0,
            band: [0.98, 1.02],
            unit: "",
            quick: true,
            measure: |engine| at_any_step(|settings| marble(engine, settings, true)),
            control_name: "grains that do not turn",
            control: |engine| at_any_step(|settings| marble(engine, settings, false)),
        },
        Case {
            name: "belts/turntable carries round",
            source: "exact: radius and speed kept below mu g = w^2 r for 30 s; ratio, at three steps",
            reference: 1.0,
            band: [0.99, 1.01],
            unit: "",
            quick: true,
            measure: |engine| at_any_step(|settings| turntable(engine, settings, 0.5)),
            control_name: "too little friction",
            control: |engine| at_any_step(|settings| turntable(engine, settings, 0.05)),
        },
    ]
}

const FRICTION: f32 = 0.3;
/// Of the belt, m/s.
const SPEED: f32 = 2.0;

fn belt(engine: EngineMaker, settings: Settings, material: Material, surface: SurfaceMotion) -> Lab {
    let mut lab = Lab::new(engine, settings, material);
    let belt = lab.floor(Vec3::Y);
    lab.world.set_surface_motion(belt, surface).expect("belt");
    lab
}

fn running(speed: f32) -> SurfaceMotion {
    SurfaceMotion::straight(speed * Vec3::X)
}

/// How far a belt is ahead of what it drew from rest, over what it should be.
fn behind(distance: f32, seconds: f32) -> f64 {
    f64::from((SPEED * seconds - distance) / (SPEED * SPEED / (2.0 * FRICTION * 9.81)))
}

/// How far a box goes on a belt in three seconds, metres, and its speed then over the speed it should have.
fn box_on(engine: EngineMaker, settings: Settings, friction: f32, speed: f32) -> (f32, f64) {
    let mut lab = belt(engine, settings, Material::WOOD.with_friction(friction), running(speed));
    let half = Vec3::new(0.3, 0.2, 0.25);
    let solid = body(&Mesh::cuboid(half), &BodyOptions::solid(RADIUS)).expect("a mesh that becomes a body");
    let new = NewBody {
        pose: Pose::at(Vec3::Y * half.y),
        ..solid.to_new("box", lab.material)
    };
    let id = lab.world.add_body(new).expect("body");
    let start = lab.world.body_motion(id).expect("alive").center.x;
    lab.run(3.0);
    let motion = lab.world.body_motion(id).expect("alive");
    (motion.center.x - start, f64::from(motion.velocity.x / SPEED))
}

fn box_behind(engine: EngineMaker, settings: Settings, friction: f32) -> f64 {
    behind(box_on(engine, settings, friction, SPEED).0, 3.0)
}

fn grains_behind(engine: EngineMaker, settings: Settings, friction: f32) -> f64 {
    let mut lab = belt(
        engine,
        settings,
        Material::FAST_SAND.with_friction(friction),
        running(SPEED),
    );
    let places: Vec<Vec3> = (0..16)
        .map(|i| Vec3::new(0.12 * (i % 4) as f32, RADIUS, 0.12 * (i / 4) as f32))
        .collect();
    let ids = lab.add(&places, Vec3::ZERO);
    let middle = |lab: &mut Lab| ids.iter().map(|&id| lab.position(id).x).sum::<f32>() / ids.len() as f32;
    let start = middle(&mut lab);
    lab.run(3.0);
    behind(middle(&mut lab) - start, 3.0)
}

/// Speed of a marble after three seconds, over two sevenths of that of the belt.
fn marble(engine: EngineMaker, settings: Settings, turns: bool) -> f64 {
    let glass = Material::GLASS.with_friction(FRICTION);
    let material = match turns {
        true => glass.with_rolling_resistance(0.0),
        false => Material {
            rolling_resistance: None,
            ..glass
        },
    };
    let mut lab = belt(engine, settings, material, running(SPEED));
    let id = lab.add(&[Vec3::Y * RADIUS], Vec3::ZERO)[0];
    lab.run(3.0);
    f64::from(lab.velocity(id).x / (2.0 / 7.0 * SPEED))
}

/// Distance from the middle and speed of a grain after 30 s, over what they were when it had come to lie and should be.
fn turntable(engine: EngineMaker, settings: Settings, friction: f32) -> f64 {
    let spin = 1.5;
    let surface = SurfaceMotion::about(spin * Vec3::Y);
    let mut lab = belt(engine, settings, Material::FAST_SAND.with_friction(friction), surface);
    let id = lab.add(&[Vec3::new(0.5, RADIUS, 0.0)], Vec3::ZERO)[0];
    lab.world
        .set_velocities(&[(id, Vec3::NEG_Z * 0.5 * spin)])
        .expect("alive");
    lab.run(30.0);
    let distance = lab.position(id).with_y(0.0).length();
    let before = lab.position(id);
    lab.world.step(DT);
    let speed = (lab.position(id) - before).length() / DT;
    furthest_from_one([f64::from(distance / 0.5), f64::from(speed / (0.5 * spin))])
}
