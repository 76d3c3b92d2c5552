//! Soft bodies: the sag of a beam between posts, and models that hang together when they are dropped.

use glam::Vec3;
use motes_core::World;
use motes_scene::Scene;

use super::lab::DT;
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "soft/sag at any step",
            source: "exact: sag of a beam between posts at 2 × 4, 4 × 4 and 8 × 8, largest over smallest",
            reference: 1.0,
            band: [1.0, 1.1],
            unit: "",
            quick: false,
            measure: |engine| sag_range(engine, |_| 1.0),
            control_name: "a modulus that grows with the square of the sub-steps",
            control: |engine| sag_range(engine, |substeps| (substeps * substeps) as f32 / 16.0),
        },
        Case {
            name: "soft/sag at half the radius",
            source: "exact: sag of a beam at half the radius over that at the whole, 4 × 4",
            reference: 1.0,
            band: [0.9, 1.1],
            unit: "",
            quick: false,
            measure: |engine| finer_sag(engine, "youngs_modulus = 1.5e5", "youngs_modulus = 1.5e5"),
            control_name: "the same stiffness between 0 and 1",
            control: |engine| finer_sag(engine, "stiffness = 0.9", "stiffness = 0.9"),
        },
        Case {
            name: "soft/sag goes with the load",
            source: "exact: sag at twice the load and twice the modulus over that at once",
            reference: 1.0,
            band: [0.9, 1.1],
            unit: "",
            quick: false,
            measure: |engine| scaled_sag(engine, 2.0, 2.0),
            control_name: "twice the load at the same modulus",
            control: |engine| scaled_sag(engine, 2.0, 1.0),
        },
        Case {
            name: "soft/clamped beam sags alike at any step",
            source: "exact: sag of the tip of a beam clamped at one end at 2 × 4, 4 × 4 and 8 × 8, largest over smallest",
            reference: 1.0,
            band: [1.0, 1.1],
            unit: "",
            quick: false,
            measure: |engine| cantilever_range(engine, |_| 1.0),
            control_name: "a modulus that grows with the square of the sub-steps",
            control: |engine| cantilever_range(engine, |substeps| (substeps * substeps) as f32 / 16.0),
        },
        Case {
            name: "soft/models hang together",
            source: "longest link over its length after a fall, all models, radius 0.04 and 0.06 m, stiffness 0.1 and 1",
            reference: 1.0,
            band: [0.5, 2.5],
            unit: "",
            quick: false,
            measure: |engine| worst_stretch(engine, ""),
            control_name: "clusters without stiffness",
            control: |engine| worst_stretch(engine, "stiffness = 0"),
        },
    ]
}

/// A beam with a clear span of 70 cm.
struct Beam<'a> {
    elasticity: &'a str,
    radius: f32,
    steps: [u32; 2],
    gravity: f32,
}

const BEAM: Beam<'_> = Beam {
    elasticity: "youngs_modulus = 1.5e5",
    radius: 0.03,
    steps: [4, 4],
    gravity: 9.81,
};

