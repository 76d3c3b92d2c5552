//! What a run leaves in its folder, and what it does when others use it, or nobody can.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const SCENE: &str = r#"
name = "tiny"
frames = 4
[output]
width = 64
height = 48
[[grains]]
shape = { box = { min = [-0.2, 0, -0.2], max = [0.2, 0.4, 0.2] } }
[[rigid]]
name = "block"
shape = { box = { size = [0.3, 0.3, 0.3] } }
position = [0, 1, 0]
[[collider]]
shape = { plane = {} }
"#;

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motes"));
    command.current_dir(folder).args(arguments);
    command
}

fn motes(folder: &Path, arguments: &[&str]) -> Output {
    program(folder, arguments).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("tiny.toml"), SCENE).expect("scene");
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn digest(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    result["digest"].as_str().expect("a digest").to_owned()
}

#[test]
fn a_second_run_of_a_scene_into_the_same_folder_is_refused() {
    let folder = folder();
    let mut first = program(folder.path(), &["run", "tiny.toml", "-q", "--frames", "1000000"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !folder.path().join("out").exists() || names(&folder.path().join("out")).len() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let second = motes(folder.path(), &["run", "tiny.toml"]);
    let elsewhere = motes(folder.path(), &["run", "tiny.toml", "--out", "elsewhere"]);
    first.kill().expect("killed");
    first.wait().expect("ended");
    assert_eq!(second.status.code(), Some(1), "{}", said(&second));
    assert!(said(&second).contains("another run is writing the files of tiny there"));
    assert!(elsewhere.status.success(), "{}", said(&elsewhere));
    let third = motes(folder.path(), &["run", "tiny.toml"]);
    assert!(
        third.status.success() && said(&third).contains("removed 1 unfinished file"),
        "{}",
        said(&third)
    );
    assert_eq!(names(&folder.path().join("out")), ["tiny.mp4", "tiny.png"]);
}

#[test]
fn targets_that_cannot_be_written_are_noticed_before_the_simulation() {
    let folder = folder();
    std::fs::write(folder.path().join("file"), b"").expect("file");
    std::fs::create_dir(folder.path().join("taken")).expect("folder");
    let endless = ["run", "tiny.toml", "--frames", "1000000"];
    for target in [
        &["--out", "file"][..],
        &["--save-state", "taken"],
        &["--save-state", "file/state"],
    ] {
        let output = motes(folder.path(), &[&endless[..], target].concat());
        assert_eq!(output.status.code(), Some(1), "{target:?}: {}", said(&output));
        assert!(
            said(&output).contains(target[1].split('/').next().expect("a name")),
            "{}",
            said(&output)
        );
    }
}

#[test]
fn a_run_that_goes_on_leaves_the_files_of_its_first_half() {
    let folder = folder();
    let run = |more: &[&str]| {
        let arguments = ["run", "tiny.toml", "--format", "png,mp4,csv", "--frames", "3"];
        let output = motes(folder.path(), &[&arguments[..], more].concat());
        assert!(output.status.success(), "{}", said(&output));
    };
    run(&["--save-state", "half.state"]);
    let first = std::fs::read(folder.path().join("out/tiny.mp4")).expect("film");
    run(&["--restore-state", "half.state"]);
    assert_eq!(std::fs::read(folder.path().join("out/tiny.mp4")).expect("film"), first);
    let expected = ["csv", "mp4", "png"].map(|ending| format!("tiny-from-00003.{ending}"));
    assert_eq!(names(&folder.path().join("out"))[..3], expected);
}

#[cfg(unix)]
#[test]
fn a_run_that_was_stopped_goes_on_from_its_checkpoint_to_the_same_end() {
    let folder = folder();
    let run = [
        "run",
        "tiny.toml",
        "--format",
        "none",
        "--json",
        "--frames",
        "60",
        "--engine",
        "cpu",
    ];
    let straight = digest(&motes(folder.path(), &run));
    let checkpoint = folder.path().join("out/tiny.checkpoint");
    let mut stopped = program(
        folder.path(),
        &["run", "tiny.toml", "--format", "none", "-q", "--engine", "cpu"],
    )
    .args(["--frames", "1000000", "--checkpoint", "20"])
    .spawn()
    .expect("the program starts");
    while !checkpoint.exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // Killed: what counts is what was written before.
    let at_twenty = std::fs::read(&checkpoint).expect("checkpoint");
    stopped.kill().expect("killed");
    stopped.wait().expect("ended");
    std::fs::write(&checkpoint, at_twenty).expect("checkpoint");
    let short = [&run[..5], &["--frames", "19", "--resume"]].concat();
    let output = motes(folder.path(), &short);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("is of frame 20, and the run is to have 19"),
        "{}",
        said(&output)
    );
    assert!(checkpoint.exists());
    let output = motes(folder.path(), &[&run[..], &["--resume", "--checkpoint", "20"]].concat());
    assert!(said(&output).contains("going on from frame 20"), "{}", said(&output));
    assert_eq!(digest(&output), straight);
    assert_eq!(names(&folder.path().join("out")), [""; 0]);
}

#[test]
fn a_state_of_a_body_of_another_shape_is_refused() {
    let folder = folder();
    let none = ["run", "tiny.toml", "--format", "none", "--frames", "1"];
    assert!(
        motes(folder.path(), &[&none[..], &["--save-state", "a.state"]].concat())
            .status
            .success()
    );
    let change = [
        "--restore-state",
        "a.state",
        "--set",
        "rigid[0].shape.box.size=[0.3,0.3,0.4]",
    ];
    let output = motes(folder.path(), &[&none[..], &change].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("the shape of `block` has changed"),
        "{}",
        said(&output)
    );
}

#[cfg(unix)]
#[test]
fn readers_that_have_gone_change_no_exit_code() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.toml"), "framez = 3\n").expect("scene");
    let motes = env!("CARGO_BIN_EXE_motes");
    let shell = |line: &str| {
        let mut bash = Command::new("bash");
        bash.current_dir(folder.path())
            .args(["-c", &line.replace("motes", motes)]);
        bash.status().expect("a shell").code()
    };
    assert_eq!(shell("motes check bad.toml | true; exit ${PIPESTATUS[0]}"), Some(1));
    assert_eq!(shell("motes check tiny.toml | true; exit ${PIPESTATUS[0]}"), Some(0));
    assert_eq!(shell("motes run tiny.toml --format none 2>&-"), Some(0));
    assert_eq!(shell("motes run bad.toml 2>/dev/full"), Some(2));
}

#[test]
fn a_run_tells_what_a_check_would() {
    let folder = folder();
    let run = |more: &[&str]| {
        let arguments = [&["run", "tiny.toml", "--format", "none", "--frames", "1"], more].concat();
        said(&motes(folder.path(), &arguments))
    };
    assert!(!run(&[]).contains("no particles"));
    let nothing = run(&["--set", "grains=[]", "--set", "rigid=[]"]);
    assert!(nothing.contains("warning: the scene has no particles"), "{nothing}");
    assert!(!run(&["--set", "grains=[]", "--set", "rigid=[]", "--quiet"]).contains("warning"));
    let upward = run(&["--set", "gravity=-9.81"]);
    assert!(upward.contains("warning") && upward.contains("gravity"), "{upward}");
    let backward = said(&motes(folder.path(), &["run", "tiny.toml", "--frames", "-1"]));
    assert!(backward.contains("'-1' for '--frames"), "{backward}");
}
