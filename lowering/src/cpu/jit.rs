//! From a module to code in this process.

use super::{emit::PREFIX, pipeline, sites};
use melior::ir::{
    RegionLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    jit::{Jit, JitOptions},
    pass::Reported,
    view,
};
use pld_passes::lower_collectives::Barrier;
use pld_runtime::{Function, Site, abi};
use std::{collections::HashMap, ptr::NonNull, sync::Once};

/// What compiled code checks while it runs, and how its ranks meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileOptions {
    /// Check every dynamic access to memory and windows (401).
    pub bounds: bool,
    /// Tell the race detector of accesses to the own window slice.
    pub races: bool,
    /// The form of barriers, those inside collectives too.
    pub barrier: Barrier,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            bounds: true,
            races: true,
            barrier: Barrier::default(),
        }
    }
}

/// LLVM passes. The nests are vector code already, so LLVM only cleans: its loop passes and
/// vectorisers would take ten times as long and gain little. By default, instcombine ends the
/// process if one round of it leaves something to do.
const PASSES: &str = "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,\
                      loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>)";

/// Effort of the code generator: 0 would not allocate registers.
const CODEGEN_LEVEL: u8 = 1;

/// A compiled module.
#[derive(Debug)]
pub struct Compiled {
    functions: HashMap<String, NonNull<()>>,
    sites: Vec<Site>,
    /// Owns the code.
    _jit: Jit,
}

// SAFETY: the addresses are those of code, which the JIT keeps as long as this lives.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

impl Compiled {
    /// The code of the `pl.host`, `pl.device` or `pl.golden` function of this name in the
    /// source; it must not be called once `self` is dropped.
    ///
    /// A golden makes no use of its context, which may be null.
    pub fn function(&self, name: &str) -> Option<Function> {
        let address = self.functions.get(name)?;
        // SAFETY: only functions with this signature are in the table, see `exported`.
        Some(unsafe { std::mem::transmute::<*mut (), Function>(address.as_ptr()) })
    }

    /// What the `site` argument of runtime calls indexes.
    pub fn sites(&self) -> Vec<Site> {
        self.sites.clone()
    }
}

/// Lowers a module in place and compiles it for this machine.
///
/// # Errors
///
/// What is wrong has been reported by a diagnostic.
pub fn compile(module: OperationRef, options: &CompileOptions) -> Result<Compiled, Reported> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        bridge::register_upstream_passes();
        pld_passes::register();
        crate::register();
    });
    let exported = exported(module);
    bridge::run_pipeline(module, &pipeline::to_llvm(options))?;
    let sites = sites::read(module);
    let options = JitOptions {
        passes: PASSES,
        codegen_level: CODEGEN_LEVEL,
        symbols: abi::SYMBOLS
            .iter()
            .map(|symbol| (symbol.name, symbol.address))
            .collect(),
    };
    let failed = |error| {
        diag::failure(module.location(), format!("cannot compile: {error}")).emit();
        Reported
    };
    let jit = Jit::new(module, &options).map_err(failed)?;
    let mut functions = HashMap::new();
    for name in exported {
        let address = jit.address(&format!("{PREFIX}{name}")).map_err(failed)?;
        functions.insert(name, address);
    }
    Ok(Compiled {
        functions,
        sites,
        _jit: jit,
    })
}

/// The functions of a module, not lowered yet, that become code of the one signature.
fn exported(module: OperationRef) -> Vec<String> {
    let functions = bridge::collect(module, |name| name == "func.func");
    functions
        .into_iter()
        .filter(|function| {
            let marks = ["pl.host", "pl.device", "pl.golden"];
            let has_body = function
                .region(0)
                .is_ok_and(|body| body.first_block().is_some());
            has_body && marks.iter().any(|mark| function.has_attribute(mark))
        })
        .filter_map(|function| view::string(&function, "sym_name"))
        .collect()
}
