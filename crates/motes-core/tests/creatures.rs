//! Physical claims about creatures.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Quat, Vec3};
use motes_core::colliders::Plane;
use motes_core::{
    Collider, CpuEngine, CreatureId, Edge, Keyframe, Material, MaterialId, Motion, NewCreature, OrientedParticle, Pose,
    Settings, Shape, Softness, World,
};

const DT: f32 = 1.0 / 60.0;
const STEPS: [(u32, u32); 3] = [(2, 4), (4, 4), (8, 1)];

fn settings(substeps: u32, iterations: u32) -> Settings {
    Settings {
        substeps,
        iterations,
        ..Settings::default()
    }
}

fn weightless(substeps: u32, iterations: u32) -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..settings(substeps, iterations)
    }
}

struct Scene {
    world: World,
    material: MaterialId,
}

impl Scene {
    fn new(settings: Settings) -> Self {
        Self::of(
            settings,
            Material {
                restitution: 0.0,
                rolling_resistance: None,
                ..Material::RUBBER
            },
        )
    }

    fn of(settings: Settings, material: Material) -> Self {
        let mut world = World::new(settings).expect("settings");
        let material = world.add_material(material).expect("material");
        Self { world, material }
    }

    /// With a floor through the origin, tilted about z.
    fn on_floor(mut self, tilt_degrees: f32) -> Self {
        let normal = Quat::from_rotation_z(tilt_degrees.to_radians()) * Vec3::Y;
        let plane = Shape::Plane(Plane::new(normal, 0.0).expect("plane"));
        let floor = Collider::new("floor", plane, self.material, Pose::IDENTITY);
        self.world.add_collider(floor).expect("floor");
        self
    }

    fn add(&mut self, particles: Vec<OrientedParticle>, edges: Vec<Edge>) -> CreatureId {
        self.add_with(particles, edges, |_| {})
    }

    fn add_with(
        &mut self,
        particles: Vec<OrientedParticle>,
        edges: Vec<Edge>,
        change: impl FnOnce(&mut NewCreature),
    ) -> CreatureId {
        let mut new = NewCreature::new("creature", self.material, particles, edges);
        change(&mut new);
        self.world.add_creature(new).expect("sound")
    }

    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds * 60.0).round() as usize {
            self.world.step(DT);
        }
        self.world.health().expect("finite");
    }

    fn pose(&self, id: CreatureId, number: usize) -> Pose {
        self.world.creature(id).expect("there").particles[number]
            .pose
            .expect("alive")
    }

    fn speed(&self, id: CreatureId, number: usize) -> Vec3 {
        self.world.creature(id).expect("there").particles[number].velocity
    }

    fn spin(&self, id: CreatureId, number: usize) -> Vec3 {
        self.world.creature(id).expect("there").particles[number].angular_velocity
    }

    /// Momentum, angular momentum about the origin and kinetic energy.
    fn motion(&self, id: CreatureId, masses: &[OrientedParticle]) -> (Vec3, Vec3, f32) {
        let state = self.world.creature(id).expect("there");
        let mut sums = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for (particle, own) in state.particles.iter().zip(masses) {
            let pose = particle.pose.expect("alive");
            let squares = own.radii * own.radii;
            let inertia =
                0.2 * own.mass * Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y);
            let local = pose.rotation.conjugate() * particle.angular_velocity;
            let spin = pose.rotation * (inertia * local);
            sums.0 += own.mass * particle.velocity;
            sums.1 += pose.position.cross(own.mass * particle.velocity) + spin;
            sums.2 += 0.5 * own.mass * particle.velocity.length_squared() + 0.5 * spin.dot(particle.angular_velocity);
        }
        sums
    }
}

fn ellipsoid(position: Vec3, radii: Vec3) -> OrientedParticle {
    OrientedParticle::ellipsoid(Pose::at(position), radii, 1000.0 * OrientedParticle::volume(radii))
}

