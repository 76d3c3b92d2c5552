//! Balloons on the GPU: the same as on the CPU, whatever they are filled with, whole, inflated and burst.

use motes_core::glam::Vec3;
use motes_core::{CpuEngine, Engine, Filling, Inflation, Settings, Softness, World};
use motes_gpu::GpuEngine;

use crate::ball::{Ball, RADIUS, ball};
use crate::gpu;

const DT: f32 = 1.0 / 60.0;
const STIFFNESS: f32 = 300.0;

/// Six balloons of several sizes and fillings that fall on each other.
fn crowd(engine: Box<dyn Engine>) -> (World, Vec<Ball>) {
    let settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let balls = (0..6).map(|k| {
        let place = Vec3::new(0.5 * (k % 3) as f32, 0.0, 0.5 * (k / 3) as f32);
        let times = 1 + k as u32 % 3;
        ball(
            &mut world,
            (place, 0.1 * (1 + k % 2) as f32, times),
            STIFFNESS,
            move |volume| match k % 3 {
                0 => Filling::Gas(1.3 * volume),
                1 => Filling::Pressure(60.0),
                _ => Filling::Volume {
                    volume: 1.2 * volume,
                    softness: if k == 2 {
                        Softness::Compliance(1e-6)
                    } else {
                        Softness::Stiffness(0.5)
                    },
                },
            },
        )
    });
    let balls = balls.collect();
    (world, balls)
}

fn crowds() -> Option<[(World, Vec<Ball>); 2]> {
    let gpu = gpu()?;
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::new()),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ];
    Some(engines.map(crowd))
}

/// How far apart the particles of two worlds are at most, metres.
fn apart(pair: &mut [(World, Vec<Ball>); 2]) -> f32 {
    let [cpu, gpu] = pair.each_mut().map(|(world, balls)| {
        let ids: Vec<_> = balls.iter().flat_map(|ball| &ball.ids).copied().collect();
        world.positions(&ids)
    });
    let far = cpu
        .iter()
        .zip(&gpu)
        .map(|(a, b)| a.expect("alive").distance(b.expect("alive")));
    far.fold(0.0, f32::max)
}

#[test]
fn balloons_are_the_same_as_on_the_cpu() {
    let Some(mut both) = crowds() else { return };
    for _ in 0..3 {
        both.iter_mut().for_each(|(world, _)| world.step(DT));
        let apart = apart(&mut both);
        assert!(apart < 2e-5, "{apart} m");
    }
    for k in 0..6 {
        let [cpu, gpu] = both
            .each_ref()
            .map(|(world, balls)| world.balloon(balls[k].balloon).expect("alive"));
        assert!(
            (cpu.pressure - gpu.pressure).abs() < 1e-2 * cpu.pressure.abs() + 1.0,
            "{cpu:?} {gpu:?}"
        );
        assert!((cpu.volume / gpu.volume - 1.0).abs() < 1e-4, "{cpu:?} {gpu:?}");
    }
}

#[test]
fn balloons_are_inflated_switched_off_and_removed_as_on_the_cpu() {
    let Some(mut both) = crowds() else { return };
    for (world, balls) in &mut both {
        world.step(DT);
        let inflation = Inflation {
            from: balls[0].volume,
            to: 1.5 * balls[0].volume,
            start: 0.0,
            over: 0.1,
        };
        world.inflate(balls[0].balloon, inflation).expect("fine");
        world.switch_constraint(balls[1].balloon, false).expect("alive");
        world.remove_constraints(&[balls[2].balloon]);
        world
            .set_filling(balls[3].balloon, Filling::Pressure(50.0))
            .expect("alive");
        for _ in 0..4 {
            world.step(DT);
        }
    }
    let apart = apart(&mut both);
    assert!(apart < 5e-5, "{apart} m");
}

#[test]
fn balloons_burst_as_on_the_cpu_and_are_restored_with_what_is_left() {
    let Some(mut both) = crowds() else { return };
    for (world, balls) in &mut both {
        (0..2).for_each(|_| world.step(DT));
        for ball in balls.iter() {
            world.remove_constraints(&ball.faces[3..5]);
        }
        (0..3).for_each(|_| world.step(DT));
        let mut burst = world.take_burst_balloons();
        burst.sort();
        assert_eq!(burst, balls.iter().map(|ball| ball.balloon).collect::<Vec<_>>());
    }
    let far = apart(&mut both);
    assert!(far < 5e-5, "{far} m");
    for k in 0..6 {
        let [cpu, gpu] = both
            .each_ref()
            .map(|(world, balls)| world.balloon(balls[k].balloon).expect("alive"));
        assert!(
            cpu.lost != 0.0 && (cpu.lost / gpu.lost - 1.0).abs() < 0.01,
            "{cpu:?} {gpu:?}"
        );
    }
    // From what the GPU has saved, both go on alike.
    let saved = both[1].0.save();
    let Some(gpu) = gpu() else { return };
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::new()),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ];
    let balls = both[1].1.clone();
    let mut restored = engines.map(|engine| (World::restore(&saved, engine).expect("sound"), balls.clone()));
    for (world, _) in &mut restored {
        (0..2).for_each(|_| world.step(DT));
    }
    let far = apart(&mut restored);
    assert!(far < 2e-5, "{far} m");
    let lost = restored
        .each_ref()
        .map(|(world, balls)| world.balloon(balls[0].balloon).expect("alive").lost);
    assert!(lost[0] > 0.0 && (lost[0] / lost[1] - 1.0).abs() < 0.01, "{lost:?}");
}
