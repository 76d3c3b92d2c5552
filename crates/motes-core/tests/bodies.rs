//! Bodies keep their shape, their spin and their distance.

#[path = "common/block.rs"]
mod block;

use block::{RADIUS, block};
use glam::{Quat, Vec3, Vec4};
use motes_core::colliders::{Cuboid, Plane};
use motes_core::constraints::inscribed::NO_BALL;
use motes_core::{
    Anchor, Attachment, BodyId, Clusters, Collider, CpuEngine, Group, Joint, Keyframe, Material, Motion, NewBody,
    NewJoint, Partner, Plasticity, Pose, Settings, Shape, World,
};

const DT: f32 = 1.0 / 60.0;

/// A world with a floor of stone, or without one and without gravity.
fn world(floor: bool, change: impl Fn(&mut Settings)) -> World {
    let mut settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    if !floor {
        settings.gravity = Vec3::ZERO;
    }
    change(&mut settings);
    let mut world = World::new(settings).expect("settings");
    let stone = world.add_material(Material::default()).expect("material");
    if floor {
        let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
        world
            .add_collider(Collider::new("floor", plane, stone, Pose::IDENTITY))
            .expect("floor");
    }
    world
}

fn run(world: &mut World, seconds: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        world.step(DT);
        world.health().expect("finite numbers");
    }
}

fn height(world: &mut World, body: BodyId) -> f32 {
    world.body_motion(body).expect("alive").center.y
}

/// Largest change of the distance between two particles of a body, as a share of it.
fn strain(world: &mut World, body: BodyId, rest: &[Vec3]) -> f32 {
    let places: Vec<Vec3> = world
        .body_positions(body)
        .expect("alive")
        .into_iter()
        .flatten()
        .collect();
    let mut worst = 0.0f32;
    for i in 1..rest.len() {
        for j in [i - 1, i / 2] {
            let before = rest[i].distance(rest[j]);
            worst = worst.max((places[i].distance(places[j]) / before - 1.0).abs());
        }
    }
    worst
}

#[test]
fn a_block_comes_to_rest_on_the_floor() {
    let mut world = world(true, |_| {});
    let new = block(&mut world, [4, 4, 4], Pose::at(Vec3::Y * 0.6));
    let rest = new.positions.clone();
    let body = world.add_body(new).expect("body");
    run(&mut world, 2.0);
    assert!((height(&mut world, body) - 0.2).abs() < 0.002);
    assert!(strain(&mut world, body, &rest) < 1e-4);
    let motion = world.body_motion(body).expect("alive");
    assert!(motion.velocity.length() < 0.02 && motion.angular_velocity.length() < 0.02);
}

#[test]
fn a_spinning_body_keeps_its_spin() {
    for counts in [[4, 4, 4], [6, 2, 1], [8, 1, 1], [1, 6, 6]] {
        let mut world = world(false, |_| {});
        let tilted = Pose {
            position: Vec3::ZERO,
            rotation: Quat::from_rotation_x(0.3),
        };
        let new = block(&mut world, counts, tilted);
        let angular_velocity = Vec3::new(2.0, 6.0, -3.0);
        let body = world
            .add_body(NewBody {
                angular_velocity,
                velocity: Vec3::X,
                ..new
            })
            .expect("body");
        let spin = |world: &mut World| {
            let motion = world.body_motion(body).expect("alive");
            motion.inertia * motion.angular_velocity
        };
        let before = spin(&mut world);
        run(&mut world, 10.0);
        let after = spin(&mut world);
        assert!(
            (after - before).length() < 0.01 * before.length(),
            "{counts:?}: {before} became {after}"
        );
        let motion = world.body_motion(body).expect("alive");
        assert!((motion.velocity - Vec3::X).length() < 1e-3);
    }
}

#[test]
fn a_stack_of_ten_keeps_its_height() {
    let mut world = world(true, |_| {});
    let bodies: Vec<BodyId> = (0..10)
        .map(|k| {
            let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::Y * (0.1 + 0.2 * k as f32)));
            world.add_body(new).expect("body")
        })
        .collect();
    run(&mut world, 10.0);
    let top = world.body_motion(bodies[9]).expect("alive");
    assert!(top.center.y + 0.1 > 0.98 * 2.0, "{}", top.center);
    assert!(top.center.x.hypot(top.center.z) < 1e-3, "{}", top.center);
    assert!(top.velocity.length() < 0.05);
}

