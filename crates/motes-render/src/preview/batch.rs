//! Surfaces shaded a batch at a time: their light is looked up, and what leaves them towards the camera is worked out, with
//! one surface in each lane.

use super::ambient::Ambient;
use super::footprint::Footprint;
use super::lights::STRAY;
use super::lookup::{BATCH, Column, Points};
use super::shade::{Shader, Surface};
use super::vector::{self, Kernel};
use glam::Vec3A;

/// Strength of the highlight of the key light.
const SHINE: f32 = 0.24;

/// What of the light on a batch is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The key light; the ambient light is known.
    Key,
    /// All of it.
    All,
}

/// Surfaces that wait until there are enough of them.
#[derive(Debug)]
pub(crate) struct Batch {
    points: Points,
    albedo: [Column; 3],
    skies: Column,
    visibilities: Column,
    keys: Column,
    radiance: [Column; 3],
    /// What each surface is, for whoever put it in.
    tags: [u32; BATCH],
    count: usize,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            points: Points::new(),
            albedo: [[0.0; BATCH]; 3],
            skies: [0.0; BATCH],
            visibilities: [0.0; BATCH],
            keys: [0.0; BATCH],
            radiance: [[0.0; BATCH]; 3],
            tags: [0; BATCH],
            count: 0,
        }
    }
}

impl Batch {
    /// Adds a surface; returns whether the batch is full.
    #[inline]
    pub(crate) fn push(&mut self, surface: &Surface, ambient: Ambient, tag: u32) -> bool {
        let i = self.count;
        self.points.set(i, surface.point, surface.normal);
        for channel in 0..3 {
            self.albedo[channel][i] = surface.albedo[channel];
        }
        (self.skies[i], self.visibilities[i]) = (ambient.sky, ambient.visibility);
        self.tags[i] = tag;
        self.count = i + 1;
        self.count == BATCH
    }

    /// Shades what is in the batch and empties it.
    ///
    /// `footprints`, one per shadow map, grow by what was looked up.
    pub(crate) fn shade(&mut self, shader: &Shader, wanted: Wanted, footprints: &mut [Footprint]) -> Shaded<'_> {
        let count = std::mem::take(&mut self.count);
        if count > 0 {
            self.points.pad(count);
            vector::run(ShadeBatch {
                shader,
                batch: self,
                wanted,
                footprints,
            });
        }
        Shaded { batch: self, count }
    }
}

/// A batch whose light is known.
pub(crate) struct Shaded<'a> {
    batch: &'a Batch,
    count: usize,
}

/// The light of one surface of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Light {
    pub(crate) tag: u32,
    /// Towards the camera.
    pub(crate) radiance: Vec3A,
    pub(crate) ambient: Ambient,
    /// The part of the key light that arrives.
    pub(crate) key: f32,
    pub(crate) point: Vec3A,
}

impl Shaded<'_> {
    pub(crate) fn lights(&self) -> impl Iterator<Item = Light> + '_ {
        let batch = self.batch;
        let vector = |columns: &[Column; 3], i: usize| Vec3A::new(columns[0][i], columns[1][i], columns[2][i]);
        (0..self.count).map(move |i| Light {
            tag: batch.tags[i],
            radiance: vector(&batch.radiance, i),
            ambient: Ambient {
                sky: batch.skies[i],
                visibility: batch.visibilities[i],
            },
            key: batch.keys[i],
            point: vector(&batch.points.place, i),
        })
    }
}

struct ShadeBatch<'a> {
    shader: &'a Shader<'a>,
    batch: &'a mut Batch,
    wanted: Wanted,
    footprints: &'a mut [Footprint],
}

impl Kernel for ShadeBatch<'_> {
    #[inline(always)]
    fn run(self) {
        let Self {
            shader,
            batch,
            wanted,
            footprints,
        } = self;
        let lights = shader.lights;
        batch.keys = lights.key_visibilities(&batch.points, footprints);
        if wanted == Wanted::All {
            (batch.skies, batch.visibilities) = lights.ambients(&batch.points, footprints);
        }
        let mut smoke_left = [1.0; BATCH];
        if !lights.smoke.is_empty() {
            smoke_left = lights.smoke.key_left(&batch.points);
            if wanted == Wanted::All {
                let skies_left = lights.smoke.skies_left(&batch.points);
                for (sky, left) in batch.skies.iter_mut().zip(skies_left) {
                    *sky *= left;
                }
            }
        }
        let mut firelight = [[0.0; BATCH]; 3];
        if !lights.smoke.fire.is_out() {
            firelight = lights.smoke.fire.on(&batch.points);
        }
        let to_key = lights.key_towards;
        let [sky_light, bounce_light] = lights.ambient_colors();
        let cosines = batch.points.normals_dot(to_key);
        let rises = batch.points.normals_dot(lights.up);
        let Points { place, normal } = &batch.points;
        let (mut keys, mut shines) = ([0.0; BATCH], [0.0; BATCH]);
        for i in 0..BATCH {
            keys[i] = positive(cosines[i]) * batch.keys[i] * smoke_left[i];
            let (x, y, z) = (place[0][i], place[1][i], place[2][i]);
            let away = reciprocal((x * x + y * y + z * z).sqrt());
            let (x, y, z) = (to_key.x - x * away, to_key.y - y * away, to_key.z - z * away);
            let length = reciprocal((x * x + y * y + z * z).sqrt());
            let half = normal[0][i] * (x * length) + normal[1][i] * (y * length) + normal[2][i] * (z * length);
            let half = positive(half);
            let second = half * half;
            let fourth = second * second;
            let eighth = fourth * fourth;
            shines[i] = SHINE * (eighth * (eighth * eighth));
        }
        for channel in 0..3 {
            let (key_light, sky, bounce) = (lights.key_light[channel], sky_light[channel], bounce_light[channel]);
            for i in 0..BATCH {
                let albedo = batch.albedo[channel][i];
                let visibility = batch.visibilities[i];
                let key = key_light * keys[i];
                // Light that neighbours of the same colour pass on brightens and tints hollows (Jimenez et al. 2016).
                let passed_on = 1.0 / (1.0 - albedo * (0.8 * (1.0 - visibility)));
                let from_below = 0.5 - 0.5 * rises[i];
                let ambient = sky * (batch.skies[i] + STRAY) + bounce * (from_below * visibility);
                let light = albedo * (key + ambient * passed_on + firelight[channel][i]);
                batch.radiance[channel][i] = light + key * shines[i];
            }
        }
    }
}

#[inline(always)]
fn positive(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// One over a length, or 0 if that is none.
#[inline(always)]
fn reciprocal(length: f32) -> f32 {
    let inverse = 1.0 / length;
    if inverse < f32::INFINITY { inverse } else { 0.0 }
}
