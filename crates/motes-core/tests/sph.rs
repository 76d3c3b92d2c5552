//! Liquids of SPH and PCISPH: they rest, keep their volume and momentum, stay in the tank, and gain no energy at sub-steps that are short enough.

#[path = "common/tank.rs"]
mod tank;

use motes_core::glam::{DVec3, Quat, Vec3};
use motes_core::{
    CpuEngine, Emitter, EmitterShape, Engine, Group, Liquids, Material, Pose, Settings, Sph, World, WorldError,
};
use tank::{DT, IDEAL, block, energy, excess, fastest, liquid, mean_height, run, settings, tank, tank_on};

const RADIUS: f32 = 0.02;
const DIAMETER: f32 = 2.0 * RADIUS;

fn sph(speed_of_sound: f32) -> Sph {
    Sph {
        speed_of_sound,
        ..Sph::default()
    }
}

/// At the longest sub-steps that `check` leaves alone.
fn by_forces(sph: Sph) -> Settings {
    let start = settings(RADIUS, [1, 2]);
    let longest = sph.longest_substep(start.smoothing_distance(), 0.0, IDEAL.density);
    Settings {
        substeps: (DT / longest).ceil() as u32,
        liquids: Liquids::Sph(sph),
        ..start
    }
}

fn predicted(substeps: u32, iterations: u32) -> Settings {
    Settings {
        liquids: Liquids::Pcisph,
        ..settings(RADIUS, [substeps, iterations])
    }
}

fn dam(settings: Settings) -> World {
    let mut world = tank(settings, [30, 6]);
    let water = liquid(&mut world, "water", IDEAL);
    let places = block([10, 16, 6], DIAMETER, Vec3::ZERO);
    world.add_particles(water, &places, Vec3::ZERO).expect("water");
    world
}

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
fn a_dam_breaks_without_energy_from_nowhere_as_long_as_sub_steps_are_as_short_as_is_advised() {
    for settings in [
        by_forces(sph(20.0)),
        by_forces(sph(50.0)),
        predicted(4, 4),
        predicted(10, 4),
    ] {
        let what = format!("{:?}, {} sub-steps", settings.liquids, settings.substeps);
        let mut world = dam(settings);
        let scale = energy(&world);
        let (mut last, mut mean) = (scale, 0.0);
        for _ in 0..90 {
            world.step(DT);
            world.health().expect("finite numbers");
            let now = energy(&world);
            // What it gives way by is energy that comes back.
            assert!(now < last + 0.02 * scale, "{what}: {last} J, then {now} J");
            last = now;
            mean += excess(&mut world)[0] / 90.0;
        }
        inside(&world, [30, 6]);
        assert!(last < 0.75 * scale, "{what}: {last} J of {scale} J");
        assert!(mean < 0.015, "{what}: {mean} too dense");
    }
}

#[test]
fn sub_steps_three_times_as_long_as_is_advised_explode_and_that_is_seen() {
    let mut settings = by_forces(sph(20.0));
    settings.substeps = settings.substeps.div_ceil(3);
    let mut world = dam(settings);
    let before = energy(&world);
    for _ in 0..30 {
        world.step(DT);
    }
    let gained = energy(&world);
    assert!(
        gained > 2.0 * before || world.health().is_err(),
        "{before} J, then {gained} J"
    );
}

#[test]
fn still_water_comes_to_rest_and_keeps_its_volume() {
    for settings in [by_forces(sph(20.0)), by_forces(sph(40.0)), predicted(10, 4)] {
        let what = format!("{:?}", settings.liquids);
        let forced = settings.liquids != Liquids::Pcisph;
        let mut world = tank(settings, [6, 6]);
        let water = liquid(&mut world, "water", IDEAL);
        let places = block([6, 12, 6], DIAMETER, Vec3::ZERO);
        world.add_particles(water, &places, Vec3::ZERO).expect("water");
        run(&mut world, 8.0);
        let before = mean_height(&world);
        run(&mut world, 4.0);
        let after = mean_height(&world);
        assert!(
            (after / before - 1.0).abs() < 0.01,
            "{what}: {before} m, then {after} m"
        );
        assert!((after / (6.0 * DIAMETER) - 1.0).abs() < 0.03, "{what}: {after} m");
        let load = -world.collider_forces()[0].force.y;
        let weight = places.len() as f32 * IDEAL.density * DIAMETER.powi(3) * 9.81;
        assert!((load / weight - 1.0).abs() < 0.1, "{what}: {load} of {weight} N");
        // PCISPH forgets its pressures after each sub-step, and never stops trembling.
        let bound = if forced { 0.05 } else { 1.0 };
        assert!(fastest(&world) < bound, "{what}: {} m/s", fastest(&world));
        inside(&world, [6, 6]);
    }
}

