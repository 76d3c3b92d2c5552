//! Doubts about a scene that is legal: overlaps, particles outside, bad sizes, names used twice.

mod grains;
mod names;
mod overlaps;
mod sizes;

use std::path::Path;

use crate::compile::{Plan, SizeLimits, compile};
use crate::problem::Problem;
use crate::scene::Scene;

/// Everything doubtful or impossible about a scene, in order of place.
pub fn check(scene: &Scene) -> Vec<Problem> {
    check_within(scene, SizeLimits::default())
}

/// Everything doubtful or impossible about a scene that must stay within limits.
pub fn check_within(scene: &Scene, limits: SizeLimits) -> Vec<Problem> {
    let mut issues = scene.issues();
    let plan = compile(scene, limits, &mut issues);
    let subject = Subject { scene, plan: &plan };
    names::check(scene, &mut issues);
    sizes::check(&subject, &mut issues);
    grains::check(&subject, &mut issues);
    overlaps::check(&subject, &mut issues);
    issues.into_sorted()
}

/// Everything wrong with or doubtful about a scene file.
pub fn check_file(path: impl AsRef<Path>) -> Vec<Problem> {
    match Scene::load(path) {
        Ok(scene) => check(&scene),
        Err(error) => error.problems,
    }
}

/// A scene and the world it would become.
struct Subject<'a> {
    scene: &'a Scene,
    plan: &'a Plan,
}

/// A count with its noun.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
