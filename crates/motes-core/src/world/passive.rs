//! Passive particles of a world.

use super::World;
use crate::error::WorldError;
use crate::particles::passive::{Passive, PassiveParticles};

impl World {
    /// Adds passive particles: spray, foam, markers of smoke. From the next frame on they go with the particles around
    /// them, or fly on their own, until their lifetime is over.
    pub fn add_passive(&mut self, new: &[Passive]) -> Result<(), WorldError> {
        let wrong = |what: &Passive| !(what.position.is_finite() && what.velocity.is_finite() && what.lifetime >= 0.0);
        if let Some(bad) = new.iter().position(wrong) {
            return Err(WorldError::Value {
                what: format!("passive particle {bad}"),
                field: "position, velocity or lifetime".into(),
                found: format!("{:?}", new[bad]),
                expected: "finite numbers, and a lifetime of 0 or more".into(),
            });
        }
        let passive = self.engine.passive_mut();
        passive.ok_or(WorldError::NoPassive)?.add(new);
        Ok(())
    }

    /// All passive particles, as of the end of the last frame; `None` where the engine has no room for any.
    pub fn passive(&self) -> Option<&PassiveParticles> {
        self.engine.passive()
    }

    /// The same, to change.
    pub fn passive_mut(&mut self) -> Option<&mut PassiveParticles> {
        self.engine.passive_mut()
    }
}
