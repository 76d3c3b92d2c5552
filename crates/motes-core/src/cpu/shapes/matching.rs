//! Shape matching (eq. 15–16) and plastic flow (§5.3).

use glam::{Mat3A, Vec3, Vec3A, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::keep_out::Moment;
use super::{BodyWork, Flight, Match, NONE};
use crate::body::attachment::Anchor;
use crate::body::bodies::{Bodies, Body};
use crate::constraints::rigid::ROUNDING;
use crate::constraints::shape_match::{Moments, rotation, share};
use crate::constraints::surface::BALL;
use crate::cpu::attachments::End;
use crate::cpu::collide::{ChunkContacts, twist_in};
use crate::cpu::feet::Feet;
use crate::cpu::{CHUNK, State};
use crate::space::pose::Pose;

/// Members that are summed up in one go. Fixed, so that sums do not depend on the number of threads.
const PART: usize = 2048;

/// What is known of particles that were pushed.
struct Pushing<'a> {
    /// Rest positions and masses (w) of the members of bodies.
    rest: &'a [Vec4],
    /// Where the particles were pushed to.
    places: &'a [Vec4],
    /// The contacts with colliders that pushed some of them.
    contacts: &'a [ChunkContacts],
    /// And what pairs did.
    feet: &'a Feet,
}

impl State {
    /// Shape matching of the candidate positions.
    pub(in crate::cpu) fn match_shapes(&mut self) {
        self.match_creatures();
        self.match_bodies();
    }

    pub(in crate::cpu) fn match_bodies(&mut self) {
        if self.bodies.is_empty() {
            return;
        }
        let (bodies, predicted) = (&self.bodies, &self.predicted);
        let mut flights = std::mem::take(&mut self.shapes.flights);
        let mut matches = std::mem::take(&mut self.shapes.matches);
        matches.resize(bodies.clusters.len(), Match::default());
        let shapes = &self.shapes;
        let pushing = Pushing {
            rest: &bodies.rest,
            places: predicted,
            contacts: &self.contacts,
            feet: &self.feet,
        };
        flights.par_iter_mut().zip(&bodies.list).for_each(|(motion, body)| {
            if body.path.is_some() {
                return;
            }
            if motion.is_rigid {
                match shapes.pushed(body, motion, motion.to, &pushing) {
                    Some(pushed) if motion.in_tree => motion.pushed = pushed,
                    Some([distance, angular_impulse]) => motion.move_end(body, distance, angular_impulse),
                    None => {}
                }
            } else {
                let found = shapes.match_body(body, &bodies.rest, predicted, motion.to);
                motion.to = Pose {
                    position: found.center,
                    rotation: found.rotation,
                };
                motion.rest_center = found.rest_center;
            }
        });
        shapes.match_clusters(bodies, predicted, &mut matches);
        self.shapes.flights = flights;
        self.shapes.matches = matches;
        if self.bodies.list.iter().any(|body| body.plasticity.is_some()) {
            self.note_strains();
        }
        if self.bodies.attachments.is_empty() {
            self.move_members(|_| true);
        } else {
            // What bends is held after its shape has pulled at it, what is rigid as a whole before its particles follow.
            self.move_members(|motion| !motion.is_rigid);
            self.solve_attachments();
            self.move_members(|motion| motion.is_rigid);
        }
    }

