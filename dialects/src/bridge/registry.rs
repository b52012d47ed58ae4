//! What is registered by name, and the `main` functions of upstream's tools, which know it.

use super::ffi::{
    OptionSpec, PassSpec, pldLspServerMain, pldOptMain, pldRegisterDialects, pldRegisterEverything,
    pldRegisterPass, pldRegisterPipeline, pldRegisterTranslation, pldRegisterUpstreamPasses,
    pldTranslateMain, string_ref,
};
use crate::pass::{Pass, Pipeline, Translation};
use melior::dialect::DialectRegistry;
use std::ffi::{CString, c_char, c_int, c_void};

/// Registers both dialects and everything upstream has.
pub fn register_everything(registry: &DialectRegistry) {
    // SAFETY: the registry is alive for the call.
    unsafe { pldRegisterEverything(registry.to_raw()) }
}

/// Registers the two dialects only, for a context that an embedder made.
pub fn register_dialects(registry: &DialectRegistry) {
    // SAFETY: the registry is alive for the call.
    unsafe { pldRegisterDialects(registry.to_raw()) }
}

/// Builds the C++ side's view of a pass; both live as long as the process.
fn spec(
    argument: &'static str,
    description: &'static str,
    options: &'static [crate::pass::OptionSpec],
    callback: *const c_void,
) -> &'static PassSpec {
    let options: Vec<_> = options
        .iter()
        .map(|option| OptionSpec {
            name: string_ref(option.name),
            description: string_ref(option.description),
            default: string_ref(option.default),
        })
        .collect();
    let options = Box::leak(options.into_boxed_slice());
    Box::leak(Box::new(PassSpec {
        argument: string_ref(argument),
        description: string_ref(description),
        options: options.as_ptr(),
        option_count: options.len(),
        callback,
    }))
}

pub(crate) fn register_pass(pass: &'static Pass) {
    let callback: *const Pass = pass;
    // SAFETY: the spec and the pass are never freed.
    unsafe {
        pldRegisterPass(spec(
            pass.argument,
            pass.description,
            pass.options,
            callback.cast(),
        ))
    }
}

pub(crate) fn register_pipeline(pipeline: &'static Pipeline) {
    let callback: *const Pipeline = pipeline;
    // SAFETY: the spec and the pipeline are never freed.
    unsafe {
        pldRegisterPipeline(spec(
            pipeline.argument,
            pipeline.description,
            pipeline.options,
            callback.cast(),
        ));
    }
}

pub(crate) fn register_translation(translation: &'static Translation) {
    let callback: *const Translation = translation;
    // SAFETY: the translation is never freed.
    unsafe {
        pldRegisterTranslation(
            string_ref(translation.argument),
            string_ref(translation.description),
            callback.cast(),
        );
    }
}

/// Registers all of upstream's passes by name.
pub fn register_upstream_passes() {
    // SAFETY: no arguments; registering twice is harmless.
    unsafe { pldRegisterUpstreamPasses() }
}

/// An upstream tool's `main`.
#[derive(Clone, Copy, Debug)]
pub enum Tool {
    /// `mlir-opt`.
    Opt,
    /// `mlir-translate`.
    Translate,
    /// `mlir-lsp-server`.
    LspServer,
}

/// Runs an upstream tool's `main` with these arguments and returns its exit code.
pub fn tool_main(tool: Tool, arguments: impl IntoIterator<Item = String>) -> i32 {
    let owned: Vec<CString> = arguments
        .into_iter()
        .filter_map(|argument| CString::new(argument).ok())
        .collect();
    let mut pointers: Vec<*mut c_char> = owned
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .collect();
    let count = pointers.len() as c_int;
    pointers.push(std::ptr::null_mut());
    let main = match tool {
        Tool::Opt => pldOptMain,
        Tool::Translate => pldTranslateMain,
        Tool::LspServer => pldLspServerMain,
    };
    // SAFETY: `pointers` is a null-terminated argv whose strings outlive the call.
    unsafe { main(count, pointers.as_mut_ptr()) }
}
