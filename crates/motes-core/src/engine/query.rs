//! Queries: what a caller wants to know of this moment, asked once and answered later.

use glam::{Vec3, Vec4Swizzles};
use rayon::prelude::*;

use crate::body::{BodyId, BodyMotion};
use crate::engine::report::{ColliderForce, Contact, TriggerOverlap};
use crate::material::MaterialId;
use crate::particles::phase::Phase;
use crate::particles::{ParticleId, Particles};
use crate::space::volume::Volume;
use crate::tear::Strained;
use crate::world::group::middles;

/// Numbers the queries of an engine in the order in which they were asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// Called once with an answer.
pub type Reply = Box<dyn FnOnce(Answer) + Send>;

/// A question to an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Query {
    /// Some particles, by id.
    Particles(Vec<ParticleId>),
    /// The particles of a group, by its index.
    Group(u32),
    /// All particles.
    Everything,
    /// How bodies move.
    Motions(Vec<BodyId>),
    /// The middle of the particles of groups, by their indices.
    Centers(Vec<u32>),
    /// Contacts of particles with colliders in the last sub-step.
    ColliderContacts,
    /// Contacts between particles in the last sub-step, once for either side.
    ParticleContacts,
    /// Forces on colliders over the last frame, by handle.
    ColliderForces,
    /// Particles inside triggers at the end of the last frame, sorted.
    TriggerOverlaps,
    /// The first ball that a ray hits.
    Ray(Ray),
    /// The particle whose centre is nearest to a point.
    Nearest(Nearest),
    /// Particles whose centres are in a region.
    Inside(Volume),
    /// Particles whose centres are in each of some regions.
    Watch(Vec<Watch>),
    /// Edges of sheets that were stretched further than they can bear in the last sub-step.
    Strained,
}

/// A region that is watched, and for whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// The region.
    pub region: Volume,
    /// Indices of the groups that count; all if there are none.
    pub groups: Vec<u32>,
}

impl Watch {
    /// Those of some particles that each of the regions has, with the index of the group of each, in order of id.
    pub fn all(
        watches: &[Self],
        particles: impl Iterator<Item = (Vec3, Phase, ParticleId)>,
    ) -> Vec<Vec<(ParticleId, u32)>> {
        let mut seen = vec![Vec::new(); watches.len()];
        for (place, phase, id) in particles {
            for (watch, seen) in watches.iter().zip(&mut seen) {
                let counts = watch.groups.is_empty() || watch.groups.contains(&phase.group());
                if counts && watch.region.contains(place) {
                    seen.push((id, phase.group()));
                }
            }
        }
        seen.iter_mut().for_each(|seen| seen.sort_unstable());
        seen
    }
}

/// The answer to the query of the same name.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// In the order of the ids; `None` for those that are gone.
    Particles(Vec<Option<ParticleState>>),
    /// In order of id.
    Group(Vec<(ParticleId, ParticleState)>),
    /// In slots of the engine's choice.
    Everything(Box<Particles>),
    /// In the order of the bodies; `None` for those that are gone.
    Motions(Vec<Option<BodyMotion>>),
    /// Indices of the groups that have particles, and the middle of each, metres.
    Centers(Vec<(u32, Vec3)>),
    /// Contacts of either kind.
    Contacts(Vec<Contact>),
    /// Forces on colliders.
    ColliderForces(Vec<ColliderForce>),
    /// Particles in triggers.
    TriggerOverlaps(Vec<TriggerOverlap>),
    /// The particle that was hit or is nearest, and how far away it is, metres: along the ray to its surface, or to its centre.
    Picked(Option<(ParticleId, f32)>),
    /// In order of id.
    Inside(Vec<ParticleId>),
    /// In the order of the regions, each in order of id, with the index of the group of each particle.
    Watched(Vec<Vec<(ParticleId, u32)>>),
    /// Of each [`STRAIN_ROWS`](crate::tear::STRAIN_ROWS) rows the one that is so most.
    Strained(Vec<Strained>),
}

/// What a query tells of a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleState {
    /// Centre, metres.
    pub position: Vec3,
    /// Velocity, m/s, half a sub-step before.
    pub velocity: Vec3,
    /// Inverse mass, 1/kg; 0 if it is pinned.
    pub inverse_mass: f32,
    /// Group and flags.
    pub phase: Phase,
    /// Material.
    pub material: MaterialId,
}

/// A ray among particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, metres.
    pub origin: Vec3,
    /// Its direction, a unit vector.
    pub direction: Vec3,
    /// How far it goes, metres.
    pub reach: f32,
    /// Radius of the particles, metres.
    pub radius: f32,
    /// Where they have several, that of each group, by its index; else empty.
    pub radii: Vec<f32>,
}

