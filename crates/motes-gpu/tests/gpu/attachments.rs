//! Attachments on both engines: what hangs, swings, is pulled along and breaks.

use motes_core::colliders::Cuboid;
use motes_core::glam::{Quat, Vec3};
use motes_core::{
    Anchor, Attachment, BodyId, Collider, CpuEngine, Engine, Joint, NewBody, Partner, Plasticity, Pose, Settings,
    Shape, Volume, World,
};

use crate::bodies::{DT, Scene, block, compare, engines, nothing, on_gpu, places, repeat, rounding, tilted, world};

fn add(world: &mut World, counts: [usize; 3], pose: Pose) -> BodyId {
    let new = block(world, counts, pose);
    world.add_body(new).expect("body")
}

fn join(world: &mut World, body: BodyId, partner: Partner, joint: Joint) {
    world.join(body, partner, joint, f32::INFINITY).expect("joint");
}

fn with_floor(engine: Box<dyn Engine>) -> World {
    world(engine, true, Settings::default())
}

/// A block on a string of no length, one on a rod, and a door that falls about its hinge.
pub(crate) fn swinging(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let near = add(&mut world, [3, 3, 3], tilted(Vec3::new(0.0, 2.0, 0.0)));
    join(&mut world, near, Partner::World, Joint::Ball(Vec3::new(0.1, 2.1, 0.0)));
    let far = add(&mut world, [2, 2, 2], tilted(Vec3::new(2.0, 3.0, 0.0)));
    join(&mut world, far, Partner::World, Joint::Ball(Vec3::new(1.0, 3.0, 0.0)));
    let door = add(&mut world, [6, 1, 4], Pose::at(Vec3::new(-1.7, 2.0, 0.0)));
    let hinge = Joint::Hinge(Vec3::new(-2.0, 2.0, 0.0), Vec3::Z);
    join(&mut world, door, Partner::World, hinge);
    (world, vec![near, far, door])
}

/// A rigid and a soft block of several chunks each, the one hung up and the other on it.
pub(crate) fn large(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let rigid = add(&mut world, [7, 6, 7], tilted(Vec3::new(0.0, 3.0, 0.0)));
    join(&mut world, rigid, Partner::World, Joint::Ball(Vec3::new(0.3, 3.3, 0.0)));
    let mut new = block(&mut world, [7, 7, 7], tilted(Vec3::new(0.0, 2.0, 0.0)));
    new.stiffness = 0.6;
    let soft = world.add_body(new).expect("body");
    join(
        &mut world,
        soft,
        Partner::Body(rigid),
        Joint::Ball(Vec3::new(0.0, 2.5, 0.0)),
    );
    (world, vec![rigid, soft])
}

/// Seven small links and a heavy block; the attachments are made from the wrong end.
pub(crate) fn chain(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    chain_with(engine, f32::INFINITY)
}

/// The same with a link that does not hold all that comes, newtons: 866 at the end of frame 24, 1117 at the end of the next.
pub(crate) fn weak_chain(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    chain_with(engine, 1050.0)
}

fn chain_with(engine: Box<dyn Engine>, weakest: f32) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let place = |k: usize| Vec3::new(0.25 * k as f32 + 0.1, 4.0, 0.0);
    let links: Vec<BodyId> = (0..8)
        .map(|k| {
            let counts = if k == 7 { [4, 4, 4] } else { [1, 2, 1] };
            add(&mut world, counts, Pose::at(place(k)))
        })
        .collect();
    for k in (0..8_usize).rev() {
        let partner = k
            .checked_sub(1)
            .map_or(Partner::World, |last| Partner::Body(links[last]));
        let joint = Joint::Ball(place(k) - 0.1 * Vec3::X);
        let breaking_force = if k == 4 { weakest } else { f32::INFINITY };
        world.join(links[k], partner, joint, breaking_force).expect("joint");
    }
    (world, links)
}

