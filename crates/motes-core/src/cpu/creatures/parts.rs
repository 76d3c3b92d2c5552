//! Rigid parts (Müller & Chentanez 2011, §5.3): all members turn as one; those of several parts count without their orientation.

use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A, Vec4Swizzles};
use rayon::prelude::*;

use super::lists::{Known, Rigid};
use super::touching::IN_PART;
use super::{CreatureWork, Here, NONE, answer};
use crate::constraints::contact::ACROSS;
use crate::constraints::ellipsoid::touch;
use crate::constraints::inscribed::NEAR;
use crate::constraints::orientation::{between_near, turned};
use crate::constraints::oriented_match::{axial, point_inertia, rigid_turn};
use crate::constraints::rigid::{Mobility, ROUNDING, pseudo_inverse};
use crate::constraints::shape_match::{Moments, rotation};
use crate::cpu::feet::Looking;
use crate::cpu::{CHUNK, State};

/// How many times heavier than they are pinned members count: the others go where these say.
const HELD: f32 = 1e4;

/// A rigid part in a sub-step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartMotion {
    /// How its rest shape was turned at the start, and its centres at rest and at the end.
    from: Quat,
    rest_center: Vec3A,
    center: Vec3A,
    mass: f32,
    /// `Σ m y yᵀ` at the start, spins included, and the inverse of the inertia there.
    before: Mat3A,
    inverse: Mat3A,
    /// How it turned since.
    turn: Vec3,
    rotation: Quat,
}

impl CreatureWork {
    /// What a member counts with in each of its parts: its mass, kg, and whether its orientation counts.
    fn counts(known: &Known, here: &Here) -> (f32, bool) {
        let held = if here.moves { 1.0 } else { HELD };
        (held * known.part_share * known.mass, known.part_share == 1.0)
    }

    /// Finds where the rigid parts start.
    pub(super) fn begin_parts(&mut self) {
        let (lists, here, slots) = (&self.lists, &self.here, &self.slots);
        self.motions.resize(lists.parts.len(), PartMotion::default());
        (&mut self.motions, &lists.parts)
            .into_par_iter()
            .for_each(|(motion, part)| {
                let alive = || alive(&lists.part_entries[part.entries()], slots);
                let Some(some) = alive().next() else {
                    *motion = PartMotion::default();
                    return;
                };
                let near = here[some].start;
                let mut moments = Moments::ZERO;
                for member in alive() {
                    let (known, here) = (&lists.members[member], &here[member]);
                    let (mass, is_oriented) = Self::counts(known, here);
                    moments.add(mass, here.start - near, known.rest);
                    if is_oriented {
                        moments.products += Mat3A::from_quat(here.from) * known.moment * (mass / known.mass);
                    }
                }
                let (center, rest_center) = moments.centers();
                let guess = here[some].from * lists.members[some].rest_rotation.conjugate();
                let from = rotation(&moments.covariance(), guess);
                let (turn, rest_center) = (Mat3A::from_quat(from), Vec3A::from(rest_center));
                let (mut before, mut inertia) = (Mat3A::ZERO, Mat3A::ZERO);
                for member in alive() {
                    let (known, here) = (&lists.members[member], &here[member]);
                    let (mass, is_oriented) = Self::counts(known, here);
                    let arm = turn * (known.rest - rest_center);
                    before += outer(mass * arm, arm);
                    inertia += point_inertia(mass, arm);
                    if is_oriented {
                        let own = Mat3A::from_quat(known.rest_rotation) * (mass / known.mass);
                        before += turn * own * known.moment * turn.transpose();
                        inertia += (mass / known.mass) * here.inertia;
                    }
                }
                let determinant = inertia.determinant();
                let size = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
                *motion = PartMotion {
                    from,
                    rest_center,
                    center: near + Vec3A::from(center),
                    mass: moments.mass,
                    before,
                    inverse: match determinant > 1e-9 * size * size * size {
                        true => inertia.inverse(),
                        false => Mat3A::from(pseudo_inverse(&Mat3::from(inertia))),
                    },
                    turn: Vec3::ZERO,
                    rotation: from,
                };
            });
    }

