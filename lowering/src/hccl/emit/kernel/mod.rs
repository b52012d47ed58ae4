//! An in-core function as an AscendC kernel.
//!
//! | operation | emitted |
//! | --- | --- |
//! | `pld.rank`, `pld.nranks` | fields of the communication context |
//! | `pl.block_idx`, `pl.block_num` | `AscendC::GetBlockIdx()`, `AscendC::GetBlockNum()` |
//! | `pl.dim`, `memref.dim` | the extent, which is an argument where it is not static |
//! | statements of the table | `memory.rs`, `vector.rs`, `rows.rs`, `rearrange.rs`, `signal.rs` |

mod prologue;

use super::{
    control::{self, Leaf},
    cpp::{self, Side},
    function::{self, Signature},
    memory, product, rearrange, rows,
    scope::{Scope, unsupported},
    signal,
    text::{Effects, Num, Text, line},
    vector,
};
use crate::hccl::{
    layout::Layout,
    plan,
    profile::Profile,
    statement::{self, Form, Place, Row, Slot},
};
use melior::ir::{
    RegionLike, Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pass::Reported,
    types::Element,
    view::{self, Access},
};
use std::collections::HashMap;

/// What ends each kernel.
pub const END: &str = "AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel";

/// State of one kernel.
pub struct Kernel<'c, 'a> {
    /// The target.
    pub profile: &'static Profile,
    /// The function in the program.
    pub function: OperationRef<'c, 'a>,
    /// Tensors of the tiles, by where they are kept.
    tiles: HashMap<usize, Value<'c, 'a>>,
    /// Tensors of scratch tiles, by operation and number.
    scratch: HashMap<(usize, usize), Value<'c, 'a>>,
    /// Tensors over global memory, by array and element type.
    globals: HashMap<(usize, &'static str), Value<'c, 'a>>,
}

/// Emits a kernel at the end of a file; `objects` names the object of each argument for
/// ordering.
pub fn emit<'c, 'a>(
    profile: &'static Profile,
    at: &Emitter<'c, 'a>,
    function: OperationRef<'c, 'a>,
    signature: &Signature<'c, 'a>,
    objects: &[String],
) -> Result<(), Reported> {
    let specifiers: &[_] = match signature.workspace() {
        Some(_) => &["__aicore__", "inline"],
        None => &["extern \\\"C\\\"", "__global__", "__aicore__"],
    };
    let emitted = function::declare(at, signature, Side::Kernel, specifiers)?;
    let inner = emitted.body;
    let mut kernel = Kernel {
        profile,
        function,
        tiles: HashMap::new(),
        scratch: HashMap::new(),
        globals: HashMap::new(),
    };
    let mut scope = Scope::new(Side::Kernel);
    if signature.workspace().is_none() {
        kernel.task_type(&inner);
    }
    kernel.prologue(&inner)?;
    kernel.arguments(&mut scope, &inner, signature, &emitted.arguments, objects)?;
    kernel.globals(&scope, &inner)?;
    let body = function
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
        .ok_or(Reported)?;
    control::block(&mut kernel, &mut scope, &inner, body)?;
    if signature.workspace().is_some() {
        product::epilogue(&inner);
    }
    line(&inner, END);
    inner.op("emitc.return", &[], &[], &[]);
    match signature.workspace() {
        Some(_) => product::functions(&kernel, at, signature),
        None => Ok(()),
    }
}

impl<'c, 'a> Kernel<'c, 'a> {
    /// The tensor over the own slice or array that `access` reads or writes.
    pub fn own_global(
        &self,
        access: &Access<'c, 'a>,
        element: &'static str,
    ) -> Result<Value<'c, 'a>, Reported> {
        let key = (bridge::value_key(access.memory), element);
        self.globals.get(&key).copied().ok_or(Reported)
    }

