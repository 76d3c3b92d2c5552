//! Every kind of mistake in a scene file is named, with its line, what was found and what was expected.
#![allow(clippy::unwrap_used)]

mod bodies;
mod cloth;
mod joints;
mod pictures;
mod text;
mod things;
mod triggers;

use motes_scene::check::check_text;
use motes_scene::{Problem, Scene, SizeLimits};

fn problems(text: &str) -> Vec<Problem> {
    Scene::from_toml(text, "test.toml")
        .expect_err("the scene was accepted")
        .problems
}

fn build_problems(text: &str) -> Vec<Problem> {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let engine = Box::new(motes_core::CpuEngine::new());
    match scene.build_within(engine, SizeLimits::default()) {
        Ok(_) => panic!("the scene was built"),
        Err(error) => error.problems,
    }
}

/// Asserts that there is exactly one problem: its line, its path, and words of its message and help.
fn assert_only(problems: &[Problem], line: u32, path: &str, words: &[&str]) {
    let [problem] = problems else {
        panic!("expected one problem, found {problems:#?}")
    };
    assert_eq!((problem.place.line, problem.path.as_str()), (line, path), "{problem}");
    let text = problem.to_string();
    assert!(text.starts_with(&format!("test.toml:{line}:")), "{text}");
    for word in words {
        assert!(text.contains(word), "{word:?} is not in {text:?}");
    }
}

const BALL: &str = "[[grains]]\nshape = { sphere = { radius = 1 } }\n";
