//! Bodies: spin, stacks (fig. 10), interpenetration (fig. 6) and rigidity.

use glam::{Quat, Vec3};
use motes_core::{BodyId, Material, NewBody, Pose, Settings};
use motes_geometry::{BodyOptions, Mesh, body};

use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "bodies/spin is kept",
            source: "exact: angular momentum lost in 10 s of free flight, of a tumbling plate",
            reference: 0.0,
            band: [0.0, 0.02],
            unit: "",
            quick: true,
            measure: |engine| spin_lost(engine, 0.0),
            control_name: "damping of 0.01/s",
            control: |engine| spin_lost(engine, 0.01),
        },
        Case {
            name: "bodies/stack keeps its height",
            source: "Macklin et al. 2014, fig. 10: height lost by ten blocks, 2 m high, in 5 s",
            reference: 0.0,
            band: [0.0, 0.02],
            unit: "",
            quick: true,
            measure: |engine| Stack::new(engine, &Settings::default()).after(5.0).0,
            control_name: "one iteration, no mass scaling",
            control: |engine| Stack::new(engine, &poor()).after(5.0).0,
        },
        Case {
            name: "bodies/stack comes to rest",
            source: "Macklin et al. 2014, fig. 10: kinetic energy per weight after 1 s, as a height",
            reference: 0.0,
            band: [0.0, 1e-4],
            unit: "m",
            quick: true,
            measure: |engine| Stack::new(engine, &Settings::default()).after(1.0).1,
            control_name: "one iteration, no mass scaling",
            control: |engine| Stack::new(engine, &poor()).after(1.0).1,
        },
        Case {
            name: "bodies/mass scaling stiffens a stack",
            source: "Macklin et al. 2014, fig. 10: height lost with mass scaling over height lost without",
            reference: 0.3,
            band: [0.0, 0.7],
            unit: "",
            quick: true,
            measure: |engine| scaling_gain(engine, |engine| Stack::new(engine, &scaling(1.0))),
            control_name: "masses that grow with height",
            control: |engine| scaling_gain(engine, Stack::top_heavy),
        },
        Case {
            name: "bodies/stack stands for a minute",
            source: "ten blocks, 2 m high: height lost in 60 s",
            reference: 0.0,
            band: [0.0, 0.02],
            unit: "",
            quick: false,
            measure: |engine| Stack::new(engine, &Settings::default()).after(60.0).0,
            control_name: "no friction, a push of 0.1 m/s",
            control: |engine| Stack::slippery(engine).after(60.0).0,
        },
        Case {
            name: "bodies/interlocked bodies separate",
            source: "Macklin et al. 2014, fig. 6: time until two blocks that interpenetrate by half are apart",
            reference: 0.5,
            band: [0.0, 2.0],
            unit: "s",
            quick: true,
            measure: |engine| time_apart(engine, true),
            control_name: "normals of plain particles",
            control: |engine| time_apart(engine, false),
        },
        Case {
            name: "bodies/a large body stays rigid",
            source: "exact: largest strain of a body of 20 000 particles that falls on a corner",
            reference: 0.0,
            band: [0.0, 0.01],
            unit: "",
            quick: false,
            measure: |engine| corner_strain(engine, 1.0),
            control_name: "stiffness 0.5",
            control: |engine| corner_strain(engine, 0.5),
        },
    ]
}

/// Settings that do not hold a stack.
fn poor() -> Settings {
    Settings {
        iterations: 1,
        body_mass_scaling: 0.0,
        ..Settings::default()
    }
}

fn block(lab: &Lab, size: Vec3) -> NewBody {
    let mesh = Mesh::cuboid(0.5 * size);
    let options = BodyOptions::solid(lab.world.settings().particle_radius);
    let particles = body(&mesh, &options).expect("a block of an experiment");
    particles.to_new("block", lab.material)
}

fn spin_lost(engine: EngineMaker, damping: f32) -> f64 {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    let material = Material {
        damping,
        ..Material::default()
    };
    let mut lab = Lab::new(engine, settings, material);
    let plate = NewBody {
        angular_velocity: Vec3::new(1.0, 5.0, -2.0),
        ..block(&lab, Vec3::new(0.8, 0.1, 0.4))
    };
    let id = lab.world.add_body(plate).expect("body");
    let momentum = |lab: &mut Lab| {
        let motion = lab.world.body_motion(id).expect("alive");
        motion.inertia * motion.angular_velocity
    };
    let before = momentum(&mut lab);
    lab.run(10.0);
    f64::from((momentum(&mut lab) - before).length() / before.length())
}

/// Ten blocks of 20 cm on top of each other.
struct Stack {
    lab: Lab,
    blocks: Vec<BodyId>,
}

