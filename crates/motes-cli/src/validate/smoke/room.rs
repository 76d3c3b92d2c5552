//! A closed room full of air, with a hearth in the middle of its floor.

use glam::{Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::random::Random;
use motes_core::{Collider, Group, HeatZone, Material, Passive, Pose, Smoke, Volume, World};

use super::super::EngineMaker;
use super::super::lab::{DT, RADIUS, step};
use super::super::liquids::crowd::Crowd;
use super::super::liquids::tank::block;

/// Particles along each side and in height.
const SIDE: usize = 8;
const HEIGHT: usize = 10;
const MARKERS: usize = 2000;

pub(super) struct Room {
    /// Layers of gas that are put into it.
    pub(super) layers: usize,
    pub(super) has_lid: bool,
}

/// What is found of it.
pub(super) struct Found {
    /// Volume of the gas over that of the room.
    pub(super) volume: f64,
    /// Markers inside over those at the start.
    pub(super) markers: f64,
}

impl Room {
    /// As full as it is.
    pub(super) fn heated() -> Self {
        Self {
            layers: HEIGHT,
            has_lid: true,
        }
    }

    pub(super) fn run(&self, engine: EngineMaker, seconds: f32) -> Found {
        let settings = step([2, 4], RADIUS);
        let mut world = World::with_engine(settings.clone(), engine()).expect("settings of an experiment");
        let size = 2.0 * RADIUS * Vec3::new(SIDE as f32, HEIGHT as f32, SIDE as f32);
        self.walls(&mut world, size);
        let air = world
            .add_material(Material {
                cooling: 0.3,
                ..Material::AIR
            })
            .expect("material");
        let group = world.add_group(Group::gas("air", air)).expect("group");
        // What is too much is pressed in from the start.
        let pressed = HEIGHT as f32 / self.layers as f32;
        let places = block([SIDE, self.layers, SIDE], 2.0 * RADIUS, Vec3::ZERO);
        let places: Vec<Vec3> = places
            .into_iter()
            .map(|place| place * Vec3::new(1.0, pressed, 1.0))
            .collect();
        world.add_particles(group, &places, Vec3::ZERO).expect("air");
        let hearth = Volume::Sphere {
            center: Vec3::new(0.5 * size.x, 0.0, 0.5 * size.z),
            radius: 0.25,
        };
        let zone = HeatZone {
            volume: hearth,
            temperature: 200.0.into(),
        };
        world.set_heat_zones(vec![zone]).expect("zone");
        world.set_smoke(Some(Smoke::of(&settings))).expect("smoke");
        let mut random = Random::new(1, 0);
        let marker = |_| Passive {
            position: size * Vec3::new(random.unit(), random.unit(), random.unit()),
            velocity: Vec3::ZERO,
            lifetime: f32::INFINITY,
        };
        world
            .add_smoke(&(0..MARKERS).map(marker).collect::<Vec<_>>())
            .expect("markers");
        for _ in 0..(seconds / DT).round() as usize {
            world.step(DT);
        }
        Found {
            volume: volume(&world, size),
            markers: markers(&world, size),
        }
    }

    fn walls(&self, world: &mut World, size: Vec3) {
        let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
        let mut wall = |normal: Vec3, offset: f32| {
            let plane = Plane::new(normal, offset).expect("normal");
            let collider = Collider::new("wall", plane.into(), smooth, Pose::IDENTITY);
            world.add_collider(collider).expect("collider");
        };
        for (axis, size) in Vec3::AXES.into_iter().zip(size.to_array()) {
            wall(axis, 0.0);
            if axis != Vec3::Y || self.has_lid {
                wall(-axis, -size);
            }
        }
    }
}

/// What the particles take up by how dense it is about each, over the room.
fn volume(world: &World, size: Vec3) -> f64 {
    let settings = world.settings();
    let places: Vec<Vec3> = world.particles().positions.iter().map(|place| place.xyz()).collect();
    let cube = f64::from(settings.contact_distance().powi(3));
    let crowd = Crowd::new(
        places,
        settings.contact_distance(),
        settings.smoothing_radius,
        settings.liquids,
    );
    let all: f64 = crowd.errors(size).map(|error| cube / f64::from(1.0 + error)).sum();
    all / f64::from(size.element_product())
}

fn markers(world: &World, size: Vec3) -> f64 {
    let is_inside = |place: Vec3| place.min_element() >= -1e-3 && (place - size).max_element() <= 1e-3;
    let inside = { world.passive().positions().iter() }.filter(|place| is_inside(place.xyz()));
    inside.count() as f64 / MARKERS as f64
}
