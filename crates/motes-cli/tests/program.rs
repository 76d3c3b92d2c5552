//! The program as its users meet it: files, JSON, exit codes.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;

const SCENE: &str = r#"
name = "tiny"
frames = 4
[output]
width = 64
height = 48
[[grains]]
shape = { box = { min = [-0.2, 0, -0.2], max = [0.2, 0.4, 0.2] } }
[[collider]]
shape = { plane = {} }
"#;

const NOBODY: &str = r#"
name = "nobody"
[[collider]]
shape = { plane = {} }
"#;

fn motes(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motes"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("tiny.toml"), SCENE).expect("scene");
    std::fs::write(folder.path().join("nobody.toml"), NOBODY).expect("scene");
    folder
}

/// Whether the program found no GPU, which with `MOTES_REQUIRE_GPU=1` is a failure.
fn lacks_a_gpu(said: &str) -> bool {
    let lacks = said.contains("no usable GPU");
    let required = std::env::var("MOTES_REQUIRE_GPU").as_deref() == Ok("1");
    assert!(!(lacks && required), "{said}");
    lacks
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON alone on stdout")
}

#[test]
fn a_run_leaves_whole_files_and_nothing_else() {
    let folder = folder();
    let output = motes(
        folder.path(),
        &["run", "tiny.toml", "--format", "png,mp4,ply,vtp", "--json"],
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result = json(&output);
    assert_eq!(result["frames"], 4);
    assert_eq!(result["files"].as_array().map(Vec::len), Some(2 + 2 * 5));
    let names: Vec<String> = std::fs::read_dir(folder.path().join("out"))
        .expect("out")
        .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 12, "{names:?}");
    assert!(names.iter().all(|name| !name.contains("tmp")), "{names:?}");
}

