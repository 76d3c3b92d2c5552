//! Contacts on the device are those of the CPU.

use motes_core::colliders::{Cuboid, Plane, Sphere, TriangleMesh};
use motes_core::engine::Frame;
use motes_core::glam::{Vec3, Vec4, Vec4Swizzles};
use motes_core::random::Random;
use motes_core::{Collider, MaterialId, Phase, Pose, Settings, Shape, SurfaceMotion};
use motes_gpu::colliders::ColliderContact;

use super::bench::{Device, Particles, RADIUS, collider, expected, frame, read, vector};
use super::shapes;
use crate::gpu;

type Expected = (usize, Vec3, Vec3, Vec3);

/// Either side rounds in its own way: places and normals agree to this, metres per metre from the origin.
const TOLERANCE: f32 = 1e-4;

/// Fraction of paths that may end up differently, because a threshold lies between one rounding and the other.
const EXCEPTIONS: f32 = 1e-3;

fn same_planes(found: &[ColliderContact], expected: &[Expected]) -> bool {
    let found: Vec<Expected> = found
        .iter()
        .map(|found| {
            let place = found.collider as usize;
            (place, found.point.into(), found.normal.into(), found.travel.into())
        })
        .collect();
    same(&found, expected)
}

fn same(found: &[Expected], expected: &[Expected]) -> bool {
    let near = |a: Vec3, b: Vec3| a.distance(b) <= TOLERANCE * (1.0 + b.length());
    found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(a, b)| a.0 == b.0 && near(a.1, b.1) && near(a.2, b.2) && near(a.3, b.3))
}

/// Which particles touch otherwise on the CPU as well when both ends of their paths are moved by a few roundings: where the
/// way leads to an edge, two triangles are equally near. At worst, on a moving mesh, it is 45 of 6000.
fn waverers(frame: &Frame, particles: &Particles, substep: u32, expected: &[Vec<Expected>]) -> Vec<bool> {
    let mut random = Random::new(3, 0);
    let mut wavers = vec![false; particles.len()];
    for _ in 0..8 {
        let mut moved = |place: &Vec4| place.xyz() * (Vec3::ONE + 4.0 * f32::EPSILON * vector(&mut random));
        let mut nudged = Particles::default();
        for (start, end) in particles.starts.iter().zip(&particles.ends) {
            nudged.push(moved(start), moved(end));
        }
        let found = super::bench::expected(frame, &nudged, substep, 2);
        for (wavers, (found, expected)) in wavers.iter_mut().zip(found.iter().zip(expected)) {
            *wavers |= !same(found, expected);
        }
    }
    wavers
}

fn agrees(name: &str, shape: &Shape) {
    let Some(gpu) = gpu() else { return };
    for (motion, from, to) in shapes::motions() {
        let runs = SurfaceMotion {
            velocity: Vec3::new(3.0, -2.0, 5.0),
            angular_velocity: Vec3::new(-4.0, 7.0, 2.0),
            center: Vec3::new(0.2, 0.1, -0.3),
        };
        let frame = frame([(collider(shape).running(runs), from, to)]);
        let particles = shapes::paths(shape, &from, 6000, 7);
        let mut device = Device::new(&gpu, &particles);
        device
            .colliders
            .begin_frame(&frame, 2, 3 * particles.len())
            .expect("room");
        for substep in 0..2 {
            let found = device.find(&gpu, substep);
            let expected = expected(&frame, &particles, substep, 2);
            let touching = expected.iter().filter(|contacts| !contacts.is_empty()).count();
            let wavers = waverers(&frame, &particles, substep, &expected);
            let wavering = wavers.iter().filter(|&&wavers| wavers).count();
            let differ: Vec<usize> = (0..particles.len())
                .filter(|&i| !wavers[i] && !same_planes(&found[i], &expected[i]))
                .collect();
            println!("{name} {motion}: {} differ, {wavering} waver", differ.len());
            assert!(wavering < particles.len() / 50, "{name} {motion}: {wavering} waver");
            assert!(
                touching > particles.len() / 10,
                "{name} {motion}: only {touching} touch"
            );
            assert!(
                differ.len() as f32 <= EXCEPTIONS * particles.len() as f32,
                "{name} {motion}: {} of {} differ",
                differ.len(),
                particles.len()
            );
        }
    }
}

