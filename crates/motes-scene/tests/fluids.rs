//! Liquids in scenes: what is built of them, what they leave room for, and what `check` says of them.
#![allow(clippy::unwrap_used)]

use motes_core::particles::phase::Phase;
use motes_core::{CpuEngine, Liquids, PositionBased, Sph};
use motes_scene::{Built, Scene, Severity, check};

const FLOOR: &str = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n";

fn build(text: &str) -> Built {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    scene
        .build(Box::new(CpuEngine::new()))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn warnings(text: &str) -> Vec<String> {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let found = check(&scene);
    assert!(
        found.iter().all(|problem| problem.severity == Severity::Warning),
        "{found:?}"
    );
    { found.iter() }
        .map(|problem| format!("{}: {}", problem.path, problem.message))
        .collect()
}

/// Asserts that there is exactly one warning, with that start and a word.
fn assert_warning(text: &str, path: &str, word: &str) {
    let found = warnings(text);
    assert!(
        matches!(found.as_slice(), [one] if one.starts_with(&format!("{path}: ")) && one.contains(word)),
        "{found:?}"
    );
}

fn block(more: &str) -> String {
    format!(
        "particle_radius = 0.05\n{FLOOR}[[fluid]]\nshape = {{ box = {{ min = [0, 0, 0], max = [1, 0.5, 0.8] }} }}\n{more}"
    )
}

#[test]
fn a_block_is_as_dense_as_water() {
    let built = build(&block(""));
    let particles = built.world.particles();
    assert_eq!(particles.len(), 10 * 5 * 8);
    assert!(particles.phases.iter().all(|phase| phase.has(Phase::FLUID)));
    let mass: f32 = particles.positions.iter().map(|place| place.w.recip()).sum();
    assert!((mass / (998.0 * 0.4) - 1.0).abs() < 1e-4, "{mass} kg");
    assert_eq!(warnings(&block("")), [""; 0]);
}

#[test]
fn liquids_have_the_colours_of_their_presets_unless_told() {
    let color = |more: &str| build(&block(more)).looks.groups[0].color.0;
    let water = color("");
    assert_eq!(
        water,
        color("material = \"brine\"\n[material.brine]\nbase = \"water\"\ndensity = 1200\n")
    );
    assert_ne!(water, color("material = \"honey\"\n"));
    assert_eq!(color("color = \"#010203\"\n"), [1, 2, 3]);
}

#[test]
fn a_liquid_leaves_room_for_what_stands_in_it() {
    let count = |more: &str| {
        let built = build(&block(more));
        let phases = &built.world.particles().phases;
        phases.iter().filter(|phase| phase.has(Phase::FLUID)).count()
    };
    let crate_in = "[[rigid]]\nshape = { box = { size = [0.4, 0.3, 0.4] } }\nposition = [0.5, 0.25, 0.4]\n";
    let rock = "[[collider]]\nshape = { sphere = { radius = 0.2, center = [0.5, 0.25, 0.4] } }\n";
    let sand = "[[grains]]\nshape = { box = { min = [0.2, 0, 0.2], max = [0.6, 0.3, 0.6] } }\n";
    let oil = "[[fluid]]\nmaterial = \"oil\"\nshape = { box = { min = [0.2, 0, 0.2], max = [0.6, 0.3, 0.6] } }\n";
    assert_eq!(count(oil), 400, "the second leaves room for the first");
    for thing in [crate_in, rock, sand] {
        let left = count(thing);
        assert!((300..396).contains(&left), "{left} with {thing}");
        assert_eq!(warnings(&block(thing)), [""; 0], "{thing}");
        let overlapping = warnings(&block(&format!("carve = false\n{thing}")));
        assert_eq!(overlapping.len(), 1, "{overlapping:?}");
    }
}

#[test]
fn an_emitter_of_water_pours_a_liquid_and_one_of_sand_does_not() {
    let jet = |more: &str| {
        let text = format!(
            "{FLOOR}[[emitter]]\nshape = {{ disc = {{ radius = 0.25 }} }}\nposition = [0, 2, 0]\nspeed = 3\n{more}"
        );
        let mut built = build(&text);
        (0..20).for_each(|_| built.world.step(1.0 / 60.0));
        let phases = &built.world.particles().phases;
        (phases.len(), phases[0].has(Phase::FLUID), warnings(&text))
    };
    let (water, is_liquid, found) = jet("material = \"water\"\n");
    assert!(is_liquid && found.is_empty(), "{found:?}");
    let (grains, is_liquid, _) = jet("");
    assert!(!is_liquid && grains < water, "{grains} grains, {water} drops");
    assert!(jet("fluid = true\n").1);
    assert!(!jet("material = \"water\"\nfluid = false\n").1);
    let (_, _, found) = jet("material = \"water\"\n[[kill]]\nbelow = { height = -9 }\n");
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn cameras_triggers_and_tanks_know_liquids() {
    let text = block(
        "name = \"pond\"\n[[trigger]]\nwithin = { below = { height = 9 } }\nof = [\"pond\"]\n\
         [camera]\nfollow = \"pond\"\nposition = [0, 1, 5]\n\
         [[collider]]\nshape = { vessel = { tank = { size = [1, 1, 0.8], thickness = 0.05 } } }\nposition = [0.5, -0.05, 0.4]\n",
    );
    let mut built = build(&text);
    assert_eq!(built.world.particle_count(), 400, "it fits the tank exactly");
    (0..60).for_each(|_| built.world.step(1.0 / 60.0));
    assert_eq!(built.world.triggers()[0].inside(), 400);
    let outside = |place: &glam::Vec4| place.x < 0.0 || place.x > 1.0 || place.z < 0.0 || place.z > 0.8;
    assert!(!built.world.particles().positions.iter().any(outside));
}

#[test]
fn the_solver_of_liquids_is_a_word() {
    let liquids = |solver: &str| {
        let text = block(&format!("[solver]\nsubsteps = 40\n{solver}\n"));
        (build(&text).world.settings().liquids, warnings(&text))
    };
    let (soft, doubts) = liquids("liquids = { sph = { speed_of_sound = 12, artificial_viscosity = 0.1 } }");
    let expected = Sph {
        speed_of_sound: 12.0,
        artificial_viscosity: 0.1,
    };
    assert_eq!((soft, doubts), (Liquids::Sph(expected), Vec::new()));
    assert_eq!(liquids("liquids = { sph = {} }").0, Liquids::Sph(Sph::default()));
    assert_eq!(liquids("liquids = { pcisph = {} }"), (Liquids::Pcisph, Vec::new()));
    assert_eq!(liquids("").0, Liquids::Chebyshev);
}

#[test]
fn forces_of_sph_take_short_sub_steps_and_stiff_liquids() {
    let text = |substeps: u32, more: &str| {
        let solver = format!("substeps = {substeps}\nliquids = {{ sph = {{ speed_of_sound = 20 }} }}");
        block(&format!("{more}[solver]\n{solver}\n"))
    };
    // Smoothing radii are 0.2 m: half of 2 · 0.2 / (2.4 · 20) s, or a hair less.
    let found = warnings(&text(4, ""));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_warning(&text(4, ""), "fluid[0].material", "too long for the forces of SPH");
    let few = text(5, "");
    assert_eq!(warnings(&few), [""; 0]);
    let thick = text(5, "material = \"honey\"\n").replace("speed_of_sound = 20", "speed_of_sound = 2");
    assert_eq!(warnings(&thick).len(), 1, "it gives way");
    let tar = "material = \"tar\"\n[material.tar]\nbase = \"honey\"\nviscosity = 2000\n";
    assert_warning(&text(5, tar), "fluid[0].material", "viscosity of 2000");
    let soft = text(5, "").replace("speed_of_sound = 20", "speed_of_sound = 5");
    assert_warning(&soft, "fluid[0].shape", "gives way");
}

#[test]
fn doubts_about_liquids() {
    assert_warning(
        &block("material = \"tar\"\n[material.tar]\nbase = \"honey\"\nviscosity = 1e5\n"),
        "fluid[0].material",
        "carry a viscosity",
    );
    assert_warning(
        &block("material = \"taut\"\n[material.taut]\nbase = \"water\"\nsurface_tension = 1e5\n"),
        "fluid[0].material",
        "carry a surface tension",
    );
    assert_warning(
        &format!("{FLOOR}[[fluid]]\nshape = {{ box = {{ min = [0, 0, 0], max = [1, 0.2, 1] }} }}\n"),
        "fluid[0].shape",
        "2 particles thick",
    );
    assert_warning(
        &block("[solver]\nsmoothing_radius = 1.2\n"),
        "solver.smoothing_radius",
        "too few",
    );
    assert_warning(&block("velocity = [90, 0, 0]\n"), "fluid[0].velocity", "diameters");
    assert_warning(
        &block("[[kill]]\nbelow = { height = 0.1 }\n"),
        "fluid[0].shape",
        "vanish",
    );
    assert_warning(
        &block("[[collider]]\nshape = { box = { min = [-1, -1, -1], max = [2, 2, 2] } }\n"),
        "fluid[0].shape",
        "carve",
    );
    assert_warning(
        "[[fluid]]\nshape = { sphere = { radius = 1 } }\n",
        "fluid[0]",
        "the liquid falls out",
    );
    assert_warning(
        &format!(
            "{FLOOR}[[grains]]\nmaterial = \"water\"\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"
        ),
        "grains[0].material",
        "is a liquid",
    );
    assert_warning(
        &block(
            "[[fluid]]\nmaterial = \"gas\"\nposition = [0, 1, 0]\nshape = { sphere = { radius = 0.4 } }\n[material.gas]\nbase = \"water\"\ndensity = 1\n",
        ),
        "",
        "trembles",
    );
}

#[test]
fn a_model_is_filled_like_any_other_solid() {
    let rabbit = |scale: f32| {
        let shape = format!("{{ model = {{ name = \"rabbit\", scale = {scale} }} }}");
        build(&format!(
            "particle_radius = 0.02\n{FLOOR}[[fluid]]\nshape = {shape}\nposition = [0, 0.1, 0]\n"
        ))
    };
    let volume = motes_geometry::models::by_name("rabbit")
        .unwrap()
        .mesh(64)
        .unwrap()
        .volume();
    let built = rabbit(1.0);
    let particles = built.world.particles();
    let filled = particles.len() as f32 * 0.04f32.powi(3) / volume;
    assert!((0.6..1.0).contains(&filled), "{filled} of it: balls are wholly inside");
    let lowest = particles.positions.iter().map(|place| place.y).fold(f32::MAX, f32::min);
    assert!((0.1..0.16).contains(&lowest), "it stands on its position: {lowest}");
    let ratio = particles.len() as f32 / rabbit(0.5).world.particles().len() as f32;
    assert!(
        (8.0..16.0).contains(&ratio),
        "{ratio} times as many in eight times the volume"
    );
    let unknown = format!("{FLOOR}[[fluid]]\nshape = {{ model = {{ name = \"rabit\" }} }}\n");
    let problems = check(&Scene::from_toml(&unknown, "test.toml").unwrap());
    assert_eq!(problems[0].path, "fluid[0].shape.model.name");
    assert!(problems[0].help.as_ref().unwrap().contains("rabbit"));
}

#[test]
fn scenes_choose_how_liquids_keep_their_density() {
    let solved = |value: &str| block(&format!("[solver]\nliquids = {value}\n"));
    let settings = |value: &str| build(&solved(value)).world.settings().liquids;
    assert_eq!(settings("{ chebyshev = {} }"), Liquids::Chebyshev);
    assert_eq!(
        settings("{ position_based = {} }"),
        Liquids::PositionBased(PositionBased::default())
    );
    let unified = "{ position_based = { bilateral = false, denominator = \"precomputed\", artificial_pressure = 0 } }";
    assert_eq!(settings(unified), Liquids::PositionBased(PositionBased::UNIFIED));
    for (value, path, word) in [
        ("{ position_base = {} }", "solver.liquids", "position_based"),
        (
            "{ position_based = { relaxtion = 1 } }",
            "solver.liquids.position_based",
            "relaxation",
        ),
        (
            "{ position_based = { artificial_exponent = 0 } }",
            "solver.liquids.position_based.artificial_exponent",
            "16",
        ),
        (
            "{ position_based = { denominator = \"exactly\" } }",
            "solver.liquids.position_based.denominator",
            "exact",
        ),
    ] {
        let error = Scene::from_toml(&solved(value), "test.toml")
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains(path) && error.contains(word), "{value}: {error}");
    }
}
