//! The light that leaves a surface towards the camera.

use super::content::{Content, Primitive, Triangle};
use super::ground::GroundPlane;
use super::lights::Lights;
use super::tone::{self, Encoder};
use super::view::View;
use super::visibility::TriangleRays;
use crate::color::to_linear;
use crate::{Drawing, Fabric, Quality};
use glam::{Vec2, Vec3A};

/// How far the normals of spheres that scatter light turn to the light.
const SCATTERED: f32 = 0.7;

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
    /// Distance between the places where the light on the ground is found, pixels.
    pub(crate) ground_spacing: u32,
    pub(crate) ground: Option<GroundPlane>,
    /// The backdrop at the horizon and high up, linear and before tone mapping.
    horizon: Vec3A,
    zenith: Vec3A,
    /// Linear light of every sRGB value.
    linear: [f32; 256],
    pub(crate) encoder: Encoder,
}

impl<'a> Shader<'a> {
    pub(crate) fn new(
        drawing: &'a Drawing,
        content: &'a Content,
        lights: &'a Lights,
        view: &'a View,
        quality: &Quality,
    ) -> Self {
        Self {
            drawing,
            content,
            lights,
            view,
            supersampling: quality.supersampling,
            ground_spacing: quality.ground_spacing.clamp(1, 64),
            ground: drawing.ground.and_then(|ground| GroundPlane::new(&ground, view)),
            horizon: tone::invert(to_linear(drawing.lighting.horizon_color)),
            zenith: tone::invert(to_linear(drawing.lighting.zenith_color)),
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

    /// The surface a primitive shows along the ray `(u, v, 1)`; `last` is the triangle that was asked for before.
    pub(crate) fn surface(&self, ray: Vec2, primitive: u32, last: &mut Option<(u32, TriangleRays)>) -> Option<Surface> {
        let direction = Vec3A::new(ray.x, ray.y, 1.0);
        match self.content.primitive(primitive) {
            Primitive::Sphere(sphere) => {
                let (center, radius) = (Vec3A::from_vec4(sphere), sphere.w);
                let inverse = 1.0 / direction.length_squared();
                let middle = direction.dot(center) * inverse;
                let off = direction * middle - center;
                let half = ((radius * radius - off.length_squared()).max(0.0) * inverse).sqrt();
                let offset = off - direction * half;
                let (color, scatters) = self.content.sphere_look(self.drawing, primitive);
                let normal = offset.normalize_or(-direction.normalize());
                let normal = match scatters {
                    true => normal.lerp(self.lights.key_towards, SCATTERED).normalize_or(normal),
                    false => normal,
                };
                Some(Surface {
                    point: center + offset,
                    normal,
                    albedo: self.linear_color(color),
                })
            }
            Primitive::Triangle(triangle) => {
                let rays = match *last {
                    Some((number, rays)) if number == primitive => rays,
                    _ => TriangleRays::new(&triangle.corners)?,
                };
                *last = Some((primitive, rays));
                Some(self.triangle_surface(ray, triangle, &rays))
            }
        }
    }

    /// The surface a triangle shows along the ray `(u, v, 1)`.
    #[inline]
    pub(crate) fn triangle_surface(&self, ray: Vec2, triangle: &Triangle, rays: &TriangleRays) -> Surface {
        let direction = Vec3A::new(ray.x, ray.y, 1.0);
        let instance = &self.drawing.meshes[triangle.instance as usize];
        let depth = rays.plane_depth(ray);
        let face = Vec3A::from(rays.normal());
        let face = if face.dot(direction) > 0.0 { -face } else { face };
        let normal = instance
            .mesh
            .smooth_normal(triangle.index as usize, rays.weights(ray))
            .and_then(|normal| (self.content.normal_maps[triangle.instance as usize] * normal).try_normalize())
            .map_or(face, Vec3A::from);
        Surface {
            point: direction * depth,
            // On the side of the face: a blended normal may lean away from the camera at a silhouette.
            normal: if normal.dot(face) < 0.0 { -normal } else { normal },
            albedo: match instance.mesh.fabric() {
                Some(fabric) => self.dyed(fabric, triangle, rays, ray),
                None => self.linear_color(instance.mesh.color(triangle.index as usize).unwrap_or(instance.color)),
            },
        }
    }

    /// The colour of cloth where a ray meets it.
    fn dyed(&self, fabric: &Fabric, triangle: &Triangle, rays: &TriangleRays, ray: Vec2) -> Vec3A {
        let instance = &self.drawing.meshes[triangle.instance as usize];
        if let Some(color) = fabric.back_color {
            // Mirrored space, as that of the camera may be, turns triangles over.
            let turn = self.content.to_camera[triangle.instance as usize].matrix3.determinant();
            if rays.normal().dot(ray.extend(1.0)) * turn > 0.0 {
                return self.linear_color(color);
            }
        }
        let [a, b, c] = instance.mesh.corner_uvs(triangle.index as usize);
        let uv = |ray: Vec2| {
            let weights = rays.weights(ray);
            a * weights.x + b * weights.y + c * weights.z
        };
        let (here, pixel) = (uv(ray), self.view.step * self.supersampling as f32);
        let across = (uv(ray + pixel * Vec2::X) - here).abs() + (uv(ray + pixel * Vec2::Y) - here).abs();
        let colors = [instance.color, fabric.second_color].map(|color| self.linear_color(color));
        fabric.blend(here, across, colors[0], colors[1])
    }

    fn linear_color(&self, color: [u8; 3]) -> Vec3A {
        let [red, green, blue] = color;
        Vec3A::new(
            self.linear[red as usize],
            self.linear[green as usize],
            self.linear[blue as usize],
        )
    }
}
