use motes_geometry::{Density, RigOptions, models, repair, rig};

use super::*;
use crate::problem::Severity;

const HEAD: &str = "model = \"torus\"\nresolution = 12\nspacing = 0.3\n";

fn two_particles(rest: &str) -> String {
    format!(
        "{HEAD}particles = [\n  {{ position = [0.3, 0.1, 0], radii = [0.1, 0.1, 0.1] }},\n  {{ position = [-0.3, 0.1, 0], radii = [0.1, 0.1, 0.1] }},\n]\n{rest}"
    )
}

fn mistakes(text: &str) -> Vec<String> {
    let error = RigModel::parse(text, "x.toml").unwrap_err();
    error.problems.iter().map(ToString::to_string).collect()
}

fn torus() -> RigTable {
    let mesh = repair(&models::by_name("torus").unwrap().mesh(24).unwrap()).0;
    let options = RigOptions {
        density: Density::Spacing(0.2),
        ..RigOptions::default()
    };
    RigTable {
        model: Some("torus".into()),
        resolution: Some(24),
        ..RigTable::of_rig(&rig(&mesh, &options).unwrap())
    }
}

#[test]
fn what_is_written_is_what_is_read_in_toml_and_in_json() {
    let mut table = torus();
    table.particles[3].stiffness = Some(0.25);
    table.particles[2].buoyancy = 1.5;
    table.group.push(RigGroupTable {
        name: "a \"ring\"".into(),
        members: vec![0, 1, 2],
        rigid: true,
    });
    let (from_toml, warnings) = RigModel::parse(&rig_toml(&table), "a.toml").unwrap();
    let (from_json, _) = RigModel::parse(&rig_json(&table), "a.json").unwrap();
    assert_eq!(warnings, []);
    assert_eq!(from_toml, from_json);
    assert_eq!(from_toml.groups, table.group);
    assert_eq!(from_toml.edges, table.edges);
    assert_eq!(from_toml.particles[3].stiffness, Some(0.25));
    assert_eq!(
        (from_toml.particles[2].buoyancy, from_toml.particles[3].buoyancy),
        (1.5, 0.0)
    );
    for (found, written) in from_toml.particles.iter().zip(&table.particles) {
        assert!(found.position.distance(written.position) < 2e-6);
        assert!(found.orientation.dot(Quat::from_array(written.orientation)).abs() > 1.0 - 1e-5);
    }
    let row = |vertex: usize| from_toml.weights.weights[vertex].iter().sum::<f32>();
    assert!((0..from_toml.weights.len()).all(|vertex| (row(vertex) - 1.0).abs() < 1e-5));
}

#[test]
fn weights_that_are_left_out_are_worked_out() {
    let (model, _) = RigModel::parse(&two_particles("edges = [[1, 0]]"), "x.toml").unwrap();
    assert_eq!(model.weights.len(), model.mesh.positions.len());
    assert_eq!(model.edges, [[0, 1]]);
    for (vertex, indices) in model.mesh.positions.iter().zip(&model.weights.indices) {
        assert!(
            vertex.x.abs() < 0.1 || indices[0] == u32::from(vertex.x < 0.0),
            "{vertex}"
        );
    }
}

#[test]
fn every_mistake_of_a_file_is_told_with_its_place() {
    let text = two_particles(
        "edges = [[0, 1], [1, 0], [0, 2], [1, 1]]\nweights = [[0, 1], [5, 1], [0], [0.5, 1], [1, 0]]\n\
         [[group]]\nname = \"a\"\nmembers = [0, 0, 7]\n[[group]]\nname = \"a\"\nmembers = []\nrigit = true\n",
    );
    let found = mistakes(&text);
    for expected in [
        "x.toml:8:18: error: edges[1]: particles 1 and 0 are joined already, by edges[0]",
        "x.toml:8:26: error: edges[2]: there is no particle 2: they are 0 to 1",
        "x.toml:8:34: error: edges[3]: joins particle 1 with itself",
        "x.toml:9:1: error: weights: there are 5 rows, and the mesh has",
        "x.toml:9:21: error: weights[1][0]: there is no particle 5",
        "x.toml:9:28: error: weights[2]: expected the number of a particle and its weight",
        "x.toml:9:34: error: weights[3][0]: expected the number of a particle, found 0.5",
        "x.toml:9:43: error: weights[4]: all weights are 0",
        "x.toml:12:15: error: group[0].members[1]: particle 0 is there already",
        "x.toml:12:18: error: group[0].members[2]: there is no particle 7",
        "x.toml:14:1: error: group[1].name: `a` is the name of group[0] already",
        "x.toml:15:1: error: group[1].members: a group needs at least one particle",
        "x.toml:16:1: error: group[1]: unknown key `rigit`\n  help: did you mean `rigid`?",
    ] {
        assert!(
            found.iter().any(|problem| problem.starts_with(expected)),
            "{expected}\n{found:#?}"
        );
    }
    assert_eq!(found.len(), 13, "{found:#?}");
}

#[test]
fn meshes_that_are_not_there_and_particles_without_sense_are_told() {
    let found = mistakes(
        "mesh = \"nowhere.obj\"\nspacing = 0\nparticles = [{ position = [0, 0, 0], radii = [0.1, 0, 0.1], orientation = [0, 0, 0, 0] }]\n",
    );
    assert!(
        found
            .iter()
            .any(|problem| problem.starts_with("x.toml:1:1: error: mesh: ") && problem.contains("nowhere.obj")),
        "{found:#?}"
    );
    assert!(
        found
            .iter()
            .any(|problem| problem.contains("spacing: expected a number between 1e-6")),
        "{found:#?}"
    );
    assert!(
        found.iter().any(|problem| problem.contains("particles[0].radii[1]")),
        "{found:#?}"
    );
    assert!(
        found.iter().any(|problem| problem.contains("a quaternion of length 0")),
        "{found:#?}"
    );
    let unknown = mistakes(&two_particles("").replace("torus", "tonus"));
    assert!(unknown[0].contains("did you mean `torus`?"), "{unknown:?}");
    let none = mistakes("spacing = 1\nparticles = []\n");
    assert_eq!(none.len(), 2, "{none:?}");
}

#[test]
fn strange_models_are_warned_of() {
    let text = two_particles("")
        .replace("-0.3, 0.1, 0", "-30, 0.1, 0")
        .replacen("[0.1, 0.1, 0.1]", "[1, 0.1, 0.1]", 1);
    let (_, warnings) = RigModel::parse(&text, "x.toml").unwrap();
    assert!(warnings.iter().all(|warning| warning.severity == Severity::Warning));
    for expected in ["far from the mesh", "10.0 times the shortest", "in 2 pieces"] {
        assert!(
            warnings.iter().any(|warning| warning.message.contains(expected)),
            "{expected}: {warnings:?}"
        );
    }
}

#[test]
fn schema_asks_for_one_mesh_and_describes_every_key() {
    let schema = rig_schema();
    assert_eq!(schema["$defs"]["RigTable"]["oneOf"].as_array().unwrap().len(), 2);
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        assert_ne!(definition["description"], "", "{name}");
        for (key, property) in definition["properties"].as_object().into_iter().flatten() {
            assert_ne!(property["description"], "", "{name}.{key}");
        }
    }
}
