//! `table!`: a struct of a scene file, declared once with its documentation, defaults and limits.

use super::limits::Limits;
use super::node::{Node, Value};
use super::{Context, Decode, enumerate};

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
                let table = $crate::decode::table::Fields::of(node, &[$(stringify!($field)),*], cx)?;
                Some(Self {
                    $($field: table.read::<$type>(
                        stringify!($field),
                        $crate::decode::table::optional!($($default)?),
                        $crate::decode::table::field_limits!($($limits)?),
                        cx,
                    )),*
                })
            }

            fn stand_in() -> Self {
                Self {
                    $($field: $crate::decode::table::value_of(
                        $crate::decode::table::optional!($($default)?)
                    )),*
                }
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

/// The default of a field, or a stand-in where it has none.
pub(crate) fn value_of<T: Decode>(default: Option<fn() -> T>) -> T {
    default.map_or_else(T::stand_in, |default| default())
}

/// A table whose keys have been looked at.
pub(crate) struct Fields<'n> {
    node: &'n Node,
    /// Keys that were probably meant by unknown ones.
    meant: Vec<&'static str>,
    /// Whether there is an unknown key that may have meant anything.
    stranger: bool,
}

impl<'n> Fields<'n> {
    /// Refuses what is not a table, and every key that is not among the valid ones.
    pub(crate) fn of(node: &'n Node, valid: &[&'static str], cx: &mut Context) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            cx.expected(node, &format!("a table of {}", enumerate(valid)));
            return None;
        };
        let unknown = entries.iter().filter(|entry| !valid.contains(&entry.key.as_str()));
        let meant: Vec<Option<&str>> = unknown.map(|entry| cx.unknown_key(entry, valid)).collect();
        Some(Self {
            node,
            stranger: meant.contains(&None),
            meant: meant.into_iter().flatten().collect(),
        })
    }

    /// The value of one key, or its default. A key that is not given but may be what an unknown one meant is in doubt.
    pub(crate) fn read<T: Decode>(
        &self,
        key: &'static str,
        default: Option<fn() -> T>,
        limits: Limits,
        cx: &mut Context,
    ) -> T {
        let decoded = match self.node.get(key) {
            Some(entry) => cx.key(key, limits, &entry.node),
            None => {
                let misspelt = self.meant.contains(&key);
                if default.is_none() && !misspelt {
                    cx.missing(self.node, key);
                } else if misspelt || self.stranger {
                    cx.doubt(key);
                }
                None
            }
        };
        decoded.unwrap_or_else(|| value_of(default))
    }
}