    /// Brings the starts of rigid parts back in shape, whose particles were moved out of overlaps one by one.
    fn match_starts(&mut self) {
        self.begin_parts();
        let (lists, motions) = (&self.lists, &self.motions);
        for (member, (here, known)) in self.here.iter_mut().zip(&lists.members).enumerate() {
            if known.is_rigid() && here.moves && self.slots[member] != NONE {
                let entries = lists.parts_of.of_member(member).iter();
                let goals = entries.map(|&entry| motions[lists.part_numbers[entry as usize] as usize].goal(known));
                let goal = known.part_share * goals.sum::<Vec3A>();
                if (goal - here.start).abs().max_element() > ROUNDING * goal.abs().max_element() {
                    here.start = goal;
                }
            }
        }
    }

    /// Puts rigid parts back in shape, where what acted on their members leads them.
    pub(super) fn match_parts(&mut self) {
        let (lists, here, slots) = (&self.lists, &self.here, &self.slots);
        (&mut self.motions, &lists.parts)
            .into_par_iter()
            .for_each(|(motion, part)| motion.follow(part, &lists.members, here, slots, &lists.part_entries));
        let motions = &self.motions;
        let part_of = &lists.part_numbers;
        (&mut self.here, &lists.members)
            .into_par_iter()
            .with_min_len(CHUNK)
            .enumerate()
            .for_each(|(member, (here, known))| {
                if !known.is_rigid() || slots[member] == NONE {
                    return;
                }
                let entries = lists.parts_of.of_member(member);
                let own = |entry: &u32| &motions[part_of[*entry as usize] as usize];
                if here.moves {
                    let goals = entries.iter().map(|entry| own(entry).goal(known));
                    let goal = known.part_share * goals.sum::<Vec3A>();
                    // What is there within rounding stays, or a part at rest would wander.
                    let off = (goal - here.place).abs().max_element();
                    if off > ROUNDING * goal.abs().max_element() {
                        here.place = goal;
                    }
                }
                if here.turns
                    && let Some(motion) = entries.first().map(own)
                {
                    here.rotation = (motion.rotation * known.rest_rotation).normalize();
                    here.turn = between_near(here.from, here.rotation, motion.turn);
                }
                here.torque = Vec3::ZERO;
            });
    }
}

/// The members of a part that are alive.
fn alive<'a>(entries: &'a [u32], slots: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
    let members = entries.iter().map(|&entry| entry as usize);
    members.filter(|&member| slots[member] != NONE)
}

fn outer(a: Vec3A, b: Vec3A) -> Mat3A {
    Mat3A::from_cols(a * b.x, a * b.y, a * b.z)
}

impl PartMotion {
    fn goal(&self, known: &Known) -> Vec3A {
        self.center + self.rotation * (known.rest - self.rest_center)
    }

    /// Finds where it is by what its members have gone through.
    fn follow(&mut self, part: &Rigid, members: &[Known], here: &[Here], slots: &[u32], entries: &[u32]) {
        let alive = || alive(&entries[part.entries()], slots);
        let Some(some) = alive().next() else { return };
        let near = here[some].place;
        let start = Mat3A::from_quat(self.from);
        let (mut center, mut wanted, mut after) = (Vec3A::ZERO, Vec3A::ZERO, Mat3A::ZERO);
        for member in alive() {
            let (known, here) = (&members[member], &here[member]);
            let (mass, is_oriented) = CreatureWork::counts(known, here);
            let arm = start * (known.rest - self.rest_center);
            let off = here.place - near;
            center += mass * off;
            after += outer(mass * off, arm);
            if is_oriented {
                after += Mat3A::from_quat(here.rotation) * known.moment * start.transpose() * (mass / known.mass);
                wanted += Vec3A::from(here.torque);
            }
        }
        self.center = near + center / self.mass;
        // Arms add up to nothing, so that where the sums are about does not matter.
        wanted += axial(&after);
        self.rotation = match rigid_turn(&self.before, wanted, &self.inverse, self.turn) {
            Some(turn) => {
                self.turn = turn;
                turned(self.from, turn)
            }
            None => {
                let found = rotation(&Mat3::from(after * start), self.rotation);
                self.turn = between_near(self.from, found, self.turn);
                found
            }
        };
    }
}

