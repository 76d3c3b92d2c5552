//! Values with a spelling of their own: colours, rotations, gravity and channels.

use glam::{EulerRot, Quat, Vec3};
use serde_json::{Value as Json, json};

use crate::decode::limits::{Limits, degrees};
use crate::decode::node::{Node, Value};
use crate::decode::{Context, Decode, Definitions};

/// Colours that have a name, as on the web (CSS Color 4).
const NAMED: [(&str, [u8; 3]); 32] = [
    ("beige", [245, 245, 220]),
    ("black", [0, 0, 0]),
    ("blue", [0, 0, 255]),
    ("brown", [165, 42, 42]),
    ("chocolate", [210, 105, 30]),
    ("coral", [255, 127, 80]),
    ("crimson", [220, 20, 60]),
    ("cyan", [0, 255, 255]),
    ("gold", [255, 215, 0]),
    ("gray", [128, 128, 128]),
    ("green", [0, 128, 0]),
    ("grey", [128, 128, 128]),
    ("indigo", [75, 0, 130]),
    ("ivory", [255, 255, 240]),
    ("khaki", [240, 230, 140]),
    ("lime", [0, 255, 0]),
    ("magenta", [255, 0, 255]),
    ("maroon", [128, 0, 0]),
    ("navy", [0, 0, 128]),
    ("olive", [128, 128, 0]),
    ("orange", [255, 165, 0]),
    ("orchid", [218, 112, 214]),
    ("pink", [255, 192, 203]),
    ("plum", [221, 160, 221]),
    ("purple", [128, 0, 128]),
    ("red", [255, 0, 0]),
    ("salmon", [250, 128, 114]),
    ("silver", [192, 192, 192]),
    ("tan", [210, 180, 140]),
    ("teal", [0, 128, 128]),
    ("white", [255, 255, 255]),
    ("yellow", [255, 255, 0]),
];

/// A colour, written `"#rrggbb"` (sRGB) or by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// The colour as light: linear red, green and blue between 0 and 1.
    pub fn to_linear(self) -> [f32; 3] {
        self.0.map(|byte| {
            let value = f32::from(byte) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        })
    }

    fn parse(text: &str) -> Option<Self> {
        if let Some((_, color)) = NAMED.iter().find(|(name, _)| *name == text) {
            return Some(Self(*color));
        }
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        Some(Self([(value >> 16) as u8, (value >> 8) as u8, value as u8]))
    }
}

impl Decode for Color {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        let color = match &node.value {
            Value::String(text) => Self::parse(text),
            _ => None,
        };
        if color.is_none() {
            match &node.value {
                Value::String(word) if word.chars().all(char::is_alphabetic) && !word.is_empty() => {
                    cx.unknown_word(&node.place, word, &NAMED.map(|(name, _)| name));
                }
                _ => cx.expected(node, "a colour such as \"#d9b36c\" or \"orange\""),
            }
        }
        color
    }

    fn stand_in() -> Self {
        Self([0; 3])
    }

    fn schema(_: &mut Definitions, _: &Limits) -> Json {
        let names = NAMED.map(|(name, _)| name);
        json!({ "anyOf": [{ "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" }, { "enum": names }] })
    }

    fn to_json(&self) -> Option<Json> {
        let [r, g, b] = self.0;
        Some(json!(format!("#{r:02x}{g:02x}{b:02x}")))
    }
}

/// A rotation: `[x, y, z]` degrees about the fixed x, then y, then z axis, or `{ axis = [..], angle = degrees }`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rotation(pub Quat);

crate::table! {
    /// A rotation about an axis.
    struct AxisAngle {
        /// The axis; any length but zero.
        axis: Vec3,
        /// Angle, degrees.
        angle: f32 => degrees(),
    }
}

