//! Foam of a world.

use super::World;
use crate::error::WorldError;
use crate::foam::Foam;

impl World {
    /// How liquids foam, if they do.
    pub fn foam(&self) -> Option<&Foam> {
        self.model.foam.as_ref()
    }

    /// Has liquids give off spray, foam and bubbles from the next frame on, which are [passive particles](Self::passive), or no more of them. The liquids
    /// themselves go on as they would without it.
    pub fn set_foam(&mut self, foam: Option<Foam>) -> Result<(), WorldError> {
        if let Some((field, found, expected)) = foam.and_then(|foam| foam.problem()) {
            return Err(WorldError::Value {
                what: "foam".into(),
                field: field.into(),
                found,
                expected: expected.into(),
            });
        }
        self.model.foam = foam;
        Ok(())
    }
}
