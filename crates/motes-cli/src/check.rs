//! `motes check`: every problem of a scene file; `motes schema`: what a scene file may say.

use anyhow::Result;
use motes_scene::{Problem, Severity, gallery};
use serde_json::{Value, json};

use crate::args::CheckOptions;

pub(crate) fn check(options: &CheckOptions) -> Result<u8> {
    let assignments = options.changes.assignments();
    let mut problems = Vec::new();
    for name in &options.scenes {
        problems.extend(gallery::check(name, &assignments));
    }
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    if options.json {
        let list: Vec<Value> = problems.iter().map(to_json).collect();
        say!("{}", serde_json::to_string_pretty(&list)?);
    } else {
        for problem in &problems {
            say!("{problem}");
        }
        say!("{errors} error(s), {} warning(s)", problems.len() - errors);
    }
    Ok(if errors > 0 { crate::FAILURE } else { crate::SUCCESS })
}

fn to_json(problem: &Problem) -> Value {
    json!({
        "file": &*problem.place.file,
        "line": problem.place.line,
        "column": problem.place.column,
        "path": problem.path,
        "severity": match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": problem.message,
        "help": problem.help,
    })
}

/// Prints the schema of scene files, or of model files.
pub(crate) fn schema(rig: bool) -> Result<u8> {
    let schema = if rig {
        motes_scene::rig_file::rig_schema()
    } else {
        motes_scene::schema()
    };
    say!("{}", serde_json::to_string_pretty(&schema)?);
    Ok(crate::SUCCESS)
}
