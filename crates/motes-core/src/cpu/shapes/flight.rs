//! How bodies fly, and the velocities that come of where they got to.

use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::{BodyWork, Flight, NONE};
use crate::body::bodies::{Body, Carried};
use crate::constraints::rigid::{self, Spin};
use crate::constraints::shape_match::Firmness;
use crate::cpu::collide::twist_in;
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
        self.begin_attachments(h);
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
                } else if position.w == 0.0 {
                    start + h * velocity.xyz()
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
        let motions: Vec<[Vec3; 2]> = shapes
            .flights
            .par_iter()
            .zip(&bodies.list)
            .map(|(motion, body)| match motion.bends() {
                true => self.momenta_lost(body, motion).map(|lost| lost / h),
                false => motion.velocities_after(body, h),
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
            &shapes.members,
        )
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(velocity, before, position, predicted, held, &member)| {
                let place = held.body as usize;
                let motion = match shapes.flights.get(place) {
                    Some(motion) if predicted.w != 0.0 => motion,
                    _ => return,
                };
                let [center, spin] = motions[place];
                let arm = predicted.xyz() - motion.to.position;
                if motion.bends() {
                    *velocity += (center + spin.cross(arm)).extend(0.0);
                    // A particle that its shape presses on something does not hit it.
                    let pull = shapes.start_pulls.get(member as usize).copied().unwrap_or_default();
                    *before -= (pull / h).extend(0.0);
                    return;
                }
                let mut v = center + spin.cross(arm);
                if !motion.is_rigid {
                    let turn = motion.to.rotation * motion.from.rotation.conjugate();
                    v += (arm - turn * (position.xyz() - motion.from.position)) / h;
                }
                *velocity = v.extend(Particles::FULL_KICK);
            });
    }
}

