//! Sheets that tear: whatever is torn in whatever order, what is left is sheets; nothing is lost, gained or moved by it.

#[path = "common/fabric.rs"]
mod fabric;

use std::collections::BTreeSet;

use fabric::{Fabric, audit, ball, fabric, faces, pieces, square};
use glam::Vec3;
use motes_core::{
    ConstraintId, ConstraintKind, ConstraintSolver, CpuEngine, Filling, NewBalloon, NewBending, NewDistance,
    ParticleId, Settings, Softness, Wind, World, WorldError,
};
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

fn empty(threads: usize) -> World {
    let settings = Settings {
        gravity: Vec3::ZERO,
        particle_radius: 0.02,
        substeps: 4,
        iterations: 8,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings");
    let still = Wind {
        density: 0.0,
        ..*world.wind()
    };
    world.set_wind(still).expect("no air");
    world
}

fn with(triangles: &fabric::Triangles) -> (World, Fabric) {
    let mut world = empty(2);
    let sheet = fabric(&mut world, triangles, f32::INFINITY);
    (world, sheet)
}

/// The particles of a row or a column of a square.
fn line(sheet: &Fabric, side: usize, column: usize) -> Vec<ParticleId> {
    (0..side).map(|row| sheet.ids[row * side + column]).collect()
}

#[test]
fn a_cut_from_rim_to_rim_leaves_two_sheets() {
    let (mut world, sheet) = with(&square(7, 0.03));
    let inner = audit(&world, &sheet);
    let tears = world.tear_along(&line(&sheet, 7, 3));
    assert_eq!((tears.len(), pieces(&world)), (7, 2));
    assert_eq!(audit(&world, &sheet), inner - 6, "six edges are torn");
    assert_eq!(world.take_tears(), tears);
    assert!(world.take_tears().is_empty());
    assert!(
        world.tear_along(&line(&sheet, 7, 3)).is_empty(),
        "there is nothing left to tear"
    );
}

#[test]
fn lines_of_three_stay_with_their_side_and_die_across_a_tear() {
    const SIDE: usize = 7;
    for cut in [
        vec![3, 10, 17, 24, 31, 38, 45],
        vec![24, 25, 26, 27],
        vec![3, 10, 17, 18, 25, 32, 39, 46],
    ] {
        let (mut world, sheet) = with(&square(SIDE, 0.03));
        let mut lines = Vec::new();
        for (x, y) in (0..SIDE * SIDE).map(|i| (i % SIDE, i / SIDE)) {
            let at = |dx: usize, dy: usize| sheet.ids[(y + dy) * SIDE + x + dx];
            if x + 2 < SIDE {
                lines.push([at(0, 0), at(1, 0), at(2, 0)]);
            }
            if y + 2 < SIDE {
                lines.push([at(0, 0), at(0, 1), at(0, 2)]);
            }
        }
        let softness = Softness::Compliance(0.1);
        let rows: Vec<_> = { lines.iter() }
            .map(|&line| NewBending::of_chain(line, softness))
            .collect();
        let rows = world.add_bendings(&rows).expect("lines");
        let path: Vec<ParticleId> = cut.iter().map(|&i| sheet.ids[i]).collect();
        let tears = world.tear_along(&path);
        assert!(!tears.is_empty());
        let neighbours: BTreeSet<[ParticleId; 2]> = { faces(&world).into_iter() }
            .flat_map(|[a, b, c]| [[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]])
            .collect();
        let batch = world.constraints().batch(ConstraintKind::Bending);
        let alive: BTreeSet<ConstraintId> = batch.ids().collect();
        let mut dead = 0;
        for (row, line) in rows.iter().zip(&lines) {
            if !alive.contains(row) {
                dead += 1;
                continue;
            }
            let [a, b, c, again] = batch.particles_of(row.index as usize) else {
                panic!("four");
            };
            assert_eq!(c, again);
            for ends in [[*a, *b], [*b, *c]] {
                assert!(neighbours.contains(&ends), "{line:?} is torn at {ends:?}");
            }
        }
        assert!((1..=2 * tears.len()).contains(&dead), "{dead} of {} tears", tears.len());
        for _ in 0..30 {
            world.step(DT);
        }
        world.health().expect("finite");
    }
}

#[test]
fn a_slit_opens_between_its_ends() {
    let (mut world, sheet) = with(&square(7, 0.03));
    assert!(
        world.tear_along(&line(&sheet, 7, 3)[2..4]).is_empty(),
        "one edge opens nothing"
    );
    let tears = world.tear_along(&line(&sheet, 7, 3)[2..5]);
    assert_eq!((tears.len(), pieces(&world)), (1, 1));
    assert_eq!(tears[0].of, sheet.ids[3 * 7 + 3]);
    audit(&world, &sheet);
    let longer = world.tear_along(&line(&sheet, 7, 3)[..3]);
    assert_eq!(longer.len(), 3, "from the rim to the slit: {longer:?}");
    assert_eq!(pieces(&world), 1);
    audit(&world, &sheet);
}

#[test]
fn a_plane_tears_along_the_edges_nearest_to_it() {
    let (mut world, sheet) = with(&square(6, 0.03));
    let middle = sheet.ids[2 * 6 + 2];
    let tears = world.tear(middle, Vec3::X).expect("alive");
    assert_eq!(tears.len(), 1);
    let of = |id: ParticleId| faces(&world).iter().filter(|face| face.contains(&id)).count();
    assert_eq!((of(middle), of(tears[0].new)), (4, 4), "as many faces on either side");
    let neighbors = [sheet.ids[6 + 2], sheet.ids[3 * 6 + 2]];
    for neighbor in neighbors {
        let shared = |id: ParticleId| {
            faces(&world)
                .iter()
                .any(|face| face.contains(&id) && face.contains(&neighbor))
        };
        assert!(
            shared(middle) && shared(tears[0].new),
            "above and below it are the ends"
        );
    }
    audit(&world, &sheet);
    assert!(world.tear(middle, Vec3::NAN).is_err() && world.tear(middle, Vec3::ZERO).is_err());
    world.remove_particles(&[middle]);
    assert_eq!(
        world.tear(middle, Vec3::X),
        Err(WorldError::Gone("particle of a sheet"))
    );
}

#[test]
fn a_cut_in_space_follows_its_segment() {
    let (mut world, sheet) = with(&square(7, 0.03));
    let tears = world
        .cut(sheet.group, Vec3::new(-1.0, 0.1, 0.2), Vec3::new(1.0, 0.1, -0.2))
        .expect("a group");
    assert_eq!((tears.len(), pieces(&world)), (7, 2));
    assert_eq!(tears[0].of, sheet.ids[3 * 7]);
    audit(&world, &sheet);
    assert!(world.cut(sheet.group, Vec3::NAN, Vec3::ZERO).is_err());
}

#[test]
fn a_ball_that_is_torn_is_an_open_sheet() {
    let (mut world, sheet) = with(&ball(0.2, 2));
    let inner = audit(&world, &sheet);
    assert_eq!(3 * faces(&world).len(), 2 * inner, "it is closed");
    let tears = world
        .cut(sheet.group, Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.0, 0.2, 0.0))
        .expect("a group");
    assert!(!tears.is_empty());
    assert_eq!(pieces(&world), 1);
    let open = audit(&world, &sheet);
    assert!(open < inner && 2 * open < 3 * faces(&world).len());
}

