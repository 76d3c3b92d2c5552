//! `motes bench`: milliseconds per frame and per stage.

use std::time::{Duration, Instant};

use anyhow::Result;
use motes_core::glam::Vec3;
use motes_core::random::Random;
use motes_core::{Passive, World};
use motes_scene::gallery;
use serde_json::{Map, Value, json};

use crate::args::BenchOptions;
use crate::progress::Progress;

/// What one scene came to.
struct Measurement {
    scene: String,
    engine: &'static str,
    device: String,
    particles: usize,
    passive: usize,
    substeps: u32,
    iterations: u32,
    frames: u32,
    median_ms: f64,
    p95_ms: f64,
    stages: Vec<(&'static str, f64)>,
    /// Nothing where there are no particles.
    bytes_per_particle: Option<usize>,
}

pub(crate) fn bench(options: &BenchOptions) -> Result<u8> {
    crate::interrupt::listen();
    let default = ["settling".to_owned()];
    let names = if options.scenes.is_empty() {
        &default[..]
    } else {
        &options.scenes[..]
    };
    let mut measurements = Vec::new();
    for name in names {
        let scene = gallery::find(name, &options.changes.assignments())?;
        let mut built = scene.build(options.engine.for_scene(&scene).create()?)?;
        scatter_passive(&mut built.world, options.passive)?;
        crate::interrupt::end_well();
        measurements.push(measure(&scene.name, &mut built.world, scene.dt(), options)?);
        if crate::interrupt::asked() {
            break;
        }
    }
    if options.json {
        let list: Vec<Value> = measurements.iter().map(Measurement::to_json).collect();
        say!("{}", serde_json::to_string_pretty(&list)?);
    } else {
        measurements.iter().for_each(Measurement::print);
    }
    Ok(if crate::interrupt::asked() {
        crate::INTERRUPTED
    } else {
        crate::SUCCESS
    })
}

/// Adds passive particles at random where the particles are.
fn scatter_passive(world: &mut World, count: usize) -> Result<()> {
    let places = || world.particles().positions.iter().map(|place| place.truncate());
    let (low, high) = (places().reduce(Vec3::min), places().reduce(Vec3::max));
    let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
    let mut random = Random::new(0, 0);
    let mut somewhere = || Vec3::new(random.unit(), random.unit(), random.unit());
    let markers: Vec<Passive> = (0..count)
        .map(|_| Passive {
            position: low + (high - low) * somewhere(),
            velocity: Vec3::ZERO,
            lifetime: f32::INFINITY,
        })
        .collect();
    world.add_passive(&markers)?;
    Ok(())
}

fn measure(name: &str, world: &mut World, dt: f32, options: &BenchOptions) -> Result<Measurement> {
    let frames = options.frames;
    let mut progress = Progress::new(name, u64::from(options.warmup + frames), options.quiet);
    let mut times = Vec::new();
    let mut stages: Vec<(&'static str, f64)> = Vec::new();
    let mut frame = 0;
    while frame < options.warmup + frames {
        // A device works on while the next frame is recorded, so frames are timed in runs, and only the last is waited for.
        let left = if frame < options.warmup {
            options.warmup - frame
        } else {
            options.warmup + frames - frame
        };
        let run = left.min(world.frames_in_flight());
        let started = Instant::now();
        for _ in 0..run {
            world.step(dt);
        }
        world.wait();
        let time = started.elapsed() / run;
        for _ in 0..run {
            progress.frame(world.particle_count(), time, time);
        }
        world.health()?;
        crate::engine::check_device(world)?;
        if frame >= options.warmup {
            times.extend((0..run).map(|_| time));
        }
        frame += run;
        if crate::interrupt::asked() {
            break;
        }
    }
    progress.finish();
    // Apart from the frames, because some devices take longer while they are watched.
    world.measure_stages(true);
    let watched = frames.clamp(1, 20);
    for _ in 0..watched {
        world.step(dt);
        world.wait();
        add(&mut stages, world.timings().milliseconds());
    }
    stages.iter_mut().for_each(|(_, ms)| *ms /= f64::from(watched));
    times.sort_unstable();
    let particles = world.particle_count();
    let (engine, device) = world.engine();
    Ok(Measurement {
        scene: name.to_owned(),
        engine,
        device,
        particles,
        passive: world.passive_count(),
        substeps: world.settings().substeps,
        iterations: world.settings().iterations,
        frames: times.len() as u32,
        median_ms: percentile(&times, 0.5),
        p95_ms: percentile(&times, 0.95),
        stages,
        bytes_per_particle: world.memory_bytes().checked_div(particles),
    })
}

fn add(sums: &mut Vec<(&'static str, f64)>, frame: impl Iterator<Item = (&'static str, f64)>) {
    for (name, ms) in frame {
        match sums.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += ms,
            None => sums.push((name, ms)),
        }
    }
}

/// A percentile of sorted times, milliseconds.
fn percentile(sorted: &[Duration], fraction: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let place = (fraction * last as f64).round() as usize;
    sorted.get(place).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

impl Measurement {
    fn to_json(&self) -> Value {
        let stages: Map<String, Value> = self
            .stages
            .iter()
            .map(|(name, ms)| ((*name).into(), json!(ms)))
            .collect();
        json!({
            "scene": self.scene,
            "engine": self.engine,
            "device": self.device,
            "particles": self.particles,
            "diffuse": self.passive,
            "substeps": self.substeps,
            "iterations": self.iterations,
            "frames": self.frames,
            "ms_per_frame": { "median": self.median_ms, "p95": self.p95_ms },
            "stages": stages,
            "bytes_per_particle": self.bytes_per_particle,
        })
    }

    fn print(&self) {
        let passive = (self.passive > 0).then(|| format!(" and {} passive ones", self.passive));
        say!(
            "{}: {} particles{}, {} sub-steps x {} iterations, {} ({})",
            self.scene,
            self.particles,
            passive.unwrap_or_default(),
            self.substeps,
            self.iterations,
            self.engine,
            self.device
        );
        let memory = self
            .bytes_per_particle
            .map(|bytes| format!(", {bytes} bytes per particle"));
        say!(
            "  {:.2} ms per frame (median of {}), {:.2} ms p95, {:.2} ms per sub-step{}",
            self.median_ms,
            self.frames,
            self.p95_ms,
            self.median_ms / f64::from(self.substeps),
            memory.unwrap_or_default()
        );
        for (name, ms) in self.stages.iter().filter(|(_, ms)| *ms > 0.0) {
            say!("  {name:26}{ms:9.3} ms");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_known_times() {
        let times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert!((percentile(&times, 0.5) - 51.0).abs() < 1.1);
        assert!((percentile(&times, 0.95) - 95.0).abs() < 1.1);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }
}
