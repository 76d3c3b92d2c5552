//! How balloons keep what they are filled with, and what that can do.

use std::collections::BTreeMap;

use motes_core::constraints::volume::AMBIENT_PRESSURE;
use motes_core::{BalloonState, ConstraintKind, Filling, Softness, World};
use motes_scene::Scene;
use motes_scene::model::InflateTable;

use super::web::greater;

/// How far the volume of a whole balloon is from what its filling has at its pressure, as a ratio of 1 or more; none where there is no such
/// balloon. A pump has any volume.
pub fn misfit(world: &World) -> Option<f64> {
    let balloons = world
        .constraints()
        .ids()
        .filter(|id| id.kind == ConstraintKind::Balloon);
    let whole = balloons
        .filter_map(|id| world.balloon(id))
        .filter(|balloon| balloon.hole == 0.0 && balloon.lost == 0.0);
    let ratios = whole.filter_map(|balloon| {
        let ratio = f64::from(balloon.volume) / f64::from(due(&balloon)?);
        Some(if ratio > 0.0 {
            ratio.max(1.0 / ratio)
        } else {
            f64::INFINITY
        })
    });
    ratios.reduce(greater)
}

/// The volume that a filling has at the pressure of a balloon, m³.
fn due(balloon: &BalloonState) -> Option<f32> {
    match balloon.filling {
        Filling::Volume { volume, softness } => match softness {
            Softness::Compliance(yields) => Some(volume - yields * balloon.pressure),
            Softness::Stiffness(_) => None,
        },
        Filling::Gas(amount) => Some(amount / (1.0 + balloon.pressure / AMBIENT_PRESSURE).max(f32::MIN_POSITIVE)),
        Filling::Pressure(_) => None,
    }
}

/// Greatest speed that fillings can give to the lightest cloth of a scene, m/s: all their work as energy of its motion.
pub(super) fn speed(scene: &Scene, world: &World) -> f32 {
    let tables = { scene.cloth.iter() }.filter_map(|table| table.inflate.as_ref());
    let balloons = world
        .constraints()
        .ids()
        .filter(|id| id.kind == ConstraintKind::Balloon);
    let work: f32 = { tables.zip(balloons) }
        .filter_map(|(table, id)| Some(work(table) * world.balloon(id)?.volume))
        .sum();
    match lightest(world) {
        Some(mass) if work > 0.0 => (2.0 * work / mass).sqrt(),
        _ => 0.0,
    }
}

/// What a filling can do to what is around it, joules for each cubic metre of the balloon as it is made. What keeps a volume of its own does it
/// as gas would, at an atmosphere.
fn work(table: &InflateTable) -> f32 {
    if let Some(pressure) = table.pressure {
        return pressure.abs().max(table.from.unwrap_or(0.0).abs());
    }
    let given = [table.gas, table.volume, table.from].into_iter().flatten();
    let works = given.map(|amount| match amount {
        ..=0.0 => AMBIENT_PRESSURE,
        amount if table.volume.is_some() => AMBIENT_PRESSURE * (amount - 1.0).abs(),
        amount => AMBIENT_PRESSURE * (amount * amount.ln() - amount + 1.0),
    });
    works.fold(0.0, f32::max)
}

/// Mass of the lightest cloth, kg.
fn lightest(world: &World) -> Option<f32> {
    let particles = world.particles();
    let mut masses: BTreeMap<u32, f32> = BTreeMap::new();
    for (id, row) in world.constraints().iter() {
        if id.kind == ConstraintKind::Face {
            { row.particles.iter() }
                .filter_map(|particle| particles.slot(*particle))
                .for_each(|slot| *masses.entry(particles.phases[slot].group()).or_default() = 0.0);
        }
    }
    for (place, phase) in particles.positions.iter().zip(&particles.phases) {
        if let Some(mass) = masses.get_mut(&phase.group())
            && place.w > 0.0
        {
            *mass += 1.0 / place.w;
        }
    }
    masses.into_values().filter(|mass| *mass > 0.0).reduce(f32::min)
}
