//! Rows that end at rigid bodies: an impulse on a particle of such a body meets the mass and inertia of the whole.
//!
//! While the rows are solved, particles of a body have the effective inverse mass with which all of them together do not
//! overshoot. Then the impulses that moved them move the body, and the body its particles: what comes next in the iteration
//! finds it in one piece.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::super::shapes::{BodyWork, NONE};
use crate::body::bodies::Bodies;
use crate::store::batch::{Batch, acts};

/// The ends of rows at rigid bodies in a sub-step, body by body.
#[derive(Default)]
pub(super) struct Hauling {
    ends: Vec<End>,
    loads: Vec<Load>,
    /// Participants of which a row acts, and what was known of the store when they were found.
    acting: Vec<bool>,
    edits: [u64; 2],
}

/// A participant that belongs to a rigid body.
#[derive(Clone, Copy)]
struct End {
    body: u32,
    member: u32,
    participant: u32,
    slot: u32,
}

/// A body and its ends.
struct Load {
    body: usize,
    ends: std::ops::Range<usize>,
    /// Effective inverse mass of each end, 1/kg; 0 for a body that is driven.
    mobility: f32,
}

impl Hauling {
    /// Finds the ends among the participants, given the number of each by the index of its id and the slot of each.
    pub(super) fn begin(&mut self, batch: &Batch, numbers: &[u32], slots: &[u32], shapes: &BodyWork, bodies: &Bodies) {
        self.ends.clear();
        self.loads.clear();
        if shapes.flights.iter().all(|motion| !motion.is_rigid()) {
            return;
        }
        self.find_acting(batch, numbers, slots.len());
        for (participant, &slot) in (0..).zip(slots) {
            if slot != NONE
                && self.acting[participant as usize]
                && let Some((body, member)) = shapes.rigid_member_in(slot as usize)
            {
                self.ends.push(End {
                    body,
                    member,
                    participant,
                    slot,
                });
            }
        }
        // Sums in an order that does not depend on how participants came to their numbers.
        self.ends.sort_unstable_by_key(|end| end.member);
        let mut first = 0;
        for ends in self.ends.chunk_by(|a, b| a.body == b.body) {
            let place = ends[0].body as usize;
            let motion = &shapes.flights[place];
            let arms = ends
                .iter()
                .map(|end| bodies.rest[end.member as usize].xyz() - motion.rest_center);
            self.loads.push(Load {
                body: place,
                ends: first..first + ends.len(),
                mobility: match motion.is_driven() {
                    true => 0.0,
                    false => bodies.list[place].mobility(arms),
                },
            });
            first += ends.len();
        }
    }

    fn find_acting(&mut self, batch: &Batch, numbers: &[u32], participants: usize) {
        let edits = [batch.additions(), batch.edits()];
        if self.edits == edits && self.acting.len() == participants {
            return;
        }
        self.edits = edits;
        self.acting.clear();
        self.acting.resize(participants, false);
        for row in (0..batch.places()).filter(|&row| acts(batch.states()[row])) {
            for id in batch.particles_of(row) {
                self.acting[numbers[id.index as usize] as usize] = true;
            }
        }
    }

    /// Gives the ends the effective inverse masses of their bodies.
    pub(super) fn lend(&self, positions: &mut [Vec4]) {
        for load in &self.loads {
            for end in &self.ends[load.ends.clone()] {
                let position = &mut positions[end.participant as usize];
                if position.w != 0.0 {
                    position.w = load.mobility;
                }
            }
        }
    }

    /// Moves the bodies by what moved their ends, and all their particles with them; the ends go back to where they were.
    pub(super) fn haul(&self, positions: &mut [Vec4], predicted: &mut [Vec4], shapes: &mut BodyWork, bodies: &Bodies) {
        for load in &self.loads {
            let center = shapes.flights[load.body].to.position;
            let (mut push, mut turn) = (Vec3::ZERO, Vec3::ZERO);
            for end in &self.ends[load.ends.clone()] {
                let old = predicted[end.slot as usize];
                let moved = std::mem::replace(&mut positions[end.participant as usize], old);
                if moved.w > 0.0 {
                    let impulse = (moved - old).xyz() / moved.w;
                    push += impulse;
                    turn += (old.xyz() - center).cross(impulse);
                }
            }
            if (push, turn) == (Vec3::ZERO, Vec3::ZERO) {
                continue;
            }
            let body = &bodies.list[load.body];
            shapes.flights[load.body].move_end(body, push / body.mass, turn);
            let motion = &shapes.flights[load.body];
            for &slot in &shapes.slots[body.members()] {
                if let Some(place) = predicted.get_mut(slot as usize).filter(|place| place.w != 0.0) {
                    *place = shapes.goal_in(slot as usize, motion).extend(place.w);
                }
            }
            for end in &self.ends[load.ends.clone()] {
                positions[end.participant as usize] = predicted[end.slot as usize];
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<End>() * self.ends.capacity() + size_of::<Load>() * self.loads.capacity()
    }
}
