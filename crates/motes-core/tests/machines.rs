//! What acts on the axes of joints: springs, motors, friction and limits, in trees and in loops.

#[path = "common/block.rs"]
mod block;

use std::f32::consts::{PI, TAU};

use block::{RADIUS, block};
use glam::Vec3;
use motes_core::{BodyId, Joint, JointAxis, JointId, JointMotor, NewJoint, Partner, Pose, Settings, World, WorldError};

const DT: f32 = 1.0 / 60.0;

/// Particles so small that nothing touches.
fn world(substeps: u32, gravity: f32) -> World {
    World::new(Settings {
        particle_radius: 0.01 * RADIUS,
        gravity: gravity * Vec3::NEG_Y,
        substeps,
        ..Settings::default()
    })
    .expect("settings")
}

fn add(world: &mut World, counts: [usize; 3], middle: Vec3) -> BodyId {
    let new = block(world, counts, Pose::at(middle));
    world.add_body(new).expect("body")
}

fn join(world: &mut World, body: BodyId, partner: Partner, joint: Joint, axis: JointAxis) -> JointId {
    let new = NewJoint {
        axis,
        ..NewJoint::new(body, partner, joint)
    };
    world.add_joint(new).expect("joint")
}

/// A rod that lies along x from a hinge at the origin about z; its mass times gravity times arm, and its inertia there.
fn rod(world: &mut World, axis: JointAxis) -> (BodyId, JointId, f32, f32) {
    let body = add(world, [6, 2, 2], 0.3 * Vec3::X);
    let joint = join(world, body, Partner::World, Joint::Hinge(Vec3::ZERO, Vec3::Z), axis);
    let motion = world.body_motion(body).expect("alive");
    let inertia = motion.inertia.z_axis.z + motion.mass * 0.09;
    (body, joint, 9.81 * 0.3 * motion.mass, inertia)
}

fn position(world: &World, joint: JointId) -> f32 {
    world.joint_state(joint, DT).expect("it holds").position
}

fn run(world: &mut World, seconds: f32) {
    (0..(seconds / DT).round() as usize).for_each(|_| world.step(DT));
}

/// Periods and largest swings of a joint about 0 over some seconds, from its turning points.
fn swings(world: &mut World, joint: JointId, seconds: f32) -> (f32, Vec<f32>) {
    let mut places = vec![position(world, joint)];
    let mut tops: Vec<(f32, f32)> = Vec::new();
    for frame in 1..(seconds / DT) as usize {
        world.step(DT);
        places.push(position(world, joint));
        if let [a, b, c] = places[places.len().saturating_sub(3)..]
            && b > a
            && b >= c
        {
            let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
            tops.push((frame as f32 - 1.0 - slope / bend, b - 0.5 * slope * slope / bend));
        }
    }
    let spans = (tops.len() - 1) as f32;
    let period = DT * (tops[tops.len() - 1].0 - tops[0].0) / spans;
    (period, tops.into_iter().map(|(_, top)| top).collect())
}

#[test]
fn a_torsion_spring_has_its_period_and_keeps_its_amplitude_at_any_step() {
    for substeps in [2, 4, 8] {
        let mut world = world(substeps, 0.0);
        let axis = JointAxis {
            stiffness: 400.0,
            rest: Some(0.5),
            ..JointAxis::default()
        };
        let (_, joint, _, inertia) = rod(&mut world, axis);
        let (period, tops) = swings(&mut world, joint, 12.0);
        let exact = TAU * (inertia / 400.0).sqrt();
        assert!((period / exact - 1.0).abs() < 0.01, "{substeps}: {period} {exact}");
        let lost = 1.0 - ((tops[tops.len() - 1] - 0.5) / (tops[0] - 0.5)).powf(1.0 / (tops.len() - 1) as f32);
        assert!(lost.abs() < 0.01, "{substeps}: {lost} {tops:?}");
    }
}

