//! Particles of several sizes: the same pairs, contacts and motion as on the CPU.

use motes_core::colliders::{Plane, Sphere};
use motes_core::glam::Vec3;
use motes_core::{
    Collider, CpuEngine, Engine, Group, Material, NewBody, ParticleId, Pose, RayCast, Settings, Shape, World,
};
use motes_gpu::GpuEngine;

const DT: f32 = 1.0 / 60.0;

/// Small grains with larger ones of two sizes among them, on a floor and a ball; with a body of large particles if asked for.
fn build(engine: Box<dyn Engine>, body: bool) -> World {
    let settings = Settings {
        mass_scaling: 0.2,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let sand = world.add_material(Material::WET_SAND).expect("material");
    let still = Material {
        rolling_resistance: None,
        ..Material::GLASS
    };
    let glass = world.add_material(still).expect("material");
    let floor = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    world
        .add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))
        .expect("floor");
    let ball = Shape::Sphere(Sphere::new(0.3).expect("ball"));
    let gate = Collider::new("gate", ball.clone(), sand, Pose::at(Vec3::new(0.8, 0.3, 0.2))).as_trigger();
    world.add_collider(gate).expect("gate");
    world
        .add_collider(Collider::new("ball", ball, glass, Pose::at(Vec3::new(0.4, 0.1, 0.4))))
        .expect("ball");
    let small = world.add_group(Group::grains("small", sand)).expect("group");
    let places: Vec<Vec3> = (0..900)
        .map(|i| {
            Vec3::new(-0.5, 0.5, -0.5) + 0.101 * Vec3::new((i % 10) as f32, (i / 100) as f32, (i / 10 % 10) as f32)
        })
        .collect();
    world.add_particles(small, &places, Vec3::ZERO).expect("small");
    for (radius, height) in [(0.2, 1.7), (0.12, 2.3), (0.3, 2.9)] {
        let group = Group::grains(format!("of {radius}"), glass).with_radius(radius);
        let group = world.add_group(group).expect("group");
        let places: Vec<Vec3> = (0..4)
            .map(|i| Vec3::new(-0.35, height, -0.3) + 0.65 * Vec3::new((i % 2) as f32, 0.0, (i / 2) as f32))
            .collect();
        world.add_particles(group, &places, -Vec3::Y).expect("large");
    }
    if body {
        let corners: Vec<Vec3> = (0..8)
            .map(|i| 0.2 * Vec3::new((i & 1) as f32, (i / 2 % 2) as f32, (i / 4) as f32))
            .collect();
        let new = NewBody {
            pose: Pose::at(Vec3::new(-0.9, 0.4, 0.0)),
            radius: Some(0.1),
            velocity: Vec3::X,
            ..NewBody::new("block", glass, corners, vec![2.0; 8])
        };
        world.add_body(new).expect("body");
    }
    world
}

fn places(world: &mut World) -> Vec<(ParticleId, Vec3)> {
    let particles = world.particles();
    let mut places: Vec<_> = particles
        .ids()
        .iter()
        .zip(&particles.positions)
        .map(|(&id, position)| (id, position.truncate()))
        .collect();
    places.sort_unstable_by_key(|(id, _)| *id);
    places
}

/// Runs on the CPU; now and then the GPU takes its state over and does the same frame.
fn compare(body: bool, mean_bound: f32, most_bound: f32) {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = build(Box::new(CpuEngine::new()), body);
    for frame in 0..90 {
        let saved = (frame % 15 == 0).then(|| world.save());
        world.step(DT);
        let Some(saved) = saved else { continue };
        let engine = Box::new(GpuEngine::new(&gpu).expect("engine"));
        let mut on_gpu = World::restore(&saved, engine).expect("state");
        on_gpu.step(DT);
        assert!(on_gpu.health().is_ok());
        let (a, b) = (places(&mut world), places(&mut on_gpu));
        let distances: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a.1.distance(b.1)).collect();
        let mean = distances.iter().sum::<f32>() / distances.len() as f32;
        let most = distances.iter().copied().fold(0.0, f32::max);
        println!("frame {frame}: mean {mean:.1e} m, largest {most:.1e} m");
        assert!(
            mean < mean_bound && most < most_bound,
            "frame {frame}: mean {mean}, largest {most}"
        );
        let [cpu, gpu] = [&mut world, &mut on_gpu].map(|world| world.particle_contacts().len());
        assert!(
            cpu.abs_diff(gpu) * 100 <= cpu.max(100),
            "frame {frame}: {cpu} and {gpu} contacts"
        );
        let ray = || RayCast::new(Vec3::new(-2.0, 0.5, 0.05), Vec3::X);
        let [first, second] = [&world, &on_gpu].map(|world| world.query(ray()).map(|hit| hit.hit));
        assert_eq!(first, second, "frame {frame}");
        assert_eq!(
            world.trigger_overlaps().len(),
            on_gpu.trigger_overlaps().len(),
            "frame {frame}"
        );
    }
}

#[test]
fn grains_of_several_sizes_move_alike_on_both_engines() {
    compare(false, 1e-6, 1e-4);
}

#[test]
fn bodies_of_large_particles_move_alike_on_both_engines() {
    compare(true, 1e-6, 1e-4);
}

#[test]
fn a_property_of_one_line_goes_to_the_device_and_back() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world = crate::population::build(Box::new(GpuEngine::new(&gpu).expect("engine")));
    let ids = world.particles().ids().to_vec();
    let tag = |particles: &mut motes_core::Particles| {
        for (k, &id) in ids.iter().enumerate() {
            particles.tags.set(id, 100 + k as u32);
        }
    };
    world.rewrite_particles(tag).expect("tags");
    // Others are born and die in the meantime, and slots change.
    for _ in 0..40 {
        world.step(DT);
    }
    let particles = world.particles();
    assert!(particles.len() > ids.len(), "births");
    for (k, &id) in ids.iter().enumerate().filter(|(_, id)| particles.slot(**id).is_some()) {
        assert_eq!(particles.tags.get(id), 100 + k as u32);
    }
    let born = particles.ids().iter().filter(|id| !ids.contains(id));
    assert!(born.map(|&id| particles.tags.get(id)).all(|tag| tag == 0));
    let restored = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("state");
    assert_eq!(restored.particles().tags.get(ids[0]), 100);
}
