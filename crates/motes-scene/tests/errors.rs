//! Every kind of mistake in a scene file is named, with its line, what was found and what was expected.
#![allow(clippy::unwrap_used)]

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

#[test]
fn broken_toml() {
    assert_only(&problems("name = \"a\"\nframes = = 3\n"), 2, "", &["not TOML"]);
}

#[test]
fn duplicate_key() {
    assert_only(&problems("frames = 1\nframes = 2\n"), 2, "", &["not TOML", "duplicate"]);
}

#[test]
fn unknown_key_with_the_nearest_name() {
    assert_only(
        &problems("\n[solver]\nsubstep = 2\n"),
        3,
        "solver",
        &["unknown key `substep`", "did you mean `substeps`?"],
    );
}

#[test]
fn unknown_key_far_from_all() {
    assert_only(
        &problems("[camera]\nposition = [1, 1, 1]\nxyzzy = 2\n"),
        3,
        "camera",
        &["valid are", "`target`"],
    );
}

#[test]
fn key_of_another_program() {
    for key in ["half_size", "half_extents"] {
        let text = format!("[[collider]]\nshape = {{ box = {{ {key} = [1, 1, 1] }} }}\n");
        let words = ["unknown key", key, "did you mean `size` (whole edges, twice the half)?"];
        assert_only(&problems(&text), 2, "collider[0].shape.box", &words);
    }
    let text = "[[collider]]\nshape = { capsule = { radius = 1, half_height = 2 } }\n";
    assert_only(
        &problems(text),
        2,
        "collider[0].shape.capsule",
        &["did you mean `length`"],
    );
}

#[test]
fn wrong_type() {
    assert_only(
        &problems("frames = \"many\"\n"),
        1,
        "frames",
        &["expected a whole number", "the string \"many\""],
    );
}

#[test]
fn whole_number_with_a_point() {
    assert_only(
        &problems("frames = 300.0\n"),
        1,
        "frames",
        &["whole number", "write 300"],
    );
}

#[test]
fn number_out_of_range() {
    let text = "[material.a]\nrestitution = 1.5\n";
    assert_only(
        &problems(text),
        2,
        "material.a.restitution",
        &["between 0 and 1", "1.5"],
    );
}

#[test]
fn number_that_is_not_finite() {
    let text = "[[grains]]\nposition = [0, nan, 0]\nshape = { sphere = { radius = 1 } }\n";
    assert_only(
        &problems(text),
        2,
        "grains[0].position[1]",
        &["a number between -1e6 and 1e6 m", "NaN"],
    );
    assert_only(&problems("particle_radius = inf\n"), 1, "particle_radius", &["inf"]);
}

#[test]
fn number_too_large_names_the_limit_and_its_unit() {
    let text = "[[grains]]\nshape = { sphere = { radius = 1e300 } }\n";
    let words = ["a number between 1e-6 and 1e6 m", "found the number 1e300"];
    assert_only(&problems(text), 2, "grains[0].shape.sphere.radius", &words);
    let text = "[render]\nspeed_max = 1e6\n";
    assert_only(&problems(text), 2, "render.speed_max", &["above 0 and at most 1e5 m/s"]);
    let text = "[[grains]]\nposition = [0, 1e8, 0]\nshape = { sphere = { radius = 1 } }\n";
    assert_only(&problems(text), 2, "grains[0].position[1]", &["between -1e6 and 1e6 m"]);
    let text = "[solver]\nmax_speed = 1e7\nsubsteps = 5000\n";
    let found = problems(text);
    assert!(found[0].message.contains("at most 1e5 m/s, or inf"), "{found:#?}");
    assert!(
        found[1].message.contains("a whole number between 1 and 1000"),
        "{found:#?}"
    );
}

#[test]
fn infinity_is_fine_where_it_means_something() {
    let text = "[[emitter]]\nshape = { disc = { radius = 1 } }\nrate = inf\nlifetime = inf\nstop = 1\n";
    assert!(Scene::from_toml(text, "test.toml").is_ok());
}

#[test]
fn missing_key() {
    assert_only(
        &problems("\n[[grains]]\nname = \"a\"\n"),
        2,
        "grains[0]",
        &["missing key `shape`"],
    );
}

