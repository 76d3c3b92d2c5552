//! The equipment of the experiments: small worlds, built in a few words.

use std::f32::consts::PI;

use glam::{Vec3, Vec4Swizzles};
use motes_core::colliders::{Plane, TriangleMesh};
use motes_core::random::Random;
use motes_core::{
    Collider, ColliderId, Group, GroupId, Material, MaterialId, ParticleId, Pose, Settings, Shape, World,
};
use motes_geometry::Mesh;

use super::EngineMaker;

/// Length of a frame, seconds.
pub(super) const DT: f32 = 1.0 / 60.0;

/// Sub-steps and iterations at which a claim about any step is measured.
const STEPS: [[u32; 2]; 3] = [[2, 4], [4, 4], [8, 8]];

/// Radius of the grains that most experiments are made with, metres.
pub(super) const RADIUS: f32 = 0.05;

/// Settings with so many sub-steps and iterations, and grains of that radius.
pub(super) fn step([substeps, iterations]: [u32; 2], particle_radius: f32) -> Settings {
    Settings {
        substeps,
        iterations,
        particle_radius,
        ..Settings::default()
    }
}

/// A ratio that should be 1, where it is furthest from that at any step.
pub(super) fn at_any_step(measure: impl Fn(Settings) -> f64) -> f64 {
    furthest_from_one(STEPS.map(|numbers| measure(step(numbers, RADIUS))))
}

/// The same, and of an experiment of half the size: a sub-step is longer for what is smaller.
pub(super) fn at_any_step_and_size(measure: impl Fn(Settings) -> f64) -> f64 {
    furthest_from_one([at_any_step(&measure), measure(step([4, 4], 0.5 * RADIUS))])
}

/// The ratio that is furthest from 1, either way.
pub(super) fn furthest_from_one(ratios: impl IntoIterator<Item = f64>) -> f64 {
    let distance = |ratio: f64| (ratio - 1.0).abs();
    ratios
        .into_iter()
        .reduce(|worst, ratio| {
            if distance(ratio) > distance(worst) {
                ratio
            } else {
                worst
            }
        })
        .unwrap_or(f64::NAN)
}

/// Distance of grains in a layer, in diameters: they do not touch, and fall into no order. Balls on top of each other would stand.
const LOOSE: f32 = 1.25;
/// Share of space that grains fill when they lie.
const PACKED: f32 = 0.6;

/// Places of a square layer of grains, about so far apart.
fn loose_layer(width: f32, height: f32, spacing: f32, seed: u64) -> Vec<Vec3> {
    let mut random = Random::new(5, seed);
    let count = (width / spacing) as usize;
    let corner = Vec3::new(-0.5 * count as f32, 0.0, -0.5 * count as f32);
    let site = |place: usize| {
        let jitter = 0.096 * Vec3::new(random.signed(), random.signed(), random.signed());
        let cell = Vec3::new((place % count) as f32 + 0.5, 0.0, (place / count) as f32 + 0.5);
        Vec3::Y * height + spacing * (corner + cell + jitter)
    };
    (0..count * count).map(site).collect()
}

/// A mesh as the shape of a collider.
pub(super) fn mesh_shape(mesh: &Mesh) -> Shape {
    let mesh = TriangleMesh::new(mesh.positions.clone(), mesh.triangles.clone()).expect("mesh of an experiment");
    Shape::TriangleMesh(mesh.into())
}

/// Settings for experiments with deep layers of grains: fine enough that their weight is carried without giving way.
pub(super) fn fine() -> Settings {
    Settings {
        substeps: 4,
        iterations: 8,
        ..Settings::default()
    }
}

/// A world with one material and one group of grains. Nothing put into it here can be refused.
pub(super) struct Lab {
    pub(super) world: World,
    pub(super) material: MaterialId,
    pub(super) group: GroupId,
}

impl Lab {
    pub(super) fn new(engine: EngineMaker, settings: Settings, material: Material) -> Self {
        let mut world = World::with_engine(settings, engine()).expect("settings of an experiment");
        let material = world.add_material(material).expect("material of an experiment");
        let group = world.add_group(Group::grains("grains", material)).expect("group");
        Self { world, material, group }
    }

    pub(super) fn floor(&mut self, normal: Vec3) -> ColliderId {
        self.collider(
            "floor",
            Shape::Plane(Plane::new(normal, 0.0).expect("normal")),
            Pose::IDENTITY,
        )
    }

    /// A floor of another material than the grains.
    pub(super) fn floor_of(&mut self, material: Material, normal: Vec3) -> ColliderId {
        self.of_material(material, "floor", normal, Vec3::ZERO)
    }

    pub(super) fn wall(&mut self, point: Vec3, normal: Vec3) -> ColliderId {
        self.collider(
            "wall",
            Shape::Plane(Plane::new(normal, 0.0).expect("normal")),
            Pose::at(point),
        )
    }

