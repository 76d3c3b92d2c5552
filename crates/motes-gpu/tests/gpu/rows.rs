//! Constraints between particles on the GPU: the same as on the CPU, edited, broken and listed on the device.

use motes_core::glam::Vec3;
use motes_core::{
    BodyId, ConstraintId, ConstraintSolver, CpuEngine, Engine, Group, Links, Material, NewBody, NewDistance,
    ParticleId, Plasticity, Pose, Settings, Softness, Tethers, Volume, World,
};
use motes_gpu::GpuEngine;

use crate::{block, gpu};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;
const PITCH: f32 = 2.5 * RADIUS;
const SOLVERS: [ConstraintSolver; 2] = [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel];

/// One world on each engine; none without a GPU.
fn engines() -> Option<[Box<dyn Engine>; 2]> {
    let gpu = gpu()?;
    Some([
        Box::new(CpuEngine::with_threads(2)),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ])
}

struct Net {
    world: World,
    ids: Vec<ParticleId>,
    rows: Vec<ConstraintId>,
}

/// A square net of grains that hangs by a corner.
fn net(engine: Box<dyn Engine>, side: usize, solver: ConstraintSolver) -> Net {
    let settings = Settings {
        particle_radius: RADIUS,
        constraint_solver: solver,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let glass = world.add_material(Material::GLASS).expect("material");
    let mut group = Group::grains("net", glass);
    group.flags = 0;
    let group = world.add_group(group).expect("group");
    let positions: Vec<Vec3> = (0..side * side)
        .map(|i| PITCH * Vec3::new((i % side) as f32, 0.0, (i / side) as f32))
        .collect();
    let ids = world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
    world.set_inverse_masses(&[(ids[0], 0.0)]).expect("pinned");
    let mut new = Vec::new();
    for i in 0..side * side {
        let (x, z) = (i % side, i / side);
        for (dx, dz) in [(1, 0), (0, 1), (1, 1)] {
            if x + dx < side && z + dz < side {
                let j = (z + dz) * side + x + dx;
                new.push(NewDistance {
                    softness: match new.len() % 3 {
                        0 => Softness::STIFF,
                        1 => Softness::Compliance(1e-4),
                        _ => Softness::Stiffness(0.8),
                    },
                    ..NewDistance::new([ids[i], ids[j]], positions[i].distance(positions[j]))
                });
            }
        }
    }
    let rows = world.add_distances(&new).expect("rows");
    Net { world, ids, rows }
}

fn run(net: &mut Net, frames: usize) {
    for _ in 0..frames {
        net.world.step(DT);
    }
    net.world.health().expect("finite");
}

fn places(net: &mut Net) -> Vec<Option<Vec3>> {
    let ids = net.ids.clone();
    net.world.positions(&ids)
}

/// The largest distance between where the particles of two nets are.
fn apart(nets: &mut [Net; 2]) -> f32 {
    let [a, b] = nets.each_mut().map(places);
    assert_eq!(a.len(), b.len());
    let distances = a.iter().zip(&b).map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => a.distance(*b),
        (None, None) => 0.0,
        _ => f32::INFINITY,
    });
    distances.fold(0.0, f32::max)
}

fn nets(side: usize, solver: ConstraintSolver) -> Option<[Net; 2]> {
    Some(engines()?.map(|engine| net(engine, side, solver)))
}

#[test]
fn a_net_hangs_alike_on_both_engines_with_either_solver() {
    for solver in SOLVERS {
        let Some(mut both) = nets(12, solver) else { return };
        for (frames, bound) in [(1, 1e-6), (9, 1e-4), (30, 5e-3)] {
            both.iter_mut().for_each(|net| run(net, frames));
            let apart = apart(&mut both);
            assert!(apart < bound, "{apart} {solver:?}");
        }
        let [cpu, gpu] = both.each_mut().map(|net| {
            let row = net.rows[0];
            net.world.constraint(row).expect("alive").impulse
        });
        assert!((cpu - gpu).abs() < 0.02 * cpu.abs() + 1e-7, "{cpu} {gpu}");
    }
}

