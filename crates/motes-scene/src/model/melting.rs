//! `melting` of bodies, and `[[heat]]`: temperatures, °C.

use serde_json::{Value as Json, json};

use super::Region;
use crate::decode::limits::{Limits, celsius, seconds};
use crate::decode::node::{Node, Value};
use crate::decode::{Context, Decode, Definitions};

crate::table! {
    /// When a body turns into grains and back.
    struct MeltingTable {
        /// Up to this temperature it is solid, °C; colder than that, its grains freeze.
        solidus: f32 => celsius(),
        /// From this temperature on it is grains, °C.
        liquidus: f32 => celsius(),
        /// How warm it is at the start, °C; or at which times, whatever is around it: [[seconds, °C], …].
        temperature: Warmth = Warmth::Constant(20.0) => celsius(),
        /// Seconds in which it comes 63 % of the way to the temperature around it.
        time_constant: f32 = 10.0 => seconds().but_not_lowest(),
    }
}

crate::table! {
    /// A place with a temperature of its own.
    struct HeatTable {
        /// How warm it is there, °C; or at which times: [[seconds, °C], …].
        temperature: Warmth => celsius(),
        /// Where; by default everywhere.
        within: Option<Region> = None,
    }
}

/// A temperature, °C, or a list of times and temperatures.
#[derive(Clone, Debug, PartialEq)]
pub enum Warmth {
    /// The same at all times.
    Constant(f32),
    /// Times, seconds, and temperatures.
    Keys(Vec<[f32; 2]>),
}

impl Decode for Warmth {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::Array(_) => Vec::decode(node, cx).map(Self::Keys),
            Value::Integer(_) | Value::Float(_) => f32::decode(node, cx).map(Self::Constant),
            _ => {
                cx.expected(node, "a temperature, or a list [[seconds, °C], …]");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self::Constant(20.0)
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        let number = f32::schema(definitions, limits);
        let keys = Vec::<[f32; 2]>::schema(definitions, limits);
        json!({ "anyOf": [number, keys] })
    }

    fn to_json(&self) -> Option<Json> {
        match self {
            Self::Constant(temperature) => temperature.to_json(),
            Self::Keys(_) => None,
        }
    }
}
