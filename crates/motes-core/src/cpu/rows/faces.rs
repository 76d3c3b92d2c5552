//! Triangles in the air, eight side by side: what presses on each, then what each particle gets of it.

use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::super::shapes::NONE;
use super::ends::{SIDE, Side, TASK};
use super::jacobi::fetch;
use super::participants::Participants;
use super::shares::Shares;
use crate::air::Air;
use crate::constraints::airfoil::{Pressed, kick, press};
use crate::cpu::vector::{self, Kernel};
use crate::store::batch::{Batch, acts};

/// Eights of triangles in a task. Fixed, so that results do not depend on the number of threads.
const EIGHTS: usize = TASK / SIDE;

/// Eight triangles.
#[derive(Clone, Copy, Default)]
struct Faces {
    ends: [[u32; SIDE]; 3],
    /// Drag and lift; both 0 of what does not act.
    coefficients: [Side; 2],
}

#[derive(Default)]
pub(super) struct FaceWork {
    /// Where the participants started the sub-step, and where they got to.
    starts: Vec<Vec4>,
    goals: Vec<Vec4>,
    faces: Vec<Faces>,
    /// Place in the store of each triangle.
    places: Vec<u32>,
    /// Those of each participant.
    shares: Shares,
    /// A third of the force on each triangle and its steepness (w).
    forces: Vec<Vec4>,
    edits: u64,
}

impl FaceWork {
    /// Lists the triangles of the participants.
    pub(super) fn list(&mut self, batch: &Batch, who: &Participants) {
        self.places = batch.ids().map(|id| id.index).collect();
        let corners = |place: u32| {
            let particles = batch.particles_of(place as usize);
            [0, 1, 2].map(|k| who.numbers[particles[k].index as usize])
        };
        let rows = (0..).zip(self.places.iter().map(|&place| corners(place)));
        self.shares = Shares::of_rows(rows, who.len());
        self.places.resize(self.places.len().next_multiple_of(SIDE), NONE);
        let eight = |places: &[u32; SIDE]| {
            let mut faces = Faces::default();
            for (lane, &place) in places.iter().enumerate().filter(|(_, place)| **place != NONE) {
                for (ends, corner) in faces.ends.iter_mut().zip(corners(place)) {
                    ends[lane] = corner;
                }
            }
            faces
        };
        self.faces = self.places.as_chunks().0.iter().map(eight).collect();
        self.forces.resize(self.places.len(), Vec4::ZERO);
        self.edits = 0;
    }

    /// Takes over what changed of the triangles.
    pub(super) fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        if self.edits == batch.edits() {
            return;
        }
        self.edits = batch.edits();
        for (faces, places) in self.faces.iter_mut().zip(self.places.chunks(SIDE)) {
            for (lane, &place) in places.iter().enumerate().filter(|(_, place)| **place != NONE) {
                let there = faces.ends.iter().all(|ends| slots[ends[lane] as usize] != NONE);
                let act = there && acts(batch.states()[place as usize]);
                let [drag, lift, ..] = batch.weights()[place as usize];
                let found = if act { [drag, lift] } else { [0.0; 2] };
                (faces.coefficients[0][lane], faces.coefficients[1][lane]) = (found[0], found[1]);
            }
        }
    }

    /// Changes the velocities of all particles that are corners, given where particles started and where they got to.
    pub(super) fn blow(
        &mut self,
        who: &Participants,
        [starts, goals]: [&[Vec4]; 2],
        air: &Air,
        h: f32,
        velocities: &mut [Vec4],
    ) {
        if self.faces.is_empty() {
            return;
        }
        who.fetch(&mut self.starts, starts);
        who.fetch(&mut self.goals, goals);
        let (starts, goals) = (&self.starts, &self.goals);
        let tasks = self.faces.par_chunks(EIGHTS).zip(self.forces.par_chunks_mut(TASK));
        tasks.for_each(|(faces, forces)| {
            vector::run(Press {
                faces,
                starts,
                goals,
                air,
                h,
                forces,
            });
        });
        let (forces, shares) = (&self.forces, &self.shares);
        who.change(velocities, |number, velocity| {
            let shares = shares.of(number);
            if !shares.is_empty() {
                let sum: Vec4 = shares.iter().map(|share| forces[share.row as usize]).sum();
                let pressed = Pressed {
                    force: sum.xyz(),
                    steepness: sum.w,
                };
                *velocity += kick(pressed, goals[number].w, h).extend(0.0);
            }
        });
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.shares.memory_bytes()
            + 16 * (self.starts.capacity() + self.goals.capacity() + self.forces.capacity())
            + size_of::<Faces>() * self.faces.capacity()
            + 4 * self.places.capacity()
    }
}

