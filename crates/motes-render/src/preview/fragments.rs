//! What the pixels of a tile see: each thing in a pixel is one fragment, shaded once, in the middle of the samples that
//! see it.

use super::behind::BehindPixel;
use super::glass::Glass;
use super::shade::Shader;
use super::tone::{self, Encoder};
use super::vector::{self, Kernel};
use super::view::SampleRect;
use super::visibility::Visibility;
use glam::{Vec2, Vec3A};

/// Samples in a pixel at most, so that a set of them fits into the bits of a `u64`.
const MOST_SAMPLES: usize = 64;

/// The fragments of a tile, pixel by pixel, one array per property.
#[derive(Debug, Default)]
pub(crate) struct Fragments {
    /// The first fragment of every pixel, row by row, and the number of all.
    starts: Vec<u32>,
    slots: Vec<u32>,
    /// Where they are shaded, samples.
    places: Vec<Vec2>,
    /// The samples that see them, as bits.
    samples: Vec<u64>,
    /// Radiance by channel, then what is shown of it.
    radiance: [Vec<f32>; 3],
    /// What is shown in each pixel, by channel.
    display: [Vec<f32>; 3],
    /// The samples of a pixel: offset in the buffers of the tile, and place relative to the first.
    grid: Vec<(usize, Vec2)>,
}

impl Fragments {
    /// Takes over what the samples see; `side` is the number of samples along the side of a pixel.
    pub(crate) fn find(&mut self, seen: &Visibility, side: u32) {
        let stride = seen.stride();
        self.grid.clear();
        self.grid.extend((0..side * side).map(|i| {
            let (x, y) = (i % side, i / side);
            (y as usize * stride + x as usize, Vec2::new(x as f32, y as f32))
        }));
        self.starts.clear();
        self.slots.clear();
        self.places.clear();
        self.samples.clear();
        let rect = seen.rect();
        for row in (rect.min[1]..rect.max[1]).step_by(side as usize) {
            for column in (rect.min[0]..rect.max[0]).step_by(side as usize) {
                self.starts.push(self.slots.len() as u32);
                let start = (row - rect.min[1]) as usize * stride + (column - rect.min[0]) as usize;
                let corner = Vec2::new(column as f32, row as f32);
                self.find_in_pixel(seen.slots_from(start), corner, 0.5 * (side - 1) as f32);
            }
        }
        self.starts.push(self.slots.len() as u32);
        for channel in &mut self.radiance {
            channel.clear();
            channel.resize(self.slots.len(), 0.0);
        }
    }

