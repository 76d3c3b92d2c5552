//! Random scenes as a test: scenes of every kind keep the claims on both engines, and every claim can be broken.

use std::sync::OnceLock;

use motes_cli::validate::random::claims::Claim;
use motes_cli::validate::random::expected::Expected;
use motes_cli::validate::random::sheets::Sheets;
use motes_cli::validate::random::snapshot::{Body, Shapekeeping, Snapshot};
use motes_cli::validate::random::trial::{disagreement, run};
use motes_cli::validate::random::watch::Watch;
use motes_core::glam::Vec3;
use motes_core::{CpuEngine, Engine};
use motes_gpu::{Choice, Gpu, GpuEngine, GpuError};
use motes_scene::random::Ingredient::{Balloons, Joints, Melting, Plastic, Rebounds, Rigid, Soft};
use motes_scene::random::{Ingredient, Menu, ROOM};
use motes_scene::{Built, Scene, random_scene};

const SEED: u64 = 1;

fn cpu() -> Box<dyn Engine> {
    Box::new(CpuEngine::with_threads(2))
}

fn scene(number: u64, menu: Menu) -> Scene {
    let text = random_scene(SEED, number, menu);
    Scene::from_toml(&text, &format!("random-{SEED}-{number}.toml")).expect("a scene")
}

/// Runs scenes, and fails for one that breaks a claim.
fn hold(numbers: std::ops::Range<u64>, without: &[Ingredient]) {
    for number in numbers {
        let trial = run(&scene(number, Menu::FULL.without(without)), &cpu).expect("a run");
        let broken = trial.measures.broken();
        assert!(broken.is_empty(), "--seed {SEED} --first {number}: {broken:?}");
    }
}

/// Without balloons: at 2 × 4 heavy grains that fall on the skin of one pull its threads apart (scene 7).
#[test]
fn grains_hold() {
    hold(0..16, &[Rigid, Soft, Plastic, Melting, Joints, Balloons]);
}

#[test]
fn rigid_bodies_hold() {
    hold(0..12, &[Soft, Plastic, Melting, Joints, Rebounds]);
}

#[test]
fn joined_bodies_hold() {
    hold(0..12, &[Soft, Plastic, Melting, Rebounds]);
}

#[test]
fn bodies_that_bend_hold() {
    hold(0..16, &[Melting]);
}

/// Five boxes held together altogether, and by one end two centimetres from a wall that they are pressed into.
const CHAIN: &str = r#"
frames = 85
material.smooth = { base = "ice", restitution = 0 }
material.plain = { base = "sand", restitution = 0 }
[[collider]]
material = "smooth"
shape = { box = { min = [-0.6384, -0.2152, -1.0615], max = [-0.4232, 2.7541, 1.0615] } }
[[rigid]]
name = "link"
material = "plain"
shape = { box = { size = [0.1259, 0.1259, 0.1259] } }
position = [-0.3047, 2.1158, -0.4232]
copies = { count = [5, 1, 1], spacing = [0.1523, 0, 0], joined = { kind = "fixed" } }
[[joint]]
body = "link 0"
at = [-0.3676, 2.1158, -0.4232]
"#;

#[test]
fn a_chain_beside_a_wall_gains_no_energy() {
    let scene = Scene::from_toml(CHAIN, "chain.toml").expect("a scene");
    let trial = run(&scene, &cpu).expect("a run");
    let broken = trial.measures.broken();
    assert!(broken.is_empty(), "{broken:?}");
}

/// Fails for a scene that breaks a claim.
fn keeps_its_claims(name: &str, text: &str) {
    let scene = Scene::from_toml(text, name).expect("a scene");
    let trial = run(&scene, &cpu).expect("a run");
    assert_eq!(trial.measures.broken(), [], "{name}");
}

/// A light plank on a floor without thickness, and half a cubic metre of steel that falls on it.
const PRESSED: &str = r#"
particle_radius = 0.0436
frames = 80
[solver]
substeps = 2
iterations = 4
[[collider]]
material = "steel"
shape = { mesh = { vertices = [[-0.3, -0.4, -0.3], [0.3, -0.4, -0.3], [-0.3, 0.4, -0.3], [0.3, 0.4, -0.3], [-0.3, -0.4, 0.3], [0.3, -0.4, 0.3], [-0.3, 0.4, 0.3], [0.3, 0.4, 0.3]], triangles = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]] } }
position = [0, 0.4, 0]
[[collider]]
name = "room"
trigger = true
shape = { box = { size = [0.6, 0.8, 0.6] } }
position = [0, 0.4, 0]
[[rigid]]
material = "wood"
shape = { box = { size = [0.3, 0.14, 0.3] } }
position = [0, 0.12, 0]
rotation = [10, 20, 30]
density = 150
[[grains]]
material = "steel"
shape = { box = { size = [0.5, 0.45, 0.5] } }
position = [0, 0.5, 0]
velocity = [0, -2, 0]
"#;

