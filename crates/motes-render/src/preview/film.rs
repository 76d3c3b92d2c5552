//! Liquids before the samples of a tile: their nearest surface, and how far a ray goes through them.

use super::content::Triangle;
use super::shade::Shader;
use super::view::SampleRect;
use super::visibility::{TriangleRays, Visibility};
use glam::{Vec2, Vec3A, Vec4};

/// A sample that sees no liquid.
const NONE: u32 = u32::MAX;

/// Samples that are drawn at once.
const LANES: usize = 4;

/// Liquids before the samples of a tile.
#[derive(Debug, Default)]
pub(crate) struct Films {
    rect: SampleRect,
    stride: usize,
    /// The nearest surface; those three have room for a chunk past the last sample.
    depths: Vec<f32>,
    slots: Vec<f32>,
    /// How deep rays leave liquids less how deep they enter them, in sum.
    lengths: Vec<f32>,
    /// How often they leave less how often they enter: 0 unless rounding or the camera says otherwise.
    balance: Vec<f32>,
}

/// The liquid before a pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Film {
    /// The part of its samples that see it, 0 to 1.
    pub(crate) coverage: f32,
    /// Depth of the nearest surface, metres.
    pub(crate) depth: f32,
    /// Depth that is liquid, before what is seen without it, metres; NaN if rounding hides it.
    pub(crate) length: f32,
    /// Unit normal, on the side of the camera.
    pub(crate) normal: Vec3A,
    pub(crate) instance: u32,
    /// Whether the camera is in it.
    pub(crate) is_within: bool,
}

impl Films {
    pub(crate) fn clear(&mut self, seen: &Visibility) {
        self.rect = seen.rect();
        self.stride = seen.stride();
        let rows = (self.rect.max[1] - self.rect.min[1]) as usize;
        let count = self.stride * rows + LANES;
        for (values, start) in [
            (&mut self.depths, f32::INFINITY),
            (&mut self.slots, f32::from_bits(NONE)),
            (&mut self.lengths, 0.0),
            (&mut self.balance, 0.0),
        ] {
            values.clear();
            values.resize(count, start);
        }
    }

    /// Draws a triangle of a liquid, from either side.
    #[inline(always)]
    pub(crate) fn draw_triangle(
        &mut self,
        shader: &Shader,
        seen: &Visibility,
        triangle: &Triangle,
        rect: &SampleRect,
        slot: u32,
    ) {
        let Some(rays) = TriangleRays::new(&triangle.corners) else {
            return;
        };
        let rect = rect.intersection(&self.rect);
        if rect.is_empty() {
            return;
        }
        let view = shader.view;
        let is_front = is_front(shader, triangle, &rays);
        let leaves = Vec4::splat(if is_front { -1.0 } else { 1.0 });
        let first = (rect.min[0] - self.rect.min[0]) as usize;
        let count = (rect.max[0] - rect.min[0]) as usize;
        let first_u = view.u(rect.min[0] as f32);
        let (near, slot) = (Vec4::splat(view.near), Vec4::splat(f32::from_bits(slot)));
        let end = Vec4::splat(count as f32);
        for row in rect.min[1]..rect.max[1] {
            let start = (row - self.rect.min[1]) as usize * self.stride + first;
            let v = Vec4::splat(view.v(row as f32));
            let mut number = Vec4::new(0.0, 1.0, 2.0, 3.0);
            for at in (start..start + count).step_by(LANES) {
                let (depth, is_met) = rays.meet_all(first_u + number * view.step, v);
                let is_met = is_met & depth.cmpgt(near) & number.cmplt(end);
                number += LANES as f32;
                if !is_met.any() {
                    continue;
                }
                let four = |values: &[f32]| Vec4::from_slice(&values[at..at + LANES]);
                let (lengths, balance, before) = (four(&self.lengths), four(&self.balance), four(&self.depths));
                let hidden = Vec4::from_array(std::array::from_fn(|lane| seen.depth_or_far(at + lane)));
                let seen_depth = depth.min(hidden);
                let lengths = Vec4::select(is_met, lengths + leaves * seen_depth, lengths);
                let balance = Vec4::select(is_met, balance + leaves, balance);
                lengths.write_to_slice(&mut self.lengths[at..at + LANES]);
                balance.write_to_slice(&mut self.balance[at..at + LANES]);
                let is_nearer = is_met & depth.cmplt(before) & depth.cmplt(hidden);
                Vec4::select(is_nearer, depth, before).write_to_slice(&mut self.depths[at..at + LANES]);
                let slots = Vec4::select(is_nearer, slot, four(&self.slots));
                slots.write_to_slice(&mut self.slots[at..at + LANES]);
            }
        }
    }

