//! Wavefront OBJ: vertices, texture coordinates and faces, and the names of groups of these; everything else is passed over.
//!
//! Corners may count back from where they stand, so that the vertices of all pieces of a file are counted before the pieces are read.

use std::borrow::Cow;

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::polygons::{NO_TEXTURE, Polygons};
use super::{Format, MAX_TRIANGLES, Place, ReadError};
use crate::mesh::Mesh;

/// Bytes that are read one after the other.
const PIECE: usize = 1 << 20;

pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, ReadError> {
    parse_part(bytes, None)
}

/// The faces of a group, object or material of that name, or all of them, over all vertices.
pub(super) fn parse_part(bytes: &[u8], part: Option<&str>) -> Result<Mesh, ReadError> {
    // A name holds until the next one, wherever that is.
    let length = if part.is_some() { usize::MAX } else { PIECE };
    parse_pieces(&String::from_utf8_lossy(bytes), length, part)
}

/// Names of the groups, objects and materials that faces belong to, in order.
pub(super) fn part_names(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut current = Names::default();
    let mut names: Vec<String> = Vec::new();
    for line in text.lines() {
        match line.split_ascii_whitespace().next() {
            Some("f") => {
                let new = { current.0.iter().flatten() }.filter(|name| !names.contains(name));
                let new: Vec<String> = new.cloned().collect();
                names.extend(new);
            }
            Some(word) => current.read(word, line),
            None => {}
        }
    }
    names
}

/// Names of the faces that follow: of their groups, their object and their material.
#[derive(Default)]
struct Names([Vec<String>; 3]);

impl Names {
    /// Takes note of a line that begins with a word, if that names anything.
    fn read(&mut self, word: &str, line: &str) {
        let Some(kind) = ["g", "o", "usemtl"].iter().position(|known| *known == word) else {
            return;
        };
        let rest = line.trim_start().strip_prefix(word).unwrap_or("").trim();
        self.0[kind] = match word {
            "g" => rest.split_ascii_whitespace().map(str::to_owned).collect(),
            _ => vec![rest.to_owned()],
        };
    }
}

fn parse_pieces(text: &str, length: usize, part: Option<&str>) -> Result<Mesh, ReadError> {
    let pieces = pieces(text, length);
    let counts: Vec<Before> = pieces.par_iter().map(|piece| Before::counted(piece)).collect();
    let sums = counts.iter().scan(Before::default(), |sum, count| {
        let before = *sum;
        *sum = before.and(count);
        Some(before)
    });
    let begun: Vec<(&str, Before)> = pieces.into_iter().zip(sums).collect();
    let read = begun
        .into_par_iter()
        .map(|(piece, before)| Found::read(piece, before, part));
    let read: Vec<Result<Found, ReadError>> = read.collect();
    let mut all = Found::default();
    for piece in read {
        all.append(piece?)?;
    }
    if let Some((face, corner)) = all.polygons.missing(all.positions.len()) {
        let problem = format!(
            "vertex {} of a face does not exist; there are {}",
            u64::from(corner) + 1,
            all.positions.len()
        );
        return Err(ReadError::at_line(Format::Obj, all.lines_of_faces[face], problem));
    }
    Ok(all.polygons.triangulated_with(all.positions, &all.textures))
}

/// The text in pieces of about a length, bytes, which end with whole lines.
fn pieces(text: &str, length: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = length.min(rest.len());
        while end < rest.len() {
            end = rest.as_bytes()[end..]
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(rest.len(), |found| end + found + 1);
            // The next line may belong to this one.
            if !rest[..end].trim_end().ends_with('\\') {
                break;
            }
        }
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Lines with their numbers from 1, those that go on in the next ones as one.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            lines: text.lines().enumerate(),
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let (index, line) = self.lines.next()?;
        let Some(begun) = line.trim_end().strip_suffix('\\') else {
            return Some((index + 1, Cow::Borrowed(line)));
        };
        let mut joined = format!("{begun} ");
        loop {
            let line = self.lines.next().map_or("", |(_, next)| next);
            let Some(more) = line.trim_end().strip_suffix('\\') else {
                joined.push_str(line);
                return Some((index + 1, Cow::Owned(joined)));
            };
            joined.push_str(more);
            joined.push(' ');
        }
    }
}

fn words(line: &str) -> std::str::SplitAsciiWhitespace<'_> {
    line.split('#').next().unwrap_or("").split_ascii_whitespace()
}

/// What comes before a piece.
#[derive(Clone, Copy, Default)]
struct Before {
    lines: usize,
    vertices: usize,
    textures: usize,
}

impl Before {
    /// What a piece adds to it.
    fn counted(piece: &str) -> Self {
        let mut count = Self {
            lines: piece.lines().count(),
            ..Self::default()
        };
        for (_, line) in Lines::of(piece) {
            match words(&line).next() {
                Some("v") => count.vertices += 1,
                Some("vt") => count.textures += 1,
                _ => {}
            }
        }
        count
    }

    fn and(self, next: &Self) -> Self {
        Self {
            lines: self.lines + next.lines,
            vertices: self.vertices + next.vertices,
            textures: self.textures + next.textures,
        }
    }
}

/// What a file, or a piece of it, holds.
#[derive(Default)]
struct Found {
    positions: Vec<Vec3>,
    textures: Vec<Vec2>,
    polygons: Polygons,
    lines_of_faces: Vec<usize>,
}

