//! Lowering to the CPU: compiled code for the simulator.

use pld_dialects::pass::{self, Pass, Pipeline};

static PASSES: &[Pass] = &[];
static PIPELINES: &[Pipeline] = &[];

pub(crate) fn register() {
    pass::register(PASSES, PIPELINES);
}
