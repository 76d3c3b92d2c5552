//! STL, ascii and binary. Corners with the same coordinates become one vertex.

use glam::Vec3;
use rayon::prelude::*;

use super::join::join;
use super::obj::shortened;
use super::{Format, Place, ReadError};
use crate::mesh::Mesh;

const HEADER: usize = 84;
const RECORD: usize = 50;
/// Bytes of a record before its corners: the normal.
const CORNERS: usize = 12;

pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, ReadError> {
    match contents(bytes)? {
        Contents::Text => ascii(bytes),
        Contents::Records(records) => Ok(binary(records)),
    }
}

/// Either way of writing the format.
enum Contents<'a> {
    Text,
    Records(&'a [u8]),
}

fn contents(bytes: &[u8]) -> Result<Contents<'_>, ReadError> {
    let announced = bytes
        .get(80..HEADER)
        .and_then(|count| count.try_into().ok())
        .map(u32::from_le_bytes);
    let expected = announced.map(|count| HEADER as u64 + RECORD as u64 * u64::from(count));
    let is_whole = expected.is_some_and(|length| length <= bytes.len() as u64);
    let says_solid = bytes.trim_ascii_start().starts_with(b"solid");
    let looks_like_text = says_solid && bytes.iter().take(400).all(|&byte| byte.is_ascii() && byte != 0);
    match announced {
        _ if looks_like_text => Ok(Contents::Text),
        Some(count) if is_whole => Ok(Contents::Records(&bytes[HEADER..HEADER + RECORD * count as usize])),
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

/// The first corner that passes a test, and its line or byte.
pub(super) fn find_vertex(bytes: &[u8], passes: fn(Vec3) -> bool) -> Option<(Place, Vec3)> {
    if let Contents::Records(records) = contents(bytes).ok()? {
        let corners = records.chunks_exact(RECORD).flat_map(corners);
        let (index, found) = corners.enumerate().find(|(_, corner)| passes(*corner))?;
        let byte = HEADER + RECORD * (index / 3) + CORNERS + 12 * (index % 3);
        return Some((Place::Byte(byte), found));
    }
    let text = String::from_utf8_lossy(bytes);
    (1..).zip(text.lines()).find_map(|(number, line)| {
        let mut words = line.split_whitespace();
        words.next().filter(|word| *word == "vertex")?;
        let mut next = || words.next()?.parse::<f32>().ok();
        let found = Vec3::new(next()?, next()?, next()?);
        passes(found).then_some((Place::Line(number), found))
    })
}

/// The corners of a record.
fn corners(record: &[u8]) -> [Vec3; 3] {
    let number = |index: usize| {
        let start = CORNERS + 4 * index;
        f32::from_le_bytes([record[start], record[start + 1], record[start + 2], record[start + 3]])
    };
    [0, 3, 6].map(|first| Vec3::new(number(first), number(first + 1), number(first + 2)))
}

fn binary(records: &[u8]) -> Mesh {
    let triangles: Vec<[Vec3; 3]> = records.par_chunks_exact(RECORD).map(corners).collect();
    join(triangles.as_flattened())
}

fn ascii(bytes: &[u8]) -> Result<Mesh, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let mut triangles: Vec<[Vec3; 3]> = Vec::new();
    let mut corners: Vec<Vec3> = Vec::new();
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
                corners.push(Vec3::new(next()?, next()?, next()?));
            }
            Some("endfacet") => match corners[..] {
                [a, b, c] => {
                    triangles.push([a, b, c]);
                    corners.clear();
                }
                _ => return Err(error(format!("a facet needs 3 vertices, found {}", corners.len()))),
            },
            Some("solid" | "facet" | "outer" | "endloop" | "endsolid") | None => {}
            Some(word) => return Err(error(format!("unknown word \"{}\"", shortened(word)))),
        }
    }
    if corners.is_empty() {
        Ok(join(triangles.as_flattened()))
    } else {
        Err(ReadError::at_line(Format::Stl, number, "the file ends within a facet"))
    }
}
