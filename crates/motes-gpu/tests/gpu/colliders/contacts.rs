//! Contacts on the device are those of the CPU.

use motes_core::Shape;
use motes_core::glam::Vec3;
use motes_gpu::colliders::ColliderContact;

use super::bench::{Device, collider, expected, frame};
use super::shapes;
use crate::gpu;

type Expected = (usize, Vec3, Vec3, Vec3);

/// Either side rounds in its own way: places and normals agree to this, metres per metre from the origin.
const TOLERANCE: f32 = 1e-4;

/// Fraction of paths that may end up differently, because a threshold lies between one rounding and the other.
const EXCEPTIONS: f32 = 1e-3;

fn same_planes(found: &[ColliderContact], expected: &[Expected]) -> bool {
    let near = |a: [f32; 3], b: Vec3| Vec3::from(a).distance(b) <= TOLERANCE * (1.0 + b.length());
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| {
            found.collider as usize == expected.0
                && near(found.point, expected.1)
                && near(found.normal, expected.2)
                && near(found.travel, expected.3)
        })
}

fn agrees(name: &str, shape: &Shape) {
    let Some(gpu) = gpu() else { return };
    for (motion, from, to) in shapes::motions() {
        let frame = frame([(collider(shape), from, to)]);
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
            let differ: Vec<usize> = (0..particles.len())
                .filter(|&i| !same_planes(&found[i], &expected[i]))
                .collect();
            println!("{name} {motion}: {touching} touch, {} differ", differ.len());
            for &i in differ.iter().take(3) {
                println!(
                    "{:?} {:?}\n  {:?}\n  {:?}",
                    particles.starts[i], particles.ends[i], found[i], expected[i]
                );
            }
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
