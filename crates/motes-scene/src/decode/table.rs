//! `table!`: a struct of a scene file, declared once with its documentation, defaults and limits.

use super::limits::Limits;
use super::node::Node;
use super::{Context, Decode};

/// Declares a table: a struct whose fields are the keys. A field is `name: Type = default => limits`, both optional;
/// a field without a default must be given. With `default struct`, every field has one, and so does the struct.
macro_rules! table {
    (
        $(#[doc = $doc:literal])*
        default struct $name:ident {
            $($(#[doc = $field_doc:literal])* $field:ident : $type:ty = $default:expr $(=> $limits:expr)?),* $(,)?
        }
    ) => {
        $crate::decode::table::table! {
            $(#[doc = $doc])*
            struct $name { $($(#[doc = $field_doc])* $field : $type = $default $(=> $limits)?),* }
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }
    };
    (
        $(#[doc = $doc:literal])*
        struct $name:ident {
            $($(#[doc = $field_doc:literal])* $field:ident : $type:ty $(= $default:expr)? $(=> $limits:expr)?),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $field_doc])* pub $field: $type),*
        }

        impl $crate::decode::Decode for $name {
            fn decode(
                node: &$crate::decode::node::Node,
                cx: &mut $crate::decode::Context,
            ) -> Option<Self> {
                let node = cx.table(node, &[$(stringify!($field)),*])?;
                $(let $field = $crate::decode::table::field::<$type>(
                    node,
                    stringify!($field),
                    $crate::decode::table::optional!($($default)?),
                    $crate::decode::table::field_limits!($($limits)?),
                    cx,
                );)*
                Some(Self { $($field: $field?),* })
            }

            fn schema(
                definitions: &mut $crate::decode::Definitions,
                _: &$crate::decode::limits::Limits,
            ) -> serde_json::Value {
                definitions.refer(stringify!($name), |definitions| {
                    let mut properties = serde_json::Map::new();
                    let mut required: Vec<&str> = Vec::new();
                    $({
                        let limits = $crate::decode::table::field_limits!($($limits)?);
                        let mut schema = <$type as $crate::decode::Decode>::schema(definitions, &limits);
                        schema["description"] = $crate::decode::description(&[$($field_doc),*]).into();
                        let default: Option<fn() -> $type> = $crate::decode::table::optional!($($default)?);
                        match default {
                            None => required.push(stringify!($field)),
                            Some(default) => {
                                if let Some(value) = $crate::decode::Decode::to_json(&default()) {
                                    schema["default"] = value;
                                }
                            }
                        }
                        properties.insert(stringify!($field).into(), schema);
                    })*
                    serde_json::json!({
                        "type": "object",
                        "description": $crate::decode::description(&[$($doc),*]),
                        "properties": properties,
                        "required": required,
                        "additionalProperties": false,
                    })
                })
            }
        }
    };
}
pub(crate) use table;

/// A default as a function, if there is one.
macro_rules! optional {
    () => {
        None
    };
    ($default:expr) => {
        Some(|| $default)
    };
}
pub(crate) use optional;

/// The limits of a field, if it has any.
macro_rules! field_limits {
    () => {
        $crate::decode::limits::Limits::default()
    };
    ($limits:expr) => {
        $limits
    };
}
pub(crate) use field_limits;

/// The value of one key, or its default.
pub(crate) fn field<T: Decode>(
    table: &Node,
    key: &'static str,
    default: Option<fn() -> T>,
    limits: Limits,
    cx: &mut Context,
) -> Option<T> {
    match (table.get(key), default) {
        (Some(entry), _) => cx.key(key, limits, &entry.node),
        (None, Some(default)) => Some(default()),
        (None, None) => {
            cx.problem(&table.place, format!("missing key `{key}`"), None);
            None
        }
    }
}
