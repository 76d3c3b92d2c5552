//! A sub-step of creatures: where their particles start, what their shapes do, and how they are turned in the end.

use glam::{Mat3A, Vec3, Vec3A, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::touching::{BALL, FREE, IN_PART};
use super::{CreatureWork, Here, NONE};
use crate::constraints::ellipsoid::Ellipsoid;
use crate::constraints::orientation::{inertia, precessed, turned, yields};
use crate::constraints::rolling::TURNING;
use crate::cpu::{CHUNK, State};
use crate::creature::creatures::Creatures;
use crate::creature::lists::Known;
use crate::particles::ParticleId;
use crate::particles::orientation::Orientation;

impl State {
    /// Finds the particles of creatures in their slots, and where they would get to if nothing were in their way: they turn and keep their rigid
    /// parts. Their velocities become those that lead there straight.
    pub(in crate::cpu) fn begin_creatures(&mut self) {
        if self.creatures.is_empty() {
            if !self.creature_work.is_empty() {
                self.creature_work = CreatureWork::default();
            }
            return;
        }
        self.locate_creatures();
        self.fly_creatures();
        self.outline_particles();
    }

    /// Finds the members of creatures in their slots.
    pub(in crate::cpu) fn locate_creatures(&mut self) {
        let work = &mut self.creature_work;
        work.lists.update(&self.creatures);
        work.locate(&self.particles.ids);
    }

    /// Where members get to.
    pub(super) fn fly_creatures(&mut self) {
        let mut work = std::mem::take(&mut self.creature_work);
        let h = self.h;
        let particles = &mut self.particles;
        let count = particles.len();
        let spins = particles.spins.values_mut(count);
        work.here.resize(work.slots.len(), Here::default());
        for ((here, known), &slot) in work.here.iter_mut().zip(&work.lists.members).zip(&work.slots) {
            if slot == NONE {
                *here = Here::default();
                continue;
            }
            let slot = slot as usize;
            let (position, velocity) = (particles.positions[slot], particles.velocities[slot]);
            let rotation = particles.orientations.get(slot).quaternion();
            let spin = spins.get_mut(slot);
            let mut speed = spin.as_ref().map_or(Vec3::ZERO, |spin| spin.velocity.xyz());
            *here = Here::starting(known, position, rotation);
            if let Some(spin) = spin
                && here.moves
                && spin.turns()
            {
                here.turns = true;
                speed = precessed(rotation, known.radii, speed, [h, h]);
                spin.velocity = speed.extend(1.0);
            }
            here.place += Vec3A::from(h * velocity.xyz());
            here.turn = h * speed;
            here.rotation = turned(here.from, here.turn);
        }
        if !work.lists.parts.is_empty() {
            work.begin_parts(false);
            let straight: Vec<Vec3A> = work.here.iter().map(|here| here.place).collect();
            work.match_parts();
            for (member, here) in work.here.iter().enumerate() {
                let slot = work.slots[member] as usize;
                if work.lists.members[member].is_rigid() && here.moves {
                    let off = Vec3::from(here.place - straight[member]);
                    particles.velocities[slot] += (off / h).extend(0.0);
                    if let Some(spin) = particles.spins.values_mut(count).get_mut(slot).filter(|_| here.turns) {
                        spin.velocity = (here.turn / h).extend(spin.velocity.w);
                    }
                }
            }
        }
        self.creature_work = work;
    }

    /// Notes the shapes of all particles.
    pub(super) fn outline_particles(&mut self) {
        let mut work = std::mem::take(&mut self.creature_work);
        let count = self.particles.len();
        let ball = |slot: usize| {
            let radius = self.radius(slot);
            Vec3::splat(radius * radius).extend(BALL)
        };
        let plain = [Vec3::splat(TURNING).extend(0.0), Vec4::ZERO];
        work.diagonals.resize(count, Vec4::ZERO);
        work.mixed.clear();
        work.mixed.resize(count, Vec4::ZERO);
        work.yields.clear();
        work.yields.resize(count, plain);
        work.radii.resize(count, 0.0);
        (&mut work.diagonals, &mut work.radii)
            .into_par_iter()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(slot, (diagonal, radius))| {
                *diagonal = ball(slot);
                *radius = self.radius(slot);
            });
        work.start_diagonals.clone_from(&work.diagonals);
        work.start_mixed.clone_from(&work.mixed);
        for member in 0..work.slots.len() {
            let slot = work.slots[member] as usize;
            let (known, here) = (&work.lists.members[member], &work.here[member]);
            if slot >= count {
                continue;
            }
            let kind = if known.is_rigid() { IN_PART } else { FREE };
            let start = Ellipsoid::new(here.from, known.radii);
            work.start_diagonals[slot] = start.diagonal.extend(kind);
            work.start_mixed[slot] = start.mixed.extend(0.0);
            let answer = yields(here.from, known.radii, work.radii[slot]);
            work.yields[slot] = [answer.diagonal.extend(0.0), answer.mixed.extend(0.0)];
            work.outline(member);
        }
        self.creature_work = work;
    }

    /// Begins with what the shapes of creatures call for where the sub-step starts.
    pub(in crate::cpu) fn pull_creatures(&mut self, h: f32) {
        if self.creature_work.is_empty() {
            return;
        }
        let iterations = self.frame.settings.iterations;
        self.show_creatures();
        let work = &mut self.creature_work;
        work.balance(h, iterations);
        work.untwist(h, iterations, true);
        work.match_neighborhoods(true);
        // What contacts began with has turned particles: their shapes answer to that before contacts look at them again, or what rests would creep.
        work.match_neighborhoods(false);
        work.match_parts();
        self.move_creatures();
    }

    /// Draws the particles of creatures towards where their shapes want them, and turns them.
    pub(in crate::cpu) fn match_creatures(&mut self) {
        if self.creature_work.is_empty() {
            return;
        }
        let (h, iterations) = (self.h, self.frame.settings.iterations);
        self.show_creatures();
        let work = &mut self.creature_work;
        work.untwist(h, iterations, false);
        work.match_neighborhoods(false);
        work.match_parts();
        self.move_creatures();
    }

    /// Shows creatures where their particles are.
    fn show_creatures(&mut self) {
        let work = &mut self.creature_work;
        let (starts, predicted, turned) = (&self.particles.positions, &self.predicted, &self.turned);
        let radii = &work.radii;
        (&mut work.here, &work.lists.members, &work.slots)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(here, known, &slot)| {
                if slot == NONE {
                    return;
                }
                let slot = slot as usize;
                here.start = Vec3A::from_vec4(starts[slot]);
                here.place = Vec3A::from_vec4(predicted[slot]);
                let turn = turned.get(slot).map_or(Vec3::ZERO, |way| way.xyz() / radii[slot]);
                if here.turns && turn != here.turn {
                    here.see(turn, known);
                }
            });
    }

    /// Moves their particles to where creatures have them.
    fn move_creatures(&mut self) {
        let work = &mut self.creature_work;
        for member in 0..work.slots.len() {
            let slot = work.slots[member] as usize;
            let here = &mut work.here[member];
            if work.slots[member] == NONE {
                continue;
            }
            if here.moves {
                here.pulled += here.place - Vec3A::from_vec4(self.predicted[slot]);
                self.predicted[slot] = Vec3::from(here.place).extend(self.predicted[slot].w);
            }
            if here.turns
                && let Some(turned) = self.turned.get_mut(slot)
            {
                let way = work.radii[slot] * here.turn;
                if way != turned.xyz() {
                    *turned = way.extend(turned.w);
                }
                // What was stored is what the next look compares with.
                work.here[member].turn = way / work.radii[slot];
                if !work.lists.members[member].is_ball() {
                    work.outline(member);
                }
            }
        }
    }

    /// Takes from velocities what rounding has added to the momentum of creatures of which no particle is pinned: shapes only pull particles at
    /// each other.
    pub(in crate::cpu) fn keep_creature_momenta(&self, h: f32, velocities: &mut [Vec4]) {
        let work = &self.creature_work;
        for members in &work.lists.creatures {
            let own = || members.clone().filter(|&member| work.slots[member] != NONE);
            if own().any(|member| !work.here[member].moves) {
                continue;
            }
            let (mut mass, mut pulled) = (0.0, Vec3A::ZERO);
            for member in own() {
                mass += work.lists.members[member].mass;
                pulled += work.lists.members[member].mass * work.here[member].pulled;
            }
            let back = (Vec3::from(pulled) / -(mass * h)).extend(0.0);
            for member in own().filter(|_| back.is_finite()) {
                velocities[work.slots[member] as usize] += back;
            }
        }
    }

    /// Takes over how the particles of creatures are turned at the end of the sub-step, but for those that sleep.
    pub(in crate::cpu) fn turn_creatures(&mut self, h: f32) {
        let work = &self.creature_work;
        let rest = self.frame.settings.sleep_speed * h;
        for ((here, known), &slot) in work.here.iter().zip(&work.lists.members).zip(&work.slots) {
            if slot == NONE {
                continue;
            }
            let slot = slot as usize;
            let way = |from: Vec4, to: Vec4| (to - from).xyz().length_squared();
            let turned = self
                .turned
                .get(slot)
                .map_or(0.0, |turned| turned.xyz().length_squared());
            let moved = way(self.particles.positions[slot], self.predicted[slot]);
            let sleeps = self.touched[slot] && rest > 0.0 && moved.max(turned) < rest * rest;
            if here.rotation.is_finite() && !sleeps {
                let rotation = here.rotation.normalize();
                self.particles
                    .orientations
                    .set(slot, Orientation::new(rotation, known.radii));
            }
        }
    }
}