#[test]
fn unknown_word() {
    assert_only(&problems("up = \"x\"\n"), 1, "up", &["unknown value `x`"]);
    assert_only(
        &problems("[render]\ncolor_by = \"spede\"\n"),
        2,
        "render.color_by",
        &["did you mean `speed`?"],
    );
}

#[test]
fn unknown_choice() {
    let text = "[[collider]]\nshape = { shpere = { radius = 1 } }\n";
    assert_only(
        &problems(text),
        2,
        "collider[0].shape",
        &["unknown key `shpere`", "did you mean `sphere`?"],
    );
}

#[test]
fn two_choices_or_none() {
    let text = "[[collider]]\nshape = { sphere = { radius = 1 }, plane = {} }\n";
    assert_only(&problems(text), 2, "collider[0].shape", &["only one of"]);
    assert_only(
        &problems("[[collider]]\nshape = {}\n"),
        2,
        "collider[0].shape",
        &["empty table"],
    );
}

#[test]
fn vector_of_the_wrong_length() {
    let text = format!("{BALL}velocity = [1, 2]\n");
    assert_only(
        &problems(&text),
        3,
        "grains[0].velocity",
        &["an array of 3", "an array of 2"],
    );
}

#[test]
fn bad_colour() {
    let text = format!("{BALL}color = \"#red\"\n");
    assert_only(&problems(&text), 3, "grains[0].color", &["#d9b36c", "\"#red\""]);
    let text = format!("{BALL}color = \"orrange\"\n");
    assert_only(&problems(&text), 3, "grains[0].color", &["orrange", "`orange`"]);
}

#[test]
fn every_mistake_is_listed() {
    let text = "framse = 3\nup = \"w\"\n[solver]\nsubsteps = 0\niteration = 4\n[[grains]]\nshape = { box = { min = [0, 0], max = [1, 1, 1] } }\n";
    let found: Vec<u32> = problems(text).iter().map(|problem| problem.place.line).collect();
    assert_eq!(found, [1, 2, 4, 5, 7]);
}

#[test]
fn mistakes_of_spelling_do_not_hide_mistakes_of_meaning() {
    let text = "framse = 3
[solver]
substeps = \"many\"
[material.soil]
base = \"snad\"
[[grains]]
shape = { box = { min = [0, 1, 0], max = [1, 0, 1] } }
colour = \"#ffffff\"
[[grains]]
material = \"sol\"
shape = { sphere = { radius = -1 } }
[[collider]]
shape = { mesh = { vertices = [[0,0,0],[1,0,0],[0,1,0]], triangles = [[0,1,7],[0,1,8]] } }
trigger = 1
[[collider]]
shape = { plane = { normal = [0, 0, 0], ofset = 1 } }
[[emitter]]
shape = { disc = { radius = 1 } }
direction = [0, 0, 0]
spread = 400
";
    let found = check_text(text, "test.toml", SizeLimits::default());
    let lines: Vec<u32> = found.iter().map(|problem| problem.place.line).collect();
    assert_eq!(lines, [1, 3, 5, 7, 8, 10, 11, 13, 13, 14, 16, 16, 19, 20], "{found:#?}");
}

