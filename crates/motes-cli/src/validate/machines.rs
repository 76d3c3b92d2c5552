//! What acts on the axes of joints: springs, motors, friction and limits, and what chains bear.

use std::f64::consts::TAU;

use glam::{Quat, Vec3};
use motes_core::{
    BodyId, Joint, JointAxis, JointId, JointMotor, JointState, Material, NewBody, NewJoint, Partner, Pose, Settings,
};
use motes_geometry::{BodyOptions, Mesh, body};

use super::joints::{bar, settings};
use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "joints/a chain bears its weight",
            source: "exact: force in each joint over the weight below it, the worst at 2, 4, 8 and 16 sub-steps",
            reference: 1.0,
            band: [0.99, 1.01],
            unit: "",
            quick: false,
            measure: |engine| chain(engine, 0.0),
            control_name: "let go at 20°",
            control: |engine| chain(engine, 20.0),
        },
        Case {
            name: "joints/a motor holds its speed",
            source: "exact: speed over that of a motor which turns a rod over, the worst of all frames",
            reference: 1.0,
            band: [0.99, 1.01],
            unit: "",
            quick: true,
            measure: |engine| speed_under_load(engine, 1.3),
            control_name: "a torque of 0.9 of what is needed",
            control: |engine| speed_under_load(engine, 0.9),
        },
        Case {
            name: "joints/a motor stalls",
            source: "exact: sine of the angle to which half of the torque lifts a rod, at 2, 4 and 8 sub-steps",
            reference: 0.5,
            band: [0.495, 0.505],
            unit: "",
            quick: false,
            measure: |engine| worst([2, 4, 8], 0.5, |substeps| stall(engine, substeps, 0.5)),
            control_name: "a torque of 0.53",
            control: |engine| worst([2, 4, 8], 0.5, |substeps| stall(engine, substeps, 0.53)),
        },
        Case {
            name: "joints/a spring has its period",
            source: "exact: period over 2π√(I/k), the worst at 2, 4 and 8 sub-steps",
            reference: 1.0,
            band: [0.99, 1.01],
            unit: "",
            quick: false,
            measure: |engine| worst([2, 4, 8], 1.0, |substeps| twist(engine, substeps, 1.0, 0.0).0),
            control_name: "stiffer by 5 %",
            control: |engine| worst([2, 4, 8], 1.0, |substeps| twist(engine, substeps, 1.05, 0.0).0),
        },
        Case {
            name: "joints/a spring keeps its amplitude",
            source: "exact: amplitude lost per period, the most at 2, 4 and 8 sub-steps",
            reference: 0.0,
            band: [-0.01, 0.01],
            unit: "",
            quick: false,
            measure: |engine| worst([2, 4, 8], 0.0, |substeps| twist(engine, substeps, 1.0, 0.0).1),
            control_name: "a damping ratio of 0.005",
            control: |engine| worst([2, 4, 8], 0.0, |substeps| twist(engine, substeps, 1.0, 0.005).1),
        },
        Case {
            name: "joints/friction stops a rod",
            source: "exact: angle over energy by torque, the worst at 2, 4 and 8 sub-steps",
            reference: 1.0,
            band: [0.95, 1.05],
            unit: "",
            quick: true,
            measure: |engine| worst([2, 4, 8], 1.0, |substeps| rub(engine, substeps, 1.0)),
            control_name: "a tenth more friction",
            control: |engine| worst([2, 4, 8], 1.0, |substeps| rub(engine, substeps, 1.1)),
        },
        Case {
            name: "joints/a limit holds",
            source: "exact: how far a rod gets beyond its limit in 60 s, falling on it at first",
            reference: 0.0,
            band: [-0.5, 0.5],
            unit: "°",
            quick: false,
            measure: |engine| beyond(engine, true),
            control_name: "a spring of 20 loads per radian instead",
            control: |engine| beyond(engine, false),
        },
        Case {
            name: "joints/a pendulum on a spring",
            source: "exact: energy lost or gained at most in 60 s, of what it was let go with",
            reference: 0.0,
            band: [0.0, 0.01],
            unit: "",
            quick: false,
            measure: |engine| elastic(engine, 0.0),
            control_name: "a damping of 0.1 % of the critical",
            control: |engine| elastic(engine, 0.001),
        },
    ]
}

/// The one of several values that is furthest from what it should be.
fn worst<const N: usize>(substeps: [u32; N], reference: f64, measure: impl Fn(u32) -> f64) -> f64 {
    let values = substeps.map(measure);
    values.into_iter().fold(reference, |a, b| further(reference, a, b))
}

/// The one of two values that is further from what it should be; what is no number stays so.
fn further(reference: f64, a: f64, b: f64) -> f64 {
    if b.is_nan() || (b - reference).abs() > (a - reference).abs() {
        b
    } else {
        a
    }
}

