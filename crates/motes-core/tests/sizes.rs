//! Particles of several sizes in one world.

use glam::Vec3;
use motes_core::colliders::{Cuboid, Plane};
use motes_core::{
    Collider, CpuEngine, Group, GroupId, Material, MaterialId, Pose, RayCast, Settings, Shape, World, WorldError,
};

const DT: f32 = 1.0 / 60.0;

fn world(threads: usize) -> (World, MaterialId) {
    let mut world =
        World::with_engine(Settings::default(), Box::new(CpuEngine::with_threads(threads))).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let floor = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    world
        .add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))
        .expect("floor");
    (world, sand)
}

fn heights(world: &mut World, group: GroupId) -> Vec<f32> {
    let ids = world.group_particles(group);
    world
        .positions(&ids)
        .into_iter()
        .flatten()
        .map(|place| place.y)
        .collect()
}

/// Small grains in a box with large ones among them.
fn mixture(threads: usize) -> (World, [GroupId; 2]) {
    let (mut world, sand) = world(threads);
    for (normal, offset) in [
        (Vec3::X, -0.8),
        (Vec3::NEG_X, -0.8),
        (Vec3::Z, -0.8),
        (Vec3::NEG_Z, -0.8),
    ] {
        let wall = Shape::Plane(Plane::new(normal, offset).expect("plane"));
        world
            .add_collider(Collider::new("wall", wall, sand, Pose::IDENTITY))
            .expect("wall");
    }
    let small = world.add_group(Group::grains("small", sand)).expect("group");
    let large = world
        .add_group(Group::grains("large", sand).with_radius(0.2))
        .expect("group");
    let places: Vec<Vec3> = (0..14 * 14 * 8)
        .map(|i| {
            Vec3::new(-0.69, 0.06, -0.69) + 0.106 * Vec3::new((i % 14) as f32, (i / 196) as f32, (i / 14 % 14) as f32)
        })
        .collect();
    world.add_particles(small, &places, Vec3::ZERO).expect("small");
    let places: Vec<Vec3> = (0..9)
        .map(|i| Vec3::new(-0.45, 1.2, -0.45) + 0.45 * Vec3::new((i % 3) as f32, 0.0, (i / 3) as f32))
        .collect();
    world.add_particles(large, &places, Vec3::ZERO).expect("large");
    (world, [small, large])
}

#[test]
fn a_grain_rests_at_its_own_radius() {
    let (mut world, sand) = world(1);
    for (k, radius) in [0.02, 0.05, 0.16].into_iter().enumerate() {
        let group = Group::grains(format!("of {radius}"), sand).with_radius(radius);
        let group = world.add_group(group).expect("group");
        let place = Vec3::new(k as f32, radius + 0.01, 0.0);
        world.add_particles(group, &[place], Vec3::ZERO).expect("grain");
        let mass = 1.0 / world.particles().positions[k].w;
        assert!(
            (mass / Material::SAND.ball_mass(radius) - 1.0).abs() < 1e-5,
            "{mass} kg"
        );
    }
    for _ in 0..60 {
        world.step(DT);
    }
    let groups: Vec<_> = world.groups().map(|(id, _)| id).collect();
    for group in groups {
        let radius = world.particle_radius(group).expect("group");
        let height = heights(&mut world, group)[0];
        assert!(
            (height - radius).abs() < 0.01 * radius,
            "{height} m for a radius of {radius} m"
        );
    }
}

