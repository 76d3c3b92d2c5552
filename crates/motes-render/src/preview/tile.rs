//! One tile of the picture, from the primitives before it to its pixels.

use super::ambient::{Ambient, Probe};
use super::batch::{Batch, Wanted};
use super::behind::{Behind, BehindPixel};
use super::content::{Kind, Primitive};
use super::film::{Film, Films};
use super::footprint::Footprint;
use super::fragments::{self, Fragments};
use super::glass::Glass;
use super::ground::{GroundGrid, Seen};
use super::shade::{Shader, Surface};
use super::smoke::{Backing, Layer, Smoke};
use super::tone;
use super::vector::{self, Kernel};
use super::view::SampleRect;
use super::visibility::{BACKDROP, GROUND, Visibility};
use super::water;
use glam::{Vec2, Vec3A};

/// Spheres drawn between two updates of the farthest depths.
const BATCH: usize = 64;
/// Triangles drawn between two of these updates.
const TRIANGLE_BATCH: usize = 256;

/// Buffers for one tile, reused by the tiles of a thread.
#[derive(Debug, Default)]
pub(crate) struct TileScratch {
    seen: Visibility,
    glass: Glass,
    films: Films,
    /// Spheres of the tile, nearest first: distance of the near side as sortable bits, then place in the tile's list.
    order: Vec<u64>,
    ground: GroundGrid,
    fragments: Fragments,
    /// One per primitive of the tile, filled where it is needed.
    probes: Vec<Option<Probe>>,
    /// Fragments that wait to be shaded: surfaces under the shadow maps of the sky, those whose ambient light is known, and
    /// the ground at edges of shadows.
    surfaces: Facing,
    probed: Facing,
    edges: Batch,
    /// What the tile was lit by, one per shadow map.
    footprints: Vec<Footprint>,
}

impl TileScratch {
    /// Draws a tile, given the primitives that may touch it, but for its liquids and smoke.
    pub(crate) fn draw(&mut self, shader: &Shader, rect: SampleRect, primitives: &[u32], is_smoky: bool) -> Drawn {
        let has_liquids = shader.content.kinds.contains(&Kind::Liquid);
        vector::run(DrawOpaque {
            scratch: self,
            shader,
            rect,
            primitives,
        });
        self.draw_glass(shader, primitives);
        self.ground.clear();
        self.footprints.clear();
        self.footprints.resize(shader.lights.map_count(), Footprint::NONE);
        self.probes.clear();
        self.probes.resize(primitives.len(), None);
        self.fragments.find(&self.seen, shader.supersampling);
        self.shade(shader, primitives);
        let is_wet = shader.content.is_wet(primitives);
        if is_wet || is_smoky {
            let films = if is_wet {
                self.films(shader, primitives)
            } else {
                Vec::new()
            };
            return Drawn::Veiled(self.veiled(films));
        }
        let behind = match has_liquids {
            true => self.behind(&[]),
            false => Vec::new(),
        };
        Drawn::Done(self.fragments.pixels(shader, rect, &mut self.glass), behind)
    }

    /// The liquids before the pixels of the tile.
    fn films(&mut self, shader: &Shader, primitives: &[u32]) -> Vec<Option<Film>> {
        vector::run(DrawLiquids {
            scratch: self,
            shader,
            primitives,
        });
        let (rect, side) = (self.seen.rect(), shader.supersampling);
        let corners = (rect.min[1]..rect.max[1]).step_by(side as usize);
        let corners = corners.flat_map(|y| (rect.min[0]..rect.max[0]).step_by(side as usize).map(move |x| [x, y]));
        let mut last = 0.0;
        let films = corners.map(|corner| {
            let mut film = self.films.pixel(shader, &self.seen, primitives, corner)?;
            // Beside a pixel whose length is not known it is much the same.
            film.length = if film.length.is_nan() { last } else { film.length };
            last = film.length;
            Some(film)
        });
        films.collect()
    }

    /// What is before and behind the liquids and the smoke of the tile.
    fn veiled(&mut self, films: Vec<Option<Film>>) -> VeiledTile {
        let behind = self.behind(&films);
        VeiledTile {
            rect: self.seen.rect(),
            glass: std::mem::take(&mut self.glass),
            films,
            behind,
        }
    }

    /// What is seen in each pixel but for liquids, and glass that is before them.
    fn behind(&mut self, films: &[Option<Film>]) -> Vec<BehindPixel> {
        let mut pixels = self.fragments.means(&self.seen);
        let count = self.fragments.samples_per_pixel();
        for (number, film) in films.iter().enumerate() {
            if let Some(film) = film {
                pixels[number].end = film.depth + film.length;
                let radiance = &mut pixels[number].radiance;
                *radiance = self.glass.over(number, film.depth..f32::INFINITY, count, *radiance);
            }
        }
        pixels
    }

    /// What the last tile was lit by, one per shadow map.
    pub(crate) fn footprints(&self) -> &[Footprint] {
        &self.footprints
    }