    #[inline(always)]
    fn find_in_pixel(&mut self, seen: &[f32], corner: Vec2, middle: f32) {
        let seen = |offset: usize| seen[offset].to_bits();
        let mut open = u64::MAX >> (MOST_SAMPLES - self.grid.len());
        let first = seen(0);
        let is_uniform = match *self.grid {
            // The usual number of samples, without a loop.
            [_, (b, _), (c, _), (d, _)] => (seen(b) == first) & (seen(c) == first) & (seen(d) == first),
            _ => self.grid.iter().all(|&(offset, _)| seen(offset) == first),
        };
        if is_uniform {
            self.slots.push(first);
            self.places.push(corner + middle);
            self.samples.push(open);
            return;
        }
        while open != 0 {
            let slot = seen(self.grid[open.trailing_zeros() as usize].0);
            let (mut samples, mut sum) = (0_u64, Vec2::ZERO);
            for (i, &(offset, place)) in self.grid.iter().enumerate() {
                // Samples that were taken before see something else, so they need not be left out.
                if seen(offset) == slot {
                    samples |= 1 << i;
                    sum += place;
                }
            }
            self.slots.push(slot);
            self.places.push(corner + sum / samples.count_ones() as f32);
            self.samples.push(samples);
            open &= !samples;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// What is seen: the place of a primitive in the tile's list, the ground or the backdrop.
    pub(crate) fn slot(&self, number: usize) -> u32 {
        self.slots[number]
    }

    pub(crate) fn place(&self, number: usize) -> Vec2 {
        self.places[number]
    }

    #[inline]
    pub(crate) fn set_radiance(&mut self, number: u32, radiance: Vec3A) {
        for (channel, value) in self.radiance.iter_mut().zip(radiance.to_array()) {
            channel[number as usize] = value;
        }
    }

    /// The pixels of a tile, row by row, once the radiance of everything is known.
    pub(crate) fn pixels(&mut self, shader: &Shader, rect: SampleRect, glass: &mut Glass) -> Vec<[u8; 4]> {
        let side = shader.supersampling;
        let pixels_per_row = ((rect.max[0] - rect.min[0]) / side) as usize;
        let behind = self.blend_glass(glass);
        for channel in &mut self.radiance {
            vector::run(ToneMap(channel));
        }
        self.sum_pixels();
        for (pixel, shown) in behind {
            for (channel, value) in self.display.iter_mut().zip(shown.to_array()) {
                channel[pixel] = value;
            }
        }
        let first = rect.min.map(|sample| sample / side);
        encode(shader, first, pixels_per_row, &self.display, self.grid.len())
    }

    pub(crate) fn samples_per_pixel(&self) -> usize {
        self.grid.len()
    }

    /// What is seen in each pixel, glass and liquids aside: mean radiance, and the least depth.
    pub(crate) fn means(&self, seen: &Visibility) -> Vec<BehindPixel> {
        let side = (self.grid.len() as f32).sqrt().round() as u32;
        let rect = seen.rect();
        let columns = ((rect.max[0] - rect.min[0]) / side).max(1);
        let pixel = |(number, range): (u32, &[u32])| {
            let corner = [
                rect.min[0] + number % columns * side,
                rect.min[1] + number / columns * side,
            ];
            let start = seen.index(corner);
            let depths = || self.grid.iter().map(|(offset, _)| seen.depth_at(start + offset));
            let depth = depths().fold(f32::INFINITY, f32::min);
            let far = depths().fold(0.0, f32::max);
            // Far from the backdrop all else is near.
            let middle = if far.is_finite() { 0.5 * (depth + far) } else { f32::MAX };
            let is_far = |found: &f32| *found > middle;
            let mut sum = Vec3A::ZERO;
            for fragment in range[0] as usize..range[1] as usize {
                let radiance = Vec3A::from_array([0, 1, 2].map(|channel| self.radiance[channel][fragment]));
                sum += radiance * self.samples[fragment].count_ones() as f32;
            }
            BehindPixel {
                radiance: sum / self.grid.len() as f32,
                depth,
                far,
                far_share: depths().filter(is_far).count() as f32 / self.grid.len() as f32,
                end: 0.0,
            }
        };
        (0..).zip(self.starts.windows(2)).map(pixel).collect()
    }

    /// What is shown in each pixel, summed over the samples.
    fn sum_pixels(&mut self) {
        let all = self.grid.len() as f32;
        let is_uniform = self.slots.len() == self.starts.len() - 1;
        for (display, radiance) in self.display.iter_mut().zip(&self.radiance) {
            display.clear();
            if is_uniform {
                display.extend(radiance.iter().map(|shown| shown * all));
                continue;
            }
            display.resize(self.starts.len() - 1, 0.0);
            for (display, range) in display.iter_mut().zip(self.starts.windows(2)) {
                let first = range[0] as usize;
                *display = if range[1] - range[0] == 1 {
                    radiance[first] * all
                } else {
                    let fragments = first..range[1] as usize;
                    let shown = fragments.map(|number| radiance[number] * self.samples[number].count_ones() as f32);
                    shown.sum()
                };
            }
        }
    }

    /// What is shown, summed over the samples, of the pixels that are seen through glass.
    fn blend_glass(&self, glass: &mut Glass) -> Vec<(usize, Vec3A)> {
        let count = self.grid.len();
        let all = u64::MAX >> (MOST_SAMPLES - count);
        let mut blended = Vec::new();
        while let Some((pixel, panes)) = glass.next_pixel() {
            let pixel = pixel as usize;
            let fragments = self.starts[pixel] as usize..self.starts[pixel + 1] as usize;
            let radiance = |number: usize| Vec3A::from_array([0, 1, 2].map(|channel| self.radiance[channel][number]));
            let mut radiances = [Vec3A::ZERO; MOST_SAMPLES];
            if fragments.len() == 1 && glass.cover_all(panes.clone(), all) {
                radiances[0] = radiance(fragments.start);
                glass.blend(panes, &mut radiances[..1]);
                blended.push((pixel, tone::map(radiances[0]) * count as f32));
                continue;
            }
            for number in fragments {
                let radiance = radiance(number);
                bits(self.samples[number]).for_each(|sample| radiances[sample as usize] = radiance);
            }
            glass.blend(panes, &mut radiances[..count]);
            let shown = radiances[..count].iter().map(|&radiance| tone::map(radiance));
            blended.push((pixel, shown.sum()));
        }
        blended
    }
}

/// The bytes of pixels, row by row, of what is shown in them, summed over so many samples. The first is at a column and row of the picture.
pub(crate) fn encode(
    shader: &Shader,
    first: [u32; 2],
    columns: usize,
    display: &[Vec<f32>; 3],
    samples: usize,
) -> Vec<[u8; 4]> {
    let mut bytes = vec![[0, 0, 0, 255]; display[0].len()];
    for (row, bytes) in bytes.chunks_mut(columns).enumerate() {
        vector::run(EncodeRow {
            encoder: &shader.encoder,
            display: [0, 1, 2].map(|channel| &display[channel][row * columns..][..bytes.len()]),
            samples: samples as f32,
            place: [first[0], first[1] + row as u32],
            bytes,
        });
    }
    bytes
}

/// Turns radiance into display light.
struct ToneMap<'a>(&'a mut [f32]);

impl Kernel for ToneMap<'_> {
    #[inline(always)]
    fn run(self) {
        for value in self.0 {
            *value = tone::map_channel(*value);
        }
    }
}

/// Turns display light, summed over the samples, into bytes.
struct EncodeRow<'a> {
    encoder: &'a Encoder,
    display: [&'a [f32]; 3],
    samples: f32,
    /// Column and row of the first pixel in the picture.
    place: [u32; 2],
    bytes: &'a mut [[u8; 4]],
}

impl Kernel for EncodeRow<'_> {
    #[inline(always)]
    fn run(self) {
        const PIXELS: usize = 32;
        for (start, bytes) in (0..).step_by(PIXELS).zip(self.bytes.chunks_mut(PIXELS)) {
            let count = bytes.len();
            let mut noise = [0.0; PIXELS];
            for (i, noise) in noise.iter_mut().enumerate() {
                *noise = tone::noise(self.place[0] + start as u32 + i as u32, self.place[1]);
            }
            for channel in 0..3 {
                let mut steps = [0.0; PIXELS];
                steps[..count].copy_from_slice(&self.display[channel][start..start + count]);
                for step in &mut steps {
                    *step = tone::step(*step / self.samples);
                }
                for (i, byte) in bytes.iter_mut().enumerate() {
                    byte[channel] = self.encoder.byte(steps[i], noise[i]);
                }
            }
        }
    }
}

/// The numbers of the bits that are set, from the lowest.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