impl Stack {
    fn new(engine: EngineMaker, settings: &Settings) -> Self {
        Self::of(engine, settings, Material::default(), |_, new| new)
    }

    /// Every block weighs e times the one below it, as if masses were scaled the wrong way round.
    fn top_heavy(engine: EngineMaker) -> Self {
        Self::of(engine, &scaling(0.0), Material::default(), |k, mut new| {
            new.masses.iter_mut().for_each(|mass| *mass *= (k as f32).exp());
            new
        })
    }

    fn slippery(engine: EngineMaker) -> Self {
        Self::of(engine, &Settings::default(), Material::FRICTIONLESS, |k, new| NewBody {
            velocity: if k % 2 == 1 { 0.1 * Vec3::X } else { Vec3::ZERO },
            ..new
        })
    }

    fn of(
        engine: EngineMaker,
        settings: &Settings,
        material: Material,
        change: impl Fn(usize, NewBody) -> NewBody,
    ) -> Self {
        let mut lab = Lab::new(engine, settings.clone(), material);
        lab.floor(Vec3::Y);
        let block = block(&lab, Vec3::splat(0.2));
        let blocks = (0..10).map(|k| {
            let new = NewBody {
                pose: Pose::at(Vec3::Y * (0.1 + 0.2 * k as f32)),
                ..block.clone()
            };
            lab.world.add_body(change(k, new)).expect("body")
        });
        let blocks = blocks.collect();
        Self { lab, blocks }
    }

    /// Height lost as a share of it, and the height that the kinetic energy would lift the stack to.
    fn after(mut self, seconds: f32) -> (f64, f64) {
        self.lab.run(seconds);
        let mut energy = 0.0;
        let mut top: f32 = 0.0;
        for &id in &self.blocks {
            let motion = self.lab.world.body_motion(id).expect("alive");
            let turning = motion.angular_velocity.dot(motion.inertia * motion.angular_velocity);
            energy += 0.5 * (motion.velocity.length_squared() + turning / motion.mass);
            top = top.max(motion.center.y + 0.1);
        }
        let height = energy / (9.81 * self.blocks.len() as f32);
        (f64::from((2.0 - top).max(0.0) / 2.0), f64::from(height))
    }
}

/// Height lost where masses are scaled, over that where they are not.
fn scaling_gain(engine: EngineMaker, scaled: impl FnOnce(EngineMaker) -> Stack) -> f64 {
    scaled(engine).after(5.0).0 / Stack::new(engine, &scaling(0.0)).after(5.0).0
}

fn scaling(body_mass_scaling: f32) -> Settings {
    Settings {
        body_mass_scaling,
        ..Settings::default()
    }
}

fn time_apart(engine: EngineMaker, with_fields: bool) -> f64 {
    let settings = Settings {
        gravity: Vec3::ZERO,
        ..Settings::default()
    };
    let contact = settings.contact_distance();
    let mut lab = Lab::new(engine, settings, Material::default());
    let mut new = block(&lab, Vec3::splat(0.4));
    if !with_fields {
        new.fields.clear();
        new.faces.clear();
    }
    let ids = [-0.1, 0.1].map(|x| {
        let pose = Pose::at(Vec3::new(x, 0.2 * x, 0.1 * x));
        lab.world.add_body(NewBody { pose, ..new.clone() }).expect("body")
    });
    for frame in 0..300 {
        let [first, second] = ids.map(|id| lab.world.body_positions(id).unwrap_or_default());
        let nearest = first
            .iter()
            .flatten()
            .flat_map(|a| second.iter().flatten().map(|b| a.distance(*b)));
        if nearest.fold(f32::MAX, f32::min) > 0.95 * contact {
            return f64::from(frame as f32 * DT);
        }
        lab.world.step(DT);
    }
    f64::INFINITY
}

fn corner_strain(engine: EngineMaker, stiffness: f32) -> f64 {
    let mut lab = Lab::new(engine, Settings::default(), Material::default());
    lab.floor(Vec3::Y);
    let new = NewBody {
        stiffness,
        pose: Pose {
            position: Vec3::Y * 2.4,
            rotation: Quat::from_rotation_z(0.7) * Quat::from_rotation_x(0.6),
        },
        ..block(&lab, Vec3::splat(2.5))
    };
    let rest = new.positions.clone();
    let id = lab.world.add_body(new).expect("body");
    let mut worst: f32 = 0.0;
    for _ in 0..60 {
        lab.world.step(DT);
        let places = lab.world.body_positions(id).unwrap_or_default();
        let places: Vec<Vec3> = places.into_iter().flatten().collect();
        for (rest, places) in rest.windows(2).zip(places.windows(2)) {
            let length = rest[0].distance(rest[1]);
            worst = worst.max((places[0].distance(places[1]) / length - 1.0).abs());
        }
    }
    f64::from(worst)
}
