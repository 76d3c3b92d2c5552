//! Cloth and ropes attached to the world, to colliders, to bodies and to each other.
#![allow(clippy::unwrap_used)]

use glam::Vec3;
use motes_core::{ConstraintKind, CpuEngine};
use motes_scene::check::check_text;
use motes_scene::{Built, Scene, SizeLimits};

struct Run {
    scene: Scene,
    built: Built,
}

impl Run {
    fn new(text: &str) -> Self {
        let scene = Scene::from_toml(text, "x").unwrap_or_else(|error| panic!("{error}"));
        let built = scene.build(Box::new(CpuEngine::new()));
        let built = built.unwrap_or_else(|error| panic!("{error}"));
        Self { scene, built }
    }

    fn seconds(&mut self, seconds: f32) {
        for _ in 0..(seconds / self.scene.dt()).round() as usize {
            self.built.world.step(self.scene.dt());
        }
        self.built.world.health().unwrap();
    }

    fn places(&self, sheet: usize) -> Vec<Vec3> {
        let ids = &self.built.looks.sheets[sheet].particles;
        self.built.world.positions(ids).into_iter().flatten().collect()
    }
}

const SOLVER: &str = "particle_radius = 0.02\n[solver]\nsubsteps = 4\niterations = 8\n";

#[test]
fn groups_of_pins_follow_motions_of_their_own() {
    let text = format!(
        "{SOLVER}[[cloth]]\nsize = [1, 1]\nresolution = [26, 26]\npins = [\"bottom_left\"]\nattach = [\n\
         {{ pins = [\"top_left\"], motion = {{ path = {{ keys = [{{ time = 0 }}, {{ time = 0.5, position = [-0.4, 0.2, 0.3] }}] }} }} }},\n\
         {{ at = [[0.5, 0.5, 0]], motion = {{ steady = {{ velocity = [0, 0, 0.4] }} }} }},\n]\n"
    );
    let mut run = Run::new(&text);
    run.seconds(0.5);
    let places = run.places(0);
    assert!(
        places[25 * 26].distance(Vec3::new(-0.4, 0.2, 0.3)) < 1e-5,
        "{}",
        places[25 * 26]
    );
    assert!(places[26 * 26 - 1].distance(Vec3::new(0.5, 0.5, 0.2)) < 1e-5);
    assert_eq!(places[0], Vec3::new(-0.5, -0.5, 0.0));
}

#[test]
fn what_is_attached_to_a_collider_turns_with_it() {
    let text = format!(
        "{SOLVER}[[collider]]\nname = \"bar\"\nshape = {{ box = {{ size = [1, 0.04, 0.04] }} }}\nposition = [0, 2, 0]\n\
         motion = {{ steady = {{ angular_velocity = [0, 90, 0] }} }}\n\
         [[cloth]]\nsize = [0.8, 0.5]\nposition = [0, 1.7, 0]\nattach = [{{ pins = [\"top\"], to = \"bar\" }}]\n"
    );
    let mut run = Run::new(&text);
    let before = run.places(0);
    let corner = before.len() - 1;
    run.seconds(1.0);
    let after = run.places(0);
    // A quarter turn about y leads from x to −z.
    let expected = Vec3::new(0.0, before[corner].y, -before[corner].x);
    assert!(after[corner].distance(expected) < 1e-4, "{}", after[corner]);
    assert!(after[0].z > 0.2, "the lower edge has come along: {}", after[0]);
}

