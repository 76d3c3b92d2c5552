//! Liquids and gases: solids filled with particles a diameter apart, on a grid that turns with the solid.

use motes_core::{Bounds, Material, Pose};
use motes_geometry::{Filling, fill};

use glam::Vec3;

use super::grains::fits;
use super::heat::{PlannedFreezing, freezing};
use super::markers;
use super::solid::solid;
use super::{Surroundings, named};
use crate::issues::Issues;
use crate::model::{Color, FluidTable};

/// The particles of one `[[fluid]]`.
pub(crate) struct PlannedFluid {
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) material: Material,
    /// Radius of its particles, metres.
    pub(crate) radius: f32,
    pub(crate) centers: Vec<Vec3>,
    /// Particles that had to leave room for something else.
    pub(crate) carved: usize,
    /// When it freezes, and into what.
    pub(crate) freezing: Option<PlannedFreezing>,
    /// The colour of such a liquid.
    pub(crate) color: Option<Color>,
}

impl PlannedFluid {
    /// Path of its table.
    pub(crate) fn path(&self) -> String {
        format!("fluid[{}]", self.index)
    }
}

/// The particles of every `[[fluid]]`.
pub(super) fn all(around: &Surroundings<'_>, already: u64, issues: &mut Issues<'_>) -> Vec<PlannedFluid> {
    let mut planned = Vec::new();
    let mut total = already;
    for (index, table) in around.scene.fluid.iter().enumerate() {
        let path = format!("fluid[{index}].material");
        let material = around.materials.get(&table.material, &path, issues);
        let centers = centers(table, index, total, around, issues);
        if let (Some(material), Some(centers)) = (material, centers) {
            let path = format!("fluid[{index}].freezing");
            let liquid = (table.material.as_str(), &material);
            let is_refused = refused(table, &material, index, issues);
            let freezes = table.freezing.as_ref().filter(|_| !is_refused);
            let count = (f64::from(table.markers) * centers.len() as f64) as u64;
            if !markers::fits(count, around, &format!("fluid[{index}].markers"), issues) {
                continue;
            }
            let freezing = freezes.and_then(|table| freezing(table, liquid, &path, around, issues));
            total += centers.len() as u64;
            planned.push(PlannedFluid {
                index,
                name: named(&table.name, "fluid", index),
                material,
                radius: around.scene.radius_or(table.radius),
                centers,
                carved: 0,
                freezing,
                color: around.materials.liquid_color(&table.material),
            });
        }
    }
    planned
}

/// Notes what only a gas has of a liquid, and the other way round; whether there was any.
fn refused(table: &FluidTable, material: &Material, index: usize, issues: &mut Issues<'_>) -> bool {
    let name = table.material.escape_debug();
    let mut refuse = |key: &str, message: String| issues.error(&format!("fluid[{index}].{key}"), message);
    if material.is_gas && table.freezing.is_some() {
        refuse("freezing", format!("`{name}` is a gas, which does not freeze"));
        return true;
    }
    if !material.is_gas && table.temperature.is_some() {
        refuse("temperature", format!("`{name}` is no gas: say it in its `freezing`"));
    }
    if !material.is_gas && table.markers > 0.0 {
        refuse("markers", format!("`{name}` is no gas, and no smoke goes with it"));
    }
    false
}

/// A box around all liquids.
pub(super) fn extent(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Bounds {
    let tables = around.scene.fluid.iter().enumerate();
    let bounds = tables.filter_map(|(index, table)| {
        let solid = solid(&table.shape, around.upright, &format!("fluid[{index}].shape"), issues)?;
        let local = solid.bounds();
        let is_sound = local.size().is_finite() && local.min.cmple(local.max).all();
        is_sound.then(|| {
            local.transformed(&Pose {
                position: table.position,
                rotation: table.rotation.0 * around.upright.rotation(),
            })
        })
    });
    bounds.fold(Bounds::EMPTY, |all, bounds| all.union(bounds))
}

fn centers(
    table: &FluidTable,
    index: usize,
    already: u64,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<Vec<Vec3>> {
    let path = format!("fluid[{index}]");
    let solid = solid(&table.shape, around.upright, &format!("{path}.shape"), issues)?;
    let sizes = [
        "particle_radius".to_owned(),
        format!("{path}.shape"),
        format!("{path}.radius"),
    ];
    if !sizes.iter().all(|key| issues.sound(key)) {
        return None;
    }
    let seed = around.scene.seed.wrapping_add(2000 + index as u64);
    let filling = Filling::cubic(around.scene.radius_or(table.radius)).with_jitter(table.jitter, seed);
    if !fits(&solid, &filling, already, around, &path, issues) {
        return None;
    }
    let local = issues.accept(&format!("{path}.shape"), fill(&solid, &filling))?;
    let place = |center: Vec3| table.rotation.0 * around.upright.to_scene(center) + table.position;
    Some(local.into_iter().map(place).collect())
}
