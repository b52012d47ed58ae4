//! The distributed dialect, one file per family of operations.

pub mod collective;
pub mod dispatch;
pub mod remote;
pub mod signal;
pub mod transfer;
pub mod window;

/// Bytes of a window buffer's tail for each rank of its group.
pub const TAIL_LINE: i64 = 64;

/// Attribute that a lowering leaves on what it makes: the name of the operation it stood
/// for, so that reports speak of that one. A function that has it stands for that operation
/// wherever it is dispatched, so its operations are at the dispatch's place.
pub const FROM: &str = "pld.from";

/// Unit attribute of the load and the store that stand for a bulk transfer of a negative
/// extent: they are out of bounds, and move nothing.
pub const REFUSED: &str = "pld.refused";

/// Attribute of a module lowered to the CPU: the table of source places that run-time
/// reports name, an array of `[operation, file, line, column]`.
pub const SITES: &str = "pld.sites";

/// Attribute of `pld.alloc_window_buffer`: what the buffer takes of a rank's window memory,
/// in bytes.
pub const BYTES: &str = "pld.bytes";

/// Attribute of `pld.alloc_window_buffer`: where the buffer starts in a rank's window memory,
/// in bytes.
pub const OFFSET: &str = "pld.offset";
