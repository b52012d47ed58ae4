//! One binary, four tools, told apart by the name it was started by: `pld-opt`,
//! `pld-translate`, `pld-run`, `pld-lsp-server`. MLIR links statically only, so four
//! binaries would be four times 170 MB.

use pld_dialects::bridge::{self, Tool};
use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args_os()
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    let name = arguments
        .first()
        .and_then(|path| Path::new(path).file_stem()?.to_str())
        .unwrap_or("pld-opt");
    let code = match name {
        "pld-translate" => {
            pld_lowering::register();
            bridge::tool_main(Tool::Translate, arguments)
        }
        "pld-lsp-server" => bridge::tool_main(Tool::LspServer, arguments),
        _ => {
            bridge::register_upstream_passes();
            pld_passes::register();
            pld_lowering::register();
            bridge::tool_main(Tool::Opt, arguments)
        }
    };
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
