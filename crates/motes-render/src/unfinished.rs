//! Files that appear under their name only when they are whole.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::RenderError;

/// What the names of temporary files have between the name of the file and the number of the process.
const MARK: &str = ".motes-";
/// What they end with.
const ENDING: &str = ".tmp";

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

/// Whether a file could be written: its folder takes a file, and no folder has its name.
pub fn check_writable(path: &Path) -> Result<(), RenderError> {
    let (unfinished, _) = Unfinished::create(path)?;
    if path.is_dir() {
        return Err(unfinished.error(io::ErrorKind::IsADirectory.into()));
    }
    Ok(())
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
    /// Begins a file. The name is no other process's, and the file is locked while it is open, so that
    /// [`Claim::take`] can tell what a process that was killed has left.
    pub(crate) fn create(path: &Path) -> Result<(Self, File), RenderError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(format!("{MARK}{}-{number}{ENDING}", std::process::id()));
        let unfinished = Self {
            path: path.to_owned(),
            temporary: temporary.into(),
        };
        let mut temporaries = temporaries();
        let created = File::create(&unfinished.temporary);
        temporaries.insert(unfinished.temporary.clone());
        drop(temporaries);
        let file = created.map_err(|cause| unfinished.error(cause))?;
        // File systems without locks write as well; only what is left there stays.
        let _ = file.try_lock();
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
        remove_temporary(&self.temporary);
    }
}

/// Removes a temporary file that has no other name yet.
fn remove_temporary(temporary: &Path) {
    if temporaries().remove(temporary) {
        // The first error is the one worth telling.
        let _ = fs::remove_file(temporary);
    }
}

/// The right to write the files of one name in a folder, given up when dropped or when the process ends in whatever way.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    /// Locked while it is open.
    _file: File,
    /// Unfinished files of processes that were killed, which were removed.
    pub removed: Vec<PathBuf>,
}

impl Claim {
    /// Claims the files in `folder` whose names begin with `stem`, and removes what processes that were killed have left
    /// unfinished of them. Another claim on the same is [`RenderError::InUse`].
    pub fn take(folder: &Path, stem: &str) -> Result<Self, RenderError> {
        let path = folder.join(format!(".{stem}{MARK}claim{ENDING}"));
        let failed = |cause| RenderError::File {
            path: folder.to_owned(),
            cause,
        };
        let in_use = || RenderError::InUse {
            folder: folder.to_owned(),
            stem: stem.to_owned(),
        };
        let mut temporaries = temporaries();
        if temporaries.contains(&path) {
            return Err(in_use());
        }
        let file = loop {
            let file = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)
                .map_err(failed)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(in_use()),
                // Whoever held it may have removed it between opening and locking.
                Ok(()) if !is_at(&file, &path) => {}
                // A file system without locks has no claims.
                Ok(()) | Err(TryLockError::Error(_)) => break file,
            }
        };
        temporaries.insert(path.clone());
        drop(temporaries);
        Ok(Self {
            path,
            _file: file,
            removed: remove_left(folder, stem),
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        remove_temporary(&self.path);
    }
}

/// Whether an open file is the one of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(named)) = (file.metadata(), fs::metadata(path)) else {
        return false;
    };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Removes the unfinished files of a name that no process has open.
fn remove_left(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_left = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let follows = name.strip_prefix(stem).is_some_and(|rest| rest.starts_with(['.', '-']));
        follows
            && name.contains(MARK)
            && name.ends_with(ENDING)
            && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
    };
    let mut left: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_left).collect();
    left.retain(|path| fs::remove_file(path).is_ok());
    left.sort();
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_excludes_another_until_it_is_dropped_and_clears_what_was_left() {
        let folder = tempfile::tempdir().expect("folder");
        let left = folder.path().join("run.mp4.motes-1-0.tmp");
        let other = folder.path().join("running.mp4.motes-1-0.tmp");
        let mine = folder.path().join("run.notes.tmp");
        for path in [&left, &other, &mine] {
            fs::write(path, b"half").expect("file");
        }
        let (open, _file) = Unfinished::create(&folder.path().join("run-00001.png")).expect("file");
        let claim = Claim::take(folder.path(), "run").expect("claim");
        assert_eq!(claim.removed, [left]);
        assert!(other.exists() && mine.exists() && open.temporary.exists());
        assert!(matches!(
            Claim::take(folder.path(), "run"),
            Err(RenderError::InUse { .. })
        ));
        let beside = Claim::take(folder.path(), "running").expect("another name");
        assert_eq!(beside.removed, [other]);
        drop(claim);
        Claim::take(folder.path(), "run").expect("claim");
    }

    #[test]
    fn a_folder_in_the_way_is_noticed_before_anything_is_written() {
        let folder = tempfile::tempdir().expect("folder");
        assert!(check_writable(folder.path()).is_err());
        assert!(check_writable(&folder.path().join("missing/file")).is_err());
        check_writable(&folder.path().join("file")).expect("writable");
        assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 0);
    }
}
