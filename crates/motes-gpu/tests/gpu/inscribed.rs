//! Rigid bodies that touch colliders with inscribed balls, on both engines.

use std::f32::consts::{FRAC_PI_2, TAU};

use motes_core::colliders::Plane;
use motes_core::constraints::revolution::Revolution;
use motes_core::glam::{Quat, Vec3, Vec4};
use motes_core::{
    BodyId, Collider, Engine, FrictionModel, Joint, Material, MaterialId, Motion, NewBody, Partner, Pose, Settings,
    Shape, World,
};

use crate::block::{RADIUS, block};
use crate::bodies::{Scene, compare, nothing, tilted};

/// A sphere of particles that has itself for an inscribed ball.
fn sphere(material: MaterialId, radius: f32, pose: Pose) -> NewBody {
    let side = (radius / (1.8 * RADIUS)) as i32 + 1;
    let along = || -side..=side;
    let sites =
        along().flat_map(|x| along().flat_map(move |y| along().map(move |z| Vec3::new(x as f32, y as f32, z as f32))));
    let positions: Vec<Vec3> = sites
        .map(|site| 1.8 * RADIUS * site)
        .filter(|place| place.length() < radius - 0.5 * RADIUS)
        .collect();
    let ball = |place: &Vec3| match place.length() > radius - 2.0 * RADIUS {
        true => (-*place).extend(radius),
        false => Vec4::new(0.0, 0.0, 0.0, -1.0),
    };
    NewBody {
        inscribed: positions.iter().map(ball).collect(),
        fields: positions
            .iter()
            .map(|place| place.normalize_or(Vec3::Y).extend(place.length() - radius))
            .collect(),
        pose,
        ..NewBody::new("sphere", material, positions.clone(), vec![0.7; positions.len()])
    }
}

/// A block whose outer particles touch with their corners, edges or faces.
fn cuboid(world: &mut World, counts: [usize; 3], pose: Pose) -> NewBody {
    let new = block(world, counts, pose);
    let most = new
        .positions
        .iter()
        .fold(Vec3::ZERO, |most, place| most.max(place.abs()));
    let ball = |place: &Vec3| {
        let out = Vec3::from_array([0, 1, 2].map(|axis| {
            let is_outer = place[axis].abs() > most[axis] - 0.5 * RADIUS;
            if is_outer { RADIUS * place[axis].signum() } else { 0.0 }
        }));
        match (out.length() / RADIUS).powi(2).round() as u32 {
            0 => Vec4::new(0.0, 0.0, 0.0, -1.0),
            1 => Vec4::new(0.0, 0.0, 0.0, RADIUS),
            _ => out.extend(0.0),
        }
    };
    NewBody {
        inscribed: new.positions.iter().map(ball).collect(),
        ..new
    }
}

fn slope(engine: Box<dyn Engine>, settings: Settings, restitution: f32) -> (World, MaterialId) {
    let settings = Settings {
        particle_radius: RADIUS,
        ..settings
    };
    let mut world = World::with_engine(settings, engine).expect("settings");
    let stone = world
        .add_material(Material::default().with_restitution(restitution))
        .expect("material");
    let normal = Quat::from_rotation_z(-0.2) * Vec3::Y;
    let plane = Shape::Plane(Plane::new(normal, 0.0).expect("plane"));
    let collider = Collider::new("slope", plane, stone, Pose::IDENTITY);
    world.add_collider(collider).expect("slope");
    (world, stone)
}

/// A small sphere and a large one, which is matched in chunks, roll down.
pub(crate) fn rolling(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let (mut world, stone) = slope(engine, Settings::default(), 0.0);
    let spheres = [(0.3, 0.31, 0.0), (0.45, 0.46, 1.5)];
    let bodies = spheres.map(|(radius, height, z)| {
        let new = sphere(stone, radius, tilted(Vec3::new(0.0, 1.03 * height, z)));
        world.add_body(new).expect("body")
    });
    (world, bodies.to_vec())
}

/// Blocks come down on their corners and rebound, beside one that touches with the balls of its particles.
pub(crate) fn tumbling(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let settings = Settings {
        stabilization_iterations: 2,
        ..Settings::default()
    };
    let (mut world, _) = slope(engine, settings, 0.4);
    let bodies = [0, 1, 2].map(|k| {
        let pose = tilted(Vec3::new(0.0, 0.5, 0.9 * k as f32));
        let new = match k {
            2 => block(&mut world, [3, 3, 3], pose),
            _ => cuboid(&mut world, [3, 2 + k, 4], pose),
        };
        let new = NewBody {
            velocity: Vec3::new(0.3, -2.0, 0.0),
            angular_velocity: Vec3::new(1.0, 0.0, 3.0),
            ..new
        };
        world.add_body(new).expect("body")
    });
    (world, bodies.to_vec())
}