/// A tree that hangs at two places: a beam on a ball joint, arms on hinges below it, a block glued to one of them, a chain to a
/// second nail at the other.
pub(crate) fn tree(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let beam = add(&mut world, [8, 2, 2], Pose::at(Vec3::new(0.0, 4.0, 0.0)));
    join(&mut world, beam, Partner::World, Joint::Ball(Vec3::new(0.1, 4.1, 0.0)));
    let arms = [-0.35, 0.35].map(|x| {
        let arm = add(&mut world, [2, 5, 2], Pose::at(Vec3::new(x, 3.6, 0.0)));
        let hinge = Joint::Hinge(Vec3::new(x, 3.87, 0.0), Vec3::new(0.3, 0.0, 1.0));
        join(&mut world, arm, Partner::Body(beam), hinge);
        arm
    });
    let weight = add(&mut world, [3, 3, 3], Pose::at(Vec3::new(-0.35, 3.15, 0.0)));
    join(&mut world, weight, Partner::Body(arms[0]), Joint::Fixed);
    let mut bodies = vec![beam, arms[0], arms[1], weight];
    let place = |k: usize| Vec3::new(0.35 + 0.25 * k as f32, 3.2, 0.0);
    let mut last = arms[1];
    for k in 0..4 {
        let link = add(&mut world, [2, 2, 2], Pose::at(place(k)));
        let joint = Joint::Ball(place(k) - 0.12 * Vec3::X + 0.1 * Vec3::Y);
        join(&mut world, link, Partner::Body(last), joint);
        bodies.push(link);
        last = link;
    }
    join(&mut world, last, Partner::World, Joint::Ball(place(4)));
    (world, bodies)
}

/// Where the corner of a soft block is held.
fn hook() -> (Pose, Vec3) {
    (tilted(Vec3::Y * 2.0), Vec3::new(0.1, 0.2, 0.1))
}

/// A soft block that hangs by a corner, with a rigid one at the opposite corner.
pub(crate) fn soft(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let (pose, corner) = hook();
    let mut new = block(&mut world, [3, 5, 3], pose);
    new.stiffness = 0.6;
    let soft = world.add_body(new).expect("body");
    let hang = Attachment {
        body: soft,
        point: corner + Vec3::splat(0.01),
        anchor: Anchor::World(pose.point(corner)),
        breaking_force: f32::INFINITY,
    };
    world.attach(hang).expect("alive");
    // Clear of the soft block: a corner that just touches does or does not by the last bit.
    let below = pose.point(Vec3::new(-0.1, -0.4, -0.1));
    let weight = add(&mut world, [2, 2, 2], Pose::at(below));
    let joint = Joint::Ball(pose.point(-corner));
    join(&mut world, weight, Partner::Body(soft), joint);
    (world, vec![soft, weight])
}

/// Blocks held by a collider and by a kinematic body, one each, that take them along.
pub(crate) fn pulled(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = world(
        engine,
        true,
        Settings {
            substeps: 3,
            ..Settings::default()
        },
    );
    let carried = add(&mut world, [3, 2, 3], Pose::at(Vec3::Y));
    let new = NewBody {
        kinematic: true,
        ..block(&mut world, [2, 2, 2], Pose::at(Vec3::new(3.0, 2.0, 0.0)))
    };
    let (stone, hand) = (new.material, world.add_body(new).expect("body"));
    let plate = Shape::Cuboid(Cuboid::new(Vec3::splat(0.1)).expect("box"));
    let crane = world
        .add_collider(Collider::new("crane", plate, stone, Pose::at(Vec3::Y * 2.0)))
        .expect("collider");
    join(&mut world, carried, Partner::Collider(crane), Joint::Fixed);
    let dragged = add(&mut world, [2, 2, 2], Pose::at(Vec3::new(3.0, 1.5, 0.0)));
    let joint = Joint::Ball(Vec3::new(3.0, 1.75, 0.0));
    join(&mut world, dragged, Partner::Body(hand), joint);
    (world, vec![carried, dragged, hand])
}

pub(crate) fn pull(frame: usize, world: &mut World, bodies: &[BodyId]) {
    let turn = 0.02 * frame as f32;
    let pose = |from: Vec3| Pose {
        position: from + Vec3::new(0.0, 0.1 * turn.sin(), turn),
        rotation: Quat::from_rotation_x(turn),
    };
    let named = |(id, collider, _): (_, &Collider, _)| (collider.name == "crane").then_some(id);
    let crane = world.colliders().find_map(named).expect("it is there");
    world.move_collider(crane, pose(Vec3::Y * 2.0)).expect("alive");
    world
        .move_body(bodies[2], pose(Vec3::new(3.0, 2.0, 0.0)))
        .expect("kinematic");
}

