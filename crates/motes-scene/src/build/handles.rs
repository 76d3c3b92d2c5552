//! What the tables of a scene became in a world, so that others can speak of it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use motes_core::{BodyId, ColliderId, GroupId, JointId, Material, MaterialId, ParticleId, Switch, World, WorldError};

use super::Built;
use crate::compile::{BodyRef, PlannedPair, PlannedSource, PlannedSwitch, SheetKind};
use crate::model::BodyKind;

/// What the tables of a scene became.
#[derive(Default)]
pub(super) struct Handles {
    /// Materials that have pairs. They are apart from all others, whose name differs though they may be equal.
    pub(super) materials: BTreeMap<String, MaterialId>,
    /// Particles of each table of grains, in order.
    pub(super) grains: BTreeMap<usize, Vec<ParticleId>>,
    pub(super) grain_groups: BTreeMap<usize, GroupId>,
    pub(super) fluid_groups: BTreeMap<usize, GroupId>,
    /// The same of cloth and ropes.
    pub(super) sheets: BTreeMap<(SheetKind, usize), Vec<ParticleId>>,
    pub(super) sheet_groups: BTreeMap<(SheetKind, usize), GroupId>,
    /// Place of each table of emitters among those of the world.
    pub(super) emitters: BTreeMap<usize, usize>,
    /// Joints that have a name.
    pub(super) joints: Vec<(String, JointId)>,
    /// Place of the first body of each table among the looks.
    pub(super) bodies: BTreeMap<(BodyKind, usize), usize>,
    /// Places of the creatures of each table among the looks.
    pub(super) creatures: BTreeMap<usize, Range<usize>>,
    pub(super) colliders: BTreeMap<usize, ColliderId>,
}

impl Handles {
    pub(super) fn add_pair(&mut self, world: &mut World, planned: PlannedPair) -> Result<(), WorldError> {
        let [a, b] = planned
            .materials
            .map(|(name, material)| match self.materials.entry(name) {
                Entry::Occupied(known) => Ok(*known.get()),
                Entry::Vacant(new) => world.add_material_apart(material).map(|id| *new.insert(id)),
            });
        world.set_material_pair(a?, b?, planned.pair)
    }

    pub(super) fn material(&self, world: &mut World, name: &str, material: Material) -> Result<MaterialId, WorldError> {
        let paired = self.materials.get(name).copied();
        paired.map_or_else(|| world.add_material(material), Ok)
    }

    /// The groups of the particles of a source.
    pub(super) fn groups(&self, built: &Built, source: PlannedSource) -> Result<Vec<GroupId>, WorldError> {
        let gone = || WorldError::Gone("group");
        Ok(match source {
            PlannedSource::Grains(index) => vec![*self.grain_groups.get(&index).ok_or_else(gone)?],
            PlannedSource::Fluid(index) => vec![*self.fluid_groups.get(&index).ok_or_else(gone)?],
            PlannedSource::Sheet(kind, index) => vec![*self.sheet_groups.get(&(kind, index)).ok_or_else(gone)?],
            PlannedSource::Emitter(index) => {
                let place = *self.emitters.get(&index).ok_or_else(gone)?;
                vec![built.world.emitters().get(place).ok_or_else(gone)?.group]
            }
            PlannedSource::Creatures(index) => {
                let places = self.creatures.get(&index).ok_or_else(gone)?.clone();
                let looks = built.looks.creatures.get(places).ok_or_else(gone)?;
                looks.iter().map(|look| look.group).collect()
            }
            PlannedSource::Bodies { kind, index, copies } => {
                let first = *self.bodies.get(&(kind, index)).ok_or_else(gone)?;
                let looks = &built.looks.bodies;
                let looks = looks.get(first + copies.start..first + copies.end).ok_or_else(gone)?;
                looks.iter().map(|look| look.group).collect()
            }
        })
    }

    /// What a trigger switches.
    pub(super) fn switches(&self, what: &PlannedSwitch) -> Result<Vec<Switch>, WorldError> {
        let collider = |index| self.colliders.get(index).copied().ok_or(WorldError::Gone("collider"));
        Ok(match what {
            PlannedSwitch::Collider(index) => vec![Switch::Collider(collider(index)?)],
            PlannedSwitch::Surface(index) => vec![Switch::Surface(collider(index)?)],
            PlannedSwitch::Emitter(index) => {
                let place = self.emitters.get(index).ok_or(WorldError::Gone("emitter"))?;
                vec![Switch::Emitter(*place)]
            }
            PlannedSwitch::Joints(name) => {
                let named = self.joints.iter().filter(|(other, _)| other == name);
                named.map(|(_, id)| Switch::Joint(*id)).collect()
            }
        })
    }

    pub(super) fn body(&self, built: &Built, body: &BodyRef) -> Result<BodyId, WorldError> {
        let first = self.bodies.get(&(body.kind, body.index));
        let look = first.and_then(|first| built.looks.bodies.get(first + body.copy));
        Ok(look.ok_or(WorldError::Gone("body"))?.body)
    }
}
