//! Rigid parts that yield for good (Müller & Chentanez 2011, §5.4): where one is hit too fast, the part is soft for a while, then what it has been
//! bent to is its shape.

use glam::{Quat, Vec3, Vec3A, Vec4Swizzles};

use super::answer;
use crate::constraints::ellipsoid::touch;
use crate::constraints::oriented_match::moment;
use crate::constraints::shape_match::{Moments, rotation};
use crate::cpu::feet::Looking;
use crate::cpu::{CHUNK, State};
use crate::creature::creatures::Creature;
use crate::space::pose::Pose;
use crate::store::ConstraintKind;

impl State {
    /// Has parts yield of which a particle is about to be hit too fast, before anything has stopped it.
    pub(in crate::cpu) fn soften_hit_parts(&mut self) {
        let creatures = &self.creatures.list;
        if creatures
            .iter()
            .all(|creature| creature.denting.is_none() || creature.parts.is_empty())
        {
            return;
        }
        let hit = self.hit_members();
        let mut base = 0;
        let mut any = false;
        for creature in &mut self.creatures.list {
            let first = base;
            base += creature.members.len();
            let Some(denting) = creature.denting else { continue };
            for part in creature.parts.iter_mut().filter(|part| part.soft_for == 0.0) {
                if part.members.iter().any(|&member| hit[first + member as usize]) {
                    part.soft_for = denting.seconds;
                    any = true;
                }
            }
        }
        if any {
            self.creatures.changes += 1;
            self.locate_creatures();
            self.fly_creatures();
            self.outline_particles();
        }
    }

    /// Has parts harden that have been soft for long enough.
    pub(in crate::cpu) fn harden_parts(&mut self, h: f32) {
        let mut base = 0;
        for place in 0..self.creatures.list.len() {
            let creature = &mut self.creatures.list[place];
            let first = base;
            base += creature.members.len();
            let mut hardens = false;
            for part in creature.parts.iter_mut().filter(|part| part.soft_for > 0.0) {
                part.soft_for = (part.soft_for - h).max(0.0);
                hardens |= part.soft_for == 0.0;
            }
            if hardens {
                self.creatures.changes += 1;
                self.absorb(place, first);
            }
        }
    }

    /// Which members come into a collision faster along its normal than their creature bears.
    fn hit_members(&self) -> Vec<bool> {
        let work = &self.creature_work;
        let mut hit = vec![false; work.slots.len()];
        let limits = self.creatures.list.iter().flat_map(|creature| {
            let speed = creature.denting.map_or(f32::INFINITY, |denting| denting.speed);
            creature.members.iter().map(move |_| speed)
        });
        let limits: Vec<f32> = limits.collect();
        let velocity = |slot: usize| self.particles.velocities[slot].xyz();
        for (chunk, contacts) in self.contacts.iter().enumerate() {
            for contact in &contacts.contacts {
                let slot = chunk * CHUNK + contact.offset as usize;
                let comes = contact.gap_at_end(self.predicted[slot].xyz()) < 0.0;
                if let Some(member) = work.member_in(slot).filter(|_| comes) {
                    let approach = (contact.travel / self.h - velocity(slot)).dot(contact.normal);
                    hit[member] |= approach > limits[member];
                }
            }
        }
        let outlines = work.outlines(Looking::End);
        let shape = |slot: usize| answer([outlines.diagonals[slot], outlines.mixed[slot]]);
        for (i, j) in self.pairs.blocks.iter().flat_map(|block| block.list.iter()) {
            let members = [i, j].map(|slot| work.member_in(slot));
            if members == [None; 2] {
                continue;
            }
            let (normal, gap) = touch((self.predicted[i] - self.predicted[j]).xyz(), &shape(i), &shape(j));
            let approach = (velocity(j) - velocity(i)).dot(normal);
            for member in members.into_iter().flatten() {
                hit[member] |= gap < 0.0 && approach > limits[member];
            }
        }
        hit
    }

    /// Makes the shape that a creature has now the one that it has at rest: parts that have just hardened say where that is in the world.
    fn absorb(&mut self, place: usize, base: usize) {
        let creature = &self.creatures.list[place];
        let slots = &self.creature_work.slots[base..base + creature.members.len()];
        let poses: Vec<Option<Pose>> = { slots.iter() }
            .map(|&slot| {
                let position = self.particles.positions.get(slot as usize)?.xyz();
                let rotation = self.particles.orientations.get(slot as usize).quaternion();
                Some(Pose { position, rotation })
            })
            .collect();
        let hardened: Vec<bool> = {
            let mut hardened = vec![false; creature.members.len()];
            let parts = creature.parts.iter().filter(|part| part.soft_for == 0.0);
            parts
                .flat_map(|part| &part.members)
                .for_each(|&member| hardened[member as usize] = true);
            hardened
        };
        let shape = matched(creature, &poses, &hardened);
        let creature = &mut self.creatures.list[place];
        for ((member, pose), hardened) in creature.members.iter_mut().zip(&poses).zip(&hardened) {
            if let Some(pose) = pose.filter(|_| *hardened) {
                member.rest = Pose {
                    position: shape.local_point(pose.position),
                    rotation: (shape.rotation.conjugate() * pose.rotation).normalize(),
                };
            }
        }
        let lengths: Vec<_> = { creature.edges.iter() }
            .filter_map(|edge| Some((edge.row?, creature.rest_length(edge))))
            .collect();
        let rows = self.settled_constraints().batch_mut(ConstraintKind::Distance);
        for (id, length) in lengths {
            if let Some(row) = rows.place(id) {
                rows.set_rest(row, length);
            }
        }
    }
}

/// Where the rest shape of a creature is, by those of its particles that are in hardened parts.
fn matched(creature: &Creature, poses: &[Option<Pose>], hardened: &[bool]) -> Pose {
    let mut moments = Moments::ZERO;
    let mut guess = Quat::IDENTITY;
    let near = poses.iter().flatten().next().map_or(Vec3::ZERO, |pose| pose.position);
    for ((member, pose), hardened) in creature.members.iter().zip(poses).zip(hardened) {
        if let Some(pose) = pose.filter(|_| *hardened) {
            let place = Vec3A::from(pose.position - near);
            moments.add(member.mass, place, member.rest.position.into());
            moments.products += moment(member.mass, member.radii, pose.rotation, member.rest.rotation);
            guess = pose.rotation * member.rest.rotation.conjugate();
        }
    }
    let (center, rest_center) = moments.centers();
    let rotation = rotation(&moments.covariance(), guess);
    Pose {
        position: near + center - rotation * rest_center,
        rotation,
    }
}
