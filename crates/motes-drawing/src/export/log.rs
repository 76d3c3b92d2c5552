//! What happens in a world, one record a frame: energy, momentum, forces, how bodies move. As JSON Lines and as CSV.

use std::io::{self, Write};

use glam::{DVec3, Quat, Vec3, Vec4Swizzles};
use motes_core::World;
use serde_json::{Value, json};

/// A world at the end of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRecord {
    /// Frames since the start.
    pub frame: u64,
    /// Simulated time, seconds.
    pub time: f64,
    /// Number of particles.
    pub particles: usize,
    /// Number of passive particles.
    pub passive: usize,
    /// Energy of motion, joules.
    pub kinetic_energy: f64,
    /// Energy of height: weight times height above the origin, joules.
    pub potential_energy: f64,
    /// Momentum, kg·m/s.
    pub momentum: DVec3,
    /// Angular momentum about the origin, kg·m²/s.
    pub angular_momentum: DVec3,
    /// Every collider, in the order in which they were added.
    pub colliders: Vec<LoggedCollider>,
    /// Every point at which a body is held, in the order in which they were joined.
    pub joints: Vec<LoggedJoint>,
    /// Every body, in the order in which they were added.
    pub bodies: Vec<LoggedBody>,
    /// Every trigger, in the order in which they were added.
    pub triggers: Vec<LoggedTrigger>,
}

/// What a trigger has noticed.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedTrigger {
    /// Its name.
    pub name: String,
    /// Grains and bodies inside.
    pub inside: u64,
    /// Grains and bodies that have entered since the start.
    pub entered: u64,
    /// Grains and bodies that it has removed.
    pub removed: u64,
    /// Whether enough have come.
    pub is_set: bool,
}

/// What particles do to a collider.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedCollider {
    /// Its name.
    pub name: String,
    /// Force on it, averaged over the frame, newtons.
    pub force: Vec3,
    /// Torque on it about its origin, averaged over the frame, newton metres.
    pub torque: Vec3,
    /// Particles that touched it in the last sub-step.
    pub contacts: u32,
}

/// A point at which a body is held.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedJoint {
    /// Name of the body.
    pub body: String,
    /// Force on the body, averaged over the frame, newtons.
    pub force: Vec3,
}

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedBody {
    /// Its name.
    pub name: String,
    /// Centre of mass, metres.
    pub center: Vec3,
    /// Rotation from how it was made.
    pub rotation: Quat,
    /// Velocity of the centre, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vec3,
}

impl LogRecord {
    /// The world as it is; `dt` is the length of its frames, seconds.
    pub fn of(world: &World, dt: f32) -> Self {
        let mut record = Self {
            frame: world.frame(),
            time: world.time(),
            particles: world.particle_count(),
            passive: world.passive_count(),
            kinetic_energy: 0.0,
            potential_energy: 0.0,
            momentum: DVec3::ZERO,
            angular_momentum: DVec3::ZERO,
            colliders: colliders(world),
            joints: joints(world, dt),
            bodies: bodies(world),
            triggers: triggers(world),
        };
        record.add_up(world, dt);
        record
    }

    /// Energy and momentum of all particles that can be moved, each with its velocity at the time of its position, of which
    /// it lives half a sub-step behind.
    fn add_up(&mut self, world: &World, dt: f32) {
        let h = dt / world.settings().substeps as f32;
        let (gravity, materials) = (world.settings().gravity, world.materials().as_slice());
        let particles = world.particles();
        let radii = world.particle_radii();
        let states = particles.positions.iter().zip(&particles.velocities);
        for (slot, ((position, velocity), material)) in states.zip(&particles.materials).enumerate() {
            if position.w == 0.0 {
                continue;
            }
            let pull = materials[material.0 as usize].gravity_scale * gravity;
            let mass = 1.0 / f64::from(position.w);
            let own = (velocity.xyz() + h * (velocity.w - 0.5) * pull).as_dvec3();
            let place = position.xyz().as_dvec3();
            self.kinetic_energy += 0.5 * mass * own.length_squared();
            self.potential_energy -= mass * pull.as_dvec3().dot(place);
            self.momentum += mass * own;
            self.angular_momentum += mass * place.cross(own);
            if let Some(spin) = particles.spin(slot) {
                let inertia = 0.4 * mass * f64::from(radii[slot]).powi(2);
                self.kinetic_energy += 0.5 * inertia * spin.as_dvec3().length_squared();
                self.angular_momentum += inertia * spin.as_dvec3();
            }
        }
    }

