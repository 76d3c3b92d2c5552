//! Bodies melt and freeze by their temperature.

#[path = "common/wax.rs"]
mod wax;

use glam::Vec3;
use motes_core::{BodyId, CpuEngine, HeatZone, Links, Material, Melting, NewBody, Pose, Temperature, Volume, World};

use wax::{DT, RADIUS, cube, fastest, run, scripted, top, totals, world};

#[test]
fn a_cube_sinks_as_it_warms_and_ends_as_a_heap() {
    let mut world = world(true);
    let (body, group) = cube(&mut world, 0.0, scripted(&[[0.5, 20.0], [1.0, 50.0], [4.0, 60.0]]));
    run(&mut world, 1.0);
    let mut before = top(&mut world);
    assert!(
        (before - 9.0 * RADIUS).abs() < 1e-3,
        "solid up to the solidus: {before}"
    );
    for _ in 0..6 {
        run(&mut world, 0.5);
        let height = top(&mut world);
        assert!(height < before + 0.005, "it rose from {before} to {height}");
        assert!(fastest(&mut world) < 3.0, "faster than anything falls from its top");
        before = height;
    }
    run(&mut world, 0.5);
    assert_eq!(world.melts()[0].body(), None, "molten");
    assert!(world.body_motion(body).is_none());
    assert_eq!(world.temperature(group), Some(60.0));
    run(&mut world, 1.5);
    assert!(top(&mut world) < 8.0 * RADIUS, "a heap");
    assert_eq!(world.particle_count(), 125);
}

#[test]
fn melting_and_freezing_keep_mass_and_momentum() {
    let mut world = world(false);
    let keys = [[0.1, 20.0], [0.2, 50.0], [0.7, 60.0], [1.0, 60.0], [1.1, 45.0]];
    let (body, _) = cube(&mut world, 1.0, scripted(&keys));
    let velocity = Vec3::new(1.0, 2.0, -0.5);
    world
        .set_body_velocity(body, velocity, Vec3::new(0.2, 0.5, 0.1))
        .expect("alive");
    let (mass, momentum, spin) = totals(&mut world);
    let mut bodies = Vec::new();
    for _ in 0..120 {
        world.step(DT);
        let (now, there, turning) = totals(&mut world);
        assert!((now - mass).abs() < 1e-3 * mass);
        let time = world.time();
        assert!(
            (there - momentum).length() < 1e-3 * momentum.length(),
            "{there} at {time} s"
        );
        // Where its particles press on each other, only up to what a contact turns.
        assert!(
            (turning - spin).length() < 0.03 * spin.length(),
            "{spin} became {turning} at {time} s"
        );
        bodies.push(world.melts()[0].body());
    }
    bodies.dedup();
    assert!(matches!(bodies[..], [Some(_), None, Some(_)]), "{bodies:?}");
    assert_ne!(bodies[0], bodies[2], "what froze is another body");
}

#[test]
fn what_freezes_is_at_rest_where_the_grains_were() {
    let mut world = world(true);
    let (_, group) = cube(&mut world, 0.0, scripted(&[[0.0, 60.0], [2.9, 60.0], [3.0, 40.0]]));
    run(&mut world, 2.9);
    let ids = world.group_particles(group);
    let before = world.positions(&ids);
    run(&mut world, 1.0);
    let frozen = world.melts()[0].body().expect("frozen");
    assert!(world.bodies().list[0].is_rigid());
    let furthest = before.iter().zip(world.positions(&ids));
    let furthest = furthest
        .map(|(a, b)| a.expect("alive").distance(b.expect("alive")))
        .fold(0.0, f32::max);
    assert!(furthest < 0.2 * RADIUS, "moved by {furthest} m");
    assert!(world.body_motion(frozen).expect("alive").velocity.length() < 0.01);
    world.set_body_velocity(frozen, 3.0 * Vec3::Y, Vec3::Z).expect("alive");
    let shape = world.positions(&ids);
    run(&mut world, 0.3);
    let apart = |list: &[Option<Vec3>]| list[0].expect("alive").distance(list[124].expect("alive"));
    assert!(
        (apart(&shape) - apart(&world.positions(&ids))).abs() < 1e-3,
        "it flies as one"
    );
}

