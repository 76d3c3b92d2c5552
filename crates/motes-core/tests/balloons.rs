//! Balloons: the volume and the pressure that they hold, what they conserve, how they burst, and that it is the same whoever solves it.

#[path = "common/ball.rs"]
mod ball;

use ball::{Ball, MASS, RADIUS, ball};
use glam::Vec3;
use motes_core::constraints::volume::AMBIENT_PRESSURE;
use motes_core::{CpuEngine, Filling, Inflation, NewBalloon, NewFace, Settings, Softness, Wind, World, WorldError};

const DT: f32 = 1.0 / 60.0;
const STIFFNESS: f32 = 300.0;
const STEPS: [(u32, u32); 3] = [(2, 4), (4, 4), (8, 8)];

/// Without gravity and air.
fn space(threads: usize, (substeps, iterations): (u32, u32)) -> World {
    let settings = Settings {
        gravity: Vec3::ZERO,
        particle_radius: RADIUS,
        substeps,
        iterations,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings");
    world
        .set_wind(Wind {
            density: 0.0,
            ..Wind::default()
        })
        .expect("no air");
    world
}

fn run(world: &mut World, seconds: f32) {
    for _ in 0..(60.0 * seconds) as usize {
        world.step(DT);
    }
    world.health().expect("finite");
}

/// Of the volume that it is made with.
fn stiff(share: f32) -> impl Fn(f32) -> Filling {
    move |volume| Filling::Volume {
        volume: share * volume,
        softness: Softness::STIFF,
    }
}

const PLACE: (Vec3, f32, u32) = (Vec3::new(2.0, 1.0, -3.0), 0.3, 2);

fn share(world: &World, ball: &Ball) -> f32 {
    world.balloon(ball.balloon).expect("alive").volume / ball.volume
}

#[test]
fn a_balloon_holds_its_volume_and_one_that_is_switched_off_does_not() {
    for steps in STEPS {
        let mut world = space(1, steps);
        let full = ball(&mut world, PLACE, STIFFNESS, stiff(1.4));
        let off = ball(&mut world, (Vec3::ZERO, 0.3, 2), STIFFNESS, stiff(1.4));
        world.switch_constraint(off.balloon, false).expect("alive");
        run(&mut world, 3.0);
        let found = share(&world, &full);
        assert!((found / 1.4 - 1.0).abs() < 0.01, "{found} at {steps:?}");
        assert!((share(&world, &off) - 1.0).abs() < 0.01);
    }
}

#[test]
fn the_pressure_is_that_of_the_stretched_skin_whatever_it_is_filled_with() {
    // So soft that its springs come to their forces within a sub-step.
    let soft = 30.0;
    for steps in [(8, 8), (16, 8)] {
        let strain = 0.1;
        let grown = 1.1f32.powi(3);
        let pressure = ball(&mut space(1, steps), PLACE, soft, stiff(1.0)).pressure_at(strain, soft);
        let fillings: [Box<dyn Fn(f32) -> Filling>; 3] = [
            Box::new(stiff(grown)),
            Box::new(move |_| Filling::Pressure(pressure)),
            Box::new(move |volume| Filling::Gas(grown * volume * (1.0 + pressure / AMBIENT_PRESSURE))),
        ];
        let mut world = space(1, steps);
        let place = |k: usize| (2.0 * k as f32 * Vec3::X, 0.3, 2);
        let balls = (0..)
            .zip(fillings)
            .map(|(k, filling)| ball(&mut world, place(k), soft, filling));
        let balls: Vec<Ball> = balls.collect();
        run(&mut world, 5.0);
        for ball in balls {
            let found = world.balloon(ball.balloon).expect("alive");
            assert!(
                (found.pressure / pressure - 1.0).abs() < 0.03,
                "{found:?}, {pressure} Pa at {steps:?}"
            );
            assert!(
                (found.volume / (grown * ball.volume) - 1.0).abs() < 0.01,
                "{found:?} at {steps:?}"
            );
        }
    }
}

#[test]
fn a_balloon_neither_moves_nor_turns_itself() {
    let mut world = space(1, (4, 4));
    let ball = ball(&mut world, (Vec3::ZERO, 0.3, 2), STIFFNESS, stiff(1.6));
    let (spin, push) = (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.1, 0.0, 0.0));
    let places = world.positions(&ball.ids);
    let velocities: Vec<_> = { ball.ids.iter().zip(&places) }
        .map(|(&id, place)| (id, push + spin.cross(place.expect("alive"))))
        .collect();
    world.set_velocities(&velocities).expect("alive");
    let [before, turning] = momenta(&mut world, &ball);
    run(&mut world, 2.0);
    let [after, turns] = momenta(&mut world, &ball);
    assert!((after - before).length() < 1e-3 * before.length(), "{before} {after}");
    assert!(
        (turns - turning).length() < 0.01 * turning.length(),
        "{turning} {turns}"
    );
}

