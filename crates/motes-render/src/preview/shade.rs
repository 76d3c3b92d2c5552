//! The light that leaves a surface towards the camera.

use super::ambient::Ambient;
use super::content::{Content, Primitive};
use super::lights::Lights;
use super::tone::{self, Encoder};
use super::view::View;
use super::visibility::TriangleRays;
use crate::Drawing;
use crate::color::to_linear;
use glam::{Vec2, Vec3, Vec3A};

/// Strength of the highlight of the key light.
const SHINE: f32 = 0.24;

/// A surface point in camera space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub(crate) point: Vec3A,
    /// Unit normal on the side of the camera.
    pub(crate) normal: Vec3A,
    /// Linear colour.
    pub(crate) albedo: Vec3A,
}

/// Everything needed to shade any pixel of a picture.
pub(crate) struct Shader<'a> {
    pub(crate) drawing: &'a Drawing<'a>,
    pub(crate) content: &'a Content,
    pub(crate) lights: &'a Lights,
    pub(crate) view: &'a View,
    /// Samples along the side of a pixel.
    pub(crate) supersampling: u32,
    /// The ground in camera space: unit normal and `normal · x` of its points.
    pub(crate) ground: Option<(Vec3, f32)>,
    /// The backdrop at the horizon and high up, linear and before tone mapping.
    horizon: Vec3A,
    zenith: Vec3A,
    ground_albedo: Vec3A,
    /// The point of the ground under the camera's target.
    ground_center: Vec3A,
    /// Linear light of every sRGB value.
    linear: [f32; 256],
    pub(crate) encoder: Encoder,
}

impl<'a> Shader<'a> {
    pub(crate) fn new(drawing: &'a Drawing, content: &'a Content, lights: &'a Lights, view: &'a View, supersampling: u32) -> Self {
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
            supersampling,
            ground,
            horizon: tone::invert(to_linear(drawing.lighting.horizon_color)),
            zenith: tone::invert(to_linear(drawing.lighting.zenith_color)),
            ground_albedo: drawing.ground.map_or(Vec3A::ZERO, |ground| to_linear(ground.color).into()),
            ground_center: ground
                .map_or(target, |(normal, offset)| target - normal * (normal.dot(target) - offset))
                .into(),
            linear: std::array::from_fn(|value| to_linear([value as u8; 3]).x),
            encoder: Encoder::new(),
        }
    }

    /// The backdrop along a ray.
    pub(crate) fn backdrop(&self, direction: Vec3A) -> Vec3A {
        let height = direction.normalize().dot(self.lights.up);
        let rise = (height / 0.55).clamp(0.0, 1.0);
        self.horizon.lerp(self.zenith, rise * rise * (3.0 - 2.0 * rise))
    }

    /// The ground along a ray that meets it, or nothing.
    pub(crate) fn ground_surface(&self, direction: Vec3A) -> Option<Surface> {
        let (normal, offset) = self.ground?;
        let normal = Vec3A::from(normal);
        let depth = offset / normal.dot(direction);
        (depth > 0.0).then(|| Surface {
            point: direction * depth,
            normal: if offset < 0.0 { normal } else { -normal },
            albedo: self.ground_albedo,
        })
    }

    /// Radiance of the ground along a ray; it fades into the backdrop far from the camera's target.
    pub(crate) fn ground_radiance(&self, direction: Vec3A, ambient: Ambient) -> Vec3A {
        let backdrop = self.backdrop(direction);
        let Some(surface) = self.ground_surface(direction) else {
            return backdrop;
        };
        let away = (surface.point - self.ground_center).length() / self.view.focus;
        let fade = ((away - 0.6) / 3.4).clamp(0.0, 1.0);
        let fade = fade * fade * (3.0 - 2.0 * fade);
        if fade >= 1.0 {
            return backdrop;
        }
        self.lit(&surface, ambient).lerp(backdrop, fade)
    }

    /// The surface a primitive shows along the ray `(u, v, 1)`.
    pub(crate) fn surface(&self, ray: Vec2, primitive: u32) -> Option<Surface> {
        let direction = Vec3A::new(ray.x, ray.y, 1.0);
        match self.content.primitive(primitive) {
            Primitive::Sphere(sphere) => {
                let (center, radius) = (Vec3A::from_vec4(sphere), sphere.w);
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
                    .map_or(rays.normal().into(), Vec3A::from);
                Some(Surface {
                    point: direction * depth,
                    normal: if normal.dot(direction) > 0.0 { -normal } else { normal },
                    albedo: self.linear_color(instance.color),
                })
            }
        }
    }

    fn linear_color(&self, color: [u8; 3]) -> Vec3A {
        let [red, green, blue] = color;
        Vec3A::new(
            self.linear[red as usize],
            self.linear[green as usize],
            self.linear[blue as usize],
        )
    }

    /// Radiance of a lit surface towards the camera.
    pub(crate) fn lit(&self, surface: &Surface, ambient: Ambient) -> Vec3A {
        let Surface { point, normal, albedo } = *surface;
        let lights = self.lights;
        let cosine = normal.dot(lights.key_towards);
        let key = if cosine > 0.0 {
            lights.key_light * (cosine * lights.key_visibility(point, normal))
        } else {
            Vec3A::ZERO
        };
        // Light that neighbours of the same colour pass on brightens and tints hollows (Jimenez et al. 2016).
        let hidden = 1.0 - ambient.visibility;
        let passed_on = Vec3A::ONE / (Vec3A::ONE - albedo * (0.8 * hidden));
        let light = albedo * (key + lights.ambient_light(normal, ambient) * passed_on);
        if key == Vec3A::ZERO {
            return light;
        }
        let half = (lights.key_towards - point.normalize_or_zero()).normalize_or_zero();
        light + key * (SHINE * normal.dot(half).max(0.0).powi(24))
    }
}