#[test]
fn rows_are_added_changed_switched_and_removed_while_it_runs() {
    for solver in SOLVERS {
        let Some(mut both) = nets(8, solver) else { return };
        let mut added = Vec::new();
        for net in &mut both {
            run(net, 2);
            let (ids, rows) = (net.ids.clone(), net.rows.clone());
            net.world.set_rest_length(rows[3], 1.5 * PITCH).expect("alive");
            net.world
                .set_softness(rows[4], Softness::Compliance(1e-2))
                .expect("alive");
            net.world.switch_constraint(rows[5], false).expect("alive");
            assert_eq!(net.world.remove_constraints(&rows[6..9]), 3);
            run(net, 2);
            let far = NewDistance::new([ids[63], ids[56]], 4.0 * PITCH);
            added.push(net.world.add_distances(&[far]).expect("row"));
            net.world.switch_constraint(rows[5], true).expect("alive");
            run(net, 2);
        }
        assert_eq!(added[0], added[1]);
        let apart = apart(&mut both);
        assert!(apart < 1e-4, "{apart} {solver:?}");
        let [cpu, gpu] = both.each_mut().map(|net| net.world.constraints().len());
        assert_eq!(cpu, gpu);
    }
}

#[test]
fn the_same_rows_break_on_both_engines_and_are_told_of_once() {
    for solver in SOLVERS {
        let Some(mut both) = nets(6, solver) else { return };
        let broken = both.each_mut().map(|net| {
            for &row in &net.rows.clone() {
                net.world.set_breaking_force(row, 0.02).expect("alive");
            }
            let mut broken = Vec::new();
            for _ in 0..12 {
                run(net, 1);
                broken.extend(net.world.take_broken_constraints());
            }
            let alive = net.world.constraints().len();
            broken.extend(net.world.take_broken_constraints());
            assert_eq!(alive + broken.len(), net.rows.len());
            broken.sort_unstable();
            broken
        });
        assert!(!broken[0].is_empty() && broken[0].len() < both[0].rows.len());
        assert_eq!(broken[0], broken[1]);
        let apart = apart(&mut both);
        assert!(apart < 1e-3, "{apart} {solver:?}");
    }
}

#[test]
fn rows_die_with_particles_that_are_killed_on_the_device() {
    let Some(mut both) = nets(8, ConstraintSolver::Jacobi) else {
        return;
    };
    for net in &mut both {
        let corner = 7.0 * PITCH * Vec3::new(1.0, 0.0, 1.0);
        net.world.kill_volumes_mut().push(Volume::Sphere {
            center: corner,
            radius: 1.5 * PITCH,
        });
        run(net, 12);
        net.world.kill_volumes_mut().clear();
        run(net, 12);
    }
    let [cpu, gpu] = both.each_mut().map(|net| net.world.constraints().len());
    assert!(cpu == gpu && cpu < both[0].rows.len(), "{cpu} {gpu}");
    assert!(apart(&mut both) < 1e-2);
}

#[test]
fn a_saved_net_goes_on_on_the_other_engine() {
    let Some([_, engine]) = engines() else { return };
    let mut cpu = net(Box::new(CpuEngine::with_threads(1)), 8, ConstraintSolver::Jacobi);
    run(&mut cpu, 10);
    let world = World::restore(&cpu.world.save(), engine).expect("restored");
    let (ids, rows) = (cpu.ids.clone(), cpu.rows.clone());
    let mut both = [cpu, Net { world, ids, rows }];
    both.iter_mut().for_each(|net| run(net, 1));
    assert!(apart(&mut both) < 1e-5);
}

