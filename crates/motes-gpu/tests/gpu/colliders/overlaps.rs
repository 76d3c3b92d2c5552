//! Who is inside triggers, on the device and on the CPU.

use motes_core::engine::Frame;
use motes_core::glam::Vec4Swizzles;
use motes_core::{Collider, Phase, Pose, Shape};

use super::bench::{Device, Particles, collider, frame, read};
use super::shapes;
use crate::gpu;

fn expected(frame: &Frame, particles: &Particles) -> Vec<[u32; 2]> {
    let radius = frame.settings.particle_radius;
    let mut overlaps = Vec::new();
    for (place, frame) in frame.colliders.iter().enumerate() {
        let collider = &frame.collider;
        let bounds = collider.shape.bounds().transformed(&frame.to).expanded(radius);
        let inside = |i: &usize| {
            let position = particles.starts[*i].xyz();
            collider.trigger
                && Phase(particles.kinds[*i][0]).channels() & collider.channels != 0
                && bounds.contains(position)
                && collider.shape.contains(frame.to.local_point(position), radius)
        };
        overlaps.extend((0..particles.len()).filter(inside).map(|i| [place as u32, i as u32]));
    }
    overlaps
}

fn found(gpu: &motes_gpu::Gpu, device: &mut Device) -> (Vec<[u32; 2]>, [u32; 2]) {
    device.find_overlaps(gpu);
    let place = device.colliders.overlap_counters();
    let counters = read(device.colliders.counters());
    let mut overlaps = read(device.colliders.overlaps());
    overlaps.truncate(counters[place] as usize);
    overlaps.sort_unstable();
    (overlaps, [counters[place], counters[place + 1]])
}

#[test]
fn triggers_of_every_shape_notice_the_same_particles_as_on_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let mut all: Vec<Shape> = shapes::simple().map(|(_, shape)| shape).to_vec();
    all.extend([shapes::hull(), shapes::mesh(), shapes::grid(), shapes::terrain()]);
    for (_, from, to) in shapes::motions() {
        let mut particles = Particles::default();
        for (seed, shape) in all.iter().enumerate() {
            let some = shapes::paths(shape, &to, 1000, seed as u64);
            particles.append(some);
        }
        let triggers = all.iter().map(|shape| (collider(shape).as_trigger(), from, to));
        let solid = (collider(&all[1]), from, to);
        let frame = frame([solid].into_iter().chain(triggers));
        let expected = expected(&frame, &particles);
        let mut device = Device::new(&gpu, &particles);
        device.colliders.begin_frame(&frame, 2, particles.len()).expect("room");
        let (_, [count, lost]) = found(&gpu, &mut device);
        assert_eq!(lost as usize, (count as usize).saturating_sub(particles.len()));
        assert!(lost > 0, "the test wants too little room");
        device.colliders.reserve_overlaps(count as usize).expect("room");
        let (found, [_, lost]) = found(&gpu, &mut device);
        assert_eq!(lost, 0);
        let missing = expected.iter().filter(|overlap| found.binary_search(overlap).is_err());
        let differ = missing.count() + found.len().abs_diff(expected.len());
        assert!(differ <= expected.len() / 1000, "{differ} of {} differ", expected.len());
        for place in 1..=all.len() as u32 {
            assert!(found.iter().filter(|overlap| overlap[0] == place).count() > 100);
        }
    }
}

#[test]
fn triggers_have_channels() {
    let Some(gpu) = gpu() else { return };
    let trigger = Collider {
        channels: 0b10,
        ..collider(&shapes::hull())
    };
    let frame = frame([(trigger.as_trigger(), Pose::IDENTITY, Pose::IDENTITY)]);
    let mut particles = Particles::default();
    for channels in 0..4 {
        particles.push(Default::default(), Default::default());
        particles.kinds[channels][0] = Phase::new(0, 0, channels as u8).0;
    }
    let mut device = Device::new(&gpu, &particles);
    device.colliders.begin_frame(&frame, 1, 4).expect("room");
    assert_eq!(found(&gpu, &mut device), (vec![[0, 2], [0, 3]], [2, 0]));
}
