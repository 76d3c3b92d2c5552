//! Bodies: where their particles are, what they know of their surfaces, and how they come to rest.
//!
//! Each pass comes in two halves: sums over the members of every body, which only read, then every particle of a body
//! moved by what came of them, slot by slot.

mod flight;
mod keep_out;
mod matching;

use glam::{Mat3, Quat, Vec3, Vec4Swizzles};
use rayon::prelude::*;

use super::articulations::TreeWork;
use super::attachments::End;
use super::joints::Moving;
use super::shares::Busy;
use super::{CHUNK, State};
use crate::body::bodies::Bodies;
use crate::body::islands::Islands;
use crate::constraints::inscribed::{InscribedBall, NO_BALL, is_inscribed};
use crate::constraints::revolution::{Place, Revolution};
use crate::constraints::rigid::Spin;
use crate::constraints::shape_match::Firmness;
use crate::constraints::surface::{NO_FIELD, SurfaceField};
use crate::particles::ParticleId;
use crate::space::pose::Pose;

/// No such particle, or no such member.
pub(super) const NONE: u32 = u32::MAX;

/// What the engine knows of bodies besides what they are.
#[derive(Default)]
pub(crate) struct BodyWork {
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
    pub(super) fields: Vec<SurfaceField>,
    /// With what the particle in each slot touches colliders, turned as its body is; empty without bodies that have such.
    pub(super) inscribed: Vec<InscribedBall>,
    /// How each body moves in the sub-step.
    pub(super) flights: Vec<Flight>,
    /// How far out of shape the particle in each slot was last found, in its body's frame; empty without plastic bodies.
    strains: Vec<Vec3>,
    /// How many contacts the particle in each slot has in which directions.
    pub(super) busy: Vec<Busy>,
    /// How far the particle in each slot was pulled by its shape in the sub-step, metres, and how far it is at its start, by
    /// member; empty without bodies that bend.
    pulls: Vec<Vec3>,
    start_pulls: Vec<Vec3>,
    /// Match of each cluster of the soft bodies.
    matches: Vec<Match>,
    /// Where the clusters of each member begin among `memberships`; there is one more entry than members.
    starts: Vec<u32>,
    memberships: Vec<u32>,
    /// Both ends of every attachment.
    pub(super) ends: Vec<Option<[End; 2]>>,
    /// How attachments hang together, and the work on those that do so in trees.
    pub(super) islands: Islands,
    pub(super) tree_work: TreeWork,
    /// What acts on the axes of joints in the sub-step.
    pub(super) moving: Vec<Moving>,
    /// Of the member with an index of a particle id, its number.
    numbers: Vec<u32>,
    /// Whether any member has an inscribed ball.
    are_inscribed: bool,
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
pub(super) struct Flight {
    pub(super) from: Pose,
    pub(super) to: Pose,
    /// Centre of mass of the rest shape.
    pub(super) rest_center: Vec3,
    /// Whether it keeps its shape exactly, and whether it goes where it is told.
    is_rigid: bool,
    is_driven: bool,
    pub(super) spin: Spin,
    /// Velocity of the centre before the sub-step.
    velocity: Vec3,
    /// What forces on it change of that and of its angular velocity.
    push: [Vec3; 2],
    /// What leads from one pose to the other: how far the centre goes, metres, and what turns the body, kg·m².
    pub(super) offset: Vec3,
    pub(super) angular_impulse: Vec3,
    /// How much further it turns than it was about to when its contacts were found, axis times angle.
    pub(super) swing: Vec3,
    /// Where it has inscribed balls, effective inverse mass along any of its contacts, 1/kg.
    pub(super) yields: f32,
    /// Whether it is one of a tree of joints, and then what contacts do to it before its joints have their say: how far its centre
    /// goes, metres, and the angular impulse, kg·m².
    pub(super) in_tree: bool,
    pub(super) pushed: [Vec3; 2],
    /// What rebounds change of a rigid body's velocity, m/s, and of its angular momentum, kg·m²/s.
    rebound: [Vec3; 2],
    /// How much its attachments stiffened it against turning in the sub-step before, kg·m² in its own frame, and where in this
    /// one they act.
    pub(super) stiffness: Mat3,
    pub(super) lever: f32,
    pub(super) firmness: Firmness,
    /// What it revolves about, in its own frame.
    pub(super) revolution: Option<Revolution>,
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

impl BodyWork {
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
        self.pulls.clear();
        self.pulls.resize(ids.len(), Vec3::ZERO);
        for (slot, &member) in self.members.iter().enumerate() {
            if member != NONE {
                self.slots[member as usize] = slot as u32;
                self.pulls[slot] = self.start_pulls.get(member as usize).copied().unwrap_or_default();
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
        self.flights.resize(bodies.len(), Flight::default());
        self.are_inscribed = bodies.are_inscribed();
    }

    /// The inscribed ball of the particle in a slot, turned as its body is, and that body, if it touches colliders with one.
    #[inline]
    pub(super) fn inscribed_in(&self, slot: usize) -> Option<(InscribedBall, &Flight)> {
        let ball = self.inscribed.get(slot).copied().filter(|&ball| is_inscribed(ball))?;
        Some((ball, &self.flights[self.held[slot].body as usize]))
    }

    /// Where the particle in a slot is on its body of revolution, where it is about to go.
    pub(super) fn revolving_in(&self, slot: usize, motion: &Flight) -> Option<Place> {
        let revolution = motion.revolution.as_ref()?;
        Some(revolution.place(self.held[slot].rest, motion.to.rotation))
    }

    /// The member that is this particle, if any.
    pub(super) fn member(&self, id: ParticleId) -> u32 {
        self.numbers.get(id.index as usize).copied().unwrap_or(NONE)
    }

    /// The body of the particle in a slot.
    #[inline]
    pub(super) fn body_in(&self, slot: usize) -> Option<usize> {
        let body = self.held.get(slot)?.body;
        (body != NONE).then_some(body as usize)
    }

    /// The place of the body of the particle in a slot, and its number as a member, if that body is rigid.
    pub(super) fn rigid_member_in(&self, slot: usize) -> Option<(u32, u32)> {
        let body = self.body_in(slot).filter(|&body| self.flights[body].is_rigid)?;
        Some((body as u32, self.members[slot]))
    }

    /// Where a rigid body has the particle in a slot.
    #[inline]
    pub(super) fn goal_in(&self, slot: usize, motion: &Flight) -> Vec3 {
        motion.goal(self.held[slot].rest)
    }

    /// Whether the particle in a slot belongs to a rigid body that nobody drives.
    #[inline]
    pub(super) fn is_rigid_in(&self, slot: usize) -> bool {
        self.body_in(slot)
            .is_some_and(|body| self.flights[body].is_rigid && !self.flights[body].is_driven)
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
            + 16 * self.inscribed.capacity()
            + 12 * (self.strains.capacity() + self.pulls.capacity() + self.start_pulls.capacity())
            + size_of::<Busy>() * self.busy.capacity()
            + size_of::<Flight>() * self.flights.capacity()
            + size_of::<Match>() * self.matches.capacity()
            + size_of::<Option<[End; 2]>>() * self.ends.capacity()
            + self.tree_work.bytes()
            + size_of::<Moving>() * self.moving.capacity()
    }
}

impl State {
    /// Finds the members of all bodies in their slots.
    pub(super) fn locate_bodies(&mut self) {
        self.slots_changed = false;
        if self.bodies.is_empty() {
            self.shapes = BodyWork::default();
        } else {
            self.shapes.locate(&self.bodies, &self.particles.ids);
            self.shapes.islands = Islands::of(&self.bodies);
        }
    }

