//! Passive particles on the device go the way they go on the CPU.

use motes_core::glam::{Vec3, Vec4, Vec4Swizzles};
use motes_core::random::Random;
use motes_core::{BodyId, CpuEngine, Engine, Group, Material, Passive, Settings, Volume, World};
use motes_gpu::{Gpu, GpuEngine};

use crate::liquids::shaken;
use crate::tank::{self, liquid, tank_on};

const DT: f32 = 1.0 / 60.0;

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

fn on_cpu() -> Box<dyn Engine> {
    Box::new(CpuEngine::with_threads(2))
}

fn empty(engine: Box<dyn Engine>) -> World {
    World::with_engine(Settings::default(), engine).expect("settings")
}

/// Markers at random in a cube, some of which live for ever and some not.
pub(crate) fn markers(seed: u64, count: usize, size: f32) -> Vec<Passive> {
    let mut random = Random::new(seed, 0);
    let mut place = |size: f32| size * Vec3::new(random.signed(), random.signed(), random.signed());
    (0..count)
        .map(|k| Passive {
            position: place(size) + 0.5 * Vec3::Y,
            velocity: place(2.0),
            lifetime: if k % 3 == 0 {
                0.05 * (k % 20) as f32
            } else {
                f32::INFINITY
            },
        })
        .collect()
}

/// A heap that falls apart, of a kind of group, with markers among it.
pub(crate) fn heap(engine: Box<dyn Engine>, settings: Settings, kinds: &[Group]) -> World {
    let (mut world, _) = crate::engine::build(engine, settings, 3);
    let mut random = Random::new(7, 0);
    for group in kinds {
        let group = world.add_group(group.clone()).expect("group");
        let mut place = || Vec3::new(random.signed(), random.signed(), random.signed());
        let places: Vec<Vec3> = (0..300).map(|_| 0.6 * place() + Vec3::Y).collect();
        world.add_particles(group, &places, Vec3::X).expect("particles");
    }
    world.add_passive(&markers(3, 2000, 1.0)).expect("markers");
    world
}

fn farthest(a: &[Vec4], b: &[Vec4]) -> f32 {
    assert_eq!(a.len(), b.len());
    let apart = a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element());
    apart.fold(0.0, f32::max)
}

/// One frame from the same state on both engines, at moments of a run.
fn compare(gpu: &Gpu, name: &str, build: impl Fn(Box<dyn Engine>) -> World) {
    let mut world = build(on_cpu());
    for frame in 0..8 {
        let mut other = World::restore(&world.save(), on_gpu(gpu)).expect("state");
        assert_eq!(world.digest(), other.digest(), "{name}: the state is all there");
        let before = world.passive_count();
        world.step(DT);
        other.step(DT);
        let (expected, found) = (world.passive(), other.passive());
        assert!(frame != 0 || expected.len() < before, "{name}: some have died");
        let apart = farthest(expected.positions(), found.positions());
        assert!(apart < 1e-5, "{name}, frame {frame}: {apart} m apart");
        let faster = farthest(expected.velocities(), found.velocities());
        assert!(faster < 2e-4, "{name}, frame {frame}: {faster} m/s apart");
        assert_eq!(other.fault(), None);
    }
}

#[test]
fn a_frame_takes_markers_where_it_does_on_the_cpu() {
    let Some(gpu) = crate::gpu() else { return };
    let material = motes_core::MaterialId(0);
    let settings = || Settings {
        substeps: 2,
        iterations: 3,
        ..Settings::default()
    };
    compare(&gpu, "grains", |engine| heap(engine, settings(), &[]));
    compare(&gpu, "every setting turned", |engine| {
        heap(engine, crate::engine::turned(), &[])
    });
    compare(&gpu, "water", |engine| {
        let mut world = tank_on(engine, tank::settings(0.05, [2, 3]), [14, 14]);
        let water = liquid(&mut world, "water", Material::WATER);
        let places = shaken([7; 3], Vec3::ZERO, 8);
        world.add_particles(water, &places, Vec3::X).expect("particles");
        world.add_passive(&markers(3, 2000, 1.0)).expect("markers");
        world
    });
    let small = [Group::grains("small", material).with_radius(0.02)];
    compare(&gpu, "several sizes", |engine| heap(engine, settings(), &small));
    compare(&gpu, "many", |engine| {
        let mut world = heap(engine, settings(), &[]);
        world.add_passive(&markers(11, 18_000, 1.0)).expect("markers");
        world
    });
    compare(&gpu, "bodies", |engine| {
        let (mut world, _): (World, Vec<BodyId>) = crate::bodies::on_grains(engine);
        world.add_passive(&markers(4, 2000, 1.0)).expect("markers");
        world
    });
    let no_iterations = Settings {
        iterations: 0,
        ..settings()
    };
    compare(&gpu, "no iterations", |engine| heap(engine, no_iterations.clone(), &[]));
}