#[test]
fn simple_shapes_touch_as_on_the_cpu() {
    for (name, shape) in shapes::simple() {
        agrees(name, &shape);
    }
}

#[test]
fn convex_hulls_touch_as_on_the_cpu() {
    agrees("hull", &shapes::hull());
}

#[test]
fn distance_grids_touch_as_on_the_cpu() {
    agrees("grid", &shapes::grid());
}

#[test]
fn meshes_touch_as_on_the_cpu() {
    agrees("mesh", &shapes::mesh());
}

#[test]
fn terrains_touch_as_on_the_cpu() {
    agrees("terrain", &shapes::terrain());
}

/// A mesh around the origin that a particle in its middle reaches all over.
fn cage() -> Shape {
    let (vertices, triangles) = shapes::ball(8, |_| 0.0);
    let vertices = vertices.iter().map(|&vertex| 1.5 * RADIUS * vertex).collect();
    TriangleMesh::new(vertices, triangles).expect("a mesh").into()
}

#[test]
fn threads_that_share_a_particle_find_what_one_finds_alone() {
    let Some(gpu) = gpu() else { return };
    let frame = frame([
        resting(&shapes::mesh(), Vec3::ZERO),
        resting(&cage(), Vec3::ZERO),
        resting(&shapes::terrain(), Vec3::ZERO),
    ]);
    let mut particles = shapes::paths(&shapes::mesh(), &Pose::IDENTITY, 700, 7);
    particles.append(shapes::paths(&shapes::terrain(), &Pose::IDENTITY, 700, 8));
    particles.push(Vec3::ZERO, Vec3::ZERO);
    let planes = |threads| {
        let mut device = Device::new(&gpu, &particles);
        device.colliders.share_particles(Some(threads));
        device.colliders.begin_frame(&frame, 1, 100_000).expect("room");
        device.find(&gpu, 0)
    };
    let alone = planes(1);
    assert!(
        alone.iter().any(|contacts| contacts.len() > 24),
        "more than fit into one note"
    );
    for threads in [4, 8] {
        assert!(planes(threads) == alone, "{threads} threads");
    }
}

#[test]
fn cells_around_a_mesh_find_what_its_hierarchy_finds() {
    let Some(gpu) = gpu() else { return };
    let frame = frame([resting(&shapes::mesh(), Vec3::ZERO), resting(&cage(), Vec3::ZERO)]);
    let mut particles = shapes::paths(&shapes::mesh(), &Pose::IDENTITY, 2000, 9);
    particles.push(Vec3::ZERO, Vec3::ZERO);
    let planes = |made_for: f32, threads| {
        let mut device = Device::new(&gpu, &particles);
        device.colliders.share_particles(Some(threads));
        let mut first = frame.clone();
        first.settings.particle_radius = made_for;
        device.colliders.begin_frame(&first, 1, 100_000).expect("room");
        device.colliders.begin_frame(&frame, 1, 100_000).expect("room");
        device.find(&gpu, 0)
    };
    // Lists for small particles do not reach as far as large ones look, so all of them take the hierarchy.
    let walked = planes(0.5 * RADIUS, 1);
    assert!(walked.iter().filter(|contacts| !contacts.is_empty()).count() > 100);
    for threads in [1, 8] {
        assert!(planes(RADIUS, threads) == walked, "{threads} threads");
    }
}

fn resting(shape: &Shape, position: Vec3) -> (Collider, Pose, Pose) {
    (collider(shape), Pose::at(position), Pose::at(position))
}

