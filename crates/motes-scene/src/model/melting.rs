//! `melting` of bodies, `freezing` of liquids, and `[[heat]]`: temperatures, °C.

use serde_json::{Value as Json, json};

use super::Region;
use crate::decode::limits::{Limits, between, celsius, positive, seconds};
use crate::decode::node::{Node, Value};
use crate::decode::{Context, Decode, Definitions};

crate::table! {
    /// When a body turns into grains or a liquid and back.
    struct MeltingTable {
        /// What it melts into: "grains", or a liquid, which is a material of the file or a preset. By default ice melts into water, and all else into
        /// grains.
        into: Option<String> = None,
        /// Up to this temperature it is solid, °C; colder than that, what it was freezes. Known of water, molten_wax, molten_chocolate, lava and mercury.
        solidus: Option<f32> = None => celsius(),
        /// From this temperature on it has melted, °C; known of the same.
        liquidus: Option<f32> = None => celsius(),
        /// Heat that melting takes, J/kg; known of the same, and otherwise 0.
        latent_heat: Option<f32> = None => between(0.0, 1e8).of("J/kg"),
        /// Heat that warms it by a degree, J/(kg·K); known of the same, and otherwise 1000.
        heat_capacity: Option<f32> = None => positive(1e6).of("J/(kg·K)"),
        /// How warm it is at the start, °C; or at which times, whatever is around it: [[seconds, °C], …].
        temperature: Warmth = Warmth::Constant(20.0) => celsius(),
        /// Seconds in which it comes 63 % of the way to the temperature around it.
        time_constant: f32 = 10.0 => seconds().but_not_lowest(),
    }
}

crate::table! {
    /// When a liquid turns into bodies and back.
    struct FreezingTable {
        /// What it is made of while it is solid: a material of the file or a preset. By default ice of water, and of all else a solid as dense as the
        /// liquid with a friction of 0.5.
        solid: Option<String> = None,
        /// Up to this temperature it is solid, °C. Known of water, molten_wax, molten_chocolate, lava and mercury.
        solidus: Option<f32> = None => celsius(),
        /// From this temperature on it is liquid, °C; known of the same.
        liquidus: Option<f32> = None => celsius(),
        /// Heat that melting takes, J/kg; known of the same, and otherwise 0.
        latent_heat: Option<f32> = None => between(0.0, 1e8).of("J/kg"),
        /// Heat that warms it by a degree, J/(kg·K); known of the same, and otherwise 1000.
        heat_capacity: Option<f32> = None => positive(1e6).of("J/(kg·K)"),
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
