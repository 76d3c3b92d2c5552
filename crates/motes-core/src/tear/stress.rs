//! Tearing by stress: which edges are stretched further than they can bear is asked at the end of a frame, and acted upon when the frame
//! after the next begins. That is when a device has answered without being waited for, and the same on every engine, so that runs
//! do not depend on timing.

use std::collections::{HashSet, VecDeque};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::constraints::overload::overload;
use crate::engine::query::{Answer, Query};
use crate::particles::ParticleId;
use crate::store::batch::{ALIVE, Batch, TEARS, acts};
use crate::store::{ConstraintId, ConstraintKind};
use crate::world::World;
use crate::world::questions::Pending;

/// Of so many rows of the store, one behind the other, the one nearest to tearing is told of: as many as a workgroup of a device
/// looks at.
pub const STRAIN_ROWS: usize = 256;

/// An edge of a sheet that is stretched further than it can bear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strained {
    /// The edge.
    pub row: ConstraintId,
    /// Its stretch over what it can bear: more than 1.
    pub overload: f32,
    /// Whether each end of it can move.
    pub free: [bool; 2],
}

/// What the engine was asked, in the order of the frames, and has perhaps not answered.
pub(crate) type Strains = VecDeque<Pending<Vec<Strained>>>;

/// The edges stretched further than they can bear: of each [`STRAIN_ROWS`] rows the one that is so most, the first of several. `end` tells
/// the place and inverse mass of a particle that is alive.
pub fn most_strained(batch: &Batch, h: f32, end: impl Fn(ParticleId) -> Option<glam::Vec4> + Sync) -> Vec<Strained> {
    let strained = |row: usize| {
        let state = batch.states()[row];
        if state & TEARS == 0 || !acts(state) {
            return None;
        }
        let ids = batch.particles_of(row);
        let [a, b] = [end(ids[0])?, end(ids[1])?];
        let length = a.truncate().distance(b.truncate());
        let (rest, softness, limit) = (batch.rest()[row], batch.softness()[row], batch.breaking_force()[row]);
        let overload = overload(length, rest, softness, limit, batch.impulses()[row], h);
        let free = [a.w > 0.0, b.w > 0.0];
        (overload > 1.0).then_some((row, overload, free))
    };
    let first_most = |best: Option<(usize, f32, [bool; 2])>, next: (usize, f32, [bool; 2])| match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    };
    let starts: Vec<usize> = (0..batch.places()).step_by(STRAIN_ROWS).collect();
    let of_each = starts.into_par_iter().with_min_len(4).filter_map(|start| {
        let rows = start..(start + STRAIN_ROWS).min(batch.places());
        let (row, overload, free) = rows.filter_map(strained).fold(None, first_most)?;
        let row = batch.id_of(row as u32)?;
        Some(Strained { row, overload, free })
    });
    of_each.collect()
}

impl World {
    /// Asks which edges are stretched too far, if any can tear.
    pub(crate) fn ask_strains(&mut self) {
        if !self.engine.can_tear() || self.model.settings.tears_per_frame == 0 {
            self.strains.clear();
            return;
        }
        let asked = self.ask_query(Query::Strained, |answer| match answer {
            Answer::Strained(strained) => strained,
            _ => Vec::new(),
        });
        self.strains.push_back(asked);
    }

    /// Answers that have not been acted upon, which are waited for.
    pub(crate) fn strains_found(&self) -> Vec<Vec<Strained>> {
        let answer = |pending: &Pending<Vec<Strained>>| {
            self.wait_until(pending);
            pending.look_at().unwrap_or_default()
        };
        self.strains.iter().map(answer).collect()
    }

    /// Tears sheets where they were stretched too far at the end of the frame before the last, at most as often as the settings allow.
    pub(crate) fn tear_strained(&mut self) {
        let fresh = std::mem::take(&mut self.model.fresh_tears);
        if self.strains.len() < 2 {
            return;
        }
        let Some(asked) = self.strains.pop_front() else { return };
        let Some(mut strained) = self.wait_for(&asked) else {
            return;
        };
        if strained.is_empty() {
            return;
        }
        self.engine.count();
        strained.sort_by(|a, b| b.overload.total_cmp(&a.overload).then(a.row.cmp(&b.row)));
        // What was torn after the question was asked has eased what is around it.
        let mut eased: HashSet<ParticleId> = fresh.iter().flat_map(|tear| [tear.of, tear.new]).collect();
        let mut left = self.model.settings.tears_per_frame as usize;
        for edge in strained {
            if left == 0 {
                break;
            }
            let Some(torn) = self.edges_across(&edge, &eased) else {
                continue;
            };
            let tears = self.tear_edges(torn.into_iter());
            eased.extend(tears.iter().flat_map(|tear| [tear.of, tear.new]));
            left = left.saturating_sub(tears.len());
        }
    }

    /// The edges to be torn for one that is stretched too far: at the end of it that is on a rim, where a tear goes on, else at the one with edges
    /// more squarely across.
    fn edges_across(&mut self, strained: &Strained, eased: &HashSet<ParticleId>) -> Option<Vec<[ParticleId; 2]>> {
        let sheets = self.sheets();
        let batch = sheets.batch(ConstraintKind::Distance);
        let row = batch.place(strained.row)?;
        let ids = [batch.particles_of(row)[0], batch.particles_of(row)[1]];
        debug_assert!(batch.states()[row] & ALIVE != 0);
        if ids.iter().any(|id| eased.contains(id)) {
            return None;
        }
        let at = |end: usize| {
            let (particle, far) = (ids[end], ids[1 - end]);
            let fan = sheets.whole_fan(particle).filter(|_| strained.free[end])?;
            let stretched = fan.rim.iter().position(|&rim| rim == far)?;
            let (torn, askew) = sheets.across(particle, &fan, stretched)?;
            let torn: Vec<[ParticleId; 2]> = torn.iter().map(|&rim| [particle, fan.rim[rim]]).collect();
            Some((fan.is_ring(), askew, torn))
        };
        let found = [at(0), at(1)].into_iter().flatten();
        let best = found.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
        Some(best.2)
    }
}
