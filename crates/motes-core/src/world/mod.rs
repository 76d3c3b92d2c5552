//! A world: everything that is simulated together, and the handles to it.

mod arena;
mod carriers;
pub mod casting;
mod colliders;
pub mod edits;
mod foam;
mod frame;
pub mod group;
pub(crate) mod groups;
mod passive;
pub mod questions;
mod reports;
mod smoke;
mod state;
pub mod switches;
pub mod triggers;

use std::any::Any;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::air::Wind;
use crate::body::BodyId;
use crate::colliders::collider::Collider;
use crate::cpu::CpuEngine;
use crate::emitter::Emitter;
use crate::engine::Engine;
use crate::error::WorldError;
use crate::field::ForceField;
use crate::foam::Foam;
use crate::heat::HeatZone;
use crate::heat::melting::Melt;
use crate::material::{Material, MaterialId, MaterialPair, MaterialTable};
use crate::particles::ParticleId;
use crate::settings::Settings;
use crate::smoke::Smoke;
use crate::space::pose::Pose;
use crate::space::volume::Volume;
use crate::store::{ConstraintId, Inflation};
use crate::tear::{Cutting, Index, Strained, Strains, Tear};
use crate::world::arena::Arena;
use crate::world::carriers::Carrier;
use crate::world::edits::Spring;
use crate::world::group::Group;
use crate::world::groups::check_sizes;
use crate::world::questions::Pending;
use crate::world::switches::Switching;
use crate::world::triggers::{Look, Seen, Triggered};

/// Particles, colliders, fields and emitters, and the engine that moves them.
pub struct World {
    pub(crate) model: Model,
    pub(crate) engine: Box<dyn Engine>,
    /// Where groups that melt are, as far as somebody looked.
    pub(crate) look: Option<Pending<Vec<(u32, Vec3)>>>,
    /// What triggers see, as far as somebody looked.
    pub(crate) watch: Option<Look>,
    /// Which edges of sheets were stretched too far in the last frames, as far as has been told.
    pub(crate) strains: Strains,
    pub(crate) sheet_index: Index,
}

/// Everything of a world but its particles: what a saved state holds besides them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Model {
    pub(crate) settings: Settings,
    /// Whether any group was ever given a radius of its own.
    pub(crate) sized: bool,
    /// Whether particles were ever told by name that they are not fluid.
    pub(crate) hardened: bool,
    pub(crate) materials: MaterialTable,
    pub(crate) groups: Arena<Group>,
    pub(crate) colliders: Arena<PlacedCollider>,
    pub(crate) fields: Vec<ForceField>,
    pub(crate) wind: Wind,
    pub(crate) foam: Option<Foam>,
    pub(crate) smoke: Option<Smoke>,
    pub(crate) emitters: Vec<Emitter>,
    pub(crate) kill_volumes: Vec<Volume>,
    pub(crate) pushes: Vec<(BodyId, Vec3, Vec3)>,
    pub(crate) pulls: Vec<(ParticleId, Spring)>,
    pub(crate) carriers: Vec<Carrier>,
    pub(crate) melts: Vec<Melt>,
    pub(crate) heat: Vec<HeatZone>,
    pub(crate) switches: Vec<Switching>,
    pub(crate) inflations: Vec<(ConstraintId, Inflation)>,
    pub(crate) triggers: Vec<Triggered>,
    /// What triggers of a restored world saw before.
    pub(crate) seen: Option<Seen>,
    pub(crate) cuts: Vec<Cutting>,
    /// Which edges of a restored world were stretched too far.
    pub(crate) strained: Vec<Vec<Strained>>,
    /// What was torn since the last frame began, and what nobody has been told of.
    pub(crate) fresh_tears: Vec<Tear>,
    pub(crate) tears: Vec<Tear>,
    pub(crate) time: f64,
    pub(crate) frame: u64,
}

/// A collider, where it is, and where it shall be at the end of the next frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlacedCollider {
    pub(crate) collider: Collider,
    pub(crate) pose: Pose,
    pub(crate) target: Pose,
    pub(crate) is_on: bool,
    /// Whether its surface runs as the collider says.
    pub(crate) runs: bool,
}

impl World {
    /// An empty world on the CPU, with as many threads as there are cores.
    pub fn new(settings: Settings) -> Result<Self, WorldError> {
        Self::with_engine(settings, Box::new(CpuEngine::new()))
    }

    /// An empty world on an engine of the caller's choice.
    pub fn with_engine(settings: Settings, engine: Box<dyn Engine>) -> Result<Self, WorldError> {
        check_settings(&settings)?;
        Ok(Self {
            model: Model {
                settings,
                ..Model::default()
            },
            engine,
            look: None,
            watch: None,
            strains: Strains::new(),
            sheet_index: Index::default(),
        })
    }

    /// Solver settings.
    pub fn settings(&self) -> &Settings {
        &self.model.settings
    }

