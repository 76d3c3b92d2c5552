//! A chain of grains, held by distances, that is cut while it swings: the lower half falls, the upper half goes on.
//!
//! `cargo run --release -p motes --example cut_chain`, with `-- --gpu` on a GPU.

use motes::prelude::*;

const LENGTH: usize = 40;
const PITCH: f32 = 0.1;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings {
        particle_radius: 0.4 * PITCH,
        substeps: 8,
        ..Settings::default()
    };
    let mut world = if std::env::args().any(|argument| argument == "--gpu") {
        World::on_gpu(settings)?
    } else {
        World::new(settings)?
    };
    println!("on {}", world.engine().1);
    let steel = world.add_material(Material::default())?;
    let links = world.add_group(Group::grains("links", steel))?;
    let places: Vec<Vec3> = (0..LENGTH).map(|k| PITCH * k as f32 * Vec3::X).collect();
    let ids = world.add_particles(links, &places, Vec3::ZERO)?;
    world.set_inverse_masses(&[(ids[0], 0.0)])?;

    let chain: Vec<NewDistance> = ids
        .windows(2)
        .map(|pair| NewDistance::new([pair[0], pair[1]], PITCH))
        .collect();
    let chain = world.add_distances(&chain)?;

    for frame in 0..150 {
        if frame == 60 {
            let cut = world.remove_constraints(&chain[LENGTH / 2..LENGTH / 2 + 1]);
            println!("{cut} link cut");
        }
        world.step(1.0 / 60.0);
        if frame % 15 == 14 {
            let ends = world.positions(&[ids[LENGTH / 2], ids[LENGTH - 1]]);
            let heights: Vec<f32> = ends.into_iter().flatten().map(|place| place.y).collect();
            println!(
                "after {:.2} s the middle is at {:+.2} m and the end at {:+.2} m",
                world.time(),
                heights[0],
                heights[1]
            );
        }
    }
    world.health()?;
    Ok(())
}
