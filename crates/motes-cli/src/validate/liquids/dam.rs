//! A breaking dam (Martin and Moyce 1952): a column of water as wide as `a` and twice as high runs out along a floor.
//!
//! Their column was 57 mm wide; this one is a metre, which in terms of `√(a/g)` is the same for a liquid without viscosity.

use motes_core::{Liquids, Material, Settings};

use super::super::lab::{DT, furthest_from_one, step};
use super::super::{Case, EngineMaker};
use super::drop::paper;
use super::tank::{IDEAL, Tank};

/// Width of the column, metres, and in particles.
const WIDTH: f32 = 1.0;
const ACROSS: usize = 20;
/// Depth and length of the tank, particles.
const DEPTH: usize = 5;
const LENGTH: usize = 8 * ACROSS;

/// Where the front is, over the width, at times `√2 t √(g/a)`.
const FRONT: [[f64; 2]; 14] = [
    [0.84, 1.22],
    [1.19, 1.44],
    [1.43, 1.67],
    [1.63, 1.89],
    [1.83, 2.11],
    [1.98, 2.33],
    [2.20, 2.56],
    [2.32, 2.78],
    [2.51, 3.00],
    [2.65, 3.22],
    [2.83, 3.44],
    [2.98, 3.67],
    [3.11, 3.89],
    [3.33, 4.11],
];

/// What is left of the height at the wall at times `t √(g/a)`.
const HEIGHT: [[f64; 2]; 11] = [
    [0.56, 0.94],
    [0.77, 0.89],
    [0.93, 0.83],
    [1.08, 0.78],
    [1.28, 0.72],
    [1.46, 0.67],
    [1.66, 0.61],
    [1.84, 0.56],
    [2.00, 0.50],
    [2.21, 0.44],
    [2.45, 0.39],
];

const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];

/// As thick as it takes to hold the column back.
const THICK: Material = Material {
    viscosity: 400.0,
    ..IDEAL
};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "liquids/dam break, front",
            source: "Martin and Moyce 1952: root mean square of the relative error, the most of 2 x 4, 4 x 4 and 8 x 8",
            reference: 0.0,
            band: [0.0, 0.10],
            unit: "",
            quick: false,
            measure: |engine| worst(engine, front_error),
            control_name: "viscosity 400 Pa s",
            control: |engine| front_error(&collapse(engine, settings([4, 4]), THICK)),
        },
        Case {
            name: "liquids/dam break, speed of the front",
            source: "Martin and Moyce 1952: slope of the front, the furthest off of three steps",
            reference: 1.32,
            band: [1.19, 1.45],
            unit: "",
            quick: false,
            measure: |engine| 1.32 * furthest_from_one(runs(engine).map(|run| front_slope(&run) / 1.32)),
            control_name: "viscosity 400 Pa s",
            control: |engine| front_slope(&collapse(engine, settings([4, 4]), THICK)),
        },
        Case {
            name: "liquids/dam break, height left",
            source: "Martin and Moyce 1952: largest difference at the wall, the most of three steps",
            reference: 0.0,
            band: [0.0, 0.05],
            unit: "",
            quick: false,
            measure: |engine| worst(engine, height_error),
            control_name: "viscosity 400 Pa s",
            control: |engine| height_error(&collapse(engine, settings([4, 4]), THICK)),
        },
        Case {
            name: "liquids/density error by iterations",
            source: "Macklin and Mueller 2013, fig. 6: mean until t = 1 s over that of half the iterations, the most of 2, 4, 8, 16",
            reference: 0.5,
            band: [0.0, 0.99],
            unit: "",
            quick: false,
            measure: |engine| by_iterations(engine, Liquids::Chebyshev, [1, 2, 4, 8, 16]),
            control_name: "2 iterations every time",
            control: |engine| by_iterations(engine, Liquids::Chebyshev, [2; 5]),
        },
        Case {
            name: "liquids/density error by iterations, position based",
            source: "Macklin and Mueller 2013, fig. 6: the same with the paper's own constraint",
            reference: 0.5,
            band: [0.0, 0.99],
            unit: "",
            quick: false,
            measure: |engine| by_iterations(engine, paper(), [1, 2, 4, 8, 16]),
            control_name: "2 iterations every time",
            control: |engine| by_iterations(engine, paper(), [2; 5]),
        },
    ]
}

/// Front over width and height over the first one, frame by frame.
pub(super) struct Run {
    frames: Vec<[f64; 2]>,
    /// Times of frames, in `√(a/g)`.
    frame: f64,
}

pub(super) fn settings(numbers: [u32; 2]) -> Settings {
    step(numbers, 0.5 * WIDTH / ACROSS as f32)
}

