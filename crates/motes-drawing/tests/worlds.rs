//! What is drawn and exported of worlds of all kinds, down to empty ones.

use glam::Vec3;
use motes_core::colliders::Plane;
use motes_core::{Collider, CpuEngine, Group, Material, Pose, Settings, World};
use motes_drawing::export::{self, Inventory, MeshSequence};
use motes_drawing::{Sheet, SheetLook, Sketch, Style, camera_at};
use motes_geometry::ShadedMesh;
use motes_render::{Camera, Drawing, Fabric, Image, Preview, Quality, color};
use motes_scene::model::ColorBy;
use motes_scene::{Built, Looks, Scene};

fn build(text: &str) -> (Scene, Built) {
    let scene = Scene::from_toml(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    let built = scene.build(Box::new(CpuEngine::new())).expect("a world");
    (scene, built)
}

fn camera() -> Camera {
    Camera {
        position: Vec3::new(0.0, 1.0, 5.0),
        target: Vec3::ZERO,
        up: Vec3::Y,
        field_of_view: 40.0,
    }
}

fn picture(drawing: &Drawing) -> Image {
    Preview::new().draw(drawing, 64, 48, &Quality::video())
}

#[test]
fn an_empty_world_is_drawn_as_its_ground() {
    let mut world = World::new(Settings::default()).expect("a world");
    let mut sketch = Sketch::new(&world, &Looks::default(), Style::default(), &camera());
    sketch.follow(&mut world);
    let drawing = sketch.drawing(camera());
    assert!(drawing.spheres.iter().all(|spheres| spheres.positions.is_empty()));
    assert!(drawing.meshes.is_empty());
    assert!(drawing.ground.is_some());
    assert_eq!(picture(&drawing).pixels.len(), 64 * 48);
}

#[test]
fn an_empty_world_is_exported_without_rows() {
    let mut world = World::new(Settings::default()).expect("a world");
    let looks = Looks::plain(&world);
    let rows = export::particles(&mut world, &looks);
    assert_eq!(rows, []);
    let (mut ply, mut vtp, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
    export::write_ply(&mut ply, &rows).expect("written");
    export::write_vtp(&mut vtp, &rows).expect("written");
    MeshSequence::default().write_ply(&mut meshes).expect("written");
    assert!(ply.ends_with(b"end_header\n"));
    assert!(vtp.ends_with(b"</VTKFile>\n"));
    assert!(meshes.ends_with(b"end_header\n"));
}

#[test]
fn one_particle_is_one_sphere_in_the_middle_of_the_picture() {
    let mut world = World::new(Settings::default()).expect("a world");
    let glass = world.add_material(Material::GLASS).expect("a material");
    let group = world.add_group(Group::grains("one", glass)).expect("a group");
    world.add_particles(group, &[Vec3::ZERO], Vec3::X).expect("a particle");
    let style = Style {
        shows_ground: false,
        ..Style::default()
    };
    let mut sketch = Sketch::new(&world, &Looks::plain(&world), style, &camera());
    let before = picture(&sketch.drawing(camera()));
    sketch.follow(&mut world);
    let drawing = sketch.drawing(camera());
    assert_eq!(drawing.spheres[0].positions.len(), 1);
    assert_eq!(drawing.spheres[0].radius, world.settings().particle_radius);
    let after = picture(&drawing);
    assert_ne!(before.pixel(32, 24), after.pixel(32, 24));
    assert_eq!(before.pixel(0, 0), after.pixel(0, 0));
    let looks = Looks::plain(&world);
    let rows = export::particles(&mut world, &looks);
    assert_eq!(
        (rows.len(), rows[0].velocity, rows[0].group),
        (1, Vec3::X, group.index())
    );
}

#[test]
fn particles_that_no_look_knows_are_grey() {
    let mut world = World::new(Settings::default()).expect("a world");
    let sand = world.add_material(Material::SAND).expect("a material");
    let group = world.add_group(Group::grains("one", sand)).expect("a group");
    world
        .add_particles(group, &[Vec3::ZERO], Vec3::ZERO)
        .expect("a particle");
    let mut sketch = Sketch::new(&world, &Looks::default(), Style::default(), &camera());
    sketch.follow(&mut world);
    let [red, green, blue] = sketch.drawing(camera()).spheres[0].colors[0];
    assert!(red.abs_diff(green) < 8 && green.abs_diff(blue) < 8 && red > 180);
}

#[test]
fn plain_looks_show_every_collider_that_is_not_the_ground() {
    let mut world = World::new(Settings::default()).expect("a world");
    let sand = world.add_material(Material::SAND).expect("a material");
    for (normal, offset) in [(Vec3::Y, 0.0), (Vec3::Z, -2.0)] {
        let plane = Plane::new(normal, offset).expect("a plane");
        let collider = Collider::new("plane", plane.into(), sand, Pose::IDENTITY);
        world.add_collider(collider).expect("a collider");
    }
    let sketch = Sketch::new(&world, &Looks::plain(&world), Style::default(), &camera());
    // The light and the dark squares of the wall; the floor is the ground.
    assert_eq!(sketch.drawing(camera()).meshes.len(), 2);
}

#[test]
fn a_collider_that_is_removed_is_drawn_no_more() {
    let (scene, mut built) = build("[[collider]]\nshape = { sphere = { radius = 1 } }\n");
    let mut sketch = Sketch::of_scene(&scene, &built);
    sketch.follow(&mut built.world);
    assert_eq!(sketch.drawing(camera_at(&scene, 0)).meshes.len(), 1);
    let collider = built.looks.colliders[0].collider;
    built.world.remove_collider(collider).expect("it is there");
    sketch.follow(&mut built.world);
    assert!(sketch.drawing(camera_at(&scene, 0)).meshes.is_empty());
}

const BODY: &str = "particle_radius = 0.1\n[[rigid]]\nshape = { box = { size = [1, 1, 1] } }\n";

fn balls(drawing: &Drawing<'_>) -> usize {
    drawing.spheres.iter().map(|spheres| spheres.positions.len()).sum()
}

#[test]
fn a_body_is_drawn_as_its_mesh_and_as_grains_once_it_is_dissolved() {
    let (scene, mut built) = build(BODY);
    let mut sketch = Sketch::of_scene(&scene, &built);
    sketch.follow(&mut built.world);
    let whole = sketch.drawing(camera_at(&scene, 0));
    assert_eq!((whole.meshes.len(), balls(&whole)), (1, 0));
    let body = built.looks.bodies[0].body;
    built.world.dissolve_body(body).expect("it is there");
    sketch.follow(&mut built.world);
    let dissolved = sketch.drawing(camera_at(&scene, 0));
    let count = built.world.particle_count();
    assert_eq!((dissolved.meshes.len(), balls(&dissolved)), (0, count));
}

#[test]
fn a_mesh_sequence_keeps_its_topology_when_a_body_goes() {
    let text = "particle_radius = 0.1\n[[rigid]]\nshape = { box = { size = [1, 1, 1] } }\n\
        [[soft]]\nshape = { box = { size = [1, 1, 1] } }\nposition = [3, 0, 0]\n";
    let (scene, mut built) = build(text);
    let inventory = Inventory::of_scene(&scene, &built);
    let mut sequence = MeshSequence::default();
    let mut bytes = |built: &mut Built| {
        let mut bytes = Vec::new();
        sequence.follow(&inventory.snapshot(&mut built.world));
        sequence.write_ply(&mut bytes).expect("written");
        bytes
    };
    let before = bytes(&mut built);
    built
        .world
        .remove_body(built.looks.bodies[0].body)
        .expect("it is there");
    let after = bytes(&mut built);
    assert_eq!(before.len(), after.len());
    assert_ne!(before, after);
}

#[test]
fn colours_follow_the_style() {
    let (scene, mut built) = build(BODY);
    let mut sketch = Sketch::of_scene(&scene, &built);
    sketch.style.color_by = ColorBy::Id;
    sketch.follow(&mut built.world);
    assert_eq!(sketch.drawing(camera()).meshes[0].color, color::by_id(0));
    sketch.style.color_by = ColorBy::Speed;
    sketch.follow(&mut built.world);
    assert_eq!(sketch.drawing(camera()).meshes[0].color, color::by_speed(0.0));
}

#[test]
fn the_same_world_gives_the_same_picture_from_a_new_sketch() {
    let (scene, mut built) = build(BODY);
    let mut first = Sketch::of_scene(&scene, &built);
    for _ in 0..3 {
        built.world.step(scene.dt());
        first.follow(&mut built.world);
    }
    let mut second = Sketch::of_scene(&scene, &built);
    second.follow(&mut built.world);
    let [first, second] = [&first, &second].map(|sketch| picture(&sketch.drawing(camera_at(&scene, 3))));
    assert_eq!(first, second);
}

#[test]
fn sheets_are_drawn_in_place_of_those_before_and_exported_from_both_sides() {
    let mut world = World::new(Settings::default()).expect("a world");
    let mut sketch = Sketch::new(&world, &Looks::default(), Style::default(), &camera());
    sketch.follow(&mut world);
    let bare = picture(&sketch.drawing(camera()));
    let corners = vec![Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::Y];
    let surface = ShadedMesh::smooth(corners, vec![[0, 1, 2]], Vec::new());
    let look = SheetLook {
        color: [200, 30, 30],
        opacity: 1.0,
        fabric: Fabric::default(),
    };
    let sheet = Sheet {
        name: "sheet".into(),
        surface,
        look,
    };
    sketch.show_sheets(std::slice::from_ref(&sheet));
    let drawing = sketch.drawing(camera());
    assert_eq!(drawing.meshes.len(), 1);
    assert_ne!(bare.pixel(32, 24), picture(&drawing).pixel(32, 24));
    sketch.show_sheets(&[]);
    assert!(sketch.drawing(camera()).meshes.is_empty());
    assert!(sheet.object().paint.two_sided);
}
