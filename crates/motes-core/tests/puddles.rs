//! Bodies melt into liquids, and liquids freeze into bodies.

#[path = "common/wax.rs"]
mod wax;

use glam::Vec3;
use motes_core::{
    BodyId, CpuEngine, Emitter, EmitterShape, Group, GroupId, Material, MaterialId, Melting, Phase, World,
};

use wax::{DT, RADIUS, cube, fastest, run, scripted, top, totals, world};

/// A cube that melts into water, with temperatures of its own.
fn cube_of_ice(world: &mut World, x: f32, keys: &[[f32; 2]]) -> (BodyId, GroupId) {
    let water = world.add_material(Material::WATER).expect("material");
    let melting = Melting {
        liquid: Some(water),
        ..scripted(keys)
    };
    cube(world, x, melting)
}

fn is_fluid(world: &World, group: GroupId) -> bool {
    world.group(group).expect("alive").flags & Phase::FLUID != 0
}

#[test]
fn a_cube_that_melts_into_water_ends_as_a_puddle() {
    let mut world = world(true);
    let (body, group) = cube_of_ice(&mut world, 0.0, &[[0.5, 20.0], [0.6, 60.0]]);
    let (mass, ..) = totals(&mut world);
    let solid = world.group(group).expect("alive").material;
    run(&mut world, 2.0);
    assert!(world.body_motion(body).is_none() && is_fluid(&world, group));
    assert_ne!(world.group(group).expect("alive").material, solid);
    let height = top(&mut world);
    assert!(height < 2.0 * 2.0 * RADIUS, "a puddle of two layers at most: {height}");
    let (now, ..) = totals(&mut world);
    assert!((now - mass).abs() < 1e-4 * mass, "{mass} kg became {now}");
    assert!(fastest(&mut world) < 3.5, "nothing bursts");
}

#[test]
fn water_keeps_its_momentum_when_it_melts_and_freezes() {
    let mut world = world(false);
    let keys = [[0.1, 20.0], [0.2, 60.0], [0.4, 60.0], [0.5, 45.0]];
    let (body, _) = cube_of_ice(&mut world, 1.0, &keys);
    let velocity = Vec3::new(1.0, 2.0, -0.5);
    world.set_body_velocity(body, velocity, Vec3::Y).expect("alive");
    let (mass, momentum, spin) = totals(&mut world);
    let mut states = Vec::new();
    for _ in 0..60 {
        world.step(DT);
        let (now, there, turning) = totals(&mut world);
        assert!((now - mass).abs() < 1e-3 * mass);
        assert!((there - momentum).length() < 1e-3 * momentum.length(), "{there}");
        assert!(
            (turning - spin).length() < 0.03 * spin.length(),
            "{spin} became {turning}"
        );
        states.push(world.melts()[0].body().is_some());
    }
    states.dedup();
    assert_eq!(states, [true, false, true]);
}

#[test]
fn drops_that_are_apart_freeze_apart_and_melt_again() {
    let mut world = world(true);
    let (_, group) = cube_of_ice(
        &mut world,
        0.0,
        &[[0.0, 60.0], [0.5, 60.0], [0.6, 40.0], [2.0, 40.0], [2.1, 60.0]],
    );
    world.step(DT);
    assert!(is_fluid(&world, group), "it was warm from the start");
    let ids = world.group_particles(group);
    let places: Vec<_> = ids[..10].iter().map(|&id| (id, Vec3::new(2.0, 3.0, 0.0))).collect();
    let spread = places.iter().enumerate();
    let moved: Vec<_> = spread
        .map(|(k, &(id, place))| (id, place + 0.09 * k as f32 * Vec3::X))
        .collect();
    world.set_positions(&moved).expect("alive");
    run(&mut world, 0.6);
    let bodies: Vec<_> = world
        .melts()
        .iter()
        .map(|melt| (melt.group(), melt.body().is_some()))
        .collect();
    assert!(
        bodies.len() >= 2 && bodies.iter().all(|(_, frozen)| *frozen),
        "{bodies:?}"
    );
    assert_eq!(bodies[0].0, group, "the largest keeps the group");
    assert!(
        world
            .melts()
            .iter()
            .all(|melt| melt.origin() == group && melt.is_cast())
    );
    let counts: usize = bodies
        .iter()
        .map(|(group, _)| world.group_particles(*group).len())
        .sum();
    assert_eq!(counts, 125, "nobody is lost");
    let high = |world: &mut World| world.positions(&ids[..1])[0].expect("alive").y;
    let (before, speed) = (high(&mut world), fastest(&mut world));
    run(&mut world, 0.1);
    assert!(
        high(&mut world) < before - 0.05 && speed > 1.0,
        "the drop falls on by itself"
    );
    run(&mut world, 1.6);
    assert!(
        world
            .melts()
            .iter()
            .all(|melt| melt.body().is_none() && is_fluid(&world, melt.group()))
    );
}

