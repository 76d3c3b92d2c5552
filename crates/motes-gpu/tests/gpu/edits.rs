//! Edits and questions on the device: the same as on the CPU, and asked later the same as waited for.

use motes_core::colliders::Plane;
use motes_core::glam::Vec3;
use motes_core::{
    Centers, Change, Chosen, Collider, ColliderContacts, ColliderForces, CpuEngine, Engine, Everything, Group, GroupId,
    Material, Motions, NearestParticle, NewBody, OfGroup, ParticleContacts, ParticleId, ParticlesIn, Pose, Question,
    RayCast, Settings, Spring, Volume, World,
};
use motes_gpu::{Gpu, GpuEngine};

const DT: f32 = 1.0 / 60.0;

fn engines(gpu: &Gpu) -> [Box<dyn Engine>; 2] {
    [Box::new(CpuEngine::new()), on_gpu(gpu)]
}

fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

/// So many grains above a floor, too far from each other to touch unless they are packed.
fn grains(engine: Box<dyn Engine>, count: usize, spacing: f32) -> (World, GroupId, Vec<ParticleId>) {
    let mut world = World::with_engine(Settings::default(), engine).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let floor = Plane::new(Vec3::Y, 0.0).expect("plane").into();
    world
        .add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))
        .expect("floor");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    let side = (count as f32).cbrt().ceil() as usize;
    let place = |k: usize| Vec3::new((k % side) as f32, (k / side / side) as f32, (k / side % side) as f32);
    // The last first, so that sorting moves every one of them.
    let places: Vec<Vec3> = (0..count)
        .rev()
        .map(|k| spacing * place(k) + Vec3::new(0.0, 0.2, 0.0))
        .collect();
    let ids = world.add_particles(group, &places, Vec3::ZERO).expect("grains");
    (world, group, ids)
}

fn all_ids(world: &World) -> Vec<ParticleId> {
    let mut ids = world.particles().ids().to_vec();
    ids.sort_unstable();
    ids
}

#[test]
fn an_edit_reaches_exactly_its_particle_after_sorting_and_deaths() {
    let Some(gpu) = crate::gpu() else { return };
    // Two worlds that have gone through the same, with a hole that swallows grains.
    let mut worlds = [0, 1].map(|_| {
        let (mut world, _, ids) = grains(on_gpu(&gpu), 343, 0.101);
        world.kill_volumes_mut().push(Volume::Sphere {
            center: Vec3::ZERO,
            radius: 0.25,
        });
        (0..25).for_each(|_| world.step(DT));
        (world, ids)
    });
    let (edited, ids) = &mut worlds[0];
    let goal = Vec3::new(3.0, 3.0, 3.0);
    edited.set_positions(&[(ids[17], goal)]).expect("alive");
    edited.push_particles(&[(ids[200], Vec3::Z)]).expect("alive");
    assert_eq!(edited.remove_particles(&[ids[300]]), 1);
    let after = edited.query(Chosen(ids.clone()));
    let before = worlds[1].0.query(Chosen(worlds[1].1.clone()));
    let mut dead = 0;
    for (k, (before, after)) in before.iter().zip(&after).enumerate() {
        match k {
            17 => assert_eq!(after.expect("alive").position, goal),
            200 => {
                let (before, after) = (before.expect("alive"), after.expect("alive"));
                assert!(after.velocity.z > before.velocity.z && after.position == before.position);
            }
            300 => assert_eq!(*after, None),
            _ => assert_eq!(before, after, "particle {k}"),
        }
        dead += usize::from(before.is_none());
    }
    assert!(dead > 3, "the hole swallowed {dead}");
    // What came of it is the same when all particles are read, and in the next frame.
    let (edited, ids) = &mut worlds[0];
    assert_eq!(edited.particles().len(), edited.particle_count());
    assert_eq!(edited.positions(&ids[17..18]), [Some(goal)]);
    edited.step(DT);
    let place = edited.positions(&ids[17..18])[0].expect("alive");
    assert!(place.distance(goal) < 0.1, "{place}");
    assert_eq!(edited.positions(&ids[300..301]), [None]);
    assert_eq!(edited.particles().len(), edited.particle_count());
}

