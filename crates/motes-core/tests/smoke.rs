//! Gas: what lifts, drags and warms it, and that a room stays full of it.

#[path = "common/gas.rs"]
mod air;
#[path = "common/tank.rs"]
mod tank;

use air::{STILL, gas, open, room, source, wall};
use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::heat::{AMBIENT, HeatZone};
use motes_core::smoke::forces::lift;
use motes_core::{CpuEngine, Emitter, Group, Material, ParticleId, Plume, Settings, Volume, Wind, World};
use tank::{DT, STEPS, block, settings};

/// One particle of gas on its own.
fn alone(settings: Settings, material: Material, warmth: f32, velocity: Vec3) -> (World, ParticleId) {
    let mut world = open(settings);
    let group = gas(&mut world, material);
    let ids = world.add_particles(group, &[Vec3::ZERO], velocity).expect("gas");
    world.set_temperatures(&[(ids[0], warmth)]).expect("alive");
    (world, ids[0])
}

#[test]
fn a_warm_parcel_is_accelerated_by_what_it_is_lighter_than_air() {
    for steps in STEPS {
        for (warmth, scale) in [(120.0, 0.0), (400.0, 0.0), (-30.0, 0.0), (20.0, -0.4), (80.0, 0.2)] {
            let material = Material {
                expansion: 1.0,
                gravity_scale: scale,
                ..STILL
            };
            let (mut world, id) = alone(settings(0.05, steps), material, warmth, Vec3::ZERO);
            tank::run(&mut world, 0.5);
            let height = world.positions(&[id])[0].expect("alive").y;
            let expected = 0.5 * 9.81 * (lift(warmth) - scale) * 0.25;
            assert!(
                (height - expected).abs() < 1e-3 * expected.abs() + 1e-5,
                "{steps:?}: {height} {expected}"
            );
        }
    }
}

#[test]
fn a_parcel_that_does_not_expand_stays() {
    let (mut world, id) = alone(settings(0.05, STEPS[0]), STILL, 400.0, Vec3::ZERO);
    tank::run(&mut world, 0.5);
    assert_eq!(world.positions(&[id])[0], Some(Vec3::ZERO));
}

#[test]
fn one_alone_is_dragged_exactly_at_any_step() {
    for steps in STEPS {
        for drag in [0.5, 5.0, 50.0] {
            let material = Material {
                air_drag: drag,
                ..STILL
            };
            let (mut world, _) = alone(settings(0.05, steps), material, AMBIENT, 3.0 * Vec3::X);
            let wind = Wind {
                velocity: Vec3::Z,
                ..Wind::default()
            };
            world.set_wind(wind).expect("wind");
            tank::run(&mut world, 0.5);
            let left = (-0.5 * drag).exp();
            let expected = Vec3::new(3.0 * left, 0.0, 1.0 - left);
            let velocity = world.particles().velocities[0].xyz();
            assert!(
                (velocity - expected).length() < 1e-4,
                "{steps:?} {drag}: {velocity} {expected}"
            );
        }
    }
}

/// A bar of gas at rest between walls, so many particles long, with temperatures by place along it.
fn bar(steps: [u32; 2], length: usize, material: Material, warmth: impl Fn(f32) -> f32) -> World {
    let mut world = open(Settings {
        gravity: Vec3::ZERO,
        ..settings(0.05, steps)
    });
    room(&mut world, 0.1 * Vec3::new(length as f32, 5.0, 5.0));
    let group = gas(&mut world, material);
    let places = block([length, 5, 5], 0.1, Vec3::ZERO);
    let ids = world.add_particles(group, &places, Vec3::ZERO).expect("gas");
    let warm: Vec<_> = ids
        .iter()
        .zip(&places)
        .map(|(&id, place)| (id, warmth(place.x)))
        .collect();
    world.set_temperatures(&warm).expect("alive");
    world
}

fn warmth(world: &World) -> Vec<f32> {
    (0..world.particle_count())
        .map(|slot| world.particles().temperatures.get(slot))
        .collect()
}

#[test]
fn heat_spreads_as_the_equation_says_and_none_is_lost() {
    for steps in STEPS {
        let material = Material {
            thermal_diffusivity: 0.02,
            ..STILL
        };
        let wave = 2.0 * std::f32::consts::PI / 2.0;
        let mut world = bar(steps, 20, material, |x| AMBIENT + 50.0 * (wave * x).cos());
        let sum = |world: &World| {
            warmth(world)
                .iter()
                .map(|&warmth| f64::from(warmth - AMBIENT))
                .sum::<f64>()
        };
        let before = sum(&world);
        tank::run(&mut world, 3.0);
        let particles = world.particles();
        let amplitude = (0..particles.len())
            .map(|slot| (particles.temperatures.get(slot) - AMBIENT) * (wave * particles.positions[slot].x).cos())
            .sum::<f32>()
            * 2.0
            / particles.len() as f32;
        let expected = 50.0 * (-0.02 * wave * wave * 3.0).exp();
        assert!(
            (amplitude / expected - 1.0).abs() < 0.05,
            "{steps:?}: {amplitude} {expected}"
        );
        let scale = 50.0 * particles.len() as f64;
        assert!(
            (sum(&world) - before).abs() < 1e-5 * scale,
            "{steps:?}: {before} {}",
            sum(&world)
        );
    }
}

