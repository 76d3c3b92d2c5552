//! Questions to a world: asked at one moment, answered later, or waited for.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use glam::Vec3;

use crate::body::{BodyId, BodyMotion};
use crate::engine::query::{Answer, Nearest, ParticleState, Query, Ticket};
use crate::engine::report::{ColliderForce, Contact, TriggerOverlap};
use crate::particles::{ParticleId, Particles};
use crate::space::volume::Volume;
use crate::world::group::GroupId;

use super::World;

/// An answer that may not have come yet. Dropping it is all it takes to forget about it.
#[derive(Debug)]
pub struct Pending<T> {
    ticket: Ticket,
    answer: Arc<Mutex<Option<T>>>,
}

impl<T> Pending<T> {
    /// The answer, if it has come. Frames bring answers when they begin, and [`World::deliver`] in between.
    pub fn take(&self) -> Option<T> {
        lock(&self.answer).take()
    }

    /// An answer that was there before anybody asked.
    pub(crate) fn answered(answer: T) -> Self {
        Self {
            ticket: Ticket::default(),
            answer: Arc::new(Mutex::new(Some(answer))),
        }
    }

    /// A copy of the answer, if it has come.
    pub(crate) fn look_at(&self) -> Option<T>
    where
        T: Clone,
    {
        lock(&self.answer).clone()
    }
}

/// What a world can be asked.
pub trait Question {
    /// The answer; its default where a device failed.
    type Answer: Default + Send + 'static;

    /// What an engine is asked, and how its answer is read.
    fn put(self, world: &World) -> (Query, impl FnOnce(Answer) -> Self::Answer + Send + 'static);
}

/// Some particles; `None` for those that are gone.
#[derive(Clone, Debug)]
pub struct Chosen(pub Vec<ParticleId>);

/// The particles of a group, in order of id.
#[derive(Clone, Copy, Debug)]
pub struct OfGroup(pub GroupId);

/// All particles.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

/// How bodies move; `None` for those that are gone.
#[derive(Clone, Debug)]
pub struct Motions(pub Vec<BodyId>);

/// The groups that have particles, each once, and the middle of each, metres.
#[derive(Clone, Debug)]
pub struct Centers(pub Vec<GroupId>);

/// Contacts of particles with colliders in the last sub-step.
#[derive(Clone, Copy, Debug)]
pub struct ColliderContacts;

/// Contacts between particles in the last sub-step, once for either side.
#[derive(Clone, Copy, Debug)]
pub struct ParticleContacts;

/// Force and torque on every collider, averaged over the last frame.
#[derive(Clone, Copy, Debug)]
pub struct ColliderForces;

/// Particles inside triggers at the end of the last frame, sorted.
#[derive(Clone, Copy, Debug)]
pub struct TriggerOverlaps;

/// The particle whose centre is nearest to a point, metres, and how far away it is, metres; of several, the one with the
/// lowest id.
#[derive(Clone, Copy, Debug)]
pub struct NearestParticle {
    /// The point, metres.
    pub point: Vec3,
    /// Particles further away do not count, metres.
    pub within: f32,
}

impl NearestParticle {
    /// Nothing is near a point that is nowhere.
    fn bounded(self) -> Nearest {
        let within = if self.point.is_finite() { self.within } else { -1.0 };
        Nearest {
            point: self.point,
            within,
        }
    }
}

/// Particles whose centres are in a region, in order of id.
#[derive(Clone, Debug)]
pub struct ParticlesIn(pub Volume);

/// A question that is put as it stands: its type, its query, the answer's type and how it is read.
macro_rules! question {
    ($name:ident, $query:expr => $answer:ty, $pattern:pat => $read:expr) => {
        impl Question for $name {
            type Answer = $answer;

            fn put(self, _world: &World) -> (Query, impl FnOnce(Answer) -> $answer + Send + 'static) {
                let query: fn(Self) -> Query = $query;
                (query(self), |answer| match answer {
                    $pattern => $read,
                    _ => Default::default(),
                })
            }
        }
    };
}

question!(Chosen, |chosen| Query::Particles(chosen.0) => Vec<Option<ParticleState>>, Answer::Particles(states) => states);
question!(Everything, |_| Query::Everything => Particles, Answer::Everything(particles) => *particles);
question!(Motions, |motions| Query::Motions(motions.0) => Vec<Option<BodyMotion>>, Answer::Motions(found) => found);
question!(ColliderContacts, |_| Query::ColliderContacts => Vec<Contact>, Answer::Contacts(contacts) => contacts);
question!(ParticleContacts, |_| Query::ParticleContacts => Vec<Contact>, Answer::Contacts(contacts) => contacts);
question!(ColliderForces, |_| Query::ColliderForces => Vec<ColliderForce>, Answer::ColliderForces(forces) => forces);
question!(TriggerOverlaps, |_| Query::TriggerOverlaps => Vec<TriggerOverlap>, Answer::TriggerOverlaps(found) => found);
question!(
    NearestParticle,
    |asked| Query::Nearest(asked.bounded()) => Option<(ParticleId, f32)>,
    Answer::Picked(picked) => picked
);
question!(ParticlesIn, |region| Query::Inside(region.0) => Vec<ParticleId>, Answer::Inside(ids) => ids);

impl Question for OfGroup {
    type Answer = Vec<(ParticleId, ParticleState)>;

