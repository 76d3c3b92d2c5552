//! `motes run`: simulates a scene and writes what was asked for.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use motes_core::{PassiveKind, Phase, World};
use motes_render::{Claim, check_writable, write_file};
use motes_scene::gallery::DEFAULT;
use motes_scene::model::Format;
use motes_scene::{Built, Scene, gallery};
use serde_json::json;

use crate::args::{Misuse, OutputFormat, RunOptions};
use crate::news::{News, triggers};
use crate::outputs::{Outputs, file_stem};
use crate::progress::{Preparation, Progress};
use crate::restore::restore;

pub(crate) fn run(options: &RunOptions) -> Result<u8> {
    crate::interrupt::listen();
    if let Some(threads) = options.engine.threads {
        // Drawing uses the global pool; if another was made before, that one stays.
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global();
    }
    let started = Instant::now();
    let name = options.scene.as_deref().unwrap_or(DEFAULT);
    let mut scene = gallery::find(name, &options.changes.assignments())?;
    let preparation = Preparation::new(&scene.name, options.quiet);
    scene.tell_steps(preparation.listener());
    let targets = Targets::claim(options, &scene)?;
    let (mut built, doubts) = scene.build_checked(options.engine.for_scene(&scene).create()?)?;
    check_surface(&targets.formats, &built.world)?;
    check_smoke(&targets.formats, &scene, &built.world)?;
    let frames = targets.begin(&mut built, options, &scene)?;
    let mut outputs = Outputs::create(&targets.folder, &scene, &built, &targets.formats, options.quality)?;
    drop(preparation);
    for doubt in doubts.iter().filter(|_| !options.quiet) {
        tell!("{doubt}");
    }
    crate::interrupt::end_well();
    let simulated = simulate(&scene, &mut built, &mut outputs, frames, &targets, options);
    let files = outputs.finish(&scene, &mut built)?;
    let simulation = simulated?;
    let mut files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    if let Some(path) = &options.save_state {
        write_file(path, &built.world.save())?;
        files.push(path.display().to_string());
    }
    files.extend(targets.end(&built.world, options)?);
    report(&scene, &mut built.world, &files, simulation, started.elapsed(), options)?;
    Ok(if crate::interrupt::asked() {
        crate::INTERRUPTED
    } else {
        crate::SUCCESS
    })
}

/// Where a run writes, found to be writable and nobody else's.
struct Targets {
    folder: PathBuf,
    formats: Vec<OutputFormat>,
    checkpoint: PathBuf,
    /// Given up at the end of the run.
    _claim: Option<Claim>,
}

