//! Physical claims about grains that turn.

use glam::{Quat, Vec3};
use motes_core::colliders::Plane;
use motes_core::{Collider, ColliderId, CpuEngine, Group, Material, ParticleId, Pose, Settings, Shape, World};

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.05;
const STEPS: [(u32, u32); 3] = [(2, 4), (4, 4), (8, 8)];

struct Scene {
    world: World,
    ids: Vec<ParticleId>,
    floor: ColliderId,
}

fn settings(substeps: u32, iterations: u32) -> Settings {
    Settings {
        substeps,
        iterations,
        particle_radius: RADIUS,
        ..Settings::default()
    }
}

/// Grains over a floor through the origin that is tilted about z.
fn scene(settings: Settings, material: Material, tilt_degrees: f32, positions: &[Vec3]) -> Scene {
    let mut world = World::new(settings).expect("settings");
    let material = world.add_material(material).expect("material");
    let group = world.add_group(Group::grains("grains", material)).expect("group");
    let normal = Quat::from_rotation_z(tilt_degrees.to_radians()) * Vec3::Y;
    let plane = Shape::Plane(Plane::new(normal, 0.0).expect("plane"));
    let floor = world
        .add_collider(Collider::new("floor", plane, material, Pose::IDENTITY))
        .expect("floor");
    let ids = world.add_particles(group, positions, Vec3::ZERO).expect("particles");
    Scene { world, ids, floor }
}

impl Scene {
    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds * 60.0).round() as usize {
            self.world.step(DT);
        }
        self.world.health().expect("finite");
    }

    fn position(&self, index: usize) -> Vec3 {
        self.world.positions(&self.ids[index..=index])[0].expect("alive")
    }

    fn velocity(&self, index: usize) -> Vec3 {
        self.world.velocities(&self.ids[index..=index])[0].expect("alive")
    }

    fn spin(&self, index: usize) -> Vec3 {
        let particles = self.world.particles();
        let slot = particles.slot(self.ids[index]).expect("alive");
        particles.spin(slot).expect("turns")
    }

    /// Momentum, angular momentum about the origin, kinetic energy.
    fn motion(&self) -> (Vec3, Vec3, f32) {
        let mut motion = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for index in 0..self.ids.len() {
            let (x, v, spin) = (self.position(index), self.velocity(index), self.spin(index));
            let mass = 1.0 / self.world.inverse_masses(&self.ids[index..=index])[0].expect("alive");
            let inertia = 0.4 * mass * RADIUS * RADIUS;
            motion.0 += mass * v;
            motion.1 += x.cross(mass * v) + inertia * spin;
            motion.2 += 0.5 * (mass * v.length_squared() + inertia * spin.length_squared());
        }
        motion
    }
}

fn marble(friction: f32, resistance: f32) -> Material {
    Material::SAND
        .with_friction(friction)
        .with_rolling_resistance(resistance)
}

#[test]
fn a_marble_rolls_down_with_five_sevenths_of_what_pulls_it() {
    for (substeps, iterations) in STEPS {
        for degrees in [5.0_f32, 20.0] {
            let normal = Quat::from_rotation_z(degrees.to_radians()) * Vec3::Y;
            let settings = settings(substeps, iterations);
            let mut scene = scene(settings, marble(0.4, 0.0), degrees, &[RADIUS * normal]);
            let start = scene.position(0);
            scene.run(2.0);
            let way = scene.position(0).distance(start);
            let expected = 5.0 / 7.0 * 0.5 * 9.81 * degrees.to_radians().sin() * 4.0;
            let ratio = way / expected;
            assert!(
                (ratio - 1.0).abs() < 0.05,
                "{substeps}×{iterations}, {degrees}°: {ratio}"
            );
            let rim = scene.spin(0).length() * RADIUS / scene.velocity(0).length();
            assert!((rim - 1.0).abs() < 0.02, "it rolls: {rim}");
        }
    }
}

#[test]
fn a_marble_slips_where_the_slope_is_steeper_than_three_and_a_half_times_its_friction() {
    for (substeps, iterations) in STEPS {
        for (friction, rolls) in [(0.11, true), (0.095, false)] {
            let degrees = 20.0_f32;
            let normal = Quat::from_rotation_z(degrees.to_radians()) * Vec3::Y;
            let settings = settings(substeps, iterations);
            let mut scene = scene(settings, marble(friction, 0.0), degrees, &[RADIUS * normal]);
            let start = scene.position(0);
            scene.run(2.0);
            let (sin, cos) = degrees.to_radians().sin_cos();
            let slides = sin - friction * cos;
            let expected = if rolls { 5.0 / 7.0 * sin } else { slides } * 0.5 * 9.81 * 4.0;
            let ratio = scene.position(0).distance(start) / expected;
            assert!(
                (ratio - 1.0).abs() < 0.02,
                "{substeps}×{iterations}, µ {friction}: {ratio}"
            );
            let rim = scene.spin(0).length() * RADIUS / scene.velocity(0).length();
            assert_eq!(rim > 0.98, rolls, "{substeps}×{iterations}, µ {friction}: {rim}");
        }
    }
}