/// Ten frames of edits of every kind, for any number of particles.
fn ten_frames(world: &mut World, group: GroupId, ids: &[ParticleId]) {
    let count = ids.len();
    for frame in 0..10 {
        let above = Vec3::new(-1.0 - 0.2 * frame as f32, 0.5, -1.0);
        let new = world
            .add_particles(group, &[above, above + 0.3 * Vec3::Y], Vec3::X)
            .expect("two more");
        world.push_particles(&[(new[0], 0.1 * Vec3::Y)]).expect("alive");
        if frame % 3 == 2 {
            assert_eq!(world.remove_particles(&new[1..]), 1);
        }
        if count > 0 {
            let spring = Spring {
                target: Vec3::new(0.0, 2.0, 0.0),
                stiffness: 20.0,
                damping: 0.5,
            };
            world.pull_particle(ids[0], spring).expect("a spring");
        }
        if count > 100 {
            let own = &ids[7 * frame + 1..];
            world
                .edit(&[
                    (own[0], Change::Velocity(Vec3::new(0.2, 1.0, 0.0))),
                    (own[0], Change::Push(Vec3::new(0.0, 0.0, 0.05))),
                    (own[1], Change::InverseMass(0.0)),
                    (own[2], Change::Position(Vec3::new(-2.0, 1.0, 0.3 * frame as f32))),
                    (own[3], Change::Remove),
                ])
                .expect("alive");
        }
        world.step(DT);
    }
}

#[test]
fn ten_frames_of_edits_are_the_same_on_both_engines_for_none_one_and_many_particles() {
    let Some(gpu) = crate::gpu() else { return };
    for count in [0, 1, 200, 200_000] {
        let worlds = engines(&gpu).map(|engine| {
            let (mut world, group, ids) = grains(engine, count, 0.25);
            ten_frames(&mut world, group, &ids);
            assert_eq!((world.notice(), world.fault()), (None, None));
            world
        });
        let ids = all_ids(&worlds[0]);
        assert_eq!(ids, all_ids(&worlds[1]), "{count}");
        assert_eq!(worlds[0].particle_count(), worlds[1].particle_count());
        let [a, b] = worlds.each_ref().map(|world| world.positions(&ids));
        let apart = a
            .iter()
            .zip(&b)
            .map(|(a, b)| a.expect("alive").distance(b.expect("alive")));
        let apart = apart.fold(0.0, f32::max);
        assert!(apart < 2e-4, "{count} particles: {apart} m apart");
    }
}

#[test]
fn removing_those_who_have_died_unheard_costs_no_other_life() {
    let Some(gpu) = crate::gpu() else { return };
    let worlds = engines(&gpu).map(|engine| {
        let (mut world, _, ids) = grains(engine, 400, 0.25);
        world.kill_volumes_mut().push(Volume::Below {
            point: 0.6 * Vec3::Y,
            normal: Vec3::Y,
        });
        // The lowest first: they are dead by then, and on a device the host may not know.
        for few in ids.rchunks(20).take(12) {
            world.step(DT);
            world.remove_particles(few);
        }
        world.step(DT);
        world
    });
    let ids = all_ids(&worlds[0]);
    assert!(ids.len() > 50 && ids.len() < 300, "{}", ids.len());
    assert_eq!(all_ids(&worlds[1]), ids);
    assert_eq!(worlds[1].particle_count(), ids.len());
}

#[test]
fn edits_without_a_read_are_those_with_one() {
    let Some(gpu) = crate::gpu() else { return };
    let digest = |reads: bool| {
        let (mut world, group, ids) = grains(on_gpu(&gpu), 300, 0.101);
        for _ in 0..4 {
            ten_frames(&mut world, group, &ids[..99]);
            if reads {
                // Brings the host up to date, so that edits are made on either side.
                world.particles();
                world.push_particles(&[(ids[150], 0.1 * Vec3::Y)]).expect("alive");
                assert!(world.velocities(&ids[150..151])[0].is_some());
            } else {
                world.push_particles(&[(ids[150], 0.1 * Vec3::Y)]).expect("alive");
            }
        }
        world.step(DT);
        world.digest()
    };
    assert_eq!(digest(false), digest(true));
}

