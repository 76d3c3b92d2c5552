//! Creatures: particles with an orientation roll, twist, spin and come to rest as the solids they stand for.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Quat, Vec3};
use motes_core::colliders::Plane;
use motes_core::{
    Change, Collider, CreatureId, Edge, Keyframe, Material, Motion, NewCreature, OrientedParticle, Pose, Settings,
    Shape, Softness, World,
};

use super::lab::{DT, furthest_from_one, step};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "creatures/a single particle keeps its axes",
            source: "exact: how far one turns in 10 s that nothing touches",
            reference: 0.0,
            band: [0.0, 0.1],
            unit: "°",
            quick: true,
            measure: |engine| kept_axes(engine, 0.0),
            control_name: "a spin of 0.01 rad/s",
            control: |engine| kept_axes(engine, 0.01),
        },
        Case {
            name: "creatures/a ball of one particle rolls",
            source: "exact: acceleration over 5/7 g sin θ, what is furthest from it of 5° and 20°, three steps",
            reference: 1.0,
            band: [0.98, 1.02],
            unit: "",
            quick: true,
            measure: |engine| one_rolls(engine, true),
            control_name: "it does not turn",
            control: |engine| one_rolls(engine, false),
        },
        Case {
            name: "creatures/a ball of many particles rolls",
            source: "exact: acceleration over g sin θ / (1 + I/(M r²)) of a hollow ball of 200 flat ellipsoids on 15°, three steps",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: false,
            measure: |engine| many_roll(engine, 0.6),
            control_name: "no friction, so that it does not turn",
            control: |engine| many_roll(engine, 0.0),
        },
        Case {
            name: "creatures/a chain hands on a twist",
            source: "exact: angle of the last of 16 particles over that of the first, turned by 90°, three steps",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: true,
            measure: |engine| twist(engine, 0.9),
            control_name: "no torsion",
            control: |engine| twist(engine, 0.0),
        },
        Case {
            name: "creatures/a free wheel keeps its spin",
            source: "exact: speed after 10 s over that before, of a wheel on two particles that it shares with what holds it, three steps",
            reference: 1.0,
            band: [0.98, 1.02],
            unit: "",
            quick: true,
            measure: |engine| wheel(engine, 2),
            control_name: "three particles shared",
            control: |engine| wheel(engine, 3),
        },
        Case {
            name: "creatures/an ellipsoid lies on its flat side",
            source: "exact: height of its centre over its smallest radius once at rest, let go on its edge, three steps",
            reference: 1.0,
            band: [0.99, 1.01],
            unit: "",
            quick: true,
            measure: |engine| lies_flat(engine, true),
            control_name: "it does not turn",
            control: |engine| lies_flat(engine, false),
        },
        Case {
            name: "creatures/a thrown one keeps its spin",
            source: "exact: angular momentum lost or gained in 10 s, of a soft block and a stiff one, the most of three steps",
            reference: 0.0,
            band: [0.0, 0.02],
            unit: "",
            quick: true,
            measure: |engine| lost_spin(engine, 0.0),
            control_name: "damping of 0.01/s",
            control: |engine| lost_spin(engine, 0.01),
        },
        Case {
            name: "creatures/a bar sags alike at any step",
            source: "exact: sag of the tip of a bar clamped at one end at 2 x 4, 4 x 4 and 8 x 1, largest over smallest",
            reference: 1.0,
            band: [1.0, 1.05],
            unit: "",
            quick: false,
            measure: |engine| sags(engine, |_| 1.0),
            control_name: "a rate of stiffness that grows with the iterations in a second",
            control: |engine| sags(engine, |iterations| iterations / 8.0),
        },
    ]
}

/// Sub-steps and iterations: with one iteration too, as shapes do not need more.
const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 1]];
const RADIUS: f32 = 0.1;

struct Zoo {
    world: World,
    material: motes_core::MaterialId,
}

impl Zoo {
    fn new(engine: EngineMaker, settings: Settings, material: Material) -> Self {
        let mut world = World::with_engine(settings, engine()).expect("settings of an experiment");
        let material = world.add_material(material).expect("material");
        Self { world, material }
    }

    fn on_slope(mut self, degrees: f32) -> Self {
        let normal = Quat::from_rotation_z(-degrees.to_radians()) * Vec3::Y;
        let plane = Shape::Plane(Plane::new(normal, 0.0).expect("plane"));
        let slope = Collider::new("slope", plane, self.material, Pose::IDENTITY);
        self.world.add_collider(slope).expect("slope");
        self
    }

