//! Liquids whose density constraints are those of the papers.

#[path = "common/tank.rs"]
mod tank;

use motes_core::glam::{DVec3, Vec3};
use motes_core::random::Random;
use motes_core::{CpuEngine, Denominator, Liquids, Material, PositionBased, Settings, World};
use tank::{DT, IDEAL, STEPS, block, energy, excess, liquid, mean_height, run, tank};

const RADIUS: f32 = 0.01;
const DIAMETER: f32 = 2.0 * RADIUS;

/// The constraint of 2013 with either denominator, and that of 2014.
fn variants() -> [PositionBased; 3] {
    let usual = PositionBased::default();
    let precomputed = PositionBased {
        denominator: Denominator::Precomputed,
        ..usual
    };
    [usual, precomputed, PositionBased::UNIFIED]
}

fn settings(chosen: PositionBased, steps: [u32; 2]) -> Settings {
    Settings {
        liquids: Liquids::PositionBased(chosen),
        ..tank::settings(RADIUS, steps)
    }
}

/// How far apart two particles of masses 1 and `heavier` are after an iteration, and where their centre of mass is.
fn after_an_iteration(chosen: PositionBased, apart: f32, heavier: f32) -> [f32; 2] {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..settings(chosen, [1, 1])
    };
    let mut world = World::new(settings).expect("settings");
    for (name, density, place) in [("light", 1000.0, 0.0), ("heavy", 1000.0 * heavier, apart)] {
        let group = liquid(&mut world, name, Material { density, ..IDEAL });
        let places = [place * Vec3::X];
        world.add_particles(group, &places, Vec3::ZERO).expect("particle");
    }
    world.step(1e-3);
    let mut places: Vec<f32> = { world.particles().positions.iter() }.map(|place| place.x).collect();
    places.sort_by(f32::total_cmp);
    [
        places[1] - places[0],
        (places[0] + heavier * places[1]) / (1.0 + heavier),
    ]
}

#[test]
fn two_particles_move_as_worked_out_by_hand() {
    // At half a smoothing radius of 4 cm, in a lattice whose weights add up to 5.15625 and squares of slopes to 1.4648 / (4 cm)².
    let (q, reach, sum) = (0.5_f32, 0.04_f32, 5.156_25_f32);
    let excess = (1.0 + 0.421_875) / sum - 1.0;
    let slope = 64.0 / 7.0 * 0.25 / (sum * reach);
    let usual = 1.464_8 / (reach * reach);
    for heavier in [1.0, 3.0] {
        let chosen = PositionBased {
            relaxation: 4.0,
            artificial_pressure: 0.0,
            ..PositionBased::default()
        };
        // Inverse masses are 1 and 1/3 in units of the first; each divides by its own ε.
        let inverse = [1.0, 1.0 / heavier];
        let squares = (inverse[0] + inverse[1]) * slope * slope;
        let both: f32 = inverse.iter().map(|w| excess / (squares + 4.0 * usual * w)).sum();
        let expected = q * reach + (inverse[0] + inverse[1]) * both * slope;
        let [found, middle] = after_an_iteration(chosen, q * reach, heavier);
        assert!(
            (found / expected - 1.0).abs() < 1e-3,
            "{found} m, expected {expected} m"
        );
        let centre = heavier * q * reach / (1.0 + heavier);
        assert!((middle - centre).abs() < 1e-6, "{middle} {centre}");
        let precomputed = PositionBased {
            denominator: Denominator::Precomputed,
            ..chosen
        };
        // Both by the lighter of them.
        let both: f32 = inverse.iter().map(|w| excess / (usual + 4.0 * usual * w)).sum();
        let expected = q * reach + (inverse[0] + inverse[1]) * both * slope;
        let [found, _] = after_an_iteration(precomputed, q * reach, heavier);
        assert!(
            (found / expected - 1.0).abs() < 1e-3,
            "{found} m, expected {expected} m"
        );
    }
    let [found, _] = after_an_iteration(PositionBased::UNIFIED, q * reach, 1.0);
    assert_eq!(found, q * reach, "two are not too dense");
}

#[test]
fn artificial_pressure_parts_two_particles_as_worked_out_by_hand() {
    let chosen = PositionBased {
        bilateral: false,
        artificial_pressure: 0.2,
        artificial_distance: 0.3,
        ..PositionBased::default()
    };
    let (reach, sum) = (0.04_f32, 5.156_25_f32);
    // (0.75 / 0.91)³ to the fourth; a multiplier of 0.2 / D, and both move by it.
    let crowding = (0.75_f32 / 0.91).powi(12);
    let slope = 64.0 / 7.0 * 0.25 / (sum * reach);
    let expected = 0.02 + 2.0 * 0.2 * reach * reach / 1.464_8 * crowding * slope;
    let [found, _] = after_an_iteration(chosen, 0.02, 1.0);
    assert!(
        (found / expected - 1.0).abs() < 1e-3,
        "{found} m, expected {expected} m"
    );
}