#[test]
fn a_damped_spring_decays_as_it_should_and_rests_where_load_and_stiffness_say() {
    let mut world = world(4, 9.81);
    let (_, joint, torque, inertia) = rod(&mut world, JointAxis::default());
    let axis = JointAxis {
        stiffness: 40.0 * torque,
        damping: 0.4 * (40.0 * torque * inertia).sqrt(),
        ..JointAxis::default()
    };
    world.set_joint_axis(joint, axis).expect("axis");
    run(&mut world, 6.0);
    let place = position(&world, joint);
    assert!((place + place.cos() / 40.0).abs() < 2e-4, "{place}");
    let state = world.joint_state(joint, DT).expect("it holds");
    assert!((state.effort / torque - place.cos()).abs() < 2e-3, "{state:?}");
    let weight = world.body_motion(world.bodies().list[0].id).expect("alive").mass * 9.81;
    assert!((state.force.y / weight - 1.0).abs() < 2e-3, "{state:?}");
}

#[test]
fn a_motor_holds_its_speed_under_load_and_stalls_at_its_torque() {
    for (most, works) in [(1.2, true), (0.8, false)] {
        let mut world = world(2, 9.81);
        let (_, joint, torque, _) = rod(&mut world, JointAxis::default());
        let motor = JointMotor::Speed {
            speed: 2.0,
            most: most * torque,
        };
        let axis = JointAxis {
            motor: Some(motor),
            ..JointAxis::default()
        };
        world.set_joint_axis(joint, axis).expect("axis");
        run(&mut world, 0.8);
        for _ in 0..300 {
            world.step(DT);
            let state = world.joint_state(joint, DT).expect("it holds");
            assert!(state.effort.abs() <= 1.001 * most * torque, "{state:?}");
            if works {
                assert!((state.speed / 2.0 - 1.0).abs() < 0.01, "{state:?}");
            }
        }
        let place = position(&world, joint);
        if works {
            assert!(place > 9.0, "{place}");
        } else {
            assert!(place < 0.0, "{place}");
        }
    }
}

#[test]
fn a_servo_goes_where_it_is_told_and_stays() {
    let mut world = world(2, 9.81);
    let (_, joint, torque, _) = rod(&mut world, JointAxis::default());
    let target = |target: f32| JointMotor::Position {
        target,
        speed: 1.0,
        most: 4.0 * torque,
    };
    let axis = JointAxis {
        motor: Some(target(1.0)),
        ..JointAxis::default()
    };
    world.set_joint_axis(joint, axis).expect("axis");
    run(&mut world, 0.5);
    assert!((position(&world, joint) - 0.5).abs() < 0.03);
    run(&mut world, 2.0);
    assert!(
        (position(&world, joint) - 1.0).abs() < 1e-3,
        "{}",
        position(&world, joint)
    );
    world.set_joint_motor(joint, Some(target(-0.5))).expect("motor");
    run(&mut world, 4.0);
    assert!(
        (position(&world, joint) + 0.5).abs() < 1e-3,
        "{}",
        position(&world, joint)
    );
}

#[test]
fn friction_stops_a_rod_after_the_angle_that_its_energy_gives() {
    for substeps in [2, 4, 8] {
        let mut world = world(substeps, 0.0);
        let (body, joint, _, inertia) = rod(&mut world, JointAxis::default());
        let speed = 4.0;
        let friction = 0.5 * inertia * speed * speed / 2.0;
        let axis = JointAxis {
            friction,
            ..JointAxis::default()
        };
        world.set_joint_axis(joint, axis).expect("axis");
        let spin = speed * Vec3::Z;
        world
            .set_body_velocity(body, spin.cross(0.3 * Vec3::X), spin)
            .expect("alive");
        run(&mut world, 2.0);
        let place = position(&world, joint);
        assert!((place / 2.0 - 1.0).abs() < 0.05, "{substeps}: {place}");
        run(&mut world, 10.0);
        assert!((position(&world, joint) - place).abs() < 1e-5);
    }
}

#[test]
fn friction_holds_a_load_below_its_bound_for_a_minute() {
    for (share, holds) in [(1.05, true), (0.95, false)] {
        let mut world = world(2, 9.81);
        let (_, joint, torque, _) = rod(&mut world, JointAxis::default());
        let axis = JointAxis {
            friction: share * torque,
            ..JointAxis::default()
        };
        world.set_joint_axis(joint, axis).expect("axis");
        run(&mut world, if holds { 60.0 } else { 2.0 });
        let place = position(&world, joint);
        assert_eq!(place.abs() < 1e-3, holds, "{share}: {place}");
    }
}

