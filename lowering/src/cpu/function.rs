//! Functions and calls.
//!
//! | function | becomes |
//! | --- | --- |
//! | `pl.host`, `pl.device`, `pl.golden` | `f(ctx, args)`: `args` points to 64-bit words |
//! | `pl.incore` | private `f(ctx, ...)`, scalars as they are |
//!
//! A memref or window is its base pointer followed by its dynamic extents. In a word, an
//! integer is sign-extended and a float is its bits, zero-extended.

use super::{
    frame::{Frame, Memory},
    llvm::Llvm,
};
use melior::ir::{
    Attribute, BlockLike, BlockRef, Identifier, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationLike, OperationRef},
    r#type::{FunctionType, IntegerType},
};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    function_kind,
    pass::Reported,
    types::{DYNAMIC, Shaped},
    view,
};

/// What a function is to the lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Holds operations of ours.
    Of(Kind),
    /// Holds upstream operations only, and is called from outside.
    Golden,
}

impl Role {
    /// The role of a function; `None` for one that only upstream passes lower.
    pub(super) fn of(function: OperationRef) -> Option<Self> {
        function_kind(&function)
            .map(Self::Of)
            .or_else(|| function.has_attribute("pl.golden").then_some(Self::Golden))
    }

    const fn is_helper(self) -> bool {
        matches!(self, Self::Of(Kind::InCore))
    }
}

/// Attributes of ours that say nothing once a function is lowered.
const SPENT: [&str; 9] = [
    "pl.host",
    "pl.device",
    "pl.incore",
    "pl.golden",
    "pl.rtol",
    "pl.atol",
    "pld.world_sizes",
    "arg_attrs",
    super::plan::ARENA,
];

/// A function with its new signature.
pub(super) struct Opened<'c, 'a> {
    pub(super) ctx: Value<'c, 'a>,
    /// Inserts behind the prologue.
    pub(super) entry: Emitter<'c, 'a>,
}

/// Gives a function its new signature, and a prologue that makes the old arguments.
pub(super) fn open<'c, 'a>(
    function: OperationRef<'c, 'a>,
    role: Role,
) -> Result<Opened<'c, 'a>, Reported> {
    let body = function.region(0).ok().and_then(|r| r.first_block());
    let first = body.and_then(|block| block.first_operation());
    let (Some(block), Some(entry)) = (body, first.and_then(Emitter::before)) else {
        diag::failure(function.location(), "a golden has no body, expected one")
            .note("define it in this module")
            .emit();
        return Err(Reported);
    };
    let at = entry.with_location(function.location());
    let count = block.argument_count();
    let mut added = vec![block.insert_argument(0, at.ptr_type(), at.location)];
    let mut words = if role.is_helper() {
        Words::Arguments { block, next: 1 }
    } else {
        added.push(block.insert_argument(1, at.ptr_type(), at.location));
        Words::Array {
            base: added[1],
            next: 0,
        }
    };
    for index in 0..count {
        // The old arguments stand last, and each is erased once it is replaced.
        let position = block.argument_count() - (count - index);
        let old: Value = block.argument(position).map_err(|_| Reported)?.into();
        let Some(new) = words.argument(&at, old.r#type()) else {
            diag::failure(
                function.location(),
                format!(
                    "argument #{index} is {}, expected a memref of identity layout, a window or \
                     a scalar of at most 64 bits",
                    old.r#type()
                ),
            )
            .note("change its type")
            .emit();
            return Err(Reported);
        };
        bridge::replace_all_uses(old, new);
        let position = block.argument_count() - (count - index);
        bridge::erase_argument(block, position);
    }
    close(function, block, role);
    let ctx = block.argument(0).map_err(|_| Reported)?.into();
    Ok(Opened { ctx, entry })
}

