//! Liquids on cloth and in sand.

#[path = "common/sheet.rs"]
#[allow(dead_code)]
mod sheet;
#[path = "common/tank.rs"]
mod tank;

use motes_core::glam::Vec3;
use motes_core::particles::phase::Phase;
use motes_core::{Group, Material, World};
use sheet::{PITCH, sheet};
use tank::{IDEAL, block, fastest, liquid, run, settings, tank};

const RADIUS: f32 = sheet::RADIUS;
const DIAMETER: f32 = 2.0 * RADIUS;

#[test]
fn cloth_that_is_held_at_its_rim_holds_water() {
    let side = 28;
    let mut world = World::new(settings(RADIUS, [4, 4])).expect("settings");
    let (_, ids) = sheet(&mut world, side, None);
    let on_rim = |i: usize| [i % side, i / side].iter().any(|&k| k == 0 || k == side - 1);
    let pins: Vec<_> = { ids.iter().enumerate() }
        .filter(|&(i, _)| on_rim(i))
        .map(|(_, &id)| (id, 0.0))
        .collect();
    world.set_inverse_masses(&pins).expect("alive");
    let water = liquid(&mut world, "water", IDEAL);
    let middle = 0.5 * side as f32 * PITCH;
    let corner = Vec3::new(middle - 3.0 * DIAMETER, 1.5 * DIAMETER, middle - 3.0 * DIAMETER);
    let drops = world
        .add_particles(water, &block([6, 4, 6], DIAMETER, corner), Vec3::ZERO)
        .expect("water");
    run(&mut world, 2.0);
    let lowest = { ids.iter() }
        .filter_map(|&id| world.particles().slot(id))
        .map(|slot| world.particles().positions[slot].y)
        .fold(f32::MAX, f32::min);
    let held = { drops.iter() }
        .filter_map(|&id| world.particles().slot(id))
        .filter(|&slot| world.particles().positions[slot].y > lowest)
        .count();
    let through = { drops.iter() }
        .filter_map(|&id| world.particles().slot(id))
        .map(|slot| world.particles().positions[slot])
        .filter(|at| at.y < lowest - DIAMETER && at.x.min(at.z) > 0.0 && at.x.max(at.z) < 2.0 * middle)
        .count();
    assert!(lowest < -0.2 * DIAMETER, "it sags under the water, to {lowest} m");
    assert!(held > 40, "{held} drops lie on it");
    assert_eq!(through, 0, "of {} drops; others ran off over the rim", drops.len());
}

#[test]
fn sand_sinks_in_water_and_comes_to_rest() {
    for steps in [[2, 4], [4, 4]] {
        let mut world = tank(settings(RADIUS, steps), [8, 8]);
        let water = liquid(&mut world, "water", IDEAL);
        let grains = world.add_material(Material::FAST_SAND).expect("material");
        let sand = world.add_group(Group::grains("sand", grains)).expect("group");
        world
            .add_particles(water, &block([8, 6, 8], DIAMETER, Vec3::ZERO), Vec3::ZERO)
            .expect("water");
        let above = Vec3::new(2.0, 6.5, 2.0) * DIAMETER;
        world
            .add_particles(sand, &block([4, 3, 4], DIAMETER, above), Vec3::ZERO)
            .expect("sand");
        run(&mut world, 4.0);
        let particles = world.particles();
        let mean = |liquid: bool| {
            let heights: Vec<f32> = { particles.positions.iter().zip(&particles.phases) }
                .filter(|(_, phase)| phase.has(Phase::FLUID) == liquid)
                .map(|(position, _)| position.y)
                .collect();
            heights.iter().sum::<f32>() / heights.len() as f32
        };
        assert!(
            mean(false) < 0.8 * mean(true),
            "{steps:?}: {} m, water {} m",
            mean(false),
            mean(true)
        );
        assert!(fastest(&world) < 0.5, "{steps:?}: {} m/s", fastest(&world));
    }
}
