//! See-through meshes, laid over the opaque picture.

use super::shade::Shader;
use super::view::SampleRect;
use super::visibility::{TriangleRays, Visibility};
use glam::{Vec2, Vec3};

/// One see-through surface before one sample of a tile.
#[derive(Clone, Copy, Debug)]
struct Layer {
    sample: u32,
    depth: f32,
    primitive: u32,
}

/// The see-through surfaces of one tile.
#[derive(Debug, Default)]
pub(crate) struct Glass {
    layers: Vec<Layer>,
}

impl Glass {
    pub(crate) fn clear(&mut self) {
        self.layers.clear();
    }

    /// Notes where a triangle lies before what is seen.
    pub(crate) fn draw_triangle(&mut self, shader: &Shader, seen: &Visibility, rect: &SampleRect, primitive: u32) {
        let Some(triangle) = shader.content.triangle(primitive) else {
            return;
        };
        let Some(rays) = TriangleRays::new(&triangle.corners) else {
            return;
        };
        let tile = seen.rect();
        let rect = rect.intersection(&tile);
        for row in rect.min[1]..rect.max[1] {
            let v = shader.view.v(row as f32);
            for column in rect.min[0]..rect.max[0] {
                let sample = (row - tile.min[1]) as usize * seen.stride() + (column - tile.min[0]) as usize;
                let depth = rays.depth(shader.view.u(column as f32), v);
                if depth > shader.view.near && depth < seen.depth(sample) {
                    self.layers.push(Layer {
                        sample: sample as u32,
                        depth,
                        primitive,
                    });
                }
            }
        }
    }

    /// Blends all noted surfaces over the radiance of the samples, the farthest first.
    pub(crate) fn blend(&mut self, shader: &Shader, seen: &Visibility, radiance: &mut [Vec3]) {
        self.layers.sort_unstable_by(|a, b| {
            let order = a.sample.cmp(&b.sample).then(b.depth.total_cmp(&a.depth));
            order.then(a.primitive.cmp(&b.primitive))
        });
        let tile = seen.rect();
        for layer in &self.layers {
            let sample = layer.sample as usize;
            let column = tile.min[0] as usize + sample % seen.stride();
            let row = tile.min[1] as usize + sample / seen.stride();
            let ray = Vec2::new(shader.view.u(column as f32), shader.view.v(row as f32));
            radiance[sample] = over(shader, ray, layer.primitive, radiance[sample]);
        }
    }
}

/// What is seen through one pane: tinted by its colour, with a rim that mirrors the sky and a highlight of the key light.
fn over(shader: &Shader, ray: Vec2, primitive: u32, behind: Vec3) -> Vec3 {
    let (Some(surface), Some(triangle)) = (shader.surface(ray, primitive), shader.content.triangle(primitive)) else {
        return behind;
    };
    let opacity = shader.drawing.meshes[triangle.instance as usize].opacity;
    let lights = shader.lights;
    let incoming = ray.extend(1.0).normalize();
    let facing = -incoming.dot(surface.normal);
    let rim = (1.0 - facing.clamp(0.0, 1.0)).powi(4);
    let mirrored = incoming + surface.normal * (2.0 * facing);
    let shine = mirrored.dot(lights.key_towards).max(0.0).powi(160);
    let diffuse = surface.albedo * (lights.open_sky() + lights.key_light * 0.3);
    let covered = opacity + (1.0 - opacity) * 0.55 * rim;
    let body = diffuse.lerp(shader.backdrop(mirrored), 0.35 + 0.65 * rim);
    behind * Vec3::ONE.lerp(surface.albedo, opacity) * (1.0 - covered) + body * covered + lights.key_light * (1.6 * shine)
}