/// Ellipsoids in a row along x, each joined to the next.
fn chain(count: usize, height: f32, radii: Vec3, stiffness: f32, torsion: f32) -> (Vec<OrientedParticle>, Vec<Edge>) {
    let particle = |k: usize| OrientedParticle {
        stiffness,
        torsion,
        ..ellipsoid(Vec3::new(1.8 * radii.x * k as f32, height, 0.0), radii)
    };
    let edge = |k: u32| Edge {
        stretch: Some(Softness::STIFF),
        ..Edge::new(k, k + 1)
    };
    (
        (0..count).map(particle).collect(),
        (0..count as u32 - 1).map(edge).collect(),
    )
}

/// A block of balls, each joined to those next to it and across.
fn block(sides: [usize; 3], spacing: f32, corner: Vec3, stiffness: f32) -> (Vec<OrientedParticle>, Vec<Edge>) {
    let mut particles = Vec::new();
    for x in 0..sides[0] {
        for y in 0..sides[1] {
            for z in 0..sides[2] {
                let place = corner + spacing * Vec3::new(x as f32, y as f32, z as f32);
                particles.push(OrientedParticle {
                    stiffness,
                    torsion: 0.0,
                    ..ellipsoid(place, Vec3::splat(0.5 * spacing))
                });
            }
        }
    }
    let mut edges = Vec::new();
    for a in 0..particles.len() {
        for b in a + 1..particles.len() {
            if particles[a].position.distance(particles[b].position) < 1.5 * spacing {
                edges.push(Edge::new(a as u32, b as u32));
            }
        }
    }
    (particles, edges)
}

#[test]
fn a_single_particle_keeps_the_orientation_it_has() {
    let mut scene = Scene::new(weightless(2, 4));
    let axes = Quat::from_scaled_axis(Vec3::new(0.4, -0.8, 0.3));
    let mut particle = ellipsoid(Vec3::ZERO, Vec3::new(0.1, 0.07, 0.05));
    particle.orientation = axes;
    let id = scene.add(vec![particle], Vec::new());
    scene.run(5.0);
    assert!(scene.pose(id, 0).rotation.angle_between(axes) < 1e-4);
    assert!(scene.spin(id, 0).length() < 1e-6 && scene.speed(id, 0).length() < 1e-6);
}

#[test]
fn a_ball_rolls_down_an_incline_at_five_sevenths_of_what_would_slide() {
    for (substeps, iterations) in STEPS {
        let mut scene = Scene::new(settings(substeps, iterations)).on_floor(-20.0);
        let normal = Quat::from_rotation_z(-20.0f32.to_radians()) * Vec3::Y;
        let id = scene.add(vec![ellipsoid(0.1 * normal, Vec3::splat(0.1))], Vec::new());
        scene.run(1.0);
        let expected = 5.0 / 7.0 * 9.81 * 20.0f32.to_radians().sin();
        let speed = scene.speed(id, 0).length();
        assert!(
            (speed / expected - 1.0).abs() < 0.01,
            "{speed} of {expected} at {substeps}×{iterations}"
        );
        let rolling = scene.spin(id, 0).length() * 0.1;
        assert!((rolling / speed - 1.0).abs() < 0.01, "{rolling} {speed}");
    }
}

#[test]
fn an_ellipsoid_comes_to_rest_on_its_flat_side() {
    for (substeps, iterations) in STEPS {
        let material = Material {
            restitution: 0.0,
            damping: 0.3,
            rolling_resistance: Some(0.02),
            ..Material::RUBBER
        };
        let mut scene = Scene::of(settings(substeps, iterations), material).on_floor(0.0);
        let mut particle = ellipsoid(Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.1, 0.05, 0.1));
        particle.orientation = Quat::from_rotation_z(1.3);
        let id = scene.add(vec![particle], Vec::new());
        scene.run(20.0);
        let pose = scene.pose(id, 0);
        let up = (pose.rotation * Vec3::Y).y.abs();
        assert!(
            up > 0.999 && (pose.position.y - 0.05).abs() < 1e-3,
            "{up} {} at {substeps}×{iterations}",
            pose.position
        );
    }
}

