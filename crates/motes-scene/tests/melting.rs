//! Bodies that melt, and zones of heat, in scene files.
#![allow(clippy::unwrap_used)]

use motes_core::CpuEngine;
use motes_scene::{Scene, check};

const FLOOR: &str = "particle_radius = 0.05\n[[collider]]\nshape = { plane = {} }\n";

fn wax(melting: &str) -> String {
    format!(
        "{FLOOR}[[rigid]]\nshape = {{ sphere = {{ radius = 0.3 }} }}\nposition = [0, 0.3, 0]\nmelting = {{ {melting} }}\n"
    )
}

/// What is said of a scene: path and message of each problem.
fn said(text: &str) -> Vec<(String, String)> {
    let problems = match Scene::from_toml(text, "test.toml") {
        Ok(scene) => check(&scene),
        Err(error) => error.problems,
    };
    let each = problems.into_iter();
    each.map(|problem| {
        (
            problem.path,
            format!("{}: {}", problem.message, problem.help.unwrap_or_default()),
        )
    })
    .collect()
}

fn assert_said(text: &str, path: &str, words: &str) {
    let said = said(text);
    assert!(
        said.len() == 1 && said[0].0 == path && said[0].1.contains(words),
        "{said:?}"
    );
}

const PLATE: &str = "[[heat]]\ntemperature = 90\nwithin = { box = { min = [-1, 0, -1], max = [1, 1, 1] } }\n";

#[test]
fn a_ball_on_the_hot_plate_melts_and_one_beside_it_does_not() {
    let text = format!(
        "{}copies = {{ count = [2, 1, 1], spacing = [3, 0, 0] }}\n{PLATE}",
        wax("solidus = 40, liquidus = 50, time_constant = 1")
    );
    assert_eq!(said(&text), []);
    let scene = Scene::from_toml(&text, "test.toml").unwrap();
    let mut built = scene.build(Box::new(CpuEngine::new())).unwrap();
    for _ in 0..90 {
        built.world.step(scene.dt());
    }
    let melts = built.world.melts();
    assert!(melts[0].body().is_none() && melts[0].temperature() > 50.0);
    assert_eq!(melts[1].body(), Some(built.looks.bodies[1].body));
    assert_eq!(melts[1].temperature(), 20.0);
}

#[test]
fn a_script_melts_and_freezes_whatever_is_around() {
    let text = wax("solidus = 40, liquidus = 50, temperature = [[0, 20], [0.5, 60], [1, 30]]");
    let scene = Scene::from_toml(&text, "test.toml").unwrap();
    let mut built = scene.build(Box::new(CpuEngine::new())).unwrap();
    let mut course = vec![true];
    for _ in 0..70 {
        built.world.step(scene.dt());
        course.push(built.world.melts()[0].body().is_some());
    }
    course.dedup();
    assert_eq!(course, [true, false, true]);
}

#[test]
fn mistakes_are_named() {
    assert_said(
        &wax("solidus = 50, liquidus = 40"),
        "rigid[0].melting.liquidus",
        "above the solidus of 50 °C, found 40 °C",
    );
    assert_said(&wax("solidus = 50"), "rigid[0].melting", "liquidus");
    assert_said(
        &wax("solidus = -300, liquidus = 40"),
        "rigid[0].melting.solidus",
        "between -273.15 and 1e6 °C",
    );
    assert_said(
        &wax("solidus = 10, liquidus = 40, time_constant = 0"),
        "rigid[0].melting.time_constant",
        "above 0",
    );
    assert_said(
        &wax("solidus = 10, liquidsu = 40"),
        "rigid[0].melting",
        "did you mean `liquidus`?",
    );
    let keys = |keys: &str| wax(&format!("solidus = 10, liquidus = 40, temperature = {keys}"));
    assert_said(&keys("[]"), "rigid[0].melting.temperature", "at least one");
    assert_said(
        &keys("[[0, 20], [2, 30], [1, 40]]"),
        "rigid[0].melting.temperature[2]",
        "a time after 2 s, found 1 s",
    );
    assert_said(&keys("[[-1, 20]]"), "rigid[0].melting.temperature[0]", "from 0 s on");
    assert_said(&keys("[[1, 20, 5]]"), "rigid[0].melting.temperature[0]", "2 numbers");
    assert_said(&keys("\"hot\""), "rigid[0].melting.temperature", "[[seconds, °C], …]");
    assert_said(
        &format!("{}kinematic = true\n", wax("solidus = 10, liquidus = 40")),
        "rigid[0].melting",
        "kinematic",
    );
    let heat = format!(
        "{}[[heat]]\ntemperature = 90\nwithin = {{ boxx = {{}} }}\n",
        wax("solidus = 10, liquidus = 40")
    );
    assert_said(&heat, "heat[0].within", "did you mean `box`?");
    let zone = format!(
        "{}[[heat]]\ntemperature = [[1, 5], [1, 6]]\n",
        wax("solidus = 10, liquidus = 40")
    );
    assert_said(&zone, "heat[0].temperature[1]", "after 1 s");
}

#[test]
fn what_is_strange_is_doubted() {
    let cold = wax("solidus = 40, liquidus = 50");
    assert_said(&cold, "rigid[0].melting", "never melts: it gets no warmer than 20 °C");
    assert_eq!(said(&format!("{cold}{PLATE}")), []);
    let script = wax("solidus = 40, liquidus = 50, temperature = [[0, 10], [1, 35]]");
    assert_said(&format!("{script}{PLATE}"), "rigid[0].melting", "no warmer than 35 °C");
    let dense = format!("{cold}spacing = 0.9\n{PLATE}");
    assert_said(&dense, "rigid[0].spacing", "burst apart");
    let nothing =
        format!("{FLOOR}[[rigid]]\nshape = {{ sphere = {{ radius = 0.3 }} }}\nposition = [0, 0.3, 0]\n{PLATE}");
    assert_said(&nothing, "heat[0]", "nothing to melt");
}
