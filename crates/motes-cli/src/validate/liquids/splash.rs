//! Eddies that are kept up let a dam splash higher (Macklin and Müller 2013, fig. 5).

use motes_core::Material;

use super::super::lab::{DT, step};
use super::super::{Case, EngineMaker};
use super::tank::{IDEAL, Tank};

/// Length and depth of the tank, and of the column, in particles of this radius, metres.
const TANK: [usize; 2] = [50, 8];
const COLUMN: [usize; 2] = [15, 30];
const RADIUS: f32 = 0.01;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "liquids/vorticity confinement, height of the splash",
        source: "Macklin and Mueller 2013, fig. 5: mean height of the highest hundredth at its highest after 1 s, over that without",
        reference: 1.1,
        band: [1.05, 2.0],
        unit: "",
        quick: false,
        measure: |engine| splash(engine, 2.0) / splash(engine, 0.0),
        control_name: "vorticity 0",
        control: |engine| splash(engine, 0.0) / splash(engine, 0.0),
    }]
}

/// How high the highest hundredth of the water gets from 1 s on, when the first wave falls back, metres.
fn splash(engine: EngineMaker, vorticity: f32) -> f64 {
    let mut tank = Tank::new(engine, step([4, 3], RADIUS), TANK);
    let water = tank.liquid(Material { vorticity, ..IDEAL });
    tank.fill(water, COLUMN, 0);
    tank.run(1.0);
    let frames = (1.5 / DT).round() as usize;
    let heights = (0..frames).map(|_| {
        tank.run(DT);
        let mut heights: Vec<f32> = tank.positions().iter().map(|place| place.y).collect();
        heights.sort_by(f32::total_cmp);
        let top = &heights[heights.len() - heights.len() / 100..];
        f64::from(top.iter().sum::<f32>()) / top.len() as f64
    });
    heights.fold(0.0, f64::max)
}
