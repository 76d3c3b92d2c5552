//! Notes about a scene after decoding, found back in its text by path. Nothing is noted about values that were not read.

use crate::decode::doubts::Doubts;
use crate::decode::node::Node;
use crate::decode::path::locate;
use crate::problem::{Problem, Severity};

/// Mistakes of one kind that are each named.
const MOST_ALIKE: usize = 10;

/// Collects problems of a scene.
pub(crate) struct Issues<'a> {
    document: &'a Node,
    doubts: &'a Doubts,
    problems: Vec<Problem>,
}

impl<'a> Issues<'a> {
    pub(crate) fn new(document: &'a Node, doubts: &'a Doubts) -> Self {
        Self {
            document,
            doubts,
            problems: Vec::new(),
        }
    }

    /// Notes that the scene cannot be built.
    pub(crate) fn error(&mut self, path: &str, message: impl Into<String>) {
        self.push(path, message.into(), None, Severity::Error);
    }

    /// Notes that the scene cannot be built, and what to do.
    pub(crate) fn error_with_help(&mut self, path: &str, message: impl Into<String>, help: impl Into<String>) {
        self.push(path, message.into(), Some(help.into()), Severity::Error);
    }

    /// Notes that the scene is probably not as meant.
    pub(crate) fn warning(&mut self, path: &str, message: impl Into<String>) {
        self.push(path, message.into(), None, Severity::Warning);
    }

    /// Notes that the scene is probably not as meant, and what to do.
    pub(crate) fn warning_with_help(&mut self, path: &str, message: impl Into<String>, help: impl Into<String>) {
        self.push(path, message.into(), Some(help.into()), Severity::Warning);
    }

    /// Passes a value on, or notes why there is none.
    pub(crate) fn accept<T, E: ToString>(&mut self, path: &str, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.error(path, error.to_string())).ok()
    }

    /// Notes the same kind of mistake at several paths: the first few, and how many more there are.
    pub(crate) fn errors(&mut self, mistakes: impl Iterator<Item = (String, String)>) {
        let mut mistakes = mistakes.filter(|(path, _)| self.doubts.sound(path));
        let mut named: Vec<(String, String)> = mistakes.by_ref().take(MOST_ALIKE).collect();
        let more = mistakes.count();
        if let (Some((_, last)), 1..) = (named.last_mut(), more) {
            last.push_str(&format!(", and {more} more like this"));
        }
        for (path, message) in named {
            self.error(&path, message);
        }
    }

    /// Whether the value of a path and everything within it was read.
    pub(crate) fn sound(&self, path: &str) -> bool {
        self.doubts.sound(path)
    }

    /// Whether the value of a path was read, though perhaps not all that lies within it.
    pub(crate) fn known(&self, path: &str) -> bool {
        self.doubts.known(path)
    }

    fn push(&mut self, path: &str, message: String, help: Option<String>, severity: Severity) {
        if !path.is_empty() && !self.doubts.sound(path) {
            return;
        }
        self.problems.push(Problem {
            place: locate(self.document, path),
            path: path.into(),
            message,
            help,
            severity,
        });
    }

    /// Everything noted, in order of place.
    pub(crate) fn into_sorted(mut self) -> Vec<Problem> {
        self.problems.sort();
        self.problems.dedup();
        self.problems
    }
}
