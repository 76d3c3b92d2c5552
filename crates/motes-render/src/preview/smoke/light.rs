//! Smoke before the lights of a picture: how much of them it leaves, for itself and for all else.

use super::super::bounds::{self, Bounds};
use super::super::lookup::{BATCH, Column, Points};
use super::super::view::View;
use super::fire::{Ember, Fire};
use super::glow;
use super::volume::{Cloud, LightRay, Volume};
use crate::{Drawing, Puff, Quality};
use glam::{Quat, Vec3, Vec3A};
use rayon::prelude::*;
use std::f32::consts::TAU;

/// Texels of the shadow maps of the key light that one cell stands for, and the bounds on cells along a volume.
const TEXELS: u32 = 6;
const CELLS: [u32; 2] = [64, 256];
/// The same for the sky, whose light is soft.
const SKY_SHARE: u32 = 4;
const SKY_CELLS: [u32; 2] = [24, 48];

/// Directions of the sky: one right above, the others around it at this angle from it.
const SKY: usize = 5;
const SLANT: f32 = 1.05;

/// Puffs looked at to find how large most are.
const PROBES: usize = 1024;

/// Smoke as the lights see it.
#[derive(Debug, Default)]
pub(crate) struct SmokeLight {
    clouds: Vec<Cloud>,
    key: Volume,
    /// The first is right above.
    sky: [Volume; SKY],
    pub(crate) fire: Fire,
}

/// Optical depths from a point on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depths {
    pub(crate) sky: [f32; SKY],
    pub(crate) below: f32,
}

impl SmokeLight {
    /// Takes up the smoke of a drawing. `key` and `up` are unit vectors of the world.
    pub(crate) fn prepare(&mut self, drawing: &Drawing, key: Vec3, up: Vec3, quality: &Quality, view: &View) {
        self.clouds.clear();
        let puffs = drawing.puffs.par_iter().filter(|puff| puff.is_drawn());
        self.clouds.par_extend(puffs.map(Cloud::new));
        let Some((bounds, radius)) = self.extent() else {
            self.clouds.clear();
            self.fire.gather(&[], 1.0);
            return;
        };
        let resolution = (quality.key_resolution / TEXELS).clamp(CELLS[0], CELLS[1]);
        let sky_resolution = (resolution / SKY_SHARE).clamp(SKY_CELLS[0], SKY_CELLS[1]);
        let clouds = &self.clouds;
        let fill = |volume: &mut Volume, towards: Vec3, resolution: u32| {
            let light = LightRay { towards, resolution };
            volume.fill(clouds, &bounds, radius, &light, view);
        };
        let sky = &mut self.sky;
        rayon::join(
            || fill(&mut self.key, key, resolution),
            || {
                let (across, _) = up.any_orthonormal_pair();
                let slanted = up * SLANT.cos() + across * SLANT.sin();
                sky.par_iter_mut().enumerate().for_each(|(number, volume)| {
                    let turn = number.wrapping_sub(1) as f32 * TAU / (SKY - 1) as f32;
                    let towards = match number {
                        0 => up,
                        _ => Quat::from_axis_angle(up, turn) * slanted,
                    };
                    fill(volume, towards, sky_resolution);
                });
            },
        );
        let embers: Vec<Ember> = (drawing.puffs.par_iter())
            .filter(|puff| puff.temperature > Puff::GLOWS_FROM && puff.is_drawn())
            .map(|puff| {
                let place = view.point(puff.position);
                Ember {
                    place,
                    light: glow::radiance(puff.temperature) * (puff.extinction() * self.escaping(place.into())),
                }
            })
            .filter(|ember| ember.place.is_finite() && ember.light.is_finite())
            .collect();
        self.fire.gather(&embers, radius);
    }

    /// The part of light from a point within the smoke that comes out of it, in the mean over some directions.
    fn escaping(&self, point: Vec3A) -> f32 {
        let Depths { sky, below } = self.ambient_depths(point);
        // Within a cell of the grid some is nearer to the rim than its middle.
        let left = sky.iter().chain([&below]).map(|depth| 1.0 / (1.0 + depth));
        left.sum::<f32>() / (SKY + 1) as f32
    }

    /// Where the smoke is but for what strays, and the radius of a usual puff; nothing if there is none.
    fn extent(&self) -> Option<(Bounds, f32)> {
        let stride = self.clouds.len().div_ceil(PROBES).max(1);
        let mut radii: Vec<f32> = self.clouds.iter().step_by(stride).map(|cloud| cloud.sphere.w).collect();
        if radii.is_empty() {
            return None;
        }
        let middle = radii.len() / 2;
        let radius = *radii.select_nth_unstable_by(middle, f32::total_cmp).1;
        let bounds = bounds::around_most(self.clouds.iter().map(|cloud| cloud.sphere.truncate()))?;
        let bounds = bounds.grown(2.0 * radius).snapped();
        bounds.is_finite().then_some((bounds, radius))
    }

    /// Whether there is no smoke.
    pub(crate) fn is_empty(&self) -> bool {
        self.clouds.is_empty()
    }

    /// Optical depth between the key light and a point in camera space.
    pub(crate) fn key_depth(&self, point: Vec3A) -> f32 {
        self.key.depth(point)
    }

    /// Optical depths between a point in camera space and the sky and what lies below.
    pub(crate) fn ambient_depths(&self, point: Vec3A) -> Depths {
        let [above, below] = self.sky[0].depths(point);
        let sky = std::array::from_fn(|number| match number {
            0 => above,
            _ => self.sky[number].depth(point),
        });
        Depths { sky, below }
    }

    /// The part of the key light that smoke leaves for points.
    pub(crate) fn key_left(&self, points: &Points) -> Column {
        each(points, |point| (-self.key_depth(point)).exp())
    }

    /// The part of the light of the sky that smoke leaves for level surfaces.
    pub(crate) fn sky_left(&self, point: Vec3A) -> f32 {
        let depths = self.ambient_depths(point).sky;
        let mut weight = 1.0;
        let (mut sum, mut weights) = (0.0, 0.0);
        for depth in depths {
            sum += weight * (-depth).exp();
            weights += weight;
            weight = SLANT.cos();
        }
        sum / weights
    }

    /// The same for all points of a batch.
    pub(crate) fn skies_left(&self, points: &Points) -> Column {
        each(points, |point| self.sky_left(point))
    }
}

fn each(points: &Points, value: impl Fn(Vec3A) -> f32) -> Column {
    let [x, y, z] = &points.place;
    let mut values = [1.0; BATCH];
    for (i, found) in values.iter_mut().enumerate() {
        *found = value(Vec3A::new(x[i], y[i], z[i]));
    }
    values
}
