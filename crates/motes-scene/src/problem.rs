//! What is wrong with a scene file: one [`Problem`] per mistake, all of them at once in a [`SceneError`].

use std::fmt;
use std::sync::Arc;

/// How bad a problem is. Errors come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The scene cannot be used.
    Error,
    /// The scene runs, but probably not as meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, or the `--set` argument.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Place {
    /// The first character of a file.
    pub fn start(file: &str) -> Self {
        Self {
            file: file.into(),
            line: 1,
            column: 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One mistake or doubt, with the place it concerns. Problems sort by place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// The key it concerns, such as `collider[2].shape.box.min`; empty for the whole file.
    pub path: String,
    /// What was found and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// How bad it is.
    pub severity: Severity,
}

impl Problem {
    /// An error without advice.
    pub fn error(place: Place, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            place,
            path: path.into(),
            message: message.into(),
            help: None,
            severity: Severity::Error,
        }
    }

    /// The same problem with advice.
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// Whether the scene cannot be used because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: ", self.place, self.severity)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// A scene that cannot be used, with everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", listed(.problems))]
pub struct SceneError {
    /// Every problem found, in order of place; never empty.
    pub problems: Vec<Problem>,
}

impl SceneError {
    /// All the problems, sorted and each once.
    pub(crate) fn new(mut problems: Vec<Problem>) -> Self {
        problems.sort();
        problems.dedup();
        Self { problems }
    }
}

impl From<Problem> for SceneError {
    fn from(problem: Problem) -> Self {
        Self::new(vec![problem])
    }
}

fn listed(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_reads_like_a_compiler_message() {
        let place = Place {
            file: "box.toml".into(),
            line: 12,
            column: 5,
        };
        let problem = Problem::error(place, "collider[2].shape", "unknown key `bxo`").with_help("did you mean `box`?");
        assert_eq!(
            problem.to_string(),
            "box.toml:12:5: error: collider[2].shape: unknown key `bxo`\n  help: did you mean `box`?"
        );
    }
}
