//! Groups of a world and the particles in them.

use glam::Vec3;

use crate::engine::edit::{Change, Edit};
use crate::error::WorldError;
use crate::heat::is_temperature;
use crate::material::{MaterialId, MaterialTable};
use crate::particles::orientation::Orientation;
use crate::particles::phase::Phase;
use crate::particles::sizes::Sizes;
use crate::particles::{NewParticle, ParticleId, Particles};
use crate::settings::{RADII, is_radius};
use crate::world::group::{Group, GroupId};

use super::World;

impl World {
    /// Adds an empty group.
    pub fn add_group(&mut self, group: Group) -> Result<GroupId, WorldError> {
        self.model
            .materials
            .get(group.material)
            .ok_or(WorldError::Gone("material"))?;
        if let Some(radius) = group.radius.filter(|&radius| !is_radius(radius)) {
            return Err(WorldError::Value {
                what: format!("group \"{}\"", group.name),
                field: "radius".into(),
                found: radius.to_string(),
                expected: RADII.into(),
            });
        }
        if !is_temperature(group.temperature) {
            return Err(WorldError::Value {
                what: format!("group \"{}\"", group.name),
                field: "temperature".into(),
                found: group.temperature.to_string(),
                expected: "a temperature, °C, not below absolute zero".into(),
            });
        }
        self.model.sized |= group.radius.is_some();
        if self.model.sized {
            let usual = self.model.settings.particle_radius;
            check_sizes(self.radii(usual).chain([group.radius.unwrap_or(usual)]))?;
        }
        if self.model.groups.len() as u32 >= Phase::MAX_GROUPS {
            return Err(WorldError::TooManyGroups {
                limit: Phase::MAX_GROUPS,
            });
        }
        let (index, generation) = self.model.groups.insert(group);
        Ok(GroupId { index, generation })
    }

    /// The group of that handle.
    pub fn group(&self, id: GroupId) -> Option<&Group> {
        self.model.groups.get(id.index, id.generation)
    }

    /// All groups with their handles.
    pub fn groups(&self) -> impl Iterator<Item = (GroupId, &Group)> {
        self.model
            .groups
            .iter()
            .map(|((index, generation), group)| (GroupId { index, generation }, group))
    }

    /// Whether particles of a group collide with each other.
    pub fn set_self_collision(&mut self, id: GroupId, collide: bool) -> Result<(), WorldError> {
        self.change_group(id, |group| {
            group.flags &= !Phase::SELF_COLLIDE;
            if collide {
                group.flags |= Phase::SELF_COLLIDE;
            }
        })
    }

    /// Whether particles of a group that overlap at rest leave each other alone: see [`Phase::IGNORE_REST_OVERLAPS`]. Their
    /// rest positions stay as they are; those added without the flag have none until [`World::set_rest_positions`] gives
    /// them one.
    pub fn set_ignore_rest_overlaps(&mut self, id: GroupId, ignore: bool) -> Result<(), WorldError> {
        self.change_group(id, |group| {
            group.flags &= !Phase::IGNORE_REST_OVERLAPS;
            if ignore {
                group.flags |= Phase::IGNORE_REST_OVERLAPS;
            }
        })
    }

    /// Makes a group and all of its particles of another material. Masses stay as they are.
    pub fn set_group_material(&mut self, id: GroupId, material: MaterialId) -> Result<(), WorldError> {
        let materials = &self.model.materials;
        materials.get(material).ok_or(WorldError::Gone("material"))?;
        self.change_group(id, |group| group.material = material)
    }

    /// Whether particles of a group turn, if their material has a rolling resistance.
    pub fn set_turning(&mut self, id: GroupId, turns: bool) -> Result<(), WorldError> {
        self.change_group(id, |group| group.turns = turns)
    }

    /// Has the particles of all groups of a material turn, which does from now on or not any more.
    pub(super) fn turn_groups_of(&mut self, material: MaterialId, turns: bool) -> Result<(), WorldError> {
        let groups = self.model.groups.iter();
        let edits: Vec<Edit> = groups
            .filter(|(_, group)| group.turns && group.material == material)
            .map(|((index, _), _)| Edit::Group(index, Change::Spin(turns.then_some(Vec3::ZERO))))
            .collect();
        self.carry_out(&edits)?;
        Ok(())
    }

