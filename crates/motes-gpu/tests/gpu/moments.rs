//! One step from the same state: at moments spread over a run, the state of one engine is restored on the other, both step
//! once, and what comes out differs by no more than rounding.
//!
//! Runs of their own drift apart as collisions multiply every difference; a single step shows what the engines themselves do.

use motes_core::colliders::Plane;
use motes_core::glam::{Vec3, Vec3Swizzles};
use motes_core::random::Random;
use motes_core::{
    BodyId, Collider, CpuEngine, Engine, Group, Material, Motion, ParticleId, Pose, Settings, Shape, World,
};
use motes_gpu::{Gpu, GpuEngine};

use crate::{attachments, bodies, inscribed};

const DT: f32 = 1.0 / 60.0;

/// Frames after which states are compared: before anything touches, while it falls into place, and at rest.
const MOMENTS: [usize; 6] = [1, 6, 14, 25, 40, 60];

/// Runs of the CPU engine with every number rounded another way.
pub(crate) const ROUNDINGS: u64 = 3;

pub(crate) type Build = fn(Box<dyn Engine>) -> (World, Vec<BodyId>);
pub(crate) type Drive = fn(usize, &mut World, &[BodyId]);

/// Whole frames, or a single sub-step.
#[derive(Clone, Copy, Debug)]
enum Span {
    Frame,
    Substep,
}

/// Place and ways of every particle, by id: position (metres), and velocity times the length of a sub-step, of its middle and of its rim; and two points of the rim
/// of what has an orientation.
fn known(world: &mut World) -> Vec<(ParticleId, Vec3, [Vec3; 4])> {
    let h = DT / world.settings().substeps as f32;
    let radii = world.particle_radii();
    let particles = world.particles();
    let rim = |slot: usize| h * radii[slot] * particles.spin(slot).unwrap_or_default();
    let point = |slot: usize, axis: Vec3| {
        let rotation = particles.orientation(slot).map(|(rotation, _)| rotation);
        rotation.map_or(Vec3::ZERO, |rotation| radii[slot] * (rotation * axis))
    };
    let vectors = particles.positions.iter().zip(&particles.velocities);
    let mut known: Vec<_> = particles
        .ids()
        .iter()
        .zip(vectors)
        .enumerate()
        .map(|(slot, (&id, (position, velocity)))| {
            let ways = [
                h * velocity.truncate(),
                rim(slot),
                point(slot, Vec3::X),
                point(slot, Vec3::Y),
            ];
            (id, position.truncate(), ways)
        })
        .collect();
    known.sort_unstable_by_key(|(id, ..)| *id);
    known
}

/// Steps once from a state.
fn step(state: &[u8], engine: Box<dyn Engine>, span: Span, mut prepare: impl FnMut(&mut World)) -> World {
    let mut world = World::restore(state, engine).expect("a state");
    prepare(&mut world);
    match span {
        Span::Frame => world.step(DT),
        Span::Substep => {
            let settings = world.settings().clone();
            let dt = DT / settings.substeps as f32;
            world
                .set_settings(Settings {
                    substeps: 1,
                    ..settings
                })
                .expect("settings");
            world.step(dt);
        }
    }
    world.health().expect("finite");
    world
}

/// How far the particles of two worlds are apart, the furthest first, metres.
fn differences(a: &mut World, b: &mut World) -> Vec<f32> {
    let (a, b) = (known(a), known(b));
    let ids = |known: &[(ParticleId, Vec3, [Vec3; 4])]| known.iter().map(|(id, ..)| *id).collect::<Vec<_>>();
    assert_eq!(ids(&a), ids(&b), "the same particles live");
    let mut apart: Vec<f32> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| {
            let ways = a.2.iter().zip(&b.2).map(|(a, b)| a.distance(*b));
            ways.fold(a.1.distance(b.1), f32::max)
        })
        .collect();
    apart.sort_unstable_by(|a, b| b.total_cmp(a));
    apart
}

/// Moves every coordinate to one of its neighbours among the numbers there are, or not at all.
pub(crate) fn nudge(world: &mut World, random: &mut Random) {
    let mut nudged = |value: f32| match random.below(3) {
        0 => value.next_down(),
        1 => value.next_up(),
        _ => value,
    };
    let places: Vec<(ParticleId, Vec3)> = known(world)
        .into_iter()
        .map(|(id, place, _)| (id, Vec3::from_array(place.to_array().map(&mut nudged))))
        .collect();
    world.set_positions(&places).expect("alive");
}

fn mean_of(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len() as f32
}

