//! `pld-layout-windows`: what each window buffer takes of a rank's window memory, and where.
//!
//! A buffer's data is padded to whole lines, and has a tail of one line for each rank of its
//! group, which is the compiler's; both together take at least 4 KiB, and whole grains.

use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    function_kind,
    pass::{OptionSpec, Options, Pass, Reported},
    pld::{BYTES, OFFSET, TAIL_LINE},
    view::{self, AllocWindowBuffer},
};

/// The least bytes that a buffer takes.
const FLOOR: i64 = 4096;
/// Bytes of a line.
const LINE: i64 = TAIL_LINE;
/// What a buffer takes is a multiple of these bytes.
const GRAIN: i64 = 512;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-layout-windows",
    description: "State what each window buffer takes of a rank's window memory, in bytes, as \
                  the attribute pld.bytes, and where it starts, as pld.offset; in order of \
                  allocation, by the rule that a buffer takes at least 4 KiB. Buffers whose size \
                  or number of ranks is not known get none, nor do offsets behind them.",
    options: &[RANKS],
    run,
};

/// Option: the world size.
const RANKS: OptionSpec = OptionSpec {
    name: "ranks",
    description: "the world size; 0: the one that pld.world_sizes states, if it is one",
    default: "0",
};

/// Bytes per rank that a buffer of `data` bytes takes, shared by `ranks` ranks; `None` if they
/// cannot be counted.
pub fn cost(data: i64, ranks: i64) -> Option<i64> {
    let tail = LINE.checked_mul(ranks)?;
    let used = round_up(data, LINE)?.checked_add(tail)?;
    round_up(used.max(FLOOR), GRAIN)
}

fn round_up(bytes: i64, unit: i64) -> Option<i64> {
    Some(bytes.checked_add(unit - 1)? / unit * unit)
}

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let world = options.get(RANKS.name);
    let world = world.parse::<i64>().ok().filter(|&world| world >= 0);
    let world = world.ok_or_else(|| {
        let value = options.get(RANKS.name);
        let message = format!("option ranks is '{value}', expected a number of ranks");
        diag::failure(module.location(), message).emit();
        Reported
    })?;
    for function in bridge::collect(module, |name| name == "func.func") {
        if function_kind(&function) == Some(Kind::Host) {
            lay_out(function, world)?;
        }
    }
    Ok(())
}

/// The buffers of one host function.
fn lay_out(function: OperationRef, world: i64) -> Result<(), Reported> {
    let stated = view::integers(&function, "pld.world_sizes").unwrap_or_default();
    let world = match (world, &stated[..]) {
        (0, &[only]) => Some(only),
        (0, _) => None,
        (world, _) => Some(world),
    };
    let mut offset = Some(0i64);
    for op in bridge::collect(function, |name| name == "pld.alloc_window_buffer") {
        let alloc = AllocWindowBuffer::of(op).ok_or(Reported)?;
        let ranks = match &alloc.ranks {
            Some(ranks) => Some(ranks.len() as i64),
            None => world,
        };
        let taken = alloc.static_bytes().zip(ranks);
        let taken = taken.and_then(|(data, ranks)| cost(data, ranks));
        let at = Emitter::before(op).ok_or(Reported)?;
        for (name, value) in [(BYTES, taken), (OFFSET, offset)] {
            if let Some(value) = value {
                bridge::set_attribute(op, name, at.int_attr(at.int_type(64), value));
            }
        }
        offset = offset
            .zip(taken)
            .and_then(|(offset, taken)| offset.checked_add(taken));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::cost;

    /// The rule, on both sides of each of its bounds.
    #[test]
    fn costs() {
        // A window of 1 KiB costs 4 KiB up to 48 ranks.
        assert_eq!(cost(1024, 1), Some(4096));
        assert_eq!(cost(1024, 48), Some(4096));
        assert_eq!(cost(1024, 49), Some(4608));
        // Data is padded to lines, the whole to grains.
        assert_eq!(cost(4096, 2), Some(4608));
        assert_eq!(cost(8191, 1), Some(8704));
        assert_eq!(cost(i64::MAX, 1), None);
        assert_eq!(cost(1, i64::MAX), None);
    }
}
