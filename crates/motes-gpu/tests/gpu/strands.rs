//! Ropes that are tightened all at once: the same on both engines.

use motes_core::glam::Vec3;
use motes_core::{
    ConstraintId, ConstraintSolver, CpuEngine, Engine, Group, Material, NewDistance, ParticleId, Pose, Settings,
    Softness, World,
};
use motes_gpu::GpuEngine;

use crate::{block, gpu};

const DT: f32 = 1.0 / 60.0;
const SOLVERS: [ConstraintSolver; 2] = [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel];

struct Ropes {
    world: World,
    ids: Vec<ParticleId>,
    rows: Vec<ConstraintId>,
}

impl Ropes {
    /// Grains at some places, the first of them pinned, the last so many times as heavy, and rows between some.
    fn new(
        engine: Box<dyn Engine>,
        solver: ConstraintSolver,
        places: &[Vec3],
        pairs: &[[usize; 2]],
        load: f32,
    ) -> Self {
        let settings = Settings {
            particle_radius: 0.01,
            constraint_solver: solver,
            ..Settings::default()
        };
        let mut world = World::with_engine(settings, engine).expect("settings");
        let glass = world.add_material(Material::GLASS).expect("material");
        let mut group = Group::grains("rope", glass);
        group.flags = 0;
        let group = world.add_group(group).expect("group");
        let ids = world.add_particles(group, places, Vec3::ZERO).expect("particles");
        let inverse_mass = world.particles().positions[1].w;
        let last = ids[ids.len() - 1];
        world
            .set_inverse_masses(&[(ids[0], 0.0), (last, inverse_mass / load)])
            .expect("masses");
        let new: Vec<NewDistance> = pairs
            .iter()
            .enumerate()
            .map(|(row, &[a, b])| NewDistance {
                softness: match row % 3 {
                    0 => Softness::Compliance(1e-6),
                    _ => Softness::STIFF,
                },
                ..NewDistance::new([ids[a], ids[b]], places[a].distance(places[b]))
            })
            .collect();
        let rows = world.add_distances(&new).expect("rows");
        Self { world, ids, rows }
    }

    fn run(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.world.step(DT));
        self.world.health().expect("finite");
    }

    fn places(&mut self) -> Vec<Vec3> {
        let found = self.world.positions(&self.ids.clone());
        found.into_iter().map(|place| place.expect("alive")).collect()
    }
}

/// The same on the CPU and on the GPU; none without one.
fn both(solver: ConstraintSolver, places: &[Vec3], pairs: &[[usize; 2]], load: f32) -> Option<[Ropes; 2]> {
    let gpu = gpu()?;
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::with_threads(2)),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ];
    Some(engines.map(|engine| Ropes::new(engine, solver, places, pairs, load)))
}

