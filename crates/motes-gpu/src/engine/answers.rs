//! Read-backs of queries, and the answers that are made of them.

use std::sync::Arc;

use bytemuck::Pod;
use motes_core::body::bodies;
use motes_core::engine::query::{Answer, ParticleState, Query, Watch};
use motes_core::glam::{Quat, Vec3, Vec4, Vec4Swizzles};
use motes_core::world::group::middles;
use motes_core::{BodyMotion, ColliderForce, ColliderId, ParticleId, Particles, Phase};

use super::State;
use super::arrays::Kind;
use super::bodies::Body;
use super::queries::NO_PICK;
use super::transfer::{HostContacts, HostPairs};
use crate::colliders::{ColliderContact, ForceSum};
use crate::error::GpuError;
use crate::readback::ReadBack;

/// What is on its way.
pub(super) enum Sought {
    /// Chosen particles, with positions and velocities.
    Rows {
        query: Query,
        chosen: Vec<(ParticleId, Option<Known>)>,
        rows: ReadBack<Vec4>,
    },
    /// Bodies, with the positions and velocities of their members one body after the other, and what bodies are.
    Motions {
        bodies: Vec<Option<(usize, bodies::Body, Vec<Vec4>)>>,
        rows: ReadBack<Vec4>,
        present: ReadBack<Body>,
    },
    /// All particles: positions, kinds and how many there are; if all is asked for, velocities, properties by
    /// id and who there was.
    All {
        query: Query,
        ledger: Option<Arc<Particles>>,
        optional: Vec<(usize, ReadBack<u32>)>,
        positions: ReadBack<Vec4>,
        velocities: ReadBack<Vec4>,
        kinds: ReadBack<Kind>,
        count: ReadBack<u32>,
    },
    Picked(ReadBack<[u32; 2]>),
    Strained(ReadBack<[u32; 2]>),
    Pairs {
        h: f32,
        ranges: ReadBack<[u32; 4]>,
        members: ReadBack<u32>,
        impulses: ReadBack<Vec4>,
        /// Vectors of each pair among them.
        of_pair: usize,
        positions: ReadBack<Vec4>,
        kinds: ReadBack<Kind>,
        count: ReadBack<u32>,
    },
    Contacts {
        h: f32,
        colliders: Vec<ColliderId>,
        ranges: ReadBack<[u32; 2]>,
        contacts: ReadBack<ColliderContact>,
        kinds: ReadBack<Kind>,
        count: ReadBack<u32>,
    },
    Forces {
        dt: f32,
        colliders: Vec<ColliderId>,
        sums: ReadBack<ForceSum>,
    },
}

/// What the host knows of a particle: all of it, if it waits to be born, else what it is made of.
pub(super) type Known = (bool, ParticleState);

impl Sought {
    pub(super) fn has_come(&self) -> bool {
        match self {
            Self::Rows { rows, .. } => rows.has_come(),
            Self::Motions { rows, present, .. } => rows.has_come() && present.has_come(),
            Self::All {
                positions,
                velocities,
                kinds,
                count,
                optional,
                ..
            } => {
                optional.iter().all(|(_, words)| words.has_come())
                    && positions.has_come()
                    && velocities.has_come()
                    && kinds.has_come()
                    && count.has_come()
            }
            Self::Picked(found) | Self::Strained(found) => found.has_come(),
            Self::Pairs {
                ranges,
                members,
                impulses,
                positions,
                kinds,
                count,
                ..
            } => {
                let pairs = ranges.has_come() && members.has_come() && impulses.has_come();
                pairs && positions.has_come() && kinds.has_come() && count.has_come()
            }
            Self::Contacts {
                ranges,
                contacts,
                kinds,
                count,
                ..
            } => ranges.has_come() && contacts.has_come() && kinds.has_come() && count.has_come(),
            Self::Forces { sums, .. } => sums.has_come(),
        }
    }
}

impl State {
    /// Makes an answer of what has come.
    pub(super) fn read(&self, sought: Sought) -> Result<Answer, GpuError> {
        match sought {
            Sought::Rows { query, chosen, rows } => Ok(read_rows(&query, &chosen, &taken(rows)?)),
            Sought::Motions { bodies, rows, present } => {
                Ok(Answer::Motions(read_motions(bodies, &taken(rows)?, &taken(present)?)))
            }
            Sought::All {
                query,
                ledger,
                optional,
                positions,
                velocities,
                kinds,
                count,
            } => {
                let alive = taken(count)?.first().map_or(0, |&count| count as usize);
                let (mut positions, velocities, mut kinds) = (taken(positions)?, taken(velocities)?, taken(kinds)?);
                positions.truncate(alive);
                kinds.truncate(alive);
                if let Some(ledger) = ledger {
                    let mut particles = read_everything(ledger, (&positions, &velocities), &kinds);
                    let ids = particles.ids().to_vec();
                    for (place, words) in optional {
                        particles.optional_mut()[place].set_words(&taken(words)?, &ids);
                    }
                    return Ok(Answer::Everything(Box::new(particles)));
                }
                Ok(self.read_places(&query, &positions, &kinds))
            }
            Sought::Picked(picked) => {
                let nothing = |candidate: &[u32; 2]| *candidate == [NO_PICK; 2];
                let best = taken(picked)?.into_iter().filter(|found| !nothing(found)).min();
                let found = best.and_then(|[bits, index]| Some((self.host.latest_id(index)?, f32::from_bits(bits))));
                Ok(Answer::Picked(found))
            }
            Sought::Strained(found) => Ok(Answer::Strained(self.read_strains(&taken(found)?))),
            Sought::Pairs {
                h,
                ranges,
                members,
                impulses,
                of_pair,
                positions,
                kinds,
                count,
            } => {
                let pairs = HostPairs {
                    ranges: taken(ranges)?,
                    members: taken(members)?,
                    vectors: taken(impulses)?,
                    of_pair,
                };
                let slots = self.ids_of(&taken(kinds)?, &taken(count)?);
                Ok(Answer::Contacts(pairs.contacts(
                    &slots,
                    &taken(positions)?,
                    |id| self.radius(id),
                    h,
                )))
            }
            Sought::Contacts {
                h,
                colliders,
                ranges,
                contacts,
                kinds,
                count,
            } => {
                let found = HostContacts {
                    ranges: taken(ranges)?,
                    contacts: taken(contacts)?,
                };
                let slots = self.ids_of(&taken(kinds)?, &taken(count)?);
                Ok(Answer::Contacts(found.contacts(&slots, &colliders, h)))
            }
            Sought::Forces { dt, colliders, sums } => {
                let per_second = 1.0 / dt.max(f32::MIN_POSITIVE);
                let forces = colliders.into_iter().zip(taken(sums)?);
                let force = |(collider, sum): (ColliderId, ForceSum)| ColliderForce {
                    collider,
                    force: Vec3::from(sum.impulse) * per_second,
                    torque: Vec3::from(sum.angular_impulse) * per_second,
                    contacts: sum.contacts,
                };
                Ok(Answer::ColliderForces(forces.map(force).collect()))
            }
        }
    }

