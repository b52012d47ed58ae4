//! The public face: a program in, a report out.

use crate::context::{Function, panic_text};
use crate::engine::Engine;
use crate::finding::Finding;
use crate::host;
use crate::observe::{Observer, Progress};
use crate::races::access::AccessKind;
use crate::replay::Replay;
use crate::window::WindowInfo;
use serde::Serialize;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a runtime call comes from in the user's program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Site {
    /// The op as the user wrote it, e.g. `pld.wait`.
    pub op: String,
    /// As compiled code names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

impl Site {
    /// Whether a notify or wait here is what a barrier or collective was lowered to.
    pub(crate) fn is_barrier(&self) -> bool {
        COLLECTIVES.contains(&&*self.op)
    }

    /// `file:line:column`.
    pub fn location(&self) -> impl fmt::Display {
        let Self {
            file, line, column, ..
        } = self;
        format!("{file}:{line}:{column}")
    }
}

/// Operations in which all ranks of a group meet. Their signal is theirs alone meanwhile.
const COLLECTIVES: [&str; 7] = [
    "pld.barrier",
    "pld.allreduce",
    "pld.reduce_scatter",
    "pld.broadcast",
    "pld.allgather",
    "pld.all_to_all",
    "pld.all_to_all_v",
];

/// Compiled code and its table of source locations.
pub struct Program {
    /// The host function.
    pub entry: Function,
    /// What the `site` argument of runtime calls indexes.
    pub sites: Vec<Site>,
}

/// How to run a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of ranks.
    pub world: usize,
    /// Most threads that run ranks. One runs all of them where they wait often, or fetch more than they compute, since
    /// handing short work from thread to thread costs more than it gains. A run with a seed uses one.
    pub workers: usize,
    /// 0 runs ready ranks first in, first out; any other value fixes a random schedule.
    pub seed: u64,
    /// Track the order of accesses and signals, and report races and misused signals.
    pub races: bool,
    /// Delay stores to windows as long as the memory model allows: to the rank's next notify. Seed 0 delays all, other
    /// seeds some. Needs code that tells of its accesses to the own slice. A run that delays uses one worker.
    pub weak: bool,
    /// Count communication rounds. A run that does uses one worker.
    pub rounds: bool,
    /// Is told what ranks do.
    pub observer: Option<Arc<dyn Observer>>,
    /// Is kept up to date with how far the run is.
    pub progress: Option<Arc<Progress>>,
    /// Is followed: operations of ranks come in its order. Needs code that tells of its accesses to the own slice, and
    /// uses one worker.
    pub replay: Option<Arc<Replay>>,
    /// Address space of each rank's stack in bytes, rounded up to pages.
    pub stack_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            world: 1,
            workers: 1,
            seed: 0,
            races: true,
            weak: false,
            rounds: false,
            observer: None,
            progress: None,
            replay: None,
            stack_bytes: 64 * 1024,
        }
    }
}

/// What one rank did. A transfer or notify whose peer is the rank itself moves nothing between ranks and is counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Loads from other ranks.
    pub loads: u64,
    /// Payload of the loads in bytes.
    pub load_bytes: u64,
    /// Stores to other ranks.
    pub stores: u64,
    /// Payload of the stores in bytes.
    pub store_bytes: u64,
    /// Atomic adds to other ranks.
    pub adds: u64,
    /// Payload of the adds in bytes.
    pub add_bytes: u64,
    /// Loads, stores and adds by remote operations whose peer is the rank itself.
    pub own_transfers: u64,
    /// Payload of those in bytes.
    pub own_bytes: u64,
    /// Notifies sent to other ranks.
    pub notifies: u64,
    /// Notifies of the rank's own cells.
    pub own_notifies: u64,
    /// Waits entered.
    pub waits: u64,
    /// The longest chain of notifies to another rank and waits that they released, up to the rank's end; 0 unless asked
    /// for.
    pub rounds: u32,
}

impl Counters {
    /// Operations that went to another rank.
    pub fn messages(&self) -> u64 {
        self.loads + self.stores + self.adds + self.notifies
    }

    /// Counts a remote operation on `bytes` of a slice: another rank's or its own.
    pub(crate) fn transfer(&mut self, kind: AccessKind, own: bool, bytes: u64) {
        let (count, sum) = match kind {
            _ if own => (&mut self.own_transfers, &mut self.own_bytes),
            AccessKind::AtomicAdd => (&mut self.adds, &mut self.add_bytes),
            AccessKind::Write => (&mut self.stores, &mut self.store_bytes),
            _ => (&mut self.loads, &mut self.load_bytes),
        };
        *count += 1;
        *sum += bytes;
    }

    /// The sum over ranks; of rounds the most.
    pub fn total(ranks: &[Self]) -> Self {
        ranks.iter().fold(Self::default(), |mut sum, one| {
            sum.add(one);
            sum
        })
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.loads += other.loads;
        self.load_bytes += other.load_bytes;
        self.stores += other.stores;
        self.store_bytes += other.store_bytes;
        self.adds += other.adds;
        self.add_bytes += other.add_bytes;
        self.own_transfers += other.own_transfers;
        self.own_bytes += other.own_bytes;
        self.notifies += other.notifies;
        self.own_notifies += other.own_notifies;
        self.waits += other.waits;
        self.rounds = self.rounds.max(other.rounds);
    }
}

