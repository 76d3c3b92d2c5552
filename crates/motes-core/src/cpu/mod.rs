//! The CPU engine: every stage over all particles, in parallel, with the same result for any number of threads.
//!
//! Particles are kept sorted by grid cell. Work is cut into chunks of fixed size and, for pairs, into blocks of them;
//! each writes only what is its own and reads whatever it likes, and sums are put together in order: nothing depends on
//! which thread did what.

mod attachments;
mod batch;
mod collide;
mod finish;
mod fluid;
mod grid;
mod links;
mod memory;
mod pairs;
mod passive;
mod predict;
mod reports;
mod shapes;
mod shares;
mod solve;
mod sort;
mod sums;
mod vector;
mod velocity;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::{ThreadPool, ThreadPoolBuilder};

use self::collide::{ChunkContacts, MovingCollider};
use self::grid::Grid;
use self::memory::Memory;
use self::pairs::{Neighbors, Pairs};
use self::reports::FrameReport;
use self::shapes::BodyWork;
use crate::body::bodies::Bodies;
use crate::engine::contacts::ContactMemory;
use crate::engine::report::{ColliderForce, Contact, TriggerOverlap};
use crate::engine::timings::{Stage, Timings};
use crate::engine::{Blowup, ConstraintGroup, Engine, Frame};
use crate::particles::Particles;
use crate::particles::passive::PassiveParticles;
use crate::particles::property::Spares;
use crate::settings::Settings;
use crate::step::step;
use crate::world::group::middles;

/// Particles per task. Fixed, so that results do not depend on the number of threads.
pub(crate) const CHUNK: usize = 512;

/// Runs the step on the cores of this machine.
pub struct CpuEngine {
    state: State,
    timings: Timings,
    pool: Option<ThreadPool>,
    /// Where groups were when somebody looked.
    seen: Vec<(u32, Vec3)>,
}

/// Particles and everything the stages hand on to each other.
#[derive(Default)]
pub(crate) struct State {
    frame: Frame,
    particles: Particles,
    passive: PassiveParticles,
    bodies: Bodies,
    shapes: BodyWork,
    /// Particles or bodies may have changed since the bodies' members were found in their slots.
    slots_changed: bool,
    /// The part of the frame that the sub-step covers.
    part: [f32; 2],
    /// Length of the sub-step, seconds.
    h: f32,
    /// Candidate positions x* and inverse masses.
    predicted: Vec<Vec4>,
    /// Whether a constraint moved the particle in this sub-step.
    touched: Vec<bool>,
    colliders: Vec<MovingCollider>,
    grid: Grid,
    /// Radius of each particle, metres, padded; empty where all have that of the settings.
    radii: Vec<f32>,
    pairs: Pairs,
    /// Where there are fluids, what is within their smoothing radius.
    neighbors: Neighbors,
    /// Whether the last iteration carried its impulses on.
    carried: bool,
    memory: Memory,
    /// Starting positions, and how far an impulse may count on moving each particle (w, 1/kg).
    anchors: Vec<Vec4>,
    contacts: Vec<ChunkContacts>,
    spares: Spares,
    report: FrameReport,
}

impl Default for CpuEngine {
    fn default() -> Self {
        Self::new()
    }
}

impl CpuEngine {
    /// An engine on rayon's global pool: all cores, unless the program decided otherwise.
    pub fn new() -> Self {
        Self {
            state: State::default(),
            timings: Timings::default(),
            pool: None,
            seen: Vec::new(),
        }
    }

    /// An engine with its own pool of threads; falls back to the global pool if none can be made.
    pub fn with_threads(threads: usize) -> Self {
        Self {
            pool: ThreadPoolBuilder::new().num_threads(threads).build().ok(),
            ..Self::new()
        }
    }

    /// Weight of all particles within the smoothing radius of each, itself included, 1/m³, slot by slot, from where they
    /// are; the lists are those of the last sub-step. For solid particles that of the fluid around them. Empty where nothing
    /// is fluid or no step was made.
    pub fn number_densities(&self) -> Vec<f32> {
        match &self.pool {
            Some(pool) => pool.install(|| self.state.number_densities()),
            None => self.state.number_densities(),
        }
    }

    /// How many neighbours are listed within the smoothing radius of fluids, once for either side.
    pub fn fluid_neighbor_count(&self) -> usize {
        self.state.neighbors.len()
    }

    fn stage(&mut self, stage: Stage, work: impl FnOnce(&mut State) + Send) {
        let (state, pool) = (&mut self.state, &self.pool);
        self.timings.measure(stage, || match pool {
            Some(pool) => pool.install(|| work(state)),
            None => work(state),
        });
    }
}

impl Engine for CpuEngine {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn device(&self) -> String {
        let threads = match &self.pool {
            Some(pool) => pool.current_num_threads(),
            None => rayon::current_num_threads(),
        };
        format!("CPU, {threads} thread(s)")
    }

    /// All of it on a thread of the pool: from outside, every loop would have to be handed over and waited for.
    fn advance(&mut self, settings: &Settings, dt: f32) {
        match self.pool.take() {
            Some(pool) => {
                pool.install(|| step(self, settings, dt));
                self.pool = Some(pool);
            }
            None => rayon::scope(|_| step(self, settings, dt)),
        }
    }

    fn begin_frame(&mut self, frame: Frame) {
        self.state.report.begin(&frame);
        if !frame.fluids {
            self.state.neighbors = Neighbors::default();
        }
        self.state.frame = frame;
    }

