//! Sheets that tear on the GPU: the same tears leave the same sheets as on the CPU, new particles are where the old ones are, and nothing
//! depends on timing.

use motes_core::glam::Vec3;
use motes_core::{
    Change, ConstraintKind, ConstraintSolver, CpuEngine, Engine, Group, Material, ParticleId, Settings, Tear, Volume,
    Wind, World,
};
use motes_gpu::{Gpu, GpuEngine};

use crate::fabric::{Fabric, audit, ball, fabric, faces, pieces, square};
use crate::gpu;

const DT: f32 = 1.0 / 60.0;

/// Radius of particles that overlap in sheets of theirs, metres.
const THICK: f32 = 0.02;

fn empty(engine: Box<dyn Engine>, solver: ConstraintSolver, particle_radius: f32) -> World {
    let settings = Settings {
        particle_radius,
        substeps: 4,
        constraint_solver: solver,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    // What flies along its own plane flutters, and rounding is blown up within frames.
    let vacuum = Wind {
        density: 0.0,
        ..Wind::default()
    };
    world.set_wind(vacuum).expect("no air");
    world
}

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

fn both(gpu: &Gpu, build: impl Fn(&mut World) -> Fabric) -> [(World, Fabric); 2] {
    both_of(gpu, THICK, build)
}

fn both_of(gpu: &Gpu, radius: f32, build: impl Fn(&mut World) -> Fabric) -> [(World, Fabric); 2] {
    let engines: [Box<dyn Engine>; 2] = [Box::new(CpuEngine::with_threads(2)), on_gpu(gpu)];
    engines.map(|engine| {
        let mut world = empty(engine, ConstraintSolver::Jacobi, radius);
        let sheet = build(&mut world);
        (world, sheet)
    })
}

/// Who belongs to which row, and what it weighs.
fn structure(world: &World) -> Vec<(ConstraintKind, Vec<ParticleId>, f32)> {
    let rows = world.constraints().iter();
    rows.map(|(id, row)| (id.kind, row.particles, row.softness.encode()))
        .collect()
}

fn apart(worlds: &[(World, Fabric); 2]) -> f32 {
    let ids = worlds[0].0.group_particles(worlds[0].1.group);
    assert_eq!(ids, worlds[1].0.group_particles(worlds[1].1.group));
    let [a, b] = [&worlds[0].0, &worlds[1].0].map(|world| world.positions(&ids));
    let apart = a
        .iter()
        .zip(&b)
        .map(|(a, b)| a.expect("alive").distance(b.expect("alive")));
    apart.fold(0.0, f32::max)
}

#[test]
fn the_same_tears_leave_the_same_sheets_on_both_engines() {
    let Some(gpu) = gpu() else { return };
    let mut worlds = both(&gpu, |world| fabric(world, &ball(0.2, 3), f32::INFINITY));
    let mut tears: [Vec<Tear>; 2] = Default::default();
    for frame in 0..12 {
        for ((world, sheet), tears) in worlds.iter_mut().zip(&mut tears) {
            // Those of the frame before as well, and several times in one frame.
            let ids: Vec<ParticleId> = sheet
                .ids
                .iter()
                .copied()
                .chain(tears.iter().map(|tear| tear.new))
                .collect();
            for k in 0..3 {
                let at = ids[(7 * frame + 29 * k) % ids.len()];
                let neighbor = |from: ParticleId, turn: usize| {
                    let around: Vec<ParticleId> =
                        { faces(world).into_iter().filter(|face| face.contains(&from)).flatten() }.collect();
                    around[turn % around.len()]
                };
                let path = [neighbor(at, k), at, neighbor(at, k + 4)];
                tears.extend(world.tear_along(&path));
            }
            world.step(DT);
        }
    }
    assert!(tears[0].len() > 10, "{}", tears[0].len());
    assert_eq!(tears[0], tears[1]);
    assert_eq!(structure(&worlds[0].0), structure(&worlds[1].0));
    let apart = apart(&worlds);
    assert!(apart < 1e-4, "{apart} m");
    audit(&worlds[1].0, &worlds[1].1);
    let masses = worlds
        .each_ref()
        .map(|(world, sheet)| world.inverse_masses(&world.group_particles(sheet.group)));
    for (a, b) in masses[0].iter().zip(&masses[1]) {
        let (a, b) = (a.expect("alive"), b.expect("alive"));
        assert!((a - b).abs() <= 1e-6 * a, "{a} {b}");
    }
}

#[test]
fn a_new_particle_is_where_the_old_one_is_without_anybody_reading() {
    let Some(gpu) = gpu() else { return };
    // Its particles are too small to touch: who does and who does not is a matter of rounding where a sheet trembles.
    let mut worlds = both_of(&gpu, 0.01, |world| fabric(world, &square(9, 0.03), f32::INFINITY));
    for (world, sheet) in &mut worlds {
        // It flies, so that what the host knows of it is far away.
        let up: Vec<_> = sheet.ids.iter().map(|&id| (id, Vec3::new(3.0, 4.0, 0.0))).collect();
        world.set_velocities(&up).expect("alive");
        for _ in 0..10 {
            world.step(DT);
        }
        let row: Vec<ParticleId> = (0..9).map(|x| sheet.ids[36 + x]).collect();
        assert_eq!(world.tear_along(&row).len(), 9);
        world.step(DT);
        assert_eq!(pieces(world), 2);
    }
    let apart = apart(&worlds);
    assert!(apart < 1e-5, "{apart} m");
}

#[test]
fn a_sheet_tears_alike_beside_grains_that_came_after_it() {
    let Some(gpu) = gpu() else { return };
    // Between the indices of its particles and those that tears give it are others.
    let mut worlds = both(&gpu, |world| {
        let sheet = fabric(world, &square(7, 0.03), f32::INFINITY);
        let sand = world.add_material(Material::SAND).expect("material");
        let heap = world.add_group(Group::grains("heap", sand)).expect("group");
        // On all sides of it, so that they come before and after it however they are sorted.
        let places: Vec<Vec3> = (0..50)
            .map(|k| {
                let (sin, cos) = (2.4 * k as f32).sin_cos();
                Vec3::new(0.1 + cos, 0.04 * (k as f32 - 25.0), sin)
            })
            .collect();
        world.add_particles(heap, &places, Vec3::X).expect("grains");
        sheet
    });
    for (world, sheet) in &mut worlds {
        world.step(DT);
        let row: Vec<ParticleId> = (0..7).map(|x| sheet.ids[21 + x]).collect();
        assert_eq!(world.tear_along(&row).len(), 7);
        for _ in 0..4 {
            world.step(DT);
        }
    }
    let apart = apart(&worlds);
    assert!(apart < 1e-5, "{apart} m");
}

#[test]
fn what_is_read_edited_or_removed_after_a_tear_is_as_on_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let mut worlds = both(&gpu, |world| fabric(world, &square(7, 0.03), f32::INFINITY));
    let mut seen = Vec::new();
    for (world, sheet) in &mut worlds {
        for _ in 0..6 {
            world.step(DT);
        }
        let tears = world.tear(sheet.ids[24], Vec3::X).expect("alive");
        let [of, new] = [tears[0].of, tears[0].new];
        // Read at once, before any frame.
        let read = world.positions(&[of, new]);
        assert_eq!(read[0], read[1]);
        let again = world.tear(sheet.ids[10], Vec3::Y).expect("alive");
        // An edit of what was split comes after the split.
        world
            .edit(&[
                (again[0].of, Change::Push(Vec3::new(1e-4, 0.0, 0.0))),
                (new, Change::InverseMass(0.0)),
            ])
            .expect("alive");
        let third = world.tear(sheet.ids[38], Vec3::Y).expect("alive");
        world.remove_particles(&[third[0].new]);
        world.step(DT);
        world.step(DT);
        seen.push((tears, again, third, world.particle_count()));
    }
    assert_eq!(seen[0], seen[1]);
    let apart = apart(&worlds);
    assert!(apart < 1e-4, "{apart} m");
}

