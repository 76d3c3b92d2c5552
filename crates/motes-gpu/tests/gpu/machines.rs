//! What acts on the axes of joints, on both engines.

use motes_core::colliders::Cuboid;
use motes_core::glam::{Quat, Vec3};
use motes_core::{
    BodyId, Collider, Engine, Joint, JointAxis, JointId, JointMotor, NewBody, NewJoint, Partner, Pose, Settings, Shape,
    World,
};
use motes_gpu::GpuEngine;

use crate::bodies::{DT, Scene, block, compare, engines, nothing, repeat, tilted, world};

fn with_floor(engine: Box<dyn Engine>) -> World {
    world(engine, true, Settings::default())
}

fn add(world: &mut World, counts: [usize; 3], pose: Pose) -> BodyId {
    let new = block(world, counts, pose);
    world.add_body(new).expect("body")
}

fn join(world: &mut World, body: BodyId, partner: Partner, joint: Joint, axis: JointAxis) -> JointId {
    let new = NewJoint {
        axis,
        ..NewJoint::new(body, partner, joint)
    };
    world.add_joint(new).expect("joint")
}

fn plain() -> JointAxis {
    JointAxis::default()
}

fn at_speed(speed: f32, most: f32) -> JointAxis {
    JointAxis {
        motor: Some(JointMotor::Speed { speed, most }),
        ..plain()
    }
}

/// A mill that a motor turns, with arms on springs, friction and limits, and a weight on a ball joint that leans.
pub(crate) fn mill(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let hub = add(&mut world, [4, 4, 2], Pose::at(Vec3::new(0.0, 3.0, 0.0)));
    let hinge = |at: Vec3| Joint::Hinge(at, Vec3::Z);
    let middle = Vec3::new(0.0, 3.0, 0.0);
    join(&mut world, hub, Partner::World, hinge(middle), at_speed(2.0, 4000.0));
    let mut bodies = vec![hub];
    for (x, axis) in [
        (
            -0.6,
            JointAxis {
                stiffness: 300.0,
                damping: 2.0,
                ..plain()
            },
        ),
        (
            0.6,
            JointAxis {
                limits: [-0.3, 0.2],
                friction: 8.0,
                ..plain()
            },
        ),
    ] {
        let arm = add(&mut world, [6, 2, 2], Pose::at(Vec3::new(x, 3.0, 0.25)));
        join(
            &mut world,
            arm,
            Partner::Body(hub),
            hinge(Vec3::new(0.5 * x, 3.0, 0.12)),
            axis,
        );
        bodies.push(arm);
    }
    let weight = add(&mut world, [2, 4, 2], Pose::at(Vec3::new(0.8, 3.45, 0.25)));
    let leans = JointAxis {
        limits: [f32::NEG_INFINITY, 0.3],
        friction: 1.0,
        damping: 0.5,
        ..plain()
    };
    let ball = Joint::Ball(Vec3::new(0.8, 3.15, 0.25));
    join(&mut world, weight, Partner::Body(bodies[2]), ball, leans);
    bodies.push(weight);
    (world, bodies)
}

/// A block that slides up and down another, which hangs on a spring, and a lift on a slider from the world.
pub(crate) fn sliders(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let place = Vec3::new(0.0, 3.0, 0.0);
    let rail = add(&mut world, [2, 6, 2], tilted(place));
    let spring = JointAxis {
        stiffness: 4000.0,
        damping: 10.0,
        ..plain()
    };
    let above = Vec3::new(0.3, 4.0, 0.0);
    join(
        &mut world,
        rail,
        Partner::World,
        Joint::Distance(place + 0.2 * Vec3::Y, above),
        spring,
    );
    let car = add(&mut world, [2, 2, 2], Pose::at(Vec3::new(0.4, 3.0, 0.0)));
    let runs = JointAxis {
        limits: [-0.3, 0.3],
        friction: 20.0,
        ..plain()
    };
    let slider = Joint::Slider(Vec3::new(0.3, 3.0, 0.0), Vec3::new(0.2, 1.0, 0.0));
    join(&mut world, car, Partner::Body(rail), slider, runs);
    let lift = add(&mut world, [3, 1, 3], Pose::at(Vec3::new(2.0, 1.0, 0.0)));
    let up = Joint::Slider(Vec3::new(1.7, 1.0, 0.0), Vec3::Y);
    join(&mut world, lift, Partner::World, up, at_speed(0.5, 200.0));
    (world, vec![rail, car, lift])
}

