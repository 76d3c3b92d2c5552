//! Mistakes in bodies: what they are made of, their copies and settings.

use super::*;

/// Asserts that a rigid body with these lines, the first of which is line 2, has exactly one problem.
fn assert_body(lines: &str, line: u32, path: &str, words: &[&str]) {
    assert_only(&build_problems(&format!("[[rigid]]\n{lines}\n")), line, path, words);
}

#[test]
fn a_body_of_nothing_or_of_two_things() {
    let words = ["expected one of `mesh`, `model` and `shape`"];
    assert_body("density = 3", 1, "rigid[0]", &words);
    let words = ["expected only one of `model` and `shape`"];
    let both = "model = \"rabbit\"\nshape = { sphere = { radius = 1 } }";
    assert_body(both, 3, "rigid[0].shape", &words);
}

#[test]
fn an_unknown_model_with_the_nearest_name() {
    let words = ["unknown model `rabit`", "did you mean `rabbit`?"];
    assert_body("model = \"rabit\"", 2, "rigid[0].model", &words);
    let words = ["unknown model `dragon`", "valid are `banana`"];
    assert_body("model = \"dragon\"", 2, "rigid[0].model", &words);
}

#[test]
fn mesh_files_that_are_missing_or_make_no_sense() {
    let words = ["cannot read no-such-file.obj"];
    assert_body("mesh = \"no-such-file.obj\"", 2, "rigid[0].mesh", &words);
    let words = ["cannot tell the format", "did you mean `model = \"rabbit\"`?"];
    assert_body("mesh = \"rabbit\"", 2, "rigid[0].mesh", &words);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.obj"), "v 0 0 0\nf 1 2 3\n").unwrap();
    std::fs::write(folder.path().join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    for (file, word) in [("bad.obj", "OBJ, line 2"), ("flat.obj", "encloses no volume")] {
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, format!("[[rigid]]\nmesh = \"{file}\"\n")).unwrap();
        let scene = Scene::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let Err(error) = scene.build(Box::new(motes_core::CpuEngine::new())) else {
            panic!("{file} was built")
        };
        assert_eq!(error.problems[0].path, "rigid[0].mesh");
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn corners_of_mesh_files_that_are_not_finite() {
    let folder = tempfile::tempdir().unwrap();
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 4 8 7\nf 4 7 3\nf 1 5 8\nf 1 8 4\nf 2 3 7\nf 2 7 6\n";
    let with_corner = |place: &str| format!("{cube}v {place}\nf 1 2 9\n");
    std::fs::write(folder.path().join("sound.obj"), cube).unwrap();
    std::fs::write(folder.path().join("nan.obj"), with_corner("0 nan 0")).unwrap();
    std::fs::write(folder.path().join("inf.obj"), with_corner("inf 0 0")).unwrap();
    let checked = |text: &str| -> Vec<String> {
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, text).unwrap();
        let problems = motes_scene::check::check_file(&path);
        let about = problems.iter().filter(|problem| problem.message.contains("finite"));
        about.map(ToString::to_string).collect()
    };
    for (file, count) in [("sound.obj", 0), ("nan.obj", 1), ("inf.obj", 1)] {
        let collider = format!("[[collider]]\nshape = {{ file = {{ path = \"{file}\" }} }}\n");
        for (text, path) in [
            (format!("[[rigid]]\nmesh = \"{file}\"\n"), "rigid[0].mesh"),
            (collider, "collider[0].shape.file.path"),
        ] {
            let said = checked(&text);
            assert_eq!(said.len(), count, "{said:#?}");
            let left_out = "missing or not finite are left out: 1; line 21: the vertex (";
            let words = [path, "warning", left_out, "motes mesh"];
            assert!(
                said.iter().all(|line| words.iter().all(|word| line.contains(word))),
                "{said:#?}"
            );
        }
    }
}

#[test]
fn exactly_one_of_several_keys_is_told_by_check() {
    let ball = "shape = { sphere = { radius = 1 } }";
    let cases: [(String, u32, &str, &str); 7] = [
        (
            "[[soft]]\ndensity = 3".into(),
            1,
            "soft[0]",
            "expected one of `mesh`, `model` and `shape`",
        ),
        (
            format!("[[plastic]]\nmesh = \"a.obj\"\n{ball}"),
            3,
            "plastic[0].shape",
            "expected only one of `mesh` and `shape`",
        ),
        (
            "[[rigid]]\nmodel = \"rabbit\"\nmesh = \"a.obj\"".into(),
            2,
            "rigid[0].model",
            "expected only one of `mesh` and `model`",
        ),
        (
            "[[emitter]]\nshape = { disc = { radius = 1 } }\ndirection = [0, 1, 0]\nrotation = [0, 9, 0]".into(),
            4,
            "emitter[0].rotation",
            "expected only one of `direction` and `rotation`",
        ),
        (
            format!("[[grains]]\nname = \"a\"\n{ball}\n[[distance]]\nof = \"a\""),
            4,
            "distance[0]",
            "missing key `within` or `at`",
        ),
        (
            format!("[[grains]]\nname = \"a\"\n{ball}\n[[distance]]\nof = \"a\"\nwithin = 1\nat = [0, 0, 0]"),
            6,
            "distance[0].within",
            "give one of them",
        ),
        (
            "[[collider]]\nshape = { plane = {}, sphere = { radius = 1 } }".into(),
            2,
            "collider[0].shape",
            "expected only one of `plane` and `sphere`",
        ),
    ];
    for (text, line, path, words) in cases {
        let problems = check_text(&text, "test.toml", SizeLimits::default());
        let errors: Vec<Problem> = problems.into_iter().filter(Problem::is_error).collect();
        assert_only(&errors, line, path, &[words]);
    }
}

#[test]
fn keys_of_another_kind_of_body() {
    let words = ["is for mesh files, and this is a model"];
    assert_body("model = \"torus\"\nmesh_up = \"z\"", 3, "rigid[0].mesh_up", &words);
    let words = ["is for meshes and models, and this is a shape"];
    let sized = "size = 2\nshape = { sphere = { radius = 1 } }";
    assert_body(sized, 2, "rigid[0].size", &words);
    let problems = problems("[[rigid]]\nmodel = \"torus\"\nstiffness = 1\n");
    assert_only(&problems, 3, "rigid[0]", &["unknown key `stiffness`"]);
}

#[test]
fn copies_that_cannot_be_placed() {
    let copies = |copies: &str| format!("model = \"torus\"\ncopies = {{ {copies} }}");
    for (written, path, word) in [
        ("turn = \"random\"", "", "expected `count` and `spacing`"),
        ("count = [2, 1, 1]", "", "missing key `spacing`"),
        (
            "count = [2, 3, 1], spacing = [2, 0, 0]",
            ".spacing",
            "3 copies along y stand in one place",
        ),
        (
            "count = [100000, 100000, 1], spacing = [2, 2, 2]",
            ".count",
            "1.0e10 bodies are too many",
        ),
        ("count = [2, 1, 1], along = []", ".along", "expected only one of"),
        ("along = [[0, 0, 0]], distance = 1", ".along", "at least 2 points"),
        ("along = [[0, 0, 0], [1, 0, 0]]", "", "missing key `distance`"),
    ] {
        assert_body(&copies(written), 3, &format!("rigid[0].copies{path}"), &[word]);
    }
}

#[test]
fn bodies_of_too_many_particles() {
    let words = ["places for particles", "the limit is 200000000", "particle_radius"];
    assert_body("shape = { sphere = { radius = 1000 } }", 2, "rigid[0].shape", &words);
    let many = "copies = { count = [100, 100, 100], spacing = [3, 3, 3] }\nshape = { sphere = { radius = 1 } }";
    let words = ["particles are too many", "take fewer"];
    assert_body(many, 3, "rigid[0].shape", &words);
    let words = ["m large; expected 1e-5 to 1e6 m", "set `size`"];
    assert_body("shape = { sphere = { radius = 1e-6 } }", 2, "rigid[0].shape", &words);
}

#[test]
fn settings_of_bodies_out_of_range() {
    let soft = problems("[[soft]]\nmodel = \"torus\"\nstiffness = 2\nclusters = 3\n");
    assert_eq!(soft.len(), 2, "{soft:?}");
    assert!(
        soft[0]
            .to_string()
            .contains("soft[0].stiffness: expected a number between 0 and 1")
    );
    assert!(soft[1].to_string().contains("expected true, false or a table"));
    let links = problems("[[soft]]\nmodel = \"torus\"\nlinks = { reach = 1, compliance = -1 }\n");
    assert_only(
        &links,
        3,
        "soft[0].links.compliance",
        &["expected a number between 0 and"],
    );
    let links = build_problems("[[soft]]\nmodel = \"torus\"\nlinks = { reach = 1 }\n");
    assert_only(&links, 3, "soft[0].links.reach", &["more than 4 times the distance"]);
    let filling = problems("[[plastic]]\nmodel = \"torus\"\nfilling = \"sold\"\n");
    assert_only(&filling, 3, "plastic[0].filling", &["did you mean `solid`?"]);
    let path = "motion = { path = { keys = [{ time = 0 }] } }\nmodel = \"torus\"\ncopies = { count = [2, 1, 1], spacing = [2, 0, 0] }";
    assert_body(path, 2, "rigid[0].motion", &["a path leads one body"]);
}

#[test]
fn what_is_clamped_goes_with_something_that_is_there() {
    let body = "[[soft]]\nshape = { box = { size = [1, 1, 1] } }\n";
    let clamp = "clamp = { below = { height = 0 } }\n";
    let lift = "[[collider]]\nname = \"lift\"\nshape = { sphere = { radius = 0.1 } }\n";
    let problems = |lines: &str| build_problems(&format!("{body}{lines}{lift}"));
    let steady = "clamp_motion = { steady = { velocity = [1, 0, 0] } }\n";
    assert_only(
        &problems(steady),
        3,
        "soft[0].clamp_motion",
        &["nothing of it is clamped"],
    );
    let unknown = format!("{clamp}clamp_to = \"lifd\"\n");
    assert_only(
        &problems(&unknown),
        4,
        "soft[0].clamp_to",
        &["no collider `lifd`", "did you mean `lift`?"],
    );
    let both = format!("{clamp}clamp_to = \"lift\"\n{steady}");
    assert_only(
        &problems(&both),
        5,
        "soft[0].clamp_motion",
        &["only what is clamped to the world"],
    );
    let path =
        "clamp_motion = { path = { keys = [{ time = 0 }] } }\ncopies = { count = [2, 1, 1], spacing = [2, 1, 1] }\n";
    assert_only(
        &problems(&format!("{clamp}{path}")),
        4,
        "soft[0].clamp_motion",
        &["a path leads one body"],
    );
}
