//! The picture without liquids, in which these look up what is behind them.

use super::view::View;
use glam::{Vec2, Vec3, Vec3A};

/// Radiance and depth of every pixel.
#[derive(Debug, Default)]
pub(crate) struct Behind {
    size: [usize; 2],
    radiance: Vec<Vec3>,
    /// Metres; infinite where only the backdrop is seen.
    depths: Vec<f32>,
    /// Depth at which the liquid ends, metres; 0 where there is none.
    ends: Vec<f32>,
}

/// A pixel of what is behind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BehindPixel {
    pub(crate) radiance: Vec3A,
    /// The least of its samples.
    pub(crate) depth: f32,
    /// The greatest of them, and the part of the samples that are nearer to it.
    pub(crate) far: f32,
    pub(crate) far_share: f32,
    /// Depth at which the liquid before it ends; 0 if there is none.
    pub(crate) end: f32,
}

impl Behind {
    /// Makes room; what is known of pixels stays if the size does.
    pub(crate) fn resize(&mut self, size: [u32; 2]) {
        let size = size.map(|count| count as usize);
        if self.size != size {
            *self = Self {
                size,
                radiance: vec![Vec3::ZERO; size[0] * size[1]],
                depths: vec![f32::INFINITY; size[0] * size[1]],
                ends: vec![0.0; size[0] * size[1]],
            };
        }
    }

    /// Takes over the pixels of a tile, row by row, from its first column and row on.
    pub(crate) fn paste(&mut self, first: [usize; 2], columns: usize, pixels: &[BehindPixel]) {
        for (row, pixels) in pixels.chunks(columns.max(1)).enumerate() {
            let start = (first[1] + row) * self.size[0] + first[0];
            for (at, pixel) in (start..).zip(pixels) {
                self.radiance[at] = pixel.radiance.into();
                self.depths[at] = pixel.depth;
                self.ends[at] = pixel.end;
            }
        }
    }

    /// The radiance at a place in pixels, whose whole numbers are centres; that of the nearest if it is out of the picture.
    pub(crate) fn radiance(&self, place: Vec2) -> Vec3A {
        let most = Vec2::new(self.size[0] as f32 - 1.0, self.size[1] as f32 - 1.0);
        let place = place.clamp(Vec2::ZERO, most);
        let low = place.floor();
        let share = place - low;
        let [x, y] = [low.x as usize, low.y as usize];
        let [right, down] = [(x + 1).min(self.size[0] - 1), (y + 1).min(self.size[1] - 1)];
        let at = |x: usize, y: usize| Vec3A::from(self.radiance[y * self.size[0] + x]);
        let upper = at(x, y).lerp(at(right, y), share.x);
        let lower = at(x, down).lerp(at(right, down), share.x);
        upper.lerp(lower, share.y)
    }

    /// Depths at a place: of what is seen, and of the end of the liquid before it.
    pub(crate) fn depths(&self, place: Vec2) -> [f32; 2] {
        let most = Vec2::new(self.size[0] as f32 - 1.0, self.size[1] as f32 - 1.0);
        let nearest = place.clamp(Vec2::ZERO, most) + 0.5;
        let at = nearest.y as usize * self.size[0] + nearest.x as usize;
        [self.depths[at], self.ends[at]]
    }
}

/// Where a point in camera space is in the picture, in pixels whose whole numbers are centres.
pub(crate) fn project(view: &View, supersampling: u32, point: Vec3A) -> Option<Vec2> {
    if point.z <= view.near {
        return None;
    }
    let samples = Vec2::new(view.samples[0] as f32, view.samples[1] as f32);
    let slope = Vec2::new(point.x, -point.y) / (point.z * view.step);
    Some((slope + 0.5 * samples) / supersampling as f32 - 0.5)
}
