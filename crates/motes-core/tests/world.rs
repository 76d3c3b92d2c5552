//! What a world promises: nothing tunnels, populations come and go, reports add up, no saved state can crash it.

use std::sync::Arc;

use glam::{Quat, Vec3};
use motes_core::colliders::{Cuboid, Plane, Sphere, TriangleMesh};
use motes_core::{
    Collider, CpuEngine, Emitter, EmitterShape, Group, GroupId, Material, MaterialId, MaterialPair, Motion, Pose,
    Settings, Shape, Touched, Volume, World, WorldError,
};
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

fn world(settings: Settings) -> (World, MaterialId, GroupId) {
    let mut world = World::new(settings).expect("settings");
    let material = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", material)).expect("group");
    (world, material, group)
}

fn floor() -> Shape {
    Plane::new(Vec3::Y, 0.0).expect("plane").into()
}

fn thin_plate() -> Shape {
    Cuboid::new(Vec3::new(2.0, 0.005, 2.0)).expect("box").into()
}

fn single_sheet() -> Shape {
    let corners = [(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)];
    let vertices = corners.iter().map(|&(x, z)| Vec3::new(x, 0.0, z)).collect();
    let mesh = TriangleMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).expect("mesh");
    Shape::TriangleMesh(Arc::new(mesh))
}

#[test]
fn bullets_do_not_tunnel_through_thin_plates_and_sheets() {
    for shape in [thin_plate(), single_sheet()] {
        for speed in [5.0, 50.0, 500.0] {
            let (mut world, material, group) = world(Settings::default());
            world
                .add_collider(Collider::new("target", shape.clone(), material, Pose::IDENTITY))
                .expect("collider");
            let ids = world
                .add_particles(group, &[Vec3::new(0.1, 1.0, 0.2)], Vec3::NEG_Y * speed)
                .expect("bullet");
            for _ in 0..60 {
                world.step(DT);
            }
            let height = world.positions(&ids)[0].expect("alive").y;
            assert!((0.04..1.1).contains(&height), "{speed} m/s: {height}");
        }
    }
}

#[test]
fn a_fast_plate_sweeps_grains_along_instead_of_passing_them() {
    for shape in [thin_plate(), single_sheet()] {
        let settings = Settings {
            gravity: Vec3::ZERO,
            ..Settings::default()
        };
        let (mut world, material, group) = world(settings);
        let bat = Collider::new("bat", shape, material, Pose::at(Vec3::NEG_Y)).moving(Motion::Steady {
            velocity: Vec3::Y * 60.0,
            angular_velocity: Vec3::ZERO,
        });
        let bat = world.add_collider(bat).expect("bat");
        let ids = world.add_particles(group, &[Vec3::ZERO], Vec3::ZERO).expect("ball");
        for _ in 0..10 {
            world.step(DT);
        }
        let plate = world
            .colliders()
            .find(|(id, ..)| *id == bat)
            .map(|(_, _, pose)| pose.position.y);
        let ball = world.positions(&ids)[0].expect("alive").y;
        assert!(ball >= plate.expect("bat"), "{ball} below {plate:?}");
    }
}

#[test]
fn a_heavy_load_does_not_leak_through_a_mesh_floor() {
    let (mut world, material, group) = world(Settings::default());
    let wall = |x: f32, z: f32| Shape::from(Plane::new(Vec3::new(x, 0.0, z), -0.5).expect("plane"));
    world
        .add_collider(Collider::new("sheet", single_sheet(), material, Pose::IDENTITY))
        .expect("sheet");
    for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        world
            .add_collider(Collider::new("wall", wall(x, z), material, Pose::IDENTITY))
            .expect("wall");
    }
    let positions: Vec<Vec3> = (0..3240)
        .map(|i| Vec3::new((i % 9) as f32 - 4.0, 0.6 + (i / 81) as f32, (i / 9 % 9) as f32 - 4.0) * 0.1)
        .collect();
    world.add_particles(group, &positions, Vec3::NEG_Y * 5.0).expect("load");
    for _ in 0..120 {
        world.step(DT);
    }
    let lowest = world
        .particles()
        .positions
        .iter()
        .map(|p| p.y)
        .fold(f32::INFINITY, f32::min);
    assert!(lowest > 0.03, "{lowest}");
}

