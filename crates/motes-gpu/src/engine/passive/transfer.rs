//! Passive particles between host and device, and how many there are.

use std::sync::Arc;

use motes_core::PassiveParticles;
use motes_core::glam::Vec4;

use super::DevicePassive;
use crate::engine::State;
use crate::error::GpuError;
use crate::readback::ReadBack;

impl DevicePassive {
    /// Number of passive particles, waited for if need be.
    fn count(&mut self) -> Result<usize, GpuError> {
        if !self.ahead {
            return Ok(self.host.len());
        }
        if self.reaped {
            let counter = self.counter;
            let counts = self.counts.read(counter..counter + 1)?.wait()?;
            self.take_count(counts.first().map_or(0, |&count| count as usize));
        }
        Ok(self.bound + self.waiting.len())
    }

    /// All that was submitted has come to this number.
    fn take_count(&mut self, count: usize) {
        self.bound = count;
        self.reaped = false;
        self.counting = None;
    }

    /// Starts reading as many as [`Self::count`] said there are on the device.
    fn request(&self) -> Result<[ReadBack<Vec4>; 2], GpuError> {
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let set = &self.sets[self.now];
        let requested = [
            set.positions.read_in(0..self.bound, &mut encoder)?,
            set.velocities.read_in(0..self.bound, &mut encoder)?,
        ];
        self.gpu.queue().submit([encoder.finish()]);
        Ok(requested)
    }

    fn accept(&mut self, positions: Vec<Vec4>, velocities: Vec<Vec4>) {
        let mut host = PassiveParticles::from_parts(positions, velocities);
        host.add(&self.waiting);
        self.host = Arc::new(host);
        self.ahead = false;
    }

    fn read(&mut self) -> Result<(), GpuError> {
        self.count()?;
        let [positions, velocities] = self.request()?;
        self.accept(positions.wait()?, velocities.wait()?);
        Ok(())
    }

    /// Takes in how many there were some frames ago, if that is known.
    pub(super) fn hear(&mut self) -> Result<(), GpuError> {
        let Some((added, mut counting)) = self.counting.take() else {
            return Ok(());
        };
        match counting.try_take() {
            Some(counts) => self.bound = counts?.first().map_or(0, |&count| count as usize) + self.added - added,
            None => self.counting = Some((added, counting)),
        }
        Ok(())
    }

    /// Writes the host's to the device.
    pub(super) fn upload(&mut self) -> Result<(), GpuError> {
        let (host, set) = (&self.host, &mut self.sets[self.now]);
        set.ensure(host.len().max(1))?;
        set.positions.write(0, host.positions());
        set.velocities.write(0, host.velocities());
        self.mortal = host.velocities().iter().any(|velocity| velocity.w < f32::MAX);
        self.counts.write(self.counter, &[host.len() as u32]);
        (self.added, self.stale) = (0, false);
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
        let counter = self.passive.counter;
        let counts = self.passive.counts.read(counter..counter + 1)?.await?;
        self.passive
            .take_count(counts.first().map_or(0, |&count| count as usize));
        let [positions, velocities] = self.passive.request()?;
        self.passive.accept(positions.await?, velocities.await?);
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