/// The same with friction on velocities.
pub(crate) fn sliding(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let settings = Settings {
        friction: FrictionModel::Velocity,
        ..Settings::default()
    };
    let (mut world, stone) = slope(engine, settings, 0.4);
    let new = sphere(stone, 0.3, tilted(Vec3::new(0.0, 0.5, 0.0)));
    let body = world.add_body(new).expect("body");
    (world, vec![body])
}

/// Bodies on bodies: a sphere and a box on a sloping slab that turns slowly, a box on the box, and two spheres that hit each other.
pub(crate) fn meeting(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let settings = Settings {
        stabilization_iterations: 2,
        ..Settings::default()
    };
    let (mut world, stone) = slope(engine, settings, 0.5);
    let tilt = Quat::from_rotation_z(-0.25);
    let at = |place: Vec3| Pose {
        position: tilt * place + 2.0 * Vec3::Y,
        rotation: tilt,
    };
    let slab = cuboid(&mut world, [12, 2, 8], at(Vec3::ZERO));
    let top = slab.positions.iter().fold(0.0, |top: f32, place| top.max(place.y)) + RADIUS;
    let slab = NewBody {
        kinematic: true,
        motion: Motion::Steady {
            velocity: 0.1 * Vec3::X,
            angular_velocity: 0.5 * Vec3::Y,
        },
        ..slab
    };
    let mut bodies = vec![world.add_body(slab).expect("slab")];
    for (x, layer, z) in [(-0.25, 0.0, 0.13), (-0.21, 1.0, 0.17)] {
        let new = cuboid(&mut world, [3, 2, 3], at(Vec3::ZERO));
        let half = new.positions.iter().fold(0.0, |top: f32, place| top.max(place.y)) + RADIUS;
        let pose = at(Vec3::new(x, top + (1.0 + 2.0 * layer) * half - 0.002, z));
        bodies.push(world.add_body(NewBody { pose, ..new }).expect("box"));
    }
    let spheres = [
        (at(Vec3::new(0.3, top + 0.249, -0.1)), Vec3::ZERO),
        (Pose::at(Vec3::new(-0.4, 4.0, 0.0)), Vec3::X),
        (tilted(Vec3::new(0.13, 4.05, 0.03)), Vec3::NEG_X),
    ];
    for (pose, velocity) in spheres {
        let new = NewBody {
            velocity,
            angular_velocity: Vec3::new(0.5, 1.0, 2.0),
            ..sphere(stone, 0.25, pose)
        };
        bodies.push(world.add_body(new).expect("sphere"));
    }
    (world, bodies)
}

/// A wheel about its y axis, with circles for its rims and for the middle of its tread.
fn wheel(material: MaterialId, radius: f32, pose: Pose) -> NewBody {
    let mut places = vec![Vec3::ZERO, 0.09 * Vec3::Y, -0.09 * Vec3::Y];
    let around = (TAU * (radius - RADIUS) / (1.9 * RADIUS)) as u32;
    for layer in [-1, 0, 1] {
        for k in 0..around {
            let turned = Quat::from_rotation_y(TAU * (k as f32 + 0.3 * layer as f32) / around as f32);
            places.push(turned * ((radius - RADIUS) * Vec3::X) + layer as f32 * 1.8 * RADIUS * Vec3::Y);
        }
    }
    let half = 1.8 * RADIUS + RADIUS;
    let out = |place: &Vec3| (*place * Vec3::new(1.0, 0.0, 1.0)).normalize_or_zero();
    let ball = |place: &Vec3| match (out(place) == Vec3::ZERO, place.y == 0.0) {
        (true, true) => Vec4::new(0.0, 0.0, 0.0, -1.0),
        (true, false) => Vec4::new(0.0, 0.0, 0.0, RADIUS),
        (false, true) => (-0.5 * RADIUS * out(place)).extend(1.5 * RADIUS),
        (false, false) => (RADIUS * out(place) + (half * place.y.signum() - place.y) * Vec3::Y).extend(0.0),
    };
    NewBody {
        inscribed: places.iter().map(ball).collect(),
        revolution: Some(Revolution {
            point: Vec3::ZERO,
            axis: Vec3::Y,
        }),
        fields: places
            .iter()
            .map(|place| match out(place) == Vec3::ZERO {
                true => Vec3::Y.extend(-RADIUS),
                false => out(place).extend(-RADIUS),
            })
            .collect(),
        pose,
        ..NewBody::new("wheel", material, places.clone(), vec![0.7; places.len()])
    }
}

