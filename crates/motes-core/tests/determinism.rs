//! Same input, same bytes: for any number of threads, and through saving and restoring.

use glam::{Quat, Vec3};
use motes_core::colliders::{Capsule, Cuboid, Plane, Sphere};
use motes_core::{
    Collider, CpuEngine, Emitter, EmitterShape, FieldKind, ForceField, Group, Material, Motion, Pose, Settings, Shape,
    StateError, Volume, World,
};

const DT: f32 = 1.0 / 60.0;

/// Grains of three materials, four colliders of which two move, a trigger, an emitter, fields, kill volumes, sleep,
/// mass scaling and reports: a bit of everything.
fn mixed(threads: usize) -> World {
    let settings = Settings {
        mass_scaling: 0.5,
        sleep_speed: 0.01,
        ..Settings::default()
    };
    let mut world = World::with_engine(settings, Box::new(CpuEngine::with_threads(threads))).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let glass = world.add_material(Material::GLASS).expect("material");
    let clay = world.add_material(Material::WET_SAND).expect("material");
    for (k, material) in [sand, glass, clay].into_iter().enumerate() {
        let group = world
            .add_group(Group::grains(format!("pile {k}"), material))
            .expect("group");
        let corner = Vec3::new(1.3 * k as f32 - 1.8, 0.06, -0.5);
        let positions: Vec<Vec3> = (0..1100)
            .map(|i| corner + 0.1 * Vec3::new((i % 10) as f32, (i / 100) as f32, (i / 10 % 10) as f32))
            .collect();
        world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
    }
    let floor = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
    let ball = Shape::Sphere(Sphere::new(0.4).expect("ball"));
    let paddle = Shape::Cuboid(Cuboid::new(Vec3::new(0.1, 0.5, 0.8)).expect("box"));
    let bar = Shape::Capsule(Capsule::new(0.5, 0.1).expect("bar"));
    world
        .add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))
        .expect("floor");
    world
        .add_collider(Collider::new(
            "ball",
            ball.clone(),
            glass,
            Pose::at(Vec3::new(0.0, 1.9, 0.0)),
        ))
        .expect("ball");
    world
        .add_collider(
            Collider::new("paddle", paddle, sand, Pose::at(Vec3::new(-2.6, 0.6, 0.0))).moving(Motion::Swing {
                offset: Vec3::new(0.8, 0.0, 0.0),
                rotation: Vec3::Y * 0.3,
                period: 2.0,
            }),
        )
        .expect("paddle");
    let lying = Pose {
        position: Vec3::new(2.0, 1.4, 0.0),
        rotation: Quat::from_rotation_z(1.2),
    };
    world
        .add_collider(Collider::new("bar", bar, clay, lying).moving(Motion::Steady {
            velocity: Vec3::new(-0.2, 0.0, 0.0),
            angular_velocity: Vec3::X,
        }))
        .expect("bar");
    world
        .add_collider(Collider::new("gate", ball, sand, Pose::at(Vec3::Y * 0.5)).as_trigger())
        .expect("gate");
    let rain = world.add_group(Group::grains("rain", glass)).expect("group");
    world
        .add_emitter(Emitter {
            pose: Pose {
                position: Vec3::new(-3.0, 2.0, 0.0),
                rotation: Quat::from_rotation_z(-1.4),
            },
            speed: 4.0,
            rate: 300.0,
            spread: 0.2,
            lifetime: 1.5,
            start: 0.1,
            seed: 9,
            ..Emitter::new("hose", rain, EmitterShape::Disc { radius: 0.3 })
        })
        .expect("emitter");
    world.fields_mut().push(ForceField {
        kind: FieldKind::Vortex {
            center: Vec3::ZERO,
            axis: Vec3::Y,
            swirl: 3.0,
            pull: 1.0,
            lift: 0.5,
            range: 4.0,
        },
        volume: Volume::Everywhere,
    });
    world.kill_volumes_mut().push(Volume::Outside(Box::new(Volume::Sphere {
        center: Vec3::ZERO,
        radius: 5.0,
    })));
    world
}

fn run(world: &mut World, frames: usize) -> u64 {
    for _ in 0..frames {
        world.step(DT);
    }
    world.health().expect("finite");
    world.digest()
}

#[test]
fn the_digest_of_a_mixed_scene_is_the_same_at_one_two_and_four_threads() {
    let digests: Vec<u64> = [1, 2, 4].map(|threads| run(&mut mixed(threads), 90)).into();
    assert_eq!(digests[0], digests[1]);
    assert_eq!(digests[0], digests[2]);
}

/// The value changes only with the method itself: a change here belongs into the changelog.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn the_mixed_scene_has_its_golden_digest() {
    assert_eq!(format!("{:016x}", run(&mut mixed(2), 60)), GOLDEN);
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const GOLDEN: &str = "758ba56b51689ffb";

#[test]
fn a_restored_run_goes_on_as_if_it_had_never_stopped() {
    let mut straight = mixed(2);
    run(&mut straight, 100);
    let saved = straight.save();
    let mut restored = World::restore(&saved, Box::new(CpuEngine::with_threads(1))).expect("whole");
    assert_eq!(run(&mut restored, 100), run(&mut straight, 100));
    assert_eq!(restored.save(), straight.save());
    assert_eq!(restored.frame(), 200);
}

#[test]
fn a_cut_or_foreign_or_damaged_state_is_refused_by_name() {
    let world = mixed(1);
    let saved = world.save();
    let restore = |bytes: &[u8]| World::restore(bytes, Box::new(CpuEngine::new())).err();
    assert_eq!(restore(b"\x89PNG\r\n\x1a\n and so on"), Some(StateError::Foreign));
    assert_eq!(restore(b""), Some(StateError::Foreign));
    assert!(matches!(
        restore(&saved[..saved.len() / 2]),
        Some(StateError::Truncated { .. })
    ));
    assert!(matches!(restore(&saved[..20]), Some(StateError::Truncated { .. })));
    let mut damaged = saved.clone();
    damaged[5000] ^= 1;
    assert_eq!(restore(&damaged), Some(StateError::Damaged));
    let mut newer = saved;
    newer[8] = 99;
    assert_eq!(
        restore(&newer),
        Some(StateError::Version {
            found: 99,
            expected: 25
        })
    );
}
