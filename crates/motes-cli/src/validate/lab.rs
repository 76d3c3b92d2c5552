//! The equipment of the experiments: small worlds, built in a few words.

use glam::{Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::{
    Collider, ColliderId, Group, GroupId, Material, MaterialId, ParticleId, Pose, Settings, Shape, World,
};

use super::EngineMaker;

/// Length of a frame, seconds.
pub(super) const DT: f32 = 1.0 / 60.0;

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
    pub(super) fn slippery_wall(&mut self, point: Vec3, normal: Vec3) -> ColliderId {
        self.of_material(Material::FRICTIONLESS, "wall", normal, point)
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

    pub(super) fn remove_above(&mut self, height: f32) {
        let particles = self.world.particles();
        let above: Vec<ParticleId> = particles
            .positions
            .iter()
            .zip(particles.ids())
            .filter(|(position, _)| position.y > height)
            .map(|(_, &id)| id)
            .collect();
        self.world.remove_particles(&above);
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
