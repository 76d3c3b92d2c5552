//! A world that is saved and restored on the device goes on byte for byte as if it had never stopped.

use motes_core::glam::Vec3;
use motes_core::{BodyId, Engine, Group, Material, Settings, World};
use motes_gpu::{Gpu, GpuEngine};

use crate::spins::turning;
use crate::{attachments, belts, bodies, foam, melting, passive, population, smoke, triggers};

const DT: f32 = 1.0 / 60.0;

type Build = fn(Box<dyn Engine>) -> World;

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

fn world_of((world, _): (World, Vec<BodyId>)) -> World {
    world
}

#[test]
fn restored_worlds_go_on_byte_for_byte() {
    let Some(gpu) = crate::gpu() else { return };
    let worlds: [(&str, Build); 20] = [
        ("heap", |engine| crate::engine::build(engine, Settings::default(), 3).0),
        ("turning heap", |engine| {
            turning(crate::engine::build(engine, Settings::default(), 3).0)
        }),
        ("turning births and deaths", |engine| turning(population::build(engine))),
        ("bodies on what turns", |engine| {
            turning(world_of(bodies::all_kinds_on_grains(engine)))
        }),
        ("markers", |engine| passive::heap(engine, Settings::default(), &[])),
        ("foam", foam::breaking),
        ("smoke", smoke::plume),
        ("births and deaths", population::build),
        ("belts", belts::build),
        ("triggers", triggers::build),
        ("stack", |engine| world_of(bodies::stack(engine))),
        ("soft", |engine| world_of(bodies::soft(engine))),
        ("linked", |engine| world_of(bodies::linked(engine))),
        ("plastic", |engine| world_of(bodies::plastic(engine))),
        ("large and soft", |engine| world_of(bodies::large_soft(engine))),
        ("all kinds on grains", |engine| {
            world_of(bodies::all_kinds_on_grains(engine))
        }),
        ("chain", |engine| world_of(attachments::chain(engine))),
        ("swinging", |engine| world_of(attachments::swinging(engine))),
        ("hung soft", |engine| world_of(attachments::soft(engine))),
        ("melting", |engine| melting::plate(engine).0),
    ];
    for (name, build) in worlds {
        // Nobody looks at the first before the end.
        let [mut world, mut looked_at] = [build(on_gpu(&gpu)), build(on_gpu(&gpu))];
        for frames in [7, 20] {
            (0..frames).for_each(|_| {
                [&mut world, &mut looked_at]
                    .into_iter()
                    .for_each(|world| world.step(DT));
            });
            let mut restored = World::restore(&looked_at.save(), on_gpu(&gpu)).expect("state");
            for frame in 0..10 {
                [&mut looked_at, &mut restored]
                    .into_iter()
                    .for_each(|world| world.step(DT));
                let digests = [&looked_at, &restored].map(World::digest);
                assert_eq!(digests[0], digests[1], "{name}, {frame} frames after {frames}");
            }
            (0..10).for_each(|_| world.step(DT));
            assert!(looked_at.save() == restored.save(), "{name}: all that is saved");
        }
        assert_eq!(world.digest(), looked_at.digest(), "{name}: looking changes nothing");
    }
}

/// Launches are then for more particles than there are, and sums by fewer threads than in a world that had never more.
#[test]
fn a_liquid_that_lost_many_particles_goes_on_byte_for_byte() {
    let Some(gpu) = crate::gpu() else { return };
    let settings = Settings {
        particle_radius: 0.05,
        substeps: 1,
        iterations: 2,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, on_gpu(&gpu)).expect("settings");
    let water = world.add_material(Material::WATER).expect("material");
    let group = world.add_group(Group::fluid("water", water)).expect("group");
    let place = |k: usize| Vec3::new((k % 32) as f32, (k / 1024) as f32, (k / 32 % 32) as f32) * 0.099;
    let places: Vec<Vec3> = (0..31 * 1024).map(place).collect();
    let ids = world.add_particles(group, &places, Vec3::ZERO).expect("drops");
    world.step(DT);
    assert_eq!(world.remove_particles(&ids[20 * 1024..]), 11 * 1024);
    (0..2).for_each(|_| world.step(DT));
    let mut restored = World::restore(&world.save(), on_gpu(&gpu)).expect("state");
    for frame in 0..3 {
        [&mut world, &mut restored].into_iter().for_each(|world| world.step(DT));
        assert_eq!(world.digest(), restored.digest(), "frame {frame}");
    }
    world.health().expect("finite");
}
