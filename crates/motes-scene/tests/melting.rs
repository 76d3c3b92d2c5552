//! Bodies that melt, and zones of heat, in scene files.
#![allow(clippy::unwrap_used)]

use motes_core::{CpuEngine, Material};
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

#[test]
fn bodies_melt_into_the_liquid_that_is_named_and_ice_into_water() {
    let liquid = |text: &str| {
        let scene = Scene::from_toml(text, "test.toml").unwrap();
        let built = scene.build(Box::new(CpuEngine::new())).unwrap();
        let melting = built.world.melts()[0].melting().clone();
        let material = melting.liquid.map(|id| *built.world.materials().get(id).unwrap());
        (material, [melting.solidus, melting.liquidus, melting.latent_heat])
    };
    let plain = |melting: &str| format!("{}{PLATE}", wax(melting));
    let (lava, course) = liquid(&plain("into = \"lava\", liquidus = 1300"));
    assert_eq!((lava, course), (Some(Material::LAVA), [1000.0, 1300.0, 400e3]));
    assert_eq!(liquid(&plain("solidus = 40, liquidus = 50")), (None, [40.0, 50.0, 0.0]));
    let ice = |more: &str| plain(more).replace("position =", "material = \"ice\"\nposition =");
    assert_eq!(liquid(&ice("")), (Some(Material::WATER), [-1.0, 0.0, 334e3]));
    assert_eq!(liquid(&ice("into = \"grains\", solidus = 1, liquidus = 2")).0, None);
    let own = format!(
        "{}[material.tallow]\nbase = \"molten_wax\"\nviscosity = 0.1\n",
        plain("into = \"tallow\"")
    );
    let (tallow, course) = liquid(&own);
    assert_eq!((tallow.unwrap().viscosity, course), (0.1, [48.0, 60.0, 200e3]));
    assert_said(
        &plain("into = \"watre\""),
        "rigid[0].melting.into",
        "did you mean `water`?",
    );
    let sand = plain("into = \"sand\", solidus = 40, liquidus = 50");
    assert_said(&sand, "rigid[0].melting.into", "no liquid");
}

fn pond(freezing: &str) -> String {
    format!(
        "{FLOOR}[[fluid]]\nshape = {{ box = {{ min = [0, 0, 0], max = [0.6, 0.3, 0.6] }} }}\nfreezing = {{ {freezing} }}\n\
        [[collider]]\nshape = {{ vessel = {{ tank = {{ size = [0.6, 0.5, 0.6], thickness = 0.05 }} }} }}\nposition = [0.3, -0.05, 0.3]\n"
    )
}

#[test]
fn a_pond_freezes_in_the_cold() {
    let text = format!(
        "{}[[heat]]\ntemperature = -30\n",
        pond("latent_heat = 0, time_constant = 0.5")
    );
    assert_eq!(said(&text), []);
    let scene = Scene::from_toml(&text, "test.toml").unwrap();
    let mut built = scene.build(Box::new(CpuEngine::new())).unwrap();
    (0..60).for_each(|_| built.world.step(scene.dt()));
    let melts = built.world.melts();
    let frozen = melts[0].body().unwrap();
    let mass = built.world.body_motion(frozen).unwrap().mass;
    assert!((mass - 998.0 * 0.6 * 0.3 * 0.6).abs() < 0.1, "{mass} kg of ice");
    assert_said(
        &pond(""),
        "fluid[0].freezing",
        "never freezes: it gets no colder than 20 °C",
    );
    assert_said(&pond("temperature = -5"), "fluid[0].freezing", "frozen from the start");
    assert_said(
        &pond("solid = \"icee\""),
        "fluid[0].freezing.solid",
        "did you mean `ice`?",
    );
}