/// Height that a stack of ten loses in a fifth of a second, metres, with mass scaling of their own on bodies alternately.
fn sunk(mass_scaling: [Option<f32>; 2], setting: f32) -> f32 {
    let mut world = world(true, |settings| {
        settings.body_mass_scaling = setting;
        (settings.substeps, settings.iterations) = (1, 2);
    });
    let bodies: Vec<BodyId> = (0..10)
        .map(|k| {
            let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::Y * (0.1 + 0.2 * k as f32)));
            let mass_scaling = mass_scaling[k % 2];
            world.add_body(NewBody { mass_scaling, ..new }).expect("body")
        })
        .collect();
    run(&mut world, 0.2);
    1.9 - world.body_motion(bodies[9]).expect("alive").center.y
}

#[test]
fn a_body_has_its_own_mass_scaling_and_of_two_the_smaller_counts() {
    let (with, without) = (sunk([None; 2], 1.0), sunk([None; 2], 0.0));
    assert!(with < 0.7 * without, "{with} {without}");
    assert_eq!(sunk([Some(1.0); 2], 0.0), with);
    assert_eq!(sunk([Some(0.0); 2], 1.0), without);
    assert_eq!(sunk([Some(0.0), None], 1.0), without);
    assert_eq!(sunk([Some(1.0), Some(3.0)], 0.3), with);
}

#[test]
fn a_heavy_body_dropped_on_a_corner_stays_rigid() {
    let mut world = world(true, |_| {});
    let tilted = Pose {
        position: Vec3::Y * 2.5,
        rotation: Quat::from_rotation_z(0.7) * Quat::from_rotation_x(0.6),
    };
    let new = block(&mut world, [27, 27, 27], tilted);
    let rest = new.positions.clone();
    let body = world.add_body(new).expect("body");
    let (mut worst, mut deepest) = (0.0f32, 0.0f32);
    for _ in 0..60 {
        world.step(DT);
        worst = worst.max(strain(&mut world, body, &rest));
        let lowest = world.particles().positions.iter().map(|p| p.y).fold(f32::MAX, f32::min);
        deepest = deepest.max(RADIUS - lowest);
    }
    assert!(worst < 1e-4, "strain {worst}");
    assert!(deepest < 1.5 * RADIUS, "sank {deepest} m into the floor");
}

#[test]
fn momentum_is_kept_when_bodies_collide() {
    let mut world = world(false, |_| {});
    let first = block(&mut world, [3, 3, 3], Pose::at(Vec3::new(-0.5, 0.07, 0.03)));
    let second = block(&mut world, [2, 4, 2], Pose::at(Vec3::new(0.5, 0.0, 0.0)));
    let ids = [
        world
            .add_body(NewBody {
                velocity: 2.0 * Vec3::X,
                ..first
            })
            .expect("body"),
        world.add_body(second).expect("body"),
    ];
    let momentum = |world: &mut World| {
        let each = ids.iter().map(|&id| world.body_motion(id).expect("alive"));
        each.map(|motion| motion.mass * motion.velocity).sum::<Vec3>()
    };
    let before = momentum(&mut world);
    run(&mut world, 1.5);
    let after = momentum(&mut world);
    let exchanged = 16.0 * world.body_motion(ids[1]).expect("alive").velocity.length();
    assert!(exchanged > 5.0, "they met");
    assert!((after - before).length() < 1e-3 * exchanged, "{before} became {after}");
}

#[test]
fn interlocked_bodies_separate_with_signed_distances_only() {
    let apart = |with_fields: bool| {
        let mut world = world(false, |_| {});
        let mut ids = Vec::new();
        for x in [-0.07, 0.07] {
            let mut new = block(&mut world, [4, 4, 4], Pose::at(Vec3::new(x, 0.02, 0.01)));
            if !with_fields {
                new.fields.clear();
                new.faces.clear();
            }
            ids.push(world.add_body(new).expect("body"));
        }
        run(&mut world, 2.0);
        let centers = ids.iter().map(|&id| world.body_motion(id).expect("alive").center);
        let centers: Vec<Vec3> = centers.collect();
        centers[0].distance(centers[1])
    };
    assert!(apart(true) > 0.38, "{}", apart(true));
    assert!(apart(false) < 0.38, "{}", apart(false));
}

