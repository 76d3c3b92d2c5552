//! The field of a liquid near its surface: the part of space that kernels fill, in blocks of eight by eight by eight samples.
//!
//! A block sums up its kernels in their order, so that its values do not depend on the number of threads.

use std::collections::BTreeMap;

use glam::{IVec3, Mat3, Vec3};
use rayon::prelude::*;

use super::kernels::LiquidKernel;
use super::key::{key, place};
use super::vector::{self, Kernel};

/// Samples along the edge of a block.
pub(super) const SIDE: usize = 8;

/// Samples of a block, x fastest.
pub(super) type Values = [f32; SIDE * SIDE * SIDE];

/// The level of the field at which the surface is: there a flat one is half a spacing beyond its outermost particles.
pub(super) const LEVEL: f32 = 0.42;

/// The blocks of a field that may hold some of its surface.
#[derive(Debug)]
pub(super) struct Field {
    /// Distance between samples, metres.
    pub(super) cell: f32,
    /// In rising order.
    pub(super) keys: Vec<u64>,
    pub(super) values: Vec<Values>,
}

/// A kernel prepared for summing up: `peak · (1 - δᵀ form δ)³`.
#[derive(Clone, Copy, Debug)]
struct Ellipsoid {
    center: Vec3,
    form: Mat3,
    peak: f32,
    /// Half the edges of the box around it, metres.
    extent: Vec3,
}

impl Ellipsoid {
    /// Of a kernel that stands for a volume, m³.
    fn new(kernel: &LiquidKernel, volume: f32) -> Self {
        let axes = [kernel.axes.x_axis, kernel.axes.y_axis, kernel.axes.z_axis];
        let lengths = axes.map(Vec3::length);
        let outer = |axis: Vec3, scale: f32| Mat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z) * scale;
        let form = (0..3)
            .map(|i| outer(axes[i], lengths[i].powi(-4)))
            .fold(Mat3::ZERO, |sum, part| sum + part);
        let squares = axes.iter().fold(Vec3::ZERO, |sum, axis| sum + *axis * *axis);
        // The integral of (1 - q²)³ over the unit ball is 64 π / 315.
        let peak = volume * 315.0 / (64.0 * std::f32::consts::PI * lengths[0] * lengths[1] * lengths[2]);
        Self {
            center: kernel.center,
            form,
            peak,
            extent: Vec3::from_array(squares.to_array().map(f32::sqrt)),
        }
    }

    /// Adds it to the samples of a block whose first one is at `origin`.
    #[inline(always)]
    fn add_to(&self, values: &mut Values, origin: Vec3, cell: f32) {
        let low = ((self.center - self.extent - origin) / cell).ceil().max(Vec3::ZERO);
        let high = ((self.center + self.extent - origin) / cell)
            .floor()
            .min(Vec3::splat(SIDE as f32 - 1.0));
        if low.cmpgt(high).any() {
            return;
        }
        let [low, high] = [low, high].map(|corner| corner.as_uvec3().to_array().map(|part| part as usize));
        let first = origin - self.center;
        let mut across = [0.0; SIDE];
        for (x, across) in across.iter_mut().enumerate() {
            *across = first.x + cell * x as f32;
        }
        let [a, b, c] = [self.form.x_axis, self.form.y_axis, self.form.z_axis];
        for z in low[2]..=high[2] {
            let dz = first.z + cell * z as f32;
            for y in low[1]..=high[1] {
                let dy = first.y + cell * y as f32;
                let fixed = 1.0 - (b.y * dy * dy + c.z * dz * dz + 2.0 * c.y * dy * dz);
                let slope = 2.0 * (b.x * dy + c.x * dz);
                // Whether the row passes it by.
                if fixed + 0.25 * slope * slope / a.x <= 0.0 {
                    continue;
                }
                let row = &mut values[(z * SIDE + y) * SIDE..][..SIDE];
                for (value, &dx) in row.iter_mut().zip(&across) {
                    let left = fixed - dx * (slope + a.x * dx);
                    let left = if left > 0.0 { left } else { 0.0 };
                    *value += self.peak * left * left * left;
                }
            }
        }
    }
}

/// Edge of a block, metres.
pub(super) fn width(cell: f32) -> f32 {
    SIDE as f32 * cell
}

/// Keys of the blocks that boxes touch, in rising order. Boxes are given by their middle and half their edges.
pub(super) fn blocks_of(boxes: impl ParallelIterator<Item = (Vec3, Vec3)>, cell: f32) -> Vec<u64> {
    let mut keys: Vec<u64> = boxes
        .flat_map_iter(|(middle, half)| touched(middle, half, cell))
        .collect();
    keys.par_sort_unstable();
    keys.dedup();
    keys
}

