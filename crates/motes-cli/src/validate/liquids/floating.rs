//! What floats, how deep, and what rises or sinks (Archimedes).

use std::f32::consts::PI;

use glam::{Vec3, Vec4Swizzles};
use motes_core::particles::phase::Phase;
use motes_core::{BodyId, Material, NewBody, Pose, Settings};

use super::super::lab::{DT, RADIUS, step};
use super::super::{Case, EngineMaker};
use super::tank::{IDEAL, Tank, block};

/// Sides of the tank and depth of the water, in units of an eighth of the body.
const SIDE: usize = 16;
const DEPTH: usize = 11;

/// Draught over height of a ball of a density ratio.
const BALLS: [[f64; 2]; 3] = [[0.25, 0.3264], [0.5, 0.5], [0.75, 0.6736]];

pub(super) fn cases() -> Vec<Case> {
    let draught = |name, source, measure, control| Case {
        name,
        source,
        reference: 0.0,
        band: [0.0, 0.05],
        unit: "",
        quick: false,
        measure,
        control_name: "a fifth of the water's density heavier",
        control,
    };
    vec![
        draught(
            "liquids/draught of balls",
            "exact: difference from Archimedes at 0.25, 0.5 and 0.75 of the density, 8 particles across, the most at 2 x 4, 4 x 4 and 8 x 8",
            |engine| {
                let steps = [[2, 4], [4, 4], [8, 8]].map(|numbers| step(numbers, RADIUS));
                steps
                    .iter()
                    .map(|settings| ball_error(engine, settings, 8, 0.0))
                    .fold(0.0, f64::max)
            },
            |engine| ball_error(engine, &step([2, 4], RADIUS), 8, 0.2),
        ),
        draught(
            "liquids/draught, half the radius",
            "exact: the same with 16 particles across, 4 x 4",
            |engine| ball_error(engine, &step([4, 4], 0.5 * RADIUS), 16, 0.0),
            |engine| ball_error(engine, &step([4, 4], 0.5 * RADIUS), 16, 0.2),
        ),
        draught(
            "liquids/draught of boxes",
            "exact: draught over height is the ratio, upright at 0.25, 0.5 and 0.75, 2 x 4",
            |engine| box_error(engine, 0.0),
            |engine| box_error(engine, 0.2),
        ),
        Case {
            name: "liquids/lighter by a twentieth rises",
            source: "exact: way up in 4 s from below the surface, in diameters of the ball, 2 x 4",
            reference: 0.14,
            band: [0.05, 0.3],
            unit: "",
            quick: false,
            measure: |engine| -moved(engine, 0.95),
            control_name: "as heavy as water",
            control: |engine| -moved(engine, 1.0),
        },
        Case {
            name: "liquids/heavier by a twentieth sinks",
            source: "exact: way down in 4 s from below the surface, in diameters of the ball, 2 x 4",
            reference: 0.2,
            band: [0.05, 0.5],
            unit: "",
            quick: false,
            measure: |engine| moved(engine, 1.05),
            control_name: "as heavy as water",
            control: |engine| moved(engine, 1.0),
        },
    ]
}

/// A body let go in the water.
struct Floating {
    tank: Tank,
    body: BodyId,
    /// Half its height, metres.
    half: f32,
}

impl Floating {
    /// So many particles across, of a density over that of the water, let go at a draught.
    fn new(engine: EngineMaker, settings: &Settings, across: usize, ratio: f32, is_ball: bool, draught: f32) -> Self {
        let unit = across / 8;
        let side = SIDE * unit;
        let mut tank = Tank::new(engine, settings.clone(), [side; 2]);
        let water = tank.liquid(IDEAL);
        let diameter = tank.diameter;
        let reach = 0.5 * across as f32 * diameter;
        let places: Vec<Vec3> = { block([across; 3], diameter, Vec3::splat(-reach)).into_iter() }
            .filter(|place| !is_ball || place.length() <= reach)
            .collect();
        let volume = places.len() as f32 * diameter.powi(3);
        let half = if is_ball { (0.75 * volume / PI).cbrt() } else { reach };
        let middle = 0.5 * side as f32 * diameter;
        let depth = DEPTH * unit;
        let surface = depth as f32 * diameter;
        let center = Vec3::new(middle, surface + half * (1.0 - 2.0 * draught), middle);
        let is_free = |at: &Vec3| {
            let offset = *at - center;
            let apart = |place: &Vec3| place.distance(offset) > 0.99 * diameter;
            offset.abs().max_element() > reach + diameter || places.iter().all(apart)
        };
        let around: Vec<Vec3> = { block([side, depth, side], diameter, Vec3::ZERO).into_iter() }
            .filter(is_free)
            .collect();
        tank.world.add_particles(water, &around, Vec3::ZERO).expect("water");
        let smooth = tank.world.add_material(Material::FRICTIONLESS).expect("material");
        let masses = vec![ratio * IDEAL.density * diameter.powi(3); places.len()];
        let new = NewBody {
            pose: Pose::at(center),
            ..NewBody::new("body", smooth, places, masses)
        };
        let body = tank.world.add_body(new).expect("body");
        Self { tank, body, half }
    }

    fn center(&self) -> Vec3 {
        self.tank.world.body_motion(self.body).expect("alive").center
    }

    /// How deep it lies in the water away from it, over its height.
    fn draught(&self) -> f64 {
        let center = self.center();
        let particles = self.tank.world.particles();
        let far: Vec<f64> = { particles.positions.iter().zip(&particles.phases) }
            .filter(|(place, phase)| {
                let aside = (place.xyz() - center).with_y(0.0).length();
                phase.has(Phase::FLUID) && aside > self.half + 2.0 * self.tank.diameter
            })
            .map(|(place, _)| f64::from(place.y))
            .collect();
        let level = 2.0 * far.iter().sum::<f64>() / far.len() as f64;
        (level - f64::from(center.y - self.half)) / f64::from(2.0 * self.half)
    }

    /// The mean over a second, after two.
    fn settle(&mut self) -> f64 {
        self.tank.run(2.0);
        let draughts = (0..20).map(|_| {
            self.tank.run(3.0 * DT);
            self.draught()
        });
        draughts.sum::<f64>() / 20.0
    }
}

fn ball_error(engine: EngineMaker, settings: &Settings, across: usize, heavier: f64) -> f64 {
    let errors = BALLS.map(|[ratio, draught]| {
        let mut floating = Floating::new(engine, settings, across, (ratio + heavier) as f32, true, draught as f32);
        (floating.settle() - draught).abs()
    });
    errors.into_iter().fold(0.0, f64::max)
}

fn box_error(engine: EngineMaker, heavier: f64) -> f64 {
    let errors = [0.25, 0.5, 0.75].map(|ratio: f64| {
        let settings = step([2, 4], RADIUS);
        let mut floating = Floating::new(engine, &settings, 8, (ratio + heavier) as f32, false, ratio as f32);
        (floating.settle() - ratio).abs()
    });
    errors.into_iter().fold(0.0, f64::max)
}

/// How far a ball of a density ratio sinks in four seconds, from just below the surface, in diameters.
fn moved(engine: EngineMaker, ratio: f32) -> f64 {
    let mut floating = Floating::new(engine, &step([2, 4], RADIUS), 8, ratio, true, 1.15);
    let before = floating.center().y;
    floating.tank.run(4.0);
    f64::from((before - floating.center().y) / (2.0 * floating.half))
}
