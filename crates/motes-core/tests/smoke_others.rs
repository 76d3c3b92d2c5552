//! Gas with other solvers, other sizes and other fluids.

#[path = "common/gas.rs"]
mod air;
#[path = "common/tank.rs"]
mod tank;

use air::{STILL, gas, open, room, source};
use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::{Group, Liquids, Material, Passive, Plume, PositionBased, Settings};
use tank::{DT, STEPS, block, settings};

#[test]
fn gas_leaves_a_pool_as_it_is_and_stays_above_it() {
    for steps in [STEPS[0], STEPS[1]] {
        let height = |gassed: bool| {
            let mut world = open(settings(0.05, steps));
            room(&mut world, Vec3::new(0.8, 1.0, 0.8));
            let water = tank::liquid(&mut world, "water", Material::WATER);
            let ids = world
                .add_particles(water, &block([8, 5, 8], 0.1, Vec3::ZERO), Vec3::ZERO)
                .expect("water");
            let mut lowest = 1.0_f32;
            let above = if gassed {
                let smoke = gas(&mut world, STILL);
                let places = block([8, 5, 8], 0.1, 0.5 * Vec3::Y);
                world.add_particles(smoke, &places, Vec3::ZERO).expect("gas")
            } else {
                Vec::new()
            };
            tank::run(&mut world, 5.0);
            for place in world.positions(&above).into_iter().flatten() {
                lowest = lowest.min(place.y);
            }
            let heights = world.positions(&ids);
            let mean = heights.iter().flatten().map(|place| place.y).sum::<f32>() / ids.len() as f32;
            (mean, lowest)
        };
        let ((with, lowest), (without, _)) = (height(true), height(false));
        assert!((with / without - 1.0).abs() < 0.03, "{steps:?}: {with} {without}");
        assert!(lowest > 0.4, "{steps:?}: {lowest}");
    }
}

#[test]
fn smoke_rises_with_the_papers_own_density_solve_too() {
    let mut world = open(Settings {
        liquids: Liquids::PositionBased(PositionBased::UNIFIED),
        ..settings(0.05, STEPS[0])
    });
    let group = gas(&mut world, Material::SMOKE);
    let hot = Plume {
        temperature: 100.0,
        ..Plume::default()
    };
    world.add_emitter(source(group, 0.3, 0.5, hot)).expect("source");
    tank::run(&mut world, 3.0);
    let mut heights: Vec<f32> = world.passive().positions().iter().map(|place| place.y).collect();
    heights.sort_by(f32::total_cmp);
    // Few are thrown further.
    let top = heights[heights.len() * 9 / 10];
    assert!((1.0..4.0).contains(&top), "{top}");
}

#[test]
fn gas_of_several_sizes_carries_markers() {
    let mut world = open(Settings {
        gravity: Vec3::ZERO,
        ..settings(0.05, STEPS[0])
    });
    let material = world.add_material(STILL).expect("material");
    for (radius, at) in [(0.05, 0.0), (0.1, 9.0)] {
        let group = Group::gas("gas", material)
            .with_radius(radius)
            .with_temperature(20.0 + at);
        let group = world.add_group(group).expect("group");
        let places = block([5, 5, 5], 2.0 * radius, at * Vec3::X);
        world.add_particles(group, &places, Vec3::Y).expect("gas");
        let marker = Passive {
            position: Vec3::splat(5.0 * radius) + at * Vec3::X,
            velocity: Vec3::ZERO,
            lifetime: f32::INFINITY,
        };
        world.add_smoke(&[marker]).expect("marker");
    }
    for _ in 0..30 {
        world.step(DT);
    }
    for (k, (radius, warmth)) in [(0.05, 20.0), (0.1, 29.0)].into_iter().enumerate() {
        let place = world.passive().positions()[k].xyz();
        assert!((place.y - 5.0 * radius - 0.5).abs() < 1e-3, "{place}");
        assert!((world.passive().temperature(k) - warmth).abs() < 1e-3);
    }
}

#[test]
fn plumes_are_of_gas() {
    let mut world = open(settings(0.05, STEPS[0]));
    let water = tank::liquid(&mut world, "water", Material::WATER);
    assert!(world.add_emitter(source(water, 0.3, 0.5, Plume::default())).is_err());
}