impl Beam<'_> {
    /// How far its middle is below its ends after 6 s, metres.
    fn sag(&self, engine: EngineMaker) -> f64 {
        let [substeps, iterations] = self.steps;
        let text = format!(
            "particle_radius = {}
             gravity = [0, {}, 0]
             solver = {{ substeps = {substeps}, iterations = {iterations} }}
             material.gel = {{ base = \"rubber\", density = 1000, restitution = 0 }}
             [[soft]]
             shape = {{ box = {{ size = [0.78, 0.25, 0.25] }} }}
             position = [0, 0.125, 0]
             material = \"gel\"
             {}
             [[collider]]
             shape = {{ box = {{ min = [-1, -1, -1], max = [-0.35, 0, 1] }} }}
             [[collider]]
             shape = {{ box = {{ min = [0.35, -1, -1], max = [1, 0, 1] }} }}",
            self.radius, -self.gravity, self.elasticity
        );
        let mut world = build(&text, engine);
        let before = places(&mut world);
        let mut sum = 0.0;
        for frame in 0..360 {
            world.step(DT);
            if frame >= 300 {
                let now = places(&mut world);
                let sunk = |is_there: &dyn Fn(Vec3) -> bool| {
                    let there = before.iter().zip(&now).filter(|(before, _)| is_there(**before));
                    let depths: Vec<f32> = there.map(|(before, now)| before.y - now.y).collect();
                    depths.iter().sum::<f32>() / depths.len() as f32
                };
                let middle = sunk(&|place| place.x.abs() < 0.06);
                let ends = sunk(&|place| (place.x.abs() - 0.35).abs() < 0.045 && place.y < 2.5 * self.radius);
                sum += f64::from(middle - ends);
            }
        }
        sum / 60.0
    }
}

/// Largest over smallest sag of the tip of a beam of 60 cm, of which the first 20 are clamped.
fn cantilever_range(engine: EngineMaker, factor: fn(u32) -> f32) -> f64 {
    let sags = [[2, 4], [4, 4], [8, 8]].map(|[substeps, iterations]| {
        let text = format!(
            "particle_radius = 0.02
             solver = {{ substeps = {substeps}, iterations = {iterations} }}
             material.gel = {{ base = \"rubber\", density = 1000, damping = 2 }}
             [[soft]]
             shape = {{ box = {{ size = [0.6, 0.15, 0.15] }} }}
             material = \"gel\"
             youngs_modulus = {}
             clamp = {{ box = {{ min = [-1, -1, -1], max = [-0.1, 1, 1] }} }}",
            3e5 * factor(substeps)
        );
        let mut world = build(&text, engine);
        let before = places(&mut world);
        for _ in 0..300 {
            world.step(DT);
        }
        let now = places(&mut world);
        let tip = before.iter().zip(&now).filter(|(before, _)| before.x > 0.25);
        let depths: Vec<f32> = tip.map(|(before, now)| before.y - now.y).collect();
        f64::from(depths.iter().sum::<f32>() / depths.len() as f32)
    });
    sags.iter().copied().fold(0.0, f64::max) / sags.iter().copied().fold(f64::INFINITY, f64::min)
}

fn build(text: &str, engine: EngineMaker) -> World {
    let scene = Scene::from_toml(text, "experiment").expect("scene of an experiment");
    scene.build(engine()).expect("scene of an experiment").world
}

/// Of all members of bodies, in their order.
fn places(world: &mut World) -> Vec<Vec3> {
    let ids = world.bodies().particles.clone();
    let places = world.positions(&ids).into_iter();
    places.map(|place| place.unwrap_or(Vec3::NAN)).collect()
}

fn sag_range(engine: EngineMaker, factor: fn(u32) -> f32) -> f64 {
    let sags = [[2, 4], [4, 4], [8, 8]].map(|steps| {
        let elasticity = format!("youngs_modulus = {}", 1.5e5 * factor(steps[0]));
        Beam {
            elasticity: &elasticity,
            steps,
            ..BEAM
        }
        .sag(engine)
    });
    sags.iter().copied().fold(0.0, f64::max) / sags.iter().copied().fold(f64::INFINITY, f64::min)
}

fn finer_sag(engine: EngineMaker, coarse: &str, fine: &str) -> f64 {
    let sag = |elasticity, radius| {
        Beam {
            elasticity,
            radius,
            ..BEAM
        }
        .sag(engine)
    };
    sag(fine, 0.5 * BEAM.radius) / sag(coarse, BEAM.radius)
}

fn scaled_sag(engine: EngineMaker, load: f32, modulus: f32) -> f64 {
    let elasticity = format!("youngs_modulus = {}", 3e5 * modulus);
    let scaled = Beam {
        elasticity: &elasticity,
        gravity: load * BEAM.gravity,
        ..BEAM
    };
    let once = Beam {
        elasticity: "youngs_modulus = 3e5",
        ..BEAM
    };
    scaled.sag(engine) / once.sag(engine)
}

/// The longest link of any model, as a multiple of its length, 4 s after it was let go; infinite where numbers end.
fn worst_stretch(engine: EngineMaker, instead: &str) -> f64 {
    let mut worst: f64 = 0.0;
    for model in motes_geometry::models::NAMES {
        for radius in [0.04, 0.06] {
            for stiffness in ["stiffness = 0.1", "stiffness = 1"] {
                let softness = if instead.is_empty() { stiffness } else { instead };
                worst = worst.max(stretch(engine, model, radius, softness));
            }
        }
    }
    worst
}

fn stretch(engine: EngineMaker, model: &str, radius: f32, softness: &str) -> f64 {
    let text = format!(
        "particle_radius = {radius}
         [[soft]]
         model = \"{model}\"
         size = 1
         position = [0, 1, 0]
         angular_velocity = [200, 90, 150]
         {softness}
         [[collider]]
         shape = {{ plane = {{}} }}"
    );
    let mut world = build(&text, engine);
    let bodies = world.bodies();
    let rest: Vec<Vec3> = bodies.rest.iter().map(|rest| rest.truncate()).collect();
    let mut homes = vec![Vec::new(); rest.len()];
    for (number, cluster) in bodies.clusters.iter().enumerate() {
        let entries = cluster.first as usize..(cluster.first + cluster.count) as usize;
        for &member in &bodies.cluster_members[entries] {
            homes[member as usize].push(number);
        }
    }
    let spacing = 0.9 * 2.0 * radius;
    let mut links = motes_geometry::links(&rest, 1.6 * spacing, None).expect("links of an experiment");
    links.retain(|&[a, b]| homes[a as usize].iter().any(|home| homes[b as usize].contains(home)));
    for _ in 0..240 {
        world.step(DT);
    }
    let now = places(&mut world);
    let ratios = links.iter().map(|&[a, b]| {
        let [a, b] = [a as usize, b as usize];
        let ratio = now[a].distance(now[b]) / rest[a].distance(rest[b]);
        if ratio.is_finite() {
            f64::from(ratio)
        } else {
            f64::INFINITY
        }
    });
    ratios.fold(0.0, f64::max)
}
