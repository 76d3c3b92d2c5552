//! Bodies: where their particles are, how they fly, and shape matching (eq. 15–16).
//!
//! Each pass comes in two halves: sums over the members of every body, which only read, then every particle of a body
//! moved by what came of them, slot by slot.

use glam::{Mat3, Quat, Vec3, Vec3A, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::attachments::End;
use super::links::LinkWork;
use super::shares::Busy;
use super::{CHUNK, State};
use crate::bodies::{Bodies, Body};
use crate::constraints::rigid::{self, Spin};
use crate::constraints::shape_match::{Moments, rotation, share};
use crate::constraints::surface::{BALL, Field, NO_FIELD};
use crate::particles::{ParticleId, Particles};
use crate::pose::Pose;

/// No such particle, or no such member.
pub(super) const NONE: u32 = u32::MAX;

/// Members that are summed up in one go. Fixed, so that sums do not depend on the number of threads.
const PART: usize = 2048;

/// What the engine knows of bodies besides what they are.
#[derive(Default)]
pub(crate) struct Shapes {
    /// Slot of each member.
    pub(super) slots: Vec<u32>,
    /// Member in each slot, and the body of each member.
    pub(super) members: Vec<u32>,
    pub(super) owners: Vec<u32>,
    /// What holds the particle in each slot.
    pub(super) held: Vec<Held>,
    /// Number of each member's corner; empty without any.
    corners: Vec<u32>,
    /// What the particle in each slot knows of its body's surface, turned as the body is.
    pub(super) fields: Vec<Field>,
    /// How each body moves in the sub-step.
    pub(super) motions: Vec<Motion>,
    /// How far out of shape the particle in each slot was last found, in its body's frame; empty without plastic bodies.
    strains: Vec<Vec3>,
    /// How many contacts the particle in each slot has in which directions.
    pub(super) busy: Vec<Busy>,
    /// Match of each cluster of the soft bodies.
    matches: Vec<Match>,
    pub(super) links: LinkWork,
    /// Where the clusters of each member begin among `memberships`; there is one more entry than members.
    starts: Vec<u32>,
    memberships: Vec<u32>,
    /// Both ends of every attachment.
    pub(super) ends: Vec<Option<[End; 2]>>,
    /// Of the member with an index of a particle id, its number.
    numbers: Vec<u32>,
    changes: u64,
}

/// A particle as a part of a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// Its rest position, metres.
    rest: Vec3,
    /// Place of the body in the list; none for a particle on its own.
    pub(super) body: u32,
}

/// One body in one sub-step. Poses are those of the centre of mass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    pub(super) from: Pose,
    pub(super) to: Pose,
    /// Centre of mass of the rest shape.
    pub(super) rest_center: Vec3,
    /// Whether it keeps its shape exactly, and whether it goes where it is told.
    is_rigid: bool,
    is_driven: bool,
    spin: Spin,
    /// Velocity of the centre before the sub-step.
    velocity: Vec3,
}

/// Where a rest shape is matched: its centre there, its rotation, and the centre of the rest shape.
#[derive(Clone, Copy, Debug, Default)]
struct Match {
    center: Vec3,
    rotation: Quat,
    rest_center: Vec3,
}

impl Match {
    #[inline]
    fn goal(&self, rest: Vec3) -> Vec3 {
        self.rotation * (rest - self.rest_center) + self.center
    }
}