#[test]
fn limits_bear_what_falls_on_them_and_let_go_of_it() {
    let mut world = world(2, 9.81);
    let axis = JointAxis {
        limits: [-0.6, 0.4],
        ..JointAxis::default()
    };
    let (body, joint, ..) = rod(&mut world, axis);
    run(&mut world, 3.0);
    let place = position(&world, joint);
    assert!((place + 0.6).abs() < 0.5_f32.to_radians(), "{place}");
    let motion = world.body_motion(body).expect("alive");
    let spin = 8.0 * Vec3::Z;
    world
        .set_body_velocity(body, spin.cross(motion.center), spin)
        .expect("alive");
    let mut most = -1.0_f32;
    for _ in 0..60 {
        world.step(DT);
        most = most.max(position(&world, joint));
    }
    assert!(most > 0.2 && most < 0.4 + 0.5_f32.to_radians(), "{most}");
}

/// A block on an upright slider beside its middle.
fn lift(world: &mut World, axis: JointAxis) -> (BodyId, JointId, f32) {
    let body = add(world, [3, 3, 3], Vec3::new(0.4, 0.0, 0.1));
    let slider = Joint::Slider(Vec3::ZERO, Vec3::Y);
    let joint = join(world, body, Partner::World, slider, axis);
    let weight = 9.81 * world.body_motion(body).expect("alive").mass;
    (body, joint, weight)
}

#[test]
fn a_slider_leaves_one_way_free() {
    let mut world = world(2, 9.81);
    let (body, joint, _) = lift(&mut world, JointAxis::default());
    run(&mut world, 1.0);
    let fallen = position(&world, joint);
    assert!((fallen + 0.5 * 9.81).abs() < 0.01, "{fallen}");
    let motion = world.body_motion(body).expect("alive");
    let aside = motion.center - Vec3::new(0.4, motion.center.y, 0.1);
    assert!(
        aside.length() < 1e-4 && motion.angular_velocity.length() < 1e-3,
        "{motion:?}"
    );
    let state = world.joint_state(joint, DT).expect("it holds");
    assert!((state.speed + 9.81).abs() < 0.1, "{state:?}");
}

#[test]
fn a_slider_on_a_spring_bobs_and_one_with_a_motor_lifts() {
    let mut bobs = world(4, 9.81);
    let (_, joint, weight) = lift(&mut bobs, JointAxis::default());
    let axis = JointAxis {
        stiffness: 10.0 * weight,
        ..JointAxis::default()
    };
    bobs.set_joint_axis(joint, axis).expect("axis");
    let (period, tops) = swings(&mut bobs, joint, 8.0);
    let exact = TAU * (1.0_f32 / 98.1).sqrt();
    assert!((period / exact - 1.0).abs() < 0.01, "{period} {exact}");
    assert!(tops.iter().all(|top| top.abs() < 4e-3), "{tops:?}");
    let mut lifts = world(2, 9.81);
    let (_, joint, weight) = lift(&mut lifts, JointAxis::default());
    let motor = JointMotor::Speed {
        speed: 0.5,
        most: 1.1 * weight,
    };
    let axis = JointAxis {
        limits: [0.0, 1.0],
        motor: Some(motor),
        ..JointAxis::default()
    };
    lifts.set_joint_axis(joint, axis).expect("axis");
    run(&mut lifts, 1.5);
    let state = lifts.joint_state(joint, DT).expect("it holds");
    assert!(
        (state.speed - 0.5).abs() < 5e-3 && (state.effort / weight - 1.0).abs() < 0.02,
        "{state:?}"
    );
    run(&mut lifts, 2.0);
    assert!(
        (position(&lifts, joint) - 1.0).abs() < 1e-3,
        "{}",
        position(&lifts, joint)
    );
}

