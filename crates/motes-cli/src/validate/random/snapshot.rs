//! A world at one moment, as far as claims about it are concerned.

use std::collections::BTreeSet;

use glam::{DVec3, Quat, Vec3, Vec4Swizzles};
use motes_core::{Anchor, Attachment, BodyId, BodyMotion, ConstraintKind, GroupId, ParticleId, Pose, Softness, World};

use super::balloons;
use super::sheets::Sheets;
use super::web::greater;

/// Everything that claims are about, at the end of a frame.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Frames since the start.
    pub frame: u64,
    /// All particles.
    pub particles: Vec<Particle>,
    /// All bodies.
    pub bodies: Vec<Body>,
    /// Where passive particles are, metres.
    pub passive: Vec<Vec3>,
    /// Widest gap of a joint between things that do not bend, in radii; none where there is no such joint.
    pub widest_gap: Option<f64>,
    /// Longest of the distances that do not yield, over that at rest; none where there is no such distance.
    pub longest_row: Option<f64>,
    /// Longest thread of cloth or rope over its length at rest; none where there is no such thing.
    pub longest_thread: Option<f64>,
    /// Vertices of cloth that no triangle has; none where there is no cloth that is all there.
    pub bare_vertices: Option<f64>,
    /// How far a balloon is from the volume it should have; none where there is none.
    pub misfit: Option<f64>,
    /// Place of the room, if there is one: what starts inside it stays there.
    pub room: Option<Pose>,
    /// How far the centre of a particle lies below the surface of a collider, in its radii; negative where all are above.
    pub deepest: f64,
}

/// A particle.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    /// Where it is, metres.
    pub position: Vec3,
    /// Velocity at that moment, m/s.
    pub velocity: Vec3,
    /// Mass, kg; 0 for those that nothing can move.
    pub mass: f64,
    /// Weight: mass times gravity, newtons.
    pub weight: Vec3,
    /// Radius, metres.
    pub radius: f32,
    /// Angular velocity, rad/s; zero for those that do not turn.
    pub spin: Vec3,
    /// Whether it belongs to a rigid body, which has its energy.
    pub is_rigid: bool,
}

/// How a body keeps its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapekeeping {
    /// Exactly.
    Rigid,
    /// It comes back to it.
    Soft,
    /// It flows.
    Plastic,
    /// It may melt.
    Melting,
}

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its handle.
    pub id: BodyId,
    /// How it keeps its shape.
    pub keeps: Shapekeeping,
    /// Whether it keeps it exactly at present: what may melt does so while it is cold.
    pub is_rigid: bool,
    /// Rotation from its rest pose.
    pub rotation: Quat,
    /// Radius of its particles, metres.
    pub radius: f32,
    /// Energy of its motion as a whole, joules.
    pub kinetic_energy: f64,
    /// Rest position and place of each member that lives, metres, and its mass, kg.
    pub members: Vec<(Vec3, Vec3, f32)>,
}

impl Snapshot {
    /// The world as it is; `dt` is the length of its frames, seconds, `room` the name of the trigger that marks the inside.
    pub fn of(world: &World, dt: f32, room: &str, sheets: &Sheets) -> Self {
        let h = dt / world.settings().substeps as f32;
        let particles = particles(world, h);
        let marked = { world.colliders() }.find(|(_, collider, _)| collider.trigger && collider.name == room);
        Self {
            frame: world.frame(),
            deepest: deepest(world, &particles),
            particles,
            bodies: bodies(world, h),
            passive: world.passive().positions().iter().map(|place| place.xyz()).collect(),
            widest_gap: widest_gap(world),
            longest_row: longest_row(world),
            longest_thread: sheets.longest_thread(world),
            bare_vertices: sheets.bare_vertices(world),
            misfit: balloons::misfit(world),
            room: marked.map(|(_, _, pose)| *pose),
        }
    }