    /// Changes the solver settings from the next frame on.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), WorldError> {
        check_settings(&settings)?;
        check_sizes(self.radii(settings.particle_radius))?;
        self.model.settings = settings;
        Ok(())
    }

    /// Seconds simulated.
    pub fn time(&self) -> f64 {
        self.model.time
    }

    /// Frames simulated.
    pub fn frame(&self) -> u64 {
        self.model.frame
    }

    /// Adds a material; equal materials share one id.
    pub fn add_material(&mut self, material: Material) -> Result<MaterialId, WorldError> {
        check_material(&material)?;
        Ok(self.model.materials.add(material))
    }

    /// Changes a material for everything made of it.
    pub fn set_material(&mut self, id: MaterialId, material: Material) -> Result<(), WorldError> {
        check_material(&material)?;
        let before = self.model.materials.get(id).ok_or(WorldError::Gone("material"))?;
        let turned = before.rolling_resistance.is_some();
        self.model.materials.set(id, material);
        let turns = material.rolling_resistance.is_some();
        if turns != turned {
            self.turn_groups_of(id, turns)?;
        }
        Ok(())
    }

    /// Adds a material with an id of its own, however equal another is, so that pairs with it concern no other.
    pub fn add_material_apart(&mut self, material: Material) -> Result<MaterialId, WorldError> {
        check_material(&material)?;
        Ok(self.model.materials.add_apart(material))
    }

    /// Sets friction and restitution where two materials touch, in place of what they combine to.
    pub fn set_material_pair(&mut self, a: MaterialId, b: MaterialId, pair: MaterialPair) -> Result<(), WorldError> {
        check_values("pair of materials", pair.problem())?;
        for id in [a, b] {
            self.model.materials.get(id).ok_or(WorldError::Gone("material"))?;
        }
        self.model.materials.set_pair(a, b, pair);
        Ok(())
    }

    /// The materials, by id.
    pub fn materials(&self) -> &MaterialTable {
        &self.model.materials
    }

    /// The wind that faces feel.
    pub fn wind(&self) -> &Wind {
        &self.model.wind
    }

    /// Has another wind blow from the next frame on.
    pub fn set_wind(&mut self, wind: Wind) -> Result<(), WorldError> {
        if let Some((field, found, expected)) = wind.problem() {
            return Err(WorldError::Value {
                what: "wind".into(),
                field: field.into(),
                found,
                expected: expected.into(),
            });
        }
        self.model.wind = wind;
        Ok(())
    }

    /// Force fields.
    pub fn fields(&self) -> &[ForceField] {
        &self.model.fields
    }

    /// Force fields, to add to or change.
    pub fn fields_mut(&mut self) -> &mut Vec<ForceField> {
        &mut self.model.fields
    }

    /// Regions in which particles are removed, to add to or change.
    pub fn kill_volumes_mut(&mut self) -> &mut Vec<Volume> {
        &mut self.model.kill_volumes
    }

    /// Emitters.
    pub fn emitters(&self) -> &[Emitter] {
        &self.model.emitters
    }

    /// Emitters, to change.
    pub fn emitters_mut(&mut self) -> &mut [Emitter] {
        &mut self.model.emitters
    }

    /// Adds an emitter.
    pub fn add_emitter(&mut self, emitter: Emitter) -> Result<(), WorldError> {
        let radius = self.particle_radius(emitter.group).ok_or(WorldError::Gone("group"))?;
        if let Some((field, found, expected)) = emitter.problem(radius) {
            return Err(WorldError::Value {
                what: format!("emitter \"{}\"", emitter.name),
                field: field.into(),
                found,
                expected: expected.into(),
            });
        }
        if emitter.plume.is_some() && !self.group(emitter.group).is_some_and(Group::is_gas) {
            return Err(WorldError::Value {
                what: format!("emitter \"{}\"", emitter.name),
                field: "plume".into(),
                found: "a group that is no gas".into(),
                expected: "a gas, which smoke goes with".into(),
            });
        }
        self.model.emitters.push(emitter);
        Ok(())
    }

    /// Short name of the engine and the hardware it runs on.
    pub fn engine(&self) -> (&'static str, String) {
        (self.engine.name(), self.engine.device())
    }

    /// The engine itself, for what only its kind offers; `None` if it is of another kind.
    pub fn engine_as<E: Engine>(&self) -> Option<&E> {
        let engine: &dyn Any = self.engine.as_ref();
        engine.downcast_ref()
    }

    /// The same, to change.
    pub fn engine_as_mut<E: Engine>(&mut self) -> Option<&mut E> {
        let engine: &mut dyn Any = self.engine.as_mut();
        engine.downcast_mut()
    }
}

fn check_settings(settings: &Settings) -> Result<(), WorldError> {
    match settings.problem() {
        None => Ok(()),
        Some((field, found, expected)) => Err(WorldError::Value {
            what: "settings".into(),
            field: field.into(),
            found,
            expected: expected.into(),
        }),
    }
}

fn check_material(material: &Material) -> Result<(), WorldError> {
    check_values("material", material.problem())
}

fn check_values(what: &str, problem: Option<(&str, f32, &str)>) -> Result<(), WorldError> {
    match problem {
        None => Ok(()),
        Some((field, found, expected)) => Err(WorldError::Value {
            what: what.into(),
            field: field.into(),
            found: found.to_string(),
            expected: expected.into(),
        }),
    }
}
