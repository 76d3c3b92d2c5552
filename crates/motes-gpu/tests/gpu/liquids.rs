//! Liquids: the same on both engines.

use motes_core::glam::Vec3;
use motes_core::random::Random;
use motes_core::{CpuEngine, Engine, Group, Material, NewBody, Settings, World};
use motes_gpu::{Gpu, GpuEngine};

use crate::tank::{DT, IDEAL, block, liquid, run, settings, tank_on};

const RADIUS: f32 = 0.05;

/// The same world on both engines, the CPU's first.
pub(crate) fn both(gpu: &Gpu, settings: Settings, sides: [usize; 2], fill: impl Fn(&mut World)) -> [World; 2] {
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::with_threads(2)),
        Box::new(GpuEngine::new(gpu).expect("engine")),
    ];
    engines.map(|engine| {
        let mut world = tank_on(engine, settings.clone(), sides);
        fill(&mut world);
        world
    })
}

/// A block that is a little out of order, so that no two neighbourhoods are alike.
pub(crate) fn shaken(counts: [usize; 3], corner: Vec3, seed: u64) -> Vec<Vec3> {
    let mut random = Random::new(seed, 5);
    let mut part = || 0.2 * RADIUS * random.signed();
    let places = block(counts, 2.0 * RADIUS, corner);
    places
        .into_iter()
        .map(|place| place + Vec3::new(part(), part(), part()))
        .collect()
}

pub(crate) fn pour(world: &mut World, material: Material, places: &[Vec3], velocity: Vec3) {
    let group = liquid(world, "liquid", material);
    world.add_particles(group, places, velocity).expect("particles");
}

/// Positions and velocities in the order of ids.
fn state(world: &mut World) -> Vec<[Vec3; 2]> {
    let particles = world.particles();
    let mut all: Vec<_> = (0..particles.len())
        .map(|slot| {
            let [place, velocity] = [particles.positions[slot], particles.velocities[slot]].map(|v| v.truncate());
            (particles.ids()[slot], [place, velocity])
        })
        .collect();
    all.sort_unstable_by_key(|(id, _)| *id);
    all.into_iter().map(|(_, state)| state).collect()
}

/// Worlds go alike for some frames: places to a part of a diameter, velocities to what that is in a sub-step.
#[track_caller]
pub(crate) fn go_alike(worlds: &mut [World; 2], frames: usize, tolerance: f32) {
    for frame in 1..=frames {
        let [first, second] = worlds.each_mut().map(|world| {
            world.step(DT);
            world.health().expect("finite numbers");
            assert_eq!(world.notice(), None);
            assert_eq!(world.fault(), None);
            state(world)
        });
        let substep = DT / worlds[0].settings().substeps as f32;
        for (number, (a, b)) in first.iter().zip(&second).enumerate() {
            let apart = (a[0] - b[0]).length().max((a[1] - b[1]).length() * substep) / (2.0 * RADIUS);
            assert!(
                apart < tolerance,
                "frame {frame}, particle {number}: {a:?} and {b:?}, {apart} apart"
            );
        }
    }
}

fn errors(world: &mut World) -> Vec<f32> {
    let found = match world.engine_as_mut::<GpuEngine>() {
        Some(engine) => engine.density_errors().expect("the device works"),
        None => world.engine_as_mut::<CpuEngine>().expect("the other").density_errors(),
    };
    let mut numbered: Vec<_> = world.particles().ids().iter().copied().zip(found).collect();
    numbered.sort_unstable_by_key(|(id, _)| *id);
    numbered.into_iter().map(|(_, error)| error).collect()
}

