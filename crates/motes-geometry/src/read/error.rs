//! What can be wrong with a mesh file.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::Format;

/// Where in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of text, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
    /// A part of a glTF document, such as `meshes[0].primitives[1]`.
    Part(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Part(part) => f.write_str(part),
        }
    }
}

/// Why a mesh could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file system refused.
    #[error("cannot read {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The file name says nothing.
    #[error("{}: cannot tell the format from the name; expected .obj, .ply, .stl, .gltf or .glb", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The scale is not a positive number.
    #[error("the scale must be positive and finite, found {scale}")]
    BadScale {
        /// What it was.
        scale: f32,
    },
    /// The contents make no sense.
    #[error("{format}, {place}: {problem}")]
    Broken {
        /// The format.
        format: Format,
        /// Where.
        place: Place,
        /// What was found and what was expected.
        problem: String,
    },
    /// The contents are fine but not understood here.
    #[error("{format}, {place}: {feature} is not supported; save the mesh without it")]
    Unsupported {
        /// The format.
        format: Format,
        /// Where.
        place: Place,
        /// What it is.
        feature: String,
    },
    /// There are no triangles.
    #[error("{format}: there are no triangles")]
    Empty {
        /// The format.
        format: Format,
    },
}

impl ReadError {
    pub(super) fn at_line(format: Format, line: usize, problem: impl Into<String>) -> Self {
        Self::Broken {
            format,
            place: Place::Line(line),
            problem: problem.into(),
        }
    }

    pub(super) fn at_byte(format: Format, byte: usize, problem: impl Into<String>) -> Self {
        Self::Broken {
            format,
            place: Place::Byte(byte),
            problem: problem.into(),
        }
    }

    pub(super) fn at_part(part: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Broken {
            format: Format::Gltf,
            place: Place::Part(part.into()),
            problem: problem.into(),
        }
    }
}
