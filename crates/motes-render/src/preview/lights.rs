//! All light of a picture: the key light and the sky, each a set of directions with one shadow map per direction.
//!
//! Averaging over the directions gives penumbras and ambient occlusion that belong to the world and not to the screen,
//! so that they stay in place while the camera moves.

use super::ambient::Probe;
use super::bounds;
use super::casters::{Caster, Casters};
use super::content;
use super::directions;
use super::footprint::Footprint;
use super::light_map::{LightMap, MapFrame, MeshScratch};
use super::lookup::{BATCH, Column, Lookup, Points};
use super::map_quad::MapQuad;
use super::smoke::SmokeLight;
use super::view::View;
use crate::color::to_linear;
use crate::{Drawing, MeshInstance, Quality};
use glam::{Vec3, Vec3A, Vec4};
use rayon::prelude::*;

/// Limits on what a [`Quality`] may ask for, so that memory stays bounded.
const MOST_MAPS: u32 = 256;
const MOST_TEXELS: u32 = 4096;
/// Shadow that glass casts, relative to its opacity.
const GLASS_SHADOW: f32 = 0.7;
/// Light thrown back from below, relative to the sky.
const BOUNCE: f32 = 0.6;
/// Light that finds its way into any hollow, relative to the sky.
pub(crate) const STRAY: f32 = 0.03;
/// Radius below which a sphere gets one probe, texels of the sky's shadow maps.
const SMALL: f32 = 3.0;

/// Texels of all maps up to which those of the picture before are kept.
const REMEMBERED_TEXELS: usize = 1 << 24;

/// Shadow maps and colours of the light, in camera space.
#[derive(Debug, Default)]
pub(crate) struct Lights {
    casters: Casters,
    /// Whether the maps have nothing that moves.
    was_idle: bool,
    /// Whether the maps know what has changed since the picture before.
    is_comparable: bool,
    /// Those of the key light, then those of the sky.
    maps: Vec<LightMap>,
    /// One per map.
    lookups: Vec<Lookup>,
    key_count: usize,
    /// The maps of the sky, for probes.
    sky_quads: Vec<MapQuad>,
    /// Unit vector to the middle of the key light.
    pub(crate) key_towards: Vec3A,
    pub(crate) key_light: Vec3A,
    pub(crate) up: Vec3A,
    sky_light: Vec3A,
    bounce_light: Vec3A,
    /// Metres.
    small_radius: f32,
    /// What smoke leaves of the light.
    pub(crate) smoke: SmokeLight,
}

impl Lights {
    /// Sets up the light and draws all shadow maps.
    ///
    /// `is_same_view` tells that camera, light and quality are those of the picture before.
    pub(crate) fn prepare(&mut self, drawing: &Drawing, view: &View, quality: &Quality, is_same_view: bool) {
        let lighting = &drawing.lighting;
        let up = lighting.up.try_normalize().unwrap_or(Vec3::Y);
        let key = lighting.key_direction.try_normalize().unwrap_or(up);
        self.up = view.direction(up).into();
        self.key_towards = view.direction(key).into();
        self.key_light = Vec3A::from(to_linear(lighting.key_color)) * lighting.key_strength;
        self.sky_light = Vec3A::from(to_linear(lighting.sky_color)) * lighting.sky_strength;
        self.bounce_light = Vec3A::from(to_linear(lighting.bounce_color)) * (lighting.sky_strength * BOUNCE);

        let key_count = quality.key_maps.clamp(1, MOST_MAPS).next_multiple_of(4);
        let sky_count = quality.sky_maps.clamp(1, MOST_MAPS).next_multiple_of(4);
        let directions: Vec<Vec3> = directions::over_disc(key, lighting.key_angle, key_count)
            .chain(directions::over_sky(up, sky_count))
            .collect();
        self.smoke.prepare(drawing, key, up, quality, view);
        let bounds = bounds::of_shadows(drawing).unwrap_or_default();
        let frames: Vec<MapFrame> = directions
            .iter()
            .enumerate()
            .map(|(number, &direction)| {
                let resolution = if number < key_count as usize {
                    quality.key_resolution
                } else {
                    quality.sky_resolution
                };
                MapFrame::new(&bounds, direction, resolution.clamp(16, MOST_TEXELS))
            })
            .collect();
        self.draw_maps(drawing, view, &frames, is_same_view);
        self.small_radius = SMALL * self.maps.last().map_or(0.0, |map| map.texel);
        self.key_count = key_count as usize;
        self.lookups.clear();
        for maps in self.maps.chunks_exact(4) {
            let texel = maps.iter().fold(0.0, |most: f32, map| most.max(map.texel));
            let lookup = Lookup {
                offset: 1.5 * texel,
                hardness: 0.5 / texel,
            };
            self.lookups.extend([lookup; 4]);
        }
        self.sky_quads.clear();
        let firsts = (self.key_count..self.maps.len()).step_by(4);
        self.sky_quads
            .extend(firsts.map(|first| MapQuad::new(&self.maps, first)));
    }

    fn draw_maps(&mut self, drawing: &Drawing, view: &View, frames: &[MapFrame], is_same_view: bool) {
        let lies_the_same =
            self.maps.len() == frames.len() && self.maps.iter().zip(frames).all(|(map, frame)| map.frame() == frame);
        let remembers = frames.iter().map(MapFrame::texels).sum::<usize>() <= REMEMBERED_TEXELS;
        let plan = if remembers {
            self.casters.plan(drawing, lies_the_same)
        } else {
            self.casters.all(drawing)
        };
        let compares = remembers && lies_the_same && is_same_view;
        let is_idle = lies_the_same && !plan.restarts && plan.settled.is_empty() && plan.moving.is_empty();
        self.maps.resize_with(frames.len(), LightMap::default);
        let maps = self.maps.par_iter_mut().zip(frames).enumerate();
        maps.for_each_init(MeshScratch::default, |scratch, (number, (map, frame))| {
            map.lay(view, frame);
            if is_idle && self.was_idle {
                map.keep();
                return;
            }
            let fraction = directions::spread(number);
            map.draw(&plan, compares, |map, casters| {
                draw_casters(map, casters, fraction, scratch);
            });
        });
        self.was_idle = is_idle;
        self.is_comparable = compares;
    }

