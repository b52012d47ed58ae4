//! The statement table: what each tile operation is on the target, row by row.
//!
//! The planner reads which tiles a row touches, the emitter prints one statement per row,
//! and the synchroniser orders statements by pipe and by what they touch.
//!
//! | operation | rows (pipe) |
//! | --- | --- |
//! | `pl.load`, `pld.remote_load` | fill with the pad value where whole blocks are missing (V), DMA in (MTE2) |
//! | `pl.store`, `pld.remote_store` | DMA out (MTE3) |
//! | those of a transfer that is refused | a check of the load's bounds (S) |
//! | `pl.read` | DMA into a slot (MTE2), read the slot (S) |
//! | `pl.write` | write a slot (S), DMA out (MTE3) |
//! | `pl.full`, elementwise, `pl.cast` | one vector operation (V) |
//! | reductions, broadcasts | see `rows.rs` |
//! | parts and arrangements | see `rearrange.rs` |
//! | `pl.matmul` | see `product.rs` |
//! | a tile carried by `scf` | copies to where it is kept (V) |
//! | `pld.notify` | a fence, the signal, a fence |
//! | `pl.sync_blocks` | a fence, then all blocks meet |
//! | `pld.wait` | polls (MTE2), then a fence |

use super::{layout::Layout, product, profile::Profile, rearrange, rows};
use melior::ir::{
    BlockLike, RegionLike, Value, ValueLike,
    block::BlockArgument,
    operation::{OperationLike, OperationRef, OperationResult},
};
use pld_dialects::{
    bridge,
    pld::REFUSED,
    view::{self, Access, Mixed},
};

/// What executes a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipe {
    /// Scalar unit.
    S,
    /// Vector unit.
    V,
    /// DMA from global memory.
    Mte2,
    /// DMA to global memory.
    Mte3,
    /// All of them: the statement is a fence by itself.
    All,
}

/// 32 bytes on-core that no tile shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The value that a notify, or a request for a product, sends.
    Signal = 0,
    /// What a wait polls.
    Poll = 1,
    /// What `pl.read` reads.
    Read = 2,
    /// What `pl.write` writes.
    Write = 3,
}

impl Slot {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Signal, Self::Poll, Self::Read, Self::Write];
    /// Bytes of each.
    pub const BYTES: i64 = 32;
}

/// Something on-core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place<'c, 'a> {
    /// Where a tile value is kept (its home).
    Tile(Value<'c, 'a>),
    /// The operation's own scratch tile of this number; it looks like the value.
    Scratch(usize, Value<'c, 'a>),
    /// A slot.
    Slot(Slot),
}

/// What a row prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Fill a whole tile with a scalar.
    Fill,
    /// DMA from memory to a tile.
    Load,
    /// DMA from a tile to memory.
    Store,
    /// Check of the bounds of a load that does not hold.
    Refuse,
    /// DMA of one element to the read slot.
    FetchElement,
    /// The read slot's element.
    GetElement,
    /// Puts a scalar into the write slot.
    SetElement,
    /// DMA of one element from the write slot.
    PutElement,
    /// Vector operation on one tile and another, or a scalar.
    Vector,
    /// Conversion.
    Cast,
    /// Copy from tile to tile.
    Copy,
    /// One reduction of each row by an instruction.
    ReduceRows,
    /// The first block of each row, combined with the row's other blocks.
    FoldBlocks,
    /// The first element of each row's block, combined with the other ones.
    FoldLanes,
    /// The first row, combined with the other ones.
    FoldRows,
    /// An operation of each row and the row's element of a column; or that element alone.
    ByColumn,
    /// An operation of each row and one row for all; or that row alone.
    ByRow,
    /// 0, 1, 2, ... in the first row.
    Count,
    /// Copies of the first row in the other ones.
    CopyDown,
    /// Copy of whole blocks between the operand of this number and the result.
    Blocks(usize),
    /// Copy of each element to the other side of the diagonal.
    Transpose,
    /// Copy of the rows that an index names.
    Gather,
    /// DMA of the operand of this number to the cube core's workspace.
    PutSide(usize),
    /// Request for a product, and its end.
    Multiply,
    /// DMA of a product from the cube core's workspace.
    GetProduct,
    /// Meeting of the blocks.
    Meet,
    /// Signal.
    Notify,
    /// Poll.
    Wait,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'c, 'a> {
    /// What it prints.
    pub form: Form,
    /// What executes it.
    pub pipe: Pipe,
    /// What it reads on-core.
    pub reads: Vec<Place<'c, 'a>>,
    /// What the scalar unit reads on-core in order to issue it.
    pub scalars: Vec<Place<'c, 'a>>,
    /// What it writes on-core.
    pub writes: Vec<Place<'c, 'a>>,
    /// The array or window it reads.
    pub gm_read: Option<Value<'c, 'a>>,
    /// The array or window it writes.
    pub gm_write: Option<Value<'c, 'a>>,
    /// Whether the write adds atomically.
    pub atomic: bool,
    /// Whether everything before it is complete when it is.
    pub fence: bool,
}

