//! Pairs that pass each other within a sub-step where one of them is of a sheet, a net or a rope: found by their ways, and seen where
//! they met. Worlds without such particles do not come here.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::batch::{EMPTY, LANES, Quad, Source, get, put, set};
use super::grid::Grid;
use super::pairs::Slots;
use super::touching::Sizing;
use super::{CHUNK, State};
use crate::constraints::sweep;
use crate::particles::phase::Phase;

/// From where a batch sees the first particle of each pair from the second, each a type, so that worlds pay only for what is in them.
pub(super) trait Ways: Default {
    fn fill(&mut self, slots: Slots, source: &Source, offset: &Quad, sizing: &impl Sizing);
    fn seen<'a>(&'a self, offset: &'a Quad) -> &'a Quad;
    /// The gap of a pair that is at `offset` if it was found to be `gap` where it is seen.
    fn gap(gap: f32, normal: Vec3, offset: Vec3, seen: Vec3) -> f32;
}

/// As they are at the end of the sub-step.
#[derive(Default)]
pub(super) struct AtEnd;

impl Ways for AtEnd {
    #[inline(always)]
    fn fill(&mut self, _: Slots, _: &Source, _: &Quad, _: &impl Sizing) {}

    #[inline(always)]
    fn seen<'a>(&'a self, offset: &'a Quad) -> &'a Quad {
        offset
    }

    #[inline(always)]
    fn gap(gap: f32, _: Vec3, _: Vec3, _: Vec3) -> f32 {
        gap
    }
}

/// Those that have passed each other where they met.
pub(super) struct WhereMet {
    seen: Quad,
}

impl Default for WhereMet {
    fn default() -> Self {
        Self { seen: EMPTY }
    }
}

impl Ways for WhereMet {
    #[inline(always)]
    fn fill(&mut self, slots: Slots, source: &Source, offset: &Quad, sizing: &impl Sizing) {
        const REVERSED: Vec4 = Vec4::new(-1.0, -1.0, -1.0, 1.0);
        let anchors = slots.read(source.anchors);
        for lane in (0..LANES).step_by(4) {
            let row = |k: usize| {
                let (a, b) = anchors(lane + k);
                a + b * REVERSED
            };
            put(&mut self.seen, lane, [row(0), row(1), row(2), row(3)]);
        }
        let mut is_threaded = [0.0; LANES];
        for (lane, is_threaded) in is_threaded.iter_mut().enumerate() {
            let [a, b] = slots.lane(lane).map(|slot| source.threaded[slot as usize]);
            *is_threaded = a + b;
        }
        for lane in 0..LANES {
            let end = get(offset, lane);
            let met = sweep::seen(end, end - get(&self.seen, lane), sizing.contact(lane));
            let seen = [end, met][usize::from(is_threaded[lane] > 0.0)];
            set(&mut self.seen, lane, seen);
        }
    }

    #[inline(always)]
    fn seen<'a>(&'a self, _: &'a Quad) -> &'a Quad {
        &self.seen
    }

    #[inline(always)]
    fn gap(gap: f32, normal: Vec3, offset: Vec3, seen: Vec3) -> f32 {
        gap + (offset - seen).dot(normal)
    }
}

/// What the search for pairs looks at besides where particles are at the end.
#[derive(Clone, Copy)]
pub(super) struct Passing<'a> {
    /// Where they start.
    pub(super) starts: &'a [Vec4],
    /// 1 for those of sheets, nets and ropes.
    pub(super) threaded: &'a [f32],
    pub(super) phases: &'a [Phase],
    /// Radius of each, where they are of several sizes; else empty, and that of all.
    pub(super) radii: &'a [f32],
    pub(super) radius: f32,
    /// How far neighbours are listed, in distances at which they touch.
    pub(super) margin: f32,
    pub(super) bounds: Bounds,
}

