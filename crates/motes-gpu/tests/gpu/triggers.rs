//! Regions that notice what is in them: the same on both engines.

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{
    Collider, Counting, CpuEngine, Emitter, EmitterShape, Engine, Group, Material, Pose, Settings, Shape, Switch,
    Trigger, Triggered, Volume, World,
};
use motes_gpu::GpuEngine;

use crate::block::block;

const DT: f32 = 1.0 / 60.0;

/// An emitter and two blocks above a floor with a hatch: it opens when enough has come, and what falls through is removed.
pub(crate) fn build(engine: Box<dyn Engine>) -> World {
    let mut world = World::with_engine(Settings::default(), engine).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let floor: Shape = Plane::new(Vec3::Y, 0.0).expect("plane").into();
    let hatch = world
        .add_collider(Collider::new("hatch", floor, sand, Pose::IDENTITY))
        .expect("hatch");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    let emitter = Emitter {
        pose: Pose::at(0.5 * Vec3::Y),
        rate: 40.0,
        ..Emitter::new("source", group, EmitterShape::Disc { radius: 0.3 })
    };
    world.add_emitter(emitter).expect("emitter");
    for x in [1.0, 1.5] {
        let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::new(x, 0.5, 0.0)));
        world.add_body(new).expect("body");
    }
    let open = Trigger {
        count: 12,
        counting: Counting::Entered,
        switches: vec![(Switch::Collider(hatch), false), (Switch::Emitter(0), false)],
        ..Trigger::new(
            "open",
            Volume::Box {
                min: Vec3::new(-5.0, -0.2, -5.0),
                max: Vec3::new(5.0, 0.3, 5.0),
            },
        )
    };
    let trap = Trigger {
        kill: true,
        ..Trigger::new(
            "trap",
            Volume::Below {
                point: -Vec3::Y,
                normal: Vec3::Y,
            },
        )
    };
    for trigger in [open, trap] {
        world.add_trigger(trigger).expect("trigger");
    }
    world
}

#[test]
fn triggers_notice_and_act_alike_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = [
        build(Box::new(CpuEngine::new())),
        build(Box::new(GpuEngine::new(&gpu).expect("engine"))),
    ];
    let mut least = usize::MAX;
    for frame in 0..150 {
        worlds.iter_mut().for_each(|world| world.step(DT));
        let [cpu, gpu] = &worlds;
        let noted = |world: &World| -> Vec<[u64; 3]> {
            let numbers = |of: &Triggered| [of.inside(), of.entered(), of.removed()];
            world.triggers().iter().map(numbers).collect()
        };
        // Rounding may have a grain cross a border a frame sooner.
        let both = noted(cpu).into_iter().zip(noted(gpu));
        for (one, other) in both.flat_map(|(a, b)| a.into_iter().zip(b)) {
            assert!(one.abs_diff(other) <= 2, "frame {frame}: {one} {other}");
        }
        least = least.min(gpu.particle_count());
    }
    let [cpu, gpu] = worlds;
    assert_eq!(cpu.particle_count(), 0, "all fell through and were removed");
    assert_eq!(least, 0, "on the device too");
    assert_eq!(cpu.triggers()[1].removed(), cpu.triggers()[1].entered());
    assert_eq!(gpu.triggers()[1].removed(), cpu.triggers()[1].removed());
    assert_eq!(
        gpu.emitters()[0].progress.emitted(),
        cpu.emitters()[0].progress.emitted()
    );
}
