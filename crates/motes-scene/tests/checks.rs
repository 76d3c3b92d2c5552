//! `check` doubts what is legal but strange, with path and line.
#![allow(clippy::unwrap_used)]

use motes_scene::{Scene, Severity, check};

/// Asserts that the scene has exactly these warnings: line, path, and a word of the message.
fn assert_warnings(text: &str, expected: &[(u32, &str, &str)]) {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let found = check(&scene);
    let listed = found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(found.len(), expected.len(), "{listed}");
    for (problem, (line, path, word)) in found.iter().zip(expected) {
        assert_eq!(
            (problem.place.line, problem.path.as_str(), problem.severity),
            (*line, *path, Severity::Warning),
            "{listed}"
        );
        assert!(problem.message.contains(word), "{listed}");
    }
}

const FLOOR: &str = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n";

#[test]
fn a_sound_scene_has_no_warnings() {
    assert_warnings(
        &format!("{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"),
        &[],
    );
}

#[test]
fn gravity_that_points_up() {
    let text =
        format!("gravity = -9.81\n{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n");
    assert_warnings(&text, &[(1, "gravity", "upward")]);
}

#[test]
fn objects_that_overlap() {
    let text = format!(
        "{FLOOR}[[grains]]\nname = \"a\"\nshape = {{ box = {{ min = [0, 0, 0], max = [1, 1, 1] }} }}\n[[grains]]\nshape = {{ box = {{ min = [0.5, 0, 0], max = [1.5, 1, 1] }} }}\n"
    );
    assert_warnings(&text, &[(8, "grains[1].shape", "overlap with `a`")]);
}

#[test]
fn grains_closer_than_they_are_wide() {
    let text =
        format!("{FLOOR}[[grains]]\nspacing = 0.8\nshape = {{ sphere = {{ radius = 0.5, center = [0, 1, 0] }} }}\n");
    assert_warnings(&text, &[(4, "grains[0]", "its own grains overlap, by up to 20 %")]);
}

#[test]
fn grains_in_a_collider() {
    let text = format!("{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = 1 }} }}\n");
    assert_warnings(&text, &[(5, "grains[0].shape", "inside collider `floor`")]);
}

#[test]
fn grains_in_a_kill_volume() {
    let text = format!(
        "{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 5, 0] }} }}\n[[kill]]\noutside = {{ sphere = {{ radius = 3 }} }}\n"
    );
    assert_warnings(&text, &[(5, "grains[0].shape", "kill[0]")]);
}

#[test]
fn grains_with_nothing_below() {
    assert_warnings(
        "[[grains]]\nshape = { sphere = { radius = 1 } }\n",
        &[(1, "grains[0]", "fall out")],
    );
    assert_warnings("gravity = 0\n[[grains]]\nshape = { sphere = { radius = 1 } }\n", &[]);
    let shelf = "[[collider]]\nshape = { box = { min = [-1, 4, -1], max = [1, 5, 1] } }\n";
    assert_warnings(
        &format!("{shelf}[[grains]]\nshape = {{ sphere = {{ radius = 1 }} }}\n"),
        &[(3, "grains[0]", "fall out")],
    );
}

#[test]
fn shapes_thinner_than_a_grain() {
    let text = format!("{FLOOR}[[grains]]\nshape = {{ box = {{ min = [0, 0, 0], max = [1, 0.01, 1] }} }}\n");
    assert_warnings(
        &text,
        &[(5, "grains[0].shape", "no grain of radius 0.05 m has a place")],
    );
}

#[test]
fn a_count_out_of_reach() {
    let text =
        format!("{FLOOR}[[grains]]\ncount = 100000\nshape = {{ sphere = {{ radius = 0.5, center = [0, 1, 0] }} }}\n");
    assert_warnings(&text, &[(5, "grains[0].count", "100000 grains are wanted")]);
}

#[test]
fn emitters_that_cannot_do_as_told() {
    let text = "[[emitter]]\nshape = { disc = { radius = 0.01 } }\nrate = 1e6\nspeed = 1000\nstart = 99\n";
    assert_warnings(
        text,
        &[
            (2, "emitter[0].shape", "opening"),
            (3, "emitter[0].rate", "fit through"),
            (4, "emitter[0].speed", "diameters"),
            (5, "emitter[0].start", "after the run"),
        ],
    );
}

