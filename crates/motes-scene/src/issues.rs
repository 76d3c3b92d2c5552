//! Notes about a scene that decoded well, found back in its text by path.

use crate::decode::node::Node;
use crate::decode::path::locate;
use crate::problem::{Problem, Severity};

/// Collects problems of a scene.
pub(crate) struct Issues<'a> {
    document: &'a Node,
    problems: Vec<Problem>,
}

impl<'a> Issues<'a> {
    pub(crate) fn new(document: &'a Node) -> Self {
        Self {
            document,
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

    fn push(&mut self, path: &str, message: String, help: Option<String>, severity: Severity) {
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
