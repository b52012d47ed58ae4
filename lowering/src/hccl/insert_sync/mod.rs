//! `pl-insert-sync`: orders the statements of a kernel.
//!
//! Statements of one pipe start in order but may overlap; those of different pipes are not
//! ordered at all. A walk (`orders.rs`) keeps, for each access, the pipes that know it
//! complete (`state.rs`). Where a statement conflicts with an access that its pipe does not
//! know complete, the missing order is inserted just before it:
//!
//! | conflict | inserted |
//! | --- | --- |
//! | between pipes | a flag, set and waited for: `pld::Sync<HardEvent::A_B>()` |
//! | V after V: read or write after write | `PipeBarrier<PIPE_V>` |
//! | MTE2 after MTE2: write after write on-core | `PipeBarrier<PIPE_MTE2>` |
//! | MTE3 after MTE3: write after write in global memory, not both atomic | `PipeBarrier<PIPE_MTE3>` |
//!
//! Branches join what both arms leave open. A loop may run no time, so what is open before
//! it stays open after it; its body is walked until nothing is missing between iterations.
//! One rank alone and several are walked apart (`cases.rs`), each with the loops that run there
//! and the arms that are taken, as far as that is known (`facts.rs`). What is touched there, and whose
//! it is, are sums of a few values (`sums.rs`), which tell what is apart (`places.rs`).
//!
//! A signal has a fence before it where it tells of an access to memory that others see and that
//! may still be under way.
//!
//! Then (`spread.rs`) a flag is taken apart where that saves time by the cost model
//! (`cost.rs`): set right behind the statement that it is for, by an event id of its own; for
//! the next round of a loop it is set once before the loop, and waited for once more behind
//! it. Last, every order is left out that the rest does not need (`prune.rs`).

mod cases;
mod cost;
mod distance;
mod facts;
mod kernel;
mod number;
mod orders;
mod places;
mod prune;
mod spread;
mod state;
mod sums;

use super::{
    emit::{
        kernel::END,
        signal::{FENCED, NOT_FENCED},
        text::{Effects, line},
    },
    profile::Profile,
    verify_target::{self, ARCH},
};
pub use cases::WORLD_SIZES;
use kernel::Kernel;
use melior::ir::{
    BlockLike,
    operation::{OperationLike, OperationRef},
};
use orders::{Orders, Place};
use pld_dialects::{
    bridge, diag,
    emit::Emitter,
    pass::{OptionSpec, Options, Pass, Reported},
    pl::EFFECTS,
    view,
};
use state::{Event, Order};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-insert-sync",
    description: "Insert flags and pipe barriers between the statements of each kernel, by the \
                  attribute pl.effects, which is removed. After it every conflict is ordered, \
                  whichever way branches and loops go.",
    options: &[ARCH, MODE, REPORT],
    run,
};

/// Option: whether to say how much is ordered.
pub const REPORT: OptionSpec = OptionSpec {
    name: "report",
    description: "yes: a remark on each kernel says how many orders each mode inserts",
    default: "no",
};

/// Option: how much is ordered.
pub const MODE: OptionSpec = OptionSpec {
    name: "mode",
    description: "what is inserted: auto (what conflicts need), conservative (a full barrier \
                  behind each statement)",
    default: "auto",
};

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let profile = verify_target::profile(module, options)?;
    let mode = options.get("mode");
    let Some(mode) = Mode::named(mode) else {
        let message = format!("mode={mode}, expected auto or conservative");
        diag::failure(module.location(), message).emit();
        return Err(Reported);
    };
    if options.get("report") == "yes" {
        report(module, profile);
    }
    for function in bridge::collect(module, |name| name == "emitc.func") {
        let kernel = Kernel::of(function);
        let orders = mode.orders(profile, &kernel);
        insert(&kernel, &orders)?;
        if mode == Mode::Auto {
            release(&kernel, &orders);
        }
        for statement in bridge::collect(function, |_| true) {
            bridge::remove_attribute(statement, EFFECTS);
        }
        bridge::remove_attribute(function, WORLD_SIZES);
    }
    Ok(())
}

fn report(module: OperationRef, profile: &Profile) {
    for orderings in orderings(module, profile) {
        let Orderings {
            kernel,
            auto,
            conservative,
        } = orderings;
        let message = format!(
            "{kernel}: {} orders, time {}; mode=conservative: {} orders, time {}",
            auto.0, auto.1, conservative.0, conservative.1
        );
        let named =
            |function: &OperationRef| view::string(function, "sym_name").as_ref() == Some(&kernel);
        let functions = bridge::collect(module, |name| name == "emitc.func");
        let function = functions.into_iter().find(named);
        let location = function.map_or(module.location(), |function| function.location());
        diag::remark_at(location, message).emit();
    }
}

/// How much is ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Auto,
    Conservative,
}

impl Mode {
    fn named(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "conservative" => Some(Self::Conservative),
            _ => None,
        }
    }

    fn orders(self, profile: &Profile, kernel: &Kernel) -> Orders {
        match self {
            Self::Auto => spread::orders(&profile.costs, kernel),
            Self::Conservative => spread::conservative(kernel),
        }
    }
}