#[test]
fn markers_come_and_go_as_on_the_cpu() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = [empty(on_cpu()), empty(on_gpu(&gpu))];
    let mut most = 0;
    for frame in 0..60 {
        for world in &mut worlds {
            if frame == 20 {
                world.kill_volumes_mut().push(Volume::Box {
                    min: Vec3::new(-9.0, -9.0, -9.0),
                    max: Vec3::new(9.0, -0.5, 9.0),
                });
            }
            if frame % 7 != 3 {
                world.add_passive(&markers(frame, 37, 1.0)).expect("markers");
            }
            if frame == 40 {
                world.passive_mut().parts_mut().0[0].x = 3.0;
            }
            if frame == 50 {
                world.clear_passive();
                world.add_passive(&markers(frame, 5, 1.0)).expect("markers");
            }
            world.step(DT);
        }
        let [cpu, gpu] = &worlds;
        most = most.max(cpu.passive_count());
        // Without asking at times, so that the host does not know how many there are.
        if frame % 5 == 0 {
            assert_eq!(cpu.passive_count(), gpu.passive_count(), "frame {frame}");
        }
        if frame % 11 == 0 {
            let apart = farthest(cpu.passive().positions(), gpu.passive().positions());
            assert!(apart < 1e-5, "frame {frame}: {apart} m apart");
        }
    }
    assert!(most > 400);
    let [cpu, gpu] = &mut worlds;
    for world in [cpu, gpu] {
        world.add_passive(&markers(99, 3, 1.0)).expect("markers");
        assert_eq!(
            world.passive().len(),
            world.passive_count(),
            "those added are there at once"
        );
    }
    assert_eq!(worlds[0].passive_count(), worlds[1].passive_count());
}

#[test]
fn markers_change_nothing_for_others_and_are_in_the_digest() {
    let Some(gpu) = crate::gpu() else { return };
    let run = |count: usize| {
        let (mut world, ids) = crate::engine::build(on_gpu(&gpu), Settings::default(), 3);
        world.add_passive(&markers(5, count, 1.0)).expect("markers");
        (0..15).for_each(|_| world.step(DT));
        let places: Vec<Vec3> = world.positions(&ids).into_iter().flatten().collect();
        (places, world.digest())
    };
    let ([with, without], again) = ([run(500), run(0)], run(500));
    let apart = with.0.iter().zip(&without.0).map(|(a, b)| a.distance(*b));
    assert!(apart.fold(0.0, f32::max) < 1e-6);
    assert_ne!(with.1, without.1);
    assert_eq!(with.1, again.1, "the same bytes in every run");
}

#[test]
fn who_else_is_moved_and_when_changes_nothing() {
    let Some(gpu) = crate::gpu() else { return };
    // So many that they are moved cell by cell, and so few that they are not.
    let run = |count: usize| {
        let mut world = heap(on_gpu(&gpu), Settings::default(), &[]);
        world.clear_passive();
        let immortal = |marker: Passive| Passive {
            lifetime: f32::INFINITY,
            ..marker
        };
        let all: Vec<Passive> = markers(12, count, 1.0).into_iter().map(immortal).collect();
        world.add_passive(&all).expect("markers");
        for frame in 0..14 {
            if frame == 11 {
                world.add_passive(&all[..100]).expect("markers");
            }
            world.step(DT);
        }
        assert_eq!(world.fault(), None);
        let passive = world.passive();
        let of = |all: &[Vec4]| [&all[..1000], &all[count..]].concat();
        (of(passive.positions()), of(passive.velocities()))
    };
    let (many, few) = (run(20_000), run(1000));
    assert!(many.0[0].w > 0.2, "they have been moved");
    assert_eq!(many, few);
}

#[test]
fn a_million_markers_around_grains() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, _) = crate::engine::build(on_gpu(&gpu), Settings::default(), 3);
    let without = world.memory_bytes();
    let all: Vec<Passive> = markers(6, 1_000_000, 4.0)
        .into_iter()
        .map(|marker| Passive {
            lifetime: f32::INFINITY,
            ..marker
        })
        .collect();
    world.add_passive(&all).expect("markers");
    world.step(DT);
    let first = markers(6, 1, 4.0)[0].position;
    assert_eq!(world.passive_count(), all.len());
    assert!(world.passive().positions()[0].xyz().distance(first) < 0.1);
    let each = (world.memory_bytes() - without) / all.len();
    assert!(each < 49, "{each} bytes each where none can die");
    assert_eq!(world.fault(), None);
}

#[test]
fn positions_of_passive_particles_can_be_bound_where_they_are() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = heap(on_gpu(&gpu), Settings::default(), &[]);
    for frame in 0..12 {
        if frame % 5 == 1 {
            world.add_passive(&markers(frame, 301, 0.5)).expect("markers");
        }
        world.step(DT);
        let engine = world.engine_as::<GpuEngine>().expect("the engine it was made with");
        let (counts, place) = engine.passive_count_buffer();
        let told = counts.read(place..place + 1).expect("a read").wait().expect("count");
        let positions = engine
            .passive_position_buffer()
            .read(0..told[0] as usize)
            .expect("a read");
        let found = positions.wait().expect("positions");
        assert_eq!(found, world.passive().positions(), "frame {frame}");
    }
    assert!(world.passive_count() < 2000 + 3 * 301, "some have died");
}

#[test]
fn when_the_last_has_died_there_are_none_however_late_the_host_hears_of_it() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = empty(on_gpu(&gpu));
    world
        .add_passive(&[Passive {
            position: Vec3::Y,
            velocity: Vec3::ZERO,
            lifetime: 0.05,
        }])
        .expect("a marker");
    assert_eq!(
        (world.passive_count(), world.passive().len()),
        (1, 1),
        "read before the first frame"
    );
    for _ in 0..20 {
        world.step(DT);
        // Whatever was heard of in the meantime.
        world.wait();
    }
    assert_eq!((world.passive_count(), world.passive().len()), (0, 0));
    world.add_passive(&markers(1, 5, 1.0)).expect("markers");
    assert_eq!((world.passive_count(), world.passive().len()), (5, 5));
}
