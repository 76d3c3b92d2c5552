//! Births and deaths on the device: lifetimes, kill regions, stream compaction.
//!
//! The host gives out ids and knows how many particles there are at most. Who has died it learns from reports of frames,
//! [`Particles::REST`] − 1 frames later at the latest: by then it waits for the report, so nothing depends on timing.

use bytemuck::{Pod, Zeroable};
use motes_core::Particles;
use motes_core::engine::timings::Stage;
use motes_core::engine::{Frame, Population};
use motes_core::particles::{SWIRLS, TEMPERATURES};

use super::arrays::{Arrays, BEFORE, KINDS, Kind, NEW, POSITIONS, SORTED, SORTED_KINDS};
use super::optional::OptionalProperties;
use super::volume::Volume;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Kernel, Variant};
use crate::kernels;
use crate::launch::Launch;
use crate::readback::ReadBack;
use crate::recorder::Recorder;
use crate::scan::{Scan, ScanKernels};

/// What the kernels know of a frame: `PopulationParams` in `lib/population.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PopulationParams {
    pub(crate) dt: f32,
    pub(crate) bound: u32,
    pub(crate) births: u32,
    pub(crate) room: u32,
    pub(crate) volumes: u32,
    pub(crate) ages: u32,
    pub(crate) reaps: u32,
    pub(crate) stride: u32,
    pub(crate) lonely: f32,
    pub(crate) leaves: u32,
    pub(crate) unused_x: u32,
    pub(crate) unused_y: u32,
}

/// The particles of a world as a crowd that comes and goes.
pub(crate) struct Crowd {
    gpu: Gpu,
    mark_dead: Kernel,
    condemn: Kernel,
    compact: Kernel,
    settle: Kernel,
    tally: Kernel,
    scan: Scan,
    params: Uniforms<PopulationParams>,
    places: Buffer<u32>,
    optional: OptionalProperties,
    /// A bit for each index of an id, twice: those who die in the frame, and those who are condemned.
    deaths: Buffer<u32>,
    volumes: Buffer<Volume>,
    /// How many are removed in the frame being recorded, then the indices of their ids.
    doomed: Buffer<u32>,
    launches: Option<Launches>,
    change: Option<Change>,
    /// The last of the host's particles, so many, were added and wait for the next frame to be born on the device.
    waiting: usize,
    /// Those whom the host has removed and who live on the device until the next frame, by index of the id.
    condemned: Vec<u32>,
    /// Most particles that there can be.
    bound: usize,
    /// Frames begun.
    frame: u64,
    /// The device knows better than the host how many there are.
    ahead: bool,
    /// The frame being recorded reports deaths.
    reaped: bool,
}

/// What the frame to come begins with.
struct Change {
    dt: f32,
    births: usize,
    volumes: Vec<Volume>,
    condemned: Vec<u32>,
    /// How long gas lives without a marker about it, seconds.
    lonely: f32,
}

struct Launches {
    mark_dead: Launch,
    condemn: wgpu::BindGroup,
    compact: Launch,
    settle: wgpu::BindGroup,
    tally: Launch,
}

const WORKGROUP: u32 = 128;

/// The property that says how long particles live.
const LIFETIMES: &str = "lifetimes";

impl Crowd {
    pub(crate) fn new(gpu: &Gpu, variant: Variant) -> Result<Self, GpuError> {
        let kernel = |source| Kernel::begin(gpu, source, &[("WORKGROUP", WORKGROUP)]);
        Ok(Self {
            mark_dead: kernel(&kernels::MARK_DEAD),
            condemn: kernel(&kernels::CONDEMN),
            compact: kernel(&kernels::COMPACT),
            settle: kernel(&kernels::SETTLE),
            tally: kernel(&kernels::TALLY),
            scan: Scan::new(&ScanKernels::new(gpu, variant)?)?,
            params: Uniforms::new(gpu, "population params", 1)?,
            places: Buffer::new(gpu, "places of the living", 1)?,
            optional: OptionalProperties::new(gpu)?,
            deaths: Buffer::new(gpu, "deaths", 1)?,
            volumes: Buffer::new(gpu, "kill volumes", 1)?,
            doomed: Buffer::new(gpu, "condemned particles", 64)?,
            launches: None,
            change: None,
            waiting: 0,
            condemned: Vec::new(),
            bound: 0,
            frame: 0,
            ahead: false,
            reaped: false,
            gpu: gpu.clone(),
        })
    }

