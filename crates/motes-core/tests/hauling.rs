//! Rows that end at rigid bodies: they hold the whole body, not one particle of it.

#[path = "common/block.rs"]
mod block;

use block::{RADIUS, block};
use glam::Vec3;
use motes_core::colliders::Plane;
use motes_core::{
    BodyId, Collider, ConstraintId, ConstraintSolver, Group, Material, NewDistance, ParticleId, Pose, Settings, Shape,
    Spring, World,
};

const DT: f32 = 1.0 / 60.0;
const SOLVERS: [ConstraintSolver; 2] = [ConstraintSolver::Jacobi, ConstraintSolver::GaussSeidel];

fn world_with(change: impl Fn(&mut Settings)) -> World {
    let mut settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    change(&mut settings);
    World::new(settings).expect("settings")
}

fn grain(world: &mut World, position: Vec3) -> ParticleId {
    let glass = world.add_material(Material::GLASS).expect("material");
    let group = world.add_group(Group::grains("grain", glass)).expect("group");
    world.add_particles(group, &[position], Vec3::ZERO).expect("grain")[0]
}

/// A cube of so many particles, each of a kilogram, and its particle nearest to a point of the world.
fn cube(world: &mut World, side: usize, center: Vec3, near: Vec3) -> (BodyId, ParticleId) {
    let new = block(world, [side; 3], Pose::at(center));
    let body = world.add_body(new).expect("body");
    (body, member_near(world, body, near))
}

fn member_near(world: &World, body: BodyId, point: Vec3) -> ParticleId {
    let group = world.body_group(body).expect("body");
    let members = world.query(motes_core::OfGroup(group));
    let distance = |position: Vec3| position.distance(point);
    let nearest = members
        .iter()
        .min_by(|a, b| distance(a.1.position).total_cmp(&distance(b.1.position)));
    nearest.expect("members").0
}

/// A cube of 512 kg on a cord of a metre from a grain that nothing moves.
fn hung(world: &mut World, breaking_force: f32) -> (BodyId, ConstraintId) {
    let top = 7.0 * RADIUS;
    let (body, end) = cube(world, 8, Vec3::new(RADIUS, -1.0 - top, RADIUS), Vec3::NEG_Y);
    let nail = grain(world, Vec3::ZERO);
    world.set_inverse_masses(&[(nail, 0.0)]).expect("pinned");
    let cord = NewDistance {
        breaking_force,
        ..NewDistance::new([nail, end], 1.0)
    };
    (body, world.add_distances(&[cord]).expect("row")[0])
}

#[test]
fn a_heavy_body_hangs_on_one_row() {
    for solver in SOLVERS {
        for (substeps, iterations) in [(2, 4), (4, 4), (8, 8)] {
            let mut world = world_with(|settings| {
                settings.substeps = substeps;
                settings.iterations = iterations;
                settings.constraint_solver = solver;
            });
            let (body, cord) = hung(&mut world, f32::INFINITY);
            let start = world.body_motion(body).expect("body").pose.position.y;
            let h = DT / substeps as f32;
            let (mut tension, mut lowest) = (0.0, 0.0f32);
            for frame in 0..300 {
                world.step(DT);
                if frame >= 60 {
                    tension -= world.constraint(cord).expect("alive").impulse / (h * h) / 240.0;
                }
                lowest = lowest.max(start - world.body_motion(body).expect("body").pose.position.y);
            }
            let what = format!("{solver:?}, {substeps} × {iterations}");
            assert!(lowest < 0.01, "{what}: {lowest} m down");
            let weight = 512.0 * 9.81;
            assert!((tension / weight - 1.0).abs() < 0.02, "{what}: {tension} N");
        }
    }
}

#[test]
fn a_row_bears_a_body_up_to_its_breaking_force() {
    for (part, holds) in [(1.6, true), (0.8, false)] {
        let mut world = world_with(|_| ());
        let (_, cord) = hung(&mut world, part * 512.0 * 9.81);
        for _ in 0..120 {
            world.step(DT);
        }
        assert_eq!(world.constraint(cord).is_some(), holds, "at {part} of the weight");
    }
}

#[test]
fn a_row_between_a_body_and_a_grain_keeps_momentum() {
    for solver in SOLVERS {
        let mut world = world_with(|settings| {
            settings.gravity = Vec3::ZERO;
            settings.constraint_solver = solver;
        });
        let corner = Vec3::splat(3.0 * RADIUS);
        let (body, end) = cube(&mut world, 4, Vec3::ZERO, corner);
        let ball = grain(&mut world, Vec3::new(0.15, 0.8, 0.1));
        let mass = 20.0;
        world.set_inverse_masses(&[(ball, 1.0 / mass)]).expect("mass");
        world
            .set_velocities(&[(ball, Vec3::new(2.0, 1.0, -1.0))])
            .expect("velocity");
        world
            .add_distances(&[NewDistance::new([ball, end], 0.65)])
            .expect("row");
        let before = mass * Vec3::new(2.0, 1.0, -1.0);
        let mut spun = 0.0f32;
        for _ in 0..120 {
            world.step(DT);
            let motion = world.body_motion(body).expect("body");
            let of_ball = world.velocities(&[ball])[0].expect("alive");
            let momentum = 64.0 * motion.velocity + mass * of_ball;
            assert!((momentum - before).length() < 1e-3 * before.length(), "{momentum}");
            spun = spun.max(motion.angular_velocity.length());
            let energy = 0.5 * 64.0 * motion.velocity.length_squared() + 0.5 * mass * of_ball.length_squared();
            assert!(energy <= 0.5 * mass * 6.0 * 1.001, "{energy}");
        }
        assert!(spun > 0.1, "pulled at a corner, it turns: {spun}");
    }
}