#[test]
fn walls_stop_a_rigid_body_that_others_press_on() {
    keeps_its_claims("pressed", PRESSED);
}

/// A heavy cone that falls on the corner of a box.
const CORNER: &str = r#"
frames = 30
particle_radius = 0.0358
[[collider]]
material = "gravel"
shape = { box = { size = [0.1793, 0.3623, 0.3469] } }
position = [0, 0.3246, 0]
rotation = [287, 95, 244]
[material.heavy]
base = "ice"
density = 5321.4
adhesion = 4240
[[rigid]]
material = "heavy"
radius = 0.0179
spacing = 1
shape = { cone = { radius = 0.1753, top_radius = 0.0877, height = 0.2065, base = [0, -0.1032, 0] } }
position = [0, 0.9738, 0]
rotation = [194, 358, 72]
resolution = 32
velocity = [-0.0633, 0.1656, -0.0926]
"#;

#[test]
fn walls_have_corners_that_do_not_enter_a_flat_face() {
    keeps_its_claims("corner", CORNER);
}

/// A soft rabbit, as stiff as can be, that is thrown into a room whose walls stick.
const RABBIT: &str = r#"
frames = 84
particle_radius = 0.0417
[material.sticky]
base = "gravel"
static_friction = 1.293
kinetic_friction = 0.6562
cohesion = 2010
adhesion = 3935
[[collider]]
material = "sticky"
shape = { sdf = { cell_size = 0.0417, solid = { difference = { from = { box = { size = [2.238, 2.4919, 1.6033] } }, remove = [{ box = { size = [1.9041, 2.158, 1.2694] } }] } } } }
position = [0, 1.079, 0]
[[rigid]]
name = "hung"
material = "frictionless"
shape = { box = { size = [0.1669, 0.3286, 0.1924] } }
position = [-0.6347, 1.206, 0.3174]
resolution = 24
[[joint]]
body = "hung"
kind = "fixed"
[[soft]]
material = "rubber"
radius = 0.0209
model = "rabbit"
size = 0.3632
position = [0, 1.6591, 0.3174]
copies = { count = [1, 1, 1], turn = "random" }
resolution = 32
velocity = [-1.1433, 1.7801, 0.7598]
angular_velocity = [61.7744, -89.9863, 69.557]
stiffness = 1
clusters = { whole = 0.0334 }
"#;

#[test]
fn walls_stop_particles_that_their_shape_presses_on() {
    keeps_its_claims("rabbit", RABBIT);
}

/// A ring of clay that falls on a body, in small sub-steps.
const RING: &str = r#"
seed = 389
frames = 54
particle_radius = 0.0574
[solver]
substeps = 8
iterations = 8
constraint_solver = "gauss-seidel"
[material.plate]
base = "steel"
static_friction = 0.5805
kinetic_friction = 0.4354
restitution = 0.241
adhesion = 2095
[[collider]]
material = "plate"
shape = { sdf = { cell_size = 0.0574, solid = { difference = { from = { box = { size = [2.7223, 2.7223, 1.5906] } }, remove = [{ box = { size = [2.2634, 2.2634, 1.1317] } }] } } } }
position = [0, 1.1317, 0]
[[plastic]]
material = "wet_sand"
radius = 0.0287
spacing = 0.75
shape = { torus = { radius = 0.2399, tube_radius = 0.0827 } }
position = [0.5659, 1.6976, 0]
rotation = [142, 347, 343]
resolution = 32
density = 2783.2
angular_velocity = [-251.5055, 106.9028, -165.7767]
stiffness = 0.664
creep = 0.84
limit = 0.1066
[[rigid]]
material = "wood"
radius = 0.0287
model = "beast"
size = 0.573
position = [0.5659, 0.3195, 0]
copies = { count = [1, 1, 1], turn = "random" }
resolution = 32
density = 2303.5
velocity = [-0.068, 0.9174, 1.1989]
"#;

