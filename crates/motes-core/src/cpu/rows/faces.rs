//! Triangles in the air: what presses on each, then what each participant gets of it.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::super::CHUNK;
use super::super::shapes::NONE;
use super::participants::Participants;
use super::shares::Shares;
use crate::air::Air;
use crate::constraints::airfoil::{Pressed, kick, press};
use crate::particles::ParticleId;
use crate::store::batch::{Batch, acts};

/// One triangle.
#[derive(Clone, Copy, Default)]
struct Face {
    ends: [u32; 3],
    /// Drag and lift; both 0 where it does not act.
    coefficients: [f32; 2],
}

#[derive(Default)]
pub(super) struct FaceWork {
    participants: Participants,
    /// Where the participants started the sub-step, and where they got to.
    starts: Vec<Vec4>,
    goals: Vec<Vec4>,
    faces: Vec<Face>,
    /// Place in the store of each.
    places: Vec<u32>,
    shares: Shares,
    /// A third of the force on each face and its steepness (w).
    forces: Vec<Vec4>,
    additions: u64,
    edits: u64,
}

impl FaceWork {
    /// Finds the participants in their slots.
    pub(super) fn locate(&mut self, batch: &Batch, ids: &[ParticleId]) {
        let who = &mut self.participants;
        if self.additions != batch.additions() {
            who.number(batch, ids);
            self.places = batch.ids().map(|id| id.index).collect();
            let face = |&place: &u32| Face {
                ends: [0, 1, 2].map(|k| who.numbers[batch.particles_of(place as usize)[k].index as usize]),
                ..Face::default()
            };
            self.faces = self.places.iter().map(face).collect();
            self.shares = Shares::new(self.faces.iter().map(|face| (face.ends, [1.0; 3])), who.len());
            self.additions = batch.additions();
            self.edits = 0;
        }
        who.locate(ids);
        if self.edits != batch.edits() {
            for (face, &place) in self.faces.iter_mut().zip(&self.places) {
                let there = face.ends.iter().all(|&end| who.slots[end as usize] != NONE);
                let act = there && acts(batch.states()[place as usize]);
                let [drag, lift, ..] = batch.weights()[place as usize];
                face.coefficients = if act { [drag, lift] } else { [0.0; 2] };
            }
            self.edits = batch.edits();
        }
    }

    /// Changes the velocities of all particles that are corners, given where particles started and where they got to.
    pub(super) fn blow(&mut self, [starts, goals]: [&[Vec4]; 2], air: &Air, h: f32, velocities: &mut [Vec4]) {
        if self.faces.is_empty() {
            return;
        }
        let who = &self.participants;
        who.fetch(&mut self.starts, starts);
        who.fetch(&mut self.goals, goals);
        let (starts, goals) = (&self.starts, &self.goals);
        self.forces.resize(self.faces.len(), Vec4::ZERO);
        (&mut self.forces, &self.faces)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(force, face)| {
                let pressed = face.press(starts, goals, air, h);
                *force = (pressed.force / 3.0).extend(pressed.steepness / 3.0);
            });
        let (forces, shares) = (&self.forces, &self.shares);
        let kicks: Vec<Vec3> = (0..who.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|number| {
                let sum: Vec4 = shares.of(number).iter().map(|share| forces[share.row as usize]).sum();
                let pressed = Pressed {
                    force: sum.xyz(),
                    steepness: sum.w,
                };
                kick(pressed, goals[number].w, h)
            })
            .collect();
        for (kick, &slot) in kicks.iter().zip(&who.slots) {
            if let Some(velocity) = velocities.get_mut(slot as usize) {
                *velocity += kick.extend(0.0);
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.participants.memory_bytes()
            + self.shares.memory_bytes()
            + 16 * (self.starts.capacity() + self.goals.capacity() + self.forces.capacity())
            + size_of::<Face>() * self.faces.capacity()
            + 4 * self.places.capacity()
    }
}

impl Face {
    fn press(&self, starts: &[Vec4], goals: &[Vec4], air: &Air, h: f32) -> Pressed {
        if self.coefficients == [0.0; 2] {
            return Pressed::default();
        }
        let corners = self.ends.map(|end| goals[end as usize].xyz());
        let before = self.ends.map(|end| starts[end as usize].xyz());
        let moved = (corners[0] - before[0]) + (corners[1] - before[1]) + (corners[2] - before[2]);
        let center = (corners[0] + corners[1] + corners[2]) / 3.0;
        let velocity = moved / (3.0 * h) - air.velocity_at(center);
        press(corners, velocity, air.density, self.coefficients)
    }
}
