//! What would pass a sheet within a sub-step is held alike on both engines.

use motes_core::glam::Vec3;
use motes_core::{CpuEngine, ParticleId, Settings, World};
use motes_gpu::GpuEngine;

use crate::sheet::RADIUS;
use crate::thrown;

const DT: f32 = 1.0 / 60.0;

fn compare(radius: Option<f32>, throw: fn(&mut World) -> Vec<ParticleId>) {
    let Some(gpu) = crate::gpu() else { return };
    let settings = Settings {
        particle_radius: RADIUS,
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::new())).expect("settings");
    thrown::pinned(&mut world, radius);
    let ids = throw(&mut world);
    for frame in 0..4 {
        let mut other = World::restore(&world.save(), Box::new(GpuEngine::new(&gpu).expect("engine"))).expect("state");
        world.step(DT);
        other.step(DT);
        other.health().expect("finite");
        let [a, b] = [&world, &other].map(|world| world.positions(&ids));
        let apart = a
            .iter()
            .zip(&b)
            .map(|(a, b)| a.expect("alive").distance(b.expect("alive")));
        let most = apart.fold(0.0, f32::max);
        println!("frame {frame}: {most:.1e} m");
        assert!(most < 1e-4, "frame {frame}: {most}");
        let lowest = thrown::lowest(&other, &ids);
        assert!(lowest > 0.8 * RADIUS, "{lowest}");
    }
}

#[test]
fn grains_are_held_alike() {
    compare(None, thrown::grains);
}

#[test]
fn grains_of_another_size_are_held_alike() {
    compare(Some(0.8 * RADIUS), thrown::grains);
}

#[test]
fn a_sheet_is_held_alike() {
    compare(None, thrown::sheet);
}