fn runs(engine: EngineMaker) -> [Run; 3] {
    STEPS.map(|numbers| collapse(engine, settings(numbers), IDEAL))
}

fn worst(engine: EngineMaker, error: fn(&Run) -> f64) -> f64 {
    runs(engine).iter().map(error).fold(0.0, f64::max)
}

fn dam(engine: EngineMaker, settings: Settings, material: Material) -> Tank {
    let mut tank = Tank::new(engine, settings, [LENGTH, DEPTH]);
    let water = tank.liquid(material);
    tank.fill(water, [ACROSS, 2 * ACROSS], 0);
    tank
}

pub(super) fn collapse(engine: EngineMaker, settings: Settings, material: Material) -> Run {
    let scale = f64::from((settings.gravity.length() / WIDTH).sqrt());
    let mut tank = dam(engine, settings, material);
    let mut frames = vec![[1.0, 1.0]];
    for _ in 0..50 {
        tank.run(DT);
        frames.push([front(&tank), height(&tank)]);
    }
    Run {
        frames,
        frame: f64::from(DT) * scale,
    }
}

/// Where the layer on the floor thins out to half, over the width: what flies ahead of it does not count.
fn front(tank: &Tank) -> f64 {
    let mut counts = vec![0f32; LENGTH + 1];
    for place in tank.positions().iter().filter(|place| place.y < 1.5 * tank.diameter) {
        counts[((place.x / tank.diameter).max(0.0) as usize).min(LENGTH)] += 1.0;
    }
    let half = 0.5 * DEPTH as f32;
    let end = counts.iter().position(|&count| count < half).unwrap_or(LENGTH);
    let [inner, outer] = [counts[end.max(1) - 1], counts[end]];
    let part = ((inner - half) / (inner - outer).max(1e-6)).clamp(0.0, 1.0);
    f64::from((end as f32 - 0.5 + part) / ACROSS as f32)
}

/// Height of the surface at the wall over the first one: the mean of the highest in the two rows next to it.
fn height(tank: &Tank) -> f64 {
    let places = tank.positions();
    let mut heights: Vec<f32> = { places.iter() }
        .filter(|place| place.x < 2.0 * tank.diameter)
        .map(|place| place.y)
        .collect();
    heights.sort_by(f32::total_cmp);
    let top = &heights[heights.len().saturating_sub(2 * DEPTH)..];
    let mean = top.iter().sum::<f32>() / top.len().max(1) as f32;
    f64::from((mean + 0.5 * tank.diameter) / (2.0 * WIDTH))
}

impl Run {
    /// Its values at a time in `√(a/g)`.
    fn at(&self, time: f64) -> [f64; 2] {
        let place = time / self.frame;
        let index = (place as usize).min(self.frames.len() - 2);
        let part = place - index as f64;
        [0, 1].map(|k| self.frames[index][k] * (1.0 - part) + self.frames[index + 1][k] * part)
    }
}

fn fronts(run: &Run) -> impl Iterator<Item = [f64; 3]> {
    FRONT
        .iter()
        .map(|&[time, expected]| [time, expected, run.at(time / 2f64.sqrt())[0]])
}

pub(super) fn front_error(run: &Run) -> f64 {
    let squares: f64 = fronts(run)
        .map(|[_, expected, found]| (found / expected - 1.0).powi(2))
        .sum();
    (squares / FRONT.len() as f64).sqrt()
}

/// Slope of the straight line that fits best.
fn front_slope(run: &Run) -> f64 {
    let count = FRONT.len() as f64;
    let middle = |k: usize| fronts(run).map(|row| row[k]).sum::<f64>() / count;
    let (time, place) = (middle(0), middle(2));
    let both: f64 = fronts(run).map(|row| (row[0] - time) * (row[2] - place)).sum();
    let square: f64 = fronts(run).map(|row| (row[0] - time).powi(2)).sum();
    both / square
}

fn height_error(run: &Run) -> f64 {
    let errors = HEIGHT
        .iter()
        .map(|&[time, expected]| (run.at(time)[1] - expected).abs());
    errors.fold(0.0, f64::max)
}

/// Mean density error in the last quarter of a second over that with the iterations before, the most.
fn by_iterations(engine: EngineMaker, liquids: Liquids, iterations: [u32; 5]) -> f64 {
    let errors = iterations.map(|iterations| {
        let settings = Settings {
            liquids,
            ..settings([2, iterations])
        };
        let mut tank = dam(engine, settings, IDEAL);
        tank.run(0.75);
        let errors = (0..15).map(|_| {
            tank.run(DT);
            tank.excess()[0]
        });
        errors.sum::<f64>() / 15.0
    });
    errors.windows(2).map(|pair| pair[1] / pair[0]).fold(0.0, f64::max)
}
