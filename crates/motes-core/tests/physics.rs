//! Physical claims about single particles and small groups.

use glam::{Quat, Vec3};
use motes_core::colliders::{Cuboid, Plane};
use motes_core::{Collider, Group, Material, ParticleId, Pose, Settings, Shape, Touched, World};

const DT: f32 = 1.0 / 60.0;

/// A world with a floor at y = 0, tilted about z, and particles of one material.
struct Scene {
    world: World,
    ids: Vec<ParticleId>,
}

fn scene(settings: Settings, material: Material, tilt_degrees: f32, positions: &[Vec3]) -> Scene {
    let mut world = World::new(settings).expect("settings");
    let material = world.add_material(material).expect("material");
    let group = world.add_group(Group::grains("grains", material)).expect("group");
    let normal = Quat::from_rotation_z(tilt_degrees.to_radians()) * Vec3::Y;
    world
        .add_collider(Collider::new("floor", plane(normal), material, Pose::IDENTITY))
        .expect("floor");
    let ids = world.add_particles(group, positions, Vec3::ZERO).expect("particles");
    Scene { world, ids }
}

fn plane(normal: Vec3) -> Shape {
    Shape::Plane(Plane::new(normal, 0.0).expect("plane"))
}

impl Scene {
    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds * 60.0).round() as usize {
            self.world.step(DT);
        }
        self.world.health().expect("finite");
    }

    fn position(&mut self, index: usize) -> Vec3 {
        self.world.positions(&self.ids[index..=index])[0].expect("alive")
    }

    fn velocity(&mut self, index: usize) -> Vec3 {
        self.world.velocities(&self.ids[index..=index])[0].expect("alive")
    }
}

#[test]
fn a_projectile_follows_its_parabola() {
    let mut scene = scene(Settings::default(), Material::SAND, 0.0, &[Vec3::new(0.0, 10.0, 0.0)]);
    let id = scene.ids[0];
    scene
        .world
        .set_velocities(&[(id, Vec3::new(3.0, 2.0, 0.0))])
        .expect("alive");
    scene.run(1.0);
    let expected = Vec3::new(3.0, 10.0 + 2.0 - 0.5 * 9.81, 0.0);
    assert!(scene.position(0).distance(expected) < 0.005 * 0.5 * 9.81);
}

fn slide(tilt: f32, friction: f32, seconds: f32) -> f32 {
    let normal = Quat::from_rotation_z(tilt.to_radians()) * Vec3::Y;
    let start = 0.05 * normal;
    let mut scene = scene(
        Settings::default(),
        Material::FAST_SAND.with_friction(friction),
        tilt,
        &[start],
    );
    scene.run(seconds);
    scene.position(0).distance(start)
}

#[test]
fn a_block_sticks_below_the_friction_angle_and_slides_above() {
    let threshold = 0.5f32.atan().to_degrees();
    assert!(slide(threshold - 0.5, 0.5, 4.0) < 0.001);
    assert!(slide(threshold + 0.5, 0.5, 4.0) > 0.05);
}

#[test]
fn a_sliding_block_accelerates_as_coulomb_says() {
    let tilt: f32 = 40.0;
    let (sin, cos) = tilt.to_radians().sin_cos();
    let expected = 0.5 * 9.81 * (sin - 0.5 * cos);
    let slid = slide(tilt, 0.5, 1.0);
    assert!((slid / expected - 1.0).abs() < 0.05, "{slid} for {expected}");
}

#[test]
fn a_bouncing_ball_reaches_the_square_of_its_restitution() {
    for restitution in [0.3f32, 0.6, 0.9] {
        let material = Material::SAND.with_restitution(restitution);
        let mut scene = scene(Settings::default(), material, 0.0, &[Vec3::new(0.0, 1.05, 0.0)]);
        let mut peak: f32 = 0.0;
        let mut bounced = false;
        for _ in 0..120 {
            scene.world.step(DT);
            bounced |= scene.velocity(0).y > 0.0;
            if bounced {
                peak = peak.max(scene.position(0).y - 0.05);
                if scene.velocity(0).y < 0.0 {
                    break;
                }
            }
        }
        let expected = restitution * restitution;
        assert!(
            (peak / expected - 1.0).abs() < 0.05,
            "{restitution}: {peak} for {expected}"
        );
    }
}

/// Fastest that a grain leaves the ground which it starts in, m/s, and how deep in it is after ten frames, metres.
fn exit_from_ground(stabilization_iterations: u32) -> (f32, f32) {
    let settings = Settings {
        stabilization_iterations,
        ..Settings::default()
    };
    let mut scene = scene(settings, Material::SAND, 0.0, &[Vec3::new(0.0, 0.02, 0.0)]);
    let mut fastest: f32 = 0.0;
    for _ in 0..10 {
        scene.world.step(DT);
        fastest = fastest.max(scene.velocity(0).y);
    }
    (fastest, 0.05 - scene.position(0).y)
}

