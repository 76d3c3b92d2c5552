//! The engine as worlds see it: one lock around everything, and what was read back, to be looked at until something changes.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use motes_core::engine::contacts::ContactMemory;
use motes_core::engine::edit::{Edit, Split};
use motes_core::engine::query::{Query, Reply, Ticket};
use motes_core::engine::timings::{Stage, Timings};
use motes_core::engine::{Blowup, Frame, Population};
use motes_core::glam::Vec4;
use motes_core::particles::NewParticle;
use motes_core::step::step;
use motes_core::{
    Bodies, Constraints, Creatures, Engine, ParticleId, Particles, PassiveParticles, PassiveParts, Settings,
};

use super::liveness::{USES, Use};
use super::{State, reports};
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::recorder::Measure;

/// Runs the step on a GPU. Several engines may share one device.
pub struct GpuEngine {
    state: Mutex<State>,
    /// The host's particles, bodies, constraints, passive particles and creatures, shared with `state`, from when somebody reads them until something changes.
    particles: OnceLock<Arc<Particles>>,
    bodies: OnceLock<Arc<Bodies>>,
    constraints: OnceLock<Arc<Constraints>>,
    passive: OnceLock<Arc<PassiveParticles>>,
    creatures: OnceLock<Arc<Creatures>>,
}

