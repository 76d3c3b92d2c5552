//! Plumes of smoke in the open: how they rise, at any step and size, and how they roll up.

#[path = "common/gas.rs"]
mod air;
#[path = "common/tank.rs"]
mod tank;

use air::{gas, open, source};
use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::{Material, Plume, Settings, Smoke, World};
use tank::{DT, STEPS, settings};

/// Hot smoke from a source that is never shut.
fn plume(settings: Settings, material: Material, warmth: f32) -> World {
    let mut world = open(settings.clone());
    let smoke = Smoke {
        lifetime: f32::INFINITY,
        ..Smoke::of(&settings)
    };
    world.set_smoke(Some(smoke)).expect("smoke");
    let group = gas(&mut world, material);
    let hot = Plume {
        temperature: warmth,
        ..Plume::default()
    };
    world.add_emitter(source(group, 0.3, 0.5, hot)).expect("source");
    world
}

/// Smoke that stays as hot as it is.
const HOT: Material = Material {
    cooling: 0.0,
    ..Material::SMOKE
};

/// Height below which all markers but a fiftieth are, metres.
fn top(world: &World) -> f32 {
    let mut heights: Vec<f32> = world.passive().positions().iter().map(|place| place.y).collect();
    heights.sort_by(f32::total_cmp);
    heights[heights.len() * 49 / 50]
}

/// Exponent of the rise with time, by least squares, from 2 s to 8 s, and the height in the end, metres.
fn rise(mut world: World) -> (f64, f32) {
    let mut points = Vec::new();
    for frame in 1..=480 {
        world.step(DT);
        if frame >= 120 && frame % 15 == 0 {
            points.push([f64::from(frame).ln(), f64::from(top(&world)).ln()]);
        }
    }
    world.health().expect("finite numbers");
    let mean = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / points.len() as f64);
    let product = |k: usize| {
        let products = points.iter().map(|point| (point[0] - mean[0]) * (point[k] - mean[k]));
        products.sum::<f64>()
    };
    (product(1) / product(0), top(&world))
}

#[test]
fn a_starting_plume_rises_with_the_three_quarters_power_of_time_at_any_step() {
    let rises = STEPS.map(|steps| rise(plume(settings(0.05, steps), HOT, 100.0)));
    for (exponent, height) in rises {
        assert!((exponent - 0.75).abs() < 0.1, "{rises:?}");
        assert!((height / rises[0].1 - 1.0).abs() < 0.1, "{rises:?}");
    }
}

#[test]
fn without_air_about_it_smoke_is_thrown_up() {
    let material = Material {
        air_drag: 0.0,
        baroclinity: 0.0,
        ..HOT
    };
    let (exponent, _) = rise(plume(settings(0.05, STEPS[0]), material, 100.0));
    assert!(exponent > 1.5, "{exponent}");
}

/// Mean square of how fast the gas turns about itself (1/s²), by least squares over what is within a smoothing radius.
fn enstrophy(world: &World) -> f32 {
    let particles = world.particles();
    let reach = world.settings().smoothing_distance();
    let mut sum = 0.0;
    for i in 0..particles.len() {
        let (mut curl, mut spread) = (Vec3::ZERO, 0.0);
        for j in 0..particles.len() {
            let offset = (particles.positions[j] - particles.positions[i]).xyz();
            if offset.length_squared() < reach * reach {
                curl += offset.cross((particles.velocities[j] - particles.velocities[i]).xyz());
                spread += offset.length_squared();
            }
        }
        sum += (3.0 * curl / spread.max(f32::MIN_POSITIVE)).length_squared();
    }
    sum / particles.len() as f32
}

#[test]
fn baroclinity_makes_eddies() {
    let stirred = |baroclinity: f32| {
        let material = Material { baroclinity, ..HOT };
        let mut world = plume(settings(0.05, STEPS[0]), material, 60.0);
        let mut sum = 0.0;
        for frame in 0..240 {
            world.step(DT);
            if frame >= 120 && frame % 20 == 0 {
                sum += enstrophy(&world);
            }
        }
        sum
    };
    let (with, without) = (stirred(1.0), stirred(0.0));
    assert!(with > 2.0 * without, "{with} {without}");
}

#[test]
fn strong_drag_and_strong_eddies_stay_within_bounds() {
    for (drag, baroclinity) in [(50.0, 0.5), (50.0, 30.0), (1e5, 1e3)] {
        let material = Material {
            air_drag: drag,
            baroclinity,
            ..HOT
        };
        let mut world = plume(settings(0.05, STEPS[0]), material, 100.0);
        world.emitters_mut()[0].stop = 3.0;
        for _ in 0..1200 {
            world.step(DT);
            world.health().expect("finite numbers");
            assert!(
                tank::fastest(&world) < 40.0,
                "{drag} {baroclinity}: {}",
                tank::fastest(&world)
            );
        }
        let furthest = world.particles().positions.iter().map(|place| place.xyz().length());
        assert!(furthest.fold(0.0, f32::max) < 100.0);
    }
}

#[test]
fn eddies_drive_no_cloud_as_a_whole() {
    let material = Material {
        air_drag: 0.0,
        expansion: 0.0,
        baroclinity: 1.0,
        ..HOT
    };
    let mut world = open(settings(0.05, STEPS[0]));
    let group = gas(&mut world, material);
    let places = tank::block([8, 8, 8], 0.1, Vec3::ZERO);
    world.add_particles(group, &places, Vec3::ZERO).expect("gas");
    tank::run(&mut world, 0.5);
    let velocities = &world.particles().velocities;
    let mean = velocities.iter().map(|velocity| velocity.xyz()).sum::<Vec3>() / velocities.len() as f32;
    let speed = velocities.iter().map(|velocity| velocity.xyz().length()).sum::<f32>() / velocities.len() as f32;
    assert!(speed > 0.2 && mean.length() < 1e-3 * speed, "{mean} {speed}");
}