impl Decode for Rotation {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::Array(_) => {
                let [x, y, z] = <[f32; 3]>::decode(node, cx)?.map(f32::to_radians);
                Some(Self(Quat::from_euler(EulerRot::ZYX, z, y, x)))
            }
            Value::Table(_) => {
                let turn = AxisAngle::decode(node, cx)?;
                let Some(axis) = turn.axis.try_normalize() else {
                    cx.problem(&node.place, "the axis of a rotation must have a length".into(), None);
                    return None;
                };
                Some(Self(Quat::from_axis_angle(axis, turn.angle.to_radians())))
            }
            _ => {
                cx.expected(node, "[x, y, z] in degrees, or { axis, angle }");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self::default()
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        json!({ "anyOf": [<[f32; 3]>::schema(definitions, limits), AxisAngle::schema(definitions, limits)] })
    }
}

/// Gravity: its strength straight down, or the whole vector, m/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gravity {
    /// Against `up`.
    Down(f32),
    /// In any direction.
    Vector(Vec3),
}

impl Decode for Gravity {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::Array(_) => Vec3::decode(node, cx).map(Self::Vector),
            Value::Integer(_) | Value::Float(_) => f32::decode(node, cx).map(Self::Down),
            _ => {
                cx.expected(node, "a number or [x, y, z] in m/s²");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self::Down(9.81)
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        json!({ "anyOf": [f32::schema(definitions, limits), Vec3::schema(definitions, limits)] })
    }

    fn to_json(&self) -> Option<Json> {
        match self {
            Self::Down(strength) => strength.to_json(),
            Self::Vector(vector) => vector.to_json(),
        }
    }
}

/// Collision channels as bits, written as a list of numbers from 0 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels(pub u8);

impl Default for Channels {
    fn default() -> Self {
        Self(0xff)
    }
}

impl Decode for Channels {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        let numbers = Vec::<u8>::decode(node, cx)?;
        match numbers.iter().find(|number| **number > 7) {
            Some(number) => {
                cx.problem(
                    &node.place,
                    format!("expected channels from 0 to 7, found {number}"),
                    None,
                );
                None
            }
            None => Some(Self(numbers.iter().fold(0, |bits, number| bits | 1 << number))),
        }
    }

    fn stand_in() -> Self {
        Self::default()
    }

    fn schema(_: &mut Definitions, _: &Limits) -> Json {
        json!({ "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 7 } })
    }

    fn to_json(&self) -> Option<Json> {
        let numbers: Vec<u8> = (0..8).filter(|channel| self.0 >> channel & 1 == 1).collect();
        Some(json!(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Decode>(text: &str) -> Result<T, String> {
        let node = Node::parse_value(text, "value").unwrap();
        let decoded = Context::decode(&node);
        decoded
            .problems
            .first()
            .map_or(Ok(decoded.value), |problem| Err(problem.to_string()))
    }

    #[test]
    fn a_colour_has_six_digits() {
        assert_eq!(read::<Color>("\"#ff8000\"").unwrap(), Color([255, 128, 0]));
        for bad in ["\"ff8000\"", "\"#ff80\"", "\"#+f8000\"", "\"#\u{e9}\u{e9}\u{e9}\"", "3"] {
            assert!(read::<Color>(bad).unwrap_err().contains("expected a colour"), "{bad}");
        }
        assert_eq!(Color([255, 0, 0]).to_linear(), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn both_spellings_of_a_rotation_agree() {
        let list = read::<Rotation>("[0, 0, 90]").unwrap().0;
        let turn = read::<Rotation>("{ axis = [0, 0, 2], angle = 90 }").unwrap().0;
        assert!(list.angle_between(turn) < 1e-3);
        assert!((list * Vec3::X - Vec3::Y).length() < 1e-5);
        assert!(read::<Rotation>("{ axis = [0, 0, 0], angle = 90 }").is_err());
    }

    #[test]
    fn rotations_about_x_come_before_those_about_z() {
        let both = read::<Rotation>("[90, 0, 90]").unwrap().0;
        assert!((both * Vec3::Y - Vec3::Z).length() < 1e-5, "{}", both * Vec3::Y);
    }

    #[test]
    fn channels_are_bits() {
        assert_eq!(read::<Channels>("[0, 3]").unwrap(), Channels(0b1001));
        assert!(read::<Channels>("[8]").unwrap_err().contains("0 to 7"));
    }
}
