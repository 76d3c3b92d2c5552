//! Smoke of a world.

use super::World;
use crate::error::WorldError;
use crate::particles::passive::{Passive, PassiveKind};
use crate::smoke::Smoke;

impl World {
    /// How smoke looks and how long it stays, if that was said.
    pub fn smoke(&self) -> Option<&Smoke> {
        self.model.smoke.as_ref()
    }

    /// Says how smoke looks and how long it stays, from the next frame on. Without it, plumes give off gas without markers, and no gas is removed for want of them.
    pub fn set_smoke(&mut self, smoke: Option<Smoke>) -> Result<(), WorldError> {
        if let Some((field, found, expected)) = smoke.and_then(|smoke| smoke.problem()) {
            return Err(WorldError::Value {
                what: "smoke".into(),
                field: field.into(),
                found,
                expected: expected.into(),
            });
        }
        self.model.smoke = smoke;
        Ok(())
    }

    /// Adds markers of smoke, which are [passive particles](Self::passive) and go with the gas about them.
    pub fn add_smoke(&mut self, new: &[Passive]) -> Result<(), WorldError> {
        self.add_passive_of(new, PassiveKind::Smoke)
    }
}