/// Compares the engines at moments of a run of the first. What moves as one is `size` metres large: a grain, or a body, whose
/// particles all go where the sums over them say.
///
/// On average particles are not further apart than 1e-5 of a grain, or twice what rounding does to the CPU engine. The furthest may be 1e-5 of `size`, or four times what
/// rounding does to the CPU engine by itself: a contact that is only just found, or not, moves a corner by tens of
/// micrometres at once.
pub(crate) fn compare(name: &str, [runs, follows]: [Device; 2], (build, drive): (Build, Drive), size: f32) {
    let Some(gpu) = crate::gpu() else { return };
    let (mut world, bodies) = build(runs(&gpu));
    for frame in 1..=MOMENTS[MOMENTS.len() - 1] {
        if MOMENTS.contains(&frame) {
            let state = world.save();
            for span in [Span::Substep, Span::Frame] {
                let run = |engine| step(&state, engine, span, |world| drive(frame, world, &bodies));
                let (mut first, mut second) = (run(runs(&gpu)), run(follows(&gpu)));
                let apart = differences(&mut first, &mut second);
                let mut on_cpu = run(cpu(&gpu));
                let rounded = (0..ROUNDINGS).map(|seed| {
                    let mut random = Random::new(seed, 0);
                    let mut rounded = step(&state, cpu(&gpu), span, |world| {
                        nudge(world, &mut random);
                        drive(frame, world, &bodies);
                    });
                    let apart = differences(&mut on_cpu, &mut rounded);
                    [mean_of(&apart), apart[0]]
                });
                let [rounding_mean, rounding] = rounded.fold([0.0, 0.0], |most: [f32; 2], one| {
                    [most[0].max(one[0]), most[1].max(one[1])]
                });
                let mean = mean_of(&apart);
                let most = apart[0];
                let contacts = first.particle_contacts().len();
                println!(
                    "{name}, frame {frame} {span:?}, {contacts} contacts: {mean:.1e} m on average, {most:.1e} at most, \
                     {rounding:.1e} by rounding"
                );
                assert!(
                    mean < (1e-5 * GRAIN).max(2.0 * rounding_mean),
                    "{name}, frame {frame}, {span:?}: {mean} m on average"
                );
                let bound = (1e-5 * size).max(4.0 * rounding);
                assert!(
                    most < bound,
                    "{name}, frame {frame}, {span:?}: {most} m at most, {bound} expected"
                );
            }
        }
        drive(frame, &mut world, &bodies);
        world.step(DT);
    }
}

/// Diameter of a grain, metres.
const GRAIN: f32 = 0.1;

pub(crate) type Device = fn(&Gpu) -> Box<dyn Engine>;

fn cpu(_: &Gpu) -> Box<dyn Engine> {
    Box::new(CpuEngine::new())
}

fn gpu(gpu: &Gpu) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu).expect("engine"))
}

pub(crate) const FORTH: [Device; 2] = [cpu, gpu];
pub(crate) const BACK: [Device; 2] = [gpu, cpu];

pub(crate) fn nothing(_: usize, _: &mut World, _: &[BodyId]) {}

fn heap(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    (crate::engine::build(engine, Settings::default(), 4).0, Vec::new())
}

fn turned_heap(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    (crate::engine::build(engine, crate::engine::turned(), 4).0, Vec::new())
}

fn turning((world, bodies): (World, Vec<BodyId>)) -> (World, Vec<BodyId>) {
    (crate::spins::turning(world), bodies)
}

fn partly_turning((world, bodies): (World, Vec<BodyId>)) -> (World, Vec<BodyId>) {
    (crate::spins::partly_turning(world), bodies)
}

fn hoses(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    (crate::population::build(engine), Vec::new())
}

fn wax(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    (crate::melting::plate(engine).0, Vec::new())
}

/// A block of grains above each kind of solid, of which every other one turns, and a floor below them.
fn colliders(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = World::with_engine(Settings::default(), engine).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    let floor = Shape::Plane(Plane::new(Vec3::Y, -1.5).expect("plane"));
    world
        .add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))
        .expect("floor");
    for (k, (name, shape)) in crate::colliders::solids().into_iter().enumerate() {
        let place = Vec3::new(4.0 * (k % 3) as f32 - 4.0, 0.0, 4.0 * (k / 3) as f32 - 4.0);
        let bounds = shape.bounds();
        let (low, high) = (bounds.min.max(Vec3::splat(-1.0)), bounds.max.min(Vec3::splat(1.0)));
        let mut collider = Collider::new(name, shape, sand, Pose::at(place));
        if k % 2 == 1 {
            collider = collider.moving(Motion::Steady {
                velocity: Vec3::ZERO,
                angular_velocity: 0.5 * Vec3::Y,
            });
        }
        world.add_collider(collider).expect("collider");
        let corner = place
            + Vec3::new(
                0.5 * (low.x + high.x) - 0.2,
                high.y + 0.1,
                0.5 * (low.z + high.z) - 0.15,
            );
        let sites = (0..64).map(|i| Vec3::new((i % 4) as f32, (i / 16) as f32, (i / 4 % 4) as f32));
        let positions: Vec<Vec3> = sites.map(|site| corner + 0.103 * site + 0.004 * site.zxy()).collect();
        world
            .add_particles(group, &positions, 2.0 * Vec3::NEG_Y)
            .expect("grains");
    }
    (world, Vec::new())
}

