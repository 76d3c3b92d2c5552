//! Bodies on both engines: the same worlds, particle by particle.

use motes_core::colliders::Plane;
use motes_core::glam::{Quat, Vec3};
use motes_core::random::Random;
use motes_core::{
    BodyId, Clusters, Collider, CpuEngine, Engine, Group, Material, NewBody, Plasticity, Pose, Settings, Shape, Volume,
    World,
};
use motes_gpu::{Gpu, GpuEngine};

use crate::block::RADIUS;
pub(crate) use crate::block::block;
use crate::moments::{ROUNDINGS, nudge};

pub(crate) const DT: f32 = 1.0 / 60.0;

pub(crate) fn engines(gpu: &Gpu) -> [Box<dyn Engine>; 2] {
    [Box::new(CpuEngine::new()), on_gpu(gpu)]
}

pub(crate) fn on_gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

/// A world with a floor, or without one and without gravity.
pub(crate) fn world(engine: Box<dyn Engine>, floor: bool, mut settings: Settings) -> World {
    settings.particle_radius = RADIUS;
    if !floor {
        settings.gravity = Vec3::ZERO;
    }
    let mut world = World::with_engine(settings, engine).expect("settings");
    let stone = world.add_material(Material::default()).expect("material");
    if floor {
        let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
        world
            .add_collider(Collider::new("floor", plane, stone, Pose::IDENTITY))
            .expect("floor");
    }
    world
}

pub(crate) fn tilted(position: Vec3) -> Pose {
    Pose {
        position,
        rotation: Quat::from_euler(motes_core::glam::EulerRot::XYZ, 0.3, 0.2, 0.5),
    }
}

fn pour(world: &mut World, side: usize, height: f32) {
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    let positions: Vec<Vec3> = (0..side * side * 3)
        .map(|i| {
            let (x, y, z) = (i % side, i / side / side, i / side % side);
            let shift = 0.011 * (y % 2) as f32;
            0.102
                * Vec3::new(
                    x as f32 - 0.5 * side as f32 + shift,
                    y as f32,
                    z as f32 - 0.5 * side as f32 + shift,
                )
                + Vec3::Y * height
        })
        .collect();
    world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
}

/// A scene, built and driven the same way on both engines.
pub(crate) struct Scene {
    pub(crate) build: fn(Box<dyn Engine>) -> (World, Vec<BodyId>),
    pub(crate) drive: fn(usize, &mut World, &[BodyId]),
    /// Largest distances between particles of bodies after 1, 10 and 60 frames, metres, unless rounding alone does as much.
    pub(crate) bounds: [f32; 3],
}

pub(crate) fn nothing(_: usize, _: &mut World, _: &[BodyId]) {}

/// Places of the particles of bodies.
pub(crate) fn places(world: &mut World, bodies: &[BodyId]) -> Vec<Vec3> {
    let places = bodies
        .iter()
        .flat_map(|&body| world.body_positions(body).expect("alive"));
    places.map(|place| place.unwrap_or(Vec3::ZERO)).collect()
}

pub(crate) fn compare(name: &str, scene: &Scene) {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(scene.build);
    for frame in 1..=60 {
        for (world, bodies) in &mut worlds {
            (scene.drive)(frame, world, bodies);
            world.step(DT);
        }
        let Some(check) = [1, 10, 60].iter().position(|&checked| checked == frame) else {
            continue;
        };
        let [a, b] = worlds.each_mut().map(|(world, bodies)| {
            world.health().expect("finite");
            places(world, bodies)
        });
        let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let motions = worlds
            .each_mut()
            .map(|(world, bodies)| world.body_motion(bodies[0]).expect("alive"));
        let turned = motions[0].pose.rotation.angle_between(motions[1].pose.rotation);
        println!("{name}, frame {frame}: largest {most:.1e} m, turned {turned:.1e}");
        let bound = scene.bounds[check];
        if most > bound {
            let rounding = rounding(|disturb| {
                let (mut world, bodies) = (scene.build)(Box::new(CpuEngine::new()));
                for frame in 1..=frame {
                    disturb(&mut world);
                    (scene.drive)(frame, &mut world, &bodies);
                    world.step(DT);
                }
                places(&mut world, &bodies)
            });
            assert!(
                most <= 4.0 * rounding,
                "{name}, frame {frame}: {most} m, expected {bound}, or four times the {rounding} by rounding"
            );
        }
    }
}

