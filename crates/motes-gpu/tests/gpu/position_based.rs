//! Liquids whose density constraints are those of the papers: the same on both engines.

use motes_core::glam::Vec3;
use motes_core::{Denominator, Group, Liquids, Material, NewBody, PositionBased, Settings};

use crate::liquids::{RADIUS, both, go_alike, pour, shaken};
use crate::tank::{IDEAL, block, settings};

fn solved(chosen: PositionBased, steps: [u32; 2]) -> Settings {
    Settings {
        liquids: Liquids::PositionBased(chosen),
        ..settings(RADIUS, steps)
    }
}

#[test]
fn dams_with_the_densities_of_the_papers_break_alike() {
    let Some(gpu) = crate::gpu() else { return };
    let usual = PositionBased::default();
    let precomputed = PositionBased {
        denominator: Denominator::Precomputed,
        artificial_exponent: 3,
        ..usual
    };
    for (chosen, steps) in [(usual, [2, 4]), (precomputed, [4, 3]), (PositionBased::UNIFIED, [2, 4])] {
        let mut worlds = both(&gpu, solved(chosen, steps), [16, 5], |world| {
            pour(world, IDEAL, &shaken([6, 12, 5], Vec3::ZERO, 1), Vec3::ZERO);
        });
        go_alike(&mut worlds, 5, 5e-3);
        let loads = worlds.each_ref().map(|world| world.collider_forces()[0].force.y);
        assert!((loads[0] - loads[1]).abs() < 0.02 * loads[0].abs(), "{loads:?}");
    }
}

#[test]
fn bodies_and_coarse_oil_lie_alike_in_such_liquids() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = both(&gpu, solved(PositionBased::default(), [2, 4]), [10, 10], |world| {
        pour(world, IDEAL, &shaken([10, 4, 10], Vec3::ZERO, 4), Vec3::ZERO);
        let wood = Material {
            density: 500.0,
            ..Material::WOOD
        };
        let wood = world.add_material(wood).expect("material");
        let places = block([3, 3, 3], 2.0 * RADIUS, Vec3::new(0.35, 0.405, 0.35));
        let masses = vec![500.0 * (2.0 * RADIUS).powi(3); places.len()];
        world
            .add_body(NewBody::new("block", wood, places, masses))
            .expect("body");
        let light = Material {
            density: 300.0,
            ..IDEAL
        };
        let light = world.add_material(light).expect("material");
        let oil = Group::fluid("oil", light).with_radius(1.5 * RADIUS);
        let oil = world.add_group(oil).expect("group");
        let places = block([6, 1, 2], 3.0 * RADIUS, Vec3::new(0.02, 0.405, 0.02));
        world.add_particles(oil, &places, Vec3::ZERO).expect("particles");
    });
    go_alike(&mut worlds, 5, 0.02);
}
