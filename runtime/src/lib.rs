//! The engine of the N-rank simulator. It knows nothing of MLIR:
//!
//! ```text
//! in.mlir -> passes -> lowering to LLVM -> machine code
//!                                            |  calls the symbols of `abi`
//!                                            v
//!                      run(program, args, options)        (this crate)
//!                      host function on a coroutine: windows, dispatches
//!                      one coroutine per rank: remote memory, signals, checks
//!                                            |
//!                                            v
//!                      Report: windows, findings, counters
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | `abi` | the one table of symbols that compiled code calls |
//! | `host`, `device`, `signal` | what those symbols do, in the host phase and on the ranks |
//! | `blocks` | blocks of a rank: started, joined, meeting |
//! | `engine`, `queue`, `poll`, `deadlock` | tasks, workers, waiting, schedules, the end of a run |
//! | `context`, `wait`, `fiber`, `stack`, `overflow` | one task: its state, coroutine, stack and guard |
//! | `window`, `group`, `memory`, `copy` | symmetric buffers, plain memory, rectangles |
//! | `races` | happens-before clocks and the shadow of window memory |
//! | `weak` | store buffers for runs that delay writes |
//! | `replay` | runs along a given order |
//! | `round` | numbers as halves |
//! | `observe`, `history` | events for a trace, what released a wait, progress |
//! | `finding` | what a run reports |

pub mod abi;
mod blocks;
mod context;
mod copy;
mod crew;
mod deadlock;
mod device;
mod engine;
mod fiber;
mod finding;
mod group;
mod history;
mod host;
mod memory;
mod observe;
mod overflow;
mod poll;
mod queue;
mod races;
mod ranks;
mod replay;
pub mod round;
mod run;
mod signal;
mod stack;
#[cfg(test)]
mod tests;
mod wait;
mod weak;
mod window;

pub use context::{Ctx, Function};
pub use finding::{
    Details, Finding, MeetingBlock, Note, Peering, PollingRank, RaceAccess, WaitingRank,
};
pub use history::Sent;
pub use observe::{Access, Action, Event, Observer, Progress, Signal};
pub use races::access::AccessKind;
pub use ranks::RankSet;
pub use replay::{Part, Replay, Turn};
pub use run::{Counters, Options, Program, Report, Site, run};
pub use window::WindowInfo;