    /// One line of JSON.
    pub fn write_json(&self, mut out: impl Write) -> io::Result<()> {
        let list = |vector: Vec3| vector.to_array();
        let colliders: Vec<Value> = { self.colliders.iter() }
            .map(|collider| {
                json!({ "name": collider.name, "force": list(collider.force), "torque": list(collider.torque),
                        "contacts": collider.contacts })
            })
            .collect();
        let joints: Vec<Value> = { self.joints.iter() }
            .map(|joint| json!({ "body": joint.body, "force": list(joint.force) }))
            .collect();
        let bodies: Vec<Value> = { self.bodies.iter() }
            .map(|body| {
                json!({ "name": body.name, "center": list(body.center), "rotation": body.rotation.to_array(),
                        "velocity": list(body.velocity), "angular_velocity": list(body.angular_velocity) })
            })
            .collect();
        let triggers: Vec<Value> = { self.triggers.iter() }
            .map(|trigger| {
                json!({ "name": trigger.name, "inside": trigger.inside, "entered": trigger.entered,
                        "removed": trigger.removed, "set": trigger.is_set })
            })
            .collect();
        let line = json!({
            "frame": self.frame, "time": self.time, "particles": self.particles, "passive": self.passive,
            "kinetic_energy": self.kinetic_energy, "potential_energy": self.potential_energy,
            "energy": self.kinetic_energy + self.potential_energy,
            "momentum": self.momentum.to_array(), "angular_momentum": self.angular_momentum.to_array(),
            "colliders": colliders, "joints": joints, "bodies": bodies,
            "triggers": triggers,
        });
        writeln!(out, "{line}")
    }

    /// Names of the columns and their values at this moment, the order being that of the record.
    pub fn columns(&self) -> Vec<(String, f64)> {
        let mut columns: Vec<(String, f64)> = vec![
            ("frame".into(), self.frame as f64),
            ("time".into(), self.time),
            ("particles".into(), self.particles as f64),
            ("passive".into(), self.passive as f64),
            ("kinetic_energy".into(), self.kinetic_energy),
            ("potential_energy".into(), self.potential_energy),
            ("energy".into(), self.kinetic_energy + self.potential_energy),
        ];
        let mut vector = |name: String, vector: DVec3| {
            let axes = ["x", "y", "z"].into_iter().zip(vector.to_array());
            columns.extend(axes.map(|(axis, value)| (format!("{name}.{axis}"), value)));
        };
        vector("momentum".into(), self.momentum);
        vector("angular_momentum".into(), self.angular_momentum);
        for collider in &self.colliders {
            vector(format!("{}.force", collider.name), collider.force.as_dvec3());
            vector(format!("{}.torque", collider.name), collider.torque.as_dvec3());
        }
        for (number, joint) in self.joints.iter().enumerate() {
            vector(
                format!("joint {number} of {}.force", joint.body),
                joint.force.as_dvec3(),
            );
        }
        for body in &self.bodies {
            vector(format!("{}.center", body.name), body.center.as_dvec3());
            vector(format!("{}.velocity", body.name), body.velocity.as_dvec3());
            vector(
                format!("{}.angular_velocity", body.name),
                body.angular_velocity.as_dvec3(),
            );
        }
        for trigger in &self.triggers {
            let numbers = [
                ("inside", trigger.inside),
                ("entered", trigger.entered),
                ("removed", trigger.removed),
            ];
            columns.extend(numbers.map(|(what, number)| (format!("{}.{what}", trigger.name), number as f64)));
            columns.push((format!("{}.set", trigger.name), f64::from(u8::from(trigger.is_set))));
        }
        columns
    }
}

fn colliders(world: &World) -> Vec<LoggedCollider> {
    let forces = world.collider_forces();
    let logged = { world.colliders() }.filter(|(_, collider, _)| !collider.trigger);
    let logged = logged.map(|(id, collider, _)| {
        let found = forces.iter().find(|force| force.collider == id);
        LoggedCollider {
            name: collider.name.clone(),
            force: found.map_or(Vec3::ZERO, |force| force.force),
            torque: found.map_or(Vec3::ZERO, |force| force.torque),
            contacts: found.map_or(0, |force| force.contacts),
        }
    });
    logged.collect()
}

fn joints(world: &World, dt: f32) -> Vec<LoggedJoint> {
    let bodies = world.bodies();
    let name = |id| {
        let group = world.body_group(id).and_then(|group| world.group(group));
        group.map_or_else(String::new, |group| group.name.clone())
    };
    let logged = bodies.attachments.iter().map(|attached| LoggedJoint {
        body: name(attached.attachment.body),
        force: world.mean_attachment_force(attached.id, dt).unwrap_or(Vec3::ZERO),
    });
    logged.collect()
}