/// A bar of clay that hangs by one end and flows, with a rigid block at the other.
pub(crate) fn nailed(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let mut new = block(&mut world, [8, 3, 3], Pose::at(Vec3::Y * 2.0));
    new.stiffness = 0.6;
    new.plasticity = Some(Plasticity {
        threshold: 0.002,
        creep: 0.5,
        limit: f32::INFINITY,
    });
    let clay = world.add_body(new).expect("body");
    join(
        &mut world,
        clay,
        Partner::World,
        Joint::Ball(Vec3::new(-0.3, 2.05, 0.0)),
    );
    let weight = add(&mut world, [3, 3, 3], Pose::at(Vec3::new(0.7, 2.0, 0.0)));
    join(
        &mut world,
        weight,
        Partner::Body(clay),
        Joint::Ball(Vec3::new(0.45, 2.0, 0.0)),
    );
    (world, vec![clay, weight])
}

#[test]
fn points_that_flow_with_their_body_agree_and_are_saved() {
    let scene = Scene {
        build: nailed,
        drive: nothing,
        bounds: [1e-5, 1e-4, 5e-3],
    };
    compare("nailed", &scene);
    let Some(gpu) = crate::gpu() else { return };
    let points = engines(&gpu).map(|engine| {
        let (mut world, _) = nailed(engine);
        (0..20).for_each(|_| world.step(DT));
        let all = world.bodies().attachments.clone();
        let anchor = |anchor| {
            if let Anchor::Body(_, point) = anchor {
                point
            } else {
                Vec3::ZERO
            }
        };
        [all[0].attachment.point, anchor(all[1].attachment.anchor)]
    });
    let [cpu, gpu] = points;
    for (a, (b, start)) in cpu
        .iter()
        .zip(gpu.iter().zip([Vec3::new(-0.3, 0.05, 0.0), Vec3::new(0.45, 0.0, 0.0)]))
    {
        assert!(a.distance(start) > 1e-3 && a.distance(*b) < 1e-4, "{a} and {b}");
    }
}

#[test]
fn swinging_bodies_agree() {
    compare(
        "swinging",
        &Scene {
            build: swinging,
            drive: nothing,
            bounds: [1e-5, 1e-4, 2e-3],
        },
    );
}

#[test]
fn chains_with_a_heavy_end_agree() {
    compare(
        "chain",
        &Scene {
            build: chain,
            drive: nothing,
            bounds: [1e-5, 1e-4, 5e-3],
        },
    );
}

/// Blocks on ball joints and a loop of them, which lie in the floor by a fifth of a particle: their starts are moved out of it.
fn lying(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let mut bodies = Vec::new();
    for k in 0..6 {
        let x = 0.5 * k as f32;
        let body = add(&mut world, [3, 3, 3], tilted(Vec3::new(x, 0.17, 0.0)));
        if k % 3 > 0 {
            let point = Vec3::new(x - 0.25, 0.17, 0.0);
            join(&mut world, body, Partner::Body(bodies[k - 1]), Joint::Ball(point));
        }
        bodies.push(body);
    }
    let point = Vec3::new(0.5, 0.4, 0.0);
    join(&mut world, bodies[2], Partner::Body(bodies[0]), Joint::Ball(point));
    (world, bodies)
}

#[test]
fn joined_bodies_that_are_moved_out_of_the_floor_agree() {
    compare(
        "lying",
        &Scene {
            build: lying,
            drive: nothing,
            bounds: [1e-5, 1e-4, 5e-3],
        },
    );
}

#[test]
fn trees_agree() {
    compare(
        "tree",
        &Scene {
            build: tree,
            drive: nothing,
            bounds: [1e-5, 1e-4, 2e-3],
        },
    );
}

#[test]
fn what_hangs_on_soft_bodies_agrees() {
    compare(
        "hung soft",
        &Scene {
            build: soft,
            drive: nothing,
            // The CPU engine drifts from itself by 1.4 µm, 5 µm and 0.5 mm if all is moved by a quarter of a micrometre.
            bounds: [1e-5, 1e-4, 1e-2],
        },
    );
}

