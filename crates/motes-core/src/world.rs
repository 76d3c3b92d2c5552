//! A world: everything that is simulated together, and the handles to it.

use std::any::Any;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::body::BodyId;
use crate::collider::{Collider, ColliderFrame, ColliderId};
use crate::cpu::CpuEngine;
use crate::emitter::Emitter;
use crate::engine::{Engine, Frame, Population};
use crate::error::{Exploded, WorldError};
use crate::field::ForceField;
use crate::group::{Arena, Group, GroupId};
use crate::heat::HeatZone;
use crate::material::{Material, MaterialId, MaterialTable};
use crate::melting::Melt;
use crate::motion::Motion;
use crate::particles::{NewParticle, ParticleId, Particles};
use crate::phase::Phase;
use crate::pose::Pose;
use crate::report::{ColliderForce, Contact, TriggerOverlap};
use crate::settings::Settings;
use crate::timings::{Stage, Timings};
use crate::volume::Volume;

/// Particles, colliders, fields and emitters, and the engine that moves them.
pub struct World {
    pub(crate) model: Model,
    pub(crate) engine: Box<dyn Engine>,
}

/// Everything of a world but its particles: what a saved state holds besides them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Model {
    pub(crate) settings: Settings,
    pub(crate) materials: MaterialTable,
    pub(crate) groups: Arena<Group>,
    pub(crate) colliders: Arena<PlacedCollider>,
    pub(crate) fields: Vec<ForceField>,
    pub(crate) emitters: Vec<Emitter>,
    pub(crate) kill_volumes: Vec<Volume>,
    pub(crate) pushes: Vec<(BodyId, Vec3, Vec3)>,
    pub(crate) melts: Vec<Melt>,
    pub(crate) heat: Vec<HeatZone>,
    pub(crate) time: f64,
    pub(crate) frame: u64,
}

