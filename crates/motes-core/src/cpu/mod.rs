//! The CPU engine: every stage over all particles, in parallel, with the same result for any number of threads.
//!
//! Particles are kept sorted by grid cell. Work is cut into chunks of fixed size and, for pairs, into blocks of them;
//! each writes only what is its own and reads whatever it likes, and sums are put together in order: nothing depends on
//! which thread did what.

mod articulations;
mod attachments;
mod batch;
mod collide;
mod creatures;
mod feet;
mod finish;
mod fluids;
mod grid;
mod joints;
mod memory;
mod pairs;
mod passing;
mod passive;
mod predict;
mod pulls;
mod recall;
mod reports;
mod rows;
mod shapes;
mod shares;
mod solve;
mod sort;
mod sums;
mod touching;
mod turning;
mod vector;
mod velocity;

use std::sync::OnceLock;

use glam::{Vec3, Vec4};
use rayon::{ThreadPool, ThreadPoolBuilder};

use self::collide::{ChunkContacts, MovingCollider};
use self::creatures::CreatureWork;
use self::feet::Feet;
use self::fluids::FluidWork;
use self::grid::Grid;
use self::memory::Memory;
use self::pairs::{Neighbors, Pairs};
use self::pulls::Drawn;
use self::reports::FrameReport;
use self::rows::RowWork;
use self::shapes::BodyWork;
use crate::body::bodies::Bodies;
use crate::creature::creatures::Creatures;
use crate::engine::contacts::ContactMemory;
use crate::engine::edit::{Edit, Split};
use crate::engine::query::{Query, Reply, Ticket};
use crate::engine::timings::{Stage, Timings};
use crate::engine::{Blowup, ConstraintGroup, Engine, Frame, Population, Solver};
use crate::foam::Foam;
use crate::particles::passive::{PassiveParticles, PassiveParts};
use crate::particles::property::Spares;
use crate::particles::{NewParticle, ParticleId, Particles};
use crate::settings::Settings;
use crate::smoke::Smoke;
use crate::step::step;
use crate::store::{ConstraintKind, Constraints};

/// Particles per task. Fixed, so that results do not depend on the number of threads.
pub(crate) const CHUNK: usize = 512;

/// Runs the step on the cores of this machine.
pub struct CpuEngine {
    state: State,
    timings: Timings,
    pool: Option<ThreadPool>,
    /// The constraints with what they did in the last sub-step, if anybody asked since.
    settled: OnceLock<Constraints>,
}

/// Particles and everything the stages hand on to each other.
#[derive(Default)]
pub(crate) struct State {
    frame: Frame,
    particles: Particles,
    passive: PassiveParticles,
    /// How many passive particles of liquids found no room since anybody asked.
    refused: u64,
    /// How many markers of smoke found no room since anybody asked.
    refused_markers: u64,
    bodies: Bodies,
    creatures: Creatures,
    creature_work: CreatureWork,
    shapes: BodyWork,
    constraints: Constraints,
    rows: RowWork,
    drawn: Vec<Drawn>,
    /// Particles may have died since rows were told.
    may_have_died: bool,
    /// Particles or bodies may have changed since the bodies' members were found in their slots.
    slots_changed: bool,
    /// The part of the frame that the sub-step covers.
    part: [f32; 2],
    /// Length of the sub-step, seconds, and of the one before; 0 if there was none.
    h: f32,
    h_before: f32,
    /// Candidate positions x* and inverse masses.
    predicted: Vec<Vec4>,
    /// Whether a constraint moved the particle in this sub-step.
    touched: Vec<bool>,
    colliders: Vec<MovingCollider>,
    grid: Grid,
    /// Radius of each particle, metres, padded; empty where all have that of the settings.
    radii: Vec<f32>,
    /// 1 for particles of sheets, nets and ropes, which may overlap at rest; empty where there are none.
    threaded: Vec<f32>,
    pairs: Pairs,
    /// Where there are fluids, what is within their smoothing radius.
    neighbors: Neighbors,
    fluids: FluidWork,
    /// Whether the last iteration extrapolated its impulses (Nesterov acceleration).
    carried: bool,
    memory: Memory,
    /// Starting positions and effective inverse masses (w, 1/kg).
    anchors: Vec<Vec4>,
    contacts: Vec<ChunkContacts>,
    feet: Feet,
    /// Ways of the rims of those that turn (xyz, metres), and their effective inverse masses (w); empty where nothing turns.
    turned: Vec<Vec4>,
    /// Couples over their radius by which colliders resist their rolling, as displacements, metres; empty likewise.
    couples: Vec<Vec3>,
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
            settled: OnceLock::new(),
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

