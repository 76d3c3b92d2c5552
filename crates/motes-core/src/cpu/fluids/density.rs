//! Liquids keep their density: multipliers from the sums over neighbours, then everybody moves by its own and its neighbours'.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::passes::{Crowd, Crowding, Move, Press, Pressing};
use super::sums::NOWHERE;
use crate::constraints::chebyshev::Pace;
use crate::constraints::density::{self, Beyond, LEEWAY, Lattice, RATE, UNDONE, WallPlane, Wendland};
use crate::constraints::position_based::Filled;
use crate::constraints::sph;
use crate::constraints::sph_kernels::Spiky;
use crate::cpu::collide::{ChunkContacts, ColliderContact};
use crate::cpu::{CHUNK, State};
use crate::particles::phase::Phase;
use crate::settings::Liquids;

/// What densities are worked out with, slot by slot.
#[derive(Default)]
pub(crate) struct FluidWork {
    lattice: Option<(f32, Lattice)>,
    filled: Option<(f32, Filled)>,
    sph_lattice: Option<(f32, sph::Lattice)>,
    /// How many iterations of the sub-step are done.
    iteration: u32,
    /// Places, and one number that neighbours look at; the last is nowhere.
    pub(super) places: Vec<Vec4>,
    /// Velocities, likewise.
    pub(super) velocities: Vec<Vec4>,
    /// Part of each particle's surroundings that lies within walls (w), and how fast it falls along which way (xyz, 1/m).
    pub(super) walls: Vec<Vec4>,
    crowds: Vec<Crowd>,
    pub(super) pressing: Vec<Pressing>,
    /// Halves of artificial pressures; empty without. The last is of nobody.
    pub(super) pushes: Vec<f32>,
    /// Who is too dense from before the sub-step, or near one who is.
    concerned: Vec<AtomicBool>,
}

impl FluidWork {
    pub(crate) fn memory_bytes(&self) -> usize {
        let vectors = [&self.places, &self.velocities, &self.walls].map(Vec::capacity);
        16 * (vectors.iter().sum::<usize>() + self.pressing.capacity())
            + 8 * self.crowds.capacity()
            + 4 * self.pushes.capacity()
            + self.concerned.capacity()
    }

    pub(super) fn lattice(&mut self, smoothing: f32) -> Lattice {
        match self.lattice {
            Some((known, lattice)) if known == smoothing => lattice,
            _ => self.lattice.insert((smoothing, Lattice::new(smoothing))).1,
        }
    }

    pub(super) fn filled(&mut self, smoothing: f32) -> Filled {
        match self.filled {
            Some((known, filled)) if known == smoothing => filled,
            _ => self.filled.insert((smoothing, Filled::new(smoothing))).1,
        }
    }

    /// Counts an iteration; says whether it is the first of the sub-step.
    pub(super) fn advance(&mut self) -> bool {
        self.iteration += 1;
        self.iteration == 1
    }

    pub(super) fn sph_lattice(&mut self, smoothing: f32) -> sph::Lattice {
        match self.sph_lattice {
            Some((known, lattice)) if known == smoothing => lattice,
            _ => self.sph_lattice.insert((smoothing, sph::Lattice::new(smoothing))).1,
        }
    }
}

/// Notes places, and a number of each.
pub(super) fn note(places: &mut Vec<Vec4>, positions: &[Vec4], number: impl Fn(usize) -> f32 + Sync) {
    places.resize(positions.len() + 1, NOWHERE);
    places[positions.len()] = NOWHERE;
    { places.par_iter_mut().zip(positions) }
        .enumerate()
        .with_min_len(CHUNK)
        .for_each(|(slot, (place, position))| *place = position.with_w(number(slot)));
}

/// Which end of the sub-step walls are looked at.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum At {
    Start,
    End,
}

