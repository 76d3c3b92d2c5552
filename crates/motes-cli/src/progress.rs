//! The progress bar: frame, particles, milliseconds per frame, time left.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over the frames of a run, on stderr.
pub(crate) struct Progress {
    bar: ProgressBar,
    simulation: Average,
    total: Average,
}

/// A mean that follows the last frames.
#[derive(Default)]
struct Average(Option<f64>);

impl Average {
    fn add(&mut self, time: Duration) -> f64 {
        let ms = time.as_secs_f64() * 1e3;
        let mean = self.0.map_or(ms, |mean| mean + 0.1 * (ms - mean));
        self.0 = Some(mean);
        mean
    }
}

impl Progress {
    pub(crate) fn new(name: &str, frames: u64, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(
            Some(frames),
            if quiet {
                ProgressDrawTarget::hidden()
            } else {
                ProgressDrawTarget::stderr()
            },
        );
        if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] frame {pos}/{len}, {msg}, {eta} left") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(name.to_owned());
        Self {
            bar,
            simulation: Average::default(),
            total: Average::default(),
        }
    }

    /// One more frame is done.
    pub(crate) fn frame(&mut self, particles: usize, simulation: Duration, total: Duration) {
        let (simulation, total) = (self.simulation.add(simulation), self.total.add(total));
        self.bar.set_message(format!(
            "{particles} particles, {simulation:.1} ms per frame ({total:.1} with output)"
        ));
        self.bar.inc(1);
    }

    /// Takes the bar off the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
