//! Passive particles of a world.

use super::World;
use crate::error::WorldError;
use crate::particles::passive::{Passive, PassiveKind, PassiveParticles, PassiveParts};

impl World {
    /// Adds passive particles, markers of whatever moves. From the next frame on they go with the particles around
    /// them, or fly on their own, until their lifetime is over or they get into a kill volume.
    pub fn add_passive(&mut self, new: &[Passive]) -> Result<(), WorldError> {
        self.add_passive_of(new, PassiveKind::Marker)
    }

    pub(super) fn add_passive_of(&mut self, new: &[Passive], kind: PassiveKind) -> Result<(), WorldError> {
        let wrong = |what: &Passive| !(what.position.is_finite() && what.velocity.is_finite() && what.lifetime >= 0.0);
        if let Some(bad) = new.iter().position(wrong) {
            return Err(WorldError::Value {
                what: format!("passive particle {bad}"),
                field: "position, velocity or lifetime".into(),
                found: format!("{:?}", new[bad]),
                expected: "finite numbers, and a lifetime of 0 or more".into(),
            });
        }
        let new: Vec<PassiveParts> = new.iter().map(|new| new.of_kind(kind)).collect();
        self.engine.add_passive(&new);
        Ok(())
    }

    /// All passive particles, as of the end of the last frame and what was added since. Waits for a device.
    pub fn passive(&self) -> &PassiveParticles {
        self.engine.passive()
    }

    /// The same, to change. On a device they are read back first and written as a whole with the next frame.
    pub fn passive_mut(&mut self) -> &mut PassiveParticles {
        self.engine.passive_mut()
    }

    /// Number of passive particles. Waits for a device only where some may have died.
    pub fn passive_count(&self) -> usize {
        self.engine.passive_count()
    }

    /// Removes all passive particles.
    pub fn clear_passive(&mut self) {
        self.engine.load_passive(PassiveParticles::default());
    }
}