#[test]
fn pairs_of_materials_that_never_meet_or_say_nothing() {
    let text = "[[material_pair]]\nbetween = [\"sand\", \"ice\"]\nfriction = 0.1\n[[material_pair]]\nbetween = [\"sand\", \"sand\"]\n\
        [[material_pair]]\nbetween = [\"sand\", \"wood\"]\nkinetic_friction = 2\n\
        [[emitter]]\nshape = { disc = { radius = 1 } }\nstop = 1\n[[collider]]\nmaterial = \"wood\"\nshape = { plane = { normal = [0, 1, 0], offset = -1 } }\n";
    assert_warnings(
        text,
        &[
            (1, "material_pair[0]", "nothing is made of `ice`"),
            (4, "material_pair[1]", "neither friction nor restitution"),
            (6, "material_pair[2]", "nothing ever holds"),
        ],
    );
}

#[test]
fn materials_that_are_strange_or_unused() {
    let text = "[material.odd]\nkinetic_friction = 2\n[[emitter]]\nshape = { disc = { radius = 1 } }\nstop = 1\n";
    assert_warnings(
        text,
        &[
            (1, "material.odd", "never used"),
            (1, "material.odd", "nothing ever holds"),
        ]
        .map(|(line, path, word)| (line, path, word)),
    );
}

#[test]
fn thin_colliders_that_move_fast() {
    let text = format!(
        "{FLOOR}[[collider]]\nshape = {{ box = {{ size = [1, 0.02, 1], center = [0, 9, 0] }} }}\nmotion = {{ steady = {{ velocity = [0, 50, 0] }} }}\n[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"
    );
    assert_warnings(&text, &[(6, "collider[1].motion", "pass through")]);
}

#[test]
fn a_camera_in_the_ground_and_names_used_twice() {
    let text = format!(
        "[camera]\nposition = [0, -1, 4]\n{FLOOR}{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"
    );
    assert_warnings(
        &text,
        &[
            (2, "camera.position", "inside `floor`"),
            (7, "collider[1].name", "collider[0]"),
        ],
    );
}

#[test]
fn a_camera_may_stand_behind_a_wall() {
    let text = format!(
        "[camera]\nposition = [0, 1, 4]\n{FLOOR}[[collider]]\nshape = {{ plane = {{ normal = [0, 0, -1], offset = -2 }} }}\n[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"
    );
    assert_warnings(&text, &[]);
}

#[test]
fn necks_in_which_grains_jam() {
    let neck = |vessel: &str| {
        format!(
            "{FLOOR}[[collider]]\nshape = {{ vessel = {{ {vessel} }} }}\nposition = [9, 9, 9]\n[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"
        )
    };
    let hourglass = "hourglass = { height = 2, radius = 0.5, neck_radius = 0.12 }";
    let path = "collider[1].shape.vessel.hourglass.neck_radius";
    assert_warnings(&neck(hourglass), &[(5, path, "2.4 grain diameters")]);
    assert_warnings(&neck(&hourglass.replace("0.12", "0.16")), &[]);
    let turned = "turned = { profile = [[0, 0], [1, 0], [0.1, 1], [1, 2]] }";
    let path = "collider[1].shape.vessel.turned.profile";
    assert_warnings(&neck(turned), &[(5, path, "2.0 grain diameters")]);
    assert_warnings(&neck("turned = { profile = [[0, 0], [1, 0], [0, 0.1]] }"), &[]);
}

#[test]
fn grains_so_small_that_gravity_carries_them_through_each_other() {
    let of = |radius: f32| {
        format!(
            "particle_radius = {radius}\n{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = {}, center = [0, {}, 0] }} }}\n",
            4.0 * radius,
            4.0 * radius
        )
    };
    assert_warnings(&of(1e-3), &[(1, "particle_radius", "0.3 diameters in a sub-step")]);
    assert_warnings(&of(2e-3), &[]);
}

#[test]
fn grains_too_far_away_for_their_size() {
    let at = |x: f32| format!("{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [{x}, 1, 0] }} }}\n");
    assert_warnings(&at(2e4), &[(4, "grains[0]", "3.9 % of a particle's radius")]);
    assert_warnings(&at(4000.0), &[]);
}