impl GpuEngine {
    /// An engine on an open GPU.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            state: Mutex::new(State::new(gpu)?),
            particles: OnceLock::new(),
            bodies: OnceLock::new(),
            constraints: OnceLock::new(),
            passive: OnceLock::new(),
            creatures: OnceLock::new(),
        })
    }

    /// Fails once the device is lost or out of memory.
    pub fn status(&self) -> Result<(), GpuError> {
        self.lock().status()
    }

    /// Most particles that fit in the buffers of the device, whatever memory it has: 96 bytes of each lie in one buffer, and
    /// 16 more where there are bodies, where particles are of several sizes, and where there is gas; 160 more where there are creatures. WebGPU promises buffers of 128 MiB, for
    /// 1.39 million particles, 1.19 million with bodies or sizes, 1.04 million with both; other devices mostly have 2 GiB or
    /// more. A frame with more fails with [`GpuError::TooManyParticles`].
    pub fn most_particles(&self) -> usize {
        self.lock().most_particles()
    }

    /// Positions (xyz, metres) and inverse masses (w) on the device, as of the last frame and in the order of slots. For
    /// renderers, which ask for it in each frame, since the engine may have moved to a larger one. How many
    /// there are is the first number of [`Self::count_buffer`]; what follows them in the buffer is something else.
    pub fn position_buffer(&self) -> Buffer<Vec4> {
        self.lock().arrays.vectors.buffer().clone()
    }

    /// How many particles there are on the device, in the first of its numbers.
    pub fn count_buffer(&self) -> Buffer<u32> {
        self.lock().arrays.census.clone()
    }

    /// Positions (xyz, metres) and ages (w, seconds) of passive particles on the device, as of the last frame and in the order
    /// in which they were added. For renderers, as [`Self::position_buffer`]; how many there are is told by
    /// [`Self::passive_count_buffer`].
    pub fn passive_position_buffer(&self) -> Buffer<Vec4> {
        self.lock().passive.position_buffer().clone()
    }

    /// How many passive particles there are on the device: a buffer, and which of its numbers it is. To be asked for in each
    /// frame.
    pub fn passive_count_buffer(&self) -> (Buffer<u32>, usize) {
        let state = self.lock();
        let (counts, counter) = state.passive.count_buffer();
        (counts.clone(), counter)
    }

    /// Launches the sum over neighbours that [`Self::number_densities`] reads so many times in a row, and waits: for
    /// measurements.
    pub fn sum_densities(&mut self, times: usize) -> Result<(), GpuError> {
        self.change().sum_densities(times)
    }

    /// Weight of all particles within the smoothing radius of each, itself included, 1/m³, in the order of
    /// [`motes_core::Engine::particles`]; the lists are those of the last sub-step. For solid particles that of the fluid
    /// around them. Empty where nothing is fluid or particles have changed since the last step.
    pub fn number_densities(&self) -> Result<Vec<f32>, GpuError> {
        self.lock().number_densities()
    }

    /// By how much each particle of a liquid is too dense, compared to its rest density, in the order of [`motes_core::Engine::particles`]: negative where
    /// it is too thin, 0 in what is not liquid. The lists are those of the last sub-step. Empty where nothing is fluid or particles have changed since.
    pub fn density_errors(&self) -> Result<Vec<f32>, GpuError> {
        self.lock().density_errors()
    }

    /// Brings the particles back without blocking, so that they are at hand when a [`World`](motes_core::World) is asked
    /// for them next. Only browsers need it: elsewhere they are waited for.
    pub async fn fetch(&mut self) -> Result<(), GpuError> {
        self.change().fetch().await
    }

    /// From the next frame on, fills with NaN whatever no kernel may read any more, several times in every sub-step: for
    /// tests of this crate, and for whoever changes its kernels. Worlds go on byte for byte as they would without it, only
    /// slower.
    pub fn fill_dead(&mut self) -> Result<(), GpuError> {
        self.fill_all_but(USES.to_vec())
    }

    /// The same if only these uses were known.
    pub(super) fn fill_all_but(&mut self, uses: Vec<Use>) -> Result<(), GpuError> {
        self.change().fill_all_but(uses)
    }

    /// To read: nothing that was handed out may change.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To change: what was handed out is not in use any more, and is not copied.
    fn change(&mut self) -> &mut State {
        self.particles.take();
        self.bodies.take();
        self.constraints.take();
        self.passive.take();
        self.creatures.take();
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for GpuEngine {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn device(&self) -> String {
        self.lock().gpu.description()
    }

    fn populate(&mut self, population: Population<'_>) {
        self.change().populate(population);
    }

    fn begin_frame(&mut self, frame: Frame) {
        self.change().begin_frame(frame);
    }

    fn advance(&mut self, settings: &Settings, dt: f32) {
        step(self.change(), settings, dt);
    }

    fn end_frame(&mut self) {
        self.change().end_frame();
    }

    fn add(&mut self, particles: &[NewParticle]) -> Vec<ParticleId> {
        self.change().add(particles)
    }

    fn split(&mut self, split: Split) -> ParticleId {
        self.change().split(split)
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<usize, ParticleId> {
        self.change().edit(edits)
    }

    fn add_passive(&mut self, new: &[PassiveParts]) {
        self.change().passive.add(new);
    }

    fn load_passive(&mut self, passive: PassiveParticles) {
        self.change().passive.load(passive);
    }

    fn passive_mut(&mut self) -> &mut PassiveParticles {
        let state = self.change();
        state.download_passive();
        state.passive.host_mut()
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        let state = self.change();
        state.download_bodies();
        state.stale_bodies = true;
        Arc::make_mut(&mut state.bodies)
    }

    fn creatures(&self) -> Option<&Creatures> {
        Some(self.creatures.get_or_init(|| Arc::clone(&self.lock().creatures)))
    }

    fn creatures_mut(&mut self) -> Option<&mut Creatures> {
        Some(Arc::make_mut(&mut self.change().creatures))
    }

    fn dents_creatures(&self) -> bool {
        false
    }

    fn body_paths(&mut self) -> &mut Bodies {
        Arc::make_mut(&mut self.change().bodies)
    }

    fn constraints_mut(&mut self) -> &mut Constraints {
        let state = self.change();
        let heard = state.hear(0);
        state.note(heard);
        state.bury_rows();
        Arc::make_mut(&mut state.constraints)
    }

    fn load(&mut self, particles: Particles, bodies: Bodies, constraints: Constraints, contacts: ContactMemory) {
        let state = self.change();
        state.load(particles, bodies, contacts);
        state.rows.ahead = false;
        state.balloons.forget();
        state.creatures = Arc::default();
        state.creatures_on_device.forget();
        state.constraints = Arc::new(constraints);
        state.may_have_died = true;
    }

    fn particles(&self) -> &Particles {
        self.particles.get_or_init(|| {
            let mut state = self.lock();
            state.download();
            Arc::make_mut(&mut state.host).sweep();
            Arc::clone(&state.host)
        })
    }

    fn passive(&self) -> &PassiveParticles {
        self.passive.get_or_init(|| {
            let mut state = self.lock();
            state.download_passive();
            state.passive_host()
        })
    }

    fn passive_count(&self) -> usize {
        self.lock().passive_count()
    }

    fn bodies(&self) -> &Bodies {
        self.bodies.get_or_init(|| {
            let mut state = self.lock();
            state.download_bodies();
            Arc::clone(&state.bodies)
        })
    }

    fn constraints(&self) -> &Constraints {
        self.constraints.get_or_init(|| {
            let mut state = self.lock();
            let heard = state.hear(reports::ALL);
            state.note(heard);
            state.bury_rows();
            state.download_rows();
            Arc::clone(&state.constraints)
        })
    }

    fn is_alive(&self, id: ParticleId) -> bool {
        self.lock().host.slot(id).is_some()
    }

    fn count(&self) -> usize {
        self.lock().count()
    }

    fn contact_memory(&self) -> ContactMemory {
        let mut state = self.lock();
        if let Some(memory) = &state.memory {
            return memory.clone();
        }
        let read = state.read_contact_memory();
        state.note(read).unwrap_or_default()
    }

    fn ask(&self, query: Query, reply: Reply) -> Ticket {
        self.lock().ask(query, reply)
    }

    fn deliver(&self, until: Option<Ticket>) {
        self.lock().deliver(until);
    }

    fn blowup(&self) -> Option<Blowup> {
        let mut state = self.lock();
        let heard = state.hear(reports::ALL);
        state.note(heard);
        state.blowup
    }

    fn timings(&self) -> Timings {
        let mut state = self.lock();
        let mut timings = state.timings.clone();
        if let Some(times) = state.recorder.times() {
            for stage in Stage::ALL {
                let time = times.get(stage.name());
                if !time.is_zero() {
                    timings.set(stage, time);
                }
            }
        }
        timings
    }

    fn memory_bytes(&self) -> usize {
        self.lock().memory_bytes()
    }

    fn fault(&self) -> Option<String> {
        self.status().err().map(|fault| fault.to_string())
    }

    fn notice(&mut self) -> Option<String> {
        let state = self.change();
        let notice = state.notice.take().map(|notice| notice.to_string());
        let (foam, smoke) = (state.frame.foam, state.frame.smoke);
        let most = [foam.map_or(0, |foam| foam.most), smoke.map_or(0, |smoke| smoke.most)];
        notice.or_else(|| state.passive.take_refusal(most))
    }

    fn wait(&self) {
        let mut state = self.lock();
        let done = state.gpu.wait();
        state.note(done);
    }

    fn frames_in_flight(&self) -> u32 {
        10
    }

    fn measure_stages(&mut self, measure: bool) {
        self.change()
            .recorder
            .measure(if measure { Measure::Stages } else { Measure::Nothing });
    }
}
