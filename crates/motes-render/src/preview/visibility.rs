//! Which of a tile's primitives is seen by each of its samples.
//!
//! Spheres are intersected exactly, one ray per sample; triangles are rasterised in homogeneous coordinates (Olano and
//! Greer 1997), which needs no clipping. The loops over a row hold no branches, so that they become vector code.

use super::ground::GroundPlane;
use super::view::{SampleRect, View};
use glam::{BVec4A, Vec2, Vec3, Vec4};

/// Seen by a sample that sees nothing but the backdrop.
pub(crate) const BACKDROP: u32 = u32::MAX;
/// Seen by a sample that sees the ground.
pub(crate) const GROUND: u32 = u32::MAX - 1;

/// Samples that are drawn at once.
const LANES: usize = 4;

/// Samples along the side of the blocks whose farthest depth is known.
const BLOCK: usize = 8;

/// Depth of every sample of a tile and what it sees: the place of a primitive in the tile's list, [`GROUND`] or
/// [`BACKDROP`].
#[derive(Debug, Default)]
pub(crate) struct Visibility {
    rect: SampleRect,
    stride: usize,
    rows: usize,
    /// These two have room for a chunk past the last sample.
    depths: Vec<f32>,
    /// The bits of the numbers.
    slots: Vec<f32>,
    block_depths: Vec<f32>,
}

impl Visibility {
    /// Starts a tile that sees the ground, if there is one, and else only the backdrop.
    #[inline(always)]
    pub(crate) fn clear(&mut self, view: &View, rect: SampleRect, ground: Option<&GroundPlane>) {
        self.rect = rect;
        self.stride = (rect.max[0] - rect.min[0]) as usize;
        let rows = (rect.max[1] - rect.min[1]) as usize;
        self.rows = rows;
        self.depths.clear();
        self.depths.resize(self.stride * rows + LANES, f32::INFINITY);
        self.slots.clear();
        self.slots.resize(self.stride * rows + LANES, f32::from_bits(BACKDROP));
        if let Some(&GroundPlane { normal, offset, .. }) = ground {
            let normal = Vec3::from(normal);
            self.draw_rows(view, &rect, GROUND, |v| {
                let length = normal.y * v;
                move |u| {
                    let depth = offset / (normal.x * u + length + normal.z);
                    (depth, depth.cmpeq(depth))
                }
            });
        }
        self.block_depths.clear();
        self.block_depths
            .resize(self.stride.div_ceil(BLOCK) * rows.div_ceil(BLOCK), f32::INFINITY);
    }

    /// The samples of the tile.
    pub(crate) fn rect(&self) -> SampleRect {
        self.rect
    }

    /// Samples in a row of the tile.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// What each sample sees, as bits, from one of them on.
    pub(crate) fn slots_from(&self, sample: usize) -> &[f32] {
        &self.slots[sample..]
    }

    /// The number of a sample within the tile.
    pub(crate) fn index(&self, sample: [u32; 2]) -> usize {
        let [x, y] = [0, 1].map(|axis| (sample[axis] - self.rect.min[axis]) as usize);
        y * self.stride + x
    }

    /// The depth of a sample, given by its number, metres; infinite where only the backdrop is seen.
    pub(crate) fn depth_at(&self, index: usize) -> f32 {
        self.depths[index]
    }

    /// The same, infinite also past the last sample.
    #[inline(always)]
    pub(crate) fn depth_or_far(&self, index: usize) -> f32 {
        self.depths.get(index).copied().unwrap_or(f32::INFINITY)
    }

    /// Draws the nearer side of a sphere.
    #[inline(always)]
    pub(crate) fn draw_sphere(&mut self, view: &View, rect: &SampleRect, center: Vec3, radius: f32, slot: u32) {
        let square = Vec4::splat(radius * radius);
        self.draw_rows(view, rect, slot, |v| {
            let along_row = v * center.y + center.z;
            let length_row = v * v + 1.0;
            move |u| {
                let inverse = 1.0 / (u * u + length_row);
                let middle = (u * center.x + along_row) * inverse;
                let x = u * middle - center.x;
                let y = v * middle - center.y;
                let z = middle - center.z;
                let left = square - (x * x + y * y + z * z);
                // The root of a negative number is no number, and nearer than nothing.
                (middle - (left * inverse).sqrt(), left.cmpge(Vec4::ZERO))
            }
        });
    }

    /// Draws both sides of a triangle.
    #[inline(always)]
    pub(crate) fn draw_triangle(&mut self, view: &View, rect: &SampleRect, corners: &[Vec3; 3], slot: u32) {
        let Some(triangle) = TriangleRays::new(corners) else {
            return;
        };
        self.draw_rows(view, rect, slot, |v| move |u| triangle.meet(u, v));
    }

