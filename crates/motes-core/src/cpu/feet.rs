//! Contacts between rigid bodies that have inscribed balls act beside their particles: each particle has a *foot*, a point of its body
//! where all of its contacts with other bodies act.
//!
//! Pairs see feet in place of particles where it matters how far these have moved, and what they do to a particle turns its body by an arm more.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::batch::Rule;
use super::shapes::Flight;
use super::{CHUNK, State};
use crate::constraints::inscribed::is_inscribed;
use crate::constraints::solids;

/// The feet of all particles, by slot; empty where no body has inscribed balls.
#[derive(Default)]
pub(crate) struct Feet {
    /// From the particle to its foot, metres; zero for those that touch no other body.
    pub(super) arms: Vec<Vec4>,
    /// How much further the foot goes in the sub-step than the particle was about to, metres.
    slips: Vec<Vec4>,
    /// Where pairs see particles, with their inverse masses (w): at the end of the sub-step and at its start.
    pub(super) ends: Vec<Vec4>,
    pub(super) starts: Vec<Vec4>,
    /// What pairs just did to bodies besides pushing their particles, kg·m², or kg·m²/s in rebounds.
    pub(super) twists: Vec<Vec3>,
}

impl Feet {
    fn resize(&mut self, count: usize) {
        for vectors in [&mut self.arms, &mut self.slips, &mut self.ends, &mut self.starts] {
            vectors.resize(count, Vec4::ZERO);
        }
        self.twists.resize(count, Vec3::ZERO);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.arms.is_empty()
    }

    /// What pairs just did to the body of the particle in a slot besides pushing it there.
    #[inline]
    pub(super) fn twist_in(&self, slot: usize) -> Vec3 {
        self.twists.get(slot).copied().unwrap_or(Vec3::ZERO)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        64 * self.arms.capacity() + 12 * self.twists.capacity()
    }
}

impl State {
    /// Finds the feet of the particles by the contacts they have with other bodies.
    pub(super) fn find_feet(&mut self) {
        let mut feet = std::mem::take(&mut self.feet);
        if self.shapes.inscribed.is_empty() {
            return;
        }
        self.for_each_pair(Rule::Point, 0.0, |_, _| {});
        feet.resize(self.particles.len());
        let (pairs, shapes) = (&self.pairs, &self.shapes);
        let length = pairs.length.max(1);
        let chunks = feet.arms.par_chunks_mut(length).zip(feet.slips.par_chunks_mut(length));
        chunks.enumerate().for_each(|(block, (arms, slips))| {
            let first = block * length;
            let normals = pairs.totals(0, first..first + arms.len());
            normals.for_each(|place, sum| {
                (arms[place], slips[place]) = (Vec4::ZERO, Vec4::ZERO);
                let (ball, normal) = (shapes.inscribed[first + place], sum.xyz().normalize_or_zero());
                if normal == Vec3::ZERO || !is_inscribed(ball) {
                    return;
                }
                let seen = solids::seen(ball, normal, self.radius(first + place));
                let (center, arm) = (seen.truncate(), seen.truncate() - seen.w * normal);
                let motion = &shapes.flights[shapes.held[first + place].body as usize];
                // What is round rolls over what it touches: the middle of the ball comes closer, a point of its surface slips.
                let slipped = motion.turned_by(arm);
                let closer = motion.turned_by(center).dot(normal);
                arms[place] = arm.extend(0.0);
                slips[place] = (slipped + (closer - slipped.dot(normal)) * normal).extend(0.0);
            });
        });
        self.feet = feet;
    }

    /// Notes where pairs see particles.
    pub(super) fn place_feet(&mut self, rule: Rule) {
        let Feet {
            arms,
            slips,
            ends,
            starts,
            ..
        } = &mut self.feet;
        let (shapes, at_start) = (&self.shapes, rule == Rule::PushApart);
        let places = if at_start {
            &self.particles.positions
        } else {
            &self.predicted
        };
        let from = (&*arms, &*slips, places, &self.anchors, &shapes.held);
        (ends, starts)
            .into_par_iter()
            .zip(from.into_par_iter())
            .with_min_len(CHUNK)
            .for_each(|((end, start), (arm, slip, place, anchor, held))| {
                (*end, *start) = (*place, *anchor);
                if *arm != Vec4::ZERO {
                    *start -= *slip;
                    *end += match at_start {
                        true => -*slip,
                        false => shapes.flights[held.body as usize].swing.cross(arm.xyz()).extend(0.0),
                    };
                }
            });
    }

    /// Notes what pairs have done to bodies by the arms of feet since they were moved last.
    pub(super) fn twist_feet(&mut self) {
        let (pairs, length) = (&self.pairs, self.pairs.length.max(1));
        let chunks = self
            .feet
            .twists
            .par_chunks_mut(length)
            .zip(self.feet.arms.par_chunks(length));
        chunks.enumerate().for_each(|(block, (twists, arms))| {
            let first = block * length;
            let totals = pairs.totals(0, first..first + arms.len());
            totals.for_each(|place, done| twists[place] = arms[place].xyz().cross(done.xyz()));
        });
    }

    /// How much faster the foot of the particle in a slot is than the particle, m/s: before the sub-step, and after it in a body that then
    /// turns by `spin`, rad/s.
    pub(super) fn faster_foot(&self, slot: usize, motion: &Flight, spin: Vec3, h: f32) -> [Vec3; 2] {
        let (arm, slip) = (self.feet.arms[slot].xyz(), self.feet.slips[slot].xyz());
        let before = slip / h;
        match motion.is_driven() {
            true => [before; 2],
            false => [before, before + (spin - motion.spin.turn / h).cross(arm)],
        }
    }
}

impl Flight {
    /// How far a vector that is fixed in the body, and given as the body is about to be turned, comes by that turn.
    fn turned_by(&self, vector: Vec3) -> Vec3 {
        vector - self.from.rotation * (self.to.rotation.conjugate() * vector)
    }
}
