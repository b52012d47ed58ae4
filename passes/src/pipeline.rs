//! The pipeline from any level to tile level, readable in one place.

use crate::lower_collectives::{BARRIER, KEPT};
use pld_dialects::pass::{OptionSpec, Options, Pipeline};

/// `--lower-pld-to-tile`.
pub const TO_TILE: Pipeline = Pipeline {
    argument: "lower-pld-to-tile",
    description: "Lower tensor-level code, barriers, collectives and bulk transfers to in-core \
                  functions of tile operations, remote access and signals only.",
    options: &[BARRIER, PROTOCOL],
    build: |options| {
        let to_tile = to_tile(options.get(BARRIER.name));
        Ok(format!("{},{to_tile}", checks(options, "")?))
    },
};

/// Option: whether the protocol is checked.
pub const PROTOCOL: OptionSpec = OptionSpec {
    name: "protocol",
    description: "whether to check what ranks say to each other first: true or false",
    default: "true",
};

/// The textual pipeline of what comes first: on the whole program as written, before any of it
/// goes, so that findings name user code. The protocol is that of `entry`, or of all if it is
/// empty.
///
/// # Errors
///
/// The option is neither true nor false.
pub fn checks(options: &Options, entry: &str) -> Result<String, String> {
    match options.get(PROTOCOL.name) {
        "true" => Ok(format!("pld-lint,pld-check-protocol{{entry={entry}}}")),
        "false" => Ok("pld-lint".into()),
        other => Err(format!(
            "option protocol is '{other}', expected true or false"
        )),
    }
}

/// The textual pipeline after [`checks`], with this form of barrier.
pub fn to_tile(barrier: &str) -> String {
    to_tile_with(barrier, KEPT.default)
}

/// As [`to_tile`]; `collectives` says whether some of the host are kept.
pub fn to_tile_with(barrier: &str, collectives: &str) -> String {
    [
        // Regions of tensors become functions, tensors become tiles.
        "pl-outline-at",
        "pl-tile-tensors",
        "pl-verify-tiled",
        // Barriers become notify and wait, collectives that and loops over tiles.
        &format!("pld-lower-collectives{{barrier={barrier} collectives={collectives}}}"),
        // Bulk transfers become loops over tiles.
        "pld-lower-transfers",
    ]
    .join(",")
}