#[test]
fn a_dam_breaks_alike() {
    let Some(gpu) = crate::gpu() else { return };
    for steps in [[2, 4], [4, 3]] {
        let mut worlds = both(&gpu, settings(RADIUS, steps), [16, 5], |world| {
            pour(world, IDEAL, &shaken([6, 12, 5], Vec3::ZERO, 1), Vec3::ZERO);
        });
        go_alike(&mut worlds, 6, 2e-3);
        let [first, second] = worlds.each_mut().map(errors);
        assert_eq!(first.len(), 360);
        assert!(first.iter().any(|error| *error > 0.001), "nothing is too dense");
        for (a, b) in first.iter().zip(&second) {
            assert!((a - b).abs() < 5e-3, "{a} {b}");
        }
    }
}

#[test]
fn honey_and_eddies_flow_alike() {
    let Some(gpu) = crate::gpu() else { return };
    let thick = Material {
        viscosity: 40.0,
        ..IDEAL
    };
    let swirling = Material {
        viscosity: 1.0,
        vorticity: 0.3,
        ..IDEAL
    };
    for material in [
        thick,
        swirling,
        Material {
            viscosity: 400.0,
            ..IDEAL
        },
    ] {
        let mut worlds = both(&gpu, settings(RADIUS, [2, 4]), [12, 5], |world| {
            pour(world, material, &shaken([6, 8, 5], Vec3::ZERO, 2), Vec3::X);
        });
        go_alike(&mut worlds, 5, 2e-3);
    }
}

#[test]
fn drops_contract_and_wet_alike() {
    let Some(gpu) = crate::gpu() else { return };
    // Held back to what sub-steps carry, and not; on walls, grains and another liquid, of one size and of two.
    for (contact_angle, surface_tension, coarse) in [(40.0, 1000.0, 1.0), (130.0, 100.0, 1.0), (90.0, 100.0, 1.5)] {
        let taut = Material {
            surface_tension,
            contact_angle,
            ..IDEAL
        };
        let mut worlds = both(&gpu, settings(RADIUS, [2, 4]), [10, 10], |world| {
            pour(world, taut, &shaken([6, 4, 6], Vec3::ZERO, 8), Vec3::ZERO);
            let material = world
                .add_material(Material {
                    surface_tension: 0.3 * surface_tension,
                    ..IDEAL
                })
                .expect("material");
            let oil = Group::fluid("oil", material).with_radius(coarse * RADIUS);
            let oil = world.add_group(oil).expect("group");
            let places = block([3, 3, 3], 2.0 * coarse * RADIUS, Vec3::new(0.62, 0.0, 0.1));
            world.add_particles(oil, &places, Vec3::ZERO).expect("particles");
            let sand = world.add_material(Material::FAST_SAND).expect("material");
            let grains = world.add_group(Group::grains("sand", sand)).expect("group");
            let places = block([3, 1, 3], 2.2 * RADIUS, Vec3::new(0.1, 0.405, 0.1));
            world.add_particles(grains, &places, Vec3::ZERO).expect("particles");
        });
        // What pulls as hard as sub-steps carry drives rounding apart fast.
        go_alike(&mut worlds, 1, 2e-4);
        go_alike(&mut worlds, 3, 1e-2);
        let loads = worlds.each_ref().map(|world| world.collider_forces()[0].force.y);
        assert!((loads[0] / loads[1] - 1.0).abs() < 0.02, "{loads:?}");
    }
}

#[test]
fn liquids_of_several_sizes_and_weights_lie_alike() {
    let Some(gpu) = crate::gpu() else { return };
    let heavy = Material {
        density: 4000.0,
        ..IDEAL
    };
    let mut worlds = both(&gpu, settings(RADIUS, [2, 4]), [8, 8], |world| {
        pour(world, heavy, &shaken([8, 3, 8], Vec3::ZERO, 3), Vec3::ZERO);
        let material = world.add_material(IDEAL).expect("material");
        let coarse = Group::fluid("coarse", material).with_radius(2.0 * RADIUS);
        let group = world.add_group(coarse).expect("group");
        let places = block([4, 3, 4], 4.0 * RADIUS, Vec3::Y * 0.32);
        world.add_particles(group, &places, Vec3::ZERO).expect("particles");
    });
    go_alike(&mut worlds, 5, 2e-3);
}