fn lab(engine: EngineMaker, substeps: u32, gravity: f32) -> Lab {
    let settings = Settings {
        gravity: gravity * Vec3::NEG_Y,
        ..settings(substeps)
    };
    Lab::new(engine, settings, Material::default())
}

/// A bar on a hinge at the origin.
struct Rod {
    lab: Lab,
    body: BodyId,
    joint: JointId,
    /// Torque of its weight when it is level, N·m.
    load: f32,
    /// About the hinge, kg·m².
    inertia: f32,
}

impl Rod {
    fn new(engine: EngineMaker, substeps: u32, gravity: f32, degrees: f32) -> Self {
        let mut lab = lab(engine, substeps, gravity);
        let new = bar(&lab, Vec3::ZERO, degrees);
        let body = lab.world.add_body(new).expect("bar");
        let hinge = NewJoint::new(body, Partner::World, Joint::Hinge(Vec3::ZERO, Vec3::Z));
        let joint = lab.world.add_joint(hinge).expect("hinge");
        let motion = lab.world.body_motion(body).expect("alive");
        let arm = motion.center.length();
        Self {
            lab,
            body,
            joint,
            load: 9.81 * arm * motion.mass,
            inertia: motion.inertia.z_axis.z + motion.mass * arm * arm,
        }
    }

    fn act(&mut self, axis: JointAxis) {
        self.lab.world.set_joint_axis(self.joint, axis).expect("a hinge");
    }

    fn step(&mut self) -> JointState {
        self.lab.world.step(DT);
        self.lab.world.joint_state(self.joint, DT).expect("it holds")
    }

    fn spin(&mut self, speed: f32) {
        let center = self.lab.world.body_motion(self.body).expect("alive").center;
        let spin = speed * Vec3::Z;
        let set = self.lab.world.set_body_velocity(self.body, spin.cross(center), spin);
        set.expect("alive");
    }
}

/// Small links about the origin, where rounded positions are fine enough for 16 sub-steps: what falls in one of those is
/// 0.01 mm, of which four metres away already a twentieth is lost in rounding.
fn chain(engine: EngineMaker, degrees: f32) -> f64 {
    worst([2, 4, 8, 16], 1.0, |substeps| {
        let settings = Settings {
            particle_radius: 0.01,
            substeps,
            ..Settings::default()
        };
        let mut lab = Lab::new(engine, settings, Material::default());
        let mesh = Mesh::cuboid(Vec3::new(0.02, 0.05, 0.02));
        let link = body(&mesh, &BodyOptions::solid(0.01)).expect("a link of an experiment");
        let rotation = Quat::from_rotation_z(degrees.to_radians());
        let mut last = Partner::World;
        let mut joints = Vec::new();
        for k in 0..8 {
            // A little apart, so that they do not touch.
            let nail = rotation * Vec3::new(0.0, 0.52 - 0.13 * k as f32, 0.0);
            let position = nail - rotation * Vec3::new(0.0, 0.065, 0.0);
            let new = NewBody {
                pose: Pose { position, rotation },
                ..link.to_new("link", lab.material)
            };
            let body = lab.world.add_body(new).expect("link");
            let ball = NewJoint::new(body, last, Joint::Ball(nail));
            joints.push((body, lab.world.add_joint(ball).expect("joint")));
            last = Partner::Body(body);
        }
        let mass = lab.world.body_motion(joints[0].0).expect("alive").mass;
        let mut found = 1.0;
        for frame in 0..300 {
            lab.world.step(DT);
            if frame < 240 {
                continue;
            }
            for (k, &(_, joint)) in joints.iter().enumerate() {
                let below = 9.81 * mass * (joints.len() - k) as f32;
                let force = lab.world.joint_state(joint, DT).expect("it holds").force.y;
                found = further(1.0, found, f64::from(force / below));
            }
        }
        found
    })
}

fn speed_under_load(engine: EngineMaker, share: f32) -> f64 {
    let mut rod = Rod::new(engine, 2, 9.81, 0.0);
    rod.act(JointAxis {
        motor: Some(JointMotor::Speed {
            speed: 2.0,
            most: share * rod.load,
        }),
        ..JointAxis::default()
    });
    (0..60).for_each(|_| {
        rod.step();
    });
    let mut found = 1.0;
    for _ in 0..360 {
        found = further(1.0, found, f64::from(rod.step().speed / 2.0));
    }
    found
}

fn stall(engine: EngineMaker, substeps: u32, share: f32) -> f64 {
    let mut rod = Rod::new(engine, substeps, 9.81, 0.0);
    rod.act(JointAxis {
        motor: Some(JointMotor::Speed {
            speed: 0.5,
            most: share * rod.load,
        }),
        damping: 0.5 * (rod.load * rod.inertia).sqrt(),
        ..JointAxis::default()
    });
    (0..900).for_each(|_| {
        rod.step();
    });
    f64::from(rod.step().position.sin())
}