#[test]
fn a_mistake_has_no_false_consequences() {
    let floor = "[[collider]]\nshape = { plane = {} }\n";
    let ball = "[[grains]]\nshape = { sphere = { radius = 1, center = [0, 1, 0] } }\n";
    let texts = [
        format!("particle_radius = \"small\"\n{floor}{ball}count = 7\n"),
        format!("radius = 0.001\n{floor}[[grains]]\nshape = {{ sphere = {{ radius = 0.01, center = [0, 1, 0] }} }}\n"),
        format!("{ball}[[colider]]\nshape = {{ plane = {{}} }}\n"),
        format!("{ball}[[collider]]\nshape = {{ plan = {{}} }}\n"),
        format!("{ball}[[collider]]\nshape = {{ plane = {{ normal = [0, 0, 0] }} }}\n"),
        format!("{floor}[[grain]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"),
        format!("{floor}[[grains]]\nshape = {{ sphere = {{ radius = 1, centre = [0, 1, 0] }} }}\n"),
        format!("{floor}[[grains]]\nshape = {{ box = {{ mni = [0, 0, 0], max = [1, 1, 1] }} }}\n"),
        format!("{floor}{ball}[[kill]]\nbox = {{ mni = [0, 5, 0], max = [1, 6, 1] }}\n"),
        format!("{floor}{ball}[[kill]]\nbelow = {{ hieght = -5 }}\n"),
        format!("{floor}{ball}materail = \"soil\"\n[material.soil]\nbase = \"sand\"\n"),
        format!("{floor}{ball}material = \"soil\"\n[materials.soil]\nbase = \"sand\"\n"),
        format!("{floor}{ball}spacing = 0.6\nself_colide = false\n"),
        format!("{floor}{ball}[[grains]]\nshape = {{ sphere = {{ radius = 1 }} }}\npositon = [5, 1, 0]\n"),
        format!(
            "{floor}{ball}[[collider]]\nshape = {{ vessel = {{ cup = {{ radius = \"5\", height = 5, thickness = 2 }} }} }}\n"
        ),
        "frames = \"1\"\n[[emitter]]\nshape = { disc = { radius = 0.5 } }\nstart = 99\n".to_owned(),
    ];
    for text in texts {
        let found = check_text(&text, "test.toml", SizeLimits::default());
        assert_eq!(found.len(), 1, "{text}\n{found:#?}");
    }
}

#[test]
fn unknown_material() {
    let text = format!("{BALL}material = \"snad\"\n");
    assert_only(
        &build_problems(&text),
        3,
        "grains[0].material",
        &["unknown material `snad`", "`sand`"],
    );
}

#[test]
fn pair_of_an_unknown_material() {
    let text = "[[material_pair]]\nbetween = [\"sand\", \"stel\"]\nfriction = 0.1\n";
    assert_only(
        &build_problems(text),
        2,
        "material_pair[0].between[1]",
        &["unknown material `stel`", "`steel`"],
    );
}

#[test]
fn pair_told_twice() {
    let text = "[[material_pair]]\nbetween = [\"sand\", \"ice\"]\nfriction = 0.1\n[[material_pair]]\nbetween = [\"ice\", \"sand\"]\nfriction = 0.2\n";
    assert_only(
        &build_problems(text),
        5,
        "material_pair[1].between",
        &["`ice` and `sand` are a pair already", "material_pair[0]"],
    );
}

#[test]
fn material_that_is_its_own_base() {
    let text = "[material.a]\nbase = \"b\"\n[material.b]\nbase = \"a\"\n";
    let found = build_problems(text);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].message.contains("its own base") && found[0].place.line == 2);
}

#[test]
fn box_upside_down() {
    let text = "[[grains]]\nshape = { box = { min = [0, 1, 0], max = [1, 0, 1] } }\n";
    assert_only(&build_problems(text), 2, "grains[0].shape.box", &["`min` below `max`"]);
}

#[test]
fn too_many_grains() {
    let text = "particle_radius = 0.001\n[[grains]]\nshape = { sphere = { radius = 100 } }\n";
    assert_only(
        &build_problems(text),
        3,
        "grains[0].shape",
        &["the limit is", "particle_radius"],
    );
}

#[test]
fn too_many_emitted() {
    let text = "frames = 9000000\n[[emitter]]\nshape = { disc = { radius = 2 } }\nspeed = 10\n";
    assert_only(&build_problems(text), 2, "emitter[0]", &["too many", "`lifetime`"]);
}

#[test]
fn too_fine_a_grid() {
    let text = "[[collider]]\nshape = { sdf = { solid = { sphere = { radius = 5 } }, cell_size = 0.001 } }\n";
    assert_only(
        &build_problems(text),
        2,
        "collider[0].shape.sdf.cell_size",
        &["samples", "raise `cell_size`"],
    );
}

#[test]
fn flat_hull() {
    let text = "[[collider]]\nshape = { hull = { points = [[0,0,0],[1,0,0],[0,1,0],[1,1,0]] } }\n";
    assert_only(&build_problems(text), 2, "collider[0].shape.hull", &["plane"]);
}

