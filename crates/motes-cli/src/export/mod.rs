//! Files of a run. Each appears under its name only when it is whole.

mod meshes;
mod ply;
mod vtp;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use glam::{Vec3, Vec4Swizzles};
use motes_core::World;
use motes_render::{Quality, VideoWriter, write_png};
use motes_scene::{Built, Scene};

pub use ply::write_ply;
pub use vtp::write_vtp;

use crate::args::OutputFormat;
use crate::picture::Artist;
use crate::surfaces::Surface;
use meshes::MergedMesh;

/// One particle as it is exported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExportedParticle {
    /// Centre, metres.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Stable id.
    pub id: u32,
    /// Index of the group.
    pub group: u32,
    /// Radius, metres.
    pub radius: f32,
}

/// All particles of a world in order of id, so that the same row is the same particle while none comes or goes.
pub fn exported(world: &mut World) -> Vec<ExportedParticle> {
    let radii = world.particle_radii();
    let particles = world.particles();
    let mut rows: Vec<_> = (0..particles.len())
        .map(|slot| ExportedParticle {
            position: particles.positions[slot].xyz(),
            velocity: particles.velocities[slot].xyz(),
            id: particles.ids()[slot].index,
            group: particles.phases[slot].group(),
            radius: radii[slot],
        })
        .collect();
    rows.sort_unstable_by_key(|row| row.id);
    rows
}

/// What a run writes, frame by frame and at its end.
pub(crate) struct Outputs {
    folder: PathBuf,
    stem: String,
    formats: Vec<OutputFormat>,
    artist: Artist,
    video: Option<(VideoWriter, PathBuf)>,
    every: u64,
    files: Vec<PathBuf>,
}

impl Outputs {
    /// Makes the folder and begins what spans the whole run.
    pub(crate) fn create(folder: &Path, scene: &Scene, built: &Built, formats: &[OutputFormat]) -> Result<Self> {
        crate::run::check_formats(formats)?;
        let writes = formats.iter().any(|format| *format != OutputFormat::None);
        if writes {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let stem = file_stem(&scene.name);
        let video = if formats.contains(&OutputFormat::Mp4) {
            let path = folder.join(format!("{stem}.mp4"));
            let rate = (scene.frame_rate / scene.output.every as f32).round().max(1.0) as u32;
            Some((
                VideoWriter::create(&path, scene.output.width, scene.output.height, rate)?,
                path,
            ))
        } else {
            None
        };
        Ok(Self {
            folder: folder.to_owned(),
            stem,
            formats: formats.to_owned(),
            artist: Artist::new(&built.world, scene, &built.looks),
            video,
            every: u64::from(scene.output.every),
            files: Vec::new(),
        })
    }

    /// Writes the present frame to everything that wants each.
    pub(crate) fn frame(&mut self, scene: &Scene, built: &mut Built) -> Result<()> {
        let frame = built.world.frame();
        if !frame.is_multiple_of(self.every) {
            return Ok(());
        }
        let numbered = self.formats.contains(&OutputFormat::Frames);
        if self.video.is_some() || numbered {
            let image = self
                .artist
                .draw(&mut built.world, scene, &built.looks, frame as u32, &Quality::video());
            if let Some((video, _)) = &mut self.video {
                video.push(&image)?;
            }
            if numbered {
                let path = self.numbered(frame, "png");
                write_png(&path, &image)?;
                self.files.push(path);
            }
        }
        if self.formats.contains(&OutputFormat::Ply) {
            let path = self.numbered(frame, "ply");
            write_ply(&path, &exported(&mut built.world))?;
            self.files.push(path);
        }
        if self.formats.contains(&OutputFormat::Vtp) {
            let path = self.numbered(frame, "vtp");
            write_vtp(&path, &exported(&mut built.world))?;
            self.files.push(path);
        }
        if self.formats.contains(&OutputFormat::Meshes) {
            let path = self.folder.join(format!("{}-meshes-{frame:05}.ply", self.stem));
            merged(built).write(&path)?;
            self.files.push(path);
        }
        Ok(())
    }

    /// Completes the video, takes the final picture, and returns all files written.
    pub(crate) fn finish(mut self, scene: &Scene, built: &mut Built) -> Result<Vec<PathBuf>> {
        if let Some((video, path)) = self.video.take() {
            video.finish()?;
            self.files.push(path);
        }
        if self.formats.contains(&OutputFormat::Png) {
            let frame = built.world.frame() as u32;
            let image = self
                .artist
                .draw(&mut built.world, scene, &built.looks, frame, &Quality::still());
            let path = self.folder.join(format!("{}.png", self.stem));
            write_png(&path, &image)?;
            self.files.push(path);
        }
        Ok(self.files)
    }

    fn numbered(&self, frame: u64, extension: &str) -> PathBuf {
        self.folder.join(format!("{}-{frame:05}.{extension}", self.stem))
    }
}

/// All bodies as they are. One that is gone is drawn together into a point, so that no vertex changes its number.
fn merged(built: &mut Built) -> MergedMesh {
    let mut all = MergedMesh::default();
    for (number, look) in (0..).zip(&built.looks.bodies) {
        let mesh = &look.form.mesh;
        let vertices = match Surface::of(&mut built.world, look) {
            Some(surface) => surface.vertices(look),
            None => vec![Vec3::ZERO; mesh.positions.len()],
        };
        all.add(number, &vertices, &mesh.triangles, look.color.0);
    }
    all
}

/// A name as part of a file name.
pub(crate) fn file_stem(name: &str) -> String {
    let stem: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '_') {
                c
            } else {
                '-'
            }
        })
        .take(100)
        .collect();
    if stem.is_empty() { "scene".into() } else { stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_lead_out_of_the_folder() {
        assert_eq!(file_stem("../../etc/passwd"), "------etc-passwd");
        assert_eq!(file_stem(""), "scene");
    }
}
