//! The broad phase of the search for neighbours: distances to four candidates at a time.

use std::ops::Range;

use glam::{Vec3, Vec4, Vec4Swizzles};
use wide::f32x4;

use super::list::Filling;
use crate::constraints::inscribed::InscribedBall;
use crate::constraints::solids;
use crate::constraints::surface::SurfaceField;
use crate::cpu::grid::{Four, Grid, push_fours};
use crate::cpu::passing::Passing;
use crate::cpu::vector::Kernel;
use crate::particles::phase::Phase;
use crate::particles::rest::RestOverlaps;
use crate::particles::sizes::Sizes;

/// What the search looks at.
pub(super) struct Search<'a> {
    pub(super) grid: &'a Grid,
    pub(super) positions: &'a [Vec4],
    pub(super) coordinates: &'a [Vec<f32>; 3],
    pub(super) phases: &'a [Phase],
    /// All particles have one phase and touch each other: nothing to filter.
    pub(super) uniform: bool,
    /// All particles have one phase and do not touch each other: nothing to find.
    pub(super) apart: bool,
    /// Distance within which particles of one size are neighbours.
    pub(super) distance: f32,
    /// Where they are of several sizes.
    pub(super) sizes: Option<SizedReach<'a>>,
    /// Where particles have rest positions.
    pub(super) rests: Option<RestOverlaps<'a>>,
    /// Where bodies have inscribed balls.
    pub(super) solids: Option<Solid<'a>>,
    /// Where some may have passed each other.
    pub(super) passing: Option<Passing<'a>>,
}

/// Particles of bodies with inscribed balls look for each other further away than others do, and list each other where these come near.
#[derive(Clone, Copy)]
pub(crate) struct Solid<'a> {
    pub(crate) balls: &'a [InscribedBall],
    pub(crate) fields: &'a [SurfaceField],
    /// Radius of each particle, where they are of several sizes; else empty, and that of all.
    pub(crate) radii: &'a [f32],
    pub(crate) radius: f32,
    /// How far others are listed, in contact distances.
    pub(crate) margin: f32,
}

/// Others that are looked at side by side.
const SIDE_BY_SIDE: usize = 8;

impl Solid<'_> {
    /// Moves those that particle `i` lists to the front; returns how many there are.
    #[inline(always)]
    fn keep(&self, i: usize, positions: &[Vec4], found: &mut [u32]) -> usize {
        let mut kept = 0;
        for first in (0..found.len()).step_by(SIDE_BY_SIDE) {
            let count = (found.len() - first).min(SIDE_BY_SIDE);
            let mut others = [found[first]; SIDE_BY_SIDE];
            others[..count].copy_from_slice(&found[first..first + count]);
            let are_near = self.come_near(i, positions, &others);
            for k in 0..count {
                found[kept] = others[k];
                kept += usize::from(are_near[k]);
            }
        }
        kept
    }

    /// Which of some others particle `i` lists. One array per number, so that the compiler makes vector code of it.
    #[inline(always)]
    fn come_near(&self, i: usize, positions: &[Vec4], others: &[u32; SIDE_BY_SIDE]) -> [bool; SIDE_BY_SIDE] {
        let mut are_near = [false; SIDE_BY_SIDE];
        let (mut places, mut fields, mut balls) = (
            [[0.0; SIDE_BY_SIDE]; 4],
            [[0.0; SIDE_BY_SIDE]; 4],
            [[0.0; SIDE_BY_SIDE]; 4],
        );
        let mut radii = [self.radius; SIDE_BY_SIDE];
        for k in 0..SIDE_BY_SIDE {
            let other = others[k] as usize;
            let (place, field, ball) = (positions[other], self.fields[other], self.balls[other]);
            for axis in 0..4 {
                places[axis][k] = place[axis];
                fields[axis][k] = field[axis];
                balls[axis][k] = ball[axis];
            }
            if !self.radii.is_empty() {
                radii[k] = self.radii[other];
            }
        }
        let radius = self.radii.get(i).copied().unwrap_or(self.radius);
        let (here, field, ball) = (positions[i].xyz(), self.fields[i], self.balls[i]);
        for k in 0..SIDE_BY_SIDE {
            let offset = here - Vec3::new(places[0][k], places[1][k], places[2][k]);
            let other = Vec4::new(balls[0][k], balls[1][k], balls[2][k], balls[3][k]);
            let other_field = Vec4::new(fields[0][k], fields[1][k], fields[2][k], fields[3][k]);
            let reach = self.margin * (radius + radii[k]);
            let touch = solids::come_near(offset, [field, other_field], [ball, other], [radius, radii[k]]);
            let is_solid = solids::are_solid([ball, other]);
            are_near[k] = (is_solid & touch) | (!is_solid & (offset.length_squared() < reach * reach));
        }
        are_near
    }
}

