//! Read-backs of finished frames: counts, deaths, blow-ups, and what the engine makes of them.

use std::sync::Arc;

use motes_core::engine::Blowup;
use motes_core::step::step;

use super::State;
use super::arrays::{REPORTED_COUNTERS, blowup_words};
use crate::error::GpuError;
use crate::readback::ReadBack;

/// What a frame tells when it is done.
pub(super) struct Report {
    frame: u64,
    submission: Option<wgpu::SubmissionIndex>,
    /// Four counters of pairs, two numbers about blow-ups, then the counters of contacts with colliders.
    numbers: ReadBack<u32>,
    deaths: Option<ReadBack<u32>>,
    /// Counters of neighbours of fluids.
    fluids: Option<ReadBack<u32>>,
    /// A bit for each row that broke, where any can.
    broken: Option<ReadBack<u32>>,
}

/// A report that has come.
struct Told {
    frame: u64,
    numbers: Vec<u32>,
    deaths: Option<Vec<u32>>,
    fluids: Option<Vec<u32>>,
    broken: Option<Vec<u32>>,
}

impl Report {
    /// Browsers hand over the parts one by one.
    fn has_come(&self) -> bool {
        let parts = [&self.numbers].into_iter().chain(&self.deaths).chain(&self.broken);
        let parts = parts.chain(&self.fluids);
        parts.into_iter().all(ReadBack::has_come)
    }

    /// The report, which has come.
    fn read(self) -> Result<Told, GpuError> {
        let read = |mut part: ReadBack<u32>| part.try_take().unwrap_or(Err(GpuError::NotYet));
        Ok(Told {
            frame: self.frame,
            numbers: read(self.numbers)?,
            deaths: self.deaths.map(read).transpose()?,
            fluids: self.fluids.map(read).transpose()?,
            broken: self.broken.map(read).transpose()?,
        })
    }

    /// The report when it comes.
    async fn arrive(self) -> Result<Told, GpuError> {
        Ok(Told {
            frame: self.frame,
            numbers: self.numbers.await?,
            deaths: match self.deaths {
                Some(deaths) => Some(deaths.await?),
                None => None,
            },
            fluids: match self.fluids {
                Some(fluids) => Some(fluids.await?),
                None => None,
            },
            broken: match self.broken {
                Some(broken) => Some(broken.await?),
                None => None,
            },
        })
    }
}

/// Any number of frames.
pub(super) const ALL: u64 = u64::MAX;

impl State {
    /// Asks for the report of the frame that has been recorded, and submits it.
    pub(super) fn submit_with_report(&mut self) -> Result<(), GpuError> {
        let report = self.request_report();
        let submission = self.recorder.submit();
        self.reports.push_back(Report { submission, ..report? });
        Ok(())
    }

    fn request_report(&mut self) -> Result<Report, GpuError> {
        let rows = self.stages.as_ref().is_some_and(|stages| stages.rows.is_some());
        let encoder = self.recorder.encoder();
        let contacts = self.colliders.counters();
        let numbers = [
            (self.arrays.owners.raw(), 0..REPORTED_COUNTERS),
            (self.arrays.cells.raw(), blowup_words(self.entry_room)),
            (contacts.raw(), 0..contacts.capacity()),
        ];
        Ok(Report {
            frame: self.crowd.frame(),
            submission: None,
            numbers: ReadBack::record_all(&self.gpu, &numbers, encoder)?,
            deaths: self.crowd.report(self.host.index_count(), encoder)?,
            fluids: match &self.fluids {
                Some(fluids) => Some(fluids.report(encoder)?),
                None => None,
            },
            broken: if rows { self.rows.report(encoder)? } else { None },
        })
    }

    /// Takes in reports as far as they have come. Those of frames up to `until` are waited for.
    pub(super) fn hear(&mut self, until: u64) -> Result<(), GpuError> {
        while let Some(mut report) = self.reports.pop_front() {
            if report.frame <= until
                && let Some(submission) = report.submission.take()
            {
                self.gpu.wait_for(submission)?;
                self.gpu.wait_for_news(|| report.has_come())?;
            }
            if !report.has_come() {
                self.reports.push_front(report);
                return Ok(());
            }
            self.take_in(&report.read()?)?;
        }
        Ok(())
    }

    /// Takes in all reports, without blocking.
    pub(super) async fn listen(&mut self) -> Result<(), GpuError> {
        while let Some(report) = self.reports.pop_front() {
            let told = report.arrive().await?;
            self.take_in(&told)?;
        }
        Ok(())
    }

    /// Whether a frame that may have cost lives, or rows, has not been heard of.
    pub(super) fn awaits_deaths(&self) -> bool {
        let costs = |report: &Report| report.deaths.is_some() || report.broken.is_some();
        self.reports.iter().any(costs)
    }

