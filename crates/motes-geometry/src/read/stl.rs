//! STL, ascii and binary. Corners with the same coordinates become one vertex.

use std::collections::HashMap;

use glam::Vec3;

use super::obj::shortened;
use super::{Format, ReadError};
use crate::mesh::Mesh;

const HEADER: usize = 84;
const RECORD: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, ReadError> {
    let announced = bytes
        .get(80..HEADER)
        .and_then(|count| count.try_into().ok())
        .map(u32::from_le_bytes);
    let expected = announced.map(|count| HEADER as u64 + RECORD as u64 * u64::from(count));
    let is_whole = expected.is_some_and(|length| length <= bytes.len() as u64);
    let says_solid = bytes.trim_ascii_start().starts_with(b"solid");
    let looks_like_text = says_solid && bytes.iter().take(400).all(|&byte| byte.is_ascii() && byte != 0);
    match announced {
        _ if looks_like_text => ascii(bytes),
        Some(count) if is_whole => Ok(binary(&bytes[HEADER..HEADER + RECORD * count as usize])),
        Some(count) => Err(ReadError::at_byte(
            Format::Stl,
            bytes.len(),
            format!("the file ends before the last of its {count} triangles"),
        )),
        None => Err(ReadError::at_byte(
            Format::Stl,
            bytes.len(),
            "expected \"solid\" or a header of 84 bytes",
        )),
    }
}

/// Joins corners with the same bits as they come.
#[derive(Default)]
struct Joined {
    mesh: Mesh,
    known: HashMap<[u32; 3], u32>,
}

impl Joined {
    fn corner(&mut self, position: Vec3) -> u32 {
        // Both zeros are one place.
        let key = (position + 0.0).to_array().map(f32::to_bits);
        *self.known.entry(key).or_insert_with(|| {
            self.mesh.positions.push(position);
            self.mesh.positions.len() as u32 - 1
        })
    }
}

fn binary(records: &[u8]) -> Mesh {
    let mut joined = Joined::default();
    for record in records.chunks_exact(RECORD) {
        let number = |index: usize| {
            let start = 12 + 4 * index;
            f32::from_le_bytes([record[start], record[start + 1], record[start + 2], record[start + 3]])
        };
        let corners =
            [0, 3, 6].map(|first| joined.corner(Vec3::new(number(first), number(first + 1), number(first + 2))));
        joined.mesh.triangles.push(corners);
    }
    joined.mesh
}

fn ascii(bytes: &[u8]) -> Result<Mesh, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let mut joined = Joined::default();
    let mut corners: Vec<u32> = Vec::new();
    let mut number = 0;
    for (index, line) in text.lines().enumerate() {
        number = index + 1;
        let error = |problem: String| ReadError::at_line(Format::Stl, number, problem);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("vertex") => {
                let mut next = || -> Result<f32, ReadError> {
                    let word = words.next().ok_or_else(|| error("a vertex needs 3 numbers".into()))?;
                    word.parse()
                        .map_err(|_| error(format!("expected a number, found \"{}\"", shortened(word))))
                };
                let position = Vec3::new(next()?, next()?, next()?);
                corners.push(joined.corner(position));
            }
            Some("endfacet") => match corners[..] {
                [a, b, c] => {
                    joined.mesh.triangles.push([a, b, c]);
                    corners.clear();
                }
                _ => return Err(error(format!("a facet needs 3 vertices, found {}", corners.len()))),
            },
            Some("solid" | "facet" | "outer" | "endloop" | "endsolid") | None => {}
            Some(word) => return Err(error(format!("unknown word \"{}\"", shortened(word)))),
        }
    }
    if corners.is_empty() {
        Ok(joined.mesh)
    } else {
        Err(ReadError::at_line(Format::Stl, number, "the file ends within a facet"))
    }
}