    fn add(&mut self, particles: Vec<OrientedParticle>, edges: Vec<Edge>, parts: Vec<Vec<u32>>) -> CreatureId {
        let new = NewCreature::new("creature", self.material, particles, edges);
        self.world.add_creature(NewCreature { parts, ..new }).expect("creature")
    }

    /// Gives all its particles an angular velocity, or none at all.
    fn spin(&mut self, id: CreatureId, spin: Option<Vec3>) {
        let ids = self.world.creature_particles(id).expect("there");
        let changes: Vec<_> = ids.iter().map(|&id| (id, Change::Spin(spin))).collect();
        self.world.edit(&changes).expect("alive");
    }

    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / DT).round() as usize {
            self.world.step(DT);
        }
    }

    fn pose(&self, id: CreatureId, number: usize) -> Pose {
        self.world.creature(id).expect("there").particles[number]
            .pose
            .expect("alive")
    }

    fn velocity(&self, id: CreatureId, number: usize) -> Vec3 {
        self.world.creature(id).expect("there").particles[number].velocity
    }
}

/// Hard rubber that neither rebounds nor resists rolling.
fn rubber() -> Material {
    Material {
        restitution: 0.0,
        rolling_resistance: None,
        ..Material::RUBBER
    }
}

fn weightless(numbers: [u32; 2]) -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..step(numbers, RADIUS)
    }
}

fn ellipsoid(position: Vec3, radii: Vec3) -> OrientedParticle {
    OrientedParticle::ellipsoid(Pose::at(position), radii, 1000.0 * OrientedParticle::volume(radii))
}

fn inertia(particle: &OrientedParticle) -> Vec3 {
    let squares = particle.radii * particle.radii;
    0.2 * particle.mass * Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y)
}

fn kept_axes(engine: EngineMaker, spin: f32) -> f64 {
    let axes = Quat::from_scaled_axis(Vec3::new(0.4, -0.8, 0.3));
    let mut zoo = Zoo::new(engine, weightless([2, 4]), rubber());
    let mut particle = ellipsoid(Vec3::ZERO, Vec3::new(1.0, 0.7, 0.5) * RADIUS);
    particle.orientation = axes;
    let id = zoo.add(vec![particle], Vec::new(), Vec::new());
    zoo.spin(id, Some(Vec3::Y * spin));
    zoo.run(10.0);
    f64::from(zoo.pose(id, 0).rotation.angle_between(axes).to_degrees())
}

fn one_rolls(engine: EngineMaker, turns: bool) -> f64 {
    let ratios = STEPS
        .into_iter()
        .flat_map(|numbers| [5.0f32, 20.0].map(|degrees| (numbers, degrees)));
    furthest_from_one(ratios.map(|(numbers, degrees)| {
        let mut zoo = Zoo::new(engine, step(numbers, RADIUS), rubber()).on_slope(degrees);
        let normal = Quat::from_rotation_z(-degrees.to_radians()) * Vec3::Y;
        let id = zoo.add(
            vec![ellipsoid(RADIUS * normal, Vec3::splat(RADIUS))],
            Vec::new(),
            Vec::new(),
        );
        if !turns {
            zoo.spin(id, None);
        }
        zoo.run(1.0);
        let expected = 5.0 / 7.0 * 9.81 * degrees.to_radians().sin();
        f64::from(zoo.velocity(id, 0).length() / expected)
    }))
}