impl Shapes {
    /// Finds the members in their slots.
    pub(super) fn locate(&mut self, bodies: &Bodies, ids: &[ParticleId]) {
        if self.changes != bodies.changes || self.slots.len() != bodies.rest.len() {
            self.list_memberships(bodies);
            self.changes = bodies.changes;
        }
        self.slots.clear();
        self.slots.resize(bodies.rest.len(), NONE);
        self.members.resize(ids.len(), NONE);
        self.held.resize(ids.len(), Held::default());
        let (numbers, owners) = (&self.numbers, &self.owners);
        (&mut self.members, &mut self.held, ids)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(member, held, id)| {
                let number = numbers.get(id.index as usize).copied().unwrap_or(NONE);
                let known = number != NONE && bodies.particles[number as usize] == *id;
                (*member, *held) = match number {
                    number if known => {
                        let (rest, body) = (bodies.rest[number as usize].xyz(), owners[number as usize]);
                        (number, Held { rest, body })
                    }
                    _ => {
                        let (rest, body) = (Vec3::ZERO, NONE);
                        (NONE, Held { rest, body })
                    }
                };
            });
        for (slot, &member) in self.members.iter().enumerate() {
            if member != NONE {
                self.slots[member as usize] = slot as u32;
            }
        }
    }

    fn list_memberships(&mut self, bodies: &Bodies) {
        let count = bodies.rest.len();
        self.owners.clear();
        self.owners.resize(count, NONE);
        for (place, body) in bodies.list.iter().enumerate() {
            self.owners[body.members()].fill(place as u32);
        }
        let indices = bodies.particles.iter().map(|id| id.index as usize + 1);
        self.numbers.clear();
        self.numbers.resize(indices.max().unwrap_or(0), NONE);
        for (member, id) in bodies.particles.iter().enumerate() {
            self.numbers[id.index as usize] = member as u32;
        }
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for &member in &bodies.cluster_members {
            self.starts[member as usize + 1] += 1;
        }
        for member in 0..count {
            self.starts[member + 1] += self.starts[member];
        }
        let mut ends = self.starts.clone();
        self.memberships.clear();
        self.memberships.resize(bodies.cluster_members.len(), 0);
        for (number, cluster) in bodies.clusters.iter().enumerate() {
            let entries = cluster.first as usize..(cluster.first + cluster.count) as usize;
            for &member in &bodies.cluster_members[entries] {
                self.memberships[ends[member as usize] as usize] = number as u32;
                ends[member as usize] += 1;
            }
        }
        self.corners.clear();
        self.corners
            .resize(if bodies.corners.is_empty() { 0 } else { count }, NONE);
        for (number, corner) in (0..).zip(&bodies.corners) {
            self.corners[corner.member as usize] = number;
        }
        self.links.list(bodies);
        self.motions.resize(bodies.len(), Motion::default());
    }

    /// The body of the particle in a slot.
    #[inline]
    pub(super) fn body_in(&self, slot: usize) -> Option<usize> {
        let body = self.held.get(slot)?.body;
        (body != NONE).then_some(body as usize)
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

    pub(super) fn memory_bytes(&self) -> usize {
        let words = [
            &self.slots,
            &self.members,
            &self.owners,
            &self.starts,
            &self.memberships,
            &self.corners,
        ];
        4 * words.iter().map(|list| list.capacity()).sum::<usize>()
            + 4 * self.numbers.capacity()
            + 16 * (self.fields.capacity() + self.held.capacity())
            + 12 * self.strains.capacity()
            + size_of::<Busy>() * self.busy.capacity()
            + size_of::<Motion>() * self.motions.capacity()
            + size_of::<Match>() * self.matches.capacity()
            + self.links.memory_bytes()
            + size_of::<Option<[End; 2]>>() * self.ends.capacity()
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

impl State {
    /// Finds the members of all bodies in their slots.
    pub(super) fn locate_bodies(&mut self) {
        self.slots_changed = false;
        if self.bodies.is_empty() {
            self.shapes = Shapes::default();
        } else {
            self.shapes.locate(&self.bodies, &self.particles.ids);
        }
    }

    /// Lines 1–5 for bodies: forces on them, and flight in which what is rigid turns instead of growing along its
    /// tangents. The velocities of the particles become those that lead there straight.
    pub(super) fn predict_bodies(&mut self, h: f32, part: [f32; 2]) {
        if self.slots_changed {
            self.locate_bodies();
        }
        if self.bodies.is_empty() {
            return;
        }
        let (bodies, particles, frame) = (&self.bodies, &self.particles, &self.frame);
        let mut motions = std::mem::take(&mut self.shapes.motions);
        let shapes = &self.shapes;
        motions
            .par_iter_mut()
            .zip(&bodies.list)
            .enumerate()
            .for_each(|(place, (motion, body))| {
                *motion = shapes.fly(body, &bodies.rest, particles, h);
                if let Some(push) = frame.pushes.iter().find(|push| push.body == place) {
                    motion.push(body, push.force * h, push.torque * h, h);
                }
                if let Some(path) = &body.path {
                    motion.follow(body, path, part);
                }
            });
        self.shapes.motions = motions;
        self.shapes.links.begin_substep();
        self.begin_attachments();
        let shapes = &self.shapes;
        (
            &mut self.predicted,
            &mut self.particles.velocities,
            &self.particles.positions,
            &shapes.held,
        )
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(predicted, velocity, position, held)| {
                let Some(motion) = shapes.motions.get(held.body as usize) else {
                    return;
                };
                let start = position.xyz();
                let end = if motion.is_rigid || motion.is_driven {
                    motion.goal(held.rest)
                } else {
                    motion.carry(start, velocity.xyz(), h)
                };
                *velocity = ((end - start) / h).extend(Particles::FULL_KICK);
                *predicted = end.extend(position.w);
            });
    }

    /// Turns what the particles know of their bodies' surfaces to where the bodies are going.
    pub(super) fn turn_fields(&mut self) {
        let shapes = &mut self.shapes;
        shapes.fields.resize(shapes.members.len(), NO_FIELD);
        let (motions, fields) = (&shapes.motions, &self.bodies.fields);
        shapes
            .fields
            .par_iter_mut()
            .zip(shapes.members.par_iter().zip(&shapes.held))
            .with_min_len(CHUNK)
            .for_each(|(turned, (&member, held))| {
                *turned = match (fields.get(member as usize), motions.get(held.body as usize)) {
                    (Some(field), Some(motion)) => (motion.to.rotation * field.truncate()).extend(field.w),
                    _ => NO_FIELD,
                };
            });
    }

    /// Has particles at edges and corners take the normal of the face that their contacts are on; `busy` tells what
    /// `Σ n nᵀ` is for the particle in a slot, if it has any.
    pub(super) fn choose_faces(&mut self, busy: impl Fn(usize) -> Option<Mat3> + Sync) {
        let corners = &self.bodies.corners;
        if corners.is_empty() {
            return;
        }
        let mut fields = std::mem::take(&mut self.shapes.fields);
        let shapes = &self.shapes;
        fields
            .par_iter_mut()
            .zip(&shapes.members)
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(slot, (field, &member))| {
                if field.w >= 0.0 {
                    return;
                }
                let corner = shapes.corners.get(member as usize).copied().unwrap_or(NONE);
                if corner == NONE {
                    return;
                }
                let Some(normals) = busy(slot) else { return };
                let rotation = shapes.motions[shapes.held[slot].body as usize].to.rotation;
                let along = |normal: Vec3| normal.dot(normals * normal);
                let [first, second, third] = corners[corner as usize].normals.map(|normal| rotation * normal);
                let better = |best: Vec3, next: Vec3| if along(next) > along(best) { next } else { best };
                *field = better(better(first, second), third).extend(field.w);
            });
        self.shapes.fields = fields;
    }

    /// Shape matching of the candidate positions.
    pub(super) fn match_shapes(&mut self, h: f32) {
        if self.bodies.is_empty() {
            return;
        }
        let (bodies, predicted) = (&self.bodies, &self.predicted);
        let mut motions = std::mem::take(&mut self.shapes.motions);
        let mut matches = std::mem::take(&mut self.shapes.matches);
        matches.resize(bodies.clusters.len(), Match::default());
        let shapes = &self.shapes;
        motions.par_iter_mut().zip(&bodies.list).for_each(|(motion, body)| {
            if body.path.is_none() {
                let found = shapes.match_body(body, &bodies.rest, predicted, motion.to);
                motion.to = Pose {
                    position: found.center,
                    rotation: found.rotation,
                };
                motion.rest_center = found.rest_center;
            }
        });
        matches
            .par_iter_mut()
            .zip(&bodies.clusters)
            .for_each(|(found, cluster)| {
                let entries = cluster.first as usize..(cluster.first + cluster.count) as usize;
                let members = &bodies.cluster_members[entries];
                let near = members
                    .iter()
                    .find_map(|&member| predicted.get(shapes.slots[member as usize] as usize))
                    .map_or(Vec3::ZERO, |place| place.xyz());
                let moments = shapes.moments(
                    &bodies.rest,
                    predicted,
                    near,
                    members.iter().map(|&member| member as usize),
                );
                *found = matched(
                    &moments,
                    Pose {
                        position: near,
                        rotation: cluster.rotation,
                    },
                );
            });
        self.shapes.motions = motions;
        self.shapes.matches = matches;
        if self.bodies.list.iter().any(|body| body.plasticity.is_some()) {
            self.note_strains();
        }
        if self.bodies.attachments.is_empty() {
            self.move_members(h, |_| true);
        } else {
            // What bends is held after its shape has pulled at it, what is rigid as a whole before its particles follow.
            self.move_members(h, |motion| !motion.is_rigid);
            self.solve_attachments();
            self.move_members(h, |motion| motion.is_rigid);
        }
    }

    /// Moves the particles of some bodies to where their shapes want them.
    fn move_members(&mut self, h: f32, of: impl Fn(&Motion) -> bool + Sync) {
        let iterations = self.frame.settings.iterations;
        let (shapes, bodies) = (&self.shapes, &self.bodies);
        self.predicted
            .par_iter_mut()
            .zip(shapes.held.par_iter().zip(&shapes.members))
            .with_min_len(CHUNK)
            .for_each(|(predicted, (held, &member))| {
                let place = held.body as usize;
                let motion = match shapes.motions.get(place) {
                    Some(motion) if predicted.w != 0.0 && of(motion) => motion,
                    _ => return,
                };
                let mut found = motion.goal(held.rest);
                if !motion.is_rigid {
                    let body = &bodies.list[place];
                    let mut pulled = predicted.xyz();
                    if let Some(goal) = shapes.cluster_goal(member, held.rest) {
                        pulled = pulled.lerp(goal, share(body.cluster_stiffness, h, iterations));
                    }
                    found = pulled.lerp(found, share(body.stiffness, h, iterations));
                }
                *predicted = found.extend(predicted.w);
            });
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
                let (motion, body) = (&shapes.motions[place], &bodies.list[place]);
                if body.plasticity.is_some() {
                    let rest = bodies.rest[member as usize].xyz();
                    let goal = shapes.cluster_goal(member, rest).unwrap_or_else(|| motion.goal(rest));
                    *strain = motion.to.rotation.conjugate() * (predicted.xyz() - goal);
                }
            });
        self.shapes.strains = strains;
    }

    /// Plastic flow (§5.3): what was pushed out of shape too far stays there in part.
    fn flow(&mut self, h: f32) {
        let Bodies {
            list,
            rest,
            fields,
            flowed,
            ..
        } = &mut self.bodies;
        for body in list.iter_mut() {
            let Some(plasticity) = body.plasticity else { continue };
            let creep = share(plasticity.creep, h, 1);
            let mut yielded = false;
            for member in body.members() {
                let Some(&strain) = self.shapes.strains.get(self.shapes.slots[member] as usize) else {
                    continue;
                };
                let length = strain.length();
                if length > plasticity.threshold {
                    let moved = strain * (creep * (1.0 - plasticity.threshold / length));
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

    /// Shape matching of the starting positions of rigid bodies, after they were moved out of overlaps.
    pub(super) fn match_starts(&mut self) {
        let (bodies, positions) = (&self.bodies, &self.particles.positions);
        let mut motions = std::mem::take(&mut self.shapes.motions);
        let shapes = &self.shapes;
        motions.par_iter_mut().zip(&bodies.list).for_each(|(motion, body)| {
            if body.path.is_none() && body.is_rigid() {
                let found = shapes.match_body(body, &bodies.rest, positions, motion.from);
                motion.from = Pose {
                    position: found.center,
                    rotation: found.rotation,
                };
            }
        });
        self.shapes.motions = motions;
        let shapes = &self.shapes;
        self.particles
            .positions
            .par_iter_mut()
            .zip(&shapes.held)
            .with_min_len(CHUNK)
            .for_each(|(position, held)| {
                if let Some(motion) = shapes.motions.get(held.body as usize)
                    && motion.is_rigid
                    && position.w != 0.0
                {
                    let arm = held.rest - motion.rest_center;
                    *position = motion.from.point(arm).extend(position.w);
                }
            });
    }

    /// Line 24 for bodies: velocities that keep what a turn along chords would lose.
    pub(super) fn update_body_velocities(&mut self, h: f32, velocities: &mut [Vec4]) {
        if self.bodies.is_empty() {
            return;
        }
        let (shapes, bodies) = (&self.shapes, &self.bodies);
        let spins: Vec<Vec3> = shapes
            .motions
            .par_iter()
            .zip(&bodies.list)
            .map(|(motion, body)| {
                let turned = [motion.from.rotation, motion.to.rotation];
                rigid::angular_velocity(turned, &body.inertia, &body.inverse_inertia, h)
            })
            .collect();
        (velocities, &self.predicted, &self.particles.positions, &shapes.held)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(velocity, predicted, position, held)| {
                let place = held.body as usize;
                let motion = match shapes.motions.get(place) {
                    Some(motion) if predicted.w != 0.0 => motion,
                    _ => return,
                };
                let arm = predicted.xyz() - motion.to.position;
                let center = (motion.to.position - motion.from.position) / h;
                let mut v = center + spins[place].cross(arm);
                if !motion.is_rigid {
                    let turn = motion.to.rotation * motion.from.rotation.conjugate();
                    v += (arm - turn * (position.xyz() - motion.from.position)) / h;
                }
                *velocity = v.extend(Particles::FULL_KICK);
            });
    }

    /// Line 27 for bodies: they sleep as a whole or not at all, and keep where they have turned to.
    pub(super) fn finish_bodies(&mut self, h: f32) {
        if self.bodies.is_empty() {
            return;
        }
        self.flow(h);
        for (cluster, found) in self.bodies.clusters.iter_mut().zip(&self.shapes.matches) {
            cluster.rotation = found.rotation;
        }
        let rest = self.frame.settings.sleep_speed * h;
        let shapes = &self.shapes;
        let (touched, predicted, positions) = (&self.touched, &self.predicted, &self.particles.positions);
        let asleep: Vec<bool> = self
            .bodies
            .list
            .par_iter()
            .map(|body| {
                let slots = || shapes.slots[body.members()].iter().filter(|&&slot| slot != NONE);
                let still = |&slot: &u32| {
                    let slot = slot as usize;
                    (predicted[slot] - positions[slot]).xyz().length_squared() < rest * rest
                };
                rest > 0.0 && slots().any(|&slot| touched[slot as usize]) && slots().all(still)
            })
            .collect();
        let motions = self.bodies.list.iter_mut().zip(&self.shapes.motions);
        for ((body, motion), &asleep) in motions.zip(&asleep) {
            let pose = if asleep { motion.from } else { motion.to };
            body.rotation = pose.rotation;
        }
        let shapes = &self.shapes;
        self.touched
            .par_iter_mut()
            .zip(&shapes.held)
            .with_min_len(CHUNK)
            .for_each(|(touched, held)| {
                if let Some(&asleep) = asleep.get(held.body as usize) {
                    *touched = asleep;
                }
            });
    }
}

impl Shapes {
    /// Where a body flies, before anything is in its way.
    fn fly(&self, body: &Body, rest: &[Vec4], particles: &Particles, h: f32) -> Motion {
        let alive = || {
            let members = body.members().filter(|&member| self.slots[member] != NONE);
            members.map(|member| (rest[member], self.slots[member] as usize))
        };
        let Some((_, some)) = alive().next() else {
            return Motion::default();
        };
        let near = particles.positions[some].xyz();
        let (mut mass, mut center, mut rest_center, mut momentum) = (0.0, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for (rest, slot) in alive() {
            mass += rest.w;
            rest_center += rest.w * rest.xyz();
            center += rest.w * (particles.positions[slot].xyz() - near);
            momentum += rest.w * particles.velocities[slot].xyz();
        }
        let center = near + center / mass;
        let velocity = momentum / mass;
        let angular_momentum = alive().fold(Vec3::ZERO, |sum, (rest, slot)| {
            let arm = particles.positions[slot].xyz() - center;
            sum + rest.w * arm.cross(particles.velocities[slot].xyz() - velocity)
        });
        let from = Pose {
            position: center,
            rotation: body.rotation,
        };
        let mut motion = Motion {
            from,
            to: from,
            rest_center: rest_center / mass,
            is_rigid: body.is_rigid(),
            is_driven: body.path.is_some(),
            spin: Spin::default(),
            velocity,
        };
        motion.turn(body, angular_momentum, h);
        motion
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

impl Motion {
    fn turn(&mut self, body: &Body, angular_momentum: Vec3, h: f32) {
        self.spin = Spin::new(self.from.rotation, &body.inverse_inertia, angular_momentum, h);
        self.to = Pose {
            position: self.from.position + h * self.velocity,
            rotation: (self.spin.turn * self.from.rotation).normalize(),
        };
    }

    /// Adds an impulse, N·s, and an angular one, N·m·s.
    fn push(&mut self, body: &Body, impulse: Vec3, angular_impulse: Vec3, h: f32) {
        if body.mass > 0.0 {
            self.velocity += impulse / body.mass;
            self.turn(body, self.spin.angular_momentum + angular_impulse, h);
        }
    }

    /// Goes the part of a path that the sub-step covers.
    fn follow(&mut self, body: &Body, path: &[Pose; 2], part: [f32; 2]) {
        let [from, to] = part.map(|fraction| {
            let pose = path[0].lerp(&path[1], fraction);
            Pose {
                position: pose.point(body.origin + self.rest_center),
                rotation: pose.rotation,
            }
        });
        (self.from, self.to) = (from, to);
    }

    #[inline]
    fn goal(&self, rest: Vec3) -> Vec3 {
        self.to.point(rest - self.rest_center)
    }

    /// Where a particle of the body gets to that is at a place and has a velocity of its own.
    fn carry(&self, place: Vec3, velocity: Vec3, h: f32) -> Vec3 {
        let arm = place - self.from.position;
        let own = velocity - self.velocity - self.spin.velocity.cross(arm);
        self.to.position + self.spin.turn * arm + h * own
    }
}