/// A four-bar linkage with a motor and a spring, which is a loop, and a soft block on a spring.
pub(crate) fn linkage(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let at = |x: f32, y: f32, z: f32| Vec3::new(x, 3.0 + y, z);
    let crank = add(&mut world, [3, 1, 2], Pose::at(at(0.0, 0.1, 0.0)));
    let coupler = add(&mut world, [8, 1, 2], Pose::at(at(0.4, 0.2, 0.3)));
    let rocker = add(&mut world, [2, 6, 2], Pose::at(at(0.8, -0.1, 0.0)));
    let hinge = |at: Vec3| Joint::Hinge(at, Vec3::Z);
    join(
        &mut world,
        crank,
        Partner::World,
        hinge(at(0.0, 0.0, 0.0)),
        at_speed(3.0, 300.0),
    );
    join(
        &mut world,
        coupler,
        Partner::Body(crank),
        hinge(at(0.0, 0.2, 0.1)),
        plain(),
    );
    join(
        &mut world,
        rocker,
        Partner::Body(coupler),
        hinge(at(0.8, 0.2, 0.1)),
        plain(),
    );
    let spring = JointAxis {
        stiffness: 100.0,
        damping: 1.0,
        limits: [-0.5, 0.5],
        ..plain()
    };
    join(&mut world, rocker, Partner::World, hinge(at(0.8, -0.4, 0.0)), spring);
    let mut new = block(&mut world, [3, 3, 3], tilted(at(2.0, 0.0, 0.0)));
    new.stiffness = 0.6;
    let soft = world.add_body(new).expect("body");
    let elastic = JointAxis {
        stiffness: 800.0,
        damping: 5.0,
        ..plain()
    };
    let points = Joint::Distance(at(2.0, 0.1, 0.0), at(2.0, 1.0, 0.0));
    join(&mut world, soft, Partner::World, points, elastic);
    // A slider and a ball joint between the same bodies as a spring, so that they are a loop.
    let base = add(&mut world, [4, 1, 4], Pose::at(at(-2.0, 0.0, 0.0)));
    let top = add(&mut world, [2, 2, 2], Pose::at(at(-2.0, 0.5, 0.0)));
    join(
        &mut world,
        base,
        Partner::World,
        Joint::Ball(at(-2.2, 0.0, 0.0)),
        JointAxis {
            friction: 20.0,
            ..plain()
        },
    );
    let runs = JointAxis {
        limits: [-0.1, 0.2],
        ..plain()
    };
    join(
        &mut world,
        top,
        Partner::Body(base),
        Joint::Slider(at(-2.0, 0.3, 0.0), Vec3::Y),
        runs,
    );
    let points = Joint::Distance(at(-2.0, 0.4, 0.0), at(-2.0, 0.0, 0.0));
    join(&mut world, top, Partner::Body(base), points, elastic);
    (world, vec![crank, coupler, rocker, soft, base, top])
}

/// A block that a motor turns on a collider that moves and turns itself, and one on a kinematic body.
pub(crate) fn turntable(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let new = NewBody {
        kinematic: true,
        ..block(&mut world, [2, 2, 2], Pose::at(Vec3::new(3.0, 2.0, 0.0)))
    };
    let (stone, hand) = (new.material, world.add_body(new).expect("body"));
    let plate = Shape::Cuboid(Cuboid::new(Vec3::splat(0.1)).expect("box"));
    let crane = Collider::new("crane", plate, stone, Pose::at(Vec3::Y * 2.0));
    let crane = world.add_collider(crane).expect("collider");
    let turned = add(&mut world, [6, 2, 2], Pose::at(Vec3::new(0.4, 1.6, 0.0)));
    let hinge = Joint::Hinge(Vec3::new(0.0, 1.6, 0.0), Vec3::Y);
    join(
        &mut world,
        turned,
        Partner::Collider(crane),
        hinge,
        at_speed(1.5, 2000.0),
    );
    let held = add(&mut world, [2, 6, 2], Pose::at(Vec3::new(3.0, 1.4, 0.3)));
    let axis = JointAxis {
        friction: 30.0,
        ..plain()
    };
    let hinge = Joint::Hinge(Vec3::new(3.0, 1.6, 0.2), Vec3::Z);
    join(&mut world, held, Partner::Body(hand), hinge, axis);
    (world, vec![turned, held, hand])
}