#[test]
fn emitters_that_open_inside_something() {
    let at = |height: f32| {
        format!("{FLOOR}[[emitter]]\nshape = {{ disc = {{ radius = 0.5 }} }}\nposition = [0, {height}, 0]\nstop = 1\n")
    };
    assert_warnings(
        &at(-1.0),
        &[(6, "emitter[0].position", "the opening lies inside collider `floor`")],
    );
    assert_warnings(&at(1.0), &[]);
    let tilted = at(0.1).replace("stop = 1", "stop = 1\ndirection = [1, 0, 0]");
    assert_warnings(&tilted, &[(6, "emitter[0].position", "part of the opening")]);
}

#[test]
fn light_that_lights_nothing() {
    let light = |direction: &str| {
        format!(
            "[render]\nlight = {direction}\n{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"
        )
    };
    assert_warnings(&light("[0, 0, 0]"), &[(2, "render.light", "no direction")]);
    assert_warnings(&light("[0, 1, 0]"), &[(2, "render.light", "below the horizon")]);
    assert_warnings(&light("[0, -1, 0]"), &[]);
}

#[test]
fn video_of_an_odd_size() {
    let output = |formats: &str| {
        format!(
            "[output]\nwidth = 641\nformats = {formats}\n{FLOOR}[[grains]]\nshape = {{ sphere = {{ radius = 1, center = [0, 1, 0] }} }}\n"
        )
    };
    assert_warnings(&output("[\"mp4\"]"), &[(2, "output.width", "repeated to make 642")]);
    assert_warnings(&output("[\"png\"]"), &[]);
}

#[test]
fn more_particles_than_memory() {
    let text = "frames = 1000000\n[[emitter]]\nshape = { disc = { radius = 1 } }\nrate = 1500\n";
    assert_warnings(text, &[(1, "", "25 million particles need about 15 GB")]);
}

#[test]
fn bodies_that_overlap_each_other_grains_or_colliders() {
    let ball = |height: f32| format!("shape = {{ sphere = {{ radius = 0.4, center = [0, {height}, 0] }} }}\n");
    let text = format!("{FLOOR}[[rigid]]\nname = \"a\"\n{}[[soft]]\n{}", ball(0.4), ball(0.9));
    assert_warnings(&text, &[(7, "soft[0].position", "overlap with `a`")]);
    let text = format!("{FLOOR}[[grains]]\nname = \"a\"\n{}[[rigid]]\n{}", ball(0.4), ball(0.9));
    assert_warnings(&text, &[(7, "rigid[0].position", "overlap with `a`")]);
    let text = format!("{FLOOR}[[rigid]]\n{}", ball(0.2));
    assert_warnings(&text, &[(4, "rigid[0].position", "inside collider `floor`")]);
    let text = format!("{FLOOR}[[rigid]]\nmay_overlap = true\n{}", ball(0.2));
    assert_warnings(&text, &[]);
}

#[test]
fn copies_closer_than_they_are_wide() {
    let rows = |spacing: f32| {
        format!(
            "{FLOOR}[[rigid]]\nmodel = \"torus\"\ncopies = {{ count = [3, 1, 3], spacing = [{spacing}, 0, {spacing}] }}\n"
        )
    };
    assert_warnings(&rows(0.7), &[(6, "rigid[0].copies", "different copies overlap")]);
    assert_warnings(&rows(1.1), &[]);
}

#[test]
fn bodies_too_small_for_their_particles() {
    let sheet = format!("{FLOOR}[[rigid]]\nshape = {{ box = {{ size = [1, 0.02, 1], center = [0, 1, 0] }} }}\n");
    assert_warnings(&sheet, &[(5, "rigid[0].shape", "is 0.0200 m thick")]);
    let bead = format!("{FLOOR}[[rigid]]\nshape = {{ sphere = {{ radius = 0.03, center = [0, 1, 0] }} }}\n");
    assert_warnings(&bead, &[(5, "rigid[0].shape", "a single particle")]);
}

#[test]
fn bodies_with_nothing_below_and_materials_they_use() {
    let text = "[material.felt]\nbase = \"wood\"\n[[rigid]]\nmodel = \"torus\"\nmaterial = \"felt\"\n";
    assert_warnings(text, &[(3, "rigid[0]", "the bodies fall out")]);
    assert_warnings(&format!("{text}kinematic = true\n"), &[]);
    let fast = format!("{FLOOR}[[rigid]]\nmodel = \"torus\"\nvelocity = [0, 0, 90]\n");
    assert_warnings(&fast, &[(6, "rigid[0].velocity", "particle diameters in a sub-step")]);
}

