//! Creatures: how their particles are found, shaped, twisted back and turned.
//!
//! Each pass comes in two halves, as for bodies: neighbourhoods, edges and parts work out what they do to their members, which only reads; then
//! every member puts together what concerns it, in a fixed order.

mod dents;
mod flow;
mod neighborhoods;
mod parts;
mod rebounds;
pub(in crate::cpu) mod touching;
mod twists;

use glam::{Mat3A, Quat, Vec3, Vec3A, Vec4};

use self::neighborhoods::Balanced;
use self::touching::{BALL, IN_PART, NO_OUTLINES, Outlines};
use crate::constraints::ellipsoid::Ellipsoid;
use crate::constraints::levers::Lever;
use crate::cpu::feet::Looking;
use crate::creature::lists::{Lists, NONE};

/// What the engine knows of creatures besides what they are.
#[derive(Default)]
pub(crate) struct CreatureWork {
    /// What belongs to what.
    lists: Lists,
    /// Slot of each member, and the member in each slot.
    slots: Vec<u32>,
    in_slots: Vec<u32>,
    /// Where each member is.
    here: Vec<Here>,
    /// What is known of each neighbourhood throughout a sub-step.
    balances: Vec<Balanced>,
    /// How far each neighbourhood pulls at its members, and what it has just done to them, entry by entry.
    pulls: Vec<Vec3A>,
    pushed: Vec<Vec3A>,
    /// What each has just turned its own particle by.
    turns: Vec<Vec3>,
    /// Angular impulse of each edge that resists twisting, kg·m², and what has just been added to it, about its direction.
    twists: Vec<f32>,
    twisted: Vec<Vec3>,
    /// How each rigid part turns.
    motions: Vec<parts::PartMotion>,
    /// The shapes of all particles by slot where there are creatures, as they are; else empty.
    diagonals: Vec<Vec4>,
    mixed: Vec<Vec4>,
    /// The same at the start of the sub-step.
    start_diagonals: Vec<Vec4>,
    start_mixed: Vec<Vec4>,
    /// How they answer to torques.
    pub(super) yields: Vec<[Vec4; 2]>,
    /// Radius of each particle that is an ellipsoid, by which the ways of its rim go, metres.
    radii: Vec<f32>,
}

/// A member at one moment of a sub-step.
#[derive(Clone, Copy, Debug, Default)]
struct Here {
    /// Where it started and where it is, metres.
    start: Vec3A,
    place: Vec3A,
    /// How it was turned at the start, and is.
    from: Quat,
    rotation: Quat,
    /// How it turned in between, axis times angle.
    turn: Vec3,
    /// What contacts have turned it by that is not in `rotation`, because it turns only together with its part, kg·m².
    torque: Vec3,
    /// How far it was moved by shapes in the sub-step, rounding included, metres.
    pulled: Vec3A,
    /// Inertia tensor at the start, kg·m², and its inverse.
    inertia: Mat3A,
    inverse_inertia: Mat3A,
    /// Whether anything can move it, and turn it.
    moves: bool,
    turns: bool,
}

/// Where a particle that is an ellipsoid touches a collider.
pub(in crate::cpu) struct ColliderLever {
    lever: Lever,
    /// How far it reaches towards the collider, metres.
    pub(in crate::cpu) reach: f32,
}

impl ColliderLever {
    /// Effective inverse mass in a direction over that of its centre.
    #[inline]
    pub(in crate::cpu) fn meets(&self, direction: Vec3) -> f32 {
        1.0 + self.lever.mobility * self.lever.along(direction)
    }

    /// How far its turning has moved the contact across the normal, metres.
    #[inline]
    pub(in crate::cpu) fn swung_across(&self, normal: Vec3) -> Vec3 {
        let swung = self.lever.swung();
        swung - swung.dot(normal) * normal
    }

    /// What moving it by so much at the contact turns it by, as the way of its rim.
    #[inline]
    pub(in crate::cpu) fn turned_by(&self, push: Vec3) -> Vec3 {
        self.lever.yields.times(self.lever.arm.cross(push))
    }
}

/// How a particle answers to torques, from the two halves of the matrix.
#[inline(always)]
pub(in crate::cpu) fn answer([diagonal, mixed]: [Vec4; 2]) -> Ellipsoid {
    Ellipsoid {
        diagonal: diagonal.truncate(),
        mixed: mixed.truncate(),
    }
}

impl CreatureWork {
    /// Whether there are creatures.
    pub(in crate::cpu) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The member in a slot.
    #[inline]
    fn member_in(&self, slot: usize) -> Option<usize> {
        let member = *self.in_slots.get(slot)?;
        (member != NONE).then_some(member as usize)
    }

    /// The shapes of all particles as they are, or where the sub-step starts.
    pub(in crate::cpu) fn outlines(&self, looking: Looking) -> Outlines<'_> {
        if self.diagonals.is_empty() {
            return NO_OUTLINES;
        }
        let (diagonals, mixed) = match looking {
            Looking::Start => (&self.start_diagonals, &self.start_mixed),
            Looking::End => (&self.diagonals, &self.mixed),
        };
        Outlines {
            diagonals,
            mixed,
            yields: &self.yields,
        }
    }

    /// How far the particle in a slot reaches at most, metres, if it is an ellipsoid.
    #[inline]
    pub(in crate::cpu) fn reach(&self, slot: usize) -> Option<f32> {
        (self.diagonals.get(slot)?.w != BALL).then(|| self.radii[slot])
    }

    /// Where the particle in a slot touches a collider with a normal, if it is an ellipsoid; `turned` is the way of its rim if it turns.
    #[inline]
    pub(in crate::cpu) fn lever(&self, slot: usize, normal: Vec3, turned: Option<&Vec4>) -> Option<ColliderLever> {
        let kind = self.diagonals.get(slot)?.w;
        if kind == BALL {
            return None;
        }
        let shape = answer([self.diagonals[slot], self.mixed[slot]]);
        let alone = turned.is_some() && kind < IN_PART;
        Some(ColliderLever {
            reach: shape.reach(normal),
            lever: Lever {
                arm: -shape.point(normal) / self.radii[slot],
                yields: answer(self.yields[slot]),
                turned: turned.map_or(Vec3::ZERO, |turned| turned.truncate()),
                mobility: if alone { 1.0 } else { 0.0 },
            },
        })
    }

    pub(in crate::cpu) fn memory_bytes(&self) -> usize {
        let vectors = [&self.diagonals, &self.mixed, &self.start_diagonals, &self.start_mixed];
        self.lists.memory_bytes()
            + 4 * (self.slots.capacity() + self.in_slots.capacity() + self.twists.capacity() + self.radii.capacity())
            + size_of::<Here>() * self.here.capacity()
            + size_of::<Balanced>() * self.balances.capacity()
            + 16 * (self.pulls.capacity() + self.pushed.capacity())
            + 12 * (self.turns.capacity() + self.twisted.capacity())
            + size_of::<parts::PartMotion>() * self.motions.capacity()
            + 16 * vectors.iter().map(|values| values.capacity()).sum::<usize>()
            + 32 * self.yields.capacity()
    }
}
