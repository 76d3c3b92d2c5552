//! Times a cloth of cotton that hangs by its upper edge in the wind, alone and where it collides with itself, and says how long each stage
//! of its steps takes.
//!
//! `cargo run --release -p motes-geometry --example cloth_bench -- [SIDE] [ITERATIONS] [STEPS] [alone|collides] [THREADS]`; `100 5 200`, both and all
//! threads unless told otherwise.

use std::error::Error;
use std::time::Instant;

use motes_core::glam::Vec3;
use motes_core::{
    CpuEngine, Fabric, Group, Material, NewBending, NewDistance, NewFace, Settings, Softness, Wind, World,
};
use motes_geometry::cloth::{ClothGrid, ClothShape, Measure, Membrane};

const STEP: f32 = 1.0 / 240.0;
const SPACING: f32 = 0.02;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual: u32| arguments.get(place).map_or(Ok(usual), |text| text.parse());
    let (side, iterations, steps) = (number(0, 100)?, number(1, 5)?, number(2, 200)?);
    let only = arguments.get(3).map(String::as_str);
    let engine = || match number(4, 0) {
        Ok(threads) if threads > 0 => CpuEngine::with_threads(threads as usize),
        _ => CpuEngine::new(),
    };
    for (name, collides) in [("alone", false), ("collides", true)] {
        if only.is_none_or(|only| only == name) {
            let settings = Settings {
                particle_radius: 0.75 * SPACING,
                substeps: 1,
                iterations,
                ..Settings::default()
            };
            let mut world = World::with_engine(settings, Box::new(engine()))?;
            hang(&mut world, side, collides)?;
            time(&mut world, steps as usize, name);
            world.health()?;
        }
    }
    Ok(())
}

/// A square sheet that hangs by its upper edge.
fn hang(world: &mut World, side: u32, collides: bool) -> Result<(), Box<dyn Error>> {
    let fabric = Fabric::COTTON;
    let shape = ClothShape::grid(&ClothGrid {
        size: [SPACING * (side - 1) as f32; 2],
        resolution: [side, side],
    })?;
    let material = world.add_material(Material::default())?;
    let mut group = Group::grains("cloth", material).ignoring_rest_overlaps();
    if !collides {
        group.flags = 0;
    }
    let group = world.add_group(group)?;
    let ids = world.add_particles(group, &shape.positions, Vec3::ZERO)?;
    let pins = shape.grid.and_then(|grid| grid.named("top")).unwrap_or_default();
    let masses = shape.masses(fabric.areal_density);
    let mut inverse_masses: Vec<_> = ids.iter().zip(&masses).map(|(&id, mass)| (id, 1.0 / mass)).collect();
    pins.iter().for_each(|&pin| inverse_masses[pin as usize].1 = 0.0);
    world.set_inverse_masses(&inverse_masses)?;
    let membrane = Membrane {
        warp: fabric.stretch_warp,
        weft: fabric.stretch_weft,
        shear: fabric.shear,
    };
    let springs = shape.springs(&membrane, true);
    let springs = springs.iter().map(|spring| NewDistance {
        softness: Softness::Compliance(1.0 / spring.stiffness),
        ..NewDistance::new(spring.ends.map(|end| ids[end as usize]), spring.length)
    });
    world.add_distances(&springs.collect::<Vec<_>>())?;
    let tethers = shape.tethers(&pins, 2, Measure::Geodesic)?;
    let tethers = tethers.iter().map(|tether| {
        let ends = [tether.anchor, tether.vertex];
        NewDistance::new(ends.map(|end| ids[end as usize]), 1.01 * tether.length)
    });
    world.add_tethers(&tethers.collect::<Vec<_>>())?;
    let bends = shape.hinges.iter().map(|hinge| NewBending {
        particles: hinge.vertices.map(|vertex| ids[vertex as usize]),
        weights: hinge.weights,
        rest: hinge.rest,
        softness: Softness::Compliance(hinge.compliance_times_rigidity / fabric.bending),
    });
    world.add_bendings(&bends.collect::<Vec<_>>())?;
    let faces = shape.triangles.iter().map(|corners| NewFace {
        particles: corners.map(|corner| ids[corner as usize]),
        drag: 1.2,
        lift: 1.0,
    });
    world.add_faces(&faces.collect::<Vec<_>>())?;
    world.set_wind(Wind {
        velocity: Vec3::new(0.0, 0.0, 2.0),
        ..Wind::default()
    })?;
    Ok(())
}

fn time(world: &mut World, steps: usize, name: &str) {
    for _ in 0..steps / 4 {
        world.step(STEP);
    }
    let mut whole = Vec::new();
    let mut stages: Vec<(&str, Vec<f64>)> = Vec::new();
    for _ in 0..steps {
        let begin = Instant::now();
        world.step(STEP);
        whole.push(1e3 * begin.elapsed().as_secs_f64());
        for (stage, milliseconds) in world.timings().milliseconds() {
            match stages.iter_mut().find(|(known, _)| *known == stage) {
                Some((_, all)) => all.push(milliseconds),
                None => stages.push((stage, vec![milliseconds])),
            }
        }
    }
    let [least, median] = least_and_median(&mut whole);
    println!("{name}: {median:.3} ms a step, {least:.3} at least");
    for (stage, all) in &mut stages {
        let [least, median] = least_and_median(all);
        if median > 0.0 {
            println!("  {stage:<20} {median:.3} ms, {least:.3} at least");
        }
    }
}

fn least_and_median(values: &mut [f64]) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    [0, values.len() / 2].map(|place| values.get(place).copied().unwrap_or(0.0))
}
