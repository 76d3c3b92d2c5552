//! Progress of a run: what is prepared; then frame, particles, milliseconds per frame, time left. A bar on a terminal, else a line now and then.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time between two lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// After this time before the first frame, whoever waits is told what for.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is done before the first frame, on stderr until dropped.
pub(crate) struct Preparation {
    bar: ProgressBar,
    lines: bool,
    name: String,
    started: Instant,
}

impl Preparation {
    pub(crate) fn new(name: &str, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::no_length();
        bar.set_draw_target(if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        });
        if let Ok(style) = ProgressStyle::with_template("{prefix}: {msg} {spinner} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_prefix(name.to_owned());
        Self {
            bar,
            lines: !quiet && !terminal,
            name: name.to_owned(),
            started: Instant::now(),
        }
    }

    /// What is to be told of each step.
    pub(crate) fn listener(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let (bar, lines, name, started) = (self.bar.clone(), self.lines, self.name.clone(), self.started);
        move |step| {
            bar.set_message(step.to_owned());
            bar.enable_steady_tick(Duration::from_millis(100));
            if lines && started.elapsed() > PATIENCE {
                tell!("{name}: {step}");
            }
        }
    }
}

impl Drop for Preparation {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar over the frames of a run, on stderr, or lines.
pub(crate) struct Progress {
    bar: ProgressBar,
    quiet: bool,
    lines: Option<Lines>,
    simulation: Average,
    total: Average,
}

/// Progress where there is no terminal.
struct Lines {
    name: String,
    started: Instant,
    last: Instant,
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

impl Lines {
    /// What is said after so many frames at a time, if anything.
    fn line(&mut self, now: Instant, message: &str, done: u64, all: u64) -> Option<String> {
        if now.duration_since(self.last) < BETWEEN_LINES {
            return None;
        }
        self.last = now;
        let seconds = now.duration_since(self.started).as_secs_f64();
        let left = seconds / done.max(1) as f64 * all.saturating_sub(done) as f64;
        Some(format!(
            "{}: frame {done}/{all}, {message}, {left:.0} s left",
            self.name
        ))
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
        let started = Instant::now();
        let lines = (!quiet && !std::io::stderr().is_terminal()).then(|| Lines {
            name: name.to_owned(),
            started,
            last: started,
        });
        Self {
            bar,
            quiet,
            lines,
            simulation: Average::default(),
            total: Average::default(),
        }
    }

    /// One more frame is done.
    pub(crate) fn frame(&mut self, particles: usize, simulation: Duration, total: Duration) {
        let (simulation, total) = (self.simulation.add(simulation), self.total.add(total));
        let message = format!("{particles} particles, {simulation:.1} ms per frame ({total:.1} with output)");
        self.bar.inc(1);
        if let Some(lines) = &mut self.lines {
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            if let Some(line) = lines.line(Instant::now(), &message, done, all) {
                tell!("{line}");
            }
        }
        self.bar.set_message(message);
    }

    /// Says something above the bar.
    pub(crate) fn say(&self, line: &str) {
        if self.quiet {
            return;
        }
        self.bar.suspend(|| tell!("{line}"));
    }

    /// Takes the bar off the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_there_is_a_line_every_five_seconds() {
        let started = Instant::now();
        let mut lines = Lines {
            name: "sand".into(),
            started,
            last: started,
        };
        let mut after =
            |seconds: u64, done| lines.line(started + Duration::from_secs(seconds), "2 particles", done, 40);
        assert_eq!(after(4, 4), None);
        assert_eq!(
            after(5, 10).as_deref(),
            Some("sand: frame 10/40, 2 particles, 15 s left")
        );
        assert_eq!(after(9, 18), None);
        assert!(after(10, 20).is_some());
    }
}
