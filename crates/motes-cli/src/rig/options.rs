//! What `motes rig` can be told.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use motes_geometry::{Density, RigOptions};

use crate::args::{Misuse, UpAxis, positive};

/// Options of `motes rig`.
#[derive(Args, Debug)]
pub(crate) struct RigArguments {
    /// Mesh file (obj, ply, stl, gltf, glb) or model: banana, beast, castle, cord, doll, fish, gear, octopus, rabbit, teapot, torus, truck, weed
    #[arg(value_name = "FILE|MODEL")]
    pub(crate) source: String,
    /// The model file, TOML or JSON by its extension [default: out/NAME.toml]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// About how many particles [default: 300]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), conflicts_with_all = ["spacing", "density"])]
    pub(crate) count: Option<u32>,
    /// About how far particles are from each other, metres
    #[arg(long, value_name = "M", value_parser = positive, allow_negative_numbers = true, conflicts_with = "density")]
    pub(crate) spacing: Option<f32>,
    /// Particles sprayed on a square metre, before those that meet inside limbs become one
    #[arg(long, value_name = "D", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) density: Option<f32>,
    /// Longest radius of an ellipsoid over its shortest, at most
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = aspect, allow_negative_numbers = true)]
    pub(crate) sigma: f32,
    /// Particles nearer than this many spacings are joined, along the surface or through the inside
    #[arg(long, value_name = "K", default_value_t = 1.5, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) edges: f32,
    /// Parts of the mesh nearer than this many spacings are joined; 0 for none
    #[arg(long, value_name = "K", default_value_t = 0.25, value_parser = share, allow_negative_numbers = true)]
    pub(crate) gap: f32,
    /// Particles stay at the surface, instead of moving into thin limbs
    #[arg(long)]
    pub(crate) surface: bool,
    /// Seed of where particles are sprayed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stiffness of all particles, 0 to 1
    #[arg(long, value_name = "S", default_value_t = 0.5, value_parser = share, allow_negative_numbers = true)]
    pub(crate) stiffness: f32,
    /// Resistance of all particles to twist, 0 to 1
    #[arg(long, value_name = "S", default_value_t = 0.5, value_parser = share, allow_negative_numbers = true)]
    pub(crate) torsion: f32,
    /// The axis that points up in the mesh file [default: y]
    #[arg(long, value_enum)]
    pub(crate) up: Option<UpAxis>,
    /// Metres per unit of the mesh file
    #[arg(long, value_name = "K", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) scale: Option<f32>,
    /// Longest side of the mesh or model, metres
    #[arg(long, value_name = "M", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) size: Option<f32>,
    /// Cells along the longest side of a model [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=512))]
    pub(crate) resolution: Option<u32>,
    /// Leave the weights out of the file: whoever reads it works them out
    #[arg(long)]
    pub(crate) no_weights: bool,
    /// The picture [default: beside the model file, NAME-rig.png]
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    /// No picture
    #[arg(long, conflicts_with = "picture")]
    pub(crate) no_picture: bool,
    /// Print the result as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Print warnings only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Particles of a rig when nothing else is asked for.
const COUNT: usize = 300;

impl RigArguments {
    pub(super) fn rig_options(&self) -> RigOptions {
        let density = match (self.count, self.spacing, self.density) {
            (Some(count), ..) => Density::Count(count as usize),
            (_, Some(spacing), _) => Density::Spacing(spacing),
            (.., Some(density)) => Density::PerArea(density),
            _ => Density::Count(COUNT),
        };
        RigOptions {
            density,
            skeleton: !self.surface,
            aspect: self.sigma,
            edges: self.edges,
            gap: self.gap,
            seed: self.seed,
        }
    }

    /// A word with a dot or a slash in it is a file, any other a model.
    pub(super) fn is_file(&self) -> bool {
        self.source.contains(['.', '/', '\\'])
    }

    /// Refuses options that are for the other kind of source.
    pub(super) fn check(&self) -> Result<()> {
        let source = &self.source;
        let message = if self.is_file() && self.resolution.is_some() {
            format!("--resolution is for models; the triangles of {source} are taken as they are")
        } else if !self.is_file() && self.up.is_some() {
            format!("--up is for files; the model `{source}` has y up")
        } else if !self.is_file() && self.scale.is_some() {
            format!("--scale is for files; for the model `{source}` give --size")
        } else {
            return Ok(());
        };
        Err(Misuse(message).into())
    }
}

/// Reads a number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 1".into()),
    }
}

/// Reads a number from 1 to 6.
fn aspect(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (1.0..=6.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 1 to 6".into()),
    }
}
