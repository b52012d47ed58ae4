//! The pipeline from any level to tile level, readable in one place.

use pld_dialects::pass::Pipeline;

/// `--lower-pld-to-tile`.
pub const TO_TILE: Pipeline = Pipeline {
    argument: "lower-pld-to-tile",
    description: "Lower barriers to tile operations, remote access and signals only.",
    options: &[],
    build: |_| Ok(to_tile()),
};

/// The textual pipeline.
pub fn to_tile() -> String {
    [
        // On the IR as written, before any cleaning, so that findings name user code.
        "pld-lint",
        // Barriers become notify and wait.
        "pld-lower-collectives",
    ]
    .join(",")
}