#[test]
fn a_soft_body_sags_more_than_a_stiff_one_and_returns() {
    let squeezed = |stiffness: f32| {
        let mut world = world(true, |_| {});
        let mut new = block(&mut world, [4, 6, 4], Pose::at(Vec3::Y * 0.6));
        new.stiffness = stiffness;
        let (low, high): (Vec<u32>, Vec<u32>) = (
            (0..96).filter(|member| member / 4 % 6 < 4).collect(),
            (0..96).filter(|member| member / 4 % 6 >= 2).collect(),
        );
        new.clusters = Clusters {
            starts: vec![0, low.len() as u32, (low.len() + high.len()) as u32],
            members: low.into_iter().chain(high).collect(),
            whole_stiffness: 0.0,
        };
        let body = world.add_body(new).expect("body");
        let mut least = f32::MAX;
        for _ in 0..120 {
            world.step(DT);
            let heights = world
                .body_positions(body)
                .expect("alive")
                .into_iter()
                .flatten()
                .map(|p| p.y);
            let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
            least = least.min(high - low);
        }
        (least, height(&mut world, body))
    };
    let (soft, stiff) = (squeezed(0.3), squeezed(0.99));
    assert!(soft.0 < stiff.0 - 0.01, "{soft:?} {stiff:?}");
    assert!(stiff.0 > 0.46, "{stiff:?}");
    assert!(soft.1 > 0.24 && stiff.1 > 0.28, "{soft:?} {stiff:?}");
}

#[test]
fn a_plastic_body_keeps_its_dent_and_a_rigid_one_has_none() {
    let bottom = |plastic: bool| {
        let mut world = world(true, |_| {});
        let tilted = Pose {
            position: Vec3::Y * 1.5,
            rotation: Quat::from_rotation_z(0.7),
        };
        let mut new = block(&mut world, [5, 5, 5], tilted);
        let plasticity = Plasticity {
            threshold: 0.002,
            creep: 1.0,
            limit: RADIUS,
        };
        new.plasticity = plastic.then_some(plasticity);
        let rest = new.positions.clone();
        let body = world.add_body(new).expect("body");
        run(&mut world, 3.0);
        strain(&mut world, body, &rest)
    };
    assert!(bottom(true) > 0.02, "{}", bottom(true));
    assert!(bottom(false) < 1e-4);
}

#[test]
fn pushes_and_kicks_do_what_newton_says() {
    let mut world = world(false, |_| {});
    let new = block(&mut world, [3, 3, 3], Pose::IDENTITY);
    let body = world.add_body(new).expect("body");
    for _ in 0..60 {
        world.push_body(body, 27.0 * Vec3::X, Vec3::ZERO).expect("alive");
        world.step(DT);
    }
    let motion = world.body_motion(body).expect("alive");
    assert!(
        (motion.velocity - Vec3::X).length() < 0.01,
        "1 m/s² for 1 s: {}",
        motion.velocity
    );
    world
        .kick_body(body, -27.0 * Vec3::X, motion.center + 0.1 * Vec3::Y)
        .expect("alive");
    let after = world.body_motion(body).expect("alive");
    assert!(after.velocity.length() < 0.01);
    let inertia = after.inertia.z_axis.z;
    assert!((after.angular_velocity.z - 2.7 / inertia).abs() < 0.01 * 2.7 / inertia);
    world.twist_body(body, Vec3::Z * inertia).expect("alive");
    run(&mut world, 1.0 / 60.0);
    let turned = world.body_motion(body).expect("alive").angular_velocity.z - after.angular_velocity.z;
    assert!((turned - DT).abs() < 0.1 * DT, "1 rad/s² for a frame: {turned}");
}

#[test]
fn a_kinematic_body_pushes_others_along_and_is_not_stopped() {
    let mut world = world(true, |_| {});
    let pusher = NewBody {
        kinematic: true,
        ..block(&mut world, [2, 4, 4], Pose::at(Vec3::new(-1.0, 0.2, 0.0)))
    };
    let pusher = world.add_body(pusher).expect("body");
    let new = block(&mut world, [3, 3, 3], Pose::at(Vec3::new(0.0, 0.15, 0.0)));
    let pushed = world.add_body(new).expect("body");
    for frame in 1..=120 {
        let x = -1.0 + frame as f32 / 60.0;
        world
            .move_body(pusher, Pose::at(Vec3::new(x, 0.2, 0.0)))
            .expect("alive");
        world.step(DT);
    }
    let motion = world.body_motion(pusher).expect("alive");
    assert!((motion.pose.position.x - 1.0).abs() < 1e-4);
    let other = world.body_motion(pushed).expect("alive");
    assert!((1.2..1.5).contains(&other.center.x), "{}", other.center);
    world.set_kinematic(pusher, false).expect("alive");
    world
        .teleport_body(pusher, Pose::at(Vec3::new(-1.0, 2.0, 0.0)))
        .expect("alive");
    run(&mut world, 0.3);
    assert!(height(&mut world, pusher) < 1.9, "let go, it falls");
}

