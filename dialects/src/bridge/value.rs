//! Values: their uses, and arguments of blocks.

use melior::ir::{BlockLike, BlockRef, Value, ValueLike, block::BlockArgument};

/// Replaces all uses of a value by another.
pub fn replace_all_uses(of: Value, with: Value) {
    // SAFETY: both values are alive.
    unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(of.to_raw(), with.to_raw()) }
}

/// Whether a value has any use.
pub fn has_uses(value: Value) -> bool {
    // SAFETY: the value is alive.
    unsafe { !mlir_sys::mlirOpOperandIsNull(mlir_sys::mlirValueGetFirstUse(value.to_raw())) }
}

/// The block of an argument, with the lifetime of the IR rather than of the handle.
pub fn owner_block<'c, 'a>(argument: BlockArgument<'c, 'a>) -> BlockRef<'c, 'a> {
    // SAFETY: the block owns the argument, so it lives as long.
    unsafe { BlockRef::from_raw(mlir_sys::mlirBlockArgumentGetOwner(argument.to_raw())) }
}

/// Erases an argument of a block; it must have no uses, and no handle of it may be used
/// afterwards.
///
/// # Panics
///
/// If the block has no such argument, or it has uses: an error of the caller.
pub fn erase_argument(block: BlockRef, index: usize) {
    let argument: Value = block.argument(index).expect("the argument exists").into();
    assert!(!has_uses(argument), "argument {index} is unused");
    // SAFETY: the argument exists and nothing refers to it.
    unsafe { mlir_sys::mlirBlockEraseArgument(block.to_raw(), index as u32) };
}

/// What tells a value from every other one, for use as a key.
pub fn value_key(value: Value) -> usize {
    value.to_raw().ptr as usize
}
