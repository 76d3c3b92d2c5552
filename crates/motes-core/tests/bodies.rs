//! Bodies keep their shape, their spin and their distance.

use glam::{Quat, Vec3, Vec4};
use motes_core::colliders::Plane;
use motes_core::{BodyId, Collider, Material, NewBody, Pose, Settings, Shape, World};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;

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

/// A block of particles one diameter apart, with the surface half a particle outside the outermost.
fn block(world: &mut World, counts: [usize; 3], pose: Pose) -> NewBody {
    let stone = world.add_material(Material::default()).expect("material");
    let half = Vec3::from_array(counts.map(|count| count as f32)) * RADIUS;
    let mut positions = Vec::new();
    for x in 0..counts[0] {
        for y in 0..counts[1] {
            for z in 0..counts[2] {
                let place = Vec3::new(x as f32, y as f32, z as f32);
                positions.push((2.0 * place + Vec3::ONE) * RADIUS - half);
            }
        }
    }
    let fields = positions.iter().map(|&place| {
        let inside = half - place.abs();
        let depth = inside.min_element();
        let axis = if depth == inside.x {
            Vec3::X
        } else if depth == inside.y {
            Vec3::Y
        } else {
            Vec3::Z
        };
        let out = axis * place.signum();
        out.extend(if depth < 1.5 * RADIUS { -depth } else { depth })
    });
    let fields: Vec<Vec4> = fields.collect();
    let masses = vec![1.0; positions.len()];
    NewBody {
        fields,
        pose,
        ..NewBody::new("block", stone, positions, masses)
    }
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
    for k in 0..40 {
        run(&mut world, 0.1);
        let m = world.body_motion(body).expect("alive");
        println!("{k} y {} v {} w {}", m.center.y, m.velocity, m.angular_velocity);
    }
    assert!((height(&mut world, body) - 0.2).abs() < 0.002);
    assert!(strain(&mut world, body, &rest) < 1e-4);
}

#[test]
fn a_spinning_body_keeps_its_spin() {
    for counts in [[4, 4, 4], [6, 2, 1], [8, 1, 1], [1, 6, 6]] {
        let mut world = world(false, |_| {});
        let new = block(
            &mut world,
            counts,
            Pose {
                position: Vec3::ZERO,
                rotation: Quat::from_rotation_x(0.3),
            },
        );
        let spin = Vec3::new(2.0, 6.0, -3.0);
        let body = world
            .add_body(NewBody {
                angular_velocity: spin,
                velocity: Vec3::X,
                ..new
            })
            .expect("body");
        let m = world.body_motion(body).expect("alive");
        let before = m.inertia * m.angular_velocity;
        run(&mut world, 10.0);
        let m = world.body_motion(body).expect("alive");
        let after = m.inertia * m.angular_velocity;
        println!("{counts:?} {before} {after} {} {}", m.velocity, m.center);
        assert!(
            (after - before).length() < 0.02 * before.length(),
            "{counts:?}: {before} became {after}"
        );
    }
}

#[test]
fn a_stack_of_ten_stands() {
    for scaling in [0.0, 1.0] {
        let mut world = world(true, |s| s.mass_scaling = scaling);
        let bodies: Vec<BodyId> = (0..10)
            .map(|k| {
                let new = block(&mut world, [2, 2, 2], Pose::at(Vec3::Y * (0.1 + 0.2 * k as f32)));
                world.add_body(new).expect("body")
            })
            .collect();
        for k in 0..12 {
            run(&mut world, if k < 10 { 1.0 } else { 10.0 });
            let m = world.body_motion(bodies[9]).expect("alive");
            println!(
                "{scaling} {k} top {} v {} w {}",
                m.center, m.velocity, m.angular_velocity
            );
        }
    }
}

#[test]
fn a_block_dropped_on_its_corner() {
    let mut world = world(true, |_| {});
    let tilt = Quat::from_rotation_z(0.7) * Quat::from_rotation_x(0.6);
    let new = block(
        &mut world,
        [27, 27, 27],
        Pose {
            position: Vec3::Y * 3.5,
            rotation: tilt,
        },
    );
    let rest = new.positions.clone();
    let body = world.add_body(new).expect("body");
    for k in 0..20 {
        run(&mut world, 0.15);
        let m = world.body_motion(body).expect("alive");
        println!(
            "{k} y {} v {} w {} strain {}",
            m.center.y,
            m.velocity,
            m.angular_velocity,
            strain(&mut world, body, &rest)
        );
    }
}