/// A world without gravity and a kinematic block at the origin with a motion.
fn driven(motion: Motion) -> (World, BodyId) {
    let mut world = world(false, |_| {});
    let new = NewBody {
        kinematic: true,
        motion,
        ..block(&mut world, [2, 2, 2], Pose::IDENTITY)
    };
    let body = world.add_body(new).expect("body");
    (world, body)
}

fn steady(velocity: Vec3) -> Motion {
    Motion::Steady {
        velocity,
        angular_velocity: Vec3::Y,
    }
}

#[test]
fn a_kinematic_body_with_a_motion_moves_by_itself() {
    let (mut world, body) = driven(steady(Vec3::X));
    run(&mut world, 0.5);
    let pose = world.body_motion(body).expect("alive").pose;
    assert!(pose.position.distance(0.5 * Vec3::X) < 1e-4, "{}", pose.position);
    assert!(pose.rotation.angle_between(Quat::from_rotation_y(0.5)) < 1e-3);
    world.set_body_motion(body, steady(Vec3::Z)).expect("kinematic");
    run(&mut world, 0.5);
    let position = world.body_motion(body).expect("alive").pose.position;
    assert!(
        position.distance(0.5 * (Vec3::X + Vec3::Z)) < 1e-4,
        "from where it was: {position}"
    );
}

#[test]
fn whoever_moves_or_holds_a_body_ends_its_own_motion() {
    let ends: [fn(&mut World, BodyId); 4] = [
        |world, body| world.move_body(body, Pose::IDENTITY).expect("alive"),
        |world, body| world.teleport_body(body, Pose::IDENTITY).expect("alive"),
        |world, body| world.set_kinematic(body, true).expect("alive"),
        |world, body| world.set_body_motion(body, Motion::Fixed).expect("alive"),
    ];
    for end in ends {
        let (mut world, body) = driven(steady(Vec3::X));
        end(&mut world, body);
        run(&mut world, 0.5);
        let position = world.body_motion(body).expect("alive").pose.position;
        assert!(position.length() < 1e-5, "{position}");
    }
}

#[test]
fn motions_that_lead_nowhere_are_refused() {
    let (mut world, body) = driven(Motion::Fixed);
    let key = |time| Keyframe {
        time,
        pose: Pose::IDENTITY,
    };
    let wrong = [
        steady(Vec3::NAN),
        Motion::Swing {
            offset: Vec3::X,
            rotation: Vec3::ZERO,
            period: 0.0,
        },
        Motion::Path {
            keys: vec![key(1.0), key(0.5)],
            repeat: false,
        },
    ];
    for motion in wrong {
        assert!(world.set_body_motion(body, motion.clone()).is_err());
        let new = NewBody {
            kinematic: true,
            motion,
            ..block(&mut world, [1, 1, 1], Pose::at(Vec3::Y))
        };
        assert!(world.add_body(new).is_err());
    }
    let dynamic = block(&mut world, [1, 1, 1], Pose::at(Vec3::Y));
    let moved = NewBody {
        motion: steady(Vec3::X),
        ..dynamic.clone()
    };
    assert!(world.add_body(moved).is_err(), "it is not kinematic");
    let body = world.add_body(dynamic).expect("body");
    let refusal = world.set_body_motion(body, steady(Vec3::X)).expect_err("dynamic");
    assert!(refusal.to_string().contains("kinematic"), "{refusal}");
}

#[test]
fn a_restored_world_moves_its_kinematic_bodies_on() {
    let key = |time, x: f32| Keyframe {
        time,
        pose: Pose::at(Vec3::X * x),
    };
    let motions = [
        steady(Vec3::Z),
        Motion::Swing {
            offset: Vec3::Y,
            rotation: Vec3::X,
            period: 0.7,
        },
        Motion::Path {
            keys: vec![key(0.0, 0.0), key(0.8, 1.0)],
            repeat: true,
        },
    ];
    for motion in motions {
        let (mut world, body) = driven(motion);
        run(&mut world, 0.4);
        let state = world.save();
        let mut restored = World::restore(&state, Box::new(CpuEngine::new())).expect("a state");
        let before = world.body_motion(body).expect("alive").pose;
        for world in [&mut world, &mut restored] {
            run(world, 0.3);
        }
        assert_ne!(world.body_motion(body).expect("alive").pose, before);
        assert!(world.save() == restored.save(), "byte for byte");
    }
}

