//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::rig::RigArguments;

/// Unified particle physics, beginning with sand: particles and constraints in one deterministic step.
///
/// Without a command, motes runs the default gallery scene and leaves a video and a picture.
#[derive(Debug, Parser)]
#[command(name = "motes", version, about, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 failed, or a check or validation did not pass; \
2 the command line or the scene makes no sense; 130 stopped by Ctrl-C, with whole files left behind.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene without a window: pictures, video, caches
    Run(RunOptions),
    /// List the scenes of the gallery
    List(ListOptions),
    /// List every problem of scene files
    Check(CheckOptions),
    /// Measure the time per frame and stage
    Bench(BenchOptions),
    /// Compare the physics with published results
    Validate(ValidateOptions),
    /// Show what a mesh becomes as particles: counts, masses, repairs, a picture
    Mesh(MeshOptions),
    /// Make oriented particles of a mesh: a model file for creatures, and a picture
    Rig(RigArguments),
    /// Draw columns of a log over time
    Plot(PlotOptions),
    /// List the adapters of this machine, and which would be chosen
    Info(InfoOptions),
    /// Print the JSON Schema of scene files, or of model files
    Schema(SchemaOptions),
}

impl Default for Command {
    fn default() -> Self {
        Self::Run(RunOptions::default())
    }
}

/// Options of every command that simulates.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EngineOptions {
    /// Where to simulate
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: EngineChoice,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    /// A GPU if there is a real one, else the cores
    #[default]
    Auto,
    /// The cores of this machine
    Cpu,
    /// A GPU, or a driver that plays one
    Gpu,
}

/// Options of `motes info`.
#[derive(Args, Clone, Debug)]
pub(crate) struct InfoOptions {
    /// Print the result as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of every command that reads a scene.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SceneOptions {
    /// Change the scene, e.g. solver.substeps=4 or grains[0].material=glass; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) assignments: Vec<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

impl SceneOptions {
    pub(crate) fn assignments(&self) -> Vec<String> {
        let seed = self.seed.map(|seed| format!("seed={seed}"));
        self.assignments.iter().cloned().chain(seed).collect()
    }
}

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RunOptions {
    /// Gallery name or scene file [default: splash]
    pub(crate) scene: Option<String>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    #[command(flatten)]
    pub(crate) changes: SceneOptions,
    /// Number of frames [default: what the scene says]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) frames: Option<u32>,
    /// Folder for the files
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(crate) out: PathBuf,
    /// What to write, separated by commas: png (last frame), frames (numbered png), mp4, ply, vtp, meshes, obj, glb, usda, surface, vdb, vti, log (JSON Lines), csv, or none
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub(crate) format: Option<Vec<OutputFormat>>,
    /// How pictures are drawn
    #[arg(long, value_enum, default_value_t)]
    pub(crate) quality: PictureQuality,
    /// Save the state after the last frame
    #[arg(long, value_name = "FILE")]
    pub(crate) save_state: Option<PathBuf>,
    /// Go on from a saved state of the same scene, for --frames more
    #[arg(long, value_name = "FILE")]
    pub(crate) restore_state: Option<PathBuf>,
    /// Save the state to NAME.checkpoint in the folder after every so many frames, until the run is complete
    #[arg(long, value_name = "EVERY", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoint: Option<u32>,
    /// Go on from NAME.checkpoint, if there is one, up to the last frame of the run
    #[arg(long, conflicts_with = "restore_state")]
    pub(crate) resume: bool,
    /// Print the result as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureQuality {
    /// Rough, for a first look
    Draft,
    /// Smooth
    #[default]
    Final,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// A picture of the last frame
    Png,
    /// A numbered picture of every frame
    Frames,
    /// A video
    Mp4,
    /// Particles of every frame, Stanford PLY
    Ply,
    /// Particles of every frame, VTK
    Vtp,
    /// Bodies and colliders of every frame as one mesh with normals and colours, Stanford PLY
    Meshes,
    /// Bodies and colliders of every frame, Wavefront OBJ
    Obj,
    /// Bodies and colliders of the run with animation, binary glTF
    Glb,
    /// Bodies, colliders and particles of the run with animation, Universal Scene Description
    Usda,
    /// Surfaces of liquids of every frame as one mesh with normals, velocities and colours, Stanford PLY
    Surface,
    /// Smoke of every frame on a grid, with density, temperature and velocity, OpenVDB
    Vdb,
    /// Smoke of every frame on a grid, VTK
    Vti,
    /// Energy, momentum, forces and bodies of every frame, JSON Lines
    Log,
    /// The same as a table
    Csv,
    /// Nothing
    None,
}

#[derive(Args, Debug)]
pub(crate) struct ListOptions {
    /// Print the list as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CheckOptions {
    /// Scene files or gallery names
    #[arg(required = true)]
    pub(crate) scenes: Vec<String>,
    #[command(flatten)]
    pub(crate) changes: SceneOptions,
    /// Print the problems as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct BenchOptions {
    /// Gallery names or scene files [default: settling]
    pub(crate) scenes: Vec<String>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    #[command(flatten)]
    pub(crate) changes: SceneOptions,
    /// Frames to measure
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) frames: u32,
    /// Frames to run before measuring
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) warmup: u32,
    /// Passive particles to add at random where the particles are
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) passive: usize,
    /// Print the result as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ValidateOptions {
    /// Only the cases whose name contains one of these, in capitals or not
    pub(crate) cases: Vec<String>,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    /// Only the quick cases
    #[arg(long)]
    pub(crate) quick: bool,
    /// Instead of the cases: run this many random scenes and hold them to what has to be true of every scene
    #[arg(long, value_name = "N", conflicts_with_all = ["cases", "quick"])]
    pub(crate) random: Option<u64>,
    /// The same with scene files of your own or gallery names; may be repeated
    #[arg(long, value_name = "SCENE", conflicts_with_all = ["cases", "quick", "random"])]
    pub(crate) scene: Vec<String>,
    /// Seed of the random scenes
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random")]
    pub(crate) seed: u64,
    /// Number of the first random scene
    #[arg(long, value_name = "K", default_value_t = 0, requires = "random")]
    pub(crate) first: u64,
    /// What the random scenes shall not have, separated by commas: grains, rigid, soft, plastic, melting, joints, obstacles,
    /// motion, emitters, fields, sizes, rebounds, rows
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "random")]
    pub(crate) without: Vec<String>,
    /// Folder for the random scenes that break a claim, as scene files
    #[arg(long, value_name = "DIR", requires = "random")]
    pub(crate) keep: Option<PathBuf>,
    /// Run each scene on the CPU as well and compare the outcomes
    #[arg(long)]
    pub(crate) both: bool,
    /// Print the result as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Options of `motes schema`.