#[test]
fn a_body_hangs_from_the_corners_of_a_cloth_with_all_of_its_weight() {
    // 0.2 m of wood at 500 kg/m³ are 4 kg.
    let text = format!(
        "{SOLVER}[material.slow]\nbase = \"wood\"\ndamping = 3\n\
         [[rigid]]\nname = \"crate\"\nmaterial = \"slow\"\nshape = {{ box = {{ size = [0.2, 0.2, 0.2] }} }}\ndensity = 500\nposition = [0, 1.35, 0]\n\
         [[cloth]]\nfabric = \"denim\"\nsize = [0.2, 0.5]\nposition = [0, 1.72, 0]\npins = [\"top\"]\n\
         attach = [{{ pins = [\"bottom_left\", \"bottom_right\"], to = \"crate\" }}]\n"
    );
    let mut run = Run::new(&text);
    run.seconds(4.0);
    let world = &run.built.world;
    let h = run.scene.dt() / 4.0;
    let body = run.built.looks.bodies[0].body;
    let motion = world.body_motion(body).unwrap();
    assert!(motion.velocity.length() < 0.02, "{}", motion.velocity);
    let sheet = &run.built.looks.sheets[0].particles;
    let mut force = 0.0;
    let mut ties = 0;
    for (_, row) in world.constraints().iter() {
        let [inside, outside] = [0, 1].map(|end| sheet.contains(&row.particles[end]));
        if row.particles.len() == 2 && inside != outside {
            let ends = world.positions(&row.particles[..2]);
            let way = (ends[0].unwrap() - ends[1].unwrap()).normalize();
            force += -row.impulse / (h * h) * way.y;
            ties += 1;
        }
    }
    assert!(ties >= 2, "{ties}");
    assert!((force / (4.0 * 9.81) - 1.0).abs() < 0.03, "{force} N");
}

#[test]
fn a_rope_is_tied_to_another_and_breaks_off() {
    let ropes = |force: &str| {
        format!(
            "{SOLVER}[[rope]]\nname = \"line\"\npoints = [[-0.5, 2, 0], [0.5, 2, 0]]\npins = [\"start\", \"end\"]\n\
             [[rope]]\npoints = [[0, 1.9, 0], [0, 1.3, 0]]\nattach = [{{ pins = [\"start\"], to = \"line\"{force} }}]\n"
        )
    };
    let mut held = Run::new(&ropes(""));
    held.seconds(1.0);
    let top = held.places(1)[0];
    assert!(top.y > 1.7, "{top}");
    // The lower rope weighs 0.6 kg.
    let mut torn = Run::new(&ropes(", breaking_force = 2"));
    torn.seconds(1.0);
    assert!(torn.places(1)[0].y < top.y - 1.0);
    assert_eq!(torn.built.world.take_broken_constraints().len(), 1);
}

#[test]
fn regions_pin_what_starts_in_them_and_knots_keep_particles_as_far_apart_as_they_touch() {
    let text = format!(
        "{SOLVER}[[cloth]]\nname = \"sheet\"\nsize = [1, 1]\nresolution = [21, 21]\n\
         pins_within = {{ box = {{ min = [-1, 0.44, -1], max = [1, 1, 1] }} }}\n\
         [[rope]]\npoints = [[0.5, -0.5, 0], [0.5, -1, 0]]\nattach = [{{ pins = [\"start\"], to = \"sheet\" }}]\n"
    );
    let run = Run::new(&text);
    let pinned = { run.built.world.particles().positions.iter() }
        .filter(|place| place.w == 0.0)
        .count();
    assert_eq!(pinned, 2 * 21);
    let batch = run.built.world.constraints().batch(ConstraintKind::Distance);
    let sheet = &run.built.looks.sheets[0].particles;
    let knot: Vec<f32> = { batch.ids().filter_map(|id| batch.get(id)) }
        .filter(|row| sheet.contains(&row.particles[0]) != sheet.contains(&row.particles[1]))
        .map(|row| row.rest)
        .collect();
    // The corner, its two neighbours, and two of the rope.
    assert_eq!(knot.len(), 5);
    assert!(knot.iter().all(|rest| (0.04 - 1e-6..0.1).contains(rest)), "{knot:?}");
}

#[test]
fn check_tells_of_knots_that_are_far_from_what_they_hold() {
    let text = "[[rope]]\nname = \"line\"\npoints = [[0, 2, 0], [1, 2, 0]]\npins = [\"start\", \"end\"]\n\
         [[rope]]\npoints = [[0, 1, 0], [0, 0.5, 0]]\nattach = [{ pins = [\"start\"], to = \"line\" }]\n";
    let found = check_text(text, "x", SizeLimits::default());
    assert!(
        found
            .iter()
            .any(|problem| problem.path == "rope[1].attach[0]" && problem.message.contains("1 m")),
        "{found:#?}"
    );
}