#[test]
fn a_particle_has_as_many_contacts_as_there_are() {
    let Some(gpu) = gpu() else { return };
    let floor = Plane::new(Vec3::Y, -RADIUS).expect("valid").into();
    let wall = Cuboid::new(Vec3::new(0.2, 1.0, 1.0)).expect("valid").into();
    let frame = frame([
        resting(&floor, Vec3::ZERO),
        resting(&cage(), Vec3::ZERO),
        resting(&wall, Vec3::X * (0.2 + RADIUS)),
    ]);
    let mut random = Random::new(1, 0);
    let mut particles = Particles::default();
    for _ in 0..300 {
        particles.push(Vec3::ZERO, 0.1 * RADIUS * vector(&mut random));
        particles.push(Vec3::X, Vec3::X);
    }
    let mut device = Device::new(&gpu, &particles);
    device
        .colliders
        .begin_frame(&frame, 1, 300 * particles.len())
        .expect("room");
    let found = device.find(&gpu, 0);
    let expected = expected(&frame, &particles, 0, 1);
    assert!(expected[0].len() > 100);
    let differ = (0..particles.len()).filter(|&i| !same_planes(&found[i], &expected[i]));
    assert_eq!(differ.count(), 0);
}

#[test]
fn contacts_without_room_are_counted() {
    let Some(gpu) = gpu() else { return };
    let frame = frame([resting(&cage(), Vec3::ZERO)]);
    let mut particles = Particles::default();
    for _ in 0..1000 {
        particles.push(Vec3::ZERO, Vec3::ZERO);
    }
    let expected = expected(&frame, &particles, 0, 1);
    let each = expected[0].len();
    let room = 1000 * each / 3;
    let mut device = Device::new(&gpu, &particles);
    device.colliders.reserve(room).expect("room");
    device.colliders.begin_frame(&frame, 1, particles.len()).expect("room");
    let found = device.find(&gpu, 0);
    let kept: usize = found.iter().map(Vec::len).sum();
    let counters = read(device.colliders.counters());
    // A run that is longer than needed, because planes that say the same are only noticed later, counts in full.
    assert!(kept + counters[1] as usize >= 1000 * each && counters[0] >= 1000 * each as u32);
    assert!(counters[1] > 0 && kept > 0 && kept <= room);
    assert!(
        found
            .iter()
            .all(|contacts| contacts.is_empty() || contacts.len() == each)
    );

    let lost = device.colliders.learn(&counters).expect("room");
    assert_eq!(lost, u64::from(counters[1]));
    device.colliders.begin_frame(&frame, 1, particles.len()).expect("room");
    let found = device.find(&gpu, 0);
    assert!(
        found
            .iter()
            .zip(&expected)
            .all(|(found, expected)| same_planes(found, expected))
    );
    assert_eq!(read(device.colliders.counters())[1], 0);
}

#[test]
fn only_particles_that_share_a_channel_and_can_move_touch() {
    let Some(gpu) = gpu() else { return };
    let ball = Sphere::new(1.0).expect("valid").into();
    let on = |channels| Collider {
        channels,
        ..collider(&ball)
    };
    let solids = [on(0b01), on(0b10), on(0b11).as_trigger(), on(0b110)];
    let frame = frame(solids.map(|solid| (solid, Pose::IDENTITY, Pose::IDENTITY)));
    let mut particles = Particles::default();
    for channels in [0b01, 0b10, 0b100, 0b1000, 0b11] {
        particles.push(Vec3::Y, Vec3::Y);
        particles.kinds.last_mut().expect("one")[0] = Phase::new(0, 0, channels).0;
    }
    particles.push(Vec3::Y, Vec3::Y);
    particles.ends[5].w = 0.0;
    let mut device = Device::new(&gpu, &particles);
    device.colliders.begin_frame(&frame, 1, 100).expect("room");
    let found = device.find(&gpu, 0);
    let touched: Vec<Vec<u32>> = found
        .iter()
        .map(|contacts| contacts.iter().map(|contact| contact.collider).collect())
        .collect();
    assert_eq!(touched, [vec![0], vec![1, 3], vec![3], vec![], vec![0, 1, 3], vec![]]);
}

