//! Rows of a binary PLY file that are all as long: those of numbers, and those of triangles.

use rayon::prelude::*;

use super::ply_header::{Element, Encoding, Number};

/// Rows of the same length.
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    row: usize,
    encoding: Encoding,
    /// Where in a row each number begins, and its type.
    columns: Vec<(usize, Number)>,
}

impl<'a> Table<'a> {
    /// The rows of an element at the beginning of some bytes, if its lists have three items each, all of its rows are there, and
    /// they are not text.
    pub(super) fn of(bytes: &'a [u8], element: &Element, encoding: Encoding) -> Option<Self> {
        if encoding == Encoding::Ascii {
            return None;
        }
        let mut columns = Vec::new();
        let mut lengths = Vec::new();
        let mut row = 0;
        for property in &element.properties {
            if let Some(length) = property.length {
                lengths.push(columns.len());
                columns.push((row, length));
                row += length.size();
            }
            let count = if property.length.is_some() { 3 } else { 1 };
            for _ in 0..count {
                columns.push((row, property.number));
                row += property.number.size();
            }
        }
        let size = usize::try_from(element.count).ok()?.checked_mul(row)?;
        let table = Self {
            bytes: bytes.get(..size)?,
            row,
            encoding,
            columns,
        };
        let is_triangle = |row: &[u8]| lengths.iter().all(|&column| table.number(row, column) == 3.0);
        let fits = row > 0 && table.bytes.par_chunks_exact(row).all(is_triangle);
        fits.then_some(table)
    }

    /// Bytes of all rows.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The column of a property, or of the first of its items.
    pub(super) fn column(&self, element: &Element, property: usize) -> usize {
        let before = element.properties[..property].iter();
        let columns: usize = before.map(|before| if before.length.is_some() { 4 } else { 1 }).sum();
        columns + usize::from(element.properties[property].length.is_some())
    }

    /// What `make` makes of each row.
    pub(super) fn rows<T: Send>(&self, make: impl Fn(&[u8]) -> T + Send + Sync) -> Vec<T> {
        self.bytes.par_chunks_exact(self.row).map(make).collect()
    }

    pub(super) fn number(&self, row: &[u8], column: usize) -> f64 {
        let (start, number) = self.columns[column];
        let size = number.size();
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&row[start..start + size]);
        if self.encoding == Encoding::BigEndian {
            bytes[..size].reverse();
        }
        number.decode(bytes)
    }
}