#[test]
fn a_particle_inside_the_ground_comes_out_without_popping() {
    let (speed, depth) = exit_from_ground(2);
    assert!(speed <= 0.05 && depth < 0.0015, "{speed} m/s, {depth} m");
    let (speed, depth) = exit_from_ground(0);
    assert!(
        speed <= 0.05 && depth > 0.025,
        "the solve leaves overlaps alone: {speed} m/s, {depth} m"
    );
}

#[test]
fn a_resting_grain_presses_with_its_weight() {
    let mut scene = scene(Settings::default(), Material::SAND, 0.0, &[Vec3::new(0.0, 0.05, 0.0)]);
    scene.run(0.5);
    let weight = Material::SAND.ball_mass(0.05) * 9.81;
    let contacts = scene.world.collider_contacts();
    assert_eq!(contacts.len(), 1);
    assert!(matches!(contacts[0].other, Touched::Collider(_)));
    assert_eq!(contacts[0].particle, scene.ids[0]);
    assert!((contacts[0].normal_force / weight - 1.0).abs() < 0.01);
    let force = scene.world.collider_forces()[0];
    assert!((force.force + Vec3::Y * weight).length() < 0.01 * weight, "{force:?}");
}

#[test]
fn a_grain_on_a_slope_is_held_by_friction_force() {
    let tilt = 20.0f32;
    let normal = Quat::from_rotation_z(tilt.to_radians()) * Vec3::Y;
    let mut scene = scene(
        Settings::default(),
        Material::FAST_SAND.with_friction(0.6),
        tilt,
        &[0.05 * normal],
    );
    scene.run(1.0);
    let weight = Material::SAND.ball_mass(0.05) * 9.81;
    let contact = scene.world.collider_contacts()[0];
    let (sin, cos) = tilt.to_radians().sin_cos();
    assert!((contact.normal_force - weight * cos).abs() < 0.01 * weight);
    assert!((contact.friction_force.length() - weight * sin).abs() < 0.01 * weight);
}

#[test]
fn two_grains_in_space_keep_their_momentum() {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    let material = Material::SAND.with_restitution(0.5);
    let mut scene = scene(
        settings,
        material,
        0.0,
        &[Vec3::new(-0.3, 5.0, 0.0), Vec3::new(0.3, 5.03, 0.0)],
    );
    let (a, b) = (scene.ids[0], scene.ids[1]);
    scene
        .world
        .set_velocities(&[(a, Vec3::new(2.0, 0.0, 0.0)), (b, Vec3::new(-1.0, 0.0, 0.0))])
        .expect("alive");
    scene.run(1.0);
    let total = scene.velocity(0) + scene.velocity(1);
    let exchanged = (scene.velocity(0) - Vec3::new(2.0, 0.0, 0.0)).length();
    assert!(exchanged > 0.5, "they met");
    assert!((total - Vec3::X).length() <= 1e-4 * exchanged, "{total}");
}

#[test]
fn a_moving_belt_carries_a_grain_along() {
    let mut scene = scene(Settings::default(), Material::SAND, 0.0, &[Vec3::new(0.0, 1.05, 0.0)]);
    let material = motes_core::MaterialId(0);
    let shape = Shape::Cuboid(Cuboid::new(Vec3::new(5.0, 0.5, 5.0)).expect("box"));
    let belt = Collider::new("belt", shape, material, Pose::at(Vec3::Y * 0.5)).moving(motes_core::Motion::Steady {
        velocity: Vec3::X,
        angular_velocity: Vec3::ZERO,
    });
    scene.world.add_collider(belt).expect("belt");
    scene.run(2.0);
    assert!((scene.velocity(0).x - 1.0).abs() < 0.01, "{}", scene.velocity(0));
    assert!((scene.position(0).y - 1.05).abs() < 0.005);
}

#[test]
fn a_sleeping_grain_does_not_move_by_one_bit() {
    let settings = Settings {
        sleep_speed: 0.02,
        ..Settings::default()
    };
    let far = Vec3::new(1000.3, 0.05, -700.7);
    let mut scene = scene(settings, Material::SAND, 0.0, &[far]);
    scene.run(1.0);
    let rest = scene.position(0);
    scene.run(20.0);
    assert_eq!(scene.position(0), rest);
}

#[test]
fn sleep_never_holds_a_grain_in_the_air() {
    let settings = Settings {
        sleep_speed: 10.0,
        ..Settings::default()
    };
    let mut scene = scene(settings, Material::SAND, 0.0, &[Vec3::new(0.0, 3.0, 0.0)]);
    scene.run(0.5);
    assert!(scene.position(0).y < 2.0);
}

