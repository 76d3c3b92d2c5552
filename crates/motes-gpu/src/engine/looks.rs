//! Where groups of particles are, found out without holding up the frames that follow.

use motes_core::Phase;
use motes_core::glam::{Vec3, Vec4, Vec4Swizzles};
use motes_core::world::group::middles;

use super::GpuEngine;
use super::arrays::{KINDS, Kind, POSITIONS};
use crate::error::GpuError;
use crate::readback::ReadBack;

/// Groups that somebody looked for.
pub(super) struct Look {
    groups: Vec<u32>,
    sight: Sight,
}

enum Sight {
    /// Copies of all positions and kinds, and how many of them are alive.
    OnTheWay {
        submission: wgpu::SubmissionIndex,
        positions: ReadBack<Vec4>,
        kinds: ReadBack<Kind>,
        count: ReadBack<u32>,
    },
    Known(Vec<(u32, Vec3)>),
}

impl GpuEngine {
    /// Begins to bring back what is needed to find groups.
    pub(super) fn begin_look(&mut self, groups: Vec<u32>) -> Result<Look, GpuError> {
        if self.stale_device {
            let places = self.host.positions.iter().map(|position| position.xyz());
            let found = middles(&groups, self.host.phases.iter().copied().zip(places));
            let sight = Sight::Known(found);
            return Ok(Look { groups, sight });
        }
        let bound = self.crowd.bound();
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let positions = self.arrays.vectors.read_in(POSITIONS, bound, &mut encoder)?;
        let kinds = self.arrays.kinds.read_in(KINDS, bound, &mut encoder)?;
        let count = self.arrays.census.read_in(0..1, &mut encoder)?;
        let submission = self.gpu.queue().submit([encoder.finish()]);
        let sight = Sight::OnTheWay {
            submission,
            positions,
            kinds,
            count,
        };
        Ok(Look { groups, sight })
    }

    /// What the last look found. Waits for it, but for nothing that was begun later.
    pub(super) fn finish_look(&mut self) -> Result<Vec<(u32, Vec3)>, GpuError> {
        let Some(Look { groups, sight }) = self.look.take() else {
            return Ok(Vec::new());
        };
        match sight {
            Sight::Known(found) => Ok(found),
            Sight::OnTheWay {
                submission,
                mut positions,
                mut kinds,
                mut count,
            } => {
                self.gpu.wait_for(submission)?;
                let positions = positions.try_take().ok_or(GpuError::NotYet)??;
                let kinds = kinds.try_take().ok_or(GpuError::NotYet)??;
                let count = count.try_take().ok_or(GpuError::NotYet)??;
                let alive = count.first().map_or(0, |&count| count as usize);
                let phases = kinds.iter().map(|kind| Phase(kind[0]));
                let places = positions.iter().map(|position| position.xyz());
                Ok(middles(&groups, phases.zip(places).take(alive)))
            }
        }
    }
}