#[test]
fn mesh_with_a_missing_vertex() {
    let text = "[[collider]]\nshape = { mesh = { vertices = [[0,0,0],[1,0,0],[0,1,0]], triangles = [[0,1,7]] } }\n";
    assert_only(
        &build_problems(text),
        2,
        "collider[0].shape.mesh.triangles[0]",
        &["no vertex 7"],
    );
}

#[test]
fn every_broken_triangle_is_named_up_to_ten() {
    let mesh = |triangles: &str| {
        format!(
            "[[collider]]\nshape = {{ mesh = {{ vertices = [[0,0,0],[1,0,0],[0,1,0]], triangles = [{triangles}] }} }}\n"
        )
    };
    let found = build_problems(&mesh("[0,1,3], [0,1,2], [9,1,2]"));
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!(found[1].path, "collider[0].shape.mesh.triangles[2]");
    let found = build_problems(&mesh(&"[0,1,3],".repeat(25)));
    assert_eq!(found.len(), 10, "{found:#?}");
    assert!(found[9].message.ends_with("and 15 more like this"), "{found:#?}");
}

#[test]
fn ragged_heights() {
    let text = "[[collider]]\nshape = { heightfield = { grid = { cell_size = 1, heights = [[0, 0], [0]] } } }\n";
    assert_only(
        &build_problems(text),
        2,
        "collider[0].shape.heightfield.grid.heights[1]",
        &["expected 2", "found 1"],
    );
}

#[test]
fn keys_out_of_order() {
    let text = "[[collider]]\nshape = { sphere = { radius = 1 } }\n[collider.motion.path]\nkeys = [\n{ time = 1 },\n{ time = 0.5 },\n]\n";
    assert_only(
        &build_problems(text),
        6,
        "collider[0].motion.path.keys[1].time",
        &["after 1 s"],
    );
}

#[test]
fn directions_without_length() {
    let text = "[[emitter]]\nshape = { disc = { radius = 1 } }\ndirection = [0, 0, 0]\n";
    assert_only(&build_problems(text), 3, "emitter[0].direction", &["length"]);
    let text = "[[field]]\nkind = { vortex = { axis = [0, 0, 0] } }\n";
    assert_only(&build_problems(text), 2, "field[0].kind.vortex.axis", &["length"]);
    let text = "[[collider]]\nshape = { plane = { normal = [0, 0, 0] } }\n";
    assert_only(&build_problems(text), 2, "collider[0].shape.plane", &["normal"]);
}

#[test]
fn assignments_are_blamed_on_themselves() {
    let error = Scene::from_toml_with(
        BALL,
        "test.toml",
        &["solver.substeps=0", "grains[0].materail=sand", "grains[3].name=a"],
    )
    .unwrap_err();
    let text = error.to_string();
    assert_eq!(error.problems.len(), 3, "{text}");
    assert!(
        text.contains("--set solver.substeps=0:1:1: error: solver.substeps: expected"),
        "{text}"
    );
    assert!(text.contains("did you mean `material`?"), "{text}");
    assert!(text.contains("it has 1 elements"), "{text}");
}

#[test]
fn a_missing_file_is_a_problem_like_any_other() {
    let error = Scene::load("/no/such/scene.toml").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("/no/such/scene.toml:1:1: error: cannot be read"),
        "{error}"
    );
}

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

const LINKS: &str = "[[rigid]]\nname = \"link\"\nmodel = \"torus\"\ncopies = { count = [3, 1, 1], spacing = [2, 0, 0] }\n\
    [[collider]]\nname = \"post\"\nshape = { plane = {} }\n";