/// The orders of a kernel, as a number and in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orderings {
    /// Name of the kernel.
    pub kernel: String,
    /// Orders and makespan by the cost model of mode auto.
    pub auto: (usize, u64),
    /// The same of mode conservative.
    pub conservative: (usize, u64),
}

/// What each kernel of a module would get, which is one as the pass takes it.
pub fn orderings(module: OperationRef, profile: &Profile) -> Vec<Orderings> {
    let functions = bridge::collect(module, |name| name == "emitc.func");
    let of_kernel = |&function: &OperationRef| {
        let kernel = Kernel::of(function);
        let measure = |mode: Mode| {
            let orders = mode.orders(profile, &kernel);
            let time = cost::makespan(&profile.costs, &kernel, &orders);
            (orders.count(), time)
        };
        kernel.has_statements().then(|| Orderings {
            kernel: view::string(&function, "sym_name").unwrap_or_default(),
            auto: measure(Mode::Auto),
            conservative: measure(Mode::Conservative),
        })
    };
    functions.iter().filter_map(of_kernel).collect()
}

fn insert(kernel: &Kernel, orders: &Orders) -> Result<(), Reported> {
    for (id, &op) in kernel.ops.iter().enumerate() {
        let before = Emitter::before(op).ok_or(Reported)?;
        for order in orders.at(Place::before(id)) {
            line(&before, order.text());
        }
        let after = orders.at(Place::after(id));
        if !after.is_empty() {
            let next = last_line(op).next_in_block().and_then(Emitter::before);
            let behind = next.ok_or(Reported)?.with_location(op.location());
            for order in after {
                line(&behind, order.text());
            }
        }
    }
    declare(kernel, &orders.events())
}

/// The last line of the statement that begins at `op`: only the first has effects.
fn last_line<'c, 'a>(op: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
    let continues = |line: &OperationRef| {
        let text = view::string(line, "value").unwrap_or_default();
        let is_code = view::is(line, "emitc.verbatim") && !text.starts_with("//") && text != END;
        is_code && Effects::of(*line).is_none()
    };
    let mut line = op;
    while let Some(next) = line.next_in_block().filter(continues) {
        line = next;
    }
    line
}

/// Leaves out the fence before a signal where nothing that it tells of may be under way.
fn release(kernel: &Kernel, orders: &Orders) {
    let needed = orders.releases(kernel);
    for (id, &op) in kernel.ops.iter().enumerate() {
        let text = view::string(&op, "value").unwrap_or_default();
        if !needed.contains(&id) && text.contains(FENCED) {
            let text = text.replace(FENCED, NOT_FENCED);
            let at = Emitter::before(op).map(|at| at.str_attr(&text));
            at.into_iter()
                .for_each(|text| bridge::set_attribute(op, "value", text));
        }
    }
}

/// Takes the ids of events behind the declaration of the pipe, and gives them back at the end.
fn declare(kernel: &Kernel, events: &[Event]) -> Result<(), Reported> {
    let (Some(&first), false) = (kernel.ops.first(), events.is_empty()) else {
        return Ok(());
    };
    let block = first.block().ok_or(Reported)?;
    let lines = |wanted: &str| {
        let mut op = block.first_operation();
        std::iter::from_fn(move || {
            let this = op?;
            op = this.next_in_block();
            Some(this)
        })
        .find(|op| view::string(op, "value").is_some_and(|text| text.starts_with(wanted)))
        .and_then(Emitter::before)
        .ok_or(Reported)
    };
    let (start, end) = (lines("pipe.InitBuffer(")?, lines(END)?);
    for event in events {
        let (id, pair) = (event.id(), event.pair());
        line(
            &start,
            format!("const AscendC::TEventID {id} = pipe.AllocEventID<{pair}>();"),
        );
        line(&end, format!("pipe.ReleaseEventID<{pair}>({id});"));
    }
    Ok(())
}

impl Event {
    fn pair(self) -> String {
        format!(
            "AscendC::HardEvent::{}_{}",
            self.from.name(),
            self.to.name()
        )
    }

    /// The name of the variable that holds its id.
    fn id(self) -> String {
        format!("event{}", self.number)
    }
}

impl Order {
    fn text(self) -> String {
        match self {
            Self::Flag(from, to) => format!(
                "pld::Sync<AscendC::HardEvent::{}_{}>();",
                from.name(),
                to.name()
            ),
            Self::Barrier(pipe) => format!("AscendC::PipeBarrier<PIPE_{}>();", pipe.name()),
            Self::Fence => "AscendC::PipeBarrier<PIPE_ALL>();".into(),
            Self::Set(event) => format!("AscendC::SetFlag<{}>({});", event.pair(), event.id()),
            Self::Wait(event) => format!("AscendC::WaitFlag<{}>({});", event.pair(), event.id()),
        }
    }
}
