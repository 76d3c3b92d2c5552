//! Pictures of a breaking dam of 32 000 particles, and what they take:
//! `cargo run --release -p motes-drawing --example tank -- [FOLDER] [MATERIAL] [FRAMES]`.

use std::path::PathBuf;
use std::time::Instant;

use glam::{Affine3A, Vec3};
use motes_core::colliders::{Plane, Sphere};
use motes_core::{Collider, Group, Material, Pose, Settings, World};
use motes_drawing::{Sketch, Style};
use motes_render::{Camera, MeshInstance, Preview, Quality, write_png};
use motes_scene::Looks;

const DIAMETER: f32 = 0.025;
const COUNTS: [usize; 3] = [36, 32, 28];
/// Length and width of the tank, metres.
const TANK: [f32; 2] = [100.0 * DIAMETER, 28.0 * DIAMETER];
const BALL: f32 = 0.14;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "/tmp".into()));
    let material = arguments.next().unwrap_or_else(|| "water".into());
    let frames: u32 = arguments.next().unwrap_or_else(|| "120".into()).parse()?;
    let settings = Settings {
        particle_radius: 0.5 * DIAMETER,
        ..Settings::default()
    };
    let mut world = World::new(settings)?;
    let liquid = world.add_material(Material::preset(&material).ok_or("no such material")?)?;
    for (name, normal, offset) in [
        ("floor", Vec3::Y, 0.0),
        ("left", Vec3::X, 0.0),
        ("right", Vec3::NEG_X, -TANK[0]),
        ("back", Vec3::Z, 0.0),
        ("front", Vec3::NEG_Z, -TANK[1]),
    ] {
        let plane = Plane::new(normal, offset)?;
        world.add_collider(Collider::new(name, plane.into(), liquid, Pose::IDENTITY))?;
    }
    let ball = Vec3::new(0.7 * TANK[0], 0.1, 0.5 * TANK[1]);
    world.add_collider(Collider::new("ball", Sphere::new(BALL)?.into(), liquid, Pose::at(ball)))?;
    let group = world.add_group(Group::fluid("liquid", liquid))?;
    let numbers = 0..COUNTS.iter().product();
    let places: Vec<Vec3> = numbers
        .map(|i| [i % COUNTS[0], i / COUNTS[0] % COUNTS[1], i / COUNTS[0] / COUNTS[1]])
        .map(|place| DIAMETER * (Vec3::from_array(place.map(|part| part as f32)) + 0.5))
        .collect();
    world.add_particles(group, &places, Vec3::ZERO)?;
    let camera = Camera {
        position: Vec3::new(0.8 * TANK[0], 1.2, TANK[1] + 1.7),
        target: Vec3::new(0.5 * TANK[0], 0.2, 0.5 * TANK[1]),
        up: Vec3::Y,
        field_of_view: 40.0,
    };
    // Walls would hide the liquid from some sides.
    let mut looks = Looks::plain(&world);
    looks.colliders.iter_mut().for_each(|look| look.visible = false);
    let mut sketch = Sketch::new(&world, &looks, Style::default(), &camera);
    let shape = motes_geometry::Mesh::ball(BALL, 48);
    let shape = motes_render::Mesh::new(shape.positions, shape.triangles, true);
    let mut preview = Preview::new();
    for frame in 0..=frames {
        if frame % 15 == 0 {
            let begin = Instant::now();
            sketch.follow(&mut world);
            let followed = begin.elapsed();
            let mut drawing = sketch.drawing(camera);
            drawing.meshes.push(MeshInstance {
                mesh: &shape,
                pose: Affine3A::from_translation(ball),
                color: [222, 84, 52],
                opacity: 1.0,
                casts_shadow: true,
            });
            let image = preview.draw(&drawing, 1280, 720, &Quality::video());
            println!(
                "frame {frame}: surface {followed:.0?}, with the picture {:.0?}",
                begin.elapsed()
            );
            write_png(&folder.join(format!("{material}-{frame:03}.png")), &image)?;
        }
        world.step(1.0 / 60.0);
    }
    Ok(())
}