impl State {
    /// Looks at how dense liquids are at the start of the sub-step.
    fn begin_densities(&self, work: &mut FluidWork) {
        self.find_crowds(work, At::Start);
        let fall = self.frame.settings.gravity.length() * self.h * self.h;
        let left = (1.0 - RATE * self.h).max(0.0);
        work.pressing.resize(work.crowds.len(), Pressing::default());
        { work.pressing.par_iter_mut().zip(&work.crowds) }
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(slot, (pressing, crowd))| {
                let leeway = LEEWAY * fall / (2.0 * self.radius(slot));
                pressing.left = left * (crowd.excess - leeway).max(0.0);
            });
    }

    /// Lines 18–20 for densities.
    pub(crate) fn solve_densities(&mut self) {
        let mut work = std::mem::take(&mut self.fluids);
        match self.frame.settings.liquids {
            Liquids::Chebyshev => self.press_apart(&mut work),
            Liquids::PositionBased(settings) => self.constrain_densities(&mut work, settings),
            Liquids::Pcisph => self.correct_pressures(&mut work),
            Liquids::Sph(sph) => {
                if work.advance() {
                    self.push_by_pressures(&mut work, sph);
                }
            }
        }
        self.fluids = work;
    }

    /// One iteration of the multipliers.
    fn press_apart(&mut self, work: &mut FluidWork) {
        let lattice = work.lattice(self.frame.settings.smoothing_radius);
        let pace = Pace::throughout(work.iteration, self.frame.settings.iterations);
        let is_first = work.advance();
        if is_first {
            self.begin_densities(work);
        }
        let FluidWork {
            places,
            walls,
            crowds,
            pressing,
            ..
        } = work;
        self.find_walls(&self.predicted, At::End, lattice.wall, walls);
        note(places, &self.predicted, |slot| crowds[slot].busy);
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            pressing,
            &Press {
                mutual,
                places,
                walls,
                phases: &self.particles.phases,
                inverse_masses: &self.predicted,
                usual: lattice.divisor,
                is_first,
                pace,
            }
        ));
        (&mut *places, &*pressing, &mut self.touched)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(place, pressing, touched)| {
                place.w = pressing.change;
                *touched |= pressing.multiplier > 0.0;
            });
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut self.predicted,
            &Move {
                mutual,
                places,
                walls,
                phases: &self.particles.phases,
                solids: true,
                only: None,
            }
        ));
    }

    /// Before the first iteration of a sub-step.
    pub(crate) fn expect_densities(&mut self) {
        self.fluids.iteration = 0;
    }

    /// Has walls bear what liquids press on them with, once nothing asks any more whether they touch.
    pub(crate) fn press_on_walls(&mut self) {
        if !self.frame.fluids || self.fluids.pressing.len() != self.predicted.len() {
            return;
        }
        let smoothing = self.frame.settings.smoothing_radius;
        match self.frame.settings.liquids {
            Liquids::Sph(_) => {
                let wall = self.fluids.sph_lattice(smoothing).wall;
                self.have_walls_bear::<Spiky>(wall, At::Start);
            }
            Liquids::PositionBased(_) => {
                let wall = self.fluids.filled(smoothing).wall;
                self.have_walls_bear::<Wendland>(wall, At::End);
            }
            _ => {
                let wall = self.fluids.lattice(smoothing).wall;
                self.have_walls_bear::<Wendland>(wall, At::End);
            }
        }
    }

    fn have_walls_bear<K: Beyond>(&mut self, wall: f32, at: At) {
        let smoothing = self.frame.settings.smoothing_radius;
        let places = match at {
            At::Start => &self.particles.positions,
            At::End => &self.predicted,
        };
        let pressing = &self.fluids.pressing;
        { self.contacts.par_iter_mut() }
            .enumerate()
            .for_each(|(chunk, contacts)| {
                for run in contacts.contacts.chunk_by_mut(|a, b| a.offset == b.offset) {
                    let slot = chunk * CHUNK + run[0].offset as usize;
                    let multiplier = pressing[slot].multiplier;
                    if multiplier == 0.0 {
                        continue;
                    }
                    let place = places[slot].xyz();
                    let planes: Vec<WallPlane> =
                        run.iter().map(|contact| plane(contact, place, at, smoothing)).collect();
                    let parts = density::each_walled_by::<K>(planes.iter().copied(), wall);
                    for (contact, part) in run.iter_mut().zip(parts) {
                        let per_reach = 0.5 / (contact.radius * smoothing);
                        contact.normal_sum += multiplier * part * per_reach * contact.inverse_mass;
                    }
                }
            });
    }

    /// Takes back part of the excess from before the sub-step, once velocities are known. Solids stay where their shapes are.
    pub(crate) fn relax_densities(&mut self) {
        if !self.frame.fluids || self.fluids.pressing.par_iter().all(|pressing| pressing.left == 0.0) {
            return;
        }
        let mut work = std::mem::take(&mut self.fluids);
        let lattice = work.lattice(self.frame.settings.smoothing_radius);
        let FluidWork {
            places,
            walls,
            pressing,
            concerned,
            ..
        } = &mut work;
        concerned.clear();
        concerned.resize_with(pressing.len(), AtomicBool::default);
        self.neighbors.for_each(|slot, others| {
            if pressing[slot].left > 0.0 {
                concerned[slot].store(true, Ordering::Relaxed);
                others
                    .iter()
                    .for_each(|&other| concerned[other as usize].store(true, Ordering::Relaxed));
            }
        });
        self.find_walls(&self.predicted, At::End, lattice.wall, walls);
        note(places, &self.predicted, |slot| {
            UNDONE * pressing[slot].left * pressing[slot].step
        });
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut self.predicted,
            &Move {
                mutual,
                places,
                walls,
                phases: &self.particles.phases,
                solids: false,
                only: Some(concerned),
            }
        ));
        self.fluids = work;
    }

    /// By how much each particle is too dense where it is.
    pub(crate) fn density_errors(&mut self) -> Vec<f32> {
        if self.neighbors.particles() != self.particles.len() {
            return Vec::new();
        }
        let mut work = std::mem::take(&mut self.fluids);
        self.find_crowds(&mut work, At::End);
        let errors = work.crowds.iter().map(|crowd| crowd.excess).collect();
        self.fluids = work;
        errors
    }

    fn find_crowds(&self, work: &mut FluidWork, at: At) {
        let lattice = work.lattice(self.frame.settings.smoothing_radius);
        let positions = &self.particles.positions;
        let FluidWork {
            places, walls, crowds, ..
        } = work;
        self.find_walls(positions, at, lattice.wall, walls);
        note(places, positions, |slot| positions[slot].w);
        crowds.resize(positions.len(), Crowd::default());
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            crowds,
            &Crowding {
                mutual,
                places,
                walls,
                phases: &self.particles.phases,
            }
        ));
    }

    /// Notes how far walls reach into the surroundings of liquids.
    pub(super) fn find_walls(&self, positions: &[Vec4], at: At, wall: f32, walls: &mut Vec<Vec4>) {
        self.find_walls_by::<Wendland>(positions, at, wall, walls);
    }

    /// The same by any kernel.
    pub(super) fn find_walls_by<K: Beyond>(&self, positions: &[Vec4], at: At, wall: f32, walls: &mut Vec<Vec4>) {
        walls.clear();
        walls.resize(positions.len(), Vec4::ZERO);
        let (smoothing, phases) = (self.frame.settings.smoothing_radius, &self.particles.phases);
        { walls.par_chunks_mut(CHUNK).zip(&self.contacts) }
            .enumerate()
            .for_each(|(chunk, (walls, ChunkContacts { contacts, .. }))| {
                for planes in contacts.chunk_by(|a, b| a.offset == b.offset) {
                    let (offset, radius) = (planes[0].offset as usize, planes[0].radius);
                    let slot = chunk * CHUNK + offset;
                    if !phases[slot].has(Phase::FLUID) {
                        continue;
                    }
                    let per_reach = 0.5 / (radius * smoothing);
                    let place = positions[slot].xyz();
                    let planes = planes.iter().map(|contact| plane(contact, place, at, smoothing));
                    walls[offset] = density::walled_by::<K>(planes, wall) * Vec3::splat(per_reach).extend(1.0);
                }
            });
    }
}

pub(super) fn plane(contact: &ColliderContact, place: Vec3, at: At, smoothing: f32) -> WallPlane {
    let gap = match at {
        At::Start => contact.gap_at_start(place),
        At::End => contact.gap_at_end(place),
    };
    WallPlane {
        q: (0.5 / (contact.radius * smoothing) * (gap + contact.radius)).max(0.0),
        normal: contact.normal,
    }
}
