//! Chains and surfaces keep their curvature: by how much they bend, what they leave alone, and that it is the same whoever
//! solves them.

use glam::Vec3;
use motes_core::{
    ConstraintSolver, CpuEngine, Group, Material, NewBending, NewDistance, ParticleId, Settings, Softness, World,
};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.005;
const SOLVERS: [ConstraintSolver; 2] = [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel];

fn world(threads: usize, change: impl Fn(&mut Settings)) -> World {
    let mut settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    change(&mut settings);
    World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings")
}

fn points(world: &mut World, damping: f32, positions: &[Vec3]) -> Vec<ParticleId> {
    let glass = Material {
        damping,
        ..Material::GLASS
    };
    let glass = world.add_material(glass).expect("material");
    let mut group = Group::grains("points", glass);
    group.flags = 0;
    let group = world.add_group(group).expect("group");
    world.add_particles(group, positions, Vec3::ZERO).expect("particles")
}

fn run(world: &mut World, frames: usize) {
    for _ in 0..frames {
        world.step(DT);
    }
    world.health().expect("finite");
}

fn places(world: &mut World, ids: &[ParticleId]) -> Vec<Vec3> {
    world
        .positions(ids)
        .into_iter()
        .map(|place| place.expect("alive"))
        .collect()
}

/// A beam of a metre and a kilogram that is held at one end and bends under its weight `gamma` times as easily as one of rigidity
/// `m g L²`; the clamp is halfway between its first two particles.
fn cantilever(world: &mut World, segments: usize, gamma: f32) -> Vec<ParticleId> {
    let length = 1.0 / (segments as f32 + 0.5);
    let at = |i: usize| Vec3::X * ((i as f32 - 0.5) * length);
    let positions: Vec<Vec3> = (0..segments + 2).map(at).collect();
    let ids = points(world, 2.0, &positions);
    let masses: Vec<(ParticleId, f32)> = (0..)
        .zip(&ids)
        .map(|(i, &id)| {
            let share = if i == segments + 1 { 0.5 } else { 1.0 };
            (id, if i < 2 { 0.0 } else { 1.0 / (share * length) })
        })
        .collect();
    world.set_inverse_masses(&masses).expect("masses");
    let rows: Vec<NewDistance> = ids.windows(2).map(|w| NewDistance::new([w[0], w[1]], length)).collect();
    world.add_distances(&rows).expect("distances");
    let rigidity = 9.81 / gamma;
    let softness = Softness::Compliance(length.powi(3) / rigidity);
    let bends: Vec<NewBending> = ids
        .windows(3)
        .map(|w| NewBending::of_chain([w[0], w[1], w[2]], softness))
        .collect();
    world.add_bendings(&bends).expect("bendings");
    ids
}

/// The drop of the tip once it has come to rest.
fn drop_of(world: &mut World, ids: &[ParticleId]) -> f32 {
    run(world, 900);
    -places(world, &ids[ids.len() - 1..])[0].y
}

#[test]
fn a_beam_bends_under_its_weight_as_the_heavy_elastica_does() {
    for (solver, substeps, iterations) in [
        (ConstraintSolver::Jacobi, 8, 8),
        (ConstraintSolver::GaussSeidel, 4, 8),
        (ConstraintSolver::GaussSeidel, 8, 8),
    ] {
        for (gamma, expected) in [(5.0, 0.4959), (10.0, 0.7002)] {
            let mut world = world(1, |settings| {
                settings.constraint_solver = solver;
                (settings.substeps, settings.iterations) = (substeps, iterations);
            });
            let ids = cantilever(&mut world, 8, gamma);
            let drop = drop_of(&mut world, &ids);
            assert!(
                (drop / expected - 1.0).abs() < 0.02,
                "{drop} {solver:?} {substeps} {gamma}"
            );
        }
    }
}

#[test]
fn a_beam_without_stiffness_hangs_down() {
    let mut world = world(1, |settings| settings.iterations = 8);
    let ids = cantilever(&mut world, 8, 1e6);
    assert!(drop_of(&mut world, &ids) > 0.85);
}

#[test]
fn what_is_bent_and_free_neither_moves_nor_turns_as_a_whole() {
    for solver in SOLVERS {
        let mut world = world(1, |settings| {
            settings.constraint_solver = solver;
            settings.gravity = Vec3::ZERO;
        });
        let bent = [
            Vec3::ZERO,
            Vec3::new(0.1, 0.0, 0.0),
            Vec3::new(0.15, 0.08, 0.0),
            Vec3::new(0.2, 0.1, 0.09),
        ];
        let ids = points(&mut world, 0.0, &bent);
        let masses: Vec<_> = (0..).zip(&ids).map(|(i, &id)| (id, 1.0 + i as f32)).collect();
        world.set_inverse_masses(&masses).expect("masses");
        let softness = Softness::Compliance(1e-3);
        let chain = |k: usize| NewBending::of_chain([ids[k], ids[k + 1], ids[k + 2]], softness);
        world.add_bendings(&[chain(0), chain(1)]).expect("bendings");
        let momenta = |world: &mut World| {
            let at = places(world, &ids);
            let velocities = world.velocities(&ids);
            let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
            for ((&(_, inverse_mass), place), velocity) in masses.iter().zip(at).zip(velocities) {
                let impulse = velocity.expect("alive") / inverse_mass;
                linear += impulse;
                angular += place.cross(impulse);
            }
            (linear.length(), angular.length())
        };
        run(&mut world, 3);
        let speed = world.velocities(&ids)[0].expect("alive").length();
        assert!(speed > 1e-3, "it straightens: {speed}");
        let (linear, angular) = momenta(&mut world);
        assert!(
            linear < 1e-4 * speed && angular < 1e-4 * speed,
            "{linear} {angular} {speed} {solver:?}"
        );
    }
}

