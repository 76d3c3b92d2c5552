//! Random edits and questions, the same on both engines: what is handed out, refused, found and left is the same.

use std::fmt::Debug;

use motes_core::colliders::Plane;
use motes_core::glam::{Quat, Vec3};
use motes_core::random::Random;
use motes_core::{
    BodyId, Change, Chosen, Collider, ConstraintId, CpuEngine, Engine, Everything, Group, GroupId, Joint, Material,
    MaterialId, NearestParticle, NewBody, NewDistance, OfGroup, ParticleId, ParticlesIn, Partner, Passive, Phase, Pose,
    RayCast, Settings, Shape, Softness, Volume, World,
};
use motes_gpu::{Gpu, GpuEngine};

const DT: f32 = 1.0 / 60.0;

/// Both engines side by side, and what both have handed out.
struct Pair {
    gpu: Gpu,
    worlds: [World; 2],
    random: Random,
    material: MaterialId,
    groups: Vec<GroupId>,
    particles: Vec<ParticleId>,
    bodies: Vec<BodyId>,
    rows: Vec<ConstraintId>,
    /// Whether bodies are joined; otherwise some are soft.
    joins: bool,
    log: Vec<String>,
}

impl Pair {
    fn new(gpu: &Gpu, seed: u64) -> Self {
        let engines: [Box<dyn Engine>; 2] = [
            Box::new(CpuEngine::with_threads(1)),
            Box::new(GpuEngine::new(gpu).expect("engine")),
        ];
        let mut material = None;
        let worlds = engines.map(|engine| {
            let mut world = World::with_engine(Settings::default(), engine).expect("settings");
            let sand = world.add_material(Material::SAND).expect("material");
            let floor = Shape::Plane(Plane::new(Vec3::Y, 0.0).expect("plane"));
            world
                .add_collider(Collider::new("floor", floor, sand, Pose::IDENTITY))
                .expect("floor");
            material = Some(sand);
            world
        });
        Self {
            gpu: gpu.clone(),
            worlds,
            random: Random::new(seed, 77),
            material: material.expect("made"),
            groups: Vec::new(),
            particles: Vec::new(),
            bodies: Vec::new(),
            rows: Vec::new(),
            joins: seed % 2 == 1,
            log: Vec::new(),
        }
    }

    /// Does the same to both, and finds the same.
    fn both<T: PartialEq + Debug>(&mut self, what: &str, mut work: impl FnMut(&mut World) -> T) -> T {
        self.log.push(what.to_owned());
        let [first, second] = &mut self.worlds;
        let (first, second) = (work(first), work(second));
        assert_eq!(first, second, "after {:?}", self.log);
        first
    }

    fn place(&mut self) -> Vec3 {
        Vec3::new(self.random.signed(), 1.0 + self.random.signed(), self.random.signed())
    }

    fn pick<T: Copy>(&mut self, of: fn(&Self) -> &Vec<T>) -> Option<T> {
        let count = of(self).len();
        (count > 0).then(|| {
            let place = self.random.below(count);
            of(self)[place]
        })
    }

    fn some_particles(&mut self) -> Vec<ParticleId> {
        let count = self.random.below(6);
        (0..count).filter_map(|_| self.pick(|pair| &pair.particles)).collect()
    }

