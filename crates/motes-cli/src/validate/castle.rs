//! Fig. 11 of the 2014 paper: a sand castle still stands steep after 300 frames.

use motes_core::{FrictionModel, Material, MaterialId, Settings, World};
use motes_scene::gallery;

use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "grains/sand castle stands",
        source: "Macklin et al. 2014, fig. 11: height of a castle of dry sand after 300 frames over height at the start",
        reference: 1.0,
        band: [0.6, 1.0],
        unit: "",
        quick: false,
        measure: |engine| height_kept(engine, FrictionModel::Position),
        control_name: "friction on velocities",
        control: |engine| height_kept(engine, FrictionModel::Velocity),
    }]
}

/// The castle of the gallery, at its full size, but of dry sand as in the figure: nothing but friction holds it.
fn height_kept(engine: EngineMaker, friction: FrictionModel) -> f64 {
    let scene = gallery::find("sandcastle", &[""; 0]).expect("gallery scene");
    let mut world = scene.build(engine()).expect("gallery scene").world;
    let settings = Settings {
        friction,
        ..world.settings().clone()
    };
    world.set_settings(settings).expect("settings");
    let materials: Vec<Material> = world.materials().as_slice().to_vec();
    for (id, material) in (0..).zip(materials) {
        let dry = Material {
            adhesion: 0.0,
            cohesion: 0.0,
            ..material
        };
        world.set_material(MaterialId(id), dry).expect("material");
    }
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