    /// Does a frame again that lacked room and that began with what the host still knows.
    pub(super) fn do_again(&mut self) {
        let Some(memory) = self.redo.take() else {
            return;
        };
        self.notice = None;
        self.stale_host = false;
        self.bodies_ahead = false;
        self.set_contact_memory(memory);
        self.put_passive_back();
        self.balloons.forget();
        let frame = self.frame.clone();
        let (settings, dt) = (frame.settings.clone(), frame.dt);
        self.begin_frame(frame);
        step(self, &settings, dt);
        self.end_frame();
    }

    fn take_in(&mut self, told: &Told) -> Result<(), GpuError> {
        let frames_ago = (self.crowd.frame() - told.frame) as usize;
        let (counters, rest) = told.numbers.split_at(REPORTED_COUNTERS);
        let (blowups, contacts) = rest.split_at(2);
        if let Some(deaths) = &told.deaths {
            self.crowd.learn(deaths, told.frame, Arc::make_mut(&mut self.host));
            if !self.constraints.is_empty() && deaths.iter().any(|&bits| bits != 0) {
                let host = &self.host;
                Arc::make_mut(&mut self.constraints).bury(|id| host.slot(id).is_some(), frames_ago);
            }
        }
        if let Some(broken) = &told.broken {
            self.learn_broken(broken, frames_ago);
        }
        let generation = self.colliders.contacts().generation();
        let lost = self.colliders.learn(contacts)?;
        if self.colliders.contacts().generation() != generation {
            self.stages = None;
        }
        if lost > 0 {
            self.notice = Some(GpuError::NoRoom {
                what: "contacts with colliders",
                dropped: lost.min(u64::from(u32::MAX)) as u32,
            });
        }
        if let (Some(fluids), Some(counters)) = (&mut self.fluids, &told.fluids) {
            let dropped = fluids.learn(counters);
            if dropped > 0 {
                self.notice = Some(GpuError::NoRoom {
                    what: "neighbours of fluids",
                    dropped,
                });
            }
        }
        let used = counters[0].max(counters[1]).max(counters[3]) as usize;
        let wanted = room_to_come(used, self.used_pairs, self.pair_capacity);
        self.wanted_pairs = self.wanted_pairs.max(wanted);
        self.used_pairs = used;
        if counters[2] > 0 {
            self.notice = Some(GpuError::NoRoom {
                what: "contacts between particles",
                dropped: counters[2],
            });
        }
        self.blowup = self.describe_blowup(blowups);
        Ok(())
    }

    fn describe_blowup(&self, blowups: &[u32]) -> Option<Blowup> {
        let (&count, &index) = (blowups.first()?, blowups.get(1)?);
        if count == 0 {
            return None;
        }
        let particle = self.host.id_of(index)?;
        let group = self.host.phases[self.host.slot(particle)?].group();
        Some(Blowup {
            particle,
            group,
            count: count as usize,
        })
    }
}

/// Frames that may begin before the report of one is heard.
const AHEAD: usize = 10;

/// Frames for which room is made at once where something keeps growing: new memory costs as much as many frames.
const LASTING: usize = 256;

/// What is to have room when there are `used` of it and `more` in every frame: half as much again at most.
pub(super) fn lasting_room(used: usize, more: usize) -> usize {
    used + (LASTING * more).min(used / 2)
}

/// Pairs to make room for, given how many there are and were a frame earlier; none while there is room for more.
pub(super) fn room_to_come(used: usize, before: usize, capacity: usize) -> usize {
    let more = if before > 0 { used.saturating_sub(before) } else { 0 };
    let expected = used + (AHEAD * more).min(used);
    if expected > capacity - capacity / 32 {
        let lasting = expected.max(lasting_room(used, more));
        lasting + lasting / 16
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::room_to_come;

    #[test]
    fn room_is_made_before_it_is_needed() {
        assert_eq!(room_to_come(500, 495, 1000), 0);
        assert_eq!(room_to_come(600, 0, 1000), 0, "the first frame tells nothing of growth");
        let (mut used, mut before, mut capacity) = (100, 90, 1000);
        for _ in 0..60 {
            assert!(used + 3 * used / 10 <= capacity, "{used} of {capacity}");
            capacity = capacity.max(room_to_come(used, before, capacity));
            (before, used) = (used, used + used / 10);
        }
        assert!(capacity < 8 * used, "no more than is reasonable");
    }

    #[test]
    fn steady_growth_seldom_calls_for_room() {
        // A thousand particles more in every frame, with four pairs each.
        for first in [400_000, 4_000_000] {
            let (mut capacity, mut grown) = (first, 0);
            for used in (first..).step_by(4000).take(200) {
                let wanted = room_to_come(used, used - 4000, capacity);
                assert!(used <= capacity, "{used} of {capacity}");
                grown += usize::from(wanted > capacity);
                capacity = capacity.max(wanted);
            }
            assert!(grown <= 4, "{grown} times in 200 frames");
            assert!(capacity < 2 * (first + 800_000));
        }
    }
}