#[test]
fn a_chain_transmits_twist_from_end_to_end() {
    let twisted = |torsion: f32| {
        let mut scene = Scene::new(weightless(2, 4));
        let (mut particles, edges) = chain(12, 0.0, Vec3::new(0.05, 0.03, 0.03), 0.9, torsion);
        particles[0].pinned = true;
        let id = scene.add(particles, edges);
        let first = scene.world.creature_particles(id).expect("there")[0];
        let motion = Motion::Path {
            keys: vec![
                Keyframe {
                    time: 0.0,
                    pose: Pose::IDENTITY,
                },
                Keyframe {
                    time: 1.0,
                    pose: Pose {
                        rotation: Quat::from_rotation_x(FRAC_PI_2),
                        ..Pose::IDENTITY
                    },
                },
            ],
            repeat: false,
        };
        scene
            .world
            .carry_particles(&[first], Pose::IDENTITY, motion)
            .expect("carried");
        scene.run(6.0);
        let state = scene.world.creature(id).expect("there");
        let [first, last] = [0, 11].map(|k: usize| {
            let axis = state.particles[k].pose.expect("alive").rotation * Vec3::Y;
            axis.z.atan2(axis.y)
        });
        (first, last)
    };
    let (first, last) = twisted(0.9);
    assert!(
        (first - FRAC_PI_2).abs() < 0.01 && (last - first).abs() < 0.1,
        "{first} {last}"
    );
    let (first, last) = twisted(0.0);
    assert!(
        (first - FRAC_PI_2).abs() < 0.01 && last.abs() < 0.1,
        "without torsion {first} {last}"
    );
}

#[test]
fn a_free_creature_keeps_its_momentum_and_nearly_all_of_its_spin() {
    for (substeps, iterations) in STEPS {
        for stiffness in [0.3, 1.0] {
            let mut scene = Scene::new(weightless(substeps, iterations));
            let (particles, edges) = block([6, 2, 2], 0.1, Vec3::ZERO, stiffness);
            let id = scene.add_with(particles.clone(), edges, |new| {
                new.velocity = Vec3::new(0.5, 0.0, 0.0);
                new.angular_velocity = Vec3::new(1.0, 3.0, 2.0);
            });
            let (push, turn, energy) = scene.motion(id, &particles);
            scene.run(10.0);
            let after = scene.motion(id, &particles);
            assert!((after.0 - push).length() < 5e-3 * push.length(), "{push} {}", after.0);
            let lost = (after.1 - turn).length() / turn.length();
            assert!(
                lost < 0.02,
                "{lost} of the spin at {substeps}×{iterations}, stiffness {stiffness}"
            );
            assert!(after.2 < 1.01 * energy, "{energy} {}", after.2);
        }
    }
}

#[test]
fn a_bar_sags_the_same_whatever_the_steps() {
    let sag = |substeps: u32, iterations: u32| {
        let mut scene = Scene::of(
            settings(substeps, iterations),
            Material {
                damping: 1.0,
                ..Material::RUBBER
            },
        );
        let (mut particles, edges) = block([7, 2, 2], 0.1, Vec3::ZERO, 0.5);
        particles[..4].iter_mut().for_each(|particle| particle.pinned = true);
        let last = particles.len() - 1;
        let id = scene.add(particles, edges);
        scene.run(15.0);
        -scene.pose(id, last).position.y + 0.1
    };
    let sags = STEPS.map(|(substeps, iterations)| sag(substeps, iterations));
    let mean = sags.iter().sum::<f32>() / 3.0;
    assert!(mean > 0.01, "{sags:?}");
    assert!(sags.iter().all(|sag| (sag / mean - 1.0).abs() < 0.03), "{sags:?}");
}

