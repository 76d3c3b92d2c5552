//! Times the rows of the store: particles in a net, each held to about twelve others.
//!
//! `cargo run --release -p motes-gpu --example net_bench -- [cpu|gpu] [PARTICLES] [ITERATIONS] [jacobi|colors] [FRAMES]`;
//! `gpu 102400 10` and `cpu 10000 5` unless told otherwise.

use std::error::Error;
use std::time::Instant;

use motes_core::glam::Vec3;
use motes_core::{ConstraintSolver, CpuEngine, Engine, Group, Material, NewDistance, Settings, Softness, World};
use motes_gpu::{Choice, Gpu, GpuEngine};

/// Steps to half of a particle's neighbours: along, across, diagonally, and two further off.
const STEPS: [[i32; 2]; 6] = [[1, 0], [0, 1], [1, 1], [1, -1], [2, 0], [0, 2]];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |place: usize| arguments.get(place).map(String::as_str);
    let on_gpu = argument(0) != Some("cpu");
    let wanted: usize = argument(1).unwrap_or(if on_gpu { "102400" } else { "10000" }).parse()?;
    let iterations = argument(2).unwrap_or(if on_gpu { "10" } else { "5" }).parse()?;
    let colored = argument(3) == Some("colors");
    let frames: usize = argument(4).unwrap_or("200").parse()?;

    let engine: Box<dyn Engine> = if on_gpu {
        Box::new(GpuEngine::new(&Gpu::pick(&Choice::default())?)?)
    } else {
        Box::new(CpuEngine::new())
    };
    let settings = Settings {
        particle_radius: 0.005,
        substeps: 1,
        iterations,
        constraint_solver: if colored {
            ConstraintSolver::GaussSeidel
        } else {
            ConstraintSolver::Jacobi
        },
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, engine)?;
    let (particles, rows) = hang(&mut world, (wanted as f64).sqrt().round() as i32)?;
    println!(
        "{} · {particles} particles, {rows} distances, {iterations} iterations",
        world.engine().1
    );

    let dt = 1.0 / 240.0;
    for _ in 0..20 {
        world.step(dt);
    }
    world.wait();
    let started = Instant::now();
    let mut in_rows = 0.0;
    for _ in 0..frames {
        world.step(dt);
        if !on_gpu {
            in_rows += stage(&mut world);
        }
    }
    world.wait();
    println!(
        "{:.3} ms a frame",
        started.elapsed().as_secs_f64() * 1e3 / frames as f64
    );
    if on_gpu {
        world.measure_stages(true);
        for _ in 0..frames {
            world.step(dt);
            world.wait();
            in_rows += stage(&mut world);
        }
    }
    println!("{:.3} ms of it in rows", in_rows / frames as f64);
    world.health()?;
    Ok(())
}

/// Milliseconds in rows, in the last frame.
fn stage(world: &mut World) -> f64 {
    let timings = world.timings();
    let rows = timings.milliseconds().find(|(name, _)| *name == "solve_rows");
    rows.map_or(0.0, |(_, milliseconds)| milliseconds)
}

/// A square net that hangs by its upper edge; how many particles and rows it has.
fn hang(world: &mut World, side: i32) -> Result<(usize, usize), Box<dyn Error>> {
    let pitch = 0.02;
    let material = world.add_material(Material::default())?;
    let mut group = Group::grains("net", material);
    group.flags = 0;
    let group = world.add_group(group)?;
    let place = |x: i32, y: i32| pitch * Vec3::new(x as f32, -y as f32, 0.1 * ((x * 7 + y * 13) % 5) as f32);
    let positions: Vec<Vec3> = (0..side * side).map(|i| place(i % side, i / side)).collect();
    let ids = world.add_particles(group, &positions, Vec3::ZERO)?;
    let pins: Vec<_> = ids[..side as usize].iter().map(|&id| (id, 0.0)).collect();
    world.set_inverse_masses(&pins)?;
    let mut rows = Vec::new();
    for i in 0..side * side {
        for [dx, dy] in STEPS {
            let (x, y) = (i % side + dx, i / side + dy);
            if (0..side).contains(&x) && (0..side).contains(&y) {
                let (a, b) = (i as usize, (y * side + x) as usize);
                rows.push(NewDistance {
                    softness: Softness::Compliance(1e-7),
                    ..NewDistance::new([ids[a], ids[b]], positions[a].distance(positions[b]))
                });
            }
        }
    }
    world.add_distances(&rows)?;
    Ok((ids.len(), rows.len()))
}
