//! Edits: what a caller changes between frames, by id, in a form small enough to travel to a device.

use glam::{Quat, Vec3, Vec4Swizzles};

use crate::material::MaterialId;
use crate::particles::orientation::{ORIENTATIONS, Orientation};
use crate::particles::phase::Phase;
use crate::particles::rest::{self, REST_POSITIONS};
use crate::particles::spin::{SPINS, Spin};
use crate::particles::{NewParticle, ParticleId, Particles, TEMPERATURES};
use crate::space::pose::Pose;

/// One edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// Changes a particle.
    Particle(ParticleId, Change),
    /// Changes all particles of a group, by its index.
    Group(u32, Change),
    /// Changes how stiff the body at a place in the list is as a whole, and how stiff its clusters are.
    Stiffness {
        /// Place of the body in the list.
        place: usize,
        /// Stiffness as a whole, 0 to 1.
        whole: f32,
        /// Stiffness of each cluster, 0 to 1.
        clusters: f32,
    },
    /// Changes the body at a place in the list, and all of its particles.
    Body {
        /// Place of the body in the list.
        place: usize,
        /// What is done to it.
        change: BodyChange,
    },
}

impl Edit {
    /// Whether it is about a body rather than about particles.
    pub fn is_of_body(&self) -> bool {
        matches!(self, Self::Stiffness { .. } | Self::Body { .. })
    }
}

/// A particle that becomes two in one place, with one velocity and all else that it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The particle, which stays.
    pub of: ParticleId,
    /// The share of its mass that the new one gets, above 0 and below 1.
    pub share: f32,
}

/// What is done to one particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Puts it somewhere else, metres.
    Position(Vec3),
    /// Gives it a velocity at this moment, m/s; if it is pinned, from then on.
    Velocity(Vec3),
    /// Gives it an inverse mass, 1/kg; 0 pins and stops it.
    InverseMass(f32),
    /// Gives it a group, flags and collider channels.
    Phase(Phase),
    /// Makes it of another material.
    Material(MaterialId),
    /// Gives it a rest position, metres, or takes it away.
    RestPosition(Option<Vec3>),
    /// Gives it an angular velocity, rad/s, with which it turns from there on, or has it turn no more. Members of bodies turn with
    /// their bodies.
    Spin(Option<Vec3>),
    /// Turns a particle that is an ellipsoid so that its axes point along those of the world, turned by a unit quaternion; others it passes over.
    Orientation(Quat),
    /// Gives a particle of a gas a temperature, °C.
    Temperature(f32),
    /// Gives it an impulse, N·s.
    Push(Vec3),
    /// Draws it to a point by a spring.
    Pull(Pull),
    /// Removes it.
    Remove,
}

impl Change {
    /// The optional property of a particle that it gives a value, if any.
    pub fn optional_property(&self) -> Option<&'static str> {
        match self {
            Self::RestPosition(_) => Some(REST_POSITIONS),
            Self::Spin(_) => Some(SPINS),
            Self::Orientation(_) => Some(ORIENTATIONS),
            Self::Temperature(_) => Some(TEMPERATURES),
            _ => None,
        }
    }
}

/// What is done to one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyChange {
    /// Gives it an impulse, N·s, at a point of the world, metres; from there on its particles move as one.
    Kick {
        /// The impulse, N·s.
        impulse: Vec3,
        /// Where it acts, metres.
        point: Vec3,
    },
    /// Has its particles move as one.
    Velocity {
        /// Velocity of the centre of mass, m/s.
        velocity: Vec3,
        /// Angular velocity, rad/s.
        angular_velocity: Vec3,
    },
    /// Puts it somewhere else in its rest shape.
    Pose(Pose),
    /// Makes it kinematic where it is, in this pose, or lets it go.
    Kinematic(Option<Pose>),
}

/// A spring between a particle of a rigid body and a point of the world, for some seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Where the spring has no length, metres.
    pub target: Vec3,
    /// Force for each metre of its length, N/m.
    pub stiffness: f32,
    /// Force against each m/s of the particle, N·s/m.
    pub damping: f32,
    /// How long it pulls, seconds.
    pub seconds: f32,
    /// Effective inverse mass that the pull meets, 1/kg: the particle takes the whole of its body along.
    pub mobility: f32,
}

impl Pull {
    /// The velocity after it, m/s: a step of implicit Euler, which no stiffness makes unstable. The impulse is
    /// `p = Δt (k (target − x − Δt v') − c v')` with `v' = v + w p`, where `w` is the effective inverse mass.
    pub fn velocity(&self, position: Vec3, velocity: Vec3, inverse_mass: f32) -> Vec3 {
        let force = self.stiffness * (self.target - position) - self.resistance() * velocity;
        velocity + (inverse_mass * self.seconds / (1.0 + self.mobility * self.seconds * self.resistance())) * force
    }

    /// Force against each m/s, N·s/m, with what the way of the spring takes off until its end.
    pub fn resistance(&self) -> f32 {
        self.damping + self.seconds * self.stiffness
    }
}

