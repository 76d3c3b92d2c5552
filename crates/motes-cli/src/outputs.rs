//! Files of a run. Each appears under its name only when it is whole.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::Result;
use motes_core::{PassiveKind, PassiveParticles};
use motes_drawing::export::{LogRecord, LogTable};
use motes_drawing::{CameraTrack, Sketch, export, liquids, smoke_markers};
use motes_render::{Image, Preview, Quality, VideoWriter, write_file, write_file_with, write_png};
use motes_scene::{Built, Scene};

use crate::args::{OutputFormat, PictureQuality};
use crate::scenes::SceneFiles;

/// What a run writes, frame by frame and at its end.
pub(crate) struct Outputs {
    folder: PathBuf,
    /// What the names of files of a frame begin with.
    stem: String,
    /// The name of files of the whole run. One that goes on from a saved state leaves those of its first half alone.
    whole: String,
    formats: Vec<OutputFormat>,
    /// Nothing if no picture is wanted.
    artist: Option<Artist>,
    video: Option<(VideoWriter, PathBuf)>,
    every: u64,
    quality: PictureQuality,
    /// The frame that was last taken over and is to be drawn.
    pending: Option<u64>,
    log: Vec<u8>,
    table: (LogTable, Vec<u8>),
    scenes: Option<SceneFiles>,
    files: Vec<PathBuf>,
}

impl Outputs {
    /// Begins what spans the whole run.
    pub(crate) fn create(
        folder: &Path,
        scene: &Scene,
        built: &Built,
        formats: &[OutputFormat],
        quality: PictureQuality,
    ) -> Result<Self> {
        let stem = file_stem(&scene.name);
        let whole = match built.world.frame() {
            0 => stem.clone(),
            first => format!("{stem}-from-{first:05}"),
        };
        let video = if formats.contains(&OutputFormat::Mp4) {
            let path = folder.join(format!("{whole}.mp4"));
            let rate = (scene.frame_rate / scene.output.every as f32).round().max(1.0) as u32;
            Some((
                VideoWriter::create(&path, scene.output.width, scene.output.height, rate)?,
                path,
            ))
        } else {
            None
        };
        Ok(Self {
            scenes: SceneFiles::create(folder, [&stem, &whole], scene, built, formats)?,
            folder: folder.to_owned(),
            stem,
            whole,
            formats: formats.to_owned(),
            artist: formats
                .iter()
                .any(is_picture)
                .then(|| Artist::new(scene, built, quality)),
            video,
            every: u64::from(scene.output.every),
            quality,
            pending: None,
            log: Vec::new(),
            table: Default::default(),
            files: Vec::new(),
        })
    }

    /// Writes the present frame to everything that wants each but pictures, and takes over what these show.
    pub(crate) fn frame(&mut self, scene: &Scene, built: &mut Built) -> Result<()> {
        let frame = built.world.frame();
        if !frame.is_multiple_of(self.every) {
            return Ok(());
        }
        if self.video.is_some() || self.formats.contains(&OutputFormat::Frames) {
            self.follow(scene, built);
            self.pending = Some(frame);
        }
        if self.formats.contains(&OutputFormat::Ply) {
            let path = self.numbered(frame, "ply");
            let particles = export::particles(&mut built.world, &built.looks);
            write_file_with(&path, |out| export::write_ply(out, &particles))?;
            self.files.push(path);
        }
        if self.formats.contains(&OutputFormat::Vtp) {
            let path = self.numbered(frame, "vtp");
            let particles = export::particles(&mut built.world, &built.looks);
            write_file_with(&path, |out| export::write_vtp(out, &particles))?;
            self.files.push(path);
        }
        if scene.foam.is_some() {
            self.write_foam(frame, built.world.passive())?;
        }
        self.write_smoke(frame, scene, built)?;
        if self.formats.contains(&OutputFormat::Surface) {
            let path = self.folder.join(format!("{}-surface-{frame:05}.ply", self.stem));
            let liquids = liquids(&built.world, &built.looks, scene.render.liquid_resolution);
            write_file_with(&path, |out| export::write_surface_ply(out, &liquids))?;
            self.files.push(path);
        }
        if let Some(scenes) = &mut self.scenes {
            scenes.frame(&mut built.world, &mut self.files)?;
        }
        self.log(built, scene.dt())
    }

    /// Spray, foam and bubbles have files of their own.
    fn write_foam(&mut self, frame: u64, passive: &PassiveParticles) -> Result<()> {
        let named = |ending: &str| self.folder.join(format!("{}-foam-{frame:05}.{ending}", self.stem));
        let (ply, vtp) = (named("ply"), named("vtp"));
        if self.formats.contains(&OutputFormat::Ply) {
            write_file_with(&ply, |out| export::write_passive_ply(out, passive))?;
            self.files.push(ply);
        }
        if self.formats.contains(&OutputFormat::Vtp) {
            write_file_with(&vtp, |out| export::write_passive_vtp(out, passive))?;
            self.files.push(vtp);
        }
        Ok(())
    }

