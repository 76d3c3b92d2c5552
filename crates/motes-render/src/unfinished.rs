//! Files that appear under their name only when they are whole.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::RenderError;

/// The temporary files there are.
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Writes bytes to a file, whole or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), RenderError> {
    write_file_with(path, |out| out.write_all(bytes))
}

/// Has a file written by `write`, whole or not at all.
pub fn write_file_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), RenderError> {
    let (unfinished, file) = Unfinished::create(path)?;
    let mut out = BufWriter::new(file);
    write(&mut out)
        .and_then(|()| out.flush())
        .map_err(|cause| unfinished.error(cause))?;
    drop(out);
    unfinished.keep()
}

/// Removes what is there of unfinished files, for a process that is about to exit. From then on whoever begins or
/// finishes a file waits for ever.
pub fn abandon_unfinished() {
    let temporaries = temporaries();
    for temporary in temporaries.iter() {
        // There is nobody left to tell.
        let _ = fs::remove_file(temporary);
    }
    std::mem::forget(temporaries);
}

fn temporaries() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file under a temporary name beside its own, removed when dropped before [`Unfinished::keep`].
pub(crate) struct Unfinished {
    path: PathBuf,
    temporary: PathBuf,
}

impl Unfinished {
    pub(crate) fn create(path: &Path) -> Result<(Self, File), RenderError> {
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".tmp");
        let unfinished = Self {
            path: path.to_owned(),
            temporary: temporary.into(),
        };
        let mut temporaries = temporaries();
        let created = File::create(&unfinished.temporary);
        temporaries.insert(unfinished.temporary.clone());
        drop(temporaries);
        let file = created.map_err(|cause| unfinished.error(cause))?;
        Ok((unfinished, file))
    }

    /// Gives the file its own name. The file must be closed.
    pub(crate) fn keep(self) -> Result<(), RenderError> {
        let mut temporaries = temporaries();
        fs::rename(&self.temporary, &self.path).map_err(|cause| self.error(cause))?;
        temporaries.remove(&self.temporary);
        Ok(())
    }

    pub(crate) fn error(&self, cause: io::Error) -> RenderError {
        RenderError::File {
            path: self.path.clone(),
            cause,
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if temporaries().remove(&self.temporary) {
            // The first error is the one worth telling.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