    /// By how much each particle of a liquid is too dense, compared to its rest density, slot by slot: negative where it is too thin, 0 in what is not liquid. The lists are
    /// those of the last sub-step.
    pub fn density_errors(&mut self) -> Vec<f32> {
        self.state.density_errors()
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

impl Solver for CpuEngine {
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
            state.soften_hit_parts();
            state.share_bodies();
            state.share_parts();
            state.expect_densities();
            state.recall_contacts(h);
        });
    }

    fn stabilize(&mut self) {
        self.stage(Stage::Stabilize, State::stabilize);
    }

    fn solve(&mut self, group: ConstraintGroup, h: f32, iteration: u32) {
        match group {
            ConstraintGroup::Densities => {
                if self.state.frame.fluids {
                    self.stage(Stage::SolveDensities, |state| state.solve_densities());
                }
            }
            ConstraintGroup::Rows => self.stage(Stage::SolveRows, |state| {
                state.solve_rows(h, iteration);
                state.solve_pulls(h);
            }),
            ConstraintGroup::Contacts => self.stage(Stage::SolveContacts, |state| {
                state.solve_contacts(h, state.frame.settings.momentum(iteration));
            }),
            ConstraintGroup::Shapes => self.stage(Stage::MatchShapes, State::match_shapes),
        }
    }

    fn update_velocities(&mut self, h: f32) {
        self.stage(Stage::UpdateVelocities, |state| {
            state.update_velocities(h);
            state.press_on_walls();
            state.relax_densities();
        });
    }

    fn advect_diffuse(&mut self, h: f32) {
        if !self.state.passive.is_empty() || self.state.asks_for_markers() {
            self.stage(Stage::AdvectDiffuse, |state| state.advect_passive(h));
        }
        if self.state.frame.foam.is_some() {
            self.stage(Stage::AdvectDiffuse, State::give_off_foam);
        }
    }

    fn apply_internal_forces(&mut self, h: f32) {
        self.stage(Stage::InternalForces, |state| {
            state.stir(h);
            state.damp(h);
            state.blow(h);
        });
    }

    fn finish(&mut self, h: f32) {
        self.stage(Stage::Finish, |state| {
            state.finish_bodies(h);
            state.break_attachments(h);
            state.break_rows(h);
            state.leak_balloons(h);
            state.finish(h);
            state.harden_parts(h);
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

    fn populate(&mut self, population: Population<'_>) {
        self.timings.clear();
        self.state.slots_changed = true;
        self.state.constraints.begin_frame();
        let state = &mut self.state;
        self.timings.measure(Stage::Population, || {
            let survivors = state.particles.len() + population.births.len();
            population.apply(&mut state.particles);
            state.passive.remove_dead(&population);
            state.refused_markers += state.passive.add_up_to(population.most_markers, population.markers);
            state.may_have_died |= state.particles.len() < survivors;
            state.bury_rows();
        });
    }

    fn begin_frame(&mut self, frame: Frame) {
        self.settled.take();
        self.state.report.begin(&frame);
        if !frame.fluids {
            self.state.neighbors = Neighbors::default();
            self.state.fluids = FluidWork::default();
        }
        self.state.frame = frame;
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

    fn end_frame(&mut self) {
        self.state.particles.refresh_slots();
        self.stage(Stage::Finish, State::find_trigger_overlaps);
        self.state.end_rows();
    }

    fn add(&mut self, particles: &[NewParticle]) -> Vec<ParticleId> {
        self.state.slots_changed = true;
        particles.iter().map(|&new| self.state.particles.add(new)).collect()
    }

    fn split(&mut self, split: Split) -> ParticleId {
        self.state.slots_changed = true;
        let particles = &mut self.state.particles;
        particles
            .slot(split.of)
            .map_or(split.of, |slot| particles.split(slot, split.share))
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<usize, ParticleId> {
        if let Some(gone) = self.state.particles.missing(edits) {
            return Err(gone);
        }
        self.state.slots_changed = true;
        let before = self.state.particles.len();
        let mut changed = 0;
        // Those of bodies between those of particles, in order.
        for edits in edits.chunk_by(|a, b| !a.is_of_body() && !b.is_of_body()) {
            changed += match &edits[0] {
                &Edit::Stiffness { place, whole, clusters } => {
                    self.state.bodies.list[place].set_stiffness(whole, clusters);
                    0
                }
                Edit::Body { place, change } => {
                    let State { bodies, particles, .. } = &mut self.state;
                    bodies.note(*place, change);
                    let members = bodies.edits_of_members(*place, change, particles);
                    particles.edit(&members)
                }
                _ => self.state.particles.edit(edits),
            };
        }
        self.state.may_have_died |= self.state.particles.len() < before;
        self.state.bury_rows();
        Ok(changed)
    }

    fn add_passive(&mut self, new: &[PassiveParts]) {
        self.state.passive.add(new);
    }

    fn load_passive(&mut self, passive: PassiveParticles) {
        self.state.passive = passive;
    }

    fn passive_mut(&mut self) -> &mut PassiveParticles {
        &mut self.state.passive
    }

    fn passive(&self) -> &PassiveParticles {
        &self.state.passive
    }

    fn passive_count(&self) -> usize {
        self.state.passive.len()
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        self.state.slots_changed = true;
        &mut self.state.bodies
    }

    fn creatures(&self) -> Option<&Creatures> {
        Some(&self.state.creatures)
    }

    fn creatures_mut(&mut self) -> Option<&mut Creatures> {
        Some(&mut self.state.creatures)
    }

    fn constraints_mut(&mut self) -> &mut Constraints {
        self.state.settled_constraints()
    }

    fn body_paths(&mut self) -> &mut Bodies {
        &mut self.state.bodies
    }

    fn load(&mut self, particles: Particles, bodies: Bodies, constraints: Constraints, contacts: ContactMemory) {
        self.state.slots_changed = true;
        *self.state.settled_constraints() = constraints;
        self.state.rows = RowWork::default();
        self.state.particles = particles;
        self.state.bodies = bodies;
        self.state.may_have_died = true;
        self.state.bury_rows();
        self.state.h = 0.0;
        self.state.pairs = memory::import(&contacts);
        self.state.memory.load(&contacts);
    }

    fn particles(&self) -> &Particles {
        &self.state.particles
    }

    fn bodies(&self) -> &Bodies {
        &self.state.bodies
    }

    fn constraints(&self) -> &Constraints {
        match self.state.rows.are_ahead() {
            true => self.settled.get_or_init(|| self.state.constraints_after()),
            false => &self.state.constraints,
        }
    }

    fn can_tear(&mut self) -> bool {
        self.state.constraints.batch(ConstraintKind::Distance).can_tear()
    }

    fn is_alive(&self, id: ParticleId) -> bool {
        self.state.particles.slot(id).is_some()
    }

    fn count(&self) -> usize {
        self.state.particles.len()
    }

    fn contact_memory(&self) -> ContactMemory {
        memory::export(&self.state.pairs, &self.state.memory)
    }

    fn ask(&self, query: Query, reply: Reply) -> Ticket {
        if let Some(answer) = self.state.answer(&query) {
            reply(answer);
        }
        Ticket::default()
    }

    fn deliver(&self, _until: Option<Ticket>) {}

    fn blowup(&self) -> Option<Blowup> {
        self.state.report.blowup
    }

    fn notice(&mut self) -> Option<String> {
        let refused = std::mem::take(&mut self.state.refused);
        let most = self.state.frame.foam.map_or(0, |foam| foam.most);
        if refused > 0 {
            return Some(Foam::refused(refused, most));
        }
        let refused = std::mem::take(&mut self.state.refused_markers);
        let most = self.state.frame.smoke.map_or(0, |smoke| smoke.most);
        (refused > 0).then(|| Smoke::refused(refused, most))
    }

    fn timings(&self) -> Timings {
        self.timings.clone()
    }

    fn memory_bytes(&self) -> usize {
        let state = &self.state;
        state.particles.memory_bytes()
            + 16 * (state.predicted.capacity() + state.anchors.capacity() + state.turned.capacity())
            + state.touched.capacity()
            + 12 * state.couples.capacity()
            + 4 * (state.radii.capacity() + state.threaded.capacity())
            + state.grid.memory_bytes()
            + state.pairs.memory_bytes()
            + state.neighbors.memory_bytes()
            + state.fluids.memory_bytes()
            + state.passive.memory_bytes()
            + state.memory.memory_bytes()
            + state.contacts.iter().map(ChunkContacts::memory_bytes).sum::<usize>()
            + state.spares.memory_bytes()
            + state.bodies.memory_bytes()
            + state.shapes.memory_bytes()
            + state.feet.memory_bytes()
            + state.constraints.memory_bytes()
            + state.rows.memory_bytes()
            + state.creatures.memory_bytes()
            + state.creature_work.memory_bytes()
    }
}