/// Linear and angular.
fn momenta(world: &mut World, ball: &Ball) -> [Vec3; 2] {
    let mass = MASS / ball.ids.len() as f32;
    let places: Vec<Vec3> = world
        .positions(&ball.ids)
        .into_iter()
        .map(|place| place.expect("alive"))
        .collect();
    let velocities = world.velocities(&ball.ids);
    let center = places.iter().sum::<Vec3>() / places.len() as f32;
    let mut sums = [Vec3::ZERO; 2];
    for (place, velocity) in places.iter().zip(velocities) {
        let velocity = velocity.expect("alive");
        sums[0] += mass * velocity;
        sums[1] += mass * (*place - center).cross(velocity);
    }
    sums
}

#[test]
fn a_hole_lets_the_gas_out_pushes_the_balloon_on_and_is_told_of_once() {
    let mut world = space(1, (4, 4));
    let pressure = ball(&mut space(1, (4, 4)), PLACE, STIFFNESS, stiff(1.0)).pressure_at(0.1, STIFFNESS);
    let grown = 1.1f32.powi(3) * (1.0 + pressure / AMBIENT_PRESSURE);
    let ball = ball(&mut world, PLACE, STIFFNESS, |volume| Filling::Gas(grown * volume));
    run(&mut world, 2.0);
    assert!(world.take_burst_balloons().is_empty());
    let face = world.constraint(ball.faces[0]).expect("alive").particles;
    let out = face
        .iter()
        .map(|&id| world.positions(&[id])[0].expect("alive") - PLACE.0)
        .sum::<Vec3>()
        .normalize();
    assert_eq!(world.remove_constraints(&ball.faces[..1]), 1);
    let full = world.balloon(ball.balloon).expect("alive");
    // The triangle that is gone.
    assert!(
        full.hole > 0.0 && full.hole < 0.01 * 4.0 * 0.3 * 0.3 * std::f32::consts::PI,
        "{full:?}"
    );
    world.step(DT);
    assert_eq!(world.take_burst_balloons(), [ball.balloon]);
    run(&mut world, 0.2);
    let moved = momenta(&mut world, &ball)[0];
    assert!(moved.normalize().dot(-out) > 0.95, "{moved} away from {out}");
    run(&mut world, 4.0);
    let empty = world.balloon(ball.balloon).expect("alive");
    assert!(world.take_burst_balloons().is_empty());
    assert!(empty.pressure.abs() < 0.02 * full.pressure, "{empty:?}");
    assert!((empty.volume / ball.volume - 1.0).abs() < 0.03, "slack: {empty:?}");
    // All faces gone: so is the balloon.
    world.remove_constraints(&ball.faces);
    world.step(DT);
    assert_eq!(world.take_burst_balloons(), [ball.balloon]);
    assert!(world.balloon(ball.balloon).is_none());
}

