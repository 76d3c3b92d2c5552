//! Cloth and ropes of scenes: what they weigh, how they hang, and what `check` says of them.
#![allow(clippy::unwrap_used)]

use glam::Vec3;
use motes_core::{ConstraintKind, CpuEngine};
use motes_scene::check::check_text;
use motes_scene::{Built, Scene, SizeLimits};

fn build(text: &str) -> (Scene, Built) {
    let scene = Scene::from_toml(text, "x").unwrap_or_else(|error| panic!("{error}"));
    let built = scene.build(Box::new(CpuEngine::new())).unwrap();
    (scene, built)
}

fn places(built: &mut Built, sheet: usize) -> Vec<Vec3> {
    let ids = built.looks.sheets[sheet].particles.clone();
    built.world.positions(&ids).into_iter().flatten().collect()
}

fn run(scene: &Scene, built: &mut Built, seconds: f32) {
    for _ in 0..(seconds / scene.dt()) as usize {
        built.world.step(scene.dt());
    }
    built.world.health().unwrap();
}

#[test]
fn a_cloth_weighs_what_its_fabric_does_whatever_its_resolution() {
    for resolution in ["[5, 9]", "[30, 20]"] {
        let text = format!("[[cloth]]\nfabric = \"denim\"\nsize = [2, 1.5]\nresolution = {resolution}\n");
        let (_, built) = build(&text);
        let mass: f32 = built
            .world
            .particles()
            .positions
            .iter()
            .map(|place| 1.0 / place.w)
            .sum();
        assert!((mass / (0.4 * 3.0) - 1.0).abs() < 1e-3, "{mass}");
        let faces = built.world.constraints().batch(ConstraintKind::Face).len();
        assert!(faces > 0);
    }
}

#[test]
fn a_cloth_stands_upright_whichever_way_is_up() {
    for (up, axis) in [("y", Vec3::Y), ("z", Vec3::Z)] {
        let (_, mut built) = build(&format!(
            "up = \"{up}\"\n[[cloth]]\nsize = [1, 2]\nresolution = [3, 5]\n"
        ));
        let heights = places(&mut built, 0).into_iter().map(|place| place.dot(axis));
        let (low, high) = heights.fold((0.0f32, 0.0f32), |(low, high), height| {
            (low.min(height), high.max(height))
        });
        assert_eq!((low, high), (-1.0, 1.0));
    }
}

#[test]
fn a_hanging_cloth_stretches_little_and_more_without_tethers() {
    let stretch = |more: &str| {
        let text = format!(
            "particle_radius = 0.02\n[[cloth]]\nsize = [1, 1]\nresolution = [33, 33]\npins = [\"top_left\", \"top_right\"]\n{more}"
        );
        let (scene, mut built) = build(&text);
        run(&scene, &mut built, 3.0);
        let constraints = built.world.constraints();
        let batch = constraints.batch(ConstraintKind::Distance);
        let ids = built.looks.sheets[0].particles.clone();
        let positions = built.world.positions(&ids);
        let place = |id| positions[ids.iter().position(|other| *other == id).unwrap()].unwrap();
        // Along threads: those at the pins carry all of it, so the mean over the rows of threads counts.
        let (mut sum, mut count) = (0.0, 0.0);
        for row in 0..batch.places() {
            let [a, b] = [0, 1].map(|end| place(batch.particles_of(row)[end]));
            if batch.rest()[row] > 0.0 && batch.softness()[row] < 1e-3 {
                sum += a.distance(b) / batch.rest()[row] - 1.0;
                count += 1.0;
            }
        }
        sum / count
    };
    let (with, without) = (stretch(""), stretch("tethers = false\n"));
    assert!(with < 0.02, "{with}");
    assert!(without > with, "{without} {with}");
}