/// How far particles get from where they were if every coordinate is rounded up or down before each frame, on the CPU engine:
/// two engines cannot be told from each other any closer. `run` gives their places, and disturbs the world before each frame.
pub(crate) fn rounding(run: impl Fn(&mut dyn FnMut(&mut World)) -> Vec<Vec3>) -> f32 {
    let undisturbed = run(&mut |_| {});
    let drift = (0..ROUNDINGS).map(|seed| {
        let mut random = Random::new(seed, 0);
        let disturbed = run(&mut |world| nudge(world, &mut random));
        let apart = undisturbed.iter().zip(&disturbed).map(|(a, b)| a.distance(*b));
        apart.fold(0.0, f32::max)
    });
    drift.fold(0.0, f32::max)
}

/// The same world twice, and once more by way of a save in its middle.
pub(crate) fn repeat(build: fn(Box<dyn Engine>) -> (World, Vec<BodyId>), drive: fn(usize, &mut World, &[BodyId])) {
    let Some(gpu) = crate::gpu() else { return };
    let run = |restored: bool| {
        let (mut world, bodies) = build(on_gpu(&gpu));
        for frame in 1..=30 {
            if restored && frame == 15 {
                let saved = world.save();
                world = World::restore(&saved, on_gpu(&gpu)).expect("a state");
            }
            drive(frame, &mut world, &bodies);
            world.step(DT);
        }
        let rotations: Vec<Quat> = world.bodies().list.iter().map(|body| body.rotation).collect();
        (world.digest(), rotations)
    };
    let once = run(false);
    assert_eq!(once, run(false), "again");
    assert_eq!(once, run(true), "restored");
}

pub(crate) fn spinning(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, false, Settings::default());
    let bodies = [[4, 4, 4], [6, 2, 1], [8, 1, 1]]
        .into_iter()
        .enumerate()
        .map(|(k, counts)| {
            let new = block(&mut world, counts, tilted(Vec3::X * 3.0 * k as f32));
            let new = NewBody {
                velocity: Vec3::new(0.1, 0.2, 0.0),
                angular_velocity: Vec3::new(2.0, 6.0, -3.0),
                ..new
            };
            world.add_body(new).expect("body")
        });
    let bodies = bodies.collect();
    (world, bodies)
}

pub(crate) fn stack(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, true, Settings::default());
    let bodies = (0..4).map(|k| {
        let pose = Pose::at(Vec3::new(0.01 * k as f32, 0.15 + 0.302 * k as f32, 0.0));
        let new = block(&mut world, [3, 3, 3], pose);
        world.add_body(new).expect("body")
    });
    let bodies = bodies.collect();
    (world, bodies)
}

/// Two stacks side by side, each with its own mass scaling, and a block on both.
pub(crate) fn scaled_stacks(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let settings = Settings {
        iterations: 2,
        ..Settings::default()
    };
    let mut world = world(engine, true, settings);
    let mut bodies = Vec::new();
    for (x, mass_scaling) in [(0.0, Some(2.0)), (0.32, Some(0.0))] {
        for k in 0..4 {
            let pose = Pose::at(Vec3::new(x, 0.15 + 0.302 * k as f32, 0.0));
            let new = block(&mut world, [3, 3, 3], pose);
            bodies.push(world.add_body(NewBody { mass_scaling, ..new }).expect("body"));
        }
    }
    let roof = block(&mut world, [6, 2, 3], Pose::at(Vec3::new(0.16, 1.33, 0.0)));
    bodies.push(world.add_body(roof).expect("body"));
    (world, bodies)
}

/// More members than a small workgroup would like, and one that is next to nothing.
pub(crate) fn large(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, true, Settings::default());
    let new = block(&mut world, [7, 7, 7], tilted(Vec3::Y * 0.7));
    let large = world.add_body(new).expect("body");
    let new = block(&mut world, [1, 1, 1], Pose::at(Vec3::new(0.02, 1.4, 0.01)));
    let single = world.add_body(new).expect("body");
    (world, vec![large, single])
}

