//! Edits of chosen particles by id: they take effect at once for whoever reads, and reach a device with the next frame.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::engine::edit::{Change, Edit, Pull};
use crate::error::WorldError;
use crate::heat::is_temperature;
use crate::particles::ParticleId;
use crate::particles::phase::Phase;

use super::World;

/// A spring from a particle to a point of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Where the spring has no length, metres.
    pub target: Vec3,
    /// Force for each metre of its length, N/m.
    pub stiffness: f32,
    /// Force against each m/s of the particle, N·s/m.
    pub damping: f32,
}

impl Spring {
    /// A spring that brings a particle of a mass, kg, to its target in about a time, seconds, and not beyond: critically damped.
    /// Under gravity it comes to hang lower by its weight over the stiffness.
    pub fn critical(target: Vec3, mass: f32, seconds: f32) -> Self {
        let rate = 4.0 / seconds;
        Self {
            target,
            stiffness: mass * rate * rate,
            damping: 2.0 * mass * rate,
        }
    }

    /// The one spring that does what two do at the same particle.
    fn with(&self, other: &Self) -> Self {
        let stiffness = self.stiffness + other.stiffness;
        let share = if stiffness > 0.0 {
            other.stiffness / stiffness
        } else {
            0.0
        };
        Self {
            target: self.target.lerp(other.target, share),
            stiffness,
            damping: self.damping + other.damping,
        }
    }
}

impl World {
    /// Changes particles, one after the other. Nothing changes if a value is refused or a particle is known to be dead; those
    /// that die on a device are passed over until the host hears of it, eight frames later at most. Removals pass over the
    /// dead. Returns how many particles were found.
    pub fn edit(&mut self, edits: &[(ParticleId, Change)]) -> Result<usize, WorldError> {
        for (id, change) in edits {
            if let Some((field, found, expected)) = self.problem(change) {
                return Err(WorldError::Value {
                    what: format!("particle {}", id.index),
                    field: field.into(),
                    found,
                    expected: expected.into(),
                });
            }
        }
        let let_go = |&(id, change): &(ParticleId, Change)| match change {
            Change::InverseMass(inverse) if inverse > 0.0 => Some(id),
            _ => None,
        };
        if !self.model.carriers.is_empty() {
            let freed: Vec<ParticleId> = edits.iter().filter_map(let_go).collect();
            self.release(&freed);
        }
        let hardens = |change: &Change| matches!(change, Change::Phase(phase) if !phase.has(Phase::FLUID));
        self.model.hardened |= edits.iter().any(|(_, change)| hardens(change));
        let edits: Vec<Edit> = edits.iter().map(|&(id, change)| Edit::Particle(id, change)).collect();
        self.carry_out(&edits)
    }

    /// Moves particles to new positions, metres, leaving their velocities; nothing changes if one is refused.
    pub fn set_positions(&mut self, values: &[(ParticleId, Vec3)]) -> Result<(), WorldError> {
        self.edit_each(values, Change::Position)
    }

    /// Gives particles new velocities, m/s; nothing changes if one is refused. Those that are pinned keep theirs, whatever is in
    /// their way, until they are given another.
    pub fn set_velocities(&mut self, values: &[(ParticleId, Vec3)]) -> Result<(), WorldError> {
        self.edit_each(values, Change::Velocity)
    }

    /// Gives particles new inverse masses, 1/kg; 0 pins, and stops them. Nothing changes if one is refused. A member of a body keeps its
    /// share of the body's mass: that is [`Bodies::rest`](crate::Bodies::rest).
    pub fn set_inverse_masses(&mut self, values: &[(ParticleId, f32)]) -> Result<(), WorldError> {
        self.edit_each(values, Change::InverseMass)
    }

    /// Gives particles rest positions, metres, or takes them away: see [`rest`](crate::particles::rest). Nothing changes if one
    /// is refused.
    pub fn set_rest_positions(&mut self, values: &[(ParticleId, Option<Vec3>)]) -> Result<(), WorldError> {
        self.edit_each(values, Change::RestPosition)
    }

    /// Gives particles angular velocities, rad/s, with which they turn from there on, or has them turn no more: see
    /// [`spin`](crate::particles::spin). Nothing changes if one is refused.
    pub fn set_spins(&mut self, values: &[(ParticleId, Option<Vec3>)]) -> Result<(), WorldError> {
        self.edit_each(values, Change::Spin)
    }

    /// Gives particles of a gas temperatures, °C; nothing changes if one is refused.
    pub fn set_temperatures(&mut self, values: &[(ParticleId, f32)]) -> Result<(), WorldError> {
        self.edit_each(values, Change::Temperature)
    }

    /// Gives particles impulses, N·s; nothing changes if one is refused.
    pub fn push_particles(&mut self, values: &[(ParticleId, Vec3)]) -> Result<(), WorldError> {
        self.edit_each(values, Change::Push)
    }

