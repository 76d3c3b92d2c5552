//! See-through meshes, laid over the opaque picture.

use super::content::Triangle;
use super::shade::{Shader, Surface};
use super::view::SampleRect;
use super::visibility::{TriangleRays, Visibility};
use glam::{Vec2, Vec3A, Vec4};
use std::ops::Range;

/// One see-through surface before samples of one pixel: it tints what is behind it and adds light of its own.
#[derive(Clone, Copy, Debug)]
struct Pane {
    /// Number of the pixel within the tile, row by row.
    pixel: u32,
    /// The mean of its samples.
    depth: f32,
    /// The samples that see it, as bits.
    samples: u64,
    tint: Vec3A,
    added: Vec3A,
}

/// Four samples of a pixel: their places relative to the first and in the buffers of the tile.
#[derive(Clone, Copy, Debug)]
struct FourSamples {
    columns: Vec4,
    rows: Vec4,
    offsets: [usize; 4],
    count: usize,
}

/// The see-through surfaces of one tile.
#[derive(Debug, Default)]
pub(crate) struct Glass {
    panes: Vec<Pane>,
    /// The panes by pixel, the farthest first.
    order: Vec<u32>,
    /// The first of every pixel's in the order, and one past the last.
    starts: Vec<u32>,
    /// The pixel that [`Glass::next_pixel`] comes to next.
    next: usize,
    grid: Vec<FourSamples>,
}

impl Glass {
    /// Starts a tile; `side` is the number of samples along the side of a pixel.
    pub(crate) fn clear(&mut self, stride: usize, side: u32) {
        self.panes.clear();
        self.starts.clear();
        self.order.clear();
        self.next = 0;
        self.grid.clear();
        let count = side * side;
        self.grid.extend((0..count).step_by(4).map(|first| {
            // Samples past the last are the last once more.
            let samples = [0, 1, 2, 3].map(|lane| (first + lane).min(count - 1));
            let place = |f: fn(u32, u32) -> u32| Vec4::from_array(samples.map(|sample| f(sample, side) as f32));
            FourSamples {
                columns: place(|sample, side| sample % side),
                rows: place(|sample, side| sample / side),
                offsets: samples.map(|sample| (sample / side) as usize * stride + (sample % side) as usize),
                count: (count - first).min(4) as usize,
            }
        }));
    }

    /// Notes where a triangle lies before what is seen.
    pub(crate) fn draw_triangle(&mut self, shader: &Shader, seen: &Visibility, triangle: &Triangle, primitive: u32) {
        let Some(rays) = TriangleRays::new(&triangle.corners) else {
            return;
        };
        let tile = seen.rect();
        let rect = shader.content.rects[primitive as usize].intersection(&tile);
        if rect.is_empty() {
            return;
        }
        let side = shader.supersampling;
        let pixels_per_row = (tile.max[0] - tile.min[0]) / side;
        let [first, last] = [rect.min, [rect.max[0] - 1, rect.max[1] - 1]];
        let [first, last] = [first, last].map(|at| [0, 1].map(|axis| (at[axis] - tile.min[axis]) / side));
        for y in first[1]..=last[1] {
            for x in first[0]..=last[0] {
                let corner = [tile.min[0] + x * side, tile.min[1] + y * side];
                let Some((samples, place, depth)) = self.covered(shader, seen, &rays, corner) else {
                    continue;
                };
                let ray = Vec2::new(shader.view.u(place.x), shader.view.v(place.y));
                let surface = shader.triangle_surface(ray, triangle, &rays);
                let instance = &shader.drawing.meshes[triangle.instance as usize];
                let (tint, added) = match instance.mesh.fabric() {
                    Some(_) => veil(shader, &surface, instance.opacity),
                    None => pane(shader, ray, &surface, instance.opacity),
                };
                self.panes.push(Pane {
                    pixel: y * pixels_per_row + x,
                    depth,
                    samples,
                    tint,
                    added,
                });
            }
        }
    }

