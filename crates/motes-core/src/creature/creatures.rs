//! All creatures of a world, as engines keep them.

use serde::{Deserialize, Serialize};

use super::{CreatureId, Denting, Muscle, NewCreature};
use crate::particles::ParticleId;
use crate::space::pose::Pose;
use crate::store::ConstraintId;
use crate::world::group::GroupId;
use glam::Vec3;

/// The creatures, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Creatures {
    /// The creatures.
    pub list: Vec<Creature>,
    next: u32,
    /// Counts changes to who belongs to what and to rest shapes, so that an engine knows when to look again.
    pub changes: u64,
}

/// One creature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Creature {
    /// Its handle.
    pub id: CreatureId,
    /// The group of its particles.
    pub group: GroupId,
    /// Its particles.
    pub members: Vec<Member>,
    /// What joins them.
    pub edges: Vec<Joined>,
    /// Its rigid parts.
    pub parts: Vec<Part>,
    /// How these yield.
    pub denting: Option<Denting>,
    /// How much its muscles do of what they can, from 0 to 1.
    pub effort: f32,
}

/// A particle of a creature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Which it is.
    pub particle: ParticleId,
    /// Its place and axes in the frame of the creature when that was added.
    pub bind: Pose,
    /// The same in the shape that the creature has at rest by now.
    pub rest: Pose,
    /// Radii along its axes, metres.
    pub radii: Vec3,
    /// Mass, kg.
    pub mass: f32,
    /// Stiffness of its neighbourhood.
    pub stiffness: f32,
    /// How much its edges resist twisting.
    pub torsion: f32,
    /// Which part of its weight the surroundings bear.
    pub buoyancy: f32,
}

/// An edge of a creature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joined {
    /// Numbers of the members.
    pub members: [u32; 2],
    /// What keeps their distance, if anything does.
    pub row: Option<ConstraintId>,
    /// How that changes by itself.
    pub muscle: Option<Muscle>,
}

/// A rigid part of a creature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Numbers of the members.
    pub members: Vec<u32>,
    /// For how long it is soft yet, seconds; 0 while it is rigid.
    pub soft_for: f32,
}

impl Creature {
    /// Length of an edge in the present rest shape, metres.
    pub fn rest_length(&self, edge: &Joined) -> f32 {
        let [a, b] = edge.members.map(|member| self.members[member as usize].rest.position);
        a.distance(b)
    }
}

impl Creatures {
    /// Whether any has rigid parts that yield for good.
    pub fn dent(&self) -> bool {
        let dents = |creature: &Creature| creature.denting.is_some() && !creature.parts.is_empty();
        self.list.iter().any(dents)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Place of a creature in the list.
    pub fn place(&self, id: CreatureId) -> Option<usize> {
        self.list.binary_search_by_key(&id, |creature| creature.id).ok()
    }

    /// One creature.
    pub fn get(&self, id: CreatureId) -> Option<&Creature> {
        Some(&self.list[self.place(id)?])
    }

    /// Adds a creature of which the particles are there, and the rows of its edges.
    pub(super) fn add(
        &mut self,
        group: GroupId,
        new: &NewCreature,
        ids: &[ParticleId],
        rows: Vec<Option<ConstraintId>>,
    ) -> CreatureId {
        let id = CreatureId(self.next);
        self.next += 1;
        self.changes += 1;
        let members = { new.particles.iter().zip(ids) }.map(|(particle, &id)| Member {
            particle: id,
            bind: particle.bind(),
            rest: particle.bind(),
            radii: particle.radii,
            mass: particle.mass,
            stiffness: particle.stiffness,
            torsion: particle.torsion,
            buoyancy: particle.buoyancy,
        });
        let edges = new.edges.iter().zip(rows).map(|(edge, row)| Joined {
            members: edge.particles,
            row,
            muscle: edge.muscle,
        });
        self.list.push(Creature {
            id,
            group,
            members: members.collect(),
            edges: edges.collect(),
            parts: { new.parts.iter() }
                .map(|part| Part {
                    members: part.clone(),
                    soft_for: 0.0,
                })
                .collect(),
            denting: new.denting,
            effort: 1.0,
        });
        id
    }

    /// Removes a creature; says of which group its particles are.
    pub(super) fn remove(&mut self, id: CreatureId) -> Option<GroupId> {
        let place = self.place(id)?;
        self.changes += 1;
        Some(self.list.remove(place).group)
    }

    /// Memory held, bytes.
    pub fn memory_bytes(&self) -> usize {
        let of = |creature: &Creature| {
            let parts = creature.parts.iter().map(|part| 4 * part.members.capacity());
            size_of::<Member>() * creature.members.capacity()
                + size_of::<Joined>() * creature.edges.capacity()
                + size_of::<Part>() * creature.parts.capacity()
                + parts.sum::<usize>()
        };
        size_of::<Creature>() * self.list.capacity() + self.list.iter().map(of).sum::<usize>()
    }

    /// Numbers of members lead somewhere, in ascending order of handles.
    pub(crate) fn is_sound(&self) -> bool {
        let sound = |creature: &Creature| {
            let exists = |&member: &u32| (member as usize) < creature.members.len();
            creature.id.0 < self.next
                && creature.edges.iter().all(|edge| edge.members.iter().all(exists))
                && creature.parts.iter().all(|part| part.members.iter().all(exists))
        };
        self.list.is_sorted_by(|a, b| a.id < b.id) && self.list.iter().all(sound)
    }
}
