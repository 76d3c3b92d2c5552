//! How long the lists of fluids take to build and one pass over them takes:
//! `cargo run --release --example neighbor_bench -p motes-gpu -- cpu|gpu [PARTICLES…]`.
//! Particles on a jittered lattice, about 30 neighbours each; best of several frames, milliseconds.

use std::error::Error;
use std::time::{Duration, Instant};

use motes_core::engine::timings::Stage;
use motes_core::glam::Vec3;
use motes_core::random::Random;
use motes_core::{CpuEngine, Engine, Group, Material, Settings, World};
use motes_gpu::{Choice, Gpu, GpuEngine};

/// Spacing of the lattice in diameters, and how far particles are off their places at most.
const SPACING: f32 = 1.04;
const JITTER: f32 = 0.25;
const FRAMES: usize = 12;
/// Passes that are timed together on a device.
const PASSES: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let on_gpu = match arguments.next().as_deref() {
        Some("gpu") => true,
        Some("cpu") | None => false,
        Some(other) => return Err(format!("\"{other}\" is neither cpu nor gpu").into()),
    };
    let mut counts = arguments
        .map(|count| count.parse())
        .collect::<Result<Vec<usize>, _>>()?;
    if counts.is_empty() {
        counts = vec![100_000, 1_000_000];
    }
    for count in counts {
        let engine: Box<dyn Engine> = if on_gpu {
            Box::new(GpuEngine::new(&Gpu::pick(&Choice::default())?)?)
        } else {
            Box::new(CpuEngine::new())
        };
        measure(engine, count)?;
    }
    Ok(())
}

fn measure(engine: Box<dyn Engine>, count: usize) -> Result<(), Box<dyn Error>> {
    let mut world = lattice(engine, count)?;
    world.measure_stages(true);
    let [mut search, mut lists, mut pass] = [Duration::MAX; 3];
    for _ in 0..FRAMES {
        world.step(1e-3);
        world.wait();
        // On a device the times of a frame come with a later one.
        let timings = world.timings();
        for (best, stage) in [
            (&mut search, Stage::FindNeighbors),
            (&mut lists, Stage::FindFluidNeighbors),
        ] {
            let time = timings.get(stage);
            if !time.is_zero() {
                *best = time.min(*best);
            }
        }
        pass = pass.min(density_pass(&mut world)?);
    }
    let (engine, device) = world.engine();
    let milliseconds = |time: Duration| {
        if time == Duration::MAX {
            f64::NAN
        } else {
            time.as_secs_f64() * 1e3
        }
    };
    println!(
        "{engine} ({device}), {count} particles: sort and contact pairs {:.3} ms, lists {:.3} ms, density pass {:.3} ms",
        milliseconds(search),
        milliseconds(lists),
        milliseconds(pass)
    );
    if let Some(engine) = world.engine_as::<CpuEngine>() {
        println!(
            "  {:.1} neighbours each",
            engine.fluid_neighbor_count() as f64 / count as f64
        );
    }
    println!("  {} MB", world.memory_bytes() / 1_000_000);
    Ok(())
}

/// Time of one pass over the lists.
fn density_pass(world: &mut World) -> Result<Duration, Box<dyn Error>> {
    if let Some(engine) = world.engine_as_mut::<GpuEngine>() {
        let mut time = |passes: usize| -> Result<Duration, Box<dyn Error>> {
            let started = Instant::now();
            engine.sum_densities(passes)?;
            Ok(started.elapsed())
        };
        // What submitting and waiting take is left out.
        let (one, many) = (time(1)?, time(PASSES + 1)?);
        return Ok(many.saturating_sub(one) / PASSES as u32);
    }
    let engine = world.engine_as_mut::<CpuEngine>().ok_or("neither engine")?;
    let started = Instant::now();
    std::hint::black_box(engine.number_densities());
    Ok(started.elapsed())
}

fn lattice(engine: Box<dyn Engine>, count: usize) -> Result<World, Box<dyn Error>> {
    let settings = Settings {
        gravity: Vec3::ZERO,
        substeps: 1,
        iterations: 1,
        ..Settings::default()
    };
    let diameter = settings.contact_distance();
    let mut world = World::with_engine(settings, engine)?;
    let material = world.add_material(Material::SAND)?;
    let water = world.add_group(Group::fluid("water", material))?;
    let side = (count as f64).cbrt().ceil() as usize;
    let mut random = Random::new(1, 0);
    let places: Vec<Vec3> = (0..count)
        .map(|i| {
            let cell = Vec3::new((i % side) as f32, (i / side % side) as f32, (i / side / side) as f32);
            let off = Vec3::new(random.signed(), random.signed(), random.signed());
            diameter * (SPACING * cell + JITTER * off)
        })
        .collect();
    world.add_particles(water, &places, Vec3::ZERO)?;
    Ok(world)
}
