//! A world at one moment, as far as claims about it are concerned.

use glam::{Quat, Vec3, Vec4Swizzles};
use motes_core::{Anchor, BodyId, Pose, World};

/// Everything that claims are about, at the end of a frame.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Frames since the start.
    pub frame: u64,
    /// All particles, in order of their ids.
    pub particles: Vec<Particle>,
    /// All bodies.
    pub bodies: Vec<Body>,
    /// Where passive particles are, metres.
    pub passive: Vec<Vec3>,
    /// Widest gap of a joint between things that do not bend, metres.
    pub widest_gap: f64,
    /// Place of the room, if there is one: what starts inside it stays there.
    pub room: Option<Pose>,
    /// How far the centre of a particle lies below the surface of a collider, in radii of the particle, and which.
    pub deepest: (f64, String),
}

/// A particle.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    /// Index and generation of its id.
    pub id: (u32, u32),
    /// Where it is, metres.
    pub position: Vec3,
    /// Velocity at that moment, m/s.
    pub velocity: Vec3,
    /// Mass, kg; 0 for those that nothing can move.
    pub mass: f64,
    /// Weight in free fall, newtons: mass times gravity.
    pub weight: Vec3,
    /// Radius, metres.
    pub radius: f32,
}

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its handle.
    pub id: BodyId,
    /// Its name.
    pub name: String,
    /// Whether it keeps its shape exactly.
    pub is_rigid: bool,
    /// Whether it melts, and so may change its shape.
    pub melts: bool,
    /// Rotation from its rest pose.
    pub rotation: Quat,
    /// Radius of its particles, metres.
    pub radius: f32,
    /// Rest position and place of each member that lives, metres, and its mass, kg.
    pub members: Vec<(Vec3, Vec3, f32)>,
}

impl Snapshot {
    /// The world as it is; `dt` is the length of its frames, seconds, `room` the name of the trigger that marks the inside.
    pub fn of(world: &World, dt: f32, room: &str) -> Self {
        let settings = world.settings();
        let h = dt / settings.substeps as f32;
        let radii = world.particle_radii();
        let materials = world.materials().as_slice();
        let stored = world.particles();
        let mut particles: Vec<Particle> = (0..stored.len())
            .map(|slot| {
                let (position, velocity) = (stored.positions[slot], stored.velocities[slot]);
                let mass = if position.w > 0.0 {
                    1.0 / f64::from(position.w)
                } else {
                    0.0
                };
                let scale = materials[stored.materials[slot].0 as usize].gravity_scale;
                let gravity = if mass > 0.0 {
                    scale * settings.gravity
                } else {
                    Vec3::ZERO
                };
                // Velocities live half a sub-step before positions, as far as the next kick tells.
                let since = h * (velocity.w - 0.5);
                Particle {
                    id: (stored.ids()[slot].index, stored.ids()[slot].generation),
                    position: position.xyz(),
                    velocity: velocity.xyz() + since * gravity,
                    mass,
                    weight: mass as f32 * gravity,
                    radius: radii[slot],
                }
            })
            .collect();
        particles.sort_unstable_by_key(|particle| particle.id);
        let marked = { world.colliders() }.find(|(_, collider, _)| collider.trigger && collider.name == room);
        Self {
            frame: world.frame(),
            deepest: deepest(world, &particles),
            particles,
            bodies: bodies(world),
            passive: world.passive().positions().iter().map(|place| place.xyz()).collect(),
            widest_gap: widest_gap(world),
            room: marked.map(|(_, _, pose)| *pose),
        }
    }

    /// Kinetic and potential energy, joules.
    pub fn energy(&self) -> [f64; 2] {
        let mut energy = [0.0; 2];
        for particle in &self.particles {
            energy[0] += 0.5 * particle.mass * f64::from(particle.velocity.length_squared());
            energy[1] -= particle.weight.as_dvec3().dot(particle.position.as_dvec3());
        }
        energy
    }

    /// Mass, kg, and its centre, metres.
    pub fn center(&self) -> (f64, Vec3) {
        let mass: f64 = self.particles.iter().map(|particle| particle.mass).sum();
        let moment = { self.particles.iter() }.map(|particle| particle.mass * particle.position.as_dvec3());
        let moment: glam::DVec3 = moment.sum();
        (mass, (moment / mass.max(f64::MIN_POSITIVE)).as_vec3())
    }

    /// Greatest speed of particles that can be moved, and of those that cannot, m/s.
    pub fn speeds(&self) -> [f64; 2] {
        let mut speeds = [0.0f64; 2];
        for particle in &self.particles {
            let kind = usize::from(particle.mass == 0.0);
            // What is no number is faster than anything.
            let speed = f64::from(particle.velocity.length());
            speeds[kind] = if speed.is_nan() {
                f64::INFINITY
            } else {
                speeds[kind].max(speed)
            };
        }
        speeds
    }
}

fn bodies(world: &World) -> Vec<Body> {
    let (bodies, particles) = (world.bodies(), world.particles());
    let melting: Vec<_> = world.melts().iter().map(|melt| melt.group()).collect();
    let seen = bodies.list.iter().map(|body| {
        let members = body.members().filter_map(|member| {
            let slot = particles.slot(bodies.particles[member])?;
            let rest = bodies.rest[member];
            Some((rest.xyz(), particles.positions[slot].xyz(), rest.w))
        });
        Body {
            id: body.id,
            name: world
                .group(body.group)
                .map_or_else(String::new, |group| group.name.clone()),
            is_rigid: body.is_rigid(),
            melts: melting.contains(&body.group),
            rotation: body.rotation,
            radius: world.particle_radius(body.group).unwrap_or(settings_radius(world)),
            members: members.collect(),
        }
    });
    seen.collect()
}

fn settings_radius(world: &World) -> f32 {
    world.settings().particle_radius
}

/// The widest gap of an attachment between rigid bodies, colliders and the world, metres.
fn widest_gap(world: &World) -> f64 {
    let bodies = world.bodies();
    let pose = |id: BodyId| {
        let body = &bodies.list[bodies.place(id)?];
        body.is_rigid()
            .then(|| world.body_motion(id))
            .flatten()
            .map(|motion| motion.pose)
    };
    let gap = |attached: &motes_core::Attachment| {
        let own = pose(attached.body)?.point(attached.point);
        let other = match attached.anchor {
            Anchor::World(place) => place,
            Anchor::Collider(id, point) => world.collider_pose(id)?.point(point),
            Anchor::Body(id, point) => pose(id)?.point(point),
        };
        Some(f64::from(own.distance(other)))
    };
    let gaps = bodies
        .attachments
        .iter()
        .filter_map(|attached| gap(&attached.attachment));
    gaps.fold(0.0, f64::max)
}

fn deepest(world: &World, particles: &[Particle]) -> (f64, String) {
    let mut deepest = (f64::NEG_INFINITY, String::new());
    for (_, collider, pose) in world.colliders().filter(|(_, collider, _)| !collider.trigger) {
        let near = collider.shape.bounds();
        for particle in particles.iter().filter(|particle| particle.mass > 0.0) {
            let local = pose.local_point(particle.position);
            if near.contains(local) {
                let depth = f64::from(-collider.shape.signed_distance(local).0 / particle.radius);
                if depth > deepest.0 {
                    deepest = (depth, collider.name.clone());
                }
            }
        }
    }
    deepest
}