#[test]
fn what_slumped_keeps_its_new_shape_when_it_cools() {
    let mut world = world(true);
    cube(
        &mut world,
        0.0,
        scripted(&[[0.0, 50.0], [2.0, 57.0], [5.0, 57.0], [5.5, 40.0]]),
    );
    run(&mut world, 5.5);
    let slumped = top(&mut world);
    assert!(slumped < 8.3 * RADIUS, "it has slumped: {slumped}");
    for _ in 0..90 {
        world.step(DT);
        let height = top(&mut world);
        assert!((height - slumped).abs() < 0.2 * RADIUS, "{slumped} became {height}");
    }
    assert!(fastest(&mut world) < 0.05, "at rest");
    assert!(world.bodies().list[0].is_rigid());
}

#[test]
fn a_body_on_the_hot_plate_melts_and_its_neighbour_does_not() {
    let mut world = world(true);
    let wax = Melting {
        time_constant: 0.5,
        ..Melting::between(50.0, 60.0)
    };
    cube(&mut world, 0.0, wax.clone());
    let (cold, beside) = cube(&mut world, 3.0, wax);
    let plate = Volume::Box {
        min: Vec3::new(-0.5, 0.0, -0.5),
        max: Vec3::new(1.0, 1.0, 1.0),
    };
    let zones = vec![HeatZone {
        volume: plate,
        temperature: 100.0.into(),
    }];
    world.set_heat_zones(zones).expect("zones");
    run(&mut world, 1.0);
    assert_eq!([0, 1].map(|k| world.melts()[k].body()), [None, Some(cold)]);
    assert_eq!(world.temperature(beside), Some(20.0));
    world
        .teleport_body(cold, Pose::at(0.2 * Vec3::X + Vec3::Y * 0.3))
        .expect("alive");
    run(&mut world, 1.0);
    assert_eq!(world.melts()[1].body(), None, "it has been moved onto the plate");
}

#[test]
fn a_world_saved_while_melting_goes_on_the_same() {
    let mut world = world(true);
    let wax = Melting {
        temperature: 48.0,
        time_constant: 0.6,
        ..Melting::between(50.0, 60.0)
    };
    cube(&mut world, 0.0, wax);
    let zone = |keys: &[[f32; 2]]| HeatZone {
        volume: Volume::Below {
            point: Vec3::Y,
            normal: Vec3::Y,
        },
        temperature: Temperature { keys: keys.to_vec() },
    };
    world
        .set_heat_zones(vec![zone(&[[0.6, 90.0], [0.7, -40.0]])])
        .expect("zones");
    let mut states = Vec::new();
    let mut seen = Vec::new();
    for frame in 0..90 {
        if [3, 13, 37, 60].contains(&frame) {
            states.push((frame, world.save()));
        }
        world.step(DT);
        seen.push((world.melts()[0].body().is_some(), world.digest()));
    }
    let mut course: Vec<bool> = seen.iter().map(|(whole, _)| *whole).collect();
    course.dedup();
    assert_eq!(course, [true, false, true], "it melts and freezes");
    for (frame, state) in states {
        let mut again = World::restore(&state, Box::new(CpuEngine::with_threads(2))).expect("a state");
        for expected in &seen[frame..] {
            again.step(DT);
            assert_eq!(
                (again.melts()[0].body().is_some(), again.digest()),
                *expected,
                "from frame {frame}"
            );
        }
    }
}

#[test]
fn a_body_whose_stiffness_is_changed_neither_jumps_nor_loses_momentum() {
    let mut world = world(false);
    let (body, _) = cube(&mut world, 0.0, Melting::between(50.0, 60.0));
    world.set_melting(body, None).expect("alive");
    world
        .set_body_velocity(body, Vec3::X, Vec3::new(0.0, 1.0, 0.5))
        .expect("alive");
    let (_, momentum, spin) = totals(&mut world);
    for stiffness in [1.0, 0.3, 1.0, 0.0, 1.0] {
        world.set_body_stiffness(body, stiffness).expect("alive");
        run(&mut world, 0.2);
        let (_, there, turning) = totals(&mut world);
        assert!((there - momentum).length() < 1e-3 * momentum.length(), "at {stiffness}");
        assert!(
            (turning - spin).length() < 0.02 * spin.length(),
            "{spin} became {turning} at {stiffness}"
        );
        assert!(fastest(&mut world) < 2.0, "it jumps at {stiffness}");
    }
}