#[test]
fn a_world_without_rows_and_one_with_a_single_row_run() {
    for solver in SOLVERS {
        let Some(mut both) = nets(2, solver) else { return };
        for net in &mut both {
            let rows = net.rows.clone();
            net.world.remove_constraints(&rows[1..]);
            run(net, 3);
            net.world.remove_constraints(&rows[..1]);
            run(net, 3);
            assert!(net.world.constraints().is_empty());
        }
        assert!(apart(&mut both) < 1e-5);
    }
}

#[test]
fn links_follow_the_rest_shape_of_a_body_that_flows() {
    let Some(engines) = engines() else { return };
    let worlds = engines.map(|engine| {
        let mut world = World::with_engine(Settings::default(), engine).expect("settings");
        let clay = world.add_material(Material::default()).expect("material");
        let positions: Vec<Vec3> = (0..6).map(|k| 0.1 * k as f32 * Vec3::X).collect();
        let body = NewBody {
            stiffness: 0.5,
            plasticity: Some(Plasticity {
                threshold: 0.001,
                creep: 0.9,
                limit: 1.0,
            }),
            links: Links {
                pairs: (0..5).map(|k| [k, k + 1]).collect(),
                compliance: 1e-3,
            },
            ..NewBody::new("rod", clay, positions, vec![1.0; 6])
        };
        let body = world.add_body(body).expect("body");
        let group = world.body_group(body).expect("alive");
        let ids = world.group_particles(group);
        world
            .set_velocities(&[(ids[0], Vec3::new(-3.0, 0.0, 0.0)), (ids[5], Vec3::new(3.0, 0.0, 0.0))])
            .expect("alive");
        for _ in 0..10 {
            world.step(DT);
        }
        world.positions(&ids)
    });
    let length = |places: &[Option<Vec3>]| places[0].expect("alive").distance(places[5].expect("alive"));
    let [cpu, gpu] = worlds.each_ref().map(|places| length(places));
    assert!(cpu > 0.51 && (cpu - gpu).abs() < 1e-3, "{cpu} {gpu}");
}

#[test]
fn tethers_hold_alike_on_both_engines_with_either_solver() {
    for solver in SOLVERS {
        let Some(engines) = engines() else { return };
        let mut places = Vec::new();
        for engine in engines {
            let settings = Settings {
                particle_radius: RADIUS,
                constraint_solver: solver,
                ..Settings::default()
            };
            let mut world = World::with_engine(settings, engine).expect("settings");
            let rubber = world.add_material(Material::default()).expect("material");
            let positions: Vec<Vec3> = (0..4).map(|k| PITCH * Vec3::new(k as f32, 0.0, 0.0)).collect();
            let new = NewBody {
                stiffness: 0.0,
                tethers: Tethers {
                    pairs: vec![[0, 1], [1, 2], [2, 3]],
                    stretch: 1.5,
                },
                ..NewBody::new("chain", rubber, positions, vec![1.0; 4])
            };
            world.add_body(new).expect("body");
            let ids = world.bodies().particles.clone();
            world.set_inverse_masses(&[(ids[0], 0.0)]).expect("pinned");
            world
                .set_velocities(&[(ids[3], Vec3::new(1.0, 0.0, 2.0))])
                .expect("alive");
            for _ in 0..40 {
                world.step(DT);
            }
            places.push(world.positions(&ids).into_iter().flatten().collect::<Vec<Vec3>>());
        }
        for pair in places[0].windows(2) {
            let stretch = pair[0].distance(pair[1]) / PITCH;
            assert!(stretch < 1.7, "{stretch} {solver:?}");
        }
        let hangs = places[0][3].distance(places[0][0]) / PITCH;
        assert!(hangs > 3.5, "taut: {hangs} {solver:?}");
        let apart = { places[0].iter().zip(&places[1]) }
            .map(|(a, b)| a.distance(*b))
            .fold(0.0, f32::max);
        assert!(apart < 1e-3, "{apart} {solver:?}");
    }
}