    /// Waits until its kernels are compiled; the error of one that cannot be.
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        let kernels = [&self.mark_dead, &self.condemn, &self.compact, &self.settle, &self.tally];
        kernels.into_iter().try_for_each(Kernel::check)?;
        self.optional.wait()
    }

    /// Most particles that there can be on the device.
    pub(crate) fn bound(&self) -> usize {
        self.bound
    }

    /// Frames begun so far.
    pub(crate) fn frame(&self) -> u64 {
        self.frame
    }

    /// Births of the frame to come.
    pub(crate) fn births(&self) -> usize {
        self.change.as_ref().map_or(0, |change| change.births)
    }

    /// Whether how many there are must be taken from the device.
    pub(crate) fn is_ahead(&self) -> bool {
        self.ahead
    }

    /// Whether lifetimes are limited.
    fn ages(&self) -> bool {
        self.optional.stored(LIFETIMES).is_some()
    }

    /// What only some particles have.
    pub(crate) fn optional(&self) -> &OptionalProperties {
        &self.optional
    }

    /// The same, to change.
    pub(crate) fn optional_mut(&mut self) -> &mut OptionalProperties {
        &mut self.optional
    }

    /// Writes what the last `births` of the host's particles bring along, and what was edited; says whether memory was
    /// replaced.
    pub(crate) fn prepare_optional(
        &mut self,
        host: &Particles,
        births: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<bool, GpuError> {
        let replaced = self.optional.prepare(host, births, encoder)?;
        if replaced {
            self.forget();
        }
        Ok(replaced)
    }

    /// Has the device know what changes of gas without the host; says whether memory was replaced.
    pub(crate) fn keep_gas(&mut self, frame: &Frame, host: &Particles) -> Result<bool, GpuError> {
        if !frame.gas {
            return Ok(false);
        }
        let mut replaced = self.optional.keep(SWIRLS, host)?;
        if !frame.heat.is_empty() {
            replaced |= self.optional.keep(TEMPERATURES, host)?;
        }
        if replaced {
            self.forget();
        }
        Ok(replaced)
    }

    /// Memory on the device, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.places.bytes() + self.optional.bytes() + self.deaths.bytes() + self.scan.bytes()
    }

    /// Counts a frame.
    pub(crate) fn begin_frame(&mut self) {
        self.frame += 1;
        self.change = None;
        self.reaped = false;
    }

    /// Forgets what was bound, because arrays were replaced.
    pub(crate) fn forget(&mut self) {
        self.launches = None;
    }

    /// Takes over the host's particles.
    pub(crate) fn upload(&mut self, host: &Particles, arrays: &Arrays) -> Result<(), GpuError> {
        self.bound = host.len();
        self.ahead = false;
        self.change = None;
        self.give_up();
        arrays.census.write(0, &[self.bound as u32]);
        if self.optional.upload(host)? {
            self.forget();
        }
        Ok(())
    }

    /// Takes note that particles were added to the host's, which are to be born in the next frame.
    pub(crate) fn expect(&mut self, births: usize) {
        self.waiting += births;
    }

    /// How many of the host's last particles the device does not know yet.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Takes note that the host has removed a particle: one that waits to be born is never born, any other dies with
    /// the next frame.
    pub(crate) fn remove(&mut self, index: u32, waits: bool) {
        if waits {
            self.waiting -= 1;
        } else {
            self.condemned.push(index);
        }
    }

    /// Those who live on the device until the next frame only.
    pub(crate) fn condemned(&self) -> &[u32] {
        &self.condemned
    }

    /// Forgets what is to happen to the device's particles, because the host's will take their place.
    pub(crate) fn give_up(&mut self) {
        self.waiting = 0;
        self.condemned.clear();
    }

    /// Removes those who would be born where particles are removed, unless only the device knows where that is; says whether
    /// there were any.
    pub(crate) fn kill_waiting(
        &mut self,
        population: &Population<'_>,
        host: &mut Particles,
        is_split: impl Fn(u32) -> bool,
    ) -> bool {
        let first = host.len() - self.waiting;
        let killed = |slot: usize| {
            let mut volumes = population.kill_volumes.iter();
            volumes.any(|volume| volume.contains(host.positions[slot].truncate())) && !is_split(host.ids()[slot].index)
        };
        let dead: Vec<u32> = (first..host.len())
            .filter(|&slot| killed(slot))
            .map(|slot| host.ids()[slot].index)
            .collect();
        if dead.is_empty() {
            return false;
        }
        self.waiting -= dead.len();
        host.bury(dead, 0);
        host.sweep();
        true
    }

    /// Plans a frame; its births are the last of the host's particles.
    pub(crate) fn plan(&mut self, population: &Population<'_>) {
        let births = std::mem::take(&mut self.waiting) + population.births.len();
        let condemned = std::mem::take(&mut self.condemned);
        let lonely = match self.optional.stored(SWIRLS) {
            Some(_) => population.lonely.min(f32::MAX),
            None => f32::MAX,
        };
        let reaps = !population.kill_volumes.is_empty() || self.ages() || lonely < f32::MAX;
        if births == 0 && !reaps && condemned.is_empty() {
            return;
        }
        self.bound += births;
        self.ahead = true;
        self.change = Some(Change {
            dt: population.dt,
            births,
            volumes: population.kill_volumes.iter().map(Volume::from).collect(),
            condemned,
            lonely,
        });
    }

    /// Takes back what was planned.
    pub(crate) fn cancel(&mut self, host: &mut Particles) {
        if let Some(change) = self.change.take() {
            let born: Vec<u32> = host.ids()[host.len() - change.births..]
                .iter()
                .map(|id| id.index)
                .collect();
            host.bury(born, 0);
            host.sweep();
            self.bound -= change.births;
        }
    }

    /// Records what was planned, in a world with launches for `room` particles.
    pub(crate) fn record(
        &mut self,
        recorder: &mut Recorder,
        arrays: &Arrays,
        host: &Particles,
        room: usize,
    ) -> Result<(), GpuError> {
        if self.optional.is_due() {
            self.optional.record(recorder.stage(Stage::Population.name()));
        }
        let Some(change) = self.change.take() else {
            return Ok(());
        };
        self.make_room(&change, host, room)?;
        self.write(&change, arrays, host, room);
        let launches = match self.launches.take() {
            Some(launches) => launches,
            None => self.bind(arrays, room)?,
        };
        if self.reaped {
            recorder.encoder().clear_buffer(self.deaths.raw(), 0, None);
        }
        let pass = recorder.stage(Stage::Population.name());
        if self.reaped {
            let condemned = change.condemned.len() as u32;
            self.condemn.launch(pass, &launches.condemn, condemned);
            launches.mark_dead.encode(pass);
            self.scan.encode(pass);
            launches.compact.encode(pass);
        }
        let births = change.births as u32;
        let moved = if self.reaped { room as u32 } else { births };
        self.settle.launch(pass, &launches.settle, moved);
        launches.tally.encode(pass);
        self.launches = Some(launches);
        Ok(())
    }

    /// Those who died in the frame being recorded.
    pub(crate) fn report(
        &self,
        indices: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Option<ReadBack<u32>>, GpuError> {
        if !self.reaped {
            return Ok(None);
        }
        self.deaths.read_in(0..indices.div_ceil(32), encoder).map(Some)
    }

    /// Takes in who died in an earlier frame.
    pub(crate) fn learn(&mut self, deaths: &[u32], frame: u64, host: &mut Particles) {
        let mut dead = Vec::new();
        for (word, &bits) in (0..).zip(deaths) {
            let mut bits = bits;
            while bits != 0 {
                dead.push(32 * word + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        self.bound -= dead.len().min(self.bound);
        host.bury(dead, (self.frame - frame) as usize);
    }

    fn make_room(&mut self, change: &Change, host: &Particles, room: usize) -> Result<(), GpuError> {
        let mut replaced = self.volumes.ensure(change.volumes.len())?;
        replaced |= self.doomed.ensure(change.condemned.len() + 1)?;
        self.reaped =
            self.ages() || !change.volumes.is_empty() || !change.condemned.is_empty() || change.lonely < f32::MAX;
        if self.reaped {
            replaced |= self.places.ensure(room + 1)?;
            replaced |= self.deaths.ensure(2 * host.index_count().div_ceil(32))?;
        }
        if replaced {
            self.forget();
        }
        Ok(())
    }

    fn write(&self, change: &Change, arrays: &Arrays, host: &Particles, room: usize) {
        let (first, bound) = (host.len() - change.births, self.bound - change.births);
        let kinds: Vec<Kind> = (first..host.len())
            .map(|slot| [host.phases[slot].0, host.materials[slot].0, host.ids()[slot].index, NEW])
            .collect();
        arrays.vectors.write(SORTED, bound, &host.positions[first..]);
        arrays.vectors.write(BEFORE, bound, &host.velocities[first..]);
        arrays.kinds.write(SORTED_KINDS, bound, &kinds);
        self.volumes.write(0, &change.volumes);
        if !change.condemned.is_empty() {
            self.doomed.write(0, &[change.condemned.len() as u32]);
            self.doomed.write(1, &change.condemned);
        }
        self.params.write(
            0,
            &PopulationParams {
                dt: change.dt,
                bound: bound as u32,
                births: change.births as u32,
                room: room as u32,
                volumes: change.volumes.len() as u32,
                ages: u32::from(self.ages()),
                reaps: u32::from(self.reaped),
                stride: arrays.vectors.stride() as u32,
                lonely: change.lonely,
                leaves: u32::from(change.lonely < f32::MAX),
                unused_x: 0,
                unused_y: 0,
            },
        );
    }

    fn bind(&mut self, a: &Arrays, room: usize) -> Result<Launches, GpuError> {
        self.places.ensure(room + 1)?;
        self.scan.prepare(&self.places, room)?;
        let groups = room.div_ceil(WORKGROUP as usize);
        let launch = |kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]| {
            Launch::new(&self.gpu, kernel, resources, groups)
        };
        let (params, census, places) = (self.params.binding(0), a.census.binding(), self.places.binding());
        Ok(Launches {
            condemn: self
                .condemn
                .bind(&self.gpu, &[self.doomed.binding(), self.deaths.binding()]),
            mark_dead: launch(
                &self.mark_dead,
                &[
                    params.clone(),
                    census.clone(),
                    a.vectors.part(POSITIONS).binding(),
                    a.kinds.part(KINDS).binding(),
                    self.volumes.binding(),
                    self.optional.stored(LIFETIMES).unwrap_or(&self.deaths).binding(),
                    places.clone(),
                    self.deaths.binding(),
                    self.optional.stored(SWIRLS).map_or(census.clone(), Buffer::binding),
                ],
            ),
            compact: launch(
                &self.compact,
                &[
                    params.clone(),
                    census.clone(),
                    places.clone(),
                    a.vectors.binding(),
                    a.kinds.binding(),
                ],
            ),
            settle: self.settle.bind(
                &self.gpu,
                &[
                    params.clone(),
                    census.clone(),
                    places.clone(),
                    a.vectors.binding(),
                    a.kinds.binding(),
                ],
            ),
            tally: Launch::new(&self.gpu, &self.tally, &[params, places, census], 1),
        })
    }
}
