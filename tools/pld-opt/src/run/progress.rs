//! A line on the terminal about a run that takes its time; nothing in a pipe or a file.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pld::{Phase, Progress};
use std::{
    io::{self, IsTerminal},
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Runs that end before this say nothing.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time between two looks.
const INTERVAL: Duration = Duration::from_millis(100);

/// The line; it is gone when this is dropped.
pub struct Line {
    progress: Arc<Progress>,
    watcher: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Line {
    /// Watches a run of `world` ranks, in up to `schedules` schedules.
    pub fn new(world: usize, schedules: u64) -> Self {
        let progress = Arc::new(Progress::default());
        let watcher = io::stderr().is_terminal().then(|| {
            let (end, ended) = mpsc::channel();
            let watched = Arc::clone(&progress);
            let watch = move || watch(&watched, &ended, world, schedules);
            (end, thread::spawn(watch))
        });
        Self { progress, watcher }
    }

    /// What the run has to keep up to date.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.watcher.take() {
            drop(end);
            // A panic of the watcher is no reason to lose the run.
            let _ = thread.join();
        }
    }
}

fn watch(progress: &Progress, ended: &mpsc::Receiver<()>, world: usize, schedules: u64) {
    let goes_on = |wait| ended.recv_timeout(wait) == Err(mpsc::RecvTimeoutError::Timeout);
    if !goes_on(PATIENCE) {
        return;
    }
    let bar = ProgressBar::with_draw_target(Some(world as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{elapsed} {msg} {wide_bar}") {
        bar.set_style(style);
    }
    loop {
        let done = progress.ranks_done();
        bar.set_position(done.unwrap_or(0) as u64);
        bar.set_message(text(progress.phase(), done, world, schedules));
        if !goes_on(INTERVAL) {
            break bar.finish_and_clear();
        }
    }
}

fn text(phase: Phase, done: Option<usize>, world: usize, schedules: u64) -> String {
    match phase {
        Phase::Compiling => "compiling".into(),
        Phase::Golden => "computing the golden".into(),
        Phase::Comparing => "comparing results".into(),
        Phase::Running(schedule) => {
            let ranks = match done {
                Some(done) => format!("{done} of {world} ranks done"),
                None => "starting".into(),
            };
            match schedules {
                1 => ranks,
                _ => format!("schedule {schedule} of {schedules}: {ranks}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the line says of each phase; schedules only where there are several.
    #[test]
    fn texts() {
        let running = Phase::Running(3);
        assert_eq!(text(running, Some(2), 4, 1), "2 of 4 ranks done");
        assert_eq!(
            text(running, Some(2), 4, 8),
            "schedule 3 of 8: 2 of 4 ranks done"
        );
        assert_eq!(text(running, None, 4, 1), "starting");
        assert_eq!(text(Phase::Compiling, None, 4, 1), "compiling");
    }
}