/// A cube of bodies' particles that hangs from a pinned grain by two rows, with a chain of grains below that ends at a second one.
fn hung_cubes(engine: Box<dyn Engine>, solver: ConstraintSolver) -> (World, [BodyId; 2], Vec<ConstraintId>) {
    let settings = Settings {
        particle_radius: block::RADIUS,
        constraint_solver: solver,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let cubes = [4, 6].map(|side| {
        let height = -0.6 - 0.9 * (side - 4) as f32;
        let new = block::block(&mut world, [side; 3], Pose::at(Vec3::new(0.1, height, 0.0)));
        world.add_body(new).expect("body")
    });
    let glass = world.add_material(Material::GLASS).expect("material");
    let group = world.add_group(Group::grains("chain", glass)).expect("group");
    let places = [0.0, -1.0, -1.2, -1.4].map(|y| Vec3::new(0.1, y, 0.1));
    let chain = world.add_particles(group, &places, Vec3::ZERO).expect("grains");
    world.set_inverse_masses(&[(chain[0], 0.0)]).expect("pinned");
    let member = |world: &World, cube: BodyId, place: usize| {
        let bodies = world.bodies();
        bodies.particles[bodies.list[bodies.place(cube).expect("body")].members()][place]
    };
    let last = |world: &World, cube: BodyId| {
        let bodies = world.bodies();
        bodies.list[bodies.place(cube).expect("body")].count as usize - 1
    };
    let ends = [
        (chain[0], member(&world, cubes[0], 12)),
        (chain[0], member(&world, cubes[0], 15)),
        (chain[1], member(&world, cubes[0], 0)),
        (chain[1], chain[2]),
        (chain[2], chain[3]),
        (chain[3], member(&world, cubes[1], last(&world, cubes[1]))),
    ];
    let rows: Vec<NewDistance> = ends
        .iter()
        .map(|&(a, b)| {
            let places = world.positions(&[a, b]);
            let length = places[0].expect("alive").distance(places[1].expect("alive"));
            NewDistance::new([a, b], length)
        })
        .collect();
    let rows = world.add_distances(&rows).expect("rows");
    (world, cubes, rows)
}

#[test]
fn bodies_on_rows_hang_alike_on_both_engines() {
    for solver in SOLVERS {
        let Some(engines) = engines() else { return };
        let mut both = engines.map(|engine| hung_cubes(engine, solver));
        for (frames, bound) in [(1, 1e-6), (4, 1e-5), (20, 2e-3)] {
            let [a, b] = both.each_mut().map(|(world, cubes, _)| {
                (0..frames).for_each(|_| world.step(DT));
                world.health().expect("finite");
                cubes.map(|cube| world.body_motion(cube).expect("body").pose.position)
            });
            for (a, b) in a.iter().zip(&b) {
                assert!(a.distance(*b) < bound, "{a} {b} {solver:?}");
            }
        }
        // Without one of its two rows the upper cube hangs by the other.
        for (world, _, rows) in &mut both {
            world.remove_constraints(&rows[..1]);
        }
        let [a, b] = both.each_mut().map(|(world, cubes, _)| {
            (0..2).for_each(|_| world.step(DT));
            cubes.map(|cube| world.body_motion(cube).expect("body").pose.position)
        });
        for (a, b) in a.iter().zip(&b) {
            assert!(a.distance(*b) < 4e-3, "{a} {b} {solver:?}");
        }
    }
}

#[test]
fn bodies_on_rows_go_on_byte_for_byte_after_a_row_was_removed_and_the_world_restored() {
    let Some(gpu) = gpu() else { return };
    let engine = || Box::new(GpuEngine::new(&gpu).expect("engine"));
    let (mut world, _, rows) = hung_cubes(engine(), ConstraintSolver::Jacobi);
    (0..5).for_each(|_| world.step(DT));
    world.remove_constraints(&rows[1..2]);
    (0..5).for_each(|_| world.step(DT));
    let mut restored = World::restore(&world.save(), engine()).expect("state");
    for _ in 0..5 {
        world.step(DT);
        restored.step(DT);
        assert_eq!(world.digest(), restored.digest());
    }
}
