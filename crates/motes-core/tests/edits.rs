//! Edits by id and questions, on the CPU. What holds on either engine is tried in motes-gpu.

use motes_core::colliders::{Cuboid, Plane, Sphere};
use motes_core::glam::{Quat, Vec3};
use motes_core::{
    Centers, Change, Chosen, Collider, CpuEngine, Everything, Group, GroupId, Hit, Material, NearestParticle,
    NewDistance, OfGroup, ParticleId, ParticlesIn, Pose, RayCast, Settings, Spring, Volume, World, WorldError,
};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;

fn world(threads: usize) -> (World, GroupId) {
    let settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let floor = Plane::new(Vec3::Y, 0.0).expect("plane").into();
    world
        .add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))
        .expect("floor");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    (world, group)
}

/// A block of grains that falls and comes to lie in another order than it was added in.
fn block(side: usize) -> Vec<Vec3> {
    let place = |k: usize| Vec3::new((k % side) as f32, (k / (side * side)) as f32, (k / side % side) as f32);
    (0..side * side * side)
        .map(|k| 0.101 * place(side * side * side - 1 - k) + Vec3::new(0.0, 0.3, 0.0))
        .collect()
}

fn fallen(threads: usize) -> (World, GroupId, Vec<ParticleId>) {
    let (mut world, group) = world(threads);
    let ids = world.add_particles(group, &block(6), Vec3::ZERO).expect("block");
    (0..20).for_each(|_| world.step(DT));
    (world, group, ids)
}

#[test]
fn a_world_can_be_sent_and_shared() {
    fn sent_and_shared<T: Send + Sync>() {}
    sent_and_shared::<World>();
}

#[test]
fn an_edit_reaches_exactly_its_particle_after_sorting_and_deaths() {
    let (mut world, _, ids) = fallen(2);
    assert_eq!(world.remove_particles(&ids[10..50]), 40);
    world.step(DT);
    let before = world.query(Chosen(ids.clone()));
    let goal = Vec3::new(5.0, 5.0, 5.0);
    world.set_positions(&[(ids[100], goal)]).expect("alive");
    world.push_particles(&[(ids[101], Vec3::X)]).expect("alive");
    let after = world.query(Chosen(ids.clone()));
    for (k, (before, after)) in before.iter().zip(&after).enumerate() {
        match k {
            10..50 => assert_eq!((before, after), (&None, &None)),
            100 => assert_eq!(after.expect("alive").position, goal),
            101 => {
                let (before, after) = (before.expect("alive"), after.expect("alive"));
                let gain = after.velocity - before.velocity;
                assert!((gain - before.inverse_mass * Vec3::X).length() < 1e-3 * gain.length());
            }
            _ => assert_eq!(before, after, "particle {k}"),
        }
    }
}

#[test]
fn edits_of_the_dead_and_bad_values_change_nothing_and_removals_pass_over_the_dead() {
    let (mut world, _, ids) = fallen(1);
    assert_eq!(world.remove_particles(&[ids[0], ids[0], ids[1]]), 2);
    assert_eq!(world.remove_particles(&[ids[0]]), 0);
    let digest = world.digest();
    let gone = world.set_velocities(&[(ids[2], Vec3::X), (ids[0], Vec3::X)]);
    assert_eq!(gone, Err(WorldError::Gone("particle")));
    let bad = world.edit(&[(ids[2], Change::Push(Vec3::Y)), (ids[3], Change::InverseMass(-1.0))]);
    assert!(matches!(bad, Err(WorldError::Value { .. })), "{bad:?}");
    assert!(world.push_particles(&[(ids[2], Vec3::NAN)]).is_err());
    let limp = Spring {
        target: Vec3::NAN,
        stiffness: 1.0,
        damping: 0.0,
    };
    assert!(world.pull_particle(ids[2], limp).is_err());
    assert_eq!(world.digest(), digest);
}

#[test]
fn a_grain_that_is_dragged_arrives_and_its_neighbours_stay() {
    let (mut world, _, ids) = fallen(2);
    let mass = 1.0 / world.inverse_masses(&ids[..1])[0].expect("alive");
    let goal = Vec3::new(0.3, 2.0, 0.3);
    for _ in 0..60 {
        world
            .pull_particle(ids[0], Spring::critical(goal, mass, 0.1))
            .expect("a spring");
        world.step(DT);
    }
    let places = world.positions(&ids);
    let place = places[0].expect("alive");
    assert!(place.distance(goal) < 0.05, "{place}");
    assert!(places[1..].iter().flatten().all(|place| place.y < 1.0));
    // A spring pulls for a frame only.
    (0..60).for_each(|_| world.step(DT));
    assert!(world.positions(&ids[..1])[0].expect("alive").y < 1.0);
}

