//! Creatures are the CPU engine's so far: others say so.

use motes_core::glam::Vec3;
use motes_core::{CpuEngine, Material, NewCreature, OrientedParticle, Settings, StateError, World, WorldError};
use motes_gpu::GpuEngine;

fn add_one(world: &mut World) -> Result<(), WorldError> {
    let material = world.add_material(Material::RUBBER)?;
    let particles = vec![OrientedParticle::ball(Vec3::ZERO, 0.1, 1.0)];
    world.add_creature(NewCreature::new("creature", material, particles, Vec::new()))?;
    Ok(())
}

#[test]
fn a_creature_is_refused_on_the_gpu_and_so_is_a_state_with_one() {
    let Some(gpu) = crate::gpu() else { return };
    let mut world =
        World::with_engine(Settings::default(), Box::new(GpuEngine::new(&gpu).expect("engine"))).expect("settings");
    let refused = add_one(&mut world);
    assert!(matches!(
        refused,
        Err(WorldError::Unsupported {
            what: "creatures",
            engine: "gpu"
        })
    ));
    assert_eq!((world.particle_count(), world.groups().count()), (0, 0));
    world.step(1.0 / 60.0);

    let mut world = World::with_engine(Settings::default(), Box::new(CpuEngine::new())).expect("settings");
    add_one(&mut world).expect("known to this engine");
    let restored = World::restore(&world.save(), Box::new(GpuEngine::new(&gpu).expect("engine")));
    assert!(matches!(
        restored.err(),
        Some(StateError::Unsupported {
            what: "creatures",
            engine: "gpu"
        })
    ));
}
