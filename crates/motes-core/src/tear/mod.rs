//! Sheets that tear: along edges between their faces, by stress, by a cut, or where the caller says.
//!
//! What a sheet is, its [faces](crate::NewFace) say, and nothing else: a split gives some of the faces around a particle to a new one in
//! the same place, with a share of its mass. Distances and bendings follow their faces: those of either side stay with their side,
//! an edge between both is there twice from then on, each with its share of the stiffness, and what ran across it dies. So an edge never has
//! more than two faces, whatever was torn in whatever order, and no two pieces are left hanging together by a single point.

mod across;
mod cut;
mod fan;
mod index;
mod separate;
mod stress;

use std::collections::HashSet;

use glam::Vec3;
use serde::{Deserialize, Serialize};

pub(crate) use self::cut::Cutting;
pub use self::cut::straight_path;
pub(crate) use self::index::Index;
pub(crate) use self::stress::Strains;
pub use self::stress::{STRAIN_ROWS, Strained, most_strained};

use self::fan::Fan;
use self::index::Sheets;
use crate::engine::edit::Split;
use crate::error::WorldError;
use crate::particles::ParticleId;
use crate::world::World;

/// A particle that became two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tear {
    /// The one that was there before.
    pub of: ParticleId,
    /// The one that has come, in the same place.
    pub new: ParticleId,
}

impl World {
    /// Splits a particle of a sheet by a plane through it, given the normal of that: along the edges of its faces that come nearest to
    /// the plane. Where such an edge ends at the rim of the sheet, that particle is split as well. Returns what became of it: nothing
    /// where no edge is left to tear. Asks where the particles around are, and waits for a device.
    pub fn tear(&mut self, particle: ParticleId, normal: Vec3) -> Result<Vec<Tear>, WorldError> {
        if !self.engine.is_alive(particle) {
            return Err(WorldError::Gone("particle of a sheet"));
        }
        let normal = normal.try_normalize().ok_or_else(|| WorldError::Value {
            what: "tear".into(),
            field: "normal".into(),
            found: normal.to_string(),
            expected: "a direction".into(),
        })?;
        let Some(fan) = self.sheets().whole_fan(particle) else {
            return Ok(Vec::new());
        };
        let mut asked = vec![particle];
        asked.extend(&fan.rim);
        let places: Option<Vec<Vec3>> = self.positions(&asked).into_iter().collect();
        let Some(places) = places else {
            return Err(WorldError::Gone("particle of a sheet"));
        };
        let leans = |rim: usize| (places[rim + 1] - places[0]).normalize_or(normal).dot(normal).abs();
        let angles = self.sheets().angles(particle, &fan);
        let torn = across::by_plane(&fan, &angles, leans);
        Ok(self.tear_edges(torn.iter().map(|&rim| [particle, fan.rim[rim]])))
    }

    /// Tears sheets along a path of their edges, from one particle to the next; pairs that share no edge are passed over. The ends of the
    /// path are split where it begins or ends at a rim; a path of one edge within a sheet opens nothing. Asks no device.
    pub fn tear_along(&mut self, path: &[ParticleId]) -> Vec<Tear> {
        self.tear_edges(path.windows(2).map(|pair| [pair[0], pair[1]]))
    }

    /// What was torn since this was asked last, in the order in which it was.
    pub fn take_tears(&mut self) -> Vec<Tear> {
        std::mem::take(&mut self.model.tears)
    }

    /// The rows of the world as sheets.
    fn sheets(&mut self) -> Sheets<'_> {
        self.sheet_index.view(self.engine.constraints_mut())
    }

    fn tear_edges(&mut self, edges: impl Iterator<Item = [ParticleId; 2]>) -> Vec<Tear> {
        let mut torn: HashSet<[ParticleId; 2]> = HashSet::new();
        let mut ends: Vec<ParticleId> = Vec::new();
        for [a, b] in edges {
            torn.extend([[a, b], [b, a]]);
            for end in [a, b] {
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
        }
        // Deaths have to be known, or it would depend on timing what is still there to be torn.
        self.engine.count();
        let members: HashSet<ParticleId> = self.engine.body_paths().particles.iter().copied().collect();
        let mut tears = Vec::new();
        for &end in &ends {
            if self.engine.is_alive(end) && !members.contains(&end) {
                self.split(end, |other| torn.contains(&[end, other]), &mut tears);
            }
        }
        self.model.fresh_tears.extend(&tears);
        self.model.tears.extend(&tears);
        tears
    }

    /// Gives each fan of faces around a particle but the largest a particle of its own.
    fn split(&mut self, particle: ParticleId, is_torn: impl Fn(ParticleId) -> bool, tears: &mut Vec<Tear>) {
        let mut sheets = self.sheets();
        let Some(mut fans) = sheets.fans(particle, is_torn) else {
            return;
        };
        if fans.len() < 2 {
            return;
        }
        sheets.drop_tethers(particle);
        let area = |fan: &Fan| fan.faces.iter().map(|&face| sheets.area(face)).sum::<f64>();
        let mut areas: Vec<f64> = fans.iter().map(area).collect();
        while fans.len() > 1 {
            let least = (0..fans.len()).rev().min_by(|&a, &b| areas[a].total_cmp(&areas[b]));
            let Some(least) = least else { return };
            let whole: f64 = areas.iter().sum();
            let share = (areas.remove(least) / whole).clamp(1e-6, 0.5) as f32;
            let fan = fans.remove(least);
            let new = self.engine.split(Split { of: particle, share });
            self.sheets().separate(particle, &fan.faces, new);
            tears.push(Tear { of: particle, new });
        }
    }
}
