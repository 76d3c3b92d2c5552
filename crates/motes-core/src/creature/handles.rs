//! What a world does with creatures: adding, reading and removing them.

use glam::{Vec3, Vec4Swizzles};

use super::creatures::{Creature, Creatures};
use super::{CreatureId, CreatureParticle, CreatureState, Edge, NewCreature};
use crate::error::WorldError;
use crate::particles::orientation::Orientation;
use crate::particles::phase::Phase;
use crate::particles::{NewParticle, ParticleId};
use crate::space::pose::Pose;
use crate::store::{ConstraintId, NewDistance, Softness};
use crate::world::World;
use crate::world::group::{Group, GroupId};

impl World {
    /// Adds a creature, with a group of its own for its particles, which has its largest radius. The engine has to know creatures.
    pub fn add_creature(&mut self, new: NewCreature) -> Result<CreatureId, WorldError> {
        new.check()?;
        if self.engine.creatures_mut().is_none() {
            return Err(WorldError::Unsupported {
                what: "creatures",
                engine: self.engine.name(),
            });
        }
        if new.denting.is_some() && !new.parts.is_empty() && !self.engine.dents_creatures() {
            return Err(WorldError::Unsupported {
                what: "creatures that dent",
                engine: self.engine.name(),
            });
        }
        let flags = match new.self_collision {
            true => Phase::SELF_COLLIDE | Phase::IGNORE_REST_OVERLAPS,
            false => 0,
        };
        let group = self.add_group(Group {
            flags,
            channels: new.channels,
            radius: Some(new.largest_radius()),
            turns: false,
            ..Group::grains(new.name.clone(), new.material)
        })?;
        let template = self.template(group).ok_or(WorldError::Gone("group"))?;
        let mass = new.mass();
        let weighted = new.particles.iter().map(|particle| particle.mass * particle.position);
        let center = new.pose.point(weighted.sum::<Vec3>() / mass);
        let born = new.particles.iter().map(|particle| {
            let position = new.pose.point(particle.position);
            let rotation = (new.pose.rotation * particle.orientation).normalize();
            let moves = if particle.pinned { 0.0 } else { 1.0 };
            NewParticle {
                position,
                velocity: moves * (new.velocity + new.angular_velocity.cross(position - center)),
                inverse_mass: moves / particle.mass,
                rest_position: Some(particle.position),
                spin: Some(moves * new.angular_velocity),
                orientation: Orientation::new(rotation, particle.radii),
                ..template
            }
        });
        let ids = self.engine.add(&born.collect::<Vec<_>>());
        let rows = self.add_edges(&new, &ids)?;
        let creatures = self.engine.creatures_mut().ok_or(WorldError::Gone("engine"))?;
        Ok(creatures.add(group, &new, &ids, rows))
    }

    /// Adds the rows of edges that have a length to keep.
    fn add_edges(&mut self, new: &NewCreature, ids: &[ParticleId]) -> Result<Vec<Option<ConstraintId>>, WorldError> {
        let place = |edge: &Edge, end: usize| new.particles[edge.particles[end] as usize].position;
        let softness = |edge: &Edge| edge.stretch.or(edge.muscle.map(|_| Softness::STIFF));
        let distances: Vec<NewDistance> = { new.edges.iter() }
            .filter_map(|edge| {
                let particles = edge.particles.map(|number| ids[number as usize]);
                let rest_length = place(edge, 0).distance(place(edge, 1));
                Some(NewDistance {
                    softness: softness(edge)?,
                    ..NewDistance::new(particles, rest_length)
                })
            })
            .collect();
        let mut rows = self.add_distances(&distances)?.into_iter();
        Ok({ new.edges.iter() }
            .map(|edge| softness(edge).and_then(|_| rows.next()))
            .collect())
    }

    /// Removes a creature and its particles.
    pub fn remove_creature(&mut self, id: CreatureId) -> Result<(), WorldError> {
        let creatures = self.engine.creatures_mut().ok_or(WorldError::Gone("creature"))?;
        let group = creatures.remove(id).ok_or(WorldError::Gone("creature"))?;
        if self.model.groups.get(group.index, group.generation).is_some() {
            self.remove_group(group)?;
        }
        Ok(())
    }

    /// All creatures, as the engine keeps them; `None` if it knows none.
    pub fn creatures(&self) -> Option<&Creatures> {
        self.engine.creatures()
    }

    /// Handles of all creatures.
    pub fn creature_ids(&self) -> Vec<CreatureId> {
        let list = self.engine.creatures().map_or(&[][..], |creatures| &creatures.list);
        list.iter().map(|creature| creature.id).collect()
    }

    fn creature_kept(&self, id: CreatureId) -> Option<&Creature> {
        self.engine.creatures()?.get(id)
    }

    /// The group of a creature's particles.
    pub fn creature_group(&self, id: CreatureId) -> Option<GroupId> {
        Some(self.creature_kept(id)?.group)
    }

    /// Ids of a creature's particles, in the order they were given, dead ones among them.
    pub fn creature_particles(&self, id: CreatureId) -> Option<Vec<ParticleId>> {
        let members = self.creature_kept(id)?.members.iter();
        Some(members.map(|member| member.particle).collect())
    }

    /// A creature as it is at the end of the last frame; `None` if it is gone.
    pub fn creature(&self, id: CreatureId) -> Option<CreatureState> {
        let (creature, particles) = (self.creature_kept(id)?, self.engine.particles());
        let name = self
            .group(creature.group)
            .map_or(String::new(), |group| group.name.clone());
        let states = creature.members.iter().map(|member| {
            let slot = particles.slot(member.particle);
            let pose = slot.map(|slot| Pose {
                position: particles.positions[slot].xyz(),
                rotation: particles.orientations.get(slot).quaternion(),
            });
            CreatureParticle {
                id: member.particle,
                pose,
                bind: member.bind,
                radii: member.radii,
                velocity: slot.map_or(Vec3::ZERO, |slot| particles.velocities[slot].xyz()),
                angular_velocity: slot.and_then(|slot| particles.spin(slot)).unwrap_or_default(),
            }
        });
        Some(CreatureState {
            name,
            particles: states.collect(),
        })
    }
}
