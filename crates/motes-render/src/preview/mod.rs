//! The preview: a deferred rasteriser on the CPU.
//!
//! Primitives are sorted into tiles of the picture; each tile finds what its samples see, shades it under the light
//! maps, lays glass over it and averages the samples. Tiles know nothing of each other, so the picture does not depend
//! on the number of threads. Where there are liquids these are drawn last, over a picture of all else, and smoke over them.

mod ambient;
mod batch;
mod behind;
mod bins;
mod bounds;
mod casters;
mod content;
mod directions;
mod film;
mod floors;
mod footprint;
mod fragments;
mod glass;
mod ground;
mod kept;
mod light_map;
mod lights;
mod lookup;
mod map_quad;
mod shade;
mod smoke;
mod tile;
mod tone;
mod vector;
mod view;
mod visibility;
mod water;

use crate::{Drawing, Image, Quality};
use behind::Behind;
use bins::{Bins, Tiles};
use content::{Content, Kind};
use kept::{Kept, KeptTile, Setting};
use lights::Lights;
use rayon::prelude::*;
use shade::Shader;
use smoke::{Layer, Smoke, Stage};
use tile::{Drawn, TileScratch};
use view::View;

/// Pixels along the side of a tile.
const TILE: u32 = 32;

/// Draws pictures, and keeps from one to the next its buffers, the shadows of what does not move, and those parts of the
/// picture in which nothing has changed.
#[derive(Debug, Default)]
pub struct Preview {
    content: Content,
    lights: Lights,
    bins: Bins,
    kept: Kept,
    behind: Behind,
    smoke: Smoke,
}

impl Preview {
    /// A renderer without buffers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws one picture on the current rayon thread pool. The same input gives the same bytes on any number of threads.
    pub fn draw(&mut self, drawing: &Drawing, width: u32, height: u32, quality: &Quality) -> Image {
        if width == 0 || height == 0 {
            return Image::filled(width, height, [0, 0, 0, 255]);
        }
        let supersampling = quality.supersampling.clamp(1, 8);
        let quality = Quality {
            supersampling,
            ..*quality
        };
        let samples = [width * supersampling, height * supersampling];
        let view = View::new(&drawing.camera, samples);
        let tiles = Tiles::new(samples, TILE * supersampling);
        let setting = Setting::new(drawing, [width, height], &quality);
        let is_same_view = self.kept.begin(setting, tiles.len());
        self.content.gather(drawing, &view);
        rayon::join(
            || self.bins.fill(&tiles, &self.content.rects),
            || self.lights.prepare(drawing, &view, &quality, is_same_view),
        );
        let is_smoky = !self.lights.smoke.is_empty();
        if is_smoky {
            let stage = Stage {
                drawing,
                lights: &self.lights,
                view: &view,
                supersampling,
            };
            self.smoke.prepare(&stage, &Tiles::new([width, height], TILE));
        }
        let sprites = |tile: usize| if is_smoky { self.smoke.tile(tile) } else { &[] };
        let shader = Shader::new(drawing, &self.content, &self.lights, &view, &quality);
        // A camera that moves needs no fingerprints, and smoke changes the light all over.
        let instances = (is_same_view && !is_smoky).then(|| content::instance_fingerprints(drawing));
        let drawn: Vec<Option<(Drawn, KeptTile)>> = (0..tiles.len())
            .into_par_iter()
            .map_init(TileScratch::default, |scratch, tile| {
                let primitives = self.bins.tile(tile);
                let print = |instances: &Vec<u64>| self.content.fingerprint(drawing, primitives, instances);
                // What is seen through liquids may be in other tiles.
                let fingerprint = instances
                    .as_ref()
                    .map(print)
                    .filter(|_| !self.content.is_wet(primitives));
                let kept = self.kept.tile(tile);
                if fingerprint.is_some()
                    && fingerprint == kept.fingerprint
                    && !self.lights.has_changed(&kept.footprints)
                {
                    return None;
                }
                let drawn = scratch.draw(&shader, tiles.rect(tile), primitives, !sprites(tile).is_empty());
                let footprints = scratch.footprints().to_vec();
                Some((
                    drawn,
                    KeptTile {
                        fingerprint,
                        footprints,
                    },
                ))
            })
            .collect();
        if shader.content.kinds.contains(&Kind::Liquid) {
            self.behind.resize([width, height]);
            for (tile, drawn) in drawn.iter().enumerate() {
                let rect = tiles.rect(tile);
                let first = rect.min.map(|sample| (sample / supersampling) as usize);
                let columns = ((rect.max[0] - rect.min[0]) / supersampling) as usize;
                match drawn {
                    Some((Drawn::Done(_, behind), _)) => self.behind.paste(first, columns, behind),
                    Some((Drawn::Veiled(tile), _)) => self.behind.paste(first, columns, &tile.behind),
                    None => {}
                }
            }
        }
        let behind = &self.behind;
        let smoke = &self.smoke;
        let finish = |layer: &mut Layer, (number, drawn): (usize, Option<(Drawn, KeptTile)>)| match drawn? {
            (Drawn::Done(pixels, _), kept) => Some((pixels, kept)),
            (Drawn::Veiled(tile), kept) => {
                let pixels = tile.draw(&shader, behind, smoke, sprites(number), layer);
                Some((pixels, kept))
            }
        };
        let drawn = drawn
            .into_par_iter()
            .enumerate()
            .map_init(Layer::default, finish)
            .collect();
        self.kept.paste(&tiles, supersampling, drawn)
    }
}
