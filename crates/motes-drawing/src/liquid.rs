//! Liquids as they are drawn and exported: a surface for each, frozen or not, and its spray.

use std::collections::BTreeMap;

use glam::{Vec3, Vec4Swizzles};
use motes_core::{GroupId, MaterialId, Phase, World};
use motes_geometry::{LiquidOptions, ShadedMesh, liquid_surface, liquid_values};
use motes_scene::Looks;

use crate::export::{Geometry, Object, Paint};
use crate::liquid_look::LiquidLook;

/// Particles with fewer neighbours than this within two and a half diameters are spray.
const SPRAY: u32 = 8;

/// A liquid in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct LiquidMesh {
    /// The group of its particles.
    pub group: GroupId,
    /// The name of the group.
    pub name: String,
    /// How it looks.
    pub look: LiquidLook,
    /// Its surface, closed, in the world's coordinates.
    pub surface: ShadedMesh,
    /// Velocities of the liquid at the vertices, m/s.
    pub velocities: Vec<Vec3>,
    /// Drops that are not part of the surface, metres.
    pub spray: Vec<Vec3>,
    /// Diameter of its particles, metres.
    pub diameter: f32,
    /// Volume of all of it, m³.
    pub volume: f32,
}

impl LiquidMesh {
    /// The liquid for exports.
    pub fn object(&self, name: &str) -> Object {
        Object {
            name: name.to_owned(),
            paint: Paint {
                opacity: self.look.opacity(),
                ..Paint::solid(self.look.color)
            },
            geometry: Geometry::Changing(self.surface.clone()),
        }
    }
}

/// The groups of a liquid that are drawn as one.
pub(crate) struct Puddle {
    /// The group that it was at first.
    pub(crate) origin: GroupId,
    /// That group and those of pieces that froze apart from it, by number.
    pub(crate) groups: Vec<u32>,
    /// The liquid, of what is frozen too.
    material: MaterialId,
}

/// The liquids of a world, and what froze of them, by the group that each was at first.
pub(crate) fn puddles(world: &World) -> Vec<Puddle> {
    let melts = world.melts().iter();
    let melts: BTreeMap<GroupId, _> = melts.map(|melt| (melt.group(), melt)).collect();
    let mut found: BTreeMap<GroupId, Puddle> = BTreeMap::new();
    for (id, group) in world.groups() {
        if group.is_gas() {
            continue;
        }
        let melt = melts.get(&id);
        let frozen = melt
            .filter(|melt| melt.is_cast())
            .and_then(|melt| melt.melting().liquid);
        let material = match group.flags & Phase::FLUID != 0 {
            true => group.material,
            false => match frozen {
                Some(liquid) => liquid,
                None => continue,
            },
        };
        let origin = melt.map_or(id, |melt| melt.origin());
        let puddle = found.entry(origin).or_insert_with(|| Puddle {
            origin,
            groups: Vec::new(),
            material,
        });
        puddle.groups.push(id.index());
    }
    found.into_values().collect()
}

/// The liquids of a world. Particles that are not finite are left out. Spray is part of the surface, or listed by itself.
fn found(world: &World, looks: &Looks, resolution: f32, lists_spray: bool) -> Vec<LiquidMesh> {
    let resolution = if resolution.is_finite() {
        resolution.clamp(0.1, 2.0)
    } else {
        0.5
    };
    let particles = world.particles();
    { puddles(world).into_iter() }
        .filter_map(|puddle| {
            let (id, groups) = (puddle.origin, puddle.groups);
            let slots = (0..particles.len()).filter(|&slot| groups.contains(&particles.phases[slot].group()));
            let slots: Vec<usize> = slots.filter(|&slot| particles.positions[slot].is_finite()).collect();
            let positions: Vec<Vec3> = slots.iter().map(|&slot| particles.positions[slot].xyz()).collect();
            let (_, group) = world.groups().find(|(id, _)| groups.contains(&id.index()))?;
            let diameter = 2.0 * group.radius.unwrap_or(world.settings().particle_radius);
            let options = LiquidOptions {
                resolution,
                spray: if lists_spray { SPRAY } else { 0 },
                ..LiquidOptions::new(diameter)
            };
            // What cannot be made a surface of is out of any picture.
            let surface = liquid_surface(&positions, &options)
                .ok()
                .filter(|_| !positions.is_empty())?;
            let velocities = match lists_spray {
                true => Vec::new(),
                false => {
                    let velocities: Vec<Vec3> = slots.iter().map(|&slot| particles.velocities[slot].xyz()).collect();
                    liquid_values(&positions, &velocities, diameter, &surface.mesh.positions)
                }
            };
            let color = looks.groups.iter().find(|look| look.group == id && look.is_chosen);
            let material = world.materials().get(puddle.material).copied().unwrap_or_default();
            Some(LiquidMesh {
                group: id,
                name: group.name.clone(),
                look: LiquidLook::of(&material, color.map(|look| look.color.0)),
                surface: surface.mesh,
                velocities,
                spray: surface.spray.iter().map(|&number| positions[number as usize]).collect(),
                diameter,
                volume: positions.len() as f32 * diameter.powi(3),
            })
        })
        .collect()
}

/// The liquids of a world for exports, one for each group that has particles, made with cubes of `resolution` diameters, from 0.1 to 2.
/// Every particle is part of a surface, spray as small drops.
pub fn liquids(world: &World, looks: &Looks, resolution: f32) -> Vec<LiquidMesh> {
    found(world, looks, resolution, false)
}

/// The same for pictures: spray is listed by itself, and there are no velocities.
pub(crate) fn drawn_liquids(world: &World, looks: &Looks, resolution: f32) -> Vec<LiquidMesh> {
    found(world, looks, resolution, true)
}