impl Passing<'_> {
    fn radius(&self, slot: usize) -> f32 {
        self.radii.get(slot).copied().unwrap_or(self.radius)
    }

    /// Appends those in higher slots that have passed a particle, but for those that are listed.
    pub(super) fn find(&self, i: usize, grid: &Grid, ends: &[Vec4], listed: &[u32], found: &mut Vec<u32>) {
        let (end, start) = (ends[i], self.starts[i]);
        let (radius, moved) = (self.radius(i), (end - start).xyz());
        let is_threaded = self.threaded[i] > 0.0;
        let Some(furthest) = self.bounds.furthest_from(moved, is_threaded) else {
            return;
        };
        let aside = |level: usize| grid.cells_within(furthest, level).min(MOST_CELLS);
        grid.around(end.xyz(), aside, |from, to| {
            for j in (from.max(i as u32 + 1))..to {
                let other = j as usize;
                let offset = (end - ends[other]).xyz();
                let way = moved - (ends[other] - self.starts[other]).xyz();
                if offset.length_squared() < way.length_squared()
                    && (is_threaded || self.threaded[other] > 0.0)
                    && sweep::have_passed(offset, way, [radius, self.radius(other)], self.margin)
                    && self.phases[i].touches(self.phases[other])
                    && (end.w != 0.0 || ends[other].w != 0.0)
                    && !listed.contains(&j)
                {
                    found.push(j);
                }
            }
        });
    }
}

/// Cells on either side of its own that a particle looks at, at most, on each level: those that [`sweep::FURTHEST`] asks for.
const MOST_CELLS: u32 = sweep::FURTHEST as u32;

/// The least and the greatest ways of some particles, coordinate by coordinate.
#[derive(Clone, Copy)]
struct Box3 {
    least: Vec3,
    most: Vec3,
}

impl Box3 {
    const NONE: Self = Self {
        least: Vec3::INFINITY,
        most: Vec3::NEG_INFINITY,
    };

    fn with(self, way: Vec3) -> Self {
        Self {
            least: self.least.min(way),
            most: self.most.max(way),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }
}

/// How far particles go in a sub-step if nothing is in the way.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    all: Box3,
    threaded: Box3,
    /// How far any two move relative to each other that are looked for, metres, at least.
    near: f32,
}

impl Bounds {
    /// How far one that goes some way and any that it may be caught by may move relative to each other at most, metres, if that is further than
    /// neighbours are looked for.
    fn furthest_from(&self, way: Vec3, is_threaded: bool) -> Option<f32> {
        let others = if is_threaded { self.all } else { self.threaded };
        let furthest = (way - others.least).max(others.most - way).max(Vec3::ZERO).length();
        (furthest > self.near).then_some(furthest)
    }
}

impl State {
    /// Marks the particles of sheets, nets and ropes: those that may overlap at rest.
    pub(super) fn mark_threaded(&mut self) {
        self.threaded.clear();
        let particles = &self.particles;
        if particles.rest_positions.is_stored() {
            let is_threaded = |phase: &Phase| f32::from(u8::from(phase.has(Phase::IGNORE_REST_OVERLAPS)));
            let marks = particles.phases.par_iter().with_min_len(CHUNK).map(is_threaded);
            self.threaded.par_extend(marks);
        }
    }

    /// How far particles go in the sub-step, if any of a sheet, net or rope may pass another further than neighbours are looked for.
    pub(super) fn bound_ways(&self) -> Option<Bounds> {
        if self.threaded.is_empty() {
            return None;
        }
        let add = |[all, threaded]: [Box3; 2], (end, start, is_threaded): (&Vec4, &Vec4, &f32)| {
            let way = (*end - *start).xyz();
            let threaded = if *is_threaded > 0.0 {
                threaded.with(way)
            } else {
                threaded
            };
            [all.with(way), threaded]
        };
        let ways = (&self.predicted, &self.particles.positions, &self.threaded).into_par_iter();
        let [all, threaded] = ways
            .with_min_len(CHUNK)
            .fold(|| [Box3::NONE; 2], add)
            .reduce(|| [Box3::NONE; 2], |[a, b], [c, d]| [a.and(c), b.and(d)]);
        let usual = self.frame.settings.particle_radius;
        let radius = self.frame.sizes.as_ref().map_or(usual, |sizes| sizes.smallest());
        let near = sweep::LEAST * 2.0 * radius * self.frame.settings.pair_reach(false);
        let furthest = (all.most - threaded.least).max(threaded.most - all.least);
        (furthest.max(Vec3::ZERO).length() > near).then_some(Bounds { all, threaded, near })
    }
}
