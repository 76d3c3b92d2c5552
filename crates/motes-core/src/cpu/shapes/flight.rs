//! How bodies fly, and the velocities that come of where they got to.

use glam::{Mat3, Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::{BodyWork, Flight, NONE};
use crate::body::bodies::Body;
use crate::constraints::rigid::{self, Spin};
use crate::constraints::shape_match::Firmness;
use crate::cpu::{CHUNK, State};
use crate::particles::Particles;
use crate::space::pose::Pose;

impl State {
    /// Lines 1–5 for bodies: forces on them, and flight in which what is rigid turns instead of growing along its
    /// tangents. The velocities of the particles become those that lead there straight.
    pub(in crate::cpu) fn predict_bodies(&mut self, h: f32, part: [f32; 2]) {
        if self.slots_changed {
            self.locate_bodies();
        }
        if self.bodies.is_empty() {
            return;
        }
        let (bodies, particles, frame) = (&self.bodies, &self.particles, &self.frame);
        let mut flights = std::mem::take(&mut self.shapes.flights);
        let shapes = &self.shapes;
        flights
            .par_iter_mut()
            .zip(&bodies.list)
            .enumerate()
            .for_each(|(place, (motion, body))| {
                *motion = shapes.fly(body, &bodies.rest, particles, h);
                motion.firmness = Firmness::new(body.stiffnesses(), h, frame.settings.iterations);
                if let Some(push) = frame.pushes.iter().find(|push| push.body == place) {
                    motion.push(body, push.force * h, push.torque * h, h);
                }
                if let Some(path) = &body.path {
                    motion.follow(body, path, part);
                }
            });
        self.shapes.flights = flights;
        self.pull_starts();
        self.begin_attachments();
        let shapes = &self.shapes;
        (
            &mut self.predicted,
            &mut self.particles.velocities,
            &self.particles.positions,
            &shapes.held,
            &shapes.members,
        )
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(predicted, velocity, position, held, &member)| {
                let Some(motion) = shapes.flights.get(held.body as usize) else {
                    return;
                };
                let start = position.xyz();
                let end = if motion.is_rigid || motion.is_driven {
                    motion.goal(held.rest)
                } else if motion.bends() {
                    let pull = shapes.start_pulls.get(member as usize).copied();
                    let [pushed, twisted] = motion.push;
                    let push = pushed + twisted.cross(start - motion.from.position);
                    start + h * (velocity.xyz() + push) + pull.unwrap_or_default()
                } else {
                    motion.carry(start, velocity.xyz(), h)
                };
                *velocity = ((end - start) / h).extend(Particles::FULL_KICK);
                *predicted = end.extend(position.w);
            });
    }

    /// Line 24 for bodies: velocities that keep what a turn along chords would lose.
    pub(in crate::cpu) fn update_body_velocities(&mut self, h: f32, velocities: &mut [Vec4]) {
        if self.bodies.is_empty() {
            return;
        }
        let (shapes, bodies) = (&self.shapes, &self.bodies);
        let spins: Vec<Vec3> = shapes
            .flights
            .par_iter()
            .zip(&bodies.list)
            .map(|(motion, body)| {
                if motion.bends() {
                    return self.spin_lost(body, motion) / h;
                }
                let turned = [motion.from.rotation, motion.to.rotation];
                rigid::angular_velocity(turned, &body.inertia, &body.inverse_inertia, h)
            })
            .collect();
        let Particles {
            positions,
            velocities: before,
            ..
        } = &mut self.particles;
        (
            velocities,
            before,
            &*positions,
            &self.predicted,
            &shapes.held,
            &shapes.pulls,
        )
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(velocity, before, position, predicted, held, pull)| {
                let place = held.body as usize;
                let motion = match shapes.flights.get(place) {
                    Some(motion) if predicted.w != 0.0 => motion,
                    _ => return,
                };
                let arm = predicted.xyz() - motion.to.position;
                if motion.bends() {
                    *velocity += spins[place].cross(arm).extend(0.0);
                    // A particle that its shape presses on something does not hit it.
                    *before -= (*pull / h).extend(0.0);
                    return;
                }
                let center = (motion.to.position - motion.from.position) / h;
                let mut v = center + spins[place].cross(arm);
                if !motion.is_rigid {
                    let turn = motion.to.rotation * motion.from.rotation.conjugate();
                    v += (arm - turn * (position.xyz() - motion.from.position)) / h;
                }
                *velocity = v.extend(Particles::FULL_KICK);
            });
    }
}