/// The period of a torsion spring over what it should be, and the amplitude lost in it.
fn twist(engine: EngineMaker, substeps: u32, stiffer: f32, ratio: f32) -> (f64, f64) {
    let mut rod = Rod::new(engine, substeps, 0.0, 0.0);
    let stiffness = 40.0 * rod.inertia;
    rod.act(JointAxis {
        stiffness: stiffer * stiffness,
        rest: Some(0.5),
        damping: 2.0 * ratio * (stiffness * rod.inertia).sqrt(),
        ..JointAxis::default()
    });
    let mut places = vec![0.0];
    let mut tops = Vec::new();
    while tops.len() < 9 && places.len() < 1000 {
        places.push(f64::from(rod.step().position));
        if let [a, b, c] = places[places.len().saturating_sub(3)..]
            && b >= a
            && b > c
        {
            // The top of the parabola through three frames.
            let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
            let top = (places.len() - 2) as f64 - slope / bend;
            tops.push((top * f64::from(DT), b - 0.5 * slope * slope / bend - 0.5));
        }
    }
    let (first, last, periods) = (tops[0], tops[tops.len() - 1], (tops.len() - 1) as f64);
    let exact = TAU / 40.0_f64.sqrt();
    (
        (last.0 - first.0) / periods / exact,
        1.0 - (last.1 / first.1).powf(1.0 / periods),
    )
}

fn rub(engine: EngineMaker, substeps: u32, share: f32) -> f64 {
    let mut rod = Rod::new(engine, substeps, 0.0, 0.0);
    let (speed, angle) = (4.0_f32, 2.0_f32);
    rod.act(JointAxis {
        friction: share * 0.5 * rod.inertia * speed * speed / angle,
        ..JointAxis::default()
    });
    rod.spin(speed);
    (0..180).for_each(|_| {
        rod.step();
    });
    f64::from(rod.step().position / angle)
}

fn beyond(engine: EngineMaker, limited: bool) -> f64 {
    let mut rod = Rod::new(engine, 2, 9.81, 120.0);
    let limit = -40.0_f32.to_radians();
    rod.act(match limited {
        true => JointAxis {
            limits: [limit, f32::INFINITY],
            ..JointAxis::default()
        },
        false => JointAxis {
            stiffness: 20.0 * rod.load,
            rest: Some(limit),
            damping: rod.load,
            ..JointAxis::default()
        },
    });
    let mut most = 0.0_f64;
    for frame in 0..3600 {
        let gone = f64::from((limit - rod.step().position).to_degrees());
        if frame > 60 && (gone.is_nan() || gone.abs() > most.abs()) {
            most = gone;
        }
    }
    most
}

fn elastic(engine: EngineMaker, ratio: f32) -> f64 {
    let mut lab = lab(engine, Settings::default().substeps, 9.81);
    let new = bar(&lab, Vec3::new(0.6, -0.3, 0.0), 0.0);
    let body = lab.world.add_body(new).expect("bar");
    let motion = lab.world.body_motion(body).expect("alive");
    let mass = motion.mass;
    // Twice as fast as it swings.
    let stiffness = 40.0 * mass;
    let axis = JointAxis {
        stiffness,
        rest: Some(0.7),
        damping: 2.0 * ratio * (stiffness * mass).sqrt(),
        ..JointAxis::default()
    };
    let spring = NewJoint {
        axis,
        ..NewJoint::new(body, Partner::World, Joint::Distance(motion.center, Vec3::ZERO))
    };
    let joint = lab.world.add_joint(spring).expect("spring");
    // Velocities are those of half a sub-step before the positions.
    let half = 0.5 * DT / lab.world.settings().substeps as f32;
    let energy = |lab: &Lab| {
        let motion = lab.world.body_motion(body).expect("alive");
        let state = lab.world.joint_state(joint, DT).expect("it holds");
        let length = state.position - half * state.speed - 0.7;
        let turning = motion.angular_velocity.dot(motion.inertia * motion.angular_velocity);
        let moving = 0.5 * (mass * motion.velocity.length_squared() + turning);
        let height = motion.center.y - half * motion.velocity.y;
        f64::from(moving + 0.5 * stiffness * length * length + 9.81 * mass * height)
    };
    let start = energy(&lab);
    let lowest = -9.81 * f64::from(mass) * (0.7 + 0.5 * 9.81 / 40.0);
    let mut most = 0.0_f64;
    for _ in 0..3600 {
        lab.world.step(DT);
        most = most.max(((energy(&lab) - start) / (start - lowest)).abs());
    }
    most
}