    /// Makes a group a liquid of a material, or else solid again and of another.
    pub(crate) fn set_fluid(
        &mut self,
        id: GroupId,
        liquid: Option<MaterialId>,
        solid: MaterialId,
    ) -> Result<(), WorldError> {
        self.change_group(id, |group| {
            group.flags &= !(Phase::FLUID | Phase::GAS);
            if liquid.is_some() {
                group.flags |= Phase::FLUID | Phase::SELF_COLLIDE;
            }
            group.material = liquid.unwrap_or(solid);
        })
    }

    /// Changes the collider channels that the particles of a group react to.
    pub fn set_group_channels(&mut self, id: GroupId, channels: u8) -> Result<(), WorldError> {
        self.change_group(id, |group| group.channels = channels)
    }

    /// Changes a group, and with it the copies of flags, channels and material that its particles carry for the engine:
    /// besides births, the only place where these are written.
    fn change_group(&mut self, id: GroupId, change: impl FnOnce(&mut Group)) -> Result<(), WorldError> {
        let groups = &mut self.model.groups;
        let group = groups
            .get_mut(id.index, id.generation)
            .ok_or(WorldError::Gone("group"))?;
        let before = group.clone();
        change(group);
        let phase = Phase::new(id.index, group.flags, group.channels);
        let mut edits = vec![Edit::Group(id.index, Change::Phase(phase))];
        if group.material != before.material {
            edits.push(Edit::Group(id.index, Change::Material(group.material)));
        }
        let turned = group_turns(&before, &self.model.materials);
        let turns = group_turns(group, &self.model.materials);
        if turns != turned {
            edits.push(Edit::Group(id.index, Change::Spin(turns.then_some(Vec3::ZERO))));
        }
        self.carry_out(&edits)?;
        Ok(())
    }

    /// Removes a group, its particles and the emitters that feed it.
    pub fn remove_group(&mut self, id: GroupId) -> Result<(), WorldError> {
        self.model
            .groups
            .remove(id.index, id.generation)
            .ok_or(WorldError::Gone("group"))?;
        self.model.emitters.retain(|emitter| emitter.group != id);
        self.model.melts.retain(|melt| melt.group != id);
        self.carry_out(&[Edit::Group(id.index, Change::Remove)])?;
        Ok(())
    }

    /// Adds particles to a group, with the mass of balls of its material; returns their ids in order. In a group with
    /// [`Phase::IGNORE_REST_OVERLAPS`] their rest positions are where they are added, until
    /// [`World::set_rest_positions`] says otherwise.
    pub fn add_particles(
        &mut self,
        group: GroupId,
        positions: &[Vec3],
        velocity: Vec3,
    ) -> Result<Vec<ParticleId>, WorldError> {
        if let Some(bad) = positions.iter().position(|position| !position.is_finite()) {
            return Err(WorldError::Value {
                what: format!("particle {bad}"),
                field: "position".into(),
                found: positions[bad].to_string(),
                expected: "finite numbers".into(),
            });
        }
        if !velocity.is_finite() {
            return Err(WorldError::Value {
                what: "particles".into(),
                field: "velocity".into(),
                found: velocity.to_string(),
                expected: "finite numbers".into(),
            });
        }
        let template = self.template(group).ok_or(WorldError::Gone("group"))?;
        let rests = template.phase.has(Phase::IGNORE_REST_OVERLAPS);
        let born: Vec<NewParticle> = positions
            .iter()
            .map(|&position| NewParticle {
                position,
                velocity,
                rest_position: rests.then_some(position),
                ..template
            })
            .collect();
        Ok(self.engine.add(&born))
    }

    /// All particles, in slots that change from frame to frame. From a device they are read back once a frame: for some of
    /// them there are [`World::ask`] and [`World::query`].
    pub fn particles(&self) -> &Particles {
        self.engine.particles()
    }

    /// Changes all particles at once, as a saved and restored world would be changed: they are copied, changed and handed
    /// back, which for a device means all of them there and back. For some of them there is [`World::edit`]. Nothing changes
    /// if arrays end up with different lengths.
    pub fn rewrite_particles(&mut self, change: impl FnOnce(&mut Particles)) -> Result<(), WorldError> {
        let mut particles = self.engine.particles().clone();
        change(&mut particles);
        if !particles.is_even() {
            return Err(WorldError::Value {
                what: "particles".into(),
                field: "arrays".into(),
                found: "different lengths".into(),
                expected: "one length".into(),
            });
        }
        let (bodies, contacts) = (self.engine.bodies().clone(), self.engine.contact_memory());
        let constraints = self.engine.constraints().clone();
        self.engine.load(particles, bodies, constraints, contacts);
        Ok(())
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.engine.count()
    }

