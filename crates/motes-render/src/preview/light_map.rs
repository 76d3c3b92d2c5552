//! The shadow map of one direction of light: an orthographic height field seen from the light.

mod meshes;

use super::bounds::Bounds;
use super::casters::{Caster, Plan};
use super::floors::Floors;
use super::footprint::Footprint;
use super::vector::{self, Kernel};
use super::view::View;
use glam::{Affine3A, Mat3, Vec3, Vec4};
pub(crate) use meshes::MeshScratch;

/// Radius below which a sphere is drawn as a dot, texels.
const SMALL: f32 = 1.3;

/// Texels along the side of the blocks whose greatest height is known.
pub(crate) const BLOCK: usize = 16;

/// Spheres that are drawn before a first look at which parts of the map are covered; the next looks are half as many again
/// later.
const FIRST_LOOK: usize = 1024;

/// Texels along the side of the cells whose changes are known.
pub(crate) const CELL: usize = 4;

/// Where a map lies in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MapFrame {
    /// The point that heights are measured from, metres.
    middle: Vec3,
    /// Unit vector to the light.
    towards: Vec3,
    /// Texels per metre along the columns and along the rows.
    columns: Vec3,
    rows: Vec3,
    /// Texel coordinates of the middle.
    origin: [f32; 2],
    size: [usize; 2],
    /// Side of a texel, metres.
    texel: f32,
}

impl MapFrame {
    /// A map over `bounds`, with `resolution` texels along its longer side.
    pub(crate) fn new(bounds: &Bounds, towards: Vec3, resolution: u32) -> Self {
        const BORDER: f32 = 3.0;
        let (columns, rows) = towards.any_orthonormal_pair();
        let middle = bounds.middle();
        let corners = bounds.corners().map(|corner| {
            let corner = corner - middle;
            [corner.dot(columns), corner.dot(rows)]
        });
        let least = |axis: usize| corners.iter().fold(f32::INFINITY, |min, corner| min.min(corner[axis]));
        let most = |axis: usize| {
            corners
                .iter()
                .fold(f32::NEG_INFINITY, |max, corner| max.max(corner[axis]))
        };
        let (min, max) = ([least(0), least(1)], [most(0), most(1)]);
        let extent = (max[0] - min[0]).max(max[1] - min[1]).max(1e-6);
        let texel = extent / (resolution.max(16) as f32 - 2.0 * BORDER);
        let per_metre = 1.0 / texel;
        Self {
            middle,
            towards,
            columns: columns * per_metre,
            rows: rows * per_metre,
            origin: [0, 1].map(|axis| BORDER - min[axis] * per_metre),
            size: [0, 1].map(|axis| ((max[axis] - min[axis]) * per_metre + 2.0 * BORDER).ceil() as usize),
            texel,
        }
    }

    pub(crate) fn texels(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// Column, row and height of a point of the world; texel centres are at halves.
    fn place(&self, point: Vec3) -> Vec3 {
        let point = point - self.middle;
        Vec3::new(
            point.dot(self.columns) + self.origin[0],
            point.dot(self.rows) + self.origin[1],
            point.dot(self.towards),
        )
    }

    /// From something with a pose in the world to column, row and height.
    fn transform(&self, pose: &Affine3A) -> Affine3A {
        let axes = Mat3::from_cols(self.columns, self.rows, self.towards).transpose();
        let place = self.place(pose.translation.into());
        Affine3A::from_mat3_translation(axes * Mat3::from(pose.matrix3), place)
    }
}

/// Heights towards the light of whatever is nearest to it.
#[derive(Debug, Default)]
pub(crate) struct LightMap {
    frame: MapFrame,
    /// Unit vector to the light, in camera space.
    pub(crate) towards: Vec3,
    /// Texels per metre along the columns and along the rows, in camera space.
    pub(crate) columns: Vec3,
    pub(crate) rows: Vec3,
    /// Texel coordinates and height of the camera.
    pub(crate) origin: [f32; 3],
    pub(crate) size: [usize; 2],
    /// Side of a texel, metres.
    pub(crate) texel: f32,
    pub(crate) heights: Vec<f32>,
    /// The greatest height of every block of [`BLOCK`] × [`BLOCK`] texels, row by row.
    pub(crate) block_heights: Vec<f32>,
    /// What does not move; empty if there is nothing of the kind.
    still: Vec<f32>,
    /// The heights in the picture before.
    before: Vec<f32>,
    /// The greatest height, before or after, of whatever has changed in every cell of [`CELL`] × [`CELL`] texels; empty
    /// if nothing has.
    changes: Vec<f32>,
}

impl LightMap {
    pub(crate) fn frame(&self) -> &MapFrame {
        &self.frame
    }

