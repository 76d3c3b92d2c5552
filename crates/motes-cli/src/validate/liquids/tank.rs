//! Tanks with smooth walls, as many particles long, high and deep as is said.

use glam::{Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::{Collider, ColliderId, Group, GroupId, Material, ParticleId, Pose, Settings, World};

use super::super::EngineMaker;
use super::super::lab::DT;
use super::crowd::Crowd;

/// Water without any drag.
pub(super) const IDEAL: Material = Material {
    density: 1000.0,
    ..Material::FRICTIONLESS
};

/// A tank that is open above, with its corner in the origin.
pub(super) struct Tank {
    pub(super) world: World,
    pub(super) floor: ColliderId,
    pub(super) diameter: f32,
    /// Length and depth, in diameters.
    sides: [usize; 2],
}

impl Tank {
    pub(super) fn new(engine: EngineMaker, settings: Settings, sides: [usize; 2]) -> Self {
        let diameter = settings.contact_distance();
        let mut world = World::with_engine(settings, engine()).expect("settings of an experiment");
        let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
        let mut wall = |normal: Vec3, offset: f32| {
            let plane = Plane::new(normal, offset).expect("normal");
            let collider = Collider::new("wall", plane.into(), smooth, Pose::IDENTITY);
            world.add_collider(collider).expect("collider")
        };
        let floor = wall(Vec3::Y, 0.0);
        let [length, depth] = sides.map(|side| side as f32 * diameter);
        wall(Vec3::X, 0.0);
        wall(Vec3::NEG_X, -length);
        wall(Vec3::Z, 0.0);
        wall(Vec3::NEG_Z, -depth);
        Self {
            world,
            floor,
            diameter,
            sides,
        }
    }

    pub(super) fn lid(&mut self, height: f32) {
        let smooth = self.world.add_material(Material::FRICTIONLESS).expect("material");
        let plane = Plane::new(Vec3::NEG_Y, -height).expect("normal");
        let lid = Collider::new("lid", plane.into(), smooth, Pose::IDENTITY);
        self.world.add_collider(lid).expect("collider");
    }

    pub(super) fn liquid(&mut self, material: Material) -> GroupId {
        let material = self.world.add_material(material).expect("material");
        self.world.add_group(Group::fluid("liquid", material)).expect("group")
    }

    /// Fills so many particles of length and height, over the whole depth, from a height on.
    pub(super) fn fill(&mut self, group: GroupId, [length, height]: [usize; 2], from: usize) -> Vec<ParticleId> {
        let corner = Vec3::Y * from as f32 * self.diameter;
        let places = block([length, height, self.sides[1]], self.diameter, corner);
        self.world.add_particles(group, &places, Vec3::ZERO).expect("liquid")
    }

    pub(super) fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / DT).round() as usize {
            self.world.step(DT);
        }
    }

    pub(super) fn positions(&self) -> Vec<Vec3> {
        self.world
            .particles()
            .positions
            .iter()
            .map(|place| place.xyz())
            .collect()
    }

    pub(super) fn mean_height(&self, group: GroupId) -> f32 {
        let particles = self.world.particles();
        let heights = { particles.positions.iter().zip(&particles.phases) }
            .filter(|(_, phase)| phase.group() == group.index())
            .map(|(place, _)| f64::from(place.y));
        let (sum, count) = heights.fold((0.0, 0), |(sum, count), height| (sum + height, count + 1));
        (sum / f64::from(count)) as f32
    }

    /// Mean and largest part by which the liquid is too dense.
    pub(super) fn excess(&self) -> [f64; 2] {
        let far = Vec3::new(self.sides[0] as f32, f32::MAX, self.sides[1] as f32)
            * Vec3::new(self.diameter, 1.0, self.diameter);
        let settings = self.world.settings();
        let crowd = Crowd::new(
            self.positions(),
            self.diameter,
            settings.smoothing_radius,
            settings.liquids,
        );
        let errors: Vec<f64> = crowd.errors(far).map(|error| f64::from(error.max(0.0))).collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        [mean, errors.into_iter().fold(0.0, f64::max)]
    }

    /// Root mean square of all speeds, m/s.
    pub(super) fn mean_speed(&self) -> f64 {
        let velocities = &self.world.particles().velocities;
        let squares: f64 = velocities.iter().map(|v| f64::from(v.xyz().length_squared())).sum();
        (squares / velocities.len() as f64).sqrt()
    }
}

/// Places of a block of so many particles, a spacing apart, from a corner on.
pub(in crate::validate) fn block(counts: [usize; 3], spacing: f32, corner: Vec3) -> Vec<Vec3> {
    let mut places = Vec::new();
    for x in 0..counts[0] {
        for y in 0..counts[1] {
            for z in 0..counts[2] {
                places.push(corner + spacing * (Vec3::new(x as f32, y as f32, z as f32) + 0.5));
            }
        }
    }
    places
}
