//! Keeps all particle arrays in the order of the grid, so that neighbours in space are neighbours in memory.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::batch::Source;
use super::batch::{LANES, Rule, RunBlock};
use super::pairs::{Meeting, SizedReach, Solid};
use super::passing::Passing;
use super::predict::destination;
use super::sums::Totals;
use super::vector::{self, Kernel};
use super::{CHUNK, State};
use crate::constraints::relaxation::{self, Averaging};
use crate::particles::rest::RestOverlaps;

impl State {
    /// Lines 6–7: sorts the particles by cell, finds pairs of neighbours, and counts how many contacts each particle's
    /// corrections have to be shared among.
    pub(super) fn find_neighbors(&mut self) {
        let settings = &self.frame.settings;
        let width = self.cell_width();
        let reach = settings.pair_reach(self.bodies.are_inscribed());
        let distance = settings.contact_distance() * reach;
        let left = self.are_left_alone();
        match &self.frame.sizes {
            _ if left => self.grid.leave(self.predicted.len()),
            None => self.grid.sort(&self.predicted, settings.contact_distance() * width),
            Some(sizes) => {
                let phases = &self.particles.phases;
                let radius = |slot: usize| sizes.radius(phases[slot].group());
                self.grid.sort_sizes(&self.predicted, sizes, width, radius);
            }
        }
        let order = self.grid.order();
        let particles = &mut self.particles;
        self.memory.keep(&mut self.pairs);
        self.memory.trace(&particles.ids, order);
        if !left {
            particles.sort_properties(order, &mut self.spares);
            particles.mark_reordered();
            self.memory.keep_ids(&particles.ids);
        }
        self.size_particles();
        self.begin_creatures();
        self.mark_threaded();
        self.predict_again();
        self.locate_bodies();
        self.locate_rows();
        self.locate_pulls();
        self.turn_fields();
        self.turn_inscribed();
        let mut pairs = std::mem::take(&mut self.pairs);
        let source = Source {
            anchors: &self.particles.positions,
            ..self.source(&self.predicted, 0.0)
        };
        let terms = self.terms();
        let sizes = self.frame.sizes.as_ref().map(|sizes| SizedReach {
            sizes,
            radii: &self.radii,
            reach,
        });
        let phases = &self.particles.phases;
        let meeting = Meeting {
            distance,
            sizes,
            rests: RestOverlaps::new(&self.particles, self.frame.settings.contact_distance(), &self.radii),
            solids: (!self.shapes.inscribed.is_empty()).then(|| Solid {
                balls: &self.shapes.inscribed,
                fields: &self.shapes.fields,
                radii: &self.radii,
                radius: self.frame.settings.particle_radius,
                margin: self.frame.settings.pair_reach(false),
            }),
            passing: self.bound_ways().map(|bounds| Passing {
                starts: &self.particles.positions,
                threaded: &self.threaded,
                phases,
                radii: &self.radii,
                radius: self.frame.settings.particle_radius,
                margin: self.frame.settings.pair_reach(false),
                bounds,
            }),
        };
        pairs.build(&self.grid, &self.predicted, phases, &meeting, |block| {
            let rule = Rule::Count;
            vector::run(RunBlock {
                block,
                source: &source,
                rule,
                terms: &terms,
            });
        });
        self.pairs = pairs;
        self.divide();
    }

    /// Whether nobody looks for neighbours, and all are in the order in which those of the last sub-step were: then they keep it.
    fn are_left_alone(&self) -> bool {
        let phases = &self.particles.phases;
        let (frame, ids) = (&self.frame, &self.particles.ids);
        let first = phases.first().filter(|phase| !phase.touches(**phase));
        let are_alike = |first| phases.par_iter().with_min_len(CHUNK).all(|phase| phase == first);
        !frame.fluids
            && frame.foam.is_none()
            && self.passive.is_empty()
            && first.is_some_and(are_alike)
            && self.memory.are_same(ids)
    }

