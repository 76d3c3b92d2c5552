//! How cloth and ropes hang together.

use std::collections::BTreeSet;

use glam::{Vec3, Vec4Swizzles};
use motes_core::{ConstraintKind, ParticleId, World};
use motes_scene::Looks;

use super::web::greater;

/// The sheets of a scene.
#[derive(Clone, Debug, Default)]
pub struct Sheets {
    /// Groups of their particles.
    groups: BTreeSet<u32>,
}

impl Sheets {
    /// Those of a scene that was built.
    pub fn of(looks: &Looks) -> Self {
        Self {
            groups: looks.sheets.iter().map(|sheet| sheet.group.index()).collect(),
        }
    }

    /// The longest thread of cloth or rope that cannot break, over its length at rest; none where there are none.
    pub fn longest_thread(&self, world: &World) -> Option<f64> {
        if self.groups.is_empty() {
            return None;
        }
        let particles = world.particles();
        let place = |id: ParticleId| -> Option<Vec3> {
            let slot = particles.slot(id)?;
            let is_sheet = self.groups.contains(&particles.phases[slot].group());
            is_sheet.then(|| particles.positions[slot].xyz())
        };
        let lengths = world.constraints().iter().filter_map(|(id, row)| {
            let keeps = id.kind == ConstraintKind::Distance && row.on && row.breaking_force.is_infinite();
            let [a, b] = [place(row.particles[0])?, place(row.particles[1])?];
            (keeps && row.rest > 0.0).then(|| f64::from(a.distance(b) / row.rest))
        });
        lengths.reduce(greater)
    }
}