#[test]
fn a_body_rests_on_grains_and_grains_on_a_body() {
    let mut world = world(true, |_| {});
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("sand", sand)).expect("group");
    let bed: Vec<Vec3> = (0..1200)
        .map(|k| {
            0.1 * Vec3::new(
                (k % 20) as f32 - 9.5,
                (k / 400) as f32 + 0.5,
                (k / 20 % 20) as f32 - 9.5,
            )
        })
        .collect();
    world.add_particles(group, &bed, Vec3::ZERO).expect("particles");
    let new = block(&mut world, [6, 2, 6], Pose::at(Vec3::Y * 0.45));
    let raft = world.add_body(new).expect("body");
    let load: Vec<Vec3> = (0..16)
        .map(|k| Vec3::new(0.1 * (k % 4) as f32 - 0.15, 0.7, 0.1 * (k / 4) as f32 - 0.15))
        .collect();
    let load = world.add_particles(group, &load, Vec3::ZERO).expect("particles");
    run(&mut world, 2.0);
    let y = height(&mut world, raft);
    assert!((0.3..0.46).contains(&y), "{y}");
    let on_top = world
        .positions(&load)
        .into_iter()
        .flatten()
        .filter(|p| p.y > y + 0.1)
        .count();
    assert!(on_top >= 12, "{on_top} of 16 are still on it");
}

#[test]
fn bodies_give_the_same_bytes_with_any_number_of_threads_and_through_a_saved_state() {
    let pile = |threads: usize| {
        let settings = Settings {
            particle_radius: RADIUS,
            ..Settings::default()
        };
        let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings");
        let stone = world.add_material(Material::default()).expect("material");
        let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
        world
            .add_collider(Collider::new("floor", plane, stone, Pose::IDENTITY))
            .expect("floor");
        for k in 0..20 {
            let place = Vec3::new(0.3 * (k % 3) as f32, 0.3 + 0.3 * k as f32, 0.2 * (k % 2) as f32);
            let pose = Pose {
                position: place,
                rotation: Quat::from_rotation_x(k as f32),
            };
            let mut new = block(&mut world, [3, 2, 4], pose);
            if k % 5 == 4 {
                new.stiffness = 0.5;
            }
            world.add_body(new).expect("body");
        }
        world
    };
    let mut one = pile(1);
    run(&mut one, 1.0);
    let saved = one.save();
    run(&mut one, 0.5);
    let mut four = pile(4);
    run(&mut four, 1.5);
    assert_eq!(one.digest(), four.digest());
    let mut restored = World::restore(&saved, Box::new(CpuEngine::with_threads(2))).expect("state");
    run(&mut restored, 0.5);
    assert_eq!(one.digest(), restored.digest());
}

#[test]
fn odd_bodies_are_refused_or_harmless() {
    let mut world = world(true, |_| {});
    let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::Y));
    let refused = |world: &mut World, change: &dyn Fn(&mut NewBody)| {
        let mut bad = new.clone();
        change(&mut bad);
        world.add_body(bad).expect_err("refused").to_string()
    };
    assert!(refused(&mut world, &|body| body.positions.clear()).contains("at least one particle"));
    assert!(refused(&mut world, &|body| body.masses[3] = 0.0).contains("positive"));
    assert!(refused(&mut world, &|body| body.positions[0].x = f32::NAN).contains("finite"));
    assert!(refused(&mut world, &|body| body.stiffness = 1.5).contains("between 0 and 1"));
    assert!(refused(&mut world, &|body| body.clusters.members.push(99)).contains("clusters"));
    let single = block(&mut world, [1, 1, 1], Pose::at(Vec3::new(2.0, 1.0, 0.0)));
    let single = world.add_body(single).expect("body");
    let whole = world.add_body(new.clone()).expect("body");
    let doomed = world
        .add_body(NewBody {
            pose: Pose::at(Vec3::new(-2.0, 1.0, 0.0)),
            ..new.clone()
        })
        .expect("body");
    run(&mut world, 0.2);
    world.remove_body(doomed).expect("alive");
    assert!(world.body_motion(doomed).is_none() && world.remove_body(doomed).is_err());
    let group = world.dissolve_body(whole).expect("alive");
    assert_eq!(world.group_particles(group).len(), 8);
    run(&mut world, 1.0);
    assert!((height(&mut world, single) - RADIUS).abs() < 0.005);
    let loose: Vec<f32> = {
        let ids = world.group_particles(group);
        world.positions(&ids).into_iter().flatten().map(|p| p.y).collect()
    };
    assert!(loose.iter().any(|y| *y < 0.06), "what was a body lies about as grains");
}