    #[inline(always)]
    fn draw_opaque(&mut self, shader: &Shader, primitives: &[u32]) {
        let content = shader.content;
        let mut drawn = 0;
        self.order.clear();
        for (slot, &primitive) in primitives.iter().enumerate() {
            match content.primitive(primitive) {
                Primitive::Sphere(sphere) => {
                    let nearest = (sphere.truncate().length() - sphere.w).max(0.0);
                    self.order.push(u64::from(nearest.to_bits()) << 32 | slot as u64);
                }
                Primitive::Triangle(triangle) => {
                    if content.kind(triangle) == Kind::Solid {
                        let (rect, corners) = (&content.rects[primitive as usize], &triangle.corners);
                        let nearest = corners[0].z.min(corners[1].z).min(corners[2].z);
                        if !self.seen.hides(rect, nearest) {
                            self.seen.draw_triangle(shader.view, rect, corners, slot as u32);
                            drawn += 1;
                            if drawn % TRIANGLE_BATCH == 0 {
                                self.seen.update_blocks();
                            }
                        }
                    }
                }
            }
        }
        self.order.sort_unstable();
        for batch in self.order.chunks(BATCH) {
            let mut is_changed = false;
            for slot in batch.iter().map(|&entry| entry as u32) {
                let primitive = primitives[slot as usize] as usize;
                let (sphere, rect) = (content.spheres[primitive], &content.rects[primitive]);
                if !self.seen.hides(rect, sphere.z - sphere.w) {
                    self.seen
                        .draw_sphere(shader.view, rect, sphere.truncate(), sphere.w, slot);
                    is_changed = true;
                }
            }
            if is_changed {
                self.seen.update_blocks();
            }
        }
    }

    fn draw_glass(&mut self, shader: &Shader, primitives: &[u32]) {
        self.glass.clear(self.seen.stride(), shader.supersampling);
        for &primitive in primitives {
            if let Some(triangle) = shader.content.triangle(primitive)
                && shader.content.kind(triangle) == Kind::Glass
            {
                self.glass.draw_triangle(shader, &self.seen, triangle, primitive);
            }
        }
        self.glass.sort(self.seen.rect(), shader.supersampling);
    }

    /// Finds the radiance of all fragments.
    fn shade(&mut self, shader: &Shader, primitives: &[u32]) {
        let tile = self.seen.rect();
        let mut last = None;
        for number in 0..self.fragments.len() {
            let (slot, place) = (self.fragments.slot(number), self.fragments.place(number));
            let tag = number as u32;
            match slot {
                BACKDROP => {
                    let radiance = shader.backdrop(shader.view.ray(place));
                    self.fragments.set_radiance(tag, radiance);
                }
                GROUND => match self.ground.seen(shader, &tile, place, &mut self.footprints) {
                    Seen::Blended(radiance) => self.fragments.set_radiance(tag, radiance),
                    Seen::Edge(surface, ambient) => {
                        if self.edges.push(&surface, ambient, tag) {
                            self.shade_edges(shader);
                        }
                    }
                },
                _ => {
                    let primitive = primitives[slot as usize];
                    let ray = Vec2::new(shader.view.u(place.x), shader.view.v(place.y));
                    let Some(surface) = shader.surface(ray, primitive, &mut last) else {
                        self.fragments.set_radiance(tag, Vec3A::ZERO);
                        continue;
                    };
                    let full = match shader.content.primitive(primitive) {
                        Primitive::Sphere(sphere) if shader.lights.is_small(sphere.w) => {
                            let probe = self.probes[slot as usize].get_or_insert_with(|| {
                                let center = Vec3A::from_vec4(sphere);
                                shader.lights.smoky_probe(center, sphere.w, &mut self.footprints)
                            });
                            let ambient = probe.ambient(surface.normal, shader.lights.up);
                            let to_key = shader.lights.key_towards;
                            let probed = self.probed.side(&surface, to_key);
                            probed.push(&surface, ambient, tag).then_some((probed, Wanted::Key))
                        }
                        _ => {
                            let surfaces = self.surfaces.side(&surface, shader.lights.key_towards);
                            let is_full = surfaces.push(&surface, Ambient::OPEN, tag);
                            is_full.then_some((surfaces, Wanted::All))
                        }
                    };
                    if let Some((batch, wanted)) = full {
                        shade(batch, shader, wanted, &mut self.footprints, &mut self.fragments);
                    }
                }
            }
        }
        self.shade_edges(shader);
        let (footprints, fragments) = (&mut self.footprints, &mut self.fragments);
        for (facing, wanted) in [(&mut self.surfaces, Wanted::All), (&mut self.probed, Wanted::Key)] {
            shade(&mut facing.towards, shader, wanted, footprints, fragments);
            shade(&mut facing.away, shader, wanted, footprints, fragments);
        }
    }

    /// Shades the ground that waits.
    fn shade_edges(&mut self, shader: &Shader) {
        let Some(plane) = &shader.ground else {
            return;
        };
        for light in self.edges.shade(shader, Wanted::Key, &mut self.footprints).lights() {
            let backdrop = shader.backdrop(shader.view.ray(self.fragments.place(light.tag as usize)));
            self.fragments
                .set_radiance(light.tag, plane.faded(shader, &light, backdrop));
        }
    }
}

