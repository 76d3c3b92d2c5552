//! Neighbours within the smoothing radius: the same as by brute force and as on the CPU.

use motes_core::glam::{Vec3, Vec4Swizzles};
use motes_core::random::Random;
use motes_core::{CpuEngine, Engine, Group, Material, Phase, Settings, World};
use motes_gpu::GpuEngine;

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;

/// A world without gravity, of groups of particles at rest.
fn build(engine: Box<dyn Engine>, groups: &[(Group, Vec<Vec3>)]) -> World {
    let settings = Settings {
        particle_radius: RADIUS,
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    world.add_material(Material::SAND).expect("material");
    for (group, places) in groups {
        let group = world.add_group(group.clone()).expect("group");
        world.add_particles(group, places, Vec3::ZERO).expect("particles");
    }
    // They stay where they were looked for.
    let pins: Vec<_> = world.particles().ids().iter().map(|&id| (id, 0.0)).collect();
    world.set_inverse_masses(&pins).expect("particles of the world");
    world
}

fn water() -> Group {
    Group::fluid("water", motes_core::MaterialId(0))
}

fn sand() -> Group {
    Group::grains("sand", motes_core::MaterialId(0))
}

/// The density of each particle where it is, by looking at all pairs; in the order of ids.
fn brute_force(world: &mut World) -> Vec<f32> {
    let radii = world.particle_radii();
    let smoothing = world.settings().smoothing_radius;
    let particles = world.particles();
    let all = 0..particles.len();
    let weight = |i: usize, j: usize| {
        let radius = f64::from(smoothing * (radii[i] + radii[j]));
        let offset = (particles.positions[j] - particles.positions[i]).xyz().as_dvec3();
        let left = (1.0 - offset.length_squared() / (radius * radius)).max(0.0);
        315.0 / (64.0 * std::f64::consts::PI * radius.powi(3)) * left.powi(3)
    };
    let summed = |i: usize, j: usize| particles.phases[i].is_summed(particles.phases[j]);
    let density = |i: usize| -> f64 { all.clone().filter(|&j| summed(i, j)).map(|j| weight(i, j)).sum() };
    let densities: Vec<f32> = all.clone().map(|i| density(i) as f32).collect();
    in_order(world, &densities)
}

fn in_order(world: &mut World, values: &[f32]) -> Vec<f32> {
    let mut numbered: Vec<_> = world.particles().ids().iter().zip(values).collect();
    numbered.sort_unstable_by_key(|(id, _)| **id);
    numbered.into_iter().map(|(_, &value)| value).collect()
}

/// Both engines find the densities that brute force finds.
fn check(groups: &[(Group, Vec<Vec3>)]) {
    let Some(gpu) = crate::gpu() else { return };
    let engine = Box::new(GpuEngine::new(&gpu).expect("engine"));
    let mut on_cpu = build(Box::new(CpuEngine::new()), groups);
    let mut on_gpu = build(engine, groups);
    for world in [&mut on_cpu, &mut on_gpu] {
        world.step(DT);
        world.step(DT);
        assert!(world.health().is_ok());
        assert_eq!(world.notice(), None);
        let found = match world.engine_as_mut::<GpuEngine>() {
            Some(engine) => engine.number_densities().expect("the device works"),
            None => world
                .engine_as_mut::<CpuEngine>()
                .expect("the other")
                .number_densities(),
        };
        let found = in_order(world, &found);
        let expected = brute_force(world);
        assert_eq!(found.len(), expected.len());
        for (k, (a, b)) in found.iter().zip(&expected).enumerate() {
            assert!(
                (a - b).abs() <= 2e-4 * b.abs() + 1e-2,
                "{:?}: particle {k}: {a}, expected {b}",
                world.engine()
            );
        }
    }
}

fn cloud(count: usize, size: f32, center: Vec3, seed: u64) -> Vec<Vec3> {
    let mut random = Random::new(seed, 0);
    let mut part = || size * (random.unit() - 0.5);
    (0..count).map(|_| center + Vec3::new(part(), part(), part())).collect()
}

#[test]
fn densities_of_random_clouds_equal_brute_force() {
    check(&[(water(), cloud(3000, 1.5, Vec3::ZERO, 1))]);
    check(&[(water(), cloud(2000, 1.5, Vec3::new(500.0, -300.0, 800.0), 2))]);
}

#[test]
fn fluids_of_two_groups_and_solids_count_in_each_other() {
    // Far enough apart that nothing touches, or it would move after the search.
    let lattice = |shift: f32| -> Vec<Vec3> {
        let place = |i: usize| Vec3::new((i % 9) as f32, (i / 9 % 9) as f32, (i / 81) as f32);
        (0..729).map(|i| 0.25 * place(i) + shift).collect()
    };
    check(&[
        (water(), lattice(0.0)),
        (sand(), lattice(0.125)),
        (water(), vec![Vec3::splat(-0.06)]),
    ]);
}

#[test]
fn nobody_one_and_two_particles() {
    check(&[(water(), Vec::new())]);
    check(&[(water(), vec![Vec3::ONE])]);
    check(&[(water(), vec![Vec3::ONE, Vec3::ONE + 0.03])]);
    check(&[(sand(), vec![Vec3::ONE]), (water(), vec![Vec3::splat(1.1)])]);
}

#[test]
fn many_in_one_spot_are_all_listed() {
    // Far more than there is room for at first, and than a row of cells has bits for.
    check(&[
        (water(), cloud(700, 0.1, Vec3::ONE, 3)),
        (water(), cloud(300, 2.0, Vec3::ONE, 4)),
    ]);
}

#[test]
fn fluids_of_several_sizes_are_listed_by_the_sum_of_their_radii() {
    check(&[
        (water(), cloud(1500, 1.2, Vec3::ZERO, 5)),
        (water().with_radius(0.12), cloud(100, 1.2, Vec3::ZERO, 6)),
        (water().with_radius(0.25), cloud(10, 1.2, Vec3::ZERO, 7)),
    ]);
}

#[test]
fn worlds_without_fluids_have_no_lists() {
    let Some(gpu) = crate::gpu() else { return };
    let groups = [(sand(), cloud(500, 2.0, Vec3::ZERO, 8))];
    let mut world = build(Box::new(GpuEngine::new(&gpu).expect("engine")), &groups);
    world.step(DT);
    let engine = world.engine_as_mut::<GpuEngine>().expect("it is");
    assert_eq!(engine.number_densities().expect("the device works"), []);
    assert!(!Phase::grains(0).is_summed(Phase::grains(1)));
}
