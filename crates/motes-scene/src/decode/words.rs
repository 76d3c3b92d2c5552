//! `words!`: one of several words, written as a string: `up = "y"`.

use super::Context;
use super::node::{Node, Value};

/// Declares an enum whose variants are strings.
macro_rules! words {
    (
        $(#[doc = $doc:literal])*
        enum $name:ident {
            $($(#[doc = $variant_doc:literal])* $word:literal => $variant:ident),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $variant_doc])* $variant),*
        }

        impl $name {
            /// The word that scene files use.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),*
                }
            }
        }

        impl $crate::decode::Decode for $name {
            fn decode(
                node: &$crate::decode::node::Node,
                cx: &mut $crate::decode::Context,
            ) -> Option<Self> {
                match $crate::decode::words::word(node, &[$($word),*], cx)? {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            fn stand_in() -> Self {
                $crate::decode::choice::first!($(Self::$variant),*)
            }

            fn schema(
                definitions: &mut $crate::decode::Definitions,
                _: &$crate::decode::limits::Limits,
            ) -> serde_json::Value {
                definitions.refer(stringify!($name), |_| {
                    serde_json::json!({
                        "description": $crate::decode::description(&[$($doc),*]),
                        "enum": [$($word),*],
                    })
                })
            }

            fn to_json(&self) -> Option<serde_json::Value> {
                Some(self.word().into())
            }
        }
    };
}
pub(crate) use words;

/// The string, if it is one of the valid words.
pub(crate) fn word<'n>(node: &'n Node, valid: &[&str], cx: &mut Context) -> Option<&'n str> {
    match &node.value {
        Value::String(word) if valid.contains(&word.as_str()) => Some(word),
        Value::String(word) => {
            cx.unknown_word(&node.place, word, valid);
            None
        }
        _ => {
            cx.expected(node, &format!("one of {} as a string", super::enumerate(valid)));
            None
        }
    }
}
