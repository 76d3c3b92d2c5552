//! Puffs as the camera sees them: where each is in the picture and what light it throws there, the nearest first.

use super::super::footprint::Footprint;
use super::super::lights::Lights;
use super::super::lookup::{BATCH, Column, Points};
use super::super::vector::{self, Kernel};
use super::super::view::{SampleRect, View};
use super::glow;
use super::light::SmokeLight;
use crate::color::to_linear;
use crate::{Drawing, Puff};
use glam::{Vec2, Vec3A};
use rayon::prelude::*;

/// Smallest radius that is drawn, pixels; smaller puffs are drawn at it, as much fainter as they are smaller.
const SMALLEST: f32 = 1.2;
/// Depths, in radii, between which puffs that the camera is about to be in come into view.
const NEAREST: [f32; 2] = [0.4, 1.6];
/// Radius from which on the light differs from side to side, pixels.
const TURNED: f32 = 2.5;
/// How far from the middle the light of the sides is looked up, radii.
const SIDE: f32 = 0.6;

/// Light that is scattered once, a few times and many times: its weight, the part of the optical depth that it has to come through, and the
/// powers of the smoke's colour that are left of it (after Wrenninge, Kulla and Lundqvist 2013, "Oz: the great and volumetric").
const ORDERS: [(f32, f32, i32); 3] = [(0.85, 1.0, 1), (0.32, 0.4, 2), (0.13, 0.12, 3)];
/// Light of the sky that comes straight, and how much of the optical depth stops the rest.
const STRAIGHT: f32 = 0.5;
const DIFFUSE: f32 = 0.35;
/// The part of it that smoke turns to the camera.
const TURNED_SKY: f32 = 0.75;
/// The part of the light of fire that comes through smoke to other smoke.
const FIRELIT: f32 = 0.5;
/// How much more light goes on than turns back, and the part that does neither (Henyey and Greenstein 1941).
const FORWARD: f32 = 0.35;
const EVEN: f32 = 0.5;

/// A puff in the picture.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sprite {
    /// Pixels, whose whole numbers are centres.
    pub(crate) place: Vec2,
    /// One over its radius, 1/pixels.
    pub(crate) inverse: f32,
    /// Depth of its middle, and its radius, metres.
    pub(crate) depth: f32,
    pub(crate) radius: f32,
    pub(crate) opacity: f32,
    /// Radiance from the key light in the middle, and how it changes from there to the sides, as parts of it.
    pub(crate) key: Vec3A,
    pub(crate) tilt: Vec2,
    /// Radiance from all else.
    pub(crate) rest: Vec3A,
}

/// All puffs before the camera.
#[derive(Debug, Default)]
pub(crate) struct Sprites {
    /// Bits of the depth, then number: the nearest first.
    order: Vec<u64>,
    pub(crate) all: Vec<Sprite>,
    /// The pixels that each may cover.
    pub(crate) rects: Vec<SampleRect>,
}

/// What sprites are made with.
pub(crate) struct Stage<'a> {
    pub(crate) drawing: &'a Drawing<'a>,
    pub(crate) lights: &'a Lights,
    pub(crate) view: &'a View,
    pub(crate) supersampling: u32,
}

impl Sprites {
    pub(crate) fn prepare(&mut self, stage: &Stage) {
        let puffs = stage.drawing.puffs;
        self.order.clear();
        self.order
            .par_extend((0..puffs.len() as u32).into_par_iter().filter_map(|number| {
                let puff = &puffs[number as usize];
                let depth = stage.view.point(puff.position).z;
                let is_seen = puff.is_drawn() && depth > (NEAREST[0] * puff.radius).max(stage.view.near);
                is_seen.then(|| u64::from(depth.to_bits()) << 32 | u64::from(number))
            }));
        self.order.par_sort_unstable();
        let count = self.order.len();
        self.all.resize(count, Sprite::default());
        self.rects.resize(count, SampleRect::default());
        let size = stage.view.samples.map(|samples| samples / stage.supersampling);
        let footprints = || vec![Footprint::NONE; stage.lights.map_count()];
        self.all
            .par_chunks_mut(BATCH)
            .zip(self.rects.par_chunks_mut(BATCH))
            .zip(self.order.par_chunks(BATCH))
            .for_each_init(footprints, |footprints, ((sprites, rects), order)| {
                for ((sprite, rect), &entry) in sprites.iter_mut().zip(&mut *rects).zip(order) {
                    *sprite = stage.place(&puffs[entry as u32 as usize]);
                    *rect = sprite.rect(size);
                }
                if rects.iter().all(SampleRect::is_empty) {
                    return;
                }
                let keys = stage.keys(order, footprints);
                for (((sprite, rect), &entry), key) in sprites.iter_mut().zip(rects).zip(order).zip(keys) {
                    if !rect.is_empty() {
                        stage.light(sprite, &puffs[entry as u32 as usize], key, footprints);
                    }
                }
            });
    }
}

impl Sprite {
    fn rect(&self, size: [u32; 2]) -> SampleRect {
        let reach = 1.0 / self.inverse;
        let first = |place: f32| (place - reach).ceil().max(0.0) as u32;
        let end = |place: f32, size: u32| ((place + reach).floor() + 1.0).clamp(0.0, size as f32) as u32;
        SampleRect {
            min: [first(self.place.x), first(self.place.y)],
            max: [end(self.place.x, size[0]), end(self.place.y, size[1])],
        }
    }
}