/// A collider, where it is, and where it shall be at the end of the next frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlacedCollider {
    pub(crate) collider: Collider,
    pub(crate) pose: Pose,
    pub(crate) target: Pose,
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
        })
    }

    /// Solver settings.
    pub fn settings(&self) -> &Settings {
        &self.model.settings
    }

    /// Changes the solver settings from the next frame on.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), WorldError> {
        check_settings(&settings)?;
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
        self.model.materials.get(id).ok_or(WorldError::Gone("material"))?;
        self.model.materials.set(id, material);
        Ok(())
    }

    /// The materials, by id.
    pub fn materials(&self) -> &MaterialTable {
        &self.model.materials
    }

    /// Adds an empty group.
    pub fn add_group(&mut self, group: Group) -> Result<GroupId, WorldError> {
        self.model
            .materials
            .get(group.material)
            .ok_or(WorldError::Gone("material"))?;
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
        let group = self
            .model
            .groups
            .get_mut(id.index, id.generation)
            .ok_or(WorldError::Gone("group"))?;
        group.flags &= !Phase::SELF_COLLIDE;
        if collide {
            group.flags |= Phase::SELF_COLLIDE;
        }
        let phase = Phase::new(id.index, group.flags, group.channels);
        for other in &mut self.engine.particles_mut().phases {
            if other.group() == id.index {
                *other = phase;
            }
        }
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
        let particles = self.engine.particles_mut();
        let phases = particles.phases.clone();
        particles.retain(|slot| phases[slot].group() != id.index);
        Ok(())
    }

    /// Adds particles to a group, with the mass of balls of its material; returns their ids in order.
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
        let particles = self.engine.particles_mut();
        Ok(positions
            .iter()
            .map(|&position| {
                particles.add(NewParticle {
                    position,
                    velocity,
                    ..template
                })
            })
            .collect())
    }

    /// Removes particles; ids of dead ones are passed over. Returns how many were removed.
    pub fn remove_particles(&mut self, ids: &[ParticleId]) -> usize {
        let particles = self.engine.particles_mut();
        let mut doomed = vec![false; particles.len()];
        for &id in ids {
            if let Some(slot) = particles.slot(id) {
                doomed[slot] = true;
            }
        }
        particles.retain(|slot| !doomed[slot])
    }

    /// All particles, in slots that change from frame to frame.
    pub fn particles(&mut self) -> &Particles {
        self.engine.particles()
    }

    /// All particles, to change; keep the arrays equally long.
    pub fn particles_mut(&mut self) -> &mut Particles {
        self.engine.particles_mut()
    }

    /// Number of particles.
    pub fn particle_count(&mut self) -> usize {
        self.engine.count()
    }

    /// Ids of a group's particles, in order of id.
    pub fn group_particles(&mut self, id: GroupId) -> Vec<ParticleId> {
        if self.group(id).is_none() {
            return Vec::new();
        }
        let particles = self.engine.particles();
        let mut ids: Vec<_> = particles
            .phases
            .iter()
            .zip(particles.ids())
            .filter(|(phase, _)| phase.group() == id.index)
            .map(|(_, &particle)| particle)
            .collect();
        ids.sort_unstable();
        ids
    }

    /// Adds a collider.
    pub fn add_collider(&mut self, collider: Collider) -> Result<ColliderId, WorldError> {
        self.model
            .materials
            .get(collider.material)
            .ok_or(WorldError::Gone("material"))?;
        check_pose(&collider.name, &collider.initial_pose)?;
        let pose = collider.motion.pose(&collider.initial_pose, self.model.time);
        let (index, generation) = self.model.colliders.insert(PlacedCollider {
            collider,
            pose,
            target: pose,
        });
        Ok(ColliderId { index, generation })
    }

    /// The collider of that handle.
    pub fn collider(&self, id: ColliderId) -> Option<&Collider> {
        self.model
            .colliders
            .get(id.index, id.generation)
            .map(|placed| &placed.collider)
    }

    /// Where a collider is.
    pub fn collider_pose(&self, id: ColliderId) -> Option<Pose> {
        let placed = self.model.colliders.get(id.index, id.generation)?;
        Some(placed.pose)
    }

    /// All colliders with their handles and present poses.
    pub fn colliders(&self) -> impl Iterator<Item = (ColliderId, &Collider, &Pose)> {
        self.model
            .colliders
            .iter()
            .map(|((index, generation), placed)| (ColliderId { index, generation }, &placed.collider, &placed.pose))
    }

    /// Moves a collider to a pose during the next frame, sweeping particles along; ends its own motion.
    pub fn move_collider(&mut self, id: ColliderId, pose: Pose) -> Result<(), WorldError> {
        let placed = self.placed(id)?;
        check_pose(&placed.collider.name, &pose)?;
        placed.collider.motion = Motion::Fixed;
        placed.target = pose;
        Ok(())
    }

    /// Puts a collider somewhere else at once, without sweeping what lies between; ends its own motion.
    pub fn teleport_collider(&mut self, id: ColliderId, pose: Pose) -> Result<(), WorldError> {
        self.move_collider(id, pose)?;
        self.placed(id)?.pose = pose;
        Ok(())
    }

    /// Removes a collider, and with it what was attached to it.
    pub fn remove_collider(&mut self, id: ColliderId) -> Result<(), WorldError> {
        self.model
            .colliders
            .remove(id.index, id.generation)
            .ok_or(WorldError::Gone("collider"))?;
        self.let_go_of(id);
        Ok(())
    }

    fn placed(&mut self, id: ColliderId) -> Result<&mut PlacedCollider, WorldError> {
        self.model
            .colliders
            .get_mut(id.index, id.generation)
            .ok_or(WorldError::Gone("collider"))
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
        self.group(emitter.group).ok_or(WorldError::Gone("group"))?;
        if let Some((field, found, expected)) = emitter.problem(self.model.settings.particle_radius) {
            return Err(WorldError::Value {
                what: format!("emitter \"{}\"", emitter.name),
                field: field.into(),
                found,
                expected: expected.into(),
            });
        }
        self.model.emitters.push(emitter);
        Ok(())
    }

    /// Advances the world by `dt` seconds. Nothing happens, and no time passes, unless that is a positive number.
    pub fn step(&mut self, dt: f32) {
        if !(dt > 0.0 && dt.is_finite()) {
            return;
        }
        self.engine.timings().clear();
        self.exchange_heat(dt);
        self.populate(dt);
        let pushes = self.take_pushes();
        let model = &mut self.model;
        let end = model.time + f64::from(dt);
        for placed in model.colliders.values_mut() {
            if !placed.collider.motion.is_fixed() {
                placed.target = placed.collider.motion.pose(&placed.collider.initial_pose, end);
            }
        }
        self.engine.begin_frame(Frame {
            settings: model.settings.clone(),
            materials: model.materials.clone(),
            colliders: model
                .colliders
                .iter()
                .map(|((index, generation), placed)| ColliderFrame {
                    id: ColliderId { index, generation },
                    collider: placed.collider.clone(),
                    from: placed.pose,
                    to: placed.target,
                })
                .collect(),
            fields: model.fields.clone(),
            pushes,
            dt,
        });
        self.engine.advance(&model.settings, dt);
        self.engine.end_frame();
        self.end_paths();
        let model = &mut self.model;
        for placed in model.colliders.values_mut() {
            placed.pose = placed.target;
        }
        model.time = end;
        model.frame += 1;
    }

    /// Removes what has died and adds what is born during the next `dt` seconds.
    fn populate(&mut self, dt: f32) {
        let started = std::mem::take(self.engine.timings());
        let mut timings = started;
        timings.measure(Stage::Population, || {
            let births = self.births(dt);
            self.engine.populate(Population {
                dt,
                kill_volumes: &self.model.kill_volumes,
                births: &births,
            });
        });
        *self.engine.timings() = timings;
    }

    /// What the emitters give off during the next `dt` seconds.
    fn births(&mut self, dt: f32) -> Vec<NewParticle> {
        let from = self.model.time as f32;
        let to = (self.model.time + f64::from(dt)) as f32;
        let radius = self.model.settings.particle_radius;
        let mut all = Vec::new();
        let mut births = Vec::new();
        for index in 0..self.model.emitters.len() {
            let emitter = &mut self.model.emitters[index];
            births.clear();
            emitter.emit(from, to, radius, &mut births);
            let (group, lifetime) = (emitter.group, emitter.lifetime);
            let Some(template) = self.template(group) else {
                continue;
            };
            all.extend(births.iter().map(|birth| NewParticle {
                // The step ahead carries it over the frame; it is born where it was at its beginning.
                position: birth.position - dt * birth.velocity,
                velocity: birth.velocity,
                lifetime,
                ..template
            }));
        }
        all
    }

    pub(crate) fn template(&self, id: GroupId) -> Option<NewParticle> {
        let group = self.group(id)?;
        let material = self.model.materials.get(group.material)?;
        Some(NewParticle {
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            inverse_mass: 1.0 / material.ball_mass(self.model.settings.particle_radius),
            phase: Phase::new(id.index, group.flags, group.channels),
            material: group.material,
            lifetime: f32::INFINITY,
        })
    }

    /// Fails when particles stopped being finite numbers in the last frame, and names the first.
    pub fn health(&mut self) -> Result<(), Exploded> {
        let Some(blowup) = self.engine.blowup() else {
            return Ok(());
        };
        let group = self.model.groups.at(blowup.group);
        Err(Exploded {
            group: group.map_or_else(String::new, |group| group.name.clone()),
            particle: blowup.particle.index,
            count: blowup.count,
            frame: self.model.frame,
        })
    }

    /// Contacts of particles with colliders in the last sub-step.
    pub fn collider_contacts(&mut self) -> Vec<Contact> {
        self.engine.collider_contacts()
    }

    /// Contacts between particles in the last sub-step, once for either side.
    pub fn particle_contacts(&mut self) -> Vec<Contact> {
        self.engine.particle_contacts()
    }

    /// Force and torque on every collider, averaged over the last frame.
    pub fn collider_forces(&mut self) -> Vec<ColliderForce> {
        self.engine.collider_forces()
    }

    /// Particles inside triggers at the end of the last frame, sorted.
    pub fn trigger_overlaps(&mut self) -> Vec<TriggerOverlap> {
        self.engine.trigger_overlaps()
    }

    /// Waits until all frames that were begun are done. Reading anything does so by itself; this is for measuring.
    pub fn wait(&mut self) {
        self.engine.wait();
    }

    /// Frames that may be under way at once before there is anything to wait for.
    pub fn frames_in_flight(&self) -> u32 {
        self.engine.frames_in_flight()
    }

    /// Whether to time every stage, where that costs time itself.
    pub fn measure_stages(&mut self, measure: bool) {
        self.engine.measure_stages(measure);
    }

    /// What a user should know of the last frames, once: a capacity that was hit, for one.
    pub fn notice(&mut self) -> Option<String> {
        self.engine.notice()
    }

    /// What went wrong with the device, if anything did; frames after that are not to be trusted.
    pub fn fault(&self) -> Option<String> {
        self.engine.fault()
    }

    /// Time per stage of the last frame.
    pub fn timings(&mut self) -> &Timings {
        self.engine.timings()
    }

    /// Memory held for particles and solver, bytes.
    pub fn memory_bytes(&self) -> usize {
        self.engine.memory_bytes()
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
    match material.problem() {
        None => Ok(()),
        Some((field, found, expected)) => Err(WorldError::Value {
            what: "material".into(),
            field: field.into(),
            found: found.to_string(),
            expected: expected.into(),
        }),
    }
}

fn check_pose(name: &str, pose: &Pose) -> Result<(), WorldError> {
    if pose.position.is_finite() && pose.rotation.is_normalized() {
        return Ok(());
    }
    Err(WorldError::Value {
        what: format!("collider \"{name}\""),
        field: "pose".into(),
        found: format!("{} and {}", pose.position, pose.rotation),
        expected: "a finite position and a unit rotation".into(),
    })
}