/// How far particles look for others.
pub(super) trait Reach {
    /// What [`Grid::after`] says of particle `i`, which is in an entry.
    fn after(&self, search: &Search, i: usize, entry: u32, rows: &mut Vec<Four>) -> u32;
    /// Whether all particles in an entry look at the same cells as particle `i`.
    fn shares_cells(&self, i: usize) -> bool;
    /// Squared distances within which four particles from a place on are neighbours of one with radius `own`.
    fn limits(&self, own: f32x4, at: usize) -> f32x4;
    /// Radius of a particle, where it matters.
    fn radius(&self, i: usize) -> f32;
    /// Level of a particle.
    fn level(&self, i: usize) -> usize;
}

/// All equally far.
pub(super) struct OneReach {
    limit: f32x4,
}

impl OneReach {
    #[inline(always)]
    pub(super) fn new(distance: f32) -> Self {
        Self {
            limit: f32x4::splat(distance * distance),
        }
    }
}

impl Reach for OneReach {
    #[inline(always)]
    fn after(&self, search: &Search, _: usize, entry: u32, rows: &mut Vec<Four>) -> u32 {
        search.grid.after(entry, rows)
    }

    #[inline(always)]
    fn shares_cells(&self, _: usize) -> bool {
        true
    }

    #[inline(always)]
    fn limits(&self, _: f32x4, _: usize) -> f32x4 {
        self.limit
    }

    #[inline(always)]
    fn radius(&self, _: usize) -> f32 {
        0.0
    }

    #[inline(always)]
    fn level(&self, _: usize) -> usize {
        0
    }
}

/// Each by its radius and that of the other.
#[derive(Clone, Copy)]
pub(crate) struct SizedReach<'a> {
    pub(crate) sizes: &'a Sizes,
    /// Radius of each particle, padded to be read four at a time.
    pub(crate) radii: &'a [f32],
    /// How far neighbours are listed, in contact distances.
    pub(crate) reach: f32,
}

impl Reach for SizedReach<'_> {
    #[inline(always)]
    fn after(&self, search: &Search, i: usize, entry: u32, rows: &mut Vec<Four>) -> u32 {
        let from = (entry, search.positions[i].xyz(), self.level(i));
        search.grid.after_on_levels(self.sizes, from, rows)
    }

    /// On levels below its own, where cells are smaller, each looks at those around itself.
    #[inline(always)]
    fn shares_cells(&self, i: usize) -> bool {
        self.level(i) == 0
    }

    #[inline(always)]
    fn limits(&self, own: f32x4, at: usize) -> f32x4 {
        let others = &self.radii[at..at + 4];
        let sums = f32x4::new([others[0], others[1], others[2], others[3]]) + own;
        let distance = sums * f32x4::splat(self.reach);
        distance * distance
    }

    #[inline(always)]
    fn radius(&self, i: usize) -> f32 {
        self.radii[i]
    }

    #[inline(always)]
    fn level(&self, i: usize) -> usize {
        self.sizes.level(self.radii[i])
    }
}

/// The search for the pairs of one block.
pub(super) struct ListBlock<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) slots: Range<usize>,
    pub(super) filling: &'a mut Filling,
}

impl Kernel for ListBlock<'_> {
    #[inline(always)]
    fn run(self) {
        let search = self.search;
        match search.sizes {
            None => self.list(&OneReach::new(search.distance)),
            Some(reach) => self.list(&reach),
        }
    }
}

impl ListBlock<'_> {
    #[inline(always)]
    fn list(self, reach: &impl Reach) {
        let Self { search, slots, filling } = self;
        let Filling { ends, firsts, seconds } = filling;
        if search.apart {
            ends.resize(slots.len(), 0);
            return;
        }
        let mut count = 0;
        // Those that follow the particle in its own row of cells, then those in rows that follow.
        let (mut row, mut rows) = (Vec::with_capacity(16), Vec::with_capacity(64));
        let mut passed = Vec::new();
        let mut row_end = 0;
        let mut around: Option<u32> = None;
        for i in slots {
            let entry = search.grid.entries()[i];
            if around != Some(entry) || !reach.shares_cells(i) {
                row_end = reach.after(search, i, entry, &mut rows);
                around = Some(entry);
            }
            row.clear();
            push_fours(i as u32 + 1, row_end, &mut row);
            make_room(seconds, count + 4 * (row.len() + rows.len()));
            let found = &mut seconds[count..];
            let point = search.positions[i].xyz();
            let radius = reach.radius(i);
            let mut near = search.near(reach, radius, point, &row, found);
            near += search.near(reach, radius, point, &rows, &mut found[near..]);
            if !search.uniform || search.positions[i].w == 0.0 {
                near = search.keep(i, &mut found[..near]);
            }
            if let Some(solids) = &search.solids {
                near = solids.keep(i, search.positions, &mut found[..near]);
            }
            if let Some(passing) = &search.passing {
                near += search.pass(passing, i, seconds, count..count + near, &mut passed);
            }
            make_room(firsts, count + near + ROOM);
            let own = &mut firsts[count..];
            own[..ROOM].fill(i as u32);
            if near > ROOM {
                own[..near].fill(i as u32);
            }
            count += near;
            ends.push(count as u32);
        }
    }
}

