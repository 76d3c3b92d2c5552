//! Liquids hold their volume, come to rest and stay in the tank, at several steps.

#[path = "common/tank.rs"]
mod tank;

use motes_core::glam::{DVec3, Quat, Vec3};
use motes_core::random::Random;
use motes_core::{CpuEngine, Emitter, EmitterShape, Material, Pose, Settings, World};
use tank::{DT, IDEAL, STEPS, block, energy, excess, fastest, liquid, mean_height, run, settings, tank};

const RADIUS: f32 = 0.01;
const DIAMETER: f32 = 2.0 * RADIUS;

fn inside(world: &World, [length, depth]: [usize; 2]) {
    let far = Vec3::new(length as f32, f32::INFINITY, depth as f32) * DIAMETER;
    for position in &world.particles().positions {
        let slop = 0.1 * RADIUS;
        let (low, high) = (position.truncate() + slop, position.truncate() - slop);
        assert!(low.cmpge(Vec3::splat(RADIUS)).all(), "{position}");
        assert!(high.cmple(far - RADIUS).all(), "{position}");
    }
}

#[test]
fn the_floor_bears_the_weight_of_the_water() {
    for steps in STEPS {
        let mut world = tank(settings(RADIUS, steps), [8, 8]);
        let water = liquid(&mut world, "water", IDEAL);
        world
            .add_particles(water, &block([8, 10, 8], DIAMETER, Vec3::ZERO), Vec3::ZERO)
            .expect("water");
        run(&mut world, 2.0);
        let frames = 60;
        let mut load = 0.0;
        for _ in 0..frames {
            world.step(DT);
            load -= world.collider_forces()[0].force.y / frames as f32;
        }
        let weight = 640.0 * 1000.0 * DIAMETER.powi(3) * 9.81;
        assert!((load / weight - 1.0).abs() < 0.03, "{steps:?}: {load} of {weight} N");
    }
}

#[test]
fn a_dam_breaks_at_any_step_without_clumps_or_energy_from_nowhere() {
    for steps in STEPS {
        let mut world = tank(settings(RADIUS, steps), [30, 6]);
        let water = liquid(&mut world, "water", IDEAL);
        world
            .add_particles(water, &block([10, 16, 6], DIAMETER, Vec3::ZERO), Vec3::ZERO)
            .expect("water");
        let (mut last, mut worst, mut mean) = (energy(&world), 0.0_f32, 0.0);
        let scale = last;
        for _ in 0..120 {
            world.step(DT);
            let now = energy(&world);
            assert!(now < last + 0.02 * scale, "{steps:?}: {last} J, then {now} J");
            last = now;
            let [average, most] = excess(&mut world);
            worst = worst.max(most);
            mean += average / 120.0;
        }
        inside(&world, [30, 6]);
        assert!(last < 0.5 * scale, "{steps:?}: {last} J of {scale} J");
        let [bound, peak] = match steps {
            [2, 4] => [0.025, 0.5],
            [4, 4] => [0.01, 0.2],
            _ => [0.001, 0.1],
        };
        assert!(
            mean < bound && worst < peak,
            "{steps:?}: {mean} on average, {worst} at most"
        );
    }
}

#[test]
fn still_water_at_default_settings_keeps_its_volume_for_a_minute() {
    let mut world = tank(Settings::default(), [6, 6]);
    let water = liquid(&mut world, "water", IDEAL);
    world
        .add_particles(water, &block([6, 12, 6], 0.1, Vec3::ZERO), Vec3::ZERO)
        .expect("water");
    run(&mut world, 5.0);
    let before = mean_height(&world);
    run(&mut world, 55.0);
    let after = mean_height(&world);
    assert!((after / before - 1.0).abs() < 0.01, "{before} m, then {after} m");
    assert!((after / 0.6 - 1.0).abs() < 0.02, "{after} m");
    let [mean, most] = excess(&mut world);
    assert!(mean < 0.01 && most < 0.03, "{mean} on average, {most} at most");
    assert!(fastest(&world) < 0.02, "{} m/s", fastest(&world));
}

