//! Threads that compile kernels while the host goes on.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Job = Box<dyn FnOnce() + Send>;

/// As many threads as the host has cores, at most, for as long as there is something to do.
#[derive(Default)]
pub(crate) struct Compilers {
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    threads: usize,
}

impl Compilers {
    /// Does a job some time soon; at once where there are no threads.
    pub(crate) fn spawn(self: &Arc<Self>, job: Job) {
        if cfg!(target_family = "wasm") {
            return job();
        }
        let mut queue = self.queue();
        queue.jobs.push_back(job);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if queue.threads >= cores {
            return;
        }
        queue.threads += 1;
        drop(queue);
        let compilers = Arc::clone(self);
        let thread = std::thread::Builder::new().name("motes compiler".to_owned());
        if thread.spawn(move || compilers.work()).is_err() {
            self.work();
        }
    }

    fn work(&self) {
        loop {
            let mut queue = self.queue();
            let Some(job) = queue.jobs.pop_front() else {
                queue.threads -= 1;
                return;
            };
            drop(queue);
            job();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Compilers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let queue = self.queue();
        f.debug_struct("Compilers")
            .field("jobs", &queue.jobs.len())
            .field("threads", &queue.threads)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn every_job_is_done_and_threads_end_with_the_last_one() {
        let compilers = Arc::new(Compilers::default());
        let (done, heard) = channel();
        for number in 0..100 {
            let done = done.clone();
            compilers.spawn(Box::new(move || done.send(number).expect("somebody listens")));
        }
        let mut numbers: Vec<i32> = heard.iter().take(100).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..100));
        while compilers.queue().threads > 0 {
            std::thread::yield_now();
        }
    }
}
