//! Mistakes of meaning in materials, grains, colliders, emitters and motions.

use super::*;

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
fn particles_too_different_in_size() {
    let text = "particle_radius = 0.05\n[[grains]]\nshape = { sphere = { radius = 1 } }\n[[grains]]\nradius = 0.5\n\
                shape = { sphere = { radius = 1, center = [0, 5, 0] } }\n";
    let words = ["0.05", "0.5", "8 times the smallest"];
    assert_only(&build_problems(text), 5, "grains[1].radius", &words);
}

#[test]
fn surfaces_that_run_nowhere() {
    let belt = |line: &str| format!("[[collider]]\nshape = {{ plane = {{}} }}\n{line}\n");
    let path = "collider[0].surface_velocity";
    assert_only(
        &problems(&belt("surface_velocity = [nan, 0, 0]")),
        3,
        "collider[0].surface_velocity[0]",
        &["NaN", "between -1e5 and 1e5 m/s"],
    );
    assert_only(
        &problems(&belt("surface_velocity = 2")),
        3,
        path,
        &["an array of 3 numbers", "the integer 2"],
    );
    assert_only(
        &problems(&belt("surface_velocty = [1, 0, 0]")),
        3,
        "collider[0]",
        &["did you mean `surface_velocity`?"],
    );
    assert_only(
        &build_problems(&belt("surface_spin = [0, 9, 0]\nsurface_on_at = 1\nsurface_off_at = 1")),
        5,
        "collider[0].surface_off_at",
        &["at the same time"],
    );
}

#[test]
fn surfaces_that_draw_nothing_along() {
    let checked = |lines: &str| {
        let text = format!("[[collider]]\nshape = {{ plane = {{}} }}\n{lines}\n{BALL}position = [0, 1.1, 0]\n");
        let problems = check_text(&text, "test.toml", SizeLimits::default());
        assert!(problems.iter().all(|problem| !problem.is_error()), "{problems:#?}");
        problems
    };
    let velocity = "collider[0].surface_velocity";
    assert!(checked("surface_velocity = [1, 0, 0]").is_empty());
    assert_only(
        &checked("surface_velocity = [0, 2, 0]"),
        3,
        velocity,
        &["out of the plane"],
    );
    assert_only(
        &checked("surface_velocity = [9000, 0, 0]"),
        3,
        velocity,
        &["diameters", "substeps"],
    );
    assert_only(
        &checked("surface_velocity = [1, 0, 0]\nmaterial = \"frictionless\""),
        3,
        velocity,
        &["no friction"],
    );
    assert_only(
        &checked("surface_off_at = 1"),
        3,
        "collider[0].surface_off_at",
        &["does not run"],
    );
    let spin = "collider[1].surface_spin";
    let text = "surface_velocity = [1, 0, 0]\n[[collider]]\nshape = { sphere = { radius = 1 } }\ntrigger = true\nsurface_spin = [0, 9, 0]";
    assert_only(&checked(text), 7, spin, &["a trigger"]);
}