#[test]
fn a_spinning_marble_takes_up_two_sevenths_of_the_speed_of_its_rim() {
    for (substeps, iterations) in STEPS {
        let mut scene = scene(
            settings(substeps, iterations),
            marble(0.3, 0.0),
            0.0,
            &[RADIUS * Vec3::Y],
        );
        scene.run(0.2);
        scene
            .world
            .set_spins(&[(scene.ids[0], Some(Vec3::new(0.0, 0.0, -100.0)))])
            .expect("alive");
        scene.run(3.0);
        let expected = 2.0 / 7.0 * 100.0 * RADIUS;
        let speed = scene.velocity(0).x;
        assert!(
            (speed / expected - 1.0).abs() < 0.01,
            "{substeps}×{iterations}: {speed} of {expected}"
        );
    }
}

#[test]
fn rolling_resistance_stops_a_marble_where_it_should() {
    for (substeps, iterations) in STEPS {
        let mut scene = scene(
            settings(substeps, iterations),
            marble(0.5, 0.1),
            0.0,
            &[RADIUS * Vec3::Y],
        );
        scene.run(0.2);
        let (id, speed, start) = (scene.ids[0], 2.0, scene.position(0).x);
        scene.world.set_velocities(&[(id, speed * Vec3::X)]).expect("alive");
        let spin = Vec3::new(0.0, 0.0, -speed / RADIUS);
        scene.world.set_spins(&[(id, Some(spin))]).expect("alive");
        scene.run(6.0);
        // A torque of 0.1 m g r about a contact with the inertia 7/5 m r².
        let expected = speed * speed / (2.0 * 9.81 * 0.1 * 5.0 / 7.0);
        let way = scene.position(0).x - start;
        assert!(
            (way / expected - 1.0).abs() < 0.03,
            "{substeps}×{iterations}: {way} of {expected}"
        );
        let there = scene.position(0);
        scene.run(20.0);
        assert!(scene.position(0).distance(there) < 1e-5, "it stays");
    }
}

#[test]
fn a_marble_rests_on_a_slope_that_its_resistance_bears() {
    for (substeps, iterations) in STEPS {
        for (degrees, rests) in [(10.0_f32, true), (13.0, false)] {
            let normal = Quat::from_rotation_z(degrees.to_radians()) * Vec3::Y;
            let settings = settings(substeps, iterations);
            // Its tangent is that of 11.3°.
            let mut scene = scene(settings, marble(0.6, 0.2), degrees, &[RADIUS * normal]);
            scene.run(1.0);
            let start = scene.position(0);
            scene.run(10.0);
            let way = scene.position(0).distance(start);
            assert_eq!(way < 1e-4, rests, "{substeps}×{iterations}, {degrees}°: {way}");
        }
    }
}

/// Two balls that meet off their middles, in empty space, spinning.
fn encounter(substeps: u32, iterations: u32, material: Material) -> Scene {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..settings(substeps, iterations)
    };
    let at = [Vec3::new(-0.2, 1.03, 0.0), Vec3::new(0.2, 1.0, 0.02)];
    let mut scene = scene(settings, material, 0.0, &at);
    let (a, b) = (scene.ids[0], scene.ids[1]);
    scene
        .world
        .set_velocities(&[(a, Vec3::new(1.0, 0.0, 0.1)), (b, Vec3::new(-0.7, 0.1, 0.0))])
        .expect("alive");
    let spins = [
        (a, Some(Vec3::new(3.0, 5.0, 9.0))),
        (b, Some(Vec3::new(-4.0, 7.0, 1.0))),
    ];
    scene.world.set_spins(&spins).expect("alive");
    scene
}