/// A ball, as flat ellipsoids on a sphere.
fn many_roll(engine: EngineMaker, friction: f32) -> f64 {
    const COUNT: usize = 200;
    const BALL: f32 = 0.5;
    let radii = Vec3::new(0.09, 0.02, 0.09);
    let place = |k: usize| {
        let (height, angle) = (
            1.0 - (2 * k + 1) as f32 / COUNT as f32,
            PI * (3.0 - 5f32.sqrt()) * k as f32,
        );
        let across = (1.0 - height * height).sqrt();
        Vec3::new(across * angle.cos(), height, across * angle.sin())
    };
    let particles: Vec<_> = (0..COUNT)
        .map(|k| OrientedParticle {
            orientation: Quat::from_rotation_arc(Vec3::Y, place(k)),
            ..ellipsoid((BALL - radii.y) * place(k), radii)
        })
        .collect();
    let mass: f32 = particles.iter().map(|particle| particle.mass).sum();
    let about = particles.iter().map(|particle| {
        let arm = particle.position;
        let own = particle.orientation * (inertia(particle) * (particle.orientation.conjugate() * Vec3::Z));
        particle.mass * (arm.x * arm.x + arm.y * arm.y) + own.z
    });
    let share = about.sum::<f32>() / (mass * BALL * BALL);
    let degrees = 15.0f32;
    let expected = 9.81 * degrees.to_radians().sin() / (1.0 + share);
    furthest_from_one(STEPS.map(|numbers| {
        let material = Material {
            static_friction: friction,
            kinetic_friction: friction,
            ..rubber()
        };
        let mut zoo = Zoo::new(engine, step(numbers, RADIUS), material).on_slope(degrees);
        let normal = Quat::from_rotation_z(-degrees.to_radians()) * Vec3::Y;
        let moved = particles.iter().map(|particle| OrientedParticle {
            position: particle.position + (BALL + 0.001) * normal,
            ..*particle
        });
        let part = (0..COUNT as u32).collect();
        let id = zoo.add(moved.collect(), Vec::new(), vec![part]);
        let speed = |zoo: &Zoo| {
            let state = zoo.world.creature(id).expect("there").particles;
            let sum = state.iter().fold(Vec3::ZERO, |sum, particle| sum + particle.velocity);
            (sum / COUNT as f32).length()
        };
        zoo.run(0.2);
        let begun = speed(&zoo);
        zoo.run(1.0);
        f64::from((speed(&zoo) - begun) / expected)
    }))
}

fn twist(engine: EngineMaker, torsion: f32) -> f64 {
    const COUNT: usize = 16;
    furthest_from_one(STEPS.map(|numbers| {
        let mut zoo = Zoo::new(
            engine,
            weightless(numbers),
            Material {
                damping: 0.5,
                ..rubber()
            },
        );
        let particle = |k: usize| OrientedParticle {
            torsion,
            stiffness: 0.9,
            pinned: k == 0,
            ..ellipsoid(Vec3::X * 0.09 * k as f32, Vec3::new(0.05, 0.03, 0.03))
        };
        let edge = |k: u32| Edge {
            stretch: Some(Softness::STIFF),
            ..Edge::new(k, k + 1)
        };
        let id = zoo.add(
            (0..COUNT).map(particle).collect(),
            (0..COUNT as u32 - 1).map(edge).collect(),
            Vec::new(),
        );
        let first = zoo.world.creature_particles(id).expect("there")[0];
        let turned = Pose {
            rotation: Quat::from_rotation_x(FRAC_PI_2),
            ..Pose::IDENTITY
        };
        let keys = vec![
            Keyframe {
                time: 0.0,
                pose: Pose::IDENTITY,
            },
            Keyframe {
                time: 1.0,
                pose: turned,
            },
        ];
        let motion = Motion::Path { keys, repeat: false };
        zoo.world
            .carry_particles(&[first], Pose::IDENTITY, motion)
            .expect("carried");
        zoo.run(8.0);
        let angle = |number: usize| {
            let axis = zoo.pose(id, number).rotation * Vec3::Y;
            axis.z.atan2(axis.y)
        };
        f64::from(angle(COUNT - 1) / angle(0))
    }))
}

/// A wheel of eight balls and an axle, of which so many particles are those of what holds it too.
fn wheel(engine: EngineMaker, shared: usize) -> f64 {
    furthest_from_one(STEPS.map(|numbers| {
        let ball = |place: Vec3| ellipsoid(place, Vec3::splat(0.04));
        let mut particles = vec![ball(Vec3::Z * 0.1), ball(Vec3::Z * -0.1)];
        for k in 0..8 {
            let angle = TAU * k as f32 / 8.0;
            particles.push(ball(0.2 * Vec3::new(angle.cos(), angle.sin(), 0.0)));
        }
        for z in [0.1, -0.1] {
            particles.push(OrientedParticle {
                pinned: true,
                ..ball(Vec3::new(0.0, 0.5, z))
            });
        }
        let mut holder: Vec<u32> = (0..shared as u32).collect();
        holder.extend([10, 11]);
        let mut zoo = Zoo::new(engine, step(numbers, RADIUS), rubber());
        let id = zoo.add(particles, Vec::new(), vec![(0..10).collect(), holder]);
        let ids = zoo.world.creature_particles(id).expect("there");
        let spin = Vec3::Z * 15.0;
        for (number, &own) in ids.iter().enumerate().take(10).skip(2) {
            let velocity = spin.cross(zoo.pose(id, number).position);
            zoo.world.set_velocities(&[(own, velocity)]).expect("alive");
            zoo.world.set_spins(&[(own, Some(spin))]).expect("alive");
        }
        zoo.run(2.0 * DT);
        let begun = if shared == 2 { zoo.velocity(id, 5).length() } else { 3.0 };
        zoo.run(10.0);
        f64::from(zoo.velocity(id, 5).length() / begun)
    }))
}

