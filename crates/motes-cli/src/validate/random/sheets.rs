//! How cloth and ropes hang together.

use std::collections::BTreeSet;

use glam::{Vec3, Vec4Swizzles};
use motes_core::{ConstraintId, ConstraintKind, ParticleId, World};
use motes_scene::Looks;

use super::web::greater;

/// The sheets of a scene.
#[derive(Clone, Debug, Default)]
pub struct Sheets {
    /// Groups of their particles.
    groups: BTreeSet<u32>,
    /// Groups of cloth, with their triangles.
    cloth: Vec<(u32, Vec<ConstraintId>)>,
}

impl Sheets {
    /// Those of a scene that was built.
    pub fn of(looks: &Looks) -> Self {
        let cloth = { looks.sheets.iter() }.filter(|sheet| !sheet.faces.is_empty());
        Self {
            groups: looks.sheets.iter().map(|sheet| sheet.group.index()).collect(),
            cloth: cloth.map(|sheet| (sheet.group.index(), sheet.faces.clone())).collect(),
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
        let distances = { world.constraints().iter() }.filter(|(id, _)| id.kind == ConstraintKind::Distance);
        let lengths = distances.filter_map(|(_, row)| {
            let keeps = row.on && row.breaking_force.is_infinite();
            let [a, b] = [place(row.particles[0])?, place(row.particles[1])?];
            (keeps && row.rest > 0.0).then(|| f64::from(a.distance(b) / row.rest))
        });
        lengths.reduce(greater)
    }

    /// How many vertices of cloth belong to no triangle; none where there is no cloth. Where a region has removed
    /// particles, triangles went with them, and nothing is said.
    pub fn bare_vertices(&self, world: &World) -> Option<f64> {
        let particles = world.particles();
        let bare = self.cloth.iter().filter_map(|(group, faces)| {
            let corners: Option<Vec<_>> = world.face_particles(faces).into_iter().collect();
            let covered: BTreeSet<u32> = corners?.into_iter().flatten().map(|corner| corner.index).collect();
            let own = (0..particles.len()).filter(|&slot| particles.phases[slot].group() == *group);
            let bare = own.filter(|&slot| !covered.contains(&particles.ids()[slot].index));
            Some(bare.count() as f64)
        });
        bare.reduce(f64::max)
    }
}
