//! `table!`: a struct of a scene file, declared once with its documentation, defaults and limits.

use serde_json::{Map, Value as Json};

use super::limits::Limits;
use super::node::{Entry, Node, Value};
use super::{Context, Decode, Definitions, enumerate};

/// Declares a table: a struct whose fields are the keys. A field is `name: Type = default => limits`, both optional;
/// a field without a default must be given. With `default struct`, every field has one, and so does the struct. A first line
/// `..part: Part` takes in all keys of another table.
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
            $(.. $part:ident : $part_type:ty,)?
            $($(#[doc = $field_doc:literal])* $field:ident : $type:ty $(= $default:expr)? $(=> $limits:expr)?),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(/// The keys that it shares with others of its kind.
            pub $part: $part_type,)?
            $($(#[doc = $field_doc])* pub $field: $type),*
        }

        impl $crate::decode::table::Keys for $name {
            fn names() -> Vec<&'static str> {
                let own: &[&'static str] = &[$(stringify!($field)),*];
                let shared: Vec<&'static str> = $crate::decode::table::names!($($part_type)?);
                shared.into_iter().chain(own.iter().copied()).collect()
            }

            // A table may have no keys.
            #[allow(unused_variables)]
            fn read(
                table: &$crate::decode::table::Fields<'_>,
                cx: &mut $crate::decode::Context,
            ) -> Self {
                Self {
                    $($part: <$part_type as $crate::decode::table::Keys>::read(table, cx),)?
                    $($field: table.read::<$type>(
                        stringify!($field),
                        $crate::decode::table::optional!($($default)?),
                        $crate::decode::table::field_limits!($($limits)?),
                        cx,
                    )),*
                }
            }

            #[allow(unused_variables)]
            fn describe(
                definitions: &mut $crate::decode::Definitions,
                properties: &mut serde_json::Map<String, serde_json::Value>,
                required: &mut Vec<&'static str>,
            ) {
                $(<$part_type as $crate::decode::table::Keys>::describe(definitions, properties, required);)?
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
            }
        }

        impl $crate::decode::Decode for $name {
            fn decode(
                node: &$crate::decode::node::Node,
                cx: &mut $crate::decode::Context,
            ) -> Option<Self> {
                let names = <Self as $crate::decode::table::Keys>::names();
                let table = $crate::decode::table::Fields::of(node, &names, cx)?;
                Some(<Self as $crate::decode::table::Keys>::read(&table, cx))
            }

            fn stand_in() -> Self {
                Self {
                    $($part: <$part_type as $crate::decode::Decode>::stand_in(),)?
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
                    <Self as $crate::decode::table::Keys>::describe(definitions, &mut properties, &mut required);
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

/// What a table knows of its keys, for itself and for tables that take them in.
pub(crate) trait Keys: Decode {
    /// All of them.
    fn names() -> Vec<&'static str>;
    /// Reads them from a table.
    fn read(table: &Fields<'_>, cx: &mut Context) -> Self;
    /// Adds their schemas, and which of them must be given.
    fn describe(definitions: &mut Definitions, properties: &mut Map<String, Json>, required: &mut Vec<&'static str>);
}

/// The keys of a table that is taken in, if there is one.
macro_rules! names {
    () => {
        Vec::new()
    };
    ($part:ty) => {
        <$part as $crate::decode::table::Keys>::names()
    };
}
pub(crate) use names;

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
    /// Keys that were probably meant by unknown ones, and these.
    meant: Vec<(&'static str, &'n Entry)>,
    /// Unknown keys that are like none.
    strangers: Vec<&'n str>,
}

impl<'n> Fields<'n> {
    /// Refuses what is not a table, and every key that is not among the valid ones.
    pub(crate) fn of(node: &'n Node, valid: &[&'static str], cx: &mut Context) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            cx.expected(node, &format!("a table of {}", enumerate(valid)));
            return None;
        };
        let unknown = entries.iter().filter(|entry| !valid.contains(&entry.key.as_str()));
        let (mut meant, mut strangers) = (Vec::new(), Vec::new());
        for entry in unknown {
            match cx.unknown_key(entry, valid) {
                Some(key) => meant.push((key, entry)),
                None => strangers.push(entry.key.as_str()),
            }
        }
        Some(Self { node, meant, strangers })
    }

    /// The value of one key, or of an unknown one that probably meant it, or its default.
    pub(crate) fn read<T: Decode>(
        &self,
        key: &'static str,
        default: Option<fn() -> T>,
        limits: Limits,
        cx: &mut Context,
    ) -> T {
        let decoded = match self.node.get(key) {
            Some(entry) => cx.key(key, limits, &entry.node),
            None => match self.meant.iter().find(|(meant, _)| *meant == key) {
                // Its value is looked at too, so that one slip does not hide others.
                Some((_, entry)) => cx.guess(key, limits, &entry.node),
                None => {
                    // `radius` may have meant `particle_radius`.
                    let may_be = |stranger: &&str| key.contains(*stranger) || stranger.contains(key);
                    if default.is_none() {
                        cx.missing(self.node, key);
                    } else if self.strangers.iter().any(may_be) {
                        cx.doubt(key);
                    }
                    None
                }
            },
        };
        decoded.unwrap_or_else(|| value_of(default))
    }
}