#[test]
fn lifetimes_end_and_kill_volumes_empty_and_ids_stay_true() {
    let (mut world, _, group) = world(Settings::default());
    let keeper = world
        .add_particles(group, &[Vec3::new(5.0, 100.0, 0.0)], Vec3::ZERO)
        .expect("keeper")[0];
    world
        .add_emitter(Emitter {
            pose: Pose {
                position: Vec3::Y,
                rotation: Quat::from_rotation_x(3.0),
            },
            speed: 2.0,
            rate: 120.0,
            lifetime: 0.5,
            stop: 1.0,
            ..Emitter::new("hose", group, EmitterShape::Disc { radius: 0.2 })
        })
        .expect("hose");
    world.kill_volumes_mut().push(Volume::Below {
        point: Vec3::NEG_Y * 20.0,
        normal: Vec3::Y,
    });
    for _ in 0..60 {
        world.step(DT);
    }
    let alive = world.particle_count() - 1;
    assert!((50..70).contains(&alive), "half a second of 120 a second: {alive}");
    for _ in 0..60 {
        world.step(DT);
    }
    assert_eq!(world.particle_count(), 1);
    let height = world.positions(&[keeper])[0].expect("alive").y;
    assert!((height - (100.0 - 0.5 * 9.81 * 4.0)).abs() < 0.1, "{height}");
    for _ in 0..240 {
        world.step(DT);
    }
    assert_eq!(world.positions(&[keeper]), [None], "it fell below the kill plane");
    world.step(DT);
}

#[test]
fn removing_a_group_leaves_the_others_untouched() {
    let (mut world, material, first) = world(Settings::default());
    let second = world.add_group(Group::grains("second", material)).expect("group");
    let gone = world
        .add_particles(first, &[Vec3::ZERO; 3], Vec3::ZERO)
        .expect("particles");
    let kept = world
        .add_particles(second, &[Vec3::X, Vec3::Y], Vec3::ZERO)
        .expect("particles");
    world.remove_group(first).expect("group");
    assert_eq!(world.positions(&kept), [Some(Vec3::X), Some(Vec3::Y)]);
    assert_eq!(world.positions(&gone), [None, None, None]);
    assert_eq!(world.group_particles(second), kept);
    assert_eq!(world.remove_group(first), Err(WorldError::Gone("group")));
    assert_eq!(
        world.set_velocities(&[(gone[0], Vec3::X)]),
        Err(WorldError::Gone("particle"))
    );
}

#[test]
fn a_trigger_notices_what_is_inside_and_touches_nothing() {
    let (mut world, material, group) = world(Settings::default());
    let ball = Sphere::new(0.5).expect("ball").into();
    let trigger = world
        .add_collider(Collider::new("gate", ball, material, Pose::IDENTITY).as_trigger())
        .expect("trigger");
    let ids = world
        .add_particles(group, &[Vec3::Y * 2.0, Vec3::X * 9.0], Vec3::ZERO)
        .expect("particles");
    let mut inside = 0;
    for _ in 0..60 {
        world.step(DT);
        for overlap in world.trigger_overlaps() {
            assert_eq!((overlap.collider, overlap.particle), (trigger, ids[0]));
            inside += 1;
        }
    }
    assert!((5..20).contains(&inside), "{inside}");
    assert!(world.positions(&ids)[0].expect("alive").y < -2.0, "it fell through");
}

#[test]
fn particles_and_colliders_on_different_channels_pass_each_other() {
    let (mut world, material, _) = world(Settings::default());
    let ghosts = Group {
        channels: 0b10,
        ..Group::grains("ghosts", material)
    };
    let group = world.add_group(ghosts).expect("group");
    let collider = Collider {
        channels: 0b01,
        ..Collider::new("floor", floor(), material, Pose::IDENTITY)
    };
    world.add_collider(collider).expect("floor");
    let ids = world.add_particles(group, &[Vec3::Y], Vec3::ZERO).expect("ghost");
    for _ in 0..60 {
        world.step(DT);
    }
    assert!(world.positions(&ids)[0].expect("alive").y < -1.0);
}

#[test]
fn a_contact_between_two_grains_is_reported_alike_from_both_sides() {
    let (mut world, material, group) = world(Settings::default());
    world
        .add_collider(Collider::new("floor", floor(), material, Pose::IDENTITY))
        .expect("floor");
    let ids = world
        .add_particles(group, &[Vec3::Y * 0.05, Vec3::Y * 0.15], Vec3::ZERO)
        .expect("stack");
    for _ in 0..120 {
        world.step(DT);
    }
    let weight = Material::SAND.ball_mass(0.05) * 9.81;
    let contacts = world.particle_contacts();
    assert_eq!(contacts.len(), 2);
    for contact in &contacts {
        let other = if contact.particle == ids[0] { ids[1] } else { ids[0] };
        assert_eq!(contact.other, Touched::Particle(other));
        assert!(
            (contact.normal_force / weight - 1.0).abs() < 0.05,
            "{} N",
            contact.normal_force
        );
    }
    let force = world.collider_forces()[0].force;
    assert!((force.y / (2.0 * weight) + 1.0).abs() < 0.05, "{force}");
}

