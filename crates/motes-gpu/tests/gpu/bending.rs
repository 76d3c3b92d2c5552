//! Curvatures on the GPU: the same as on the CPU, with either solver, edited while they act.

use motes_core::glam::Vec3;
use motes_core::{
    ConstraintId, ConstraintSolver, CpuEngine, Engine, Group, Material, NewBending, NewDistance, ParticleId, Settings,
    Softness, World,
};
use motes_gpu::GpuEngine;

use crate::gpu;

const DT: f32 = 1.0 / 60.0;
const PITCH: f32 = 0.05;
const SOLVERS: [ConstraintSolver; 2] = [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel];

struct Sheet {
    world: World,
    ids: Vec<ParticleId>,
    bends: Vec<ConstraintId>,
}

/// A square sheet held along one side, some of its folds bent at rest, and a chain that hangs from it.
fn sheet(engine: Box<dyn Engine>, side: usize, solver: ConstraintSolver) -> Sheet {
    let settings = Settings {
        particle_radius: 0.02,
        constraint_solver: solver,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let glass = world.add_material(Material::GLASS).expect("material");
    let mut group = Group::grains("sheet", glass);
    group.flags = 0;
    let group = world.add_group(group).expect("group");
    let corner = |i: usize| PITCH * Vec3::new((i % side) as f32, 0.0, (i / side) as f32);
    let mut positions: Vec<Vec3> = (0..side * side).map(corner).collect();
    let last = positions[side * side - 1];
    positions.extend((1..6).map(|k| last + k as f32 * PITCH * Vec3::X));
    let ids = world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
    let held: Vec<_> = (0..side).map(|z| (ids[z * side], 0.0)).collect();
    world.set_inverse_masses(&held).expect("pinned");
    let (mut distances, mut bends) = (Vec::new(), Vec::new());
    let at = |x: usize, z: usize| z * side + x;
    for (x, z) in (0..side * side).map(|i| (i % side, i / side)) {
        for (dx, dz) in [(1, 0), (0, 1), (1, 1)] {
            if x + dx < side && z + dz < side {
                let ends = [at(x, z), at(x + dx, z + dz)];
                let length = positions[ends[0]].distance(positions[ends[1]]);
                distances.push(NewDistance::new(ends.map(|end| ids[end]), length));
            }
        }
        // The two triangles at the diagonal of each square.
        if x + 1 < side && z + 1 < side {
            let corners = [at(x, z), at(x + 1, z + 1), at(x + 1, z), at(x, z + 1)];
            bends.push(NewBending {
                particles: corners.map(|corner| ids[corner]),
                weights: [-1.0, -1.0, 1.0, 1.0],
                rest: if (x + z) % 3 == 0 { 0.01 } else { 0.0 },
                softness: match (x + z) % 2 {
                    0 => Softness::Compliance(1e-4),
                    _ => Softness::Stiffness(0.3),
                },
            });
        }
    }
    for three in ids[side * side - 1..].windows(3) {
        bends.push(NewBending::of_chain(
            [three[0], three[1], three[2]],
            Softness::Compliance(1e-5),
        ));
    }
    for two in ids[side * side - 1..].windows(2) {
        distances.push(NewDistance::new([two[0], two[1]], PITCH));
    }
    world.add_distances(&distances).expect("distances");
    let bends = world.add_bendings(&bends).expect("bendings");
    Sheet { world, ids, bends }
}

fn sheets(side: usize, solver: ConstraintSolver) -> Option<[Sheet; 2]> {
    let gpu = gpu()?;
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::with_threads(2)),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ];
    Some(engines.map(|engine| sheet(engine, side, solver)))
}

fn run(sheet: &mut Sheet, frames: usize) {
    for _ in 0..frames {
        sheet.world.step(DT);
    }
    sheet.world.health().expect("finite");
}

fn apart(sheets: &mut [Sheet; 2]) -> f32 {
    let [a, b] = sheets.each_mut().map(|sheet| sheet.world.positions(&sheet.ids));
    let distances = a.iter().zip(&b).map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => a.distance(*b),
        (None, None) => 0.0,
        _ => f32::INFINITY,
    });
    distances.fold(0.0, f32::max)
}

#[test]
fn a_sheet_bends_alike_on_both_engines_with_either_solver() {
    for solver in SOLVERS {
        let Some(mut both) = sheets(10, solver) else { return };
        for (frames, bound) in [(1, 1e-6), (9, 1e-4), (30, 5e-3)] {
            both.iter_mut().for_each(|sheet| run(sheet, frames));
            let apart = apart(&mut both);
            assert!(apart < bound, "{apart} {solver:?}");
        }
        for row in [0, 40, 83] {
            let [cpu, gpu] = both.each_mut().map(|sheet| {
                let row = sheet.world.constraint(sheet.bends[row]).expect("alive");
                row.impulse
            });
            assert!(
                cpu > 0.0 && (cpu - gpu).abs() < 0.05 * cpu + 1e-8,
                "{cpu} {gpu} {solver:?}"
            );
        }
    }
}

#[test]
fn curvatures_are_added_changed_switched_and_removed_while_they_act() {
    for solver in SOLVERS {
        let Some(mut both) = sheets(6, solver) else { return };
        for sheet in &mut both {
            run(sheet, 3);
            let Sheet { world, bends, .. } = sheet;
            world.switch_constraint(bends[2], false).expect("alive");
            world.set_rest_length(bends[3], -0.02).expect("alive");
            world.set_softness(bends[4], Softness::STIFF).expect("alive");
            assert_eq!(world.remove_constraints(&bends[5..8]), 3);
            run(sheet, 3);
            let Sheet { world, ids: all, .. } = sheet;
            let new = [[0, 7, 14], [14, 21, 28]].map(|at| {
                let three = at.map(|i: usize| all[i]);
                NewBending::of_chain(three, Softness::Compliance(1e-3))
            });
            world.add_bendings(&new).expect("added");
            run(sheet, 3);
            let gone = [sheet.ids[10]];
            assert_eq!(sheet.world.remove_particles(&gone), 1);
            run(sheet, 3);
        }
        let apart = apart(&mut both);
        assert!(apart < 1e-4, "{apart} {solver:?}");
        let [cpu, gpu] = both.each_mut().map(|sheet| {
            let ids: Vec<ConstraintId> = sheet.world.constraints().ids().collect();
            ids
        });
        assert_eq!(cpu, gpu);
    }
}

#[test]
fn a_sheet_goes_on_alike_after_it_was_saved_and_the_same_bytes_come_of_the_same_run() {
    for solver in SOLVERS {
        let Some(both) = sheets(8, solver) else { return };
        let [_, mut on_gpu] = both;
        let Some(both) = sheets(8, solver) else { return };
        let [_, mut again] = both;
        run(&mut on_gpu, 10);
        run(&mut again, 10);
        assert_eq!(on_gpu.world.digest(), again.world.digest());
        let saved = on_gpu.world.save();
        let Some(gpu) = gpu() else { return };
        let mut restored = World::restore(&saved, Box::new(GpuEngine::new(&gpu).expect("engine"))).expect("a state");
        for _ in 0..10 {
            on_gpu.world.step(DT);
            restored.step(DT);
        }
        assert_eq!(on_gpu.world.digest(), restored.digest(), "{solver:?}");
    }
}