/// A tile as far as it can be drawn by itself.
pub(crate) enum Drawn {
    /// Its pixels, row by row, and, where any tile has liquids, what is seen in them.
    Done(Vec<[u8; 4]>, Vec<BehindPixel>),
    Veiled(VeiledTile),
}

/// A tile whose liquids wait for what is behind them in other tiles, and whose smoke goes over them.
pub(crate) struct VeiledTile {
    rect: SampleRect,
    glass: Glass,
    /// One per pixel, or none at all.
    films: Vec<Option<Film>>,
    pub(crate) behind: Vec<BehindPixel>,
}

impl VeiledTile {
    /// Draws the liquids and the smoke, of which some sprites are listed; returns the pixels of the tile, row by row.
    pub(crate) fn draw(
        &self,
        shader: &Shader,
        behind: &Behind,
        smoke: &Smoke,
        sprites: &[u32],
        layer: &mut Layer,
    ) -> Vec<[u8; 4]> {
        let side = shader.supersampling;
        let first = self.rect.min.map(|sample| sample / side);
        let columns = ((self.rect.max[0] - self.rect.min[0]) / side) as usize;
        let film = |number: usize| self.films.get(number).and_then(Option::as_ref);
        let backing = self.behind.iter().enumerate().map(|(number, pixel)| {
            let nearest = film(number).map_or(f32::INFINITY, |film| film.depth);
            Backing {
                near: pixel.depth.min(nearest),
                far: pixel.far.min(nearest),
                share: pixel.far_share,
            }
        });
        layer.blend(smoke.sprites(), sprites, first, columns, backing);
        let mut display = [0, 1, 2].map(|_| Vec::with_capacity(self.behind.len()));
        for (number, pixel) in self.behind.iter().enumerate() {
            let place = [
                first[0] + (number % columns) as u32,
                first[1] + (number / columns) as u32,
            ];
            let mut radiance = pixel.radiance;
            let mut nearest = f32::INFINITY;
            if let Some(film) = film(number) {
                let wet = water::radiance(shader, behind, film, Vec2::new(place[0] as f32, place[1] as f32));
                radiance = radiance.lerp(wet, film.coverage);
                nearest = film.depth;
            }
            let count = (side * side) as usize;
            if let Some(veil) = layer.veil(number) {
                radiance = self.glass.over(number, veil.depth..nearest, count, radiance);
                radiance = radiance * veil.left + veil.added;
                nearest = veil.depth.min(nearest);
            }
            let radiance = self.glass.over(number, 0.0..nearest, count, radiance);
            let shown = tone::map(radiance).to_array();
            display
                .iter_mut()
                .zip(shown)
                .for_each(|(channel, value)| channel.push(value));
        }
        fragments::encode(shader, first, columns, &display, 1)
    }
}

/// Surfaces that face the key light, and those that do not and need not ask for it.
#[derive(Debug, Default)]
struct Facing {
    towards: Batch,
    away: Batch,
}

impl Facing {
    #[inline]
    fn side(&mut self, surface: &Surface, to_key: Vec3A) -> &mut Batch {
        if surface.normal.dot(to_key) > 0.0 {
            &mut self.towards
        } else {
            &mut self.away
        }
    }
}

/// Shades the surfaces of a batch.
fn shade(batch: &mut Batch, shader: &Shader, wanted: Wanted, footprints: &mut [Footprint], fragments: &mut Fragments) {
    for light in batch.shade(shader, wanted, footprints).lights() {
        fragments.set_radiance(light.tag, light.radiance);
    }
}

/// Finds what the samples of a tile see, glass aside.
struct DrawOpaque<'a> {
    scratch: &'a mut TileScratch,
    shader: &'a Shader<'a>,
    rect: SampleRect,
    primitives: &'a [u32],
}

impl Kernel for DrawOpaque<'_> {
    #[inline(always)]
    fn run(self) {
        let ground = self.shader.ground.as_ref();
        self.scratch.seen.clear(self.shader.view, self.rect, ground);
        self.scratch.draw_opaque(self.shader, self.primitives);
    }
}

/// Finds what liquids are before the samples of a tile.
struct DrawLiquids<'a> {
    scratch: &'a mut TileScratch,
    shader: &'a Shader<'a>,
    primitives: &'a [u32],
}

impl Kernel for DrawLiquids<'_> {
    #[inline(always)]
    fn run(self) {
        let (content, seen) = (self.shader.content, &self.scratch.seen);
        let films = &mut self.scratch.films;
        films.clear(seen);
        for (slot, &primitive) in self.primitives.iter().enumerate() {
            if let Some(triangle) = content.triangle(primitive)
                && content.kind(triangle) == Kind::Liquid
            {
                let rect = &content.rects[primitive as usize];
                films.draw_triangle(self.shader, seen, triangle, rect, slot as u32);
            }
        }
    }
}
