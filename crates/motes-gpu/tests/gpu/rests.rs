//! Particles that overlap at rest: left out of the pairs alike on both engines, and their rest positions edited by id.

use motes_core::colliders::Sphere;
use motes_core::glam::Vec3;
use motes_core::{Collider, CpuEngine, Engine, Material, ParticleId, Pose, Settings, Shape, World};
use motes_gpu::{Gpu, GpuEngine};

use crate::sheet::{self, PITCH, RADIUS};

const DT: f32 = 1.0 / 60.0;
const SIDE: usize = 20;

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

/// A folded sheet that falls on a ball.
fn build(engine: Box<dyn Engine>, radius: Option<f32>) -> (World, Vec<ParticleId>) {
    let settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let stone = world.add_material(Material::default()).expect("material");
    if radius.is_some() {
        let grains = motes_core::Group::grains("grains", stone);
        let grains = world.add_group(grains).expect("group");
        let places: Vec<Vec3> = (0..5).map(|i| Vec3::new(0.2 * i as f32, 0.5, 0.4)).collect();
        world.add_particles(grains, &places, Vec3::ZERO).expect("grains");
    }
    let ball = Shape::Sphere(Sphere::new(0.3).expect("ball"));
    let place = Pose::at(Vec3::new(0.3, -0.5, 0.5));
    world
        .add_collider(Collider::new("ball", ball, stone, place))
        .expect("ball");
    let (_, ids) = sheet::sheet(&mut world, SIDE, radius);
    sheet::fold(&mut world, SIDE, &ids);
    (world, ids)
}

fn places(world: &World, ids: &[ParticleId]) -> Vec<Vec3> {
    world
        .positions(ids)
        .into_iter()
        .map(|place| place.expect("alive"))
        .collect()
}

fn compare(radius: Option<f32>) {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, ids) = build(Box::new(CpuEngine::new()), radius);
    for frame in 0..60 {
        let saved = (frame % 10 == 0).then(|| world.save());
        world.step(DT);
        let Some(saved) = saved else { continue };
        let mut other = World::restore(&saved, on_gpu(&gpu)).expect("state");
        other.step(DT);
        other.health().expect("finite");
        let (a, b) = (places(&world, &ids), places(&other, &ids));
        let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        println!("frame {frame}: {most:.1e} m");
        assert!(most < 1e-5, "frame {frame}: {most}");
        let [cpu, gpu] = [&world, &other].map(|world| world.particle_contacts().len());
        assert!(
            cpu.abs_diff(gpu) * 100 <= cpu.max(100),
            "frame {frame}: {cpu} and {gpu} contacts"
        );
    }
}

#[test]
fn a_folded_sheet_falls_alike_on_both_engines() {
    compare(None);
}

#[test]
fn a_folded_sheet_among_other_sizes_falls_alike_on_both_engines() {
    compare(Some(0.8 * RADIUS));
}

fn floating(engine: Box<dyn Engine>) -> (World, Vec<ParticleId>) {
    let settings = Settings {
        particle_radius: RADIUS,
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let (_, ids) = sheet::sheet(&mut world, SIDE, None);
    (world, ids)
}

#[test]
fn rest_positions_are_edited_between_frames_of_the_device() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, ids) = floating(on_gpu(&gpu));
    for _ in 0..5 {
        world.step(DT);
    }
    let flat = sheet::places(SIDE);
    let moved = |world: &World| {
        let apart = places(world, &ids).into_iter().zip(&flat).map(|(a, b)| a.distance(*b));
        apart.fold(0.0, f32::max)
    };
    assert_eq!(moved(&world), 0.0, "at rest");
    world.step(DT);
    world
        .set_rest_positions(&[(ids[0], None), (ids[1], None)])
        .expect("alive");
    let slot = world.particles().slot(ids[0]).expect("alive");
    assert_eq!(world.particles().rest_position(slot), None, "whoever reads sees it");
    for _ in 0..30 {
        world.step(DT);
    }
    // They push each other apart, against what holds the sheet together.
    let corner = places(&world, &ids[..2]);
    let apart = corner[0].distance(corner[1]);
    assert!(apart > 1.05 * PITCH, "they collide: {apart}");
    let (mut other, same) = floating(Box::new(CpuEngine::new()));
    other
        .set_rest_positions(&[(same[0], None), (same[1], None)])
        .expect("alive");
    for _ in 0..30 {
        other.step(DT);
    }
    let corner = places(&other, &same[..2]);
    assert!(
        (apart - corner[0].distance(corner[1])).abs() < 0.01 * PITCH,
        "as they do on the CPU"
    );
}

#[test]
fn the_first_rest_positions_may_come_by_an_edit_or_with_later_particles() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, ids) = floating(on_gpu(&gpu));
    let forget = |particles: &mut motes_core::Particles| {
        for slot in 0..particles.len() {
            particles.rest_positions.set(slot, motes_core::glam::Vec4::ZERO);
        }
    };
    world.rewrite_particles(forget).expect("even");
    let rests: Vec<_> = ids
        .iter()
        .copied()
        .zip(sheet::places(SIDE).into_iter().map(Some))
        .collect();
    world.set_rest_positions(&rests).expect("alive");
    world.step(DT);
    // Many more, of which most wait to be born while the first are edited.
    let later = sheet::sheet(&mut world, 8, None).1;
    let away: Vec<_> = later
        .iter()
        .map(|&id| (id, world.positions(&[id])[0].expect("alive") + 9.0 * Vec3::Y))
        .collect();
    world.set_positions(&away).expect("alive");
    for _ in 0..10 {
        world.step(DT);
    }
    for (&id, rest) in ids.iter().zip(sheet::places(SIDE)) {
        let slot = world.particles().slot(id).expect("alive");
        assert_eq!(world.particles().rest_position(slot), Some(rest));
    }
    assert_eq!(places(&world, &ids), sheet::places(SIDE), "nothing collides");
    let floating = away
        .iter()
        .map(|(id, place)| world.positions(&[*id])[0].expect("alive").distance(*place));
    assert_eq!(floating.fold(0.0, f32::max), 0.0, "nor among those born later");
}