#[test]
fn a_driven_body_is_not_moved_by_its_rows() {
    let mut world = world_with(|_| ());
    let (body, end) = cube(&mut world, 4, Vec3::ZERO, Vec3::NEG_Y);
    world.set_kinematic(body, true).expect("kinematic");
    let ball = grain(&mut world, Vec3::new(RADIUS, -0.8, RADIUS));
    world
        .add_distances(&[NewDistance::new([end, ball], 0.65)])
        .expect("row");
    for _ in 0..120 {
        world.step(DT);
    }
    let pose = world.body_motion(body).expect("body").pose;
    assert!(pose.position.length() < 1e-6, "{}", pose.position);
    let length = world
        .positions(&[end, ball])
        .into_iter()
        .map(|place| place.expect("alive"));
    let [a, b] = <[Vec3; 2]>::try_from(length.collect::<Vec<_>>()).expect("two");
    assert!((a.distance(b) - 0.65).abs() < 0.002, "{}", a.distance(b));
}

#[test]
fn a_spring_at_one_particle_lifts_the_whole_body() {
    let mut world = world_with(|_| ());
    let (body, end) = cube(&mut world, 8, Vec3::ZERO, Vec3::new(0.0, 1.0, 0.0));
    let top = 7.0 * RADIUS;
    for _ in 0..240 {
        let spring = Spring::critical(Vec3::new(-RADIUS, 1.0 + top, -RADIUS), 512.0, 0.2);
        world.pull_particle(end, spring).expect("alive");
        world.step(DT);
    }
    let pose = world.body_motion(body).expect("body").pose;
    // Its weight stretches the spring by what its stiffness says.
    let sag = 9.81 / 20.0f32.powi(2);
    let height = pose.position.y;
    assert!((height - (1.0 - sag)).abs() < 0.03, "{height}");
}

/// One cube hangs on a cord, another stands on the floor and is tied to a grain that lies beside it.
#[test]
fn bodies_on_rows_rest_for_a_minute() {
    for solver in SOLVERS {
        for (substeps, iterations) in [(2, 4), (4, 4), (8, 8)] {
            let mut world = world_with(|settings| {
                settings.substeps = substeps;
                settings.iterations = iterations;
                settings.constraint_solver = solver;
            });
            let glass = world.add_material(Material::GLASS).expect("material");
            let floor = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("a direction"));
            world
                .add_collider(Collider::new("floor", floor, glass, Pose::IDENTITY))
                .expect("floor");
            let center = Vec3::new(0.0, 1.0, 0.0);
            let (hanging, top) = cube(&mut world, 3, center, center + Vec3::Y);
            let nail = grain(&mut world, Vec3::new(0.0, 1.5 + 2.0 * RADIUS, 0.0));
            world.set_inverse_masses(&[(nail, 0.0)]).expect("pinned");
            let foot = Vec3::new(1.0, 3.0 * RADIUS, 0.0);
            let (standing, side) = cube(&mut world, 3, foot, foot + Vec3::new(1.0, -1.0, 0.0));
            let stone = grain(&mut world, Vec3::new(1.4, RADIUS, 0.0));
            let tie = 0.4 - 2.0 * RADIUS;
            let rows = [NewDistance::new([nail, top], 0.5), NewDistance::new([stone, side], tie)];
            world.add_distances(&rows).expect("rows");
            let places = |world: &World| [hanging, standing].map(|id| world.body_motion(id).expect("body").center);
            for _ in 0..300 {
                world.step(DT);
            }
            let (from, mut drift, mut speed) = (places(&world), 0.0f32, 0.0f32);
            for _ in 0..3300 {
                world.step(DT);
                for (now, before) in places(&world).into_iter().zip(from) {
                    drift = drift.max(now.distance(before));
                }
                for id in [hanging, standing] {
                    speed = speed.max(world.body_motion(id).expect("body").velocity.length());
                }
            }
            let what = format!("{solver:?}, {substeps} × {iterations}");
            assert!(drift < 1e-3, "{what}: {drift} m in 55 s");
            let kick = 9.81 * DT / substeps as f32;
            assert!(speed < 0.1 * kick, "{what}: {speed} m/s, of {kick} in a sub-step");
        }
    }
}