impl<'c, 'a> Row<'c, 'a> {
    /// A row that touches nothing else.
    pub fn new(form: Form, pipe: Pipe, reads: &[Place<'c, 'a>], writes: &[Place<'c, 'a>]) -> Self {
        Self {
            form,
            pipe,
            reads: reads.to_vec(),
            scalars: Vec::new(),
            writes: writes.to_vec(),
            gm_read: None,
            gm_write: None,
            atomic: false,
            fence: false,
        }
    }

    /// All places that it touches.
    pub fn places(&self) -> impl Iterator<Item = Place<'c, 'a>> + '_ {
        let places = self.reads.iter().chain(&self.scalars).chain(&self.writes);
        places.copied()
    }
}

/// The rows of an operation, in order; none for one that is no statement.
///
/// Those of a loop stand before it: the copies of what it carries.
pub fn rows<'c, 'a>(profile: &Profile, op: OperationRef<'c, 'a>) -> Vec<Row<'c, 'a>> {
    let tile = |value: Value<'c, 'a>| Place::Tile(home(value));
    let result = || view::result(&op).map(tile);
    let sources = || -> Vec<_> {
        let tiles = op
            .operands()
            .filter(|&value| bridge::is_tile(value.r#type()));
        tiles.map(tile).collect()
    };
    let name = view::name(&op);
    let vector = |form| {
        let destination: Vec<_> = result().into_iter().collect();
        vec![Row::new(form, Pipe::V, &sources(), &destination)]
    };
    match name {
        "pl.full" => vector(Form::Fill),
        "pl.cast" if op.has_attribute(BITS) => Vec::new(),
        "pl.cast" => vector(Form::Cast),
        "pl.matmul" => product::rows(op).unwrap_or_default(),
        _ if profile.vector_op(name).is_some() => vector(Form::Vector),
        "pld.notify" => vec![Row {
            fence: true,
            gm_write: op.operand(1).ok(),
            ..Row::new(Form::Notify, Pipe::All, &[], &[Place::Slot(Slot::Signal)])
        }],
        "pl.sync_blocks" => vec![Row {
            fence: true,
            ..Row::new(Form::Meet, Pipe::All, &[], &[])
        }],
        "pld.wait" => vec![Row {
            fence: true,
            gm_read: op.operand(1).ok(),
            ..Row::new(Form::Wait, Pipe::Mte2, &[], &[Place::Slot(Slot::Poll)])
        }],
        "scf.for" | "scf.while" | "scf.yield" | "scf.condition" => carried_rows(op),
        _ if rows::knows(name) => rows::rows(profile, op).unwrap_or_default(),
        _ if rearrange::knows(name) => rearrange::rows(profile, op).unwrap_or_default(),
        _ => Access::of(op).map_or_else(Vec::new, |access| access_rows(profile, &access)),
    }
}

fn access_rows<'c, 'a>(profile: &Profile, access: &Access<'c, 'a>) -> Vec<Row<'c, 'a>> {
    if is_refused(&access.op) {
        let load = (!access.writes).then(|| Row::new(Form::Refuse, Pipe::S, &[], &[]));
        return load.into_iter().collect();
    }
    let memory = Some(access.memory);
    match (access.is_scalar(), access.writes) {
        (false, true) => vec![Row {
            gm_write: memory,
            atomic: access.atomic,
            ..Row::new(
                Form::Store,
                Pipe::Mte3,
                &[Place::Tile(home(access.value))],
                &[],
            )
        }],
        (false, false) => {
            let tile = Place::Tile(access.value);
            let mut rows = Vec::new();
            if needs_fill(profile, access) {
                rows.push(Row::new(Form::Fill, Pipe::V, &[], &[tile]));
            }
            rows.push(Row {
                gm_read: memory,
                ..Row::new(Form::Load, Pipe::Mte2, &[], &[tile])
            });
            rows
        }
        (true, false) => {
            let slot = Place::Slot(Slot::Read);
            vec![
                Row {
                    gm_read: memory,
                    ..Row::new(Form::FetchElement, Pipe::Mte2, &[], &[slot])
                },
                Row::new(Form::GetElement, Pipe::S, &[slot], &[]),
            ]
        }
        (true, true) => {
            let slot = Place::Slot(Slot::Write);
            vec![
                Row::new(Form::SetElement, Pipe::S, &[], &[slot]),
                Row {
                    gm_write: memory,
                    ..Row::new(Form::PutElement, Pipe::Mte3, &[slot], &[])
                },
            ]
        }
    }
}

/// Whether an operation is part of a transfer that moves nothing, since it is out of bounds.
pub fn is_refused<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>) -> bool {
    op.has_attribute(REFUSED)
}

/// Whether a load leaves whole blocks of its tile unwritten: then the tile is filled
/// first. The last block of a row is padded by the DMA itself.
fn needs_fill(profile: &Profile, access: &Access) -> bool {
    let (Some(valid), Some(layout)) = (&access.valid, Layout::of(profile, access.value)) else {
        return false;
    };
    match &valid[..] {
        [Mixed::Static(rows), Mixed::Static(cols)] => {
            *rows < layout.rows || profile.round_up(cols * layout.element.bytes()) < layout.pitch
        }
        _ => true,
    }
}

/// Attribute of a shift that legalisation wrote, whose second operand is the first again: the
/// amount, at least 0 and less than the width.
pub const AMOUNT: &str = "amount";

/// Attribute of a `pl.cast` that legalisation wrote to take a tile's bits as elements of
/// another type of the same size.
pub const BITS: &str = "bits";

/// Whether an operation is such a cast.
pub fn is_reinterpretation<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>) -> bool {
    view::is(op, "pl.cast") && op.has_attribute(BITS)
}

