//! Wavefront OBJ: vertices, texture coordinates and faces, and the names of groups of these; everything else is passed over.

use std::borrow::Cow;

use glam::{Vec2, Vec3};

use super::polygons::{NO_TEXTURE, Polygons};
use super::{Format, MAX_TRIANGLES, ReadError};
use crate::mesh::Mesh;

pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, ReadError> {
    parse_part(bytes, None)
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

/// The faces of a group, object or material of that name, or all of them, over all vertices.
pub(super) fn parse_part(bytes: &[u8], part: Option<&str>) -> Result<Mesh, ReadError> {
    let mut names = Names::default();
    let text = String::from_utf8_lossy(bytes);
    let mut positions: Vec<Vec3> = Vec::new();
    let mut polygons = Polygons::default();
    let mut lines_of_faces: Vec<usize> = Vec::new();
    let mut textures: Vec<Vec2> = Vec::new();
    let mut corners: Vec<(u32, u32)> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let number = index + 1;
        let error = |problem: String| ReadError::at_line(Format::Obj, number, problem);
        let line = match line.trim_end().strip_suffix('\\') {
            None => Cow::Borrowed(line),
            Some(begun) => continued(begun, &mut lines),
        };
        let mut words = line.split('#').next().unwrap_or("").split_ascii_whitespace();
        match words.next() {
            Some("v") => positions.push(vertex(&mut words).map_err(error)?),
            Some("vt") => {
                let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
                textures.push(Vec2::new(number(), number()));
            }
            Some("f") => {
                corners.clear();
                for word in words {
                    let place = corner(word, positions.len()).map_err(error)?;
                    corners.push((place, texture(word, textures.len())));
                }
                if corners.len() < 3 {
                    return Err(error(format!(
                        "a face needs 3 corners or more, found {}",
                        corners.len()
                    )));
                }
                let wanted = |part| names.0.iter().flatten().any(|name| name == part);
                if part.is_none_or(wanted) {
                    polygons.push_textured(&corners);
                    lines_of_faces.push(number);
                }
            }
            Some(word) if part.is_some() => names.read(word, &line),
            _ => {}
        }
        if polygons.triangle_count() > MAX_TRIANGLES {
            return Err(error(format!("more than {MAX_TRIANGLES} triangles")));
        }
    }
    if let Some((face, corner)) = polygons.missing(positions.len()) {
        let problem = format!(
            "vertex {} of a face does not exist; there are {}",
            u64::from(corner) + 1,
            positions.len()
        );
        return Err(ReadError::at_line(Format::Obj, lines_of_faces[face], problem));
    }
    Ok(polygons.triangulated_with(positions, &textures))
}

/// A line that goes on in the ones after it.
fn continued<'a>(begun: &str, lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Cow<'a, str> {
    let mut joined = format!("{begun} ");
    loop {
        let line = lines.next().map_or("", |(_, next)| next);
        match line.trim_end().strip_suffix('\\') {
            Some(more) => {
                joined.push_str(more);
                joined.push(' ');
            }
            None => {
                joined.push_str(line);
                return Cow::Owned(joined);
            }
        }
    }
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
