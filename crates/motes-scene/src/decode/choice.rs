//! `choice!`: one of several things, written as a table with one key: `shape = { sphere = { radius = 1 } }`.

use super::node::{Entry, Node, Value};
use super::{Context, enumerate};

/// Declares an enum whose variants are the keys of a table with exactly one of them.
macro_rules! choice {
    (
        $(#[doc = $doc:literal])*
        enum $name:ident {
            $($(#[doc = $variant_doc:literal])* $key:literal => $variant:ident($type:ty)),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $($(#[doc = $variant_doc])* $variant($type)),*
        }

        impl $crate::decode::Decode for $name {
            fn decode(
                node: &$crate::decode::node::Node,
                cx: &mut $crate::decode::Context,
            ) -> Option<Self> {
                let entry = $crate::decode::choice::only_entry(node, &[$($key),*], cx)?;
                let limits = $crate::decode::limits::Limits::default();
                match entry.key.as_str() {
                    $($key => cx.key::<$type>($key, limits, &entry.node).map(Self::$variant),)*
                    _ => None,
                }
            }

            fn schema(
                definitions: &mut $crate::decode::Definitions,
                _: &$crate::decode::limits::Limits,
            ) -> serde_json::Value {
                definitions.refer(stringify!($name), |definitions| {
                    let limits = $crate::decode::limits::Limits::default();
                    serde_json::json!({
                        "description": $crate::decode::description(&[$($doc),*]),
                        "oneOf": [$({
                            "type": "object",
                            "description": $crate::decode::description(&[$($variant_doc),*]),
                            "properties": { $key: <$type as $crate::decode::Decode>::schema(definitions, &limits) },
                            "required": [$key],
                            "additionalProperties": false,
                        }),*],
                    })
                })
            }
        }
    };
}
pub(crate) use choice;

/// The one entry of a choice.
pub(crate) fn only_entry<'n>(node: &'n Node, valid: &[&str], cx: &mut Context) -> Option<&'n Entry> {
    let Value::Table(entries) = &node.value else {
        cx.expected(node, &format!("a table with one of {}", enumerate(valid)));
        return None;
    };
    for entry in entries {
        if !valid.contains(&entry.key.as_str()) {
            cx.unknown(&entry.key_place, "key", &entry.key, valid);
            return None;
        }
    }
    match entries.as_slice() {
        [entry] => Some(entry),
        [] => {
            cx.problem(
                &node.place,
                format!("expected one of {}, found an empty table", enumerate(valid)),
                None,
            );
            None
        }
        [first, second, ..] => {
            let message = format!("expected only one of `{}` and `{}`", first.key, second.key);
            cx.problem(&second.key_place, message, None);
            None
        }
    }
}
