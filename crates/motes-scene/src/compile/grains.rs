//! Grains: solids filled with balls on a lattice that stands upright in the solid's own frame and turns with it.

use glam::Vec3;
use motes_core::random::Random;
use motes_core::{Bounds, Pose};
use motes_geometry::{Filling, Packing, Solid, fill};

use super::solid::solid;
use super::{PlannedGrains, Surroundings, named};
use crate::issues::Issues;
use crate::model::{GrainsTable, PackingWord};

/// The particles of every `[[grains]]`.
pub(super) fn all(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Vec<PlannedGrains> {
    let mut planned = Vec::new();
    let mut total = 0;
    for (index, table) in around.scene.grains.iter().enumerate() {
        let material = around
            .materials
            .get(&table.material, &format!("grains[{index}].material"), issues);
        let centers = centers(table, index, total, around, issues);
        if let (Some(material), Some(centers)) = (material, centers) {
            total += centers.len() as u64;
            planned.push(PlannedGrains {
                index,
                name: named(&table.name, "grains", index),
                material,
                radius: around.scene.radius_or(table.radius),
                centers,
            });
        }
    }
    planned
}

/// A box around all grains.
pub(super) fn extent(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for (index, table) in around.scene.grains.iter().enumerate() {
        let path = format!("grains[{index}].shape");
        let Some(solid) = solid(&table.shape, around.upright, &path, issues) else {
            continue;
        };
        let local = solid.bounds();
        if local.size().is_finite() && local.min.cmple(local.max).all() {
            let standing = local.transformed(&Pose {
                position: table.position,
                rotation: table.rotation.0 * around.upright.rotation(),
            });
            bounds = bounds.union(standing);
        }
    }
    bounds
}

fn centers(
    table: &GrainsTable,
    index: usize,
    already: u64,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<Vec<Vec3>> {
    let path = format!("grains[{index}]");
    let solid = solid(&table.shape, around.upright, &format!("{path}.shape"), issues)?;
    let sizes = [
        "particle_radius".to_owned(),
        format!("{path}.shape"),
        format!("{path}.radius"),
        format!("{path}.spacing"),
    ];
    if !sizes.iter().all(|key| issues.sound(key)) {
        return None;
    }
    let filling = Filling {
        radius: around.scene.radius_or(table.radius),
        packing: match table.packing {
            PackingWord::Hexagonal => Packing::Hexagonal,
            PackingWord::Cubic => Packing::Cubic,
        },
        spacing: table.spacing,
        jitter: table.jitter,
        seed: around.scene.seed.wrapping_add(index as u64),
    };
    if !fits(&solid, &filling, already, around, &path, issues) {
        return None;
    }
    let filled = match table.count {
        Some(count) => fill_about(&solid, filling, count as usize),
        None => fill(&solid, &filling),
    };
    let local = issues.accept(&format!("{path}.shape"), filled)?;
    let turn = table.rotation.0;
    let place = |center: Vec3| turn * around.upright.to_scene(center) + table.position;
    Some(local.into_iter().map(place).collect())
}

/// Refuses a solid that would take more particles than the limits allow.
pub(super) fn fits(
    solid: &Solid,
    filling: &Filling,
    already: u64,
    around: &Surroundings<'_>,
    path: &str,
    issues: &mut Issues<'_>,
) -> bool {
    const HELP: &str = "raise `particle_radius`, `radius` or `spacing`, or make the shape smaller";
    let limits = &around.limits;
    let size = solid.bounds().size().as_dvec3().max(glam::DVec3::ZERO);
    let pitch = f64::from(2.0 * filling.radius * filling.spacing);
    let places = (size / pitch + 1.0).element_product();
    if places > limits.places as f64 {
        let message = format!(
            "{places:.1e} places for particles have to be looked at, the limit is {}",
            limits.places
        );
        issues.error_with_help(&format!("{path}.shape"), message, HELP);
        return false;
    }
    let grains = estimate(solid, filling);
    if grains + already as f64 > limits.particles as f64 {
        let message = format!(
            "about {grains:.2e} particles are too many: a scene holds at most {}",
            limits.particles
        );
        issues.error_with_help(&format!("{path}.shape"), message, HELP);
        return false;
    }
    true
}

/// About how many grains a solid takes, from the share of random points of its bounds that lie inside.
fn estimate(solid: &Solid, filling: &Filling) -> f64 {
    const SAMPLES: u32 = 4096;
    let bounds = solid.bounds();
    let size = bounds.size();
    if !size.is_finite() || size.min_element() <= 0.0 {
        return 0.0;
    }
    let mut random = Random::new(1, 0);
    let inside = (0..SAMPLES)
        .filter(|_| {
            let fraction = Vec3::new(random.unit(), random.unit(), random.unit());
            solid.distance(bounds.min + fraction * size) <= 0.0
        })
        .count();
    let volume = size.as_dvec3().element_product() * inside as f64 / f64::from(SAMPLES);
    let per_cube = match filling.packing {
        Packing::Cubic => 1.0,
        Packing::Hexagonal => std::f64::consts::SQRT_2,
    };
    volume * per_cube / f64::from(2.0 * filling.radius * filling.spacing).powi(3)
}

/// Fills the solid with the spacing, at least the given one, that comes nearest to `count` grains.
fn fill_about(solid: &Solid, filling: Filling, count: usize) -> Result<Vec<Vec3>, motes_geometry::GeometryError> {
    const ROUNDS: u32 = 14;
    let mut best = fill(solid, &filling)?;
    let (mut tight, mut loose) = (
        filling.spacing,
        filling.spacing * (best.len() as f32 / count.max(1) as f32).cbrt() * 1.5,
    );
    if best.len() <= count {
        return Ok(best);
    }
    for _ in 0..ROUNDS {
        let spacing = 0.5 * (tight + loose);
        let grains = fill(solid, &Filling { spacing, ..filling })?;
        if grains.len() > count {
            tight = spacing;
        } else {
            loose = spacing;
        }
        if grains.len().abs_diff(count) <= best.len().abs_diff(count) {
            best = grains;
        }
        if best.len() == count {
            break;
        }
    }
    Ok(best)
}
