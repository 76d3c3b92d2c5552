//! Meshes of runs as files: whole whatever happens, and of the frames that were run.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const SCENE: &str = r#"
name = "things"
up = "z"
frames = 4
particle_radius = 0.1
[output]
formats = ["meshes", "obj", "glb", "usda"]
[[grains]]
shape = { box = { min = [3, 0, 0], max = [3.5, 0.5, 0.5] } }
[[rigid]]
name = "brick"
shape = { box = { size = [1, 1, 1] } }
position = [0, 0, 2]
[[soft]]
name = "jelly"
shape = { box = { size = [1, 1, 1] } }
position = [0, 3, 2]
[[collider]]
name = "ground"
shape = { plane = {} }
"#;

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motes"));
    command.current_dir(folder).args(arguments);
    command
}

fn motes(folder: &Path, arguments: &[&str]) -> Output {
    let output = program(folder, arguments).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn folder(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("things.toml"), scene).expect("scene");
    folder
}

/// The document of a glb file, whose lengths have to be right.
fn document(path: &Path) -> Value {
    let bytes = std::fs::read(path).expect("a file");
    let word = |place: usize| u32::from_le_bytes(bytes[place..place + 4].try_into().expect("a word")) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
    let document: Value = serde_json::from_slice(&bytes[20..20 + word(12)]).expect("JSON");
    if let Some(length) = document["buffers"][0]["byteLength"].as_u64() {
        let data = 20 + word(12);
        assert_eq!(bytes.len() - data - 8, word(data));
        assert!(word(data) - (length as usize) < 4);
    }
    document
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("out")).expect("folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_run_leaves_sequences_and_animations() {
    let folder = folder(SCENE);
    let output = motes(
        folder.path(),
        &["run", "things.toml", "--set", "output.every=2", "--json"],
    );
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let names = names(folder.path());
    assert_eq!(result["files"].as_array().map(Vec::len), Some(names.len()), "{names:?}");
    let expected = [
        "things-00000.obj",
        "things-00002.obj",
        "things-00004.obj",
        "things-meshes-00000.ply",
        "things-meshes-00002.ply",
        "things-meshes-00004.ply",
        "things.glb",
        "things.mtl",
        "things.usda",
    ];
    assert_eq!(names, expected);
    let document = document(&folder.path().join("out/things.glb"));
    let nodes: Vec<&str> = { document["nodes"].as_array().expect("nodes").iter() }
        .filter_map(|node| node["name"].as_str())
        .collect();
    assert_eq!(nodes, ["things", "ground", "brick", "jelly"]);
    assert!(document["nodes"][0]["rotation"].is_array());
    assert_eq!(document["meshes"][2]["weights"].as_array().map(Vec::len), Some(2));
    let usda = std::fs::read_to_string(folder.path().join("out/things.usda")).expect("a file");
    for line in [
        "upAxis = \"Z\"",
        "endTimeCode = 4",
        "timeCodesPerSecond = 60",
        "def Points \"grains",
    ] {
        assert!(usda.contains(line), "{line}");
    }
    assert!(usda.ends_with("}\n"));
}

#[test]
fn runs_without_frames_or_bodies_leave_files_too() {
    let folder = folder("name = \"things\"\n[[collider]]\nshape = { plane = {} }\nvisible = false\n");
    let arguments = ["run", "things.toml", "--frames", "0", "--format", "meshes,obj,glb,usda"];
    motes(folder.path(), &arguments);
    assert_eq!(names(folder.path()).len(), 5);
    let document = document(&folder.path().join("out/things.glb"));
    assert!(document["meshes"].is_null() && document["animations"].is_null() && document["buffers"].is_null());
}