#[test]
fn bodies_and_grains_are_carried_alike() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = both(&gpu, settings(RADIUS, [2, 4]), [10, 10], |world| {
        pour(world, IDEAL, &shaken([10, 5, 10], Vec3::ZERO, 4), Vec3::ZERO);
        // They begin where they touch: whether an impact touches at the end of a sub-step may hang on the last bit.
        let wood = Material {
            density: 500.0,
            ..Material::WOOD
        };
        let wood = world.add_material(wood).expect("material");
        let places = block([3, 3, 3], 2.0 * RADIUS, Vec3::new(0.35, 0.505, 0.35));
        let masses = vec![500.0 * (2.0 * RADIUS).powi(3); places.len()];
        world
            .add_body(NewBody::new("block", wood, places, masses))
            .expect("body");
        let sand = world.add_material(Material::FAST_SAND).expect("material");
        let grains = world.add_group(Group::grains("sand", sand)).expect("group");
        let places = block([2, 2, 2], 2.2 * RADIUS, Vec3::new(0.1, 0.505, 0.1));
        world.add_particles(grains, &places, Vec3::ZERO).expect("particles");
    });
    go_alike(&mut worlds, 12, 0.02);
}

#[test]
fn water_at_rest_is_as_dense_and_as_high_on_both() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = both(&gpu, settings(RADIUS, [4, 4]), [8, 8], |world| {
        pour(world, Material::WATER, &shaken([8, 8, 8], Vec3::ZERO, 5), Vec3::ZERO);
    });
    let [cpu, gpu] = worlds.each_mut().map(|world| {
        run(world, 4.0);
        let count = world.particles().len() as f32;
        let height = world.particles().positions.iter().map(|place| place.y).sum::<f32>() / count;
        let excess = errors(world).iter().map(|error| error.max(0.0)).sum::<f32>() / count;
        let mut load = 0.0;
        for _ in 0..30 {
            world.step(DT);
            load -= world.collider_forces()[0].force.y / 30.0;
        }
        [height, excess, load]
    });
    let weight = 512.0 * 998.0 * (2.0 * RADIUS).powi(3) * 9.81;
    assert!(
        [cpu[2], gpu[2]].iter().all(|load| (load / weight - 1.0).abs() < 0.03),
        "{cpu:?} {gpu:?}"
    );
    assert!((cpu[0] / gpu[0] - 1.0).abs() < 0.01, "{cpu:?} {gpu:?}");
    assert!(cpu[1] < 0.01 && gpu[1] < 0.01, "{cpu:?} {gpu:?}");
}

#[test]
fn what_is_dead_is_not_looked_at() {
    let Some(gpu) = crate::gpu() else { return };
    let [plain, filled] = [false, true].map(|fills| {
        let mut engine = GpuEngine::new(&gpu).expect("engine");
        if fills {
            engine.fill_dead().expect("the device works");
        }
        let mut world = tank_on(Box::new(engine), settings(RADIUS, [2, 4]), [8, 8]);
        let material = Material {
            vorticity: 0.2,
            ..Material::HONEY
        };
        pour(&mut world, material, &shaken([6, 6, 6], Vec3::ZERO, 6), Vec3::ZERO);
        run(&mut world, 0.1);
        state(&mut world)
    });
    assert_eq!(plain, filled);
}

#[test]
fn few_particles_and_particles_in_one_spot() {
    let Some(gpu) = crate::gpu() else { return };
    for places in [vec![], vec![Vec3::ONE * 0.3], vec![Vec3::ONE * 0.3; 5]] {
        let mut world = tank_on(
            Box::new(GpuEngine::new(&gpu).expect("engine")),
            settings(RADIUS, [2, 4]),
            [8, 8],
        );
        pour(&mut world, Material::WATER, &places, Vec3::ZERO);
        run(&mut world, 0.5);
        assert_eq!(world.particles().len(), places.len());
    }
}
