//! `pl-cpu-plan`: which tile operations become one loop nest, and where tiles are kept.
//!
//! The plan is written as attributes and changes nothing else:
//!
//! | attribute | on | meaning |
//! | --- | --- | --- |
//! | `cpu.group` | row-wise operation | number of its group, within the function |
//! | `cpu.slots` | operation with tiles | byte offset of each tile's slot, -1 for none: tile results, then tile arguments of its regions |
//! | `cpu.temps` | `scf` operation | slots through which its carried tiles are swapped |
//! | `cpu.row` | operation of a group | slot of one row, in which later strip loops find its result |
//! | `cpu.direct` | `pl.load` | a matrix product reads its memory in place |
//! | `cpu.packed` | matrix product | slots of its operands' f32 or i32 form, -1 for none |
//! | `cpu.fallback` | `pl.store` | slot to store to where memory overlaps a load of the group |
//! | `cpu.arena` | function | bytes of all slots |

mod body;
pub(super) mod groups;
mod in_place;
mod lifetimes;
pub(super) mod products;
mod slots;
pub(super) mod stages;

pub(super) use body::{Edge, edges, tile_values};

use body::Body;
use melior::ir::{
    Attribute, Value,
    attribute::DenseI64ArrayAttribute,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    function_kind,
    pass::{Options, Pass, Reported},
    view,
};
use std::collections::HashMap;

pub(super) const GROUP: &str = "cpu.group";
pub(super) const SLOTS: &str = "cpu.slots";
pub(super) const TEMPS: &str = "cpu.temps";
pub(super) const FALLBACK: &str = "cpu.fallback";
pub(super) const DIRECT: &str = "cpu.direct";
pub(super) const PACKED: &str = "cpu.packed";
pub(super) const ROW: &str = "cpu.row";
pub(super) const ARENA: &str = "cpu.arena";

/// The entry of `cpu.slots` of a tile that is never in memory.
pub(super) const NO_SLOT: i64 = -1;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-cpu-plan",
    description: "Plan the lowering of pl.incore functions at tile level to the CPU: \
                  cpu.group numbers the row-wise operations that become one loop nest, \
                  cpu.slots, cpu.temps, cpu.row, cpu.packed and cpu.fallback give tiles their places in the \
                  cpu.arena bytes of the function. Nothing else changes.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    for function in bridge::collect(module, |name| name == "func.func") {
        if function_kind(&function) == Some(Kind::InCore) {
            plan(function)?;
        }
    }
    Ok(())
}

fn plan(function: OperationRef) -> Result<(), Reported> {
    let body = Body::of(function);
    let direct = products::direct(&body);
    for &load in &direct {
        let op = body.ops[load];
        bridge::set_attribute(op, DIRECT, Attribute::unit(bridge::context_of(&op)));
    }
    let groups = groups::form(&body, &direct);
    let mut wanted = lifetimes::tiles(&body, &groups, &direct);
    in_place::merge(&body, &groups, &mut wanted);
    let Some(arena) = slots::place(&mut wanted) else {
        diag::failure(
            function.location(),
            "tiles of this function have more bytes than 64 bits can count",
        )
        .note("use smaller tiles")
        .emit();
        return Err(Reported);
    };
    write(&body, &groups, &wanted);
    if arena > 0 {
        set_integer(function, ARENA, arena);
    }
    Ok(())
}

fn set_integer(op: OperationRef, name: &str, value: i64) {
    let Some(at) = Emitter::before(op) else {
        return;
    };
    bridge::set_attribute(op, name, at.int_attr(at.int_type(64), value));
}

fn write(body: &Body, groups: &groups::Groups, placed: &[slots::Slot]) {
    for (group, members) in groups.members.iter().enumerate() {
        for &member in members {
            set_integer(body.ops[member], GROUP, group as i64);
        }
    }
    let mut of_value = HashMap::new();
    let mut packed: HashMap<usize, [i64; 2]> = HashMap::new();
    let mut temps: HashMap<usize, Vec<i64>> = HashMap::new();
    for slot in placed {
        match &slot.holds {
            slots::Holds::Tiles(keys) => {
                of_value.extend(keys.iter().map(|&key| (key, slot.offset)));
            }
            slots::Holds::Packed(op, operand) => {
                packed.entry(*op).or_insert([NO_SLOT; 2])[*operand] = slot.offset;
            }
            slots::Holds::Row(op) => set_integer(body.ops[*op], ROW, slot.offset),
            slots::Holds::Fallback(op) => set_integer(body.ops[*op], FALLBACK, slot.offset),
            slots::Holds::Temp(op) => temps.entry(*op).or_default().push(slot.offset),
        }
    }
    for (op, packed) in packed {
        set_array(body.ops[op], PACKED, &packed);
    }
    for &op in &body.ops {
        let offsets: Vec<_> = tile_values(op)
            .into_iter()
            .map(|tile| {
                let key = bridge::value_key(tile);
                of_value.get(&key).copied().unwrap_or(NO_SLOT)
            })
            .collect();
        if offsets.iter().any(|&offset| offset != NO_SLOT) {
            set_array(op, SLOTS, &offsets);
        }
    }
    for (op, offsets) in temps {
        set_array(body.ops[op], TEMPS, &offsets);
    }
}

fn set_array(op: OperationRef, name: &str, values: &[i64]) {
    let context = bridge::context_of(&op);
    let attribute = DenseI64ArrayAttribute::new(context, values).into();
    bridge::set_attribute(op, name, attribute);
}

/// Where the tiles of a planned function are.
#[derive(Debug, Default)]
pub(super) struct Slots(HashMap<usize, i64>);

impl Slots {
    /// Reads the plan of a function.
    pub(super) fn read(function: OperationRef) -> Self {
        let mut slots = HashMap::new();
        for op in bridge::collect(function, |_| true) {
            let offsets = view::integers(&op, SLOTS).unwrap_or_default();
            for (tile, offset) in tile_values(op).into_iter().zip(offsets) {
                if offset != NO_SLOT {
                    slots.insert(bridge::value_key(tile), offset);
                }
            }
        }
        Self(slots)
    }

    /// The slot of a tile, as a byte offset.
    pub(super) fn of(&self, tile: Value) -> Option<i64> {
        self.0.get(&bridge::value_key(tile)).copied()
    }
}
