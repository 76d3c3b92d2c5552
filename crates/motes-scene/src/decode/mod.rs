//! Reading a scene file: from a tree of located values to typed tables, collecting every mistake on the way.
//!
//! A type is declared once, with [`table!`](crate::table), [`choice!`](crate::choice) or [`words!`](crate::words), and gets its decoding and its
//! JSON Schema from that declaration. `serde` would stop at the first mistake; this does not.

pub(crate) mod choice;
mod containers;
pub(crate) mod limits;
pub(crate) mod node;
pub(crate) mod path;
mod scalars;
pub(crate) mod table;
pub(crate) mod words;

use serde_json::{Map, Value as Json, json};

use crate::nearest::nearest;
use crate::problem::{Place, Problem};
use limits::Limits;
use node::{Node, Value};

/// A type that scene files can hold.
pub(crate) trait Decode: Sized {
    /// Reads a value; on a mistake notes it and gives nothing.
    fn decode(node: &Node, cx: &mut Context) -> Option<Self>;
    /// JSON Schema of the type, its numbers within the limits.
    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json;
    /// The value as a default in the schema; nothing where a default is not worth showing.
    fn to_json(&self) -> Option<Json> {
        None
    }
}

/// Where in the document decoding is, and what it has found wrong.
#[derive(Default)]
pub(crate) struct Context {
    path: String,
    limits: Limits,
    problems: Vec<Problem>,
}

impl Context {
    /// Decodes a whole document; gives every problem if there is any.
    pub(crate) fn decode<T: Decode>(document: &Node) -> Result<T, Vec<Problem>> {
        let mut cx = Self::default();
        let value = T::decode(document, &mut cx);
        match value {
            Some(value) if cx.problems.is_empty() => Ok(value),
            _ => Err(cx.problems),
        }
    }

    /// Limits of the numbers being read.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Decodes the value under a key.
    pub(crate) fn key<T: Decode>(&mut self, key: &str, limits: Limits, node: &Node) -> Option<T> {
        let shown = path::quoted(key);
        let segment = if self.path.is_empty() {
            shown
        } else {
            format!(".{shown}")
        };
        self.inside(&segment, limits, node)
    }

    /// Decodes an element of an array; the limits stay.
    pub(crate) fn index<T: Decode>(&mut self, index: usize, node: &Node) -> Option<T> {
        self.inside(&format!("[{index}]"), self.limits, node)
    }

    fn inside<T: Decode>(&mut self, segment: &str, limits: Limits, node: &Node) -> Option<T> {
        let length = self.path.len();
        let outer = std::mem::replace(&mut self.limits, limits);
        self.path.push_str(segment);
        let value = T::decode(node, self);
        self.path.truncate(length);
        self.limits = outer;
        value
    }

    /// Notes a mistake here.
    pub(crate) fn problem(&mut self, place: &Place, message: String, help: Option<String>) {
        let problem = Problem::error(place.clone(), self.path.clone(), message);
        self.problems.push(Problem { help, ..problem });
    }

    /// Notes a value of the wrong kind.
    pub(crate) fn expected(&mut self, node: &Node, expected: &str) {
        self.problem(
            &node.place,
            format!("expected {expected}, found {}", node.describe()),
            None,
        );
    }

    /// Notes a name that is none of the valid ones.
    pub(crate) fn unknown(&mut self, place: &Place, what: &str, name: &str, valid: &[&str]) {
        let help = match nearest(name, valid.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("valid are {}", enumerate(valid)),
        };
        self.problem(place, format!("unknown {what} `{}`", name.escape_debug()), Some(help));
    }

    /// Refuses what is not a table, and every key that is not among the valid ones.
    pub(crate) fn table<'n>(&mut self, node: &'n Node, valid: &[&str]) -> Option<&'n Node> {
        let Value::Table(entries) = &node.value else {
            self.expected(node, &format!("a table of {}", enumerate(valid)));
            return None;
        };
        for entry in entries {
            if !valid.contains(&entry.key.as_str()) {
                self.unknown(&entry.key_place, "key", &entry.key, valid);
            }
        }
        Some(node)
    }
}

/// Names in a row, for messages.
pub(crate) fn enumerate(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// Schemas of the named types, each written once.
#[derive(Default)]
pub(crate) struct Definitions {
    types: Map<String, Json>,
}

impl Definitions {
    /// A reference to the type of that name, which is described when it is met first.
    pub(crate) fn refer(&mut self, name: &str, describe: impl FnOnce(&mut Self) -> Json) -> Json {
        if !self.types.contains_key(name) {
            // Entered before it is described, so that a type may hold itself.
            self.types.insert(name.into(), Json::Null);
            let schema = describe(self);
            self.types.insert(name.into(), schema);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// All types met, by name.
    pub(crate) fn into_json(self) -> Json {
        Json::Object(self.types)
    }
}

/// Documentation lines as one description.
pub(crate) fn description(lines: &[&str]) -> String {
    let trimmed: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    trimmed.join(" ").trim().to_owned()
}
