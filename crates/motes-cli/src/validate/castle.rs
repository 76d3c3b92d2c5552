//! Fig. 11 of the 2014 paper: a sand castle still stands steep after 300 frames.

use motes_core::World;
use motes_scene::gallery;

use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "grains/sand castle stands",
        source: "Macklin et al. 2014, fig. 11: height after 300 frames over height at the start",
        reference: 1.0,
        band: [0.6, 1.0],
        unit: "",
        quick: false,
        measure: |engine| height_kept(engine, &[]),
        control_name: "dry sand",
        control: |engine| height_kept(engine, &["material.packed.cohesion=0", "material.packed.adhesion=0"]),
    }]
}

/// The castle of the gallery, at its full size.
fn height_kept(engine: EngineMaker, changes: &[&str]) -> f64 {
    let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
    let scene = gallery::find("sandcastle", &changes).expect("gallery scene");
    let mut world = scene.build(engine()).expect("gallery scene").world;
    let start = height(&mut world);
    for _ in 0..300 {
        world.step(scene.dt());
    }
    height(&mut world) / start
}

/// Height of the keep's top, not of one grain that happens to stand out, metres.
fn height(world: &mut World) -> f64 {
    let mut heights: Vec<f32> = world.particles().positions.iter().map(|grain| grain.y).collect();
    heights.sort_by(f32::total_cmp);
    heights
        .get(heights.len() - 1 - heights.len() / 200)
        .copied()
        .map_or(0.0, f64::from)
}
