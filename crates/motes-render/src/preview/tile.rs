//! One tile of the picture, from the primitives before it to its pixels.

use super::ambient::Probe;
use super::content::{self, Primitive};
use super::glass::Glass;
use super::ground::GroundGrid;
use super::shade::Shader;
use super::tone;
use super::view::SampleRect;
use super::visibility::{BACKDROP, GROUND, Visibility};
use glam::{Vec2, Vec3A};

/// Spheres drawn between two updates of the farthest depths.
const BATCH: usize = 64;
/// Triangles drawn between two of these updates.
const TRIANGLE_BATCH: usize = 256;
/// Samples in a pixel at most, so that a set of them fits into the bits of a `u64`.
const MOST_SAMPLES: usize = 64;

/// Buffers for one tile, reused by the tiles of a thread.
#[derive(Debug, Default)]
pub(crate) struct TileScratch {
    seen: Visibility,
    glass: Glass,
    /// Spheres of the tile, nearest first: distance of the near side as sortable bits, then place in the tile's list.
    order: Vec<u64>,
    ground: GroundGrid,
    /// The samples of a pixel: offset in the buffers of the tile, and place relative to the first.
    samples: Vec<(usize, Vec2)>,
    /// One per primitive of the tile, filled where it is needed.
    probes: Vec<Option<Probe>>,
}

impl TileScratch {
    /// Draws a tile, given the primitives that may touch it; returns its pixels row by row.
    pub(crate) fn draw(&mut self, shader: &Shader, rect: SampleRect, primitives: &[u32]) -> Vec<[u8; 4]> {
        self.seen.clear(shader.view, rect, shader.ground.as_ref());
        self.draw_opaque(shader, primitives);
        self.draw_glass(shader, primitives);
        self.ground.clear();
        self.probes.clear();
        self.probes.resize(primitives.len(), None);
        let side = shader.supersampling;
        let count = (side * side) as usize;
        let stride = self.seen.stride();
        self.samples.clear();
        self.samples.extend((0..side * side).map(|i| {
            let (x, y) = (i % side, i / side);
            (y as usize * stride + x as usize, Vec2::new(x as f32, y as f32))
        }));
        let mut pixels = Vec::with_capacity(self.seen.slots.len() / count);
        for row in (rect.min[1]..rect.max[1]).step_by(side as usize) {
            for column in (rect.min[0]..rect.max[0]).step_by(side as usize) {
                let panes = self.glass.next_pixel();
                let mut display = Vec3A::ZERO;
                if panes.is_empty() {
                    self.shade(shader, primitives, [column, row], |radiance, samples| {
                        display += tone::map(radiance) * samples.count_ones() as f32;
                    });
                } else {
                    let mut radiances = [Vec3A::ZERO; MOST_SAMPLES];
                    self.shade(shader, primitives, [column, row], |radiance, samples| {
                        bits(samples).for_each(|sample| radiances[sample as usize] = radiance);
                    });
                    self.glass.blend(shader, panes, [column, row], &mut radiances);
                    display = radiances[..count].iter().map(|&radiance| tone::map(radiance)).sum();
                }
                let noise = tone::noise(column / side, row / side);
                pixels.push(shader.encoder.pixel(display / count as f32, noise));
            }
        }
        pixels
    }