/// A cord hangs on a spring: its weight stretches the spring by what its stiffness says, whatever the step.
#[test]
fn a_spring_carries_all_that_hangs_on_a_particle() {
    const LENGTH: usize = 20;
    const SAG: f32 = 0.2;
    for (substeps, iterations) in [(2, 4), (4, 4), (8, 8)] {
        let (mut world, group) = world(1);
        let settings = Settings {
            substeps,
            iterations,
            ..world.settings().clone()
        };
        world.set_settings(settings).expect("settings");
        let top = Vec3::new(0.0, 5.0, 0.0);
        let places: Vec<Vec3> = (0..LENGTH).map(|k| top - 0.12 * k as f32 * Vec3::Y).collect();
        let ids = world.add_particles(group, &places, Vec3::ZERO).expect("particles");
        let rows = ids.windows(2).map(|ends| NewDistance::new([ends[0], ends[1]], 0.12));
        world.add_distances(&rows.collect::<Vec<_>>()).expect("rows");
        let weight = 9.81 * LENGTH as f32 / world.inverse_masses(&ids[..1])[0].expect("alive");
        // Two of half the strength are one.
        let half = Spring {
            target: top,
            stiffness: 0.5 * weight / SAG,
            damping: 0.1 * weight / SAG,
        };
        for _ in 0..600 {
            for _ in 0..2 {
                world.pull_particle(ids[0], half).expect("a spring");
            }
            world.step(DT);
        }
        let sag = top.y - world.positions(&ids[..1])[0].expect("alive").y;
        assert!((sag / SAG - 1.0).abs() < 0.01, "{substeps} × {iterations}: {sag} m");
    }
}

/// Twelve frames with edits of every kind.
fn edited(mut world: World, group: GroupId, ids: &[ParticleId]) -> World {
    for frame in 0..12 {
        let k = 7 * frame;
        let spring = Spring::critical(Vec3::new(0.5, 1.5, 0.5), 0.1, 0.1);
        world.pull_particle(ids[0], spring).expect("a spring");
        world
            .edit(&[
                (ids[k + 1], Change::Velocity(Vec3::new(0.0, 2.0, 0.0))),
                (ids[k + 1], Change::Push(Vec3::new(0.1, 0.0, 0.0))),
                (ids[k + 2], Change::InverseMass(0.0)),
            ])
            .expect("alive");
        world.remove_particles(&[ids[k + 3]]);
        let above = Vec3::new(0.3, 1.0 + 0.2 * frame as f32, 0.3);
        world.add_particles(group, &[above], Vec3::ZERO).expect("one more");
        world.step(DT);
    }
    world
}

#[test]
fn edits_give_the_same_bytes_on_any_number_of_threads() {
    let digest = |threads| {
        let (world, group, ids) = fallen(threads);
        edited(world, group, &ids).digest()
    };
    let one = digest(1);
    assert_eq!([digest(2), digest(4)], [one; 2]);
}

#[test]
fn a_world_saved_between_edits_goes_on_byte_for_byte() {
    let (world, group, ids) = fallen(2);
    let mut world = edited(world, group, &ids);
    world
        .pull_particle(ids[0], Spring::critical(Vec3::splat(2.0), 0.1, 0.1))
        .expect("a spring");
    world.push_particles(&[(ids[150], Vec3::Y)]).expect("alive");
    let mut restored = World::restore(&world.save(), Box::new(CpuEngine::with_threads(1))).expect("a state");
    for world in [&mut world, &mut restored] {
        (0..5).for_each(|_| world.step(DT));
    }
    assert_eq!(world.digest(), restored.digest());
}