/// Two triangles at an edge along z, each with a corner a distance to the side: by their cotangents the weights of the curvature are
/// those of the corners, less those of the edge.
fn hinge(world: &mut World, rest: f32) -> (Vec<ParticleId>, [f32; 4]) {
    let at = [
        Vec3::new(0.0, 0.0, -0.05),
        Vec3::new(0.0, 0.0, 0.05),
        Vec3::new(0.1, 0.0, 0.0),
        Vec3::new(-0.1, 0.0, 0.0),
    ];
    let ids = points(world, 0.0, &at);
    let weights = [-1.0, -1.0, 1.0, 1.0];
    let bending = NewBending {
        particles: [ids[0], ids[1], ids[2], ids[3]],
        weights,
        rest,
        softness: Softness::Compliance(1e-4),
    };
    world.add_bendings(&[bending]).expect("bending");
    let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]];
    let sides = pairs.map(|[i, j]| NewDistance::new([ids[i], ids[j]], at[i].distance(at[j])));
    world.add_distances(&sides).expect("sides");
    (ids, weights)
}

#[test]
fn a_surface_folds_to_the_side_of_its_normal_that_its_rest_value_says() {
    for solver in SOLVERS {
        for rest in [0.08, -0.08] {
            let mut world = world(1, |settings| {
                settings.constraint_solver = solver;
                settings.gravity = Vec3::ZERO;
                settings.iterations = 16;
            });
            let (ids, weights) = hinge(&mut world, rest);
            let at = places(&mut world, &ids);
            let normal = (at[1] - at[0]).cross(at[2] - at[0]).normalize();
            let mut mean = 0.0;
            for _ in 0..240 {
                run(&mut world, 1);
                let at = places(&mut world, &ids);
                let v: Vec3 = at.iter().zip(weights).map(|(&at, weight)| weight * at).sum();
                mean += v.dot(normal) / 240.0;
            }
            assert!((mean / rest - 1.0).abs() < 0.2, "{mean} {rest} {solver:?}");
        }
    }
}

#[test]
fn rows_are_switched_changed_removed_saved_and_the_same_on_any_number_of_threads() {
    for solver in SOLVERS {
        let [one, two] = [1, 3].map(|threads| {
            let mut world = world(threads, |settings| settings.constraint_solver = solver);
            let ids = cantilever(&mut world, 40, 20.0);
            run(&mut world, 20);
            let rows: Vec<_> = world.constraints().ids().filter(|id| id.kind.is_weighted()).collect();
            world.switch_constraint(rows[3], false).expect("alive");
            world.set_rest_length(rows[5], -0.01).expect("alive");
            world.set_softness(rows[6], Softness::Stiffness(0.5)).expect("alive");
            assert_eq!(world.remove_constraints(&rows[10..12]), 2);
            run(&mut world, 10);
            let saved = world.save();
            let mut again = World::restore(&saved, Box::new(CpuEngine::new())).expect("a state");
            run(&mut world, 20);
            run(&mut again, 20);
            assert_eq!(world.digest(), again.digest());
            assert_eq!(world.constraint(rows[5]).expect("alive").rest, -0.01);
            assert!(world.constraint(rows[0]).expect("alive").impulse > 0.0);
            assert!(world.constraint(rows[10]).is_none());
            world.remove_particles(&ids[20..21]);
            run(&mut world, 1);
            assert!(world.constraint(rows[19]).is_none() && world.constraint(rows[30]).is_some());
            world.digest()
        });
        assert_eq!(one, two, "{solver:?}");
    }
}

#[test]
fn bendings_that_make_no_sense_are_refused_with_a_reason() {
    let mut world = world(1, |_| {});
    let ids = points(&mut world, 0.0, &[Vec3::ZERO, Vec3::X, 2.0 * Vec3::X, 3.0 * Vec3::X]);
    let fine = NewBending::of_chain([ids[0], ids[1], ids[2]], Softness::STIFF);
    let all = [ids[0], ids[1], ids[2], ids[3]];
    let bad = [
        (
            NewBending {
                weights: [1.0, -2.0, 2.0, 0.0],
                ..fine
            },
            "add up",
        ),
        (
            NewBending {
                weights: [0.0; 4],
                ..fine
            },
            "add up",
        ),
        (
            NewBending {
                weights: [f32::NAN; 4],
                ..fine
            },
            "add up",
        ),
        (
            NewBending {
                weights: [1.0, -3.0, 1.0, 1.0],
                ..fine
            },
            "last of a chain",
        ),
        (
            NewBending {
                rest: f32::INFINITY,
                particles: all,
                ..fine
            },
            "a number",
        ),
        (
            NewBending {
                particles: [ids[0], ids[0], ids[1], ids[2]],
                ..fine
            },
            "different",
        ),
        (
            NewBending {
                softness: Softness::Compliance(-1.0),
                ..fine
            },
            "compliance",
        ),
    ];
    for (bending, reason) in bad {
        let error = world.add_bendings(&[fine, bending]).expect_err("refused").to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(world.constraints().is_empty());
    let row = world.add_bendings(&[fine]).expect("fine")[0];
    assert!(world.set_breaking_force(row, 1.0).is_err());
    world.remove_particles(&ids[..1]);
    assert!(world.add_bendings(&[fine]).is_err());
}
