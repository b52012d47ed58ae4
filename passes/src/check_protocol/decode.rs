//! From the IR to [`Code`].

use super::{
    code::{
        Body, Code, Definition, Effects, Entry, Function, MemoryType, Operation, Parameter, Slot,
        What, integer_bits,
    },
    decode_memory,
    interval::{Binary, Predicate},
};
use melior::ir::{
    BlockLike, BlockRef, Location, RegionLike, RegionRef, Type, TypeLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use pld_dialects::{
    Direction, arg_direction, bridge, entry_arguments, flow, function_kind,
    types::{DYNAMIC, Element, Level, Shaped},
    view::{self, Mixed},
};
use pld_protocol::{Site, SiteId};
use std::collections::{HashMap, HashSet};

/// Regions deeper than this are not followed.
const MOST_DEPTH: usize = 200;

/// The code of the functions that stand directly in a module, and where its sites are.
pub(super) fn module<'c>(module: OperationRef<'c, '_>) -> (Code, Vec<Location<'c>>) {
    let mut functions = Vec::new();
    let mut next = view::region(&module, 0)
        .and_then(|region| region.first_block())
        .and_then(|block| block.first_operation());
    while let Some(op) = next {
        if view::is(&op, "func.func") {
            functions.push(op);
        }
        next = op.next_in_block();
    }
    let name = |op: &OperationRef| view::string(op, "sym_name").unwrap_or_default();
    let mut decoder = Decoder {
        names: functions.iter().map(name).zip(0..).collect(),
        code: Code::default(),
        locations: Vec::new(),
        slots: HashMap::new(),
        function: String::new(),
        depth: 0,
    };
    for &function in &functions {
        decoder.function(function);
    }
    decoder.code.settle();
    (decoder.code, decoder.locations)
}

/// What is known so far.
pub(super) struct Decoder<'c> {
    names: HashMap<String, usize>,
    pub code: Code,
    locations: Vec<Location<'c>>,
    /// Of the function at hand.
    slots: HashMap<usize, Slot>,
    function: String,
    depth: usize,
}