/// What presses on the triangles of a task.
struct Press<'a> {
    faces: &'a [Faces],
    starts: &'a [Vec4],
    goals: &'a [Vec4],
    air: &'a Air,
    h: f32,
    forces: &'a mut [Vec4],
}

impl Kernel for Press<'_> {
    #[inline(always)]
    fn run(self) {
        let forces = self.forces.as_chunks_mut::<SIDE>().0;
        for (faces, forces) in self.faces.iter().zip(forces) {
            faces.press(self.starts, self.goals, self.air, self.h, forces);
        }
    }
}

impl Faces {
    #[expect(clippy::needless_range_loop, reason = "lanes of several arrays side by side")]
    #[inline(always)]
    fn press(&self, starts: &[Vec4], goals: &[Vec4], air: &Air, h: f32, forces: &mut [Vec4; SIDE]) {
        let (mut corners, mut before) = ([[[0.0; SIDE]; 4]; 3], [[[0.0; SIDE]; 4]; 3]);
        for k in 0..3 {
            corners[k] = fetch(goals, |lane| self.ends[k][lane] as usize);
            before[k] = fetch(starts, |lane| self.ends[k][lane] as usize);
        }
        let at = |places: &[Side; 4], lane: usize| Vec3::new(places[0][lane], places[1][lane], places[2][lane]);
        let mut eddies = [[0.0; SIDE]; 3];
        for eddy in &air.eddies {
            for lane in 0..SIDE {
                let center = (at(&corners[0], lane) + at(&corners[1], lane) + at(&corners[2], lane)) / 3.0;
                let drift = eddy.at(center);
                eddies[0][lane] += drift.x;
                eddies[1][lane] += drift.y;
                eddies[2][lane] += drift.z;
            }
        }
        let mut found = [[0.0; SIDE]; 4];
        for lane in 0..SIDE {
            let (a, b, c) = (at(&corners[0], lane), at(&corners[1], lane), at(&corners[2], lane));
            let moved = (a - at(&before[0], lane)) + (b - at(&before[1], lane)) + (c - at(&before[2], lane));
            let drift = Vec3::new(eddies[0][lane], eddies[1][lane], eddies[2][lane]);
            let velocity = moved / (3.0 * h) - (air.velocity + drift);
            let [drag, lift] = [self.coefficients[0][lane], self.coefficients[1][lane]];
            let pressed = press([a, b, c], velocity, air.density, [drag, lift]);
            let acts = (drag != 0.0) | (lift != 0.0);
            found[0][lane] = if acts { pressed.force.x / 3.0 } else { 0.0 };
            found[1][lane] = if acts { pressed.force.y / 3.0 } else { 0.0 };
            found[2][lane] = if acts { pressed.force.z / 3.0 } else { 0.0 };
            found[3][lane] = if acts { pressed.steepness / 3.0 } else { 0.0 };
        }
        for (half, forces) in forces.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let column = |k: usize| Vec4::from_slice(&found[k][4 * half..]);
            let columns = Mat4::from_cols(column(0), column(1), column(2), column(3)).transpose();
            *forces = [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis];
        }
    }
}