impl Found {
    fn read(piece: &str, before: Before, part: Option<&str>) -> Result<Self, ReadError> {
        let mut found = Self::default();
        let mut names = Names::default();
        let mut corners: Vec<(u32, u32)> = Vec::new();
        for (number, line) in Lines::of(piece) {
            let number = before.lines + number;
            let error = |problem: String| ReadError::at_line(Format::Obj, number, problem);
            let mut words = words(&line);
            match words.next() {
                Some("v") => found.positions.push(vertex(&mut words).map_err(error)?),
                Some("vt") => {
                    let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
                    found.textures.push(Vec2::new(number(), number()));
                }
                Some("f") => {
                    corners.clear();
                    for word in words {
                        let place = corner(word, before.vertices + found.positions.len()).map_err(error)?;
                        corners.push((place, texture(word, before.textures + found.textures.len())));
                    }
                    if corners.len() < 3 {
                        let count = corners.len();
                        return Err(error(format!("a face needs 3 corners or more, found {count}")));
                    }
                    let wanted = |part| names.0.iter().flatten().any(|name| name == part);
                    if part.is_none_or(wanted) {
                        found.polygons.push_textured(&corners);
                        found.lines_of_faces.push(number);
                    }
                }
                Some(word) if part.is_some() => names.read(word, &line),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Adds the next piece.
    fn append(&mut self, next: Self) -> Result<(), ReadError> {
        self.positions.extend(next.positions);
        self.textures.extend(next.textures);
        self.polygons.append(next.polygons);
        self.lines_of_faces.extend(next.lines_of_faces);
        if self.polygons.triangle_count() > MAX_TRIANGLES {
            let line = self.lines_of_faces.last().copied().unwrap_or_default();
            let problem = format!("more than {MAX_TRIANGLES} triangles");
            return Err(ReadError::at_line(Format::Obj, line, problem));
        }
        Ok(())
    }
}

/// The first vertex that passes a test, and its line.
pub(super) fn find_vertex(bytes: &[u8], passes: fn(Vec3) -> bool) -> Option<(Place, Vec3)> {
    let text = String::from_utf8_lossy(bytes);
    Lines::of(&text).find_map(|(number, line)| {
        let mut words = words(&line);
        let found = vertex(words.next().filter(|word| *word == "v").and(Some(&mut words))?).ok()?;
        passes(found).then_some((Place::Line(number), found))
    })
}

fn vertex<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Vec3, String> {
    let mut next = |axis: &str| -> Result<f32, String> {
        let word = words.next().ok_or_else(|| format!("the vertex has no {axis}"))?;
        word.parse()
            .map_err(|_| format!("expected a number for {axis}, found \"{}\"", shortened(word)))
    };
    Ok(Vec3::new(next("x")?, next("y")?, next("z")?))
}

/// The vertex of a corner such as `7`, `7/1`, `7//3` or `-1`, from 0.
fn corner(word: &str, vertices: usize) -> Result<u32, String> {
    let number = word.split('/').next().unwrap_or("");
    let bad = || format!("expected the number of a vertex, found \"{}\"", shortened(word));
    let number: i64 = number.parse().map_err(|_| bad())?;
    let index = match number {
        1.. => number - 1,
        0 => return Err("vertices are counted from 1, found 0".into()),
        _ => vertices as i64 + number,
    };
    if index < 0 {
        return Err(format!(
            "vertex {number} lies before the first; there are {vertices} so far"
        ));
    }
    u32::try_from(index).map_err(|_| bad())
}

/// The texture coordinate of a corner such as `7/1` or `7/-1/3`, from 0, if it has one that exists.
fn texture(word: &str, textures: usize) -> u32 {
    let number = word.split('/').nth(1).and_then(|number| number.parse::<i64>().ok());
    let index = number.map(|number| {
        if number > 0 {
            number - 1
        } else {
            textures as i64 + number
        }
    });
    let index = index.filter(|&index| index >= 0 && index < textures as i64);
    index.map_or(NO_TEXTURE, |index| index as u32)
}

pub(super) fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "v 0 0 0\nv 1 0 0 # right\nv 0 1 \\\n0\nvt 0.5 0\nf 1 2 3\nv 0 0 1\n\
        f -1/1 -2/-1 \\\n  \\\n-3/9\n# f\nv 7 8 9\nvt 1 0.25\nf 1/2 -2/1 4\nf 5 1 2";

    #[test]
    fn a_file_in_pieces_is_the_file_as_a_whole() {
        let whole = parse_pieces(FILE, FILE.len(), None).expect("a mesh");
        assert_eq!(whole.triangles, [[0, 1, 2], [3, 2, 1], [0, 3, 3], [4, 0, 1]]);
        assert_eq!(whole.uvs.len(), 4);
        for length in 1..FILE.len() {
            let mesh = parse_pieces(FILE, length, None).expect("a mesh");
            assert_eq!(mesh, whole, "pieces of {length} bytes");
        }
    }

    #[test]
    fn an_error_in_any_piece_names_its_line() {
        for bad in ["f 1 2 9", "v 1 nowhere 2\nv 0 0", "f 1 -6 2\nv 0 0", "f 1 2\nv 0 0"] {
            let file = format!("{FILE}\n{bad}\n");
            for length in [1, 20, 50, file.len()] {
                let error = parse_pieces(&file, length, None).expect_err(bad).to_string();
                assert!(error.contains("line 16:"), "{error}");
            }
        }
    }
}