#[test]
fn grains_go_on_alike_on_the_other_engine() {
    compare("heap", FORTH, (heap, nothing), GRAIN);
    compare("heap with every setting turned", FORTH, (turned_heap, nothing), GRAIN);
    compare("every kind of collider", FORTH, (colliders, nothing), GRAIN);
    compare("births and deaths", FORTH, (hoses, nothing), GRAIN);
}

#[test]
fn grains_that_turn_go_on_alike_on_the_other_engine() {
    compare("turning heap", FORTH, (|engine| turning(heap(engine)), nothing), GRAIN);
    compare(
        "partly turning heap",
        FORTH,
        (|engine| partly_turning(heap(engine)), nothing),
        GRAIN,
    );
    compare(
        "turning heap with every setting turned",
        FORTH,
        (|engine| turning(turned_heap(engine)), nothing),
        GRAIN,
    );
    compare(
        "turning on colliders",
        FORTH,
        (|engine| turning(colliders(engine)), nothing),
        GRAIN,
    );
    compare(
        "turning births and deaths",
        BACK,
        (|engine| turning(hoses(engine)), nothing),
        GRAIN,
    );
    compare(
        "bodies on what turns",
        FORTH,
        (|engine| turning(bodies::all_kinds_on_grains(engine)), nothing),
        0.4,
    );
}

#[test]
fn free_bodies_go_on_alike_on_the_other_engine() {
    compare("spinning", FORTH, (bodies::spinning, bodies::twist), 0.8);
    compare("pusher", FORTH, (bodies::pusher, bodies::push), 0.4);
    compare("stack", FORTH, (bodies::stack, nothing), 0.3);
    compare("scaled stacks", FORTH, (bodies::scaled_stacks, nothing), 0.6);
    compare("large", FORTH, (bodies::large, nothing), 0.7);
    compare("rolling", FORTH, (inscribed::rolling, nothing), 0.9);
    compare("tumbling", FORTH, (inscribed::tumbling, nothing), 0.5);
    compare("sliding", FORTH, (inscribed::sliding, nothing), 0.6);
    compare("meeting", FORTH, (inscribed::meeting, nothing), 0.5);
    compare("driving", FORTH, (inscribed::driving, nothing), 0.5);
    compare("wheels", FORTH, (inscribed::wheels, nothing), 0.5);
}

#[test]
fn bodies_that_bend_go_on_alike_on_the_other_engine() {
    compare("soft", FORTH, (bodies::soft, nothing), 0.6);
    compare("linked", FORTH, (bodies::linked, nothing), 0.5);
    compare("plastic", FORTH, (bodies::plastic, nothing), 0.4);
    compare("large and soft", FORTH, (bodies::large_soft, nothing), 0.7);
    compare("melting", FORTH, (wax, nothing), 0.4);
}

#[test]
fn bodies_among_grains_go_on_alike_on_the_other_engine() {
    compare("rigid on grains", FORTH, (bodies::on_grains, nothing), 0.4);
    compare(
        "all kinds on grains",
        FORTH,
        (bodies::all_kinds_on_grains, nothing),
        0.4,
    );
}

#[test]
fn what_is_held_goes_on_alike_on_the_other_engine() {
    compare("swinging", FORTH, (attachments::swinging, nothing), 1.0);
    compare("chain", FORTH, (attachments::chain, nothing), 0.4);
    compare("large ones", FORTH, (attachments::large, nothing), 0.8);
    compare("hung soft", FORTH, (attachments::soft, nothing), 0.5);
    compare("pulled", FORTH, (attachments::pulled, attachments::pull), 0.3);
}

#[test]
fn worlds_of_the_gpu_go_on_alike_on_the_cpu() {
    compare("heap", BACK, (heap, nothing), GRAIN);
    compare("births and deaths", BACK, (hoses, nothing), GRAIN);
    compare("all kinds on grains", BACK, (bodies::all_kinds_on_grains, nothing), 0.4);
}