#[test]
fn a_rope_keeps_its_length_and_a_loop_is_closed() {
    let text = "particle_radius = 0.02\n[solver]\nsubsteps = 4\niterations = 8\nconstraint_solver = \"gauss-seidel\"\n\
                [[rope]]\npoints = [[0, 0, 0], [1, 0, 0]]\npins = [\"start\"]\n\
                [[rope]]\npoints = [[2, 0, 0], [3, 0, 0], [3, 0, 1]]\nclosed = true\npins_at = [[2, 0, 0]]\n";
    let (scene, mut built) = build(text);
    run(&scene, &mut built, 3.0);
    let rope = places(&mut built, 0);
    let long: f32 = rope.windows(2).map(|two| two[0].distance(two[1])).sum();
    assert!((0.99..1.02).contains(&long), "{long}");
    let lowest = (0..120).map(|_| {
        built.world.step(scene.dt());
        places(&mut built, 0)[rope.len() - 1].y
    });
    let lowest = lowest.fold(0.0, f32::min);
    assert!((-1.02..-0.9).contains(&lowest), "it swings: {lowest}");
    let ring = places(&mut built, 1);
    let gap = ring[0].distance(ring[ring.len() - 1]);
    assert!(gap < 0.05, "{gap}");
}

#[test]
fn cloth_can_be_tied_to_bodies_and_follow_wind() {
    let text = "particle_radius = 0.03\ngravity = 0\n[wind]\nvelocity = [4, 0, 0]\n\
                [[cloth]]\nname = \"sail\"\nsize = [0.6, 0.6]\nrotation = [0, 90, 0]\n\
                [[rigid]]\nname = \"load\"\nshape = { sphere = { radius = 0.1 } }\nposition = [0, -0.5, 0]\n\
                [[distance]]\nof = \"sail\"\nto = \"load\"\nat = [0, -0.4, 0]\n";
    let (scene, mut built) = build(text);
    run(&scene, &mut built, 1.0);
    let body = built.looks.bodies[0].body;
    let motion = built.world.body_motion(body).unwrap();
    assert!(motion.velocity.x > 0.01, "{}", motion.velocity);
}