pub(crate) fn turn(frame: usize, world: &mut World, bodies: &[BodyId]) {
    let angle = 0.02 * frame as f32;
    let pose = |from: Vec3| Pose {
        position: from + Vec3::new(0.0, 0.1 * angle.sin(), angle),
        rotation: Quat::from_rotation_y(angle),
    };
    let named = |(id, collider, _): (_, &Collider, _)| (collider.name == "crane").then_some(id);
    let crane = world.colliders().find_map(named).expect("it is there");
    world.move_collider(crane, pose(Vec3::Y * 2.0)).expect("alive");
    world
        .move_body(bodies[2], pose(Vec3::new(3.0, 2.0, 0.0)))
        .expect("kinematic");
}

#[test]
fn machines_agree() {
    let scene = |build, drive, bounds| Scene { build, drive, bounds };
    compare("mill", &scene(mill, nothing, [1e-5, 1e-4, 5e-3]));
    compare("sliders", &scene(sliders, nothing, [1e-5, 1e-4, 5e-3]));
    compare("linkage", &scene(linkage, nothing, [1e-5, 1e-4, 5e-3]));
    compare("turntable", &scene(turntable, turn, [1e-5, 1e-4, 5e-3]));
}

#[test]
fn machines_repeat_to_the_last_bit() {
    repeat(mill, nothing);
    repeat(linkage, nothing);
}

/// A chain of blocks on ball joints, one of which a motor's hinge turns, that hangs from a nail and swings.
fn chain(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let mut world = with_floor(engine);
    let place = |link: usize| Vec3::new(0.45 * link as f32, 3.0, 0.0);
    let bodies: Vec<BodyId> = (0..18)
        .map(|link| add(&mut world, [3, 2, 2], Pose::at(place(link))))
        .collect();
    for (link, &body) in bodies.iter().enumerate() {
        let partner = match link {
            0 => Partner::World,
            _ => Partner::Body(bodies[link - 1]),
        };
        let at = place(link) - Vec3::X * 0.225;
        if link == 9 {
            join(
                &mut world,
                body,
                partner,
                Joint::Hinge(at, Vec3::Z),
                at_speed(1.0, 50.0),
            );
        } else {
            join(&mut world, body, partner, Joint::Ball(at), plain());
        }
    }
    (world, bodies)
}

#[test]
fn trees_too_large_for_a_workgroup_are_solved_as_others_are() {
    let Some(gpu) = crate::gpu() else { return };
    let small = crate::own_device(&gpu, gpu.device().features());
    let ends = [gpu, small].map(|gpu| {
        let engine = GpuEngine::new(&gpu).expect("engine");
        let (mut world, bodies) = chain(Box::new(engine));
        (0..12).for_each(|_| world.step(DT));
        world.health().expect("finite");
        bodies
            .iter()
            .map(|&body| world.body_motion(body).expect("it is there").pose.position)
            .collect::<Vec<Vec3>>()
    });
    let apart = ends[0].iter().zip(&ends[1]).map(|(a, b)| a.distance(*b));
    assert!(apart.fold(0.0, f32::max) < 1e-4, "{ends:?}");
    assert!(ends[0][17].y < 2.9, "{ends:?}");
}

