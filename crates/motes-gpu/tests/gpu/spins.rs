//! Grains that turn: what the other tests build, of materials with a rolling resistance.

use motes_core::glam::Vec3;
use motes_core::{Change, CpuEngine, Engine, MaterialId, World};
use motes_gpu::GpuEngine;

const DT: f32 = 1.0 / 60.0;

/// The same world with grains that turn, against different resistances.
pub(crate) fn turning(mut world: World) -> World {
    let materials = world.materials().as_slice().to_vec();
    for (index, material) in (0..).zip(materials) {
        let resistance = 0.05 + 0.1 * index as f32;
        let turning = material.with_friction(0.4).with_rolling_resistance(resistance);
        world.set_material(MaterialId(index), turning).expect("material");
    }
    world
}

/// The same world with grains of its first material that turn, among others that do not.
pub(crate) fn partly_turning(mut world: World) -> World {
    let first = world.materials().as_slice()[0].with_rolling_resistance(0.2);
    world.set_material(MaterialId(0), first).expect("material");
    world
}

#[test]
fn spins_are_given_taken_and_found_alike_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::new()),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ];
    // Half of them begin to turn in the middle of a run, in which their contacts are remembered.
    let (mut world, ids) = crate::engine::build(Box::new(CpuEngine::new()), Default::default(), 3);
    (0..20).for_each(|_| world.step(DT));
    let state = world.save();
    let [first, second] = engines.map(|engine| {
        let mut world = World::restore(&state, engine).expect("state");
        world.step(DT);
        let spins: Vec<_> = ids
            .iter()
            .step_by(2)
            .map(|&id| (id, Some(Vec3::new(1.0, 2.0, 30.0))))
            .collect();
        world.set_spins(&spins).expect("alive");
        world.step(DT);
        world.edit(&[(ids[0], Change::Spin(None))]).expect("alive");
        world.step(DT);
        assert!(world.set_spins(&[(ids[1], Some(Vec3::NAN))]).is_err());
        world.health().expect("finite");
        let particles = world.particles();
        let slot = |id| particles.slot(id).expect("alive");
        ids.iter()
            .map(|&id| (particles.spin(slot(id)), particles.positions[slot(id)]))
            .collect::<Vec<_>>()
    });
    assert_eq!(first[0].0, None);
    for (a, b) in first.iter().zip(&second) {
        assert_eq!(a.0.is_some(), b.0.is_some());
        let [a_spin, b_spin] = [a.0, b.0].map(Option::unwrap_or_default);
        assert!(
            a_spin.distance(b_spin) < 1e-2 * (1.0 + a_spin.length()),
            "{a_spin} {b_spin}"
        );
        assert!(a.1.distance(b.1) < 1e-4, "{} {}", a.1, b.1);
    }
    let moved = first
        .iter()
        .filter(|of| of.0.is_some_and(|spin| spin.distance(Vec3::new(1.0, 2.0, 30.0)) > 1.0));
    assert!(moved.count() > 5, "contacts change spins");
}