/// Wheels: one that rolls down, one that lies, one that tumbles, one on a slab that is a body, and a pair on an axle.
pub(crate) fn wheels(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let (mut world, stone) = slope(engine, Settings::default(), 0.2);
    let tilt = Quat::from_rotation_z(-0.2);
    let upright = Quat::from_rotation_x(FRAC_PI_2);
    let at = |place: Vec3, rotation: Quat| Pose {
        position: tilt * place,
        rotation: tilt * rotation,
    };
    let slab = cuboid(&mut world, [12, 2, 6], at(Vec3::new(0.4, 0.6, 2.0), Quat::IDENTITY));
    let top = 0.6 + slab.positions.iter().fold(0.0, |top: f32, place| top.max(place.y)) + RADIUS;
    let slab = NewBody {
        kinematic: true,
        ..slab
    };
    let mut bodies = vec![world.add_body(slab).expect("slab")];
    let poses = [
        at(Vec3::new(0.0, 0.301, 0.0), upright),
        at(Vec3::new(0.0, 0.141, -1.0), Quat::from_rotation_x(0.02)),
        at(Vec3::new(0.0, 0.5, 1.0), Quat::from_rotation_x(0.9)),
        at(Vec3::new(0.1, top + 0.3005, 2.0), upright),
        at(Vec3::new(0.0, 0.301, -2.0), upright),
        at(Vec3::new(0.0, 0.301, -2.5), upright * Quat::from_rotation_y(0.3)),
    ];
    for pose in poses {
        let new = NewBody {
            angular_velocity: Vec3::new(0.1, 0.2, -1.0),
            ..wheel(stone, 0.3, pose)
        };
        bodies.push(world.add_body(new).expect("wheel"));
    }
    let joint = Joint::Hinge(tilt * Vec3::new(0.0, 0.301, -2.25), Vec3::Z);
    let joined = world.join(bodies[5], Partner::Body(bodies[6]), joint, f32::INFINITY);
    joined.expect("joint");
    (world, bodies)
}

/// A block on three wheels, which are spheres, rolls down; another block hangs on it by a chain of one link and is dragged along.
pub(crate) fn driving(engine: Box<dyn Engine>) -> (World, Vec<BodyId>) {
    let (mut world, stone) = slope(engine, Settings::default(), 0.0);
    let tilt = Quat::from_rotation_z(-0.2);
    let at = |place: Vec3| Pose {
        position: tilt * place,
        rotation: tilt,
    };
    let chassis = cuboid(&mut world, [8, 2, 3], at(Vec3::new(0.0, 0.2501, 0.0)));
    let chassis = world.add_body(chassis).expect("chassis");
    let mut bodies = vec![chassis];
    let hinge = |world: &mut World, body: BodyId, to: BodyId, place: Vec3| {
        let joint = Joint::Hinge(tilt * place, Vec3::Z);
        world
            .join(body, Partner::Body(to), joint, f32::INFINITY)
            .expect("joint");
    };
    for (x, z) in [(-0.3, -0.5), (-0.3, 0.5), (0.75, 0.0)] {
        let place = Vec3::new(x, 0.2501, z);
        let wheel = sphere(stone, 0.25, at(place));
        let wheel = world.add_body(wheel).expect("wheel");
        hinge(&mut world, wheel, chassis, place);
        bodies.push(wheel);
    }
    let dragged = cuboid(&mut world, [3, 2, 3], at(Vec3::new(-1.0, 2.0 * RADIUS, 0.0)));
    let dragged = world.add_body(dragged).expect("block");
    hinge(&mut world, dragged, chassis, Vec3::new(-0.7, 0.15, 0.0));
    bodies.push(dragged);
    (world, bodies)
}

#[test]
fn what_rolls_and_tumbles_agrees() {
    for (name, build) in [
        ("rolling", rolling as fn(_) -> _),
        ("tumbling", tumbling),
        ("sliding", sliding),
        ("meeting", meeting),
        ("driving", driving),
        ("wheels", wheels),
    ] {
        let scene = Scene {
            build,
            drive: nothing,
            bounds: [1e-6, 1e-5, 1e-3],
        };
        compare(name, &scene);
    }
}

#[test]
fn a_sphere_rolls_down_as_fast_as_it_should_and_slips_without_friction() {
    let Some(gpu) = crate::gpu() else { return };
    for (friction, expected) in [(0.5, 5.0 / 7.0), (0.0, 1.0)] {
        let (mut world, _) = slope(crate::bodies::on_gpu(&gpu), Settings::default(), 0.0);
        let ice = world
            .add_material(Material::default().with_friction(friction))
            .expect("material");
        let down = Quat::from_rotation_z(-0.2) * Vec3::X;
        let up = Quat::from_rotation_z(-0.2) * Vec3::Y;
        let new = sphere(ice, 0.4, Pose::at(0.4 * up));
        let body = world.add_body(new).expect("body");
        for _ in 0..90 {
            world.step(crate::bodies::DT);
        }
        let motion = world.body_motion(body).expect("alive");
        let expected = if friction > 0.0 {
            1.0 / (1.0 + motion.inertia.z_axis.z / (motion.mass * 0.16))
        } else {
            expected
        };
        let part = motion.velocity.dot(down) / (9.81 * 0.2f32.sin() * 1.5);
        assert!((part / expected - 1.0).abs() < 0.05, "{part}, {expected} expected");
    }
}