#[test]
fn sliders_keep_the_angular_momentum_of_what_they_join() {
    let mut world = world(2, 0.0);
    let bodies = [
        add(&mut world, [4, 2, 2], Vec3::ZERO),
        add(&mut world, [2, 2, 2], Vec3::new(0.6, 0.3, 0.0)),
    ];
    let axis = JointAxis {
        stiffness: 500.0,
        limits: [-0.4, 0.4],
        ..JointAxis::default()
    };
    let slider = Joint::Slider(Vec3::new(0.3, 0.2, 0.0), Vec3::new(1.0, 0.2, 0.0));
    let joint = join(&mut world, bodies[0], Partner::Body(bodies[1]), slider, axis);
    let velocity = Vec3::new(1.0, 0.5, 0.2);
    for (body, velocity, spin) in [
        (bodies[0], velocity, Vec3::new(0.0, 1.0, 3.0)),
        (bodies[1], -2.0 * velocity, Vec3::ZERO),
    ] {
        world.set_body_velocity(body, velocity, spin).expect("alive");
    }
    let momenta = |world: &World| {
        bodies.iter().fold([Vec3::ZERO; 2], |[linear, angular], &body| {
            let motion = world.body_motion(body).expect("alive");
            let momentum = motion.mass * motion.velocity;
            // Velocities are those of half a sub-step before.
            let center = motion.center - 0.25 * DT * motion.velocity;
            let spin = center.cross(momentum) + motion.inertia * motion.angular_velocity;
            [linear + momentum, angular + spin]
        })
    };
    let before = momenta(&world);
    let mut most = 0.0_f32;
    for _ in 0..300 {
        world.step(DT);
        most = most.max(position(&world, joint).abs());
    }
    let after = momenta(&world);
    assert!(most > 0.05 && most < 0.41, "{most}");
    assert!(before[0].distance(after[0]) < 0.01, "{before:?} {after:?}");
    assert!(
        before[1].distance(after[1]) < 0.01 * before[1].length(),
        "{before:?} {after:?}"
    );
}

#[test]
fn a_spring_between_two_points_sags_by_the_load_and_a_rope_holds_its_length() {
    for substeps in [2, 8] {
        let mut world = world(substeps, 9.81);
        let body = add(&mut world, [2, 2, 2], Vec3::new(0.0, -1.0, 0.0));
        let weight = 9.81 * world.body_motion(body).expect("alive").mass;
        let middle = Vec3::new(0.0, -1.0, 0.0);
        let axis = JointAxis {
            stiffness: 20.0 * weight,
            damping: 2.0 * weight,
            ..JointAxis::default()
        };
        let spring = join(
            &mut world,
            body,
            Partner::World,
            Joint::Distance(middle, Vec3::ZERO),
            axis,
        );
        run(&mut world, 8.0);
        let state = world.joint_state(spring, DT).expect("it holds");
        assert!((state.position - 1.05).abs() < 1e-3, "{substeps}: {state:?}");
        assert!((state.force.y / weight - 1.0).abs() < 0.01, "{state:?}");
    }
    let mut world = world(2, 9.81);
    let body = add(&mut world, [2, 2, 2], Vec3::X * 0.5);
    let axis = JointAxis {
        limits: [0.0, 1.0],
        ..JointAxis::default()
    };
    let rope = join(
        &mut world,
        body,
        Partner::World,
        Joint::Distance(Vec3::X * 0.5, Vec3::ZERO),
        axis,
    );
    for _ in 0..300 {
        world.step(DT);
        assert!(position(&world, rope) < 1.002, "{}", position(&world, rope));
    }
    assert!(position(&world, rope) > 0.99);
}