impl<'c> Decoder<'c> {
    fn function(&mut self, op: OperationRef<'c, '_>) {
        self.slots.clear();
        self.function = view::string(&op, "sym_name").unwrap_or_default();
        let kind = function_kind(&op);
        let site = self.site(op);
        let sharded = sharded(op);
        let parameters = entry_arguments(op)
            .into_iter()
            .enumerate()
            .map(|(index, value)| Parameter {
                slot: self.slot(value),
                bits: bits_of(value.r#type()),
                array: memory_type(value.r#type()),
                is_input: arg_direction(&op, index) == Direction::In,
                is_sharded: sharded.contains(&bridge::value_key(value)),
            })
            .collect();
        let windows = bridge::collect(op, |name| name == "pld.alloc_window_buffer");
        let members = windows
            .iter()
            .filter_map(|&op| view::AllocWindowBuffer::of(op)?.ranks)
            .flatten();
        let region = view::region(&op, 0);
        let is_defined = region.is_some_and(|region| region.first_block().is_some());
        let body = match kind {
            Some(_) => region.and_then(|region| self.body(region)),
            None => None,
        };
        self.code.functions.push(Function {
            name: self.function.clone(),
            kind,
            is_defined,
            site,
            parameters,
            slots: self.slots.len() as u32,
            body,
            world_sizes: view::integers(&op, "pld.world_sizes"),
            greatest_member: members.max(),
        });
    }

    /// The number of an operation that messages may name.
    pub(super) fn site(&mut self, op: OperationRef<'c, '_>) -> SiteId {
        let location = op.location();
        let place = match bridge::file_position(location) {
            Some((file, line, column)) => format!("{file}:{line}:{column}"),
            None => String::new(),
        };
        let site = SiteId(self.code.sites.len() as u32);
        self.code.sites.push(Site {
            op: view::name(&op).to_owned(),
            function: self.function.clone(),
            place,
        });
        self.locations.push(location);
        site
    }

    pub(super) fn slot(&mut self, value: Value) -> Slot {
        let next = Slot(self.slots.len() as u32);
        *self.slots.entry(bridge::value_key(value)).or_insert(next)
    }

    pub(super) fn operand(&mut self, op: OperationRef, index: usize) -> Option<Slot> {
        Some(self.slot(view::operand(&op, index)?))
    }

    fn operands(&mut self, op: OperationRef, from: usize) -> Option<Vec<Slot>> {
        (from..op.operand_count())
            .map(|index| self.operand(op, index))
            .collect()
    }

    pub(super) fn entry(&mut self, entry: Mixed) -> Entry {
        match entry.folded() {
            Mixed::Static(value) => Entry::Static(value),
            Mixed::Dynamic(value) => Entry::Dynamic(self.slot(value)),
        }
    }

    pub(super) fn entries(&mut self, list: &[Mixed]) -> Vec<Entry> {
        list.iter().map(|&entry| self.entry(entry)).collect()
    }

    /// A region of one block; `None` for any other.
    fn body(&mut self, region: RegionRef<'c, '_>) -> Option<Body> {
        let Some(block) = region.first_block() else {
            return Some(Body::default());
        };
        if block.next_in_region().is_some() || self.depth >= MOST_DEPTH {
            return None;
        }
        self.depth += 1;
        let body = self.block(block);
        self.depth -= 1;
        body
    }

    fn block(&mut self, block: BlockRef<'c, '_>) -> Option<Body> {
        let mut body = Body::default();
        for index in 0..block.argument_count() {
            body.arguments
                .push(self.slot(block.argument(index).ok()?.into()));
        }
        let mut next = block.first_operation();
        while let Some(op) = next {
            match view::name(&op) {
                "scf.yield" | "scf.condition" | "func.return" => {
                    body.yields = self.operands(op, 0)?;
                }
                _ => body.operations.push(self.operation(op)?),
            }
            next = op.next_in_block();
        }
        Some(body)
    }

    fn operation(&mut self, op: OperationRef<'c, '_>) -> Option<Operation> {
        let name = view::name(&op);
        // Messages name no arithmetic.
        let site = match name.starts_with("arith.") {
            true => SiteId(0),
            false => self.site(op),
        };
        let results = op
            .results()
            .map(|result| {
                let value: Value = result.into();
                let bits = bits_of(value.r#type());
                let is_reference = bits.is_none() && !is_plain_value(value.r#type());
                Definition {
                    slot: self.slot(value),
                    bits,
                    is_needed: is_reference || bits.is_some() && bridge::has_uses(value),
                }
            })
            .collect();
        let (what, effects) = self.what(op, name)?;
        Some(Operation {
            site,
            results,
            what,
            effects,
        })
    }

    fn what(&mut self, op: OperationRef<'c, '_>, name: &str) -> Option<(What, Effects)> {
        let silent = |what| Some((what, Effects::default()));
        let signals = |what| {
            let effects = Effects {
                signals: true,
                ..Effects::default()
            };
            Some((what, effects))
        };
        if let Some(what) = decode_memory::access(self, op) {
            return Some(what);
        }
        if let Some(what) = decode_memory::signal(self, op) {
            return signals(what);
        }
        if name.starts_with("arith.") {
            return silent(self.scalar(op, name).unwrap_or(What::Unknown));
        }
        match name {
            "pld.world_size" => silent(What::WorldSize),
            "pld.get_comm_ctx" => silent(What::Context(self.operand(op, 0)?)),
            "pld.rank" => silent(What::Rank(self.operand(op, 0)?)),
            "pld.nranks" => silent(What::Nranks(self.operand(op, 0)?)),
            "pl.block_idx" => silent(What::BlockIndex),
            "pl.block_num" => silent(What::BlockNumber),
            "pl.dim" => {
                let dim = Entry::Static(view::integer(&op, "dim")?);
                silent(What::Dim(self.operand(op, 0)?, dim))
            }
            "memref.dim" => {
                let dim = self.entry(view::operand(&op, 1)?.into());
                silent(What::Dim(self.operand(op, 0)?, dim))
            }
            "memref.cast" => {
                let shape = memory_type(op.result(0).ok()?.r#type())?;
                let from = self.operand(op, 0)?;
                silent(What::Cast { from, shape })
            }
            "memref.alloc" => {
                let shape = memory_type(op.result(0).ok()?.r#type())?;
                let sizes = self.operands(op, 0)?;
                silent(What::Alloc { sizes, shape })
            }
            "pld.alloc_window_buffer" => {
                let alloc = view::AllocWindowBuffer::of(op)?;
                signals(What::AllocWindow {
                    sizes: self.entries(&alloc.sizes),
                    element: Element::of(alloc.element_type)?,
                    ranks: alloc.ranks,
                })
            }
            "pl.shard" => silent(What::Shard(self.operand(op, 0)?, self.operand(op, 1)?)),
            // Signals of lowered collectives: no memory of the program.
            "pld.window" if view::is_tail(&op) => None,
            "pld.window" => {
                let shape = memory_type(op.result(0).ok()?.r#type())?;
                let (buffer, sizes) = (self.operand(op, 0)?, self.operands(op, 1)?);
                silent(What::View {
                    buffer,
                    sizes,
                    shape,
                })
            }
            "pld.dispatch" => {
                let dispatch = view::Dispatch::of(op)?;
                let arguments = dispatch.arguments.iter().map(|&v| self.slot(v)).collect();
                signals(What::Dispatch {
                    callee: *self.names.get(&dispatch.callee)?,
                    arguments,
                    rank: self.slot(dispatch.rank),
                })
            }
            "func.call" => silent(What::Call {
                callee: *self.names.get(&view::symbol(&op, "callee")?)?,
                arguments: self.operands(op, 0)?,
            }),
            "pl.spmd" => signals(What::Spmd {
                count: self.operand(op, 0)?,
                body: self.body(view::region(&op, 0)?)?,
            }),
            "pl.at" => silent(What::At(self.body(view::region(&op, 0)?)?)),
            _ => silent(self.control(op, name)?),
        }
    }

    fn control(&mut self, op: OperationRef<'c, '_>, name: &str) -> Option<What> {
        Some(match name {
            "scf.for" => What::For {
                lower: self.operand(op, 0)?,
                upper: self.operand(op, 1)?,
                step: self.operand(op, 2)?,
                initial: self.operands(op, 3)?,
                body: self.body(view::region(&op, 0)?)?,
            },
            "scf.while" => What::While {
                initial: self.operands(op, 0)?,
                before: self.body(view::region(&op, 0)?)?,
                after: self.body(view::region(&op, 1)?)?,
            },
            "scf.if" => What::Branch {
                on: self.operand(op, 0)?,
                cases: vec![1],
                bodies: self.bodies(op)?,
                is_if: true,
            },
            "scf.index_switch" => {
                // The default comes first.
                let mut bodies = self.bodies(op)?;
                bodies.rotate_left(1);
                What::Branch {
                    on: self.operand(op, 0)?,
                    cases: view::integers(&op, "cases")?,
                    bodies,
                    is_if: false,
                }
            }
            _ => What::Unknown,
        })
    }

    fn bodies(&mut self, op: OperationRef<'c, '_>) -> Option<Vec<Body>> {
        (0..op.region_count())
            .map(|index| self.body(view::region(&op, index)?))
            .collect()
    }

    /// Arithmetic on integers; `None` for what is not followed.
    fn scalar(&mut self, op: OperationRef, name: &str) -> Option<What> {
        let bits = bits_of(op.result(0).ok()?.r#type());
        if name == "arith.select" {
            let slots = self.operands(op, 0)?;
            return Some(What::Select(slots[0], *slots.get(1)?, *slots.get(2)?));
        }
        let bits = bits?;
        if name == "arith.constant" {
            return Some(What::Constant(view::integer(&op, "value")?));
        }
        let first = view::operand(&op, 0)?;
        let from_bits = bits_of(first.r#type())?;
        let from = self.slot(first);
        let resize = |signed| {
            Some(What::Resize {
                from,
                bits: from_bits,
                signed,
            })
        };
        match name {
            "arith.index_cast" | "arith.extsi" | "arith.trunci" => return resize(true),
            "arith.index_castui" | "arith.extui" => return resize(false),
            _ => {}
        }
        let second = self.operand(op, 1)?;
        if name == "arith.cmpi" {
            return Some(What::Compare(predicate(&op)?, from, second));
        }
        if from_bits != bits || op.results().count() != 1 {
            return None;
        }
        Some(What::Binary(binary(name)?, from, second))
    }
}

/// The arguments that `pl.shard` takes slices of.
fn sharded(function: OperationRef) -> HashSet<usize> {
    bridge::collect(function, |name| name == "pl.shard")
        .iter()
        .filter_map(|shard| view::operand(shard, 0))
        .flat_map(flow::roots)
        .map(bridge::value_key)
        .collect()
}

/// The bits of an integer that fits 64.
fn bits_of(r#type: Type) -> Option<u32> {
    if r#type.is_index() {
        return Some(64);
    }
    let integer = IntegerType::try_from(r#type).ok()?;
    Some(integer.width()).filter(|bits| (1..=64).contains(bits))
}

/// Whether values of a type refer to nothing: floats, tiles, tensors, wide integers.
fn is_plain_value(r#type: Type) -> bool {
    match Level::of(r#type) {
        Some(level) => matches!(level, Level::Tile | Level::Tensor),
        None => !bridge::is_window_buffer(r#type) && !bridge::is_comm_ctx(r#type),
    }
}

/// The type of an array or window.
pub(super) fn memory_type(r#type: Type) -> Option<MemoryType> {
    let shaped = Shaped::of(r#type).filter(Shaped::is_memory)?;
    let extent = |&extent: &i64| (extent != DYNAMIC).then_some(extent);
    Some(MemoryType {
        shape: shaped.shape.iter().map(extent).collect(),
        element: shaped.element()?,
    })
}

/// The bits of the elements of an array or window.
pub(super) fn element_bits(memory: Value) -> Option<u32> {
    integer_bits(Shaped::of(memory.r#type())?.element()?)
}

fn predicate(op: &OperationRef) -> Option<Predicate> {
    use Predicate::*;
    const ALL: [Predicate; 10] = [Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge];
    let number = usize::try_from(view::integer(op, "predicate")?).ok()?;
    ALL.get(number).copied()
}

fn binary(name: &str) -> Option<Binary> {
    use Binary::*;
    Some(match name {
        "arith.addi" => Add,
        "arith.subi" => Sub,
        "arith.muli" => Mul,
        "arith.divsi" => DivS,
        "arith.ceildivsi" => CeilDivS,
        "arith.floordivsi" => FloorDivS,
        "arith.remsi" => RemS,
        "arith.divui" => DivU,
        "arith.ceildivui" => CeilDivU,
        "arith.remui" => RemU,
        "arith.minsi" => MinS,
        "arith.maxsi" => MaxS,
        "arith.minui" => MinU,
        "arith.maxui" => MaxU,
        "arith.andi" => And,
        "arith.ori" => Or,
        "arith.xori" => Xor,
        "arith.shli" => Shl,
        "arith.shrsi" => ShrS,
        "arith.shrui" => ShrU,
        _ => return None,
    })
}
