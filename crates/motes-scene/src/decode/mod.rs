//! Reading a scene file: from a tree of located values to typed tables, collecting every mistake on the way.
//!
//! What cannot be read gets its default, or else a stand-in, and is noted among the [`Doubts`]: later checks run over the
//! rest, and conclude nothing from stand-ins.
//!
//! A type is declared once, with [`table!`](crate::table), [`choice!`](crate::choice) or [`words!`](crate::words), and gets its decoding and its
//! JSON Schema from that declaration. `serde` would stop at the first mistake; this does not.

pub(crate) mod choice;
mod containers;
pub(crate) mod doubts;
mod json;
pub(crate) mod limits;
pub(crate) mod node;
pub(crate) mod path;
mod scalars;
pub(crate) mod table;
pub(crate) mod words;

use serde_json::{Map, Value as Json, json};

use crate::nearest::nearest;
use crate::problem::{Place, Problem};
use doubts::Doubts;
use limits::Limits;
use node::{Entry, Node};

/// A type that scene files can hold.
pub(crate) trait Decode: Sized {
    /// Reads a value; on a mistake notes it and gives nothing.
    fn decode(node: &Node, cx: &mut Context) -> Option<Self>;
    /// A harmless value in place of one that is missing or cannot be read.
    fn stand_in() -> Self;
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
    doubts: Doubts,
}

/// A value as far as it could be read.
pub(crate) struct Decoded<T> {
    pub(crate) value: T,
    pub(crate) problems: Vec<Problem>,
    pub(crate) doubts: Doubts,
}

impl Context {
    /// Decodes a whole document as far as possible.
    pub(crate) fn decode<T: Decode>(document: &Node) -> Decoded<T> {
        let mut cx = Self::default();
        let value = T::decode(document, &mut cx).unwrap_or_else(T::stand_in);
        Decoded {
            value,
            problems: cx.problems,
            doubts: cx.doubts,
        }
    }

    /// Limits of the numbers being read.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Decodes the value under a key.
    pub(crate) fn key<T: Decode>(&mut self, key: &str, limits: Limits, node: &Node) -> Option<T> {
        let length = self.path.len();
        self.path = self.path_of(key);
        let value = self.within(limits, node);
        self.path.truncate(length);
        value
    }

    /// Decodes a value that probably belongs to a key. Where it does not fit, the value of the key is in doubt.
    pub(crate) fn guess<T: Decode>(&mut self, key: &str, limits: Limits, node: &Node) -> Option<T> {
        let (problems, doubts) = (self.problems.len(), self.doubts.clone());
        let value = self.key(key, limits, node);
        if self.problems.len() > problems {
            self.problems.truncate(problems);
            self.doubts = doubts;
            self.doubt(key);
            return None;
        }
        value
    }

    /// The path of a key of the table being read.
    pub(crate) fn path_of(&self, key: &str) -> String {
        let shown = path::quoted(key);
        if self.path.is_empty() {
            shown
        } else {
            format!("{}.{shown}", self.path)
        }
    }

    /// Decodes an element of an array; the limits stay.
    pub(crate) fn index<T: Decode>(&mut self, index: usize, node: &Node) -> Option<T> {
        let length = self.path.len();
        self.path.push_str(&format!("[{index}]"));
        let value = self.within(self.limits, node);
        self.path.truncate(length);
        value
    }

    fn within<T: Decode>(&mut self, limits: Limits, node: &Node) -> Option<T> {
        let outer = std::mem::replace(&mut self.limits, limits);
        let value = T::decode(node, self);
        self.limits = outer;
        value
    }

    /// Notes that the value being read is a mistake.
    pub(crate) fn problem(&mut self, place: &Place, message: String, help: Option<String>) {
        self.remark(place, message, help);
        self.doubts.add(self.path.clone());
    }

    /// Notes a mistake that leaves the value being read usable.
    fn remark(&mut self, place: &Place, message: String, help: Option<String>) {
        let problem = Problem::error(place.clone(), self.path.clone(), message);
        self.problems.push(Problem { help, ..problem });
    }

    /// Notes that a key which must be given is not.
    pub(crate) fn missing(&mut self, table: &Node, key: &str) {
        self.remark(&table.place, format!("missing key `{key}`"), None);
        self.doubt(key);
    }

    /// Notes that the value of a key of the table being read is unknown.
    pub(crate) fn doubt(&mut self, key: &str) {
        self.doubts.add(self.path_of(key));
    }

    /// Notes a value of the wrong kind.
    pub(crate) fn expected(&mut self, node: &Node, expected: &str) {
        self.problem(
            &node.place,
            format!("expected {expected}, found {}", node.describe()),
            None,
        );
    }

    /// Notes a value that is none of the valid words.
    pub(crate) fn unknown_word(&mut self, place: &Place, word: &str, valid: &[&str]) {
        let (help, _) = advice(word, valid);
        self.problem(place, format!("unknown value `{}`", word.escape_debug()), Some(help));
    }

    /// Notes a key that is none of those of which there may be one.
    pub(crate) fn unknown_choice(&mut self, entry: &Entry, valid: &[&str]) {
        self.unknown_key(entry, valid);
        self.doubts.add(self.path.clone());
    }

    /// Notes a key that is none of the valid ones; returns the one that was probably meant.
    pub(crate) fn unknown_key<'v>(&mut self, entry: &Entry, valid: &[&'v str]) -> Option<&'v str> {
        let (help, meant) = advice(&entry.key, valid);
        let message = format!("unknown key `{}`", entry.key.escape_debug());
        self.remark(&entry.key_place, message, Some(help));
        meant
    }
}

/// Names that other programs have for a key of ours, and what to mind when it is written in their place.
const FOREIGN: [(&str, &str, &str); 6] = [
    ("half_size", "size", "whole edges, twice the half"),
    ("half_extents", "size", "whole edges, twice the half"),
    ("extents", "size", "whole edges"),
    ("half_height", "height", "all of it, twice the half"),
    ("half_height", "length", "all of it, twice the half"),
    ("half_length", "length", "all of it, twice the half"),
];

/// What to write in place of an unknown name, in words and by itself.
pub(crate) fn advice<'v>(name: &str, valid: &[&'v str]) -> (String, Option<&'v str>) {
    let mut foreign = FOREIGN.iter().filter(|(theirs, ..)| *theirs == name);
    let ours = foreign.find_map(|(_, ours, note)| Some((*valid.iter().find(|key| *key == ours)?, note)));
    if let Some((meant, note)) = ours {
        return (format!("did you mean `{meant}` ({note})?"), Some(meant));
    }
    match nearest(name, valid.iter().copied()) {
        Some(meant) => (format!("did you mean `{meant}`?"), Some(meant)),
        None => (format!("valid are {}", enumerate(valid)), None),
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
