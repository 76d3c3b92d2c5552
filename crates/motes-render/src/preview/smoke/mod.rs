//! Smoke over the picture of everything else (section 7.2.4 of *Unified Particle Physics*, 2014): soft round sprites, sorted by depth,
//! each as bright as the light that comes to it through the rest.

mod blend;
mod fire;
mod glow;
mod light;
mod sprites;
mod volume;

use super::bins::{Bins, Tiles};
pub(crate) use blend::{Backing, Layer};
pub(crate) use light::SmokeLight;
pub(crate) use sprites::Stage;
use sprites::{Sprite, Sprites};

/// The smoke of a picture, sorted into its tiles.
#[derive(Debug, Default)]
pub(crate) struct Smoke {
    sprites: Sprites,
    bins: Bins,
}

impl Smoke {
    /// Prepares the smoke of a drawing for pictures of these tiles, whose sides are given in pixels.
    pub(crate) fn prepare(&mut self, stage: &Stage, tiles: &Tiles) {
        self.sprites.prepare(stage);
        self.bins.fill(tiles, &self.sprites.rects);
    }

    /// The sprites that may touch a tile, the nearest first.
    pub(crate) fn tile(&self, tile: usize) -> &[u32] {
        self.bins.tile(tile)
    }

    pub(crate) fn sprites(&self) -> &[Sprite] {
        &self.sprites.all
    }
}