/// A wheel of eight balls around an axle of two particles that it shares with a frame.
fn wheel() -> (Vec<OrientedParticle>, Vec<Vec<u32>>) {
    let ball = |place: Vec3| ellipsoid(place, Vec3::splat(0.04));
    let mut particles = vec![ball(Vec3::new(0.0, 1.0, 0.1)), ball(Vec3::new(0.0, 1.0, -0.1))];
    for k in 0..8 {
        let angle = TAU * k as f32 / 8.0;
        particles.push(ball(Vec3::new(0.2 * angle.cos(), 1.0 + 0.2 * angle.sin(), 0.0)));
    }
    for z in [0.1, -0.1] {
        particles.push(OrientedParticle {
            pinned: true,
            ..ball(Vec3::new(0.0, 1.4, z))
        });
    }
    let rim = (0..10).collect();
    (particles, vec![rim, vec![0, 1, 10, 11]])
}

#[test]
fn a_free_wheel_keeps_its_spin() {
    for (substeps, iterations) in STEPS {
        let mut scene = Scene::new(settings(substeps, iterations));
        let (particles, parts) = wheel();
        let id = scene.add_with(particles, Vec::new(), |new| new.parts = parts);
        let ids = scene.world.creature_particles(id).expect("there");
        let center = Vec3::new(0.0, 1.0, 0.0);
        let spin = Vec3::new(0.0, 0.0, 15.0);
        for (number, &own) in ids.iter().enumerate().take(10).skip(2) {
            let arm = scene.pose(id, number).position - center;
            scene.world.set_velocities(&[(own, spin.cross(arm))]).expect("alive");
            scene.world.set_spins(&[(own, Some(spin))]).expect("alive");
        }
        scene.run(0.5);
        let begun = scene.speed(id, 2).length();
        scene.run(10.0);
        let kept = scene.speed(id, 2).length() / begun;
        assert!(begun > 2.7, "{begun}");
        assert!((kept - 1.0).abs() < 0.02, "{kept} at {substeps}×{iterations}");
        let axle = scene.pose(id, 0).position;
        assert!((axle - Vec3::new(0.0, 1.0, 0.1)).length() < 2e-3, "{axle}");
    }
}

#[test]
fn a_rigid_part_lands_without_sinking_in() {
    for (substeps, iterations) in STEPS {
        let mut scene = Scene::new(settings(substeps, iterations)).on_floor(0.0);
        let (particles, edges) = block([5, 5, 5], 0.1, Vec3::new(0.0, 1.0, 0.0), 0.5);
        let part: Vec<u32> = (0..particles.len() as u32).collect();
        let id = scene.add_with(particles, edges, |new| new.parts = vec![part]);
        let mut lowest = f32::INFINITY;
        for _ in 0..120 {
            scene.world.step(DT);
            lowest = lowest.min(scene.pose(id, 0).position.y);
        }
        assert!(lowest > 0.03, "{lowest} at {substeps}×{iterations}");
        let speed = (0..125).map(|k| scene.speed(id, k).length()).fold(0.0, f32::max);
        assert!(speed < 0.02, "{speed}");
    }
}

#[test]
fn a_creature_rests_for_a_minute() {
    let mut scene = Scene::new(settings(2, 4)).on_floor(0.0);
    let (particles, edges) = block([5, 2, 3], 0.1, Vec3::new(0.0, 0.06, 0.0), 0.5);
    let id = scene.add(particles, edges);
    scene.run(5.0);
    let before = scene.world.creature(id).expect("there");
    scene.run(60.0);
    let after = scene.world.creature(id).expect("there");
    for (a, b) in before.particles.iter().zip(&after.particles) {
        let [a, b] = [a, b].map(|particle| particle.pose.expect("alive"));
        assert!(
            (a.position - b.position).length() < 2e-3,
            "{} {}",
            a.position,
            b.position
        );
        assert!(a.rotation.angle_between(b.rotation) < 0.02);
    }
}

