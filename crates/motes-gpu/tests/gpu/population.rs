//! Particles that are born and die on the device: the same ones, under the same ids, as on the CPU.

use motes_core::colliders::Plane;
use motes_core::glam::{Quat, Vec3};
use motes_core::{
    Collider, CpuEngine, Emitter, EmitterShape, Engine, Group, Material, ParticleId, Pose, Settings, Shape, Volume,
    World,
};
use motes_gpu::{Gpu, GpuEngine};

const DT: f32 = 1.0 / 60.0;

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

fn hose(name: &str, place: Vec3, lifetime: f32, group: motes_core::GroupId) -> Emitter {
    Emitter {
        pose: Pose {
            position: place,
            rotation: Quat::from_rotation_x(2.6),
        },
        speed: 3.0,
        rate: 240.0,
        spread: 0.1,
        lifetime,
        seed: 5,
        ..Emitter::new(name, group, EmitterShape::Disc { radius: 0.3 })
    }
}

/// Two hoses, one of short-lived grains, over a floor with a hole that swallows what falls in.
pub(crate) fn build(engine: Box<dyn Engine>) -> World {
    let mut world = World::with_engine(Settings::default(), engine).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    let floor = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    world
        .add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))
        .expect("floor");
    world
        .add_emitter(hose("short", Vec3::new(0.0, 2.0, 0.0), 0.4, group))
        .expect("hose");
    world
        .add_emitter(hose("long", Vec3::new(1.2, 1.0, 0.0), f32::INFINITY, group))
        .expect("hose");
    let hole = Volume::Sphere {
        center: Vec3::new(1.2, 0.0, 0.5),
        radius: 0.35,
    };
    let beyond = Volume::Outside(Box::new(Volume::Box {
        min: Vec3::splat(-3.0),
        max: Vec3::splat(3.0),
    }));
    world.kill_volumes_mut().extend([hole, beyond]);
    let pile: Vec<Vec3> = (0..27)
        .map(|i| Vec3::new(-1.0, 0.06, -1.0) + 0.102 * Vec3::new((i % 3) as f32, (i / 9) as f32, (i / 3 % 3) as f32))
        .collect();
    world.add_particles(group, &pile, Vec3::ZERO).expect("pile");
    world
}

fn ids(world: &mut World) -> Vec<ParticleId> {
    let mut ids = world.particles().ids().to_vec();
    ids.sort_unstable();
    ids
}

fn compare_positions(worlds: &mut [World; 2], mean_bound: f32, most_bound: f32) {
    let ids = ids(&mut worlds[0]);
    let [a, b] = worlds.each_mut().map(|world| world.positions(&ids));
    let distances: Vec<f32> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| a.expect("alive").distance(b.expect("alive")))
        .collect();
    let mean = distances.iter().sum::<f32>() / distances.len() as f32;
    let most = distances.iter().copied().fold(0.0, f32::max);
    println!("{} particles: mean {mean:.1e} m, largest {most:.1e} m", ids.len());
    assert!(mean < mean_bound && most < most_bound, "mean {mean}, largest {most}");
}

#[test]
fn both_engines_let_the_same_particles_live() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = [build(Box::new(CpuEngine::new())), build(on_gpu(&gpu))];
    for frame in 1..=60 {
        for world in &mut worlds {
            world.step(DT);
        }
        let (mean, most) = match frame {
            1 => (1e-7, 1e-6),
            10 => (1e-5, 1e-4),
            60 => (0.05, 1.0),
            _ => continue,
        };
        let [on_cpu, on_gpu] = &mut worlds;
        assert_eq!(on_cpu.particle_count(), on_gpu.particle_count(), "frame {frame}");
        assert_eq!(ids(on_cpu), ids(on_gpu), "frame {frame}");
        compare_positions(&mut worlds, mean, most);
    }
    let used_again = ids(&mut worlds[1]).iter().any(|id| id.generation > 0);
    assert!(used_again, "some have died and others taken their place");
}

/// Looking at particles, counting or saving them between frames changes nothing, nor does how soon the host hears of deaths.
#[test]
fn a_population_is_the_same_each_time_and_however_often_it_is_looked_at() {
    let Some(gpu) = crate::gpu() else { return };
    let digests = [0, 1, 3, 7].map(|every| {
        let mut world = build(on_gpu(&gpu));
        for frame in 1..=50 {
            world.step(DT);
            if every > 0 && frame % every == 0 {
                match frame % 3 {
                    0 => drop(world.save()),
                    1 => assert!(world.particle_count() > 0),
                    _ => assert_eq!(world.particles().len(), world.particle_count()),
                }
            }
        }
        (world.digest(), ids(&mut world))
    });
    for other in &digests[1..] {
        assert_eq!(other, &digests[0]);
    }
}