#[test]
fn a_block_that_overlaps_itself_and_a_wall_settles() {
    for steps in STEPS {
        let mut world = tank(settings(RADIUS, steps), [16, 8]);
        let water = liquid(&mut world, "water", IDEAL);
        let corner = Vec3::new(-0.5, -0.5, 0.0) * DIAMETER;
        let mut places = block([10, 10, 10], 0.8 * DIAMETER, corner);
        places.extend_from_within(..40);
        world.add_particles(water, &places, Vec3::ZERO).expect("water");
        let mut highest = 0.0_f32;
        for _ in 0..150 {
            world.step(DT);
            let top = { world.particles().positions.iter() }
                .map(|position| position.y)
                .fold(0.0, f32::max);
            highest = highest.max(top);
        }
        inside(&world, [16, 8]);
        assert!(highest < 1.5, "{steps:?}: up to {highest} m");
        assert!(fastest(&world) < 1.0, "{steps:?}: {} m/s", fastest(&world));
        let [mean, most] = excess(&mut world);
        assert!(
            mean < 0.03 && most < 0.1,
            "{steps:?}: {mean} on average, {most} at most"
        );
    }
}

#[test]
fn a_fast_jet_stays_in_the_tank() {
    for steps in STEPS {
        let mut world = tank(settings(RADIUS, steps), [16, 8]);
        let water = liquid(&mut world, "water", IDEAL);
        let jet = Emitter {
            // The opening looks up, and here to the right.
            pose: Pose {
                position: Vec3::new(0.05, 0.1, 0.08),
                rotation: Quat::from_rotation_arc(Vec3::Y, Vec3::X),
            },
            speed: 8.0,
            limit: 1500,
            ..Emitter::new("jet", water, EmitterShape::Disc { radius: 0.03 })
        };
        world.add_emitter(jet).expect("jet");
        for _ in 0..90 {
            world.step(DT);
            assert!(fastest(&world) < 24.0, "{steps:?}: {} m/s", fastest(&world));
        }
        inside(&world, [16, 8]);
    }
}

#[test]
fn momentum_is_kept_without_walls() {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..settings(RADIUS, [2, 4])
    };
    let mut world = World::new(settings).expect("settings");
    let water = liquid(&mut world, "water", IDEAL);
    let oil = liquid(
        &mut world,
        "oil",
        Material {
            density: 100.0,
            ..IDEAL
        },
    );
    world
        .add_particles(water, &block([8, 8, 8], DIAMETER, Vec3::ZERO), Vec3::X)
        .expect("water");
    world
        .add_particles(oil, &block([8, 8, 8], DIAMETER, Vec3::X * 9.0 * DIAMETER), -Vec3::X)
        .expect("oil");
    let momentum = |world: &World| -> DVec3 {
        let particles = world.particles();
        { particles.positions.iter().zip(&particles.velocities) }
            .map(|(position, velocity)| velocity.truncate().as_dvec3() / f64::from(position.w))
            .sum()
    };
    let before = momentum(&world);
    let scale = before.length();
    run(&mut world, 0.5);
    assert!(fastest(&world) > 1.5, "they have met");
    let drift = (momentum(&world) - before).length() / scale;
    assert!(drift < 1e-4, "{drift}");
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let positions = |threads: usize| {
        let engine = Box::new(CpuEngine::with_threads(threads));
        let mut world = World::with_engine(settings(RADIUS, [2, 4]), engine).expect("settings");
        let water = liquid(&mut world, "water", IDEAL);
        let mut random = Random::new(3, 0);
        let mut places = block([16, 16, 16], DIAMETER, Vec3::ZERO);
        for place in &mut places {
            *place += 0.3 * RADIUS * Vec3::new(random.signed(), random.signed(), random.signed());
        }
        world.add_particles(water, &places, Vec3::ZERO).expect("water");
        run(&mut world, 0.2);
        let bits = |position: &motes_core::glam::Vec4| position.to_array().map(f32::to_bits);
        world.particles().positions.iter().map(bits).collect::<Vec<_>>()
    };
    assert_eq!(positions(1), positions(2));
}