    fn act(&mut self) {
        match self.random.below(30) {
            0..=2 => {
                let mut group = Group::grains("grains", self.material);
                group.radius = (self.random.below(3) == 0).then_some(0.08);
                if self.random.below(3) == 0 {
                    group = group.ignoring_rest_overlaps();
                }
                let group = self.both("add group", |world| world.add_group(group.clone()).expect("group"));
                self.groups.push(group);
            }
            3..=6 => {
                let count = [0, 1, 2, 3, 17, 40][self.random.below(6)];
                let places: Vec<Vec3> = (0..count).map(|_| self.place()).collect();
                let Some(group) = self.pick(|pair| &pair.groups) else {
                    return;
                };
                let added = self.both("add particles", |world| {
                    world.add_particles(group, &places, Vec3::ZERO).ok()
                });
                self.particles.extend(added.into_iter().flatten());
            }
            7 => {
                let ids = self.some_particles();
                self.both("remove particles", |world| world.remove_particles(&ids));
            }
            8..=10 => {
                let (ids, place) = (self.some_particles(), self.place());
                let what = self.random.below(8);
                let material = self.material;
                let change = move |number: usize| match what {
                    0 => Change::Position(place + 0.3 * number as f32 * Vec3::X),
                    1 => Change::Velocity(place),
                    2 => Change::InverseMass(number as f32),
                    3 => Change::RestPosition(number.is_multiple_of(2).then_some(place)),
                    4 => Change::Push(0.01 * place),
                    5 => Change::Material(material),
                    6 => Change::Spin(number.is_multiple_of(2).then_some(place)),
                    _ => Change::Velocity(Vec3::NAN),
                };
                let edits: Vec<_> = ids
                    .iter()
                    .enumerate()
                    .map(|(number, &id)| (id, change(number)))
                    .collect();
                self.both("edit", |world| world.edit(&edits).ok());
            }
            11 => {
                let Some(group) = self.pick(|pair| &pair.groups) else {
                    return;
                };
                let collide = self.random.below(2) == 0;
                self.both("self-collision", |world| {
                    world.set_self_collision(group, collide).is_ok()
                });
            }
            12 if self.random.below(3) == 0 => {
                let Some(group) = self.pick(|pair| &pair.groups) else {
                    return;
                };
                self.both("remove group", |world| world.remove_group(group).is_ok());
            }
            13..=14 => {
                let ids = self.some_particles();
                let new: Vec<_> = ids
                    .windows(2)
                    .map(|pair| NewDistance {
                        softness: Softness::Compliance(1e-3),
                        ..NewDistance::new([pair[0], pair[1]], 0.2)
                    })
                    .collect();
                let added = self.both("add distances", |world| world.add_distances(&new).ok());
                self.rows.extend(added.into_iter().flatten());
            }
            15 => {
                let Some(row) = self.pick(|pair| &pair.rows) else {
                    return;
                };
                let what = self.random.below(3);
                self.both("edit row", |world| match what {
                    0 => world.set_rest_length(row, 0.3).is_ok(),
                    1 => world.switch_constraint(row, false).is_ok(),
                    _ => world.remove_constraints(&[row]) == 1,
                });
            }
            16..=17 => {
                let soft = !self.joins && self.random.below(2) == 0;
                let count = if soft { 8 } else { 1 + self.random.below(9) };
                let corners: Vec<Vec3> = (0..count)
                    .map(|i| 0.1 * Vec3::new((i & 1) as f32, (i / 2 % 2) as f32, (i / 4) as f32))
                    .collect();
                let new = NewBody {
                    pose: Pose::at(self.place() + Vec3::Y),
                    stiffness: if soft { 0.6 } else { 1.0 },
                    ..NewBody::new("block", self.material, corners, vec![0.5; count])
                };
                let body = self.both("add body", |world| world.add_body(new.clone()).expect("body"));
                self.bodies.push(body);
            }
            18..=19 => {
                let Some(body) = self.pick(|pair| &pair.bodies) else {
                    return;
                };
                let (what, place) = (self.random.below(6), self.place());
                self.both("edit body", |world| match what {
                    0 => world.set_kinematic(body, true).is_ok(),
                    1 => world.set_kinematic(body, false).is_ok(),
                    2 => world.kick_body(body, 0.1 * place, place).is_ok(),
                    3 => world.set_body_velocity(body, place, Vec3::X).is_ok(),
                    4 => {
                        let rotation = Quat::from_rotation_x(1.0);
                        let position = place + Vec3::Y;
                        world.teleport_body(body, Pose { position, rotation }).is_ok()
                    }
                    _ => world.remove_body(body).is_ok(),
                });
            }
            20 if self.joins => {
                let (Some(a), Some(b)) = (self.pick(|pair| &pair.bodies), self.pick(|pair| &pair.bodies)) else {
                    return;
                };
                let place = self.place();
                self.both("join", |world| {
                    world
                        .join(a, Partner::Body(b), Joint::Ball(place), f32::INFINITY)
                        .is_ok()
                });
            }
            21 => {
                let count = [0, 1, 5, 60][self.random.below(4)];
                let new: Vec<_> = (0..count)
                    .map(|k| Passive {
                        position: self.place(),
                        velocity: Vec3::X,
                        lifetime: if k % 2 == 0 { 0.11 } else { f32::INFINITY },
                    })
                    .collect();
                self.both("add passive", |world| world.add_passive(&new).is_ok());
            }
            22 if self.random.below(4) == 0 => {
                self.both("clear passive", World::clear_passive);
            }
            23 => self.ask(),
            24 if self.random.below(3) == 0 => self.swap(),
            _ => {
                let frames = 1 + self.random.below(3);
                self.both("step", |world| (0..frames).for_each(|_| world.step(DT)));
            }
        }
    }