impl State {
    /// By how much a body that bends would turn too little in the sub-step, radians: its shape pulled at it where it got to, not
    /// where it was, which takes spin away as implicit Euler does.
    fn spin_lost(&self, body: &Body, motion: &Flight) -> Vec3 {
        let shapes = &self.shapes;
        let (mut torque, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
        for member in body.members() {
            let slot = shapes.slots[member] as usize;
            if let Some(end) = self.predicted.get(slot) {
                let mass = self.bodies.rest[member].w;
                let start = self.particles.positions[slot].xyz() - motion.from.position;
                torque += mass * start.cross(shapes.pulls[slot]);
                inertia += rigid::point_inertia(mass, end.xyz() - motion.to.position);
            }
        }
        rigid::pseudo_inverse(&inertia) * -torque
    }
}

impl BodyWork {
    /// Where a body flies, before anything is in its way.
    fn fly(&self, body: &Body, rest: &[Vec4], particles: &Particles, h: f32) -> Flight {
        let alive = || {
            let members = body.members().filter(|&member| self.slots[member] != NONE);
            members.map(|member| (rest[member], self.slots[member] as usize))
        };
        let Some((_, some)) = alive().next() else {
            return Flight::default();
        };
        let (mut mass, mut rest_center) = (0.0, Vec3::ZERO);
        for (rest, _) in alive() {
            mass += rest.w;
            rest_center += rest.w * rest.xyz();
        }
        // Relative to one of them, then to what came of that: rounded relative to a corner, sums are off the same way in every
        // sub-step, and set bodies at rest in motion.
        let mut center = particles.positions[some].xyz();
        let mut velocity = particles.velocities[some].xyz();
        for _ in 0..2 {
            let (mut off, mut faster) = (Vec3::ZERO, Vec3::ZERO);
            for (rest, slot) in alive() {
                off += rest.w * (particles.positions[slot].xyz() - center);
                faster += rest.w * (particles.velocities[slot].xyz() - velocity);
            }
            center += off / mass;
            velocity += faster / mass;
        }
        let angular_momentum = alive().fold(Vec3::ZERO, |sum, (rest, slot)| {
            let arm = particles.positions[slot].xyz() - center;
            sum + rest.w * arm.cross(particles.velocities[slot].xyz() - velocity)
        });
        let from = Pose {
            position: center,
            rotation: body.rotation,
        };
        let mut motion = Flight {
            from,
            to: from,
            rest_center: rest_center / mass,
            is_rigid: body.is_rigid(),
            is_driven: body.path.is_some(),
            spin: Spin::default(),
            velocity,
            push: [Vec3::ZERO; 2],
            angular_impulse: Vec3::ZERO,
            stiffness: Mat3::ZERO,
            lever: 0.0,
            firmness: Firmness::default(),
        };
        motion.turn(body, angular_momentum, h);
        motion
    }
}

impl Flight {
    /// Whether its shape pulls at its particles without holding them altogether.
    pub(super) fn bends(&self) -> bool {
        !self.is_rigid && !self.is_driven && !self.firmness.is_firm()
    }

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
            let before = [self.velocity, self.spin.velocity];
            self.velocity += impulse / body.mass;
            self.turn(body, self.spin.angular_momentum + angular_impulse, h);
            self.push = [self.velocity - before[0], self.spin.velocity - before[1]];
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

    /// Where a particle of the body gets to that is at a place and has a velocity of its own.
    fn carry(&self, place: Vec3, velocity: Vec3, h: f32) -> Vec3 {
        let arm = place - self.from.position;
        let own = velocity - self.velocity - self.spin.velocity.cross(arm);
        self.to.position + self.spin.turn * arm + h * own
    }
}