#[test]
fn speed_does_not_come_from_tethers_in_small_steps() {
    keeps_its_claims("ring", RING);
}

/// A soft cylinder, as stiff as can be, that bounces in small sub-steps.
const CYLINDER: &str = r#"
frames = 90
particle_radius = 0.0301
[solver]
substeps = 8
iterations = 4
[material.springy]
base = "rubber"
static_friction = 0.2685
kinetic_friction = 0.1924
restitution = 0.773
[[collider]]
material = "springy"
shape = { sdf = { cell_size = 0.0301, solid = { difference = { from = { box = { size = [1.4623, 2.0728, 0.8517] } }, remove = [{ box = { size = [1.2211, 1.8316, 0.6105] } }] } } } }
position = [0, 0.9158, 0]
[[collider]]
name = "room"
trigger = true
shape = { box = { size = [1.2211, 1.8316, 0.6105] } }
position = [0, 0.9158, 0]
[[soft]]
material = "wood"
radius = 0.0151
shape = { cylinder = { radius = 0.1071, height = 0.2739, base = [0, -0.1369, 0] } }
position = [-0.3053, 1.5263, 0]
rotation = [56, 34, 15]
resolution = 32
density = 2615.5
velocity = [-0.0756, -0.076, -0.0019]
stiffness = 1
"#;

#[test]
fn speed_does_not_come_from_the_shape_of_what_bounces() {
    keeps_its_claims("cylinder", CYLINDER);
}

/// A room with a bit of everything that a claim is about.
const EVERYTHING: &str = r#"
particle_radius = 0.05
frames = 20
[[collider]]
name = "floor"
shape = { plane = {} }
[[collider]]
name = "room"
trigger = true
shape = { box = { min = [-2, 0, -1], max = [2, 3, 1] } }
[[grains]]
shape = { box = { size = [0.4, 0.4, 0.4] } }
position = [-1, 0.3, 0]
[[rigid]]
name = "hung"
shape = { box = { size = [0.4, 0.4, 0.4] } }
position = [0, 1, 0]
[[joint]]
body = "hung"
at = [0, 1.2, 0]
[[soft]]
shape = { box = { size = [0.4, 0.4, 0.4] } }
position = [1, 0.3, 0]
[[grains]]
name = "rope"
shape = { box = { size = [0.5, 0.105, 0.105] } }
position = [1, 2, 0]
packing = "cubic"
[[distance]]
of = "rope"
within = 0.11
[[cloth]]
size = [0.4, 0.4]
position = [0, 2, 0]
[[cloth]]
size = [0.4, 0.4]
position = [-0.6, 2, 0]
tears = true
[[cloth]]
sphere = 0.2
fabric = "rubber_sheet"
position = [1, 1.2, 0]
inflate = { gas = 1 }
[[rope]]
points = [[-1.5, 2, 0], [-1, 2, 0]]
"#;

/// The measure of a claim when a frame is spoilt, over its bound; the frame as it is has to keep all claims.
fn spoilt(claim: Claim, spoil: impl Fn(&mut Snapshot)) -> f64 {
    let scene = Scene::from_toml(EVERYTHING, "everything.toml").expect("a scene");
    let Built { mut world, looks, .. } = scene.build(cpu()).expect("a scene");
    let sheets = Sheets::of(&looks);
    let start = Snapshot::of(&world, scene.dt(), ROOM, &sheets);
    let mut watch = Watch::new(Expected::of(&scene, &world), &start);
    world.step(scene.dt());
    let mut seen = Snapshot::of(&world, scene.dt(), ROOM, &sheets);
    watch.look(&seen);
    assert_eq!(watch.measures.broken(), [], "as it is");
    assert!(watch.measures.get(claim).is_some(), "{} is not claimed", claim.name());
    spoil(&mut seen);
    watch.look(&seen);
    watch.measures.get(claim).expect("a measure").0 - claim.bound()
}

fn body(seen: &mut Snapshot, keeps: Shapekeeping) -> &mut Body {
    seen.bodies.iter_mut().find(|body| body.keeps == keeps).expect("a body")
}

#[test]
fn a_particle_that_is_nowhere_breaks_the_numbers() {
    assert!(spoilt(Claim::Numbers, |seen| seen.particles[3].position.x = f32::NAN) > 0.0);
    assert!(spoilt(Claim::Numbers, |seen| seen.particles[3].velocity.x = f32::INFINITY) > 0.0);
}

