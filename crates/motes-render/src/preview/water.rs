//! Liquids over the picture of everything else: what they mirror, and what is seen through them, bent and coloured.
//!
//! Light that enters a liquid is followed to what the picture shows there (after Sousa 2005, "Generic refraction simulation"), so that only
//! what is in the picture can be seen through it.

use super::behind::{Behind, project};
use super::film::Film;
use super::shade::Shader;
use crate::Liquid;
use crate::color::to_linear;
use glam::{Vec2, Vec3A};

/// Looks for where a bent ray ends.
const LOOKS: usize = 3;

/// How far away the backdrop is, in distances of the camera from its target.
const FAR: f32 = 100.0;

/// How sharply the key light is mirrored.
const GLINT: i32 = 512;

/// The radiance of a liquid at a pixel, whose place is given in pixels.
pub(crate) fn radiance(shader: &Shader, behind: &Behind, film: &Film, place: Vec2) -> Vec3A {
    let instance = &shader.drawing.meshes[film.instance as usize];
    let liquid = instance.mesh.liquid().copied().unwrap_or_default();
    let color = Vec3A::from(to_linear(instance.color));
    let sample = (place + 0.5) * shader.supersampling as f32 - 0.5;
    let slope = shader.view.ray(sample);
    let stretch = slope.length();
    let incoming = slope / stretch;
    let facing = (-incoming.dot(film.normal)).clamp(0.0, 1.0);
    let mirrored = incoming + film.normal * (2.0 * facing);
    if liquid.metallic {
        return metal(shader, color, facing, mirrored);
    }
    let length = film.length * stretch;
    let firmness = smooth(length / liquid.film.max(1e-6));
    let index = 1.0 + (liquid.refractive_index.max(1.0) - 1.0) * firmness;
    let through = Through {
        shader,
        behind,
        liquid: &liquid,
        color,
        incoming,
        point: slope * film.depth,
        length,
    };
    if film.is_within {
        return through.radiance(place, incoming);
    }
    let reflected = ((index - 1.0) / (index + 1.0)).powi(2);
    let share = reflected + (1.0 - reflected) * (1.0 - facing).powi(5) * firmness;
    let bent = through.radiance(place, refracted(incoming, film.normal, facing, index));
    let glint = mirrored.dot(shader.lights.key_towards).max(0.0).powi(GLINT);
    let sky = sky(shader, mirrored) + shader.lights.key_light * (24.0 * glint);
    bent.lerp(sky, share)
}

/// What a liquid mirrors: the backdrop, and below the horizon what lies there in the light of the sky.
fn sky(shader: &Shader, direction: Vec3A) -> Vec3A {
    let height = direction.dot(shader.lights.up);
    let below = smooth(-4.0 * height);
    shader.backdrop(direction).lerp(shader.lights.open_sky() * 0.9, below)
}

fn metal(shader: &Shader, color: Vec3A, facing: f32, mirrored: Vec3A) -> Vec3A {
    let share = color.lerp(Vec3A::ONE, (1.0 - facing).powi(5));
    let towards = mirrored.dot(shader.lights.key_towards).max(0.0);
    let key = shader.lights.key_light * (4.0 * towards.powi(96) + 0.35 * towards.powi(6));
    share * (sky(shader, mirrored) + key)
}

/// The direction of light that enters a liquid (Snell's law).
fn refracted(incoming: Vec3A, normal: Vec3A, facing: f32, index: f32) -> Vec3A {
    let ratio = 1.0 / index;
    let left = 1.0 - ratio * ratio * (1.0 - facing * facing);
    (incoming * ratio + normal * (ratio * facing - left.max(0.0).sqrt())).normalize_or(incoming)
}

/// Light on its way through a liquid.
struct Through<'a> {
    shader: &'a Shader<'a>,
    behind: &'a Behind,
    liquid: &'a Liquid,
    color: Vec3A,
    /// Unit vector from the camera.
    incoming: Vec3A,
    /// Where it enters.
    point: Vec3A,
    /// How far it goes on a straight way, metres.
    length: f32,
}

impl Through<'_> {
    /// What comes from a direction, seen at a pixel.
    fn radiance(&self, place: Vec2, direction: Vec3A) -> Vec3A {
        let (mut there, mut length) = (place, self.length);
        let [mut depth, mut end] = self.behind.depths(place);
        for _ in 0..LOOKS {
            let Some((next, depths)) = self.look(direction * length) else {
                break;
            };
            (there, [depth, end]) = (next, depths);
            if end == 0.0 {
                break;
            }
            // It ends where it meets something, or leaves the liquid.
            let ends = self.along(there, depth.min(end));
            length = (ends - self.point).dot(direction).max(0.0);
        }
        if depth > end + self.liquid.film {
            // It goes on outside, about as it came, and may have been in liquid more than once.
            length = length.max(self.length);
            let focus = self.shader.view.focus;
            let left = (depth.min(FAR * focus) - end.max(self.point.z)).clamp(0.0, focus);
            let onward = self.incoming.lerp(direction, 0.35) * left;
            if let Some((next, _)) = self.look(direction * length + onward) {
                there = next;
            }
        }
        let lost = self.lost(length);
        let lit = self.shader.lights.open_sky() + self.shader.lights.key_light * 0.45;
        let own = self.color * lit * self.liquid.cloudiness;
        self.behind.radiance(there) * (Vec3A::ONE - lost) + own * lost
    }

    /// Where a point, given from where light enters, is in the picture, and the depths there; nothing if what is seen there stands before
    /// the liquid.
    fn look(&self, from_point: Vec3A) -> Option<(Vec2, [f32; 2])> {
        let there = project(self.shader.view, self.shader.supersampling, self.point + from_point)?;
        let depths = self.behind.depths(there);
        (depths[0] > self.point.z).then_some((there, depths))
    }

    /// The part of each colour that is lost on a way, 0 to 1.
    fn lost(&self, length: f32) -> Vec3A {
        let share = length / self.liquid.depth.max(1e-6);
        let left = self
            .color
            .max(Vec3A::splat(1e-3))
            .to_array()
            .map(|part| part.powf(share));
        Vec3A::ONE - Vec3A::from_array(left)
    }

    /// The point at a depth behind a pixel; far away if the depth is infinite.
    fn along(&self, place: Vec2, depth: f32) -> Vec3A {
        let sample = (place + 0.5) * self.shader.supersampling as f32 - 0.5;
        self.shader.view.ray(sample) * depth.min(FAR * self.shader.view.focus)
    }
}

/// 0 to 1 with level ends.
fn smooth(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    value * value * (3.0 - 2.0 * value)
}
