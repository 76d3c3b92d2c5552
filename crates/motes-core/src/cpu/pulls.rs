//! Springs that draw particles.

use std::collections::HashMap;

use glam::{Vec3, Vec4Swizzles};
use rayon::prelude::*;

use super::{CHUNK, State};
use crate::constraints::pull::drawn;
use crate::particles::ParticleId;

/// A spring at work.
pub(crate) struct Drawn {
    /// Its place among those of the frame.
    place: usize,
    slot: usize,
    /// What it has done in the sub-step, kg·m.
    impulse: Vec3,
}

impl State {
    /// Finds the particles of springs in their slots.
    pub(super) fn locate_pulls(&mut self) {
        self.drawn.clear();
        let pulls = &self.frame.pulls;
        if pulls.is_empty() {
            return;
        }
        let places: HashMap<ParticleId, usize> = pulls.iter().map(|&(id, _)| id).zip(0..).collect();
        let ids = self.particles.ids.par_iter().enumerate().with_min_len(CHUNK);
        let found = ids.filter_map(|(slot, id)| {
            let place = *places.get(id)?;
            let impulse = Vec3::ZERO;
            Some(Drawn { place, slot, impulse })
        });
        self.drawn.par_extend(found);
    }

    /// One iteration. After the rows, which a particle has that is drawn with all that hangs on it.
    pub(super) fn solve_pulls(&mut self, h: f32) {
        for Drawn { place, slot, impulse } in &mut self.drawn {
            let (spring, predicted) = (&self.frame.pulls[*place].1, &mut self.predicted[*slot]);
            let places = [self.particles.positions[*slot].xyz(), predicted.xyz()];
            let change = drawn(spring, places, *impulse, predicted.w, h);
            *impulse += change;
            *predicted += (predicted.w * change).extend(0.0);
            self.touched[*slot] = true;
        }
    }
}
