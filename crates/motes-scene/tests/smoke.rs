//! Gas and smoke in scenes: what is built of them, what is refused, and what `check` says of them.
#![allow(clippy::unwrap_used)]

use motes_core::particles::phase::Phase;
use motes_core::{CpuEngine, Fade, PassiveKind, Strays};
use motes_scene::{Built, Scene, Severity, check};

const ROOM: &str = "particle_radius = 0.05\nseed = 7\n[[collider]]\nname = \"room\"\n\
                    shape = { vessel = { tank = { size = [1, 0.8, 0.6], thickness = 0.05 } } }\nposition = [0, -0.05, 0]\n\
                    [[collider]]\nname = \"lid\"\nshape = { box = { size = [1.2, 0.1, 0.8] } }\nposition = [0, 0.85, 0]\n";
const PLUME: &str = "particle_radius = 0.05\nframes = 120\n[[emitter]]\nmaterial = \"smoke\"\nshape = { disc = { radius = 0.26 } }\n\
                     direction = [0, 1, 0]\nspeed = 2\n";
const AIR: &str = "[[fluid]]\nmaterial = \"air\"\nshape = { box = { min = [-0.5, 0, -0.3], max = [0.5, 0.8, 0.3] } }\n";

fn scene(text: &str) -> Scene {
    Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn build(text: &str) -> Built {
    { scene(text).build(Box::new(CpuEngine::new())) }.unwrap_or_else(|error| panic!("{error}"))
}

/// Paths of all problems, and whether they are errors.
fn problems(text: &str) -> Vec<(bool, String)> {
    { check(&scene(text)).into_iter() }
        .map(|problem| (problem.severity == Severity::Error, problem.path))
        .collect()
}

fn assert_only(text: &str, is_error: bool, path: &str) {
    assert_eq!(problems(text), [(is_error, path.to_owned())], "{text}");
}

#[test]
fn a_block_of_air_is_a_gas_and_carries_markers() {
    let text = format!("{ROOM}{AIR}temperature = 80\nmarkers = 2.5\n[smoke]\nlifetime = 3\n");
    assert_eq!(problems(&text), []);
    let built = build(&text);
    let particles = built.world.particles();
    assert_eq!(particles.len(), 10 * 8 * 6);
    assert!(
        particles
            .phases
            .iter()
            .all(|phase| phase.has(Phase::GAS | Phase::FLUID))
    );
    assert!((0..particles.len()).all(|slot| particles.temperatures.get(slot) == 80.0));
    let mass: f32 = particles.positions.iter().map(|place| place.w.recip()).sum();
    assert!((mass / (1.204 * 0.48) - 1.0).abs() < 1e-3, "{mass} kg");
    let passive = built.world.passive();
    assert_eq!(passive.count_of(PassiveKind::Smoke), 480 * 5 / 2);
    assert!(passive.velocities().iter().all(|velocity| velocity.w == 3.0));
    let inside = |place: &motes_core::glam::Vec4| place.x.abs() <= 0.5 && (0.0..=0.8).contains(&place.y);
    assert!(passive.positions().iter().all(inside));
}

#[test]
fn keys_of_gases_reach_their_material() {
    let text = format!(
        "{ROOM}{}[material.fumes]\nbase = \"air\"\nexpansion = 0.5\nair_drag = 3\nbaroclinity = 2\nthermal_diffusivity = 0.01\ncooling = 0.1\n",
        AIR.replace("\"air\"", "\"fumes\"")
    );
    assert_eq!(problems(&text), []);
    let world = build(&text).world;
    let group = world.groups().next().unwrap().1;
    let material = *world.materials().get(group.material).unwrap();
    assert!(material.is_gas && material.gravity_scale == 0.0);
    assert_eq!(
        [
            material.expansion,
            material.air_drag,
            material.baroclinity,
            material.thermal_diffusivity,
            material.cooling
        ],
        [0.5, 3.0, 2.0, 0.01, 0.1]
    );
}

#[test]
fn the_table_alone_is_the_engines_own_smoke() {
    let table = |more: &str| {
        *build(&format!("{PLUME}plume = {{}}\n[smoke]\n{more}"))
            .world
            .smoke()
            .unwrap()
    };
    let usual = table("");
    assert_eq!(usual, motes_core::Smoke::of(build(PLUME).world.settings()));
    let given = table(
        "lifetime = 2\nradius = 0.01\ngrowth = 4\nopacity = 0.5\nfade = \"spread\"\nmost = 5000\nlonely = 1\nstrays = \"fly\"\n",
    );
    assert_eq!(
        (given.lifetime, given.radius, given.growth, given.opacity),
        (2.0, 0.01, 4.0, 0.5)
    );
    assert_eq!((given.fade, given.strays), (Fade::Spread, Strays::Fly));
    assert_eq!((given.most, given.lonely), (5000, 1.0));
    assert!(build(PLUME).world.smoke().is_none());
}

#[test]
fn an_emitter_of_smoke_gives_off_gas_and_markers_as_warm_as_it_says() {
    let mut world = build(&format!(
        "{PLUME}plume = {{ markers = 3, temperature = 300 }}\n[smoke]\n"
    ))
    .world;
    let plume = world.emitters()[0].plume.unwrap();
    assert_eq!((plume.markers, plume.sheath, plume.temperature), (3.0, 1, 300.0));
    for _ in 0..12 {
        world.step(1.0 / 60.0);
    }
    let (gas, markers) = (world.particle_count(), world.passive().count_of(PassiveKind::Smoke));
    assert!(gas > 40 && markers > gas, "{gas} and {markers}");
    assert!(world.particles().phases.iter().all(|phase| phase.has(Phase::GAS)));
}

#[test]
fn markers_fill_a_solid_at_random() {
    let text = format!(
        "{ROOM}{AIR}[smoke]\n[[markers]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 0.2 }} }}\nposition = [0, 0.4, 0]\ncount = 4000\nlifetime = inf\n"
    );
    assert_eq!(problems(&text), []);
    let built = build(&text);
    let places = built.world.passive().positions();
    assert_eq!(places.len(), 4000);
    let middle = motes_core::glam::Vec3::new(0.0, 0.4, 0.0);
    let distances: Vec<f32> = places.iter().map(|place| place.truncate().distance(middle)).collect();
    assert!(distances.iter().all(|distance| *distance <= 0.2));
    let near = distances.iter().filter(|distance| **distance < 0.1).count() as f32;
    assert!(
        (near / 500.0 - 1.0).abs() < 0.15,
        "an eighth of {} is in half of the radius: {near}",
        4000
    );
    assert!(
        built
            .world
            .passive()
            .velocities()
            .iter()
            .all(|velocity| velocity.w == f32::MAX)
    );
}

#[test]
fn what_is_no_gas_gives_no_smoke() {
    let water = PLUME.replace("\"smoke\"", "\"water\"");
    let floor = "[[collider]]\nshape = { plane = { offset = -1 } }\n";
    assert_only(
        &format!("{water}plume = {{}}\n[smoke]\n{floor}"),
        true,
        "emitter[0].plume",
    );
    assert_only(&format!("{PLUME}fluid = false\n"), true, "emitter[0].fluid");
    let tank = format!("{ROOM}{}", AIR.replace("\"air\"", "\"water\""));
    assert_only(&format!("{tank}temperature = 50\n"), true, "fluid[0].temperature");
    assert_only(&format!("{tank}markers = 1\n[smoke]\n"), true, "fluid[0].markers");
    assert_only(
        &format!("{ROOM}{AIR}freezing = {{ solidus = 0, liquidus = 1 }}\n"),
        true,
        "fluid[0].freezing",
    );
    let grains = AIR.replace("fluid", "grains");
    assert_only(&format!("{ROOM}{grains}"), false, "grains[0].material");
}

#[test]
fn numbers_out_of_range_are_named() {
    for (line, path) in [
        ("plume = { sheath = 3 }", "emitter[0].plume.sheath"),
        ("plume = { sheath_speed = 0 }", "emitter[0].plume.sheath_speed"),
        ("plume = { temperature = -300 }", "emitter[0].plume.temperature"),
        ("plume = { marker = 3 }", "emitter[0].plume"),
        ("[smoke]\nopacity = 2", "smoke.opacity"),
        ("[smoke]\nlifetime = 0", "smoke.lifetime"),
        ("[smoke]\nfade = \"slow\"", "smoke.fade"),
        ("[smoke]\nmost = 20_000_000", "smoke.most"),
        (
            "[material.smoke]\nbase = \"smoke\"\nair_drag = -1",
            "material.smoke.air_drag",
        ),
    ] {
        let error = Scene::from_toml(&format!("{PLUME}{line}\n"), "test.toml").unwrap_err();
        assert!(
            error.problems.iter().any(|problem| problem.path.starts_with(path)),
            "{line}: {error}"
        );
    }
}

#[test]
fn smoke_that_cannot_be_is_doubted() {
    assert_eq!(problems(&format!("{PLUME}plume = {{}}\n[smoke]\n")), []);
    assert_only(&format!("{PLUME}plume = {{}}\n"), false, "emitter[0].plume");
    assert_only(&format!("{PLUME}[smoke]\n"), false, "smoke");
    assert_only(
        &format!("{PLUME}plume = {{}}\n[smoke]\nmost = 500\n"),
        false,
        "smoke.most",
    );
    let narrow = PLUME.replace("0.26", "0.1");
    assert_only(
        &format!("{narrow}plume = {{ sheath = 1 }}\n[smoke]\n"),
        false,
        "emitter[0].plume.sheath",
    );
    assert_only(
        &format!("{narrow}plume = {{ sheath = 0 }}\n[smoke]\n"),
        false,
        "emitter[0].shape",
    );
    let lonely = format!(
        "{ROOM}{AIR}[smoke]\nlonely = 1\n{}position = [0, 0.4, 0]\nplume = {{}}\n",
        PLUME.split_once("120\n").unwrap().1
    );
    assert_only(&lonely, false, "fluid[0]");
    assert_only(&format!("{ROOM}{AIR}markers = 1\n"), false, "fluid[0].markers");
    assert_only(
        &format!("{ROOM}{AIR}[[markers]]\nshape = {{ sphere = {{ radius = 0.2 }} }}\n"),
        false,
        "markers[0]",
    );
}

#[test]
fn gas_that_nothing_holds_is_doubted() {
    assert_eq!(problems(&format!("{ROOM}{AIR}")), []);
    let open: Vec<&str> = ROOM.split("[[collider]]\nname = \"lid\"").collect();
    assert_only(&format!("{}{AIR}", open[0]), false, "fluid[0]");
    let dragged = AIR.replace("\"air\"", "\"smoke\"");
    assert_eq!(problems(&format!("{}{dragged}", open[0])), []);
    assert_only(&PLUME.replace("\"smoke\"", "\"air\""), false, "emitter[0]");
}

#[test]
fn heat_is_for_gas_too() {
    let hot = "[[heat]]\ntemperature = 400\nwithin = { sphere = { radius = 0.3 } }\n";
    assert_eq!(problems(&format!("{ROOM}{AIR}{hot}")), []);
    let water = AIR.replace("\"air\"", "\"water\"");
    assert_only(&format!("{ROOM}{water}{hot}"), false, "heat[0]");
}