#[test]
fn a_group_is_changed_as_a_whole_and_no_other_group_is() {
    let (mut world, group, ids) = fallen(1);
    let glass = world.add_material(Material::GLASS).expect("material");
    let other = world.add_group(Group::grains("others", glass)).expect("group");
    world
        .add_particles(other, &[Vec3::splat(4.0)], Vec3::ZERO)
        .expect("one");
    world.set_group_channels(group, 0b10).expect("group");
    world.set_group_material(group, glass).expect("group");
    let members = world.query(OfGroup(group));
    assert_eq!(members.len(), ids.len());
    assert!(
        members
            .iter()
            .all(|(_, state)| state.phase.channels() == 0b10 && state.material == glass)
    );
    let others = world.query(OfGroup(other));
    assert!(others.len() == 1 && others[0].1.phase.channels() == 0xff);
}

#[test]
fn nearest_and_inside_and_centers_are_what_a_look_at_all_particles_finds() {
    let (world, group, _) = fallen(2);
    let point = Vec3::new(0.21, 0.17, 0.33);
    let everything = world.query(Everything);
    let distance = |slot: usize| everything.positions[slot].truncate().distance(point);
    let nearest = (0..everything.len())
        .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
        .expect("some");
    let found = world.query(NearestParticle { point, within: 1.0 }).expect("one");
    assert_eq!(found, (everything.ids()[nearest], distance(nearest)));
    assert_eq!(world.query(NearestParticle { point, within: 0.0 }), None);
    let ball = Volume::Sphere {
        center: point,
        radius: 0.2,
    };
    let inside = world.query(ParticlesIn(ball));
    let expected = (0..everything.len()).filter(|&slot| distance(slot) <= 0.2).count();
    assert!(expected > 5 && inside.len() == expected && inside.is_sorted());
    let centers = world.query(Centers(vec![group]));
    let mean = everything
        .positions
        .iter()
        .map(|position| position.truncate())
        .sum::<Vec3>()
        / everything.len() as f32;
    assert!(centers[0].0 == group && centers[0].1.distance(mean) < 1e-4);
}

#[test]
fn a_ray_meets_the_first_of_balls_and_colliders() {
    let (mut world, group) = world(1);
    let sand = world.groups().next().expect("a group").1.material;
    let turned = Pose {
        position: Vec3::new(3.0, 1.0, 0.0),
        rotation: Quat::from_rotation_y(0.5),
    };
    let cube = Cuboid::new(Vec3::splat(0.5)).expect("box").into();
    let cube = world
        .add_collider(Collider::new("cube", cube, sand, turned))
        .expect("cube");
    let ball = Sphere::new(0.5).expect("ball").into();
    let trigger = Collider::new("trigger", ball, sand, Pose::at(Vec3::Y)).as_trigger();
    let trigger = world.add_collider(trigger).expect("trigger");
    let ids = world
        .add_particles(group, &[Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0)], Vec3::ZERO)
        .expect("two");
    let ray = RayCast::new(Vec3::new(-2.0, 1.0, 0.0), 3.0 * Vec3::X);
    let hit = world.query(ray).expect("a hit");
    assert_eq!(hit.hit, Hit::Particle(ids[0]));
    assert!((hit.distance - 2.95).abs() < 1e-5);
    let beside = RayCast::new(Vec3::new(-2.0, 1.0, 0.06), Vec3::X);
    let hit = world.query(beside).expect("a hit");
    assert_eq!(hit.hit, Hit::Collider(cube));
    // The near face of the cube, turned by half a radian.
    let expected = 3.0 - (0.5 - 0.06 * 0.5f32.sin()) / 0.5f32.cos();
    assert!((hit.point.x - expected).abs() < 1e-3, "{} and {expected}", hit.point.x);
    assert_eq!(world.query(RayCast { reach: 1.0, ..ray }), None);
    assert_eq!(
        world.query(RayCast {
            direction: Vec3::ZERO,
            ..ray
        }),
        None
    );
    let near = world.colliders_touching(Vec3::new(0.0, 0.45, 0.0), 0.1);
    assert_eq!(near, [trigger]);
}

#[test]
fn rewriting_all_particles_refuses_arrays_of_different_lengths() {
    let (mut world, _, ids) = fallen(1);
    let digest = world.digest();
    let uneven = world.rewrite_particles(|particles| particles.velocities.truncate(3));
    assert!(uneven.is_err() && world.digest() == digest);
    world
        .rewrite_particles(|particles| particles.velocities.iter_mut().for_each(|velocity| velocity.y = 1.0))
        .expect("even");
    assert_eq!(world.velocities(&ids[..1])[0].expect("alive").y, 1.0);
}
