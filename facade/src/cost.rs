//! What a run moved and what its windows take.

use pld_runtime::{self as runtime, Counters, WindowInfo};
use serde::Serialize;
use std::fmt::{self, Display};

/// Ranks that the text lists; the data holds all.
const LISTED: usize = 16;

/// The cost card of a run. Its text is a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// What each rank did.
    pub ranks: Vec<RankCost>,
    /// The sum; of rounds the most.
    pub total: RankCost,
    /// Bytes of window memory on each rank: all buffers, each with its signal tail and at
    /// least 4096.
    pub window_bytes: usize,
    /// Bytes that the program asked for.
    pub window_data_bytes: usize,
    /// The buffers, in order of allocation.
    pub windows: Vec<WindowInfo>,
}

/// What one rank did, and how much of it went to other ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RankCost {
    /// Loads, stores, atomic adds and notifies that went to other ranks.
    pub messages: u64,
    /// By kind.
    #[serde(flatten)]
    pub counters: Counters,
}

impl From<Counters> for RankCost {
    fn from(counters: Counters) -> Self {
        Self {
            messages: counters.messages(),
            counters,
        }
    }
}

impl Cost {
    /// The cost card of a run that counted its rounds.
    pub(crate) fn of(run: &runtime::Report) -> Self {
        // A tail is part of what its buffer takes.
        let buffers = || run.windows.iter().filter(|window| window.tail_of.is_none());
        let sum = |bytes: fn(&WindowInfo) -> usize| buffers().map(bytes).sum();
        Self {
            ranks: run.counters.iter().copied().map(RankCost::from).collect(),
            total: Counters::total(&run.counters).into(),
            window_bytes: sum(|window| window.cost),
            window_data_bytes: sum(|window| window.bytes),
            windows: run.windows.clone(),
        }
    }
}

impl Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "{:>8} {:>9} {:>15} {:>15} {:>15} {:>9} {:>7} {:>7}",
            "rank",
            "messages",
            "loads/bytes",
            "stores/bytes",
            "adds/bytes",
            "notifies",
            "waits",
            "rounds"
        )?;
        for (rank, cost) in self.ranks.iter().take(LISTED).enumerate() {
            row(f, &rank.to_string(), cost)?;
        }
        if self.ranks.len() > LISTED {
            writeln!(f, "{:>8}", format!("+ {}", self.ranks.len() - LISTED))?;
        }
        row(f, "total", &self.total)?;
        for (index, window) in self.windows.iter().enumerate() {
            let WindowInfo {
                bytes,
                cost,
                offset,
                site,
                tail_of,
                ..
            } = window;
            if let Some(of) = tail_of {
                let place = site.location();
                writeln!(
                    f,
                    "window buffer {index}: signals in the tail of {of}; {place}"
                )?;
                continue;
            }
            writeln!(
                f,
                "window buffer {index} at offset {offset}: {cost} bytes per rank for {bytes} of data ({}); {}",
                reason(window),
                site.location(),
            )?;
        }
        write!(
            f,
            "windows: {} bytes per rank for {} of data",
            self.window_bytes, self.window_data_bytes
        )
    }
}

fn row(f: &mut fmt::Formatter, name: &str, cost: &RankCost) -> fmt::Result {
    let Counters {
        loads,
        load_bytes,
        stores,
        store_bytes,
        adds,
        add_bytes,
        notifies,
        waits,
        rounds,
        ..
    } = cost.counters;
    let pair = |count, bytes| format!("{count}/{bytes}");
    writeln!(
        f,
        "{name:>8} {:>9} {:>15} {:>15} {:>15} {notifies:>9} {waits:>7} {rounds:>7}",
        cost.messages,
        pair(loads, load_bytes),
        pair(stores, store_bytes),
        pair(adds, add_bytes),
    )
}

/// Why a buffer costs what it does.
fn reason(window: &WindowInfo) -> String {
    let ranks = window.group.len();
    match window.at_floor() {
        true => "a buffer takes at least 4096, which leaves room for signals".into(),
        false => format!(
            "data rounded up to 64, a line of 64 for each of {ranks} ranks, the sum rounded up to 512"
        ),
    }
}
