//! Neighbourhoods: every particle is held in the shape of those around it (Müller & Chentanez 2011, §5.1), as the clusters of soft bodies are.
//!
//! All are matched at once. A member counts in each of its neighbourhoods with an equal share of its mass, and moves by the mean of what they do to it, so
//! that momentum is kept. A sub-step begins with the pull that its start calls for, and every iteration is one of implicit Euler: what is in
//! equilibrium stays so, and stiffness means the same whatever the sub-steps and iterations.

use glam::{Mat3A, Vec3, Vec3A};
use rayon::prelude::*;

use super::{CreatureWork, Here, NONE};
use crate::constraints::orientation::{between, joined, turned};
use crate::constraints::oriented_match::{Balance, point_inertia};
use crate::constraints::shape_match::{Moments, gain, largest_gain, rotation_near};
use crate::creature::lists::{Known, Lists, Neighborhood};

/// Neighbourhoods that are worked on in one go. Fixed, so that nothing depends on the number of threads.
const BUNDLE: usize = 64;

/// What is known of a neighbourhood throughout a sub-step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balanced {
    /// How it makes up for what it turns, and where its middle starts.
    balance: Balance,
    start: Vec3A,
    /// How far it pulls.
    gain: f32,
}

/// Some neighbourhoods, and what is to be known of their entries.
struct Bundle<'a> {
    neighborhoods: &'a [Neighborhood],
    balances: &'a [Balanced],
    entries: &'a [u32],
    pulls: &'a mut [Vec3A],
    pushed: &'a mut [Vec3A],
    turns: &'a mut [Vec3],
}

/// What all of them look at.
struct Matching<'a> {
    members: &'a [Known],
    slots: &'a [u32],
    here: &'a [Here],
    /// Whether a sub-step begins.
    begins: bool,
}

impl CreatureWork {
    /// Notes how neighbourhoods make up for what they turn, and how stiff they are in a sub-step.
    pub(super) fn balance(&mut self, h: f32, iterations: u32) {
        let most = largest_gain(iterations);
        let (lists, here, slots) = (&self.lists, &self.here, &self.slots);
        self.balances.resize(lists.neighborhoods.len(), Balanced::default());
        (&mut self.balances, &lists.neighborhoods)
            .into_par_iter()
            .with_min_len(BUNDLE)
            .for_each(|(balance, neighborhood)| {
                let entries = &lists.entries[neighborhood.entries()];
                *balance = balanced(&lists.members, here, slots, entries);
                balance.gain = gain(neighborhood.stiffness, h).min(most);
            });
        let entries = lists.entries.len();
        self.pulls.resize(entries, Vec3A::ZERO);
        self.pushed.resize(entries, Vec3A::ZERO);
        self.turns.resize(lists.neighborhoods.len(), Vec3::ZERO);
    }

    /// Matches all neighbourhoods and moves their members; `begins` has them start from what the beginning of the sub-step calls for.
    pub(super) fn match_neighborhoods(&mut self, begins: bool) {
        let Lists {
            members,
            neighborhoods,
            entries,
            ..
        } = &self.lists;
        let matching = Matching {
            members,
            slots: &self.slots,
            here: &self.here,
            begins,
        };
        let (mut pulls, mut pushed) = (&mut self.pulls[..], &mut self.pushed[..]);
        let mut bundles = Vec::with_capacity(neighborhoods.len().div_ceil(BUNDLE));
        let all = neighborhoods.chunks(BUNDLE).zip(self.balances.chunks(BUNDLE));
        for ((neighborhoods, balances), turns) in all.zip(self.turns.chunks_mut(BUNDLE)) {
            let first = neighborhoods[0].first as usize;
            let count = neighborhoods.iter().map(|own| own.count as usize).sum();
            let (own_pulls, own_pushed);
            (own_pulls, pulls) = pulls.split_at_mut(count);
            (own_pushed, pushed) = pushed.split_at_mut(count);
            bundles.push(Bundle {
                neighborhoods,
                balances,
                entries: &entries[first..first + count],
                pulls: own_pulls,
                pushed: own_pushed,
                turns,
            });
        }
        bundles.into_par_iter().for_each(|bundle| matching.run(bundle));
        self.move_members();
    }

    /// Moves all members by what their neighbourhoods have just done to them.
    fn move_members(&mut self) {
        let (lists, pushed, turns) = (&self.lists, &self.pushed, &self.turns);
        (&mut self.here, &lists.members)
            .into_par_iter()
            .with_min_len(BUNDLE)
            .enumerate()
            .for_each(|(member, (here, known))| {
                if here.moves {
                    let own = lists.entries_of.of_member(member);
                    let sum: Vec3A = own.iter().map(|&entry| pushed[entry as usize]).sum();
                    here.place += known.share * sum;
                }
                if here.turns && known.neighborhood != NONE {
                    here.turn_by(turns[known.neighborhood as usize]);
                }
            });
    }
}