fn triggers(world: &World) -> Vec<LoggedTrigger> {
    let logged = world.triggers().iter().map(|triggered| LoggedTrigger {
        name: triggered.trigger().name.clone(),
        inside: triggered.inside(),
        entered: triggered.entered(),
        removed: triggered.removed(),
        is_set: triggered.is_set(),
    });
    logged.collect()
}

fn bodies(world: &World) -> Vec<LoggedBody> {
    let logged = world.bodies().list.iter().filter_map(|body| {
        let motion = world.body_motion(body.id)?;
        Some(LoggedBody {
            name: world.group(body.group)?.name.clone(),
            center: motion.center,
            rotation: motion.pose.rotation,
            velocity: motion.velocity,
            angular_velocity: motion.angular_velocity,
        })
    });
    logged.collect()
}

/// A table in CSV that has the columns of its first record, by name: those that are missing later are left empty, and those
/// that come later are left out.
#[derive(Default)]
pub struct LogTable {
    columns: Vec<String>,
}

impl LogTable {
    /// Writes a record, and before the first one the names of the columns.
    pub fn write(&mut self, mut out: impl Write, record: &LogRecord) -> io::Result<()> {
        let values = record.columns();
        if self.columns.is_empty() {
            self.columns = values.iter().map(|(name, _)| name.clone()).collect();
            let names: Vec<String> = self.columns.iter().map(|name| quoted(name)).collect();
            writeln!(out, "{}", names.join(","))?;
        }
        let mut left = values.into_iter().peekable();
        let cells: Vec<String> = { self.columns.iter() }
            .map(|name| {
                let found = left.clone().position(|(other, _)| other == *name);
                let value = found.and_then(|skip| left.nth(skip));
                value.map_or_else(String::new, |(_, value)| value.to_string())
            })
            .collect();
        writeln!(out, "{}", cells.join(","))
    }
}

/// A cell of CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use motes_core::{CpuEngine, Group, Material, Settings};

    fn falling() -> World {
        let mut world = World::with_engine(Settings::default(), Box::new(CpuEngine::with_threads(1))).expect("world");
        let material = world.add_material(Material::SAND).expect("material");
        let group = world.add_group(Group::grains("grain", material)).expect("group");
        let places = [Vec3::new(1.0, 10.0, 0.0)];
        world
            .add_particles(group, &places, Vec3::new(2.0, 0.0, 0.0))
            .expect("particles");
        world
    }

    #[test]
    fn a_grain_in_free_fall_keeps_its_energy_and_gains_momentum() {
        let mut world = falling();
        let start = LogRecord::of(&world, 1.0 / 60.0);
        for _ in 0..60 {
            world.step(1.0 / 60.0);
        }
        let end = LogRecord::of(&world, 1.0 / 60.0);
        let mass = f64::from(Material::SAND.ball_mass(0.05));
        let energy = |record: &LogRecord| record.kinetic_energy + record.potential_energy;
        // Velocities are read off positions of ten metres, to 1e-4 m/s in each sub-step; the lag of half a sub-step would
        // be 4e-3 of the momentum.
        assert!((energy(&end) / energy(&start) - 1.0).abs() < 1e-4);
        assert!((end.momentum.y / (mass * -9.81) - 1.0).abs() < 1e-3, "{}", end.momentum);
        assert!(
            (start.angular_momentum.z - mass * -20.0).abs() < 1e-3,
            "{}",
            start.angular_momentum
        );
    }

    #[test]
    fn a_line_is_json_and_a_row_has_the_columns_of_the_first() {
        let mut world = falling();
        let first = LogRecord::of(&world, 1.0 / 60.0);
        world.step(1.0 / 60.0);
        let mut second = LogRecord::of(&world, 1.0 / 60.0);
        let mut line = Vec::new();
        second.write_json(&mut line).expect("written");
        let read: Value = serde_json::from_slice(&line).expect("JSON");
        assert_eq!(read["frame"], 1);
        assert!(line.ends_with(b"\n"));
        second.bodies.push(LoggedBody {
            name: "late, and \"odd\"".into(),
            center: Vec3::ONE,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
        });
        let (mut table, mut text) = (LogTable::default(), Vec::new());
        table.write(&mut text, &first).expect("written");
        table.write(&mut text, &second).expect("written");
        let text = String::from_utf8(text).expect("UTF-8");
        let widths: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(widths, [13; 3]);
        assert_eq!(quoted("late, and \"odd\""), "\"late, and \"\"odd\"\"\"");
    }
}