    /// Draws a particle to a point by a spring throughout the next frame: the way to drag one, frame by frame. Nothing is drawn
    /// if it is dead. One of a rigid body takes the whole of it along, one of cloth or a rope all that hangs on it. Several springs
    /// at one particle add up.
    pub fn pull_particle(&mut self, id: ParticleId, spring: Spring) -> Result<(), WorldError> {
        let numbers = [spring.stiffness, spring.damping];
        if !(spring.target.is_finite() && numbers.iter().all(|&number| number >= 0.0 && number.is_finite())) {
            return Err(WorldError::Value {
                what: format!("particle {}", id.index),
                field: "spring".into(),
                found: format!("{spring:?}"),
                expected: "a finite target, stiffness and damping of 0 or more".into(),
            });
        }
        self.model.pulls.push((id, spring));
        Ok(())
    }

    /// Removes particles; ids of dead ones are passed over. Returns how many were removed.
    pub fn remove_particles(&mut self, ids: &[ParticleId]) -> usize {
        let edits: Vec<Edit> = ids.iter().map(|&id| Edit::Particle(id, Change::Remove)).collect();
        self.carry_out(&edits).unwrap_or(0)
    }

    pub(crate) fn carry_out(&mut self, edits: &[Edit]) -> Result<usize, WorldError> {
        if edits.is_empty() {
            return Ok(0);
        }
        let carried_out = self.engine.edit(edits);
        carried_out.map_err(|_| WorldError::Gone("particle"))
    }

    /// What springs do for the `dt` seconds of the frame to come. Those that draw rigid bodies do it at once, to the whole of them; the others are
    /// returned, one for each particle. Those of dead particles do nothing.
    pub(super) fn pull(&mut self, dt: f32) -> Vec<(ParticleId, Spring)> {
        let pulls = std::mem::take(&mut self.model.pulls);
        if pulls.is_empty() {
            return pulls;
        }
        let mobilities = self.engine.body_paths().mobilities(pulls.iter().map(|&(id, _)| id));
        let mut others: BTreeMap<ParticleId, Spring> = BTreeMap::new();
        for (id, spring) in pulls {
            let Some(&mobility) = mobilities.get(&id) else {
                let all = others.get(&id).map_or(spring, |other| other.with(&spring));
                others.insert(id, all);
                continue;
            };
            let pull = Pull {
                target: spring.target,
                stiffness: spring.stiffness,
                damping: spring.damping,
                seconds: dt,
                mobility,
            };
            // One by one, so that a dead particle spoils nothing for the others.
            let _ = self.engine.edit(&[Edit::Particle(id, Change::Pull(pull))]);
        }
        others.into_iter().collect()
    }

    fn edit_each<T: Copy>(
        &mut self,
        values: &[(ParticleId, T)],
        change: impl Fn(T) -> Change,
    ) -> Result<(), WorldError> {
        let edits: Vec<_> = values.iter().map(|&(id, value)| (id, change(value))).collect();
        self.edit(&edits)?;
        Ok(())
    }

    /// What is wrong with a change, if anything.
    fn problem(&self, change: &Change) -> Option<(&'static str, String, &'static str)> {
        let finite = |field, value: &Vec3| (!value.is_finite()).then(|| (field, value.to_string(), "finite numbers"));
        match change {
            Change::Position(position) => finite("position", position),
            Change::Velocity(velocity) => finite("velocity", velocity),
            Change::Push(impulse) => finite("impulse", impulse),
            Change::Spin(Some(spin)) => finite("spin", spin),
            Change::RestPosition(Some(rest)) => finite("rest position", rest),
            Change::InverseMass(inverse) if !(*inverse >= 0.0 && inverse.is_finite()) => {
                Some(("inverse mass", inverse.to_string(), "a finite number of 0 or more"))
            }
            Change::Material(material) if self.model.materials.get(*material).is_none() => {
                Some(("material", material.0.to_string(), "a material of this world"))
            }
            Change::Phase(phase) if self.model.groups.at(phase.group()).is_none() => {
                Some(("group", phase.group().to_string(), "a group of this world"))
            }
            Change::Pull(pull) => {
                let numbers = [pull.stiffness, pull.damping, pull.seconds];
                let fine = pull.target.is_finite() && numbers.iter().all(|&number| number >= 0.0 && number.is_finite());
                (!fine).then(|| ("pull", format!("{pull:?}"), "finite numbers of 0 or more"))
            }
            Change::Temperature(temperature) if !is_temperature(*temperature) => Some((
                "temperature",
                temperature.to_string(),
                "a temperature, °C, not below absolute zero",
            )),
            Change::Orientation(rotation) if !rotation.is_normalized() => {
                Some(("orientation", rotation.to_string(), "a unit quaternion"))
            }
            Change::InverseMass(_)
            | Change::Orientation(_)
            | Change::Temperature(_)
            | Change::Material(_)
            | Change::Phase(_)
            | Change::RestPosition(None)
            | Change::Spin(None)
            | Change::Remove => None,
        }
    }
}