#[test]
fn contacts_know_their_materials() {
    let Some(gpu) = gpu() else { return };
    let frame = frame([resting(&Sphere::new(1.0).expect("valid").into(), Vec3::ZERO)]);
    let mut particles = Particles::default();
    particles.push(Vec3::Y, Vec3::Y);
    particles.ends[0].w = 0.25;
    let mut device = Device::new(&gpu, &particles);
    device.colliders.begin_frame(&frame, 2, 1).expect("room");
    let contact = device.find(&gpu, 1)[0][0];
    let surface = frame.materials.surface(MaterialId(0), MaterialId(1));
    let [static_friction, kinetic_friction, restitution, adhesion] = contact.coefficients;
    assert_eq!(
        (static_friction, kinetic_friction, restitution, adhesion),
        (
            surface.static_friction,
            surface.kinetic_friction,
            surface.restitution,
            surface.cohesion
        )
    );
    let pull = Settings::grip(surface.cohesion, frame.settings.particle_radius, frame.dt / 2.0) * 0.25;
    assert!(pull > 0.0 && (contact.pull - pull).abs() < 1e-6 * pull);
    assert_eq!((contact.inverse_mass, contact.normal_sum), (0.25, 0.0));
}

#[test]
fn a_shape_is_where_it_was_after_others_came_and_went() {
    let Some(gpu) = gpu() else { return };
    let (mesh, hull, terrain) = (shapes::mesh(), shapes::hull(), shapes::terrain());
    let particles = shapes::paths(&mesh, &Pose::IDENTITY, 500, 3);
    let mut device = Device::new(&gpu, &particles);
    let scenes = [
        vec![&mesh],
        vec![&hull, &mesh],
        vec![&mesh, &terrain],
        vec![&terrain, &hull, &mesh],
        vec![],
        vec![&hull],
        vec![&mesh, &mesh],
    ];
    for shapes in scenes {
        let frame = frame(shapes.iter().map(|shape| resting(shape, Vec3::ZERO)));
        device
            .colliders
            .begin_frame(&frame, 1, 20 * particles.len())
            .expect("room");
        let found = device.find(&gpu, 0);
        let expected = expected(&frame, &particles, 0, 1);
        let differ = (0..particles.len()).filter(|&i| !same_planes(&found[i], &expected[i]));
        assert!(differ.count() <= 1);
    }
}

#[test]
fn absurd_paths_end_and_disturb_nobody() {
    let Some(gpu) = gpu() else { return };
    let mut all: Vec<Shape> = shapes::simple().map(|(_, shape)| shape).to_vec();
    all.extend([shapes::hull(), shapes::mesh(), shapes::grid(), shapes::terrain()]);
    let frame = frame(all.iter().map(|shape| resting(shape, Vec3::ZERO)));
    let mut particles = Particles::default();
    for absurd in [Vec3::NAN, Vec3::INFINITY, Vec3::NEG_Y * f32::MAX, Vec3::splat(1e30)] {
        let usual = Vec3::new(0.3, 1.1, 0.2);
        particles.push(usual, absurd);
        particles.push(absurd, usual);
        particles.push(absurd, absurd);
        particles.push(usual, usual);
    }
    let mut device = Device::new(&gpu, &particles);
    device.colliders.begin_frame(&frame, 1, 10_000).expect("room");
    let found = device.find(&gpu, 0);
    let expected = expected(&frame, &particles, 0, 1);
    for i in (3..particles.len()).step_by(4) {
        assert!(!expected[i].is_empty() && same_planes(&found[i], &expected[i]));
    }
}