fn touched(middle: Vec3, half: Vec3, cell: f32) -> impl Iterator<Item = u64> {
    let width = width(cell);
    let [low, high] = [middle - half, middle + half].map(|corner| (corner / width).floor().as_ivec3());
    let row = move |y: i32, z: i32| (low.x..=high.x).map(move |x| key(IVec3::new(x, y, z)));
    (low.z..=high.z).flat_map(move |z| (low.y..=high.y).flat_map(move |y| row(y, z)))
}

/// Whether a box touches any of these blocks.
pub(super) fn touches_any(keys: &[u64], middle: Vec3, half: Vec3, cell: f32) -> bool {
    touched(middle, half, cell).any(|key| keys.binary_search(&key).is_ok())
}

impl Field {
    /// The field of kernels, each of a volume, in these blocks.
    pub(super) fn new(kernels: &[LiquidKernel], volume: f32, cell: f32, keys: Vec<u64>) -> Self {
        let ellipsoids: Vec<Ellipsoid> = kernels
            .par_iter()
            .map(|kernel| Ellipsoid::new(kernel, volume))
            .collect();
        let values = summed(&ellipsoids, cell, &keys);
        Self { cell, keys, values }
    }

    /// Where the first sample of a block is, metres.
    pub(super) fn origin(&self, block: usize) -> Vec3 {
        place(self.keys[block]).as_vec3() * width(self.cell)
    }

    /// The number of a block at an offset from another.
    pub(super) fn beside(&self, block: usize, offset: IVec3) -> Option<usize> {
        if offset == IVec3::ZERO {
            return Some(block);
        }
        self.keys.binary_search(&key(place(self.keys[block]) + offset)).ok()
    }

    /// Blocks that are not there although the surface enters them: samples around them are on both sides of it.
    pub(super) fn lacking(&self) -> Vec<u64> {
        let seen: Vec<(u64, u8)> = (0..self.keys.len())
            .into_par_iter()
            .flat_map_iter(|block| {
                let all = sides(&self.values[block], IVec3::ZERO);
                let around = around().filter(move |offset| self.beside(block, *offset).is_none());
                around.map(move |offset| {
                    let seen = if all == BOTH {
                        sides(&self.values[block], offset)
                    } else {
                        all
                    };
                    (key(place(self.keys[block]) + offset), seen)
                })
            })
            .collect();
        let mut missing: BTreeMap<u64, u8> = BTreeMap::new();
        for (key, sides) in seen {
            *missing.entry(key).or_default() |= sides;
        }
        missing
            .into_iter()
            .filter(|(_, sides)| *sides == BOTH)
            .map(|(key, _)| key)
            .collect()
    }
}

/// Samples inside and outside.
const BOTH: u8 = 3;

/// On which sides of the surface the samples are that are next to a block at an offset: bits for inside and outside.
fn sides(values: &Values, offset: IVec3) -> u8 {
    let range = |part: i32| match part {
        -1 => 0..1,
        1 => SIDE - 1..SIDE,
        _ => 0..SIDE,
    };
    let mut sides = 0;
    for z in range(offset.z) {
        for y in range(offset.y) {
            for value in &values[(z * SIDE + y) * SIDE..][range(offset.x)] {
                sides |= if *value > LEVEL { 1 } else { 2 };
            }
        }
    }
    sides
}

fn around() -> impl Iterator<Item = IVec3> {
    let all = (0..27).map(|number| IVec3::new(number % 3, number / 3 % 3, number / 9) - 1);
    all.filter(|offset| *offset != IVec3::ZERO)
}

/// The samples of blocks.
fn summed(ellipsoids: &[Ellipsoid], cell: f32, keys: &[u64]) -> Vec<Values> {
    let mut uses: Vec<(u32, u32)> = ellipsoids
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, ellipsoid)| {
            let blocks =
                touched(ellipsoid.center, ellipsoid.extent, cell).filter_map(|key| keys.binary_search(&key).ok());
            blocks.map(move |block| (block as u32, number as u32))
        })
        .collect();
    uses.par_sort_unstable();
    let block = |number: usize| {
        let origin = place(keys[number]).as_vec3() * width(cell);
        let start = uses.partition_point(|(block, _)| (*block as usize) < number);
        let here = uses[start..].iter().take_while(|(block, _)| *block as usize == number);
        let here = here.map(|(_, ellipsoid)| &ellipsoids[*ellipsoid as usize]);
        vector::run(SumBlock {
            ellipsoids: here,
            origin,
            cell,
        })
    };
    (0..keys.len()).into_par_iter().map(block).collect()
}

/// The samples of a block.
struct SumBlock<I> {
    ellipsoids: I,
    origin: Vec3,
    cell: f32,
}

impl<'a, I: Iterator<Item = &'a Ellipsoid>> Kernel for SumBlock<I> {
    type Output = Values;

    #[inline(always)]
    fn run(self) -> Values {
        let mut values = [0.0; SIDE * SIDE * SIDE];
        for ellipsoid in self.ellipsoids {
            ellipsoid.add_to(&mut values, self.origin, self.cell);
        }
        values
    }
}
