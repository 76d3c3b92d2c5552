//! Particles that overlap at rest leave each other alone if their group says so, and no others do.

#[path = "common/sheet.rs"]
mod sheet;

use motes_core::glam::Vec3;
use motes_core::{CpuEngine, Group, Material, ParticleId, Settings, World, WorldError};
use sheet::{PITCH, RADIUS};

const DT: f32 = 1.0 / 60.0;
const SIDE: usize = 12;

fn floating(threads: usize) -> World {
    let settings = Settings {
        particle_radius: RADIUS,
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings")
}

fn run(world: &mut World, frames: usize) {
    for _ in 0..frames {
        world.step(DT);
    }
    world.health().expect("finite");
}

fn places(world: &World, ids: &[ParticleId]) -> Vec<Vec3> {
    world
        .positions(ids)
        .into_iter()
        .map(|place| place.expect("alive"))
        .collect()
}

/// How far particles are from where they would be in a flat sheet, at most, metres.
fn disorder(world: &World, ids: &[ParticleId]) -> f32 {
    let flat = sheet::places(SIDE);
    let apart = places(world, ids).into_iter().zip(flat).map(|(a, b)| a.distance(b));
    apart.fold(0.0, f32::max)
}

#[test]
fn a_sheet_finer_than_its_particles_stays_as_it_is() {
    for radius in [None, Some(0.8 * RADIUS)] {
        let mut world = floating(1);
        if radius.is_some() {
            // Any other size will do: worlds of several sizes look for pairs in another way.
            let sand = world.add_material(Material::SAND).expect("material");
            let grains = world.add_group(Group::grains("sand", sand)).expect("group");
            world
                .add_particles(grains, &[Vec3::splat(5.0)], Vec3::ZERO)
                .expect("a grain");
        }
        let (_, ids) = sheet::sheet(&mut world, SIDE, radius);
        run(&mut world, 30);
        assert_eq!(disorder(&world, &ids), 0.0);
    }
}

#[test]
fn without_the_flag_it_bursts() {
    let mut world = floating(1);
    let (group, ids) = sheet::sheet(&mut world, SIDE, None);
    world.set_ignore_rest_overlaps(group, false).expect("alive");
    run(&mut world, 30);
    let out = disorder(&world, &ids);
    assert!(out > PITCH, "{out}");
}

#[test]
fn layers_that_are_apart_at_rest_collide() {
    let mut world = floating(1);
    let (_, ids) = sheet::sheet(&mut world, SIDE, None);
    sheet::fold(&mut world, SIDE, &ids);
    let gap = |world: &World| {
        let places = places(world, &ids);
        // The second and the last of each row lie on each other.
        let apart = (0..SIDE).map(|row| places[row * SIDE + 1].distance(places[row * SIDE + SIDE - 1]));
        apart.fold(f32::INFINITY, f32::min)
    };
    assert!(gap(&world) < 0.7 * RADIUS);
    run(&mut world, 60);
    let apart = gap(&world);
    assert!(apart > 1.9 * RADIUS, "{apart}");
}

#[test]
fn rest_positions_can_be_edited_and_are_saved() {
    let mut world = floating(1);
    let (_, ids) = sheet::sheet(&mut world, SIDE, None);
    let refused = world.set_rest_positions(&[(ids[0], Some(Vec3::NAN))]);
    assert!(matches!(refused, Err(WorldError::Value { .. })));
    let without: Vec<_> = ids[..2].iter().map(|&id| (id, None)).collect();
    world.set_rest_positions(&without).expect("alive");
    let mut back = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("state");
    let slot = |world: &World, id| world.particles().slot(id).expect("alive");
    assert_eq!(back.particles().rest_position(slot(&back, ids[0])), None);
    let third = back.particles().rest_position(slot(&back, ids[2]));
    assert_eq!(third, Some(2.0 * PITCH * Vec3::X));
    run(&mut world, 30);
    run(&mut back, 30);
    assert_eq!(world.digest(), back.digest());
    // They push each other apart, against what holds the sheet together.
    let corner = places(&world, &ids[..2]);
    let apart = corner[0].distance(corner[1]);
    assert!(apart > 1.05 * PITCH, "those without a rest position collide: {apart}");
}

#[test]
fn sheets_give_the_same_bytes_on_any_number_of_threads() {
    let digest = |threads: usize| {
        let mut world = floating(threads);
        let (_, ids) = sheet::sheet(&mut world, 40, None);
        sheet::fold(&mut world, 40, &ids);
        run(&mut world, 20);
        world.digest()
    };
    assert_eq!(digest(1), digest(3));
}

#[test]
fn worlds_without_rest_positions_store_none() {
    let mut world = floating(1);
    let sand = world.add_material(Material::SAND).expect("material");
    let grains = world.add_group(Group::grains("sand", sand)).expect("group");
    world
        .add_particles(grains, &sheet::places(SIDE), Vec3::ZERO)
        .expect("grains");
    run(&mut world, 2);
    assert!(!world.particles().rest_positions.is_stored());
}
