//! Regions that notice what is in them: they count, remove and switch.

#[path = "common/block.rs"]
mod block;

use block::block;
use glam::Vec3;
use motes_core::colliders::{Cuboid, Plane};
use motes_core::{
    Collider, ColliderId, Counting, CpuEngine, Emitter, EmitterShape, Group, GroupId, Joint, Material, MaterialId,
    NewJoint, Partner, Pose, Settings, Shape, Switch, Trigger, Volume, World, WorldError,
};

const DT: f32 = 1.0 / 60.0;

fn world() -> (World, MaterialId, GroupId) {
    let mut world = World::new(Settings::default()).expect("settings");
    let material = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", material)).expect("group");
    (world, material, group)
}

fn add(world: &mut World, name: &str, shape: impl Into<Shape>, material: MaterialId, place: Vec3) -> ColliderId {
    let collider = Collider::new(name, shape.into(), material, Pose::at(place));
    world.add_collider(collider).expect("collider")
}

/// Below a height.
fn below(height: f32) -> Volume {
    Volume::Below {
        point: height * Vec3::Y,
        normal: Vec3::Y,
    }
}

fn run(world: &mut World, seconds: f32) {
    (0..(seconds / DT).round() as usize).for_each(|_| world.step(DT));
}

/// Grains that fall side by side, one after the other.
fn column(world: &mut World, group: GroupId, count: usize) {
    let places: Vec<Vec3> = (0..count)
        .map(|i| Vec3::new(0.2 * i as f32, 1.0 + 0.3 * i as f32, 0.0))
        .collect();
    world.add_particles(group, &places, Vec3::ZERO).expect("grains");
}

#[test]
fn what_enters_is_counted_once() {
    let (mut world, _, group) = world();
    column(&mut world, group, 5);
    let gate = Volume::Box {
        min: Vec3::new(-2.0, -0.5, -2.0),
        max: Vec3::new(2.0, 0.5, 2.0),
    };
    world.add_trigger(Trigger::new("gate", gate)).expect("trigger");
    let mut most = 0;
    for _ in 0..90 {
        world.step(DT);
        most = most.max(world.triggers()[0].inside());
    }
    let gate = &world.triggers()[0];
    assert_eq!((gate.entered(), gate.inside(), gate.removed()), (5, 0, 0));
    assert!((1..5).contains(&most), "{most}");
    assert!(gate.changed_at().is_some());
}

#[test]
fn what_enters_a_trap_is_removed_and_counted() {
    let (mut world, _, group) = world();
    column(&mut world, group, 5);
    let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::new(4.0, 1.0, 0.0)));
    let body = world.add_body(new).expect("body");
    let trap = Trigger {
        kill: true,
        ..Trigger::new("trap", below(0.0))
    };
    world.add_trigger(trap).expect("trigger");
    run(&mut world, 2.0);
    assert_eq!(world.particle_count(), 0);
    assert!(world.body_motion(body).is_none());
    let trap = &world.triggers()[0];
    assert_eq!((trap.entered(), trap.removed(), trap.inside()), (6, 6, 0));
}

#[test]
fn only_those_count_that_are_meant() {
    let (mut world, material, group) = world();
    let others = world.add_group(Group::grains("others", material)).expect("group");
    column(&mut world, group, 3);
    world
        .add_particles(others, &[Vec3::new(-1.0, 1.0, 0.0)], Vec3::ZERO)
        .expect("grain");
    let trigger = Trigger {
        of: vec![others],
        ..Trigger::new("others", below(0.0))
    };
    world.add_trigger(trigger).expect("trigger");
    run(&mut world, 1.5);
    assert_eq!(world.triggers()[0].entered(), 1);
}

#[test]
fn a_gate_opens_when_enough_lie_on_it_and_closes_again() {
    let (mut world, material, group) = world();
    let lid = Cuboid::new(Vec3::new(5.0, 0.02, 5.0)).expect("box");
    let gate = add(&mut world, "gate", lid, material, -0.02 * Vec3::Y);
    column(&mut world, group, 6);
    let region = Volume::Box {
        min: Vec3::new(-5.0, 0.0, -5.0),
        max: Vec3::new(5.0, 0.3, 5.0),
    };
    let trigger = Trigger {
        count: 4,
        switches: vec![(Switch::Collider(gate), false)],
        back_below: Some(3),
        ..Trigger::new("load", region)
    };
    world.add_trigger(trigger).expect("trigger");
    let mut opened = 0;
    for _ in 0..240 {
        world.step(DT);
        opened += usize::from(world.is_collider_on(gate) == Some(false));
    }
    assert!(opened > 2, "it opens");
    assert_eq!(world.is_collider_on(gate), Some(true), "and closes again");
    let through = world
        .particles()
        .positions
        .iter()
        .filter(|place| place.y < -1.0)
        .count();
    assert!((2..6).contains(&through), "{through} fell through");
}

