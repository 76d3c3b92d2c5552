//! The header of a PLY file.

use super::obj::shortened;
use super::{Format, ReadError};

/// How the rows after the header are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The number that some bytes stand for; as many as its size, in little-endian order.
    pub(super) fn decode(self, bytes: [u8; 8]) -> f64 {
        let [a, b, c, d, ..] = bytes;
        match self {
            Self::I8 => f64::from(a as i8),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_le_bytes([a, b])),
            Self::U16 => f64::from(u16::from_le_bytes([a, b])),
            Self::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Self::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Self::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Self::F64 => f64::from_le_bytes(bytes),
        }
    }
}

pub(super) struct Property {
    pub(super) name: String,
    /// Type of the length, for a list.
    pub(super) length: Option<Number>,
    pub(super) number: Number,
}

pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Bytes and lines up to the first row.
    pub(super) bytes: usize,
    pub(super) lines: usize,
}

/// Most bytes of a header: a file without an end to its header is not one.
const MAX_HEADER: usize = 1 << 20;

impl Header {
    pub(super) fn parse(file: &[u8]) -> Result<Self, ReadError> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut start = 0;
        let head = &file[..file.len().min(MAX_HEADER)];
        for number in 1.. {
            let error = |problem: String| ReadError::at_line(Format::Ply, number, problem);
            let Some(length) = head[start..].iter().position(|&byte| byte == b'\n') else {
                return Err(error("the header has no end_header".into()));
            };
            let line = String::from_utf8_lossy(&head[start..start + length]);
            start += length + 1;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                _ if number == 1 => {
                    if words != ["ply"] {
                        return Err(error(format!("expected \"ply\", found \"{}\"", shortened(line.trim()))));
                    }
                }
                ["format", name, ..] => {
                    encoding = Some(match name {
                        "ascii" => Encoding::Ascii,
                        "binary_little_endian" => Encoding::LittleEndian,
                        "binary_big_endian" => Encoding::BigEndian,
                        _ => return Err(error(format!("unknown format \"{}\"", shortened(name)))),
                    });
                }
                ["element", name, count] => elements.push(Element {
                    name: name.into(),
                    count: count
                        .parse()
                        .map_err(|_| error(format!("expected a count, found \"{}\"", shortened(count))))?,
                    properties: Vec::new(),
                }),
                ["property", .., _, name] => {
                    let element = elements
                        .last_mut()
                        .ok_or_else(|| error("a property before the first element".into()))?;
                    let number = |word: &str| {
                        Number::parse(word).ok_or_else(|| error(format!("unknown type \"{}\"", shortened(word))))
                    };
                    let (length, item) = match words[1..words.len() - 1] {
                        ["list", length, item] => (Some(number(length)?), number(item)?),
                        [item] => (None, number(item)?),
                        _ => return Err(error(format!("not a property: \"{}\"", shortened(line.trim())))),
                    };
                    element.properties.push(Property {
                        name: name.into(),
                        length,
                        number: item,
                    });
                }
                ["end_header"] => {
                    return Ok(Self {
                        encoding: encoding.ok_or_else(|| error("the header does not say its format".into()))?,
                        elements,
                        bytes: start,
                        lines: number,
                    });
                }
                ["comment" | "obj_info", ..] | [] => {}
                _ => return Err(error(format!("unknown line \"{}\"", shortened(line.trim())))),
            }
        }
        Err(ReadError::at_byte(Format::Ply, start, "the header has no end"))
    }
}
