//! Collapse of a granular column between two walls, twice as high as it is wide (Lube et al. 2005, Lajeunesse et al. 2005).

use glam::Vec3;
use motes_core::Material;
use motes_core::random::Random;

use super::lab::{Lab, fine};
use super::{Case, EngineMaker};

const RADIUS: f32 = 0.05;
/// Initial width L0, metres: twenty grains.
const WIDTH: f32 = 2.0;
/// Distance between the side walls, metres: five grains.
const DEPTH: f32 = 0.515;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "grains/column run-out",
            source: "Lube 2005, Lajeunesse 2005: (L - L0)/L0 at aspect ratio 2",
            reference: 3.0,
            band: [2.4, 3.6],
            unit: "",
            quick: false,
            measure: |engine| collapse(engine, Material::SAND).0,
            control_name: "friction 2, no turning",
            control: |engine| collapse(engine, Material::FAST_SAND.with_friction(2.0)).0,
        },
        Case {
            name: "grains/column deposit height",
            source: "Lube 2005, Lajeunesse 2005: H/L0 at aspect ratio 2",
            reference: 1.2,
            band: [0.8, 1.7],
            unit: "",
            quick: false,
            measure: |engine| collapse(engine, Material::SAND).1,
            control_name: "no friction",
            control: |engine| collapse(engine, Material::FRICTIONLESS).1,
        },
    ]
}

/// Run-out over width, and height of the deposit at the back wall over width.
fn collapse(engine: EngineMaker, material: Material) -> (f64, f64) {
    let mut lab = Lab::new(engine, fine(), material);
    lab.floor_of(Material::SAND.with_friction(1.0), Vec3::Y);
    lab.slippery_wall(Vec3::ZERO, Vec3::X);
    lab.slippery_wall(Vec3::ZERO, Vec3::Z);
    lab.slippery_wall(Vec3::new(0.0, 0.0, DEPTH), Vec3::NEG_Z);
    let gate = lab.slippery_wall(Vec3::new(WIDTH, 0.0, 0.0), Vec3::NEG_X);
    let mut random = Random::new(5, 0);
    // Far enough apart that they fall into no order: balls on top of each other would stand.
    let spacing = 2.0 * RADIUS * 1.25;
    let mut positions = Vec::new();
    let count = |length: f32| (length / spacing) as usize;
    // Filled higher than 2 L0, because it settles; what then stands above is taken off.
    for y in 0..count(4.8 * WIDTH) {
        for z in 0..count(DEPTH) {
            for x in 0..count(WIDTH) {
                let jitter = 0.24 * RADIUS * Vec3::new(random.signed(), random.signed(), random.signed());
                let site = Vec3::new(x as f32, y as f32, z as f32) + 0.5;
                positions.push(spacing * site + jitter);
            }
        }
    }
    lab.add(&positions, Vec3::ZERO);
    lab.run(3.5);
    lab.remove_above(2.0 * WIDTH);
    lab.world.remove_collider(gate).expect("gate");
    lab.run(7.0);
    let settled = lab.positions();
    (
        f64::from((front(&settled) - WIDTH) / WIDTH),
        f64::from(height_at_wall(&settled) / WIDTH),
    )
}

/// How far the deposit reaches without a gap: the first bin with less than half a layer of grains ends it.
fn front(positions: &[Vec3]) -> f32 {
    let bin = 4.0 * RADIUS;
    let full_layer = bin * DEPTH / (4.0 * RADIUS * RADIUS);
    let mut counts = vec![0f32; 400];
    for position in positions {
        if let Some(count) = counts.get_mut((position.x / bin).max(0.0) as usize) {
            *count += 1.0;
        }
    }
    let bins = counts
        .iter()
        .position(|&count| count < 0.5 * full_layer)
        .unwrap_or(counts.len());
    bins as f32 * bin
}

fn height_at_wall(positions: &[Vec3]) -> f32 {
    let mut heights: Vec<f32> = positions.iter().filter(|p| p.x < 6.0 * RADIUS).map(|p| p.y).collect();
    heights.sort_by(f32::total_cmp);
    let top = &heights[heights.len() - heights.len().div_ceil(20)..];
    top.iter().sum::<f32>() / top.len().max(1) as f32 + RADIUS
}
