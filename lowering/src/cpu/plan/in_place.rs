//! Which results take the place of an operand that nothing uses afterwards: the sums of matrix
//! products, and what a loop carries from round to round, which is then not copied.

use super::{
    body::Body,
    groups::{Groups, row_wise},
    products::sides,
    slots::{Holds, Slot},
};
use melior::ir::{Value, ValueLike, operation::OperationLike};
use pld_dialects::{bridge, view};

/// Merges the slot of each such result with that of the operand.
pub(super) fn merge(body: &Body, groups: &Groups, slots: &mut Vec<Slot>) {
    for number in 0..body.ops.len() {
        let Some(result) = view::result(&body.ops[number]) else {
            continue;
        };
        let (Some(operand), Some(next)) =
            (replaced(body, groups, slots, number), of(result, slots))
        else {
            continue;
        };
        let Some(own) = of(operand, slots).filter(|&own| own != next) else {
            continue;
        };
        let merged = slots.swap_remove(next);
        // The last slot has taken the place of the one that is gone.
        let own = if own == slots.len() { next } else { own };
        if let (Holds::Tiles(keys), Holds::Tiles(more)) = (&mut slots[own].holds, merged.holds) {
            keys.extend(more);
        }
        slots[own].last = slots[own].last.max(merged.last);
    }
}

/// The slot of a tile.
fn of(tile: Value, slots: &[Slot]) -> Option<usize> {
    let key = bridge::value_key(tile);
    let holds = |slot: &Slot| matches!(&slot.holds, Holds::Tiles(keys) if keys.contains(&key));
    slots.iter().position(holds)
}

/// The operand whose place the result of operation `number` can take.
fn replaced<'c, 'a>(
    body: &Body<'c, 'a>,
    groups: &Groups,
    slots: &[Slot],
    number: usize,
) -> Option<Value<'c, 'a>> {
    let op = body.ops[number];
    if view::is(&op, "pl.matmul_acc") {
        let sum = op.operand(0).ok()?;
        let own = of(sum, slots)?;
        let is_read = sides(op)?.iter().any(|&side| of(side, slots) == Some(own));
        return (!is_read && ends_at(body, sum, &slots[own], number)).then_some(sum);
    }
    // A strip is read right before the one in its place is written, and by nothing else.
    let result = view::result(&op)?;
    let is_wide = groups.of.contains_key(&number) && row_wise(op).is_some();
    let mut operands = op.operands().filter(|operand| {
        operand.r#type() == result.r#type()
            && is_carried(body, *operand, number)
            && body.uses(*operand).iter().all(|&user| user == number)
    });
    operands.next().filter(|_| is_wide)
}

/// Whether operation `number` is the last to use a tile, and its slot is not needed for what
/// it held. The slot of a tile that a loop carries is free from then on to the end of the round.
fn ends_at(body: &Body, tile: Value, slot: &Slot, number: usize) -> bool {
    let is_last = body.uses(tile).iter().all(|&user| user <= number);
    let Some(maker) = view::defining_op(tile) else {
        return is_last && is_carried(body, tile, number);
    };
    // Kept beyond its last use if a loop repeats that.
    let same_block = maker.block() == body.ops[number].block();
    is_last && same_block && slot.last == number
}

/// Whether a tile is carried by the loop in whose body operation `number` stands.
fn is_carried(body: &Body, tile: Value, number: usize) -> bool {
    let around = body.ops[body.parents[number]];
    view::is(&around, "scf.for")
        && super::tile_values(around).contains(&tile)
        && view::defining_op(tile).is_none()
}
