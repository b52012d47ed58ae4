//! One binary, four tools, told apart by the name it was started by: `pld-opt`,
//! `pld-translate`, `pld-run`, `pld-lsp-server`. MLIR links statically only, so four
//! binaries would be four times 170 MB.

mod explain;
mod run;

use pld_dialects::bridge::{self, Tool};
use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    // Into `head`, end as other tools do: LLVM aborts on an output that is closed.
    sigpipe::reset();
    let arguments: Vec<_> = env::args_os().collect();
    let name = arguments
        .first()
        .and_then(|path| Path::new(path).file_stem()?.to_str())
        .unwrap_or("pld-opt");
    if let Some(exit) = explain::main(&arguments) {
        return exit;
    }
    let tool = match name {
        "pld-run" => return run::main(arguments),
        "pld-translate" => Tool::Translate,
        "pld-lsp-server" => Tool::LspServer,
        _ => {
            bridge::register_upstream_passes();
            pld_passes::register();
            Tool::Opt
        }
    };
    if !matches!(tool, Tool::LspServer) {
        pld_lowering::register();
    }
    let arguments = arguments
        .iter()
        .map(|argument| argument.to_string_lossy().into_owned());
    let code = bridge::tool_main(tool, arguments);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
