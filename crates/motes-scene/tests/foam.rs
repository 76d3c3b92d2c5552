//! Foam in scenes: what is built of it, and what `check` says of it.
#![allow(clippy::unwrap_used)]

use motes_core::{CpuEngine, Foam};
use motes_scene::{Scene, Severity, check};

const WATER: &str = "particle_radius = 0.05\nseed = 7\n[[collider]]\nshape = { plane = {} }\n\
                     [[fluid]]\nshape = { box = { min = [0, 0, 0], max = [1, 0.5, 0.8] } }\n";

fn foam(text: &str) -> Option<Foam> {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let built = scene
        .build(Box::new(CpuEngine::new()))
        .unwrap_or_else(|error| panic!("{error}"));
    built.world.foam().copied()
}

fn problems(text: &str) -> Vec<(Severity, String)> {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    check(&scene)
        .into_iter()
        .map(|problem| (problem.severity, problem.path))
        .collect()
}

#[test]
fn the_table_alone_foams_by_size_and_gravity() {
    assert_eq!(foam(WATER), None);
    let usual = foam(&format!("{WATER}[foam]\n")).unwrap();
    assert!(
        (usual.speed[0] - 1.5 * (9.81f32 * 0.1).sqrt()).abs() < 1e-5,
        "{usual:?}"
    );
    assert_eq!(usual.seed, 7, "that of the scene");
    let given = foam(&format!("{WATER}[foam]\namount = 2\nspeed = [1, 2]\nmost = 5000\n")).unwrap();
    assert_eq!(
        (given.air_rate, given.crest_rate),
        (2.0 * usual.air_rate, 2.0 * usual.crest_rate)
    );
    assert_eq!((given.speed, given.most), ([1.0, 2.0], 5000));
    assert_eq!(problems(&format!("{WATER}[foam]\nmost = 5000\n")), []);
}

#[test]
fn foam_of_nothing_is_doubted() {
    let warned = |path: &str| vec![(Severity::Warning, path.to_owned())];
    let dry = "[[collider]]\nshape = { plane = {} }\n[[grains]]\nshape = { box = { min = [0, 0, 0], max = [1, 1, 1] } }\n[foam]\n";
    assert_eq!(problems(dry), warned("foam"));
    let thick = format!("{WATER}material = \"glycerine\"\n[foam]\nmost = 5000\n");
    assert_eq!(problems(&thick), warned("foam.most_viscosity"));
    let many = format!("{WATER}[foam]\nmost = 5_000_000\n");
    assert_eq!(problems(&many), warned("foam.most"));
}

#[test]
fn thresholds_the_wrong_way_round_are_an_error() {
    for key in ["meeting", "sharpness", "speed"] {
        let wrong = problems(&format!("{WATER}[foam]\nmost = 5000\n{key} = [2, 1]\n"));
        assert_eq!(wrong, [(Severity::Error, format!("foam.{key}"))]);
    }
}
