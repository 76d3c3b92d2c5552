//! Stanford PLY: vertices with their texture coordinates, faces and triangle strips, whatever else the file holds.

use glam::{Vec2, Vec3};

use super::obj::shortened;
use super::ply_header::{Element, Encoding, Header, Number};
use super::ply_table::Table;
use super::polygons::Polygons;
use super::{Format, MAX_TRIANGLES, Place, ReadError};
use crate::mesh::Mesh;

pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, ReadError> {
    let header = Header::parse(bytes)?;
    let mut rows = Rows::after(&header, bytes);
    let mut positions = Vec::new();
    let mut textures = Vec::new();
    let mut polygons = Polygons::default();
    for element in &header.elements {
        if element.properties.is_empty() && element.count > 0 {
            return Err(rows.error(format!("element {} has no properties", shortened(&element.name))));
        }
        match element.name.as_str() {
            "vertex" => read_vertices(&mut rows, element, &mut positions, &mut textures)?,
            "face" | "tristrips" => read_faces(&mut rows, element, &mut polygons)?,
            _ => {
                for _ in 0..element.count {
                    rows.row(element, |_, _| {}, |_, _| {})?;
                }
            }
        }
    }
    if let Some((face, corner)) = polygons.missing(positions.len()) {
        return Err(rows.error(format!(
            "corner {corner} of polygon {face} does not exist; there are {} vertices",
            positions.len()
        )));
    }
    let mut mesh = polygons.triangulated(positions);
    if !textures.is_empty() {
        let uvs = |corners: &[u32; 3]| corners.map(|corner| textures.get(corner as usize).copied().unwrap_or_default());
        mesh.uvs = mesh.triangles.iter().map(uvs).collect();
    }
    Ok(mesh)
}

/// The first vertex that passes a test, and its line or byte.
pub(super) fn find_vertex(bytes: &[u8], passes: fn(Vec3) -> bool) -> Option<(Place, Vec3)> {
    let header = Header::parse(bytes).ok()?;
    let mut rows = Rows::after(&header, bytes);
    for element in header.elements.iter().filter(|element| !element.properties.is_empty()) {
        let place = |axis: &str| element.properties.iter().position(|property| property.name == axis);
        for _ in 0..element.count {
            let begun = rows.place;
            let mut position = Vec3::ZERO;
            let set = |property: usize, value: f64| {
                for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                    if place(name) == Some(property) {
                        position[axis] = value as f32;
                    }
                }
            };
            rows.row(element, set, |_, _| {}).ok()?;
            if element.name == "vertex" && passes(position) {
                let place = match rows.encoding {
                    Encoding::Ascii => Place::Line(rows.line),
                    _ => Place::Byte(begun),
                };
                return Some((place, position));
            }
        }
    }
    None
}

/// Names of texture coordinates in files of various programs.
const TEXTURES: [[&str; 2]; 4] = [
    ["s", "t"],
    ["u", "v"],
    ["texture_u", "texture_v"],
    ["texture_s", "texture_t"],
];

fn read_vertices(
    rows: &mut Rows,
    element: &Element,
    positions: &mut Vec<Vec3>,
    textures: &mut Vec<Vec2>,
) -> Result<(), ReadError> {
    let place = |axis: &str| element.properties.iter().position(|property| property.name == axis);
    let (Some(x), Some(y), Some(z)) = (place("x"), place("y"), place("z")) else {
        return Err(rows.error("vertices have no x, y and z".into()));
    };
    let textured = TEXTURES
        .iter()
        .find_map(|names| Some([place(names[0])?, place(names[1])?]));
    let read = [x, y, z].into_iter().chain(textured.into_iter().flatten());
    let are_numbers = read
        .into_iter()
        .all(|property| element.properties[property].length.is_none());
    if let Some(table) = rows.table(element).filter(|_| are_numbers) {
        let column = |property: usize| table.column(element, property);
        let axes = [x, y, z].map(column);
        positions.extend(table.rows(|row| Vec3::from_array(axes.map(|axis| table.number(row, axis) as f32))));
        if let Some(axes) = textured.map(|axes| axes.map(column)) {
            textures.extend(table.rows(|row| Vec2::from_array(axes.map(|axis| table.number(row, axis) as f32))));
        }
        rows.place += table.size();
        return Ok(());
    }
    for _ in 0..element.count {
        let mut position = Vec3::ZERO;
        let mut texture = Vec2::ZERO;
        let mut set = |property: usize, value: f64| {
            for (axis, place) in [x, y, z].into_iter().enumerate() {
                if property == place {
                    position[axis] = value as f32;
                }
            }
            for (axis, place) in textured.into_iter().flatten().enumerate() {
                if property == place {
                    texture[axis] = value as f32;
                }
            }
        };
        rows.row(element, &mut set, |_, _| {})?;
        positions.push(position);
        if textured.is_some() {
            textures.push(texture);
        }
    }
    Ok(())
}