#[test]
fn joints_of_what_is_not_there() {
    let joint = |keys: &str| build_problems(&format!("{LINKS}[[joint]]\n{keys}\n"));
    let cases: [(&str, u32, &str, &[&str]); 11] = [
        (
            "body = \"lnik 1\"",
            9,
            "joint[0].body",
            &["nothing is named `lnik 1`", "did you mean `link 1`?"],
        ),
        (
            "body = \"link\"",
            9,
            "joint[0].body",
            &["3 copies of `link`", "0 to 2", "`link last`"],
        ),
        ("body = \"link 3\"", 9, "joint[0].body", &["no `link 3`", "0 to 2"]),
        (
            "body = \"post\"",
            9,
            "joint[0].body",
            &["collider[0], not a body", "behind `to`"],
        ),
        (
            "body = \"link 0\"\nto = \"pots\"",
            10,
            "joint[0].to",
            &["did you mean `post`?"],
        ),
        (
            "body = \"link 0\"\nto = \"wrld\"",
            10,
            "joint[0].to",
            &["did you mean `world`?"],
        ),
        (
            "body = \"link 2\"\nto = \"link last\"",
            10,
            "joint[0].to",
            &["cannot be joined to itself"],
        ),
        (
            "body = \"link 2\"\nkind = \"hinge\"",
            8,
            "joint[0]",
            &["missing key `axis`"],
        ),
        (
            "body = \"link 2\"\nkind = \"hinge\"\naxis = [0, 0, 0]",
            11,
            "joint[0].axis",
            &["must have a length"],
        ),
        (
            "body = \"link 2\"\naxis = [0, 0, 1]",
            10,
            "joint[0].axis",
            &["only a hinge"],
        ),
        (
            "body = \"link 2\"\nkind = \"fixed\"\nat = [0, 0, 1]",
            11,
            "joint[0].at",
            &["the whole body"],
        ),
    ];
    for (keys, line, path, words) in cases {
        assert_only(&joint(keys), line, path, words);
    }
    assert_only(
        &problems("[[joint]]\nto = \"world\"\n"),
        1,
        "joint[0]",
        &["missing key `body`"],
    );
}

#[test]
fn joints_that_make_no_sense() {
    let joint = |keys: &str| build_problems(&format!("{LINKS}[[joint]]\nbody = \"link 0\"\n{keys}\n"));
    let hinge = "kind = \"hinge\"\naxis = [0, 0, 1]\n";
    let slider = "kind = \"slider\"\naxis = [0, 0, 1]\n";
    let cases: [(&str, &str, u32, &str, &[&str]); 16] = [
        (
            hinge,
            "limits = [30, -30]",
            12,
            "joint[0].limits",
            &["lower limit comes first", "30 is above -30"],
        ),
        (hinge, "cone = 30", 12, "joint[0].cone", &["only a ball joint"]),
        (hinge, "rest = 30", 12, "joint[0].rest", &["without `stiffness`"]),
        (
            hinge,
            "motor = { speed = 90 }",
            12,
            "joint[0].motor",
            &["missing key `torque`"],
        ),
        (
            hinge,
            "motor = { speed = 90, force = 3 }",
            12,
            "joint[0].motor.force",
            &["has a `torque`"],
        ),
        (
            hinge,
            "motor = { speed = 0, target = 9, torque = 3 }",
            12,
            "joint[0].motor.speed",
            &["above 0"],
        ),
        (
            slider,
            "motor = { speed = 1, torque = 3 }",
            12,
            "joint[0].motor.torque",
            &["has a `force`"],
        ),
        (slider, "to_at = [0, 0, 0]", 12, "joint[0].to_at", &["only a distance"]),
        (
            slider,
            "on_at = 2\noff_at = 2",
            13,
            "joint[0].off_at",
            &["at the same time"],
        ),
        (
            "",
            "limits = [0, 1]",
            10,
            "joint[0].limits",
            &["`ball` joint has no limits"],
        ),
        (
            "",
            "stiffness = 4",
            10,
            "joint[0].stiffness",
            &["`ball` joint has no spring"],
        ),
        (
            "",
            "motor = { speed = 1, torque = 3 }",
            10,
            "joint[0].motor",
            &["a hinge or a slider"],
        ),
        (
            "kind = \"fixed\"\n",
            "friction = 4",
            11,
            "joint[0].friction",
            &["`fixed` joint has no friction"],
        ),
        (
            "kind = \"slider\"\n",
            "",
            8,
            "joint[0]",
            &["missing key `axis`", "a slider moves along one"],
        ),
        ("kind = \"distance\"\n", "", 8, "joint[0]", &["missing key `to_at`"]),
        (
            "kind = \"distance\"\nto = \"link 1\"\n",
            "limits = [-2, -1]",
            12,
            "joint[0].limits",
            &["more than 0"],
        ),
    ];
    for (kind, keys, line, path, words) in cases {
        assert_only(&joint(&format!("{kind}{keys}")), line, path, words);
    }
    for (keys, path) in [
        ("friction = -1", "joint[0].friction"),
        ("cone = 200", "joint[0].cone"),
        ("motor = { speed = 1, torque = -3 }", "joint[0].motor.torque"),
    ] {
        let line = 3;
        let text = format!("[[joint]]\nbody = \"a\"\n{keys}\n");
        assert_only(&problems(&text), line, path, &["expected"]);
    }
    let each = |keys: &str| build_problems(&format!("{LINKS}[[joint]]\nbody = \"link each\"\n{keys}\n"));
    assert_only(&each("at = [0, 0, 0]"), 10, "joint[0].at", &["a place of its own"]);
    let uneven = "[[rigid]]\nname = \"pin\"\nmodel = \"torus\"\n[[joint]]\nbody = \"link each\"\nto = \"pin each\"\n";
    let uneven = build_problems(&format!("{LINKS}{uneven}"));
    assert_only(&uneven, 13, "joint[0].to", &["1 of `pin` for 3 of `link`"]);
    let soft = "[[soft]]\nname = \"jelly\"\nmodel = \"torus\"\n[[joint]]\nbody = \"jelly\"\nfriction = 1\n";
    assert_only(
        &build_problems(soft),
        5,
        "joint[0].body",
        &["`jelly` bends", "rigid bodies"],
    );
    let twice = "[[collider]]\nshape = { plane = {} }\non_at = 1\noff_at = 1\n";
    assert_only(&build_problems(twice), 4, "collider[0].off_at", &["at the same time"]);
}

