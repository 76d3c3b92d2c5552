//! Cloth, ropes, fabrics and wind.

use super::{assert_only, build_problems, problems};

#[test]
fn cloth_is_a_rectangle_or_a_mesh() {
    assert_only(
        &build_problems("[[cloth]]\n"),
        1,
        "cloth[0]",
        &["`size`, `disc`, `sphere`, `mesh` or `model`"],
    );
    let both = "[[cloth]]\nsize = [1, 1]\nmesh = \"x.obj\"\n";
    assert_only(&build_problems(both), 3, "cloth[0].mesh", &["not both"]);
    assert_only(&problems("[[cloth]]\nsize = [1, 0]\n"), 2, "cloth[0].size[1]", &["0"]);
    let lines = "[[cloth]]\nsize = [1, 1]\nresolution = [1, 9]\n";
    assert_only(&problems(lines), 3, "cloth[0].resolution[0]", &["2"]);
    let vast = "particle_radius = 0.001\n[[cloth]]\nsize = [1000, 1000]\n";
    assert_only(&build_problems(vast), 2, "cloth[0]", &["too many", "resolution"]);
}

#[test]
fn only_what_is_closed_holds_air_and_of_one_kind() {
    let sheet = "[[cloth]]\nsize = [1, 1]\ninflate = { gas = 1.2 }\n";
    assert_only(
        &build_problems(sheet),
        3,
        "cloth[0].inflate",
        &["rectangle", "`sphere`"],
    );
    let nothing = "[[cloth]]\nsphere = 1\ninflate = {}\n";
    assert_only(
        &build_problems(nothing),
        3,
        "cloth[0].inflate",
        &["`gas`, `volume` and `pressure`"],
    );
    let both = "[[cloth]]\nsphere = 1\ninflate = { gas = 1.2, pressure = 9 }\n";
    assert_only(&build_problems(both), 3, "cloth[0].inflate.pressure", &["only one of"]);
    let soft = "[[cloth]]\nsphere = 1\ninflate = { gas = 1.2, compliance = 1 }\n";
    assert_only(&build_problems(soft), 3, "cloth[0].inflate.compliance", &["`volume`"]);
    let less = "[[cloth]]\nsphere = 1\ninflate = { gas = -1 }\n";
    assert_only(&problems(less), 3, "cloth[0].inflate.gas", &["0"]);
    let model = "[[cloth]]\nmodel = \"rabit\"\n";
    assert_only(
        &build_problems(model),
        2,
        "cloth[0].model",
        &["unknown model", "`rabbit`"],
    );
    let rows = "[[cloth]]\nsphere = 1\nresolution = [3, 3]\n";
    assert_only(&build_problems(rows), 3, "cloth[0].resolution", &["rectangles"]);
    let vast = "particle_radius = 0.0001\n[[cloth]]\nsphere = 100\n";
    assert_only(&build_problems(vast), 3, "cloth[0].sphere", &["too many"]);
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
fn attachments_say_what_and_to_what() {
    let cloth = |attach: &str| format!("[[cloth]]\nsize = [1, 1]\nattach = [{attach}]\n");
    assert_only(
        &build_problems(&cloth("{ to = \"world\" }")),
        3,
        "cloth[0].attach[0]",
        &["no particle", "`pins`"],
    );
    let unknown = cloth("{ pins = [\"top\"], to = \"crate\" }");
    assert_only(&build_problems(&unknown), 3, "cloth[0].attach[0].to", &["`crate`"]);
    let itself = "[[cloth]]\nname = \"flag\"\nsize = [1, 1]\nattach = [{ pins = [\"top\"], to = \"flag\" }]\n";
    assert_only(&build_problems(itself), 4, "cloth[0].attach[0].to", &["itself"]);
    let place = cloth("{ pins = [\"tip\"] }");
    assert_only(
        &build_problems(&place),
        3,
        "cloth[0].attach[0].pins[0]",
        &["unknown place"],
    );
    let empty = cloth("{ within = { sphere = { center = [9, 9, 9], radius = 1 } } }");
    assert_only(
        &build_problems(&empty),
        3,
        "cloth[0].attach[0].within",
        &["no particle"],
    );
    let pinned = cloth("{ pins = [\"top\"], breaking_force = 3 }");
    assert_only(
        &build_problems(&pinned),
        3,
        "cloth[0].attach[0]",
        &["neither stretches nor breaks"],
    );
    let driven = "[[collider]]\nname = \"post\"\nshape = { sphere = { radius = 0.1 } }\n[[cloth]]\nsize = [1, 1]\n\
                  attach = [{ pins = [\"top\"], to = \"post\", motion = { steady = { velocity = [1, 0, 0] } } }]\n";
    assert_only(&build_problems(driven), 6, "cloth[0].attach[0].motion", &["of its own"]);
    let back = cloth("{ pins = [\"top\"], motion = { path = { keys = [{ time = 2 }, { time = 1 }] } } }");
    assert_only(
        &build_problems(&back),
        3,
        "cloth[0].attach[0].motion.path.keys[1].time",
        &["after 2 s"],
    );
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
