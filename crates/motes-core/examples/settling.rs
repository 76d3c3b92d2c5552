//! Times a block of grains that settles on the floor: `settling [COUNT] [FRAMES]`.

use glam::Vec3;
use motes_core::colliders::Plane;
use motes_core::{Collider, CpuEngine, Group, Material, Pose, Settings, Shape, World};

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|word| word.parse::<usize>().ok());
    let count = arguments.next().unwrap_or(100_000);
    let frames = arguments.next().unwrap_or(60);
    let mut world = World::with_engine(Settings::default(), Box::new(CpuEngine::new())).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("sand", sand)).expect("group");
    let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    world
        .add_collider(Collider::new("floor", plane, sand, Pose::IDENTITY))
        .expect("floor");
    let side = (count as f32).cbrt().ceil() as usize;
    let positions: Vec<Vec3> = (0..count)
        .map(|i| {
            let (x, z, y) = (i % side, i / side % side, i / side / side);
            0.1 * Vec3::new(x as f32 + 0.01 * (y % 3) as f32, y as f32 + 1.0, z as f32)
        })
        .collect();
    world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
    // The least of many frames: what else the machine is busy with only ever adds.
    let mut least = std::collections::BTreeMap::new();
    for frame in 0..frames {
        world.step(1.0 / 60.0);
        if frame >= frames / 2 {
            for (name, ms) in world.timings().milliseconds() {
                let least = least.entry(name).or_insert(f64::INFINITY);
                *least = least.min(ms);
            }
        }
    }
    let total: f64 = least.values().sum();
    println!(
        "{count}: {:.2} ms per sub-step, {} bytes per grain",
        total / 2.0,
        world.memory_bytes() / count.max(1)
    );
    for (name, ms) in least {
        println!("  {name:24} {:8.3}", ms / 2.0);
    }
}