#[test]
fn what_joints_report_agrees_and_motors_change_while_they_run() {
    let Some(gpu) = crate::gpu() else { return };
    for build in [mill, sliders, linkage] {
        let mut worlds = engines(&gpu).map(build);
        let ids: Vec<JointId> = worlds[0].0.joints().iter().map(|joint| joint.id).collect();
        for (world, _) in &mut worlds {
            (0..6).for_each(|_| world.step(DT));
            let driven: Vec<_> = world
                .joints()
                .iter()
                .filter(|joint| joint.axis.motor.is_some())
                .copied()
                .collect();
            for joint in driven {
                let most = 300.0;
                let motor = JointMotor::Speed { speed: -1.0, most };
                world.set_joint_motor(joint.id, Some(motor)).expect("it holds");
            }
            (0..6).for_each(|_| world.step(DT));
        }
        for &id in &ids {
            let [a, b] = worlds
                .each_ref()
                .map(|(world, _)| world.joint_state(id, DT).expect("it holds"));
            assert!((a.position - b.position).abs() < 1e-3, "{a:?} {b:?}");
            assert!((a.speed - b.speed).abs() < 0.02, "{a:?} {b:?}");
            let size = 10.0 + a.force.length().max(a.effort.abs());
            assert!((a.effort - b.effort).abs() < 0.05 * size, "{a:?} {b:?}");
            assert!(a.force.distance(b.force) < 0.05 * size, "{a:?} {b:?}");
        }
    }
}

#[test]
fn joints_are_switched_and_break_alike() {
    let Some(gpu) = crate::gpu() else { return };
    let heights = engines(&gpu).map(|engine| {
        let mut world = with_floor(engine);
        let body = add(&mut world, [6, 2, 2], Pose::at(Vec3::new(0.3, 3.0, 0.0)));
        let axis = JointAxis {
            friction: 1e5,
            ..plain()
        };
        let hinge = Joint::Hinge(Vec3::Y * 3.0, Vec3::Z);
        let joint = join(&mut world, body, Partner::World, hinge, axis);
        let mut heights = Vec::new();
        for frame in 0..40 {
            if frame == 10 || frame == 14 {
                world.switch_joint(joint, frame == 14).expect("it holds");
            }
            world.step(DT);
            heights.push(world.body_motion(body).expect("alive").center.y);
        }
        assert!((heights[9] - 3.0).abs() < 1e-3 && heights[13] < 2.99, "{heights:?}");
        let hung = add(&mut world, [6, 2, 2], Pose::at(Vec3::new(3.3, 3.0, 0.0)));
        let weak = NewJoint {
            axis,
            breaking_force: 60.0,
            ..NewJoint::new(hung, Partner::World, Joint::Hinge(Vec3::new(3.0, 3.0, 0.0), Vec3::Z))
        };
        let weak = world.add_joint(weak).expect("joint");
        (0..20).for_each(|_| world.step(DT));
        assert_eq!(world.joint_state(weak, DT), None);
        assert!(world.joint_state(joint, DT).is_some());
        heights.push(world.body_motion(hung).expect("alive").center.y);
        heights
    });
    let [a, b] = &heights;
    let most = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(most < 1e-3 && a[40] < 2.9, "{most} {heights:?}");
}

#[test]
fn a_trap_door_opens_at_its_time_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let heights = engines(&gpu).map(|engine| {
        let mut world = with_floor(engine);
        let body = add(&mut world, [2, 2, 2], Pose::at(Vec3::Y * 2.2));
        let stone = world.bodies().list[0].group;
        let stone = world.group(stone).expect("alive").material;
        let plate = Shape::Cuboid(Cuboid::new(Vec3::new(0.5, 0.1, 0.5)).expect("box"));
        let door = Collider::new("door", plate, stone, Pose::at(Vec3::Y * 2.0));
        let door = world.add_collider(door).expect("collider");
        let opens = motes_core::Switch::Collider(door);
        world.switch_at(0.5, opens, false).expect("it is there");
        let mut heights = Vec::new();
        for _ in 0..42 {
            world.step(DT);
            heights.push(world.body_motion(body).expect("alive").center.y);
        }
        assert_eq!(world.is_collider_on(door), Some(false));
        heights
    });
    let [a, b] = &heights;
    let most = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(most < 1e-3, "{most}");
    assert!(a[29] > 2.19 && a[41] < 2.1, "{a:?}");
}
