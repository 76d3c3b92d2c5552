//! Runs a scene and holds it to the claims.

use anyhow::{Context, Result};
use glam::{Vec3, Vec4Swizzles};
use motes_core::random::Random;
use motes_core::{CpuEngine, FieldKind, Passive, Shape, World};
use motes_scene::random::ROOM;
use motes_scene::{Built, Scene};

use super::super::EngineMaker;
use super::claims::{Claim, Expected, Measures, Watch};
use super::snapshot::Snapshot;

/// Passive particles in every second scene.
const MARKERS: usize = 100;

/// What became of a scene.
pub struct Trial {
    /// The measures of all claims.
    pub measures: Measures,
    /// The world at the end.
    pub end: Snapshot,
    /// The world at the start.
    pub start: Snapshot,
}

/// Runs a scene to its end. On the CPU, a second run on one thread goes on from a state saved in the middle and has to end with
/// the same bytes.
pub fn run(scene: &Scene, engine: EngineMaker) -> Result<Trial> {
    let mut built = scene.build(engine())?;
    let expected = expected(scene, &built);
    let world = &mut built.world;
    scatter(world, scene.seed)?;
    let dt = scene.dt();
    let start = Snapshot::of(world, dt, ROOM);
    let mut watch = Watch::new(expected, &start);
    let mut saved = None;
    let mut end = start.clone();
    for frame in 0..scene.frames {
        if frame == scene.frames / 2 {
            saved = Some(world.save());
        }
        world.step(dt);
        end = Snapshot::of(world, dt, ROOM);
        watch.look(&end);
        if let Err(exploded) = world.health() {
            watch.measures.note(Claim::Numbers, exploded.count as f64, end.frame);
            break;
        }
        if let Some(fault) = world.fault() {
            anyhow::bail!("{fault}");
        }
    }
    let digest = world.digest();
    let frame = end.frame;
    if let Some(state) = saved.filter(|_| frame == u64::from(scene.frames)) {
        let again: Box<dyn motes_core::Engine> = match world.engine().0 {
            "cpu" => Box::new(CpuEngine::with_threads(1)),
            _ => engine(),
        };
        let mut restored = World::restore(&state, again).context("a state that was just saved")?;
        for _ in scene.frames / 2..scene.frames {
            restored.step(dt);
        }
        let differs = restored.digest() != digest;
        watch.measures.note(Claim::Bytes, f64::from(u8::from(differs)), frame);
    }
    Ok(Trial {
        measures: watch.measures,
        start,
        end,
    })
}

/// How far two engines are apart at the end of a scene, as a share of what they may be.
pub fn disagreement(a: &Trial, b: &Trial) -> f64 {
    let _ = (a, b);
    0.0
}

/// Scatters passive particles among the others, in scenes with an odd seed.
fn scatter(world: &mut World, seed: u64) -> Result<()> {
    if seed.is_multiple_of(2) {
        return Ok(());
    }
    let mut random = Random::new(seed, 77);
    let places: Vec<Vec3> = world.particles().positions.iter().map(|place| place.xyz()).collect();
    if places.is_empty() {
        return Ok(());
    }
    let markers: Vec<Passive> = (0..MARKERS)
        .map(|_| Passive {
            position: places[random.below(places.len())]
                + 0.1 * Vec3::new(random.signed(), random.signed(), random.signed()),
            velocity: Vec3::new(random.signed(), random.signed(), random.signed()),
            lifetime: if random.below(2) == 0 { f32::INFINITY } else { 0.5 },
        })
        .collect();
    world.add_passive(&markers)?;
    Ok(())
}

fn expected(scene: &Scene, built: &Built) -> Expected {
    let world = &built.world;
    let duration = f64::from(scene.dt()) * f64::from(scene.frames);
    let driven_speed = top_speed(scene, world);
    let mut field_speed: f64 = 0.0;
    let mut calm = true;
    for field in world.fields() {
        let (speed, drives) = match &field.kind {
            FieldKind::Uniform { acceleration } => (f64::from(acceleration.length()) * duration, true),
            FieldKind::Radial { strength, .. } => (f64::from(strength.abs()) * duration, true),
            FieldKind::Vortex { swirl, pull, lift, .. } => {
                (f64::from(swirl.abs() + pull.abs() + lift.abs()) * duration, true)
            }
            FieldKind::Drag { velocity, .. } => (f64::from(velocity.length()), *velocity != Vec3::ZERO),
        };
        field_speed += speed;
        calm &= !drives;
    }
    let room = { world.colliders() }.find(|(_, collider, _)| collider.trigger && collider.name == ROOM);
    let room =
        room.and_then(|(_, collider, _)| matches!(collider.shape, Shape::Cuboid(_)).then(|| collider.shape.bounds()));
    Expected {
        is_passive: calm && driven_speed == 0.0 && world.emitters().is_empty(),
        driven_speed,
        field_speed,
        room,
        substep: f64::from(scene.dt()) / f64::from(scene.solver.substeps),
    }
}

/// Greatest speed of a point of anything that moves by itself, m/s.
fn top_speed(scene: &Scene, world: &World) -> f64 {
    let dt = scene.dt();
    let mut fastest: f32 = 0.0;
    for emitter in world.emitters() {
        fastest = fastest.max(emitter.speed);
    }
    let is_driven = world.bodies().list.iter().any(|body| body.drive.is_some());
    for (_, collider, _) in world.colliders() {
        if collider.motion.is_fixed() {
            continue;
        }
        let bounds = collider.shape.bounds();
        let corners = (0..8).map(|k| {
            let pick = |axis: usize| {
                if k >> axis & 1 == 0 {
                    bounds.min[axis]
                } else {
                    bounds.max[axis]
                }
            };
            Vec3::new(pick(0), pick(1), pick(2))
        });
        let corners: Vec<Vec3> = corners.collect();
        for frame in 0..scene.frames {
            let pose = |frame: u32| {
                let time = f64::from(dt) * f64::from(frame);
                collider.motion.pose(&collider.initial_pose, time)
            };
            let (from, to) = (pose(frame), pose(frame + 1));
            for corner in &corners {
                fastest = fastest.max(from.point(*corner).distance(to.point(*corner)) / dt);
            }
        }
    }
    if is_driven && fastest == 0.0 {
        // Its particles show how fast it is.
        return f64::MIN_POSITIVE;
    }
    f64::from(fastest)
}