#[test]
fn nothing_and_one_and_a_crowd_in_one_spot_can_be_stepped() {
    let (mut world, _, group) = world(Settings::default());
    world.step(DT);
    world.add_particles(group, &[Vec3::ZERO], Vec3::ZERO).expect("one");
    world.step(DT);
    world
        .add_particles(group, &[Vec3::ONE; 300], Vec3::ZERO)
        .expect("crowd");
    for _ in 0..30 {
        world.step(DT);
    }
    world.health().expect("finite");
}

#[test]
fn bad_values_are_refused_by_name() {
    let error = World::new(Settings {
        particle_radius: -1.0,
        ..Settings::default()
    });
    let text = error.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("particle_radius") && text.contains("-1"), "{text}");
    let (mut world, ..) = world(Settings::default());
    let text = world
        .add_material(Material::SAND.with_restitution(7.0))
        .err()
        .map(|e| e.to_string());
    assert!(text.is_some_and(|text| text.contains("restitution")));
}

#[test]
fn a_particle_that_stops_being_a_number_is_named_and_the_rest_goes_on() {
    let (mut world, _, group) = world(Settings::default());
    let ids = world
        .add_particles(group, &[Vec3::ZERO, Vec3::X * 9.0], Vec3::ZERO)
        .expect("particles");
    world
        .rewrite_particles(|particles| particles.velocities[0].x = f32::NAN)
        .expect("even arrays");
    world.step(DT);
    let error = world.health().expect_err("exploded").to_string();
    assert!(error.contains("grains") && error.contains("particle 0"), "{error}");
    world.step(DT);
    assert!(world.health().is_ok());
    assert!(
        world
            .positions(&ids)
            .iter()
            .all(|position| position.is_some_and(Vec3::is_finite))
    );
}

fn saved() -> Vec<u8> {
    let (mut world, material, group) = world(Settings::default());
    world
        .add_collider(Collider::new("sheet", single_sheet(), material, Pose::IDENTITY))
        .expect("sheet");
    let positions: Vec<Vec3> = (0..40).map(|i| Vec3::new(0.0, 0.05 + 0.09 * i as f32, 0.0)).collect();
    world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
    world.step(DT);
    world.save()
}

#[test]
fn pairs_of_materials_are_saved_and_stay_apart() {
    let (mut world, ..) = world(Settings::default());
    let rail = world.add_material_apart(Material::STEEL).expect("material");
    let steel = world.add_material(Material::STEEL).expect("material");
    let pair = MaterialPair::default().with_friction(0.02).with_restitution(0.9);
    world.set_material_pair(rail, steel, pair).expect("pair");
    let mut restored = World::restore(&world.save(), Box::new(CpuEngine::new())).expect("state");
    assert_eq!(restored.materials(), world.materials());
    assert_eq!(restored.materials().given_pair(steel, rail), pair);
    assert_eq!(restored.add_material(Material::STEEL).expect("material"), steel);
    let gone = MaterialId(99);
    assert!(matches!(
        restored.set_material_pair(rail, gone, pair),
        Err(WorldError::Gone("material"))
    ));
    let wrong = restored.set_material_pair(rail, steel, pair.with_friction(-1.0));
    assert!(matches!(wrong, Err(WorldError::Value { field, .. }) if field == "static_friction"));
}

/// The header of a state file, over whatever follows it: length and checksum made right again.
fn seal(body: &[u8]) -> Vec<u8> {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for chunk in body.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        hash ^= hash >> 29;
    }
    let mut bytes = b"MOTESTAT".to_vec();
    bytes.extend(25u32.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(hash.to_le_bytes());
    bytes.extend(body);
    bytes
}

#[test]
fn the_header_of_these_tests_is_the_real_one() {
    let saved = saved();
    assert!(seal(&saved[28..]) == saved);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_can_crash_a_restore(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = World::restore(&bytes, Box::new(CpuEngine::new()));
        let _ = World::restore(&seal(&bytes), Box::new(CpuEngine::new()));
    }

    #[test]
    fn a_changed_state_is_refused_or_runs(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let saved = saved();
        let mut body = saved[28..].to_vec();
        for (index, value) in changes {
            let at = index.index(body.len());
            body[at] = value;
        }
        if let Ok(mut world) = World::restore(&seal(&body), Box::new(CpuEngine::new())) {
            let settings = world.settings();
            let iterations = settings.iterations.saturating_add(settings.stabilization_iterations);
            if settings.substeps <= 8 && iterations <= 16 {
                world.step(DT);
                world.step(DT);
            }
        }
    }
}