    /// Width of a cell, in distances at which particles touch.
    pub(super) fn cell_width(&self) -> f32 {
        let solids = self.bodies.are_inscribed();
        self.frame.settings.cell_width(self.frame.fluids, solids)
    }

    /// Notes the radius of each particle, where they are not all of one size.
    fn size_particles(&mut self) {
        self.radii.clear();
        if let Some(sizes) = &self.frame.sizes {
            let phases = &self.particles.phases;
            self.radii.resize(phases.len() + 3, 0.0);
            let radii = self.radii.par_iter_mut().zip(phases).with_min_len(CHUNK);
            radii.for_each(|(radius, phase)| *radius = sizes.radius(phase.group()));
        }
    }

    /// Radius of the particle in a slot, metres.
    #[inline]
    pub(super) fn radius(&self, slot: usize) -> f32 {
        if self.radii.is_empty() {
            self.frame.settings.particle_radius
        } else {
            self.radii[slot]
        }
    }

    /// Works out the candidate positions in their new order, which is quicker than to bring them there, and their
    /// coordinates one by one.
    fn predict_again(&mut self) {
        let (h, particles) = (self.h, &self.particles);
        let [x, y, z] = self.pairs.coordinates(particles.len());
        let to = (&mut self.predicted, x, y, z);
        let from = (&particles.positions, &particles.velocities);
        let moves = to.into_par_iter().zip(from.into_par_iter()).with_min_len(CHUNK);
        moves.for_each(|((predicted, x, y, z), (position, velocity))| {
            *predicted = destination(*position, *velocity, h);
            [*x, *y, *z] = predicted.xyz().to_array();
        });
    }

    /// Notes the starting positions and the effective inverse mass of each particle, with its mass split among its neighbours
    /// (Tonge et al. 2012). Every neighbour counts, touching or not: it may come to act during the sub-step, and cohesion acts
    /// at a distance.
    fn divide(&mut self) {
        self.anchors.resize(self.particles.len(), Vec4::ZERO);
        let (pairs, length) = (&self.pairs, self.pairs.length.max(1));
        let (starts, averaging) = (&self.particles.positions, self.frame.settings.averaging);
        self.anchors
            .par_chunks_mut(length)
            .zip(starts.par_chunks(length))
            .enumerate()
            .for_each(|(block, (anchors, starts))| {
                let slots = block * length..block * length + anchors.len();
                vector::run(DivideBlock {
                    diagonal: pairs.totals(0, slots.clone()),
                    mixed: pairs.totals(1, slots),
                    averaging,
                    starts,
                    anchors,
                });
            });
    }
}

/// Finds the effective inverse masses of the particles of a block.
struct DivideBlock<'a> {
    /// What lies on the diagonals of `Σ n nᵀ`, and how many there are (w); the rest.
    diagonal: Totals<'a>,
    mixed: Totals<'a>,
    averaging: Averaging,
    starts: &'a [Vec4],
    anchors: &'a mut [Vec4],
}

impl Kernel for DivideBlock<'_> {
    #[inline(always)]
    fn run(self) {
        let lanes = self.anchors.chunks_mut(LANES).zip(self.starts.chunks(LANES));
        for (batch, (anchors, starts)) in lanes.enumerate() {
            let (diagonal, mixed) = (self.diagonal.at(batch * LANES), self.mixed.at(batch * LANES));
            let mut divisors = [0.0; LANES];
            for lane in 0..LANES {
                let (diagonal, mixed) = (diagonal[lane], mixed[lane]);
                divisors[lane] = relaxation::divisor(self.averaging, diagonal.w, diagonal.xyz(), mixed.xyz());
            }
            for ((anchor, start), divisor) in anchors.iter_mut().zip(starts).zip(divisors) {
                *anchor = start.with_w(divisor * start.w);
            }
        }
    }
}