pub(crate) fn on_grains(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let settings = Settings {
        stabilization_iterations: 2,
        mass_scaling: 0.2,
        sleep_speed: 0.005,
        ..Settings::default()
    };
    let mut world = world(engine, true, settings);
    pour(&mut world, 8, 0.05);
    let new = block(&mut world, [4, 3, 4], tilted(Vec3::Y * 0.8));
    let body = world.add_body(new).expect("body");
    (world, vec![body])
}

/// A rigid, a soft, a linked and a plastic block that have just come down on grains.
pub(crate) fn all_kinds_on_grains(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, true, Settings::default());
    pour(&mut world, 14, 0.05);
    let place = |k: usize| tilted(Vec3::new(0.6 * (k % 2) as f32 - 0.3, 0.62, 0.6 * (k / 2) as f32 - 0.3));
    let mut news = [0, 1, 2, 3].map(|k| block(&mut world, [3, 3, 3], place(k)));
    news[1].stiffness = 0.5;
    news[2].stiffness = 0.1;
    let near = |a: usize, b: usize| news[2].positions[a].distance(news[2].positions[b]) < 3.2 * RADIUS;
    let pairs = (0..27).flat_map(|a| (a + 1..27).map(move |b| (a, b)));
    let pairs: Vec<[u32; 2]> = pairs
        .filter(|&(a, b)| near(a, b))
        .map(|(a, b)| [a as u32, b as u32])
        .collect();
    news[2].links.pairs = pairs;
    news[2].links.compliance = 1e-6;
    news[3].plasticity = Some(Plasticity {
        threshold: 0.002,
        creep: 0.8,
        limit: RADIUS,
    });
    let bodies = news.map(|new| {
        let falling = NewBody {
            velocity: 2.0 * Vec3::NEG_Y,
            ..new
        };
        world.add_body(falling).expect("body")
    });
    (world, bodies.to_vec())
}

pub(crate) fn soft(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, true, Settings::default());
    let mut new = block(&mut world, [4, 6, 4], tilted(Vec3::Y * 0.6));
    new.stiffness = 0.7;
    let part = |member: &u32| member / 4 % 6;
    let low: Vec<u32> = (0..96).filter(|member| part(member) < 4).collect();
    let high: Vec<u32> = (0..96).filter(|member| part(member) >= 2).collect();
    new.clusters = Clusters {
        starts: vec![0, low.len() as u32, (low.len() + high.len()) as u32],
        members: low.into_iter().chain(high).collect(),
        whole_stiffness: 0.1,
    };
    let body = world.add_body(new).expect("body");
    let mut stiff = block(&mut world, [3, 3, 3], tilted(Vec3::new(1.0, 0.5, 0.0)));
    stiff.stiffness = 0.8;
    let stiff = world.add_body(stiff).expect("body");
    (world, vec![body, stiff])
}

/// A net of links on its own, and a soft body with links besides.
pub(crate) fn linked(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, true, Settings::default());
    let mut bodies = Vec::new();
    for (height, stiffness, compliance) in [(0.4, 0.0, 1e-6), (1.2, 0.2, 0.0)] {
        let mut net = block(&mut world, [5, 4, 4], tilted(Vec3::new(0.0, height, 0.0)));
        net.stiffness = stiffness;
        net.links.compliance = compliance;
        for a in 0..net.positions.len() {
            let near = |&b: &usize| net.positions[a].distance(net.positions[b]) < 3.2 * RADIUS;
            let others = (a + 1..net.positions.len()).filter(near);
            net.links.pairs.extend(others.map(|b| [a as u32, b as u32]));
        }
        bodies.push(world.add_body(net).expect("net"));
    }
    (world, bodies)
}

pub(crate) fn plastic(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, true, Settings::default());
    let mut new = block(&mut world, [4, 4, 4], tilted(Vec3::Y * 0.5));
    new.plasticity = Some(Plasticity {
        threshold: 0.002,
        creep: 0.8,
        limit: RADIUS,
    });
    new.velocity = Vec3::NEG_Y * 3.0;
    let body = world.add_body(new).expect("body");
    (world, vec![body])
}