fn apart(both: &mut [Ropes; 2]) -> f32 {
    let [a, b] = both.each_mut().map(Ropes::places);
    a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn row(count: usize) -> (Vec<Vec3>, Vec<[usize; 2]>) {
    let places = (0..count)
        .map(|i| 0.03 * Vec3::new(i as f32, 0.1 * (i % 3) as f32, 0.0))
        .collect();
    let pairs = (1..count)
        .map(|i| if i % 2 == 0 { [i - 1, i] } else { [i, i - 1] })
        .collect();
    (places, pairs)
}

#[test]
fn a_rope_with_a_heavy_end_swings_alike_with_either_solver() {
    for solver in SOLVERS {
        let (places, pairs) = row(60);
        let Some(mut ropes) = both(solver, &places, &pairs, 1000.0) else {
            return;
        };
        for (frames, bound) in [(1, 1e-6), (9, 1e-4), (30, 2e-3)] {
            ropes.iter_mut().for_each(|ropes| ropes.run(frames));
            let apart = apart(&mut ropes);
            assert!(apart < bound, "{apart} {solver:?}");
        }
        let [cpu, gpu] = ropes.each_mut().map(|ropes| {
            let row = ropes.rows[0];
            ropes.world.constraint(row).expect("alive").impulse
        });
        assert!(cpu < 0.0 && (cpu - gpu).abs() < 0.02 * cpu.abs(), "{cpu} {gpu}");
        let length: f32 = ropes[1].places().windows(2).map(|two| two[0].distance(two[1])).sum();
        let rest: f32 = places.windows(2).map(|two| two[0].distance(two[1])).sum();
        assert!((length / rest - 1.0).abs() < 0.02, "{length} of {rest}");
    }
}

#[test]
fn strands_that_meet_close_and_are_cut_move_alike() {
    // One that is longer than a strand may be; three at one particle; a ring.
    let (mut places, mut pairs) = row(300);
    for arm in 0..3 {
        for step in 0..6 {
            let (here, before) = (places.len(), if step == 0 { 299 } else { places.len() - 1 });
            let way = Vec3::new(1.0, arm as f32 - 1.0, 0.3 * arm as f32).normalize();
            places.push(places[299] + 0.03 * (step + 1) as f32 * way);
            pairs.push([before, here]);
        }
    }
    let first = places.len();
    for step in 0..20 {
        let angle = step as f32 * std::f32::consts::TAU / 20.0;
        places.push(Vec3::new(0.1 * angle.cos(), 0.1 * angle.sin(), 1.0));
        pairs.push([first + step, first + (step + 1) % 20]);
    }
    for solver in SOLVERS {
        let Some(mut ropes) = both(solver, &places, &pairs, 20.0) else {
            return;
        };
        for (frames, bound) in [(1, 1e-6), (9, 2e-4), (10, 2e-3)] {
            ropes.iter_mut().for_each(|ropes| ropes.run(frames));
            let apart = apart(&mut ropes);
            assert!(apart < bound, "{apart} {solver:?}");
        }
    }
}

#[test]
fn rows_that_break_are_switched_or_softened_part_strands_alike() {
    for solver in SOLVERS {
        let (places, pairs) = row(40);
        let Some(mut ropes) = both(solver, &places, &pairs, 100.0) else {
            return;
        };
        let broken = ropes.each_mut().map(|ropes| {
            ropes.run(3);
            let rows = ropes.rows.clone();
            ropes.world.switch_constraint(rows[25], false).expect("alive");
            ropes
                .world
                .set_softness(rows[8], Softness::Stiffness(0.5))
                .expect("alive");
            ropes.run(3);
            ropes.world.switch_constraint(rows[25], true).expect("alive");
            ropes.world.set_breaking_force(rows[12], 1e-4).expect("alive");
            ropes.run(6);
            ropes.world.take_broken_constraints()
        });
        assert_eq!(broken[0], [ropes[0].rows[12]]);
        assert_eq!(broken[0], broken[1]);
        let apart = apart(&mut ropes);
        assert!(apart < 1e-3, "{apart} {solver:?}");
    }
}

#[test]
fn a_body_on_a_rope_hangs_alike_and_a_saved_one_goes_on() {
    for solver in SOLVERS {
        let (places, mut pairs) = row(30);
        pairs.truncate(28);
        let Some(mut ropes) = both(solver, &places, &pairs, 1.0) else {
            return;
        };
        let bodies = ropes.each_mut().map(|ropes| {
            let new = block::block(
                &mut ropes.world,
                [4; 3],
                Pose::at(places[28] + Vec3::new(0.25, 0.0, 0.0)),
            );
            let body = ropes.world.add_body(new).expect("body");
            let bodies = ropes.world.bodies();
            let member = bodies.particles[bodies.list[bodies.place(body).expect("body")].members()][5];
            let ends = [ropes.ids[28], member];
            let [a, b] = [0, 1].map(|end| ropes.world.positions(&ends)[end].expect("alive"));
            ropes
                .world
                .add_distances(&[NewDistance::new(ends, a.distance(b))])
                .expect("row");
            body
        });
        let position = |ropes: &mut Ropes, body| ropes.world.body_motion(body).expect("body").pose.position;
        for (frames, bound) in [(1, 1e-6), (5, 2e-5), (20, 2e-3)] {
            ropes.iter_mut().for_each(|ropes| ropes.run(frames));
            let [a, b] = [0, 1].map(|engine| position(&mut ropes[engine], bodies[engine]));
            assert!(a.distance(b) < bound, "{a} {b} {solver:?}");
        }
        let Some(gpu) = gpu() else { return };
        let saved = ropes[1].world.save();
        let engine = Box::new(GpuEngine::new(&gpu).expect("engine"));
        let mut restored = World::restore(&saved, engine).expect("restored");
        for world in [&mut ropes[1].world, &mut restored] {
            (0..3).for_each(|_| world.step(DT));
        }
        assert!(ropes[1].world.save() == restored.save(), "other bytes, {solver:?}");
    }
}

#[test]
fn strands_are_let_go_and_taken_up_while_the_world_runs() {
    let (places, pairs) = row(60);
    let Some(mut ropes) = both(ConstraintSolver::Jacobi, &places, &pairs, 1000.0) else {
        return;
    };
    for ropes in &mut ropes {
        ropes.run(2);
        for direct_strands in [false, true] {
            let settings = Settings {
                direct_strands,
                ..ropes.world.settings().clone()
            };
            ropes.world.set_settings(settings).expect("settings");
            ropes.run(2);
        }
    }
    assert!(apart(&mut ropes) < 1e-4);
}