    /// What is known from positions and kinds.
    fn read_places(&self, query: &Query, positions: &[Vec4], kinds: &[Kind]) -> Answer {
        let places = positions.iter().map(|position| position.xyz());
        match query {
            Query::Centers(groups) => {
                let phases = kinds.iter().map(|kind| Phase(kind[0]));
                Answer::Centers(middles(groups, phases.zip(places)))
            }
            Query::Inside(volume) => {
                let inside = kinds.iter().zip(places).filter(|(_, place)| volume.contains(*place));
                let ids = inside.filter_map(|(kind, _)| self.host.latest_id(kind[2]));
                let mut ids: Vec<ParticleId> = ids.collect();
                ids.sort_unstable();
                Answer::Inside(ids)
            }
            Query::Watch(watches) => {
                let particles = kinds.iter().zip(places);
                let particles =
                    particles.filter_map(|(kind, place)| Some((place, Phase(kind[0]), self.host.latest_id(kind[2])?)));
                Answer::Watched(Watch::all(watches, particles))
            }
            _ => Answer::Picked(None),
        }
    }

    /// Who is in which slot.
    fn ids_of(&self, kinds: &[Kind], count: &[u32]) -> Vec<ParticleId> {
        let alive = count.first().map_or(0, |&count| count as usize);
        let ids = kinds.iter().take(alive);
        ids.map_while(|kind| self.host.latest_id(kind[2])).collect()
    }
}

fn read_rows(query: &Query, chosen: &[(ParticleId, Option<Known>)], rows: &[Vec4]) -> Answer {
    let states = chosen.iter().zip(rows.chunks_exact(2)).map(|(&(id, known), row)| {
        let (waits, known) = known?;
        let found = ParticleState {
            position: row[0].xyz(),
            velocity: row[1].xyz(),
            inverse_mass: row[0].w,
            ..known
        };
        let state = if waits {
            Some(known)
        } else {
            (row[0].w >= 0.0).then_some(found)
        };
        state.map(|state| (id, state))
    });
    match query {
        Query::Group(_) => Answer::Group(states.flatten().collect()),
        _ => Answer::Particles(states.map(|found| found.map(|(_, state)| state)).collect()),
    }
}

fn read_motions(
    sought: Vec<Option<(usize, bodies::Body, Vec<Vec4>)>>,
    rows: &[Vec4],
    present: &[Body],
) -> Vec<Option<BodyMotion>> {
    let mut rows = rows.chunks_exact(2);
    let motion = |sought: Option<(usize, bodies::Body, Vec<Vec4>)>| {
        let (place, mut body, rest) = sought?;
        body.rotation = Quat::from_array(present.get(place)?.rotation);
        let members: Vec<_> = rest.into_iter().zip(rows.by_ref().take(body.count as usize)).collect();
        let alive = members.iter().filter(|(_, row)| row[0].w >= 0.0);
        body.motion(|| alive.clone().map(|(rest, row)| (*rest, [row[0].xyz(), row[1].xyz()])))
    };
    sought.into_iter().map(motion).collect()
}

fn read_everything(ledger: Arc<Particles>, (positions, velocities): (&[Vec4], &[Vec4]), kinds: &[Kind]) -> Particles {
    let mut particles = Arc::unwrap_or_clone(ledger);
    let mut found = vec![false; particles.len()];
    for ((position, velocity), kind) in positions.iter().zip(velocities).zip(kinds) {
        let Some(slot) = particles.id_of(kind[2]).and_then(|id| particles.slot(id)) else {
            continue;
        };
        particles.positions[slot] = *position;
        particles.velocities[slot] = *velocity;
        found[slot] = true;
    }
    particles.retain(|slot| found[slot]);
    particles
}

/// What has come.
fn taken<T: Pod>(mut part: ReadBack<T>) -> Result<Vec<T>, GpuError> {
    part.try_take().unwrap_or(Err(GpuError::NotYet))
}
