//! A scene: its tables, and the text they were read from.

use std::fmt;
use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use motes_core::Bounds;

use crate::decode::doubts::Doubts;
use crate::decode::node::Node;
use crate::decode::path::assign;
use crate::decode::{Context, Decoded};
use crate::issues::Issues;
use crate::mesh_files::{MeshFiles, Rigs};
use crate::model::SceneTable;
use crate::problem::{Place, Problem, SceneError};
use crate::steps::Steps;

/// Files larger than this are refused, bytes.
const MOST_BYTES: u64 = 64 << 20;

/// A scene. Its tables are reached through it: `scene.frames`, `scene.camera`.
#[derive(Clone)]
pub struct Scene {
    table: SceneTable,
    document: Node,
    doubts: Doubts,
    /// Where the paths in the file begin.
    folder: PathBuf,
    /// What the camera of a scene without one sees.
    scenery: OnceLock<Bounds>,
    mesh_files: MeshFiles,
    rigs: Rigs,
    steps: Steps,
}

impl Deref for Scene {
    type Target = SceneTable;

    fn deref(&self) -> &SceneTable {
        &self.table
    }
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table.fmt(f)
    }
}

impl Scene {
    /// Reads a scene from text; `file` is its name in messages, and paths of mesh files begin in its folder. Every problem
    /// of the text is in the error.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, SceneError> {
        Self::from_toml_with(text, file, &[] as &[&str])
    }

    /// Reads a scene from text and changes it by assignments such as `solver.substeps=4`.
    pub fn from_toml_with(text: &str, file: &str, assignments: &[impl AsRef<str>]) -> Result<Self, SceneError> {
        Self::draft(text, file, assignments).and_then(Draft::finish)
    }

    /// Reads as much of a scene as can be read; only a text that is not TOML gives nothing.
    pub(crate) fn draft(text: &str, file: &str, assignments: &[impl AsRef<str>]) -> Result<Draft, SceneError> {
        let document = Node::parse_document(text, file).map_err(SceneError::new)?;
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        Ok(Draft::decode(document, folder.into(), assignments))
    }

    /// Reads a scene file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::load_with(path, &[] as &[&str])
    }

    /// Reads a scene file and changes it by assignments such as `solver.substeps=4`.
    pub fn load_with(path: impl AsRef<Path>, assignments: &[impl AsRef<str>]) -> Result<Self, SceneError> {
        Self::load_draft(path.as_ref(), assignments).and_then(Draft::finish)
    }

    /// Reads as much of a scene file as can be read.
    pub(crate) fn load_draft(path: &Path, assignments: &[impl AsRef<str>]) -> Result<Draft, SceneError> {
        let file = path.display().to_string();
        let mut draft = Self::draft(&read(path, &file)?, &file, assignments)?;
        if draft.scene.name.is_empty()
            && let Some(stem) = path.file_stem()
        {
            draft.scene.table.name = stem.to_string_lossy().into_owned();
        }
        Ok(draft)
    }

    /// Changes the scene as if the file had said so, all or nothing. An assignment is `path=value`, for instance
    /// `grains[0].material=glass`; the value is TOML, or a bare word.
    pub fn set(&mut self, assignments: &[impl AsRef<str>]) -> Result<(), SceneError> {
        *self = Draft::decode(self.document.clone(), self.folder.clone(), assignments).finish()?;
        Ok(())
    }

    /// Has a listener told what is being done whenever the scene is built and something may take a while: a mesh file is read, a body is
    /// filled with particles.
    pub fn tell_steps(&mut self, listener: impl Fn(&str) + Send + Sync + 'static) {
        self.steps = Steps::told_to(listener);
    }

    /// Length of a frame, seconds.
    pub fn dt(&self) -> f32 {
        self.frame_rate.recip()
    }

    /// Where the paths in the file begin.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its mesh files, as far as they have been read.
    pub(crate) fn mesh_files(&self) -> &MeshFiles {
        &self.mesh_files
    }

    /// Its creatures' models, as far as they have been made.
    pub(crate) fn rigs(&self) -> &Rigs {
        &self.rigs
    }

    /// Who is told what is being done.
    pub(crate) fn steps(&self) -> &Steps {
        &self.steps
    }

    /// A box around all grains, bodies and emitters, found once, metres.
    pub(crate) fn scenery(&self) -> Bounds {
        *self.scenery.get_or_init(|| self.find_scenery())
    }

    /// A collector of problems found back in this scene's text.
    pub(crate) fn issues(&self) -> Issues<'_> {
        Issues::new(&self.document, &self.doubts)
    }
}

/// A scene as far as it could be read, and what was wrong on the way.
pub(crate) struct Draft {
    /// Holds defaults and stand-ins for what could not be read.
    pub(crate) scene: Scene,
    pub(crate) problems: Vec<Problem>,
}

impl Draft {
    fn decode(mut document: Node, folder: PathBuf, assignments: &[impl AsRef<str>]) -> Self {
        let mut refused = Vec::new();
        for assignment in assignments {
            refused.extend(assign(&mut document, assignment.as_ref()).err().unwrap_or_default());
        }
        let Decoded {
            value: table,
            mut problems,
            mut doubts,
        } = Context::decode(&document);
        for problem in refused.iter().filter(|problem| !problem.path.is_empty()) {
            doubts.add(problem.path.clone());
        }
        problems.extend(refused);
        Self {
            scene: Scene {
                table,
                document,
                doubts,
                folder,
                scenery: OnceLock::new(),
                mesh_files: MeshFiles::default(),
                rigs: Rigs::default(),
                steps: Steps::default(),
            },
            problems,
        }
    }

    /// The scene, if nothing was wrong.
    pub(crate) fn finish(self) -> Result<Scene, SceneError> {
        if self.problems.is_empty() {
            Ok(self.scene)
        } else {
            Err(SceneError::new(self.problems))
        }
    }
}

/// The text of a file; every reason why there is none is an error.
pub(crate) fn read(path: &Path, file: &str) -> Result<String, SceneError> {
    let refuse = |message: String| SceneError::from(Problem::error(Place::start(file), "", message));
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| refuse(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(refuse(format!("too large for a scene: more than {MOST_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count();
        let place = Place {
            line: line as u32,
            ..Place::start(file)
        };
        SceneError::from(Problem::error(place, "", "not UTF-8 text"))
    })
}
