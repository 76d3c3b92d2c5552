//! Four shadow maps looked up at once, one per lane of a vector.

use super::footprint::Footprint;
use super::light_map::LightMap;
use glam::{Vec3, Vec3A, Vec4};

/// One vector per axis; its lanes belong to the four maps.
type Axes = [Vec4; 3];

/// The transforms of four maps, and where to find their heights.
#[derive(Debug)]
pub(crate) struct MapQuad {
    towards: Axes,
    columns: Axes,
    rows: Axes,
    /// Columns, rows and heights.
    origin: [Vec4; 3],
    /// The last place of each axis that has a texel on either side.
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
            origin: [0, 1, 2].map(|axis| lanes(&|map| map.origin[axis])),
            last: [0, 1].map(|axis| lanes(&|map| map.size[axis] as f32 - 1.0)),
            strides: [0, 1, 2, 3].map(|lane| maps[lane].size[0]),
            first,
            offset: 1.5 * texel,
            hardness: 0.5 / texel,
        }
    }

    /// Light that reaches the given heights at the place of a point.
    #[inline]
    fn light_around(&self, maps: &[LightMap], point: Vec3A, height: Vec4, footprints: &mut [Footprint]) -> Vec4 {
        let x = (dot(&self.columns, point) + self.origin[0]).clamp(Vec4::ONE, self.last[0]);
        let y = (dot(&self.rows, point) + self.origin[1]).clamp(Vec4::ONE, self.last[1]);
        let (column, right) = split(x);
        let (row, down) = split(y);
        let (mut a, mut b, mut c, mut d) = ([0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]);
        for (lane, map) in maps[self.first..self.first + 4].iter().enumerate() {
            let stride = self.strides[lane];
            let first = [column[lane] as u32, row[lane] as u32];
            footprints[self.first + lane].include(&Footprint {
                first,
                last: [first[0] + 1, first[1] + 1],
                lowest: height[lane],
            });
            let start = row[lane] * stride + column[lane];
            let (upper, lower) = (
                &map.heights[start..start + 2],
                &map.heights[start + stride..start + stride + 2],
            );
            [a[lane], b[lane]] = [upper[0], upper[1]];
            [c[lane], d[lane]] = [lower[0], lower[1]];
        }
        let lit = |blocker: [f32; 4]| {
            (Vec4::ONE - (Vec4::from_array(blocker) - height) * self.hardness).clamp(Vec4::ZERO, Vec4::ONE)
        };
        let upper = lit(a) + (lit(b) - lit(a)) * right;
        let lower = lit(c) + (lit(d) - lit(c)) * right;
        upper + (lower - upper) * down
    }

    /// Sums over the four maps of light times direction, and of light, for a sphere that is small against the texels.
    pub(crate) fn sum_of_light(
        &self,
        maps: &[LightMap],
        center: Vec3A,
        radius: f32,
        footprints: &mut [Footprint],
    ) -> Vec4 {
        let top = dot(&self.towards, center) + self.origin[2] + (radius + self.offset);
        let light = self.light_around(maps, center, top, footprints);
        Vec4::new(
            light.dot(self.towards[0]),
            light.dot(self.towards[1]),
            light.dot(self.towards[2]),
            light.element_sum(),
        )
    }
}

#[inline]
fn dot(axes: &Axes, vector: Vec3A) -> Vec4 {
    axes[0] * vector.x + axes[1] * vector.y + axes[2] * vector.z
}

/// The texel before each place and how far past its centre the place is, 0 to 1, for places from 1 up to 2²².
#[inline]
fn split(place: Vec4) -> ([usize; 4], Vec4) {
    // Adding 2²³ leaves no digits behind the point; it is cheaper than casts, which check for overflow.
    const SHIFT: f32 = 8_388_608.0;
    let shifted = (place - 1.0) + SHIFT;
    let texel = |lane: f32| (lane.to_bits() & 0x7f_ffff) as usize;
    let [a, b, c, d] = shifted.to_array();
    (
        [texel(a), texel(b), texel(c), texel(d)],
        place - 0.5 - (shifted - SHIFT),
    )
}
