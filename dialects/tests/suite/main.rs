//! All tests of this crate that are not lit tests, in one binary, since each binary links
//! all of MLIR.

mod complete;
mod diagnostics_page;
mod examples;
mod fuzz;
mod session;
