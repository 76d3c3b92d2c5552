//! The light that leaves a surface towards the camera.

use super::content::{Content, Primitive};
use super::lights::Lights;
use super::tone::{self, Encoder};
use super::view::View;
use super::visibility::{BACKDROP, GROUND, TriangleRays};
use crate::Drawing;
use crate::color::to_linear;
use glam::{Vec2, Vec3};

/// The part of the light that is mirrored by a surface seen head on.
const MIRRORED: f32 = 0.04;

/// A surface point in camera space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub(crate) point: Vec3,
    /// Unit normal on the side of the camera.
    pub(crate) normal: Vec3,
    /// Linear colour.
    pub(crate) albedo: Vec3,
}

/// Everything needed to shade any pixel of a picture.
pub(crate) struct Shader<'a> {
    pub(crate) drawing: &'a Drawing<'a>,
    pub(crate) content: &'a Content,
    pub(crate) lights: &'a Lights,
    pub(crate) view: &'a View,
    /// The ground in camera space: unit normal and `normal · x` of its points.
    pub(crate) ground: Option<(Vec3, f32)>,
    /// The backdrop at the horizon and high up, linear and before tone mapping.
    horizon: Vec3,
    zenith: Vec3,
    ground_albedo: Vec3,
    /// The point of the ground under the camera's target.
    ground_center: Vec3,
    /// Linear light of every sRGB value.
    linear: [f32; 256],
    pub(crate) encoder: Encoder,
}

impl<'a> Shader<'a> {
    pub(crate) fn new(drawing: &'a Drawing, content: &'a Content, lights: &'a Lights, view: &'a View) -> Self {
        let ground = drawing.ground.as_ref().and_then(|ground| {
            let normal = view.direction(ground.normal.try_normalize()?);
            let point = view.point(ground.point);
            point.is_finite().then(|| (normal, normal.dot(point)))
        });
        let target = Vec3::new(0.0, 0.0, view.focus);
        Self {
            drawing,
            content,
            lights,
            view,
            ground,
            horizon: tone::invert(to_linear(drawing.lighting.horizon_color)),
            zenith: tone::invert(to_linear(drawing.lighting.zenith_color)),
            ground_albedo: drawing.ground.map_or(Vec3::ZERO, |ground| to_linear(ground.color)),
            ground_center: ground.map_or(target, |(normal, offset)| target - normal * (normal.dot(target) - offset)),
            linear: std::array::from_fn(|value| to_linear([value as u8; 3]).x),
            encoder: Encoder::new(),
        }
    }

    /// Radiance of what a primitive shows along the ray `(u, v, 1)`.
    pub(crate) fn radiance(&self, ray: Vec2, primitive: u32, noise: f32) -> Vec3 {
        let direction = ray.extend(1.0);
        match primitive {
            BACKDROP => self.backdrop(direction),
            GROUND => self.ground_radiance(direction, noise),
            _ => self
                .surface(ray, primitive)
                .map_or(Vec3::ZERO, |surface| self.lit(&surface, noise)),
        }
    }

    /// The backdrop along a ray.
    pub(crate) fn backdrop(&self, direction: Vec3) -> Vec3 {
        let height = direction.normalize().dot(self.lights.up);
        let rise = (height / 0.55).clamp(0.0, 1.0);
        self.horizon.lerp(self.zenith, rise * rise * (3.0 - 2.0 * rise))
    }

    fn ground_radiance(&self, direction: Vec3, noise: f32) -> Vec3 {
        let Some((normal, offset)) = self.ground else {
            return self.backdrop(direction);
        };
        let point = direction * (offset / normal.dot(direction));
        let away = (point - self.ground_center).length() / self.view.focus;
        let fade = ((away - 0.6) / 3.4).clamp(0.0, 1.0);
        let fade = fade * fade * (3.0 - 2.0 * fade);
        let backdrop = self.backdrop(direction);
        if fade >= 1.0 {
            return backdrop;
        }
        let surface = Surface {
            point,
            normal: if offset < 0.0 { normal } else { -normal },
            albedo: self.ground_albedo,
        };
        self.lit(&surface, noise).lerp(backdrop, fade)
    }

    /// The surface a primitive shows along the ray `(u, v, 1)`.
    pub(crate) fn surface(&self, ray: Vec2, primitive: u32) -> Option<Surface> {
        let direction = ray.extend(1.0);
        match self.content.primitive(primitive) {
            Primitive::Sphere(sphere) => {
                let (center, radius) = (sphere.truncate(), sphere.w);
                let inverse = 1.0 / direction.length_squared();
                let middle = direction.dot(center) * inverse;
                let off = direction * middle - center;
                let half = ((radius * radius - off.length_squared()).max(0.0) * inverse).sqrt();
                let offset = off - direction * half;
                let color = self.content.sphere_color(self.drawing, primitive);
                Some(Surface {
                    point: center + offset,
                    normal: offset.normalize_or(-direction.normalize()),
                    albedo: self.linear_color(color),
                })
            }
            Primitive::Triangle(triangle) => {
                let rays = TriangleRays::new(&triangle.corners)?;
                let instance = &self.drawing.meshes[triangle.instance as usize];
                let depth = rays.plane_depth(ray);
                let normal = instance
                    .mesh
                    .smooth_normal(triangle.index as usize, rays.weights(ray))
                    .and_then(|normal| (self.content.normal_maps[triangle.instance as usize] * normal).try_normalize())
                    .unwrap_or(rays.normal());
                Some(Surface {
                    point: direction * depth,
                    normal: if normal.dot(direction) > 0.0 { -normal } else { normal },
                    albedo: self.linear_color(instance.color),
                })
            }
        }
    }

    fn linear_color(&self, color: [u8; 3]) -> Vec3 {
        Vec3::from_array(color.map(|channel| self.linear[channel as usize]))
    }

    /// Radiance of a lit surface towards the camera.
    fn lit(&self, surface: &Surface, noise: f32) -> Vec3 {
        let Surface { point, normal, albedo } = *surface;
        let lights = self.lights;
        let cosine = normal.dot(lights.key_towards);
        let key = if cosine > 0.0 {
            lights.key_light * (cosine * lights.key_visibility(point, normal))
        } else {
            Vec3::ZERO
        };
        let ambient = lights.ambient(point, normal, noise);
        // Light that neighbours of the same colour pass on brightens and tints hollows (Jimenez et al. 2016).
        let hidden = 1.0 - ambient.visibility;
        let passed_on = Vec3::ONE / (Vec3::ONE - albedo * (0.8 * hidden));
        let to_camera = -point.normalize_or_zero();
        let half = (to_camera + lights.key_towards).normalize_or_zero();
        let shine = MIRRORED * 6.0 * normal.dot(half).max(0.0).powi(24);
        albedo * (key + ambient.light * passed_on) + key * shine
    }
}