impl Here {
    /// Where a member starts, at a place with its inverse mass and turned by a rotation.
    fn starting(known: &Known, position: Vec4, rotation: glam::Quat) -> Self {
        let moments = known.mass * inertia(known.radii);
        let matrix = |values: Vec3| {
            let axes = Mat3A::from_quat(rotation);
            axes * Mat3A::from_diagonal(values) * axes.transpose()
        };
        Self {
            start: Vec3A::from_vec4(position),
            place: Vec3A::from_vec4(position),
            from: rotation,
            rotation,
            turn: Vec3::ZERO,
            torque: Vec3::ZERO,
            pulled: Vec3A::ZERO,
            inertia: matrix(moments),
            inverse_inertia: matrix(1.0 / moments),
            moves: position.w > 0.0,
            turns: false,
        }
    }

    /// Takes note that contacts turned it.
    fn see(&mut self, turn: Vec3, known: &Known) {
        if known.is_rigid() {
            self.torque += Vec3::from(self.inertia * Vec3A::from(turn - self.turn));
        } else {
            self.turn = turn;
            self.rotation = turned(self.from, turn);
        }
    }
}

impl CreatureWork {
    /// Knows how particles float, if any do.
    pub(in crate::cpu) fn floating(&mut self, creatures: &Creatures) -> Option<&Self> {
        if creatures.is_empty() {
            return None;
        }
        self.lists.update(creatures);
        self.lists.float.then_some(self)
    }

    /// Which part of its weight a particle feels.
    #[inline]
    pub(in crate::cpu) fn weight(&self, id: ParticleId) -> f32 {
        let member = self.lists.members.get(self.lists.member(id) as usize);
        member.map_or(1.0, |known| 1.0 - known.buoyancy)
    }

    /// Finds the members in their slots.
    fn locate(&mut self, ids: &[ParticleId]) {
        let lists = &self.lists;
        self.in_slots.resize(ids.len(), NONE);
        (&mut self.in_slots, ids)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(member, &id)| *member = lists.member(id));
        self.slots.clear();
        self.slots.resize(lists.members.len(), NONE);
        for (slot, &member) in (0..).zip(&self.in_slots) {
            if member != NONE {
                self.slots[member as usize] = slot;
            }
        }
    }

    /// Notes the shape of a member as it is turned now.
    fn outline(&mut self, member: usize) {
        let slot = self.slots[member] as usize;
        let known = &self.lists.members[member];
        let shape = Ellipsoid::new(self.here[member].rotation, known.radii);
        let kind = if known.is_rigid() { IN_PART } else { FREE };
        self.diagonals[slot] = shape.diagonal.extend(kind);
        self.mixed[slot] = shape.mixed.extend(0.0);
    }
}
