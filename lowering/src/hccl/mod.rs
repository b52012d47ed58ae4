//! Lowering to AscendC device code and ACL and HCCL host code.

mod project;

pub use project::{EMULATION_INCLUDE, EmbeddedFile, ProjectFile, SUPPORT, project};

use pld_dialects::pass::{self, Pass, Pipeline};

static PASSES: &[Pass] = &[];
static PIPELINES: &[Pipeline] = &[];

pub(crate) fn register() {
    pass::register(PASSES, PIPELINES);
}