    /// Markers of smoke, and smoke on a grid.
    fn write_smoke(&mut self, frame: u64, scene: &Scene, built: &Built) -> Result<()> {
        let named = |ending: &str| self.folder.join(format!("{}-smoke-{frame:05}.{ending}", self.stem));
        let wants = |format| self.formats.contains(&format);
        let has_markers = scene.smoke.is_some() || built.world.passive().count_of(PassiveKind::Smoke) > 0;
        let [ply, vtp] = [OutputFormat::Ply, OutputFormat::Vtp].map(|format| has_markers && wants(format));
        let [vdb, vti] = [OutputFormat::Vdb, OutputFormat::Vti].map(wants);
        if !(ply || vtp || vdb || vti) {
            return Ok(());
        }
        let markers = smoke_markers(&built.world);
        let mut files = Vec::new();
        let mut write = |ending: &str, writer: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
            files.push(named(ending));
            write_file_with(&named(ending), |out| writer(out))
        };
        if ply {
            write("ply", &|out| export::write_smoke_ply(out, &markers))?;
        }
        if vtp {
            write("vtp", &|out| export::write_smoke_vtp(out, &markers))?;
        }
        if vdb || vti {
            let grid = export::SmokeGrid::new(&markers, scene.output.voxel);
            if vdb {
                write("vdb", &|out| export::write_vdb(out, &grid))?;
            }
            if vti {
                write("vti", &|out| export::write_vti(out, &grid))?;
            }
        }
        self.files.extend(files);
        Ok(())
    }

    /// Draws and writes the picture of the frame that was last taken over, if it is wanted. The world may have gone on.
    pub(crate) fn draw_pending(&mut self, scene: &Scene) -> Result<()> {
        let Some(frame) = self.pending.take() else {
            return Ok(());
        };
        let quality = self.video_quality();
        let Some(artist) = &mut self.artist else {
            return Ok(());
        };
        let image = artist.draw(scene, frame, &quality);
        if let Some((video, _)) = &mut self.video {
            video.push(&image)?;
        }
        if self.formats.contains(&OutputFormat::Frames) {
            let path = self.numbered(frame, "png");
            write_png(&path, &image)?;
            self.files.push(path);
        }
        Ok(())
    }

    fn video_quality(&self) -> Quality {
        match self.quality {
            PictureQuality::Draft => Quality::draft(),
            PictureQuality::Final => Quality::video(),
        }
    }

    /// Notes what happens.
    fn log(&mut self, built: &Built, dt: f32) -> Result<()> {
        let [lines, rows] = [OutputFormat::Log, OutputFormat::Csv].map(|format| self.formats.contains(&format));
        if lines || rows {
            let record = LogRecord::of(&built.world, dt);
            if lines {
                record.write_json(&mut self.log)?;
            }
            if rows {
                self.table.0.write(&mut self.table.1, &record)?;
            }
        }
        Ok(())
    }

    /// Completes the video, takes the final picture, and returns all files written.
    pub(crate) fn finish(mut self, scene: &Scene, built: &mut Built) -> Result<Vec<PathBuf>> {
        self.draw_pending(scene)?;
        if let Some((video, path)) = self.video.take() {
            video.finish()?;
            self.files.push(path);
        }
        if let Some(scenes) = self.scenes.take() {
            scenes.finish(&mut self.files)?;
        }
        let logs = [
            (OutputFormat::Log, &self.log, "jsonl"),
            (OutputFormat::Csv, &self.table.1, "csv"),
        ];
        for (format, bytes, extension) in logs {
            if self.formats.contains(&format) {
                let path = self.folder.join(format!("{}.{extension}", self.whole));
                write_file(&path, bytes)?;
                self.files.push(path);
            }
        }
        if self.formats.contains(&OutputFormat::Png) {
            self.follow(scene, built);
            let quality = match self.quality {
                PictureQuality::Draft => Quality::video(),
                PictureQuality::Final => Quality::still(),
            };
            if let Some(artist) = &mut self.artist {
                let image = artist.draw(scene, built.world.frame(), &quality);
                let path = self.folder.join(format!("{}.png", self.whole));
                write_png(&path, &image)?;
                self.files.push(path);
            }
        }
        Ok(self.files)
    }

    /// Takes over what pictures show.
    fn follow(&mut self, scene: &Scene, built: &mut Built) {
        if let Some(artist) = &mut self.artist {
            artist.camera.follow(scene, &built.world);
            artist.sketch.follow(&mut built.world);
        }
    }

    fn numbered(&self, frame: u64, extension: &str) -> PathBuf {
        self.folder.join(format!("{}-{frame:05}.{extension}", self.stem))
    }
}

/// How much coarser the surfaces of liquids are in drafts.
const DRAFT_COARSENESS: f32 = 1.6;

fn is_picture(format: &OutputFormat) -> bool {
    matches!(format, OutputFormat::Png | OutputFormat::Frames | OutputFormat::Mp4)
}

/// What draws the pictures of a run.
struct Artist {
    sketch: Sketch,
    camera: CameraTrack,
    preview: Preview,
}

impl Artist {
    fn new(scene: &Scene, built: &Built, quality: PictureQuality) -> Self {
        let mut sketch = Sketch::of_scene(scene, built);
        if quality == PictureQuality::Draft {
            sketch.style.liquid_resolution = (DRAFT_COARSENESS * sketch.style.liquid_resolution).min(2.0);
        }
        Self {
            sketch,
            camera: CameraTrack::new(built),
            preview: Preview::new(),
        }
    }

    /// A picture of the world as it was taken over at a frame.
    fn draw(&mut self, scene: &Scene, frame: u64, quality: &Quality) -> Image {
        let camera = self.camera.camera(scene, frame as u32);
        let drawing = self.sketch.drawing(camera);
        let (width, height) = (scene.output.width, scene.output.height);
        self.preview.draw(&drawing, width, height, quality)
    }
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