#[test]
fn a_population_saved_on_one_engine_goes_on_on_the_other() {
    let Some(gpu) = crate::gpu() else { return };
    for first_is_cpu in [true, false] {
        let engine = |is_cpu: bool| -> Box<dyn Engine> {
            if is_cpu {
                Box::new(CpuEngine::new())
            } else {
                on_gpu(&gpu)
            }
        };
        let mut world = build(engine(first_is_cpu));
        for _ in 0..33 {
            world.step(DT);
        }
        let restored = World::restore(&world.save(), engine(!first_is_cpu)).expect("state");
        let mut worlds = [world, restored];
        for _ in 0..20 {
            for world in &mut worlds {
                world.step(DT);
            }
            let [kept, restored] = &mut worlds;
            assert_eq!(ids(kept), ids(restored));
        }
        compare_positions(&mut worlds, 1e-3, 0.1);
    }
}

#[test]
fn many_may_die_right_after_a_state_is_restored() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = build(Box::new(CpuEngine::new()));
    for _ in 0..30 {
        world.step(DT);
    }
    let (state, before) = (world.save(), world.particles().len());
    let alive = [Box::new(CpuEngine::new()) as Box<dyn Engine>, on_gpu(&gpu)].map(|engine| {
        let mut restored = World::restore(&state, engine).expect("state");
        restored.kill_volumes_mut().push(Volume::Sphere {
            center: Vec3::new(-1.0, 0.0, -1.0),
            radius: 1.0,
        });
        restored.step(DT);
        assert_eq!(restored.fault(), None);
        ids(&mut restored)
    });
    assert!(alive[0].len() < before, "{} of {before}", alive[0].len());
    assert_eq!(alive[0], alive[1]);
}

#[test]
fn particles_can_be_added_and_removed_by_hand_in_between() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = [build(Box::new(CpuEngine::new())), build(on_gpu(&gpu))];
    for frame in 0..24 {
        for world in &mut worlds {
            world.step(DT);
            let all = ids(world);
            if frame % 5 == 2 {
                world.remove_particles(&[all[0], all[all.len() / 2]]);
            }
            if frame % 7 == 3 {
                let (group, _) = world.groups().next().expect("group");
                let place = Vec3::new(0.0, 2.5, 0.1 * frame as f32);
                world.add_particles(group, &[place], Vec3::ZERO).expect("particle");
            }
        }
        let [on_cpu, on_gpu] = &mut worlds;
        assert_eq!(ids(on_cpu), ids(on_gpu), "frame {frame}");
    }
    compare_positions(&mut worlds, 1e-4, 1e-2);
}

/// What a browser does, where nothing can be waited for.
#[test]
fn particles_can_be_fetched_without_blocking() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = [build(on_gpu(&gpu)), build(on_gpu(&gpu))];
    for world in &mut worlds {
        (0..30).for_each(|_| world.step(DT));
    }
    let [fetched, waited_for] = &mut worlds;
    let engine = fetched.engine_as_mut::<GpuEngine>().expect("its engine");
    pollster::block_on(engine.fetch()).expect("particles");
    assert_eq!(fetched.digest(), waited_for.digest());
}

#[test]
fn a_world_that_dies_out_can_be_settled_again() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = [build(Box::new(CpuEngine::new())), build(on_gpu(&gpu))];
    for world in &mut worlds {
        for _ in 0..5 {
            world.step(DT);
        }
        world.kill_volumes_mut().push(Volume::Everywhere);
        for emitter in world.emitters_mut() {
            emitter.stop = 0.0;
        }
        for _ in 0..3 {
            world.step(DT);
        }
        assert_eq!(world.particle_count(), 0);
        world.step(DT);
        world.kill_volumes_mut().clear();
        for emitter in world.emitters_mut() {
            emitter.stop = f32::INFINITY;
        }
        for _ in 0..20 {
            world.step(DT);
        }
    }
    let [on_cpu, on_gpu] = &mut worlds;
    assert!(on_cpu.particle_count() > 50);
    assert_eq!(ids(on_cpu), ids(on_gpu));
    compare_positions(&mut worlds, 1e-3, 0.1);
}
