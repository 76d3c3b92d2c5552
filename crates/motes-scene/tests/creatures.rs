//! Creatures of scene files: what they become, and every mistake with its line.
#![allow(clippy::unwrap_used)]

use glam::Vec3;
use motes_core::CpuEngine;
use motes_scene::check::check_text;
use motes_scene::{Built, Problem, Scene, SizeLimits};

fn built(text: &str) -> Built {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    scene
        .build(Box::new(CpuEngine::new()))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn problems(text: &str) -> Vec<Problem> {
    check_text(text, "test.toml", SizeLimits::default())
}

/// An octopus of few particles; the next line is number 6.
const OCTOPUS: &str = "[[creature]]\nname = \"o\"\nmodel = \"octopus\"\nresolution = 40\nparticles = 80\n";

#[test]
fn a_model_becomes_a_creature_with_its_mesh_and_the_mass_of_its_volume() {
    let mut built = built(&format!(
        "{OCTOPUS}size = 2\ndensity = 500\nposition = [0, 3, 0]\nrotation = [0, 90, 0]\n"
    ));
    let look = built.looks.creatures[0].clone();
    let kept = built.world.creatures().unwrap().get(look.creature).unwrap();
    assert!((70..90).contains(&kept.members.len()), "{}", kept.members.len());
    assert!((look.form.mesh.bounds().size().max_element() - 2.0).abs() < 1e-4);
    let mass: f32 = kept.members.iter().map(|member| member.mass).sum();
    assert!((mass / (500.0 * look.form.mesh.volume()) - 1.0).abs() < 1e-3);
    assert_eq!((kept.members[0].stiffness, kept.members[0].torsion), (0.5, 0.5));
    let state = built.world.creature(look.creature).unwrap();
    for (particle, bind) in state.particles.iter().zip(&look.form.bind) {
        let place = Vec3::new(bind.position.z, bind.position.y + 3.0, -bind.position.x);
        assert!(particle.pose.unwrap().position.distance(place) < 1e-5);
    }
    assert_eq!(built.world.creature_ids().len(), 1);
    built.world.step(1.0 / 60.0);
}

#[test]
fn copies_share_a_form_and_what_is_said_of_some_particles_is_true_of_these() {
    let low = "{ below = { height = 0.2 } }";
    let text = format!(
        "{OCTOPUS}copies = {{ count = [3, 1, 1], spacing = [2, 0, 0] }}\nstiffness = 0.2\nbuoyancy = 1\n\
         tune = [{{ of = {low}, stiffness = 0.9, mass = 2 }}]\nrigid = [{{ of = {{ outside = {low} }} }}]\n\
         pin = [{{ of = {low}, motion = {{ swing = {{ offset = [1, 0, 0], period = 2 }} }} }}]\n\
         muscle = [{{ along = [0, 1, 0], wavelength = 0.5, period = 0.5 }}]\n"
    );
    let mut built = built(&text);
    assert_eq!(built.looks.creatures.len(), 3);
    let names: Vec<&str> = built.looks.creatures.iter().map(|look| look.name.as_str()).collect();
    assert_eq!(names, ["o 0", "o 1", "o 2"]);
    let look = built.looks.creatures[1].clone();
    let kept = built.world.creatures().unwrap().get(look.creature).unwrap().clone();
    let is_low = |member: &motes_core::creature::creatures::Member| member.bind.position.y < 0.2;
    for member in &kept.members {
        assert_eq!(member.stiffness, if is_low(member) { 0.9 } else { 0.2 });
        assert_eq!(member.buoyancy, 1.0);
    }
    let high: Vec<u32> = (0..)
        .zip(&kept.members)
        .filter(|(_, member)| !is_low(member))
        .map(|(n, _)| n)
        .collect();
    assert_eq!(kept.parts.len(), 1);
    assert_eq!(kept.parts[0].members, high);
    let flexing: Vec<f32> = kept
        .edges
        .iter()
        .filter_map(|edge| Some(edge.muscle?.frequency))
        .collect();
    assert!(flexing.len() > 5 && flexing.len() < kept.edges.len() && flexing.iter().all(|f| *f == 2.0));
    let places = |built: &Built| -> Vec<Vec3> {
        let state = built.world.creature(look.creature).unwrap();
        state
            .particles
            .iter()
            .map(|particle| particle.pose.unwrap().position)
            .collect()
    };
    let before = places(&built);
    for _ in 0..30 {
        built.world.step(1.0 / 60.0);
    }
    for ((member, before), after) in kept
        .members
        .iter()
        .zip(&before)
        .zip(&places(&built))
        .filter(|((m, _), _)| is_low(m))
    {
        assert!(
            after.distance(*before + Vec3::X) < 1e-3,
            "{member:?}: {before} to {after}"
        );
    }
}

#[test]
fn a_model_file_is_read_from_the_folder_of_the_scene_and_its_groups_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let model = "model = \"torus\"\nresolution = 12\nspacing = 0.3\nstiffness = 0.3\nedges = [[0, 1]]\nparticles = [\n\
        { position = [0.3, 0.15, 0], radii = [0.1, 0.1, 0.1] },\n{ position = [-0.3, 0.15, 0], radii = [0.1, 0.1, 0.1] },\n]\n\
        [[group]]\nname = \"left\"\nmembers = [1]\n";
    std::fs::write(folder.path().join("ring.toml"), model).unwrap();
    let path = folder.path().join("scene.toml");
    let scene = |rest: &str| std::fs::write(&path, format!("[[creature]]\nfile = \"ring.toml\"\n{rest}\n")).unwrap();
    scene("pin = [{ of = \"left\" }]");
    let built = Scene::load(&path).unwrap().build(Box::new(CpuEngine::new())).unwrap();
    let state = built.world.creature(built.looks.creatures[0].creature).unwrap();
    assert_eq!(state.particles.len(), 2);
    let masses: Vec<f32> = built
        .world
        .particles()
        .positions
        .iter()
        .map(|position| position.w)
        .collect();
    assert_eq!(masses.iter().filter(|mass| **mass == 0.0).count(), 1);
    scene("pin = [{ of = \"lfet\" }]\nparticles = 20");
    let found = motes_scene::check::check_file(&path);
    assert!(
        found
            .iter()
            .any(|problem| problem.message.contains("is for what is rigged here")),
        "{found:?}"
    );
    scene("pin = [{ of = \"lfet\" }]");
    let found = motes_scene::check::check_file(&path);
    assert!(
        found[0]
            .to_string()
            .contains("no group `lfet`\n  help: did you mean `left`?"),
        "{found:?}"
    );
    std::fs::write(folder.path().join("ring.toml"), model.replace("[[0, 1]]", "[[0, 7]]")).unwrap();
    scene("");
    let found = motes_scene::check::check_file(&path);
    let text = found[0].to_string();
    assert!(
        text.contains("creature[0].file: ") && text.contains("ring.toml:5:10: error: edges[0]: there is no particle 7"),
        "{text}"
    );
}