    /// The liquid before a pixel, given by its first sample; nothing if there is none.
    pub(crate) fn pixel(
        &self,
        shader: &Shader,
        seen: &Visibility,
        primitives: &[u32],
        corner: [u32; 2],
    ) -> Option<Film> {
        let side = shader.supersampling;
        let start = seen.index(corner);
        let mut parts = [Part::default(); PARTS];
        let mut count = 0;
        let (mut covered, mut depths) = (0_u32, 0.0);
        for sample in 0..side * side {
            let (x, y) = (sample % side, sample / side);
            let at = start + y as usize * self.stride + x as usize;
            let slot = self.slots[at].to_bits();
            if slot == NONE {
                continue;
            }
            covered += 1;
            depths += self.depths[at];
            let number = (0..count)
                .find(|&number| parts[number].slot == slot)
                .unwrap_or_else(|| {
                    count = (count + 1).min(PARTS);
                    count - 1
                });
            let part = &mut parts[number];
            if part.slot != slot {
                *part = Part {
                    slot,
                    ..Part::default()
                };
            }
            part.samples += 1;
            part.place += Vec2::new(x as f32, y as f32);
            part.lengths[0] += if self.balance[at] == 0.0 { self.lengths[at] } else { 0.0 };
            part.sound[0] += u32::from(self.balance[at] == 0.0);
            part.lengths[1] += if self.balance[at] == 1.0 { self.lengths[at] } else { 0.0 };
            part.sound[1] += u32::from(self.balance[at] == 1.0);
        }
        let corner = Vec2::new(corner[0] as f32, corner[1] as f32);
        let (mut normal, mut lengths, mut sound) = (Vec3A::ZERO, 0.0, 0);
        let mut found = None;
        for part in &parts[..count] {
            let Some(triangle) = shader.content.triangle(primitives[part.slot as usize]) else {
                continue;
            };
            let Some(rays) = TriangleRays::new(&triangle.corners) else {
                continue;
            };
            let place = corner + part.place / part.samples as f32;
            let ray = Vec2::new(shader.view.u(place.x), shader.view.v(place.y));
            normal += shader.triangle_surface(ray, triangle, &rays).normal * part.samples as f32;
            // A ray that meets an edge meets two triangles, or none.
            let is_within = !is_front(shader, triangle, &rays);
            lengths += part.lengths[usize::from(is_within)];
            sound += part.sound[usize::from(is_within)];
            found = Some((triangle.instance, is_within));
        }
        let (instance, is_within) = found?;
        Some(Film {
            coverage: covered as f32 / (side * side) as f32,
            depth: depths / covered as f32,
            length: if sound > 0 {
                (lengths / sound as f32).max(0.0)
            } else {
                f32::NAN
            },
            normal: normal.normalize_or(Vec3A::NEG_Z),
            instance,
            is_within,
        })
    }
}

/// Triangles that are told apart in a pixel.
const PARTS: usize = 8;

/// The samples of a pixel that see the same triangle.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    slot: u32,
    samples: u32,
    /// The sum of their places, from the first sample of the pixel on.
    place: Vec2,
    /// Of samples whose rays leave liquids as often as they enter them, and once more, the lengths in sum and how many there are.
    lengths: [f32; 2],
    sound: [u32; 2],
}

/// Whether a triangle of a closed mesh is seen from outside.
fn is_front(shader: &Shader, triangle: &Triangle, rays: &TriangleRays) -> bool {
    let instance = triangle.instance as usize;
    let turn = shader.content.to_camera[instance].matrix3.determinant();
    rays.normal().dot(triangle.corners[0]) * turn * shader.drawing.meshes[instance].mesh.outward() < 0.0
}
