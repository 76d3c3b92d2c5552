//! The kinds of numbers in the buffers of a glTF file.

use serde_json::Value;

#[derive(Clone, Copy)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    pub(super) fn of(value: &Value) -> Option<Self> {
        Some(match value.as_u64()? {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    pub(super) fn decode(self, bytes: &[u8], normalized: bool) -> f64 {
        let mut four = [0; 4];
        four[..bytes.len()].copy_from_slice(bytes);
        let [a, b, ..] = four;
        let (value, largest) = match self {
            Self::I8 => (f64::from(a as i8), f64::from(i8::MAX)),
            Self::U8 => (f64::from(a), f64::from(u8::MAX)),
            Self::I16 => (f64::from(i16::from_le_bytes([a, b])), f64::from(i16::MAX)),
            Self::U16 => (f64::from(u16::from_le_bytes([a, b])), f64::from(u16::MAX)),
            Self::U32 => return f64::from(u32::from_le_bytes(four)),
            Self::F32 => return f64::from(f32::from_le_bytes(four)),
        };
        if normalized { (value / largest).max(-1.0) } else { value }
    }
}
