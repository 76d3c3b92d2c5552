//! Nothing passes a sheet within a sub-step, however fast; grains on their own do.

#[allow(dead_code)]
#[path = "common/sheet.rs"]
mod sheet;
#[path = "common/thrown.rs"]
mod thrown;

use motes_core::glam::Vec3;
use motes_core::{CpuEngine, NewBody, ParticleId, Settings, World};
use sheet::RADIUS;

const DT: f32 = 1.0 / 60.0;

fn floating(threads: usize) -> World {
    with_iterations(threads, Settings::default().iterations)
}

fn with_iterations(threads: usize, iterations: u32) -> World {
    let settings = Settings {
        iterations,
        particle_radius: RADIUS,
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings")
}

/// How low it comes in a few frames, metres.
fn lowest(world: &mut World, ids: &[ParticleId]) -> f32 {
    let mut lowest = f32::INFINITY;
    for _ in 0..5 {
        world.step(DT);
        lowest = lowest.min(thrown::lowest(world, ids));
    }
    world.health().expect("finite");
    lowest
}

#[test]
fn grains_do_not_pass_a_sheet() {
    for radius in [None, Some(0.8 * RADIUS)] {
        let mut world = floating(1);
        thrown::pinned(&mut world, radius);
        let grains = thrown::grains(&mut world);
        let lowest = lowest(&mut world, &grains);
        assert!(lowest > 0.8 * RADIUS, "{lowest} of {radius:?}");
    }
}

#[test]
fn they_pass_what_is_no_sheet() {
    let mut world = floating(1);
    let group = thrown::pinned(&mut world, None);
    world.set_ignore_rest_overlaps(group, false).expect("alive");
    let grains = thrown::grains(&mut world);
    let lowest = lowest(&mut world, &grains);
    assert!(lowest < -0.5, "{lowest}");
}

#[test]
fn a_sheet_does_not_pass_another() {
    let mut world = floating(1);
    thrown::pinned(&mut world, None);
    let other = thrown::sheet(&mut world);
    let lowest = lowest(&mut world, &other);
    assert!(lowest > 0.8 * RADIUS, "{lowest}");
}

#[test]
fn a_body_does_not_pass_a_sheet() {
    // All contacts of a body share its mass: a few iterations do not stop it within a sub-step.
    let mut world = with_iterations(1, 8);
    thrown::pinned(&mut world, None);
    let stone = world.add_material(Default::default()).expect("material");
    let corners: Vec<Vec3> = (0..8)
        .map(|i| 2.0 * RADIUS * Vec3::new((i & 1) as f32, (i / 2 % 2) as f32, (i / 4) as f32))
        .collect();
    let block = NewBody {
        pose: motes_core::Pose::at(Vec3::new(0.3, 0.2, 0.3)),
        velocity: -thrown::SPEED * Vec3::Y,
        ..NewBody::new("block", stone, corners, vec![1.0; 8])
    };
    let body = world.add_body(block).expect("body");
    let mut heights = Vec::new();
    for _ in 0..30 {
        world.step(DT);
        heights.push(world.body_motion(body).expect("alive").center.y);
    }
    assert!(heights.iter().all(|&height| height > -RADIUS), "{heights:?}");
    assert!(heights[29] > 0.8 * RADIUS, "{heights:?}");
}

#[test]
fn what_passes_is_the_same_on_any_number_of_threads() {
    let digest = |threads: usize| {
        let mut world = floating(threads);
        thrown::pinned(&mut world, None);
        thrown::grains(&mut world);
        thrown::sheet(&mut world);
        lowest(&mut world, &[]);
        world.digest()
    };
    assert_eq!(digest(1), digest(3));
}