    /// The tensor of a place that is no slot.
    pub fn tensor(
        &self,
        op: OperationRef<'c, 'a>,
        place: Place<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Reported> {
        let found = match place {
            Place::Tile(value) => self.tiles.get(&bridge::value_key(value)),
            Place::Scratch(index, _) => self.scratch.get(&(op_key(op), index)),
            Place::Slot(_) => None,
        };
        found.copied().ok_or(Reported)
    }

    /// The tensor of a tile as one of these elements, whatever it is kept as.
    pub fn tensor_of(
        &self,
        op: OperationRef<'c, 'a>,
        place: Place<'c, 'a>,
        element: Element,
    ) -> Result<Text<'c, 'a>, Reported> {
        let text = Text::default().value(self.tensor(op, place)?);
        let (kept, wanted) = (
            cpp::element(self.layout(place)?.element),
            cpp::element(element),
        );
        Ok(if kept == wanted {
            text
        } else {
            text.lit(format!(".ReinterpretCast<{wanted}>()"))
        })
    }

    /// The layout of a place that is no slot.
    pub fn layout(&self, place: Place<'c, 'a>) -> Result<Layout, Reported> {
        match place {
            Place::Tile(value) | Place::Scratch(_, value) => {
                Layout::of(self.profile, value).ok_or(Reported)
            }
            Place::Slot(_) => Err(Reported),
        }
    }

    fn range(
        &self,
        op: OperationRef<'c, 'a>,
        place: Place<'c, 'a>,
    ) -> Result<(i64, i64), Reported> {
        plan::range(self.profile, self.function, op, place)
            .ok_or_else(|| unsupported(op, "a tile without a place (run pl-plan-memory)"))
    }

    /// What a row touches, as planned.
    pub fn effects(
        &self,
        scope: &Scope<'c, 'a>,
        op: OperationRef<'c, 'a>,
        row: &Row<'c, 'a>,
    ) -> Result<Effects, Reported> {
        let ranges = |places: &[Place<'c, 'a>], part: Option<Vec<(i64, i64)>>| {
            let mut ranges = Vec::new();
            for &place in places {
                let (offset, bytes) = self.range(op, place)?;
                match &part {
                    Some(part) => ranges.extend(part.iter().map(|(a, b)| (offset + a, offset + b))),
                    None => ranges.push((offset, offset + bytes)),
                }
            }
            Ok(ranges)
        };
        let [read, written] = match row.form {
            Form::Blocks(operand) => rearrange::ranges_of_blocks(self.profile, op, operand),
            _ => [None, None],
        };
        let object = |memory: Option<Value<'c, 'a>>| {
            memory
                .map(|memory| Ok(scope.memory(op, memory)?.object))
                .transpose()
        };
        Ok(Effects {
            pipe: row.pipe,
            reads: ranges(&row.reads, read)?,
            scalars: ranges(&row.scalars, None)?,
            writes: ranges(&row.writes, written)?,
            gm_read: object(row.gm_read)?,
            gm_write: object(row.gm_write)?,
            gm_bytes: memory::bytes(scope, op, row.gm_read.or(row.gm_write)),
            gm_extent: memory::extent(scope, op),
            atomic: row.atomic,
            fence: row.fence,
        })
    }

    fn statement(
        &mut self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        row: &Row<'c, 'a>,
    ) -> Result<(), Reported> {
        let touched = self.effects(scope, op, row)?;
        let effects = touched.attribute(at.context);
        match row.form {
            Form::Load => memory::load(self, scope, at, op, row, &touched),
            Form::Store => memory::store(self, scope, at, op, row, &touched),
            Form::Refuse => memory::refuse(self, scope, at, op),
            Form::FetchElement => memory::fetch_element(self, scope, at, op, effects),
            Form::GetElement => memory::get_element(scope, at, op, effects),
            Form::SetElement => memory::set_element(scope, at, op, effects),
            Form::PutElement => memory::put_element(self, scope, at, op, effects),
            Form::Fill => vector::fill(self, scope, at, op, row, effects),
            Form::Vector => vector::vector(self, scope, at, op, row, effects),
            Form::Cast => vector::cast(self, at, op, row, effects),
            Form::Copy => vector::copy(self, at, op, row, effects),
            Form::ReduceRows => rows::reduce(self, at, op, row, effects),
            Form::FoldBlocks => rows::fold_blocks(self, at, op, effects),
            Form::FoldLanes => rows::fold_lanes(self, at, op, effects),
            Form::FoldRows => rows::fold_rows(self, at, op, effects),
            Form::ByColumn => rows::by_column(self, at, op, row, effects),
            Form::ByRow => rows::by_row(self, at, op, row, effects),
            Form::Count => rearrange::count(self, at, op, effects),
            Form::CopyDown => rearrange::copy_down(self, at, op, effects),
            Form::Blocks(part) => rearrange::blocks(self, scope, at, op, part, effects),
            Form::Transpose => rearrange::transpose(self, at, op, effects),
            Form::Gather => rearrange::gather(self, at, op, effects),
            Form::PutSide(index) => product::put_side(self, at, op, row, index, effects),
            Form::Multiply => product::multiply(self, at, op, effects),
            Form::GetProduct => product::get_product(self, at, op, row, effects),
            Form::Meet => {
                Text::new("pld::SyncBlocks();").emit(at, Some(effects));
                Ok(())
            }
            Form::Notify => signal::notify(scope, at, op, effects),
            Form::Wait => signal::wait(scope, at, op, effects),
        }
    }

    fn rows(
        &mut self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<bool, Reported> {
        let rows = statement::rows(self.profile, op);
        for row in &rows {
            self.statement(scope, at, op, row)?;
        }
        Ok(!rows.is_empty())
    }
}

impl<'c, 'a> Leaf<'c, 'a> for Kernel<'c, 'a> {
    fn operation(
        &mut self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        match view::name(&op) {
            "pld.get_comm_ctx" => Ok(()),
            "pld.rank" => context_field(scope, at, op, "rank", "rankId"),
            "pld.nranks" => context_field(scope, at, op, "ranks", "rankNum"),
            "pl.block_idx" => scope.bind_call(at, op, "block", "AscendC::GetBlockIdx", &[]),
            "pl.block_num" => scope.bind_call(at, op, "blocks", "AscendC::GetBlockNum", &[]),
            "pl.dim" | "memref.dim" => function::dim(scope, at, op),
            _ if statement::is_reinterpretation(&op) => Ok(()),
            _ if self.rows(scope, at, op)? || statement::is_refused(&op) => Ok(()),
            _ => Err(unsupported(op, "an operation of another level")),
        }
    }

    fn carry_tiles(
        &mut self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        self.rows(scope, at, op).map(|_| ())
    }
}

fn op_key(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

/// The name of a slot as a tensor of an element type.
pub fn slot_name(slot: Slot, element: &str) -> String {
    match slot {
        Slot::Signal => "signal_slot".into(),
        Slot::Poll => "poll_slot".into(),
        Slot::Read => format!("read_slot_{element}"),
        Slot::Write => format!("write_slot_{element}"),
    }
}

fn context_field<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    name: &str,
    field: &str,
) -> Result<(), Reported> {
    let window = function::window_of(op).ok_or(Reported)?;
    let group = scope.memory(op, window)?.context.ok_or(Reported)?;
    let field = format!("{}->{field}", group.name);
    scope.bind_call(at, op, name, "static_cast<int64_t>", &[field])
}

/// An index, entry by entry.
pub fn num_of_offsets<'c, 'a>(
    scope: &Scope<'c, 'a>,
    op: OperationRef<'c, 'a>,
    offsets: &[view::Mixed<'c, 'a>],
) -> Result<Vec<Num<'c, 'a>>, Reported> {
    offsets
        .iter()
        .map(|&entry| scope.mixed(op, entry))
        .collect()
}
