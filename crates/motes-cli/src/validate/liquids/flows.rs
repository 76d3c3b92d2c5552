//! Viscosity: flow in a gap decays as `exp(-ν k² t)`, between walls that it sticks to and in a free layer.

use std::f32::consts::PI;

use glam::{Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::{Collider, Group, Material, Pose, Settings, World};

use super::super::lab::{DT, furthest_from_one, step};
use super::super::{Case, EngineMaker};
use super::tank::{IDEAL, block};

const RADIUS: f32 = 0.02;
/// Width of the gap, particles.
const WIDTH: usize = 12;

pub(super) fn cases() -> Vec<Case> {
    let case = |name, source, measure, control| Case {
        name,
        source,
        reference: 1.0,
        band: [0.9, 1.1],
        unit: "",
        quick: false,
        measure,
        control_name: "a third thicker",
        control,
    };
    vec![
        case(
            "liquids/viscosity between walls",
            "exact: rate at which a sine between walls decays, the furthest off of 0.01 and 0.1 m^2/s, three steps",
            |engine| any(engine, true, 1.0),
            |engine| decay(engine, [4, 4], 0.1, true, 1.33),
        ),
        case(
            "liquids/viscosity in a free layer",
            "exact: the same of a cosine across a layer",
            |engine| any(engine, false, 1.0),
            |engine| decay(engine, [4, 4], 0.1, false, 1.33),
        ),
    ]
}

fn any(engine: EngineMaker, walls: bool, thicker: f32) -> f64 {
    let steps = [[2, 4], [4, 4], [8, 8]];
    let all = steps
        .into_iter()
        .flat_map(|numbers| [0.01, 0.1].map(|kinematic| (numbers, kinematic)));
    furthest_from_one(all.map(|(numbers, kinematic)| decay(engine, numbers, kinematic, walls, thicker)))
}

/// Rate at which flow along z decays over that of a kinematic viscosity, m²/s.
fn decay(engine: EngineMaker, numbers: [u32; 2], kinematic: f32, walls: bool, thicker: f32) -> f64 {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..step(numbers, RADIUS)
    };
    let diameter = settings.contact_distance();
    let width = WIDTH as f32 * diameter;
    let mut world = World::with_engine(settings, engine()).expect("settings of an experiment");
    let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
    for (normal, offset) in [(Vec3::X, 0.0), (Vec3::NEG_X, -width)] {
        let plane = Plane::new(normal, offset).expect("normal");
        if walls {
            let wall = Collider::new("wall", plane.into(), smooth, Pose::IDENTITY);
            world.add_collider(wall).expect("wall");
        }
    }
    let material = Material {
        viscosity: thicker * kinematic * IDEAL.density,
        ..IDEAL
    };
    let material = world.add_material(material).expect("material");
    let oil = world.add_group(Group::fluid("oil", material)).expect("group");
    let places = block([WIDTH, 6, WIDTH], diameter, Vec3::ZERO);
    let ids = world.add_particles(oil, &places, Vec3::ZERO).expect("oil");
    let wave = PI / width;
    let shape = |x: f32| if walls { (wave * x).sin() } else { (wave * x).cos() };
    let velocities: Vec<_> = { ids.iter().zip(&places) }
        .map(|(&id, place)| (id, 0.1 * shape(place.x) * Vec3::Z))
        .collect();
    world.set_velocities(&velocities).expect("alive");
    let amplitude = |world: &World| -> f64 {
        let particles = world.particles();
        { particles.positions.iter().zip(&particles.velocities) }
            .map(|(place, velocity)| f64::from(shape(place.x) * velocity.xyz().z))
            .sum()
    };
    let (before, rate) = (amplitude(&world), kinematic * wave * wave);
    let frames = (20.0 / rate).clamp(6.0, 24.0).round();
    (0..frames as u32).for_each(|_| world.step(DT));
    (before / amplitude(&world)).ln() / f64::from(frames * DT * rate)
}