    fn put(self, world: &World) -> (Query, impl FnOnce(Answer) -> Self::Answer + Send + 'static) {
        let there = world.group(self.0).is_some();
        (Query::Group(self.0.index), move |answer| match answer {
            Answer::Group(found) if there => found,
            _ => Vec::new(),
        })
    }
}

impl Question for Centers {
    type Answer = Vec<(GroupId, Vec3)>;

    fn put(self, world: &World) -> (Query, impl FnOnce(Answer) -> Self::Answer + Send + 'static) {
        let mut groups: Vec<GroupId> = self.0.into_iter().filter(|&id| world.group(id).is_some()).collect();
        let mut known = HashSet::new();
        groups.retain(|&id| known.insert(id));
        let indices = groups.iter().map(|id| id.index).collect();
        let of = move |index: u32| groups.iter().find(|id| id.index == index).copied();
        (Query::Centers(indices), move |answer| match answer {
            Answer::Centers(centers) => centers
                .into_iter()
                .filter_map(|(index, center)| Some((of(index)?, center)))
                .collect(),
            _ => Vec::new(),
        })
    }
}

impl World {
    /// Asks about this moment, edits made so far included, and waits for nothing. An engine on the CPU answers at once, one
    /// on a device some frames later.
    pub fn ask<Q: Question>(&self, question: Q) -> Pending<Q::Answer> {
        let (query, read) = question.put(self);
        self.ask_query(query, read)
    }

    /// Asks and waits for the answer.
    pub fn query<Q: Question>(&self, question: Q) -> Q::Answer {
        self.wait_for(&self.ask(question)).unwrap_or_default()
    }

    /// Waits for an answer, but for nothing that was begun after the question was asked. `None` where a device failed, in
    /// browsers, which cannot wait, and the second time.
    pub fn wait_for<T>(&self, pending: &Pending<T>) -> Option<T> {
        let here = pending.take();
        if here.is_some() {
            return here;
        }
        self.wait_until(pending);
        pending.take()
    }

    pub(crate) fn wait_until<T>(&self, pending: &Pending<T>) {
        self.engine.deliver(Some(pending.ticket));
    }

    /// Hands over the answers that have come, without waiting.
    pub fn deliver(&self) {
        self.engine.deliver(None);
    }

    /// Positions of some particles, metres; `None` for those that are gone.
    pub fn positions(&self, ids: &[ParticleId]) -> Vec<Option<Vec3>> {
        self.of_each(ids, |state| state.position)
    }

    /// Velocities of some particles, m/s; `None` for those that are gone.
    pub fn velocities(&self, ids: &[ParticleId]) -> Vec<Option<Vec3>> {
        self.of_each(ids, |state| state.velocity)
    }

    /// Inverse masses of some particles, 1/kg; `None` for those that are gone.
    pub fn inverse_masses(&self, ids: &[ParticleId]) -> Vec<Option<f32>> {
        self.of_each(ids, |state| state.inverse_mass)
    }

    fn of_each<T>(&self, ids: &[ParticleId], get: impl Fn(&ParticleState) -> T) -> Vec<Option<T>> {
        let states = self.query(Chosen(ids.to_vec()));
        states.iter().map(|state| state.as_ref().map(&get)).collect()
    }

    pub(crate) fn ask_query<T: Send + 'static>(
        &self,
        query: Query,
        read: impl FnOnce(Answer) -> T + Send + 'static,
    ) -> Pending<T> {
        let answer = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&answer);
        let reply = Box::new(move |found| *lock(&slot) = Some(read(found)));
        let ticket = self.engine.ask(query, reply);
        Pending { ticket, answer }
    }
}

fn lock<T>(answer: &Mutex<Option<T>>) -> MutexGuard<'_, Option<T>> {
    answer.lock().unwrap_or_else(PoisonError::into_inner)
}