/// Where a tile is kept. The results of a loop are kept with its arguments, and bits taken
/// as another type stay where they are.
pub fn home<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    carrier(value).unwrap_or(value)
}

fn carrier<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    if let Some(owner) = view::defining_op(value) {
        let result = OperationResult::try_from(value).ok()?;
        if is_reinterpretation(&owner) {
            return Some(home(owner.operand(0).ok()?));
        }
        if !view::is(&owner, "scf.for") {
            return None;
        }
        return block_argument(owner, 0, result.result_number() + 1);
    }
    let argument = BlockArgument::try_from(value).ok()?;
    let block = bridge::owner_block(argument);
    let owner = block.parent_operation()?;
    if !view::is(&owner, "scf.while") || owner.region(1).ok()?.first_block()? != block {
        return None;
    }
    Some(owner.result(argument.argument_number()).ok()?.into())
}

fn block_argument<'c, 'a>(
    op: OperationRef<'c, 'a>,
    region: usize,
    index: usize,
) -> Option<Value<'c, 'a>> {
    let block = op.region(region).ok()?.first_block()?;
    Some(block.argument(index).ok()?.into())
}

/// Pairs of a value and the home that it goes to when control passes `op`, tiles or not.
pub fn carried<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, Value<'c, 'a>)> {
    let Some((first, target)) = carried_target(op) else {
        return Vec::new();
    };
    let count = op.operand_count().saturating_sub(first);
    (0..count)
        .filter_map(|index| Some((op.operand(first + index).ok()?, target(index)?)))
        .collect()
}

type Target<'c, 'a> = Box<dyn Fn(usize) -> Option<Value<'c, 'a>> + 'a>;

/// The first carried operand, and where each goes.
fn carried_target<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<(usize, Target<'c, 'a>)>
where
    'c: 'a,
{
    let result = |op: OperationRef<'c, 'a>| -> Target<'c, 'a> {
        Box::new(move |index| Some(op.result(index).ok()?.into()))
    };
    let argument = |op: OperationRef<'c, 'a>, shift: usize| -> Target<'c, 'a> {
        Box::new(move |index| block_argument(op, 0, index + shift))
    };
    let parent = op.parent_operation()?;
    match (view::name(&op), view::name(&parent)) {
        ("scf.for", _) => Some((3, argument(op, 1))),
        ("scf.while", _) => Some((0, argument(op, 0))),
        ("scf.condition", _) => Some((1, result(parent))),
        ("scf.yield", "scf.for") => Some((0, argument(parent, 1))),
        ("scf.yield", "scf.while") => Some((0, argument(parent, 0))),
        ("scf.yield", _) => Some((0, result(parent))),
        _ => None,
    }
}

/// Copies of carried tiles. A source that another copy overwrites goes through scratch.
fn carried_rows<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Row<'c, 'a>> {
    let copies: Vec<_> = carried(op)
        .into_iter()
        .filter(|(source, _)| bridge::is_tile(source.r#type()))
        .map(|(source, target)| (home(source), home(target)))
        .filter(|(source, target)| source != target)
        .collect();
    let overwritten = |source| copies.iter().any(|&(_, target)| target == source);
    let copy = |from, to| Row::new(Form::Copy, Pipe::V, &[from], &[to]);
    let mut first = Vec::new();
    let mut second = Vec::new();
    for (index, &(source, target)) in copies.iter().enumerate() {
        if overwritten(source) {
            let scratch = Place::Scratch(index, source);
            first.push(copy(Place::Tile(source), scratch));
            second.push(copy(scratch, Place::Tile(target)));
        } else {
            second.push(copy(Place::Tile(source), Place::Tile(target)));
        }
    }
    // Copies to homes that scratch was saved from come last.
    first.extend(second);
    first
}