#[derive(Args, Debug)]
pub(crate) struct SchemaOptions {
    /// Of the model files that `motes rig` writes
    #[arg(long)]
    pub(crate) rig: bool,
}

/// Options of `motes plot`.
#[derive(Args, Debug)]
pub(crate) struct PlotOptions {
    /// A log of `motes run --format log` or csv
    pub(crate) log: PathBuf,
    /// Columns to draw, separated by commas; a name stands for all that begin with it and a dot
    /// [default: kinetic_energy,potential_energy,energy]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// The picture, SVG or PNG by its extension [default: the log's name with .svg]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Options of `motes mesh`.
#[derive(Args, Debug)]
pub(crate) struct MeshOptions {
    /// Mesh file (obj, ply, stl, gltf, glb) or model: banana, beast, castle, cord, doll, fish, gear, octopus, rabbit, teapot, torus, truck, weed
    #[arg(value_name = "FILE|MODEL")]
    pub(crate) source: String,
    /// Radius of the particles, metres [default: a fiftieth of the longest side]
    #[arg(long, value_name = "R", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) radius: Option<f32>,
    /// Only this many layers of particles below the surface
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) shell: Option<u32>,
    /// Distance of neighbours, in diameters
    #[arg(long, value_name = "S", default_value_t = 0.9, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) spacing: f32,
    /// Density, kg/m³
    #[arg(long, value_name = "D", default_value_t = 1000.0, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) density: f32,
    /// The axis that points up in the file [default: y]
    #[arg(long, value_enum)]
    pub(crate) up: Option<UpAxis>,
    /// Metres per unit of the file; for a model, its size
    #[arg(long, value_name = "K", default_value_t = 1.0, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) scale: f32,
    /// Cells along the longest side of a model [default: 128]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=512))]
    pub(crate) resolution: Option<u32>,
    /// Folder for the files
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(crate) out: PathBuf,
    /// Write the mesh, repaired and in metres with y up; the name says the format: obj, ply or stl
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,
    /// Write the particles with mass, distance and gradient, Stanford PLY
    #[arg(long)]
    pub(crate) ply: bool,
    /// No picture
    #[arg(long)]
    pub(crate) no_picture: bool,
    /// Print the result as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpAxis {
    /// y, as in motes and glTF
    Y,
    /// z, as in most CAD programs
    Z,
}

/// Reads a positive, finite number.
pub(crate) fn positive(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("expected a positive number".into()),
    }
}

/// The command line asks for something that makes no sense.
#[derive(Debug)]
pub(crate) struct Misuse(pub(crate) String);

impl std::fmt::Display for Misuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
