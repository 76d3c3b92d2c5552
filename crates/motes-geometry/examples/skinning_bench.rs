//! Times how long a mesh takes to follow the particles of its rig: an octopus of about 63 000 vertices on 300 particles, with normals.
//!
//! `cargo run --release -p motes-geometry --example skinning_bench -- [RESOLUTION] [PARTICLES] [THREADS] [ROUNDS]`; `250 300 1 100` unless told
//! otherwise.

use std::error::Error;
use std::time::Instant;

use motes_core::Pose;
use motes_core::glam::{Quat, Vec3};
use motes_geometry::{Blend, Density, RigOptions, RigSkin, models, rig};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual: usize| arguments.get(place).map_or(Ok(usual), |text| text.parse());
    let (resolution, particles, threads, rounds) = (number(0, 250)?, number(1, 300)?, number(2, 1)?, number(3, 100)?);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let model = models::by_name("octopus").ok_or("there is no octopus")?;
    let mesh = model.mesh(resolution as u32)?;
    let options = RigOptions {
        density: Density::Count(particles),
        ..RigOptions::default()
    };
    let started = Instant::now();
    let rig = rig(&mesh, &options)?;
    println!(
        "{} vertices, {} particles, {} edges; the rig took {:.2} s; {threads} thread(s)",
        mesh.positions.len(),
        rig.particles.len(),
        rig.edges.len(),
        started.elapsed().as_secs_f64()
    );
    let skin = RigSkin::new(&mesh, rig.weights.clone(), rig.particles.len())?;
    let bind: Vec<Pose> = rig
        .particles
        .iter()
        .map(|particle| Pose {
            position: particle.position,
            rotation: particle.orientation,
        })
        .collect();
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for blend in [Blend::Linear, Blend::DualQuaternion] {
        let mut times = Vec::new();
        for round in 0..rounds {
            let turn = Quat::from_axis_angle(Vec3::Y, 0.01 * round as f32);
            let moved = |pose: &Pose| Pose {
                position: turn * pose.position,
                rotation: turn * pose.rotation,
            };
            let poses: Vec<Pose> = bind.iter().map(moved).collect();
            let started = Instant::now();
            let motions = skin.motions(&bind, &poses);
            skin.deform_into(&motions, blend, &mut positions, &mut normals);
            times.push(1e3 * started.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{blend:?}: {:.3} ms in the middle, {:.3} ms at best",
            times[rounds / 2],
            times[0]
        );
    }
    Ok(())
}