/// A body in two clusters and one that flows, each of several chunks.
pub(crate) fn large_soft(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, true, Settings::default());
    let mut new = block(&mut world, [7, 7, 8], tilted(Vec3::Y * 0.7));
    new.stiffness = 0.6;
    let low: Vec<u32> = (0..260).collect();
    let high: Vec<u32> = (150..392).collect();
    new.clusters = Clusters {
        starts: vec![0, low.len() as u32, (low.len() + high.len()) as u32],
        members: low.into_iter().chain(high).collect(),
        whole_stiffness: 0.2,
    };
    let soft = world.add_body(new).expect("body");
    let mut new = block(&mut world, [7, 6, 7], tilted(Vec3::new(1.2, 0.7, 0.0)));
    new.plasticity = Some(Plasticity {
        threshold: 0.002,
        creep: 0.8,
        limit: RADIUS,
    });
    new.velocity = Vec3::NEG_Y * 3.0;
    let plastic = world.add_body(new).expect("body");
    (world, vec![soft, plastic])
}

pub(crate) fn pusher(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(engine, true, Settings::default());
    let new = block(&mut world, [3, 3, 3], Pose::at(Vec3::new(0.5, 0.15, 0.0)));
    let pushed = world.add_body(new).expect("body");
    let new = NewBody {
        kinematic: true,
        ..block(&mut world, [2, 3, 4], Pose::at(Vec3::new(0.0, 0.2, 0.0)))
    };
    let pusher = world.add_body(new).expect("body");
    (world, vec![pushed, pusher])
}

pub(crate) fn push(frame: usize, world: &mut World, bodies: &[BodyId]) {
    let along = 0.01 * frame as f32;
    let pose = Pose {
        position: Vec3::new(along, 0.2, 0.0),
        rotation: Quat::from_rotation_x(along),
    };
    world.move_body(bodies[1], pose).expect("kinematic");
}

pub(crate) fn twist(frame: usize, world: &mut World, bodies: &[BodyId]) {
    if !frame.is_multiple_of(3) {
        world.twist_body(bodies[0], Vec3::new(3.0, 1.0, 0.0)).expect("alive");
    }
    if frame < 20 {
        let center = world.body_motion(bodies[1]).expect("alive").center;
        let force = Vec3::new(0.0, 20.0, 5.0);
        world
            .push_body(bodies[1], force, center + 0.1 * Vec3::X)
            .expect("alive");
    }
}

#[test]
fn spinning_bodies_agree() {
    let bounds = [1e-6, 2e-5, 5e-4];
    compare(
        "spinning",
        &Scene {
            build: spinning,
            drive: nothing,
            bounds,
        },
    );
}

#[test]
fn a_free_body_keeps_its_spin() {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, bodies) = spinning(on_gpu(&gpu));
    let spin = |world: &mut World| {
        let motion = world.body_motion(bodies[0]).expect("alive");
        motion.inertia * motion.angular_velocity
    };
    let before = spin(&mut world);
    for _ in 0..120 {
        world.step(DT);
    }
    let after = spin(&mut world);
    assert!(after.distance(before) < 2e-3 * before.length(), "{before} {after}");
}

#[test]
fn stacks_agree() {
    let bounds = [1e-6, 1e-5, 1e-4];
    compare(
        "stack",
        &Scene {
            build: stack,
            drive: nothing,
            bounds,
        },
    );
}

#[test]
fn stacks_with_mass_scaling_of_their_own_agree() {
    compare(
        "scaled stacks",
        &Scene {
            build: scaled_stacks,
            drive: nothing,
            bounds: [1e-5, 1e-3, 1e-2],
        },
    );
}

#[test]
fn large_and_single_bodies_agree() {
    let bounds = [2e-6, 1e-4, 0.02];
    compare(
        "large",
        &Scene {
            build: large,
            drive: nothing,
            bounds,
        },
    );
}

#[test]
fn bodies_on_grains_agree() {
    // The body touches grains from frame 20 on. The CPU engine drifts from itself by 0.4 µm and 0.2 mm after 10 and 60 frames if
    // every number is rounded up or down in every frame.
    let bounds = [1e-6, 2e-5, 5e-3];
    compare(
        "grains",
        &Scene {
            build: on_grains,
            drive: nothing,
            bounds,
        },
    );
}

