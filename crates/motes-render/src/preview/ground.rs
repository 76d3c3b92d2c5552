//! The ground: an endless plane that catches shadows and fades into the backdrop.

use super::ambient::Ambient;
use super::batch::{Batch, Light, Wanted};
use super::footprint::Footprint;
use super::shade::{Shader, Surface};
use super::view::{SampleRect, View};
use crate::Ground;
use crate::color::to_linear;
use glam::{Vec2, Vec3A};

/// Distances from the camera's target between which the ground fades, relative to the camera's distance from it.
const FADE: [f32; 2] = [0.6, 4.0];

/// The plane in camera space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundPlane {
    /// Unit normal.
    pub(crate) normal: Vec3A,
    /// `normal · x` of the plane's points.
    pub(crate) offset: f32,
    albedo: Vec3A,
    /// The point under the camera's target.
    center: Vec3A,
}

impl GroundPlane {
    /// Nothing if the plane makes no sense.
    pub(crate) fn new(ground: &Ground, view: &View) -> Option<Self> {
        let normal = Vec3A::from(view.direction(ground.normal.try_normalize()?));
        let offset = normal.dot(view.point(ground.point).into());
        let target = Vec3A::Z * view.focus;
        offset.is_finite().then(|| Self {
            normal,
            offset,
            albedo: to_linear(ground.color).into(),
            center: target - normal * (normal.dot(target) - offset),
        })
    }

    /// Where a ray meets the plane.
    fn surface(&self, direction: Vec3A) -> Option<Surface> {
        let depth = self.offset / self.normal.dot(direction);
        (depth > 0.0).then(|| Surface {
            point: direction * depth,
            normal: if self.offset < 0.0 { self.normal } else { -self.normal },
            albedo: self.albedo,
        })
    }

    /// Radiance of the ground before a backdrop.
    pub(crate) fn faded(&self, shader: &Shader, light: &Light, backdrop: Vec3A) -> Vec3A {
        let fade = self.fade(light.point, shader.view.focus);
        if fade >= 1.0 {
            return backdrop;
        }
        light.radiance.lerp(backdrop, fade)
    }

    /// How far the ground has faded into the backdrop, 0 to 1.
    fn fade(&self, point: Vec3A, focus: f32) -> f32 {
        let away = (point - self.center).length() / focus;
        let fade = ((away - FADE[0]) / (FADE[1] - FADE[0])).clamp(0.0, 1.0);
        fade * fade * (3.0 - 2.0 * fade)
    }
}

/// The light of the ground at one place.
#[derive(Clone, Copy, Debug)]
struct Corner {
    radiance: Vec3A,
    ambient: Ambient,
    /// The part of the key light that arrives; NaN where the ray does not meet the ground.
    key: f32,
}

/// The ground as a pixel sees it.
pub(crate) enum Seen {
    /// Between corners that have the same key light.
    Blended(Vec3A),
    /// Near an edge of a shadow, where the key light is to be found.
    Edge(Surface, Ambient),
}

/// The ground of one tile. Its light is found at the corners of a grid; between them it is blended, and only in cells
/// that an edge of a shadow runs through the key light is found anew for every pixel.
#[derive(Debug, Default)]
pub(crate) struct GroundGrid {
    /// Place of the first corner, samples.
    origin: Vec2,
    /// Distance between corners, samples.
    spacing: f32,
    /// Corners in a row.
    columns: usize,
    corners: Vec<Corner>,
    /// Whether the key light is the same all over the cell to the lower right of a corner.
    is_even: Vec<bool>,
    batch: Batch,
}

impl GroundGrid {
    pub(crate) fn clear(&mut self) {
        self.corners.clear();
    }

