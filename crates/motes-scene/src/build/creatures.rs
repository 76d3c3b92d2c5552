//! Adds creatures to a world.

use motes_core::random::Random;
use motes_core::{NewCreature, WorldError};

use super::{Built, Handles};
use crate::compile::PlannedCreatures;
use crate::looks::CreatureLook;
use crate::model::DrawWord;
use crate::scene::Scene;

impl Scene {
    /// Adds the creatures of a table, and how they look.
    pub(super) fn add_creatures(
        &self,
        built: &mut Built,
        ids: &Handles,
        planned: PlannedCreatures,
    ) -> Result<(), WorldError> {
        let Some(table) = self.creature.get(planned.index) else {
            return Ok(());
        };
        let material = ids.material(&mut built.world, &table.material, planned.material)?;
        let own = planned.color.unwrap_or(built.looks.next_color());
        let colors = table.color.as_ref().map_or(vec![own], |colors| colors.0.clone());
        let mut lots = Random::new(self.seed, 4000 + planned.index as u64);
        for (copy, &pose) in planned.poses.iter().enumerate() {
            let creature = built.world.add_creature(NewCreature {
                name: planned.name(copy),
                material,
                pose,
                ..planned.creature.clone()
            })?;
            let group = built
                .world
                .creature_group(creature)
                .ok_or(WorldError::Gone("creature"))?;
            let color = colors[lots.below(colors.len())];
            built.looks.add_group(group, Some(color));
            built.looks.creatures.push(CreatureLook {
                creature,
                group,
                name: planned.name(copy),
                form: planned.form.clone(),
                color,
                is_mesh: table.draw == DrawWord::Mesh,
            });
        }
        Ok(())
    }
}
