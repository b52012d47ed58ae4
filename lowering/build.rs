//! Embeds the C++ that goes with generated projects, so that an installed tool needs no
//! source checkout: the emulation headers and the support files.

use std::{
    env,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<(), Box<dyn Error>> {
    // Not all of hccl/: its tests leave files there.
    println!("cargo:rerun-if-changed=build.rs");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("hccl");
    let mut code = String::new();
    for (name, docs, folder) in [
        (
            "EMULATION_INCLUDE",
            "Headers that emulate AscendC, ACL and HCCL on a CPU; paths are relative to the include folder.",
            "emulation/include",
        ),
        (
            "SUPPORT",
            "Files that every generated project holds beside the generated ones.",
            "support",
        ),
    ] {
        writeln!(code, "/// {docs}\npub const {name}: &[EmbeddedFile] = &[")?;
        println!("cargo:rerun-if-changed=hccl/{folder}");
        let base = root.join(folder);
        for file in files_below(&base)? {
            let path = file.strip_prefix(&base)?;
            writeln!(
                code,
                "    EmbeddedFile {{ path: {:?}, text: include_str!({:?}) }},",
                path, file
            )?;
        }
        writeln!(code, "];")?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("embedded.rs"), code)?;
    Ok(())
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    if !folder.is_dir() {
        return Ok(files);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