#[test]
fn momentum_is_kept_between_liquids_and_solids() {
    for liquids in [Liquids::Sph(Sph::default()), Liquids::Pcisph] {
        let settings = Settings {
            gravity: Vec3::ZERO,
            liquids,
            ..settings(RADIUS, [10, 4])
        };
        let mut world = World::new(settings).expect("settings");
        let thick = Material {
            viscosity: 1.0,
            ..IDEAL
        };
        let thin = Material {
            density: 300.0,
            ..IDEAL
        };
        let water = liquid(&mut world, "water", thick);
        let oil = liquid(&mut world, "oil", thin);
        let sand = world.add_material(IDEAL).expect("material");
        let sand = world.add_group(Group::grains("sand", sand)).expect("group");
        let mut put = |group, x: f32, velocity| {
            let corner = x * DIAMETER * Vec3::X;
            world
                .add_particles(group, &block([6, 6, 6], DIAMETER, corner), velocity)
                .expect("particles");
        };
        put(water, 0.0, Vec3::X);
        put(oil, 6.5, -Vec3::X);
        put(sand, -6.5, 2.0 * Vec3::X);
        let momentum = |world: &World| -> DVec3 {
            let particles = world.particles();
            { particles.positions.iter().zip(&particles.velocities) }
                .map(|(position, velocity)| velocity.truncate().as_dvec3() / f64::from(position.w))
                .sum()
        };
        let before = momentum(&world);
        let speed = world.particles().velocities[0].x;
        run(&mut world, 0.2);
        assert!(world.particles().velocities[0].x != speed, "they have met");
        let drift = (momentum(&world) - before).length() / before.length();
        // Iterations move places, which round each time.
        let bound = if liquids == Liquids::Pcisph { 3e-5 } else { 1e-5 };
        assert!(drift < bound, "{liquids:?}: {drift}");
    }
}

#[test]
fn a_fast_jet_stays_in_the_tank() {
    for settings in [by_forces(sph(40.0)), predicted(10, 4)] {
        let what = format!("{:?}", settings.liquids);
        let mut world = tank(settings, [16, 8]);
        let water = liquid(&mut world, "water", IDEAL);
        let jet = Emitter {
            // The opening looks up, and here to the right.
            pose: Pose {
                position: Vec3::new(0.1, 0.2, 0.16),
                rotation: Quat::from_rotation_arc(Vec3::Y, Vec3::X),
            },
            speed: 4.0,
            limit: 600,
            ..Emitter::new("jet", water, EmitterShape::Disc { radius: 0.06 })
        };
        world.add_emitter(jet).expect("jet");
        for _ in 0..45 {
            world.step(DT);
            world.health().expect("finite numbers");
            assert!(fastest(&world) < 16.0, "{what}: {} m/s", fastest(&world));
        }
        inside(&world, [16, 8]);
    }
}

#[test]
fn the_same_bytes_at_any_number_of_threads_and_after_a_restore() {
    for settings in [by_forces(sph(20.0)), predicted(6, 3)] {
        let begin = |threads: usize| {
            let engine: Box<dyn Engine> = Box::new(CpuEngine::with_threads(threads));
            let mut world = tank_on(engine, settings.clone(), [24, 12]);
            let thick = Material {
                viscosity: 0.5,
                ..IDEAL
            };
            let water = liquid(&mut world, "water", thick);
            let places = block([12, 14, 12], DIAMETER, Vec3::ZERO);
            world.add_particles(water, &places, Vec3::X).expect("water");
            world
        };
        let digests = [1, 2, 4].map(|threads| {
            let mut world = begin(threads);
            run(&mut world, 0.2);
            world.digest()
        });
        assert_eq!([digests[0]; 2], [digests[1], digests[2]]);
        let mut world = begin(2);
        run(&mut world, 0.1);
        let mut restored = World::restore(&world.save(), Box::new(CpuEngine::with_threads(3))).expect("state");
        run(&mut restored, 0.1);
        assert_eq!(restored.settings().liquids, settings.liquids);
        assert_eq!(restored.digest(), digests[0]);
    }
}

#[test]
fn a_liquid_of_two_sizes_lies_still() {
    let mut world = tank(by_forces(sph(20.0)), [8, 8]);
    let fine = liquid(&mut world, "fine", IDEAL);
    let places = block([8, 4, 8], DIAMETER, Vec3::ZERO);
    world.add_particles(fine, &places, Vec3::ZERO).expect("water");
    let material = world.add_material(IDEAL).expect("material");
    let coarse = Group::fluid("coarse", material).with_radius(2.0 * RADIUS);
    let coarse = world.add_group(coarse).expect("group");
    let places = block([4, 2, 4], 2.0 * DIAMETER, Vec3::Y * 4.0 * DIAMETER);
    world.add_particles(coarse, &places, Vec3::ZERO).expect("water");
    let before = energy(&world);
    run(&mut world, 6.0);
    assert!(energy(&world) < before);
    assert!(fastest(&world) < 0.1, "{} m/s", fastest(&world));
}

#[test]
fn numbers_out_of_range_are_told() {
    for (wrong, expected) in [
        (sph(0.0), "speed_of_sound"),
        (sph(f32::NAN), "speed_of_sound"),
        (sph(f32::INFINITY), "speed_of_sound"),
        (
            Sph {
                artificial_viscosity: -1.0,
                ..Sph::default()
            },
            "artificial_viscosity",
        ),
    ] {
        let settings = Settings {
            liquids: Liquids::Sph(wrong),
            ..Settings::default()
        };
        match World::new(settings) {
            Err(WorldError::Value { field, .. }) => assert_eq!(field, expected),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{wrong:?} was taken"),
        }
    }
}
