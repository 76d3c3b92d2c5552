//! `motes rig` writes model files that are read again, and nothing where it cannot.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use motes_scene::RigModel;
use serde_json::Value;

fn motes(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motes"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_model_becomes_a_file_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let output = motes(
        folder.path(),
        &["rig", "torus", "--count", "40", "--resolution", "24", "--json"],
    );
    assert!(output.status.success(), "{}", errors(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        report["files"],
        serde_json::json!(["out/torus.toml", "out/torus-rig.png"])
    );
    let (model, warnings) = RigModel::load(folder.path().join("out/torus.toml")).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(
        model.particles.len() as u64,
        report["rig"]["particles"].as_u64().unwrap()
    );
    assert_eq!(model.edges.len() as u64, report["rig"]["edges"].as_u64().unwrap());
    assert!((34..=46).contains(&model.particles.len()));
    let png = std::fs::read(folder.path().join("out/torus-rig.png")).unwrap();
    assert!(png.len() > 10_000 && png.starts_with(b"\x89PNG"));
}

#[test]
fn a_mesh_file_is_found_again_from_wherever_its_model_lies() {
    let folder = tempfile::tempdir().unwrap();
    let export = [
        "mesh",
        "torus",
        "--resolution",
        "24",
        "--export",
        "meshes/ring.obj",
        "--no-picture",
    ];
    assert!(motes(folder.path(), &export).status.success());
    let rig = [
        "rig",
        "meshes/ring.obj",
        "--spacing",
        "0.15",
        "--size",
        "3",
        "--out",
        "models/deep/ring.json",
        "--no-picture",
        "--quiet",
    ];
    let output = motes(folder.path(), &rig);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(output.stdout.is_empty());
    let text = std::fs::read_to_string(folder.path().join("models/deep/ring.json")).unwrap();
    assert!(text.contains("\"mesh\": \"../../meshes/ring.obj\""), "{}", &text[..200]);
    let (model, _) = RigModel::load(folder.path().join("models/deep/ring.json")).unwrap();
    assert!((model.mesh.bounds().size().max_element() - 3.0).abs() < 1e-3);
    let scene = "[[creature]]\nfile = \"models/deep/ring.json\"\nposition = [0, 1, 0]\n[[collider]]\nshape = { plane = {} }\n\
        [camera]\nposition = [0, 1, 5]\n";
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let output = motes(folder.path(), &["check", "scene.toml"]);
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        errors(&output)
    );
}

#[test]
fn mistakes_leave_nothing_behind_and_say_what_to_do() {
    let cases: [(&[&str], &str); 9] = [
        (&["rig", "octopsu"], "did you mean `octopus`?"),
        (&["rig", "nowhere.obj"], "nowhere.obj"),
        (&["rig", "torus", "--out", "torus.obj"], "ends with .toml or .json"),
        (&["rig", "torus", "--scale", "2"], "--size"),
        (&["rig", "torus", "--up", "z"], "--up is for files"),
        (&["rig", "torus", "--spacing", "1e-5"], "more than 100000 particles"),
        (&["rig", "torus", "--sigma", "0.5"], "from 1 to 6"),
        (
            &["rig", "torus", "--count", "3", "--spacing", "1"],
            "cannot be used with",
        ),
        (
            &["rig", "meshes.obj", "--resolution", "20"],
            "--resolution is for models",
        ),
    ];
    for (arguments, says) in cases {
        let folder = tempfile::tempdir().unwrap();
        let output = motes(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", errors(&output));
        assert!(errors(&output).contains(says), "{arguments:?}: {}", errors(&output));
        let is_file =
            |entry: &std::io::Result<std::fs::DirEntry>| entry.as_ref().is_ok_and(|entry| entry.path().is_file());
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().filter(is_file).count(),
            0,
            "{arguments:?}"
        );
        let out = folder.path().join("out");
        assert!(
            !out.exists() || std::fs::read_dir(out).unwrap().count() == 0,
            "{arguments:?}"
        );
    }
}

#[test]
fn schemas_of_scenes_and_models_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, title) in [(&["schema"][..], "motes scene"), (&["schema", "--rig"], "motes model")] {
        let output = motes(folder.path(), arguments);
        let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(schema["title"], title);
    }
}
