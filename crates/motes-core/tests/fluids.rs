//! Lists for fluids: who is in them, and that they do not depend on threads.

use motes_core::glam::Vec3;
use motes_core::random::Random;
use motes_core::{CpuEngine, Group, Material, Settings, World};

const DT: f32 = 1.0 / 60.0;

fn build(threads: usize, side: usize, jitter: f32) -> World {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings");
    let material = world.add_material(Material::SAND).expect("material");
    let water = world.add_group(Group::fluid("water", material)).expect("group");
    let mut random = Random::new(9, 0);
    let mut part = || jitter * (random.unit() - 0.5);
    let places: Vec<Vec3> = (0..side * side * side)
        .map(|i| {
            let cell = Vec3::new((i % side) as f32, (i / side % side) as f32, (i / side / side) as f32);
            0.1 * cell + Vec3::new(part(), part(), part())
        })
        .collect();
    world.add_particles(water, &places, Vec3::ZERO).expect("particles");
    world
}

fn engine(world: &mut World) -> &mut CpuEngine {
    world.engine_as_mut().expect("on the CPU")
}

#[test]
fn lists_and_densities_are_the_same_bytes_at_any_number_of_threads() {
    let run = |threads| {
        let mut world = build(threads, 20, 0.05);
        world.step(DT);
        let densities = engine(&mut world).number_densities();
        let bits: Vec<u32> = densities.iter().map(|density| density.to_bits()).collect();
        (engine(&mut world).fluid_neighbor_count(), bits)
    };
    let one = run(1);
    assert!(one.0 > 8000 * 20 && one.1.len() == 8000);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn the_density_of_a_lattice_is_one_particle_a_cell() {
    let mut world = build(1, 9, 0.0);
    world.step(DT);
    let densities = engine(&mut world).number_densities();
    let positions = &world.particles().positions;
    let middle = positions
        .iter()
        .position(|position| position.truncate().distance(Vec3::splat(0.4)) < 1e-4)
        .expect("the middle");
    // Sums over a lattice of twice its spacing stay within a per cent or two of the integral.
    assert!((densities[middle] * 0.001 - 1.0).abs() < 0.03, "{}", densities[middle]);
}

#[test]
fn fluid_passes_through_fluid_and_not_through_solids() {
    let meet = |solid: bool| {
        let mut world = build(1, 1, 0.0);
        let material = motes_core::MaterialId(0);
        let group = if solid {
            Group::grains("sand", material)
        } else {
            Group::fluid("oil", material)
        };
        let group = world.add_group(group).expect("group");
        let id = world
            .add_particles(group, &[Vec3::X], -2.0 * Vec3::X)
            .expect("particle")[0];
        for _ in 0..60 {
            world.step(DT);
        }
        let slot = world.particles().slot(id).expect("alive");
        world.particles().positions[slot].x
    };
    assert!(
        (meet(false) + 1.0).abs() < 1e-3,
        "two metres on, as if nothing had been there"
    );
    assert!(meet(true) > -0.9, "it has met something");
}