/// Writes the new type, and removes the attributes that bound the old one.
fn close<'c>(function: OperationRef<'c, '_>, block: BlockRef<'c, '_>, role: Role) {
    let context = bridge::context_of(&function);
    let inputs: Vec<_> = (0..block.argument_count())
        .filter_map(|index| Some(block.argument(index).ok()?.r#type()))
        .collect();
    let results = pld_dialects::signature(&function).map_or_else(Vec::new, |signature| {
        (0..signature.result_count())
            .filter_map(|index| signature.result(index).ok())
            .collect()
    });
    let signature = FunctionType::new(context, &inputs, &results);
    for name in SPENT {
        bridge::remove_attribute(function, name);
    }
    let signature = TypeAttribute::new(signature.into()).into();
    bridge::set_attribute(function, "function_type", signature);
    let visibility = if role.is_helper() {
        "private"
    } else {
        "public"
    };
    let visibility = melior::ir::attribute::StringAttribute::new(context, visibility).into();
    bridge::set_attribute(function, "sym_visibility", visibility);
}

/// Where a function finds the parts of its arguments.
enum Words<'c, 'a> {
    /// In an array behind a pointer.
    Array { base: Value<'c, 'a>, next: i64 },
    /// In arguments of its own, which are added in front of argument `next`.
    Arguments {
        block: BlockRef<'c, 'a>,
        next: usize,
    },
}

impl<'c, 'a> Words<'c, 'a> {
    /// The next part, of a pointer or word type.
    fn part(&mut self, at: &Emitter<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        match self {
            Self::Array { base, next } => {
                let address = at.gep(*base, at.word(*next * 8));
                *next += 1;
                at.load(address, r#type, 8)
            }
            Self::Arguments { block, next } => {
                *next += 1;
                block.insert_argument(*next - 1, r#type, at.location)
            }
        }
    }

    /// The next argument, whose old type this is.
    fn argument(&mut self, at: &Emitter<'c, 'a>, r#type: Type<'c>) -> Option<Value<'c, 'a>> {
        let memory = Shaped::of(r#type).filter(Shaped::is_memory);
        if let Some(shaped) = memory.filter(|_| bridge::has_identity_layout(r#type)) {
            let base = self.part(at, at.ptr_type());
            let extents = shaped.shape.iter().map(|&extent| {
                if extent == DYNAMIC {
                    self.part(at, at.word_type())
                } else {
                    at.word(extent)
                }
            });
            let extents = extents.collect();
            return Some(Memory { base, extents }.build(at, r#type));
        }
        if bridge::is_comm_ctx(r#type) {
            return Some(self.part(at, at.ptr_type()));
        }
        scalar_bits(r#type)?;
        match self {
            Self::Array { .. } => Some(from_word(at, self.part(at, at.word_type()), r#type)),
            Self::Arguments { .. } => Some(self.part(at, r#type)),
        }
    }
}

/// Bits of a scalar that fits a word.
fn scalar_bits(r#type: Type) -> Option<u32> {
    if r#type.is_index() {
        return Some(64);
    }
    if r#type.is_float() {
        return float_bits(r#type);
    }
    let integer = IntegerType::try_from(r#type).ok()?;
    (integer.is_signless() && integer.width() <= 64).then(|| integer.width())
}

fn float_bits(r#type: Type) -> Option<u32> {
    if r#type.is_f16() || r#type.is_bf16() {
        Some(16)
    } else if r#type.is_f32() {
        Some(32)
    } else {
        r#type.is_f64().then_some(64)
    }
}

/// The scalar in a word; its type is one that [`scalar_bits`] knows.
fn from_word<'c, 'a>(at: &Emitter<'c, 'a>, word: Value<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
    let bits = scalar_bits(r#type).unwrap_or(64);
    if r#type.is_index() {
        return at.to_index(word);
    }
    let integer = if bits < 64 {
        at.value("arith.trunci", &[word], at.int_type(bits), &[])
    } else {
        word
    };
    if r#type.is_float() {
        at.value("arith.bitcast", &[integer], r#type, &[])
    } else {
        integer
    }
}

/// A scalar as a word; the inverse of [`from_word`].
fn to_word<'c, 'a>(at: &Emitter<'c, 'a>, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let r#type = value.r#type();
    let bits = scalar_bits(r#type)?;
    if r#type.is_index() || bits == 64 && !r#type.is_float() {
        return Some(at.to_i64(value));
    }
    if r#type.is_float() {
        let integer = at.value("arith.bitcast", &[value], at.int_type(bits), &[]);
        return Some(if bits < 64 {
            at.value("arith.extui", &[integer], at.word_type(), &[])
        } else {
            integer
        });
    }
    Some(at.value("arith.extsi", &[value], at.word_type(), &[]))
}

/// The words of an argument of a dispatch: pointers stay pointers. `base` gives the base
/// pointer of a window or array.
pub(super) fn dispatch_words<'c, 'a>(
    at: &Emitter<'c, 'a>,
    value: Value<'c, 'a>,
    base: impl FnOnce(Value<'c, 'a>) -> Value<'c, 'a>,
) -> Option<Vec<Value<'c, 'a>>> {
    if value.r#type() == at.ptr_type() {
        return Some(vec![value]);
    }
    let Some(shaped) = Shaped::of(value.r#type()).filter(Shaped::is_memory) else {
        return Some(vec![to_word(at, value)?]);
    };
    let memory = Memory::of(at, value, &shaped.shape);
    Some([vec![base(memory.base)], dynamic(&memory, &shaped)].concat())
}

fn dynamic<'c, 'a>(memory: &Memory<'c, 'a>, shaped: &Shaped) -> Vec<Value<'c, 'a>> {
    let extents = memory.extents.iter().zip(&shaped.shape);
    extents
        .filter(|(_, extent)| **extent == DYNAMIC)
        .map(|(value, _)| *value)
        .collect()
}

/// A call of an in-core function: its arguments become words.
pub(super) fn lower_call<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let at = Emitter::before(op).ok_or(Reported)?;
    let mut arguments = vec![frame.ctx];
    for value in op.operands() {
        match Shaped::of(value.r#type()).filter(Shaped::is_memory) {
            Some(shaped) => {
                let memory = Memory::of(&at, value, &shaped.shape);
                arguments.push(memory.base);
                arguments.extend(dynamic(&memory, &shaped));
            }
            None => arguments.push(value),
        }
    }
    let results: Vec<_> = op.results().map(|result| result.r#type()).collect();
    let callee = view::symbol(&op, "callee").ok_or(Reported)?;
    let callee: Attribute = FlatSymbolRefAttribute::new(at.context, &callee).into();
    let call = at.build(
        OperationBuilder::new("func.call", at.location)
            .add_operands(&arguments)
            .add_results(&results)
            .add_attributes(&[(Identifier::new(at.context, "callee"), callee)]),
    );
    for (old, new) in op.results().zip(call.results()) {
        bridge::replace_all_uses(old.into(), new.into());
    }
    Ok(())
}
