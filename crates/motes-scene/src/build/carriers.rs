//! Particles that go along with something: what cloth and ropes are attached by, and what bodies are clamped at.

use motes_core::{ParticleId, WorldError};

use super::{Built, Handles};
use crate::compile::{Carried, PlannedBase, PlannedCarrier};

/// Has particles go along with what carries them.
pub(super) fn add_carrier(built: &mut Built, planned: &PlannedCarrier, ids: &Handles) -> Result<(), WorldError> {
    let numbers = planned.particles.iter().map(|&number| number as usize);
    let held: Option<Vec<ParticleId>> = match &planned.of {
        Carried::Sheet(kind, index) => {
            let particles = ids.sheets.get(&(*kind, *index)).ok_or(WorldError::Gone("cloth"))?;
            numbers.map(|number| particles.get(number).copied()).collect()
        }
        Carried::Body(table, copy) => {
            let first = ids.bodies.get(table).ok_or(WorldError::Gone("body"))?;
            let look = built.looks.bodies.get(first + copy).ok_or(WorldError::Gone("body"))?;
            let bodies = built.world.bodies();
            let place = bodies.place(look.body).ok_or(WorldError::Gone("body"))?;
            let particles = &bodies.particles[bodies.list[place].members()];
            numbers.map(|number| particles.get(number).copied()).collect()
        }
        Carried::Creature(index, copy) => {
            let gone = || WorldError::Gone("creature");
            let place = ids.creatures.get(index).ok_or_else(gone)?.start + copy;
            let look = built.looks.creatures.get(place).ok_or_else(gone)?;
            let particles = built.world.creature_particles(look.creature).ok_or_else(gone)?;
            numbers.map(|number| particles.get(number).copied()).collect()
        }
    };
    let held = held.ok_or(WorldError::Gone("particle"))?;
    match &planned.by {
        PlannedBase::Motion(origin, motion) => built.world.carry_particles(&held, *origin, motion.clone()),
        PlannedBase::Collider(index) => {
            let collider = ids.colliders.get(index).ok_or(WorldError::Gone("collider"))?;
            built.world.attach_to_collider(&held, *collider)
        }
    }
}
