//! The functions of a module and who calls whom.

use melior::ir::{
    BlockLike, RegionLike, Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Kind, bridge,
    diag::{self, Code},
    function_kind, view,
};
use std::collections::HashMap;

/// A function and what is asked of it.
pub(super) struct Function<'c, 'a> {
    /// The `func.func`.
    pub op: OperationRef<'c, 'a>,
    /// Its kind, if it has one.
    pub kind: Option<Kind>,
    /// All operations in it, in program order; a parent stands before its children.
    pub ops: Vec<OperationRef<'c, 'a>>,
    /// Calls and dispatches of functions of this module, in program order.
    pub calls: Vec<Call<'c, 'a>>,
    /// Whether a function of this module calls or dispatches it.
    pub is_called: bool,
}

/// A `func.call` or `pld.dispatch`.
pub(super) struct Call<'c, 'a> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// Index of the callee in [`Program::functions`].
    pub callee: usize,
    /// What it is called with; one per parameter.
    pub arguments: Vec<Value<'c, 'a>>,
}

/// The functions that stand directly in a module.
pub(super) struct Program<'c, 'a> {
    /// In the order of the module.
    pub functions: Vec<Function<'c, 'a>>,
    /// Indices, each callee before its callers; `None` if there is recursion.
    pub callees_first: Option<Vec<usize>>,
    /// The calls that close a circle, as caller and index in its calls.
    recursive: Vec<(usize, usize)>,
}

impl<'c, 'a> Program<'c, 'a> {
    pub(super) fn of(module: OperationRef<'c, 'a>) -> Self {
        let mut functions = Vec::new();
        let mut names = HashMap::new();
        let mut next = view::region(&module, 0)
            .and_then(|region| region.first_block())
            .and_then(|block| block.first_operation());
        while let Some(op) = next {
            if view::is(&op, "func.func") {
                names.extend(view::string(&op, "sym_name").map(|name| (name, functions.len())));
                functions.push(Function {
                    op,
                    kind: function_kind(&op),
                    ops: bridge::collect(op, |_| true).split_off(1),
                    calls: Vec::new(),
                    is_called: false,
                });
            }
            next = op.next_in_block();
        }
        for caller in 0..functions.len() {
            let calls: Vec<Call> = functions[caller]
                .ops
                .iter()
                .filter_map(|&op| Call::of(op, &names))
                .collect();
            for call in &calls {
                functions[call.callee].is_called = true;
            }
            functions[caller].calls = calls;
        }
        let mut program = Self {
            functions,
            callees_first: None,
            recursive: Vec::new(),
        };
        program.sort();
        program
    }

    /// Sorts depth first, without recursion of its own: call chains may be long.
    fn sort(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut state = vec![State::New; self.functions.len()];
        let mut order = Vec::with_capacity(state.len());
        for start in 0..state.len() {
            // Each entry: a function, and how many of its calls have been followed.
            let mut path = Vec::new();
            if state[start] == State::New {
                state[start] = State::Open;
                path.push((start, 0));
            }
            while let Some((function, followed)) = path.last_mut() {
                let (caller, call) = (*function, *followed);
                *followed += 1;
                match self.functions[caller].calls.get(call) {
                    None => {
                        state[caller] = State::Done;
                        order.push(caller);
                        path.pop();
                    }
                    Some(Call { callee, .. }) => match state[*callee] {
                        State::New => {
                            state[*callee] = State::Open;
                            path.push((*callee, 0));
                        }
                        State::Open => self.recursive.push((caller, call)),
                        State::Done => {}
                    },
                }
            }
        }
        if self.recursive.is_empty() {
            self.callees_first = Some(order);
        }
    }

    /// Reports recursion of functions of a kind, and calls of them by functions without
    /// one (103).
    pub(super) fn check_calls(&self) -> bool {
        let mut fine = true;
        for &(caller, call) in &self.recursive {
            let (caller, call) = (&self.functions[caller], &self.functions[caller].calls[call]);
            if caller.kind.is_some() {
                self.report(
                    call,
                    "closes a circle of calls, expected no recursion",
                    "write a loop: the stack of a rank is small and the AI core has none",
                );
                fine = false;
            }
        }
        for caller in self.functions.iter().filter(|f| f.kind.is_none()) {
            for call in &caller.calls {
                if let Some(kind) = self.functions[call.callee].kind {
                    self.report(
                        call,
                        &format!("calls a {kind} function from a function without a kind"),
                        "functions without a kind hold upstream operations only",
                    );
                    fine = false;
                }
            }
        }
        fine
    }

    fn report(&self, call: &Call, message: &str, mend: &str) {
        diag::error(&call.op, Code(103), message)
            .note(mend)
            .note_at(
                self.functions[call.callee].op.location(),
                "the callee is here",
            )
            .emit();
    }
}

impl<'c, 'a> Call<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>, names: &HashMap<String, usize>) -> Option<Self> {
        let (callee, arguments) = if view::is(&op, "func.call") {
            (view::symbol(&op, "callee")?, op.operands().collect())
        } else {
            let dispatch = view::Dispatch::of(op)?;
            (dispatch.callee, dispatch.arguments)
        };
        Some(Self {
            op,
            callee: *names.get(&callee)?,
            arguments,
        })
    }
}
