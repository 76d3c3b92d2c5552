//! Collapse of a round column of grains when its tube is taken away (Lube et al. 2004), at several steps.

use glam::Vec3;
use motes_core::{Collider, Material, Pose, Settings};
use motes_geometry::vessels;

use super::lab::{Lab, RADIUS, at_any_step, mesh_shape, step};
use super::{Case, EngineMaker};

/// Radii of the tubes, metres. Where a column is low, the toe of single grains that the front leaves out is a fifth of the run-out with ten
/// grains to the radius, so that twenty are needed; a tall one runs so far that ten will do.
const WIDE: f32 = 2.0;
const NARROW: f32 = 1.0;

/// Grains that grip each other too well.
const LOCKED: Material = Material {
    static_friction: 2.0,
    kinetic_friction: 2.0,
    ..Material::FAST_SAND
};
/// Time after which the deposit is measured, seconds.
const RUNNING: f32 = 4.0;

pub(super) fn cases() -> Vec<Case> {
    let run_out = |name, source, measure, control| Case {
        name,
        source,
        reference: 1.0,
        band: [0.8, 1.2],
        unit: "",
        quick: false,
        measure,
        control_name: "friction 2, no turning",
        control,
    };
    vec![
        run_out(
            "grains/round column, aspect 0.7",
            "Lube 2004: run-out over 1.24 a, the furthest off at 2 x 4, 4 x 4 and 8 x 8",
            |engine| at_any_step(|settings| run_out_over_law(engine, settings, Material::SAND, [WIDE, 0.7])),
            |engine| run_out_over_law(engine, step([4, 4], RADIUS), LOCKED, [WIDE, 0.7]),
        ),
        run_out(
            "grains/round column, aspect 1",
            "Lube 2004: run-out over 1.24 a, the furthest off at 2 x 4, 4 x 4 and 8 x 8",
            |engine| at_any_step(|settings| run_out_over_law(engine, settings, Material::SAND, [WIDE, 1.0])),
            |engine| run_out_over_law(engine, step([4, 4], RADIUS), LOCKED, [WIDE, 1.0]),
        ),
        run_out(
            "grains/round column, aspect 4",
            "Lube 2004: run-out over 1.6 sqrt(a), the furthest off at 2 x 4, 4 x 4 and 8 x 8",
            |engine| at_any_step(|settings| run_out_over_law(engine, settings, Material::SAND, [NARROW, 4.0])),
            |engine| run_out_over_law(engine, step([4, 4], RADIUS), LOCKED, [NARROW, 4.0]),
        ),
        run_out(
            "grains/round column, half radius",
            "Lube 2004: run-out over 1.24 a at aspect 1 and half the radius, 4 x 4",
            |engine| run_out_over_law(engine, step([4, 4], 0.5 * RADIUS), Material::SAND, [WIDE, 1.0]),
            |engine| run_out_over_law(engine, step([4, 4], 0.5 * RADIUS), LOCKED, [WIDE, 1.0]),
        ),
    ]
}

/// Run-out (r∞ − r0)/r0 over that of Lube et al. for a column of that radius, metres, and height over radius.
fn run_out_over_law(engine: EngineMaker, settings: Settings, material: Material, [tube, aspect]: [f32; 2]) -> f64 {
    let law = if aspect < 1.7 {
        1.24 * aspect
    } else {
        1.6 * aspect.sqrt()
    };
    let radius = settings.particle_radius;
    let mut lab = Lab::new(engine, settings, material);
    lab.floor_of(Material::SAND.with_friction(1.0), Vec3::Y);
    // Filled higher than the column, because it settles; what then stands above is taken off.
    let fill = 1.25 * aspect * tube + 2.0 * radius;
    let walls = vessels::tube(tube + 2.0 * radius, 2.0 * fill, 2.0 * radius, 96);
    let slippery = lab.world.add_material(Material::FRICTIONLESS).expect("material");
    let walls = Collider::new("tube", mesh_shape(&walls), slippery, Pose::IDENTITY);
    let walls = lab.world.add_collider(walls).expect("collider");
    lab.rain([2.0 * tube, fill], 0, |site| site.x.hypot(site.z) < tube - 1.3 * radius);
    lab.remove_above(aspect * tube);
    lab.world.remove_collider(walls).expect("tube");
    lab.run(RUNNING);
    let front = front(&lab.positions(), radius);
    f64::from((front - tube) / tube / law)
}

/// Where the deposit thins out to half a layer of grains: between the middles of two rings, a grain wide.
fn front(positions: &[Vec3], radius: f32) -> f32 {
    let width = 2.0 * radius;
    let mut counts = vec![0f32; 400];
    for position in positions {
        if let Some(count) = counts.get_mut((position.x.hypot(position.z) / width) as usize) {
            *count += 1.0;
        }
    }
    // Of a layer of grains in squares, in a ring whose area is 2k + 1 times that of the innermost.
    let layers = |ring: usize| counts[ring] / ((2 * ring + 1) as f32 * std::f32::consts::PI);
    let beyond = (1..counts.len())
        .find(|&ring| layers(ring) < 0.5)
        .unwrap_or(counts.len() - 1);
    let (inner, outer) = (layers(beyond - 1), layers(beyond));
    width * (beyond as f32 - 0.5 + ((inner - 0.5) / (inner - outer).max(1e-6)).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_of_a_flat_disc_is_its_rim() {
        let mut positions = Vec::new();
        for x in -30..=30 {
            for z in -30..=30 {
                let place = 0.1 * Vec3::new(x as f32, 0.5, z as f32);
                if place.x.hypot(place.z) < 2.0 {
                    positions.push(place);
                }
            }
        }
        let front = front(&positions, 0.05);
        assert!((front - 2.0).abs() < 0.1, "{front}");
    }
}
