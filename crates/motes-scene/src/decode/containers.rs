//! Optional values, lists, vectors, boxes and tables with free keys.

use std::collections::BTreeMap;

use glam::Vec3;
use serde_json::{Value as Json, json};

use super::limits::Limits;
use super::node::{Node, Value};
use super::{Context, Decode, Definitions};

impl<T: Decode> Decode for Option<T> {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        T::decode(node, cx).map(Some)
    }

    fn stand_in() -> Self {
        None
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        T::schema(definitions, limits)
    }

    fn to_json(&self) -> Option<Json> {
        self.as_ref().and_then(T::to_json)
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        T::decode(node, cx).map(Box::new)
    }

    fn stand_in() -> Self {
        Box::new(T::stand_in())
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        T::schema(definitions, limits)
    }
}

/// Decodes every element, so that the mistakes of all are listed and each keeps its place.
fn elements<T: Decode>(items: &[Node], cx: &mut Context) -> Vec<T> {
    let items = items.iter().enumerate();
    items
        .map(|(index, item)| cx.index(index, item).unwrap_or_else(T::stand_in))
        .collect()
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::Array(items) => Some(elements(items, cx)),
            _ => {
                cx.expected(node, "an array");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self::new()
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        json!({ "type": "array", "items": T::schema(definitions, limits) })
    }
}

impl<T: Decode, const N: usize> Decode for [T; N] {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::Array(items) if items.len() == N => elements(items, cx).try_into().ok(),
            _ => {
                cx.expected(node, &format!("an array of {N} numbers"));
                None
            }
        }
    }

    fn stand_in() -> Self {
        std::array::from_fn(|_| T::stand_in())
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        let items = T::schema(definitions, limits);
        json!({ "type": "array", "items": items, "minItems": N, "maxItems": N })
    }

    fn to_json(&self) -> Option<Json> {
        self.iter().map(T::to_json).collect::<Option<Vec<_>>>().map(Json::Array)
    }
}

impl Decode for Vec3 {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        <[f32; 3]>::decode(node, cx).map(Self::from_array)
    }

    fn stand_in() -> Self {
        Self::ONE
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        <[f32; 3]>::schema(definitions, limits)
    }

    fn to_json(&self) -> Option<Json> {
        self.to_array().to_json()
    }
}

impl<T: Decode> Decode for BTreeMap<String, T> {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            cx.expected(node, "a table");
            return None;
        };
        let decoded = entries.iter().map(|entry| {
            let value = cx.key(&entry.key, Limits::default(), &entry.node);
            (entry.key.clone(), value.unwrap_or_else(T::stand_in))
        });
        Some(decoded.collect())
    }

    fn stand_in() -> Self {
        Self::new()
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        json!({ "type": "object", "additionalProperties": T::schema(definitions, limits) })
    }
}