    /// Moves the particles of some bodies towards where their shapes want them.
    pub(in crate::cpu) fn move_members(&mut self, of: impl Fn(&Flight) -> bool + Sync) {
        let mut pulls = std::mem::take(&mut self.shapes.pulls);
        let shapes = &self.shapes;
        (&mut self.predicted, &mut pulls, &shapes.held, &shapes.members)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(predicted, pulled, held, &member)| {
                let motion = match shapes.flights.get(held.body as usize) {
                    Some(motion) if predicted.w != 0.0 && of(motion) => motion,
                    _ => return,
                };
                let mut found = motion.goal(held.rest);
                if !motion.is_rigid {
                    let place = predicted.xyz();
                    let goals = [found, shapes.cluster_goal(member, held.rest).unwrap_or(place)];
                    let change = motion.firmness.change(goals.map(|goal| goal - place), *pulled);
                    *pulled += change;
                    found = place + change;
                }
                *predicted = found.extend(predicted.w);
            });
        self.shapes.pulls = pulls;
    }

    /// How far their shapes pull at the particles of bodies that are not rigid in a sub-step, by where they start, member by
    /// member.
    pub(super) fn pull_starts(&mut self) {
        if self.shapes.flights.iter().all(|motion| !motion.bends()) {
            self.shapes.start_pulls.clear();
            return;
        }
        let (bodies, positions) = (&self.bodies, &self.particles.positions);
        let mut matches = std::mem::take(&mut self.shapes.matches);
        let mut start_pulls = std::mem::take(&mut self.shapes.start_pulls);
        matches.resize(bodies.clusters.len(), Match::default());
        start_pulls.resize(bodies.rest.len(), Vec3::ZERO);
        self.shapes.match_clusters(bodies, positions, &mut matches);
        self.shapes.matches = matches;
        let shapes = &self.shapes;
        (&mut start_pulls, &bodies.rest, &shapes.slots, &shapes.owners)
            .into_par_iter()
            .with_min_len(CHUNK)
            .enumerate()
            .for_each(|(member, (pull, rest, &slot, &owner))| {
                *pull = Vec3::ZERO;
                let (Some(place), Some(motion)) = (positions.get(slot as usize), shapes.flights.get(owner as usize))
                else {
                    return;
                };
                if motion.bends() && place.w != 0.0 {
                    let (rest, place) = (rest.xyz(), place.xyz());
                    let whole = motion.from.point(rest - motion.rest_center);
                    let goals = [whole, shapes.cluster_goal(member as u32, rest).unwrap_or(place)];
                    *pull = motion.firmness.start(goals.map(|goal| goal - place));
                }
            });
        self.shapes.start_pulls = start_pulls;
    }

    /// Notes how far the particles of plastic bodies are out of shape.
    fn note_strains(&mut self) {
        let mut strains = std::mem::take(&mut self.shapes.strains);
        strains.resize(self.predicted.len(), Vec3::ZERO);
        let (shapes, bodies) = (&self.shapes, &self.bodies);
        (&mut strains, &self.predicted, &shapes.members)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(strain, predicted, &member)| {
                if member == NONE {
                    return;
                }
                let place = shapes.owners[member as usize] as usize;
                let (motion, body) = (&shapes.flights[place], &bodies.list[place]);
                if body.plasticity.is_some() {
                    let rest = bodies.rest[member as usize].xyz();
                    let goal = shapes.cluster_goal(member, rest).unwrap_or_else(|| motion.goal(rest));
                    *strain = motion.to.rotation.conjugate() * (predicted.xyz() - goal);
                }
            });
        self.shapes.strains = strains;
    }

    /// Plastic flow (§5.3): what was pushed out of shape too far stays there in part.
    pub(super) fn flow(&mut self, h: f32) {
        self.carry_points(h);
        let Bodies {
            list,
            rest,
            fields,
            flowed,
            ..
        } = &mut self.bodies;
        for body in list.iter_mut() {
            let Some(plasticity) = body.plasticity else { continue };
            let creep = share(plasticity.creep, h);
            let mut yielded = false;
            for member in body.members() {
                let Some(&strain) = self.shapes.strains.get(self.shapes.slots[member] as usize) else {
                    continue;
                };
                let moved = plasticity.yielded(strain, creep);
                if moved != Vec3::ZERO {
                    rest[member] += moved.extend(0.0);
                    flowed[member] += moved.length();
                    if flowed[member] > plasticity.limit {
                        fields[member] = BALL;
                    }
                    yielded = true;
                }
            }
            if yielded {
                body.measure(rest);
            }
        }
    }

    /// Has the points by which bodies are held flow with what is around them: a nail stays where it was driven in. If they kept their
    /// places in the frame of a body that flows, they would be somewhere else in the world from one sub-step to the next, and what
    /// closes that gap would become speed.
    fn carry_points(&mut self, h: f32) {
        if self.bodies.list.iter().all(|body| body.plasticity.is_none()) {
            return;
        }
        let moved = |end: &End| -> Option<Vec3> {
            let End::Part(place, part, grip) = end else { return None };
            let plasticity = self.bodies.list[*place].plasticity?;
            let creep = share(plasticity.creep, h);
            let each = self.bodies.members_of(*part).filter_map(|member| {
                let strain = self.shapes.strains.get(self.shapes.slots[member] as usize)?;
                let rest = self.bodies.rest[member];
                Some(rest.w * grip.response(rest.xyz()) * plasticity.yielded(*strain, creep))
            });
            Some(each.sum())
        };
        let ends = self.shapes.ends.iter();
        let all: Vec<[Option<Vec3>; 2]> = ends
            .map(|ends| ends.map_or([None; 2], |ends| ends.each_ref().map(moved)))
            .collect();
        for (attached, [first, second]) in self.bodies.attachments.iter_mut().zip(all) {
            attached.attachment.point += first.unwrap_or_default();
            if let Anchor::Body(_, point) = &mut attached.attachment.anchor {
                *point += second.unwrap_or_default();
            }
        }
    }

    /// Shape matching of the starting positions of rigid bodies, after they were moved out of overlaps.
    pub(in crate::cpu) fn match_starts(&mut self) {
        let (bodies, positions) = (&self.bodies, &self.particles.positions);
        let mut flights = std::mem::take(&mut self.shapes.flights);
        let shapes = &self.shapes;
        let pushing = Pushing {
            rest: &bodies.rest,
            places: positions,
            contacts: &self.contacts,
            feet: &self.feet,
        };
        let mut are_moved: Vec<bool> = { flights.par_iter_mut().zip(&bodies.list) }
            .map(|(motion, body)| {
                let pushed = match body.path.is_none() && motion.is_rigid {
                    true => shapes.pushed(body, motion, motion.from, &pushing),
                    false => None,
                };
                if let Some([distance, angular_impulse]) = pushed {
                    motion.move_start(body, distance, angular_impulse);
                }
                pushed.is_some()
            })
            .collect();
        self.shapes.flights = flights;
        for place in self.keep_out(Moment::Start) {
            are_moved[place] = true;
        }
        self.hold_starts(&are_moved);
        let shapes = &self.shapes;
        self.particles
            .positions
            .par_iter_mut()
            .zip(&shapes.held)
            .with_min_len(CHUNK)
            .for_each(|(position, held)| {
                if let Some(motion) = shapes.flights.get(held.body as usize)
                    && motion.is_rigid
                    && position.w != 0.0
                {
                    let arm = held.rest - motion.rest_center;
                    *position = motion.from.point(arm).extend(position.w);
                }
            });
    }
}

