//! A device that is lost, and worlds that it has no room for: errors with a type, and no panic.

use motes_core::glam::Vec3;
use motes_core::{Engine, Group, Material, Settings, World};
use motes_gpu::{Gpu, GpuEngine, GpuError};

const DT: f32 = 1.0 / 60.0;

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

fn status(world: &World) -> Result<(), GpuError> {
    world.engine_as::<GpuEngine>().expect("a GPU engine").status()
}

/// Asks for everything there is to ask for.
fn look_at_everything(world: &mut World) {
    let _ = world.health();
    let count = world.particle_count();
    assert_eq!(world.particles().len(), count);
    world.collider_contacts();
    world.particle_contacts();
    world.collider_forces();
    world.trigger_overlaps();
    world.wait();
    world.notice();
    world.timings();
    world.digest();
    assert!(!world.save().is_empty());
}

#[test]
fn a_world_whose_device_is_lost_says_so_and_does_not_panic() {
    let Some(gpu) = crate::gpu() else { return };
    let builds = [
        |gpu: &Gpu| crate::engine::build(on_gpu(gpu), Settings::default(), 3).0,
        |gpu: &Gpu| crate::population::build(on_gpu(gpu)),
    ];
    let mut worlds = builds.map(|build| build(&gpu));
    for world in &mut worlds {
        for _ in 0..12 {
            world.step(DT);
        }
        assert!(world.fault().is_none() && status(world).is_ok());
    }
    gpu.device().destroy();
    for world in &mut worlds {
        for _ in 0..3 {
            world.step(DT);
            let found = status(world);
            assert!(matches!(found, Err(GpuError::Lost { .. })), "{found:?}");
            look_at_everything(world);
        }
        assert!(world.fault().is_some_and(|fault| fault.contains("lost")));
    }
    assert!(GpuEngine::new(&gpu).is_err());
}

/// A device that allows but a quarter of a megabyte in a buffer.
fn small_device() -> Option<Gpu> {
    let picked = crate::gpu()?;
    let limits = wgpu::Limits {
        max_buffer_size: 1 << 18,
        max_storage_buffer_binding_size: 1 << 18,
        ..wgpu::Limits::defaults()
    };
    let gpu = crate::own_device_with(&picked, wgpu::Features::empty(), limits);
    gpu.watch();
    Some(gpu)
}

#[test]
fn a_world_that_is_too_large_for_the_device_is_refused_and_can_be_taken_elsewhere() {
    let Some(gpu) = small_device() else { return };
    let mut world = World::with_engine(Settings::default(), on_gpu(&gpu)).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    let places: Vec<Vec3> = (0..40_000).map(|i| Vec3::new(i as f32, 1.0, 0.0)).collect();
    world.add_particles(group, &places, Vec3::ZERO).expect("particles");
    for _ in 0..2 {
        world.step(DT);
        look_at_everything(&mut world);
        assert!(
            matches!(
                status(&world),
                Err(GpuError::TooManyParticles {
                    count: 40_000,
                    limit: 2688
                })
            ),
            "{:?}",
            status(&world)
        );
    }
    assert_eq!(world.particle_count(), places.len());
    let fault = world.fault().expect("a fault");
    assert!(fault.contains("hold 2688"), "{fault}");
    let restored = World::restore(&world.save(), Box::new(motes_core::CpuEngine::new()));
    assert_eq!(restored.expect("state").particle_count(), places.len());
}

#[test]
fn a_world_that_grows_too_large_stays_as_it_was_before() {
    let Some(gpu) = small_device() else { return };
    let mut world = crate::population::build(on_gpu(&gpu));
    for emitter in world.emitters_mut() {
        emitter.rate = f32::INFINITY;
        emitter.speed = 20.0;
        emitter.shape = motes_core::EmitterShape::Disc { radius: 1.5 };
        emitter.lifetime = f32::INFINITY;
    }
    world.kill_volumes_mut().clear();
    for _ in 0..100 {
        if world.fault().is_some() {
            break;
        }
        world.step(DT);
    }
    assert!(
        matches!(
            status(&world),
            Err(GpuError::TooManyParticles { .. } | GpuError::TooLarge { .. })
        ),
        "{:?}",
        status(&world)
    );
    let count = world.particle_count();
    assert!(count > 1000, "{count}");
    let digest = world.digest();
    world.step(DT);
    look_at_everything(&mut world);
    assert_eq!((world.particle_count(), world.digest()), (count, digest));
    let finite = world.particles().positions.iter().all(|position| position.is_finite());
    assert!(finite, "nobody is half there");
}
