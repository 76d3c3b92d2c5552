//! Rigid parts (Müller & Chentanez 2011, §5.3): all members turn as one; those of several parts count without their orientation.

use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A, Vec4Swizzles};
use rayon::prelude::*;

use super::touching::IN_PART;
use super::{CreatureWork, Here, NONE, answer};
use crate::constraints::contact::ACROSS;
use crate::constraints::ellipsoid::touch;
use crate::constraints::inscribed::NEAR;
use crate::constraints::orientation::{between, between_near, turned};
use crate::constraints::oriented_match::{HELD, axial, point_inertia, rigid_turn};
use crate::constraints::rigid::{Mobility, ROUNDING, pseudo_inverse};
use crate::constraints::shape_match::{Moments, rotation};
use crate::cpu::feet::Looking;
use crate::cpu::{CHUNK, State};
use crate::creature::lists::{Known, Rigid};

/// A rigid part in a sub-step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartMotion {
    /// How its rest shape was turned at the start, and its centre at rest.
    from: Quat,
    rest_center: Vec3A,
    /// A place near it, and where its centre started from there: what is rounded far out would have it set off.
    near: Vec3A,
    center: Vec3A,
    /// How far its centre has gone since.
    travel: Vec3A,
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
    pub(super) fn counts(known: &Known, here: &Here) -> (f32, bool) {
        let held = if here.moves { 1.0 } else { HELD };
        (held * known.part_share * known.mass, known.part_share == 1.0)
    }

    /// Finds where the rigid parts start, and guesses where they get to: as one of their members does, or as they did before.
    pub(super) fn begin_parts(&mut self, keeps: bool) {
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
                let (way, travel) = match keeps {
                    true => (motion.turn, motion.travel),
                    false => {
                        let way = here[some].turn;
                        let arm = turn * (lists.members[some].rest - rest_center);
                        let swung = Mat3A::from_quat(turned(Quat::IDENTITY, way)) * arm - arm;
                        (way, here[some].place - here[some].start - swung)
                    }
                };
                *motion = PartMotion {
                    from,
                    rest_center,
                    near,
                    center: center.into(),
                    travel,
                    mass: moments.mass,
                    before,
                    inverse: match determinant > 1e-9 * size * size * size {
                        true => inertia.inverse(),
                        false => Mat3A::from(pseudo_inverse(&Mat3::from(inertia))),
                    },
                    turn: way,
                    rotation: turned(from, way),
                };
            });
    }

    /// Brings the starts of rigid parts back in shape, whose particles were moved out of overlaps one by one.
    fn match_starts(&mut self) {
        self.begin_parts(true);
        let (lists, motions) = (&self.lists, &self.motions);
        for (member, (here, known)) in self.here.iter_mut().zip(&lists.members).enumerate() {
            if known.is_rigid() && here.moves && self.slots[member] != NONE {
                let entries = lists.parts_of.of_member(member).iter();
                let own = |&entry: &u32| &motions[lists.part_numbers[entry as usize] as usize];
                let ways = entries.map(|entry| own(entry).way_at_start(known, here.start));
                here.start += known.part_share * ways.sum::<Vec3A>();
            }
        }
    }

    /// Puts rigid parts back in shape, where what acted on their members leads them.
    pub(super) fn match_parts(&mut self) {
        if self.lists.parts.is_empty() {
            return;
        }
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
                    let ways = entries.iter().map(|entry| own(entry).way(known, here.place));
                    here.place += known.part_share * ways.sum::<Vec3A>();
                }
                if here.turns
                    && let Some(motion) = entries.first().map(own)
                {
                    let goal = motion.rotation * known.rest_rotation;
                    let turn = between(here.rotation, goal);
                    if turn.abs().max_element() > ROUNDING {
                        here.turn_by(turn);
                    }
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
    /// The way of a member from a place to where the part has it; nothing where that is rounding.
    fn way(&self, known: &Known, place: Vec3A) -> Vec3A {
        let arm = self.rotation * (known.rest - self.rest_center);
        off(place - self.near, self.center + self.travel + arm)
    }

    /// The same where the sub-step starts.
    fn way_at_start(&self, known: &Known, place: Vec3A) -> Vec3A {
        let arm = self.from * (known.rest - self.rest_center);
        off(place - self.near, self.center + arm)
    }

    /// From its centre to a member at the start, metres.
    pub(super) fn arm(&self, known: &Known) -> Vec3A {
        self.from * (known.rest - self.rest_center)
    }

    /// Mass of its members, kg.
    pub(super) fn mass(&self) -> f32 {
        self.mass
    }

    /// What an angular momentum turns it by.
    pub(super) fn turned_by(&self, angular_momentum: Vec3A) -> Vec3A {
        self.inverse * angular_momentum
    }

    /// Where its centre is.
    fn here(&self) -> Vec3A {
        self.near + (self.center + self.travel)
    }

    /// Finds where it is by how far its members are from where it has them: what nothing pushed is there, and changes nothing.
    fn follow(&mut self, part: &Rigid, members: &[Known], here: &[Here], slots: &[u32], entries: &[u32]) {
        let alive = || alive(&entries[part.entries()], slots);
        let start = Mat3A::from_quat(self.from);
        let (mut push, mut torque) = (Vec3A::ZERO, Vec3A::ZERO);
        for member in alive() {
            let (known, here) = (&members[member], &here[member]);
            let (mass, is_oriented) = CreatureWork::counts(known, here);
            let pushed = -mass * self.way(known, here.place);
            push += pushed;
            torque += (start * (known.rest - self.rest_center)).cross(pushed);
            if is_oriented {
                torque += Vec3A::from(here.torque);
                let goal = self.rotation * known.rest_rotation;
                let apart = here.rotation.dot(goal).abs() < 1.0 - ROUNDING;
                if apart || between(goal, here.rotation).abs().max_element() > ROUNDING {
                    let change = Mat3A::from_quat(here.rotation) - Mat3A::from_quat(goal);
                    torque += axial(&(change * known.moment * start.transpose())) * (mass / known.mass);
                }
            }
        }
        if self.mass <= 0.0 {
            return;
        }
        self.travel += push / self.mass;
        if torque == Vec3A::ZERO {
            return;
        }
        // Arms add up to nothing, so that the centre does not matter.
        let now = Mat3A::from_quat(turned(Quat::IDENTITY, self.turn)) * self.before;
        self.rotation = match rigid_turn(&self.before, axial(&now) + torque, &self.inverse, self.turn) {
            Some(turn) => {
                self.turn = turn;
                turned(self.from, turn)
            }
            None => {
                let found = self.matched(alive(), members, here);
                self.turn = between_near(self.from, found, self.turn);
                found
            }
        };
    }

    /// The rotation that brings its rest shape closest to where its members are.
    fn matched(&self, alive: impl Iterator<Item = usize>, members: &[Known], here: &[Here]) -> Quat {
        let mut moments = Moments::ZERO;
        for member in alive {
            let (known, here) = (&members[member], &here[member]);
            let (mass, is_oriented) = CreatureWork::counts(known, here);
            moments.add(mass, here.place - self.near, known.rest);
            if is_oriented {
                moments.products += Mat3A::from_quat(here.rotation) * known.moment * (mass / known.mass);
            }
        }
        rotation(&moments.covariance(), self.rotation)
    }
}

/// The way from one place to another; nothing where that is rounding.
fn off(from: Vec3A, to: Vec3A) -> Vec3A {
    let way = to - from;
    let size = (to.abs() + from.abs()).max_element();
    if way.abs().max_element() > ROUNDING * size {
        way
    } else {
        Vec3A::ZERO
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
                let arm = touches - work.motions[part].here();
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