#[test]
fn a_balloon_is_inflated_over_time_refilled_and_emptied() {
    let mut world = space(1, (4, 4));
    let ball = ball(&mut world, PLACE, STIFFNESS, stiff(1.0));
    let inflation = Inflation {
        from: ball.volume,
        to: 1.5 * ball.volume,
        start: 0.5,
        over: 1.0,
    };
    world.inflate(ball.balloon, inflation).expect("fine");
    run(&mut world, 0.5);
    assert!((share(&world, &ball) - 1.0).abs() < 0.01);
    run(&mut world, 0.5);
    assert!((share(&world, &ball) - 1.25).abs() < 0.02, "{}", share(&world, &ball));
    run(&mut world, 2.0);
    assert!((share(&world, &ball) - 1.5).abs() < 0.01);
    world
        .set_filling(ball.balloon, Filling::Gas(0.5 * ball.volume))
        .expect("fine");
    run(&mut world, 2.0);
    let half = share(&world, &ball);
    assert!(
        (half - 0.5).abs() < 0.02,
        "it caves in, not to be drawn larger than what is in it: {half}"
    );
    assert_eq!(world.remove_constraints(&[ball.balloon]), 1);
    assert_eq!(
        world.set_filling(ball.balloon, Filling::Gas(1.0)),
        Err(WorldError::Gone("balloon"))
    );
}

fn crowd(threads: usize) -> (World, Vec<Ball>) {
    let settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings");
    let balls = (0..6)
        .map(|k| {
            let place = Vec3::new(0.5 * (k % 3) as f32, 0.0, 0.5 * (k / 3) as f32);
            ball(&mut world, (place, 0.2, 2), STIFFNESS, move |volume| match k % 3 {
                0 => Filling::Gas(1.3 * volume),
                1 => Filling::Pressure(60.0),
                _ => Filling::Volume {
                    volume: 1.2 * volume,
                    softness: Softness::Compliance(1e-6),
                },
            })
        })
        .collect();
    (world, balls)
}

#[test]
fn balloons_are_the_same_for_any_number_of_threads_and_go_on_as_saved() {
    let [mut one, mut three] = [1, 3].map(crowd);
    for (world, balls) in [&mut one, &mut three] {
        run(world, 0.5);
        for ball in &balls[..4] {
            world.remove_constraints(&ball.faces[3..5]);
        }
        run(world, 0.25);
    }
    assert_eq!(one.0.digest(), three.0.digest());
    let saved = three.0.save();
    let mut restored = World::restore(&saved, Box::new(CpuEngine::with_threads(2))).expect("sound");
    assert_eq!(restored.save(), saved);
    run(&mut restored, 0.25);
    run(&mut one.0, 0.25);
    assert_eq!(restored.digest(), one.0.digest());
    let lost = restored.balloon(one.1[0].balloon).expect("alive").lost;
    assert!(
        lost > 0.0 && lost == one.0.balloon(one.1[0].balloon).expect("alive").lost,
        "{lost}"
    );
}

#[test]
fn what_cannot_be_filled_is_refused() {
    let mut world = space(1, (4, 4));
    let full = ball(&mut world, PLACE, STIFFNESS, stiff(1.0));
    let other = ball(&mut world, (Vec3::ZERO, 0.3, 1), STIFFNESS, stiff(1.0));
    world.remove_constraints(&[other.balloon]);
    let balloon = |faces: &[_], filling| NewBalloon {
        faces: faces.to_vec(),
        filling,
    };
    let mut refuse = |new: NewBalloon, why: &str| {
        let error = world.add_balloons(&[new]).expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    };
    refuse(balloon(&other.faces[1..], Filling::Gas(1.0)), "open at");
    refuse(balloon(&[], Filling::Gas(1.0)), "closed surface");
    refuse(balloon(&full.faces, Filling::Gas(1.0)), "of another balloon");
    refuse(
        balloon(&[full.balloon], Filling::Gas(1.0)),
        "face of a balloon does not exist",
    );
    refuse(balloon(&other.faces, Filling::Gas(-1.0)), "gas is -1");
    refuse(balloon(&other.faces, Filling::Pressure(f32::NAN)), "pressure is NaN");
    let inward: Vec<NewFace> = { other.faces.iter() }
        .map(|&face| {
            let ids = world.constraint(face).expect("alive").particles;
            NewFace::new([ids[0], ids[2], ids[1]])
        })
        .collect();
    let inward = world.add_faces(&inward).expect("faces");
    let error = world
        .add_balloons(&[balloon(&inward, Filling::Gas(1.0))])
        .expect_err("inward");
    assert!(error.to_string().contains("look out"), "{error}");
    assert!(world.set_softness(full.balloon, Softness::STIFF).is_err());
    assert!(world.set_rest_length(full.balloon, 1.0).is_err());
}