#[test]
fn a_cone_holds_a_ball_joint_upright_and_friction_stops_its_spin() {
    let mut leaning = world(2, 9.81);
    let body = add(&mut leaning, [2, 6, 2], Vec3::new(0.02, 0.35, 0.0));
    let axis = JointAxis {
        limits: [f32::NEG_INFINITY, 0.3],
        ..JointAxis::default()
    };
    let joint = join(&mut leaning, body, Partner::World, Joint::Ball(Vec3::ZERO), axis);
    run(&mut leaning, 5.0);
    let place = position(&leaning, joint);
    assert!((place - 0.3).abs() < 0.5_f32.to_radians(), "{place}");
    let mut spun = world(2, 0.0);
    let body = add(&mut spun, [2, 6, 2], Vec3::new(0.0, 0.35, 0.0));
    let inertia = spun.body_motion(body).expect("alive").inertia.y_axis.y;
    let axis = JointAxis {
        friction: inertia * 4.0,
        ..JointAxis::default()
    };
    join(&mut spun, body, Partner::World, Joint::Ball(Vec3::ZERO), axis);
    spun.set_body_velocity(body, Vec3::ZERO, 4.0 * Vec3::Y).expect("alive");
    run(&mut spun, 0.5);
    let half = spun.body_motion(body).expect("alive").angular_velocity;
    assert!((half.y - 2.0).abs() < 0.1, "{half}");
    run(&mut spun, 1.0);
    assert!(spun.body_motion(body).expect("alive").angular_velocity.length() < 1e-3);
}

#[test]
fn a_damped_ball_joint_loses_its_spin_by_the_time_that_its_inertia_gives() {
    let mut world = world(4, 0.0);
    let body = add(&mut world, [2, 6, 2], Vec3::new(0.0, 0.35, 0.0));
    let inertia = world.body_motion(body).expect("alive").inertia.y_axis.y;
    let axis = JointAxis {
        damping: inertia,
        ..JointAxis::default()
    };
    join(&mut world, body, Partner::World, Joint::Ball(Vec3::ZERO), axis);
    world.set_body_velocity(body, Vec3::ZERO, 4.0 * Vec3::Y).expect("alive");
    run(&mut world, 1.0);
    let left = world.body_motion(body).expect("alive").angular_velocity.y / 4.0;
    assert!((left / (-1.0_f32).exp() - 1.0).abs() < 0.01, "{left}");
}

/// A four-bar linkage: a crank that a motor turns, a coupler and a rocker, which close a loop with the world.
fn linkage(world: &mut World, axis: JointAxis) -> (Vec<BodyId>, JointId) {
    let crank = add(world, [3, 1, 2], Vec3::new(0.0, 0.1, 0.0));
    let coupler = add(world, [8, 1, 2], Vec3::new(0.4, 0.2, 0.2));
    let rocker = add(world, [2, 6, 2], Vec3::new(0.8, -0.1, 0.0));
    let hinge = |at: Vec3| Joint::Hinge(at, Vec3::Z);
    let driven = join(world, crank, Partner::World, hinge(Vec3::ZERO), axis);
    let plain = JointAxis::default();
    let end = Vec3::new(0.0, 0.2, 0.1);
    join(world, coupler, Partner::Body(crank), hinge(end), plain);
    let far = Vec3::new(0.8, 0.2, 0.1);
    join(world, rocker, Partner::Body(coupler), hinge(far), plain);
    join(world, rocker, Partner::World, hinge(Vec3::new(0.8, -0.4, 0.0)), plain);
    (vec![crank, coupler, rocker], driven)
}

#[test]
fn a_motor_turns_a_linkage() {
    let mut world = world(4, 9.81);
    let axis = JointAxis {
        motor: Some(JointMotor::Speed {
            speed: PI,
            most: 3000.0,
        }),
        ..JointAxis::default()
    };
    let (_, joint) = linkage(&mut world, axis);
    run(&mut world, 10.0);
    let state = world.joint_state(joint, DT).expect("it holds");
    assert!((state.position / (10.0 * PI) - 1.0).abs() < 0.01, "{state:?}");
}

#[test]
fn a_spring_in_a_loop_gains_no_energy_in_a_minute() {
    let mut world = world(2, 0.0);
    let axis = JointAxis {
        stiffness: 300.0,
        rest: Some(0.4),
        ..JointAxis::default()
    };
    let (bodies, joint) = linkage(&mut world, axis);
    let energy = |world: &World| {
        let moving: f32 = bodies
            .iter()
            .map(|&body| {
                let motion = world.body_motion(body).expect("alive");
                let turning = motion.angular_velocity.dot(motion.inertia * motion.angular_velocity);
                0.5 * (motion.mass * motion.velocity.length_squared() + turning)
            })
            .sum();
        // Velocities are those of half a sub-step before.
        let state = world.joint_state(joint, DT).expect("it holds");
        let bent = state.position - 0.25 * DT * state.speed - 0.4;
        moving + 0.5 * 300.0 * bent * bent
    };
    let start = energy(&world);
    let mut most = 0.0_f32;
    for _ in 0..3600 {
        world.step(DT);
        most = most.max(energy(&world) / start);
    }
    assert!(most < 1.01, "{most}");
}

