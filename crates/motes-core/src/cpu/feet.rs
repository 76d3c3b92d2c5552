//! Contacts between rigid bodies that have inscribed balls act beside their particles: each particle has a *foot*, a point of its body
//! where all of its contacts with other bodies act.
//!
//! Pairs see feet in place of particles where it matters how far these have moved, and what they do to a particle turns its body by an arm more.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::State;
use super::shapes::Flight;
use crate::constraints::inscribed::is_inscribed;
use crate::constraints::solids;

/// The feet of all particles; empty where no body has inscribed balls.
#[derive(Default)]
pub(crate) struct Feet {
    /// Those that there are, by blocks of pairs.
    blocks: Vec<Vec<Foot>>,
    /// From the particle in each slot to its foot, metres; zero for those that touch no other body.
    pub(super) arms: Vec<Vec3>,
    /// How much further the foot goes in the sub-step than the particle was about to, metres.
    slips: Vec<Vec3>,
    /// What pairs just did to bodies besides pushing their particles, kg·m², or kg·m²/s in rebounds.
    twists: Vec<Vec3>,
}

#[derive(Clone, Copy)]
struct Foot {
    /// Of its particle within the block.
    place: u32,
    body: u32,
    /// Where its particle is, and starts, while pairs see the foot.
    particle: [Vec4; 2],
}

/// At which end of a sub-step pairs look at feet.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Looking {
    Start,
    End,
}

impl Feet {
    fn resize(&mut self, blocks: usize, count: usize) {
        self.blocks.resize_with(blocks, Vec::new);
        for vectors in [&mut self.arms, &mut self.slips, &mut self.twists] {
            vectors.resize(count, Vec3::ZERO);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.arms.is_empty()
    }

    /// What pairs just did to the body of the particle in a slot besides pushing it there.
    #[inline]
    pub(super) fn twist_in(&self, slot: usize) -> Vec3 {
        self.twists.get(slot).copied().unwrap_or(Vec3::ZERO)
    }

    /// Forgets what pairs did to bodies.
    pub(super) fn untwist(&mut self) {
        self.twists.fill(Vec3::ZERO);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let feet = self.blocks.iter().map(Vec::capacity).sum::<usize>();
        36 * self.arms.capacity() + size_of::<Foot>() * feet
    }
}

impl State {
    /// Finds the feet of the particles by the contacts they have with other bodies.
    pub(super) fn find_feet(&mut self) {
        let mut feet = std::mem::take(&mut self.feet);
        if self.shapes.inscribed.is_empty() {
            return;
        }
        let mut inscribed = std::mem::take(&mut self.shapes.inscribed);
        let (pairs, shapes) = (&self.pairs, &self.shapes);
        let length = pairs.length.max(1);
        feet.resize(pairs.blocks.len(), self.particles.len());
        let Feet {
            blocks,
            arms,
            slips,
            twists,
        } = &mut feet;
        let vectors = arms
            .par_chunks_mut(length)
            .zip(slips.par_chunks_mut(length))
            .zip(twists.par_chunks_mut(length))
            .zip(inscribed.par_chunks_mut(length));
        let chunks = blocks.par_iter_mut().zip(vectors).enumerate();
        chunks.for_each(|(block, (feet, (((arms, slips), twists), balls)))| {
            feet.clear();
            twists.fill(Vec3::ZERO);
            let first = block * length;
            pairs.pointing(first..first + arms.len()).for_each(|place, sum| {
                (arms[place], slips[place]) = (Vec3::ZERO, Vec3::ZERO);
                let (ball, normal) = (&mut balls[place], sum.xyz().normalize_or_zero());
                if normal == Vec3::ZERO || !is_inscribed(*ball) {
                    return;
                }
                let radius = self.radius(first + place);
                let body = shapes.held[first + place].body;
                let motion = &shapes.flights[body as usize];
                let mut rolls_at = None;
                if let Some(revolving) = shapes.revolving_in(first + place, motion) {
                    let faced = revolving.face(*ball, normal, radius);
                    *ball = faced.ball;
                    rolls_at = faced.rolls.then_some(revolving);
                }
                let seen = solids::seen(*ball, normal, radius);
                let (center, arm) = (seen.truncate(), seen.truncate() - seen.w * normal);
                // What is round rolls over what it touches: the middle of the ball comes closer, a point of its surface slips.
                let slipped = motion.turned_by(arm);
                let closer = match rolls_at.filter(|_| seen == *ball) {
                    Some(revolving) => revolving.closer(center, normal, motion.about_to_turn()),
                    None => motion.turned_by(center).dot(normal),
                };
                arms[place] = arm;
                slips[place] = slipped + (closer - slipped.dot(normal)) * normal;
                feet.push(Foot {
                    place: place as u32,
                    body,
                    particle: [Vec4::ZERO; 2],
                });
            });
        });
        self.feet = feet;
        self.shapes.inscribed = inscribed;
    }

