//! Lowerings of `pl` and `pld`.
//!
//! ```text
//!                                            +--> cpu:  vector, llvm + calls of pld-runtime
//!  pl/pld --passes--> tile level --lower-----+
//!                                  ^^^^^     +--> hccl: emitc --> AscendC and HCCL C++
//!                                  you are here
//! ```

mod cache;
mod capture;
pub mod cpu;
pub mod hccl;

pub use cache::Cache;
pub use pld_passes::lower_collectives::Barrier;

/// Registers all passes, pipelines and translations of this crate by name.
pub fn register() {
    cpu::register();
    hccl::register();
}
