//! Mistakes of writing: TOML, keys, types, numbers, words, assignments.

use super::*;

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
