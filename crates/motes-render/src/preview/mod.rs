//! The preview: a deferred rasteriser on the CPU.
//!
//! Primitives are sorted into tiles of the picture; each tile finds what its samples see, shades it under the light
//! maps, lays glass over it and averages the samples. Tiles know nothing of each other, so the picture does not depend
//! on the number of threads.

mod ambient;
mod batch;
mod bins;
mod bounds;
mod content;
mod directions;
mod fragments;
mod glass;
mod ground;
mod light_map;
mod lights;
mod lookup;
mod map_quad;
mod shade;
mod tile;
mod tone;
mod vector;
mod view;
mod visibility;

use crate::{Drawing, Image, Quality};
use bins::{Bins, Tiles};
use content::Content;
use lights::Lights;
use rayon::prelude::*;
use shade::Shader;
use tile::TileScratch;
use view::View;

/// Pixels along the side of a tile.
const TILE: u32 = 32;

/// Draws pictures, and keeps its buffers from one to the next.
#[derive(Debug, Default)]
pub struct Preview {
    content: Content,
    lights: Lights,
    bins: Bins,
}

impl Preview {
    /// A renderer without buffers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws one picture on the current rayon thread pool. The same input gives the same bytes on any number of threads.
    pub fn draw(&mut self, drawing: &Drawing, width: u32, height: u32, quality: &Quality) -> Image {
        let mut image = Image::filled(width, height, [0, 0, 0, 255]);
        if width == 0 || height == 0 {
            return image;
        }
        let supersampling = quality.supersampling.clamp(1, 8);
        let quality = Quality {
            supersampling,
            ..*quality
        };
        let samples = [width * supersampling, height * supersampling];
        let view = View::new(&drawing.camera, samples);
        let tiles = Tiles::new(samples, TILE * supersampling);
        self.content.gather(drawing, &view);
        rayon::join(
            || self.bins.fill(&tiles, &self.content.rects),
            || self.lights.prepare(drawing, &self.content, &view, &quality),
        );
        let shader = Shader::new(drawing, &self.content, &self.lights, &view, &quality);
        let drawn: Vec<Vec<[u8; 4]>> = (0..tiles.len())
            .into_par_iter()
            .map_init(TileScratch::default, |scratch, tile| {
                scratch.draw(&shader, tiles.rect(tile), self.bins.tile(tile))
            })
            .collect();
        for (tile, pixels) in drawn.iter().enumerate() {
            let rect = tiles.rect(tile);
            let [left, top] = rect.min.map(|sample| (sample / supersampling) as usize);
            let columns = ((rect.max[0] - rect.min[0]) / supersampling) as usize;
            for (row, pixels) in pixels.chunks(columns).enumerate() {
                let start = (top + row) * width as usize + left;
                image.pixels[start..start + columns].copy_from_slice(pixels);
            }
        }
        image
    }
}