#[test]
fn what_bends_has_no_axis_and_nonsense_is_refused() {
    let mut world = world(2, 9.81);
    let new = motes_core::NewBody {
        stiffness: 0.5,
        ..block(&mut world, [2, 2, 2], Pose::IDENTITY)
    };
    let soft = world.add_body(new).expect("body");
    let axis = JointAxis {
        friction: 1.0,
        ..JointAxis::default()
    };
    let new = |joint: Joint, axis: JointAxis| NewJoint {
        axis,
        ..NewJoint::new(soft, Partner::World, joint)
    };
    let hinge = Joint::Hinge(Vec3::ZERO, Vec3::Z);
    let refused = world.add_joint(new(hinge, axis));
    assert!(
        matches!(&refused, Err(WorldError::Value { found, .. }) if found.contains("bends")),
        "{refused:?}"
    );
    let slider = Joint::Slider(Vec3::ZERO, Vec3::Z);
    assert!(world.add_joint(new(slider, JointAxis::default())).is_err());
    assert!(world.add_joint(new(hinge, JointAxis::default())).is_ok());
    let limits = JointAxis {
        limits: [1.0, 0.0],
        ..JointAxis::default()
    };
    assert!(world.add_joint(new(hinge, limits)).is_err());
    assert!(
        world
            .add_joint(new(Joint::Slider(Vec3::ZERO, Vec3::ZERO), axis))
            .is_err()
    );
    let spring = Joint::Distance(Vec3::ZERO, Vec3::Y);
    assert!(
        world
            .add_joint(new(
                spring,
                JointAxis {
                    stiffness: 10.0,
                    ..axis
                }
            ))
            .is_ok()
    );
}

#[test]
fn joints_switched_off_let_go_and_hold_again() {
    let mut world = world(2, 9.81);
    let axis = JointAxis {
        friction: 1e6,
        ..JointAxis::default()
    };
    let (body, joint, ..) = rod(&mut world, axis);
    run(&mut world, 0.5);
    world.switch_joint(joint, false).expect("it holds");
    run(&mut world, 0.5);
    let fallen = world.body_motion(body).expect("alive").center.y;
    assert!((fallen + 0.5 * 9.81 * 0.25).abs() < 0.1, "{fallen}");
    assert!(!world.joint_state(joint, DT).expect("it is there").is_on);
}

#[test]
fn a_saved_machine_goes_on_to_the_last_bit() {
    let mut world = world(3, 9.81);
    let axis = JointAxis {
        stiffness: 200.0,
        friction: 3.0,
        limits: [-1.0, 1.0],
        ..JointAxis::default()
    };
    let (_, joint, ..) = rod(&mut world, axis);
    linkage(&mut world, JointAxis { damping: 2.0, ..axis });
    run(&mut world, 0.7);
    let mut restored = World::restore(&world.save(), Box::new(motes_core::CpuEngine::new())).expect("a state");
    for world in [&mut world, &mut restored] {
        run(world, 0.7);
    }
    assert_eq!(world.digest(), restored.digest());
    assert_eq!(world.joint_state(joint, DT), restored.joint_state(joint, DT));
}

#[test]
fn a_motor_faster_than_the_step_can_show_turns_by_a_radian_in_each() {
    let mut world = world(2, 0.0);
    let axis = JointAxis {
        motor: Some(JointMotor::Speed { speed: 1e4, most: 1e6 }),
        ..JointAxis::default()
    };
    let (_, joint, ..) = rod(&mut world, axis);
    run(&mut world, 1.0);
    let state = world.joint_state(joint, DT).expect("it holds");
    assert!((state.speed / 120.0 - 1.0).abs() < 0.05, "{state:?}");
    assert!(world.health().is_ok());
}