#[test]
fn heat_stays_between_what_is_mixed_however_fast_it_spreads_in_a_plume() {
    for diffusivity in [2.0, 10.0, 1e4] {
        let mut world = open(settings(0.04, STEPS[0]));
        wall(&mut world, Vec3::Y, -0.1);
        let material = Material {
            thermal_diffusivity: diffusivity,
            ..Material::SMOKE
        };
        let group = gas(&mut world, material);
        let plume = Plume {
            temperature: 200.0,
            ..Plume::default()
        };
        let emitter = Emitter {
            lifetime: 2.0,
            ..source(group, 0.3, 1.0, plume)
        };
        world.add_emitter(emitter).expect("emitter");
        for _ in 0..90 {
            world.step(DT);
            let outside = warmth(&world)
                .into_iter()
                .find(|warmth| !(AMBIENT - 20.0..=220.0).contains(warmth));
            assert_eq!(outside, None, "{diffusivity}");
        }
    }
}

#[test]
fn gas_cools_and_is_heated_by_zones() {
    for steps in [STEPS[0], STEPS[2]] {
        let material = Material { cooling: 0.7, ..STILL };
        let mut world = bar(steps, 20, material, |_| 100.0);
        let half = Volume::Box {
            min: Vec3::splat(-1.0),
            max: Vec3::new(1.0, 9.0, 9.0),
        };
        let zone = HeatZone {
            volume: half,
            temperature: 300.0.into(),
        };
        world.set_heat_zones(vec![zone]).expect("zone");
        tank::run(&mut world, 1.0);
        let expected = [300.0 - 200.0 * (-5.0_f32).exp(), 20.0 + 80.0 * (-0.7_f32).exp()];
        for slot in 0..world.particle_count() {
            let (warmth, x) = (
                world.particles().temperatures.get(slot),
                world.particles().positions[slot].x,
            );
            let expected = expected[usize::from(x > 1.0)];
            assert!((warmth - expected).abs() < 0.1, "{warmth} at {x}");
        }
    }
}

/// How much gas there is to a room: mean and largest error of its density, and its particles outside.
fn filling(world: &mut World, size: Vec3) -> [f32; 3] {
    let engine: &mut CpuEngine = world.engine_as_mut().expect("on the CPU");
    let errors = engine.density_errors();
    let mean = errors.iter().sum::<f32>() / errors.len() as f32;
    let worst = errors.iter().copied().fold(0.0, f32::max);
    let is_out = |place: Vec3| place.min_element() < -0.01 || (place - size).max_element() > 0.01;
    let out = world
        .particles()
        .positions
        .iter()
        .filter(|place| is_out(place.xyz()))
        .count();
    [mean, worst, out as f32]
}

#[test]
fn a_room_that_is_heated_from_below_stays_full() {
    let size = 0.1 * Vec3::new(8.0, 8.0, 8.0);
    let material = Material {
        cooling: 0.2,
        ..Material::AIR
    };
    let mut world = open(settings(0.05, STEPS[0]));
    room(&mut world, size);
    let group = gas(&mut world, material);
    world
        .add_particles(group, &block([8, 8, 8], 0.1, Vec3::ZERO), Vec3::ZERO)
        .expect("gas");
    let hearth = HeatZone {
        volume: Volume::Sphere {
            center: Vec3::new(0.4, 0.0, 0.4),
            radius: 0.25,
        },
        temperature: 200.0.into(),
    };
    world.set_heat_zones(vec![hearth]).expect("zone");
    let (mut moved, mut worst) = (0.0_f32, [0.0_f32; 3]);
    for frame in 0..3600 {
        world.step(DT);
        moved = moved.max(tank::fastest(&world));
        if frame % 60 == 59 {
            let found = filling(&mut world, size);
            for (worst, found) in worst.iter_mut().zip(found) {
                *worst = worst.max(found.abs());
            }
        }
    }
    assert_eq!(world.particle_count(), 512);
    assert!(moved > 0.2, "it stirs: {moved}");
    assert!(worst[0] < 0.01 && worst[2] == 0.0, "{worst:?}");
    let hot = warmth(&world).into_iter().fold(0.0, f32::max);
    assert!(hot < 200.1 && hot > 60.0, "{hot}");
}

#[test]
fn groups_may_be_warm_from_the_start() {
    let mut world = open(settings(0.05, STEPS[0]));
    let material = world.add_material(Material::AIR).expect("material");
    let group = world
        .add_group(Group::gas("gas", material).with_temperature(90.0))
        .expect("group");
    world.add_particles(group, &[Vec3::ZERO], Vec3::ZERO).expect("gas");
    assert_eq!(warmth(&world), [90.0]);
    let cold = Group::gas("gas", material).with_temperature(-300.0);
    assert!(world.add_group(cold).is_err());
    let id = world.particles().ids()[0];
    assert!(world.set_temperatures(&[(id, f32::NAN)]).is_err());
}
