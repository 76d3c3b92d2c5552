//! Joints: pendulums that nothing damps.

use std::f64::consts::TAU;

use glam::{Quat, Vec3};
use motes_core::{BodyId, Joint, Material, NewBody, Partner, Pose, Settings};
use motes_geometry::{BodyOptions, Mesh, body};

use super::lab::{DT, Lab};
use super::{Case, EngineMaker};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "joints/amplitude is kept",
            source: "exact: amplitude lost per period by a rod on a hinge, from 30°",
            reference: 0.0,
            band: [-0.01, 0.01],
            unit: "",
            quick: true,
            measure: |engine| Rod::new(engine, 30.0, 0.0).swing(3).1,
            control_name: "damping of 0.05/s",
            control: |engine| Rod::new(engine, 30.0, 0.05).swing(3).1,
        },
        Case {
            name: "joints/amplitude at any angle",
            source: "exact: most lost per period from 5°, 30°, 60° and 90°, at 2, 4 and 8 sub-steps",
            reference: 0.0,
            band: [-0.01, 0.01],
            unit: "",
            quick: false,
            measure: |engine| most_lost(engine, 0.0),
            control_name: "damping of 0.05/s",
            control: |engine| most_lost(engine, 0.05),
        },
        Case {
            name: "joints/period at 90°",
            source: "exact: period over that of small swings, by the elliptic integral",
            reference: 1.1803,
            band: [1.1744, 1.1862],
            unit: "",
            quick: false,
            measure: |engine| Rod::new(engine, 90.0, 0.0).swing(4).0,
            control_name: "damping of 0.2/s",
            control: |engine| Rod::new(engine, 90.0, 0.2).swing(4).0,
        },
        Case {
            name: "joints/double pendulum",
            source: "exact: energy lost or gained at most in 10 s, of what it was let go with at 60°",
            reference: 0.0,
            band: [0.0, 0.01],
            unit: "",
            quick: false,
            measure: |engine| energy_changed(engine, 0.0),
            control_name: "damping of 0.01/s",
            control: |engine| energy_changed(engine, 0.01),
        },
    ]
}

/// Particles so small that links which fold do not meet.
pub(super) fn settings(substeps: u32) -> Settings {
    Settings {
        particle_radius: 0.025,
        substeps,
        ..Settings::default()
    }
}

fn material(damping: f32) -> Material {
    Material {
        damping,
        ..Material::default()
    }
}

/// A bar of half a metre that hangs by its end, at an angle.
pub(super) fn bar(lab: &Lab, nail: Vec3, degrees: f32) -> NewBody {
    let mesh = Mesh::cuboid(Vec3::new(0.05, 0.25, 0.05));
    let options = BodyOptions::solid(lab.world.settings().particle_radius);
    let particles = body(&mesh, &options).expect("a bar of an experiment");
    let rotation = Quat::from_rotation_z(degrees.to_radians());
    NewBody {
        pose: Pose {
            position: nail + rotation * Vec3::new(0.0, -0.25, 0.0),
            rotation,
        },
        ..particles.to_new("bar", lab.material)
    }
}

/// A bar on a hinge.
struct Rod {
    lab: Lab,
    body: BodyId,
}

impl Rod {
    fn new(engine: EngineMaker, degrees: f32, damping: f32) -> Self {
        Self::at(engine, degrees, damping, Settings::default().substeps)
    }

    fn at(engine: EngineMaker, degrees: f32, damping: f32, substeps: u32) -> Self {
        let mut lab = Lab::new(engine, settings(substeps), material(damping));
        let new = bar(&lab, Vec3::ZERO, degrees);
        let body = lab.world.add_body(new).expect("bar");
        let hinge = Joint::Hinge(Vec3::ZERO, Vec3::Z);
        lab.world
            .join(body, Partner::World, hinge, f32::INFINITY)
            .expect("hinge");
        Self { lab, body }
    }

