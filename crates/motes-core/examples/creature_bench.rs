//! Milliseconds a frame takes with creatures of about 300 particles and 750 edges that collide with themselves and each other, on one core at 2×4: one of them,
//! three, and as many as the first argument says. `cargo run --release -p motes-core --example creature_bench -- [COPIES]`

use std::error::Error;
use std::f32::consts::TAU;
use std::time::{Duration, Instant};

use motes_core::colliders::Plane;
use motes_core::engine::timings::Stage;
use motes_core::glam::Vec3;
use motes_core::{
    Collider, CpuEngine, Edge, Material, NewCreature, OrientedParticle, Pose, Settings, Shape, Softness, World,
};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.02;
const ARMS: usize = 8;
const ARM: usize = 29;

fn main() -> Result<(), Box<dyn Error>> {
    for copies in [
        Some(1),
        Some(3),
        std::env::args().nth(1).and_then(|count| count.parse().ok()),
    ] {
        let Some(copies) = copies else { continue };
        drop_them(copies)?;
    }
    Ok(())
}

/// A head and eight arms, as a rig makes them of a mesh.
fn octopus() -> (Vec<OrientedParticle>, Vec<Edge>) {
    let mut places = Vec::new();
    for k in 0..68 {
        let (height, angle) = (1.0 - (k as f32 + 0.5) / 34.0, 2.399_963 * k as f32);
        let across = (1.0 - height * height).sqrt();
        places.push(0.09 * Vec3::new(across * angle.cos(), 1.2 * height + 1.0, across * angle.sin()));
    }
    for arm in 0..ARMS {
        let angle = TAU * arm as f32 / ARMS as f32;
        for k in 0..ARM {
            let reach = 0.08 + 0.025 * k as f32;
            places.push(Vec3::new(reach * angle.cos(), 0.03, reach * angle.sin()));
        }
    }
    let radii = |k: usize| {
        if k < 68 {
            Vec3::splat(RADIUS)
        } else {
            Vec3::new(1.0, 0.8, 0.8) * RADIUS
        }
    };
    let particles: Vec<_> = { places.iter().enumerate() }
        .map(|(k, &place)| {
            let mass = 1000.0 * OrientedParticle::volume(radii(k));
            OrientedParticle::ellipsoid(Pose::at(place), radii(k), mass)
        })
        .collect();
    let mut edges = Vec::new();
    for a in 0..places.len() {
        for b in a + 1..places.len() {
            let reach = if b < 68 { 0.045 } else { 0.052 };
            if places[a].distance(places[b]) < reach {
                edges.push(Edge {
                    stretch: Some(Softness::STIFF),
                    ..Edge::new(a as u32, b as u32)
                });
            }
        }
    }
    (particles, edges)
}

fn drop_them(copies: usize) -> Result<(), Box<dyn Error>> {
    let settings = Settings {
        particle_radius: RADIUS,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(1)))?;
    let material = world.add_material(Material::RUBBER)?;
    let floor = Shape::Plane(Plane::new(Vec3::Y, 0.0)?);
    world.add_collider(Collider::new("floor", floor, material, Pose::IDENTITY))?;
    let (particles, edges) = octopus();
    for k in 0..copies {
        let (column, level) = (k % 25, k / 25);
        let place = Vec3::new(
            0.9 * (column % 5) as f32,
            0.3 + 0.3 * if copies < 25 { k } else { level } as f32,
            0.9 * (column / 5) as f32,
        );
        let place = if copies < 25 {
            place * Vec3::new(0.1, 1.0, 0.1)
        } else {
            place
        };
        world.add_creature(NewCreature {
            pose: Pose::at(place),
            ..NewCreature::new("octopus", material, particles.clone(), edges.clone())
        })?;
    }
    for _ in 0..60 {
        world.step(DT);
    }
    let frames = 240;
    let begun = Instant::now();
    let mut stages = vec![Duration::ZERO; Stage::ALL.len()];
    for _ in 0..frames {
        world.step(DT);
        for (sum, stage) in stages.iter_mut().zip(Stage::ALL) {
            *sum += world.timings().get(stage);
        }
    }
    let each = begun.elapsed().as_secs_f64() * 1e3 / f64::from(frames);
    println!(
        "{copies} of {} particles and {} edges: {each:.3} ms a frame, {:.3} ms a sub-step",
        particles.len(),
        edges.len(),
        each / 2.0
    );
    for (sum, stage) in stages.iter().zip(Stage::ALL) {
        let each = sum.as_secs_f64() * 1e3 / f64::from(frames);
        if each > 0.002 {
            println!("    {:20} {each:.3} ms", stage.name());
        }
    }
    Ok(())
}
