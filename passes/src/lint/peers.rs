//! Windows that are staged for peers who never look (113).
//!
//! A window is staged if the own slice is stored to and a barrier, collective or wait follows. It is
//! touched if a peer's slice of it is read or written, or if it serves as a signal. Both
//! are followed through calls and dispatches from the callees up, so that a buffer that one
//! dispatch stages and the next one reads is fine. A window that comes from outside of the
//! module is judged by the functions that nobody here calls.

use super::program::{Call, Function, Program};
use melior::ir::{
    Location, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    diag::{self, Code},
    entry_arguments, flow,
    types::{Level, Shaped},
    view::{self, Access, Collective},
};
use std::collections::{HashMap, HashSet};

/// Operations that keep to the own slice.
const LOCAL: &[&str] = &[
    "pl.load",
    "pl.store",
    "pl.read",
    "pl.write",
    "pl.slice",
    "pl.assemble",
    "pl.dim",
    "pld.get_comm_ctx",
    "pld.window",
];

/// What happens to the windows of a function, by their roots.
#[derive(Default)]
struct Windows<'c, 'a> {
    /// The first store to the own slice that no barrier or wait has followed yet.
    stored: HashMap<usize, OperationRef<'c, 'a>>,
    /// The first store that one has followed.
    staged: HashMap<usize, OperationRef<'c, 'a>>,
    touched: HashSet<usize>,
    /// Whether there is a barrier, collective or wait.
    orders: bool,
}

/// Warns of windows that are staged and never touched.
pub(super) fn check(program: &Program, callees_first: &[usize]) {
    let mut reported = HashSet::new();
    let mut known: Vec<Windows> = program
        .functions
        .iter()
        .map(|_| Windows::default())
        .collect();
    for &index in callees_first {
        let function = &program.functions[index];
        if function.kind.is_none() {
            continue;
        }
        let windows = summarize(program, function, &known);
        for (root, location, what) in owned(function) {
            let staged = windows.staged.get(&root);
            if let Some(store) = staged.filter(|_| !windows.touched.contains(&root))
                && reported.insert(store.to_raw().ptr)
            {
                report(*store, location, what);
            }
        }
        known[index] = windows;
    }
}

fn report<'c>(store: OperationRef<'c, '_>, location: Location<'c>, what: &str) {
    diag::warning(
        &store,
        Code(113),
        "stages a window before a barrier or wait, but no rank reads or writes a peer's slice of it",
    )
    .note("a local load sees the own slice only: read a peer's by pld.remote_load")
    .note_at(location, format!("the window is {what}"))
    .emit();
}

/// The windows whose whole use is seen from `function`: buffers that it allocates, and its
/// arguments if nobody here calls it.
fn owned<'c>(function: &Function<'c, '_>) -> Vec<(usize, Location<'c>, &'static str)> {
    let buffers = function.ops.iter().filter_map(|op| {
        let is_buffer = view::is(op, "pld.alloc_window_buffer");
        let buffer = is_buffer.then(|| op.result(0).ok()).flatten()?;
        Some((key(buffer.into()), op.location(), "allocated here"))
    });
    let arguments = entry_arguments(function.op)
        .into_iter()
        .filter(|_| !function.is_called)
        .map(|argument| {
            (
                key(argument),
                function.op.location(),
                "an argument of this function",
            )
        });
    buffers.chain(arguments).collect()
}

fn summarize<'c, 'a>(
    program: &Program<'c, 'a>,
    function: &Function<'c, 'a>,
    known: &[Windows<'c, 'a>],
) -> Windows<'c, 'a> {
    let mut windows = Windows::default();
    let mut calls = function.calls.iter().peekable();
    for &op in &function.ops {
        if let Some(call) = calls.next_if(|call| call.op == op) {
            windows.call(call, &program.functions[call.callee], &known[call.callee]);
        } else {
            windows.step(op);
        }
    }
    windows
}

impl<'c, 'a> Windows<'c, 'a> {
    fn step(&mut self, op: OperationRef<'c, 'a>) {
        let name = view::name(&op);
        if !(name.starts_with("pl.") || name.starts_with("pld.")) {
            return;
        }
        let roots = op
            .operands()
            .filter(is_window)
            .flat_map(flow::roots)
            .map(key);
        if !LOCAL.contains(&name) {
            self.touched.extend(roots);
        } else if Access::of(op).is_some_and(|access| access.writes) {
            for root in roots {
                self.stored.entry(root).or_insert(op);
            }
        }
        if matches!(name, "pld.barrier" | "pld.wait") || Collective::of(op).is_some() {
            self.order();
        }
    }

    /// A barrier, collective or wait: what was stored is staged.
    fn order(&mut self) {
        self.orders = true;
        for (root, op) in self.stored.drain() {
            self.staged.entry(root).or_insert(op);
        }
    }

    fn call(&mut self, call: &Call<'c, 'a>, callee: &Function<'c, 'a>, inside: &Self) {
        if inside.orders {
            self.order();
        }
        for (argument, parameter) in call.arguments.iter().zip(entry_arguments(callee.op)) {
            let parameter = key(parameter);
            for root in flow::roots(*argument).into_iter().map(key) {
                if inside.touched.contains(&parameter) {
                    self.touched.insert(root);
                }
                if let Some(&op) = inside.staged.get(&parameter) {
                    self.staged.entry(root).or_insert(op);
                }
                if let Some(&op) = inside.stored.get(&parameter) {
                    self.stored.entry(root).or_insert(op);
                }
            }
        }
    }
}

fn key(value: Value) -> usize {
    bridge::value_key(value)
}

fn is_window(value: &Value) -> bool {
    Shaped::of(value.r#type()).is_some_and(|shaped| shaped.level == Level::Window)
}
