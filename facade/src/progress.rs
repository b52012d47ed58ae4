//! How far a simulation is, for those who watch or end it from another thread.

use crate::diagnostic::Error;
use pld_runtime as runtime;
use std::sync::{Arc, Mutex, PoisonError};

/// What a simulation is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Binds inputs, lowers and compiles.
    #[default]
    Compiling,
    /// Computes what results should be.
    Golden,
    /// Runs a schedule: the how manieth, from 1.
    Running(u64),
    /// Compares results.
    Comparing,
}

/// Is kept up to date by a simulation that was given it.
#[derive(Debug, Default)]
pub struct Progress {
    phase: Mutex<Phase>,
    pub(crate) run: Arc<runtime::Progress>,
}

impl Progress {
    /// What goes on.
    pub fn phase(&self) -> Phase {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ranks of the running schedule that have ended; `None` while no ranks run.
    pub fn ranks_done(&self) -> Option<usize> {
        self.run.ranks_done()
    }

    /// Ends the simulation, with [`Error::Cancelled`], and each later one that is given this: before its next phase, and
    /// while ranks run where they next signal, wait or reach another rank. Compiling, and a loop that does nothing of
    /// this, go on to their end.
    pub fn cancel(&self) {
        self.run.cancel();
    }

    /// Whether [`Progress::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.run.is_cancelled()
    }

    pub(crate) fn enter(&self, phase: Phase) -> Result<(), Error> {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase;
        match self.is_cancelled() {
            true => Err(Error::Cancelled),
            false => Ok(()),
        }
    }
}
