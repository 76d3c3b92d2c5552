//! Emitters: where they stand, where they point, and how much they may give.

use glam::{Quat, Vec3};
use motes_core::{Bounds, Emitter, EmitterShape, GroupId, Material, Pose, Stream};

use super::{PlannedEmitter, Surroundings, named};
use crate::issues::Issues;
use crate::model::{EmitterTable, Opening, SceneTable};

/// Most particles of one layer; more would be a wall, not an opening.
const MOST_SITES: f64 = 1e6;

/// Every `[[emitter]]`.
pub(super) fn all(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Vec<PlannedEmitter> {
    let tables = around.scene.emitter.iter().enumerate();
    tables
        .filter_map(|(index, table)| emitter(table, index, around, issues))
        .collect()
}

/// A box around all openings.
pub(super) fn extent(scene: &SceneTable) -> Bounds {
    scene.emitter.iter().fold(Bounds::EMPTY, |bounds, table| {
        let reach = match &table.shape {
            Opening::Disc(disc) => disc.radius,
            Opening::Box(opening) => 0.5 * opening.size.max_element(),
        };
        bounds.with(table.position - reach).with(table.position + reach)
    })
}

fn emitter(
    table: &EmitterTable,
    index: usize,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<PlannedEmitter> {
    let path = format!("emitter[{index}]");
    let material = around
        .materials
        .get(&table.material, &format!("{path}.material"), issues);
    let rotation = rotation(table, around, &path, issues);
    let shape = match &table.shape {
        Opening::Disc(disc) => EmitterShape::Disc { radius: disc.radius },
        Opening::Box(opening) => EmitterShape::Box {
            half_size: 0.5 * opening.size,
        },
    };
    plume(table, material.as_ref(), &path, issues);
    let emitter = Emitter {
        pose: Pose {
            position: table.position,
            rotation: rotation?,
        },
        speed: table.speed,
        rate: table.rate,
        spread: table.spread.to_radians(),
        lifetime: table.lifetime,
        start: table.start,
        stop: table.stop,
        limit: table.limit.unwrap_or(u64::MAX),
        is_on: !table.waits,
        seed: table
            .seed
            .unwrap_or(around.scene.seed.wrapping_add(1000 + index as u64)),
        plume: table.plume.as_ref().map(|plume| plume.plume()),
        ..Emitter::new(named(&table.name, "emitter", index), GroupId::default(), shape)
    };
    let stream = Stream {
        radius: around.scene.radius_or(table.radius),
        is_liquid: { table.fluid }.unwrap_or(material.is_some_and(|material| material.is_fluid())),
    };
    if !fits(&emitter, stream, around, &path, issues) {
        return None;
    }
    Some(PlannedEmitter {
        index,
        radius: stream.radius,
        is_fluid: stream.is_liquid,
        color: { stream.is_liquid }
            .then(|| around.materials.liquid_color(&table.material))
            .flatten(),
        most_alive: most_alive(&emitter, stream, around.scene),
        material: material?,
        emitter,
    })
}

/// Refuses smoke of what is no gas, and a gas that is to be grains.
fn plume(table: &EmitterTable, material: Option<&Material>, path: &str, issues: &mut Issues<'_>) {
    let Some(material) = material else { return };
    let name = table.material.escape_debug();
    if material.is_gas && table.fluid == Some(false) {
        issues.error(
            &format!("{path}.fluid"),
            format!("`{name}` is a gas, which is no grains"),
        );
    } else if table.plume.is_some() && !material.is_gas {
        let message = format!("a plume is of a gas, and `{name}` is none");
        let help = "say `material = \"smoke\"`, or give the material `gas = true`";
        issues.error_with_help(&format!("{path}.plume"), message, help);
    }
}

/// Turns the emitter's own +y to where it points.
fn rotation(table: &EmitterTable, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) -> Option<Quat> {
    match (table.direction, table.rotation) {
        (Some(_), Some(_)) => {
            issues.error(
                &format!("{path}.rotation"),
                "expected only one of `direction` and `rotation`",
            );
            None
        }
        (None, Some(rotation)) => Some((rotation.0 * around.upright.rotation()).normalize()),
        (direction, None) => {
            let down = -around.scene.up.vector();
            match direction.unwrap_or(down).try_normalize() {
                Some(unit) => Some(Quat::from_rotation_arc(Vec3::Y, unit)),
                None => {
                    issues.error(&format!("{path}.direction"), "a direction must have a length");
                    None
                }
            }
        }
    }
}

/// Refuses an emitter that would give more particles than the limits allow.
fn fits(emitter: &Emitter, stream: Stream, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) -> bool {
    let sizes = ["particle_radius", "frames", "frame_rate", path];
    if !sizes.iter().all(|key| issues.sound(key)) {
        return true;
    }
    let radius = stream.radius;
    let size = match emitter.shape {
        EmitterShape::Disc { radius } => Vec3::new(radius, 0.0, radius),
        EmitterShape::Box { half_size } => half_size,
    };
    let sites = (2.0 * (size - radius).max(Vec3::ZERO) / (2.0 * radius) + 1.0)
        .as_dvec3()
        .element_product();
    if sites > MOST_SITES {
        let message =
            format!("{sites:.1e} particles at a time are too many: an opening takes at most {MOST_SITES:.0e}");
        issues.error_with_help(&format!("{path}.shape"), message, "make the opening smaller");
        return false;
    }
    let alive = most_alive(emitter, stream, around.scene);
    if alive > around.limits.particles as f64 {
        let limit = around.limits.particles;
        let message = format!("about {alive:.1e} particles are too many: a scene holds at most {limit}");
        issues.error_with_help(path, message, "set `rate`, `limit`, `lifetime` or `stop`");
        return false;
    }
    true
}

/// Most particles of the emitter alive at once during a run.
fn most_alive(emitter: &Emitter, stream: Stream, scene: &SceneTable) -> f64 {
    let duration = scene.frames as f32 / scene.frame_rate;
    let span = (emitter.stop.min(duration) - emitter.start).clamp(0.0, emitter.lifetime);
    let flow = emitter.rate.min(emitter.capacity(stream));
    (f64::from(flow) * f64::from(span)).min(emitter.limit as f64)
}