#[test]
fn a_pendulum_swings_with_the_period_of_a_compound_one() {
    let mut world = world(false, |settings| settings.gravity = Vec3::new(0.0, -9.81, 0.0));
    let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::new(0.1, -1.0, 0.0)));
    let ball = world.add_body(new).expect("body");
    let top = Anchor::World(Vec3::ZERO);
    let hang = Attachment {
        body: ball,
        point: Vec3::new(0.0, 1.0, 0.0),
        anchor: top,
        breaking_force: f32::INFINITY,
    };
    // The body's frame is where it was given: its centre of mass at the origin.
    let id = world.attach(hang).expect("attachment");
    run(&mut world, 0.3);
    let mut crossings = Vec::new();
    let mut before = world.body_motion(ball).expect("alive").center.x;
    for frame in 0..600 {
        world.step(DT);
        let now = world.body_motion(ball).expect("alive").center;
        assert!((now.length() - 1.0).abs() < 0.01, "the rod keeps its length: {now}");
        if before > 0.0 && now.x <= 0.0 {
            crossings.push((frame as f32 + before / (before - now.x)) * DT);
        }
        before = now.x;
    }
    let period = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f32;
    let motion = world.body_motion(ball).expect("alive");
    let inertia = motion.mass + motion.inertia.z_axis.z;
    let expected = std::f32::consts::TAU * (inertia / (motion.mass * 9.81)).sqrt();
    assert!(
        (period / expected - 1.0).abs() < 0.02,
        "{period} s, expected {expected} s"
    );
    let force = world.attachment_force(id, DT).expect("it holds");
    assert!((force.y / (9.81 * motion.mass) - 1.0).abs() < 0.1, "{force}");
}

#[test]
fn the_mean_force_of_an_attachment_has_the_whole_impulse_of_the_frame() {
    let mut world = world(false, |settings| settings.substeps = 4);
    let new = block(&mut world, [2, 2, 2], Pose::IDENTITY);
    let body = world.add_body(new).expect("body");
    let id = world
        .attach(Attachment {
            body,
            point: Vec3::ZERO,
            anchor: Anchor::World(Vec3::ZERO),
            breaking_force: f32::INFINITY,
        })
        .expect("attachment");
    let velocity = Vec3::new(0.3, 0.0, 0.0);
    world.set_body_velocity(body, velocity, Vec3::ZERO).expect("alive");
    world.step(DT);
    let mass = world.body_motion(body).expect("alive").mass;
    // It is stopped in the first sub-step; the others have nothing left to do.
    let force = world.mean_attachment_force(id, DT).expect("it holds");
    assert!(
        (force * DT / mass + velocity).length() < 0.01 * velocity.length(),
        "{force}"
    );
    let last = world.attachment_force(id, DT).expect("it holds");
    assert!(last.length() < 0.01 * force.length(), "{last}");
    world.step(DT);
    let next = world.mean_attachment_force(id, DT).expect("it holds");
    assert!(next.length() < 0.01 * force.length(), "{next}");
}

#[test]
fn a_chain_holds_and_a_weak_one_breaks() {
    let hangs = |breaking_force: f32| {
        let mut world = world(false, |settings| settings.gravity = Vec3::new(0.0, -9.81, 0.0));
        let mut last = Partner::World;
        let mut lowest = None;
        for k in 0..8 {
            let counts = if k == 7 { [4, 4, 4] } else { [1, 2, 1] };
            let place = Vec3::new(0.25 * k as f32 + 0.1, 0.0, 0.0);
            let new = block(&mut world, counts, Pose::at(place));
            let link = world.add_body(new).expect("body");
            let joint = Joint::Ball(place - 0.1 * Vec3::X);
            world.join(link, last, joint, breaking_force).expect("joint");
            last = Partner::Body(link);
            lowest = Some(link);
        }
        run(&mut world, 6.0);
        (
            height(&mut world, lowest.expect("links")),
            world.bodies().attachments.len(),
        )
    };
    let (strong, kept) = hangs(f32::INFINITY);
    assert!(strong > -2.1 && kept == 8, "{strong}");
    let (weak, kept) = hangs(100.0);
    assert!(weak < -5.0 && kept < 8, "{weak}");
}

