//! Runs a scene and holds it to the claims.

use anyhow::{Context, Result, bail};
use glam::{Vec3, Vec4Swizzles};
use motes_core::random::Random;
use motes_core::{CpuEngine, Engine, Passive, World};
use motes_scene::random::ROOM;
use motes_scene::{Built, Scene};

use super::super::EngineMaker;
use super::claims::{Claim, Measures};
use super::expected::Expected;
use super::sheets::Sheets;
use super::snapshot::Snapshot;
use super::watch::Watch;

/// Passive particles in scenes with an odd seed.
const MARKERS: usize = 100;

/// Share of what can be turned over by which the energies of two engines may differ at the end: from the first rounding on,
/// bodies that bounce and grains that fall over each other go other ways.
const ENERGY_BAND: f64 = 0.1;

/// Share of the size of the room by which their centres of mass may differ.
const CENTER_BAND: f64 = 0.1;

/// What became of a scene.
pub struct Trial {
    /// The measures of all claims.
    pub measures: Measures,
    /// The world at the end.
    pub end: Snapshot,
    /// Most energy that can be turned over, joules.
    pub turnover: f64,
    /// Size of the room, metres.
    pub size: f64,
}

/// Runs a scene to its end. A second run goes on from a state saved in the middle, on the CPU with one thread, and has to end
/// with the same bytes.
pub fn run(scene: &Scene, engine: EngineMaker) -> Result<Trial> {
    let Built { mut world, looks, .. } = scene.build(engine())?;
    let sheets = Sheets::of(&looks);
    let expected = Expected::of(scene, &world);
    let size = expected.size();
    scatter(&mut world, scene.seed)?;
    let dt = scene.dt();
    let mut seen = Snapshot::of(&world, dt, ROOM, &sheets);
    let mut watch = Watch::new(expected, &seen);
    let mut saved = None;
    for frame in 0..scene.frames {
        if frame == scene.frames / 2 {
            saved = Some(world.save());
        }
        world.step(dt);
        seen = Snapshot::of(&world, dt, ROOM, &sheets);
        watch.look(&seen);
        if let Some(fault) = world.fault() {
            bail!("{fault}");
        }
        if let Err(exploded) = world.health() {
            watch.measures.note(Claim::Numbers, exploded.count as f64, seen.frame);
            saved = None;
            break;
        }
    }
    if let Some(state) = saved {
        let differs = again(&state, scene, &world, engine)? != world.digest();
        watch
            .measures
            .note(Claim::Bytes, f64::from(u8::from(differs)), seen.frame);
    }
    Ok(Trial {
        turnover: watch.turnover,
        measures: watch.measures,
        end: seen,
        size,
    })
}

/// The digest that a saved state comes to at the end.
fn again(state: &[u8], scene: &Scene, world: &World, engine: EngineMaker) -> Result<u64> {
    let engine: Box<dyn Engine> = match world.engine_as::<CpuEngine>() {
        Some(_) => Box::new(CpuEngine::with_threads(1)),
        None => engine(),
    };
    let mut restored = World::restore(state, engine).context("a state that was just saved")?;
    for _ in scene.frames / 2..scene.frames {
        restored.step(scene.dt());
    }
    Ok(restored.digest())
}

/// How far two runs of a scene are apart at the end, as a share of what they may be.
pub fn disagreement(a: &Trial, b: &Trial) -> f64 {
    if a.end.particles.len() != b.end.particles.len() || a.end.bodies.len() != b.end.bodies.len() {
        return f64::INFINITY;
    }
    let energy = |trial: &Trial| trial.end.energy().iter().sum::<f64>();
    // What was born since the start falls as well.
    let weights = { a.end.particles.iter() }.map(|particle| f64::from(particle.weight.length()));
    let turnover = a.turnover.max(weights.sum::<f64>() * a.size);
    let energies = (energy(a) - energy(b)).abs() / turnover.max(f64::MIN_POSITIVE);
    let centers = a.end.center().distance(b.end.center()) / a.size;
    (energies / ENERGY_BAND).max(centers / CENTER_BAND)
}

/// Scatters passive particles among the others, in scenes with an odd seed.
fn scatter(world: &mut World, seed: u64) -> Result<()> {
    let places: Vec<Vec3> = { world.particles().positions.iter() }
        .map(|place| place.xyz())
        .collect();
    if seed.is_multiple_of(2) || places.is_empty() {
        return Ok(());
    }
    let mut random = Random::new(seed, 77);
    let vector = |random: &mut Random| Vec3::new(random.signed(), random.signed(), random.signed());
    let markers: Vec<Passive> = (0..MARKERS)
        .map(|marker| Passive {
            position: places[random.below(places.len())] + 0.1 * vector(&mut random),
            velocity: vector(&mut random),
            lifetime: if marker % 2 == 0 { f32::INFINITY } else { 0.5 },
        })
        .collect();
    world.add_passive(&markers)?;
    Ok(())
}
