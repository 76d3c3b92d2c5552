//! Files with the meshes of a run: a sequence of files, or one with animation.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use motes_core::World;
use motes_drawing::export::{
    GlbWriter, Inventory, MeshSequence, Paint, Snapshot, Timeline, UsdaWriter, write_mtl, write_obj,
};
use motes_render::write_file_with;
use motes_scene::{Built, Scene};

use crate::args::OutputFormat;

/// What a run writes of meshes.
pub(crate) struct SceneFiles {
    folder: PathBuf,
    /// What the names of files of a frame begin with.
    stem: String,
    /// The name of files of the whole run.
    whole: String,
    inventory: Inventory,
    meshes: Option<MeshSequence>,
    obj: Option<ObjFiles>,
    /// The data of animations is in files without a name until a run ends.
    glb: Option<GlbWriter<File>>,
    usda: Option<UsdaWriter<File>>,
}

/// A sequence of OBJ files, and the materials that are in the file beside them, by name.
#[derive(Default)]
struct ObjFiles {
    materials: BTreeMap<String, Paint>,
    /// Whether the file is there.
    is_written: bool,
}

impl SceneFiles {
    /// Begins what spans the whole run; nothing if no format has meshes.
    pub(crate) fn create(
        folder: &Path,
        [stem, whole]: [&str; 2],
        scene: &Scene,
        built: &Built,
        formats: &[OutputFormat],
    ) -> Result<Option<Self>> {
        let wants = |format| formats.contains(&format);
        let all = [
            OutputFormat::Meshes,
            OutputFormat::Obj,
            OutputFormat::Glb,
            OutputFormat::Usda,
        ];
        if !all.into_iter().any(wants) {
            return Ok(None);
        }
        let timeline = Timeline::of_scene(scene);
        let store = || tempfile::tempfile_in(folder).with_context(|| folder.display().to_string());
        Ok(Some(Self {
            folder: folder.to_owned(),
            stem: stem.to_owned(),
            whole: whole.to_owned(),
            inventory: Inventory::of_scene(scene, built),
            meshes: wants(OutputFormat::Meshes).then(MeshSequence::default),
            obj: wants(OutputFormat::Obj).then(ObjFiles::default),
            glb: match wants(OutputFormat::Glb) {
                true => Some(GlbWriter::new(timeline.clone(), store()?)),
                false => None,
            },
            usda: match wants(OutputFormat::Usda) {
                true => Some(UsdaWriter::new(timeline, store()?)),
                false => None,
            },
        }))
    }

    /// Writes the present frame, and adds the files.
    pub(crate) fn frame(&mut self, world: &mut World, files: &mut Vec<PathBuf>) -> Result<()> {
        let snapshot = self.inventory.snapshot(world);
        let frame = snapshot.frame;
        if let Some(meshes) = &mut self.meshes {
            let path = self.folder.join(format!("{}-meshes-{frame:05}.ply", self.stem));
            meshes.follow(&snapshot);
            write_file_with(&path, |out| meshes.write_ply(out))?;
            files.push(path);
        }
        if let Some(obj) = &mut self.obj {
            let materials = format!("{}.mtl", self.whole);
            obj.write_materials(&self.folder.join(&materials), &snapshot, files)?;
            let path = self.folder.join(format!("{}-{frame:05}.obj", self.stem));
            write_file_with(&path, |out| write_obj(out, &snapshot, &materials))?;
            files.push(path);
        }
        let [glb_path, usda_path] = ["glb", "usda"].map(|extension| self.path(extension).display().to_string());
        if let Some(glb) = &mut self.glb {
            let was_full = glb.is_full();
            glb.frame(&snapshot).with_context(|| glb_path.clone())?;
            if glb.is_full() && !was_full {
                tell!("warning: {glb_path} ends before frame {frame}: glTF holds no more");
            }
        }
        if let Some(usda) = &mut self.usda {
            usda.frame(&snapshot).context(usda_path)?;
        }
        Ok(())
    }

    /// Completes the files of the whole run, and adds them.
    pub(crate) fn finish(mut self, files: &mut Vec<PathBuf>) -> Result<()> {
        if let Some(glb) = self.glb.take() {
            let path = self.path("glb");
            write_file_with(&path, |out| glb.finish(out))?;
            files.push(path);
        }
        if let Some(usda) = self.usda.take() {
            let path = self.path("usda");
            write_file_with(&path, |out| usda.finish(out))?;
            files.push(path);
        }
        Ok(())
    }

    fn path(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.whole))
    }
}

impl ObjFiles {
    /// Writes the materials whenever there is a new one, so that those of every frame are there.
    fn write_materials(&mut self, path: &Path, snapshot: &Snapshot, files: &mut Vec<PathBuf>) -> Result<()> {
        let before = self.materials.len();
        for object in &snapshot.objects {
            self.materials.insert(object.paint.name(), object.paint);
        }
        if self.materials.len() > before || !self.is_written {
            let paints: Vec<_> = self.materials.values().copied().collect();
            write_file_with(path, |out| write_mtl(out, &paints))?;
        }
        if !self.is_written {
            files.push(path.to_owned());
        }
        self.is_written = true;
        Ok(())
    }
}
