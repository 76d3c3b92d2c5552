//! Numbers, flags and strings.

use serde_json::{Value as Json, json};

use super::limits::Limits;
use super::node::{Node, Value};
use super::{Context, Decode, Definitions};

impl Decode for f32 {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        let number = match node.value {
            Value::Float(number) => number,
            Value::Integer(number) => number as f64,
            _ => {
                cx.expected(node, "a number");
                return None;
            }
        };
        let limits = cx.limits();
        if !limits.accept(number) {
            cx.expected(node, &limits.describe());
            return None;
        }
        Some(number as f32)
    }

    fn stand_in() -> Self {
        1.0
    }

    fn schema(_: &mut Definitions, limits: &Limits) -> Json {
        let mut schema = json!({ "type": "number" });
        limits.restrict(&mut schema);
        schema
    }

    fn to_json(&self) -> Option<Json> {
        // Through text, so that 0.1 reads 0.1 and not the nearest single-precision number in full.
        self.is_finite()
            .then(|| json!(self.to_string().parse::<f64>().unwrap_or_default()))
    }
}

/// A whole number within the limits and the type.
fn integer(node: &Node, cx: &mut Context, high: u64) -> Option<u64> {
    let Value::Integer(number) = node.value else {
        let help = match node.value {
            Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(format!("write {number:.0}")),
            _ => None,
        };
        cx.problem(
            &node.place,
            format!("expected a whole number, found {}", node.describe()),
            help,
        );
        return None;
    };
    let limits = cx.limits();
    match u64::try_from(number) {
        Ok(whole) if whole <= high && (limits == Limits::default() || limits.accept(whole as f64)) => Some(whole),
        _ if limits == Limits::default() => {
            cx.expected(node, &format!("a whole number from 0 to {high}"));
            None
        }
        _ => {
            cx.expected(node, &limits.describe().replacen("a number", "a whole number", 1));
            None
        }
    }
}

fn integer_schema(limits: &Limits) -> Json {
    let mut schema = json!({ "type": "integer", "minimum": 0 });
    if *limits != Limits::default() {
        limits.restrict(&mut schema);
    }
    schema
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl Decode for $type {
            fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
                integer(node, cx, u64::from(Self::MAX)).and_then(|whole| Self::try_from(whole).ok())
            }

            fn stand_in() -> Self {
                1
            }

            fn schema(_: &mut Definitions, limits: &Limits) -> Json {
                integer_schema(limits)
            }

            fn to_json(&self) -> Option<Json> {
                Some(json!(self))
            }
        }
    )*};
}
whole_numbers!(u8, u32, u64);

impl Decode for bool {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match node.value {
            Value::Boolean(flag) => Some(flag),
            _ => {
                cx.expected(node, "true or false");
                None
            }
        }
    }

    fn stand_in() -> Self {
        false
    }

    fn schema(_: &mut Definitions, _: &Limits) -> Json {
        json!({ "type": "boolean" })
    }

    fn to_json(&self) -> Option<Json> {
        Some(json!(self))
    }
}

impl Decode for String {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::String(text) => Some(text.clone()),
            _ => {
                cx.expected(node, "a string");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self::new()
    }

    fn schema(_: &mut Definitions, _: &Limits) -> Json {
        json!({ "type": "string" })
    }

    fn to_json(&self) -> Option<Json> {
        (!self.is_empty()).then(|| json!(self))
    }
}
