//! Mutated and random scene files never panic: they are read, checked and built, or refused with problems.
#![allow(clippy::unwrap_used)]

use motes_scene::check::check_text;
use motes_scene::gallery::gallery;
use motes_scene::{Problem, Scene, SizeLimits};
use proptest::prelude::*;

/// Small enough that a hundred scenes take a few seconds.
const SMALL: SizeLimits = SizeLimits {
    particles: 4_000,
    places: 60_000,
    samples: 100_000,
    distances: 10_000,
};

/// Takes a text as far as it goes.
fn exercise(text: &str) {
    let problems = check_text(text, "fuzz.toml", SMALL);
    for problem in &problems {
        assert!(problem.place.line >= 1 && !problem.to_string().is_empty());
    }
    let Ok(scene) = Scene::from_toml(text, "fuzz.toml") else {
        assert!(problems.iter().any(Problem::is_error));
        return;
    };
    let view = scene.camera_at(scene.frames / 2);
    assert!(view.position.is_finite() && view.target.is_finite());
    match scene.build_within(Box::new(motes_core::CpuEngine::new()), SMALL) {
        Ok(built) => assert!(built.world.particle_count() as u64 <= 2 * SMALL.particles),
        Err(error) => assert!(!error.problems.is_empty()),
    }
}

/// The gallery's scenes with coarse particles, so that most of them are small enough to build.
fn coarse_texts() -> Vec<String> {
    let number = |text: &str| text.split('#').next().unwrap().trim().parse::<f32>().unwrap();
    let coarsen = |line: &'static str| match line.split_once(" = ") {
        Some((key @ ("particle_radius" | "radius"), radius)) => format!("{key} = {}", 3.5 * number(radius)),
        Some(("resolution", size)) if size.starts_with('[') => "resolution = [12, 12]".to_owned(),
        Some(("rate", _)) => "rate = 20".to_owned(),
        Some(("count", count)) if number(count) > 1000.0 => "count = 400".to_owned(),
        Some(("copies", copies)) => format!("copies = {}", copies.replace("8, 16, 8", "2, 2, 2")),
        _ => line.to_owned(),
    };
    let texts = gallery().iter().map(|entry| entry.text.lines().map(coarsen));
    texts.map(|lines| lines.collect::<Vec<_>>().join("\n")).collect()
}

fn coarse() -> impl Strategy<Value = String> {
    prop::sample::select(coarse_texts())
}

#[test]
fn unchanged_scenes_are_small_enough_to_build_and_run() {
    for text in coarse_texts() {
        let scene = Scene::from_toml(&text, "fuzz.toml").unwrap();
        let built = scene.build_within(Box::new(motes_core::CpuEngine::new()), SMALL);
        let mut world = built.unwrap_or_else(|error| panic!("{error}")).world;
        // What only pours begins empty.
        for frame in 0..scene.frames {
            if frame < 3 || world.particle_count() == 0 {
                world.step(scene.dt());
            }
        }
        assert!(world.particle_count() > 0, "{}", scene.name);
    }
}