impl Targets {
    fn claim(options: &RunOptions, scene: &Scene) -> Result<Self> {
        let formats = formats(options, scene);
        check_formats(&formats)?;
        let folder = if options.out.as_os_str().is_empty() {
            PathBuf::from("out")
        } else {
            options.out.clone()
        };
        let stem = file_stem(&scene.name);
        let checkpoint = folder.join(format!("{stem}.checkpoint"));
        let writes = formats.iter().any(|format| *format != OutputFormat::None);
        let claim = if writes || options.checkpoint.is_some() {
            std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            let claim = Claim::take(&folder, &stem)?;
            if !claim.removed.is_empty() && !options.quiet {
                let count = claim.removed.len();
                tell!("note: removed {count} unfinished file(s) of a run that was killed");
            }
            Some(claim)
        } else {
            None
        };
        if let Some(path) = &options.save_state {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            }
            check_writable(path)?;
        }
        Ok(Self {
            folder,
            formats,
            checkpoint,
            _claim: claim,
        })
    }

    /// Puts a saved state in place where one is asked for; returns how many frames are to be run.
    fn begin(&self, built: &mut Built, options: &RunOptions, scene: &Scene) -> Result<u32> {
        let (engine, frames) = (options.engine.for_scene(scene), options.frames.unwrap_or(scene.frames));
        if let Some(path) = &options.restore_state {
            restore(path, built, &engine)?;
        } else if options.resume && self.checkpoint.exists() {
            restore(&self.checkpoint, built, &engine)?;
            let done = built.world.frame();
            if done > u64::from(frames) {
                let file = self.checkpoint.display();
                let message = format!(
                    "--resume: {file} is of frame {done}, and the run is to have {frames}; ask for more with --frames, or leave \
                     out --resume to begin anew"
                );
                return Err(Misuse(message).into());
            }
            if !options.quiet {
                tell!("note: going on from frame {done} of {}", self.checkpoint.display());
            }
            return Ok(frames.saturating_sub(u32::try_from(done).unwrap_or(u32::MAX)));
        }
        Ok(frames)
    }

    /// Saves the state if it is time to.
    fn checkpoint(&self, world: &World, options: &RunOptions) -> Result<()> {
        if let Some(every) = options.checkpoint
            && world.frame().is_multiple_of(u64::from(every))
        {
            write_file(&self.checkpoint, &world.save())?;
        }
        Ok(())
    }

    /// Removes the checkpoint of a run that is complete, or saves where one was stopped; returns the file.
    fn end(&self, world: &World, options: &RunOptions) -> Result<Option<String>> {
        if crate::interrupt::asked() {
            if options.checkpoint.is_none() {
                return Ok(None);
            }
            write_file(&self.checkpoint, &world.save())?;
            return Ok(Some(self.checkpoint.display().to_string()));
        }
        if (options.checkpoint.is_some() || options.resume) && self.checkpoint.exists() {
            std::fs::remove_file(&self.checkpoint).with_context(|| self.checkpoint.display().to_string())?;
        }
        Ok(None)
    }
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
            Format::Obj => OutputFormat::Obj,
            Format::Glb => OutputFormat::Glb,
            Format::Usda => OutputFormat::Usda,
            Format::Surface => OutputFormat::Surface,
            Format::Vdb => OutputFormat::Vdb,
            Format::Vti => OutputFormat::Vti,
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
fn simulate(
    scene: &Scene,
    built: &mut Built,
    outputs: &mut Outputs,
    frames: u32,
    targets: &Targets,
    options: &RunOptions,
) -> Result<Simulation> {
    let mut progress = Progress::new(&scene.name, u64::from(frames), options.quiet);
    let mut simulation = Simulation::default();
    outputs.frame(scene, built)?;
    let mut news = News::new(&built.world);
    for _ in 0..frames {
        if crate::interrupt::asked() {
            break;
        }
        let begun = Instant::now();
        // The picture of a frame is drawn while the next one is simulated.
        let (stepped, drawn) = std::thread::scope(|scope| {
            let drawing = scope.spawn(|| outputs.draw_pending(scene));
            built.world.step(scene.dt());
            let stepped = begun.elapsed();
            (stepped, drawing.join())
        });
        drawn.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        simulation.time += stepped;
        simulation.frames += 1;
        built.world.health()?;
        crate::engine::check_device(&mut built.world)?;
        outputs.frame(scene, built)?;
        news.tell(&built.world, &progress);
        targets.checkpoint(&built.world, options)?;
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
            "triggers": triggers(world),
            "files": files,
            "interrupted": crate::interrupt::asked(),
        });
        say!("{}", serde_json::to_string_pretty(&result)?);
    } else {
        if !options.quiet {
            tell!(
                "{}: {frames} frames of {particles} particles in {:.1} s, {ms_per_frame:.1} ms per frame simulating ({device})",
                scene.name,
                total.as_secs_f64()
            );
        }
        if !options.quiet {
            crate::news::sum_up(world);
        }
        for file in files {
            say!("{file}");
        }
    }
    Ok(())
}

/// Refuses to write the surfaces of liquids where there can be none.
fn check_surface(formats: &[OutputFormat], world: &World) -> Result<(), Misuse> {
    let mut groups = world.groups();
    let is_liquid = |flags: u32| flags & (Phase::FLUID | Phase::GAS) == Phase::FLUID;
    if formats.contains(&OutputFormat::Surface) && !groups.any(|(_, group)| is_liquid(group.flags)) {
        return Err(Misuse("--format surface: the scene has no liquid".into()));
    }
    Ok(())
}

/// Refuses to write smoke on a grid where there can be none.
fn check_smoke(formats: &[OutputFormat], scene: &Scene, world: &World) -> Result<(), Misuse> {
    let has_smoke = scene.smoke.is_some() || world.passive().count_of(PassiveKind::Smoke) > 0;
    let grids = [(OutputFormat::Vdb, "vdb"), (OutputFormat::Vti, "vti")];
    match grids.iter().find(|(format, _)| formats.contains(format)) {
        Some((_, name)) if !has_smoke => Err(Misuse(format!("--format {name}: the scene has no smoke"))),
        _ => Ok(()),
    }
}

/// Refuses a combination of formats that makes no sense.
pub(crate) fn check_formats(formats: &[OutputFormat]) -> Result<(), Misuse> {
    if formats.contains(&OutputFormat::None) && formats.len() > 1 {
        return Err(Misuse("--format none cannot be combined with other formats".into()));
    }
    Ok(())
}
