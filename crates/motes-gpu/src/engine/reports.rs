//! What frames tell when they are done, and what the engine makes of it.

use motes_core::engine::Blowup;

use super::GpuEngine;
use crate::error::GpuError;
use crate::readback::ReadBack;

/// What a frame tells when it is done.
pub(super) struct Report {
    frame: u64,
    submission: Option<wgpu::SubmissionIndex>,
    counters: ReadBack<u32>,
    blowups: ReadBack<u32>,
    contacts: ReadBack<u32>,
    deaths: Option<ReadBack<u32>>,
}

/// Any number of frames.
pub(super) const ALL: u64 = u64::MAX;

impl GpuEngine {
    /// Asks for the report of the frame that has been recorded, and submits it.
    pub(super) fn submit_with_report(&mut self) -> Result<(), GpuError> {
        let report = self.request_report();
        let submission = self.recorder.submit();
        self.reports.push_back(Report { submission, ..report? });
        Ok(())
    }

    fn request_report(&mut self) -> Result<Report, GpuError> {
        let encoder = self.recorder.encoder();
        let contacts = self.colliders.counters();
        Ok(Report {
            frame: self.crowd.frame(),
            submission: None,
            counters: self.arrays.counters.read_in(0..4, encoder)?,
            blowups: self.arrays.blowups.read_in(0..2, encoder)?,
            contacts: contacts.read_in(0..contacts.capacity(), encoder)?,
            deaths: self.crowd.report(self.host.index_count(), encoder)?,
        })
    }

    /// Takes in reports as far as they have come. Those of frames up to `until` are waited for.
    pub(super) fn hear(&mut self, until: u64) -> Result<(), GpuError> {
        while let Some(mut report) = self.reports.pop_front() {
            if report.frame <= until
                && let Some(submission) = report.submission.take()
            {
                self.gpu.wait_for(submission)?;
            }
            let Some(contacts) = report.contacts.try_take() else {
                self.reports.push_front(report);
                return Ok(());
            };
            self.take_in(report, &contacts?)?;
        }
        Ok(())
    }

    /// Takes in all reports, without blocking.
    pub(super) async fn listen(&mut self) -> Result<(), GpuError> {
        while let Some(mut report) = self.reports.pop_front() {
            let contacts = (&mut report.contacts).await?;
            self.take_in(report, &contacts)?;
        }
        Ok(())
    }

    /// Whether a frame that may have cost lives has not been heard of.
    pub(super) fn awaits_deaths(&self) -> bool {
        self.reports.iter().any(|report| report.deaths.is_some())
    }

    fn take_in(&mut self, mut report: Report, contacts: &[u32]) -> Result<(), GpuError> {
        // Asked for in one submit, they come together.
        let missing = || GpuError::Lost {
            reason: "a report came in parts".to_owned(),
        };
        let counters = report.counters.try_take().ok_or_else(missing)??;
        let blowups = report.blowups.try_take().ok_or_else(missing)??;
        if let Some(deaths) = &mut report.deaths {
            let deaths = deaths.try_take().ok_or_else(missing)??;
            self.crowd.learn(&deaths, report.frame, &mut self.host);
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
        let used = counters[0].max(counters[1]).max(counters[3]) as usize;
        let wanted = pairs_to_come(used, self.used_pairs, self.pair_capacity);
        self.wanted_pairs = self.wanted_pairs.max(wanted);
        self.used_pairs = used;
        if counters[2] > 0 {
            self.notice = Some(GpuError::NoRoom {
                what: "contacts between particles",
                dropped: counters[2],
            });
        }
        self.blowup = self.describe_blowup(&blowups);
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

/// Pairs to make room for, given how many there are and were a frame earlier; none while there is room for more.
fn pairs_to_come(used: usize, before: usize, capacity: usize) -> usize {
    let more = if before > 0 { used.saturating_sub(before) } else { 0 };
    let expected = used + (AHEAD * more).min(used);
    if expected > capacity - capacity / 8 {
        expected + used / 2
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::pairs_to_come;

    #[test]
    fn room_is_made_before_it_is_needed() {
        assert_eq!(pairs_to_come(500, 495, 1000), 0);
        assert_eq!(
            pairs_to_come(600, 0, 1000),
            0,
            "the first frame tells nothing of growth"
        );
        let (mut used, mut before, mut capacity) = (100, 90, 1000);
        for _ in 0..60 {
            assert!(used + 3 * used / 10 <= capacity, "{used} of {capacity}");
            capacity = capacity.max(pairs_to_come(used, before, capacity));
            (before, used) = (used, used + used / 10);
        }
        assert!(capacity < 8 * used, "no more than is reasonable");
    }
}
