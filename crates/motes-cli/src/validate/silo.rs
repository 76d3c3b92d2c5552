//! Load on the floor of a silo, whose walls bear the rest (Janssen 1895), at several steps and after a while.

use glam::Vec3;
use motes_core::{Material, Pose, Settings};

use super::lab::{DT, Lab, RADIUS, at_any_step_and_size, furthest_from_one, step};
use super::{Case, EngineMaker};

/// Width of the square silo, in radii of the grains.
const WIDTH: f32 = 20.0;
/// Heights to which it is filled, over its width.
const FILLINGS: [f32; 4] = [1.0, 2.0, 3.0, 4.0];
/// How far the floor goes down, in radii, and for how long, seconds: grains slide along the walls and call upon all of their friction.
/// It starts and stops gently, because a jolt would take that back.
const LOWERING: f32 = 2.0;
const LOWERING_TIME: f32 = 2.0;
/// Friction of the walls, so that with sand it is 0.3, as on steel. Where it comes near that of sand in itself, sand slides on itself
/// instead of on the walls.
const WALL_FRICTION: f32 = 0.26;
/// Horizontal over vertical stress that grains have.
const STRESS_RATIO: [f64; 2] = [0.2, 1.0];

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "grains/silo floor load",
        source: "Janssen 1895: load over his with one ratio of stresses for four heights, 2 s and 20 s, the furthest off at 2 x 4, 4 x 4, 8 x 8 and at half the size",
        reference: 1.0,
        band: [0.9, 1.1],
        unit: "",
        quick: false,
        measure: |engine| at_any_step_and_size(|settings| load_over_law(engine, &settings, WALL_FRICTION)),
        control_name: "smooth walls",
        control: |engine| load_over_law(engine, &step([4, 4], RADIUS), 0.0),
    }]
}

/// Load on the floor over weight, and height of the filling, 2 s and 20 s after the floor went down.
fn fill(engine: EngineMaker, settings: &Settings, wall_friction: f32, filling: f32) -> [[f64; 2]; 2] {
    let radius = settings.particle_radius;
    let width = WIDTH * radius;
    let mut lab = Lab::new(engine, settings.clone(), Material::SAND);
    let floor = lab.floor(Vec3::Y);
    let wall = Material::SAND.with_friction(wall_friction);
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        lab.wall_of(wall, -0.5 * width * normal, normal);
    }
    lab.rain([width, filling * width], 0, |_| true);
    let depth = LOWERING * radius;
    let frames = (LOWERING_TIME / DT).round();
    for frame in 1..=frames as u32 {
        let part = frame as f32 / frames;
        let pose = Pose::at(Vec3::NEG_Y * depth * part * part * (3.0 - 2.0 * part));
        lab.world.move_collider(floor, pose).expect("floor");
        lab.world.step(DT);
    }
    let mass = Material::SAND.ball_mass(radius);
    let mut measure = |seconds: f32| {
        lab.run(seconds);
        let mut heights: Vec<f32> = lab.positions().iter().map(|place| place.y + depth).collect();
        heights.sort_by(f32::total_cmp);
        let weight = heights.len() as f32 * mass * settings.gravity.length();
        // What lies above the middle of the pile is half of it, wherever single grains lie.
        let height = 2.0 * heights[heights.len() / 2];
        let load = -lab.force_on(floor).y;
        [f64::from(load / weight), f64::from(height)]
    };
    [measure(2.0), measure(18.0)]
}

fn load_over_law(engine: EngineMaker, settings: &Settings, wall_friction: f32) -> f64 {
    let filled = FILLINGS.map(|filling| fill(engine, settings, wall_friction, filling));
    let friction = f64::from((Material::SAND.static_friction * WALL_FRICTION).sqrt());
    // What Janssen says of a square silo: the share of the weight that the floor bears.
    let law = |ratio: f64, height: f64| {
        let depth = 4.0 * friction * ratio * height / f64::from(WIDTH * settings.particle_radius);
        (1.0 - (-depth).exp()) / depth
    };
    let error = |ratio: f64| -> f64 {
        filled
            .iter()
            .map(|[early, _]| (early[0] / law(ratio, early[1])).ln().powi(2))
            .sum()
    };
    let ratio = (0..=80)
        .map(|step| STRESS_RATIO[0] + (STRESS_RATIO[1] - STRESS_RATIO[0]) * f64::from(step) / 80.0)
        .min_by(|a, b| error(*a).total_cmp(&error(*b)))
        .expect("ratios");
    furthest_from_one(filled.iter().flatten().map(|[load, height]| load / law(ratio, *height)))
}
