//! A heap of grains, made in code and drawn into `out/heap.png`.
//!
//! `cargo run --release -p motes --example draw_a_heap`

use std::path::Path;

use motes::drawing::{Sketch, Style};
use motes::prelude::*;
use motes::render::{Camera, Preview, Quality, write_png};
use motes::scene::Looks;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Settings::default())?;
    let sand = world.add_material(Material::SAND)?;
    let floor = Plane::new(Vec3::Y, 0.0)?;
    world.add_collider(Collider::new("floor", floor.into(), sand, Pose::IDENTITY))?;
    let heap = world.add_group(Group::grains("heap", sand))?;
    let block = Solid::cuboid_between(Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 1.0, 0.5));
    world.add_particles(heap, &fill(&block, &Filling::cubic(0.05))?, Vec3::ZERO)?;
    (0..60).for_each(|_| world.step(1.0 / 60.0));

    let camera = Camera {
        position: Vec3::new(2.0, 1.6, 3.0),
        target: Vec3::new(0.0, 0.3, 0.0),
        up: Vec3::Y,
        field_of_view: 40.0,
    };
    let mut sketch = Sketch::new(&world, &Looks::plain(&world), Style::default(), &camera);
    sketch.follow(&mut world);
    let image = Preview::new().draw(&sketch.drawing(camera), 640, 360, &Quality::still());
    std::fs::create_dir_all("out")?;
    write_png(Path::new("out/heap.png"), &image)?;
    Ok(())
}
