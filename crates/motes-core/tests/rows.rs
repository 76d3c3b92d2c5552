//! Constraints between particles of any groups hold, yield, break, and are the same whoever solves them.

use glam::Vec3;
use motes_core::colliders::Plane;
use motes_core::constraints::contact::SLOP;
use motes_core::{
    Collider, ConstraintId, ConstraintKind, ConstraintSolver, CpuEngine, Group, Material, NewDistance, ParticleId,
    Pose, Settings, Shape, Softness, World, WorldError,
};
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;
const SOLVERS: [ConstraintSolver; 2] = [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel];

fn world_with(threads: usize, change: impl Fn(&mut Settings)) -> World {
    let mut settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    change(&mut settings);
    World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings")
}

fn grains(world: &mut World, positions: &[Vec3]) -> Vec<ParticleId> {
    let glass = world.add_material(Material::GLASS).expect("material");
    let mut group = Group::grains("grains", glass);
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

fn place(world: &mut World, id: ParticleId) -> Vec3 {
    world.positions(&[id])[0].expect("alive")
}

/// A square net of grains that hangs by one corner, each held to all within one and a half distances.
fn net(world: &mut World, side: usize, softness: Softness) -> (Vec<ParticleId>, Vec<ConstraintId>) {
    let pitch = 2.5 * RADIUS;
    let positions: Vec<Vec3> = (0..side * side)
        .map(|i| pitch * Vec3::new((i % side) as f32, 0.0, (i / side) as f32))
        .collect();
    let ids = grains(world, &positions);
    let mut rows = Vec::new();
    for i in 0..side * side {
        let (x, z) = (i % side, i / side);
        for (dx, dz) in [(1, 0), (0, 1), (1, 1)] {
            if x + dx < side && z + dz < side {
                let j = (z + dz) * side + x + dx;
                rows.push(NewDistance {
                    softness,
                    ..NewDistance::new([ids[i], ids[j]], positions[i].distance(positions[j]))
                });
            }
        }
    }
    let rows = world.add_distances(&rows).expect("rows");
    world.set_inverse_masses(&[(ids[0], 0.0)]).expect("pinned");
    (ids, rows)
}

/// Two grains that are tied to each other, and one that nothing moves, which starts deep between them.
#[test]
fn what_undoes_overlaps_stretches_no_row() {
    for solver in SOLVERS {
        let mut world = world_with(1, |settings| {
            settings.gravity = Vec3::ZERO;
            settings.constraint_solver = solver;
        });
        let tied = grains(&mut world, &[-RADIUS * Vec3::X, RADIUS * Vec3::X]);
        let wedge = grains(&mut world, &[0.2 * RADIUS * Vec3::Y]);
        world.set_inverse_masses(&[(wedge[0], 0.0)]).expect("pinned");
        let distance = NewDistance::new([tied[0], tied[1]], 2.0 * RADIUS);
        world.add_distances(&[distance]).expect("a row");
        let (mut longest, mut fastest) = (0.0f32, 0.0f32);
        for _ in 0..60 {
            run(&mut world, 1);
            let [a, b] = [place(&mut world, tied[0]), place(&mut world, tied[1])];
            longest = longest.max(a.distance(b) / (2.0 * RADIUS));
            let velocities = world.velocities(&tied).into_iter().flatten();
            fastest = velocities.map(Vec3::length).fold(fastest, f32::max);
        }
        assert!(longest < 1.05, "{longest} with {solver:?}");
        assert!(fastest < 0.1, "{fastest} m/s with {solver:?}");
    }
}

#[test]
fn a_weight_stretches_its_distance_by_its_force_times_the_compliance() {
    for solver in SOLVERS {
        for substeps in [1, 4, 10] {
            let mut world = world_with(1, |settings| {
                settings.substeps = substeps;
                settings.constraint_solver = solver;
            });
            let ids = grains(&mut world, &[Vec3::ZERO, -0.5 * Vec3::Y]);
            let mass = 0.25;
            world
                .set_inverse_masses(&[(ids[0], 0.0), (ids[1], 1.0 / mass)])
                .expect("masses");
            let compliance = 0.01;
            let row = NewDistance {
                softness: Softness::Compliance(compliance),
                ..NewDistance::new([ids[0], ids[1]], 0.5)
            };
            let row = world.add_distances(&[row]).expect("row")[0];
            // It swings about where it hangs.
            let (mut stretch, mut tension) = (0.0, 0.0);
            run(&mut world, 60);
            for _ in 0..1200 {
                run(&mut world, 1);
                stretch += (-place(&mut world, ids[1]).y - 0.5) / 1200.0;
                let h = DT / substeps as f32;
                tension -= world.constraint(row).expect("alive").impulse / (h * h) / 1200.0;
            }
            let weight = 9.81 * mass;
            assert!(
                (stretch / (weight * compliance) - 1.0).abs() < 0.03,
                "{stretch} at {substeps}"
            );
            assert!((tension / weight - 1.0).abs() < 0.03, "{tension} at {substeps}");
        }
    }
}

/// Kinetic energy of particles of a kilogram, and that of their height above 0, joules.
fn energy(world: &World, ids: &[ParticleId]) -> f32 {
    let each = world.positions(ids).into_iter().zip(world.velocities(ids));
    each.map(|(place, velocity)| 9.81 * place.expect("alive").y + 0.5 * velocity.expect("alive").length_squared())
        .sum()
}

const STEPS: [(u32, u32); 3] = [(2, 4), (4, 4), (8, 8)];

/// By how much the rows of a rope of 40 grains between two pins are too long once it hangs still, on average.
fn stretch_of_a_rope((substeps, iterations): (u32, u32), acceleration: bool) -> f32 {
    let mut world = world_with(1, |settings| {
        (settings.substeps, settings.iterations) = (substeps, iterations);
        (settings.particle_radius, settings.acceleration) = (0.015, acceleration);
        settings.direct_strands = false;
    });
    let along = |i: usize| i as f32 / 39.0;
    let positions: Vec<Vec3> = (0..40)
        .map(|i| Vec3::new(along(i), -0.8 * along(i).min(1.0 - along(i)), 0.0))
        .collect();
    let ids = grains(&mut world, &positions);
    let rest = |i: usize| positions[i].distance(positions[i + 1]);
    let rows: Vec<_> = (0..39)
        .map(|i| NewDistance::new([ids[i], ids[i + 1]], rest(i)))
        .collect();
    world.add_distances(&rows).expect("rows");
    world
        .set_inverse_masses(&[(ids[0], 0.0), (ids[39], 0.0)])
        .expect("pinned");
    for _ in 0..40 {
        run(&mut world, 10);
        let still: Vec<_> = ids.iter().map(|&id| (id, Vec3::ZERO)).collect();
        world.set_velocities(&still).expect("alive");
    }
    let places: Vec<Vec3> = ids.iter().map(|&id| place(&mut world, id)).collect();
    (0..39)
        .map(|i| places[i].distance(places[i + 1]) / rest(i) - 1.0)
        .sum::<f32>()
        / 39.0
}

#[test]
fn iterations_that_know_their_number_hold_a_rope_at_half_its_stretch_or_less() {
    for (steps, most) in STEPS.into_iter().zip([0.15, 0.045, 0.007]) {
        let [hastened, plain] = [true, false].map(|acceleration| stretch_of_a_rope(steps, acceleration));
        assert!((0.0..most).contains(&hastened), "{hastened} at {steps:?}");
        assert!(plain > 1.9 * hastened, "{plain} and {hastened} at {steps:?}");
    }
}

#[test]
fn nets_and_ropes_that_swing_never_gain_energy() {
    for (substeps, iterations) in [(1, 5), (1, 16), (2, 4), (4, 4), (8, 8), (10, 1), (10, 2)] {
        for (columns, lines) in [(30, 1), (12, 12)] {
            let mut world = world_with(1, |settings| {
                (settings.substeps, settings.iterations) = (substeps, iterations);
                settings.particle_radius = 0.015;
            });
            let place_of = |i: usize| 0.031 * Vec3::new((i % columns) as f32, 0.0, (i / columns) as f32);
            let positions: Vec<Vec3> = (0..columns * lines).map(place_of).collect();
            let ids = grains(&mut world, &positions);
            let pairs = (0..ids.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
            let rows = pairs
                .map(|[i, j]| ([i, j], positions[i].distance(positions[j])))
                .filter(|(_, length)| *length < 0.05)
                .map(|([i, j], length)| NewDistance::new([ids[i], ids[j]], length));
            world.add_distances(&rows.collect::<Vec<_>>()).expect("rows");
            world.set_inverse_masses(&[(ids[0], 0.0)]).expect("pinned");
            for frame in 0..360 {
                world.step(DT);
                let energy = energy(&world, &ids);
                assert!(energy < 1e-3, "{energy} in frame {frame} at {substeps} × {iterations}");
            }
        }
    }
}

/// Rows and contacts between the same grains take turns, and neither may carry on what the other undid.
#[test]
fn nets_of_grains_that_touch_and_stick_gain_no_energy() {
    for (substeps, iterations) in [(1, 12), (2, 4), (2, 30), (4, 8), (4, 10), (4, 16), (8, 8)] {
        for cohesion in [0.0, 1000.0, 3500.0] {
            let mut world = world_with(1, |settings| {
                (settings.substeps, settings.iterations) = (substeps, iterations);
                settings.particle_radius = 0.033;
            });
            let sticky = world.add_material(Material {
                cohesion,
                ..Material::FRICTIONLESS
            });
            let group = Group::grains("net", sticky.expect("material"));
            let group = world.add_group(group).expect("group");
            let pitch = 2.013 * 0.033;
            let place_of = |i: usize| pitch * Vec3::new((i % 5) as f32, 0.0, (i / 5) as f32);
            let positions: Vec<Vec3> = (0..25).map(place_of).collect();
            let ids = world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
            let pairs = (0..25).flat_map(|i| (0..i).map(move |j| [i, j]));
            let near = pairs.filter(|[i, j]| positions[*i].distance(positions[*j]) < 1.1 * pitch);
            let rows: Vec<_> = near.map(|[i, j]| NewDistance::new([ids[i], ids[j]], pitch)).collect();
            world.add_distances(&rows).expect("rows");
            world.set_inverse_masses(&[(ids[0], 0.0)]).expect("pinned");
            for frame in 0..120 {
                world.step(DT);
                let energy = energy(&world, &ids);
                assert!(
                    energy < 1e-3,
                    "{energy} in frame {frame} at {substeps} × {iterations}, {cohesion} Pa"
                );
            }
        }
    }
}

#[test]
fn a_hanging_net_keeps_its_lengths_and_one_whose_rows_are_switched_off_falls() {
    for solver in SOLVERS {
        let mut world = world_with(2, |settings| {
            settings.iterations = 10;
            settings.substeps = 4;
            settings.constraint_solver = solver;
        });
        let (ids, rows) = net(&mut world, 12, Softness::STIFF);
        run(&mut world, 120);
        let far = place(&mut world, ids[143]);
        let diagonal = 2.5 * RADIUS * 11.0 * 2.0f32.sqrt();
        assert!(far.y > -1.15 * diagonal, "{far} {solver:?}");
        for &row in &rows {
            world.switch_constraint(row, false).expect("alive");
        }
        // It was swinging up.
        run(&mut world, 75);
        assert!(place(&mut world, ids[143]).y < -2.0 * diagonal);
        for &row in &rows {
            world.switch_constraint(row, true).expect("alive");
        }
        run(&mut world, 120);
        assert!(place(&mut world, ids[143]).y > -2.0 * diagonal, "pulled back");
    }
}

#[test]
fn the_same_bytes_come_of_any_number_of_threads_with_either_solver() {
    for solver in SOLVERS {
        let digest = |threads: usize| {
            let mut world = world_with(threads, |settings| settings.constraint_solver = solver);
            net(&mut world, 40, Softness::Compliance(1e-6));
            run(&mut world, 20);
            world.digest()
        };
        let one = digest(1);
        assert_eq!(one, digest(2));
        assert_eq!(one, digest(4));
    }
}

#[test]
fn a_restored_world_goes_on_byte_for_byte_with_its_rows() {
    for solver in SOLVERS {
        let mut world = world_with(2, |settings| settings.constraint_solver = solver);
        let (ids, rows) = net(&mut world, 10, Softness::Stiffness(0.9));
        run(&mut world, 10);
        world.remove_constraints(&rows[5..9]);
        world.switch_constraint(rows[20], false).expect("alive");
        world.set_breaking_force(rows[30], 0.1).expect("alive");
        world.remove_particles(&ids[55..57]);
        run(&mut world, 15);
        let saved = world.save();
        let mut other = World::restore(&saved, Box::new(CpuEngine::with_threads(1))).expect("restored");
        assert_eq!(other.save(), saved);
        run(&mut world, 20);
        run(&mut other, 20);
        assert_eq!(world.save(), other.save());
    }
}

#[test]
fn a_row_breaks_past_its_limit_and_is_told_of_once() {
    let mut world = world_with(1, |_| {});
    let ids = grains(&mut world, &[Vec3::ZERO, -0.5 * Vec3::Y, -1.0 * Vec3::Y]);
    world
        .set_inverse_masses(&[(ids[0], 0.0), (ids[1], 1.0), (ids[2], 1.0)])
        .expect("masses");
    // The upper one carries two weights, the lower one; a start at rest doubles either.
    let row = |a: usize, b: usize, breaking_force: f32| NewDistance {
        breaking_force,
        softness: Softness::Compliance(1e-3),
        ..NewDistance::new([ids[a], ids[b]], 0.5)
    };
    let rows = world.add_distances(&[row(0, 1, 25.0), row(1, 2, 25.0)]).expect("rows");
    let mut broken = Vec::new();
    for _ in 0..60 {
        run(&mut world, 1);
        broken.extend(world.take_broken_constraints());
    }
    assert_eq!(broken, [rows[0]]);
    assert_eq!(world.constraint(rows[0]), None);
    assert_eq!(
        world.switch_constraint(rows[0], false),
        Err(WorldError::Gone("constraint"))
    );
    assert!(world.constraint(rows[1]).is_some());
    assert!(place(&mut world, ids[1]).y < -2.0, "both fall");
    assert!((place(&mut world, ids[1]).distance(place(&mut world, ids[2])) - 0.5).abs() < 0.05);
}

#[test]
fn rows_die_with_their_particles_and_their_handles_are_never_given_out_again() {
    let mut world = world_with(1, |_| {});
    let (ids, rows) = net(&mut world, 4, Softness::STIFF);
    run(&mut world, 3);
    world.remove_particles(&ids[5..6]);
    let left = world.constraints().len();
    assert_eq!(left, rows.len() - 6);
    run(&mut world, 20);
    let again = world
        .add_distances(&[NewDistance::new([ids[0], ids[15]], 1.0)])
        .expect("row")[0];
    assert!(rows.iter().any(|row| row.index == again.index), "places are used again");
    assert!(!rows.contains(&again));
    assert_eq!(world.constraints().len(), left + 1);
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_is_added() {
    let mut world = world_with(1, |_| {});
    let ids = grains(&mut world, &[Vec3::ZERO, Vec3::X, Vec3::Y]);
    world.remove_particles(&ids[2..]);
    let fine = NewDistance::new([ids[0], ids[1]], 1.0);
    let with = |change: &dyn Fn(&mut NewDistance)| {
        let mut new = fine;
        change(&mut new);
        new
    };
    let odd = [
        with(&|new| new.particles = [ids[0], ids[2]]),
        with(&|new| new.particles = [ids[0], ids[0]]),
        with(&|new| new.rest_length = f32::NAN),
        with(&|new| new.rest_length = -1.0),
        with(&|new| new.softness = Softness::Compliance(-1e-3)),
        with(&|new| new.softness = Softness::Compliance(f32::NAN)),
        with(&|new| new.softness = Softness::Stiffness(0.0)),
        with(&|new| new.softness = Softness::Stiffness(1.5)),
        with(&|new| new.breaking_force = 0.0),
        with(&|new| new.breaking_force = f32::NAN),
    ];
    for new in odd {
        let refused = world.add_distances(&[fine, new]);
        assert!(refused.is_err(), "{new:?}");
    }
    assert!(world.constraints().is_empty());
    assert_eq!(world.add_distances(&[]), Ok(Vec::new()));
    let row = world.add_distances(&[fine]).expect("row")[0];
    assert!(world.set_rest_length(row, f32::INFINITY).is_err());
    assert!(world.set_softness(row, Softness::Stiffness(f32::NAN)).is_err());
    run(&mut world, 2);
}

#[test]
fn no_particle_is_left_inside_a_wall_by_its_rows() {
    for solver in SOLVERS {
        let mut world = world_with(1, |settings| settings.constraint_solver = solver);
        let stone = world.add_material(Material::default()).expect("material");
        let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
        world
            .add_collider(Collider::new("floor", plane, stone, Pose::IDENTITY))
            .expect("floor");
        let ids = grains(&mut world, &[Vec3::new(0.0, 0.3, 0.0), Vec3::new(1.0, 0.3, 0.0)]);
        // Pulled down through the floor by one that is pinned below it.
        let below = grains(&mut world, &[Vec3::new(0.5, -1.0, 0.0)])[0];
        world.set_inverse_masses(&[(below, 0.0)]).expect("pinned");
        let rows = ids.iter().map(|&id| NewDistance::new([id, below], 0.2));
        world.add_distances(&rows.collect::<Vec<_>>()).expect("rows");
        for _ in 0..60 {
            run(&mut world, 1);
            for &id in &ids {
                assert!(
                    place(&mut world, id).y > (1.0 - 2.0 * SLOP - 1e-3) * RADIUS,
                    "{}",
                    place(&mut world, id)
                );
            }
        }
    }
}

#[test]
fn rows_of_one_colour_share_no_particle_also_after_some_were_removed() {
    let mut world = world_with(1, |_| {});
    let (ids, rows) = net(&mut world, 12, Softness::STIFF);
    world.remove_constraints(&rows[..rows.len() / 3]);
    let more: Vec<_> = (0..140).map(|k| NewDistance::new([ids[k], ids[k + 3]], 0.3)).collect();
    world.add_distances(&more).expect("rows");
    let batch = world.constraints().batch(ConstraintKind::Distance);
    let mut seen = std::collections::HashSet::new();
    let mut most = 0;
    for id in batch.ids() {
        let color = batch.colors()[id.index as usize];
        most = most.max(color);
        for particle in batch.particles_of(id.index as usize) {
            assert!(seen.insert((color, *particle)), "{particle:?} twice in colour {color}");
        }
    }
    assert!(most < 15, "no more colours than twice the rows of a particle: {most}");
}

#[test]
fn a_hub_with_more_rows_than_there_are_colours_is_held() {
    for solver in SOLVERS {
        let mut world = world_with(2, |settings| {
            settings.gravity = Vec3::ZERO;
            settings.iterations = 8;
            settings.constraint_solver = solver;
        });
        let around = |k: usize| {
            let (y, turn) = (1.0 - (k as f32 + 0.5) / 100.0, k as f32 * 2.4);
            let across = (1.0 - y * y).sqrt();
            Vec3::new(across * turn.cos(), y, across * turn.sin())
        };
        let mut positions = vec![Vec3::ZERO];
        positions.extend((0..200).map(around));
        let ids = grains(&mut world, &positions);
        // As heavy as the rest together: Gauss–Seidel throws a light one about.
        let inverse_mass = world.inverse_masses(&ids[1..2])[0].expect("alive");
        world
            .set_inverse_masses(&[(ids[0], 0.005 * inverse_mass)])
            .expect("mass");
        let rows: Vec<_> = (1..=200)
            .map(|k| NewDistance::new([ids[0], ids[k]], 0.9 * positions[k].length()))
            .collect();
        world.add_distances(&rows).expect("rows");
        run(&mut world, 60);
        let hub = place(&mut world, ids[0]);
        for k in 1..=200 {
            let length = place(&mut world, ids[k]).distance(hub);
            let rest = 0.9 * positions[k].length();
            assert!((length / rest - 1.0).abs() < 0.02, "{length} for {rest} {solver:?}");
        }
    }
}

#[test]
fn a_hundred_thousand_rows_are_solved() {
    for solver in SOLVERS {
        let mut world = world_with(2, |settings| {
            (settings.substeps, settings.iterations) = (1, 2);
            settings.constraint_solver = solver;
        });
        let (_, rows) = net(&mut world, 184, Softness::STIFF);
        assert!(rows.len() > 100_000);
        run(&mut world, 2);
        assert_eq!(world.constraints().len(), rows.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rows_keep_momentum_whatever_the_masses(
        masses in prop::collection::vec(0.1f32..20.0, 12),
        places in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 12),
        pairs in prop::collection::vec((0usize..12, 0usize..12, 0.1f32..2.0), 1..40),
        compliance in prop_oneof![Just(0.0f32), 1e-5f32..1e-2],
        colored in any::<bool>(),
    ) {
        let mut world = world_with(1, |settings| {
            settings.gravity = Vec3::ZERO;
            settings.constraint_solver = SOLVERS[usize::from(colored)];
        });
        let positions: Vec<Vec3> = places.into_iter().map(Vec3::from).collect();
        let ids = grains(&mut world, &positions);
        let inverse: Vec<_> = ids.iter().zip(&masses).map(|(&id, mass)| (id, 1.0 / mass)).collect();
        world.set_inverse_masses(&inverse).expect("masses");
        let rows: Vec<_> = pairs
            .into_iter()
            .filter(|(a, b, _)| a != b)
            .map(|(a, b, rest)| NewDistance {
                softness: Softness::Compliance(compliance),
                ..NewDistance::new([ids[a], ids[b]], rest)
            })
            .collect();
        world.add_distances(&rows).expect("rows");
        run(&mut world, 3);
        let velocities = world.velocities(&ids);
        let momentum = |k: usize| masses[k] * velocities[k].expect("alive");
        let sum: Vec3 = (0..12).map(momentum).sum();
        let most: f32 = (0..12).map(|k| momentum(k).length()).sum();
        // Velocities are differences of positions, rounded to 1e-7 m, over 1/120 s.
        let rounding = 5e-5 * masses.iter().sum::<f32>();
        prop_assert!(sum.length() <= 1e-4 * most + rounding, "{sum} of {most}");
    }
}