#[test]
fn a_large_grain_rests_on_small_ones_without_sinking_in() {
    let (mut world, [small, large]) = mixture(2);
    for _ in 0..240 {
        world.step(DT);
    }
    // The small ones make a bed about half a metre high, into which the large ones fall from half a metre above.
    let top = heights(&mut world, small).into_iter().fold(0.0, f32::max);
    assert!((0.45..0.8).contains(&top), "{top} m");
    for height in heights(&mut world, large) {
        assert!(
            (0.5..0.9).contains(&height),
            "{height} m: more than half of it stands out"
        );
    }
    let particles = world.particles().clone();
    let radii = world.particle_radii();
    let mut worst: f32 = 0.0;
    for i in (0..radii.len()).filter(|&i| radii[i] > 0.1) {
        for j in (0..radii.len()).filter(|&j| j != i) {
            let distance = particles.positions[i]
                .truncate()
                .distance(particles.positions[j].truncate());
            worst = worst.max(1.0 - distance / (radii[i] + radii[j]));
        }
    }
    assert!(worst < 0.05, "{worst} of the contact distance overlaps");
}

#[test]
fn sizes_do_not_depend_on_threads_and_survive_saving() {
    let digest = |threads: usize| {
        let (mut world, _) = mixture(threads);
        for _ in 0..20 {
            world.step(DT);
        }
        let saved = world.save();
        let mut restored = World::restore(&saved, Box::new(CpuEngine::with_threads(threads))).expect("state");
        for _ in 0..10 {
            world.step(DT);
            restored.step(DT);
        }
        assert_eq!(world.digest(), restored.digest());
        world.digest()
    };
    assert_eq!(digest(1), digest(3));
}

#[test]
fn one_radius_for_all_groups_is_the_radius_of_the_world() {
    let run = |settings: f32, own: Option<f32>| {
        let settings = Settings {
            particle_radius: settings,
            ..Settings::default()
        };
        let mut world = World::new(settings).expect("settings");
        let sand = world.add_material(Material::SAND).expect("material");
        let block = Shape::Cuboid(Cuboid::new(Vec3::splat(0.5)).expect("box"));
        let pose = Pose::at(Vec3::Y * -0.5);
        world
            .add_collider(Collider::new("block", block, sand, pose))
            .expect("block");
        let group = Group {
            radius: own,
            ..Group::grains("grains", sand)
        };
        let group = world.add_group(group).expect("group");
        let places: Vec<Vec3> = (0..200)
            .map(|i| {
                Vec3::new(-0.2, 0.05, -0.2) + 0.063 * Vec3::new((i % 5) as f32, (i / 25) as f32, (i / 5 % 5) as f32)
            })
            .collect();
        world.add_particles(group, &places, Vec3::ZERO).expect("grains");
        for _ in 0..30 {
            world.step(DT);
        }
        world.digest()
    };
    assert_eq!(run(0.03, None), run(0.05, Some(0.03)));
}

#[test]
fn sizes_that_are_too_different_are_refused() {
    let (mut world, sand) = world(1);
    world.add_group(Group::grains("usual", sand)).expect("group");
    world
        .add_group(Group::grains("large", sand).with_radius(0.4))
        .expect("eight times as large");
    let refused = world.add_group(Group::grains("huge", sand).with_radius(0.5));
    assert!(
        matches!(refused, Err(WorldError::SizesTooDifferent { .. })),
        "{refused:?}"
    );
    let refused = world.add_group(Group::grains("none", sand).with_radius(0.0));
    assert!(matches!(refused, Err(WorldError::Value { .. })), "{refused:?}");
    let finer = Settings {
        particle_radius: 0.01,
        ..Settings::default()
    };
    assert!(world.set_settings(finer).is_err());
}

#[test]
fn a_ray_meets_a_large_grain_at_its_own_radius() {
    let (mut world, sand) = world(1);
    world.add_group(Group::grains("small", sand)).expect("group");
    let large = world
        .add_group(Group::grains("large", sand).with_radius(0.3))
        .expect("group");
    world
        .add_particles(large, &[Vec3::new(2.0, 1.0, 0.0)], Vec3::ZERO)
        .expect("grain");
    let ray = RayCast::new(Vec3::new(0.0, 1.25, 0.0), Vec3::X);
    let hit = world.query(ray).expect("a hit");
    assert!(
        (hit.distance - (2.0 - (0.09f32 - 0.0625).sqrt())).abs() < 1e-4,
        "{hit:?}"
    );
}
