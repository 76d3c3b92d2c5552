//! What can go wrong when a picture or a film is written.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A picture or a film could not be written; nothing of it is left on the disk.
#[derive(Debug, Error)]
pub enum RenderError {
    /// The file system refused.
    #[error("cannot write {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// Another process writes the files of this name there.
    #[error(
        "{}: another run is writing the files of {stem} there: wait for it, or choose another folder",
        folder.display()
    )]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// What the names of its files begin with.
        stem: String,
    },
    /// An image holds more or fewer pixels than its size says.
    #[error("{}: an image of {width}x{height} holds {found} pixels", path.display())]
    PixelCount {
        /// The file.
        path: PathBuf,
        /// Width of the image, pixels.
        width: u32,
        /// Height of the image, pixels.
        height: u32,
        /// Number of its pixels.
        found: usize,
    },
    /// An image differs in size from the film it was pushed to.
    #[error("{}: an image of {}x{} in a film of {}x{}", path.display(), found.0, found.1, expected.0, expected.1)]
    FrameSize {
        /// The film.
        path: PathBuf,
        /// Width and height of the film, pixels.
        expected: (u32, u32),
        /// Width and height of the image, pixels.
        found: (u32, u32),
    },
    /// No film can have this size or rate.
    #[error("{}: no film of {width}x{height} at {frames_per_second} frames per second: {limit}", path.display())]
    VideoFormat {
        /// The film.
        path: PathBuf,
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
        /// Rate, frames per second.
        frames_per_second: u32,
        /// What would do.
        limit: &'static str,
    },
    /// The film was finished before it had a frame.
    #[error("{}: a film without frames", path.display())]
    NoFrames {
        /// The film.
        path: PathBuf,
    },
    /// The H.264 encoder or the MP4 writer refused a frame.
    #[error("cannot encode frame {frame} of {}: {cause}", path.display())]
    Encode {
        /// The film.
        path: PathBuf,
        /// The frame, from 0.
        frame: u64,
        /// What it said.
        cause: String,
    },
    /// A frame was pushed to, or asked of, a film that has failed before.
    #[error("{}: the film has failed before", path.display())]
    Failed {
        /// The film.
        path: PathBuf,
    },
}