#[test]
fn bodies_are_written_as_a_sequence_of_meshes() {
    let folder = folder();
    let scene = "name = \"bodies\"\nparticle_radius = 0.1\nframes = 2\n[output]\nwidth = 64\nheight = 48\n\
        [[rigid]]\nmodel = \"torus\"\n[[soft]]\nmodel = \"torus\"\nposition = [0, 1, 0]\n[[collider]]\nshape = { plane = {} }\n";
    std::fs::write(folder.path().join("bodies.toml"), scene).expect("scene");
    let output = motes(
        folder.path(),
        &["run", "bodies.toml", "--format", "png,meshes", "--json"],
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(json(&output)["files"].as_array().map(Vec::len), Some(4));
    let mesh = std::fs::read(folder.path().join("out/bodies-meshes-00002.ply")).expect("a mesh");
    assert!(mesh.starts_with(b"ply\n"));
    let on_gpu = motes(
        folder.path(),
        &["run", "bodies.toml", "--engine", "gpu", "--format", "meshes"],
    );
    let said = String::from_utf8_lossy(&on_gpu.stderr);
    assert!(on_gpu.status.success() || lacks_a_gpu(&said), "{said}");
}

/// On a software driver, which allows 128 MB in a buffer; a real GPU has room for it all.
#[test]
fn a_world_too_large_for_the_gpu_is_a_message_and_an_exit_code() {
    let folder = folder();
    let scene = "particle_radius = 0.015\n".to_owned() + &SCENE.replace("max = [0.2, 0.4, 0.2]", "max = [3.5, 4, 3.5]");
    std::fs::write(folder.path().join("large.toml"), scene).expect("scene");
    let arguments = [
        "run",
        "large.toml",
        "--engine",
        "gpu",
        "--frames",
        "1",
        "--format",
        "none",
    ];
    let output = motes(folder.path(), &arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    println!("{said}");
    if lacks_a_gpu(&said) || !said.contains("computes on the CPU") {
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("the buffers of this GPU hold") && said.contains("--engine cpu"),
        "{said}"
    );
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_run_saved_halfway_ends_like_one_that_was_not() {
    let folder = folder();
    let run = |arguments: &[&str]| {
        let mut all = vec!["run", "tiny.toml", "--format", "none", "--json"];
        all.extend(arguments);
        json(&motes(folder.path(), &all))["digest"].clone()
    };
    let straight = run(&["--frames", "20"]);
    run(&["--frames", "10", "--save-state", "half.state"]);
    assert_eq!(run(&["--frames", "10", "--restore-state", "half.state"]), straight);
    std::fs::write(folder.path().join("cut.state"), b"MOTESTAT").expect("file");
    let cut = motes(folder.path(), &["run", "tiny.toml", "--restore-state", "cut.state"]);
    assert_eq!(cut.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&cut.stderr).contains("cut short"));
}

#[cfg(unix)]
#[test]
fn a_run_stopped_by_signals_leaves_no_temporary_file() {
    for signals in [&["INT"][..], &["INT", "INT"], &["TERM"], &["TERM", "TERM"]] {
        let folder = folder();
        let mut program = Command::new(env!("CARGO_BIN_EXE_motes"))
            .current_dir(folder.path())
            .args(["run", "tiny.toml", "-q", "--frames", "1000000"])
            .args(["--set", "output.width=960", "--set", "output.height=540"])
            .spawn()
            .expect("the program starts");
        let begun = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("tiny.mp4.motes-"))
        };
        while !std::fs::read_dir(folder.path().join("out")).is_ok_and(|mut out| out.any(begun)) {
            assert!(
                program.try_wait().expect("status").is_none(),
                "the program ended by itself"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
        for signal in signals {
            std::thread::sleep(Duration::from_millis(100));
            let kill = Command::new("kill")
                .args(["-s", signal, &program.id().to_string()])
                .status();
            assert!(kill.expect("kill").success());
        }
        assert_eq!(program.wait().expect("status").code(), Some(130));
        let left = std::fs::read_dir(folder.path().join("out")).expect("out");
        let left: Vec<_> = left.map(|entry| entry.expect("entry").file_name()).collect();
        assert!(
            left.iter().all(|name| !name.to_string_lossy().ends_with("tmp")),
            "{signals:?}: {left:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_still_reads_a_mesh_ends_at_the_first_signal() {
    let folder = folder();
    let pipe = folder.path().join("endless.obj");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let scene = "[[rigid]]\nmesh = \"endless.obj\"\n";
    std::fs::write(folder.path().join("slow.toml"), scene).expect("scene");
    let mut program = Command::new(env!("CARGO_BIN_EXE_motes"))
        .current_dir(folder.path())
        .args(["run", "slow.toml", "-q"])
        .spawn()
        .expect("the program starts");
    // Opening the pipe waits until the program reads from it, which it then does for as long as nothing is written.
    let writer = std::fs::File::options().write(true).open(&pipe).expect("pipe");
    let kill = Command::new("kill")
        .args(["-s", "INT", &program.id().to_string()])
        .status();
    assert!(kill.expect("kill").success());
    assert_eq!(program.wait().expect("status").code(), Some(130));
    drop(writer);
    let left = std::fs::read_dir(folder.path().join("out")).expect("out");
    assert_eq!(left.count(), 0);
}

#[test]
fn mistakes_in_a_scene_are_all_listed_with_exit_code_one_or_two() {
    let folder = folder();
    let text = SCENE.replace("frames", "framez").replace("plane", "plain");
    std::fs::write(folder.path().join("bad.toml"), text).expect("scene");
    let check = motes(folder.path(), &["check", "bad.toml", "--json"]);
    assert_eq!(check.status.code(), Some(1));
    let problems = json(&check);
    assert_eq!(problems.as_array().map(Vec::len), Some(2), "{problems}");
    assert_eq!(problems[0]["line"], 3);
    assert!(problems[0]["help"].as_str().is_some_and(|help| help.contains("frames")));
    assert_eq!(motes(folder.path(), &["run", "bad.toml"]).status.code(), Some(2));
    assert_eq!(motes(folder.path(), &["check", "tiny.toml"]).status.code(), Some(0));
    assert_eq!(motes(folder.path(), &["fly"]).status.code(), Some(2));
}

#[test]
fn bench_and_validate_print_the_promised_fields() {
    let folder = folder();
    let bench = json(&motes(
        folder.path(),
        &["bench", "tiny.toml", "--frames", "3", "--warmup", "1", "--json"],
    ));
    let fields = [
        "scene",
        "engine",
        "device",
        "particles",
        "diffuse",
        "substeps",
        "iterations",
        "frames",
        "stages",
        "bytes_per_particle",
    ];
    for field in fields {
        assert!(!bench[0][field].is_null(), "{field} in {bench}");
    }
    assert!(bench[0]["ms_per_frame"]["median"].is_number() && bench[0]["ms_per_frame"]["p95"].is_number());
    let nobody = ["bench", "nobody.toml", "--frames", "1", "--warmup", "0"];
    assert!(motes(folder.path(), &nobody).status.success());
    let nobody = json(&motes(folder.path(), &[&nobody[..], &["--json"]].concat()));
    assert!(nobody[0]["bytes_per_particle"].is_null(), "{nobody}");
    let output = motes(folder.path(), &["validate", "Projectile", "--json", "-q"]);
    assert_eq!(output.status.code(), Some(0));
    let validate = json(&output);
    for field in ["case", "engine", "measured", "reference", "band", "pass"] {
        assert!(!validate[0][field].is_null(), "{field} in {validate}");
    }
    assert_eq!(validate[0]["control"]["fails"], true);
    assert_eq!(
        motes(folder.path(), &["validate", "no-such-case"]).status.code(),
        Some(2)
    );
}

#[test]
fn every_gallery_scene_is_free_of_problems() {
    let folder = folder();
    let list = json(&motes(folder.path(), &["list", "--json"]));
    for entry in list.as_array().expect("list") {
        let name = entry["name"].as_str().expect("name");
        let output = motes(folder.path(), &["check", name, "--json"]);
        assert_eq!(json(&output).as_array().map(Vec::len), Some(0), "{name}: {output:?}");
    }
}

#[test]
fn a_mesh_is_reported_drawn_and_exported() {
    let folder = folder();
    let output = motes(
        folder.path(),
        &[
            "mesh",
            "torus",
            "--resolution",
            "40",
            "--radius",
            "0.04",
            "--ply",
            "--export",
            "ring/torus.stl",
            "--json",
        ],
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result = json(&output);
    assert_eq!(result["mesh"]["closed"], true);
    assert!(result["body"]["particles"].as_u64().is_some_and(|count| count > 100));
    for difference in ["mass", "center", "inertia"] {
        assert!(
            result["body"]["difference"][difference]
                .as_f64()
                .is_some_and(|off| off < 0.02)
        );
    }
    for file in ["out/torus-mesh.png", "out/torus-particles.ply", "ring/torus.stl"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
    let again = motes(
        folder.path(),
        &["mesh", "ring/torus.stl", "--scale", "2", "--no-picture", "--shell", "1"],
    );
    let text = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && text.contains("shell of 1 layer(s)"), "{text}");
}

#[test]
fn a_vertex_that_is_not_finite_is_named_by_its_line() {
    let folder = tempfile::tempdir().expect("folder");
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 nan 0\n";
    let faces = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\nf 1 2 5\n";
    std::fs::write(folder.path().join("nan.obj"), format!("{corners}{faces}")).expect("mesh");
    let output = motes(folder.path(), &["mesh", "nan.obj", "--no-picture"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let named = "warning: nan.obj, line 5: the vertex (0, NaN, 0) is not finite";
    assert!(said.contains(named), "{said}");
}

#[test]
fn mistakes_about_meshes_and_cases_are_explained_with_an_exit_code() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.obj"), "v 0 0 0\nv 1 0\n").expect("file");
    std::fs::write(folder.path().join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("file");
    let strange = r#"{"asset": {"version": "2.0"}, "extensionsRequired": ["VENDOR_folded_space"]}"#;
    std::fs::write(folder.path().join("strange.gltf"), strange).expect("file");
    for (arguments, code, message) in [
        (&["mesh", "rabit"][..], 2, "did you mean `rabbit`?"),
        (&["mesh", "bad.obj"], 2, "bad.obj: OBJ, line 2: the vertex has no z"),
        (&["mesh", "none.obj"], 2, "cannot read none.obj"),
        (&["mesh", "thing.step"], 2, "expected .obj"),
        (&["mesh", "torus", "--radius", "-1"], 2, "expected a positive number"),
        (&["mesh", "torus", "--radius", "0.0001"], 2, "use a larger radius"),
        (&["mesh", "torus", "--export", "torus.gltf"], 2, ".obj, .ply or .stl"),
        (&["mesh", "flat.obj"], 1, "no volume: it is flat"),
        (
            &["mesh", "flat.obj", "--resolution", "64"],
            2,
            "--resolution is for models",
        ),
        (&["mesh", "torus", "--up", "z"], 2, "--up is for files"),
        (
            &["mesh", "strange.gltf"],
            2,
            "extensionsRequired: VENDOR_folded_space is not supported",
        ),
        (&["validate", ""], 2, "the name of a case is empty"),
        (&["validate", "FRICTON"], 2, "did you mean `friction`?"),
    ] {
        let output = motes(folder.path(), arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.contains(message), "{arguments:?}: {text}");
    }
}

#[test]
fn random_scenes_are_told_of_one_by_one_and_the_same_ones_each_time() {
    let folder = folder();
    let arguments = [
        "validate",
        "--random",
        "2",
        "--first",
        "4",
        "--without",
        "soft,plastic,rigid",
        "--engine",
        "cpu",
        "--json",
    ];
    let output = motes(folder.path(), &arguments);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let scenes = json(&output);
    assert_eq!(scenes[1]["scene"], "random-1-5");
    assert_eq!(scenes[0]["claims"]["numbers"]["keeps"], true);
    assert_eq!(scenes, json(&motes(folder.path(), &arguments)));
}

#[test]
fn a_scene_that_breaks_a_claim_ends_with_1_and_an_unknown_ingredient_with_2() {
    let folder = folder();
    let fast = SCENE.replace(
        "[output]",
        "[solver]\naveraging = \"none\"\nrelaxation = 2\niterations = 30\n[output]",
    );
    let fast = fast.replace("frames = 4", "frames = 40");
    std::fs::write(folder.path().join("fast.toml"), fast).expect("scene");
    let output = motes(folder.path(), &["validate", "--scene", "fast.toml", "--engine", "cpu"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("fast.toml: energy is "), "{said}");
    let output = motes(folder.path(), &["validate", "--random", "1", "--without", "sfot"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `soft`"));
}

#[test]
fn a_log_has_a_line_for_every_frame_and_can_be_drawn() {
    let folder = folder();
    let output = motes(
        folder.path(),
        &["run", "tiny.toml", "--format", "log,csv", "--engine", "cpu", "--quiet"],
    );
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let log = std::fs::read_to_string(folder.path().join("out/tiny.jsonl")).expect("log");
    let last: Value = serde_json::from_str(log.lines().last().expect("a line")).expect("JSON");
    assert_eq!((log.lines().count(), &last["frame"]), (5, &Value::from(4)));
    let table = std::fs::read_to_string(folder.path().join("out/tiny.csv")).expect("table");
    assert_eq!(table.lines().count(), 6);
    for (log, columns) in [
        ("out/tiny.jsonl", "energy"),
        ("out/tiny.csv", "momentum,collider 0.force"),
    ] {
        let output = motes(
            folder.path(),
            &["plot", log, "--columns", columns, "--out", "out/plot.svg"],
        );
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let svg = std::fs::read_to_string(folder.path().join("out/plot.svg")).expect("picture");
        assert!(svg.starts_with("<svg") && svg.contains("stroke-width"));
    }
    let output = motes(folder.path(), &["plot", "out/tiny.csv", "--columns", "enregy"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `energy`"));
}
