//! What is drawn of gases and their smoke.

use motes_core::CpuEngine;
use motes_drawing::{Sketch, camera_at, liquids};
use motes_render::{Preview, Quality};
use motes_scene::Scene;

const SCENE: &str = r#"
particle_radius = 0.05
[[fluid]]
material = "air"
shape = { box = { size = [1, 1, 1] } }
[[markers]]
shape = { sphere = { radius = 0.4 } }
count = 500
[smoke]
color = "red"
radius = 0.1
opacity = 0.6
"#;

/// Balls and puffs that are drawn of a scene, and the pixel in the middle of a picture of it.
fn drawn(more: &str) -> (usize, usize, [u8; 4]) {
    let scene = Scene::from_toml(&format!("{SCENE}{more}"), "gas.toml").expect("a scene");
    let mut built = scene.build(Box::new(CpuEngine::new())).expect("a world");
    assert!(
        liquids(&built.world, &built.looks, 0.5).is_empty(),
        "a gas has no surface"
    );
    let mut sketch = Sketch::of_scene(&scene, &built);
    sketch.follow(&mut built.world);
    let drawing = sketch.drawing(camera_at(&scene, 0));
    let balls = drawing.spheres.iter().map(|spheres| spheres.positions.len()).sum();
    let image = Preview::new().draw(&drawing, 64, 64, &Quality::draft());
    (balls, drawing.puffs.len(), image.pixel(32, 32).expect("a pixel"))
}

#[test]
fn smoke_is_drawn_in_its_colour_and_gas_where_it_is_asked_for() {
    let look = "[camera]\nposition = [0, 0, 3]\ntarget = [0, 0, 0]\n";
    let (balls, puffs, pixel) = drawn(look);
    assert_eq!((balls, puffs), (0, 500));
    assert!(pixel[0] > 2 * pixel[1], "{pixel:?}");
    let (balls, puffs, _) = drawn(&format!("{look}[render]\ngas = \"particles\"\n"));
    assert_eq!((balls, puffs), (1000, 500));
}

#[test]
fn a_slice_has_only_what_is_in_it() {
    let slice = |thickness: f32| {
        let slice = format!("slice = {{ normal = [0, 0, 1], thickness = {thickness} }}");
        drawn(&format!("[render]\ngas = \"particles\"\n{slice}\n"))
    };
    let (balls, puffs, _) = slice(0.2);
    assert_eq!(balls, 200);
    assert!((100..250).contains(&puffs), "{puffs}");
    let (balls, puffs, _) = slice(2.0);
    assert_eq!((balls, puffs), (1000, 500));
}