/// A point among particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The point, metres.
    pub point: Vec3,
    /// Particles further away do not count, metres.
    pub within: f32,
}

impl Ray {
    /// Radius of a particle, metres.
    pub fn radius_of(&self, phase: Phase) -> f32 {
        self.radii.get(phase.group() as usize).copied().unwrap_or(self.radius)
    }

    /// How far along the ray a ball of a radius around a point begins, metres; zero inside of it.
    pub fn distance(&self, center: Vec3, radius: f32) -> Option<f32> {
        let to = center - self.origin;
        let outside = to.length_squared() - radius * radius;
        if outside <= 0.0 {
            return Some(0.0);
        }
        let along = to.dot(self.direction);
        let aside = (to - along * self.direction).length_squared();
        let half = radius * radius - aside;
        if half < 0.0 || along <= 0.0 {
            return None;
        }
        let distance = along - half.sqrt();
        (distance <= self.reach).then_some(distance)
    }
}

impl Nearest {
    /// How far a point is away, metres, if it counts.
    pub fn distance(&self, center: Vec3) -> Option<f32> {
        let distance = center.distance(self.point);
        (distance <= self.within).then_some(distance)
    }
}

impl Particles {
    /// What there is to tell of the particle in a slot.
    pub fn state(&self, slot: usize) -> ParticleState {
        ParticleState {
            position: self.positions[slot].xyz(),
            velocity: self.velocities[slot].xyz(),
            inverse_mass: self.positions[slot].w,
            phase: self.phases[slot],
            material: self.materials[slot],
        }
    }

    /// The answer to a query that is about nothing but particles.
    pub fn answer(&self, query: &Query) -> Option<Answer> {
        let state = |id: &ParticleId| self.slot(*id).map(|slot| self.state(slot));
        Some(match query {
            Query::Particles(ids) => Answer::Particles(ids.iter().map(state).collect()),
            Query::Group(group) => {
                let mut ids: Vec<ParticleId> = self.of_group(*group).collect();
                ids.sort_unstable();
                Answer::Group(ids.iter().filter_map(|id| Some((*id, state(id)?))).collect())
            }
            Query::Everything => Answer::Everything(Box::new(self.clone())),
            Query::Centers(groups) => {
                let places = self.positions.iter().map(|position| position.xyz());
                Answer::Centers(middles(groups, self.phases.iter().copied().zip(places)))
            }
            Query::Ray(ray) => Answer::Picked(self.pick(|center, phase| ray.distance(center, ray.radius_of(phase)))),
            Query::Nearest(nearest) => Answer::Picked(self.pick(|center, _| nearest.distance(center))),
            Query::Inside(volume) => {
                let inside = self.positions.iter().zip(&self.ids);
                let inside = inside.filter(|(position, _)| volume.contains(position.xyz()));
                let mut ids: Vec<ParticleId> = inside.map(|(_, &id)| id).collect();
                ids.sort_unstable();
                Answer::Inside(ids)
            }
            Query::Watch(watches) => {
                let places = self.positions.iter().map(|position| position.xyz());
                let particles = places.zip(&self.phases).zip(&self.ids);
                let particles = particles.map(|((place, &phase), &id)| (place, phase, id));
                Answer::Watched(Watch::all(watches, particles))
            }
            _ => return None,
        })
    }

    /// The particle with the least distance; of several, the one with the lowest id.
    fn pick(&self, distance: impl Fn(Vec3, Phase) -> Option<f32> + Sync) -> Option<(ParticleId, f32)> {
        let candidates = (&self.positions, &self.phases, &self.ids).into_par_iter();
        candidates
            .with_min_len(4096)
            .filter_map(|(position, &phase, &id)| Some((id, distance(position.xyz(), phase)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_a_ball_where_its_surface_is() {
        let ray = Ray {
            origin: Vec3::ZERO,
            direction: Vec3::X,
            reach: 10.0,
            radius: 0.5,
            radii: Vec::new(),
        };
        let meets = |center: Vec3| ray.distance(center, ray.radius_of(Phase::grains(0)));
        assert_eq!(meets(Vec3::new(3.0, 0.0, 0.0)), Some(2.5));
        let grazed = meets(Vec3::new(3.0, 0.3, 0.0)).expect("a hit");
        assert!((grazed - 2.6).abs() < 1e-6);
        assert_eq!(meets(Vec3::new(3.0, 0.6, 0.0)), None, "beside");
        assert_eq!(meets(Vec3::new(-3.0, 0.0, 0.0)), None, "behind");
        assert_eq!(meets(Vec3::new(11.0, 0.0, 0.0)), None, "too far");
        assert_eq!(meets(Vec3::new(-0.4, 0.0, 0.0)), Some(0.0), "around");
    }
}
