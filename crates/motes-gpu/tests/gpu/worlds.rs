//! Several worlds on one device, and what they have to do with each other: nothing.

use motes_core::{Engine, Settings, World};
use motes_gpu::{Gpu, GpuEngine};

const DT: f32 = 1.0 / 60.0;
const FRAMES: usize = 20;

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

/// Three worlds of different sizes and settings.
fn build(gpu: &Gpu) -> [World; 3] {
    let finer = Settings {
        substeps: 3,
        mass_scaling: 0.3,
        ..Settings::default()
    };
    [
        crate::engine::build(on_gpu(gpu), Settings::default(), 4).0,
        crate::population::build(on_gpu(gpu)),
        crate::engine::build(on_gpu(gpu), finer, 2).0,
    ]
}

#[test]
fn worlds_that_share_a_device_are_as_they_would_be_alone() {
    let Some(picked) = crate::gpu() else { return };
    let alone = build(&picked).map(|mut world| {
        (0..FRAMES).for_each(|_| world.step(DT));
        world.digest()
    });
    // A device that somebody else has made, with the features that the one before had.
    let gpu = crate::own_device(&picked, picked.device().features());
    let mut worlds = build(&gpu);
    for frame in 0..FRAMES {
        for (place, world) in worlds.iter_mut().enumerate() {
            world.step(DT);
            if frame % 4 == place {
                world.digest();
            }
        }
    }
    assert_eq!(worlds.map(|world| world.digest()), alone);
}

#[test]
fn positions_can_be_bound_where_they_are() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = crate::population::build(on_gpu(&gpu));
    for _ in 0..30 {
        world.step(DT);
    }
    let count = world.particle_count();
    let engine = world.engine_as::<GpuEngine>().expect("the engine it was made with");
    let told = engine.count_buffer().read(0..1).expect("a read").wait().expect("count");
    let mut found = engine
        .position_buffer()
        .read(0..count)
        .expect("a read")
        .wait()
        .expect("positions");
    assert_eq!(told, [count as u32]);
    let mut expected = world.particles().positions.clone();
    for positions in [&mut found, &mut expected] {
        positions.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).expect("numbers"));
    }
    assert_eq!(found, expected);
}