#[test]
fn two_balls_that_meet_keep_their_momentum_and_angular_momentum() {
    for (substeps, iterations) in STEPS {
        for (friction, resistance, restitution) in [(0.5, 0.0, 0.0), (0.5, 0.3, 0.0), (0.5, 0.1, 0.8), (0.0, 0.0, 1.0)]
        {
            let material = marble(friction, resistance).with_restitution(restitution);
            let mut scene = encounter(substeps, iterations, material);
            let before = scene.motion();
            let spins = [scene.spin(0), scene.spin(1)];
            scene.run(1.0);
            let after = scene.motion();
            let what = format!("{substeps}×{iterations}, µ {friction}, {resistance}, e {restitution}");
            let lost = (after.0 - before.0).length();
            assert!(lost < 1e-4, "{what}: {lost} of 4 kg m/s that meet");
            let turned = (after.1 - before.1).length() / before.1.length();
            assert!(turned < 0.01, "{what}: {turned}");
            assert!(after.2 <= before.2 * 1.0001, "{what}: {} {}", after.2, before.2);
            assert_eq!(scene.spin(0).distance(spins[0]) > 1e-3, friction > 0.0, "{what}");
        }
    }
}

#[test]
fn grains_let_go_in_a_box_never_gain_energy() {
    for (substeps, iterations) in [(2, 1), (2, 4), (2, 32), (8, 8)] {
        for (friction, resistance, restitution) in [(0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.5, 0.2, 0.0), (0.5, 0.05, 0.9)]
        {
            let material = marble(friction, resistance).with_restitution(restitution);
            let mut at = Vec::new();
            for k in 0..216 {
                let cell = [k % 6, k / 6 % 6, k / 36].map(|c| c as f32);
                at.push(2.02 * RADIUS * Vec3::from(cell) + Vec3::new(0.003 * cell[1], RADIUS, 0.002 * cell[1]));
            }
            let mut scene = scene(settings(substeps, iterations), material, 0.0, &at);
            let energy = |scene: &Scene| {
                let mass = 1.0 / scene.world.inverse_masses(&scene.ids[..1])[0].expect("alive");
                let height: f32 = (0..scene.ids.len()).map(|index| scene.position(index).y).sum();
                scene.motion().2 + mass * 9.81 * height
            };
            let start = energy(&scene);
            for _ in 0..90 {
                scene.world.step(DT);
                let now = energy(&scene);
                let what = format!("{substeps}×{iterations}, µ {friction}, {resistance}, e {restitution}");
                assert!(now <= start * 1.001, "{what}: {now} {start}");
            }
        }
    }
}

#[test]
fn a_marble_lies_still_on_a_turntable() {
    let mut scene = scene(settings(4, 4), marble(0.5, 0.3), 0.0, &[Vec3::new(0.2, RADIUS, 0.0)]);
    scene.run(0.2);
    let start = scene.position(0);
    for frame in 1..=120 {
        let pose = Pose {
            position: Vec3::ZERO,
            rotation: Quat::from_rotation_y(0.01 * frame as f32),
        };
        scene.world.move_collider(scene.floor, pose).expect("there");
        scene.world.step(DT);
    }
    let expected = Quat::from_rotation_y(1.2) * start;
    let off = scene.position(0).distance(expected);
    assert!(off < 0.01, "it goes around with it: {off}");
    let spin = scene.spin(0).y;
    assert!((spin - 0.6).abs() < 0.03, "and turns as fast: {spin}");
}

#[test]
fn what_turns_is_saved_with_its_world() {
    let at: Vec<Vec3> = (0..40)
        .map(|k| Vec3::new(0.02 * (k % 3) as f32, 0.06 + 0.11 * k as f32, 0.01 * (k % 2) as f32))
        .collect();
    let mut scene = scene(settings(2, 4), marble(0.5, 0.2), 3.0, &at);
    scene.run(1.0);
    let mut restored = World::restore(&scene.world.save(), Box::new(CpuEngine::new())).expect("sound");
    assert_eq!(restored.digest(), scene.world.digest());
    for _ in 0..60 {
        restored.step(DT);
        scene.world.step(DT);
    }
    assert_eq!(restored.digest(), scene.world.digest());
}

#[test]
fn a_group_turns_if_its_material_says_so_and_it_does_not_refuse() {
    let mut scene = scene(settings(2, 4), Material::FAST_SAND, 0.0, &[RADIUS * Vec3::Y]);
    let turns = |scene: &Scene| scene.world.particles().spin(0).is_some();
    assert!(!turns(&scene) && !scene.world.particles().spins.is_stored());
    let group = scene.world.groups().next().expect("one").0;
    let material = scene.world.group(group).expect("there").material;
    scene.world.set_material(material, marble(0.5, 0.1)).expect("material");
    assert!(turns(&scene));
    scene.world.set_turning(group, false).expect("group");
    assert!(!turns(&scene));
    let body = motes_core::NewBody::new("body", material, vec![Vec3::Y, Vec3::Y + 0.1 * Vec3::X], vec![1.0; 2]);
    scene.world.add_body(body).expect("body");
    let particles = scene.world.particles();
    assert!(
        (0..3).all(|slot| particles.spin(slot).is_none()),
        "members of bodies do not turn"
    );
}
