//! A thin cup full of water that is moved, tilted and stopped: nothing may go through its wall.

use std::collections::HashMap;

use glam::{Quat, Vec3, Vec4Swizzles};
use motes_core::colliders::Plane;
use motes_core::{Collider, Group, Material, Pose, World};
use motes_geometry::{Mesh, vessels};

use super::super::lab::{DT, mesh_shape, step};
use super::super::{Case, EngineMaker};
use super::tank::block;

/// Radius of the particles, and outer radius, height and thickness of the cup, metres.
const RADIUS: f32 = 0.01;
const CUP: [f32; 3] = [0.16, 0.3, 0.004];
/// Speed, m/s, and how long it goes, seconds.
const SPEED: f32 = 1.0;
const GOING: f32 = 1.0;
/// Angle to which it is tilted on its way, radians.
const TILT: f32 = std::f32::consts::FRAC_PI_6;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "liquids/a cup does not leak",
        source: "particles through a wall of 0.4 radii in 10 s: moved at 1 m/s, tilted by 30 degrees, stopped; 2 x 4",
        reference: 0.0,
        band: [0.0, 0.0],
        unit: "",
        quick: false,
        measure: |engine| leaked(engine, &vessels::cup(CUP[0], CUP[1], CUP[2], 64)),
        control_name: "without a floor",
        control: |engine| leaked(engine, &vessels::tube(CUP[0], CUP[1], CUP[2], 64)),
    }]
}

/// Where the cup is at a time, seconds.
fn pose(time: f32) -> Pose {
    let part = (time / GOING).clamp(0.0, 1.0);
    Pose {
        position: Vec3::new(SPEED * GOING * part, 0.5, 0.0),
        rotation: Quat::from_rotation_z(-TILT * part),
    }
}

fn leaked(engine: EngineMaker, cup: &Mesh) -> f64 {
    let mut world = World::with_engine(step([2, 4], RADIUS), engine()).expect("settings of an experiment");
    let smooth = world.add_material(Material::FRICTIONLESS).expect("material");
    let floor = Plane::new(Vec3::Y, 0.0).expect("normal");
    let floor = Collider::new("floor", floor.into(), smooth, Pose::IDENTITY);
    world.add_collider(floor).expect("floor");
    let cup = Collider::new("cup", mesh_shape(cup), smooth, pose(0.0));
    let cup = world.add_collider(cup).expect("cup");
    let material = world.add_material(Material::WATER).expect("material");
    let water = world.add_group(Group::fluid("water", material)).expect("group");
    let (inside, diameter) = (CUP[0] - CUP[2] - RADIUS, 2.0 * RADIUS);
    let floor = pose(0.0).position.y + CUP[2];
    let corner = Vec3::new(-8.0 * diameter, floor, -8.0 * diameter);
    let places: Vec<Vec3> = { block([16, 14, 16], diameter, corner).into_iter() }
        .filter(|place| place.x.hypot(place.z) <= inside)
        .collect();
    world.add_particles(water, &places, Vec3::ZERO).expect("water");
    // Heights at which particles were seen inside last, over the floor of the cup.
    let mut last: HashMap<u32, f32> = HashMap::new();
    let mut through = 0;
    for frame in 1..=(10.0 / DT) as u32 {
        let now = pose(frame as f32 * DT);
        world.move_collider(cup, now).expect("cup");
        world.step(DT);
        let particles = world.particles();
        for (id, place) in particles.ids().iter().zip(&particles.positions) {
            let local = now.local_point(place.xyz());
            if local.x.hypot(local.z) < CUP[0] && (0.0..CUP[1]).contains(&local.y) {
                last.insert(id.index, local.y);
            } else if last
                .remove(&id.index)
                .is_some_and(|height| height < CUP[1] - 3.0 * diameter)
            {
                // What leaves over the rim is seen near it first.
                through += 1;
            }
        }
    }
    f64::from(through)
}