/// Asks, goes on for three frames, and compares with what was known when it was asked.
fn compare<Q>(world: &mut World, question: Q)
where
    Q: Question + Clone + std::fmt::Debug,
    Q::Answer: PartialEq + std::fmt::Debug,
{
    let pending = world.ask(question.clone());
    let now = world.query(question.clone());
    let again = world.ask(question.clone());
    (0..3).for_each(|_| world.step(DT));
    assert_eq!(world.wait_for(&pending).as_ref(), Some(&now), "{question:?}");
    assert_eq!(world.wait_for(&again).as_ref(), Some(&now), "{question:?}");
    assert_eq!(world.wait_for(&again), None, "an answer is given once");
}

#[test]
fn what_is_answered_later_is_what_was_so_when_it_was_asked() {
    let Some(gpu) = crate::gpu() else { return };
    for engine in engines(&gpu) {
        let (mut world, group, ids) = grains(engine, 512, 0.101);
        (0..20).for_each(|_| world.step(DT));
        let few: Vec<ParticleId> = ids.iter().copied().step_by(7).collect();
        world.remove_particles(&few[3..4]);
        world.push_particles(&[(few[0], Vec3::Y)]).expect("alive");
        compare(&mut world, Chosen(few));
        compare(&mut world, OfGroup(group));
        compare(&mut world, Centers(vec![group]));
        compare(&mut world, ColliderForces);
        compare(&mut world, ColliderContacts);
        compare(&mut world, ParticleContacts);
        compare(&mut world, RayCast::new(Vec3::new(0.4, 5.0, 0.4), Vec3::NEG_Y));
        let point = Vec3::new(0.33, 0.2, 0.41);
        compare(&mut world, NearestParticle { point, within: 0.5 });
        compare(
            &mut world,
            ParticlesIn(Volume::Sphere {
                center: point,
                radius: 0.3,
            }),
        );
        compare(&mut world, Everything);
        assert!(!world.query(ParticleContacts).is_empty() && !world.query(ColliderContacts).is_empty());
    }
}

#[test]
fn both_engines_answer_alike() {
    let Some(gpu) = crate::gpu() else { return };
    let [cpu, gpu] = engines(&gpu).map(|engine| {
        let (mut world, ..) = grains(engine, 512, 0.25);
        (0..3).for_each(|_| world.step(DT));
        world
    });
    let from = Vec3::new(0.6, 5.0, 0.55);
    for k in 0..20 {
        let to = Vec3::new(0.1 * k as f32, 0.0, 1.9 - 0.1 * k as f32);
        let ray = RayCast::new(from, to - from);
        let [a, b] = [&cpu, &gpu].map(|world| world.query(ray).expect("at least the floor"));
        assert_eq!(a.hit, b.hit);
        assert!((a.distance - b.distance).abs() < 1e-4);
        let nearest = NearestParticle { point: to, within: 9.0 };
        let [a, b] = [&cpu, &gpu].map(|world| world.query(nearest).expect("some"));
        assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-4);
    }
}

#[test]
fn an_answer_comes_by_itself_while_frames_go_on() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, _, ids) = grains(on_gpu(&gpu), 100, 0.3);
    world.step(DT);
    let pending: Vec<_> = (0..12)
        .map(|_| {
            let pending = world.ask(Chosen(ids[..10].to_vec()));
            world.step(DT);
            pending
        })
        .collect();
    // The first was asked so long ago that a frame has waited for it.
    assert!(pending[0].take().is_some_and(|states| states.len() == 10));
    world.wait();
    world.deliver();
    assert!(pending[1..].iter().all(|pending| pending.take().is_some()));
}