#[test]
fn hinges_turn_about_their_axis_only_and_fixed_joints_not_at_all() {
    let mut world = world(false, |settings| settings.gravity = Vec3::new(0.0, -9.81, 0.0));
    let new = block(&mut world, [6, 1, 4], Pose::at(Vec3::X * 0.3));
    let door = world.add_body(new.clone()).expect("body");
    world
        .join(door, Partner::World, Joint::Hinge(Vec3::ZERO, Vec3::Z), f32::INFINITY)
        .expect("hinge");
    let shelf = world
        .add_body(NewBody {
            pose: Pose::at(Vec3::Z * 3.0),
            ..new
        })
        .expect("body");
    world
        .join(shelf, Partner::World, Joint::Fixed, f32::INFINITY)
        .expect("glue");
    for _ in 0..120 {
        world.step(DT);
        let axis = world.body_motion(door).expect("alive").pose.direction(Vec3::Z);
        assert!(axis.z > 0.999, "{axis}");
    }
    let shelf = world.body_motion(shelf).expect("alive");
    assert!((shelf.center - Vec3::Z * 3.0).length() < 0.01, "{}", shelf.center);
    assert!(shelf.pose.direction(Vec3::X).x > 0.999);
}

#[test]
fn what_is_attached_to_a_collider_goes_where_it_goes_and_falls_when_it_is_gone() {
    let mut world = world(true, |_| {});
    let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::Y));
    let (stone, body) = (new.material, world.add_body(new).expect("body"));
    let plate = Shape::Cuboid(Cuboid::new(Vec3::splat(0.1)).expect("box"));
    let start = Pose::at(Vec3::Y * 2.0);
    let hand = world
        .add_collider(Collider::new("hand", plate, stone, start))
        .expect("collider");
    let held = world
        .join(body, Partner::Collider(hand), Joint::Fixed, f32::INFINITY)
        .expect("alive");
    for frame in 1..=60 {
        let pose = Pose::at(Vec3::new(0.01 * frame as f32, 2.0, 0.0));
        world.move_collider(hand, pose).expect("alive");
        world.step(DT);
    }
    let center = world.body_motion(body).expect("alive").center;
    assert!(center.distance(Vec3::new(0.6, 1.0, 0.0)) < 0.005, "{center}");
    world.remove_collider(hand).expect("alive");
    assert_eq!(world.attachment_force(held[0], DT), None);
    run(&mut world, 1.0);
    assert!(height(&mut world, body) < 0.2);
}

#[test]
fn a_soft_body_hangs_by_the_point_that_is_held() {
    let mut world = world(false, |settings| settings.gravity = Vec3::new(0.0, -9.81, 0.0));
    let mut new = block(&mut world, [2, 4, 2], Pose::IDENTITY);
    new.stiffness = 0.5;
    let (corner, count) = (new.positions[7], new.positions.len());
    let body = world.add_body(new).expect("body");
    let hang = Attachment {
        body,
        point: corner + Vec3::splat(0.01),
        anchor: Anchor::World(corner),
        breaking_force: f32::INFINITY,
    };
    let id = world.attach(hang).expect("alive");
    run(&mut world, 8.0);
    let places = world.body_positions(body).expect("alive");
    // The point is beside the particle.
    let beside = places[7].expect("alive").distance(corner);
    assert!((beside - 0.01 * 3f32.sqrt()).abs() < 1e-3, "{beside}");
    let lowest = places.into_iter().flatten().map(|place| place.y).fold(0.0, f32::min);
    assert!((-0.25..-0.17).contains(&lowest), "{lowest}");
    // It swings, because nothing damps it.
    let mut force = 0.0;
    for _ in 0..240 {
        world.step(DT);
        force += world.attachment_force(id, DT).expect("it holds").y / 240.0;
    }
    let weight = force / (9.81 * count as f32);
    assert!((weight - 1.0).abs() < 0.1, "{weight}");
}

#[test]
fn a_hinge_wants_a_direction() {
    let mut world = world(true, |_| {});
    let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::Y));
    let body = world.add_body(new).expect("body");
    for axis in [Vec3::ZERO, Vec3::NAN] {
        let joined = world.join(body, Partner::World, Joint::Hinge(Vec3::Y, axis), f32::INFINITY);
        let refusal = joined.expect_err("no direction").to_string();
        assert!(refusal.starts_with("hinge: direction is"), "{refusal}");
    }
}

