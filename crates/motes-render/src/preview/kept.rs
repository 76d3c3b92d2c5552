//! The picture before, for the tiles in which nothing has changed since.

use super::bins::Tiles;
use super::footprint::Footprint;
use crate::{Camera, Drawing, Ground, Image, Lighting, Quality};

/// What all tiles of a picture depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Setting {
    camera: Camera,
    ground: Option<Ground>,
    lighting: Lighting,
    size: [u32; 2],
    quality: Quality,
    /// Whether what is behind liquids is wanted of all tiles.
    has_liquids: bool,
    /// Whether smoke may darken all tiles.
    has_smoke: bool,
}

impl Setting {
    pub(crate) fn new(drawing: &Drawing, size: [u32; 2], quality: &Quality) -> Self {
        Self {
            camera: drawing.camera,
            ground: drawing.ground,
            lighting: drawing.lighting,
            size,
            quality: *quality,
            has_liquids: drawing.meshes.iter().any(|instance| instance.mesh.liquid().is_some()),
            has_smoke: !drawing.puffs.is_empty(),
        }
    }
}

/// A tile, as it was drawn last.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptTile {
    /// Of its primitives, if it was taken.
    pub(crate) fingerprint: Option<u64>,
    /// What it was lit by, one per shadow map.
    pub(crate) footprints: Vec<Footprint>,
}

/// The picture before.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    setting: Option<Setting>,
    tiles: Vec<KeptTile>,
    pixels: Vec<[u8; 4]>,
}

impl Kept {
    /// Begins a picture; returns whether the one before had the same setting.
    pub(crate) fn begin(&mut self, setting: Setting, tiles: usize) -> bool {
        let is_same = self.setting == Some(setting);
        self.setting = Some(setting);
        if !is_same {
            self.tiles.clear();
            self.tiles.resize_with(tiles, KeptTile::default);
        }
        is_same
    }

    pub(crate) fn tile(&self, tile: usize) -> &KeptTile {
        &self.tiles[tile]
    }

    /// Puts the new tiles, with their pixels row by row, over the picture before; the others stay.
    pub(crate) fn paste(
        &mut self,
        tiles: &Tiles,
        supersampling: u32,
        drawn: Vec<Option<(Vec<[u8; 4]>, KeptTile)>>,
    ) -> Image {
        let [width, height] = self.setting.map_or([0; 2], |setting| setting.size);
        self.pixels.resize(width as usize * height as usize, [0, 0, 0, 255]);
        for (tile, drawn) in drawn.into_iter().enumerate() {
            let Some((pixels, kept)) = drawn else { continue };
            let rect = tiles.rect(tile);
            let [left, top] = rect.min.map(|sample| (sample / supersampling) as usize);
            let columns = ((rect.max[0] - rect.min[0]) / supersampling) as usize;
            for (row, pixels) in pixels.chunks(columns).enumerate() {
                let start = (top + row) * width as usize + left;
                self.pixels[start..start + columns].copy_from_slice(pixels);
            }
            self.tiles[tile] = kept;
        }
        Image {
            width,
            height,
            pixels: self.pixels.clone(),
        }
    }
}