    /// The samples of a pixel that see a triangle, their middle, and their mean depth.
    #[inline(always)]
    fn covered(
        &self,
        shader: &Shader,
        seen: &Visibility,
        rays: &TriangleRays,
        corner: [u32; 2],
    ) -> Option<(u64, Vec2, f32)> {
        let [column, row] = corner.map(|at| at as f32);
        let start = seen.index(corner);
        let (mut samples, mut place, mut depths) = (0_u64, Vec2::ZERO, 0.0);
        for (chunk, four) in self.grid.iter().enumerate() {
            let (columns, rows) = (four.columns + column, four.rows + row);
            let (depth, is_met) = rays.meet_all(shader.view.us(columns), shader.view.vs(rows));
            let before = Vec4::from_array(four.offsets.map(|offset| seen.depth_at(start + offset)));
            let is_seen = is_met & depth.cmpgt(Vec4::splat(shader.view.near)) & depth.cmplt(before);
            let mut lanes = is_seen.bitmask() & ((1 << four.count) - 1);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                samples |= 1 << (4 * chunk + lane);
                place += Vec2::new(columns[lane], rows[lane]);
                depths += depth[lane];
            }
        }
        let count = samples.count_ones() as f32;
        (samples != 0).then(|| (samples, place / count, depths / count))
    }

    /// Orders the panes by pixel, the farthest first: a counting sort.
    pub(crate) fn sort(&mut self, tile: SampleRect, side: u32) {
        if self.panes.is_empty() {
            return;
        }
        let pixels = (tile.max[0] - tile.min[0]) / side * ((tile.max[1] - tile.min[1]) / side);
        self.starts.resize(pixels as usize + 2, 0);
        for pane in &self.panes {
            self.starts[pane.pixel as usize + 2] += 1;
        }
        for pixel in 2..self.starts.len() {
            self.starts[pixel] += self.starts[pixel - 1];
        }
        self.order.resize(self.panes.len(), 0);
        for (number, pane) in self.panes.iter().enumerate() {
            let slot = &mut self.starts[pane.pixel as usize + 1];
            self.order[*slot as usize] = number as u32;
            *slot += 1;
        }
        let depth = |number: u32| self.panes[number as usize].depth;
        for range in self.starts.windows(2) {
            if range[1] > range[0] + 1 {
                let panes = &mut self.order[range[0] as usize..range[1] as usize];
                panes.sort_by(|&a, &b| depth(b).total_cmp(&depth(a)));
            }
        }
    }

    /// The next pixel that has panes, and those.
    pub(crate) fn next_pixel(&mut self) -> Option<(u32, Range<usize>)> {
        while let Some(&[start, end]) = self.starts.get(self.next..self.next + 2) {
            self.next += 1;
            if end > start {
                return Some((self.next as u32 - 1, start as usize..end as usize));
            }
        }
        None
    }

    /// Whether all of these panes cover all samples of their pixel.
    pub(crate) fn cover_all(&self, panes: Range<usize>, samples: u64) -> bool {
        let mut panes = self.order[panes].iter();
        panes.all(|&number| self.panes[number as usize].samples == samples)
    }

    /// Blends the panes of a pixel, given by its number, that lie between two depths over the mean radiance of its samples, of which
    /// there are `count`.
    pub(crate) fn over(&self, pixel: usize, depths: Range<f32>, count: usize, mut radiance: Vec3A) -> Vec3A {
        let Some(&[start, end]) = self.starts.get(pixel..pixel + 2) else {
            return radiance;
        };
        for &number in &self.order[start as usize..end as usize] {
            let pane = &self.panes[number as usize];
            if depths.contains(&pane.depth) {
                let share = pane.samples.count_ones() as f32 / count as f32;
                radiance = radiance.lerp(radiance * pane.tint + pane.added, share);
            }
        }
        radiance
    }

    /// Blends panes over the radiance of the samples of a pixel, given by number.
    pub(crate) fn blend(&self, panes: Range<usize>, radiances: &mut [Vec3A]) {
        for &number in &self.order[panes] {
            let pane = &self.panes[number as usize];
            for (sample, radiance) in radiances.iter_mut().enumerate() {
                if pane.samples >> sample & 1 == 1 {
                    *radiance = *radiance * pane.tint + pane.added;
                }
            }
        }
    }
}

/// How a pane changes what is seen through it: tinted by its colour, with a rim that mirrors the backdrop and a highlight of the key.
fn pane(shader: &Shader, ray: Vec2, surface: &Surface, opacity: f32) -> (Vec3A, Vec3A) {
    let lights = shader.lights;
    let incoming = Vec3A::new(ray.x, ray.y, 1.0).normalize();
    let facing = -incoming.dot(surface.normal);
    let rim = (1.0 - facing.clamp(0.0, 1.0)).powi(4);
    let mirrored = incoming + surface.normal * (2.0 * facing);
    let shine = mirrored.dot(lights.key_towards).max(0.0).powi(160);
    let diffuse = surface.albedo * (lights.open_sky() + lights.key_light * 0.3);
    // What is nearly solid looks like it, instead of mirroring the backdrop.
    let rise = 0.5 + 0.5 * surface.normal.dot(lights.up);
    let towards_key = surface.normal.dot(lights.key_towards).max(0.0);
    let solid = surface.albedo * (lights.open_sky() * rise + lights.key_light * (0.8 * towards_key));
    let covered = opacity + (1.0 - opacity) * 0.55 * rim;
    let body = diffuse.lerp(shader.backdrop(mirrored), 0.35 + 0.65 * rim);
    let body = body.lerp(solid, opacity * opacity);
    let tint = Vec3A::ONE.lerp(surface.albedo, opacity) * (1.0 - covered);
    (tint, body * covered + lights.key_light * (1.6 * shine))
}

/// How thin cloth changes what is seen through it: it is as bright as the light on either side of it, and mirrors nothing.
fn veil(shader: &Shader, surface: &Surface, opacity: f32) -> (Vec3A, Vec3A) {
    let lights = shader.lights;
    let rise = 0.7 + 0.3 * surface.normal.dot(lights.up);
    let key = 0.6 * surface.normal.dot(lights.key_towards).abs();
    let body = surface.albedo * (lights.open_sky() * rise + lights.key_light * key);
    (Vec3A::splat(1.0 - opacity), body * opacity)
}