#[test]
fn mistakes_are_told_with_their_lines_and_the_nearest_name() {
    let cases: [(&str, u32, &[&str]); 12] = [
        ("modle = \"octopus\"", 6, &["unknown key `modle`"]),
        ("mesh = \"x.obj\"", 3, &["expected only one of `mesh` and `model`"]),
        ("file = \"x.toml\"", 3, &["expected only one of `file` and `model`"]),
        ("spacing = 0.1", 6, &["only one of `particles` and `spacing`"]),
        ("mesh_scale = 2", 6, &["is for mesh files, and this is a model"]),
        ("material = \"ruber\"", 6, &["did you mean `rubber`?"]),
        (
            "pin = [{ of = { sphere = { center = [9, 9, 9], radius = 0.1 } } }]",
            6,
            &["no particle of the creature lies in the region", "reaches from"],
        ),
        ("pin = [{ of = \"head\" }]", 6, &["no group `head`", "give a region"]),
        (
            "pin = [{ of = { below = { height = 1 } }, to = \"post\" }]",
            6,
            &["there is no collider `post`"],
        ),
        (
            "muscle = [{ along = [0, 0, 0] }]",
            6,
            &["a direction must have a length"],
        ),
        (
            "muscle = [{ along = [1, 0, 0], amplitude = 2 }]",
            6,
            &["between 0 and 0.9"],
        ),
        (
            "copies = { count = [2, 1, 1], spacing = [2, 0, 0], joined = {} }",
            6,
            &["creatures are not joined"],
        ),
    ];
    for (lines, line, words) in cases {
        let found = problems(&format!("{OCTOPUS}{lines}\n"));
        let hit = found
            .iter()
            .find(|problem| problem.is_error() && problem.place.line == line);
        let text = hit.unwrap_or_else(|| panic!("{lines}: {found:#?}")).to_string();
        for word in words {
            assert!(text.contains(word), "{lines}: {word:?} is not in {text:?}");
        }
    }
    let unknown = problems(&OCTOPUS.replace("octopus", "octopsu"));
    assert!(
        unknown
            .iter()
            .any(|problem| problem.to_string().contains("did you mean `octopus`?")),
        "{unknown:?}"
    );
    let none = problems("[[creature]]\nname = \"x\"\n");
    assert!(
        none[0].message.contains("expected one of `file`, `mesh` and `model`"),
        "{none:?}"
    );
}

#[test]
fn triggers_and_cameras_know_creatures_by_their_names() {
    let text = format!(
        "{OCTOPUS}position = [0, 1, 0]\n[[trigger]]\nof = [\"o\"]\nwithin = {{ below = {{ height = 3 }} }}\nkill = true\n\
         [camera]\nposition = [0, 1, 5]\nfollow = \"o\"\n"
    );
    let mut built = built(&text);
    for _ in 0..10 {
        built.world.step(1.0 / 60.0);
    }
    assert_eq!(built.world.particle_count(), 0);
}
