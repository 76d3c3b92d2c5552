//! Balloons: what their volumes are and how these yield, one answer for each, and what every participant gets of it.
//!
//! Sums are over pieces of fixed size, then over the pieces of a balloon: many small ones cost what one large one does, and the sums are
//! the same for any number of threads.

use std::ops::Range;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::super::CHUNK;
use super::super::shapes::NONE;
use super::Times;
use super::participants::Participants;
use super::shares::Shares;
use crate::constraints::volume::{Measured, slope};
use crate::particles::ParticleId;
use crate::store::balloons::{Enclosures, PIECE};
use crate::store::{ConstraintKind, Constraints};

#[derive(Default)]
pub(super) struct BalloonWork {
    enclosures: Enclosures,
    participants: Participants,
    positions: Vec<Vec4>,
    /// The faces of each participant.
    shares: Shares,
    /// Pieces of triangles and of participants, and those of each balloon.
    triangle_pieces: Vec<Range<usize>>,
    participant_pieces: Vec<Range<usize>>,
    balloons: Vec<Balloon>,
    /// The balloon of each participant.
    owners: Vec<u32>,
    /// Of each triangle a third of its area vector, and of each participant the sum over its faces.
    areas: Vec<Vec3>,
    slopes: Vec<Vec3>,
    edits: [u64; 2],
    begun: bool,
    pub(super) ahead: bool,
}

#[derive(Clone, Default)]
struct Balloon {
    triangle_pieces: Range<usize>,
    participant_pieces: Range<usize>,
    found: Measured,
    /// Area of its holes, m².
    hole: f32,
    /// What it has done in the sub-step, and did last, Pa·s².
    impulse: f32,
    change: f32,
}

/// What the triangles of a piece add to a balloon.
#[derive(Clone, Copy, Default)]
struct Part {
    volume: f32,
    area: f32,
    hole: f32,
}

impl BalloonWork {
    /// Finds the participants in their slots.
    pub(super) fn locate(&mut self, constraints: &mut Constraints, ids: &[ParticleId]) {
        self.begun = false;
        if self.edits != constraints.balloon_edits() {
            self.list(constraints.enclose());
            self.edits = constraints.balloon_edits();
        }
        if !self.balloons.is_empty() {
            self.participants.locate(ids);
        }
    }

    fn list(&mut self, enclosures: Enclosures) {
        let count = enclosures.participants.len();
        self.participants.enroll(&enclosures.participants);
        self.triangle_pieces.clear();
        self.participant_pieces.clear();
        self.balloons.clear();
        self.owners.clear();
        for (number, balloon) in (0..).zip(&enclosures.list) {
            self.owners.resize(balloon.participants.end, number);
            self.balloons.push(Balloon {
                triangle_pieces: cut(&balloon.triangles, &mut self.triangle_pieces),
                participant_pieces: cut(&balloon.participants, &mut self.participant_pieces),
                ..Balloon::default()
            });
        }
        let faces = |balloon: &crate::store::balloons::Enclosure| balloon.triangles.start..balloon.faces_end;
        let rows = enclosures.list.iter().flat_map(faces);
        self.shares = Shares::of_rows(rows.map(|row| (row as u32, enclosures.triangles[row])), count);
        self.areas.resize(enclosures.triangles.len(), Vec3::ZERO);
        self.slopes.resize(count, Vec3::ZERO);
        self.enclosures = enclosures;
    }

