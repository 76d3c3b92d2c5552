//! Force fields and kill volumes.

use glam::Vec3;
use motes_core::{FieldKind, ForceField, Volume};

use super::{PlannedKill, Surroundings};
use crate::issues::Issues;
use crate::model::{FieldWord, Region};

/// Every `[[field]]`.
pub(super) fn fields(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Vec<ForceField> {
    let up = around.scene.up.vector();
    let mut fields = Vec::new();
    for (index, table) in around.scene.field.iter().enumerate() {
        let path = format!("field[{index}]");
        let within = match &table.within {
            Some(region) => volume(region, up, &format!("{path}.within"), issues),
            None => Some(Volume::Everywhere),
        };
        let kind = kind(&table.kind, up, &path, issues);
        fields.extend(kind.zip(within).map(|(kind, volume)| ForceField { kind, volume }));
    }
    fields
}

/// Every `[[kill]]`.
pub(super) fn kill_volumes(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Vec<PlannedKill> {
    let up = around.scene.up.vector();
    let regions = around.scene.kill.iter().enumerate();
    let planned = regions.filter_map(|(index, region)| {
        let volume = volume(region, up, &format!("kill[{index}]"), issues)?;
        Some(PlannedKill { index, volume })
    });
    planned.collect()
}

fn kind(word: &FieldWord, up: Vec3, path: &str, issues: &mut Issues<'_>) -> Option<FieldKind> {
    Some(match word {
        FieldWord::Uniform(field) => FieldKind::Uniform {
            acceleration: field.acceleration,
        },
        FieldWord::Radial(field) => FieldKind::Radial {
            center: field.center,
            strength: field.strength,
            range: field.range,
        },
        FieldWord::Vortex(field) => FieldKind::Vortex {
            center: field.center,
            axis: unit(field.axis.unwrap_or(up), &format!("{path}.kind.vortex.axis"), issues)?,
            swirl: field.swirl,
            pull: field.pull,
            lift: field.lift,
            range: field.range,
        },
        FieldWord::Drag(field) => FieldKind::Drag {
            velocity: field.velocity,
            rate: field.rate,
        },
    })
}

pub(super) fn volume(region: &Region, up: Vec3, path: &str, issues: &mut Issues<'_>) -> Option<Volume> {
    Some(match region {
        Region::Box(shape) => {
            if !shape.min.cmple(shape.max).all() {
                let message = format!(
                    "expected `min` below `max` on every axis, found {} and {}",
                    shape.min, shape.max
                );
                issues.error(&format!("{path}.box"), message);
                return None;
            }
            Volume::Box {
                min: shape.min,
                max: shape.max,
            }
        }
        Region::Sphere(ball) => Volume::Sphere {
            center: ball.center,
            radius: ball.radius,
        },
        Region::Below(plane) => {
            let normal = unit(plane.normal.unwrap_or(up), &format!("{path}.below.normal"), issues)?;
            Volume::Below {
                point: plane.height * normal,
                normal,
            }
        }
        Region::Outside(inner) => Volume::Outside(Box::new(volume(inner, up, &format!("{path}.outside"), issues)?)),
    })
}

fn unit(direction: Vec3, path: &str, issues: &mut Issues<'_>) -> Option<Vec3> {
    let unit = direction.try_normalize();
    if unit.is_none() {
        issues.error(path, "a direction must have a length");
    }
    unit
}
