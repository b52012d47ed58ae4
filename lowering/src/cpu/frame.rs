//! What the lowering of one function shares: its context argument, its tile slots, and
//! calls of the runtime.

use super::{
    llvm::{Llvm, descriptor_type},
    plan::Slots,
    sites::Sites,
};
use melior::ir::{
    Attribute, Identifier, Type, Value,
    attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationRef},
};
use pld_dialects::{Kind, diag, emit::Emitter, pass::Reported};
use pld_runtime::abi::{self, Ty};
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
};

/// What all functions of a module share.
pub(super) struct Shared<'c, 'a> {
    /// Check dynamic accesses.
    pub(super) bounds: bool,
    /// Tell the race detector of own-slice accesses.
    pub(super) races: bool,
    /// Vector registers of the CPU.
    pub(super) registers: i64,
    pub(super) sites: RefCell<Sites>,
    /// Inserts at the start of the module.
    pub(super) top: Emitter<'c, 'a>,
    /// Runtime functions that the module declares.
    declared: RefCell<BTreeSet<&'static str>>,
}

impl<'c, 'a> Shared<'c, 'a> {
    pub(super) fn new([bounds, races]: [bool; 2], registers: i64, top: Emitter<'c, 'a>) -> Self {
        Self {
            bounds,
            races,
            registers,
            sites: RefCell::default(),
            top,
            declared: RefCell::default(),
        }
    }

    /// Declares a function of the runtime, once; its result type if it has one.
    fn declare(&self, name: &'static str) -> Option<Type<'c>> {
        let symbol = abi::SYMBOLS
            .iter()
            .find(|symbol| symbol.name == name)
            .expect("the lowering names functions of the runtime's table only");
        let at = &self.top;
        let r#type = |ty: &Ty| match ty {
            Ty::I64 => at.word_type(),
            Ty::Ptr => at.ptr_type(),
        };
        let result = symbol.result.as_ref().map(r#type);
        if !self.declared.borrow_mut().insert(name) {
            return result;
        }
        let parameters: Vec<_> = symbol.params.iter().map(r#type).collect();
        let void = melior::dialect::llvm::r#type::void(at.context);
        let signature =
            melior::dialect::llvm::r#type::function(result.unwrap_or(void), &parameters, false);
        let id = |name| Identifier::new(at.context, name);
        let text = |text| -> Attribute { StringAttribute::new(at.context, text).into() };
        let mut attributes: Vec<(_, Attribute)> = vec![
            (id("sym_name"), text(name)),
            (id("function_type"), TypeAttribute::new(signature).into()),
        ];
        if !symbol.returns {
            // So LLVM sees that what is checked holds from there on.
            let never = ArrayAttribute::new(at.context, &[text("noreturn")]);
            attributes.push((id("passthrough"), never.into()));
        }
        at.build(
            OperationBuilder::new("llvm.func", at.location)
                .add_attributes(&attributes)
                .add_regions([melior::ir::Region::new()]),
        );
        result
    }
}

/// Memory on the runtime's stack of a task.
pub(super) struct Arena<'c, 'a> {
    pub(super) base: Value<'c, 'a>,
    pub(super) bytes: i64,
}

/// The function that is being lowered.
pub(super) struct Frame<'c, 'a, 's> {
    pub(super) shared: &'s Shared<'c, 'a>,
    pub(super) kind: Kind,
    /// Whether several blocks of a rank may run it at once.
    pub(super) in_blocks: bool,
    /// The runtime's context, the function's first argument.
    pub(super) ctx: Value<'c, 'a>,
    /// The site of all its operations, if that is its dispatch's.
    pub(super) site: Option<Value<'c, 'a>>,
    /// The memory that holds the function's tile slots, if it has any.
    pub(super) arena: Option<Arena<'c, 'a>>,
    /// Where each tile is.
    pub(super) slots: Slots,
    /// Memory of loads that a product reads in place, by the key of their tile: address and
    /// bytes from row to row.
    pub(super) direct: RefCell<HashMap<usize, (Value<'c, 'a>, Value<'c, 'a>)>>,
    /// Inserts after the prologue, before the function's own operations.
    pub(super) entry: Emitter<'c, 'a>,
}

impl<'c, 'a> Frame<'c, 'a, '_> {
    /// Calls a function of the runtime with the context and these arguments.
    pub(super) fn runtime(
        &self,
        at: &Emitter<'c, 'a>,
        name: &'static str,
        arguments: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let result = self.shared.declare(name);
        let arguments = [&[self.ctx], arguments].concat();
        at.call(name, &arguments, result)
    }

