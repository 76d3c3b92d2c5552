//! What an inventory finds in worlds, and that files of it can be written.

use std::io::Cursor;

use motes_core::CpuEngine;
use motes_drawing::export::{Geometry, GlbWriter, Inventory, Object, Snapshot, Timeline, UsdaWriter, write_obj};
use motes_geometry::{Format, ReadOptions, parse_mesh};
use motes_scene::{Built, Scene};

const SCENE: &str = "up = \"z\"\nparticle_radius = 0.1\nframe_rate = 50\n\
    [[grains]]\nshape = { box = { min = [4, 0, 0], max = [5, 1, 1] } }\n\
    [[rigid]]\nname = \"brick\"\nshape = { box = { size = [1, 1, 1] } }\ncolor = \"teal\"\ncopies = { count = [2, 1, 1], spacing = [2, 2, 2] }\n\
    [[soft]]\nname = \"jelly\"\nshape = { box = { size = [1, 1, 1] } }\nposition = [0, 3, 0]\n\
    [[collider]]\nname = \"ground\"\nshape = { plane = {} }\n\
    [[collider]]\nshape = { sphere = { radius = 1 } }\nposition = [0, 0, -3]\nopacity = 0.5\n\
    [[collider]]\nshape = { sphere = { radius = 1 } }\nposition = [0, 0, -9]\nvisible = false\n";

fn build(text: &str) -> (Scene, Built) {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let built = scene.build(Box::new(CpuEngine::new())).expect("a world");
    (scene, built)
}

fn object<'a>(snapshot: &'a Snapshot, name: &str) -> Option<&'a Object> {
    snapshot.objects.iter().find(|object| object.name == name)
}

#[test]
fn bodies_colliders_and_grains_are_found_by_name() {
    let (scene, mut built) = build(SCENE);
    let inventory = Inventory::of_scene(&scene, &built);
    let before = inventory.snapshot(&mut built.world);
    let names: Vec<&str> = before.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    let jelly = object(&before, "jelly").expect("jelly");
    assert!(matches!(jelly.geometry, Geometry::Changing(_)));
    let ground = object(&before, "ground").expect("ground");
    assert!(ground.geometry.placed().normals.iter().all(|normal| normal.z > 0.999));
    let glass = before.objects.iter().find(|object| object.paint.opacity == 0.5);
    assert!(glass.is_some());
    let copies = before
        .objects
        .iter()
        .filter(|object| object.paint.color == [0, 128, 128]);
    let meshes: Vec<_> = copies
        .map(|object| match &object.geometry {
            Geometry::Rigid(mesh, _) => std::sync::Arc::as_ptr(mesh),
            Geometry::Changing(_) | Geometry::Skinned(..) => panic!("a rigid body changes"),
        })
        .collect();
    assert!(meshes.len() == 2 && meshes[0] == meshes[1]);
    let [grains] = &before.clouds[..] else {
        panic!("{} clouds", before.clouds.len());
    };
    assert!(grains.ids.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(grains.radius, 0.1);
    let timeline = Timeline::of_scene(&scene);
    assert_eq!((timeline.frames_per_second, timeline.z_up), (50.0, true));
}

#[test]
fn what_is_removed_is_there_no_more_and_what_dissolves_becomes_grains() {
    let (scene, mut built) = build(SCENE);
    let inventory = Inventory::of_scene(&scene, &built);
    let count = inventory.snapshot(&mut built.world).objects.len();
    let (first, last) = (built.looks.bodies[0].body, built.looks.bodies[2].body);
    built.world.remove_body(first).expect("it is there");
    built.world.dissolve_body(last).expect("it is there");
    built
        .world
        .remove_collider(built.looks.colliders[0].collider)
        .expect("it is there");
    for _ in 0..3 {
        built.world.step(scene.dt());
    }
    let after = inventory.snapshot(&mut built.world);
    assert_eq!(after.frame, 3);
    assert_eq!(after.objects.len(), count - 3);
    assert_eq!(after.clouds.len(), 2);
}

#[test]
fn an_empty_world_has_nothing() {
    let (scene, mut built) = build("");
    let inventory = Inventory::of_scene(&scene, &built);
    assert_eq!(inventory.snapshot(&mut built.world), Snapshot::default());
}

#[test]
fn files_of_a_frame_hold_its_triangles() {
    let (scene, mut built) = build(SCENE);
    let snapshot = Inventory::of_scene(&scene, &built).snapshot(&mut built.world);
    let triangles: usize = { snapshot.objects.iter() }
        .map(|object| object.geometry.placed().triangles.len())
        .sum();
    let mut glb = GlbWriter::new(Timeline::of_scene(&scene), Cursor::new(Vec::new()));
    let mut usda = UsdaWriter::new(Timeline::of_scene(&scene), Cursor::new(Vec::new()));
    assert!(glb.frame(&snapshot).expect("a frame"));
    usda.frame(&snapshot).expect("a frame");
    let (mut obj, mut binary, mut text) = (Vec::new(), Vec::new(), Vec::new());
    write_obj(&mut obj, &snapshot, "test.mtl").expect("written");
    glb.finish(&mut binary).expect("written");
    usda.finish(&mut text).expect("written");
    for (bytes, format) in [(&obj, Format::Obj), (&binary, Format::Gltf)] {
        let mesh = parse_mesh(bytes, format, &ReadOptions::default()).expect("a mesh");
        assert_eq!(mesh.triangles.len(), triangles);
    }
    let text = String::from_utf8(text).expect("text");
    assert_eq!(text.matches("def Mesh ").count(), snapshot.objects.len() + 3);
    assert!(text.contains("upAxis = \"Z\"") && text.contains("def Points "));
}
