//! See-through meshes, laid over the opaque picture.

use super::content::Triangle;
use super::shade::Shader;
use super::visibility::{TriangleRays, Visibility};
use glam::{Vec2, Vec3A};
use std::ops::Range;

/// One see-through surface before one sample of a tile.
#[derive(Clone, Copy, Debug)]
struct Pane {
    /// Number of the pixel within the tile, row by row.
    pixel: u32,
    /// Number of the sample within the pixel, row by row.
    sample: u32,
    depth: f32,
    primitive: u32,
}

/// The see-through surfaces of one tile.
#[derive(Debug, Default)]
pub(crate) struct Glass {
    panes: Vec<Pane>,
    /// The first pane of the pixel that [`Glass::next_pixel`] comes to next.
    next: usize,
}

impl Glass {
    pub(crate) fn clear(&mut self) {
        self.panes.clear();
        self.next = 0;
    }

    /// Notes where a triangle lies before what is seen.
    pub(crate) fn draw_triangle(&mut self, shader: &Shader, seen: &Visibility, triangle: &Triangle, primitive: u32) {
        let Some(rays) = TriangleRays::new(&triangle.corners) else {
            return;
        };
        let tile = seen.rect();
        let rect = shader.content.rects[primitive as usize].intersection(&tile);
        let side = shader.supersampling;
        let pixels_per_row = (tile.max[0] - tile.min[0]) / side;
        for row in rect.min[1]..rect.max[1] {
            let v = shader.view.v(row as f32);
            for column in rect.min[0]..rect.max[0] {
                let (x, y) = (column - tile.min[0], row - tile.min[1]);
                let depth = rays.depth(shader.view.u(column as f32), v);
                if depth > shader.view.near && depth < seen.depth(x, y) {
                    self.panes.push(Pane {
                        pixel: y / side * pixels_per_row + x / side,
                        sample: y % side * side + x % side,
                        depth,
                        primitive,
                    });
                }
            }
        }
    }

    /// Orders the panes by pixel and sample, the farthest first.
    pub(crate) fn sort(&mut self) {
        self.panes.sort_unstable_by(|a, b| {
            (a.pixel, a.sample)
                .cmp(&(b.pixel, b.sample))
                .then(b.depth.total_cmp(&a.depth))
                .then(a.primitive.cmp(&b.primitive))
        });
    }

    /// The next pixel that has panes, and those.
    pub(crate) fn next_pixel(&mut self) -> Option<(u32, Range<usize>)> {
        let start = self.next;
        let pixel = self.panes.get(start)?.pixel;
        let panes = self.panes[start..].iter();
        self.next += panes.take_while(|pane| pane.pixel == pixel).count();
        Some((pixel, start..self.next))
    }

    /// Blends panes over the radiance of the samples of a pixel.
    pub(crate) fn blend(&self, shader: &Shader, panes: Range<usize>, corner: [u32; 2], radiances: &mut [Vec3A]) {
        let side = shader.supersampling;
        let mut last = None;
        for pane in &self.panes[panes] {
            let column = corner[0] + pane.sample % side;
            let row = corner[1] + pane.sample / side;
            let ray = Vec2::new(shader.view.u(column as f32), shader.view.v(row as f32));
            let radiance = &mut radiances[pane.sample as usize];
            *radiance = over(shader, ray, pane.primitive, &mut last, *radiance);
        }
    }
}

/// What is seen through a pane: tinted by its colour, with a rim that mirrors the backdrop and a highlight of the key.
fn over(shader: &Shader, ray: Vec2, primitive: u32, last: &mut Option<(u32, TriangleRays)>, behind: Vec3A) -> Vec3A {
    let surface = shader.surface(ray, primitive, last);
    let (Some(surface), Some(triangle)) = (surface, shader.content.triangle(primitive)) else {
        return behind;
    };
    let instance = &shader.drawing.meshes[triangle.instance as usize];
    let opacity = instance.opacity;
    let lights = shader.lights;
    let incoming = Vec3A::new(ray.x, ray.y, 1.0).normalize();
    let facing = -incoming.dot(surface.normal);
    let rim = (1.0 - facing.clamp(0.0, 1.0)).powi(4);
    let mirrored = incoming + surface.normal * (2.0 * facing);
    let shine = mirrored.dot(lights.key_towards).max(0.0).powi(160);
    let diffuse = surface.albedo * (lights.open_sky() + lights.key_light * 0.3);
    // What is nearly solid looks like it, instead of mirroring the backdrop.
    let rise = 0.5 + 0.5 * surface.normal.dot(lights.up);
    if instance.mesh.fabric().is_some() {
        // Thin cloth is as bright as the light on either side of it, and mirrors nothing.
        let key = 0.6 * surface.normal.dot(lights.key_towards).abs();
        let body = surface.albedo * (lights.open_sky() * (0.4 + 0.6 * rise) + lights.key_light * key);
        return behind.lerp(body, opacity);
    }
    let towards_key = surface.normal.dot(lights.key_towards).max(0.0);
    let solid = surface.albedo * (lights.open_sky() * rise + lights.key_light * (0.8 * towards_key));
    let covered = opacity + (1.0 - opacity) * 0.55 * rim;
    let body = diffuse.lerp(shader.backdrop(mirrored), 0.35 + 0.65 * rim);
    let body = body.lerp(solid, opacity * opacity);
    behind * Vec3A::ONE.lerp(surface.albedo, opacity) * (1.0 - covered)
        + body * covered
        + lights.key_light * (1.6 * shine)
}