#[test]
fn what_was_dissolved_freezes_again() {
    let mut world = world(true, |_| {});
    let new = block(&mut world, [3, 3, 3], Pose::at(Vec3::Y * 0.5));
    let body = world.add_body(new).expect("body");
    let group = world.dissolve_body(body).expect("alive");
    run(&mut world, 1.0);
    let frozen = world.solidify_group(group).expect("loose particles");
    let rest: Vec<Vec3> = world
        .body_positions(frozen)
        .expect("alive")
        .into_iter()
        .flatten()
        .collect();
    world
        .set_body_velocity(frozen, 3.0 * Vec3::Y, Vec3::new(0.0, 0.0, 3.0))
        .expect("alive");
    run(&mut world, 1.0);
    assert!(strain(&mut world, frozen, &rest) < 1e-3);
    assert!(world.solidify_group(group).is_err(), "it is a body already");
}

/// A block that touches colliders as a sphere of that radius would.
fn rounded(world: &mut World, radius: f32, pose: Pose) -> NewBody {
    let new = block(world, [3, 3, 3], pose);
    NewBody {
        inscribed: new.positions.iter().map(|place| (-*place).extend(radius)).collect(),
        ..new
    }
}

#[test]
fn what_slides_ends_up_rolling_with_what_is_left_of_its_momentum() {
    for substeps in [2, 8] {
        let mut world = world(true, |settings| settings.substeps = substeps);
        let radius = 0.2;
        let new = NewBody {
            velocity: 2.0 * Vec3::X,
            ..rounded(&mut world, radius, Pose::at(Vec3::Y * radius))
        };
        let body = world.add_body(new).expect("body");
        run(&mut world, 1.5);
        let motion = world.body_motion(body).expect("alive");
        let inertia = motion.inertia.z_axis.z / (motion.mass * radius * radius);
        let (velocity, spin) = (motion.velocity.x, -motion.angular_velocity.z);
        assert!((velocity * (1.0 + inertia) / 2.0 - 1.0).abs() < 0.03, "{velocity}");
        assert!((spin * radius / velocity - 1.0).abs() < 0.02, "{spin} at {velocity}");
        assert!((motion.center.y - radius).abs() < 0.05 * radius, "{}", motion.center);
    }
}

#[test]
fn a_body_stands_where_its_inscribed_balls_touch() {
    let mut world = world(true, |_| {});
    let leg = 1.5 * RADIUS;
    let new = block(&mut world, [3, 3, 3], Pose::at(Vec3::Y * 0.2));
    let is_foot = |place: &Vec3| place.y < 0.0 && place.x != 0.0 && place.z != 0.0;
    let ball = |place: &Vec3| match is_foot(place) {
        true => Vec4::new(0.0, -leg, 0.0, 0.0),
        false => NO_BALL,
    };
    let new = NewBody {
        inscribed: new.positions.iter().map(ball).collect(),
        ..new
    };
    let body = world.add_body(new).expect("body");
    run(&mut world, 2.0);
    let expected = 2.0 * RADIUS + leg;
    assert!((height(&mut world, body) - expected).abs() < 0.04 * RADIUS);
}

#[test]
fn a_restored_body_rolls_on_as_before() {
    let mut world = world(true, |_| {});
    let new = NewBody {
        velocity: 2.0 * Vec3::X,
        ..rounded(&mut world, 0.2, Pose::at(Vec3::Y * 0.2))
    };
    world.add_body(new).expect("body");
    run(&mut world, 0.2);
    let mut restored = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("a state");
    run(&mut world, 0.5);
    run(&mut restored, 0.5);
    assert_eq!(world.digest(), restored.digest());
}

#[test]
fn soft_bodies_have_no_inscribed_balls() {
    let mut world = world(true, |_| {});
    let mut new = rounded(&mut world, 0.2, Pose::at(Vec3::Y * 0.2));
    new.plasticity = Some(Plasticity {
        threshold: 0.01,
        creep: 0.5,
        limit: RADIUS,
    });
    world.add_body(new).expect("body");
    assert!(!world.bodies().are_inscribed());
}

#[test]
fn bodies_that_are_held_stand_on_their_true_shape() {
    let mut world = world(true, |_| {});
    let radius = 0.2;
    let new = rounded(&mut world, radius, Pose::at(Vec3::Y * radius));
    let body = world.add_body(new).expect("body");
    let joint = NewJoint::new(body, Partner::World, Joint::Slider(Vec3::Y * radius, Vec3::Y));
    world.add_joint(joint).expect("joint");
    run(&mut world, 2.0);
    let motion = world.body_motion(body).expect("alive");
    assert!((motion.center.y / radius - 1.0).abs() < 0.01, "{}", motion.center);
    assert!(motion.velocity.length() < 1e-4, "{}", motion.velocity);
}
