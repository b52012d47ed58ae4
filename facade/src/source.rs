//! A parsed module and its checks.

use crate::build;
use crate::diagnostic::{Diagnostic, Error, Position, Severity, capture};
use crate::entry::{self, Entry};
use crate::protocol::MOST_RANKS;
use melior::{
    Context,
    ir::{
        Location, Module,
        operation::{OperationLike, OperationPrintingFlags, OperationRef},
    },
};
use pld_dialects::{
    bridge,
    diag::Code,
    file, lazy_context,
    pass::{Options, Reported},
};
use pld_lowering::{
    Barrier,
    hccl::{Choices, ProjectFile},
};
use pld_passes::{
    check_protocol::{self, Request},
    lint,
};
use self_cell::self_cell;
use std::{
    any::Any,
    fmt::{self, Display},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Once,
};

self_cell!(
    struct Parsed {
        owner: Context,
        #[not_covariant]
        dependent: Module,
    }
);

/// Text or bytecode of a program, and the file name that its locations have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: Vec<u8>,
}

impl Source {
    /// A program that is in memory.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn read(path: &Path) -> Result<Self, Error> {
        match file::read(path) {
            Ok(text) => Ok(Self::new(path.to_string_lossy(), text)),
            Err(error) => {
                let message = format!("cannot read '{}': {error}", path.display());
                Err(Diagnostic::error(None, message).into())
            }
        }
    }

    /// The text of a diagnostic, with the source lines it points at.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        diagnostic.render(|position| self.line(position))
    }

    /// A line of this source, or of a file that its locations name.
    fn line(&self, position: &Position) -> Option<String> {
        let other;
        let text = if position.file == self.name {
            &self.text
        } else {
            other = file::of_location(Path::new(&position.file))?;
            &other
        };
        let index = position.line.checked_sub(1)? as usize;
        let line = text.split(|&byte| byte == b'\n').nth(index)?;
        Some(String::from_utf8_lossy(line).trim_end().to_owned())
    }
}

/// A program: a module of `pl` and `pld` that has been parsed and verified.
pub struct Program {
    parsed: Parsed,
    /// What was parsed, if it is text.
    text: Option<(String, String)>,
}

impl Program {
    /// Parses and verifies.
    ///
    /// # Errors
    ///
    /// What the parser and the verifiers report.
    pub fn parse(source: &Source) -> Result<Self, Error> {
        register();
        let parsed = Parsed::try_new(lazy_context(), |context| {
            let parse = || bridge::parse_module(context, &source.text, &source.name);
            let (module, said) = capture(context, parse);
            module.ok_or_else(|| refused(said, "the parser failed"))
        })?;
        let text = String::from_utf8(source.text.clone()).ok();
        let text = text.map(|text| (source.name.clone(), text));
        Ok(Self { parsed, text })
    }

    /// Builds a program in Rust and verifies it; see [`crate::build`].
    ///
    /// # Errors
    ///
    /// What the verifiers report, each at the line of Rust that built the operation.
    pub fn build(build: impl for<'c, 'a> FnOnce(&build::Module<'c, 'a>)) -> Result<Self, Error> {
        register();
        let parsed = Parsed::try_new(lazy_context(), |context| {
            for dialect in ["arith", "func", "memref", "scf"] {
                context.get_or_load_dialect(dialect);
            }
            let module = Module::new(Location::unknown(context));
            let (is_fine, said) = capture(context, || {
                build(&build::Module::new(context, module.body()));
                module.as_operation().verify()
            });
            let refuses = said.iter().any(|said| said.severity == Severity::Error);
            if is_fine && !refuses {
                Ok(module)
            } else {
                Err(refused(said, "the verifier failed"))
            }
        })?;
        Ok(Self { parsed, text: None })
    }

    /// Hands over the module, to be looked at: see [`crate::ir`].
    pub fn module<R>(&self, look: impl FnOnce(OperationRef) -> R) -> R {
        self.with(|_, module| look(module))
    }

    /// Lints the program as written, and returns the warnings.
    ///
    /// # Errors
    ///
    /// What the lint refuses.
    pub fn check(&self) -> Result<Vec<Diagnostic>, Error> {
        self.with(|context, module| {
            let options = Options::defaults(lint::PASS.options);
            let run = || guarded(|| (lint::PASS.run)(module, &options));
            let (result, said) = capture(context, run);
            match result? {
                Ok(()) => Ok(said),
                Err(Reported) => Err(refused(said, "the lint failed")),
            }
        })
    }

    /// Checks what the ranks of an entry say to each other, for all schedules, and returns
    /// remarks: on `world` ranks, or, without it or if they are more than 64, on all sizes up to
    /// 4 that the entry admits.
    ///
    /// # Errors
    ///
    /// What goes wrong.
    pub fn check_protocol(
        &self,
        entry: &Entry,
        world: Option<usize>,
    ) -> Result<Vec<Diagnostic>, Error> {
        let world = world.filter(|&world| world <= MOST_RANKS);
        self.check_request(&Request {
            entry: entry.name.clone(),
            sizes: world.into_iter().map(|world| world as u32).collect(),
            ..Request::default()
        })
    }

