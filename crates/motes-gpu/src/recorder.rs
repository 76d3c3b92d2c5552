//! Records a frame: one encoder, as few passes as possible, one submit, and the time of every stage.

use crate::device::{Gpu, Timestamps};
use crate::error::GpuError;
use crate::profiler::{Profiler, StageTimes};

/// Name under which a frame is timed as a whole.
pub const FRAME: &str = "frame";

/// The commands of a frame as they are recorded, stage by stage.
///
/// It measures what [`measure`](Self::measure) says. Stages may come back any number of times; their times add up. With
/// timestamps inside passes a frame is one pass; with timestamps around passes each change of stage starts a pass; without,
/// nothing is measured.
#[derive(Debug)]
pub struct Recorder {
    gpu: Gpu,
    profiler: Profiler,
    measure: Measure,
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<OpenPass>,
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nothing, which is the fastest.
    Nothing,
    /// The frame as a whole, as stage [`FRAME`].
    Frame,
    /// Each stage. The device finishes one before it times the next, which costs about 5 µs a change on a large GPU.
    Stages,
}

#[derive(Debug)]
struct OpenPass {
    pass: wgpu::ComputePass<'static>,
    stage: &'static str,
}

impl Recorder {
    /// A recorder with nothing recorded.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            gpu: gpu.clone(),
            profiler: Profiler::new(gpu)?,
            measure: Measure::Frame,
            encoder: None,
            pass: None,
        })
    }

    /// What to time, from the next frame on.
    pub fn measure(&mut self, measure: Measure) {
        self.measure = measure;
    }

    /// The pass to record a part of `stage` into.
    pub fn stage(&mut self, stage: &'static str) -> &mut wgpu::ComputePass<'static> {
        let stage = if self.measure == Measure::Stages { stage } else { FRAME };
        let timestamps = self.gpu.capabilities().timestamps;
        let changes = self.pass.as_ref().is_none_or(|open| open.stage != stage);
        if changes && timestamps == Timestamps::AroundPasses {
            self.end_pass();
        }
        let open = match self.pass.take() {
            Some(mut open) => {
                if changes && timestamps == Timestamps::InsidePasses {
                    self.profiler.inside_pass(stage, &mut open.pass, true);
                }
                OpenPass { stage, ..open }
            }
            None => self.begin_pass(stage),
        };
        &mut self.pass.insert(open).pass
    }

    /// The encoder, for copies and clears between passes. Their time is not measured.
    pub fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.end_pass();
        self.open().1
    }

    /// Submits what was recorded, if anything, and does not wait for it.
    pub fn submit(&mut self) -> Option<wgpu::SubmissionIndex> {
        self.end_pass();
        let mut encoder = self.encoder.take()?;
        self.profiler.finish(&mut encoder);
        Some(self.gpu.queue().submit([encoder.finish()]))
    }

    /// Time of each stage of the last frame whose times have arrived. `None` before the first, and on devices without
    /// timestamps.
    pub fn times(&mut self) -> Option<&StageTimes> {
        self.profiler.latest()
    }

    /// Starts a frame unless one is being recorded.
    fn open(&mut self) -> (&mut Profiler, &mut wgpu::CommandEncoder) {
        let Self {
            gpu,
            profiler,
            encoder,
            measure,
            ..
        } = self;
        let encoder = encoder.get_or_insert_with(|| {
            if *measure != Measure::Nothing {
                profiler.begin();
            }
            gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("motes frame"),
            })
        });
        (profiler, encoder)
    }

    fn begin_pass(&mut self, stage: &'static str) -> OpenPass {
        let timestamps = self.gpu.capabilities().timestamps;
        let (profiler, encoder) = self.open();
        let around = match timestamps {
            Timestamps::AroundPasses => profiler.around_pass(stage),
            _ => None,
        };
        let descriptor = wgpu::ComputePassDescriptor {
            label: Some("motes"),
            timestamp_writes: around,
        };
        let mut pass = encoder.begin_compute_pass(&descriptor).forget_lifetime();
        if timestamps == Timestamps::InsidePasses {
            profiler.inside_pass(stage, &mut pass, false);
        }
        OpenPass { pass, stage }
    }

    fn end_pass(&mut self) {
        if let Some(mut open) = self.pass.take()
            && self.gpu.capabilities().timestamps == Timestamps::InsidePasses
        {
            self.profiler.close(&mut open.pass);
        }
    }
}