#[test]
fn meshes_with_holes() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = motes_geometry::Mesh::cuboid(glam::Vec3::ONE);
    mesh.triangles.pop();
    std::fs::write(folder.path().join("open.stl"), motes_geometry::write::stl(&mesh)).unwrap();
    let path = folder.path().join("scene.toml");
    let text = format!("{FLOOR}[[rigid]]\nmesh = \"open.stl\"\nposition = [0, 2, 0]\n");
    std::fs::write(&path, text).unwrap();
    let found = motes_scene::check::check_file(&path);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].to_string().contains("rigid[0].mesh: the mesh is not closed"),
        "{found:?}"
    );
}

#[test]
fn joints_away_from_what_they_join() {
    let ball = "[[rigid]]\nname = \"a\"\nshape = { sphere = { radius = 0.5 } }\n";
    let hung = |at: &str| format!("{ball}[[joint]]\nbody = \"a\"\n{at}");
    assert_warnings(&hung(""), &[]);
    assert_warnings(&hung("at = [0, 0.5, 0]\n"), &[]);
    assert_warnings(&hung("at = [0, 2, 0]\n"), &[(6, "joint[0].at", "m outside of `a`")]);
    let beam = "[[collider]]\nname = \"beam\"\nshape = { box = { size = [1, 0.4, 1], center = [0, 2, 0] } }\n";
    assert_warnings(&format!("{beam}{}to = \"beam\"\n", hung("at = [0, 1.8, 0]\n")), &[]);
    let still = hung("").replace("name = \"a\"", "name = \"a\"\nkinematic = true");
    assert_warnings(&still, &[(5, "joint[0]", "nothing can move")]);
}

#[test]
fn what_hangs_from_something_needs_nothing_below() {
    let text = "[[rigid]]\nname = \"a\"\nshape = { sphere = { radius = 0.5 } }\n[[rigid]]\nname = \"b\"\nshape = { sphere = { radius = 0.5 } }\nposition = [1.1, 0, 0]\n\
        [[joint]]\nbody = \"a\"\nto = \"b\"\n";
    assert_warnings(text, &[(1, "rigid[0]", "fall out"), (4, "rigid[1]", "fall out")]);
    assert_warnings(&format!("{text}[[joint]]\nbody = \"b\"\n"), &[]);
}

#[test]
fn large_grains_that_overlap_small_ones() {
    let scene = |height: f32| {
        format!(
            "{FLOOR}[[grains]]\nname = \"small\"\nshape = {{ box = {{ min = [-0.5, 0, -0.5], max = [0.5, 0.2, 0.5] }} }}\n\
             [[grains]]\nradius = 0.2\ncount = 1\nshape = {{ sphere = {{ radius = 0.21, center = [0, {height}, 0] }} }}\n"
        )
    };
    assert_warnings(&scene(0.41), &[]);
    assert_warnings(&scene(0.3), &[(10, "grains[1].shape", "overlap with `small`")]);
}

#[test]
fn large_grains_in_the_floor() {
    let text =
        format!("{FLOOR}[[grains]]\nradius = 0.2\nshape = {{ sphere = {{ radius = 0.21, center = [0, 0.1, 0] }} }}\n");
    assert_warnings(&text, &[(6, "grains[0].shape", "inside collider `floor`")]);
}

#[test]
fn clamps_that_hold_nothing_and_joints_far_from_either_body() {
    let clamped = "[[soft]]\nshape = { box = { size = [1, 1, 1] } }\nposition = [0, 2, 0]\nclamp = { sphere = { center = [9, 9, 9], radius = 1 } }\n";
    assert_warnings(
        &format!("{FLOOR}{clamped}"),
        &[(7, "soft[0].clamp", "none of its particles")],
    );
    let ball = |name: &str, x: f32| {
        format!("[[rigid]]\nname = \"{name}\"\nshape = {{ sphere = {{ radius = 0.3 }} }}\nposition = [{x}, 2, 0]\n")
    };
    let joint = "[[joint]]\nbody = \"near\"\nto = \"far\"\nat = [0, 2, 0]\n";
    let text = format!("{FLOOR}{}{}{joint}", ball("near", 0.0), ball("far", 3.0));
    assert_warnings(&text, &[(12, "joint[0]", "`far` is 2.")]);
}
