//! The pipeline from any level to tile level, readable in one place.

use crate::{lint, lower_collectives::BARRIER};
use pld_dialects::pass::Pipeline;

/// `--lower-pld-to-tile`.
pub const TO_TILE: Pipeline = Pipeline {
    argument: "lower-pld-to-tile",
    description: "Lower tensor-level code, barriers, collectives and bulk transfers to in-core \
                  functions of tile operations, remote access and signals only.",
    options: &[BARRIER],
    build: |options| Ok(format!("{LINT},{}", to_tile(options.get(BARRIER.name)))),
};

/// On the whole program as written, before any of it goes, so that findings name user code.
pub const LINT: &str = lint::PASS.argument;

/// The textual pipeline after [`LINT`], with this form of barrier.
pub fn to_tile(barrier: &str) -> String {
    [
        // Regions of tensors become functions, tensors become tiles.
        "pl-outline-at",
        "pl-tile-tensors",
        "pl-verify-tiled",
        // Barriers become notify and wait, collectives that and loops over tiles.
        &format!("pld-lower-collectives{{barrier={barrier}}}"),
        // Bulk transfers become loops over tiles.
        "pld-lower-transfers",
    ]
    .join(",")
}
