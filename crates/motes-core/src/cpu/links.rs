//! Links between the particles of bodies: XPBD distance constraints, all at once.
//!
//! As with contacts, the mass of a particle is shared among its links, and both ends of one get the same impulse.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::shapes::NONE;
use super::{CHUNK, State};
use crate::body::bodies::Bodies;
use crate::body::links::LinkEnds;
use crate::constraints::distance::change;

/// What the engine knows of links besides what they are.
#[derive(Default)]
pub(super) struct LinkWork {
    ends: LinkEnds,
    /// Of each link, what the last iteration did to its first member (xyz, kg·m), and its impulse in the sub-step (w).
    pulls: Vec<Vec4>,
    /// The compliance of each, metres per newton; infinite in bodies that do not deform.
    compliances: Vec<f32>,
}

impl LinkWork {
    /// Lists the links of every member.
    pub(super) fn list(&mut self, bodies: &Bodies) {
        if bodies.links.is_empty() {
            *self = Self::default();
            return;
        }
        self.ends = LinkEnds::new(&bodies.links, &bodies.rest);
        self.compliances.clear();
        for body in &bodies.list {
            let yields = body.path.is_none() && !body.is_rigid();
            let compliance = if yields { body.link_compliance } else { f32::INFINITY };
            self.compliances
                .resize(self.compliances.len() + body.links().len(), compliance);
        }
    }

    /// Has no link have done anything yet.
    pub(super) fn begin_substep(&mut self) {
        self.pulls.clear();
        self.pulls.resize(self.compliances.len(), Vec4::ZERO);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        4 * (self.ends.starts.capacity() + self.ends.ends.capacity() + self.ends.divisors.capacity())
            + 16 * self.pulls.capacity()
            + 4 * self.compliances.capacity()
    }
}

impl State {
    /// Lines 18–20 for links.
    pub(super) fn solve_links(&mut self, h: f32) {
        let shapes = &mut self.shapes;
        if shapes.links.pulls.is_empty() {
            return;
        }
        let mut pulls = std::mem::take(&mut shapes.links.pulls);
        let (slots, ends, rest) = (&shapes.slots, &shapes.links.ends, &self.bodies.rest);
        let predicted = &self.predicted;
        (&mut pulls, &self.bodies.links, &shapes.links.compliances)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(pull, link, &compliance)| {
                let [i, j] = link.map(|member| slots[member as usize]);
                if i == NONE || j == NONE || compliance.is_infinite() {
                    return;
                }
                let [a, b] = [i, j].map(|slot| predicted[slot as usize]);
                let [at, to] = link.map(|member| rest[member as usize].xyz());
                let [first, second] = link.map(|member| ends.divisors[member as usize]);
                let offset = a.xyz() - b.xyz();
                let length = offset.length();
                let mobility = a.w * first + b.w * second;
                let more = change(length - at.distance(to), pull.w, mobility, compliance / (h * h));
                let direction = offset / length.max(f32::MIN_POSITIVE);
                *pull = (more * direction).extend(pull.w + more);
            });
        let members = &shapes.members;
        self.predicted
            .par_iter_mut()
            .zip(members)
            .with_min_len(CHUNK)
            .for_each(|(predicted, &member)| {
                if member == NONE || predicted.w == 0.0 {
                    return;
                }
                let mut sum = Vec3::ZERO;
                for &end in ends.of(member as usize) {
                    let pull = pulls[end as usize / 2].xyz();
                    sum += if end % 2 == 0 { pull } else { -pull };
                }
                *predicted += (predicted.w * sum).extend(0.0);
            });
        self.shapes.links.pulls = pulls;
    }
}