    pub(crate) fn check_request(&self, request: &Request) -> Result<Vec<Diagnostic>, Error> {
        self.with(|context, module| {
            let request = Request {
                texts: self.text.iter().cloned().collect(),
                ..request.clone()
            };
            let run = || guarded(|| check_protocol::check_with_records(module, &request));
            let (result, mut said) = capture(context, run);
            let (records, result) = result?;
            let found = |said: &&mut Diagnostic| matches!(said.code, Some(Code(201..=209)));
            for (said, record) in said.iter_mut().filter(found).zip(records) {
                said.finding = Some(Box::new(record));
            }
            match result {
                Ok(()) => Ok(said),
                Err(Reported) => Err(refused(said, "the protocol check failed")),
            }
        })
    }

    /// The host functions, in the order of the module.
    ///
    /// # Errors
    ///
    /// Of the first one whose signature or golden is not one that can run.
    pub fn entries(&self) -> Result<Vec<Entry>, Error> {
        self.with(|_, module| entry::all(module))
    }

    /// The host function `name`, with or without its `@`; without a name the only one, or `@main` of several.
    ///
    /// # Errors
    ///
    /// There is none of that name, or none to choose: the error lists them.
    pub fn entry(&self, name: Option<&str>) -> Result<Entry, Error> {
        self.with(|_, module| entry::choose(module, name))
    }

    /// Generates the AscendC and HCCL project of an entry for the target profile `arch`, as
    /// `a2a3`, whose ranks meet by this form of barrier, and returns warnings too.
    ///
    /// # Errors
    ///
    /// What cannot be lowered for the target.
    pub fn project(
        &self,
        entry: &Entry,
        barrier: Barrier,
        arch: &str,
    ) -> Result<(Vec<ProjectFile>, Vec<Diagnostic>), Error> {
        let arch = pld_lowering::hccl::target(arch);
        let choices = Choices {
            barrier,
            arch: Some(arch.map_err(|unknown| Diagnostic::error(None, unknown))?),
            ..Choices::default()
        };
        self.lower(|module| {
            pld_lowering::hccl::project(module.as_operation(), &entry.name, choices)
        })
    }

    /// What the target profile `arch`, as `a2a3`, would refuse of an entry; empty if nothing.
    ///
    /// # Errors
    ///
    /// A fault of the check.
    pub fn refused_by(&self, entry: &Entry, arch: &str) -> Result<Vec<Diagnostic>, Error> {
        let check = |module: &mut Module| {
            pld_lowering::hccl::check_target(module.as_operation(), &entry.name, arch)
        };
        match self.lower(check) {
            Ok(_) => Ok(Vec::new()),
            Err(Error::Invalid(said)) => Ok(said
                .into_iter()
                .filter(|diagnostic| diagnostic.severity == Severity::Error)
                .collect()),
            Err(error) => Err(error),
        }
    }

    /// The text of the module with the places that its operations come from.
    pub fn text_with_locations(&self) -> String {
        self.with(|_, module| {
            let flags = OperationPrintingFlags::new().enable_debug_info(true, false);
            module
                .to_string_with_flags(flags)
                .unwrap_or_else(|error| error.to_string())
        })
    }

    /// The text of a copy that a pipeline has lowered, such as `lower-pld-to-tile`, with options
    /// in braces; any pass pipeline that `pld-opt --pass-pipeline` takes will do.
    ///
    /// # Errors
    ///
    /// What a pass reports, and a pipeline that is none.
    pub fn lowered(&self, pipeline: &str) -> Result<String, Error> {
        let lower = |module: &mut Module| {
            let module = module.as_operation();
            bridge::run_pipeline(module, pipeline).map(|()| module.to_string())
        };
        Ok(self.lower(lower)?.0)
    }

    /// The module as MLIR bytecode, which [`Program::parse`] reads, too.
    pub fn bytecode(&self) -> Vec<u8> {
        self.with(|_, module| bridge::write_bytecode(module))
    }

    pub(crate) fn with<R>(&self, use_it: impl FnOnce(&Context, OperationRef) -> R) -> R {
        self.parsed
            .with_dependent(|context, module| use_it(context, module.as_operation()))
    }

    /// Lowers a copy of the module, and returns warnings too.
    pub(crate) fn lower<R>(
        &self,
        lower: impl FnOnce(&mut Module) -> Result<R, Reported>,
    ) -> Result<(R, Vec<Diagnostic>), Error> {
        self.with(|context, module| {
            let copy = Module::from_operation((*module).clone());
            let mut copy = copy.ok_or_else(|| Error::Internal("the module is none".into()))?;
            let (result, said) = capture(context, || guarded(|| lower(&mut copy)));
            match result? {
                Ok(result) => Ok((result, said)),
                Err(Reported) => Err(refused(said, "the lowering failed")),
            }
        })
    }
}

/// The text of the module.
impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.with(|_, module| write!(f, "{module}"))
    }
}

/// What was said, if any of it is an error; else a fault of ours, of which `what` speaks.
fn refused(said: Vec<Diagnostic>, what: &str) -> Error {
    if said.iter().any(|d| d.severity == Severity::Error) {
        Error::Invalid(said)
    } else {
        Error::Internal(format!("{what} without a reason"))
    }
}

/// Turns a panic into an internal error.
pub(crate) fn guarded<R>(run: impl FnOnce() -> R) -> Result<R, Error> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Error::Internal(panic_text(&*panic)))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

/// Registers the passes that pipelines name; once per process.
fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        bridge::register_upstream_passes();
        pld_passes::register();
        pld_lowering::register();
    });
}