    /// Kinetic and potential energy, joules.
    pub fn energy(&self) -> [f64; 2] {
        let mut energy = [0.0; 2];
        let rigid = { self.bodies.iter() }.filter(|body| body.is_rigid);
        energy[0] += rigid.map(|body| body.kinetic_energy).sum::<f64>();
        for particle in &self.particles {
            if !particle.is_rigid {
                let rim = 0.4 * (particle.radius * particle.spin).length_squared();
                energy[0] += 0.5 * particle.mass * f64::from(particle.velocity.length_squared() + rim);
            }
            energy[1] -= particle.weight.as_dvec3().dot(particle.position.as_dvec3());
        }
        energy
    }

    /// Centre of mass, metres.
    pub fn center(&self) -> DVec3 {
        let mass: f64 = self.particles.iter().map(|particle| particle.mass).sum();
        let moments = { self.particles.iter() }.map(|particle| particle.mass * particle.position.as_dvec3());
        moments.sum::<DVec3>() / mass.max(f64::MIN_POSITIVE)
    }

    /// Particles that can be moved.
    pub fn free(&self) -> impl Iterator<Item = &Particle> {
        self.particles.iter().filter(|particle| particle.mass > 0.0)
    }

    /// Greatest speed of particles that can be moved, and of those that cannot, m/s.
    pub fn speeds(&self) -> [f64; 2] {
        [false, true].map(|is_held| {
            let kind = { self.particles.iter() }.filter(|particle| (particle.mass == 0.0) == is_held);
            kind.map(|particle| f64::from(particle.velocity.length()))
                .fold(0.0, greater)
        })
    }

    /// How many particles are not at a place, or have no velocity.
    pub fn not_finite(&self) -> usize {
        let bad = |particle: &&Particle| !(particle.position.is_finite() && particle.velocity.is_finite());
        let passive = self.passive.iter().filter(|place| !place.is_finite());
        self.particles.iter().filter(bad).count() + passive.count()
    }
}

/// What pulls at a particle that can be moved, m/s².
fn gravity(world: &World, slot: usize) -> Vec3 {
    let particles = world.particles();
    if particles.positions[slot].w == 0.0 {
        return Vec3::ZERO;
    }
    let material = &world.materials().as_slice()[particles.materials[slot].0 as usize];
    material.gravity_scale * world.settings().gravity
}

/// All particles, with their velocities at the time of the positions, of which they live half a sub-step `h` behind.
fn particles(world: &World, h: f32) -> Vec<Particle> {
    let (radii, stored) = (world.particle_radii(), world.particles());
    let rigid = world.bodies().list.iter().filter(|body| body.is_rigid());
    let rigid: BTreeSet<u32> = rigid.map(|body| body.group.index()).collect();
    let seen = (0..stored.len()).map(|slot| {
        let (position, velocity) = (stored.positions[slot], stored.velocities[slot]);
        let mass = if position.w > 0.0 {
            1.0 / f64::from(position.w)
        } else {
            0.0
        };
        let gravity = gravity(world, slot);
        Particle {
            position: position.xyz(),
            velocity: velocity.xyz() + h * (velocity.w - 0.5) * gravity,
            mass,
            weight: mass as f32 * gravity,
            radius: radii[slot],
            spin: stored.spin(slot).unwrap_or_default(),
            is_rigid: rigid.contains(&stored.phases[slot].group()),
        }
    });
    seen.collect()
}

/// Energy of a body that moves as a whole, joules.
fn energy(motion: &BodyMotion, lag: Vec3) -> f64 {
    let velocity = (motion.velocity + lag).as_dvec3();
    let turning = motion.angular_velocity.as_dvec3();
    let spin = motion.inertia.as_dmat3() * turning;
    0.5 * (f64::from(motion.mass) * velocity.length_squared() + turning.dot(spin))
}

