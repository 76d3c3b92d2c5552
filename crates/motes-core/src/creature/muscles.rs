//! Muscles: edges whose length at rest goes up and down.

use super::CreatureId;
use crate::error::WorldError;
use crate::store::ConstraintId;
use crate::world::World;

impl World {
    /// How much the muscles of a creature do from the next frame on of what they can, from 0 to 1.
    pub fn set_creature_effort(&mut self, id: CreatureId, effort: f32) -> Result<(), WorldError> {
        if !(0.0..=1.0).contains(&effort) {
            return Err(WorldError::Value {
                what: "creature".into(),
                field: "effort".into(),
                found: effort.to_string(),
                expected: "between 0 and 1".into(),
            });
        }
        let creatures = self.engine.creatures_mut().ok_or(WorldError::Gone("creature"))?;
        let place = creatures.place(id).ok_or(WorldError::Gone("creature"))?;
        creatures.list[place].effort = effort;
        Ok(())
    }

    /// Gives muscles the length that they have at a time, seconds.
    pub(crate) fn flex_muscles(&mut self, time: f64) {
        let Some(creatures) = self.engine.creatures() else {
            return;
        };
        let lengths: Vec<(ConstraintId, f32)> = { creatures.list.iter() }
            .flat_map(|creature| creature.edges.iter().map(move |edge| (creature, edge)))
            .filter_map(|(creature, edge)| {
                let length = edge.muscle?.length(time, creature.effort);
                Some((edge.row?, length * creature.rest_length(edge)))
            })
            .collect();
        for (row, length) in lengths {
            // One whose particles are gone is gone too.
            let _ = self.set_rest_length(row, length);
        }
    }
}
