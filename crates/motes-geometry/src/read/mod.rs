//! Reads triangle meshes: OBJ, PLY, STL and glTF.
//!
//! Whatever the bytes, reading ends with a mesh whose indices are all in range, or with an error that says where.

mod accessor;
mod base64;
mod component;
mod error;
mod gltf;
mod join;
mod material;
mod not_finite;
mod obj;
mod ply;
mod ply_header;
mod ply_table;
mod polygons;
mod stl;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use glam::{Affine3A, Mat3, Vec3};

pub use error::{Place, ReadError};
pub use not_finite::{NotFinite, first_not_finite};

use crate::mesh::Mesh;

/// A file format for meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY, ascii or binary of either byte order.
    Ply,
    /// STL, ascii or binary.
    Stl,
    /// glTF 2.0, as JSON or GLB.
    Gltf,
}

impl Format {
    /// The format that a file name ends with.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "stl" => Some(Self::Stl),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Stl => "STL",
            Self::Gltf => "glTF",
        })
    }
}

/// The axis that points up in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// y, as in motes and in glTF.
    #[default]
    Y,
    /// z, as in most CAD programs.
    Z,
}

/// How the coordinates of a file become metres with y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadOptions {
    /// The axis that points up in the file; y by default.
    pub up: Up,
    /// Metres per unit of the file; 1 by default.
    pub scale: f32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { up: Up::Y, scale: 1.0 }
    }
}

/// Most triangles of one file.
const MAX_TRIANGLES: usize = 1 << 26;

/// Reads a mesh file; its name says the format. Buffers of a glTF file are looked for in its folder and below.
pub fn read_mesh(path: &Path, options: &ReadOptions) -> Result<Mesh, ReadError> {
    let format = Format::of_path(path).ok_or_else(|| ReadError::UnknownFormat { path: path.into() })?;
    let read = |path: &Path| {
        read_whole(path).map_err(|cause| ReadError::File {
            path: path.into(),
            cause,
        })
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&read(path)?, format, options, &|name| {
        let neighbor = neighbor(folder, name)?;
        read_whole(&neighbor)
    })
}

/// Names of the groups, objects and materials that faces of a mesh file belong to: those of OBJ files; others have none.
pub fn part_names(path: &Path) -> Result<Vec<String>, ReadError> {
    match Format::of_path(path) {
        Some(Format::Obj) => read_whole(path).map(|bytes| obj::part_names(&bytes)).map_err(|cause| {
            let path = path.into();
            ReadError::File { path, cause }
        }),
        _ => Ok(Vec::new()),
    }
}

/// The faces of one group, object or material of an OBJ file, by its name, over all vertices of the file.
pub fn read_part(path: &Path, name: &str, options: &ReadOptions) -> Result<Mesh, ReadError> {
    let bytes = read_whole(path).map_err(|cause| ReadError::File {
        path: path.into(),
        cause,
    })?;
    placed(obj::parse_part(&bytes, Some(name))?, Format::Obj, options)
}

/// Most bytes of one file, and of what is no file but is read like one.
const MAX_BYTES: u64 = 4 << 30;
const MAX_STREAMED_BYTES: u64 = 1 << 28;

/// All bytes of a file; an endless one is refused.
fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    let limit = if about.is_file() { MAX_BYTES } else { MAX_STREAMED_BYTES };
    let too_large = || {
        let message = format!("more than {} MiB, which is too large for a mesh", limit >> 20);
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    if about.is_file() && about.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len().min(limit) as usize);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Reads a mesh from memory; a glTF file must hold its buffers.
pub fn parse_mesh(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Mesh, ReadError> {
    parse(bytes, format, options, &|_| {
        Err(io::Error::new(
            io::ErrorKind::NotFound,
            "there are no neighbouring files",
        ))
    })
}

type Neighbors<'a> = &'a dyn Fn(&str) -> io::Result<Vec<u8>>;

fn parse(bytes: &[u8], format: Format, options: &ReadOptions, neighbors: Neighbors) -> Result<Mesh, ReadError> {
    // Some editors begin text with a byte-order mark; no binary format begins like one.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mesh = match format {
        Format::Obj => obj::parse(bytes)?,
        Format::Ply => ply::parse(bytes)?,
        Format::Stl => stl::parse(bytes)?,
        Format::Gltf => gltf::parse(bytes, neighbors)?,
    };
    placed(mesh, format, options)
}

/// A mesh in metres with y up.
fn placed(mesh: Mesh, format: Format, options: &ReadOptions) -> Result<Mesh, ReadError> {
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(ReadError::BadScale { scale: options.scale });
    }
    if mesh.triangles.is_empty() {
        return Err(ReadError::Empty { format });
    }
    let turn = match options.up {
        Up::Y => Mat3::IDENTITY,
        Up::Z => Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y),
    };
    if options.scale == 1.0 && options.up == Up::Y {
        return Ok(mesh);
    }
    Ok(mesh.transformed(&Affine3A::from_mat3(turn * options.scale)))
}

/// A file beside or below another; what leads elsewhere is refused.
fn neighbor(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let relative = Path::new(name);
    let stays = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if stays && !name.contains("://") {
        Ok(folder.join(relative))
    } else {
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "a buffer must lie in the folder of its file or below",
        ))
    }
}

#[cfg(test)]
mod tests;