    /// Lays the map over another part of the world, or sees the same one from another camera.
    pub(crate) fn lay(&mut self, view: &View, frame: &MapFrame) {
        self.frame = *frame;
        self.size = frame.size;
        self.texel = frame.texel;
        self.origin = frame.place(view.to_world(Vec3::ZERO)).to_array();
        self.towards = view.direction(frame.towards);
        self.columns = view.direction(frame.columns);
        self.rows = view.direction(frame.rows);
    }

    /// Draws whatever casts shadows. `draw` is called with the map and a list of casters; if `compares`, what is different
    /// from before is found out.
    pub(crate) fn draw(&mut self, plan: &Plan, compares: bool, mut draw: impl FnMut(&mut Self, &[Caster])) {
        self.changes.clear();
        if compares {
            std::mem::swap(&mut self.heights, &mut self.before);
        } else {
            self.before = Vec::new();
        }
        if plan.restarts {
            self.still.clear();
        }
        if !plan.settled.is_empty() {
            std::mem::swap(&mut self.heights, &mut self.still);
            self.heights.resize(self.frame.texels(), f32::NEG_INFINITY);
            draw(self, &plan.settled);
            std::mem::swap(&mut self.heights, &mut self.still);
        }
        self.heights.clear();
        self.heights.extend_from_slice(&self.still);
        self.heights.resize(self.frame.texels(), f32::NEG_INFINITY);
        draw(self, &plan.moving);
        self.find_blocks();
        if compares {
            self.find_changes();
        }
    }

    /// Nothing has changed since the picture before.
    pub(crate) fn keep(&mut self) {
        self.changes.clear();
    }

    /// Whether anything that was lit by a part of the map may look different from before.
    pub(crate) fn has_changed(&self, footprint: &Footprint) -> bool {
        if self.changes.is_empty() || footprint.first[0] > footprint.last[0] {
            return false;
        }
        let cells_per_row = self.size[0].div_ceil(CELL);
        let [left, top] = footprint.first.map(|texel| texel as usize / CELL);
        let [right, bottom] = footprint.last.map(|texel| texel as usize / CELL);
        (top..=bottom).any(|row| {
            let cells = &self.changes[row * cells_per_row + left..=row * cells_per_row + right];
            cells.iter().any(|&height| height > footprint.lowest)
        })
    }

    /// Finds the greatest height of every block.
    fn find_blocks(&mut self) {
        let [columns, rows] = self.size;
        let blocks_per_row = columns.div_ceil(BLOCK);
        self.block_heights.clear();
        self.block_heights
            .resize(blocks_per_row * rows.div_ceil(BLOCK), f32::NEG_INFINITY);
        vector::run(FindBlocks {
            heights: &self.heights,
            columns,
            blocks: &mut self.block_heights,
        });
    }

    /// Finds the cells that are not as they were before.
    fn find_changes(&mut self) {
        let [columns, rows] = self.size;
        let cells_per_row = columns.div_ceil(CELL);
        self.changes
            .resize(cells_per_row * rows.div_ceil(CELL), f32::NEG_INFINITY);
        vector::run(FindChanges {
            heights: &self.heights,
            before: &self.before,
            columns,
            cells: &mut self.changes,
        });
    }

    /// The texels of one axis whose centres lie from `min` to `max`; those at the rim stay empty, as places outside the
    /// map are looked up there.
    fn range(&self, axis: usize, min: f32, max: f32) -> std::ops::Range<usize> {
        // Casts cut towards zero, which is cheaper than `floor` and the same for positive numbers.
        let first = (min + 0.5).max(1.0) as usize;
        let end = ((max + 0.5).max(1.0) as usize).min(self.size[axis] - 1);
        first.min(end)..end
    }

    /// Adds the lit sides of spheres of one radius; it helps if those that hide others come first.
    pub(crate) fn draw_spheres(&mut self, centers: &[Vec3], radius: f32) {
        let reach = radius / self.texel;
        let frame = self.frame;
        if reach < SMALL {
            for &center in centers {
                self.draw_dot(frame.place(center), radius);
            }
            return;
        }
        let mut floors = Floors::new(self.size);
        let mut next_look = FIRST_LOOK;
        for (number, &center) in centers.iter().enumerate() {
            if number == next_look {
                floors.look(&self.heights);
                next_look += FIRST_LOOK.max(number / 2);
            }
            let place = frame.place(center);
            let columns = self.range(0, place.x - reach, place.x + reach);
            let rows = self.range(1, place.y - reach, place.y + reach);
            let top = place.z + radius;
            if !floors.hide(&columns, &rows, top) && !self.is_covered(place, reach, top) {
                self.draw_disc(place, reach);
            }
        }
    }