#[test]
fn a_balloon_that_is_cut_has_a_hole_and_empties() {
    let (mut world, sheet) = with(&ball(0.2, 2));
    let faces = { world.constraints().batch(ConstraintKind::Face).ids() }.collect();
    let filling = Filling::Gas(0.036);
    let balloons = world.add_balloons(&[NewBalloon { faces, filling }]).expect("closed");
    (0..10).for_each(|_| world.step(DT));
    let before = world.balloon(balloons[0]).expect("there");
    assert!(
        before.hole == 0.0 && before.lost == 0.0 && before.pressure > 0.0,
        "{before:?}"
    );
    assert!(world.take_burst_balloons().is_empty());
    world
        .cut(sheet.group, Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.0, 0.2, 0.0))
        .expect("a group");
    (0..30).for_each(|_| world.step(DT));
    let after = world.balloon(balloons[0]).expect("there");
    assert_eq!(world.take_burst_balloons(), balloons);
    assert!(
        after.hole > 0.0 && after.lost > 0.0 && after.pressure < before.pressure,
        "{after:?}"
    );
    audit(&world, &sheet);
}

#[test]
fn tethers_die_with_the_first_tear_and_ties_stay() {
    let (mut world, sheet) = with(&square(5, 0.03));
    let tether = [NewDistance::new([sheet.ids[0], sheet.ids[24]], 0.5)];
    world.add_tethers(&tether).expect("a tether");
    let other = fabric(&mut world, &square(3, 0.03), f32::INFINITY);
    let tied = world
        .add_distances(&[NewDistance::new([sheet.ids[12], other.ids[4]], 0.1)])
        .expect("a tie");
    let unhurt = world
        .add_tethers(&[NewDistance::new([other.ids[0], other.ids[8]], 0.5)])
        .expect("another");
    let before = world.constraints().len();
    let tears = world.tear(sheet.ids[1], Vec3::X).expect("alive");
    assert_eq!(tears.len(), 1);
    assert!(world.constraint(unhurt[0]).is_some(), "that of another sheet");
    let pulls = |id: &ConstraintId, rest: f32| id.kind == ConstraintKind::Distance && rest < 0.0;
    let rows = |world: &World| world.constraints().iter().collect::<Vec<_>>();
    let tethers = |world: &World| rows(world).iter().filter(|(id, row)| pulls(id, row.rest)).count();
    assert_eq!(tethers(&world), 1);
    assert_eq!(
        world.constraints().len(),
        before - 1 - 1 + 1 - 1,
        "tether, crossing and bending; a twin"
    );
    world.tear(sheet.ids[12], Vec3::X).expect("alive");
    assert!(world.constraint(tied[0]).is_some());
}

