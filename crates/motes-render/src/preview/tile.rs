//! One tile of the picture, from the primitives before it to its pixels.

use super::bins::{Bins, Tiles};
use super::content::{self, Primitive};
use super::glass::Glass;
use super::shade::Shader;
use super::tone::{self, Encoder};
use super::view::SampleRect;
use super::visibility::Visibility;
use glam::{Vec2, Vec3};

/// Spheres drawn between two updates of the farthest depths.
const BATCH: usize = 32;

/// Buffers for one tile, reused by the tiles of a thread.
#[derive(Debug, Default)]
pub(crate) struct TileScratch {
    seen: Visibility,
    glass: Glass,
    /// Spheres of the tile, nearest first: depth of the near side as sortable bits, and number.
    order: Vec<(u32, u32)>,
    radiance: Vec<Vec3>,
}

impl TileScratch {
    /// Draws a tile with `supersampling` samples along the side of a pixel; returns its pixels row by row.
    pub(crate) fn draw(&mut self, shader: &Shader, tiles: &Tiles, bins: &Bins, tile: usize, supersampling: u32) -> Vec<[u8; 4]> {
        let rect = tiles.rect(tile);
        self.seen.clear(shader.view, rect, shader.ground);
        self.glass.clear();
        self.draw_opaque(shader, bins.tile(tile));
        self.draw_glass(shader, bins.tile(tile));
        self.shade(shader, rect, supersampling);
        self.glass.blend(shader, &self.seen, &mut self.radiance);
        self.resolve(&shader.encoder, rect, supersampling)
    }

    fn draw_opaque(&mut self, shader: &Shader, primitives: &[u32]) {
        let content = shader.content;
        self.order.clear();
        for &primitive in primitives {
            match content.primitive(primitive) {
                Primitive::Sphere(sphere) => {
                    let nearest = (sphere.truncate().length() - sphere.w).max(0.0);
                    self.order.push((nearest.to_bits(), primitive));
                }
                Primitive::Triangle(triangle) => {
                    if content::is_solid(shader.drawing.meshes[triangle.instance as usize].opacity) {
                        let rect = &content.rects[primitive as usize];
                        self.seen.draw_triangle(shader.view, rect, &triangle.corners, primitive);
                    }
                }
            }
        }
        self.order.sort_unstable();
        for batch in self.order.chunks(BATCH) {
            for &(_, primitive) in batch {
                let sphere = content.spheres[primitive as usize];
                let rect = &content.rects[primitive as usize];
                if !self.seen.hides(rect, sphere.z - sphere.w) {
                    self.seen
                        .draw_sphere(shader.view, rect, sphere.truncate(), sphere.w, primitive);
                }
            }
            self.seen.update_blocks();
        }
    }

    fn draw_glass(&mut self, shader: &Shader, primitives: &[u32]) {
        let content = shader.content;
        for &primitive in primitives {
            if let Primitive::Triangle(triangle) = content.primitive(primitive)
                && !content::is_solid(shader.drawing.meshes[triangle.instance as usize].opacity)
            {
                let rect = &content.rects[primitive as usize];
                self.glass.draw_triangle(shader, &self.seen, rect, primitive);
            }
        }
    }

    /// Shades every primitive once per pixel, in the middle of the samples that see it.
    fn shade(&mut self, shader: &Shader, rect: SampleRect, supersampling: u32) {
        self.radiance.clear();
        self.radiance.resize(self.seen.primitives.len(), Vec3::ZERO);
        let side = supersampling as usize;
        let stride = self.seen.stride();
        let seen = &self.seen.primitives;
        for row in (rect.min[1]..rect.max[1]).step_by(side) {
            for column in (rect.min[0]..rect.max[0]).step_by(side) {
                let start = (row - rect.min[1]) as usize * stride + (column - rect.min[0]) as usize;
                let sample = |i: u32| start + i as usize / side * stride + i as usize % side;
                let noise = tone::noise(column / supersampling, row / supersampling);
                // One bit per sample that is not shaded yet.
                let mut open = u64::MAX >> (64 - side * side);
                while open != 0 {
                    let primitive = seen[sample(open.trailing_zeros())];
                    let (mut same, mut middle) = (0_u64, Vec2::ZERO);
                    for i in bits(open).filter(|&i| seen[sample(i)] == primitive) {
                        same |= 1 << i;
                        middle += Vec2::new((i % supersampling) as f32, (i / supersampling) as f32);
                    }
                    middle = middle / same.count_ones() as f32 + Vec2::new(column as f32, row as f32);
                    let ray = Vec2::new(shader.view.u(middle.x), shader.view.v(middle.y));
                    let radiance = shader.radiance(ray, primitive, noise);
                    for i in bits(same) {
                        self.radiance[sample(i)] = radiance;
                    }
                    open &= !same;
                }
            }
        }
    }

    /// Tone-maps the samples and averages them into pixels.
    fn resolve(&self, encoder: &Encoder, rect: SampleRect, supersampling: u32) -> Vec<[u8; 4]> {
        let side = supersampling as usize;
        let stride = self.seen.stride();
        let share = 1.0 / (side * side) as f32;
        let mut pixels = Vec::with_capacity(self.radiance.len() / (side * side));
        for row in (rect.min[1]..rect.max[1]).step_by(side) {
            for column in (rect.min[0]..rect.max[0]).step_by(side) {
                let start = (row - rect.min[1]) as usize * stride + (column - rect.min[0]) as usize;
                let mut display = Vec3::ZERO;
                for y in 0..side {
                    for &radiance in &self.radiance[start + y * stride..][..side] {
                        display += tone::map(radiance);
                    }
                }
                let noise = tone::noise(column / supersampling, row / supersampling);
                pixels.push(encoder.pixel(display * share, noise));
            }
        }
        pixels
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