    /// Turns what the particles know of their bodies' surfaces to where the bodies are going.
    pub(super) fn turn_fields(&mut self) {
        let shapes = &mut self.shapes;
        shapes.fields.resize(shapes.members.len(), NO_FIELD);
        let (flights, fields) = (&shapes.flights, &self.bodies.fields);
        shapes
            .fields
            .par_iter_mut()
            .zip(shapes.members.par_iter().zip(&shapes.held))
            .with_min_len(CHUNK)
            .for_each(|(turned, (&member, held))| {
                *turned = match (fields.get(member as usize), flights.get(held.body as usize)) {
                    (Some(field), Some(motion)) => (motion.to.rotation * field.truncate()).extend(field.w),
                    _ => NO_FIELD,
                };
            });
    }

    /// Turns the inscribed balls of rigid bodies likewise.
    pub(super) fn turn_inscribed(&mut self) {
        let shapes = &mut self.shapes;
        let count = if shapes.are_inscribed { shapes.members.len() } else { 0 };
        shapes.inscribed.resize(count, NO_BALL);
        let (flights, balls) = (&shapes.flights, &self.bodies.inscribed);
        (&mut shapes.inscribed, &shapes.members, &shapes.held)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(turned, &member, held)| {
                *turned = match (balls.get(member as usize), flights.get(held.body as usize)) {
                    (Some(ball), Some(motion)) if motion.is_rigid && is_inscribed(*ball) => {
                        (motion.to.rotation * ball.truncate()).extend(ball.w)
                    }
                    _ => NO_BALL,
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
                let rotation = shapes.flights[shapes.held[slot].body as usize].to.rotation;
                let along = |normal: Vec3| normal.dot(normals * normal);
                let [first, second, third] = corners[corner as usize].normals.map(|normal| rotation * normal);
                let better = |best: Vec3, next: Vec3| if along(next) > along(best) { next } else { best };
                *field = better(better(first, second), third).extend(field.w);
            });
        self.shapes.fields = fields;
    }

    /// Line 27 for bodies: they sleep as a whole or not at all, and keep where they have turned to.
    pub(super) fn finish_bodies(&mut self, h: f32) {
        if self.bodies.is_empty() {
            return;
        }
        self.flow(h);
        self.follow_shapes();
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
        let (frame, materials) = (&self.frame, &self.particles.materials);
        let flights = self.bodies.list.iter_mut().zip(&self.shapes.flights);
        for ((body, motion), &asleep) in flights.zip(&asleep) {
            let pose = if asleep { motion.from } else { motion.to };
            body.rotation = pose.rotation;
            let mut slots = shapes.slots[body.members()].iter();
            let material = slots.find_map(|&slot| materials.get(slot as usize));
            let damping = material.and_then(|material| frame.materials.as_slice().get(material.0 as usize));
            let decay = damping.map_or(1.0, |material| (-material.damping * h).exp());
            body.carried = match asleep {
                true => motion.at_rest(),
                false => motion.carried(body, decay, h),
            };
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

impl Flight {
    /// How far it would turn if nothing were in the way: the chord of that angle, so that engines agree about it.
    pub(super) fn turn_chord(&self) -> f32 {
        2.0 * (0.5 * self.spin.turn.length()).sin()
    }

    /// Whether it keeps its shape exactly.
    pub(super) fn is_rigid(&self) -> bool {
        self.is_rigid
    }

    #[inline]
    fn goal(&self, rest: Vec3) -> Vec3 {
        self.to.point(rest - self.rest_center)
    }
}