    fn begin_substep(&mut self, index: u32, count: u32) {
        self.state.place_colliders(index, count);
    }

    fn predict(&mut self, h: f32) {
        self.stage(Stage::Predict, |state| {
            state.predict(h);
            state.predict_bodies(h, state.part);
        });
    }

    fn find_neighbors(&mut self) {
        self.stage(Stage::FindNeighbors, State::find_neighbors);
        if self.state.frame.fluids {
            self.stage(Stage::FindFluidNeighbors, State::find_fluid_neighbors);
        }
    }

    fn find_contacts(&mut self, h: f32) {
        self.stage(Stage::FindContacts, |state| {
            state.find_contacts(h);
            state.share_bodies(h);
            state.recall_contacts(h);
        });
    }

    fn stabilize(&mut self) {
        self.stage(Stage::Stabilize, State::stabilize);
    }

    fn solve(&mut self, group: ConstraintGroup, h: f32, momentum: f32) {
        match group {
            ConstraintGroup::ParticleContacts => self.stage(Stage::SolveParticleContacts, |state| {
                state.solve_particle_contacts(h, momentum);
            }),
            ConstraintGroup::ColliderContacts => {
                self.stage(Stage::SolveColliderContacts, State::solve_collider_contacts);
            }
            ConstraintGroup::Links => self.stage(Stage::SolveLinks, |state| state.solve_links(h)),
            ConstraintGroup::Shapes => self.stage(Stage::MatchShapes, |state| state.match_shapes(h)),
        }
    }

    fn update_velocities(&mut self, h: f32) {
        self.stage(Stage::UpdateVelocities, |state| state.update_velocities(h));
    }

    fn advect_diffuse(&mut self, h: f32) {
        if !self.state.passive.is_empty() {
            self.stage(Stage::AdvectDiffuse, |state| state.advect_passive(h));
        }
    }

    fn apply_internal_forces(&mut self, h: f32) {
        self.stage(Stage::InternalForces, |state| state.damp(h));
    }

    fn finish(&mut self, h: f32) {
        self.stage(Stage::Finish, |state| {
            state.finish_bodies(h);
            state.break_attachments(h);
            state.finish(h);
        });
    }

    fn end_frame(&mut self) {
        self.state.particles.refresh_slots();
        self.state.passive.remove_old();
        self.stage(Stage::Finish, State::find_trigger_overlaps);
    }

    fn particles(&mut self) -> &Particles {
        &self.state.particles
    }

    fn particles_mut(&mut self) -> &mut Particles {
        self.state.slots_changed = true;
        &mut self.state.particles
    }

    fn passive_mut(&mut self) -> Option<&mut PassiveParticles> {
        Some(&mut self.state.passive)
    }

    fn bodies(&mut self) -> &Bodies {
        &self.state.bodies
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        self.state.slots_changed = true;
        &mut self.state.bodies
    }

    fn set_stiffness(&mut self, place: usize, whole: f32, clusters: f32) {
        self.state.bodies.list[place].set_stiffness(whole, clusters);
    }

    fn look(&mut self, groups: Vec<u32>) {
        let particles = &self.state.particles;
        let places = particles.positions.iter().map(|position| position.xyz());
        self.seen = middles(&groups, particles.phases.iter().copied().zip(places));
    }

    fn seen(&mut self) -> Vec<(u32, Vec3)> {
        std::mem::take(&mut self.seen)
    }

    fn bodies_and_particles(&mut self) -> (&Bodies, &Particles) {
        (&self.state.bodies, &self.state.particles)
    }

    fn has_paths(&self) -> bool {
        self.state.bodies.list.iter().any(|body| body.path.is_some())
    }

    fn collider_contacts(&mut self) -> Vec<Contact> {
        self.state.collider_contact_reports()
    }

    fn particle_contacts(&mut self) -> Vec<Contact> {
        self.state.particle_contact_reports()
    }

    fn contact_memory(&mut self) -> ContactMemory {
        memory::export(&self.state.pairs, self.state.contact_ids())
    }

    fn set_contact_memory(&mut self, contacts: ContactMemory) {
        self.state.pairs = memory::import(&contacts);
        self.state.memory.keep_ids(&contacts.ids);
    }

    fn collider_forces(&mut self) -> Vec<ColliderForce> {
        self.state.report.forces(self.state.frame.dt)
    }

    fn trigger_overlaps(&mut self) -> Vec<TriggerOverlap> {
        self.state.report.overlaps.clone()
    }

    fn blowup(&mut self) -> Option<Blowup> {
        self.state.report.blowup
    }

    fn count(&mut self) -> usize {
        self.state.particles.len()
    }

    fn timings(&mut self) -> &mut Timings {
        &mut self.timings
    }

    fn memory_bytes(&self) -> usize {
        let state = &self.state;
        state.particles.memory_bytes()
            + 16 * (state.predicted.capacity() + state.anchors.capacity())
            + state.touched.capacity()
            + 4 * state.radii.capacity()
            + state.grid.memory_bytes()
            + state.pairs.memory_bytes()
            + state.neighbors.memory_bytes()
            + state.passive.memory_bytes()
            + state.memory.memory_bytes()
            + state.contacts.iter().map(ChunkContacts::memory_bytes).sum::<usize>()
            + state.spares.memory_bytes()
            + state.bodies.memory_bytes()
            + state.shapes.memory_bytes()
    }
}
