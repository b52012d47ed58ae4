//! Atlas 950: arch 3510, where it is known to differ from [`A2A3`].
//!
//! It also has instructions that arch 2201 lacks, such as `Neg` and `Subs`; what is composed of
//! others there is so here, too.

use super::{Profile, a2a3::A2A3};
use pld_dialects::types::Element::{F16, F32, I8, I16, I32};

/// The profile.
pub const A5: Profile = Profile {
    name: "a5",
    npu: "dav-3510",
    ub_bytes: 248 * 1024,
    atomic: &[I8, I16, F16, I32, F32],
    // Its cube core loads L0A and L0B in another way, which generated code does not know.
    products: &[],
    ..A2A3
};
