//! Liquids in drawings and exports.

use glam::{Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::{Collider, Group, Material, Pose, Settings, World};
use motes_drawing::export::{Inventory, Snapshot};
use motes_drawing::{Sketch, Style, export, liquids};
use motes_render::{Camera, Preview, Quality};
use motes_scene::Looks;
use motes_scene::model::{ColorBy, LiquidWord};

const DIAMETER: f32 = 0.05;

/// A block of liquid on a floor, with a drop far above it.
fn tank(material: Material) -> World {
    let settings = Settings {
        particle_radius: 0.5 * DIAMETER,
        ..Settings::default()
    };
    let mut world = World::new(settings).expect("a world");
    let material = world.add_material(material).expect("a material");
    let floor = Plane::new(Vec3::Y, 0.0).expect("a plane");
    let collider = Collider::new("floor", floor.into(), material, Pose::IDENTITY);
    world.add_collider(collider).expect("a collider");
    let group = world.add_group(Group::fluid("water", material)).expect("a group");
    let places =
        (0..1000).map(|i| DIAMETER * (Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32) + 0.5));
    let places: Vec<Vec3> = places.chain([Vec3::new(0.0, 2.0, 0.0)]).collect();
    world.add_particles(group, &places, Vec3::X).expect("particles");
    world
}

fn camera() -> Camera {
    Camera {
        position: Vec3::new(1.0, 0.8, 1.6),
        target: Vec3::splat(0.25),
        up: Vec3::Y,
        field_of_view: 40.0,
    }
}

fn sketch(world: &mut World, style: Style) -> Sketch {
    let mut sketch = Sketch::new(world, &Looks::plain(world), style, &camera());
    sketch.follow(world);
    sketch
}

#[test]
fn liquids_are_surfaces_unless_particles_are_asked_for() {
    let mut world = tank(Material::WATER);
    let surface = sketch(&mut world, Style::default());
    let drawing = surface.drawing(camera());
    assert!(drawing.spheres.iter().all(|spheres| spheres.positions.is_empty()));
    assert!(
        drawing
            .meshes
            .iter()
            .any(|instance| instance.mesh.triangles().len() > 1000)
    );
    let image = Preview::new().draw(&drawing, 96, 64, &Quality::draft());
    let [red, _, blue, _] = image.pixel(48, 32).expect("inside");
    assert!(blue > red + 20, "{red} {blue}");
    for style in [
        Style {
            liquid: LiquidWord::Particles,
            ..Style::default()
        },
        Style {
            color_by: ColorBy::Speed,
            ..Style::default()
        },
    ] {
        let particles = sketch(&mut world, style);
        assert_eq!(particles.drawing(camera()).spheres[0].positions.len(), 1001);
    }
}

#[test]
fn mud_hides_what_is_behind_and_mercury_mirrors() {
    let middle = |material: Material| {
        let mut world = tank(material);
        let sketch = sketch(&mut world, Style::default());
        let image = Preview::new().draw(&sketch.drawing(camera()), 96, 64, &Quality::draft());
        image.pixel(48, 32).expect("inside").map(i32::from)
    };
    let (mud, mercury) = (middle(Material::MUD), middle(Material::MERCURY));
    assert!(mud[0] > mud[2] + 15, "{mud:?}");
    assert!((mercury[0] - mercury[2]).abs() < 40 && mercury[1] > 60, "{mercury:?}");
}

#[test]
fn surfaces_move_as_the_particles_do_and_hold_them_all() {
    let world = tank(Material::WATER);
    let found = liquids(&world, &Looks::plain(&world), 0.5);
    let [liquid] = &found[..] else { panic!("one liquid") };
    assert_eq!(
        (liquid.name.as_str(), liquid.velocities.len()),
        ("water", liquid.surface.positions.len())
    );
    assert!(
        liquid
            .velocities
            .iter()
            .all(|velocity| velocity.distance(Vec3::X) < 1e-5)
    );
    let top = liquid.surface.positions.iter().map(|place| place.y).fold(0.0, f32::max);
    assert!(top > 2.0 && liquid.spray.is_empty());
    let lowest = liquid.surface.positions.iter().map(|place| place.y).fold(1.0, f32::min);
    assert!(lowest.abs() < 0.1 * DIAMETER, "{lowest}");
    let mut ply = Vec::new();
    export::write_surface_ply(&mut ply, &found).expect("written");
    let marker = b"end_header\n";
    let body = ply
        .windows(marker.len())
        .position(|window| window == marker)
        .expect("a header")
        + marker.len();
    let rows = liquid.surface.positions.len() * 43 + liquid.surface.triangles.len() * 13;
    assert_eq!(ply.len() - body, rows);
}

#[test]
fn exports_hold_surfaces_in_place_of_clouds() {
    let mut world = tank(Material::WATER);
    let inventory = Inventory::new(&world, &Looks::plain(&world), &camera());
    let Snapshot { objects, clouds, .. } = inventory.snapshot(&mut world);
    let object = objects.iter().find(|object| object.name == "water").expect("a liquid");
    assert!(object.paint.opacity < 1.0 && clouds.is_empty());
    assert!(object.geometry.placed().triangles.len() > 1000);
}

#[test]
fn a_liquid_without_particles_is_nothing() {
    let mut world = tank(Material::WATER);
    let ids: Vec<_> = world.particles().ids().to_vec();
    world.remove_particles(&ids);
    world.step(1.0 / 60.0);
    assert!(world.particles().positions.iter().all(|place| place.xyz().is_finite()));
    assert_eq!(liquids(&world, &Looks::plain(&world), 0.5), []);
    let empty = sketch(&mut world, Style::default());
    Preview::new().draw(&empty.drawing(camera()), 32, 32, &Quality::draft());
}
