//! Coulomb's law on an incline, and Newton's on a bounce.

use glam::{Quat, Vec3};
use motes_core::colliders::Plane;
use motes_core::{Collider, FrictionModel, Material, MaterialPair, ParticleId, Pose, Settings, Shape};

use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

/// arctan 0.5, degrees.
const THRESHOLD: f64 = 26.565;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "friction/angle of sticking",
            source: "exact: a block slides above arctan 0.5",
            reference: THRESHOLD,
            band: [THRESHOLD - 1.5, THRESHOLD + 1.5],
            unit: "degrees",
            quick: true,
            measure: |engine| sticking_angle(engine, Incline::with(0.5)),
            control_name: "half the friction",
            control: |engine| sticking_angle(engine, Incline::with(0.25)),
        },
        Case {
            name: "friction/angle of a pair",
            source: "exact: arctan 0.5 where a pair of materials has 0.5, though either has 0.9 with its own kind",
            reference: THRESHOLD,
            band: [THRESHOLD - 1.5, THRESHOLD + 1.5],
            unit: "degrees",
            quick: true,
            measure: |engine| sticking_angle(engine, Incline::with(0.9).paired(0.5)),
            control_name: "the two combined",
            control: |engine| sticking_angle(engine, Incline::with(0.9)),
        },
        Case {
            name: "friction/creep below it",
            source: "exact: a sticking block rests; speed one degree below",
            reference: 0.0,
            band: [0.0, 1e-3],
            unit: "m/s",
            quick: true,
            measure: |engine| creep(engine, Incline::with(0.5)),
            control_name: "friction on velocities",
            control: |engine| {
                let model = FrictionModel::Velocity;
                creep(
                    engine,
                    Incline {
                        model,
                        ..Incline::with(0.5)
                    },
                )
            },
        },
        Case {
            name: "friction/sliding distance",
            source: "exact: s = g (sin a - mu cos a) t^2/2 at 40 degrees, ratio",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: true,
            measure: |engine| sliding(engine, Incline::with(0.5)),
            control_name: "no friction",
            control: |engine| sliding(engine, Incline::with(0.0)),
        },
        Case {
            name: "friction/rebound height",
            source: "exact: e^2 of the drop height for e = 0.3, 0.6, 0.9; worst ratio",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: true,
            measure: |engine| rebound(engine, 1.0),
            control_name: "restitution 10 % too high",
            control: |engine| rebound(engine, 1.1),
        },
    ]
}

/// A block and the plane it lies on.
#[derive(Clone, Copy)]
struct Incline {
    block: Material,
    plane: Material,
    pair: MaterialPair,
    model: FrictionModel,
}

impl Incline {
    fn with(friction: f32) -> Self {
        Self {
            block: Material::FAST_SAND.with_friction(friction),
            plane: Material::FAST_SAND.with_friction(friction),
            pair: MaterialPair::default(),
            model: FrictionModel::Position,
        }
    }

    fn paired(self, friction: f32) -> Self {
        Self {
            pair: self.pair.with_friction(friction),
            ..self
        }
    }

    /// A patch of 4 by 4 grains, which do not roll: a block.
    fn lay(&self, engine: EngineMaker, tilt_degrees: f32) -> (Lab, Vec<ParticleId>, Vec3) {
        let settings = Settings {
            friction: self.model,
            ..Settings::default()
        };
        let mut lab = Lab::new(engine, settings, self.block);
        let tilt = Quat::from_rotation_z(-tilt_degrees.to_radians());
        let plane = Shape::Plane(Plane::new(tilt * Vec3::Y, 0.0).expect("normal"));
        let material = lab.world.add_material_apart(self.plane).expect("material");
        let pair = lab.world.set_material_pair(lab.material, material, self.pair);
        pair.expect("pair of an experiment");
        let plane = Collider::new("plane", plane, material, Pose::IDENTITY);
        lab.world.add_collider(plane).expect("collider");
        let positions: Vec<Vec3> = (0..16)
            .map(|i| tilt * Vec3::new(0.1 * (i % 4) as f32, 0.05, 0.1 * (i / 4) as f32))
            .collect();
        let ids = lab.add(&positions, Vec3::ZERO);
        (lab, ids, tilt * Vec3::X)
    }

    /// Distance that the block slides down in some seconds, metres.
    fn slide(&self, engine: EngineMaker, tilt_degrees: f32, seconds: f32) -> f32 {
        let (mut lab, ids, downhill) = self.lay(engine, tilt_degrees);
        let place =
            |lab: &mut Lab| ids.iter().map(|&id| lab.position(id).dot(downhill)).sum::<f32>() / ids.len() as f32;
        let start = place(&mut lab);
        lab.run(seconds);
        place(&mut lab) - start
    }
}

fn sticking_angle(engine: EngineMaker, incline: Incline) -> f64 {
    let (mut sticks, mut slides) = (0.0, 60.0);
    while slides - sticks > 0.05 {
        let tilt = 0.5 * (sticks + slides);
        if incline.slide(engine, tilt, 2.0) < 0.01 {
            sticks = tilt;
        } else {
            slides = tilt;
        }
    }
    f64::from(sticks)
}

fn creep(engine: EngineMaker, incline: Incline) -> f64 {
    f64::from(incline.slide(engine, THRESHOLD as f32 - 1.0, 4.0) / 4.0)
}

fn sliding(engine: EngineMaker, incline: Incline) -> f64 {
    let (sin, cos) = 40f32.to_radians().sin_cos();
    let expected = 0.5 * 9.81 * (sin - 0.5 * cos);
    f64::from(incline.slide(engine, 40.0, 1.0) / expected)
}

fn rebound(engine: EngineMaker, exaggeration: f32) -> f64 {
    let worst = [0.3f32, 0.6, 0.9].map(|restitution| {
        let material = Material::SAND.with_restitution((restitution * exaggeration).min(1.0));
        f64::from(peak_after_bounce(engine, material) / (restitution * restitution))
    });
    let distance = |ratio: f64| (ratio - 1.0).abs();
    worst
        .into_iter()
        .fold(1.0, |a, b| if distance(b) > distance(a) { b } else { a })
}

/// Height that a grain dropped from one metre reaches after its first bounce, metres.
fn peak_after_bounce(engine: EngineMaker, material: Material) -> f32 {
    let mut lab = Lab::new(engine, Settings::default(), material);
    lab.floor(Vec3::Y);
    let id = lab.add(&[Vec3::new(0.0, 1.05, 0.0)], Vec3::ZERO)[0];
    let (mut bounced, mut peak) = (false, 0f32);
    for _ in 0..200 {
        lab.world.step(DT);
        let rising = lab.velocity(id).y > 0.0;
        if bounced && !rising {
            break;
        }
        bounced |= rising;
        if bounced {
            peak = peak.max(lab.position(id).y - 0.05);
        }
    }
    peak
}