fn bodies(world: &World, h: f32) -> Vec<Body> {
    let (bodies, particles) = (world.bodies(), world.particles());
    let melting: Vec<_> = world.melts().iter().map(|melt| melt.group()).collect();
    let seen = bodies.list.iter().map(|body| {
        let members = body.members().filter_map(|member| {
            let slot = particles.slot(bodies.particles[member])?;
            let rest = bodies.rest[member];
            Some((rest.xyz(), particles.positions[slot].xyz(), rest.w))
        });
        // All members have one material, and lag behind their positions by about the same.
        let slots = body
            .members()
            .filter_map(|member| particles.slot(bodies.particles[member]));
        let lags = slots.map(|slot| h * (particles.velocities[slot].w - 0.5) * gravity(world, slot));
        let lag = lags.sum::<Vec3>() / body.count.max(1) as f32;
        let keeps = match () {
            () if melting.contains(&body.group) => Shapekeeping::Melting,
            () if body.is_rigid() => Shapekeeping::Rigid,
            () if body.plasticity.is_some() => Shapekeeping::Plastic,
            () => Shapekeeping::Soft,
        };
        Body {
            id: body.id,
            keeps,
            is_rigid: body.is_rigid(),
            rotation: body.rotation,
            radius: radius(world, body.group),
            kinetic_energy: world.body_motion(body.id).map_or(0.0, |motion| energy(&motion, lag)),
            members: members.collect(),
        }
    });
    seen.collect()
}

fn radius(world: &World, group: GroupId) -> f32 {
    world.particle_radius(group).unwrap_or(world.settings().particle_radius)
}

/// The widest gap of an attachment between rigid bodies, colliders and the world, in radii of the body.
fn widest_gap(world: &World) -> Option<f64> {
    let bodies = world.bodies();
    let pose = |id: BodyId| {
        let body = &bodies.list[bodies.place(id)?];
        let motion = body.is_rigid().then(|| world.body_motion(id)).flatten()?;
        Some((motion.pose, radius(world, body.group)))
    };
    let gap = |attached: &Attachment| {
        let (own, radius) = pose(attached.body)?;
        let other = match attached.anchor {
            Anchor::World(place) => place,
            Anchor::Collider(id, point) => world.collider_pose(id)?.point(point),
            Anchor::Body(id, point) => pose(id)?.0.point(point),
        };
        Some(f64::from(own.point(attached.point).distance(other) / radius))
    };
    let gaps = { bodies.attachments.iter() }.filter_map(|attached| gap(&attached.attachment));
    gaps.reduce(greater)
}

/// The longest distance between particles that was to be kept without yielding, over what it should be. Links and tethers are
/// those of bodies.
fn longest_row(world: &World) -> Option<f64> {
    let particles = world.particles();
    let place = |id: ParticleId| Some(particles.positions[particles.slot(id)?].xyz());
    let distances = { world.constraints().iter() }.filter(|(id, _)| id.kind == ConstraintKind::Distance);
    let lengths = distances.filter_map(|(_, row)| {
        let is_firm = row.softness == Softness::STIFF && row.breaking_force.is_infinite();
        let is_own = row.body.is_none() && row.on && row.rest > 0.0;
        let [a, b] = [place(row.particles[0])?, place(row.particles[1])?];
        (is_firm && is_own).then(|| f64::from(a.distance(b) / row.rest))
    });
    lengths.reduce(greater)
}

/// How far a centre is below a surface, in radii.
fn deepest(world: &World, particles: &[Particle]) -> f64 {
    let mut deepest = f64::NEG_INFINITY;
    for (_, collider, pose) in world.colliders().filter(|(_, collider, _)| !collider.trigger) {
        let near = collider.shape.bounds();
        for particle in particles.iter().filter(|particle| particle.mass > 0.0) {
            let local = pose.local_point(particle.position);
            if near.contains(local) {
                let depth = -collider.shape.signed_distance(local).0 / particle.radius;
                deepest = greater(deepest, f64::from(depth));
            }
        }
    }
    deepest
}