    /// Has pairs see feet in place of particles, until [`Self::show_particles`].
    pub(super) fn show_feet(&mut self, looking: Looking) {
        let length = self.pairs.length.max(1);
        let Feet {
            blocks, arms, slips, ..
        } = &mut self.feet;
        let flights = &self.shapes.flights;
        let seen = match looking {
            Looking::Start => &mut self.particles.positions,
            Looking::End => &mut self.predicted,
        };
        let places = seen.par_chunks_mut(length).zip(self.anchors.par_chunks_mut(length));
        let vectors = arms.par_chunks(length).zip(slips.par_chunks(length));
        blocks
            .par_iter_mut()
            .zip(places.zip(vectors))
            .for_each(|(feet, ((seen, anchors), (arms, slips)))| {
                for foot in feet {
                    let place = foot.place as usize;
                    foot.particle = [seen[place], anchors[place]];
                    let slip = slips[place].extend(0.0);
                    anchors[place] -= slip;
                    seen[place] += match looking {
                        Looking::Start => -slip,
                        Looking::End => flights[foot.body as usize].swing.cross(arms[place]).extend(0.0),
                    };
                }
            });
    }

    /// Has particles be where they were.
    pub(super) fn show_particles(&mut self, looking: Looking) {
        let length = self.pairs.length.max(1);
        let seen = match looking {
            Looking::Start => &mut self.particles.positions,
            Looking::End => &mut self.predicted,
        };
        let places = seen.par_chunks_mut(length).zip(self.anchors.par_chunks_mut(length));
        let feet = self.feet.blocks.par_iter().zip(places);
        feet.for_each(|(feet, (seen, anchors))| {
            for foot in feet {
                [seen[foot.place as usize], anchors[foot.place as usize]] = foot.particle;
            }
        });
    }

    /// Notes what pairs have done to bodies by the arms of feet since they were moved last.
    pub(super) fn twist_feet(&mut self) {
        let (pairs, length) = (&self.pairs, self.pairs.length.max(1));
        let Feet {
            blocks, arms, twists, ..
        } = &mut self.feet;
        let vectors = twists.par_chunks_mut(length).zip(arms.par_chunks(length));
        let chunks = blocks.par_iter().zip(vectors).enumerate();
        chunks.for_each(|(block, (feet, (twists, arms)))| {
            let first = block * length;
            let totals = pairs.totals(0, first..first + arms.len());
            for foot in feet {
                let place = foot.place as usize;
                twists[place] = arms[place].cross(totals.one(place).xyz());
            }
        });
    }

    /// How much faster the foot of the particle in a slot is than the particle, m/s: before the sub-step, and after it in a body that then
    /// turns by `spin`, rad/s.
    pub(super) fn faster_foot(&self, slot: usize, motion: &Flight, spin: Vec3, h: f32) -> [Vec3; 2] {
        let before = self.feet.slips[slot] / h;
        match motion.is_driven() {
            true => [before; 2],
            false => [
                before,
                before + (spin - motion.spin.turn / h).cross(self.feet.arms[slot]),
            ],
        }
    }
}

impl Flight {
    /// How far it is about to turn, axis times angle.
    fn about_to_turn(&self) -> Vec3 {
        (self.to.rotation * self.from.rotation.conjugate()).to_scaled_axis()
    }

    /// How far a vector that is fixed in the body, and given as the body is about to be turned, comes by that turn.
    fn turned_by(&self, vector: Vec3) -> Vec3 {
        vector - self.from.rotation * (self.to.rotation.conjugate() * vector)
    }
}
