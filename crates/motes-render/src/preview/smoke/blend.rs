//! The sprites of a tile blended into one layer.
//!
//! They are taken from the nearest on, each behind all before it, which gives what blending them over each other from the farthest on
//! would, and ends where nothing more is seen through them.

use super::super::vector::{self, Kernel};
use super::sprites::Sprite;
use super::volume::profile;
use glam::Vec3A;

/// Pixels that are blended at once; rows are filled up to whole chunks.
const LANES: usize = 8;
/// Light from behind below which nothing more is seen.
const CLOSED: f32 = 1.0 / 512.0;
/// Sprites between two looks at whether the tile is closed.
const BATCH: usize = 32;

/// What smoke meets in a pixel: depths of the nearest and the farthest surface in it, and the part of the pixel that is far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backing {
    pub(crate) near: f32,
    pub(crate) far: f32,
    pub(crate) share: f32,
}

/// Smoke in a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Veil {
    /// The part of what is behind that is seen.
    pub(crate) left: f32,
    pub(crate) added: Vec3A,
    /// Mean depth, metres.
    pub(crate) depth: f32,
}

/// Smoke before the pixels of a tile.
#[derive(Debug, Default)]
pub(crate) struct Layer {
    /// Pixels in a row, and with those that fill up the last chunk.
    columns: usize,
    stride: usize,
    near: Vec<f32>,
    far: Vec<f32>,
    share: Vec<f32>,
    left: Vec<f32>,
    red: Vec<f32>,
    green: Vec<f32>,
    blue: Vec<f32>,
    depths: Vec<f32>,
}

impl Layer {
    /// Blends those of `all` that are listed, before the pixels of a tile, which begins at a column and row of the picture.
    pub(crate) fn blend(
        &mut self,
        all: &[Sprite],
        listed: &[u32],
        first: [u32; 2],
        columns: usize,
        backing: impl Iterator<Item = Backing>,
    ) {
        self.columns = columns.max(1);
        self.stride = self.columns.next_multiple_of(LANES);
        for values in [&mut self.near, &mut self.far, &mut self.share] {
            values.clear();
        }
        let mut range = [f32::INFINITY, 0.0];
        for (number, backing) in backing.enumerate() {
            self.near.push(backing.near);
            self.far.push(backing.far);
            self.share.push(backing.share);
            range = [range[0].min(backing.near), backing.far.max(range[1])];
            if (number + 1).is_multiple_of(self.columns) {
                let filled = self.near.len().next_multiple_of(self.stride);
                for values in [&mut self.near, &mut self.far, &mut self.share] {
                    values.resize(filled, 0.0);
                }
            }
        }
        let count = self.near.len();
        for (values, start) in [
            (&mut self.left, 1.0),
            (&mut self.red, 0.0),
            (&mut self.green, 0.0),
            (&mut self.blue, 0.0),
            (&mut self.depths, 0.0),
        ] {
            values.clear();
            values.resize(count, start);
        }
        vector::run(Blend {
            layer: self,
            all,
            listed,
            first,
            range,
        });
    }

    /// The smoke in a pixel, given by its number in the tile; nothing if there is none.
    pub(crate) fn veil(&self, pixel: usize) -> Option<Veil> {
        let at = pixel / self.columns * self.stride + pixel % self.columns;
        let left = *self.left.get(at)?;
        (left < 1.0).then(|| Veil {
            left,
            added: Vec3A::new(self.red[at], self.green[at], self.blue[at]),
            depth: self.depths[at] / (1.0 - left),
        })
    }
}

struct Blend<'a> {
    layer: &'a mut Layer,
    all: &'a [Sprite],
    listed: &'a [u32],
    first: [u32; 2],
    /// Depths of the nearest and the farthest surface in the tile.
    range: [f32; 2],
}

impl Kernel for Blend<'_> {
    #[inline(always)]
    fn run(self) {
        let rows = self.layer.near.len() / self.layer.stride;
        for batch in self.listed.chunks(BATCH) {
            for &number in batch {
                let sprite = &self.all[number as usize];
                let [near, far] = [sprite.depth - sprite.radius, sprite.depth + sprite.radius];
                if near >= self.range[1] {
                    continue;
                }
                let x = sprite.place.x - self.first[0] as f32;
                let y = sprite.place.y - self.first[1] as f32;
                let reach = 1.0 / sprite.inverse;
                let top = (y - reach).ceil().max(0.0) as usize;
                let bottom = ((y + reach).floor() + 1.0).max(0.0) as usize;
                for row in top..bottom.min(rows) {
                    let up = (row as f32 - y) * sprite.inverse;
                    let half = (1.0 - up * up).max(0.0).sqrt() * reach;
                    let left = ((x - half).max(0.0) as usize).min(self.layer.stride) / LANES * LANES;
                    let right = ((x + half).max(0.0) as usize + 1).min(self.layer.columns);
                    if far < self.range[0] {
                        blend_row::<false>(self.layer, row, left..right, sprite, x, up);
                    } else {
                        blend_row::<true>(self.layer, row, left..right, sprite, x, up);
                    }
                }
            }
            let seen = self
                .layer
                .left
                .iter()
                .fold(0.0, |most: f32, &left| if left > most { left } else { most });
            if seen < CLOSED {
                break;
            }
        }
    }
}

/// Blends a row of a sprite; if it is `SOFT`, it ends where surfaces do, the more of it the deeper it is in them.
#[inline(always)]
fn blend_row<const SOFT: bool>(
    layer: &mut Layer,
    row: usize,
    columns: std::ops::Range<usize>,
    sprite: &Sprite,
    x: f32,
    up: f32,
) {
    let inverse_depth = 0.5 / sprite.radius;
    let from = sprite.radius - sprite.depth;
    let unit = |value: f32| {
        let value = if value > 0.0 { value } else { 0.0 };
        if value < 1.0 { value } else { 1.0 }
    };
    for chunk in columns.step_by(LANES) {
        let at = row * layer.stride + chunk;
        let [red, green, blue] =
            [&mut layer.red, &mut layer.green, &mut layer.blue].map(|all| &mut all[at..at + LANES]);
        let (left, depths) = (&mut layer.left[at..at + LANES], &mut layer.depths[at..at + LANES]);
        let (near, far) = (&layer.near[at..at + LANES], &layer.far[at..at + LANES]);
        let share = &layer.share[at..at + LANES];
        for i in 0..LANES {
            let across = ((chunk + i) as f32 - x) * sprite.inverse;
            let mut opacity = sprite.opacity * profile(across * across + up * up);
            if SOFT {
                let before_near = unit((near[i] + from) * inverse_depth);
                let before_far = unit((far[i] + from) * inverse_depth);
                opacity *= before_near + (before_far - before_near) * share[i];
            }
            let stopped = left[i] * opacity;
            let turned = 1.0 + sprite.tilt.x * across + sprite.tilt.y * up;
            let turned = if turned > 0.0 { stopped * turned } else { 0.0 };
            red[i] += stopped * sprite.rest.x + turned * sprite.key.x;
            green[i] += stopped * sprite.rest.y + turned * sprite.key.y;
            blue[i] += stopped * sprite.rest.z + turned * sprite.key.z;
            depths[i] += stopped * sprite.depth;
            left[i] -= stopped;
        }
    }
}