#[test]
fn a_run_that_goes_on_has_animations_of_its_own() {
    let folder = folder(SCENE);
    motes(
        folder.path(),
        &["run", "things.toml", "--frames", "2", "--save-state", "half.state"],
    );
    let arguments = [
        "run",
        "things.toml",
        "--frames",
        "2",
        "--restore-state",
        "half.state",
        "--format",
        "glb,usda",
    ];
    motes(folder.path(), &arguments);
    let usda = std::fs::read_to_string(folder.path().join("out/things-from-00002.usda")).expect("a file");
    assert!(usda.contains("startTimeCode = 2") && usda.contains("endTimeCode = 4"));
    document(&folder.path().join("out/things-from-00002.glb"));
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_leaves_whole_animations() {
    let folder = folder(SCENE);
    let mut running = program(folder.path(), &["run", "things.toml", "-q", "--frames", "1000000"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    while !folder.path().join("out/things-00003.obj").exists() {
        assert!(
            running.try_wait().expect("status").is_none(),
            "the program ended by itself"
        );
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kill = Command::new("kill")
        .args(["-s", "INT", &running.id().to_string()])
        .status();
    assert!(kill.expect("kill").success());
    assert_eq!(running.wait().expect("status").code(), Some(130));
    let names = names(folder.path());
    assert!(names.iter().all(|name| !name.ends_with("tmp")), "{names:?}");
    let document = document(&folder.path().join("out/things.glb"));
    let frames = names.iter().filter(|name| name.ends_with(".obj")).count();
    let targets = document["meshes"][2]["weights"].as_array().map_or(0, Vec::len);
    assert_eq!(targets, (frames - 1).min(240));
    let usda = std::fs::read_to_string(folder.path().join("out/things.usda")).expect("a file");
    assert!(usda.contains(&format!("endTimeCode = {}", frames - 1)) && usda.ends_with("}\n"));
}

#[test]
fn a_surface_of_no_liquid_is_refused() {
    let folder = folder(SCENE);
    let output = program(folder.path(), &["run", "things.toml", "--format", "surface"]).output();
    let output = output.expect("the program starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("has no liquid"), "{message}");
}

#[test]
fn foam_has_files_of_its_own() {
    let scene = r#"
name = "things"
frames = 30
particle_radius = 0.05
[[fluid]]
shape = { box = { min = [0, 0, 0], max = [0.5, 1.0, 0.5] } }
velocity = [3, 0, 0]
[[collider]]
shape = { vessel = { tank = { size = [3, 1, 0.5], thickness = 0.05 } } }
position = [1, -0.05, 0.25]
[foam]
amount = 5
most = 40
[output]
every = 30
"#;
    let folder = folder(scene);
    let run = motes(folder.path(), &["run", "things.toml", "--format", "ply,vtp"]);
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(told.contains("particles of foam were left out"), "{told}");
    let ply = std::fs::read(folder.path().join("out/things-foam-00030.ply")).expect("a file");
    let text = String::from_utf8_lossy(&ply);
    assert!(
        text.contains("element vertex 40\n") && text.contains("property uchar kind"),
        "{text}"
    );
    assert!(folder.path().join("out/things-foam-00030.vtp").exists());
}

#[test]
fn smoke_has_files_of_its_own_and_is_put_on_grids() {
    let scene = r#"
name = "things"
frames = 2
particle_radius = 0.05
[smoke]
radius = 0.08
[[markers]]
shape = { box = { size = [0.5, 0.5, 0.5] } }
count = 300
[output]
every = 2
"#;
    let folder = folder(scene);
    motes(folder.path(), &["run", "things.toml", "--format", "ply,vtp,vdb,vti"]);
    let read = |name: &str| std::fs::read(folder.path().join("out").join(name)).expect("a file");
    let text = |name: &str| String::from_utf8_lossy(&read(name)).into_owned();
    let ply = text("things-smoke-00002.ply");
    assert!(
        ply.contains("element vertex 300\n") && ply.contains("property float temperature"),
        "{ply}"
    );
    assert!(text("things-smoke-00002.vtp").contains("NumberOfPoints=\"300\""));
    let vti = text("things-smoke-00000.vti");
    assert!(vti.contains("Spacing=\"0.048"), "{vti}");
    assert_eq!(read("things-smoke-00000.vdb")[..4], *b" BDV");
    let coarse = ["run", "things.toml", "--format", "vti", "--set", "output.voxel=0.1"];
    motes(folder.path(), &coarse);
    assert!(text("things-smoke-00002.vti").contains("Spacing=\"0.1 0.1 0.1\""));
}

#[test]
fn grids_of_smoke_need_smoke() {
    let folder = folder(SCENE);
    let output = program(folder.path(), &["run", "things.toml", "--format", "vdb"]).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("the scene has no smoke"), "{told}");
}
