//! The tests of `pld-suite`, in one binary.

mod agree;
mod broken;
mod build;
mod complete;
mod diagnostics_page;
mod examples;
mod fuzz;
mod mutants;
mod packages;
mod pages;
mod reference;
mod round_trip;
mod rules;