    /// A wall of another material than the grains.
    pub(super) fn wall_of(&mut self, material: Material, point: Vec3, normal: Vec3) -> ColliderId {
        self.of_material(material, "wall", normal, point)
    }

    pub(super) fn slippery_wall(&mut self, point: Vec3, normal: Vec3) -> ColliderId {
        self.wall_of(Material::FRICTIONLESS, point, normal)
    }

    fn of_material(&mut self, material: Material, name: &str, normal: Vec3, point: Vec3) -> ColliderId {
        let shape = Shape::Plane(Plane::new(normal, 0.0).expect("normal"));
        let material = self.world.add_material(material).expect("material");
        let collider = Collider::new(name, shape, material, Pose::at(point));
        self.world.add_collider(collider).expect("collider")
    }

    fn collider(&mut self, name: &str, shape: Shape, pose: Pose) -> ColliderId {
        self.world
            .add_collider(Collider::new(name, shape, self.material, pose))
            .expect("collider")
    }

    pub(super) fn add(&mut self, positions: &[Vec3], velocity: Vec3) -> Vec<ParticleId> {
        self.world
            .add_particles(self.group, positions, velocity)
            .expect("particles")
    }

    /// Rains grains into a vessel of that width around the y axis, layer by layer from just above those before, to about that height
    /// once they lie; where `inside` says so. Another seed places them otherwise. A vessel filled at once would be stamped down by what falls furthest.
    pub(super) fn rain(&mut self, [width, height]: [f32; 2], seed: u64, inside: impl Fn(Vec3) -> bool) {
        let radius = self.world.settings().particle_radius;
        let spacing = LOOSE * 2.0 * radius;
        // What a layer comes to when it is packed.
        let thickness = PI / 6.0 * 2.0 * radius / (LOOSE * LOOSE * PACKED);
        for layer in 0..(height / thickness).ceil() as u64 {
            let top = self.positions().iter().map(|place| place.y).fold(0.0, f32::max);
            let sites = loose_layer(width, top + 2.0 * radius, spacing, 1000 * seed + layer);
            let sites: Vec<Vec3> = sites.into_iter().filter(|site| inside(*site)).collect();
            self.add(&sites, Vec3::ZERO);
            self.run(0.1);
        }
        self.run(1.0);
    }

    pub(super) fn remove_above(&mut self, height: f32) {
        self.remove_where(|position| position.y > height);
    }

    pub(super) fn remove_below(&mut self, height: f32) {
        self.remove_where(|position| position.y < height);
    }

    fn remove_where(&mut self, unwanted: impl Fn(Vec3) -> bool) {
        let particles = self.world.particles();
        let unwanted: Vec<ParticleId> = particles
            .positions
            .iter()
            .zip(particles.ids())
            .filter(|(position, _)| unwanted(position.xyz()))
            .map(|(_, &id)| id)
            .collect();
        self.world.remove_particles(&unwanted);
    }

    /// Has grains that close to the origin jump up at that speed, m/s.
    pub(super) fn lift_within(&mut self, distance: f32, speed: f32) {
        let particles = self.world.particles();
        let near = { particles.positions.iter() }
            .zip(particles.ids())
            .filter(|(position, _)| position.xyz().length() < distance);
        let lifted: Vec<(ParticleId, Vec3)> = near.map(|(_, &id)| (id, speed * Vec3::Y)).collect();
        self.world.set_velocities(&lifted).expect("alive");
    }

    pub(super) fn count_above(&mut self, height: f32) -> usize {
        let particles = self.world.particles();
        particles
            .positions
            .iter()
            .filter(|position| position.y > height)
            .count()
    }

    /// Force on a collider, averaged over the last frame, newtons.
    pub(super) fn force_on(&self, collider: ColliderId) -> Vec3 {
        let forces = self.world.collider_forces();
        forces
            .iter()
            .find(|force| force.collider == collider)
            .map_or(Vec3::ZERO, |force| force.force)
    }

    pub(super) fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / DT).round() as usize {
            self.world.step(DT);
        }
    }

    pub(super) fn position(&mut self, id: ParticleId) -> Vec3 {
        self.world.positions(&[id])[0].unwrap_or(Vec3::NAN)
    }

    pub(super) fn velocity(&mut self, id: ParticleId) -> Vec3 {
        self.world.velocities(&[id])[0].unwrap_or(Vec3::NAN)
    }

    /// All positions, in no particular order.
    pub(super) fn positions(&mut self) -> Vec<Vec3> {
        self.world.particles().positions.iter().map(|p| p.xyz()).collect()
    }

    /// Kinetic energy of all particles, joules.
    pub(super) fn kinetic_energy(&mut self) -> f64 {
        let particles = self.world.particles();
        particles
            .positions
            .iter()
            .zip(&particles.velocities)
            .filter(|(position, _)| position.w > 0.0)
            .map(|(position, velocity)| 0.5 * f64::from(velocity.xyz().length_squared() / position.w))
            .sum()
    }
}