#[test]
fn dams_break_at_any_step_and_stay_in_the_tank() {
    for chosen in variants() {
        for steps in STEPS {
            let mut world = tank(settings(chosen, steps), [24, 5]);
            let water = liquid(&mut world, "water", IDEAL);
            let places = block([8, 12, 5], DIAMETER, Vec3::ZERO);
            world.add_particles(water, &places, Vec3::ZERO).expect("water");
            let start = energy(&world);
            let (mut most, mut mean) = (0.0_f64, 0.0);
            for _ in 0..90 {
                world.step(DT);
                world.health().expect("finite numbers");
                most = most.max(energy(&world) / start);
                mean += excess(&mut world)[0] / 90.0;
            }
            // A bilateral constraint draws the surfaces of the block together, and what speed that gives is new.
            let bound = if chosen.bilateral { 1.25 } else { 1.0 };
            assert!(most < bound, "{chosen:?} {steps:?}: {most} of the energy at the start");
            assert!(
                energy(&world) < 0.5 * start,
                "{chosen:?} {steps:?}: {} J",
                energy(&world)
            );
            assert!(mean < 0.1, "{chosen:?} {steps:?}: too dense by {mean}");
            for place in &world.particles().positions {
                let far = Vec3::new(24.0, f32::INFINITY, 5.0) * DIAMETER - 0.9 * RADIUS;
                let inside = place.truncate().cmpge(Vec3::splat(0.9 * RADIUS)) & place.truncate().cmple(far);
                assert!(inside.all(), "{chosen:?} {steps:?}: {place}");
            }
        }
    }
}

#[test]
fn a_tank_keeps_its_level_and_the_floor_bears_it() {
    for chosen in variants() {
        for steps in STEPS {
            let mut world = tank(settings(chosen, steps), [6, 6]);
            let water = liquid(&mut world, "water", IDEAL);
            let places = block([6, 8, 6], DIAMETER, Vec3::ZERO);
            world.add_particles(water, &places, Vec3::ZERO).expect("water");
            run(&mut world, 2.0);
            let level = mean_height(&world) / (4.0 * DIAMETER);
            let mut load = 0.0;
            for _ in 0..60 {
                world.step(DT);
                load -= world.collider_forces()[0].force.y / 60.0;
            }
            let load = load / (288.0 * 1000.0 * DIAMETER.powi(3) * 9.81);
            assert!((0.9..1.05).contains(&level), "{chosen:?} {steps:?}: level {level}");
            assert!((load - 1.0).abs() < 0.03, "{chosen:?} {steps:?}: load {load}");
        }
    }
}

#[test]
fn momentum_is_kept_between_liquids_of_several_weights_and_sizes() {
    for chosen in variants() {
        let settings = Settings {
            gravity: Vec3::ZERO,
            ..settings(chosen, [2, 4])
        };
        let mut world = World::new(settings).expect("settings");
        let water = liquid(&mut world, "water", IDEAL);
        let density = 100.0;
        let oil = world.add_material(Material { density, ..IDEAL }).expect("material");
        let oil = motes_core::Group::fluid("oil", oil).with_radius(1.5 * RADIUS);
        let oil = world.add_group(oil).expect("group");
        let places = block([8; 3], DIAMETER, Vec3::ZERO);
        world.add_particles(water, &places, Vec3::X).expect("water");
        let places = block([6; 3], 1.5 * DIAMETER, Vec3::X * 9.0 * DIAMETER);
        world.add_particles(oil, &places, -Vec3::X).expect("oil");
        let momentum = |world: &World| -> DVec3 {
            let particles = world.particles();
            { particles.positions.iter().zip(&particles.velocities) }
                .map(|(place, velocity)| velocity.truncate().as_dvec3() / f64::from(place.w))
                .sum()
        };
        let before = momentum(&world);
        run(&mut world, 0.5);
        let slowest = world
            .particles()
            .velocities
            .iter()
            .map(|velocity| velocity.truncate().length());
        assert!(slowest.fold(f32::MAX, f32::min) < 0.5, "they have met");
        let drift = (momentum(&world) - before).length() / before.length();
        assert!(drift < 1e-4, "{chosen:?}: {drift}");
    }
}

fn shaken(chosen: PositionBased, threads: usize) -> World {
    let engine = Box::new(CpuEngine::with_threads(threads));
    let mut world = World::with_engine(settings(chosen, [2, 4]), engine).expect("settings");
    let water = liquid(&mut world, "water", IDEAL);
    let mut random = Random::new(3, 0);
    let mut places = block([14; 3], DIAMETER, Vec3::ZERO);
    for place in &mut places {
        *place += 0.3 * RADIUS * Vec3::new(random.signed(), random.signed(), random.signed());
    }
    world.add_particles(water, &places, Vec3::ZERO).expect("water");
    world
}

#[test]
fn the_same_bytes_at_any_number_of_threads_and_after_a_restore() {
    for chosen in variants() {
        let mut worlds = [1, 2].map(|threads| shaken(chosen, threads));
        for world in &mut worlds {
            run(world, 0.1);
        }
        assert_eq!(worlds[0].digest(), worlds[1].digest());
        let bytes = worlds[0].save();
        let mut restored = World::restore(&bytes, Box::new(CpuEngine::with_threads(2))).expect("a state");
        assert_eq!(restored.settings().liquids, Liquids::PositionBased(chosen));
        for world in [&mut worlds[0], &mut restored] {
            run(world, 0.1);
        }
        assert_eq!(worlds[0].digest(), restored.digest());
    }
}

#[test]
fn settings_that_cannot_be_used_are_refused_by_name() {
    let chosen = PositionBased {
        artificial_exponent: 40,
        ..PositionBased::default()
    };
    let error = World::new(settings(chosen, [2, 4]))
        .map(|_| ())
        .expect_err("an error")
        .to_string();
    assert!(
        error.contains("liquids.artificial_exponent") && error.contains("between 1 and 16"),
        "{error}"
    );
}
