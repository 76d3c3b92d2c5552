//! Liquids of SPH and PCISPH: the same on both engines.

use motes_core::glam::Vec3;
use motes_core::{Group, Liquids, Material, NewBody, Settings, Sph};

use crate::liquids::{both, go_alike, pour, shaken};
use crate::tank::{IDEAL, block, settings};

const RADIUS: f32 = 0.05;

/// One that goes by forces and one that predicts.
fn solvers() -> [Settings; 2] {
    let with = |liquids, steps| Settings {
        liquids,
        ..settings(RADIUS, steps)
    };
    [
        with(Liquids::Sph(Sph::default()), [5, 2]),
        with(Liquids::Pcisph, [4, 3]),
    ]
}

#[test]
fn a_dam_of_sph_and_pcisph_breaks_alike() {
    let Some(gpu) = crate::gpu() else { return };
    for settings in solvers() {
        let mut worlds = both(&gpu, settings, [16, 5], |world| {
            pour(world, IDEAL, &shaken([6, 12, 5], Vec3::ZERO, 1), Vec3::ZERO);
        });
        go_alike(&mut worlds, 6, 2e-3);
        let loads = worlds.each_ref().map(|world| world.collider_forces()[0].force.y);
        assert!(loads[0] < 0.0 && (loads[0] / loads[1] - 1.0).abs() < 0.02, "{loads:?}");
    }
}

#[test]
fn thick_and_light_liquids_of_two_sizes_lie_alike_by_either() {
    let Some(gpu) = crate::gpu() else { return };
    let thick = Material {
        viscosity: 20.0,
        ..IDEAL
    };
    let light = Material {
        density: 400.0,
        viscosity: 1.0,
        ..IDEAL
    };
    for settings in solvers() {
        let mut worlds = both(&gpu, settings, [8, 8], |world| {
            pour(world, thick, &shaken([8, 3, 8], Vec3::ZERO, 3), Vec3::X);
            let material = world.add_material(light).expect("material");
            let coarse = Group::fluid("coarse", material).with_radius(2.0 * RADIUS);
            let group = world.add_group(coarse).expect("group");
            let places = block([4, 3, 4], 4.0 * RADIUS, Vec3::Y * 0.32);
            world.add_particles(group, &places, Vec3::ZERO).expect("particles");
        });
        go_alike(&mut worlds, 5, 2e-3);
    }
}

#[test]
fn bodies_are_carried_alike_by_either() {
    let Some(gpu) = crate::gpu() else { return };
    for settings in solvers() {
        let mut worlds = both(&gpu, settings, [10, 10], |world| {
            pour(world, IDEAL, &shaken([10, 5, 10], Vec3::ZERO, 4), Vec3::ZERO);
            let wood = Material {
                density: 500.0,
                ..Material::WOOD
            };
            let wood = world.add_material(wood).expect("material");
            let places = block([3, 3, 3], 2.0 * RADIUS, Vec3::new(0.35, 0.505, 0.35));
            let masses = vec![500.0 * (2.0 * RADIUS).powi(3); places.len()];
            world
                .add_body(NewBody::new("block", wood, places, masses))
                .expect("body");
        });
        go_alike(&mut worlds, 4, 5e-3);
    }
}

#[test]
fn a_world_may_change_its_mind_about_the_solver() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = both(&gpu, settings(RADIUS, [4, 3]), [16, 5], |world| {
        pour(world, IDEAL, &shaken([6, 8, 5], Vec3::ZERO, 6), Vec3::ZERO);
    });
    for liquids in [
        Liquids::Chebyshev,
        Liquids::Sph(Sph::default()),
        Liquids::Pcisph,
        Liquids::Chebyshev,
    ] {
        for world in &mut worlds {
            let settings = Settings {
                liquids,
                ..world.settings().clone()
            };
            world.set_settings(settings).expect("settings");
        }
        go_alike(&mut worlds, 2, 2e-3);
    }
}