    /// The ground of `tile` at a place, given in samples.
    pub(crate) fn seen(
        &mut self,
        shader: &Shader,
        tile: &SampleRect,
        place: Vec2,
        footprints: &mut [Footprint],
    ) -> Seen {
        let Some(plane) = &shader.ground else {
            return Seen::Blended(shader.backdrop(shader.view.ray(place)));
        };
        if self.corners.is_empty() {
            self.fill(shader, plane, tile, footprints);
        }
        let inside = ((place - self.origin) / self.spacing).max(Vec2::ZERO);
        let (column, row) = (inside.x as usize, inside.y as usize);
        let start = row * self.columns + column;
        let (right, down) = (inside.x - column as f32, inside.y - row as f32);
        let [a, b] = [&self.corners[start], &self.corners[start + 1]];
        let [c, d] = [
            &self.corners[start + self.columns],
            &self.corners[start + self.columns + 1],
        ];
        if self.is_even[start] {
            let upper = a.radiance.lerp(b.radiance, right);
            return Seen::Blended(upper.lerp(c.radiance.lerp(d.radiance, right), down));
        }
        let direction = shader.view.ray(place);
        let Some(surface) = plane.surface(direction) else {
            return Seen::Blended(shader.backdrop(direction));
        };
        let upper = a.ambient.lerp(b.ambient, right);
        Seen::Edge(surface, upper.lerp(c.ambient.lerp(d.ambient, right), down))
    }

    fn fill(&mut self, shader: &Shader, plane: &GroundPlane, tile: &SampleRect, footprints: &mut [Footprint]) {
        let [min, max] = [tile.min, tile.max].map(|place| Vec2::new(place[0] as f32, place[1] as f32));
        self.origin = min;
        self.spacing = (shader.ground_spacing * shader.supersampling) as f32;
        let spacing = self.spacing;
        let cells = ((max - min) / spacing).ceil();
        let (columns, rows) = (cells.x as usize + 1, cells.y as usize + 1);
        self.columns = columns;
        let ray = |corner: usize, within: f32| {
            let step = Vec2::new((corner % columns) as f32, (corner / columns) as f32) + within;
            shader.view.ray(min + step * spacing)
        };
        for corner in 0..columns * rows {
            let direction = ray(corner, 0.0);
            let surface = plane.surface(direction);
            self.corners.push(Corner {
                radiance: shader.backdrop(direction),
                ambient: Ambient::OPEN,
                key: f32::NAN,
            });
            if surface.is_some_and(|surface| self.batch.push(&surface, Ambient::OPEN, corner as u32)) {
                self.light_corners(shader, plane, footprints);
            }
        }
        self.light_corners(shader, plane, footprints);
        self.is_even.clear();
        self.is_even.resize(columns * rows, false);
        for cell in (0..columns * (rows - 1)).filter(|cell| (cell + 1) % columns != 0) {
            let key = self.corners[cell].key;
            let others = [cell + 1, cell + columns, cell + columns + 1];
            let same = (key == 0.0 || key == 1.0) && others.iter().all(|&other| self.corners[other].key == key);
            let middle = if same { plane.surface(ray(cell, 0.5)) } else { None };
            if middle.is_some_and(|surface| self.batch.push(&surface, Ambient::OPEN, cell as u32)) {
                self.compare_middles(shader, footprints);
            }
        }
        self.compare_middles(shader, footprints);
    }

    /// Finds the light of the corners in the batch.
    fn light_corners(&mut self, shader: &Shader, plane: &GroundPlane, footprints: &mut [Footprint]) {
        for light in self.batch.shade(shader, Wanted::All, footprints).lights() {
            let corner = &mut self.corners[light.tag as usize];
            // Until here that is the backdrop.
            corner.radiance = plane.faded(shader, &light, corner.radiance);
            corner.ambient = light.ambient;
            corner.key = light.key;
        }
    }

    /// Notes which cells of the batch have the key light of their corners in the middle as well.
    fn compare_middles(&mut self, shader: &Shader, footprints: &mut [Footprint]) {
        for light in self.batch.shade(shader, Wanted::Key, footprints).lights() {
            let cell = light.tag as usize;
            self.is_even[cell] = self.corners[cell].key == light.key;
        }
    }
}
