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

            fn stand_in() -> Self {
                $crate::decode::choice::first!($(Self::$variant(<$type as $crate::decode::Decode>::stand_in())),*)
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

/// The first of several expressions.
macro_rules! first {
    ($first:expr $(, $rest:expr)*) => {
        $first
    };
}
pub(crate) use first;

/// The one entry of a choice. Of several, the first is taken, so that the mistakes within it are found too.
pub(crate) fn only_entry<'n>(node: &'n Node, valid: &[&str], cx: &mut Context) -> Option<&'n Entry> {
    let Value::Table(entries) = &node.value else {
        cx.expected(node, &format!("a table with one of {}", enumerate(valid)));
        return None;
    };
    let (known, unknown): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| valid.contains(&entry.key.as_str()));
    for entry in &unknown {
        cx.unknown_choice(entry, valid);
    }
    match known.as_slice() {
        [] if unknown.is_empty() => {
            let message = format!("expected one of {}, found an empty table", enumerate(valid));
            cx.problem(&node.place, message, None);
        }
        [first, second, ..] => {
            let message = format!("expected only one of `{}` and `{}`", first.key, second.key);
            cx.problem(&second.key_place, message, None);
        }
        _ => {}
    }
    known.first().copied()
}