impl State {
    /// Moves rigid parts as a whole where their particles were moved out of overlaps at the start of the sub-step.
    pub(in crate::cpu) fn match_part_starts(&mut self) {
        let work = &mut self.creature_work;
        if work.lists.parts.is_empty() {
            return;
        }
        let starts = &mut self.particles.positions;
        for (here, &slot) in work.here.iter_mut().zip(&work.slots) {
            if let Some(start) = starts.get(slot as usize) {
                here.start = Vec3A::from_vec4(*start);
            }
        }
        work.match_starts();
        for ((here, known), &slot) in work.here.iter().zip(&work.lists.members).zip(&work.slots) {
            if let Some(start) = starts.get_mut(slot as usize).filter(|_| known.is_rigid()) {
                *start = Vec3::from(here.start).extend(start.w);
            }
        }
    }

    /// Sets the effective inverse masses of members of rigid parts, which move only as far as their part does: what acts on one meets all of it, and
    /// is shared among all contacts of the part.
    pub(in crate::cpu) fn share_parts(&mut self) {
        let work = &self.creature_work;
        if work.lists.parts.is_empty() {
            return;
        }
        let outlines = work.outlines(Looking::End);
        let shape = |slot: usize| answer([outlines.diagonals[slot], outlines.mixed[slot]]);
        let mut moved = vec![[Mobility::ZERO; 2]; work.lists.parts.len()];
        let mut note = |slot: usize, normal: Vec3| {
            let Some(member) = work.member_in(slot).filter(|_| outlines.diagonals[slot].w == IN_PART) else {
                return;
            };
            let n = Vec3A::from(normal);
            let touches = work.here[member].place - Vec3A::from(shape(slot).point(normal));
            for &entry in work.lists.parts_of.of_member(member) {
                let part = work.lists.part_numbers[entry as usize] as usize;
                let arm = touches - work.motions[part].center;
                moved[part][0].add(arm, &outer(n, n));
                moved[part][1].add(arm, &Mat3A::IDENTITY);
            }
        };
        for (chunk, contacts) in self.contacts.iter().enumerate() {
            for contact in &contacts.contacts {
                let slot = chunk * CHUNK + contact.offset as usize;
                let start = contact.gap_at_start(self.particles.positions[slot].xyz());
                let gap = contact.gap_at_end(self.predicted[slot].xyz()).min(start);
                if gap <= NEAR * contact.radius {
                    note(slot, contact.normal);
                }
            }
        }
        for (i, j) in self.pairs.blocks.iter().flat_map(|block| block.list.iter()) {
            if outlines.diagonals[i].w.max(outlines.diagonals[j].w) == IN_PART {
                let away = (self.predicted[i] - self.predicted[j]).xyz();
                let (normal, gap) = touch(away, &shape(i), &shape(j));
                if gap <= NEAR * self.radius(i).min(self.radius(j)) {
                    note(i, normal);
                    note(j, -normal);
                }
            }
        }
        let mobilities = work.motions.iter().zip(&moved).map(|(motion, [along, around])| {
            let largest = |mobility: &Mobility| mobility.largest(1.0 / motion.mass, &motion.inverse);
            largest(along).max(ACROSS * largest(around))
        });
        let mobilities: Vec<f32> = mobilities.collect();
        for (member, &slot) in work.slots.iter().enumerate() {
            let entries = work.lists.parts_of.of_member(member).iter();
            let of_part = |&entry: &u32| mobilities[work.lists.part_numbers[entry as usize] as usize];
            let mobility = entries.map(of_part).sum::<f32>();
            if slot == NONE || mobility <= 0.0 || !work.here[member].moves {
                continue;
            }
            self.anchors[slot as usize].w = mobility;
            let [chunk, offset] = [slot as usize / CHUNK, slot as usize % CHUNK];
            let contacts = &mut self.contacts[chunk].contacts;
            let first = contacts.partition_point(|contact| (contact.offset as usize) < offset);
            let own = contacts[first..].iter_mut();
            for contact in own.take_while(|contact| contact.offset as usize == offset) {
                let reach = contact.inverse_mass / mobility;
                // Exactly one is for those on their own.
                contact.reach = if reach == 1.0 { 1.0 + f32::EPSILON } else { reach };
                contact.across = ACROSS * contact.reach;
            }
        }
    }
}