#[test]
fn soft_bodies_agree() {
    let bounds = [1e-6, 5e-5, 1e-3];
    compare(
        "soft",
        &Scene {
            build: soft,
            drive: nothing,
            bounds,
        },
    );
}

#[test]
fn linked_bodies_agree() {
    compare(
        "linked",
        &Scene {
            build: linked,
            drive: nothing,
            bounds: [1e-6, 5e-5, 1e-3],
        },
    );
}

#[test]
fn plastic_bodies_agree() {
    let bounds = [1e-6, 2e-5, 1e-3];
    compare(
        "plastic",
        &Scene {
            build: plastic,
            drive: nothing,
            bounds,
        },
    );
}

#[test]
fn kinematic_bodies_agree() {
    let bounds = [1e-6, 1e-5, 1e-4];
    compare(
        "kinematic",
        &Scene {
            build: pusher,
            drive: push,
            bounds,
        },
    );
}

#[test]
fn pushes_agree() {
    let bounds = [1e-6, 2e-5, 1e-3];
    compare(
        "pushes",
        &Scene {
            build: spinning,
            drive: twist,
            bounds,
        },
    );
}

#[test]
fn worlds_with_bodies_repeat_to_the_last_bit() {
    repeat(on_grains, nothing);
    repeat(soft, nothing);
    repeat(plastic, nothing);
    repeat(large_soft, nothing);
    repeat(pusher, push);
}

#[test]
fn a_world_saved_on_one_engine_goes_on_on_the_other() {
    let Some(gpu) = crate::gpu() else { return };
    for build in [stack, soft, plastic] {
        let (mut world, bodies) = build(Box::new(CpuEngine::new()));
        (0..20).for_each(|_| world.step(DT));
        let saved = world.save();
        let mut worlds = engines(&gpu).map(|engine| World::restore(&saved, engine).expect("a state"));
        for world in &mut worlds {
            (0..5).for_each(|_| world.step(DT));
        }
        let [on_cpu, on_gpu] = &mut worlds;
        let (a, b) = (places(on_cpu, &bodies), places(on_gpu, &bodies));
        let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(most < 1e-3, "{most}");
        let back = on_gpu.save();
        let mut back = World::restore(&back, Box::new(CpuEngine::new())).expect("a state");
        for world in [on_cpu, &mut back] {
            world.step(DT);
        }
        assert_eq!(back.bodies().len(), bodies.len());
    }
}

#[test]
fn members_that_die_are_missed_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(|engine| {
        let (mut world, bodies) = stack(engine);
        for _ in 0..5 {
            world.step(DT);
        }
        *world.kill_volumes_mut() = vec![Volume::Sphere {
            center: Vec3::new(0.15, 0.15, 0.15),
            radius: 0.12,
        }];
        for _ in 0..5 {
            world.step(DT);
        }
        (world, bodies)
    });
    let [a, b] = worlds.each_mut().map(|(world, bodies)| {
        let alive = world.body_positions(bodies[0]).expect("alive");
        assert!(alive.iter().any(Option::is_none) && alive.iter().any(Option::is_some));
        places(world, bodies)
    });
    let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(most < 1e-4, "{most}");
}

#[test]
fn bodies_that_come_and_go_agree() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(|engine| {
        let (mut world, mut bodies) = stack(engine);
        (0..4).for_each(|_| world.step(DT));
        world.remove_body(bodies.remove(3)).expect("alive");
        (0..4).for_each(|_| world.step(DT));
        let new = block(&mut world, [2, 3, 2], tilted(Vec3::new(0.05, 1.2, 0.0)));
        bodies.push(world.add_body(new).expect("body"));
        (0..4).for_each(|_| world.step(DT));
        world.dissolve_body(bodies.remove(2)).expect("alive");
        (0..4).for_each(|_| world.step(DT));
        (world, bodies)
    });
    let [a, b] = worlds.each_mut().map(|(world, bodies)| places(world, bodies));
    let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(most < 1e-4, "{most}");
    for (world, bodies) in &mut worlds {
        while let Some(body) = bodies.pop() {
            world.remove_body(body).expect("alive");
        }
        world.step(DT);
        assert!(world.fault().is_none() && world.particle_count() > 0, "grains are left");
    }
}