#[test]
fn a_state_saved_between_edits_goes_on_on_either_engine() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, group, ids) = grains(on_gpu(&gpu), 300, 0.25);
    ten_frames(&mut world, group, &ids);
    world
        .add_particles(group, &[Vec3::new(-3.0, 1.0, 0.0)], Vec3::ZERO)
        .expect("one more");
    world
        .set_positions(&[(ids[200], Vec3::new(-4.0, 1.0, 0.0))])
        .expect("alive");
    world.remove_particles(&ids[201..205]);
    world
        .pull_particle(ids[0], Spring::critical(Vec3::Y, 0.1, 0.1))
        .expect("a spring");
    let saved = world.save();
    let mut worlds = vec![world];
    worlds.extend(engines(&gpu).map(|engine| World::restore(&saved, engine).expect("a state")));
    for world in &mut worlds {
        (0..3).for_each(|_| world.step(DT));
    }
    let ids = all_ids(&worlds[0]);
    let places = worlds[0].positions(&ids);
    for world in &worlds[1..] {
        assert_eq!(all_ids(world), ids);
        let apart = places.iter().zip(world.positions(&ids));
        let apart = apart.map(|(a, b)| a.expect("alive").distance(b.expect("alive")));
        assert!(apart.fold(0.0, f32::max) < 1e-4);
    }
}

#[test]
fn bodies_come_and_go_and_are_asked_about_while_frames_go_on() {
    let Some(gpu) = crate::gpu() else { return };
    let [mut cpu, mut gpu] = engines(&gpu).map(|engine| grains(engine, 200, 0.25).0);
    let mut motions = Vec::new();
    for world in [&mut cpu, &mut gpu] {
        let sand = world.groups().next().expect("a group").1.material;
        world.step(DT);
        let cube = |x: f32| NewBody {
            pose: Pose::at(Vec3::new(x, 1.0, -2.0)),
            angular_velocity: Vec3::new(0.0, 0.0, 2.0),
            ..NewBody::new("cube", sand, (0..27).map(corner).collect(), vec![0.1; 27])
        };
        let bodies = [0.0, 1.0, 2.0].map(|x| {
            let body = world.add_body(cube(x)).expect("a body");
            world.step(DT);
            body
        });
        world.remove_body(bodies[1]).expect("there");
        (0..4).for_each(|_| world.step(DT));
        let asked = world.ask(Motions(bodies.to_vec()));
        let waited: Vec<_> = bodies.iter().map(|&body| world.body_motion(body)).collect();
        world.step(DT);
        let found = world.wait_for(&asked).expect("an answer");
        assert_eq!(found, waited);
        motions.push(found);
        assert_eq!(world.fault(), None);
    }
    assert!(motions[0][1].is_none() && motions[1][1].is_none());
    for k in [0, 2] {
        let [a, b] = [0, 1].map(|engine| motions[engine][k].expect("there"));
        assert!(a.center.distance(b.center) < 1e-4 && a.velocity.distance(b.velocity) < 1e-2);
    }
}

fn corner(k: usize) -> Vec3 {
    0.1 * Vec3::new((k % 3) as f32, (k / 9) as f32, (k / 3 % 3) as f32)
}

#[test]
fn adding_in_every_frame_seldom_moves_particles_to_new_memory() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, group, _) = grains(on_gpu(&gpu), 2000, 0.12);
    let memory = |world: &mut World| {
        let engine = world.engine_as::<GpuEngine>().expect("the engine it was made with");
        engine.position_buffer().generation()
    };
    world.step(DT);
    let before = memory(&mut world);
    for frame in 0..60 {
        let place = |k: usize| Vec3::new(0.12 * k as f32, 4.0 + 0.02 * frame as f32, 0.12 * (frame % 20) as f32);
        let places: Vec<Vec3> = (0..20).map(place).collect();
        world.add_particles(group, &places, Vec3::ZERO).expect("finite");
        world.step(DT);
    }
    assert_eq!(world.particle_count(), 3200);
    let moves = memory(&mut world) - before;
    assert!((1..=2).contains(&moves), "{moves} times");
}