    fn draw_opaque(&mut self, shader: &Shader, primitives: &[u32]) {
        let content = shader.content;
        let mut drawn = 0;
        self.order.clear();
        for (slot, &primitive) in primitives.iter().enumerate() {
            match content.primitive(primitive) {
                Primitive::Sphere(sphere) => {
                    let nearest = (sphere.truncate().length() - sphere.w).max(0.0);
                    self.order.push(u64::from(nearest.to_bits()) << 32 | slot as u64);
                }
                Primitive::Triangle(triangle) => {
                    if content::is_solid(shader.drawing.meshes[triangle.instance as usize].opacity) {
                        let (rect, corners) = (&content.rects[primitive as usize], &triangle.corners);
                        let nearest = corners[0].z.min(corners[1].z).min(corners[2].z);
                        if !self.seen.hides(rect, nearest) {
                            self.seen.draw_triangle(shader.view, rect, corners, slot as u32);
                            drawn += 1;
                            if drawn % TRIANGLE_BATCH == 0 {
                                self.seen.update_blocks();
                            }
                        }
                    }
                }
            }
        }
        self.order.sort_unstable();
        for batch in self.order.chunks(BATCH) {
            let mut is_changed = false;
            for slot in batch.iter().map(|&entry| entry as u32) {
                let primitive = primitives[slot as usize] as usize;
                let (sphere, rect) = (content.spheres[primitive], &content.rects[primitive]);
                if !self.seen.hides(rect, sphere.z - sphere.w) {
                    self.seen
                        .draw_sphere(shader.view, rect, sphere.truncate(), sphere.w, slot);
                    is_changed = true;
                }
            }
            if is_changed {
                self.seen.update_blocks();
            }
        }
    }

    fn draw_glass(&mut self, shader: &Shader, primitives: &[u32]) {
        self.glass.clear();
        for &primitive in primitives {
            if let Some(triangle) = shader.content.triangle(primitive)
                && !content::is_solid(shader.drawing.meshes[triangle.instance as usize].opacity)
            {
                self.glass.draw_triangle(shader, &self.seen, triangle, primitive);
            }
        }
        self.glass.sort();
    }

    /// Shades everything seen in a pixel, each thing once, in the middle of the samples that see it; `found` gets its
    /// radiance and the set of those samples.
    fn shade(&mut self, shader: &Shader, primitives: &[u32], corner: [u32; 2], mut found: impl FnMut(Vec3A, u64)) {
        let tile = self.seen.rect();
        let start = (corner[1] - tile.min[1]) as usize * self.seen.stride() + (corner[0] - tile.min[0]) as usize;
        let corner = Vec2::new(corner[0] as f32, corner[1] as f32);
        let mut open = u64::MAX >> (MOST_SAMPLES - self.samples.len());
        let first = self.seen.slots[start];
        let slots = &self.seen.slots;
        if self.samples.iter().all(|&(offset, _)| slots[start + offset] == first) {
            let middle = 0.5 * (shader.supersampling - 1) as f32;
            return found(self.radiance(shader, primitives, first, corner + middle), open);
        }
        while open != 0 {
            let slot = self.seen.slots[start + self.samples[open.trailing_zeros() as usize].0];
            let (mut samples, mut sum) = (0_u64, Vec2::ZERO);
            for (i, &(offset, place)) in self.samples.iter().enumerate() {
                // Samples shaded before see something else, so they need not be left out.
                if self.seen.slots[start + offset] == slot {
                    samples |= 1 << i;
                    sum += place;
                }
            }
            let place = corner + sum / samples.count_ones() as f32;
            found(self.radiance(shader, primitives, slot, place), samples);
            open &= !samples;
        }
    }

    /// Radiance of what is seen as `slot` at a place given in samples.
    fn radiance(&mut self, shader: &Shader, primitives: &[u32], slot: u32, place: Vec2) -> Vec3A {
        let ray = Vec2::new(shader.view.u(place.x), shader.view.v(place.y));
        match slot {
            BACKDROP => shader.backdrop(shader.view.ray(place)),
            GROUND => self.ground.radiance(shader, &self.seen.rect(), place),
            _ => {
                let primitive = primitives[slot as usize];
                let Some(surface) = shader.surface(ray, primitive) else {
                    return Vec3A::ZERO;
                };
                let ambient = match shader.content.primitive(primitive) {
                    Primitive::Sphere(sphere) if shader.lights.is_small(sphere.w) => self.probes[slot as usize]
                        .get_or_insert_with(|| shader.lights.probe(Vec3A::from_vec4(sphere), sphere.w))
                        .ambient(surface.normal, shader.lights.up),
                    _ => shader.lights.ambient(surface.point, surface.normal),
                };
                shader.lit(&surface, ambient, shader.key_visibility(&surface))
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
