//! All light of a picture: the key light and the sky, each a set of directions with one shadow map per direction.
//!
//! Averaging over the directions gives penumbras and ambient occlusion that belong to the world and not to the screen,
//! so that they stay in place while the camera moves.

use super::bounds;
use super::content::{self, Content};
use super::light_map::LightMap;
use super::map_quad::MapQuad;
use super::view::View;
use crate::color::to_linear;
use crate::{Drawing, Lighting, Quality};
use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;
use std::f32::consts::TAU;

/// Limits on what a [`Quality`] may ask for, so that memory stays bounded.
const MOST_MAPS: u32 = 256;
const MOST_TEXELS: u32 = 4096;
/// Shadow that glass casts, relative to its opacity.
const GLASS_SHADOW: f32 = 0.7;
const GOLDEN_FRACTION: f32 = 0.618_034;
const GOLDEN_ANGLE: f32 = TAU * GOLDEN_FRACTION;

/// Shadow maps and colours of the light, in camera space.
#[derive(Debug, Default)]
pub(crate) struct Lights {
    maps: Vec<LightMap>,
    key_quads: Vec<MapQuad>,
    sky_quads: Vec<MapQuad>,
    /// Unit vector to the middle of the key light.
    pub(crate) key_towards: Vec3,
    pub(crate) key_light: Vec3,
    pub(crate) up: Vec3,
    sky_light: Vec3,
    bounce_light: Vec3,
}

impl Lights {
    /// Sets up the light and draws all shadow maps.
    pub(crate) fn prepare(&mut self, drawing: &Drawing, content: &Content, view: &View, quality: &Quality) {
        let lighting = &drawing.lighting;
        let up = lighting.up.try_normalize().unwrap_or(Vec3::Y);
        let key = lighting.key_direction.try_normalize().unwrap_or(up);
        self.up = view.direction(up);
        self.key_towards = view.direction(key);
        self.key_light = to_linear(lighting.key_color) * lighting.key_strength;
        self.sky_light = to_linear(lighting.sky_color) * lighting.sky_strength;
        self.bounce_light = to_linear(lighting.bounce_color) * lighting.sky_strength;

        let key_count = quality.key_maps.clamp(1, MOST_MAPS).next_multiple_of(4);
        let sky_count = quality.sky_maps.clamp(1, MOST_MAPS).next_multiple_of(4);
        let key_directions = key_directions(lighting, key, key_count);
        let directions: Vec<Vec3> = key_directions.chain(sky_directions(up, sky_count)).collect();
        let bounds = bounds::of_shadows(drawing).unwrap_or_default();
        self.maps.resize_with(directions.len(), LightMap::default);
        self.maps.par_iter_mut().enumerate().for_each(|(number, map)| {
            let resolution = if number < key_count as usize {
                quality.key_resolution
            } else {
                quality.sky_resolution
            };
            map.start(view, &bounds, directions[number], resolution.clamp(16, MOST_TEXELS));
            draw_casters(map, drawing, content, (number as f32 * GOLDEN_FRACTION).fract());
        });
        let quads = (0..self.maps.len()).step_by(4).map(|first| MapQuad::new(&self.maps, first));
        self.key_quads.clear();
        self.sky_quads.clear();
        for (number, quad) in quads.enumerate() {
            let is_key = number * 4 < key_count as usize;
            let list = if is_key { &mut self.key_quads } else { &mut self.sky_quads };
            list.push(quad);
        }
    }

    /// How much of the key light reaches a surface, 0 to 1.
    pub(crate) fn key_visibility(&self, point: Vec3, normal: Vec3) -> f32 {
        let quads = self.key_quads.iter();
        let light: Vec4 = quads.map(|quad| quad.smooth_light(&self.maps, point, normal)).sum();
        light.element_sum() / (4 * self.key_quads.len()) as f32
    }

    /// Radiance of a white surface under a sky without obstacles.
    pub(crate) fn open_sky(&self) -> Vec3 {
        self.sky_light
    }

    /// Light from the sky and from below that falls on a white surface; `noise` is a turn from 0 to 1 that differs
    /// between neighbouring pixels.
    pub(crate) fn ambient(&self, point: Vec3, normal: Vec3, noise: f32) -> Ambient {
        let shift = [noise - 0.5, (noise * 17.0) % 1.0 - 0.5];
        let (mut open, mut facing) = (Vec4::ZERO, Vec4::ZERO);
        for quad in &self.sky_quads {
            let cosines = quad.cosines(normal).max(Vec4::ZERO);
            facing += cosines;
            open += cosines * quad.sharp_light(&self.maps, point, normal, shift);
        }
        let (open, facing) = (open.element_sum(), facing.element_sum());
        let visibility = if facing > 0.0 { open / facing } else { 1.0 };
        let scale = 2.0 / (4 * self.sky_quads.len()) as f32;
        let from_below = 0.5 - 0.5 * normal.dot(self.up);
        Ambient {
            light: self.sky_light * (open * scale) + self.bounce_light * (from_below * visibility * 0.6),
            visibility,
        }
    }
}

/// Ambient light at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ambient {
    /// Radiance of a white surface.
    pub(crate) light: Vec3,
    /// The part of the sky in front of the surface that is not hidden, 0 to 1.
    pub(crate) visibility: f32,
}

/// Draws everything into a map. Glass enters only those maps whose `fraction` of the set lies below its shadow, which
/// makes the average over the maps a faint shadow.
fn draw_casters(map: &mut LightMap, drawing: &Drawing, content: &Content, fraction: f32) {
    for group in &content.groups {
        for sphere in &content.spheres[group.range.clone()] {
            if sphere.w > 0.0 {
                map.draw_sphere(sphere.truncate(), group.radius);
            }
        }
    }
    for triangle in &content.triangles {
        let opacity = drawing.meshes[triangle.instance as usize].opacity;
        if content::is_solid(opacity) || fraction < opacity * GLASS_SHADOW {
            map.draw_triangle(&triangle.corners);
        }
    }
}

/// Directions spread evenly over the disc of the key light.
fn key_directions(lighting: &Lighting, key: Vec3, count: u32) -> impl Iterator<Item = Vec3> + use<> {
    let (across, along) = key.any_orthonormal_pair();
    let degrees = if lighting.key_angle.is_finite() { lighting.key_angle } else { 0.0 };
    let disc = degrees.clamp(0.0, 45.0).to_radians().tan();
    (0..count).map(move |i| {
        let radius = disc * ((i as f32 + 0.5) / count as f32).sqrt();
        let place = Vec2::from_angle(i as f32 * GOLDEN_ANGLE) * radius;
        (key + across * place.x + along * place.y).normalize()
    })
}

/// Directions spread evenly over the hemisphere around `up`.
fn sky_directions(up: Vec3, count: u32) -> impl Iterator<Item = Vec3> {
    let (across, along) = up.any_orthonormal_pair();
    (0..count).map(move |i| {
        let height = (i as f32 + 0.5) / count as f32;
        let place = Vec2::from_angle(i as f32 * GOLDEN_ANGLE) * (1.0 - height * height).sqrt();
        (up * height + across * place.x + along * place.y).normalize()
    })
}
