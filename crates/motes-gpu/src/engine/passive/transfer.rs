//! Passive particles between host and device, and how many there are.

use std::sync::Arc;

use motes_core::glam::Vec4;
use motes_core::heat::AMBIENT;
use motes_core::{Foam, PassiveKind, PassiveParticles, Smoke};

use super::{COUNTS, DevicePassive, FLEW};
use crate::engine::State;
use crate::error::GpuError;
use crate::readback::ReadBack;

/// Passive particles on their way to the host.
struct Requested {
    positions: ReadBack<Vec4>,
    velocities: ReadBack<Vec4>,
    kinds: ReadBack<[u32; 2]>,
}

impl DevicePassive {
    /// What to tell of foam, or of smoke, that found no room since it was last told.
    pub(in crate::engine) fn take_refusal(&mut self, most: [u32; 2]) -> Option<String> {
        let before = std::mem::replace(&mut self.refused_before, self.refused);
        let [foam, smoke] = [0, 1].map(|kind| u64::from(self.refused[kind].wrapping_sub(before[kind])));
        if foam > 0 {
            return Some(Foam::refused(foam, most[0]));
        }
        (smoke > 0).then(|| Smoke::refused(smoke, most[1]))
    }

    fn take_refused(&mut self, counts: &[u32]) {
        if let Some(&[foam, smoke]) = counts.get(2..COUNTS) {
            self.refused = [foam, smoke];
        }
    }

    /// Number of passive particles, waited for if need be.
    fn count(&mut self) -> Result<usize, GpuError> {
        if !self.ahead {
            return Ok(self.host.len());
        }
        if self.reaped {
            let counts = self.counts.read(0..COUNTS)?.wait()?;
            self.take_counts(&counts);
        }
        Ok(self.bound + self.waiting.len())
    }

    /// All that was submitted has come to these numbers.
    fn take_counts(&mut self, counts: &[u32]) {
        self.take_count(counts.get(self.counter).map_or(0, |&count| count as usize));
        self.take_refused(counts);
    }

    /// All that was submitted has come to this number.
    fn take_count(&mut self, count: usize) {
        self.bound = count;
        self.reaped = false;
        self.counting = None;
    }

    /// Starts reading as many as [`Self::count`] said there are on the device.
    fn request(&self) -> Result<Requested, GpuError> {
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let set = &self.sets[self.now];
        let requested = Requested {
            positions: set.positions.read_in(0..self.bound, &mut encoder)?,
            velocities: set.velocities.read_in(0..self.bound, &mut encoder)?,
            kinds: set.kinds.read_in(0..self.bound, &mut encoder)?,
        };
        self.gpu.queue().submit([encoder.finish()]);
        Ok(requested)
    }

    fn accept(&mut self, positions: Vec<Vec4>, velocities: Vec<Vec4>, kinds: &[[u32; 2]]) {
        let mut temperatures: Vec<f32> = kinds.iter().map(|&[_, bits]| f32::from_bits(bits)).collect();
        if temperatures.iter().all(|&temperature| temperature == AMBIENT) {
            temperatures.clear();
        }
        let kinds = kinds
            .iter()
            .map(|&[number, _]| PassiveKind::of_number(number & !FLEW))
            .collect();
        let mut host = PassiveParticles::from_parts(positions, velocities, kinds).with_temperatures(temperatures);
        host.add(&self.waiting);
        self.host = Arc::new(host);
        self.ahead = false;
    }

    fn read(&mut self) -> Result<(), GpuError> {
        self.count()?;
        let requested = self.request()?;
        let kinds = requested.kinds.wait()?;
        self.accept(requested.positions.wait()?, requested.velocities.wait()?, &kinds);
        Ok(())
    }

    /// Takes in how many there were some frames ago, if that is known.
    pub(super) fn hear(&mut self) -> Result<(), GpuError> {
        let Some(mut asked) = self.counting.take() else {
            return Ok(());
        };
        match asked.counting.try_take() {
            Some(counts) => {
                let counts = counts?;
                self.bound = counts.get(asked.counter).map_or(0, |&count| count as usize) + self.added - asked.added;
                self.take_refused(&counts);
            }
            None => self.counting = Some(asked),
        }
        Ok(())
    }

    /// Writes the host's to the device.
    pub(super) fn upload(&mut self) -> Result<(), GpuError> {
        let (host, set) = (&self.host, &mut self.sets[self.now]);
        set.ensure(host.len().max(1))?;
        set.positions.write(0, host.positions());
        set.velocities.write(0, host.velocities());
        let kinds = host.kinds().iter().enumerate();
        let kinds: Vec<[u32; 2]> = kinds
            .map(|(place, &kind)| [kind as u32, host.temperature(place).to_bits()])
            .collect();
        set.kinds.write(0, &kinds);
        self.stoppable = host.kinds().iter().any(|&kind| kind != PassiveKind::Marker);
        self.mortal = host.velocities().iter().any(|velocity| velocity.w < f32::MAX);
        self.counts.write(self.counter, &[host.len() as u32]);
        (self.added, self.stale) = (0, false);
        self.order.forget();
        self.take_count(self.host.len());
        Ok(())
    }
}

impl State {
    /// Reads them back if they have changed.
    pub(in crate::engine) fn download_passive(&mut self) {
        if self.passive.ahead {
            let read = self.passive.read();
            self.note(read);
        }
    }

    /// The same without blocking.
    pub(in crate::engine) async fn fetch_passive(&mut self) -> Result<(), GpuError> {
        if !self.passive.ahead {
            return Ok(());
        }
        let counts = self.passive.counts.read(0..COUNTS)?.await?;
        self.passive.take_counts(&counts);
        let requested = self.passive.request()?;
        let (positions, velocities) = (requested.positions.await?, requested.velocities.await?);
        self.passive.accept(positions, velocities, &requested.kinds.await?);
        Ok(())
    }

    pub(in crate::engine) fn passive_count(&mut self) -> usize {
        let count = self.passive.count();
        self.note(count).unwrap_or(self.passive.bound)
    }

    pub(in crate::engine) fn passive_host(&self) -> Arc<PassiveParticles> {
        Arc::clone(&self.passive.host)
    }
}
