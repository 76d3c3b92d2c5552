//! Rays into a world, and what is near a point of it: particles as balls, and colliders.

use glam::Vec3;

use crate::colliders::collider::{Collider, ColliderId};
use crate::engine::query::{Answer, Query, Ray};
use crate::particles::ParticleId;
use crate::space::pose::Pose;

use super::World;
use super::questions::Question;

/// The first thing that a ray meets: a particle or a collider. Triggers are passed through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayCast {
    /// Where it starts, metres.
    pub origin: Vec3,
    /// Where it goes; any finite length but zero.
    pub direction: Vec3,
    /// How far it goes, metres; a ray that goes less than nowhere meets nothing.
    pub reach: f32,
}

impl RayCast {
    /// A ray that goes on for ever.
    pub fn new(origin: Vec3, direction: Vec3) -> Self {
        Self {
            origin,
            direction,
            reach: f32::MAX,
        }
    }

    /// Of whatever length the direction is given.
    fn unit_direction(&self) -> Option<Vec3> {
        (self.direction / self.direction.abs().max_element()).try_normalize()
    }
}

/// Where a ray ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// What it meets.
    pub hit: Hit,
    /// How far it goes until there, metres; zero if it begins inside.
    pub distance: f32,
    /// Where that is, metres.
    pub point: Vec3,
}

/// What a ray meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A particle.
    Particle(ParticleId),
    /// A collider.
    Collider(ColliderId),
}

impl Question for RayCast {
    type Answer = Option<RayHit>;

    fn put(self, world: &World) -> (Query, impl FnOnce(Answer) -> Self::Answer + Send + 'static) {
        let direction = self.unit_direction().unwrap_or_default();
        let wall = world.cast_at_colliders(&self);
        let ray = Ray {
            origin: self.origin,
            direction,
            // Nothing behind a wall is met, nor anything by a ray without a direction.
            reach: match wall {
                _ if direction == Vec3::ZERO || self.reach.is_nan() => -1.0,
                Some((_, distance)) => distance,
                None => self.reach,
            },
            radius: world.common_radius(),
            radii: world.sizes().map_or(Vec::new(), |sizes| sizes.of_group().to_vec()),
        };
        let along = ray.clone();
        (Query::Ray(ray), move |answer| {
            let ray = along;
            let particle = match answer {
                Answer::Picked(picked) => picked.filter(|_| ray.reach >= 0.0),
                _ => None,
            };
            let (hit, distance) = match (particle, wall) {
                (Some((id, distance)), _) => (Hit::Particle(id), distance),
                (None, Some((id, distance))) => (Hit::Collider(id), distance),
                (None, None) => return None,
            };
            Some(RayHit {
                hit,
                distance,
                point: ray.origin + distance * ray.direction,
            })
        })
    }
}

impl World {
    /// Colliders that are switched on.
    fn colliders_on(&self) -> impl Iterator<Item = (ColliderId, &Collider, &Pose)> {
        self.colliders()
            .filter(|(id, ..)| self.is_collider_on(*id) == Some(true))
    }

    /// The first collider that a ray meets, and how far it goes until there, metres. Triggers, and what is switched off, are passed through. The host
    /// knows where colliders are, so no device is asked.
    pub fn cast_at_colliders(&self, ray: &RayCast) -> Option<(ColliderId, f32)> {
        let direction = ray.unit_direction().filter(|_| ray.reach >= 0.0)?;
        self.colliders_on()
            .filter(|(_, collider, _)| !collider.trigger)
            .filter_map(|(id, collider, pose)| {
                let along = pose.rotation.conjugate() * direction;
                let (distance, _) = collider.shape.cast(pose.local_point(ray.origin), along, ray.reach)?;
                Some((id, distance))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Colliders that a ball overlaps, triggers included, those that are switched off not; of meshes, those whose surface it touches. The centre and the
    /// radius are in metres.
    pub fn colliders_touching(&self, center: Vec3, radius: f32) -> Vec<ColliderId> {
        self.colliders_on()
            .filter(|(_, collider, pose)| collider.shape.contains(pose.local_point(center), radius))
            .map(|(id, ..)| id)
            .collect()
    }
}