impl BodyWork {
    /// Matches every cluster to where its members are. A member counts in each of its clusters with its share of its mass, so
    /// that what they pull at it adds up to what it is matched by: then nothing is gained or lost of momentum and spin.
    fn match_clusters(&self, bodies: &Bodies, places: &[Vec4], matches: &mut [Match]) {
        matches
            .par_iter_mut()
            .zip(&bodies.clusters)
            .for_each(|(found, cluster)| {
                let entries = cluster.first as usize..(cluster.first + cluster.count) as usize;
                let members = &bodies.cluster_members[entries];
                let near = members
                    .iter()
                    .find_map(|&member| places.get(self.slots[member as usize] as usize))
                    .map_or(Vec3::ZERO, |place| place.xyz());
                let mut moments = Moments::ZERO;
                for &member in members {
                    let member = member as usize;
                    if let Some(place) = places.get(self.slots[member] as usize) {
                        let rest = bodies.rest[member];
                        let share = rest.w / (self.starts[member + 1] - self.starts[member]) as f32;
                        moments.add(share, (place.xyz() - near).into(), Vec3A::from_vec4(rest));
                    }
                }
                let guess = Pose {
                    position: near,
                    rotation: cluster.rotation,
                };
                *found = matched(&moments, guess);
            });
    }