#[test]
fn a_particle_outside_breaks_the_room() {
    assert!(spoilt(Claim::Room, |seen| seen.particles[3].position.x = 2.001) > 0.0);
    assert!(spoilt(Claim::Room, |seen| seen.particles[3].position.y = f32::NAN) > 0.0);
    assert!(spoilt(Claim::Room, |seen| seen.particles[3].position.x = 1.9) < 0.0);
}

#[test]
fn a_dent_breaks_a_rigid_body() {
    let dent = |depth: f32| move |seen: &mut Snapshot| body(seen, Shapekeeping::Rigid).members[0].1.x += depth;
    assert!(spoilt(Claim::Rigid, dent(0.001)) > 0.0);
    assert!(spoilt(Claim::Rigid, dent(0.0)) < 0.0);
}

#[test]
fn a_particle_that_leaves_its_body_breaks_stretch_and_pieces() {
    let shed = |seen: &mut Snapshot| body(seen, Shapekeeping::Soft).members[0].1 += Vec3::splat(0.5);
    assert!(spoilt(Claim::Stretch, shed) > 0.0);
    assert_eq!(spoilt(Claim::Pieces, shed), 1.0);
}

#[test]
fn a_gap_breaks_a_joint() {
    assert!(spoilt(Claim::Joints, |seen| seen.widest_gap = Some(0.6)) > 0.0);
    let torn = |seen: &mut Snapshot| body(seen, Shapekeeping::Rigid).members.clear();
    assert!(
        spoilt(Claim::Joints, torn) < 0.0,
        "gaps are those of the engine's own poses"
    );
}

#[test]
fn a_gap_in_a_rope_breaks_its_rows() {
    assert!(spoilt(Claim::Rows, |seen| seen.longest_row = Some(2.1)) > 0.0);
    assert!(spoilt(Claim::Rows, |seen| seen.longest_row = Some(1.9)) < 0.0);
}

#[test]
fn a_hole_in_a_cloth_breaks_its_threads() {
    assert!(spoilt(Claim::Threads, |seen| seen.longest_thread = Some(2.1)) > 0.0);
    assert!(spoilt(Claim::Threads, |_| ()) < -0.9, "a cloth as it was made");
}

#[test]
fn a_vertex_without_a_triangle_breaks_the_faces() {
    assert!(spoilt(Claim::Faces, |seen| seen.bare_vertices = Some(1.0)) > 0.0);
    assert_eq!(spoilt(Claim::Faces, |_| ()), 0.0);
}

#[test]
fn a_balloon_that_is_squeezed_without_a_pressure_breaks_the_volume() {
    assert!(spoilt(Claim::Volume, |seen| seen.misfit = Some(1.3)) > 0.0);
    assert!(spoilt(Claim::Volume, |_| ()) < -0.2, "a balloon as it was made");
}

#[test]
fn a_kick_breaks_the_energy_and_a_greater_one_the_speed() {
    let faster = |by: f32| {
        move |seen: &mut Snapshot| {
            let grains = seen.particles.iter_mut().filter(|particle| !particle.is_rigid);
            grains.for_each(|particle| particle.velocity.x += by);
        }
    };
    assert!(spoilt(Claim::Energy, faster(1.0)) > 0.0);
    assert!(spoilt(Claim::Speed, faster(1.0)) < 0.0);
    assert!(spoilt(Claim::Speed, faster(40.0)) > 0.0);
    let lifted = |seen: &mut Snapshot| {
        for particle in &mut seen.particles {
            particle.position.y += 0.1;
        }
    };
    assert!(spoilt(Claim::Energy, lifted) > 0.0);
    let spun = |seen: &mut Snapshot| body(seen, Shapekeeping::Rigid).kinetic_energy += 100.0;
    assert!(spoilt(Claim::Energy, spun) > 0.0);
}

/// A bar that flies and spins without gravity, and melts on its way.
const BAR: &str = r#"
gravity = 0
frames = 30
particle_radius = 0.05
[[rigid]]
material = "frictionless"
shape = { box = { size = [0.6, 0.2, 0.2] } }
spacing = 1
velocity = [1, 2, 0]
angular_velocity = [100, 200, 300]
[rigid.melting]
solidus = 45
liquidus = 65
temperature = [[0, 20], [0.3, 55], [0.5, 20]]
"#;

