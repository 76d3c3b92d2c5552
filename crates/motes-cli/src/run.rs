//! `motes run`: simulates a scene and writes what was asked for.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use motes_core::World;
use motes_render::write_file;
use motes_scene::gallery::DEFAULT;
use motes_scene::model::Format;
use motes_scene::{Built, Scene, gallery};
use serde_json::json;

use crate::args::{Misuse, OutputFormat, RunOptions};
use crate::outputs::Outputs;
use crate::progress::Progress;

pub(crate) fn run(options: &RunOptions) -> Result<u8> {
    crate::interrupt::listen();
    if let Some(threads) = options.engine.threads {
        // Drawing uses the global pool; if another was made before, that one stays.
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global();
    }
    let name = options.scene.as_deref().unwrap_or(DEFAULT);
    let scene = gallery::find(name, &options.changes.assignments())?;
    let mut built = scene.build(options.engine.create()?)?;
    if let Some(path) = &options.restore_state {
        restore(path, &mut built.world, options)?;
    }
    let frames = options.frames.unwrap_or(scene.frames);
    let out = if options.out.as_os_str().is_empty() {
        PathBuf::from("out")
    } else {
        options.out.clone()
    };
    if let Some(folder) = options.save_state.as_deref().and_then(Path::parent) {
        // Now rather than when hours of work are to be saved.
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let mut outputs = Outputs::create(&out, &scene, &built, &formats(options, &scene))?;
    let started = Instant::now();
    let simulated = simulate(&scene, &mut built, &mut outputs, frames, options.quiet);
    let files = outputs.finish(&scene, &mut built)?;
    let simulation = simulated?;
    let mut files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    if let Some(path) = &options.save_state {
        write_file(path, &built.world.save())?;
        files.push(path.display().to_string());
    }
    report(&scene, &mut built.world, &files, simulation, started.elapsed(), options)?;
    Ok(if crate::interrupt::asked() {
        crate::INTERRUPTED
    } else {
        crate::SUCCESS
    })
}

/// Puts a saved state in place of a scene's beginning. Settings stay those of the scene and the command line.
fn restore(path: &Path, world: &mut World, options: &RunOptions) -> Result<()> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let mut restored = World::restore(&bytes, options.engine.create()?).with_context(|| path.display().to_string())?;
    let parts = |world: &World| -> (Vec<String>, Vec<String>) {
        (
            world.groups().map(|(_, group)| group.name.clone()).collect(),
            world
                .colliders()
                .map(|(_, collider, _)| collider.name.clone())
                .collect(),
        )
    };
    if parts(&restored) != parts(world) {
        bail!(
            "{}: a state of another scene: its objects have other names",
            path.display()
        );
    }
    let (then, now) = (restored.settings().particle_radius, world.settings().particle_radius);
    if then != now {
        bail!("{}: a state of grains of radius {then} m, not {now} m", path.display());
    }
    restored.set_settings(world.settings().clone())?;
    *world = restored;
    Ok(())
}

fn formats(options: &RunOptions, scene: &Scene) -> Vec<OutputFormat> {
    options.format.clone().unwrap_or_else(|| {
        let convert = |format: &Format| match format {
            Format::Png => OutputFormat::Png,
            Format::Frames => OutputFormat::Frames,
            Format::Mp4 => OutputFormat::Mp4,
            Format::Ply => OutputFormat::Ply,
            Format::Vtp => OutputFormat::Vtp,
            Format::Meshes => OutputFormat::Meshes,
            Format::Log => OutputFormat::Log,
            Format::Csv => OutputFormat::Csv,
        };
        scene.output.formats.iter().map(convert).collect()
    })
}

/// What was simulated, not counting output.
#[derive(Clone, Copy, Default)]
struct Simulation {
    frames: u32,
    time: Duration,
}

/// Steps through the frames, writing as it goes; returns what was simulated.
fn simulate(scene: &Scene, built: &mut Built, outputs: &mut Outputs, frames: u32, quiet: bool) -> Result<Simulation> {
    let mut progress = Progress::new(&scene.name, u64::from(frames), quiet);
    let mut simulation = Simulation::default();
    outputs.frame(scene, built)?;
    for _ in 0..frames {
        if crate::interrupt::asked() {
            break;
        }
        let begun = Instant::now();
        built.world.step(scene.dt());
        let stepped = begun.elapsed();
        simulation.time += stepped;
        simulation.frames += 1;
        built.world.health()?;
        crate::engine::check_device(&mut built.world)?;
        outputs.frame(scene, built)?;
        progress.frame(built.world.particle_count(), stepped, begun.elapsed());
    }
    progress.finish();
    Ok(simulation)
}

fn report(
    scene: &Scene,
    world: &mut World,
    files: &[String],
    simulation: Simulation,
    total: Duration,
    options: &RunOptions,
) -> Result<()> {
    let frames = world.frame();
    let ms_per_frame = simulation.time.as_secs_f64() * 1e3 / f64::from(simulation.frames.max(1));
    let (engine, device) = world.engine();
    let particles = world.particle_count();
    if options.json {
        let result = json!({
            "scene": scene.name,
            "engine": engine,
            "device": device,
            "particles": particles,
            "frames": frames,
            "ms_per_frame": ms_per_frame,
            "seconds": total.as_secs_f64(),
            "digest": format!("{:016x}", world.digest()),
            "files": files,
            "interrupted": crate::interrupt::asked(),
        });
        say!("{}", serde_json::to_string_pretty(&result)?);
    } else {
        if !options.quiet {
            eprintln!(
                "{}: {frames} frames of {particles} particles in {:.1} s, {ms_per_frame:.1} ms per frame simulating ({device})",
                scene.name,
                total.as_secs_f64()
            );
        }
        for file in files {
            say!("{file}");
        }
    }
    Ok(())
}

/// Refuses a combination of formats that makes no sense.
pub(crate) fn check_formats(formats: &[OutputFormat]) -> Result<(), Misuse> {
    if formats.contains(&OutputFormat::None) && formats.len() > 1 {
        return Err(Misuse("--format none cannot be combined with other formats".into()));
    }
    Ok(())
}