impl State {
    /// Has rigid bodies rebound as a whole where rebounds changed the velocities of their particles, which follow; says whether
    /// there are any. With friction on velocities all are looked at.
    pub(in crate::cpu) fn rebound_bodies(&mut self, friction: bool, h: f32, velocities: &mut [Vec4]) -> bool {
        let mut flights = std::mem::take(&mut self.shapes.flights);
        let (shapes, bodies, predicted) = (&self.shapes, &self.bodies, &self.predicted);
        let (contacts, feet) = (&self.contacts, &self.feet);
        let before: &[Vec4] = velocities;
        // The fraction of its next kick, for each body that changed.
        let rebounds: Vec<Option<f32>> = flights
            .par_iter_mut()
            .zip(&bodies.list)
            .map(|(motion, body)| {
                let slots = || {
                    let members = body.members().filter(|&member| shapes.slots[member] != NONE);
                    members.map(|member| (bodies.rest[member].w, shapes.slots[member] as usize))
                };
                if !motion.is_rigid || motion.is_driven {
                    return None;
                }
                let bounced = slots().any(|(_, slot)| before[slot].w != Particles::FULL_KICK);
                if !friction && !bounced {
                    return None;
                }
                let [velocity, spin] = motion.velocities_after(body, h);
                let (mut mass, mut kicks) = (0.0, [Vec3::ZERO; 2]);
                for (own, slot) in slots() {
                    let arm = predicted[slot].xyz() - motion.to.position;
                    let size = velocity.length() + spin.length() * arm.length();
                    let kick = before[slot].xyz() - (velocity + spin.cross(arm));
                    let kick = own * rigid::beyond_rounding(kick, size);
                    mass += own;
                    kicks[0] += kick;
                    kicks[1] += arm.cross(kick) + twist_in(contacts, slot) + feet.twist_in(slot);
                }
                motion.rebound[0] += kicks[0] / mass;
                motion.rebound[1] += kicks[1];
                Some(match bounced {
                    true => Particles::HALF_KICK,
                    false => Particles::FULL_KICK,
                })
            })
            .collect();
        self.shapes.flights = flights;
        let shapes = &self.shapes;
        let flights = shapes.flights.par_iter().zip(&bodies.list);
        let motions: Vec<[Vec3; 2]> = flights.map(|(motion, body)| motion.velocities_after(body, h)).collect();
        (velocities, predicted, &shapes.held)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(velocity, predicted, held)| {
                let place = held.body as usize;
                if let Some(&Some(kick)) = rebounds.get(place)
                    && predicted.w != 0.0
                {
                    let arm = predicted.xyz() - shapes.flights[place].to.position;
                    let [center, spin] = motions[place];
                    *velocity = (center + spin.cross(arm)).extend(kick);
                }
            });
        self.shapes.flights.iter().any(|motion| motion.is_rigid)
    }

    /// By how much a body that bends would go, metres, and turn, radians, too little in the sub-step. Its shape pulled at it where it
    /// got to, not where it was, which takes spin away as implicit Euler does; and what pulls should add up to nothing, but for
    /// rounding, which always goes the same way and would drive the body off. Pinned particles take both for themselves: then
    /// neither is known.
    fn momenta_lost(&self, body: &Body, motion: &Flight) -> [Vec3; 2] {
        let shapes = &self.shapes;
        let (mut mass, mut pulled) = (0.0, Vec3::ZERO);
        let (mut torque, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
        for member in body.members() {
            let slot = shapes.slots[member] as usize;
            if let Some(end) = self.predicted.get(slot) {
                if end.w == 0.0 {
                    return [Vec3::ZERO; 2];
                }
                let own = self.bodies.rest[member].w;
                let start = self.particles.positions[slot].xyz() - motion.from.position;
                let pull = own * shapes.pulls[slot];
                mass += own;
                pulled += pull;
                torque += start.cross(pull);
                inertia += rigid::point_inertia(own, end.xyz() - motion.to.position);
            }
        }
        if mass == 0.0 {
            return [Vec3::ZERO; 2];
        }
        [-pulled / mass, rigid::pseudo_inverse(&inertia) * -torque]
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
        let rest_center = rest_center / mass;
        let is_rigid = body.is_rigid();
        let carried = if is_rigid { body.carried } else { Carried::default() };
        let spin = rigid::turned(&body.inverse_inertia, body.rotation) * carried.angular_momentum;
        let shift = body.rotation * (rest_center - carried.rest_center);
        let mut center = carried.center + shift;
        let rotation = Mat3A::from_quat(body.rotation);
        let in_place = |(rest, slot): (Vec4, usize)| {
            let (rest, place) = (Vec3A::from_vec4(rest), Vec3A::from_vec4(particles.positions[slot]));
            let goal = Vec3A::from(center) + rotation * (rest - Vec3A::from(rest_center));
            (place - goal).abs().max_element() <= rigid::ROUNDING * (place.abs().max_element() + rest.length())
        };
        if !(is_rigid && alive().all(in_place)) {
            // Relative to one of them, then to what came of that: sums are exact only near zero.
            center = particles.positions[some].xyz();
            for _ in 0..2 {
                let off = alive().fold(Vec3::ZERO, |sum, (rest, slot)| {
                    sum + rest.w * (particles.positions[slot].xyz() - center)
                });
                center += off / mass;
            }
        }
        // What acted on the particles since the body had them move.
        let (before, known) = match is_rigid {
            true => (carried.velocity + spin.cross(shift), 1.0),
            false => (particles.velocities[some].xyz(), 0.0),
        };
        let (speed, turning) = (known * before.length(), known * spin.length());
        let (mut faster, mut turned) = (Vec3A::ZERO, Vec3A::ZERO);
        for (rest, slot) in alive() {
            let arm = Vec3A::from_vec4(particles.positions[slot]) - Vec3A::from(center);
            let expected = Vec3A::from(before) + Vec3A::from(spin).cross(arm);
            let kick = Vec3A::from_vec4(particles.velocities[slot]) - expected;
            if kick.abs().max_element() > rigid::ROUNDING * (speed + turning * arm.length()) {
                faster += rest.w * kick;
                turned += arm.cross(rest.w * kick);
            }
        }
        let angular_momentum = carried.angular_momentum + Vec3::from(turned);
        let faster = Vec3::from(faster);
        let velocity = before + faster / mass;
        let from = Pose {
            position: center,
            rotation: body.rotation,
        };
        let mut motion = Flight {
            from,
            to: from,
            rest_center,
            is_rigid,
            is_driven: body.path.is_some(),
            spin: Spin::default(),
            velocity,
            push: [Vec3::ZERO; 2],
            offset: Vec3::ZERO,
            angular_impulse: Vec3::ZERO,
            swing: Vec3::ZERO,
            yields: 0.0,
            in_tree: false,
            pushed: [Vec3::ZERO; 2],
            rebound: [Vec3::ZERO; 2],
            stiffness: Mat3::ZERO,
            lever: 0.0,
            firmness: Firmness::default(),
            revolution: body.revolution,
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

    pub(in crate::cpu) fn is_driven(&self) -> bool {
        self.is_driven
    }

    fn turn(&mut self, body: &Body, angular_momentum: Vec3, h: f32) {
        self.spin = Spin::new(self.from.rotation, &body.inverse_inertia, angular_momentum, h);
        self.offset = h * self.velocity;
        self.angular_impulse = h * angular_momentum;
        self.to = rigid::moved(self.from, self.offset, self.spin.turn);
    }

    /// Moves the end of the sub-step: the centre by a distance, and what turns the body by an angular impulse, kg·m².
    pub(in crate::cpu) fn move_end(&mut self, body: &Body, distance: Vec3, angular_impulse: Vec3) {
        self.offset += distance;
        self.angular_impulse += angular_impulse;
        let turn = self.end_from_start(body);
        self.swing = turn - self.spin.turn;
    }

    /// Moves the start, and the end with it.
    pub(in crate::cpu) fn move_start(&mut self, body: &Body, distance: Vec3, angular_impulse: Vec3) {
        let turn = self.turn_by(body, angular_impulse);
        self.from = rigid::moved(self.from, distance, turn);
        self.end_from_start(body);
    }

    /// Finds where it ends, and returns how it turns on its way there.
    fn end_from_start(&mut self, body: &Body) -> Vec3 {
        let turn = self.turn_by(body, self.angular_impulse);
        if body.is_a_row() {
            // Nothing turns a row of particles about itself.
            let halfway = Quat::from_scaled_axis(0.5 * turn) * self.from.rotation;
            self.angular_impulse =
                rigid::turned(&(body.inertia * body.inverse_inertia), halfway) * self.angular_impulse;
        }
        self.to = rigid::moved(self.from, self.offset, turn);
        turn
    }

    /// What an angular impulse turns the body by from its start.
    fn turn_by(&self, body: &Body, angular_impulse: Vec3) -> Vec3 {
        Spin::new(self.from.rotation, &body.inverse_inertia, angular_impulse, 1.0).turn
    }

    /// Velocity, m/s, and angular momentum, kg·m²/s, of a rigid body at the end: what it had, and what was done to it.
    fn momenta_after(&self, body: &Body, h: f32) -> [Vec3; 2] {
        let before = [self.velocity, self.spin.angular_momentum];
        let [pushed, turned] = [self.offset - h * before[0], self.angular_impulse - h * before[1]];
        let mut after = before[1] + turned / h + self.rebound[1];
        if body.is_a_row() {
            after = rigid::turned(&(body.inertia * body.inverse_inertia), self.to.rotation) * after;
        }
        [before[0] + pushed / h + self.rebound[0], after]
    }

    /// Velocity, m/s, and angular velocity, rad/s, at the end.
    pub(in crate::cpu) fn velocities_after(&self, body: &Body, h: f32) -> [Vec3; 2] {
        if self.is_rigid && !self.is_driven {
            let [velocity, angular_momentum] = self.momenta_after(body, h);
            let inverse_inertia = rigid::turned(&body.inverse_inertia, self.to.rotation);
            return [velocity, inverse_inertia * angular_momentum];
        }
        let turned = [self.from.rotation, self.to.rotation];
        [
            (self.to.position - self.from.position) / h,
            rigid::angular_velocity(turned, &body.inertia, &body.inverse_inertia, h),
        ]
    }

    /// What a rigid body takes into the next sub-step, with its velocities damped to a fraction.
    pub(super) fn carried(&self, body: &Body, decay: f32, h: f32) -> Carried {
        let [velocity, angular_momentum] = self.momenta_after(body, h);
        let moves = velocity.is_finite() && angular_momentum.is_finite() && self.to.position.is_finite();
        if !moves || self.is_driven || !self.is_rigid {
            return self.at_rest();
        }
        Carried {
            center: self.to.position,
            rest_center: self.rest_center,
            velocity: decay * velocity,
            angular_momentum: decay * angular_momentum,
        }
    }

    /// What a body takes along that stays where it is.
    pub(super) fn at_rest(&self) -> Carried {
        Carried {
            center: self.from.position,
            rest_center: self.rest_center,
            ..Carried::default()
        }
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
        self.to.position + Quat::from_scaled_axis(self.spin.turn) * arm + h * own
    }
}