#[test]
fn a_body_that_melts_has_its_energy_of_motion_while_it_is_rigid() {
    let scene = Scene::from_toml(BAR, "bar.toml").expect("a scene");
    let world = scene.build(cpu()).expect("a scene").world;
    let seen = Snapshot::of(&world, scene.dt(), ROOM, &Sheets::default());
    let masses = seen.free().map(|particle| particle.mass).sum::<f64>();
    let speeds = seen
        .free()
        .map(|particle| particle.mass * f64::from(particle.velocity.length_squared()));
    let expected = 0.5 * speeds.sum::<f64>();
    assert!(expected > 0.5 * masses * 5.0, "it spins as well");
    let found = seen.energy()[0];
    assert!((found - expected).abs() < 0.01 * expected, "{found} J of {expected} J");
    let trial = run(&scene, &cpu).expect("a run");
    assert_eq!(trial.measures.broken(), []);
    assert!(trial.measures.get(Claim::Energy).is_some(), "nothing drives it");
}

#[test]
fn a_collider_put_into_grains_breaks_the_walls() {
    let buried = EVERYTHING.replace("shape = { plane = {} }", "shape = { plane = { offset = 0.2 } }");
    let scene = Scene::from_toml(&buried, "buried.toml").expect("a scene");
    let world = scene.build(cpu()).expect("a scene").world;
    assert!(Snapshot::of(&world, scene.dt(), ROOM, &Sheets::default()).deepest > 0.0);
}

/// An averaging that diverges puts energy in, whatever the scene.
#[test]
fn wrong_settings_break_claims_of_a_whole_run() {
    let wrong = "[solver]\naveraging = \"none\"\nrelaxation = 2\niterations = 16\n";
    let scene = Scene::from_toml(&format!("{EVERYTHING}\n{wrong}"), "wrong.toml").expect("a scene");
    let broken = run(&scene, &cpu).expect("a run").measures.broken();
    assert!(broken.iter().any(|(claim, ..)| *claim == Claim::Energy), "{broken:?}");
}

#[test]
fn engines_that_differ_are_told_apart() {
    let trial = |text: &str| run(&Scene::from_toml(text, "everything.toml").expect("a scene"), &cpu).expect("a run");
    let usual = trial(EVERYTHING);
    assert_eq!(disagreement(&usual, &trial(EVERYTHING)), 0.0);
    let fewer = EVERYTHING.replace(
        "size = [0.4, 0.4, 0.4] } }\nposition = [-1",
        "size = [0.3, 0.4, 0.4] } }\nposition = [-1",
    );
    assert_eq!(disagreement(&usual, &trial(&fewer)), f64::INFINITY);
    let blown = "[[field]]\nkind = { uniform = { acceleration = [40, 0, 0] } }\n";
    assert!(disagreement(&usual, &trial(&format!("{EVERYTHING}\n{blown}"))) > 1.0);
}

/// The GPU or software driver of this machine. Without any, the tests say so and pass; with `MOTES_REQUIRE_GPU=1` they fail.
fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let gpu = GPU.get_or_init(|| match Gpu::pick(&Choice::default()) {
        Ok(gpu) => Some(gpu),
        Err(GpuError::NoAdapter { .. }) if std::env::var("MOTES_REQUIRE_GPU").as_deref() != Ok("1") => None,
        Err(error) => panic!("{error}"),
    });
    if gpu.is_none() {
        println!("not tested: no GPU here");
    }
    gpu.as_ref()
}

#[test]
fn scenes_hold_on_the_gpu_and_end_as_on_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let engine = || -> Box<dyn Engine> { Box::new(GpuEngine::new(gpu).expect("an engine")) };
    // A world with passive particles that is saved and restored ends with other last bits on a GPU.
    for number in [0, 2, 4, 6] {
        let scene = scene(number, Menu::FULL.without(&[Soft, Plastic, Melting, Joints, Rebounds]));
        let (here, there) = (run(&scene, &cpu).expect("a run"), run(&scene, &engine).expect("a run"));
        let broken = there.measures.broken();
        assert!(broken.is_empty(), "--seed {SEED} --first {number}: {broken:?}");
        let apart = disagreement(&here, &there);
        assert!(
            apart <= Claim::Engines.bound(),
            "--seed {SEED} --first {number} --both: {apart}"
        );
    }
}