impl Stage<'_> {
    /// Where a puff is in the picture, unlit.
    fn place(&self, puff: &Puff) -> Sprite {
        let center = self.view.point(puff.position);
        let pixel = self.view.step * self.supersampling as f32;
        let samples = Vec2::new(self.view.samples[0] as f32, self.view.samples[1] as f32);
        let slope = Vec2::new(center.x, -center.y) / center.z;
        let reach = puff.radius / (center.z * pixel);
        let thin = (reach / SMALLEST).min(1.0);
        let nearness = (center.z / puff.radius - NEAREST[0]) / (NEAREST[1] - NEAREST[0]);
        Sprite {
            place: slope / pixel + samples * (0.5 / self.supersampling as f32) - 0.5,
            inverse: 1.0 / reach.max(SMALLEST),
            depth: center.z,
            radius: puff.radius,
            opacity: puff.opacity.min(1.0) * thin * thin * nearness.clamp(0.0, 1.0),
            ..Sprite::default()
        }
    }

    /// The part of the key light that solid things leave for puffs.
    fn keys(&self, order: &[u64], footprints: &mut [Footprint]) -> Column {
        let mut points = Points::new();
        for (number, &entry) in order.iter().enumerate() {
            let center = self.view.point(self.drawing.puffs[entry as u32 as usize].position);
            points.set(number, center.into(), self.lights.key_towards);
        }
        points.pad(order.len());
        let mut keys = [0.0; BATCH];
        vector::run(FindKeys {
            lights: self.lights,
            points: &points,
            footprints,
            keys: &mut keys,
        });
        keys
    }

    /// Lights a sprite, which solid things leave a part of the key light.
    fn light(&self, sprite: &mut Sprite, puff: &Puff, key: f32, footprints: &mut [Footprint]) {
        let (lights, smoke) = (self.lights, &self.lights.smoke);
        let center = Vec3A::from(self.view.point(puff.position));
        let albedo = Vec3A::from(to_linear(puff.color));
        let turned = phase(center.normalize().dot(lights.key_towards));
        let depth = smoke.key_depth(center);
        let scattered = |depth: f32| {
            let orders = ORDERS.iter().enumerate().map(|(number, (weight, share, _))| {
                let turned = if number == 0 { turned } else { 1.0 };
                weight * turned * (-share * depth).exp()
            });
            orders.sum::<f32>()
        };
        let mut light = Vec3A::ZERO;
        for (number, (weight, share, power)) in ORDERS.into_iter().enumerate() {
            let turned = if number == 0 { turned } else { 1.0 };
            let color = Vec3A::from_array(albedo.to_array().map(|part| part.powi(power)));
            light += color * (weight * turned * (-share * depth).exp());
        }
        sprite.key = lights.key_light * light * key;
        if sprite.inverse * TURNED < 1.0 && key > 0.0 {
            let middle = scattered(depth).max(1e-6);
            let aside = puff.radius * SIDE;
            let slope = |side: Vec3A| {
                let [more, less] = [side, -side].map(|side| scattered(smoke.key_depth(center + side * aside)));
                ((more - less) / (2.0 * SIDE * middle)).clamp(-1.0, 1.0)
            };
            sprite.tilt = Vec2::new(slope(Vec3A::X), slope(Vec3A::NEG_Y));
        }
        let around = self.ambient(smoke, center, puff.radius, footprints) + smoke.fire.around(center) * FIRELIT;
        sprite.rest = albedo * around + glow::radiance(puff.temperature);
    }

    /// Light from all around that reaches a puff.
    fn ambient(&self, smoke: &SmokeLight, center: Vec3A, radius: f32, footprints: &mut [Footprint]) -> Vec3A {
        let depths = smoke.ambient_depths(center);
        let left = |depth: f32| STRAIGHT * (-depth).exp() + (1.0 - STRAIGHT) * (-DIFFUSE * depth).exp();
        let sky = depths.sky.map(left).iter().sum::<f32>() / depths.sky.len() as f32;
        let open = self.lights.probe(center, radius, footprints).means.w;
        let [sky_light, bounce_light] = self.lights.ambient_colors();
        (sky_light * sky + bounce_light * (0.5 * left(depths.below))) * (open * TURNED_SKY)
    }
}

/// Light that is turned by an angle of this cosine, where 1 is as much as in the mean.
fn phase(cosine: f32) -> f32 {
    let g = FORWARD;
    EVEN + (1.0 - EVEN) * (1.0 - g * g) / (1.0 + g * g - 2.0 * g * cosine).powf(1.5)
}

struct FindKeys<'a> {
    lights: &'a Lights,
    points: &'a Points,
    footprints: &'a mut [Footprint],
    keys: &'a mut Column,
}

impl Kernel for FindKeys<'_> {
    #[inline(always)]
    fn run(self) {
        *self.keys = self.lights.key_visibilities(self.points, self.footprints);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_light_is_turned_as_comes() {
        let steps = 1000;
        let cosine = |step: i32| (step as f32 + 0.5) / steps as f32 * 2.0 - 1.0;
        let mean = (0..steps).map(|step| phase(cosine(step))).sum::<f32>() / steps as f32;
        assert!((mean - 1.0).abs() < 1e-3, "{mean}");
        assert!(phase(1.0) > 2.0 * phase(-1.0));
    }
}
