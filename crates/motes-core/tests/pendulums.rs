//! Joints damp nothing that the step can follow, and hold what it cannot.

#[path = "common/block.rs"]
mod block;

use block::{RADIUS, block};
use glam::{Quat, Vec3};
use motes_core::{Anchor, AttachmentId, BodyId, Joint, NewBody, Partner, Pose, Settings, World};

const DT: f32 = 1.0 / 60.0;

/// A world of particles so small that links which fold over each other do not touch.
fn world(substeps: u32, iterations: u32) -> World {
    World::new(Settings {
        particle_radius: 0.01 * RADIUS,
        substeps,
        iterations,
        ..Settings::default()
    })
    .expect("settings")
}

fn hinge(point: Vec3) -> Joint {
    Joint::Hinge(point, Vec3::Z)
}

/// Blocks in a row from the origin, the first one held there, turned upwards by an angle from hanging down.
fn chain(world: &mut World, joint: fn(Vec3) -> Joint, degrees: f32, counts: &[[usize; 3]]) -> Vec<BodyId> {
    let turn = Quat::from_rotation_z((degrees - 90.0).to_radians());
    let mut last = Partner::World;
    let mut end = 0.0;
    let mut bodies = Vec::new();
    for &counts in counts {
        let length = 2.0 * RADIUS * (counts[0] + 1) as f32;
        // Beside each other, so that the particles of links that fold do not meet.
        let aside = RADIUS * (bodies.len() % 2) as f32 * Vec3::Z;
        let pose = Pose {
            position: turn * ((end + 0.5 * length) * Vec3::X + aside),
            rotation: turn,
        };
        let new = block(world, counts, pose);
        let body = world.add_body(new).expect("body");
        world
            .join(body, last, joint(turn * (end * Vec3::X)), f32::INFINITY)
            .expect("joint");
        bodies.push(body);
        last = Partner::Body(body);
        end += length;
    }
    bodies
}

/// Kinetic and potential energy, J. Velocities are those of half a sub-step before the positions.
fn energy(world: &World, bodies: &[BodyId]) -> f64 {
    let half = 0.5 * DT / world.settings().substeps as f32;
    let energy = |&body: &BodyId| {
        let motion = world.body_motion(body).expect("alive");
        let turning = motion.angular_velocity.dot(motion.inertia * motion.angular_velocity);
        let height = motion.center.y - half * motion.velocity.y;
        0.5 * (motion.mass * motion.velocity.length_squared() + turning) + 9.81 * motion.mass * height
    };
    bodies.iter().map(|body| f64::from(energy(body))).sum()
}

/// Largest gap at a joint, metres.
fn gap(world: &World) -> f32 {
    let place = |body: BodyId, point: Vec3| world.body_motion(body).expect("alive").pose.point(point);
    let gaps = world.bodies().attachments.iter().map(|attached| {
        let one = &attached.attachment;
        let other = match one.anchor {
            Anchor::World(point) => point,
            Anchor::Body(body, point) => place(body, point),
            Anchor::Collider(..) => f32::NAN * Vec3::ONE,
        };
        place(one.body, one.point).distance(other)
    });
    gaps.fold(0.0, f32::max)
}

/// Lowest and highest energy in ten seconds against that of the start, as a share of what could be set free at most, and the
/// widest gap, metres.
fn swing(world: &mut World, bodies: &[BodyId]) -> ([f64; 2], f32) {
    let start = energy(world, bodies);
    let weight: f64 = bodies
        .iter()
        .map(|&body| {
            let motion = world.body_motion(body).expect("alive");
            f64::from(9.81 * motion.mass * (motion.center.length() + motion.center.y))
        })
        .sum();
    let (mut range, mut widest) = ([0.0; 2], 0.0_f32);
    for _ in 0..600 {
        world.step(DT);
        let change = (energy(world, bodies) - start) / weight;
        range = [change.min(range[0]), change.max(range[1])];
        widest = widest.max(gap(world));
    }
    (range, widest)
}

/// Angle of a body that lay along x when it was made, from hanging down, radians.
fn angle(world: &World, body: BodyId) -> f32 {
    let along = world.body_motion(body).expect("alive").pose.direction(Vec3::X);
    along.x.atan2(-along.y)
}

/// Times and angles at which a body comes to rest on the side where it began.
fn peaks(world: &mut World, body: BodyId, seconds: f32) -> Vec<(f32, f32)> {
    let mut angles = vec![angle(world, body)];
    let mut peaks = vec![(0.0, angles[0])];
    for frame in 1..(seconds / DT) as usize {
        world.step(DT);
        angles.push(angle(world, body));
        if let [a, b, c] = angles[angles.len().saturating_sub(3)..]
            && b > 0.0
            && b >= a
            && b > c
        {
            // The top of the parabola through three frames.
            let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
            let top = frame as f32 - 1.0 - slope / bend;
            peaks.push((top * DT, b - 0.5 * slope * slope / bend));
        }
    }
    peaks
}

/// The period of a pendulum over that of small swings, by the arithmetic–geometric mean.
fn longer(amplitude: f32) -> f32 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..5 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    1.0 / a
}