    /// The period over that of small swings, and the amplitude lost in it, over some periods.
    fn swing(mut self, periods: usize) -> (f64, f64) {
        let motion = self.lab.world.body_motion(self.body).expect("alive");
        let arm = f64::from(motion.center.length());
        let per_mass = arm * arm + f64::from(motion.inertia.z_axis.z / motion.mass);
        let small = TAU * (per_mass / (9.81 * arm)).sqrt();
        let mut angles = vec![self.angle()];
        let mut peaks = vec![(0.0, angles[0])];
        while peaks.len() <= periods && angles.len() < 200 * periods {
            self.lab.world.step(DT);
            angles.push(self.angle());
            if let [a, b, c] = angles[angles.len().saturating_sub(3)..]
                && b > 0.0
                && b >= a
                && b > c
            {
                // The top of the parabola through three frames.
                let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
                let top = (angles.len() - 2) as f64 - slope / bend;
                peaks.push((top * f64::from(DT), b - 0.5 * slope * slope / bend));
            }
        }
        let (found, last) = ((peaks.len() - 1) as f64, peaks[peaks.len() - 1]);
        (last.0 / found / small, 1.0 - (last.1 / peaks[0].1).powf(1.0 / found))
    }

    fn angle(&self) -> f64 {
        let motion = self.lab.world.body_motion(self.body).expect("alive");
        let down = motion.pose.direction(Vec3::NEG_Y).as_dvec3();
        down.x.atan2(-down.y)
    }
}

fn most_lost(engine: EngineMaker, damping: f32) -> f64 {
    let mut most = 0.0_f64;
    for substeps in [2, 4, 8] {
        for degrees in [5.0, 30.0, 60.0, 90.0] {
            let lost = Rod::at(engine, degrees, damping, substeps).swing(4).1;
            // What is no number stays so.
            if lost.is_nan() || lost.abs() > most.abs() {
                most = lost;
            }
        }
    }
    most
}

fn energy_changed(engine: EngineMaker, damping: f32) -> f64 {
    let substeps = Settings::default().substeps;
    let mut lab = Lab::new(engine, settings(substeps), material(damping));
    let along = Quat::from_rotation_z(60_f32.to_radians()) * Vec3::NEG_Y;
    let mut last = Partner::World;
    let bars = [0.0, 1.0].map(|k: f32| {
        // Beside each other and a little apart, so that they do not touch.
        let new = bar(&lab, 0.5 * k * along + 0.2 * k * Vec3::Z, 60.0);
        let body = lab.world.add_body(new).expect("bar");
        let hinge = Joint::Hinge(0.5 * k * along + 0.1 * k * Vec3::Z, Vec3::Z);
        lab.world.join(body, last, hinge, f32::INFINITY).expect("hinge");
        last = Partner::Body(body);
        body
    });
    // Velocities are those of half a sub-step before the positions.
    let half = 0.5 * DT / substeps as f32;
    let energy = |lab: &Lab| -> f64 {
        let one = |&body: &BodyId| {
            let motion = lab.world.body_motion(body).expect("alive");
            let turning = motion.angular_velocity.dot(motion.inertia * motion.angular_velocity);
            let moving = 0.5 * (motion.mass * motion.velocity.length_squared() + turning);
            f64::from(moving + 9.81 * motion.mass * (motion.center.y - half * motion.velocity.y))
        };
        bars.iter().map(one).sum()
    };
    let lowest: f64 = [0.25, 0.75]
        .iter()
        .zip(&bars)
        .map(|(depth, &body)| -9.81 * depth * f64::from(lab.world.body_motion(body).expect("alive").mass))
        .sum();
    let start = energy(&lab);
    let mut most = 0.0_f64;
    for _ in 0..600 {
        lab.world.step(DT);
        most = most.max(((energy(&lab) - start) / (start - lowest)).abs());
    }
    most
}