impl Particles {
    /// Changes the particle in a slot in any way but removing it.
    pub fn change(&mut self, slot: usize, change: &Change) {
        let position = &mut self.positions[slot];
        let velocity = &mut self.velocities[slot];
        match *change {
            Change::Position(place) => *position = place.extend(position.w),
            Change::Velocity(value) => self.set_velocity(slot, value),
            Change::InverseMass(inverse) => {
                position.w = inverse;
                if inverse == 0.0 {
                    *velocity = Vec3::ZERO.extend(Self::FULL_KICK);
                }
            }
            Change::Phase(phase) => self.phases[slot] = phase,
            Change::Material(material) => self.materials[slot] = material,
            Change::RestPosition(rest) => self.rest_positions.set(slot, rest::packed(rest)),
            Change::Spin(spin) => self.spins.set(slot, Spin::new(spin)),
            Change::Orientation(rotation) => {
                let before = self.orientations.get(slot);
                if before.is_oriented() {
                    let rotation = rotation.into();
                    self.orientations.set(slot, Orientation { rotation, ..before });
                }
            }
            Change::Temperature(temperature) => self.temperatures.set(slot, temperature),
            Change::Push(impulse) => *velocity += (position.w * impulse).extend(0.0),
            Change::Pull(pull) => {
                let drawn = pull.velocity(position.xyz(), velocity.xyz(), position.w);
                *velocity = drawn.extend(velocity.w);
            }
            Change::Remove => {}
        }
    }

    /// Has the particle in a slot become two; returns the id of the new one.
    pub fn split(&mut self, slot: usize, share: f32) -> ParticleId {
        let (of, whole) = (self.ids[slot], self.positions[slot].w);
        let new = self.add(NewParticle {
            position: self.positions[slot].xyz(),
            velocity: Vec3::ZERO,
            inverse_mass: whole / share,
            phase: self.phases[slot],
            material: self.materials[slot],
            lifetime: self.lifetimes.get(of),
            rest_position: None,
            spin: None,
            orientation: self.orientations.get(slot),
            temperature: self.temperatures.get(slot),
        });
        self.positions[slot].w = whole / (1.0 - share);
        let twin = self.len() - 1;
        self.velocities[twin] = self.velocities[slot];
        self.rest_positions.set(twin, self.rest_positions.get(slot));
        self.spins.set(twin, self.spins.get(slot));
        self.swirls.set(twin, self.swirls.get(slot));
        self.tags.set(new, self.tags.get(of));
        new
    }

    /// Ids of a group's particles, by the index of the group, in the order of slots.
    pub fn of_group(&self, group: u32) -> impl Iterator<Item = ParticleId> + '_ {
        let members = self.phases.iter().zip(&self.ids);
        members
            .filter(move |(phase, _)| phase.group() == group)
            .map(|(_, &id)| id)
    }

    /// A particle other than one to be removed that an edit names and that is dead.
    pub fn missing(&self, edits: &[Edit]) -> Option<ParticleId> {
        edits.iter().find_map(|edit| match edit {
            Edit::Particle(_, Change::Remove) => None,
            Edit::Particle(id, _) => self.slot(*id).is_none().then_some(*id),
            _ => None,
        })
    }

    /// Carries out edits of particles in order; returns how many particles they found.
    pub fn edit(&mut self, edits: &[Edit]) -> usize {
        let mut found = 0;
        let mut doomed: Vec<bool> = Vec::new();
        for edit in edits {
            match edit {
                Edit::Particle(id, change) => {
                    let Some(slot) = self
                        .slot(*id)
                        .filter(|&slot| !doomed.get(slot).is_some_and(|&doomed| doomed))
                    else {
                        continue;
                    };
                    match change {
                        Change::Remove => {
                            doomed.resize(self.len(), false);
                            doomed[slot] = true;
                        }
                        change => {
                            self.change(slot, change);
                            found += 1;
                        }
                    }
                }
                Edit::Group(group, change) => {
                    let members: Vec<usize> = (0..self.len())
                        .filter(|&slot| self.phases[slot].group() == *group)
                        .filter(|&slot| !doomed.get(slot).is_some_and(|&doomed| doomed))
                        .collect();
                    if *change == Change::Remove {
                        doomed.resize(self.len(), false);
                        members.into_iter().for_each(|slot| doomed[slot] = true);
                    } else {
                        found += members.len();
                        members.into_iter().for_each(|slot| self.change(slot, change));
                    }
                }
                Edit::Stiffness { .. } | Edit::Body { .. } => {}
            }
        }
        if !doomed.is_empty() {
            found += self.retain(|slot| !doomed[slot]);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_comes_to_rest_where_it_leads_and_never_overshoots_when_stiff() {
        let pull = Pull {
            target: Vec3::X,
            stiffness: 1e9,
            damping: 0.0,
            seconds: 0.1,
            mobility: 2.0,
        };
        let velocity = pull.velocity(Vec3::ZERO, Vec3::Y, 2.0);
        // One step of the stiffest spring leads to its target and no further.
        assert!((0.1 * velocity - Vec3::X).length() < 1e-4, "{velocity}");
        assert_eq!(pull.velocity(Vec3::ZERO, Vec3::Y, 0.0), Vec3::Y, "what is pinned stays");
    }
}