#[test]
fn pinned_particles_stay_and_hold_others() {
    let mut scene = scene(
        Settings::default(),
        Material::SAND,
        0.0,
        &[Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, 2.3, 0.0)],
    );
    let id = scene.ids[0];
    scene.world.set_inverse_masses(&[(id, 0.0)]).expect("alive");
    scene.run(2.0);
    assert_eq!(scene.position(0), Vec3::new(0.0, 2.0, 0.0));
    assert!((scene.position(1).y - 2.1).abs() < 0.002, "{}", scene.position(1));
}

fn column_height(mass_scaling: f32, gravity: Vec3) -> f32 {
    let settings = Settings {
        mass_scaling,
        gravity,
        // What else keeps a column tall is left out.
        acceleration: false,
        ..Settings::default()
    };
    let up = settings.up();
    let mut world = World::new(settings).expect("settings");
    let material = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("column", material)).expect("group");
    world
        .add_collider(Collider::new("floor", plane(up), material, Pose::IDENTITY))
        .expect("floor");
    let positions: Vec<Vec3> = (0..20).map(|i| (0.05 + 0.1 * i as f32) * up).collect();
    let ids = world.add_particles(group, &positions, Vec3::ZERO).expect("particles");
    for _ in 0..300 {
        world.step(DT);
    }
    let top = world.positions(&ids[19..])[0].expect("alive");
    (top.dot(up) + 0.05) / 2.0
}

#[test]
fn mass_scaling_keeps_a_column_tall_whichever_way_is_down() {
    let scaled = column_height(0.5, Vec3::new(0.0, -9.81, 0.0));
    let plain = column_height(0.0, Vec3::new(0.0, -9.81, 0.0));
    assert!(scaled > 0.98, "{scaled}");
    assert!(plain < scaled, "{plain} and {scaled}");
    let sideways = column_height(0.5, Vec3::new(9.81, 0.0, 0.0));
    assert!((sideways - scaled).abs() < 1e-3, "{sideways} and {scaled}");
}

#[test]
fn adhesion_holds_a_grain_to_the_ceiling_and_its_lack_lets_it_fall() {
    for (adhesion, holds) in [(20_000.0, true), (0.0, false)] {
        let material = Material {
            adhesion,
            ..Material::SAND
        };
        let mut world = World::new(Settings::default()).expect("settings");
        let material = world.add_material(material).expect("material");
        let group = world.add_group(Group::grains("grain", material)).expect("group");
        world
            .add_collider(Collider::new("ceiling", plane(Vec3::NEG_Y), material, Pose::IDENTITY))
            .expect("ceiling");
        let ids = world
            .add_particles(group, &[Vec3::new(0.0, -0.05, 0.0)], Vec3::ZERO)
            .expect("grain");
        for _ in 0..60 {
            world.step(DT);
        }
        let y = world.positions(&ids)[0].expect("alive").y;
        assert_eq!(y > -0.06, holds, "adhesion {adhesion}: {y}");
    }
}

/// Fastest upward speed in a stream of grains without restitution that falls 1.5 m onto the floor, over its fall speed.
fn splash(spread: f32, seed: u64) -> f32 {
    let mut world = World::new(Settings::default()).expect("settings");
    let sand = world.add_material(Material::SAND).expect("material");
    let group = world.add_group(Group::grains("grains", sand)).expect("group");
    world
        .add_collider(Collider::new("floor", plane(Vec3::Y), sand, Pose::IDENTITY))
        .expect("floor");
    world
        .add_emitter(motes_core::Emitter {
            pose: Pose {
                position: Vec3::Y * 1.5,
                rotation: Quat::from_rotation_x(std::f32::consts::PI),
            },
            spread,
            limit: 500,
            seed,
            ..motes_core::Emitter::new("spout", group, motes_core::EmitterShape::Disc { radius: 0.3 })
        })
        .expect("spout");
    let mut fastest: f32 = 0.0;
    for _ in 0..240 {
        world.step(DT);
        fastest = world.particles().velocities.iter().map(|v| v.y).fold(fastest, f32::max);
    }
    fastest / 5.4
}

#[test]
fn poured_sand_hardly_splashes() {
    let pours: Vec<f32> = [0.05, 0.1, 0.2]
        .iter()
        .flat_map(|&spread| (1..5).map(move |seed| splash(spread, seed)))
        .collect();
    let mean = pours.iter().sum::<f32>() / pours.len() as f32;
    assert!(mean < 0.25, "{mean} of the fall speed on average: {pours:?}");
}