#[test]
fn a_tear_moves_nothing_and_costs_no_momentum() {
    let (mut world, sheet) = with(&square(9, 0.03));
    let spin: Vec<_> = { sheet.ids.iter().enumerate() }
        .map(|(i, &id)| (id, Vec3::new(0.3, 1.0, (i % 9) as f32 * 0.1)))
        .collect();
    world.set_velocities(&spin).expect("alive");
    for _ in 0..5 {
        world.step(DT);
    }
    let sums = |world: &World| {
        let particles = world.particles();
        let (mut momentum, mut energy, mut middle) = (Vec3::ZERO, 0.0, Vec3::ZERO);
        for (position, velocity) in particles.positions.iter().zip(&particles.velocities) {
            let mass = 1.0 / position.w;
            momentum += mass * velocity.truncate();
            middle += mass * position.truncate();
            energy += 0.5 * mass * velocity.truncate().length_squared();
        }
        (momentum, energy, middle)
    };
    let before = sums(&world);
    world.tear_along(&line(&sheet, 9, 4));
    let after = sums(&world);
    assert!((after.0 - before.0).length() < 1e-5 * before.0.length());
    assert!((after.1 / before.1 - 1.0).abs() < 1e-5);
    assert!((after.2 - before.2).length() < 1e-5 * before.2.length());
    for _ in 0..30 {
        world.step(DT);
    }
    let later = sums(&world);
    assert!(
        (later.0 - before.0).length() < 1e-3 * before.0.length(),
        "{later:?} {before:?}"
    );
    assert!(later.1 < 1.01 * before.1, "{} J of {} J", later.1, before.1);
    audit(&world, &sheet);
}

#[derive(Clone, Debug)]
enum Torn {
    Plane(usize, [f32; 3]),
    Walk(usize, Vec<usize>),
    Cut([f32; 3], [f32; 3]),
}

fn torn() -> impl Strategy<Value = Torn> {
    let point = || [-0.3..0.3f32, -0.3..0.3f32, -0.3..0.3f32];
    prop_oneof![
        (any::<usize>(), [-1.0..1.0f32, -1.0..1.0f32, 0.1..1.0f32]).prop_map(|(at, normal)| Torn::Plane(at, normal)),
        (any::<usize>(), prop::collection::vec(any::<usize>(), 1..8)).prop_map(|(at, turns)| Torn::Walk(at, turns)),
        (point(), point()).prop_map(|(from, to)| Torn::Cut(from, to)),
    ]
}