fn read_faces(rows: &mut Rows, element: &Element, polygons: &mut Polygons) -> Result<(), ReadError> {
    let is_indices = |name: &str| name == "vertex_indices" || name == "vertex_index";
    let Some(list) = element
        .properties
        .iter()
        .position(|property| property.length.is_some() && is_indices(&property.name))
    else {
        return Err(rows.error(format!("element {} has no list of vertex_indices", element.name)));
    };
    if let Some(table) = rows.table(element).filter(|_| element.name == "face") {
        let first = table.column(element, list);
        let triangles = table.rows(|row| {
            let corners = [0, 1, 2].map(|corner| table.number(row, first + corner));
            let is_index = corners.iter().all(|&corner| f64::from(corner as u32) == corner);
            is_index.then(|| corners.map(|corner| corner as u32))
        });
        let are_few = polygons.triangle_count() + triangles.len() <= MAX_TRIANGLES;
        if let Some(triangles) = triangles.into_iter().collect::<Option<Vec<_>>>().filter(|_| are_few) {
            polygons.extend_triangles(&triangles);
            rows.place += table.size();
            return Ok(());
        }
    }
    let mut corners: Vec<f64> = Vec::new();
    for _ in 0..element.count {
        corners.clear();
        rows.row(
            element,
            |_, _| {},
            |property, value| {
                if property == list {
                    corners.push(value);
                }
            },
        )?;
        if element.name == "tristrips" {
            for strip in corners.split(|&corner| corner == -1.0) {
                let strip = indices(rows, strip)?;
                for (index, corners) in strip.windows(3).enumerate() {
                    let [a, b, c] = [corners[0], corners[1], corners[2]];
                    polygons.push(if index % 2 == 0 { [a, b, c] } else { [a, c, b] });
                }
            }
        } else {
            polygons.push(indices(rows, &corners)?);
        }
        if polygons.triangle_count() > MAX_TRIANGLES {
            return Err(rows.error(format!("more than {MAX_TRIANGLES} triangles")));
        }
    }
    Ok(())
}

fn indices(rows: &Rows, corners: &[f64]) -> Result<Vec<u32>, ReadError> {
    let index = |&corner: &f64| {
        let index = corner as u32;
        if f64::from(index) == corner {
            Ok(index)
        } else {
            Err(rows.error(format!("expected the number of a vertex, found {corner}")))
        }
    };
    corners.iter().map(index).collect()
}

/// Reads row after row.
struct Rows<'a> {
    bytes: &'a [u8],
    place: usize,
    line: usize,
    encoding: Encoding,
}

impl<'a> Rows<'a> {
    fn after(header: &Header, bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            place: header.bytes,
            line: header.lines + 1,
            encoding: header.encoding,
        }
    }

    /// The rows of an element, if they are all as long.
    fn table(&self, element: &Element) -> Option<Table<'a>> {
        Table::of(&self.bytes[self.place..], element, self.encoding)
    }

    fn error(&self, problem: String) -> ReadError {
        match self.encoding {
            Encoding::Ascii => ReadError::at_line(Format::Ply, self.line, problem),
            _ => ReadError::at_byte(Format::Ply, self.place, problem),
        }
    }

    /// Hands over the values of a row: single ones, and the items of lists, each with the index of its property.
    fn row(
        &mut self,
        element: &Element,
        mut single: impl FnMut(usize, f64),
        mut item: impl FnMut(usize, f64),
    ) -> Result<(), ReadError> {
        for (index, property) in element.properties.iter().enumerate() {
            match property.length {
                None => single(index, self.number(property.number)?),
                Some(length) => {
                    let count = self.number(length)?;
                    let left = (self.bytes.len() - self.place) as f64;
                    if !(count >= 0.0 && count <= left) {
                        return Err(self.error(format!("a list of {count} items cannot be")));
                    }
                    for _ in 0..count as usize {
                        item(index, self.number(property.number)?);
                    }
                }
            }
        }
        Ok(())
    }

    fn number(&mut self, number: Number) -> Result<f64, ReadError> {
        match self.encoding {
            Encoding::Ascii => self.word(),
            encoding => {
                let size = number.size();
                let Some(found) = self.bytes.get(self.place..self.place + size) else {
                    return Err(self.error("the file ends within its data".into()));
                };
                let mut bytes = [0; 8];
                bytes[..size].copy_from_slice(found);
                if encoding == Encoding::BigEndian {
                    bytes[..size].reverse();
                }
                self.place += size;
                Ok(number.decode(bytes))
            }
        }
    }

    fn word(&mut self) -> Result<f64, ReadError> {
        while let Some(byte) = self.bytes.get(self.place).filter(|byte| byte.is_ascii_whitespace()) {
            self.line += usize::from(*byte == b'\n');
            self.place += 1;
        }
        let rest = &self.bytes[self.place..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let word = String::from_utf8_lossy(&rest[..length]);
        if word.is_empty() {
            return Err(self.error("the file ends within its data".into()));
        }
        let value = word
            .parse()
            .map_err(|_| self.error(format!("expected a number, found \"{}\"", shortened(&word))))?;
        self.place += length;
        Ok(value)
    }
}