#[test]
fn names_that_joints_cannot_tell_apart() {
    let text = "[[rigid]]\nname = \"a\"\nmodel = \"torus\"\n[[soft]]\nname = \"a\"\nmodel = \"torus\"\n[[joint]]\nbody = \"a\"\n";
    assert_only(
        &build_problems(text),
        8,
        "joint[0].body",
        &["the name of rigid[0] and of soft[0]"],
    );
}

#[test]
fn copies_that_cannot_be_joined_or_turned_as_told() {
    let rows = |keys: &str| {
        build_problems(&format!(
            "[[rigid]]\nmodel = \"torus\"\ncopies = {{ count = [2, 1, 1], spacing = [2, 0, 0], {keys} }}\n"
        ))
    };
    assert_only(
        &rows("joined = { closed = true }"),
        3,
        "rigid[0].copies.joined.closed",
        &["at least 3"],
    );
    assert_only(
        &rows("joined = { kind = \"hinge\" }"),
        3,
        "rigid[0].copies.joined",
        &["missing key `axis`"],
    );
    assert_only(&rows("turn = \"along\""), 3, "rigid[0].copies.turn", &["along a line"]);
}

#[test]
fn particles_too_different_in_size() {
    let text = "particle_radius = 0.05\n[[grains]]\nshape = { sphere = { radius = 1 } }\n[[grains]]\nradius = 0.5\n\
                shape = { sphere = { radius = 1, center = [0, 5, 0] } }\n";
    let words = ["0.05", "0.5", "8 times the smallest"];
    assert_only(&build_problems(text), 5, "grains[1].radius", &words);
}

#[test]
fn a_slip_in_a_key_hides_no_other_mistake_of_its_table() {
    let text = "[[rigid]]\nmodle = \"rabit\"\n[[rigid]]\nzzqqy = 3\nmaterial = \"nosuch\"\nmodel = \"rabbit\"\nmesh = \"x.obj\"\n";
    let problems = check_text(text, "test.toml", SizeLimits::default());
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    for expected in [
        "unknown key `modle`",
        "rabit",
        "nosuch",
        "unknown key `zzqqy`",
        "rigid[1]: ",
    ] {
        assert!(
            said.iter().any(|line| line.contains(expected)),
            "{expected} in {said:#?}"
        );
    }
}
