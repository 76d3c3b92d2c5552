//! Cloth, ropes, fabrics and wind.

use super::{assert_only, build_problems, problems};

#[test]
fn cloth_is_a_rectangle_or_a_mesh() {
    assert_only(&build_problems("[[cloth]]\n"), 1, "cloth[0]", &["`size` or `mesh`"]);
    let both = "[[cloth]]\nsize = [1, 1]\nmesh = \"x.obj\"\n";
    assert_only(&build_problems(both), 3, "cloth[0].mesh", &["not both"]);
    assert_only(&problems("[[cloth]]\nsize = [1, 0]\n"), 2, "cloth[0].size[1]", &["0"]);
    let lines = "[[cloth]]\nsize = [1, 1]\nresolution = [1, 9]\n";
    assert_only(&problems(lines), 3, "cloth[0].resolution[0]", &["2"]);
    let vast = "particle_radius = 0.001\n[[cloth]]\nsize = [1000, 1000]\n";
    assert_only(&build_problems(vast), 2, "cloth[0]", &["too many", "resolution"]);
}

#[test]
fn names_of_fabrics_and_of_places_are_known() {
    let fabric = "[[cloth]]\nsize = [1, 1]\nfabric = \"coton\"\n";
    assert_only(
        &build_problems(fabric),
        3,
        "cloth[0].fabric",
        &["unknown fabric", "`cotton`"],
    );
    let pin = "[[cloth]]\nsize = [1, 1]\npins = [\"top\", \"topleft\"]\n";
    assert_only(
        &build_problems(pin),
        3,
        "cloth[0].pins[1]",
        &["unknown place", "`top_left`"],
    );
    let row = "[[cloth]]\nsize = [1, 1]\nresolution = [4, 4]\npins = [\"row 9\"]\n";
    assert_only(&build_problems(row), 4, "cloth[0].pins[0]", &["unknown place"]);
    let end = "[[rope]]\npoints = [[0, 0, 0], [1, 0, 0]]\npins = [\"stat\"]\n";
    assert_only(&build_problems(end), 3, "rope[0].pins[0]", &["`start`"]);
    let own = "[fabric.a]\nbase = \"b\"\n[fabric.b]\nbase = \"a\"\n[[cloth]]\nsize = [1, 1]\nfabric = \"a\"\n";
    let found = build_problems(own);
    assert!(
        found.iter().all(|problem| problem.to_string().contains("its own base")),
        "{found:#?}"
    );
}

#[test]
fn ropes_have_a_length_and_winds_make_sense() {
    assert_only(&problems("[[rope]]\n"), 1, "rope[0]", &["missing", "points"]);
    let short = "[[rope]]\npoints = [[0, 0, 0]]\n";
    assert_only(&build_problems(short), 2, "rope[0].points", &["2"]);
    let nowhere = "[[rope]]\npoints = [[0, 0, 0], [0, 0, 0]]\n";
    assert_eq!(build_problems(nowhere).len(), 1);
    assert_only(&problems("[wind]\ngusts = 2\n"), 2, "wind.gusts", &["1"]);
    assert_only(&problems("[wind]\neddy_size = 0\n"), 2, "wind.eddy_size", &["0"]);
}

#[test]
fn cuts_have_two_ends_and_a_way_between_them() {
    let cloth = "particle_radius = 0.05\n[[cloth]]\nsize = [1, 1]\n";
    let missing = format!("{cloth}cuts = [{{ at = 1, from = [0, 0, 0] }}]\n");
    assert_only(&problems(&missing), 4, "cloth[0].cuts[0]", &["missing", "to"]);
    let point = format!("{cloth}cuts = [{{ from = [0, 0, 0], to = [0.01, 0, 0] }}]\n");
    assert_only(&build_problems(&point), 4, "cloth[0].cuts[0]", &["same particle"]);
    let early = format!("{cloth}cuts = [{{ at = -1, from = [0, 0, 0], to = [1, 0, 0] }}]\n");
    assert_only(&problems(&early), 4, "cloth[0].cuts[0].at", &["0"]);
    let strain = "[fabric.a]\nbreaking_strain = 0\n";
    assert_only(&problems(strain), 2, "fabric.a.breaking_strain", &["0"]);
}
