//! Four shadow maps looked up at once, one per lane of a vector.

use super::light_map::LightMap;
use glam::{Vec3, Vec4};

/// One vector per axis; its lanes belong to the four maps.
type Axes = [Vec4; 3];

/// The transforms of four maps, and where to find their heights.
#[derive(Debug)]
pub(crate) struct MapQuad {
    towards: Axes,
    columns: Axes,
    rows: Axes,
    origin: [Vec4; 2],
    /// The middle of the last texel of each axis.
    last: [Vec4; 2],
    strides: [usize; 4],
    /// Number of the first of the four maps.
    first: usize,
    /// How far a looked-up point is moved off its surface, metres.
    offset: f32,
    /// Inverse of the height difference over which light turns into shadow, 1/m.
    hardness: f32,
}

impl MapQuad {
    /// Takes the four `maps` from number `first` on.
    pub(crate) fn new(maps: &[LightMap], first: usize) -> Self {
        let maps = &maps[first..first + 4];
        let lanes = |value: &dyn Fn(&LightMap) -> f32| Vec4::from_array([0, 1, 2, 3].map(|lane| value(&maps[lane])));
        let axes = |axis: fn(&LightMap) -> Vec3| [0, 1, 2].map(|i| lanes(&|map| axis(map)[i]));
        let texel = lanes(&|map| map.texel).max_element();
        Self {
            towards: axes(|map| map.towards),
            columns: axes(|map| map.columns),
            rows: axes(|map| map.rows),
            origin: [0, 1].map(|axis| lanes(&|map| map.origin[axis])),
            last: [0, 1].map(|axis| lanes(&|map| map.size[axis] as f32 - 0.5)),
            strides: [0, 1, 2, 3].map(|lane| maps[lane].size[0]),
            first,
            offset: 1.5 * texel,
            hardness: 0.5 / texel,
        }
    }

    /// Cosines between a normal and the directions to the light.
    #[inline]
    pub(crate) fn cosines(&self, normal: Vec3) -> Vec4 {
        dot(&self.towards, normal)
    }

    /// How much light reaches a surface, 0 to 1 for each map, from the four texels around it.
    #[inline]
    pub(crate) fn smooth_light(&self, maps: &[LightMap], point: Vec3, normal: Vec3) -> Vec4 {
        let point = point + normal * self.offset;
        let half = Vec4::splat(0.5);
        let x = (dot(&self.columns, point) + self.origin[0]).clamp(half, self.last[0] - 1.0) - half;
        let y = (dot(&self.rows, point) + self.origin[1]).clamp(half, self.last[1] - 1.0) - half;
        let height = dot(&self.towards, point);
        let (mut a, mut b, mut c, mut d) = ([0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]);
        let (mut right, mut down) = ([0.0; 4], [0.0; 4]);
        for (lane, map) in self.of(maps).iter().enumerate() {
            let (column, row) = (x[lane] as u32, y[lane] as u32);
            right[lane] = x[lane] - column as f32;
            down[lane] = y[lane] - row as f32;
            let stride = self.strides[lane];
            let start = row as usize * stride + column as usize;
            [a[lane], b[lane]] = [map.heights[start], map.heights[start + 1]];
            [c[lane], d[lane]] = [map.heights[start + stride], map.heights[start + stride + 1]];
        }
        let lit = |heights: [f32; 4]| self.light(Vec4::from_array(heights), height);
        let (right, down) = (Vec4::from_array(right), Vec4::from_array(down));
        let upper = lit(a) + (lit(b) - lit(a)) * right;
        let lower = lit(c) + (lit(d) - lit(c)) * right;
        upper + (lower - upper) * down
    }

    /// As [`MapQuad::smooth_light`], from one texel only, moved by `shift` texels.
    #[inline]
    pub(crate) fn sharp_light(&self, maps: &[LightMap], point: Vec3, normal: Vec3, shift: [f32; 2]) -> Vec4 {
        let point = point + normal * self.offset;
        let half = Vec4::splat(0.5);
        let x = (dot(&self.columns, point) + self.origin[0] + shift[0]).clamp(half, self.last[0]);
        let y = (dot(&self.rows, point) + self.origin[1] + shift[1]).clamp(half, self.last[1]);
        let mut heights = [0.0; 4];
        for (lane, (map, height)) in self.of(maps).iter().zip(&mut heights).enumerate() {
            let texel = y[lane] as u32 as usize * self.strides[lane] + x[lane] as u32 as usize;
            *height = map.heights[texel];
        }
        self.light(Vec4::from_array(heights), dot(&self.towards, point))
    }

    fn of<'a>(&self, maps: &'a [LightMap]) -> &'a [LightMap] {
        &maps[self.first..self.first + 4]
    }

    #[inline]
    fn light(&self, blocker: Vec4, height: Vec4) -> Vec4 {
        (Vec4::ONE - (blocker - height) * self.hardness).clamp(Vec4::ZERO, Vec4::ONE)
    }
}

#[inline]
fn dot(axes: &Axes, vector: Vec3) -> Vec4 {
    axes[0] * vector.x + axes[1] * vector.y + axes[2] * vector.z
}
