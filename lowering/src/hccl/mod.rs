//! Lowering to AscendC device code and ACL and HCCL host code.
//!
//! ```text
//!  tile level --select entry, inline--> one program --verify, legalise--> one instruction per
//!  operation --plan memory--> offsets --to emitc--> files --insert sync--> --print--> C++
//! ```
//!
//! | pass | file |
//! | --- | --- |
//! | `pl-outline-blocks` | `outline_blocks.rs` |
//! | `pl-inline-incore` | `inline_incore.rs` |
//! | `pl-verify-target` | `verify_target.rs` |
//! | `pl-legalize` | `legalize.rs` |
//! | `pl-plan-memory` | `plan_memory.rs` |
//! | `pld-to-emitc` | `emit/` |
//! | `pl-insert-sync` | `insert_sync/` |
//! | `pld-verify-emitc` | `verify_emitc.rs` |
//!
//! The target is data (`profile.rs`, `forms.rs`, `expand.rs`); what each operation is on it, statement by
//! statement, is one table (`statement.rs`, `rows.rs`, `rearrange.rs`, `product.rs`).

mod build;
mod emit;
mod expand;
mod forms;
mod inline_incore;
mod insert_sync;
mod layout;
mod legalize;
mod measure;
mod memory_map;
mod names;
mod outline_blocks;
mod pipeline;
mod placement;
mod plan;
mod plan_memory;
mod print;
mod product;
mod profile;
mod project;
mod rearrange;
mod rows;
mod statement;
mod verify_emitc;
mod verify_target;

pub use build::{BuildError, build};
pub use insert_sync::Orderings;
pub use measure::{Measures, measure};
pub use pipeline::Choices;
pub use plan_memory::Peak;
pub use project::{ProjectFile, check_target, most_ranks, project, target};

use pld_dialects::pass::{self, Pass, Pipeline};

static PASSES: &[Pass] = &[
    outline_blocks::PASS,
    inline_incore::PASS,
    verify_target::PASS,
    legalize::PASS,
    plan_memory::PASS,
    emit::PASS,
    insert_sync::PASS,
    verify_emitc::PASS,
];
static PIPELINES: &[Pipeline] = &[pipeline::TO_HCCL];

pub(crate) fn register() {
    pass::register(PASSES, PIPELINES);
    pass::register_translation(&print::TRANSLATION);
}