    /// As [`Frame::runtime`], for a function that has a result.
    pub(super) fn runtime_value(
        &self,
        at: &Emitter<'c, 'a>,
        name: &'static str,
        arguments: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        self.runtime(at, name, arguments)
            .expect("this function of the runtime has a result")
    }

    /// The number of an operation's site, as a word.
    pub(super) fn site(&self, at: &Emitter<'c, 'a>, op: OperationRef<'c, 'a>) -> Value<'c, 'a> {
        self.site
            .unwrap_or_else(|| at.word(self.shared.sites.borrow_mut().number(op)))
    }

    /// The address of the slot of a tile.
    ///
    /// # Errors
    ///
    /// If the plan gave it none, which is reported.
    pub(super) fn slot(
        &self,
        at: &Emitter<'c, 'a>,
        tile: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Reported> {
        let address = self.slots.of(tile).and_then(|slot| self.slot_at(at, slot));
        address.ok_or_else(|| {
            diag::failure(
                at.location,
                "internal error: a tile has no slot; run pl-cpu-plan right before pl-cpu-emit",
            )
            .emit();
            Reported
        })
    }

    /// The address of the slot at an offset in bytes; `None` if the function has no slots.
    pub(super) fn slot_at(&self, at: &Emitter<'c, 'a>, slot: i64) -> Option<Value<'c, 'a>> {
        Some(at.gep(self.arena.as_ref()?.base, at.word(slot)))
    }

    /// Ends the run if `bad` holds, by finding 401: an access of `size` elements at `offset`
    /// in `dim`, whose extent is `extent`.
    pub(super) fn fail_if(
        &self,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        bad: Value<'c, 'a>,
        [dim, offset, size, extent]: [Value<'c, 'a>; 4],
    ) {
        self.fail(at, op, bad, OUT_OF_BOUNDS, [dim, offset, size, extent]);
    }

    /// Ends the run if `bad` holds, by finding 408: `value` is one that `op` has no result for.
    pub(super) fn fail_without_result(
        &self,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        bad: Value<'c, 'a>,
        value: Value<'c, 'a>,
    ) {
        let zero = at.word(0);
        self.fail(at, op, bad, NO_RESULT, [value, zero, zero, zero]);
    }

    fn fail(
        &self,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        bad: Value<'c, 'a>,
        code: i64,
        [a, b, c, d]: [Value<'c, 'a>; 4],
    ) {
        at.if_then(bad, |at| {
            let (code, site) = (at.word(code), self.site(at, op));
            self.runtime(at, "pld_rt_fail", &[code, site, a, b, c, d]);
        });
    }
}

/// The code of an access out of bounds.
const OUT_OF_BOUNDS: i64 = 401;

/// The code of arithmetic that has no result.
const NO_RESULT: i64 = 408;

/// An array or window, taken apart.
pub(super) struct Memory<'c, 'a> {
    /// Its first element; of a window, of the own slice.
    pub(super) base: Value<'c, 'a>,
    /// Extents as words.
    pub(super) extents: Vec<Value<'c, 'a>>,
}

impl<'c, 'a> Memory<'c, 'a> {
    /// Takes a memref or window value of this shape apart.
    pub(super) fn of(at: &Emitter<'c, 'a>, value: Value<'c, 'a>, shape: &[i64]) -> Self {
        let descriptor = at.cast_to(value, descriptor_type(at.context, shape.len()));
        let base = at.extract(descriptor, &[1], at.ptr_type());
        let extents = shape.iter().enumerate().map(|(dim, &extent)| {
            if extent == pld_dialects::types::DYNAMIC {
                at.extract(descriptor, &[3, dim as i64], at.word_type())
            } else {
                at.word(extent)
            }
        });
        Self {
            base,
            extents: extents.collect(),
        }
    }

    /// Puts one together as a value of `type`.
    pub(super) fn build(&self, at: &Emitter<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        let rank = self.extents.len();
        let descriptor = descriptor_type(at.context, rank);
        let mut whole = at.value("llvm.mlir.poison", &[], descriptor, &[]);
        whole = at.insert(whole, &[0], self.base);
        whole = at.insert(whole, &[1], self.base);
        whole = at.insert(whole, &[2], at.word(0));
        let mut stride = at.word(1);
        for dim in (0..rank).rev() {
            whole = at.insert(whole, &[3, dim as i64], self.extents[dim]);
            whole = at.insert(whole, &[4, dim as i64], stride);
            if dim > 0 {
                stride = at.mul(stride, self.extents[dim]);
            }
        }
        at.cast_to(whole, r#type)
    }
}