impl Here {
    /// Turns it further.
    #[inline]
    pub(super) fn turn_by(&mut self, turn: Vec3) {
        if turn != Vec3::ZERO {
            self.turn = joined(self.turn, turn, self.from);
            self.rotation = turned(self.from, self.turn);
        }
    }
}

/// How a neighbourhood makes up for what it turns, and where its middle starts.
fn balanced(members: &[Known], here: &[Here], slots: &[u32], entries: &[u32]) -> Balanced {
    let alive = || {
        let alive = entries.iter().map(|&entry| entry as usize);
        alive.filter(|&member| slots[member] != NONE)
    };
    let middle = entries[0] as usize;
    let near = here[middle].start;
    let (mut mass, mut center) = (0.0, Vec3A::ZERO);
    for member in alive() {
        let share = members[member].share * members[member].mass;
        mass += share;
        center += share * (here[member].start - near);
    }
    let center = near + center / mass.max(f32::MIN_POSITIVE);
    let mut inertia = if here[middle].turns {
        here[middle].inertia
    } else {
        Mat3A::ZERO
    };
    for member in alive() {
        let share = members[member].share * members[member].mass;
        inertia += point_inertia(share, here[member].start - center);
    }
    Balanced {
        balance: Balance::new(inertia),
        start: center,
        gain: 0.0,
    }
}

impl Matching<'_> {
    fn run(&self, bundle: Bundle<'_>) {
        let Bundle {
            neighborhoods,
            balances,
            entries,
            pulls,
            pushed,
            turns,
        } = bundle;
        let first = neighborhoods[0].first as usize;
        for ((own, balance), turn) in neighborhoods.iter().zip(balances).zip(turns) {
            let range = own.first as usize - first..(own.first + own.count) as usize - first;
            let (pulls, pushed) = (&mut pulls[range.clone()], &mut pushed[range.clone()]);
            *turn = self.match_one(balance, &entries[range], pulls, pushed);
        }
    }

    /// Matches a neighbourhood: what that does to its members, and by how much it turns its middle.
    fn match_one(
        &self,
        Balanced { balance, start, gain }: &Balanced,
        entries: &[u32],
        pulls: &mut [Vec3A],
        pushed: &mut [Vec3A],
    ) -> Vec3 {
        let (members, here, slots) = (self.members, self.here, self.slots);
        let middle = entries[0] as usize;
        if slots[middle] == NONE {
            pushed.fill(Vec3A::ZERO);
            return Vec3::ZERO;
        }
        let place = |member: usize| {
            if self.begins {
                here[member].start
            } else {
                here[member].place
            }
        };
        let now = if self.begins {
            here[middle].from
        } else {
            here[middle].rotation
        };
        let near = place(middle);
        let mut moments = Moments::ZERO;
        for member in entries.iter().map(|&entry| entry as usize) {
            if slots[member] != NONE {
                let known = &members[member];
                moments.add(known.share * known.mass, place(member) - near, known.rest);
            }
        }
        moments.products += Mat3A::from_quat(now) * members[middle].moment;
        let guess = now * members[middle].rest_rotation.conjugate();
        let is_held = !here[middle].moves;
        // What is pinned holds its neighbours where its axes say.
        let (center, rest_center, matched) = match is_held {
            true => (Vec3::ZERO, Vec3::from(members[middle].rest), guess),
            false => {
                let (center, rest_center) = moments.centers();
                let covariance = Mat3A::from(moments.covariance());
                (center, rest_center, rotation_near(&covariance, guess))
            }
        };
        // All relative to the middle: rounded sums far out would push the whole.
        let (center, rest_center) = (Vec3A::from(center), Vec3A::from(rest_center));
        let turn = Mat3A::from_quat(matched);
        let gain = *gain;
        let yields = 1.0 / (1.0 + gain);
        let mut torque = Vec3A::ZERO;
        let all = entries.iter().zip(pulls.iter_mut().zip(pushed.iter_mut()));
        for (&entry, (pull, pushed)) in all {
            let member = entry as usize;
            if slots[member] == NONE {
                *pushed = Vec3A::ZERO;
                continue;
            }
            let known = &members[member];
            let gap = turn * (known.rest - rest_center) + (center - (place(member) - near));
            let change = match self.begins {
                true => gain * gap,
                false => (gain * gap - *pull) * yields,
            };
            *pull = if self.begins { change } else { *pull + change };
            *pushed = change;
            torque += (known.share * known.mass) * (here[member].start - *start).cross(change);
        }
        let mut turned = Vec3::ZERO;
        if here[middle].turns && !self.begins {
            turned = between(now, matched * members[middle].rest_rotation);
            torque += here[middle].inertia * Vec3A::from(turned);
        }
        if is_held {
            return Vec3::ZERO;
        }
        let back = balance.turn(torque);
        for (&entry, pushed) in entries.iter().zip(pushed) {
            *pushed += back.cross(here[entry as usize].start - *start);
        }
        turned + Vec3::from(back)
    }
}