#[test]
fn emitters_surfaces_and_joints_are_switched() {
    let (mut world, material, group) = world();
    let shape = EmitterShape::Disc { radius: 0.05 };
    let emitter = Emitter {
        speed: 1.0,
        ..Emitter::new("source", group, shape)
    };
    world.add_emitter(emitter).expect("emitter");
    let belt = add(
        &mut world,
        "belt",
        Cuboid::new(Vec3::ONE).expect("box"),
        material,
        Vec3::new(20.0, 0.0, 0.0),
    );
    let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::new(5.0, 5.0, 0.0)));
    let body = world.add_body(new).expect("body");
    let hook = Joint::Ball(Vec3::new(5.0, 5.0, 0.0));
    let joint = world
        .add_joint(NewJoint::new(body, Partner::World, hook))
        .expect("joint");
    let trigger = Trigger {
        count: 10,
        counting: Counting::Entered,
        of: vec![group],
        switches: vec![
            (Switch::Emitter(0), false),
            (Switch::Surface(belt), false),
            (Switch::Joint(joint), false),
        ],
        ..Trigger::new("enough", Volume::Everywhere)
    };
    world.add_trigger(trigger).expect("trigger");
    run(&mut world, 2.0);
    let emitted = world.emitters()[0].progress.emitted();
    assert!((10..=12).contains(&emitted), "{emitted}");
    assert_eq!(world.is_surface_on(belt), Some(false));
    let center = world.body_motion(body).expect("alive").center;
    assert!(center.y < 2.0, "it was let go: {center}");
    world.switch(Switch::Emitter(0), true).expect("emitter");
    run(&mut world, 1.0);
    let more = world.emitters()[0].progress.emitted() - emitted;
    assert!(
        (8..=11).contains(&more),
        "what it did not emit is not made up for: {more}"
    );
}

#[test]
fn a_saved_trigger_acts_as_it_would_have() {
    let (mut world, _, group) = world();
    column(&mut world, group, 8);
    let trap = Trigger {
        kill: true,
        ..Trigger::new("trap", below(0.2))
    };
    world.add_trigger(trap).expect("trigger");
    for frames in [25, 1, 1, 1, 7] {
        (0..frames).for_each(|_| world.step(DT));
        let mut restored = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("state");
        let mut other = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("state");
        for _ in 0..30 {
            restored.step(DT);
            other = World::restore(&other.save(), Box::new(CpuEngine::new())).expect("state");
            other.step(DT);
            assert_eq!(restored.digest(), other.digest());
            assert_eq!(restored.triggers(), other.triggers());
        }
    }
    run(&mut world, 2.0);
    assert_eq!(world.triggers()[0].removed(), 8);
}

#[test]
fn triggers_of_what_is_not_there_are_refused() {
    let (mut world, material, group) = world();
    let gone = add(
        &mut world,
        "gone",
        Plane::new(Vec3::Y, 0.0).expect("plane"),
        material,
        Vec3::ZERO,
    );
    world.remove_collider(gone).expect("collider");
    let with = |switches| Trigger {
        switches,
        ..Trigger::new("broken", Volume::Everywhere)
    };
    let refused = world.add_trigger(with(vec![(Switch::Surface(gone), true)]));
    assert_eq!(refused, Err(WorldError::Gone("collider")));
    let refused = world.add_trigger(with(vec![(Switch::Emitter(3), true)]));
    assert_eq!(refused, Err(WorldError::Gone("emitter")));
    let none = Trigger {
        count: 0,
        ..Trigger::new("broken", Volume::Everywhere)
    };
    assert!(matches!(world.add_trigger(none), Err(WorldError::Value { .. })));
    world.remove_group(group).expect("group");
    let of = Trigger {
        of: vec![group],
        ..Trigger::new("broken", Volume::Everywhere)
    };
    assert_eq!(world.add_trigger(of), Err(WorldError::Gone("group")));
}