/// A sheet that is pulled apart by its own weight and by what is thrown at it, above a region where everything dies.
fn hung(engine: Box<dyn Engine>, solver: ConstraintSolver) -> (World, Fabric) {
    let mut world = empty(engine, solver, THICK);
    let sheet = fabric(&mut world, &square(9, 0.03), 0.2);
    let sides: Vec<_> = (0..9).flat_map(|y| [9 * y, 9 * y + 8]).map(|i| sheet.ids[i]).collect();
    let pins: Vec<_> = sides.iter().map(|&id| (id, 0.0)).collect();
    world.set_inverse_masses(&pins).expect("alive");
    let apart: Vec<_> = { sides.iter().enumerate() }
        .map(|(k, &id)| {
            let x = if k % 2 == 0 { -0.06 } else { 0.3 };
            (id, Vec3::new(x, 0.03 * (k / 2) as f32, 0.0))
        })
        .collect();
    world.set_positions(&apart).expect("alive");
    world.kill_volumes_mut().push(Volume::Below {
        point: -0.25 * Vec3::Y,
        normal: Vec3::Y,
    });
    (world, sheet)
}

#[test]
fn stress_tears_sheets_the_same_in_every_run_and_when_restored() {
    let Some(gpu) = gpu() else { return };
    for solver in [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel] {
        let run = |reads: bool, stop: Option<usize>| {
            let (mut world, _) = hung(on_gpu(&gpu), solver);
            for frame in 0..40 {
                world.step(DT);
                if reads && frame % 3 == 0 {
                    world.digest();
                }
                if stop == Some(frame) {
                    world = World::restore(&world.save(), on_gpu(&gpu)).expect("sound");
                }
            }
            (world.digest(), world.take_tears(), structure(&world).len())
        };
        let expected = run(false, None);
        assert!(expected.1.len() > 8, "{} tears", expected.1.len());
        assert_eq!(run(true, None), expected, "whoever reads changes nothing");
        assert_eq!(run(false, Some(4)), expected);
        let (mut on_cpu, _) = hung(Box::new(CpuEngine::with_threads(2)), solver);
        (0..40).for_each(|_| on_cpu.step(DT));
        let tears = on_cpu.take_tears();
        // The sheet is the same left and right: which of its edges is first is decided by rounding.
        assert!(tears.len() > 8, "{} and {}", tears.len(), expected.1.len());
    }
}
