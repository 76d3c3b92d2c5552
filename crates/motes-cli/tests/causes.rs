//! Small scenes, each for one cause of what random scenes broke: they keep all claims, on both engines.

use std::sync::OnceLock;

use motes_cli::validate::random::trial::run;
use motes_core::{CpuEngine, Engine};
use motes_gpu::{Choice, Gpu, GpuEngine, GpuError};
use motes_scene::Scene;

fn cpu() -> Box<dyn Engine> {
    Box::new(CpuEngine::with_threads(2))
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

/// Fails for a scene that breaks a claim on either engine.
fn keeps_its_claims(name: &str, text: &str) {
    let scene = Scene::from_toml(text, name).expect("a scene");
    let on_cpu = run(&scene, &cpu).expect("a run");
    assert_eq!(on_cpu.measures.broken(), [], "{name}");
    if let Some(gpu) = gpu() {
        let engine = || -> Box<dyn Engine> { Box::new(GpuEngine::new(gpu).expect("an engine")) };
        let on_gpu = run(&scene, &engine).expect("a run");
        assert_eq!(on_gpu.measures.broken(), [], "{name} on the GPU");
    }
}

/// A box of clay on a hinge, with something heavy at its other side: it flows between the two.
const FLOWING: &str = r#"
particle_radius = 0.0583
frames = 64
solver = { substeps = 2, iterations = 8 }
[[plastic]]
name = "clay"
shape = { box = { size = [0.2334, 0.2488, 0.3076] } }
position = [-0.1459, 0.9426, 0]
stiffness = 0.9
[[rigid]]
name = "weight"
material = "ice"
density = 3500.2
shape = { box = { size = [0.2975, 0.2533, 0.382] } }
position = [0.1779, 0.9426, 0]
[[joint]]
body = "clay"
to = "weight"
at = [0, 0.9426, 0]
[[joint]]
body = "clay"
kind = "hinge"
axis = [0, 0, 1]
at = [-0.1459, 0.9426, 0]
[[collider]]
name = "room"
trigger = true
shape = { box = { size = [6.2842, 2.9326, 2.0948] } }
position = [0, 0.7332, 0]
"#;

#[test]
fn clay_gains_no_energy_while_it_flows_between_joints() {
    keeps_its_claims("flowing", FLOWING);
}

/// Four boxes on hinges, held by one end so near a wall that the last of them is jammed between the two.
const JAMMED: &str = r#"
particle_radius = 0.057
frames = 68
solver = { substeps = 2, iterations = 8 }
[[collider]]
material = "frictionless"
shape = { plane = { normal = [-1, 0, 0], offset = -0.8027 } }
[[collider]]
material = "ice"
shape = { plane = { normal = [0, 1, 0], offset = 0.9 } }
[[rigid]]
name = "link"
material = "wet_sand"
shape = { box = { size = [0.1464, 0.1464, 0.1464] } }
position = [0.1304, 1.5251, 0.4014]
copies = { count = [4, 1, 1], spacing = [0.1806, 0, 0], joined = { kind = "hinge", axis = [0, 0, 1] } }
[[joint]]
body = "link last"
at = [0.7455, 1.5251, 0.4014]
"#;

#[test]
fn a_chain_jammed_between_its_nail_and_a_wall_stays_there() {
    keeps_its_claims("jammed.toml", JAMMED);
}

/// Four boxes welded into a beam, which falls about a nail beside a wall until its end lies against the wall, close to the nail.
const WELDED: &str = r#"
particle_radius = 0.059
frames = 64
solver = { substeps = 2, iterations = 3 }
[[collider]]
material = "glass"
shape = { plane = { normal = [1, 0, 0], offset = -0.6423 } }
[[rigid]]
name = "link"
material = "ice"
shape = { box = { size = [0.2536, 0.2536, 0.2536] } }
position = [-0.4336, 2.4408, 0]
copies = { count = [4, 1, 1], spacing = [0.289, 0, 0], joined = { kind = "fixed" } }
[[joint]]
body = "link 0"
at = [-0.5604, 2.4408, 0]
"#;

#[test]
fn a_stiff_chain_that_a_wall_stops_beside_its_nail_gains_no_energy() {
    keeps_its_claims("welded.toml", WELDED);
}

/// A stiff box that turns slowly while it falls, a metre and a half from where numbers are exact.
const TUMBLING: &str = r#"
particle_radius = 0.041
frames = 31
solver = { substeps = 4, iterations = 8 }
[[soft]]
material = "gravel"
spacing = 0.75
shape = { box = { size = [0.2988, 0.4228, 0.344] } }
position = [-0.8534, 1.6215, -0.4267]
rotation = [47, 12, 330]
angular_velocity = [77.8187, 22.3421, -38.6253]
stiffness = 1
"#;

#[test]
fn rounding_does_not_push_a_soft_body() {
    keeps_its_claims("tumbling.toml", TUMBLING);
}

/// Five boxes that lead straight from one nail to another.
const TAUT: &str = r#"
particle_radius = 0.0578
frames = 48
solver = { substeps = 4, iterations = 4 }
[[rigid]]
name = "link"
material = "gravel"
shape = { box = { size = [0.1444, 0.1444, 0.1444] } }
position = [-0.3582, 0.4975, -0.4975]
copies = { count = [5, 1, 1], spacing = [0.1791, 0, 0], joined = { kind = "ball" } }
[[joint]]
body = "link 0"
at = [-0.4304, 0.4975, -0.4975]
[[joint]]
body = "link last"
at = [0.4304, 0.4975, -0.4975]
"#;

#[test]
fn a_chain_as_long_as_its_nails_are_apart_does_not_shake() {
    keeps_its_claims("taut.toml", TAUT);
}

/// A capsule not much thicker than its four particles, which are nearly in a row.
const THIN: &str = r#"
particle_radius = 0.0582
frames = 60
solver = { substeps = 2, iterations = 2 }
[[collider]]
material = "wood"
shape = { plane = { normal = [0, 1, 0], offset = 0 } }
[[rigid]]
material = "frictionless"
shape = { capsule = { radius = 0.0724, length = 0.3322 } }
position = [0, 0.6, 0]
rotation = [182, 62, 318]
resolution = 32
density = 1905.7
filling = { shell = 2 }
velocity = [-0.4903, -1, -0.2601]
angular_velocity = [120.6571, -103.4204, -278.036]
"#;

#[test]
fn a_body_as_thin_as_its_particles_is_not_spun_by_the_least_push() {
    keeps_its_claims("thin.toml", THIN);
}

#[test]
fn the_stabilisation_does_not_stretch_soft_bodies() {
    let text = motes_scene::random_scene(5, 16, motes_scene::random::Menu::FULL);
    let scene = Scene::from_toml(&text, "random-5-16.toml").expect("a scene");
    let trial = run(&scene, &cpu).expect("a run");
    assert_eq!(trial.measures.broken(), []);
}

/// A balloon of silk, pumped up with more than two iterations have its threads hold.
const PUMPED: &str = r#"
particle_radius = 0.0394
frames = 40
solver = { substeps = 2, iterations = 2 }
[[collider]]
name = "floor"
shape = { plane = {} }
[[cloth]]
fabric = "silk"
sphere = 0.2706
position = [0.4052, 0.4052, 0]
inflate = { pressure = 191 }
velocity = [0.4939, -0.0655, -0.4099]
"#;

#[test]
fn a_pump_blows_no_skin_up_beyond_what_it_would_be() {
    keeps_its_claims("pumped.toml", PUMPED);
}

/// Cloth pinned along its edges, beside something that is saved in another order.
const FRAMED: &str = r#"
particle_radius = 0.0319
frames = 12
[[plastic]]
shape = { box = { size = [0.16, 0.1804, 0.1764] } }
[[cloth]]
size = [0.3088, 0.3277]
position = [0.5775, 0.8663, 0.2888]
pins = ["edges"]
"#;

#[test]
fn threads_between_pins_do_nothing_in_any_order() {
    keeps_its_claims("framed.toml", FRAMED);
}

/// A stiff rope that is laid around a corner.
const KINKED: &str = r#"
particle_radius = 0.0347
frames = 6
[[rope]]
points = [[-0.2529, 0.78, -0.3804], [0, 0.3232, -0.3161], [0.2529, 0.3581, -0.2519]]
bending = 0.1
"#;

#[test]
fn a_rope_that_was_laid_around_a_corner_gives_back_what_bent_it() {
    keeps_its_claims("kinked.toml", KINKED);
}