#[test]
fn links_do_not_hold_up_what_melts() {
    let mut world = world(true);
    let (first, _) = cube(&mut world, 0.0, scripted(&[[0.0, 50.0], [2.0, 59.0]]));
    let stone = world.add_material(Material::ICE).expect("material");
    let linked = |x: f32, melting: Option<Melting>| NewBody {
        pose: Pose::at(x * Vec3::X),
        links: Links {
            pairs: (0..9).map(|k| [k, k + 1]).collect(),
            compliance: 0.0,
        },
        stiffness: 0.5,
        melting,
        ..NewBody::new(
            "rod",
            stone,
            (0..10).map(|k| (2 * k + 1) as f32 * RADIUS * Vec3::Y).collect(),
            vec![1.0; 10],
        )
    };
    world
        .add_body(linked(2.0, Some(scripted(&[[0.0, 50.0], [2.0, 59.0]]))))
        .expect("body");
    world.add_body(linked(4.0, None)).expect("body");
    run(&mut world, 0.5);
    let bodies = world.bodies();
    let linked = bodies.list[2].id;
    let members = bodies.particles[bodies.list[2].members()].to_vec();
    let constraints = world.constraints();
    assert_eq!((constraints.len(), constraints.of_body(linked).count()), (9, 9));
    let ends: Vec<_> = constraints
        .ids()
        .filter_map(|id| constraints.get(id))
        .flat_map(|row| row.particles)
        .collect();
    assert!(ends.len() == 18 && ends.iter().all(|end| members.contains(end)));
    world.remove_body(first).expect("alive");
    run(&mut world, 2.0);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut world = world(true);
    let (body, group) = cube(&mut world, 0.0, Melting::between(50.0, 60.0));
    assert!(world.set_melting(body, Some(Melting::between(60.0, 50.0))).is_err());
    assert!(world.set_temperature(group, f32::NAN).is_err());
    assert!(world.set_temperature(group, -300.0).is_err());
    let zone = HeatZone {
        volume: Volume::Everywhere,
        temperature: Temperature { keys: Vec::new() },
    };
    assert!(world.set_heat_zones(vec![zone]).is_err());
    for stiffness in [-0.1, 1.1, f32::NAN] {
        assert!(world.set_body_stiffness(body, stiffness).is_err());
    }
    let stone = world.add_material(Material::default()).expect("material");
    let new = NewBody::new("bad", stone, vec![Vec3::ZERO], vec![1.0]);
    let melting = Some(Melting::between(1.0, 2.0));
    let fixed = NewBody {
        melting: melting.clone(),
        kinematic: true,
        ..new.clone()
    };
    assert!(world.add_body(fixed).is_err(), "kinematic bodies do not melt");
    let count = world.particle_count();
    let upside_down = NewBody {
        melting: Some(Melting::between(2.0, 1.0)),
        ..new
    };
    assert!(world.add_body(upside_down).is_err());
    assert_eq!(world.particle_count(), count, "nothing is left behind");
    world.set_kinematic(body, true).expect("alive");
    assert!(world.set_melting(body, melting).is_err());
    world.set_temperature(group, 100.0).expect("it melts");
    run(&mut world, 0.1);
    assert_eq!(world.melts()[0].body(), Some(body), "held in place, it does not melt");
    world.dissolve_body(body).expect("alive");
    assert!(world.melts().is_empty(), "what the caller dissolves is his own");
    assert!(world.set_temperature(group, 0.0).is_err());
}

/// A row of particles on the floor that are all corners.
fn edged(world: &mut World, x: f32, melting: Option<Melting>) -> BodyId {
    let stone = world.add_material(Material::default()).expect("material");
    let positions: Vec<Vec3> = (0..4).map(|k| RADIUS * Vec3::new(0.0, 1.0, 2.0 * k as f32)).collect();
    let mut new = NewBody::new("row", stone, positions, vec![0.5; 4]);
    new.fields = vec![Vec3::NEG_Y.extend(-RADIUS); 4];
    new.faces = vec![[Vec3::X, Vec3::NEG_X]; 4];
    new.pose = Pose::at(x * Vec3::X);
    new.melting = melting;
    world.add_body(new).expect("row")
}

#[test]
fn what_melts_leaves_the_edges_of_others_alone() {
    let mut world = world(true);
    edged(&mut world, 0.0, Some(scripted(&[[0.0, 20.0], [0.2, 55.0]])));
    let solid = edged(&mut world, 1.0, None);
    run(&mut world, 0.5);
    assert_eq!(world.bodies().corners.len(), 4, "those of the solid one");
    let motion = world.body_motion(solid).expect("alive");
    assert!((motion.center.y - RADIUS).abs() < 0.1 * RADIUS, "{}", motion.center);
}