    /// Ids of a group's particles, in order of id.
    pub fn group_particles(&self, id: GroupId) -> Vec<ParticleId> {
        if self.group(id).is_none() {
            return Vec::new();
        }
        let mut ids: Vec<_> = self.engine.particles().of_group(id.index).collect();
        ids.sort_unstable();
        ids
    }

    /// Radius of the particles of a group, metres.
    pub fn particle_radius(&self, id: GroupId) -> Option<f32> {
        let group = self.group(id)?;
        Some(group.radius.unwrap_or(self.model.settings.particle_radius))
    }

    /// Radius of each particle, metres, slot by slot.
    pub fn particle_radii(&self) -> Vec<f32> {
        let sizes = self.sizes();
        let one = self.common_radius();
        let phases = &self.engine.particles().phases;
        let radius = |phase: &Phase| sizes.as_ref().map_or(one, |sizes| sizes.radius(phase.group()));
        phases.iter().map(radius).collect()
    }

    /// The radii of all groups, where those without one of their own have that of the settings.
    pub(crate) fn radii(&self, otherwise: f32) -> impl Iterator<Item = f32> + Clone {
        let groups = self.model.groups.values();
        groups.map(move |group| group.radius.unwrap_or(otherwise))
    }

    /// What there is to know of radii that are not all the same.
    pub(crate) fn sizes(&self) -> Option<Sizes> {
        if !self.model.sized {
            return None;
        }
        let mut of_group = Vec::new();
        for ((index, _), group) in self.model.groups.iter() {
            of_group.resize(of_group.len().max(index as usize + 1), 0.0);
            of_group[index as usize] = group.radius.unwrap_or(self.model.settings.particle_radius);
        }
        Sizes::new(of_group)
    }

    /// Whether any group is fluid.
    pub(crate) fn has_fluids(&self) -> bool {
        self.model.groups.values().any(|group| group.flags & Phase::FLUID != 0)
    }

    /// Whether any group is a gas.
    pub(crate) fn has_gas(&self) -> bool {
        self.model.groups.values().any(Group::is_gas)
    }

    /// Whether anything may be there that is not fluid.
    pub(crate) fn has_solids(&self) -> bool {
        self.model.hardened || self.model.groups.values().any(|group| group.flags & Phase::FLUID == 0)
    }

    /// The radius of all particles, metres, where it is the same for all.
    pub(crate) fn common_radius(&self) -> f32 {
        let radius = self.model.settings.particle_radius;
        self.radii(radius).next().unwrap_or(radius)
    }

    pub(crate) fn template(&self, id: GroupId) -> Option<NewParticle> {
        let group = self.group(id)?;
        let material = self.model.materials.get(group.material)?;
        Some(NewParticle {
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            inverse_mass: 1.0 / group.particle_mass(material, self.particle_radius(id)?),
            phase: Phase::new(id.index, group.flags, group.channels),
            material: group.material,
            lifetime: f32::INFINITY,
            rest_position: None,
            spin: group_turns(group, &self.model.materials).then_some(Vec3::ZERO),
            orientation: Orientation::NONE,
            temperature: group.temperature,
        })
    }
}

/// Whether the particles of a group turn.
fn group_turns(group: &Group, materials: &MaterialTable) -> bool {
    let material = materials.get(group.material);
    group.turns && material.is_some_and(|material| material.rolling_resistance.is_some())
}

/// The largest of some radii is not too large for the smallest.
pub(crate) fn check_sizes(radii: impl Iterator<Item = f32> + Clone) -> Result<(), WorldError> {
    let (smallest, largest) = (radii.clone().fold(f32::INFINITY, f32::min), radii.fold(0.0, f32::max));
    // A hair more, for numbers like 0.8 and 0.1.
    if largest > smallest * Sizes::MOST * 1.0001 {
        return Err(WorldError::SizesTooDifferent {
            smallest,
            largest,
            most: Sizes::MOST,
        });
    }
    Ok(())
}
