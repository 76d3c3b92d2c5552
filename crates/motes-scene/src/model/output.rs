//! `[output]`: what a run leaves behind.

use crate::decode::limits::{between, metres};

crate::words! {
    /// A kind of output file.
    enum Format {
        /// A picture of the last frame.
        "png" => Png,
        /// A numbered picture of every frame.
        "frames" => Frames,
        /// A video.
        "mp4" => Mp4,
        /// Particles, Stanford PLY.
        "ply" => Ply,
        /// Particles, VTK.
        "vtp" => Vtp,
        /// Bodies and colliders as one mesh with normals and colours, Stanford PLY.
        "meshes" => Meshes,
        /// Bodies and colliders of every frame, Wavefront OBJ.
        "obj" => Obj,
        /// Bodies and colliders with animation, binary glTF.
        "glb" => Glb,
        /// Bodies, colliders and particles with animation, Universal Scene Description.
        "usda" => Usda,
        /// Surfaces of liquids as one mesh with normals, velocities and colours, Stanford PLY.
        "surface" => Surface,
        /// Smoke on a grid, OpenVDB.
        "vdb" => Vdb,
        /// Smoke on a grid, VTK.
        "vti" => Vti,
        /// What happens, JSON Lines.
        "log" => Log,
        /// What happens, as a table.
        "csv" => Csv,
    }
}

crate::table! {
    /// What a run leaves behind.
    default struct OutputTable {
        /// Width of pictures, pixels.
        width: u32 = 1280 => between(16.0, 16_384.0).of("pixels"),
        /// Height of pictures, pixels.
        height: u32 = 720 => between(16.0, 16_384.0).of("pixels"),
        /// What is written.
        formats: Vec<Format> = vec![Format::Mp4, Format::Png],
        /// Write every so many frames.
        every: u32 = 1 => between(1.0, 1e6),
        /// Side of the voxels of "vdb" and "vti", metres; by default 0.6 radii of the usual marker of smoke.
        voxel: Option<f32> = None => metres(),
    }
}
