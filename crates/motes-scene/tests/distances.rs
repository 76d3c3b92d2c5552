//! Ropes and nets of grains in scene files: what is held, how, and what `check` says of it.
#![allow(clippy::unwrap_used)]

use glam::Vec3;
use motes_core::{CpuEngine, Phase, Softness};
use motes_scene::{Built, Scene, Severity, check};

fn scene(text: &str) -> Scene {
    Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn build(text: &str) -> Built {
    let built = scene(text).build(Box::new(CpuEngine::new()));
    built.unwrap_or_else(|error| panic!("{error}"))
}

/// The one error of a scene, as text.
fn error(text: &str) -> String {
    match scene(text).build(Box::new(CpuEngine::new())) {
        Ok(_) => panic!("the scene was built"),
        Err(error) => {
            let errors: Vec<_> = error.problems.iter().filter(|problem| problem.is_error()).collect();
            assert_eq!(errors.len(), 1, "{errors:#?}");
            errors[0].to_string()
        }
    }
}

fn warnings(text: &str) -> Vec<(String, String)> {
    let found = check(&scene(text)).into_iter();
    found
        .inspect(|problem| assert_eq!(problem.severity, Severity::Warning, "{problem}"))
        .map(|problem| (problem.path, problem.message))
        .collect()
}

/// A rope of ten grains that touch, along x.
const ROPE: &str = "[[grains]]\nname = \"rope\"\npacking = \"cubic\"\npins = [[0, 2, 0]]\nshape = { box = { min = [0, 2, 0], max = [1, 2.1, 0.1] } }\n";
/// A net of 11 by 11 grains that overlap by three tenths of a diameter.
const NET: &str = "[[grains]]\nname = \"net\"\npacking = \"cubic\"\nspacing = 0.7\nshape = { box = { min = [0, 2, 0], max = [0.8, 2.1, 0.8] } }\npins = [[0, 2, 0], [0.8, 2, 0]]\nignore_rest_overlaps = true\n";

#[test]
fn a_rope_of_grains_hangs_by_its_pin_and_keeps_its_length() {
    let solver = "[solver]\nsubsteps = 4\niterations = 10\nconstraint_solver = \"gauss-seidel\"\n";
    let rope = format!("{solver}{ROPE}[[distance]]\nof = \"rope\"\nwithin = 0.101\ncompliance = 1e-6\n");
    let mut built = build(&rope);
    let world = &mut built.world;
    assert_eq!((world.particle_count(), world.constraints().len()), (10, 9));
    let (_, row) = world.constraints().iter().next().unwrap();
    assert_eq!(row.softness, Softness::Compliance(1e-6));
    let pinned = world.particles().positions.iter().filter(|position| position.w == 0.0);
    assert_eq!(pinned.map(|position| position.x < 0.1).collect::<Vec<_>>(), [true]);
    for _ in 0..240 {
        world.step(1.0 / 60.0);
    }
    let lowest = world
        .particles()
        .positions
        .iter()
        .map(|position| position.y)
        .fold(f32::INFINITY, f32::min);
    assert!((2.05 - lowest) < 1.0 && (2.05 - lowest) > 0.6, "{lowest}");
    for (_, row) in world.constraints().iter() {
        let [a, b] = [0, 1].map(|end| world.positions(&[row.particles[end]])[0].unwrap());
        assert!((a.distance(b) - 0.1).abs() < 0.005, "{}", a.distance(b));
    }
}

#[test]
fn a_net_finer_than_its_grains_keeps_its_shape() {
    let mut built = build(&format!(
        "gravity = 0\n{NET}[[distance]]\nof = \"net\"\nwithin = 0.1\nstiffness = 0.9\n"
    ));
    let world = &mut built.world;
    let flags = world.groups().next().unwrap().1.flags;
    assert_eq!(flags, Phase::SELF_COLLIDE | Phase::IGNORE_REST_OVERLAPS);
    let places = |world: &motes_core::World| {
        let particles = world.particles();
        let mut places: Vec<_> = particles
            .ids()
            .iter()
            .zip(&particles.positions)
            .map(|(id, p)| (*id, p.truncate()))
            .collect();
        places.sort_unstable_by_key(|(id, _)| *id);
        places
    };
    let before = places(world);
    for _ in 0..20 {
        world.step(1.0 / 60.0);
    }
    assert_eq!(places(world), before);
}

#[test]
fn grains_are_tied_to_a_body_at_a_point() {
    let text = format!(
        "{ROPE}[[distance]]\nof = \"rope\"\nwithin = 0.101\n\
         [[rigid]]\nname = \"weight\"\nshape = {{ box = {{ min = [1.05, 1.8, -0.1], max = [1.35, 2.1, 0.2] }} }}\n\
         [[distance]]\nof = \"rope\"\nto = \"weight\"\nat = [1.0, 2.05, 0.05]\nrest_length = 0.12\nbreaking_force = 500\n"
    );
    let built = build(&text);
    let (_, tie) = built.world.constraints().iter().last().unwrap();
    assert_eq!((built.world.constraints().len(), tie.rest), (10, 0.12));
    assert_eq!(tie.breaking_force, 500.0);
    let ends = built.world.positions(&[tie.particles[0], tie.particles[1]]);
    assert!(
        ends.iter()
            .all(|end| end.unwrap().distance(Vec3::new(1.0, 2.05, 0.05)) < 0.15),
        "{ends:?}"
    );
}

#[test]
fn mistakes_are_named() {
    let distance = |keys: &str| error(&format!("{ROPE}[[distance]]\n{keys}\n"));
    let cases = [
        ("of = \"rop\"\nwithin = 0.1", "did you mean `rope`?"),
        (
            "of = \"rope\"\nto = \"hook\"\nwithin = 0.1",
            "no grains, cloth, rope or body is named `hook`",
        ),
        ("of = \"rope\"", "missing key `within` or `at`"),
        ("of = \"rope\"\nat = [0, 0, 0]", "needs `to`"),
        ("of = \"rope\"\nwithin = 0.1\ncompliance = 1\nstiffness = 1", "not both"),
    ];
    for (keys, words) in cases {
        let found = distance(keys);
        assert!(found.contains(words), "{found}");
        assert!(found.starts_with("test.toml:"), "{found}");
    }
    let bad = |keys: &str| Scene::from_toml(&format!("[[distance]]\nof = \"a\"\n{keys}\n"), "test.toml").is_err();
    assert!(bad("within = 0") && bad("stiffness = 0") && bad("stiffness = 1.1") && bad("compliance = -1"));
    assert!(bad("breaking_force = 0") && bad("rest_length = -0.1") && bad("reach = 1"));
    let many = format!("{NET}[[distance]]\nof = \"net\"\nwithin = 10\n");
    let limits = motes_scene::SizeLimits {
        distances: 1000,
        ..motes_scene::SizeLimits::default()
    };
    let refused = scene(&many).build_within(Box::new(CpuEngine::new()), limits);
    let refused = refused.err().expect("too many").problems[0].to_string();
    assert!(refused.contains("more than 1000 pairs"), "{refused}");
}

#[test]
fn what_holds_nothing_or_against_contacts_is_doubted() {
    let sound = format!("{NET}[[distance]]\nof = \"net\"\nwithin = 0.1\n");
    assert_eq!(warnings(&sound), [], "hangs by its pins, and may overlap");
    let tied = format!(
        "{sound}[[rigid]]\nname = \"weight\"\nshape = {{ sphere = {{ radius = 0.2, center = [0.4, 1.5, 0.4] }} }}\n\
         [[distance]]\nof = \"net\"\nto = \"weight\"\nat = [0.4, 2, 0.4]\n"
    );
    assert_eq!(warnings(&tied), [], "hangs by the net");
    let found = warnings(&format!("{ROPE}[[distance]]\nof = \"rope\"\nwithin = 0.05\n"));
    assert!(found.len() == 1 && found[0].1.contains("holds nothing"), "{found:?}");
    let found = warnings(
        &sound
            .replace("ignore_rest_overlaps = true", "")
            .replace("spacing = 0.7", "spacing = 0.92"),
    );
    assert!(
        found
            .iter()
            .any(|(path, message)| path == "distance[0]" && message.contains("nearer than")),
        "{found:?}"
    );
    let found = warnings(&format!(
        "{ROPE}pinned = true\n[[distance]]\nof = \"rope\"\nwithin = 0.101\n"
    ));
    assert!(found.len() == 1 && found[0].1.contains("nothing can move"), "{found:?}");
}

#[test]
fn the_solver_table_knows_the_smoothing_radius() {
    let built = build("[solver]\nsmoothing_radius = 2.5\n");
    assert_eq!(built.world.settings().smoothing_radius, 2.5);
    assert!(Scene::from_toml("[solver]\nsmoothing_radius = 0.5\n", "test.toml").is_err());
}
