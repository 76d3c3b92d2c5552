//! Mistakes in the camera.

use super::*;

#[test]
fn cameras_that_stand_or_look_nowhere() {
    let built = |lines: &str| build_problems(&format!("{BALL}[camera]\n{lines}\n"));
    let read = |lines: &str| problems(&format!("{BALL}[camera]\n{lines}\n"));
    assert_only(
        &built("field_of_view = 30"),
        3,
        "camera",
        &["missing key `position`", "leave `[camera]` out"],
    );
    assert_only(
        &built("keys = [{ time = 1, target = [0, 0, 0] }]"),
        3,
        "camera",
        &["missing key `position`"],
    );
    assert_only(
        &read("position = [0, nan, 0]"),
        4,
        "camera.position[1]",
        &["NaN", "between -1e6 and 1e6 m"],
    );
    assert_only(
        &read("keys = [{ position = [0, 1, 0] }]"),
        4,
        "camera.keys[0]",
        &["missing key `time`"],
    );
    assert_only(
        &read("keys = [{ time = 1, positon = [0, 1, 0] }]"),
        4,
        "camera.keys[0]",
        &["did you mean `position`?"],
    );
    assert_only(
        &read("position = [0, 1, 0]\nfollow_time = -1"),
        5,
        "camera.follow_time",
        &["between 0 and 1e7 s"],
    );
    assert_only(
        &built("keys = [{ time = 2, position = [0, 1, 5] },\n{ time = 2, position = [0, 1, 6] }]"),
        5,
        "camera.keys[1].time",
        &["expected a time after 2 s, found 2 s"],
    );
}

#[test]
fn cameras_that_follow_nobody() {
    let built = |name: &str| {
        let text = format!("{BALL}name = \"marble\"\n[camera]\nposition = [0, 1, 9]\nfollow = \"{name}\"\n");
        Scene::from_toml(&text, "test.toml")
            .unwrap()
            .build(Box::new(motes_core::CpuEngine::new()))
    };
    assert!(built("marble").is_ok());
    let refused = built("marbel").err().unwrap().problems;
    assert_only(
        &refused,
        6,
        "camera.follow",
        &["is named `marbel`", "did you mean `marble`?"],
    );
}