/// For every choice of four lanes, the chosen ones in front.
const CHOSEN: [[u32; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut choice = 0;
    while choice < 16 {
        let (mut lane, mut place) = (0, 0);
        while lane < 4 {
            if choice >> lane & 1 == 1 {
                table[choice][place] = lane as u32;
                place += 1;
            }
            lane += 1;
        }
        choice += 1;
    }
    table
};

/// Most pairs that a particle usually has: as many slots are written at once, whatever their number is.
const ROOM: usize = 8;

pub(super) fn make_room(list: &mut Vec<u32>, count: usize) {
    if list.len() < count {
        list.reserve_exact(count + count / 4 - list.len());
        list.resize(count + count / 4, 0);
    }
}

impl Search<'_> {
    /// Writes the slots of all candidates near a point to `out`; returns how many there are.
    #[inline(always)]
    pub(super) fn near(&self, reach: &impl Reach, radius: f32, point: Vec3, fours: &[Four], out: &mut [u32]) -> usize {
        let [x, y, z] = point.to_array().map(f32x4::splat);
        let radius = f32x4::splat(radius);
        // Of one length and with room for four, which spares the compiler all but one check.
        let [xs, ys, zs] = &self.coordinates;
        let count = xs.len();
        let (ys, zs) = (&ys[..count], &zs[..count]);
        let mut found = 0;
        for &Four { place, mask } in fours {
            let at = place as usize;
            if at + 4 > count || found + 4 > out.len() {
                break;
            }
            let four = |values: &[f32]| f32x4::new([values[at], values[at + 1], values[at + 2], values[at + 3]]);
            let (dx, dy, dz) = (four(xs) - x, four(ys) - y, four(zs) - z);
            let near = (dx * dx + dy * dy + dz * dz)
                .simd_lt(reach.limits(radius, at))
                .to_bitmask()
                & mask;
            // All four are written, those that are near first; the next four go over the rest.
            for (out, lane) in out[found..found + 4].iter_mut().zip(CHOSEN[near as usize & 15]) {
                *out = place + lane;
            }
            found += near.count_ones() as usize;
        }
        found
    }

    /// Lists those that have passed particle `i` behind those of a range of places; returns how many there are.
    #[inline(never)]
    fn pass(
        &self,
        passing: &Passing<'_>,
        i: usize,
        seconds: &mut Vec<u32>,
        listed: Range<usize>,
        passed: &mut Vec<u32>,
    ) -> usize {
        passed.clear();
        let end = listed.end;
        passing.find(i, self.grid, self.positions, &seconds[listed], passed);
        if let Some(rests) = &self.rests {
            let kept = leave_out(rests, i, passed);
            passed.truncate(kept);
        }
        make_room(seconds, end + passed.len());
        seconds[end..end + passed.len()].copy_from_slice(passed);
        passed.len()
    }

    /// Moves those that touch particle `i` to the front; returns how many there are.
    fn keep(&self, i: usize, found: &mut [u32]) -> usize {
        let pinned = self.positions[i].w == 0.0;
        let mut kept = 0;
        for k in 0..found.len() {
            let other = found[k];
            let mut touches = self.phases[i].touches(self.phases[other as usize]);
            touches &= !pinned || self.positions[other as usize].w != 0.0;
            found[kept] = other;
            kept += usize::from(touches);
        }
        match &self.rests {
            Some(rests) if self.phases[i].has(Phase::IGNORE_REST_OVERLAPS) => leave_out(rests, i, &mut found[..kept]),
            _ => kept,
        }
    }
}

/// Moves those that do not overlap particle `i` at rest to the front; returns how many there are.
fn leave_out(rests: &RestOverlaps<'_>, i: usize, found: &mut [u32]) -> usize {
    let mut kept = 0;
    for k in 0..found.len() {
        let other = found[k];
        found[kept] = other;
        kept += usize::from(!rests.contains(i, other as usize));
    }
    kept
}