#[test]
fn a_rod_keeps_its_amplitude_and_its_period() {
    for joint in [hinge, Joint::Ball] {
        for degrees in [5.0_f32, 30.0, 60.0, 90.0] {
            let mut world = world(2, 4);
            let rod = chain(&mut world, joint, degrees, &[[9, 2, 2]])[0];
            let motion = world.body_motion(rod).expect("alive");
            let arm = motion.center.length();
            let inertia = motion.mass * arm * arm + motion.inertia.z_axis.z;
            let small = std::f32::consts::TAU * (inertia / (motion.mass * 9.81 * arm)).sqrt();
            let peaks = peaks(&mut world, rod, 12.0);
            let (periods, last) = ((peaks.len() - 1) as f32, peaks[peaks.len() - 1]);
            let loss = 1.0 - (last.1 / peaks[0].1).powf(1.0 / periods);
            assert!(loss.abs() < 1e-3, "{degrees}°: {loss} a period");
            let period = last.0 / periods / (small * longer(degrees.to_radians()));
            assert!((period - 1.0).abs() < 1e-3, "{degrees}°: {period} of the period");
        }
    }
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    for joint in [hinge, Joint::Ball] {
        let mut world = world(2, 4);
        let bodies = chain(&mut world, joint, 70.0, &[[6, 2, 2]; 2]);
        let (change, gap) = swing(&mut world, &bodies);
        assert!(change[0] > -0.01 && change[1] < 0.01, "{change:?}");
        assert!(gap < 2e-5, "{gap} m");
    }
}

#[test]
fn glued_blocks_swing_as_one() {
    let mut world = world(2, 4);
    let bodies = chain(&mut world, hinge, 40.0, &[[4, 2, 2]; 2]);
    world
        .join(bodies[0], Partner::Body(bodies[1]), Joint::Fixed, f32::INFINITY)
        .expect("glue");
    let peaks = peaks(&mut world, bodies[1], 8.0);
    let loss = 1.0 - (peaks[peaks.len() - 1].1 / peaks[0].1).powf(1.0 / (peaks.len() - 1) as f32);
    assert!(loss.abs() < 2e-3, "{loss} a period");
    let [first, second] = [bodies[0], bodies[1]].map(|body| angle(&world, body));
    assert!((first - second).abs() < 1e-3, "{first} {second}");
}

#[test]
fn what_swings_faster_than_the_step_gains_no_energy_and_holds() {
    let whip = vec![[2, 2, 2]; 8];
    let ball_on_chain = [vec![[2, 2, 2]; 7], vec![[7, 7, 7]]].concat();
    let rows = [vec![[1, 2, 1]; 7], vec![[4, 4, 4]]].concat();
    for (counts, most) in [(whip, 5e-3), (ball_on_chain, 5e-4), (rows, 0.02)] {
        for (substeps, iterations) in [(1, 4), (2, 1), (2, 4)] {
            let mut world = world(substeps, iterations);
            let bodies = chain(&mut world, Joint::Ball, 90.0, &counts);
            let (change, gap) = swing(&mut world, &bodies);
            assert!(change[1] < 0.01, "{counts:?}, {substeps} × {iterations}: {change:?}");
            let most = if (substeps, iterations) == (2, 4) { most } else { 0.15 };
            assert!(gap < most, "{counts:?}, {substeps} × {iterations}: {gap} m");
        }
    }
}

#[test]
fn a_beam_held_at_both_ends_bears_its_weight_and_no_more() {
    let mut world = world(2, 4);
    let place = |k: usize| Vec3::new(5.0 + 0.5 * k as f32, 3.0, -4.0);
    let blocks: Vec<BodyId> = (0..5)
        .map(|k| {
            let new = block(&mut world, [4, 2, 2], Pose::at(place(k)));
            world.add_body(new).expect("block")
        })
        .collect();
    let mut held = Vec::new();
    for (k, &body) in blocks.iter().enumerate() {
        let partner = k
            .checked_sub(1)
            .map_or(Partner::World, |last| Partner::Body(blocks[last]));
        held.push(world.join(body, partner, Joint::Fixed, f32::INFINITY).expect("glue"));
    }
    held.push(
        world
            .join(blocks[4], Partner::World, Joint::Fixed, f32::INFINITY)
            .expect("glue"),
    );
    (0..120).for_each(|_| world.step(DT));
    let force = |ids: &[AttachmentId]| -> Vec3 {
        let forces = ids.iter().map(|&id| world.attachment_force(id, DT).expect("it holds"));
        forces.sum()
    };
    let weight = 5.0 * 16.0 * 9.81;
    let [first, last] = [&held[0], &held[5]].map(|ids| force(ids));
    assert!(((first + last).y / weight - 1.0).abs() < 0.02, "{first} {last}");
    assert!(
        first.length() < 1.5 * weight && last.length() < 1.5 * weight,
        "{first} {last}"
    );
    let sag = world.body_motion(blocks[2]).expect("alive").center.distance(place(2));
    assert!(sag < 1e-3, "{sag} m");
}

/// Blocks in a hexagon, each joined to the next, that hangs by one of them.
fn ring(world: &mut World) -> Vec<BodyId> {
    let corner = |k: usize| 0.5 * (Quat::from_rotation_z((60.0 * k as f32).to_radians()) * Vec3::X);
    let bodies: Vec<BodyId> = (0..6)
        .map(|k| {
            let pose = Pose {
                position: 0.5 * (corner(k) + corner(k + 1)),
                rotation: Quat::from_rotation_z((60.0 * k as f32 + 120.0).to_radians()),
            };
            let new: NewBody = block(world, [3, 2, 2], pose);
            world.add_body(new).expect("body")
        })
        .collect();
    for k in 0..6 {
        let next = Partner::Body(bodies[(k + 1) % 6]);
        world
            .join(bodies[k], next, Joint::Ball(corner(k + 1)), f32::INFINITY)
            .expect("joint");
    }
    world
        .join(bodies[0], Partner::World, Joint::Ball(corner(1)), f32::INFINITY)
        .expect("nail");
    bodies
}

#[test]
fn a_ring_holds_and_gains_no_energy() {
    let mut world = world(2, 4);
    let bodies = ring(&mut world);
    let (change, gap) = swing(&mut world, &bodies);
    assert!(change[1] < 0.01, "{change:?}");
    assert!(gap < 0.01, "{gap} m");
}
