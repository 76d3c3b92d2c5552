//! Pins that are carried along, and cloth that is drawn by a spring: the same on both engines.

use motes_core::glam::{Quat, Vec3};
use motes_core::{CpuEngine, Engine, Keyframe, Motion, Pose, Spring, World};
use motes_gpu::GpuEngine;

use crate::{gpu, sheet};

const DT: f32 = 1.0 / 60.0;

/// One engine of each kind; none without a GPU.
fn engines() -> Option<[Box<dyn Engine>; 2]> {
    let gpu = gpu()?;
    Some([
        Box::new(CpuEngine::with_threads(2)),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ])
}

const SIDE: usize = 10;

/// A sheet on either engine.
fn hung(engine: Box<dyn Engine>, substeps: u32) -> (World, Vec<motes_core::ParticleId>) {
    let settings = motes_core::Settings {
        particle_radius: sheet::RADIUS,
        substeps,
        ..motes_core::Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let (_, ids) = sheet::sheet(&mut world, SIDE, None);
    (world, ids)
}

fn places(world: &World, ids: &[motes_core::ParticleId]) -> Vec<Vec3> {
    let places = world.positions(ids);
    places.into_iter().map(|place| place.expect("alive")).collect()
}

fn furthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn pins_that_are_carried_and_the_cloth_between_them_are_the_same_on_both_engines() {
    let Some(engines) = engines() else { return };
    let key = |time, height: f32, angle| Keyframe {
        time,
        pose: Pose {
            position: Vec3::new(0.0, height, 0.0),
            rotation: Quat::from_rotation_y(angle),
        },
    };
    let lift = Motion::Path {
        keys: vec![key(0.0, 0.0, 0.0), key(0.2, 0.3, 0.5), key(0.3, 0.3, 0.5)],
        repeat: false,
    };
    let away = Motion::Steady {
        velocity: Vec3::new(0.0, 0.4, -1.0),
        angular_velocity: Vec3::ZERO,
    };
    let mut runs = engines.map(|engine| {
        let (mut world, ids) = hung(engine, 3);
        let row: Vec<_> = (0..SIDE).map(|column| ids[column * SIDE]).collect();
        world
            .carry_particles(&row, Pose::IDENTITY, lift.clone())
            .expect("carried");
        world
            .carry_particles(&ids[SIDE - 1..SIDE], Pose::IDENTITY, away.clone())
            .expect("carried");
        (world, ids)
    });
    let starts = sheet::places(SIDE);
    for frame in 1..=24 {
        let [cpu, gpu] = runs.each_mut().map(|(world, ids)| {
            world.step(DT);
            places(world, ids)
        });
        let time = f64::from(frame) / 60.0;
        for found in [&cpu, &gpu] {
            for column in 0..SIDE {
                let pose = lift.pose(&Pose::IDENTITY, time);
                let expected = pose.point(starts[column * SIDE]);
                assert!(found[column * SIDE].distance(expected) < 3e-6, "{frame}: {column}");
            }
            let expected = away.pose(&Pose::IDENTITY, time).point(starts[SIDE - 1]);
            assert!(found[SIDE - 1].distance(expected) < 3e-6, "{frame}");
        }
        let apart = furthest(&cpu, &gpu);
        assert!(apart < 1e-4, "after {frame} frames {apart} m");
    }
    for (world, _) in &mut runs {
        world.health().expect("finite");
    }
}

#[test]
fn a_corner_of_cloth_that_is_drawn_by_a_spring_arrives_on_both_engines() {
    let Some(engines) = engines() else { return };
    let target = Vec3::new(0.06, 0.15, 0.09);
    let [cpu, gpu] = engines.map(|engine| {
        let (mut world, ids) = hung(engine, 3);
        world.set_inverse_masses(&[(ids[0], 0.0)]).expect("alive");
        let corner = *ids.last().expect("a sheet");
        let mass = 1.0 / world.inverse_masses(&[corner])[0].expect("alive");
        let spring = Spring::critical(target, 4.0 * (SIDE * SIDE) as f32 * mass, 0.1);
        for _ in 0..60 {
            world.pull_particle(corner, spring).expect("a spring");
            world.step(DT);
        }
        places(&world, &[corner])[0]
    });
    assert!(cpu.distance(target) < 0.01, "{cpu}");
    assert!(cpu.distance(gpu) < 1e-3, "{cpu} {gpu}");
}
