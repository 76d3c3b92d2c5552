//! Mistakes in joints: what they join, and what acts on them.

use super::*;

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
