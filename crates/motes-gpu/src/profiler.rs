//! Time per stage on the device, from timestamps, read back frames later.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::buffers::create;
use crate::device::{Gpu, Timestamps};
use crate::error::GpuError;

/// Timestamps of one frame; what a query set can hold. Later ones are left out and their time goes to the last stage.
const MAX_TIMESTAMPS: u32 = 4096;

/// Frames that may be under way at once; a frame beyond is not measured.
const FRAMES: usize = 3;

/// Time of each stage of one frame, in the order in which stages first came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageTimes {
    /// Name and time of each stage, all its parts added up.
    pub stages: Vec<(&'static str, Duration)>,
}

impl StageTimes {
    /// Time of one stage; zero if it did not occur.
    pub fn get(&self, name: &str) -> Duration {
        let found = self.stages.iter().find(|(stage, _)| *stage == name);
        found.map_or(Duration::ZERO, |(_, time)| *time)
    }

    /// Time of all stages together.
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }

    fn add(&mut self, name: &'static str, time: Duration) {
        match self.stages.iter_mut().find(|(stage, _)| *stage == name) {
            Some((_, sum)) => *sum += time,
            None => self.stages.push((name, time)),
        }
    }
}

/// Writes timestamps into the frame being recorded and collects those of frames that are done.
#[derive(Debug)]
pub(crate) struct Profiler {
    gpu: Gpu,
    frames: Vec<Frame>,
    /// The frame being recorded, if it is measured.
    current: Option<usize>,
    /// Frames measured so far.
    count: u64,
    /// The last frame whose times have arrived: which it was, and the times.
    latest: Option<(u64, StageTimes)>,
}

/// The timestamps of one frame.
#[derive(Debug)]
struct Frame {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
    state: Arc<AtomicU8>,
    number: u64,
    spans: Vec<Span>,
    next: u32,
}

/// A part of a stage, between two timestamps.
#[derive(Clone, Copy, Debug)]
struct Span {
    stage: &'static str,
    begin: u32,
    end: u32,
}

const FREE: u8 = 0;
const UNDER_WAY: u8 = 1;
const ARRIVED: u8 = 2;
const FAILED: u8 = 3;

impl Profiler {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let measures = gpu.capabilities().timestamps != Timestamps::None;
        let frames = (0..if measures { FRAMES } else { 0 })
            .map(|_| Frame::new(gpu))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            gpu: gpu.clone(),
            frames,
            current: None,
            count: 0,
            latest: None,
        })
    }

    /// Starts a frame.
    pub(crate) fn begin(&mut self) {
        self.collect();
        let free = |frame: &Frame| frame.state.load(Ordering::Acquire) == FREE;
        self.current = self.frames.iter().position(free);
        if let Some(frame) = self.current.map(|current| &mut self.frames[current]) {
            frame.spans.clear();
            frame.next = 0;
            self.count += 1;
            frame.number = self.count;
        }
    }

    /// Begins a part of `stage`, whose timestamps a pass writes at its ends.
    pub(crate) fn around_pass(&mut self, stage: &'static str) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let frame = &mut self.frames[self.current?];
        let begin = frame.reserve(2)?;
        frame.spans.push(Span {
            stage,
            begin,
            end: begin + 1,
        });
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &frame.queries,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(begin + 1),
        })
    }

    /// Ends the part that is open, if any, and begins a part of `stage` in the same pass.
    pub(crate) fn inside_pass(&mut self, stage: &'static str, pass: &mut wgpu::ComputePass<'_>, open: bool) {
        let Some(current) = self.current else { return };
        let frame = &mut self.frames[current];
        if let Some(mark) = frame.reserve(1) {
            pass.write_timestamp(&frame.queries, mark);
            if let Some(last) = frame.spans.last_mut().filter(|_| open) {
                last.end = mark;
            }
            frame.spans.push(Span {
                stage,
                begin: mark,
                end: mark,
            });
        }
    }

    /// Ends the part that is open.
    pub(crate) fn close(&mut self, pass: &mut wgpu::ComputePass<'_>) {
        let Some(current) = self.current else { return };
        let frame = &mut self.frames[current];
        if let Some(mark) = frame.reserve_last() {
            pass.write_timestamp(&frame.queries, mark);
            if let Some(last) = frame.spans.last_mut() {
                last.end = mark;
            }
        }
    }

    /// Ends the frame: its timestamps are on their way once `encoder` is submitted.
    pub(crate) fn finish(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Some(current) = self.current.take() else { return };
        let frame = &self.frames[current];
        if frame.next == 0 {
            return;
        }
        let bytes = 8 * u64::from(frame.next);
        encoder.resolve_query_set(&frame.queries, 0..frame.next, &frame.resolved, 0);
        encoder.copy_buffer_to_buffer(&frame.resolved, 0, &frame.staging, 0, bytes);
        frame.state.store(UNDER_WAY, Ordering::Release);
        let state = Arc::clone(&frame.state);
        encoder.map_buffer_on_submit(&frame.staging, wgpu::MapMode::Read, ..bytes, move |result| {
            state.store(if result.is_ok() { ARRIVED } else { FAILED }, Ordering::Release);
        });
    }

    /// Times of the last frame that is done. `None` before the first, and on devices without timestamps.
    pub(crate) fn latest(&mut self) -> Option<&StageTimes> {
        self.collect();
        self.latest.as_ref().map(|(_, times)| times)
    }

    fn collect(&mut self) {
        if self.frames.is_empty() {
            return;
        }
        let _ = self.gpu.device().poll(wgpu::PollType::Poll);
        let period = f64::from(self.gpu.queue().get_timestamp_period());
        for frame in &mut self.frames {
            match frame.state.load(Ordering::Acquire) {
                ARRIVED => {
                    let newer = self.latest.as_ref().is_none_or(|(number, _)| *number < frame.number);
                    if let Some(times) = frame.times(period).filter(|_| newer) {
                        self.latest = Some((frame.number, times));
                    }
                    frame.staging.unmap();
                    frame.state.store(FREE, Ordering::Release);
                }
                FAILED => frame.state.store(FREE, Ordering::Release),
                _ => {}
            }
        }
    }
}

impl Frame {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let bytes = 8 * u64::from(MAX_TIMESTAMPS);
        let resolved = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let staging = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Ok(Self {
            queries: gpu.device().create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stage times"),
                ty: wgpu::QueryType::Timestamp,
                count: MAX_TIMESTAMPS,
            }),
            resolved: create(gpu, "timestamps", bytes, resolved)?,
            staging: create(gpu, "timestamps read back", bytes, staging)?,
            state: Arc::new(AtomicU8::new(FREE)),
            number: 0,
            spans: Vec::new(),
            next: 0,
        })
    }

    /// The next timestamps, keeping one back for the end.
    fn reserve(&mut self, count: u32) -> Option<u32> {
        let first = self.next;
        let fits = first + count < MAX_TIMESTAMPS;
        fits.then(|| {
            self.next += count;
            first
        })
    }

    fn reserve_last(&mut self) -> Option<u32> {
        let last = self.next;
        (last < MAX_TIMESTAMPS).then(|| {
            self.next += 1;
            last
        })
    }

    fn times(&self, period: f64) -> Option<StageTimes> {
        let view = self.staging.get_mapped_range(..8 * u64::from(self.next)).ok()?;
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&view);
        let mut times = StageTimes::default();
        for span in &self.spans {
            let elapsed = ticks[span.end as usize].saturating_sub(ticks[span.begin as usize]);
            times.add(span.stage, Duration::from_nanos((elapsed as f64 * period) as u64));
        }
        Some(times)
    }
}