    /// Keeps the nearer of what is there and a depth per sample, where something is met.
    #[inline(always)]
    fn draw_rows<Row: Fn(Vec4) -> (Vec4, BVec4A)>(
        &mut self,
        view: &View,
        rect: &SampleRect,
        slot: u32,
        row_depth: impl Fn(f32) -> Row,
    ) {
        let rect = rect.intersection(&self.rect);
        if rect.is_empty() {
            return;
        }
        let first = (rect.min[0] - self.rect.min[0]) as usize;
        let count = (rect.max[0] - rect.min[0]) as usize;
        let first_u = view.u(rect.min[0] as f32);
        let (near, slot) = (Vec4::splat(view.near), Vec4::splat(f32::from_bits(slot)));
        let end = Vec4::splat(count as f32);
        for row in rect.min[1]..rect.max[1] {
            let start = (row - self.rect.min[1]) as usize * self.stride + first;
            let depth_of = row_depth(view.v(row as f32));
            let (depths, _) = self.depths[start..].as_chunks_mut::<LANES>();
            let (slots, _) = self.slots[start..].as_chunks_mut::<LANES>();
            // The last chunk may reach into the next row, which it leaves as it is.
            let mut number = Vec4::new(0.0, 1.0, 2.0, 3.0);
            for (depths, slots) in depths.iter_mut().zip(slots).take(count.div_ceil(LANES)) {
                let (depth, is_met) = depth_of(first_u + number * view.step);
                let before = Vec4::from_array(*depths);
                let is_nearer = is_met & depth.cmpgt(near) & depth.cmplt(before) & number.cmplt(end);
                *depths = Vec4::select(is_nearer, depth, before).to_array();
                *slots = Vec4::select(is_nearer, slot, Vec4::from_array(*slots)).to_array();
                number += LANES as f32;
            }
        }
    }

    /// Brings the farthest depths used by [`Visibility::hides`] up to date.
    #[inline(always)]
    pub(crate) fn update_blocks(&mut self) {
        self.block_depths.fill(0.0);
        let blocks_per_row = self.stride.div_ceil(BLOCK);
        for (row, depths) in self.depths.chunks_exact(self.stride.max(1)).take(self.rows).enumerate() {
            let blocks = &mut self.block_depths[row / BLOCK * blocks_per_row..];
            for (block, depths) in blocks.iter_mut().zip(depths.chunks(BLOCK)) {
                for &depth in depths {
                    *block = if depth > *block { depth } else { *block };
                }
            }
        }
    }

    /// Whether everything at or beyond `depth` within `rect` was hidden when the blocks were last updated.
    pub(crate) fn hides(&self, rect: &SampleRect, depth: f32) -> bool {
        let rect = rect.intersection(&self.rect);
        if rect.is_empty() {
            return true;
        }
        let blocks_per_row = self.stride.div_ceil(BLOCK);
        let first = [0, 1].map(|axis| (rect.min[axis] - self.rect.min[axis]) as usize / BLOCK);
        let last = [0, 1].map(|axis| (rect.max[axis] - 1 - self.rect.min[axis]) as usize / BLOCK);
        (first[1]..=last[1]).all(|row| {
            self.block_depths[row * blocks_per_row + first[0]..=row * blocks_per_row + last[0]]
                .iter()
                .all(|&block| block < depth)
        })
    }
}

/// A triangle prepared for intersection with rays `(u, v, 1)` from the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleRays {
    /// Normals of the planes through the origin and an edge; each is opposite to the corner of the same number.
    edges: [Vec3; 3],
    normal: Vec3,
    /// `normal · x` of the triangle's plane.
    offset: f32,
}

impl TriangleRays {
    /// Nothing for a triangle without area.
    pub(crate) fn new(corners: &[Vec3; 3]) -> Option<Self> {
        let [a, b, c] = *corners;
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some(Self {
            edges: [b.cross(c), c.cross(a), a.cross(b)],
            normal,
            offset: normal.dot(a),
        })
    }

    /// The unit normal, on the side from which the corners turn left.
    pub(crate) fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The depth at which each ray meets the triangle's plane, and whether it does so within the triangle.
    #[inline(always)]
    pub(crate) fn meet_all(&self, u: Vec4, v: Vec4) -> (Vec4, BVec4A) {
        let side = |edge: Vec3| edge.x * u + edge.y * v + edge.z;
        let (a, b, c) = (side(self.edges[0]), side(self.edges[1]), side(self.edges[2]));
        let is_left = a.min(b).min(c).cmpge(Vec4::ZERO);
        let is_right = a.max(b).max(c).cmple(Vec4::ZERO);
        (self.offset / side(self.normal), is_left | is_right)
    }

    /// The same of rays of one row.
    #[inline(always)]
    fn meet(&self, u: Vec4, v: f32) -> (Vec4, BVec4A) {
        self.meet_all(u, Vec4::splat(v))
    }

    /// The depth at which the ray meets the triangle's plane.
    pub(crate) fn plane_depth(&self, ray: Vec2) -> f32 {
        self.offset / self.normal.dot(ray.extend(1.0))
    }

    /// Weights of the corners where the ray meets the triangle's plane.
    pub(crate) fn weights(&self, ray: Vec2) -> Vec3 {
        let ray = ray.extend(1.0);
        let sides = Vec3::new(self.edges[0].dot(ray), self.edges[1].dot(ray), self.edges[2].dot(ray));
        sides / sides.element_sum()
    }
}