fn carry_out(world: &mut World, sheet: &Fabric, torn: &Torn) {
    let ids = world.group_particles(sheet.group);
    match torn {
        Torn::Plane(at, normal) => {
            world.tear(ids[at % ids.len()], Vec3::from(*normal)).expect("alive");
        }
        Torn::Walk(at, turns) => {
            let all = faces(world);
            let mut path = vec![ids[at % ids.len()]];
            for turn in turns {
                let last = path[path.len() - 1];
                let around: Vec<ParticleId> = { all.iter().filter(|face| face.contains(&last)).flatten() }
                    .copied()
                    .filter(|id| *id != last)
                    .collect();
                path.push(around[turn % around.len()]);
            }
            world.tear_along(&path);
        }
        Torn::Cut(from, to) => {
            world
                .cut(sheet.group, Vec3::from(*from), Vec3::from(*to))
                .expect("a group");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_torn_leaves_sheets(closed: bool, all in prop::collection::vec(torn(), 1..24)) {
        let (mut world, sheet) = with(&if closed { ball(0.2, 2) } else { square(7, 0.05) });
        let whole = faces(&world).len();
        for (number, torn) in all.iter().enumerate() {
            carry_out(&mut world, &sheet, torn);
            audit(&world, &sheet);
            if number % 8 == 7 {
                world.step(DT);
            }
        }
        prop_assert_eq!(faces(&world).len(), whole);
        world.step(DT);
        prop_assert!(world.health().is_ok());
    }
}

/// A square that is pulled apart along x by its two sides, at 0.5 m/s.
fn pulled(threads: usize, solver: ConstraintSolver) -> (World, Fabric, [Vec<ParticleId>; 2]) {
    let mut world = empty(threads);
    world
        .set_settings(Settings {
            constraint_solver: solver,
            ..world.settings().clone()
        })
        .expect("settings");
    let sheet = fabric(&mut world, &square(9, 0.03), 0.2);
    let sides = [0, 8].map(|column| line(&sheet, 9, column));
    let pins: Vec<_> = sides.iter().flatten().map(|&id| (id, 0.0)).collect();
    world.set_inverse_masses(&pins).expect("alive");
    (world, sheet, sides)
}

fn pull(world: &mut World, sides: &[Vec<ParticleId>; 2], frame: usize) {
    let way = 0.5 * DT * (frame + 1) as f32;
    for (side, x) in sides.iter().zip([-way, 0.24 + way]) {
        let places: Vec<_> = { side.iter().enumerate() }
            .map(|(row, &id)| (id, Vec3::new(x, 0.03 * row as f32, 0.0)))
            .collect();
        world.set_positions(&places).expect("alive");
    }
    world.step(DT);
}

#[test]
fn what_is_stretched_too_far_tears_and_what_is_not_does_not() {
    for solver in [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel] {
        let (mut world, _, sides) = pulled(2, solver);
        let mut first = None;
        for frame in 0..40 {
            pull(&mut world, &sides, frame);
            let strain = 2.0 * 0.5 * DT * (frame + 1) as f32 / 0.24;
            if first.is_none() && !world.take_tears().is_empty() {
                first = Some(strain);
            }
        }
        let first = first.expect("it tears");
        // Two frames later than it is stretched so far, and what is pulled begins to move in the middle last.
        assert!((0.2..0.45).contains(&first), "{first}");
        assert!(pieces(&world) > 1, "torn in two");
        assert!(faces(&world).len() == 128);
    }
}

#[test]
fn torn_runs_are_the_same_for_any_threads_and_when_restored() {
    let run = |threads: usize, stop: usize| {
        let (mut world, _, sides) = pulled(threads, ConstraintSolver::Jacobi);
        for frame in 0..stop {
            pull(&mut world, &sides, frame);
        }
        (world, sides)
    };
    let finish = |(mut world, sides): (World, [Vec<ParticleId>; 2]), from: usize| {
        for frame in from..36 {
            pull(&mut world, &sides, frame);
        }
        (world.digest(), world.take_tears().len(), pieces(&world))
    };
    let expected = finish(run(1, 0), 0);
    assert!(expected.1 > 4, "{expected:?}");
    assert_eq!(finish(run(2, 0), 0), expected);
    let start = (6..30)
        .find(|&stop| !run(2, stop).0.take_tears().is_empty())
        .expect("it tears");
    for stop in [start - 2, start - 1, start, start + 2] {
        let (world, sides) = run(2, stop);
        let restored = World::restore(&world.save(), Box::new(CpuEngine::with_threads(2))).expect("sound");
        assert_eq!(finish((restored, sides), stop), expected, "from frame {stop}");
    }
}

#[test]
fn a_cut_comes_at_its_time_and_a_frame_tears_no_more_than_it_may() {
    let (mut world, sheet) = with(&square(7, 0.03));
    world.cut_at(2.5 * f64::from(DT), line(&sheet, 7, 3)).expect("alive");
    for frame in 0..5 {
        assert_eq!(pieces(&world), if frame <= 3 { 1 } else { 2 }, "frame {frame}");
        world.step(DT);
    }
    assert!(world.cut_at(f64::NAN, Vec::new()).is_err());

    let (mut world, _, sides) = pulled(2, ConstraintSolver::Jacobi);
    let settings = Settings {
        tears_per_frame: 1,
        ..world.settings().clone()
    };
    world.set_settings(settings).expect("settings");
    let mut most = 0;
    for frame in 0..36 {
        pull(&mut world, &sides, frame);
        most = most.max(world.take_tears().len());
    }
    // The ends of the edges that are torn are split with it where they are on a rim.
    assert!((1..=3).contains(&most), "{most}");
}