fn warnings(text: &str) -> Vec<String> {
    let found = check_text(text, "x", SizeLimits::default());
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn coarse_cloth_and_cloth_without_a_floor_get_a_warning() {
    let fine = "particle_radius = 0.02\n[[cloth]]\nsize = [1, 1]\npins = [\"top\"]\n";
    assert_eq!(warnings(fine), Vec::<String>::new());
    let coarse =
        warnings("particle_radius = 0.02\n[[cloth]]\nsize = [1, 1]\nresolution = [10, 10]\npins = [\"top\"]\n");
    assert!(coarse.len() == 1 && coarse[0].contains("fit through"), "{coarse:?}");
    let falls = warnings("particle_radius = 0.02\n[[cloth]]\nsize = [1, 1]\n");
    assert!(falls.len() == 1, "{falls:?}");
}

#[test]
fn a_ball_is_filled_and_inflated_over_time() {
    let text = "particle_radius = 0.03\ngravity = [0, 0, 0]\n[[cloth]]\nsphere = 0.3\nposition = [1, 2, 3]\nfabric = \"rubber_sheet\"\n\
                inflate = { volume = 1.4, from = 0.9, start = 0.1, over = 0.4 }\n";
    let scene = Scene::from_toml(text, "ball.toml").expect("a scene");
    let mut built = scene.build(Box::new(CpuEngine::new())).expect("a world");
    let balloon = { built.world.constraints().ids() }.find(|id| id.kind == ConstraintKind::Balloon);
    let balloon = balloon.expect("filled");
    let volume = |built: &Built| built.world.balloon(balloon).expect("alive").volume;
    let made = volume(&built);
    assert!(
        (made / (4.0 / 3.0 * std::f32::consts::PI * 0.027) - 1.0).abs() < 0.03,
        "{made}"
    );
    (0..6).for_each(|_| built.world.step(1.0 / 60.0));
    assert!((volume(&built) / made - 0.9).abs() < 0.01);
    (0..90).for_each(|_| built.world.step(1.0 / 60.0));
    assert!((volume(&built) / made - 1.4).abs() < 0.01);
}

#[test]
fn an_open_mesh_holds_no_air() {
    let folder = std::env::temp_dir().join("motes-open-balloon");
    std::fs::create_dir_all(&folder).expect("a folder");
    let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    std::fs::write(folder.join("open.obj"), open).expect("a file");
    let file = folder.join("scene.toml");
    std::fs::write(
        &file,
        "particle_radius = 0.1\n[[cloth]]\nmesh = \"open.obj\"\ninflate = { gas = 1 }\n",
    )
    .expect("a file");
    let scene = Scene::load(&file).expect("a scene");
    let error = scene
        .build(Box::new(CpuEngine::new()))
        .err()
        .expect("refused")
        .to_string();
    assert!(
        error.contains("not closed") && error.contains("holds no air"),
        "{error}"
    );
}

#[test]
fn a_pump_that_a_skin_cannot_bear_gets_a_warning() {
    let ball = |inflate: &str| {
        let text = format!(
            "particle_radius = 0.03\ngravity = [0, 0, 0]\n[solver]\nsubsteps = 4\niterations = 4\n\
             [[cloth]]\nsphere = 0.3\nfabric = \"rubber_sheet\"\ninflate = {{ {inflate} }}\n"
        );
        warnings(&text)
    };
    let found = ball("pressure = 5000");
    assert!(
        found
            .iter()
            .any(|warning| warning.contains("less than it is pumped up with")),
        "{found:?}"
    );
    assert!(
        !ball("pressure = 1")
            .iter()
            .any(|warning| warning.contains("less than it is pumped up with"))
    );
    assert!(
        !ball("gas = 1.5")
            .iter()
            .any(|warning| warning.contains("less than it is pumped up with"))
    );
}

#[test]
fn a_cloth_is_cut_when_its_time_has_come_and_has_no_tethers() {
    let text = "particle_radius = 0.025\nframe_rate = 60\n[[cloth]]\nsize = [1, 0.5]\npins = [\"top\"]\n\
                cuts = [{ at = 0.2, from = [-1, 0, 0], to = [1, 0, 0] }]\n";
    let (scene, mut built) = build(text);
    let tethers = built
        .world
        .constraints()
        .iter()
        .filter(|(_, row)| row.rest < 0.0)
        .count();
    assert_eq!(tethers, 0);
    for frame in 0..14 {
        assert!(built.world.take_tears().is_empty(), "frame {frame}");
        built.world.step(scene.dt());
        if built.world.time() > 0.21 {
            break;
        }
    }
    assert_eq!(built.world.take_tears().len(), 21, "all columns");
    run(&scene, &mut built, 0.5);
    let lowest = places(&mut built, 0)
        .into_iter()
        .map(|place| place.y)
        .fold(0.0, f32::min);
    assert!(lowest < -0.6, "the lower half has fallen: {lowest}");
}

#[test]
fn a_ball_that_is_pressed_into_it_tears_paper_and_not_denim() {
    let tears = |fabric: &str| {
        let text = format!(
            "particle_radius = 0.02\n[solver]\nsubsteps = 4\niterations = 16\n[[cloth]]\nfabric = \"{fabric}\"\nsize = [0.6, 0.6]\n\
             pins = [\"edges\"]\nrotation = [-90, 0, 0]\ntears = true\n[[collider]]\nshape = {{ sphere = {{ radius = 0.1 }} }}\n\
             position = [0, 0.13, 0]\nmotion = {{ path = {{ keys = [{{ time = 0.1 }}, {{ time = 0.6, position = [0, 0, 0] }}] }} }}\n"
        );
        let (scene, mut built) = build(&text);
        run(&scene, &mut built, 1.0);
        built.world.take_tears().len()
    };
    // 11 cm deep, by which it is about 6 % longer from rim to rim.
    let (paper, denim) = (tears("paper"), tears("denim"));
    assert!(paper > 10 && denim == 0, "{paper} {denim}");
}

#[test]
fn tears_that_never_come_get_a_warning() {
    let warnings = |text: &str| -> Vec<String> {
        let found = check_text(text, "x", SizeLimits::default());
        found.iter().map(ToString::to_string).collect()
    };
    let cloth = "[[cloth]]\nsize = [1, 1]\npins = [\"top\"]\n";
    let late = warnings(&format!(
        "particle_radius = 0.02\nframes = 60\n{cloth}cuts = [{{ at = 9, from = [0, 0, 0], to = [1, 0, 0] }}]\n"
    ));
    assert!(late.len() == 1 && late[0].contains("never cut"), "{late:?}");
    let none = warnings(&format!(
        "particle_radius = 0.02\n[solver]\ntears_per_frame = 0\n{cloth}tears = true\n"
    ));
    assert!(none.len() == 1 && none[0].contains("never tears"), "{none:?}");
    let fine = warnings(&format!("particle_radius = 0.02\n{cloth}tears = true\n"));
    assert!(fine.is_empty(), "{fine:?}");
}
