//! Shadow maps looked up for a batch of points at once.

use super::footprint::Footprint;
use super::light_map::{BLOCK, LightMap};
use glam::Vec3A;

/// Points in a batch.
pub(crate) const BATCH: usize = 32;

/// A number for each point of a batch.
pub(crate) type Column = [f32; BATCH];

/// Points of surfaces and their unit normals in camera space, coordinate by coordinate.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    pub(crate) place: [Column; 3],
    pub(crate) normal: [Column; 3],
}

impl Points {
    pub(crate) fn new() -> Self {
        Self {
            place: [[0.0; BATCH]; 3],
            normal: [[0.0; BATCH]; 3],
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, number: usize, place: Vec3A, normal: Vec3A) {
        for axis in 0..3 {
            self.place[axis][number] = place[axis];
            self.normal[axis][number] = normal[axis];
        }
    }

    /// Fills the places from `count` on with the one before, so that they stay near the others.
    pub(crate) fn pad(&mut self, count: usize) {
        for column in self.place.iter_mut().chain(&mut self.normal) {
            let last = column[count - 1];
            column[count..].fill(last);
        }
    }

    /// Dot products of all normals with a vector.
    #[inline(always)]
    pub(crate) fn normals_dot(&self, vector: Vec3A) -> Column {
        let [x, y, z] = vector.to_array();
        let mut dots = [0.0; BATCH];
        for (i, dot) in dots.iter_mut().enumerate() {
            *dot = self.normal[0][i] * x + self.normal[1][i] * y + self.normal[2][i] * z;
        }
        dots
    }
}

/// How points are looked up in a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    /// How far a point is moved off its surface, metres.
    pub(crate) offset: f32,
    /// Inverse of the height difference over which light turns into shadow, 1/m.
    pub(crate) hardness: f32,
}

impl Lookup {
    /// How much light reaches each point, 0 to 1, from the four texels around it.
    #[inline(always)]
    pub(crate) fn light(&self, map: &LightMap, points: &Points, footprint: &mut Footprint, light: &mut Column) {
        // Adding 2²³ leaves no digits behind the point; it is cheaper than casts, which check for overflow.
        const SHIFT: f32 = 8_388_608.0;
        let [columns, rows] = [map.columns, map.rows];
        let towards = map.towards;
        let origin = map.origin;
        let last = map.size.map(|size| size as f32 - 1.0);
        let stride = map.size[0];
        let (mut column, mut row) = ([0; BATCH], [0; BATCH]);
        let (mut right, mut down, mut height) = ([0.0; BATCH], [0.0; BATCH], [0.0; BATCH]);
        for i in 0..BATCH {
            let x = points.place[0][i] + points.normal[0][i] * self.offset;
            let y = points.place[1][i] + points.normal[1][i] * self.offset;
            let z = points.place[2][i] + points.normal[2][i] * self.offset;
            height[i] = towards.x * x + towards.y * y + towards.z * z + origin[2];
            let across = within(columns.x * x + columns.y * y + columns.z * z + origin[0], last[0]);
            let along = within(rows.x * x + rows.y * y + rows.z * z + origin[1], last[1]);
            let (shifted_across, shifted_along) = ((across - 1.0) + SHIFT, (along - 1.0) + SHIFT);
            column[i] = shifted_across.to_bits() & 0x7f_ffff;
            row[i] = shifted_along.to_bits() & 0x7f_ffff;
            right[i] = across - 0.5 - (shifted_across - SHIFT);
            down[i] = along - 0.5 - (shifted_along - SHIFT);
        }
        let reach = reach(&column, &row, &height);
        footprint.include(&reach);
        if is_open(map, &reach) {
            light.fill(1.0);
            return;
        }
        let mut texels = [[0.0; 4]; BATCH];
        for i in 0..BATCH {
            let start = row[i] as usize * stride + column[i] as usize;
            let upper = &map.heights[start..start + 2];
            let lower = &map.heights[start + stride..start + stride + 2];
            texels[i] = [upper[0], upper[1], lower[0], lower[1]];
        }
        for i in 0..BATCH {
            let [a, b, c, d] = texels[i].map(|blocker| unit(1.0 - (blocker - height[i]) * self.hardness));
            let upper = a + (b - a) * right[i];
            let lower = c + (d - c) * right[i];
            light[i] = upper + (lower - upper) * down[i];
        }
    }
}

/// The texels around all points, and the lowest of these.
#[inline(always)]
fn reach(column: &[u32; BATCH], row: &[u32; BATCH], height: &Column) -> Footprint {
    let mut lowest = height[0];
    let (mut left, mut right) = (column[0], column[0]);
    let (mut top, mut bottom) = (row[0], row[0]);
    for i in 0..BATCH {
        lowest = if height[i] < lowest { height[i] } else { lowest };
        left = left.min(column[i]);
        right = right.max(column[i]);
        top = top.min(row[i]);
        bottom = bottom.max(row[i]);
    }
    Footprint {
        first: [left, top],
        last: [right + 1, bottom + 1],
        lowest,
    }
}

/// Whether nothing in the map is higher than any of the points, near them.
#[inline(always)]
fn is_open(map: &LightMap, reach: &Footprint) -> bool {
    let blocks_per_row = map.size[0].div_ceil(BLOCK);
    let [left, top] = reach.first.map(|texel| texel as usize / BLOCK);
    let [right, bottom] = reach.last.map(|texel| texel as usize / BLOCK);
    let mut highest = f32::NEG_INFINITY;
    for row in top..=bottom {
        for &block in &map.block_heights[row * blocks_per_row + left..=row * blocks_per_row + right] {
            highest = if block > highest { block } else { highest };
        }
    }
    highest <= reach.lowest
}

/// A place kept where there is a texel on either side.
#[inline(always)]
fn within(place: f32, last: f32) -> f32 {
    let place = if place > 1.0 { place } else { 1.0 };
    if place < last { place } else { last }
}

/// A number kept from 0 to 1.
#[inline(always)]
fn unit(value: f32) -> f32 {
    let value = if value > 0.0 { value } else { 0.0 };
    if value < 1.0 { value } else { 1.0 }
}
