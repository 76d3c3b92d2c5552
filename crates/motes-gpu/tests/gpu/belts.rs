//! Surfaces that run along themselves: the same on both engines.

use motes_core::colliders::{Capsule, Plane};
use motes_core::glam::{Quat, Vec3, Vec4};
use motes_core::{Collider, CpuEngine, Engine, Group, Material, Pose, Settings, Shape, SurfaceMotion, Switch, World};
use motes_gpu::GpuEngine;

use crate::block::block;

const DT: f32 = 1.0 / 60.0;

/// Grains that turn and a block on a sloping belt that stops after a while, beside a roller.
pub(crate) fn build(engine: Box<dyn Engine>) -> World {
    let mut world = World::with_engine(Settings::default(), engine).expect("settings");
    let sand = world.add_material(Material::FAST_SAND).expect("material");
    let marble = Material::GLASS.with_friction(0.4).with_rolling_resistance(0.02);
    let marble = world.add_material(marble).expect("material");
    let slope = Pose {
        position: Vec3::ZERO,
        rotation: Quat::from_rotation_z(0.2),
    };
    let plane: Shape = Plane::new(Vec3::Y, 0.0).expect("plane").into();
    let belt = Collider::new("belt", plane, sand, slope).running(SurfaceMotion::straight(Vec3::new(1.0, 0.0, 0.4)));
    let belt = world.add_collider(belt).expect("belt");
    world.switch_at(0.6, Switch::Surface(belt), false).expect("belt");
    let roller: Shape = Capsule::new(1.0, 0.2).expect("capsule").into();
    let lying = Pose {
        position: Vec3::new(-0.6, 0.15, 0.0),
        rotation: Quat::from_rotation_x(1.5),
    };
    let spin = SurfaceMotion::about(-5.0 * Vec3::Y);
    let roller = Collider::new("roller", roller, sand, lying).running(spin);
    world.add_collider(roller).expect("roller");
    for (material, x) in [(sand, 0.0), (marble, 0.7)] {
        let group = world.add_group(Group::grains("grains", material)).expect("group");
        let place = |i: usize| Vec3::new(x + 0.13 * (i % 4) as f32, 0.35, 0.13 * (i / 4) as f32);
        let places: Vec<Vec3> = (0..16).map(place).collect();
        world.add_particles(group, &places, Vec3::ZERO).expect("grains");
    }
    let new = block(&mut world, [3, 3, 3], Pose::at(Vec3::new(-0.2, 0.25, -0.8)));
    world.add_body(new).expect("body");
    world
}

#[test]
fn belts_and_rollers_draw_alike_on_both_engines() {
    let Some(gpu) = crate::gpu() else { return };
    let engines: [Box<dyn Engine>; 2] = [
        Box::new(CpuEngine::new()),
        Box::new(GpuEngine::new(&gpu).expect("engine")),
    ];
    let [first, second] = engines.map(|engine| ran(build(engine)));
    let apart: Vec<f32> = { first.iter().zip(&second) }.map(|(a, b)| a.distance(*b)).collect();
    assert!(apart.iter().all(|&apart| apart < 2e-3), "{apart:?} m");
    let mut still = build(Box::new(CpuEngine::new()));
    let belts: Vec<_> = still.colliders().map(|(id, _, _)| id).collect();
    for belt in belts {
        still.switch_surface(belt, false).expect("belt");
    }
    let still = ran(still);
    let drawn = first.iter().zip(&still).filter(|(a, b)| a.distance(**b) > 0.02).count();
    assert!(drawn > first.len() / 2, "{drawn} of {}", first.len());
}

/// Where all particles are after 0.7 s, in order of id.
fn ran(mut world: World) -> Vec<Vec4> {
    (0..42).for_each(|_| world.step(DT));
    world.health().expect("finite");
    let particles = world.particles();
    let mut found: Vec<_> = particles.ids().iter().zip(&particles.positions).collect();
    found.sort_by_key(|(id, _)| **id);
    found.into_iter().map(|(_, place)| *place).collect()
}
