//! Passes from `pl`/`pld` to `pl`/`pld`, one file each.
//!
//! ```text
//!  pl/pld --lint--> pl/pld --lower to tile level--> tile ops, remote access, signals
//!           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//!           you are here
//! ```
//!
//! | pass | file |
//! | --- | --- |
//! | `pld-lint` | `lint.rs` |
//! | `pld-select-entry` | `select_entry.rs` |
//! | `pld-check-protocol` | `check_protocol/` |
//! | `pld-layout-windows` | `layout_windows.rs` |
//! | `pl-outline-at` | `outline_at.rs` |
//! | `pl-tile-tensors` | `tile_tensors/` |
//! | `pl-verify-tiled` | `verify_tiled.rs` |
//! | `pld-lower-collectives` | `lower_collectives/` |
//! | `pld-lower-transfers` | `lower_transfers/` |
//!
//! | pipeline | file |
//! | --- | --- |
//! | `lower-pld-to-tile` | `pipeline.rs` |

pub mod check_protocol;
pub mod layout_windows;
pub mod lint;
pub mod lower_collectives;
pub mod lower_transfers;
pub mod outline_at;
pub mod pipeline;
pub mod select_entry;
pub mod tile_tensors;
pub mod verify_tiled;

use pld_dialects::pass::{self, Pass, Pipeline};

/// All passes of this crate.
pub static PASSES: &[Pass] = &[
    lint::PASS,
    select_entry::PASS,
    check_protocol::PASS,
    lower_collectives::PASS,
    lower_transfers::PASS,
    layout_windows::PASS,
    outline_at::PASS,
    tile_tensors::PASS,
    verify_tiled::PASS,
];

/// All pipelines of this crate.
pub static PIPELINES: &[Pipeline] = &[pipeline::TO_TILE];

/// Registers the passes and pipelines by name.
pub fn register() {
    pass::register(PASSES, PIPELINES);
}
