//! Pinned particles that are carried along: by a motion of their own, or by a collider.
//!
//! A pin keeps the velocity that it has been given, in both engines. So a frame begins with two edits for each pin that is carried:
//! where it is, so that no rounding adds up, and the velocity that leads to where it has to be when the frame ends.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::body::drive::Drive;
use crate::colliders::collider::ColliderId;
use crate::engine::edit::{Change, Edit};
use crate::error::WorldError;
use crate::particles::ParticleId;
use crate::space::motion::Motion;
use crate::space::pose::Pose;
use crate::world::World;

/// What carries some pins, and which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Carrier {
    by: CarriedBy,
    /// The pins, and where each is in the frame of what carries it.
    pins: Vec<(ParticleId, Pose)>,
    /// Whether they moved in the last frame, and have to be stopped if they do not in the next.
    moving: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum CarriedBy {
    Motion(Drive),
    Collider(ColliderId),
}

impl World {
    /// Pins particles and has them move as one from here and now on: as something does that is at `origin` now and moves by
    /// itself. [`Motion::Fixed`] only pins them. What carried them before does so no more; giving one an inverse mass above 0 lets it go.
    pub fn carry_particles(&mut self, ids: &[ParticleId], origin: Pose, motion: Motion) -> Result<(), WorldError> {
        if let Some(expected) = motion.problem() {
            return Err(refused("motion", "something else".into(), expected));
        }
        if !origin.is_sound() {
            let found = format!("{} and {}", origin.position, origin.rotation);
            return Err(refused("origin", found, "a finite position and a unit rotation"));
        }
        let since = self.time();
        let drive = Drive {
            motion,
            start: origin,
            since,
        };
        self.pin_to(ids, origin, CarriedBy::Motion(drive))
    }

    /// Pins particles to a collider, to go wherever it goes from where both are now, even while it is switched off. If it is
    /// removed they stay where they are; giving one an inverse mass above 0 lets it go.
    pub fn attach_to_collider(&mut self, ids: &[ParticleId], collider: ColliderId) -> Result<(), WorldError> {
        let pose = self.collider_pose(collider).ok_or(WorldError::Gone("collider"))?;
        self.pin_to(ids, pose, CarriedBy::Collider(collider))
    }

    fn pin_to(&mut self, ids: &[ParticleId], pose: Pose, by: CarriedBy) -> Result<(), WorldError> {
        let places = self.positions(ids);
        let turned = pose.rotation.conjugate();
        let pins: Option<Vec<(ParticleId, Pose)>> = { ids.iter().zip(places) }
            .map(|(&id, place)| {
                let pin = Pose {
                    position: pose.local_point(place?),
                    rotation: turned * self.rotation_of(id).unwrap_or_default(),
                };
                Some((id, pin))
            })
            .collect();
        let pins = pins.ok_or(WorldError::Gone("particle"))?;
        let held: Vec<(ParticleId, f32)> = ids.iter().map(|&id| (id, 0.0)).collect();
        self.set_inverse_masses(&held)?;
        self.release(ids);
        self.model.carriers.push(Carrier {
            by,
            pins,
            moving: false,
        });
        Ok(())
    }

    /// Which way a particle of a creature points.
    fn rotation_of(&self, id: ParticleId) -> Option<Quat> {
        self.engine.creatures().filter(|creatures| !creatures.is_empty())?;
        let particles = self.engine.particles();
        Some(particles.orientation(particles.slot(id)?)?.0)
    }

    /// The particles of all creatures, in ascending order.
    fn oriented_particles(&self) -> Vec<ParticleId> {
        let creatures = self.engine.creatures().map_or(&[][..], |creatures| &creatures.list);
        let members = creatures.iter().flat_map(|creature| &creature.members);
        let mut ids: Vec<ParticleId> = members.map(|member| member.particle).collect();
        ids.sort_unstable();
        ids
    }

    /// Has nothing carry these particles any more.
    pub(crate) fn release(&mut self, ids: &[ParticleId]) {
        for carrier in &mut self.model.carriers {
            carrier.pins.retain(|(id, _)| !ids.contains(id));
        }
        self.model.carriers.retain(|carrier| !carrier.pins.is_empty());
    }

    /// Sends pins to where what carries them will be after the `dt` seconds of the frame to come.
    pub(super) fn carry(&mut self, dt: f32) {
        let [now, end] = [self.model.time, self.model.time + f64::from(dt)];
        let mut carriers = std::mem::take(&mut self.model.carriers);
        let mut edits = Vec::new();
        let oriented = match carriers.is_empty() {
            true => Vec::new(),
            false => self.oriented_particles(),
        };
        for carrier in &mut carriers {
            carrier.pins.retain(|&(id, _)| self.engine.is_alive(id));
            let poses = match &carrier.by {
                CarriedBy::Motion(drive) => Some([drive.pose(now), drive.pose(end)]),
                CarriedBy::Collider(id) => {
                    let placed = self.model.colliders.get(id.index, id.generation);
                    placed.map(|placed| [placed.pose, placed.target])
                }
            };
            let poses = poses.filter(|poses| poses.iter().all(Pose::is_sound));
            let moves = poses.is_some_and(|[from, to]| from != to);
            if moves || carrier.moving {
                let spin = poses.map_or(Vec3::ZERO, |[from, to]| {
                    let turned = to.rotation * from.rotation.conjugate();
                    (if turned.w < 0.0 { -turned } else { turned }).to_scaled_axis() / dt
                });
                for &(id, local) in &carrier.pins {
                    let mut velocity = Vec3::ZERO;
                    let is_oriented = oriented.binary_search(&id).is_ok();
                    if let Some([from, to]) = poses {
                        let rotation = (from.rotation * local.rotation).normalize();
                        let [from, to] = [from, to].map(|pose| pose.point(local.position));
                        velocity = (to - from) / dt;
                        edits.push(Edit::Particle(id, Change::Position(from)));
                        if is_oriented {
                            edits.push(Edit::Particle(id, Change::Orientation(rotation)));
                        }
                    }
                    edits.push(Edit::Particle(id, Change::Velocity(velocity)));
                    if is_oriented {
                        edits.push(Edit::Particle(id, Change::Spin(Some(spin))));
                    }
                }
            }
            carrier.moving = moves;
        }
        carriers.retain(|carrier| match &carrier.by {
            CarriedBy::Motion(_) => !carrier.pins.is_empty(),
            CarriedBy::Collider(id) => self.model.colliders.get(id.index, id.generation).is_some(),
        });
        self.model.carriers = carriers;
        // All of them are alive, as far as the host knows; an engine passes over those it knows better of.
        let _ = self.carry_out(&edits);
    }
}

fn refused(field: &str, found: String, expected: &str) -> WorldError {
    WorldError::Value {
        what: "particles to be carried".into(),
        field: field.into(),
        found,
        expected: expected.into(),
    }
}