#[test]
fn what_is_pulled_along_agrees() {
    compare(
        "pulled",
        &Scene {
            build: pulled,
            drive: pull,
            bounds: [1e-5, 5e-5, 1e-3],
        },
    );
}

#[test]
fn attachments_break_in_the_same_frame_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(weak_chain);
    for frame in 1..=60 {
        let left = worlds.each_mut().map(|(world, _)| {
            world.step(DT);
            world.bodies().attachments.len()
        });
        assert_eq!(left, if frame < 25 { [8; 2] } else { [7; 2] }, "frame {frame}");
    }
    let [a, b] = worlds.each_mut().map(|(world, bodies)| places(world, bodies));
    let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(most < 0.05, "{most}");
}

#[test]
fn forces_of_attachments_agree_until_they_are_let_go() {
    let Some(gpu) = crate::gpu() else { return };
    let mut worlds = engines(&gpu).map(|engine| swinging(engine).0);
    let ids: Vec<_> = worlds[0]
        .bodies()
        .attachments
        .iter()
        .map(|attached| attached.id)
        .collect();
    for world in &mut worlds {
        (0..10).for_each(|_| world.step(DT));
    }
    for &id in &ids {
        let [a, b] = worlds
            .each_mut()
            .map(|world| world.attachment_force(id, DT).expect("it holds"));
        assert!(a.distance(b) < 0.05 * a.length() && a.length() > 10.0, "{a} {b}");
        let [a, b] = worlds
            .each_mut()
            .map(|world| world.mean_attachment_force(id, DT).expect("it holds"));
        assert!(a.distance(b) < 0.05 * a.length() && a.length() > 10.0, "mean: {a} {b}");
    }
    let centers = worlds.each_mut().map(|world| {
        ids.iter().for_each(|&id| world.detach(id).expect("it held"));
        (0..30).for_each(|_| world.step(DT));
        assert_eq!(world.attachment_force(ids[0], DT), None);
        let first = world.bodies().list[0].id;
        world.body_motion(first).expect("alive").center
    });
    assert!(
        centers[0].distance(centers[1]) < 1e-3 && centers[0].y < 1.0,
        "{centers:?}"
    );
}

#[test]
fn worlds_with_attachments_repeat_to_the_last_bit() {
    repeat(soft, nothing);
    repeat(pulled, pull);
    repeat(weak_chain, nothing);
}

#[test]
fn a_soft_body_that_loses_its_held_particle_hangs_by_the_next_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let run = |engine: Box<dyn Engine>, disturb: &mut dyn FnMut(&mut World)| {
        let (mut world, bodies) = soft(engine);
        let (pose, corner) = hook();
        for frame in 1..=36 {
            disturb(&mut world);
            *world.kill_volumes_mut() = match frame {
                6 => vec![Volume::Sphere {
                    center: pose.point(corner),
                    radius: 0.03,
                }],
                _ => Vec::new(),
            };
            world.step(DT);
        }
        let all = world.body_positions(bodies[0]).expect("alive");
        assert_eq!(all.iter().filter(|place| place.is_none()).count(), 1);
        places(&mut world, &bodies)
    };
    let [a, b] = engines(&gpu).map(|engine| run(engine, &mut |_| {}));
    assert!(a[0].y > 1.0 && b[0].y > 1.0);
    let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    if most > 1e-2 {
        let rounding = rounding(|disturb| run(Box::new(CpuEngine::new()), disturb));
        assert!(most <= 4.0 * rounding, "{most} m, {rounding} by rounding");
    }
}

#[test]
fn what_was_attached_on_one_engine_holds_on_the_other() {
    let Some(gpu) = crate::gpu() else { return };
    for build in [chain, soft] {
        let (mut world, bodies) = build(on_gpu(&gpu));
        (0..15).for_each(|_| world.step(DT));
        let saved = world.save();
        let mut worlds = [Box::new(CpuEngine::new()), on_gpu(&gpu)]
            .map(|engine: Box<dyn Engine>| World::restore(&saved, engine).expect("a state"));
        for world in &mut worlds {
            (0..5).for_each(|_| world.step(DT));
        }
        let [a, b] = worlds.each_mut().map(|world| places(world, &bodies));
        let most = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(most < 1e-3, "{most}");
        let [a, b] = worlds.each_mut().map(|world| world.bodies().attachments.len());
        assert!(a == b && a > 0);
    }
}