#[test]
fn a_liquid_freezes_where_it_is_and_melts_into_itself() {
    let mut world = world(true);
    let water = world.add_material(Material::WATER).expect("material");
    let ice = world.add_material(Material::ICE).expect("material");
    let group = world.add_group(Group::fluid("pool", water)).expect("group");
    let places = (0..128).map(|k| Vec3::new((k % 8) as f32, 0.0, (k / 8 % 8) as f32) + (k / 64) as f32 * Vec3::Y);
    let places: Vec<Vec3> = places.map(|place| 2.0 * RADIUS * place + RADIUS * Vec3::Y).collect();
    world.add_particles(group, &places, Vec3::ZERO).expect("particles");
    let freezing = scripted(&[[0.2, 60.0], [0.3, 40.0], [1.0, 40.0], [1.1, 70.0]]);
    world.set_freezing(group, ice, Some(freezing)).expect("a liquid");
    run(&mut world, 0.4);
    let frozen = world.melts()[0].body().expect("frozen");
    assert_eq!(world.group(group).expect("alive").material, ice);
    assert!(!is_fluid(&world, group) && world.body_motion(frozen).is_some());
    run(&mut world, 0.9);
    assert!(is_fluid(&world, group));
    assert_eq!(world.group(group).expect("alive").material, water);
    assert!(world.set_freezing(group, ice, None).is_ok() && world.melts().is_empty());
}

#[test]
fn only_liquids_without_emitters_freeze() {
    let mut world = world(true);
    let water = world.add_material(Material::WATER).expect("material");
    let freezing = || Some(Melting::between(-1.0, 0.0));
    let sand = world.add_group(Group::grains("sand", water)).expect("group");
    assert!(world.set_freezing(sand, water, freezing()).is_err());
    let jet = world.add_group(Group::fluid("jet", water)).expect("group");
    assert!(world.set_freezing(jet, MaterialId(77), freezing()).is_err());
    let shape = EmitterShape::Disc { radius: 0.1 };
    world.add_emitter(Emitter::new("tap", jet, shape)).expect("emitter");
    assert!(world.set_freezing(jet, water, freezing()).is_err());
    let (body, _) = cube(&mut world, 0.0, Melting::between(50.0, 60.0));
    let nothing = Melting {
        liquid: Some(MaterialId(77)),
        ..Melting::between(50.0, 60.0)
    };
    assert!(world.set_melting(body, Some(nothing)).is_err());
}

#[test]
fn a_world_saved_while_it_is_a_puddle_goes_on_the_same() {
    let mut world = world(true);
    cube_of_ice(&mut world, 0.0, &[[0.1, 20.0], [0.2, 60.0], [0.6, 60.0], [0.7, 40.0]]);
    let mut states = Vec::new();
    let mut seen = Vec::new();
    for frame in 0..60 {
        if [8, 20, 50].contains(&frame) {
            states.push((frame, world.save()));
        }
        world.step(DT);
        seen.push((world.melts().len(), world.digest()));
    }
    for (frame, state) in states {
        let mut again = World::restore(&state, Box::new(CpuEngine::with_threads(2))).expect("a state");
        for expected in &seen[frame..] {
            again.step(DT);
            assert_eq!((again.melts().len(), again.digest()), *expected, "from frame {frame}");
        }
    }
}