#[test]
fn nothing_gains_energy_without_friction() {
    let material = Material {
        static_friction: 0.0,
        kinetic_friction: 0.0,
        restitution: 0.0,
        ..Material::RUBBER
    };
    let mut scene = Scene::of(settings(2, 4), material).on_floor(0.0);
    let (particles, edges) = block([4, 3, 3], 0.1, Vec3::new(0.0, 0.5, 0.0), 0.6);
    let id = scene.add_with(particles.clone(), edges, |new| {
        new.angular_velocity = Vec3::new(2.0, 1.0, 3.0);
    });
    let height = |scene: &Scene| {
        let state = scene.world.creature(id).expect("there");
        let each = state.particles.iter().zip(&particles);
        each.map(|(particle, own)| 9.81 * own.mass * particle.pose.expect("alive").position.y)
            .sum::<f32>()
    };
    // What it is bent by is not counted, so that it may only have less.
    let begun = scene.motion(id, &particles).2 + height(&scene);
    for _ in 0..600 {
        scene.world.step(DT);
        let energy = scene.motion(id, &particles).2 + height(&scene);
        assert!(energy < 1.002 * begun, "{energy} after {begun}");
    }
}

#[test]
fn whatever_the_threads_and_after_a_restart_it_is_the_same_to_the_last_bit() {
    let build = |threads: usize| {
        let mut world =
            World::with_engine(settings(2, 4), Box::new(CpuEngine::with_threads(threads))).expect("settings");
        let material = world.add_material(Material::RUBBER).expect("material");
        let plane = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
        world
            .add_collider(Collider::new("floor", plane, material, Pose::IDENTITY))
            .expect("floor");
        for k in 0..6 {
            let corner = Vec3::new(0.05 * k as f32, 0.2 + 0.3 * k as f32, 0.03 * k as f32);
            let (particles, edges) = block([4, 3, 3], 0.1, corner, 0.5);
            let part = (0..6).collect();
            let new = NewCreature {
                parts: vec![part],
                ..NewCreature::new("c", material, particles, edges)
            };
            world.add_creature(new).expect("sound");
        }
        world
    };
    let run = |world: &mut World, frames: usize| (0..frames).for_each(|_| world.step(DT));
    let mut first = build(1);
    let mut second = build(3);
    run(&mut first, 60);
    run(&mut second, 60);
    assert_eq!(first.digest(), second.digest());
    let saved = first.save();
    let mut restored = World::restore(&saved, Box::new(CpuEngine::new())).expect("sound");
    assert_eq!(first.digest(), restored.digest());
    run(&mut first, 30);
    run(&mut restored, 30);
    assert_eq!(first.digest(), restored.digest());
}

#[test]
fn a_removed_creature_leaves_nothing_behind() {
    let mut scene = Scene::new(settings(2, 4)).on_floor(0.0);
    let (particles, edges) = chain(5, 0.3, Vec3::splat(0.05), 0.5, 0.5);
    let id = scene.add(particles, edges);
    scene.run(0.2);
    scene.world.remove_creature(id).expect("there");
    assert_eq!(scene.world.particle_count(), 0);
    assert!(scene.world.creature(id).is_none() && scene.world.remove_creature(id).is_err());
    scene.run(0.2);
    assert!(scene.world.constraints().is_empty());
}

#[test]
fn one_that_loses_particles_goes_on_with_the_others() {
    let mut scene = Scene::new(settings(2, 4)).on_floor(0.0);
    let (particles, edges) = block([4, 2, 2], 0.1, Vec3::new(0.0, 0.1, 0.0), 0.5);
    let id = scene.add(particles, edges);
    let ids = scene.world.creature_particles(id).expect("there");
    scene.world.remove_particles(&ids[..5]);
    scene.run(2.0);
    let state = scene.world.creature(id).expect("there");
    assert!(state.particles[..5].iter().all(|particle| particle.pose.is_none()));
    assert!(state.particles[5..].iter().all(|particle| particle.pose.is_some()));
}
