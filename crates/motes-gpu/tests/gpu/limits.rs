//! Edits and questions at the edge of what makes sense, on both engines alike.

use motes_core::glam::Vec3;
use motes_core::{
    Centers, Change, ConstraintSolver, CpuEngine, Engine, Group, GroupId, Material, NearestParticle, NewDistance,
    ParticleId, ParticlesIn, Passive, RayCast, Settings, Softness, Volume, World,
};
use motes_gpu::GpuEngine;

use crate::gpu;

const DT: f32 = 1.0 / 60.0;

/// What `look` sees on the CPU and on the GPU, in a world of grains that do not touch each other.
fn on_both<T>(solver: ConstraintSolver, look: impl Fn(World, GroupId) -> T) -> Option<[T; 2]> {
    let gpu = gpu()?;
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::with_threads(2)),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ];
    Some(engines.map(|engine| {
        let settings = Settings {
            constraint_solver: solver,
            ..Settings::default()
        };
        let mut world = World::with_engine(settings, engine).expect("settings");
        let glass = world.add_material(Material::GLASS).expect("material");
        let mut group = Group::grains("grains", glass);
        group.flags = 0;
        let group = world.add_group(group).expect("group");
        look(world, group)
    }))
}

fn pair(world: &mut World, group: GroupId, at: Vec3) -> Vec<ParticleId> {
    let places = [at, at + Vec3::X];
    world.add_particles(group, &places, Vec3::ZERO).expect("grains")
}

#[test]
fn odd_questions_get_the_same_answers() {
    let Some([cpu, gpu]) = on_both(ConstraintSolver::Jacobi, |mut world, group| {
        let ids = pair(&mut world, group, Vec3::Y);
        world.step(DT);
        let inside_out = Volume::Sphere {
            center: Vec3::Y,
            radius: -1.0,
        };
        let outside = Volume::Outside(Box::new(inside_out.clone()));
        let rays = [
            (Vec3::Y, f32::NAN),
            (Vec3::Y, -1.0),
            (Vec3::Y * 1e-40, 5.0),
            (Vec3::ZERO, 5.0),
        ];
        (
            world.query(NearestParticle {
                point: Vec3::INFINITY,
                within: f32::INFINITY,
            }),
            [inside_out, outside].map(|volume| world.query(ParticlesIn(volume)).len()),
            world.query(Centers(vec![group, group])).len(),
            rays.map(|(direction, reach)| {
                let origin = Vec3::ZERO;
                world
                    .query(RayCast {
                        origin,
                        direction,
                        reach,
                    })
                    .is_some()
            }),
            world.edit(&[(ids[0], Change::Remove), (ids[0], Change::Position(Vec3::ZERO))]),
            world.positions(&ids).iter().flatten().count(),
        )
    }) else {
        return;
    };
    assert_eq!(cpu, gpu);
    assert_eq!(gpu, (None, [0, 2], 1, [false, false, true, false], Ok(1), 1));
}

#[test]
fn rows_die_with_particles_that_are_born_where_all_are_killed() {
    let Some(both) = on_both(ConstraintSolver::Jacobi, |mut world, group| {
        world.kill_volumes_mut().push(Volume::Below {
            point: Vec3::ZERO,
            normal: Vec3::Y,
        });
        world.step(DT);
        let ids = pair(&mut world, group, Vec3::NEG_Y);
        let row = world
            .add_distances(&[NewDistance::new([ids[0], ids[1]], 1.0)])
            .expect("row")[0];
        world.step(DT);
        world.step(DT);
        (world.particle_count(), world.constraint(row).is_some())
    }) else {
        return;
    };
    assert_eq!(both, [(0, false); 2]);
}

#[test]
fn rows_that_come_and_go_with_their_particles_hold_alike() {
    for solver in [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel] {
        let Some([cpu, gpu]) = on_both(solver, |mut world, group| {
            let nail = world.add_particles(group, &[Vec3::ZERO], Vec3::ZERO).expect("nail")[0];
            world.set_inverse_masses(&[(nail, 0.0)]).expect("pinned");
            let mut old: Vec<ParticleId> = Vec::new();
            for round in 0..12 {
                let places: Vec<Vec3> = (0..200).map(|k| Vec3::new(k as f32, -1.0, round as f32)).collect();
                let new = world.add_particles(group, &places, Vec3::ZERO).expect("grains");
                let mut rows = vec![NewDistance::new([nail, new[0]], places[0].length())];
                rows.extend(new.windows(2).map(|pair| NewDistance::new([pair[0], pair[1]], 1.0)));
                world.add_distances(&rows).expect("rows");
                world.remove_particles(&old);
                old = new;
                world.step(DT);
            }
            world.positions(&old)
        }) else {
            return;
        };
        for (cpu, gpu) in cpu.iter().flatten().zip(gpu.iter().flatten()) {
            assert!(cpu.distance(*gpu) < 1e-4, "{cpu} {gpu}");
        }
        assert_eq!(cpu.len(), gpu.len());
    }
}

#[test]
fn the_softest_row_and_one_without_length_do_not_blow_up() {
    for solver in [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel] {
        let Some([cpu, gpu]) = on_both(solver, |mut world, group| {
            let ids = pair(&mut world, group, Vec3::Y);
            let same = world.add_particles(group, &[Vec3::Z; 2], Vec3::ZERO).expect("grains");
            let softest = NewDistance {
                softness: Softness::Compliance(f32::MAX),
                ..NewDistance::new([ids[0], ids[1]], 0.5)
            };
            let rows = [softest, NewDistance::new([same[0], same[1]], 0.3)];
            world.add_distances(&rows).expect("rows");
            (0..5).for_each(|_| world.step(DT));
            world.health().expect("finite");
            world.positions(&[ids, same].concat())
        }) else {
            return;
        };
        for (cpu, gpu) in cpu.iter().flatten().zip(gpu.iter().flatten()) {
            assert!(cpu.distance(*gpu) < 1e-5, "{cpu} {gpu}");
        }
    }
}

#[test]
fn passive_particles_that_leave_for_good_are_removed() {
    let Some(both) = on_both(ConstraintSolver::Jacobi, |mut world, _| {
        let near = Passive {
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            lifetime: 1e9,
        };
        let lost = Passive {
            velocity: Vec3::X * 1e30,
            ..near
        };
        world.add_passive(&[lost, near]).expect("markers");
        (0..3).for_each(|_| world.step(DT));
        world.passive().len()
    }) else {
        return;
    };
    assert_eq!(both, [1, 1]);
}
