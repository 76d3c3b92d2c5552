//! Gauss–Seidel iteration over rows, colour by colour: each colour sees what those before it did.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::super::shapes::NONE;
use super::shared::SharedPositions;
use super::{CHUNK, Times};
use crate::constraints::distance::{SAME_PLACE, may_act, project, target};
use crate::constraints::softness::Response;
use crate::store::batch::{ALIVE, Batch, acts};
use crate::store::{COLORS, CROWDED};

/// One row.
#[derive(Clone, Copy, Default)]
struct Row {
    ends: [u32; 2],
    rest: f32,
    /// What is asked for in the sub-step.
    target: f32,
    response: Response,
    impulse: f32,
}

/// All rows, colour by colour, and within a colour in the order of the store.
pub(super) struct ColoredRows {
    rows: Vec<Row>,
    /// Place in the store of each, and how far it yields; infinite for those that do nothing.
    places: Vec<u32>,
    softness: Vec<f32>,
    /// Where each colour ends.
    ends: Vec<usize>,
    /// Where each row of the store is.
    places_of: Vec<u32>,
    positions: SharedPositions,
}

impl ColoredRows {
    pub(super) fn new(batch: &Batch, numbers: &[u32]) -> Self {
        let alive = |row: &usize| batch.states()[*row] & ALIVE != 0;
        let mut ends = vec![0; COLORS];
        for row in (0..batch.places()).filter(alive) {
            ends[batch.colors()[row] as usize] += 1;
        }
        let mut next = Vec::with_capacity(COLORS);
        let mut count = 0;
        for end in &mut ends {
            next.push(count);
            count += *end;
            *end = count;
        }
        let (mut rows, mut places) = (vec![Row::default(); count], vec![0; count]);
        for row in (0..batch.places()).filter(alive) {
            let place = &mut next[batch.colors()[row] as usize];
            let number = |end: usize| numbers[batch.particles_of(row)[end].index as usize];
            rows[*place].ends = [number(0), number(1)];
            places[*place] = row as u32;
            *place += 1;
        }
        let mut places_of = vec![NONE; batch.places()];
        for (place, &row) in (0..).zip(&places) {
            places_of[row as usize] = place;
        }
        Self {
            places_of,
            softness: vec![f32::INFINITY; count],
            rows,
            places,
            ends,
            positions: SharedPositions::default(),
        }
    }

    /// Fetches rest values and softnesses of all rows.
    pub(super) fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        (&mut self.rows, &mut self.softness, &self.places)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(row, softness, &place)| {
                let place = place as usize;
                let there = row.ends.iter().all(|&end| slots[end as usize] != NONE);
                let act = there && acts(batch.states()[place]);
                row.rest = if act { batch.rest()[place] } else { 0.0 };
                *softness = if act { batch.softness()[place] } else { f32::INFINITY };
            });
    }

    /// Begins a sub-step: no row has done anything yet.
    pub(super) fn begin(&mut self, at_start: &[Vec4], positions: &[Vec4], times: Times) {
        (&mut self.rows, &self.softness)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(row, &softness)| {
                let [a, b] = row.ends.map(|end| positions[end as usize]);
                row.response = match may_act(row.rest, a.xyz().distance_squared(b.xyz())) {
                    true => Response::new(softness, a.w + b.w, times.h, times.part),
                    false => Response::default(),
                };
                let [a, b] = row.ends.map(|end| at_start[end as usize]);
                row.target = target(row.rest, a.xyz().distance(b.xyz()), times.h);
                row.impulse = 0.0;
            });
    }

    /// One iteration.
    pub(super) fn solve(&mut self, positions: &mut [Vec4]) {
        self.positions.take(positions);
        let there = &self.positions;
        let mut first = 0;
        for (color, &end) in self.ends.iter().enumerate() {
            let rows = &mut self.rows[first..end];
            if color == CROWDED as usize {
                rows.iter_mut().for_each(|row| row.solve(there));
            } else if !rows.is_empty() {
                rows.par_iter_mut().with_min_len(CHUNK).for_each(|row| row.solve(there));
            }
            first = end;
        }
        there.give(positions);
    }

    /// As [`EndLists::so_far`](super::ends::EndLists::so_far).
    pub(super) fn so_far(&self, row: u32) -> Option<[f32; 3]> {
        let place = self.places_of[row as usize] as usize;
        let row = self.rows.get(place).filter(|row| row.response.step != 0.0)?;
        let so_far = [row.target, row.response.compliance, row.impulse];
        (self.softness[place] >= 0.0).then_some(so_far)
    }

    /// Adds to what a row has done in the sub-step.
    pub(super) fn change(&mut self, row: u32, more: f32) {
        if let Some(row) = self.rows.get_mut(self.places_of[row as usize] as usize) {
            row.impulse += more;
        }
    }

    /// Tells what each row has done in the sub-step.
    pub(super) fn impulses(&self, to: &mut [f32]) {
        for (row, &place) in self.rows.iter().zip(&self.places) {
            to[place as usize] = row.impulse;
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Row>() * self.rows.capacity()
            + 4 * (self.places.capacity() + self.places_of.capacity() + self.softness.capacity())
            + self.positions.memory_bytes()
    }
}

impl Row {
    #[inline]
    fn solve(&mut self, positions: &SharedPositions) {
        if self.response.step == 0.0 {
            return;
        }
        let [a, b] = self.ends.map(|end| positions.get(end));
        let offset = a.xyz() - b.xyz();
        let length = offset.length();
        let more = project(length, self.target, self.impulse, self.response);
        self.impulse += more;
        let push: Vec3 = more / length.max(SAME_PLACE) * offset;
        positions.set(self.ends[0], a + (a.w * push).extend(0.0));
        positions.set(self.ends[1], b - (b.w * push).extend(0.0));
    }
}