fn lies_flat(engine: EngineMaker, turns: bool) -> f64 {
    furthest_from_one(STEPS.map(|numbers| {
        let material = Material {
            damping: 0.3,
            ..rubber()
        };
        let mut zoo = Zoo::new(engine, step(numbers, RADIUS), material).on_slope(0.0);
        let radii = Vec3::new(1.0, 0.5, 1.0) * RADIUS;
        let mut particle = ellipsoid(Vec3::Y * 0.11, radii);
        particle.orientation = Quat::from_rotation_z(1.4);
        let id = zoo.add(vec![particle], Vec::new(), Vec::new());
        if !turns {
            zoo.spin(id, None);
        }
        zoo.run(30.0);
        f64::from(zoo.pose(id, 0).position.y / radii.y)
    }))
}

/// Balls in a block, each joined to all that are next to it.
fn block(sides: [usize; 3], stiffness: f32) -> (Vec<OrientedParticle>, Vec<Edge>) {
    let spacing = RADIUS;
    let mut particles = Vec::new();
    for x in 0..sides[0] {
        for y in 0..sides[1] {
            for z in 0..sides[2] {
                let place = spacing * Vec3::new(x as f32, y as f32, z as f32);
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

fn lost_spin(engine: EngineMaker, damping: f32) -> f64 {
    let all = STEPS
        .into_iter()
        .flat_map(|numbers| [0.3, 1.0].map(|stiffness| (numbers, stiffness)));
    let lost = all.map(|(numbers, stiffness)| {
        let mut zoo = Zoo::new(engine, weightless(numbers), Material { damping, ..rubber() });
        let (particles, edges) = block([6, 2, 2], stiffness);
        let new = NewCreature {
            angular_velocity: Vec3::new(1.0, 3.0, 2.0),
            ..NewCreature::new("creature", zoo.material, particles.clone(), edges)
        };
        let id = zoo.world.add_creature(new).expect("creature");
        let momentum = |zoo: &Zoo| {
            let state = zoo.world.creature(id).expect("there").particles;
            { state.iter().zip(&particles) }
                .map(|(own, new)| {
                    let pose = own.pose.expect("alive");
                    let local = pose.rotation.conjugate() * own.angular_velocity;
                    pose.position.cross(new.mass * own.velocity) + pose.rotation * (inertia(new) * local)
                })
                .sum::<Vec3>()
        };
        let before = momentum(&zoo);
        zoo.run(10.0);
        f64::from((momentum(&zoo) - before).length() / before.length())
    });
    lost.fold(0.0, f64::max)
}

/// `times` says how many times the rate of stiffness is that of 2 × 4, by the iterations in a sixtieth of a second.
fn sags(engine: EngineMaker, times: fn(f32) -> f32) -> f64 {
    let all = STEPS.map(|numbers| {
        let material = Material {
            damping: 1.0,
            ..rubber()
        };
        let mut zoo = Zoo::new(engine, step(numbers, RADIUS), material);
        // A share of 1 − e^(−k) undone in a sixtieth of a second is a rate of 2k.
        let rate = 0.7 * times((numbers[0] * numbers[1]) as f32);
        let (mut particles, edges) = block([7, 2, 2], 1.0 - (-rate).exp());
        particles[..4].iter_mut().for_each(|particle| particle.pinned = true);
        let tip = particles.len() - 1;
        let id = zoo.add(particles, edges, Vec::new());
        zoo.run(20.0);
        f64::from(RADIUS - zoo.pose(id, tip).position.y)
    });
    let (least, most) = (
        all.iter().copied().fold(f64::INFINITY, f64::min),
        all.iter().copied().fold(0.0, f64::max),
    );
    most / least
}