/// The outcome of a run. The program ran to its end if `findings` is empty, `error` is `None` and it was not
/// `cancelled`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Window buffers, in order of allocation.
    pub windows: Vec<WindowInfo>,
    /// Faults of the program, in the order found.
    pub findings: Vec<Finding>,
    /// A fault outside the program's meaning: a stack overflow, exhausted memory, a fault of the runtime.
    pub error: Option<String>,
    /// Where the program left the order it was to follow, if it did.
    pub strayed: Option<String>,
    /// Whether it was ended from outside, by [`Progress::cancel`].
    pub cancelled: bool,
    /// False when races were not asked for, or there were too many ranks to track.
    pub races_checked: bool,
    /// By rank; empty if the run ended in the host phase.
    pub counters: Vec<Counters>,
}

/// Runs `program` on `options.world` ranks: the host function first, to its end, then what it dispatched.
///
/// `args` are the words of the entry's arguments; the memory they point to is the caller's and must outlive the call.
/// Never panics: whatever goes wrong is in the report.
pub fn run(program: &Program, args: &[u64], options: &Options) -> Report {
    let shared = Arc::new(Shared::new(program, options));
    if let Some(progress) = &options.progress {
        progress.attach(&shared);
    }
    let phases = AssertUnwindSafe(|| run_phases(&shared, program.entry, args));
    let report = catch_unwind(phases).unwrap_or_else(|panic| {
        shared.fail(panic_text(&*panic));
        Report::default()
    });
    shared.finish(report)
}

fn run_phases(shared: &Arc<Shared>, entry: Function, args: &[u64]) -> Report {
    let mut report = Report::default();
    let Some(plan) = host::run(shared, entry, args) else {
        return report;
    };
    report.windows = plan.windows.describe(shared);
    if shared.stopped() {
        return report;
    }
    let Some(engine) = Engine::new(shared, plan) else {
        return report;
    };
    let progress = shared.options.progress.as_deref();
    progress.inspect(|progress| progress.start(engine.idle_ranks()));
    engine.run();
    progress.inspect(|progress| progress.end());
    report.counters = engine.counters();
    report.races_checked = engine.checks_races();
    report
}

/// What the host phase and all workers share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    sites: Vec<Site>,
    /// By site, whether it is what a barrier or collective was lowered to.
    barriers: Vec<bool>,
    /// What an unknown number stands for.
    nowhere: Site,
    stopped: AtomicBool,
    outcome: Mutex<Outcome>,
}

#[derive(Default)]
struct Outcome {
    findings: Vec<Finding>,
    error: Option<String>,
    strayed: Option<String>,
    cancelled: bool,
}

impl Shared {
    fn new(program: &Program, options: &Options) -> Self {
        Self {
            options: options.clone(),
            sites: program.sites.clone(),
            barriers: program.sites.iter().map(Site::is_barrier).collect(),
            nowhere: Site {
                op: "?".into(),
                file: "?".into(),
                line: 0,
                column: 0,
            },
            stopped: AtomicBool::new(false),
            outcome: Mutex::default(),
        }
    }

    /// Whether a notify or wait is what a barrier or collective was lowered to.
    #[inline]
    pub(crate) fn is_barrier(&self, site: i64) -> bool {
        let known = usize::try_from(site)
            .ok()
            .and_then(|i| self.barriers.get(i));
        known.copied().unwrap_or_default()
    }

    /// The source line of a runtime call's `site` argument.
    pub(crate) fn known_site(&self, index: i64) -> &Site {
        let known = usize::try_from(index).ok().and_then(|i| self.sites.get(i));
        known.unwrap_or(&self.nowhere)
    }

    /// The same for a report.
    pub(crate) fn site(&self, index: i64) -> Site {
        self.known_site(index).clone()
    }

    /// Adds a finding and lets the run go on.
    pub(crate) fn report(&self, finding: Box<Finding>) {
        lock(&self.outcome).findings.push(*finding);
    }

    /// Ends the run with a finding, unless it has been stopped already.
    pub(crate) fn conclude(&self, finding: impl FnOnce() -> Box<Finding>) {
        if !self.stopped.swap(true, Ordering::SeqCst) {
            self.report(finding());
        }
    }

    /// Ends the run as a fault of the tool or the machine.
    pub(crate) fn fail(&self, error: String) {
        lock(&self.outcome).error.get_or_insert(error);
        self.stopped.store(true, Ordering::SeqCst);
    }

    /// Ends the run, since it does not go as it was to.
    pub(crate) fn stray(&self, why: String) {
        lock(&self.outcome).strayed.get_or_insert(why);
        self.stopped.store(true, Ordering::SeqCst);
    }

    /// Ends the run, since nobody wants it any more.
    pub(crate) fn cancel(&self) {
        lock(&self.outcome).cancelled = true;
        self.stopped.store(true, Ordering::SeqCst);
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn finish(&self, mut report: Report) -> Report {
        let outcome = std::mem::take(&mut *lock(&self.outcome));
        report.findings = outcome.findings;
        report.error = outcome.error;
        report.strayed = outcome.strayed;
        report.cancelled = outcome.cancelled;
        report
    }
}

/// Locks, whether or not a holder panicked: a panic already ends the run as an internal error.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
