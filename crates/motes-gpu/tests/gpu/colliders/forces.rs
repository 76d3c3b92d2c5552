//! What colliders receive, summed up on the device.

use motes_core::Pose;
use motes_core::glam::{DVec3, Vec3};
use motes_core::random::Random;
use motes_gpu::Gpu;
use motes_gpu::colliders::{ColliderContact, ForceSum};

use super::bench::{Device, Particles, collider, frame, read, vector};
use super::shapes;
use crate::{gpu, run};

/// Sums may differ by this fraction of what they would be if all impulses had the same sign.
const TOLERANCE: f64 = 1e-5;

const SUBSTEPS: u32 = 3;

#[derive(Clone, Copy, Default)]
struct Expected {
    impulse: DVec3,
    angular_impulse: DVec3,
    size: f64,
    contacts: u32,
}

impl Expected {
    fn add(&mut self, contact: &ColliderContact, origin: Vec3, h: f32) {
        if contact.normal_sum == 0.0 {
            return;
        }
        let moved = contact.normal_sum * Vec3::from(contact.normal) + Vec3::from(contact.friction_sum);
        let impulse = (moved / (-h * contact.inverse_mass)).as_dvec3();
        let arm = (Vec3::from(contact.point) - origin).as_dvec3();
        self.impulse += impulse;
        self.angular_impulse += arm.cross(impulse);
        self.size += impulse.length() * (1.0 + arm.length());
        self.contacts += 1;
    }
}

/// Sums of a frame in which the contacts of every sub-step did something random.
fn sums(gpu: &Gpu, particles: &Particles) -> (Vec<ForceSum>, Vec<Expected>) {
    let [_, _, (_, from, to)] = shapes::motions();
    let [_, (_, sphere), _, (_, cuboid)] = shapes::simple();
    let frame = frame([
        (collider(&cuboid), from, to),
        (collider(&cuboid).as_trigger(), from, to),
        (collider(&sphere), from, to),
        (collider(&sphere), Pose::at(Vec3::X * 100.0), Pose::at(Vec3::X * 100.0)),
    ]);
    let mut device = Device::new(gpu, particles);
    device
        .colliders
        .begin_frame(&frame, SUBSTEPS, 4 * particles.len())
        .expect("room");
    let mut random = Random::new(5, 0);
    let mut expected = [Expected::default(); 4];
    for substep in 0..SUBSTEPS {
        let found = device.find(gpu, substep);
        let mut contacts = read(device.colliders.contacts());
        for sum in &mut expected {
            sum.contacts = 0;
        }
        // By particle, so that what happens does not depend on where in the buffer it does.
        let ranges = read(device.colliders.ranges());
        for (run, [first, _]) in found.iter().zip(ranges) {
            for contact in &mut contacts[first as usize..][..run.len()] {
                contact.normal_sum = 1e-3 * random.signed().max(0.0);
                contact.friction_sum = (1e-3 * vector(&mut random)).to_array();
                let place = contact.collider as usize;
                let origin = frame.colliders[place].to.position;
                expected[place].add(contact, origin, frame.dt / SUBSTEPS as f32);
            }
        }
        device.colliders.contacts().write(0, &contacts);
        let count = particles.len() as u32;
        run(gpu, |pass| device.colliders.sum(pass, substep, count));
    }
    run(gpu, |pass| device.colliders.total(pass));
    let mut sums = read(device.colliders.forces());
    sums.truncate(4);
    (sums, expected.to_vec())
}

#[test]
fn colliders_receive_what_they_do_to_particles() {
    let Some(gpu) = gpu() else { return };
    let [_, (_, sphere), ..] = shapes::simple();
    let [_, _, (_, from, _)] = shapes::motions();
    for count in [1, 255, 5000, 150_000] {
        let particles = shapes::paths(&sphere, &from, count, 11);
        let (sums, expected) = sums(&gpu, &particles);
        for (sum, expected) in sums.iter().zip(&expected) {
            let near = |found: [f32; 3], wanted: DVec3| {
                Vec3::from(found).as_dvec3().distance(wanted) <= TOLERANCE * expected.size
            };
            assert_eq!(sum.contacts, expected.contacts);
            assert!(near(sum.impulse, expected.impulse), "{sum:?} {}", expected.impulse);
            assert!(near(sum.angular_impulse, expected.angular_impulse));
        }
        assert!(count < 5000 || expected[0].contacts > 100 && expected[2].contacts > 100);
    }
}

#[test]
fn sums_are_the_same_in_every_run() {
    let Some(gpu) = gpu() else { return };
    let [_, (_, sphere), ..] = shapes::simple();
    let particles = shapes::paths(&sphere, &Pose::IDENTITY, 20_000, 12);
    let [first, second] = [0, 1].map(|_| sums(&gpu, &particles).0);
    assert_eq!(first, second);
}
