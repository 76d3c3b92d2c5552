//! Mistakes in triggers: who counts, and what is switched.

use super::*;

/// What triggers can name; the next line is number 14.
const PLANT: &str = "[[grains]]\nname = \"coal\"\nshape = { sphere = { radius = 1, center = [0, 5, 0] } }\n\
    [[rigid]]\nname = \"crate\"\nmodel = \"torus\"\nposition = [9, 2, 0]\ncopies = { count = [3, 1, 1], spacing = [2, 0, 0] }\n\
    [[collider]]\nname = \"belt\"\nshape = { plane = {} }\nsurface_velocity = [1, 0, 0]\n[[trigger]]\n";

fn trigger(lines: &str) -> String {
    format!("{PLANT}within = {{ below = {{ height = 1 }} }}\n{lines}\n")
}

#[test]
fn triggers_of_what_is_not_there() {
    let cases: [(&str, &str, &[&str]); 9] = [
        (
            "of = [\"coall\"]",
            "trigger[0].of[0]",
            &[
                "no grains, fluid, cloth, rope, bodies, creature or emitter is named `coall`",
                "did you mean `coal`?",
            ],
        ),
        ("of = [\"coal\", \"crate 7\"]", "trigger[0].of[1]", &["numbered 0 to 2"]),
        ("of = [\"belt\"]", "trigger[0].of[0]", &["is named `belt`"]),
        (
            "off = [\"blet\"]",
            "trigger[0].off[0]",
            &["no collider, joint or emitter is named `blet`", "did you mean `belt`?"],
        ),
        (
            "on = [\"belt.sureface\"]",
            "trigger[0].on[0]",
            &["did you mean `belt.surface`?"],
        ),
        ("on = [\"coal\"]", "trigger[0].on[0]", &["`belt`, `belt.surface`"]),
        (
            "on = [\"belt\"]\noff = [\"belt\"]",
            "trigger[0].off[0]",
            &["switched twice"],
        ),
        (
            "on = [\"floor.surface\"]\n[[collider]]\nname = \"floor\"\nshape = { plane = {} }",
            "trigger[0].on[0]",
            &["collider[1] does not run", "surface_velocity"],
        ),
        (
            "on = [\"belt\"]\n[[collider]]\nname = \"belt\"\nshape = { plane = {} }",
            "trigger[0].on[0]",
            &["is the name of collider[0] and of collider[1]"],
        ),
    ];
    for (lines, path, words) in cases {
        let line = if path.contains(".off") && lines.contains('\n') {
            16
        } else {
            15
        };
        assert_only(&build_problems(&trigger(lines)), line, path, words);
    }
}

#[test]
fn triggers_that_are_written_wrongly() {
    assert_only(
        &problems(&format!("{PLANT}name = \"a\"\n")),
        13,
        "trigger[0]",
        &["missing key `within`"],
    );
    assert_only(
        &problems(&trigger("count = 0")),
        15,
        "trigger[0].count",
        &["between 1 and 1e9"],
    );
    assert_only(
        &problems(&trigger("count = nan")),
        15,
        "trigger[0].count",
        &["a whole number"],
    );
    assert_only(
        &problems(&trigger("counting = \"enterd\"")),
        15,
        "trigger[0].counting",
        &["did you mean `entered`?"],
    );
    assert_only(
        &problems(&trigger("off = \"belt\"")),
        15,
        "trigger[0].off",
        &["an array"],
    );
    assert_only(
        &problems(&trigger("kil = true")),
        15,
        "trigger[0]",
        &["did you mean `kill`?"],
    );
    assert_only(
        &build_problems(&trigger("count = 3\nback_below = 4")),
        16,
        "trigger[0].back_below",
        &["4 is more than the 3"],
    );
    let text = format!("{PLANT}within = {{ box = {{ min = [0, 1, 0], max = [1, 0, 1] }} }}\n");
    assert_only(
        &build_problems(&text),
        14,
        "trigger[0].within.box",
        &["`min` below `max`"],
    );
}

#[test]
fn triggers_that_never_do_what_they_say() {
    let checked = |lines: &str| {
        let problems = check_text(&trigger(lines), "test.toml", SizeLimits::default());
        assert!(problems.iter().all(|problem| !problem.is_error()), "{problems:#?}");
        problems
    };
    assert!(checked("of = [\"crate\"]\ncount = 3\noff = [\"belt.surface\"]\nback_below = 2").is_empty());
    assert_only(
        &checked("back_below = 1"),
        15,
        "trigger[0].back_below",
        &["nothing to switch"],
    );
    assert_only(&checked("count = 9"), 15, "trigger[0].count", &["nothing to switch"]);
    assert_only(
        &checked("back_below = 1\ncounting = \"entered\"\noff = [\"belt\"]"),
        15,
        "trigger[0].back_below",
        &["never becomes less", "count those `inside`"],
    );
    assert_only(
        &checked("count = 4\nof = [\"crate\"]\noff = [\"belt\"]"),
        15,
        "trigger[0].count",
        &["waits for 4, but there are only 3"],
    );
}
