//! Edges that resist twisting, all at once: each counts on an equal share of the inertia of its ends.

use glam::Vec3;
use rayon::prelude::*;

use super::{CreatureWork, Here, NONE};
use crate::constraints::shape_match::{gain, largest_gain};
use crate::constraints::torsion::Twisted;
use crate::creature::lists::Twisting;

/// Edges that are worked on in one go.
const BUNDLE: usize = 256;

impl CreatureWork {
    /// Has edges turn their ends back; `begins` has them start from what the beginning of the sub-step calls for.
    pub(super) fn untwist(&mut self, h: f32, iterations: u32, begins: bool) {
        let (lists, here, slots) = (&self.lists, &self.here, &self.slots);
        if lists.edges.is_empty() {
            return;
        }
        self.twists.resize(lists.edges.len(), 0.0);
        self.twisted.resize(lists.edges.len(), Vec3::ZERO);
        let most = largest_gain(iterations);
        (&mut self.twists, &mut self.twisted, &lists.edges)
            .into_par_iter()
            .with_min_len(BUNDLE)
            .for_each(|(impulse, twisted, edge)| {
                let [a, b] = edge.members.map(|member| member as usize);
                if slots[a] == NONE || slots[b] == NONE {
                    *twisted = Vec3::ZERO;
                    return;
                }
                let gain = gain(edge.torsion, h).min(most);
                let found = self::twisted(
                    edge,
                    |member| lists.edges_of.of_member(member).len(),
                    |member| (&here[member], lists.members[member].rest_rotation.conjugate()),
                    begins,
                );
                let change = match begins {
                    true => found.start(gain),
                    false => found.change(gain, *impulse),
                };
                *impulse = if begins { change } else { *impulse + change };
                *twisted = change * found.along;
            });
        let (edges, twisted) = (&lists.edges, &self.twisted);
        self.here
            .par_iter_mut()
            .with_min_len(BUNDLE)
            .enumerate()
            .for_each(|(member, here)| {
                // Two ends in a row are one edge.
                let ends = lists.edges_of.of_member(member);
                if ends.is_empty() || !here.turns && !lists.members[member].is_rigid() {
                    return;
                }
                let sum: Vec3 = { ends.iter() }
                    .map(|&end| {
                        let edge = end as usize / 2;
                        debug_assert!(edges[edge].members[end as usize % 2] as usize == member);
                        if end % 2 == 0 { twisted[edge] } else { -twisted[edge] }
                    })
                    .sum();
                if lists.members[member].is_rigid() {
                    here.torque += sum;
                } else {
                    here.turn_by(Vec3::from(here.inverse_inertia * glam::Vec3A::from(sum)));
                }
            });
    }
}

/// What is known of an edge, given on how many edges each of its ends has and how those are and were at rest, reversed.
fn twisted<'a>(
    edge: &Twisting,
    count: impl Fn(usize) -> usize,
    end: impl Fn(usize) -> (&'a Here, glam::Quat),
    begins: bool,
) -> Twisted {
    let ends = edge.members.map(|member| end(member as usize));
    let place = |here: &Here| if begins { here.start } else { here.place };
    let along = (place(ends[1].0) - place(ends[0].0)).normalize_or_zero();
    Twisted {
        turned: ends.map(|(here, rest)| {
            let now = if begins { here.from } else { here.rotation };
            now * rest
        }),
        along: along.into(),
        mobilities: [0, 1].map(|side: usize| {
            let (here, _) = ends[side];
            let shared = count(edge.members[side] as usize) as f32;
            if here.turns {
                shared * along.dot(here.inverse_inertia * along)
            } else {
                0.0
            }
        }),
    }
}