/// Values that scene files are fond of tripping over.
const VALUES: &[&str] = &[
    "0",
    "-1",
    "1",
    "0.5",
    "1e-9",
    "1e9",
    "-1e30",
    "nan",
    "inf",
    "-inf",
    "true",
    "\"\"",
    "\"sand\"",
    "\"#ffffff\"",
    "[]",
    "{}",
    "[0, 0, 0]",
    "[1e9, 1e9, 1e9]",
    "[1, 2]",
    "[[0, 0, 0]]",
    "99999999999999999999",
    "1979-05-27",
    "{ box = {} }",
    "{ sphere = { radius = 1e6 } }",
    "{ union = [] }",
    "{ castle = { width = 1e-6 } }",
    "{ plane = {} }",
    "{ hull = { points = [[0,0,0],[0,0,0],[0,0,0],[0,0,0]] } }",
    "{ vessel = { turned = { profile = [[0, 0], [0, 0]] } } }",
    "{ heightfield = { grid = { heights = [], cell_size = 1 } } }",
    "{ sdf = { solid = { intersection = [{ sphere = { radius = 1 } }, { sphere = { radius = 1, center = [5, 0, 0] } }] } } }",
    "{ steady = { velocity = [1e9, 0, 0] } }",
    "{ outside = { outside = { below = { height = 0 } } } }",
    "{ path = { keys = [{ time = 0 }] } }",
    "\"torus\"",
    "\"gear\"",
    "\"nowhere.obj\"",
    "{ shell = 1 }",
    "{ markers = 2, sheath = 2, temperature = 600 }",
    "\"smoke\"",
    "{ torus = { radius = 0.3, tube_radius = 0.1 } }",
    "{ count = [2, 1, 1], spacing = [2, 0, 0] }",
    "{ count = [1000, 1000, 1000], spacing = [1e-6, 1, 1] }",
    "{ along = [[0, 0, 0], [0, 0, 0]], distance = 1e-6 }",
    "{ spacing = 1e-6, radius = 1e6 }",
    "{ count = [3, 1, 2], spacing = [2, 0, 2], joined = { closed = true } }",
    "{ along = [[0, 0, 0], [0, -3, 0]], distance = 1.5, turn = \"along\", twist = 90, joined = {} }",
    "\"rigid 0\"",
    "\"rigid 0 last\"",
    "\"hinge\"",
    "{ solidus = 50, liquidus = 60 }",
    "{ solidus = 60, liquidus = 50, temperature = 70 }",
    "{ solidus = 15, liquidus = 18, temperature = [[0, 10], [0.01, 20]], time_constant = 1e-9 }",
    "[[0, 20], [1, 90]]",
    "[[1, 20], [0, 90]]",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_bytes(text in coarse(), edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = text.into_bytes();
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            match byte % 4 {
                0 => bytes[place] = byte,
                1 => bytes[place] = b"0123456789.-eE[]{}\"=\n#"[byte as usize % 22],
                2 => { bytes.remove(place); }
                _ => bytes.insert(place, b"0123456789"[byte as usize % 10]),
            }
        }
        exercise(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutated_lines(text in coarse(), edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4), 1..5)) {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (from, to, kind) in edits {
            let (from, to) = (from.index(lines.len()), to.index(lines.len()));
            match kind {
                0 => { lines.remove(from); }
                1 => lines.swap(from, to),
                2 => { let line = lines[from].clone(); lines.insert(to, line); }
                _ => if let Some((key, _)) = lines[from].clone().split_once(" = ") {
                    lines[from] = format!("{key} = {}", VALUES[to % VALUES.len()]);
                }
            }
            if lines.is_empty() { break; }
        }
        exercise(&lines.join("\n"));
    }

    #[test]
    fn random_documents(entries in prop::collection::vec((prop::sample::select(KEYS), prop::sample::select(VALUES)), 0..25)) {
        let text: Vec<String> = entries.iter().map(|(key, value)| if key.starts_with('[') { (*key).to_owned() } else { format!("{key} = {value}") }).collect();
        exercise(&text.join("\n"));
    }

    #[test]
    fn random_assignments(text in coarse(), path in "[a-z]{1,9}(\\[[0-9]\\])?(\\.[a-z]{1,9}){0,2}|.{0,20}", value in prop::sample::select(VALUES)) {
        let _ = Scene::from_toml_with(&text, "fuzz.toml", &[format!("{path}={value}")]);
    }

    #[test]
    fn random_text(text in "\\PC{0,200}") {
        exercise(&text);
    }
}

/// Keys and headers of scene files.
const KEYS: &[&str] = &[
    "[[grains]]",
    "[[rigid]]",
    "[[soft]]",
    "[[plastic]]",
    "[[joint]]",
    "[[collider]]",
    "[[emitter]]",
    "[[field]]",
    "[[kill]]",
    "[[heat]]",
    "[camera]",
    "[render]",
    "[output]",
    "[solver]",
    "[material.sand]",
    "shape",
    "shape",
    "shape",
    "shape",
    "position",
    "rotation",
    "material",
    "motion",
    "velocity",
    "count",
    "spacing",
    "jitter",
    "rate",
    "speed",
    "lifetime",
    "kind",
    "within",
    "box",
    "below",
    "target",
    "up",
    "particle_radius",
    "gravity",
    "frames",
    "seed",
    "base",
    "density",
    "channels",
    "model",
    "mesh",
    "size",
    "filling",
    "copies",
    "clusters",
    "links",
    "stiffness",
    "threshold",
    "resolution",
    "body",
    "to",
    "at",
    "axis",
    "breaking_force",
    "mass_scaling",
    "melting",
    "temperature",
];