    /// Whether anything that was lit by these parts of the maps may look different from before.
    pub(crate) fn has_changed(&self, footprints: &[Footprint]) -> bool {
        let mut maps = self.maps.iter().zip(footprints);
        !self.is_comparable || maps.any(|(map, footprint)| map.has_changed(footprint))
    }

    pub(crate) fn map_count(&self) -> usize {
        self.maps.len()
    }

    /// How much of the key light reaches the surfaces that face it, 0 to 1; 0 for those that do not.
    #[inline(always)]
    pub(crate) fn key_visibilities(&self, points: &Points, footprints: &mut [Footprint]) -> Column {
        let cosines = points.normals_dot(self.key_towards);
        let mut visibilities = [0.0; BATCH];
        if cosines.iter().all(|&cosine| cosine <= 0.0) {
            return visibilities;
        }
        let mut sums = [[0.0; BATCH]; 4];
        let mut light = [0.0; BATCH];
        let lookups = self.lookups.iter().zip(&self.maps).zip(footprints).take(self.key_count);
        for (number, ((lookup, map), footprint)) in lookups.enumerate() {
            lookup.light(map, points, footprint, &mut light);
            add(&mut sums[number % 4], &light);
        }
        let count = self.key_count as f32;
        for i in 0..BATCH {
            let visibility = total(&sums, i) / count;
            visibilities[i] = if cosines[i] > 0.0 { visibility } else { 0.0 };
        }
        visibilities
    }

    /// Ambient light on surfaces: that of the sky, and how much of it is not hidden.
    #[inline(always)]
    pub(crate) fn ambients(&self, points: &Points, footprints: &mut [Footprint]) -> (Column, Column) {
        let (mut open, mut facing) = ([[0.0; BATCH]; 4], [[0.0; BATCH]; 4]);
        let mut light = [0.0; BATCH];
        let lookups = self.lookups.iter().zip(&self.maps).zip(footprints).skip(self.key_count);
        for (number, ((lookup, map), footprint)) in lookups.enumerate() {
            let mut cosines = points.normals_dot(map.towards.into());
            for cosine in &mut cosines {
                *cosine = if *cosine > 0.0 { *cosine } else { 0.0 };
            }
            if cosines.iter().all(|&cosine| cosine == 0.0) {
                continue;
            }
            lookup.light(map, points, footprint, &mut light);
            add(&mut facing[number % 4], &cosines);
            for i in 0..BATCH {
                light[i] *= cosines[i];
            }
            add(&mut open[number % 4], &light);
        }
        let count = (self.maps.len() - self.key_count) as f32;
        let (mut skies, mut visibilities) = ([0.0; BATCH], [0.0; BATCH]);
        for i in 0..BATCH {
            let (open, facing) = (total(&open, i), total(&facing, i));
            skies[i] = open * 2.0 / count;
            visibilities[i] = if facing > 0.0 { open / facing } else { 1.0 };
        }
        (skies, visibilities)
    }

    /// Radiance of a white surface under a sky without obstacles.
    pub(crate) fn open_sky(&self) -> Vec3A {
        self.sky_light
    }

    /// Whether spheres of this radius are too small for the sky's shadow maps to tell their sides apart.
    pub(crate) fn is_small(&self, radius: f32) -> bool {
        radius < self.small_radius
    }

    /// The sky as seen by a small sphere.
    pub(crate) fn probe(&self, center: Vec3A, radius: f32, footprints: &mut [Footprint]) -> Probe {
        let mut sums = Vec4::ZERO;
        for quad in &self.sky_quads {
            sums += quad.sum_of_light(&self.maps, center, radius, footprints);
        }
        let means = sums / (4 * self.sky_quads.len()) as f32;
        Probe { means }
    }

    /// The same through smoke.
    pub(crate) fn smoky_probe(&self, center: Vec3A, radius: f32, footprints: &mut [Footprint]) -> Probe {
        let mut probe = self.probe(center, radius, footprints);
        if !self.smoke.is_empty() {
            probe.means *= self.smoke.sky_left(center);
        }
        probe
    }

    /// Colours of the light of the sky and of that from below.
    pub(crate) fn ambient_colors(&self) -> [Vec3A; 2] {
        [self.sky_light, self.bounce_light]
    }
}

/// Draws everything into a map. Glass enters only those maps whose `fraction` of the set lies below its shadow, which
/// makes the average over the maps a faint shadow.
fn draw_casters(map: &mut LightMap, casters: &[Caster], fraction: f32, scratch: &mut MeshScratch) {
    let mut meshes: Vec<&MeshInstance> = Vec::new();
    for caster in casters {
        match caster {
            Caster::Spheres(spheres) => map.draw_spheres(&spheres.centers, spheres.radius),
            Caster::Mesh(instance) => {
                if content::is_solid(instance.opacity) || fraction < instance.opacity * GLASS_SHADOW {
                    meshes.push(instance);
                }
            }
        }
    }
    map.draw_meshes(&meshes, scratch);
}

#[inline(always)]
fn add(sum: &mut Column, other: &Column) {
    for i in 0..BATCH {
        sum[i] += other[i];
    }
}

#[inline(always)]
fn total(sums: &[Column; 4], i: usize) -> f32 {
    (sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i])
}