    /// Sums over members that are alive, their places taken relative to `near`.
    fn moments(&self, rest: &[Vec4], places: &[Vec4], near: Vec3, members: impl Iterator<Item = usize>) -> Moments {
        let near = Vec3A::from(near);
        let mut moments = Moments::ZERO;
        for member in members {
            if let Some(place) = places.get(self.slots[member] as usize) {
                let rest = rest[member];
                moments.add(rest.w, Vec3A::from_vec4(*place) - near, Vec3A::from_vec4(rest));
            }
        }
        moments
    }

    /// What pushed particles of a rigid body away from where it has them do to it: how far its centre moves, metres, and the
    /// angular impulse, kg·m²; nothing if all are there.
    fn pushed(&self, body: &Body, motion: &Flight, pose: Pose, pushing: &Pushing) -> Option<[Vec3; 2]> {
        let &Pushing {
            rest,
            places,
            contacts,
            feet,
        } = pushing;
        let rotation = Mat3A::from_quat(pose.rotation);
        let (center, rest_center) = (Vec3A::from(pose.position), Vec3A::from(motion.rest_center));
        let sum = |range: std::ops::Range<usize>| {
            let (mut mass, mut sums) = (0.0, [Vec3A::ZERO; 2]);
            for member in range {
                let Some(place) = places.get(self.slots[member] as usize).filter(|place| place.w != 0.0) else {
                    continue;
                };
                let own = rest[member];
                let (rest, place) = (Vec3A::from_vec4(own), Vec3A::from_vec4(*place));
                let arm = rotation * (rest - rest_center);
                let off = place - (arm + center);
                mass += own.w;
                let (far, size) = (off.abs().max_element(), place.abs().max_element());
                if far > ROUNDING * size && far > ROUNDING * (size + rest.length()) {
                    let push = own.w * off;
                    sums[0] += push;
                    sums[1] += arm.cross(push);
                    let slot = self.slots[member] as usize;
                    sums[1] += Vec3A::from(twist_in(contacts, slot) + feet.twist_in(slot));
                }
            }
            (mass, sums.map(Vec3::from))
        };
        let range = body.members();
        let (mass, [push, turn]) = if range.len() <= PART {
            sum(range)
        } else {
            let parts: Vec<_> = range
                .clone()
                .into_par_iter()
                .step_by(PART)
                .map(|first| sum(first..(first + PART).min(range.end)))
                .collect();
            parts.iter().fold((0.0, [Vec3::ZERO; 2]), |(mass, all), (more, part)| {
                (mass + more, [all[0] + part[0], all[1] + part[1]])
            })
        };
        ((push, turn) != (Vec3::ZERO, Vec3::ZERO)).then(|| [push / mass, turn])
    }

    /// The match of a body as a whole, from a guess.
    fn match_body(&self, body: &Body, rest: &[Vec4], places: &[Vec4], guess: Pose) -> Match {
        let range = body.members();
        let moments = if range.len() <= PART {
            self.moments(rest, places, guess.position, range)
        } else {
            let parts: Vec<Moments> = range
                .clone()
                .into_par_iter()
                .step_by(PART)
                .map(|first| {
                    let part = first..(first + PART).min(range.end);
                    self.moments(rest, places, guess.position, part)
                })
                .collect();
            parts.iter().fold(Moments::ZERO, |mut all, part| {
                all.merge(part);
                all
            })
        };
        matched(&moments, guess)
    }

    /// Where the clusters of a member want it, on average; `None` if it is in none.
    #[inline]
    fn cluster_goal(&self, member: u32, rest: Vec3) -> Option<Vec3> {
        let (first, last) = (
            self.starts[member as usize] as usize,
            self.starts[member as usize + 1] as usize,
        );
        let goals = self.memberships[first..last].iter();
        let sum: Vec3 = goals.map(|&cluster| self.matches[cluster as usize].goal(rest)).sum();
        (first < last).then(|| sum / (last - first) as f32)
    }
}

fn matched(moments: &Moments, guess: Pose) -> Match {
    let (center, rest_center) = moments.centers();
    Match {
        center: center + guess.position,
        rotation: rotation(&moments.covariance(), guess.rotation),
        rest_center,
    }
}