    /// Adds the lit side of a sphere with a radius of `reach` texels.
    fn draw_disc(&mut self, place: Vec3, reach: f32) {
        let columns = self.range(0, place.x - reach, place.x + reach);
        let steps = Vec4::new(0.5, 1.5, 2.5, 3.5) - place.x;
        let end = Vec4::splat(columns.end as f32 - place.x);
        for row in self.range(1, place.y - reach, place.y + reach) {
            let y = row as f32 + 0.5 - place.y;
            let left = Vec4::splat(reach * reach - y * y);
            for column in columns.clone().step_by(4) {
                let start = row * self.size[0] + column;
                let texels = &mut self.heights[start..start + 4];
                let x = steps + column as f32;
                let candidate = Vec4::splat(place.z) + (left - x * x).sqrt() * self.texel;
                let old = Vec4::from_slice(texels);
                // Comparison with the root of a negative number, which is no number, keeps the old height.
                let higher = candidate.cmpgt(old) & x.cmplt(end);
                Vec4::select(higher, candidate, old).write_to_slice(texels);
            }
        }
    }

    /// Whether a disc lies below what is in the map already. Its middle and four places towards its rim are looked at
    /// first, as they mostly decide.
    #[inline]
    fn is_covered(&self, place: Vec3, reach: f32, height: f32) -> bool {
        let [columns, rows] = self.size;
        let inner = reach * 0.7;
        let (left, right) = (place.x - inner, place.x + inner);
        let (top, bottom) = (place.y - inner, place.y + inner);
        if !(left >= 0.0 && top >= 0.0 && right < columns as f32 && bottom < rows as f32) {
            return false;
        }
        let above = |x: f32, y: f32| self.heights[y as usize * columns + x as usize] > height;
        let seems = above(place.x, place.y)
            && above(left, top)
            && above(right, bottom)
            && above(left, bottom)
            && above(right, top);
        seems && {
            let across = self.range(0, place.x - reach, place.x + reach);
            self.range(1, place.y - reach, place.y + reach).all(|row| {
                let texels = &self.heights[row * columns + across.start..row * columns + across.end];
                texels.iter().fold(true, |all, &texel| all & (texel >= height))
            })
        }
    }

    /// Adds a sphere of about a texel: the four texels around its place.
    #[inline]
    fn draw_dot(&mut self, place: Vec3, radius: f32) {
        let [columns, rows] = self.size;
        let (x, y) = (place.x - 0.5, place.y - 0.5);
        if !(x >= 1.0 && y >= 1.0 && x < columns as f32 - 2.0 && y < rows as f32 - 2.0) {
            return;
        }
        let start = y as usize * columns + x as usize;
        let height = place.z + radius * 0.6;
        let (upper, lower) = self.heights[start..start + columns + 2].split_at_mut(columns);
        for texel in upper[..2].iter_mut().chain(&mut lower[..2]) {
            *texel = if height > *texel { height } else { *texel };
        }
    }
}

/// The greatest heights of blocks, from those of texels.
struct FindBlocks<'a> {
    heights: &'a [f32],
    columns: usize,
    blocks: &'a mut [f32],
}

impl Kernel for FindBlocks<'_> {
    #[inline(always)]
    fn run(self) {
        let blocks_per_row = self.columns.div_ceil(BLOCK);
        for (row, heights) in self.heights.chunks_exact(self.columns).enumerate() {
            let blocks = &mut self.blocks[row / BLOCK * blocks_per_row..][..blocks_per_row];
            let (whole, rest) = heights.as_chunks::<BLOCK>();
            for (block, heights) in blocks.iter_mut().zip(whole) {
                let mut most = [f32::NEG_INFINITY; BLOCK / 2];
                for (i, most) in most.iter_mut().enumerate() {
                    let (a, b) = (heights[i], heights[i + BLOCK / 2]);
                    *most = if a > b { a } else { b };
                }
                *block = most.into_iter().fold(*block, f32::max);
            }
            if let Some(block) = blocks.last_mut() {
                *block = rest.iter().copied().fold(*block, f32::max);
            }
        }
    }
}

/// Cells in which heights differ from those before.
struct FindChanges<'a> {
    heights: &'a [f32],
    before: &'a [f32],
    columns: usize,
    cells: &'a mut [f32],
}

impl Kernel for FindChanges<'_> {
    #[inline(always)]
    fn run(self) {
        let cells_per_row = self.columns.div_ceil(CELL);
        let rows = self.heights.chunks_exact(self.columns);
        for (row, (heights, before)) in rows.zip(self.before.chunks_exact(self.columns)).enumerate() {
            let cells = &mut self.cells[row / CELL * cells_per_row..][..cells_per_row];
            let chunks = heights.chunks(BLOCK).zip(before.chunks(BLOCK));
            for (chunk, (heights, before)) in chunks.enumerate() {
                let pairs = heights.iter().zip(before);
                let is_same = pairs.fold(true, |same, (a, b)| same & (a == b));
                if is_same {
                    continue;
                }
                for (i, (&height, &before)) in heights.iter().zip(before).enumerate() {
                    let cell = &mut cells[chunk * (BLOCK / CELL) + i / CELL];
                    if height != before {
                        *cell = cell.max(height).max(before);
                    }
                }
            }
        }
    }
}
