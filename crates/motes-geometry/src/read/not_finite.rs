//! Where a file has a vertex that is infinite or not a number, for those who have to mend it.

use std::fmt;
use std::path::Path;

use glam::Vec3;

use super::{Format, Place, obj, ply, read_whole, stl};

/// A vertex that is not finite.
#[derive(Clone, Debug, PartialEq)]
pub struct NotFinite {
    /// Where it is written.
    pub place: Place,
    /// Its coordinates, in units and axes of the file.
    pub position: Vec3,
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vec3 { x, y, z } = self.position;
        write!(f, "{}: the vertex ({x}, {y}, {z}) is not finite", self.place)
    }
}

/// The first vertex of a file that is infinite or not a number; none if there is no such vertex or the format does not keep vertices
/// one after the other, as glTF.
pub fn first_not_finite(path: &Path) -> Option<NotFinite> {
    let format = Format::of_path(path)?;
    find(&read_whole(path).ok()?, format)
}

fn find(bytes: &[u8], format: Format) -> Option<NotFinite> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let found = match format {
        Format::Obj => obj::find_vertex(bytes, is_not_finite),
        Format::Ply => ply::find_vertex(bytes, is_not_finite),
        Format::Stl => stl::find_vertex(bytes, is_not_finite),
        Format::Gltf => None,
    };
    found.map(|(place, position)| NotFinite { place, position })
}

fn is_not_finite(position: Vec3) -> bool {
    !position.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &[u8], format: Format) -> String {
        find(text, format).map_or_else(String::new, |found| found.to_string())
    }

    #[test]
    fn the_vertex_is_named_by_its_line_or_byte() {
        let obj = "# one\nv 0 0 0\nv 1 \\\n0 nan\nv inf 0 0\nf 1 2 3\n";
        let named = "line 3: the vertex (1, 0, NaN) is not finite";
        assert_eq!(found(obj.as_bytes(), Format::Obj), named);
        let ply = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n0 -inf 1\n";
        let named = "line 9: the vertex (0, -inf, 1) is not finite";
        assert_eq!(found(ply.as_bytes(), Format::Ply), named);
        let head = ply.replace("ascii", "binary_little_endian");
        let head = &head[..head.find("end_header").expect("a header") + 11];
        let numbers = [0.0f32, 0.0, 0.0, 1.0, f32::NAN, 0.0].map(f32::to_le_bytes);
        let binary = [head.as_bytes(), numbers.as_flattened()].concat();
        let named = format!("byte {}: the vertex (1, NaN, 0) is not finite", head.len() + 12);
        assert_eq!(found(&binary, Format::Ply), named);
    }

    #[test]
    fn the_corner_of_an_stl_file_is_named() {
        let text = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 NaN 0\nendloop\nendfacet\nendsolid\n";
        let named = "line 6: the vertex (0, NaN, 0) is not finite";
        assert_eq!(found(text.as_bytes(), Format::Stl), named);
        let mut binary = vec![0; 84 + 2 * 50];
        binary[80] = 2;
        binary[84 + 50 + 24 + 4..][..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
        let named = "byte 158: the vertex (0, inf, 0) is not finite";
        assert_eq!(found(&binary, Format::Stl), named);
    }

    #[test]
    fn files_of_finite_vertices_have_none() {
        assert_eq!(find(b"v 0 0 0\nv 1 1 1\n", Format::Obj), None);
        assert_eq!(find(b"nonsense", Format::Ply), None);
        assert_eq!(find(b"{}", Format::Gltf), None);
    }
}