    /// One iteration.
    pub(super) fn solve(&mut self, constraints: &Constraints, predicted: &mut [Vec4], times: Times) {
        if self.balloons.is_empty() {
            return;
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.balloons.iter_mut().for_each(|balloon| balloon.impulse = 0.0);
        }
        self.ahead = true;
        self.participants.fetch(&mut self.positions, predicted);
        let parts = self.measure();
        let yieldings = self.slope();
        for (balloon, enclosure) in self.balloons.iter_mut().zip(&self.enclosures.list) {
            let mut sum = Part::default();
            for part in &parts[balloon.triangle_pieces.clone()] {
                sum.volume += part.volume;
                sum.area += part.area;
                sum.hole += part.hole;
            }
            let inside = &constraints.insides()[enclosure.row as usize];
            balloon.found = Measured {
                volume: sum.volume,
                area: sum.area,
                yielding: yieldings[balloon.participant_pieces.clone()].iter().sum(),
                room: inside.room(),
            };
            balloon.hole = sum.hole;
            balloon.change = inside
                .content()
                .change(balloon.found, balloon.impulse, times.h, times.part);
            balloon.impulse += balloon.change;
        }
        let (slopes, owners, balloons) = (&self.slopes, &self.owners, &self.balloons);
        (&mut self.positions, slopes, owners)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(position, &slope, &owner)| {
                *position += (position.w * balloons[owner as usize].change * slope).extend(0.0);
            });
        self.participants.give_back(&self.positions, predicted);
    }

    /// Finds the area vectors of all triangles; tells what each piece of them adds up to.
    fn measure(&mut self) -> Vec<Part> {
        let (positions, slots) = (&self.positions, &self.participants.slots);
        let triangles = &self.enclosures.triangles;
        (&mut self.areas, triangles)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(area, corners)| {
                let there = corners.iter().all(|&corner| slots[corner as usize] != NONE);
                let places = corners.map(|corner| positions[corner as usize].xyz());
                *area = if there { slope(places) } else { Vec3::ZERO };
            });
        let areas = &self.areas;
        let of_balloon = |balloon: usize| {
            let enclosure = &self.enclosures.list[balloon];
            // Near the surface, so that nothing is lost to rounding.
            let near = positions[enclosure.participants.start].xyz();
            let pieces = &self.triangle_pieces[self.balloons[balloon].triangle_pieces.clone()];
            pieces
                .iter()
                .map(move |piece| (piece.clone(), near, enclosure.faces_end))
        };
        let pieces: Vec<_> = (0..self.balloons.len()).flat_map(of_balloon).collect();
        pieces
            .into_par_iter()
            .with_min_len(CHUNK / PIECE)
            .map(|(piece, near, faces_end)| {
                let mut part = Part::default();
                for triangle in piece {
                    let area = areas[triangle];
                    let size = 3.0 * area.length();
                    part.volume += (positions[triangles[triangle][0] as usize].xyz() - near).dot(area);
                    if triangle < faces_end {
                        part.area += size;
                    } else {
                        part.hole += size;
                    }
                }
                part
            })
            .collect()
    }

    /// Finds how the volume grows with each participant; tells what each piece of them yields.
    fn slope(&mut self) -> Vec<f32> {
        let (shares, areas) = (&self.shares, &self.areas);
        self.slopes
            .par_iter_mut()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(number, slope)| {
                *slope = shares.of(number).iter().map(|share| areas[share.row as usize]).sum();
            });
        let (slopes, positions) = (&self.slopes, &self.positions);
        let pieces = self.participant_pieces.par_iter().with_min_len(CHUNK / PIECE);
        pieces
            .map(|piece| {
                let own = slopes[piece.clone()].iter().zip(&positions[piece.clone()]);
                own.map(|(slope, position)| position.w * slope.length_squared()).sum()
            })
            .collect()
    }

    /// Lets out what leaves through holes in a sub-step.
    pub(super) fn leak(&self, constraints: &mut Constraints, h: f32) {
        if !self.begun {
            return;
        }
        for (balloon, enclosure) in self.balloons.iter().zip(&self.enclosures.list) {
            if enclosure.faces_end < enclosure.triangles.end
                && let Some(inside) = constraints.inside_mut(enclosure.row as usize)
            {
                inside.leak(balloon.found.volume, balloon.impulse / (h * h), balloon.hole, h);
            }
        }
    }

    /// Tells the pressures of the last sub-step.
    pub(super) fn tell(&self, constraints: &mut Constraints, h: f32) {
        let pressures = constraints.batch_mut(ConstraintKind::Balloon).impulses_mut();
        for (balloon, enclosure) in self.balloons.iter().zip(&self.enclosures.list) {
            pressures[enclosure.row as usize] = balloon.impulse / (h * h);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let pieces = self.triangle_pieces.capacity() + self.participant_pieces.capacity();
        self.participants.memory_bytes()
            + self.shares.memory_bytes()
            + 12 * (self.enclosures.triangles.capacity() + self.areas.capacity() + self.slopes.capacity())
            + 8 * self.enclosures.participants.capacity()
            + 16 * (self.positions.capacity() + pieces)
            + size_of::<Balloon>() * self.balloons.capacity()
            + 4 * self.owners.capacity()
    }
}

/// Cuts a range into pieces, the last of them shorter; tells which of all they are.
fn cut(range: &Range<usize>, pieces: &mut Vec<Range<usize>>) -> Range<usize> {
    let first = pieces.len();
    let starts = range.clone().step_by(PIECE);
    pieces.extend(starts.map(|start| start..(start + PIECE).min(range.end)));
    first..pieces.len()
}