    fn ask(&mut self) {
        let ids = self.some_particles();
        self.both("chosen", |world| {
            let found = world.query(Chosen(ids.clone())).into_iter();
            found
                .map(|state| state.map(|state| state.phase))
                .collect::<Vec<Option<Phase>>>()
        });
        if let Some(group) = self.pick(|pair| &pair.groups) {
            self.both("group", |world| {
                let found = world.query(OfGroup(group)).into_iter();
                let mut ids: Vec<ParticleId> = found.map(|(id, _)| id).collect();
                ids.sort_unstable();
                ids
            });
        }
        self.both("everything", |world| {
            let mut ids = world.query(Everything).ids().to_vec();
            ids.sort_unstable();
            ids
        });
        self.both("everywhere", |world| world.query(ParticlesIn(Volume::Everywhere)));
        self.both("pick", |world| {
            let nearest = NearestParticle {
                point: Vec3::Y,
                within: 1e6,
            };
            let up = RayCast::new(9.0 * Vec3::Y, -Vec3::Y);
            (world.query(nearest).is_some(), world.query(up).is_some())
        });
        self.both("contacts", |world| {
            let _ = (
                world.particle_contacts(),
                world.collider_contacts(),
                world.collider_forces(),
            );
            let _ = (world.bodies().list.len(), world.constraints().len());
        });
    }

    /// Each goes on from the state of the other.
    fn swap(&mut self) {
        self.log.push("swap".to_owned());
        let states = [0, 1].map(|k| self.worlds[k].save());
        let engine = Box::new(GpuEngine::new(&self.gpu).expect("engine"));
        self.worlds = [
            World::restore(&states[1], Box::new(CpuEngine::with_threads(1))).expect("state"),
            World::restore(&states[0], engine).expect("state"),
        ];
    }

    fn check(&mut self) {
        self.both("look", |world| {
            let mut ids = world.particles().ids().to_vec();
            ids.sort_unstable();
            (world.particle_count(), ids)
        });
        self.both("look at passive ones", |world| {
            (world.passive_count(), world.passive().len())
        });
        self.both("look at rows", |world| world.constraints().ids().collect::<Vec<_>>());
        self.both("look at rest positions", |world| {
            let particles = world.particles();
            let rests = |slot: usize| (particles.ids()[slot], particles.rest_position(slot));
            let mut rests: Vec<_> = (0..particles.len()).map(rests).collect();
            rests.sort_unstable_by_key(|(id, _)| *id);
            rests
        });
        let fine = self.both("health", |world| {
            world.fault().is_none() && world.health().is_ok() && world.notice().is_none()
        });
        assert!(fine, "after {:?}", self.log);
    }
}

#[test]
fn whatever_is_done_both_engines_hand_out_and_find_the_same() {
    let Some(gpu) = crate::gpu() else { return };
    for seed in 0..24 {
        let mut pair = Pair::new(&gpu, seed);
        for step in 0..60 {
            pair.act();
            if step % 10 == 9 {
                pair.check();
            }
        }
        pair.check();
    }
}
