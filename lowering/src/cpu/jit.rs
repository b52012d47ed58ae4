//! From a module to code in this process.

use super::{
    emit::PREFIX,
    objects::{Entry, Place},
    pipeline, sites, soft_float,
};
use melior::ir::{
    RegionLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    jit::{self, CodeOptions, Jit},
    pass::Reported,
    view,
};
use pld_passes::{lint, lower_collectives::Barrier, select_entry};
use pld_runtime::{Function, Site, abi};
use std::{collections::HashMap, num::NonZero, ptr::NonNull, sync::Once, thread};

/// What compiled code checks while it runs, and how its ranks meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileOptions {
    /// Compile these functions and what they reach; all functions if there are none.
    pub roots: Vec<String>,
    /// Check every dynamic access to memory and windows (401).
    pub bounds: bool,
    /// Tell the race detector of accesses to the own window slice.
    pub races: bool,
    /// The form of barriers, those inside collectives too.
    pub barrier: Barrier,
    /// The CPU to compile for.
    pub cpu: Cpu,
    /// Keep the code in the folder `PLD_CACHE_DIR`, or `pld` in the user's cache folder, and
    /// take it from there if this very program was compiled before.
    pub keep: bool,
}

/// A CPU that code is compiled for. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cpu {
    /// The one that this process runs on.
    #[default]
    Host,
    /// The least that compiled code needs: AVX2, FMA, F16C and BMI2.
    X86_64V3,
}

impl Cpu {
    /// As LLVM calls it; empty for the host.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Host => "",
            Self::X86_64V3 => "x86-64-v3",
        }
    }

    /// How many vector registers it has.
    pub(super) fn registers(self) -> i64 {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Host && std::arch::is_x86_feature_detected!("avx512f") {
            return 32;
        }
        16
    }
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            bounds: true,
            races: true,
            barrier: Barrier::default(),
            cpu: Cpu::default(),
            keep: false,
        }
    }
}

/// LLVM passes. The nests are vector code already, so LLVM only cleans: its loop passes and
/// vectorisers would take ten times as long and gain little. By default, instcombine ends the
/// process if one round of it leaves something to do.
const PASSES: &str = "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,\
                      loop-mssa(licm))";

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
    /// A golden uses its context only to say what is wrong with it.
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

/// Lints a module, lowers it in place, unless it was compiled before, and compiles it for this
/// machine.
///
/// # Errors
///
/// What is wrong has been reported by a diagnostic.
pub fn compile(module: OperationRef, options: &CompileOptions) -> Result<Compiled, Reported> {
    // Warnings are said each time.
    lint::check(module)?;
    if !options.roots.is_empty() {
        select_entry::keep(module, options.roots.iter().cloned());
    }
    let exported = exported(module);
    let place = options.keep.then(|| Place::of(module, options)).flatten();
    // What cannot be loaded is compiled anew.
    let known = place.as_ref().and_then(Place::get);
    if let Some(compiled) = known.and_then(|entry| load(&exported, entry).ok()) {
        return Ok(compiled);
    }
    let failed = |error| {
        diag::failure(module.location(), format!("cannot compile: {error}")).emit();
        Reported
    };
    let entry = entry(module, options)?.map_err(failed)?;
    if let Some(place) = place {
        place.put(&entry);
    }
    load(&exported, entry).map_err(failed)
}

/// Lowers and compiles a module. The inner error is the code generator's.
fn entry(
    module: OperationRef,
    options: &CompileOptions,
) -> Result<Result<Entry, String>, Reported> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        bridge::register_upstream_passes();
        pld_passes::register();
        crate::register();
    });
    bridge::run_trusted_pipeline(module, &pipeline::own_passes(options))?;
    bridge::run_trusted_pipeline(module, &pipeline::upstream_passes(module))?;
    let code = CodeOptions {
        passes: PASSES,
        codegen_level: CODEGEN_LEVEL,
        cpu: options.cpu.name(),
        threads: thread::available_parallelism().map_or(1, NonZero::get),
    };
    let objects = jit::compile(module, &code);
    let sites = sites::read(module);
    Ok(objects.map(|objects| Entry { objects, sites }))
}

fn load(exported: &[String], entry: Entry) -> Result<Compiled, String> {
    let symbols = abi::SYMBOLS
        .iter()
        .map(|symbol| (symbol.name, symbol.address));
    let symbols: Vec<_> = symbols
        .chain(abi::library())
        .chain(soft_float::symbols())
        .collect();
    let jit = Jit::load(&entry.objects, &symbols)?;
    let mut functions = HashMap::new();
    for name in exported {
        let address = jit.address(&format!("{PREFIX}{name}"))?;
        functions.insert(name.clone(), address);
    }
    Ok(Compiled {
        functions,
        sites: entry.sites,
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
