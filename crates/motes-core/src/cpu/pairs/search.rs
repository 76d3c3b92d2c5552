//! The search for neighbours, four candidates at a time.

use std::ops::Range;

use glam::{Vec3, Vec4, Vec4Swizzles};
use wide::f32x4;

use super::list::Filling;
use crate::cpu::grid::{Four, Grid, push_fours};
use crate::cpu::vector::Kernel;
use crate::particles::phase::Phase;

/// What the search looks at.
pub(super) struct Search<'a> {
    pub(super) grid: &'a Grid,
    pub(super) positions: &'a [Vec4],
    pub(super) coordinates: &'a [Vec<f32>; 3],
    pub(super) phases: &'a [Phase],
    /// All particles have one phase and it collides with itself: nothing to filter.
    pub(super) uniform: bool,
    /// Distance squared.
    pub(super) limit: f32,
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
        let Self { search, slots, filling } = self;
        let Filling { ends, firsts, seconds } = filling;
        let mut count = 0;
        // Those that follow the particle in its own row of cells, then those in rows that follow.
        let (mut row, mut rows) = (Vec::with_capacity(16), Vec::with_capacity(64));
        let mut row_end = 0;
        let mut around: Option<u32> = None;
        for i in slots {
            let entry = search.grid.entries()[i];
            if around != Some(entry) {
                row_end = search.grid.after(entry, &mut rows);
                around = Some(entry);
            }
            row.clear();
            push_fours(i as u32 + 1, row_end, &mut row);
            make_room(seconds, count + 4 * (row.len() + rows.len()));
            let found = &mut seconds[count..];
            let point = search.positions[i].xyz();
            let mut near = search.near(point, &row, found);
            near += search.near(point, &rows, &mut found[near..]);
            if !search.uniform || search.positions[i].w == 0.0 {
                near = search.keep(i, &mut found[..near]);
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

fn make_room(list: &mut Vec<u32>, count: usize) {
    if list.len() < count {
        list.reserve_exact(count + count / 4 - list.len());
        list.resize(count + count / 4, 0);
    }
}

impl Search<'_> {
    /// Writes the slots of all candidates near a point to `out`; returns how many there are.
    #[inline(always)]
    fn near(&self, point: Vec3, fours: &[Four], out: &mut [u32]) -> usize {
        let [x, y, z] = point.to_array().map(f32x4::splat);
        let limit = f32x4::splat(self.limit);
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
            let near = (dx * dx + dy * dy + dz * dz).simd_lt(limit).to_bitmask() & mask;
            // All four are written, those that are near first; the next four go over the rest.
            for (out, lane) in out[found..found + 4].iter_mut().zip(CHOSEN[near as usize & 15]) {
                *out = place + lane;
            }
            found += near.count_ones() as usize;
        }
        found
    }

    /// Moves those that may collide with particle `i` to the front; returns how many there are.
    fn keep(&self, i: usize, found: &mut [u32]) -> usize {
        let pinned = self.positions[i].w == 0.0;
        let mut kept = 0;
        for k in 0..found.len() {
            let other = found[k];
            let mut collides = self.phases[i].collides_with(self.phases[other as usize]);
            collides &= !pinned || self.positions[other as usize].w != 0.0;
            found[kept] = other;
            kept += usize::from(collides);
        }
        kept
    }
}
