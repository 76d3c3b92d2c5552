//! Four vectors at a time, one coordinate to a register: what the hot loops compute with.

use std::ops::{Add, AddAssign, Mul, Sub};

use glam::{Mat4, Vec3, Vec4};
use wide::f32x4;

/// Four 3D vectors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vec3x4 {
    /// Four x.
    pub x: f32x4,
    /// Four y.
    pub y: f32x4,
    /// Four z.
    pub z: f32x4,
}

impl Vec3x4 {
    /// The same vector four times.
    #[inline]
    pub fn splat(v: Vec3) -> Self {
        Self {
            x: f32x4::splat(v.x),
            y: f32x4::splat(v.y),
            z: f32x4::splat(v.z),
        }
    }

    /// Four scalar products.
    #[inline]
    pub fn dot(self, other: Self) -> f32x4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The vectors where the mask is set, zero elsewhere.
    #[inline]
    pub fn masked(self, mask: f32x4) -> Self {
        Self {
            x: self.x & mask,
            y: self.y & mask,
            z: self.z & mask,
        }
    }

    /// The sum of the four vectors.
    #[inline]
    pub fn sum(self) -> Vec3 {
        Vec3::new(self.x.reduce_add(), self.y.reduce_add(), self.z.reduce_add())
    }

    /// One of the four vectors.
    #[inline]
    pub fn lane(self, lane: usize) -> Vec3 {
        Vec3::new(
            self.x.to_array()[lane],
            self.y.to_array()[lane],
            self.z.to_array()[lane],
        )
    }

    /// Puts a vector into one lane.
    pub fn set_lane(&mut self, lane: usize, value: Vec3) {
        for (lanes, value) in [(&mut self.x, value.x), (&mut self.y, value.y), (&mut self.z, value.z)] {
            lanes.as_mut_array()[lane] = value;
        }
    }
}

/// Four rows turned into columns: their xyz, and their w.
#[inline]
pub fn transpose(rows: [Vec4; 4]) -> (Vec3x4, f32x4) {
    let columns = Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose();
    let lanes = |column: Vec4| f32x4::new(column.to_array());
    (
        Vec3x4 {
            x: lanes(columns.x_axis),
            y: lanes(columns.y_axis),
            z: lanes(columns.z_axis),
        },
        lanes(columns.w_axis),
    )
}

/// A mask that is set in the first `count` lanes.
#[inline]
pub fn first_lanes(count: usize) -> f32x4 {
    const ON: f32 = f32::from_bits(u32::MAX);
    const MASKS: [[f32; 4]; 5] = [
        [0.0; 4],
        [ON, 0.0, 0.0, 0.0],
        [ON, ON, 0.0, 0.0],
        [ON, ON, ON, 0.0],
        [ON; 4],
    ];
    f32x4::new(MASKS[count.min(4)])
}

impl Add for Vec3x4 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl AddAssign for Vec3x4 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec3x4 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

impl Mul<f32x4> for Vec3x4 {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f32x4) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_puts_each_row_into_its_lane() {
        let rows: [Vec4; 4] = std::array::from_fn(|k| Vec4::new(1.0, 2.0, 3.0, 4.0) * (k + 1) as f32);
        let (vectors, w) = transpose(rows);
        assert_eq!(vectors.lane(2), Vec3::new(3.0, 6.0, 9.0));
        assert_eq!(w.to_array(), [4.0, 8.0, 12.0, 16.0]);
        assert_eq!(vectors.sum(), Vec3::new(10.0, 20.0, 30.0));
    }

    #[test]
    fn masks_cover_the_first_lanes() {
        for count in 0..=4 {
            assert_eq!(first_lanes(count).to_bitmask(), (1 << count) - 1);
        }
    }
}
