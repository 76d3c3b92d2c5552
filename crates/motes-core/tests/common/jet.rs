//! A thin stream that is poured slowly, for tests.

use motes_core::glam::Quat;
use motes_core::{Emitter, EmitterShape, Engine, Group, Material, Phase, Pose, Settings, World};

pub(crate) const DT: f32 = 1.0 / 60.0;
const SPEED: f32 = 0.3;
const RADIUS: f32 = 0.001;

/// Particles, one after the other, fall from the origin for half a second and touch nobody; how long each has been falling, by the way it has
/// come and by its speed, over the seconds between two of them. The oldest come first.
pub(crate) fn ages(engine: Box<dyn Engine>, substeps: u32) -> Vec<[f32; 2]> {
    let settings = Settings {
        particle_radius: RADIUS,
        substeps,
        ..Settings::default()
    };
    let gravity = -settings.gravity.y;
    let mut world = World::with_engine(settings, engine).expect("settings");
    let water = world.add_material(Material::FRICTIONLESS).expect("material");
    let stream = Group {
        flags: Group::grains("stream", water).flags & !Phase::SELF_COLLIDE,
        ..Group::grains("stream", water)
    };
    let group = world.add_group(stream).expect("group");
    let down = Pose {
        rotation: Quat::from_rotation_x(std::f32::consts::PI),
        ..Pose::IDENTITY
    };
    let emitter = Emitter {
        pose: down,
        speed: SPEED,
        ..Emitter::new("spout", group, EmitterShape::Disc { radius: RADIUS })
    };
    let apart = 2.0 * 1.05 * RADIUS / SPEED;
    world.add_emitter(emitter).expect("emitter");
    (0..30).for_each(|_| world.step(DT));
    // Velocities are half a sub-step behind the positions.
    let behind = 0.5 * DT / substeps as f32;
    let particles = world.particles();
    let each = particles.positions.iter().zip(&particles.velocities);
    let mut ages: Vec<[f32; 2]> = each
        .map(|(position, velocity)| {
            // Where it starts is a little below the opening, as it is chosen for each column.
            let way = -position.y;
            let by_way = ((SPEED * SPEED + 2.0 * gravity * way).sqrt() - SPEED) / gravity;
            let by_speed = (-velocity.y - SPEED) / gravity + behind;
            [by_way / apart, by_speed / apart]
        })
        .collect();
    ages.sort_by(|a, b| b[0].total_cmp(&a[0]));
    ages
}

/// Those that leave the opening evenly stay as old as they are, and the jet has no layers.
pub(crate) fn assert_even(ages: &[[f32; 2]]) {
    assert!(ages.len() > 60, "{} particles", ages.len());
    for (number, pair) in ages.windows(2).enumerate() {
        for (older, younger) in pair[0].iter().zip(pair[1]) {
            let gap = older - younger;
            assert!((gap - 1.0).abs() < 0.05, "between {number} and the next: {gap}");
        }
    }
}
