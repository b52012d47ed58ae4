//! Generates C++ from `td/` with mlir-tblgen, compiles `cpp/`, and tells `melior::dialect!`
//! where the same `td/` is.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// Generator flags, source below `td/`, output file.
const GENERATED: &[(&[&str], &str, &str)] = &[
    (
        &["-gen-op-interface-decls"],
        "Common.td",
        "PldInterfaces.h.inc",
    ),
    (
        &["-gen-op-interface-defs"],
        "Common.td",
        "PldInterfaces.cpp.inc",
    ),
    (&["-gen-enum-decls"], "pld/Pld.td", "PldEnums.h.inc"),
    (&["-gen-enum-defs"], "pld/Pld.td", "PldEnums.cpp.inc"),
    (
        &["-gen-dialect-decls", "-dialect=pl"],
        "pl/Pl.td",
        "PlDialect.h.inc",
    ),
    (
        &["-gen-dialect-defs", "-dialect=pl"],
        "pl/Pl.td",
        "PlDialect.cpp.inc",
    ),
    (
        &["-gen-typedef-decls", "-typedefs-dialect=pl"],
        "pl/Pl.td",
        "PlTypes.h.inc",
    ),
    (
        &["-gen-typedef-defs", "-typedefs-dialect=pl"],
        "pl/Pl.td",
        "PlTypes.cpp.inc",
    ),
    (&["-gen-op-decls"], "pl/Pl.td", "PlOps.h.inc"),
    (&["-gen-op-defs"], "pl/Pl.td", "PlOps.cpp.inc"),
    (
        &["-gen-dialect-decls", "-dialect=pld"],
        "pld/Pld.td",
        "PldDialect.h.inc",
    ),
    (
        &["-gen-dialect-defs", "-dialect=pld"],
        "pld/Pld.td",
        "PldDialect.cpp.inc",
    ),
    (
        &["-gen-typedef-decls", "-typedefs-dialect=pld"],
        "pld/Pld.td",
        "PldTypes.h.inc",
    ),
    (
        &["-gen-typedef-defs", "-typedefs-dialect=pld"],
        "pld/Pld.td",
        "PldTypes.cpp.inc",
    ),
    (&["-gen-op-decls"], "pld/Pld.td", "PldOps.h.inc"),
    (&["-gen-op-defs"], "pld/Pld.td", "PldOps.cpp.inc"),
];

fn main() {
    for folder in ["td", "cpp", "build.rs"] {
        println!("cargo:rerun-if-changed={folder}");
    }
    for variable in pld_llvm::VARIABLES {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let td = root.join("td");
    println!("cargo:rustc-env=PLD_TD_DIR={}", td.display());
    println!("cargo:td={}", td.display());
    // Clippy links nothing, and shares no build script's output with cargo.
    if cfg!(clippy) {
        return;
    }

    let prefix = match pld_llvm::find(&pld_llvm::Host) {
        Ok(llvm) => llvm.prefix,
        Err(missing) => {
            eprintln!("{missing}");
            std::process::exit(1);
        }
    };
    for (flags, source, file) in GENERATED {
        generate(&prefix, &td, flags, source, &out.join(file));
    }

    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .warnings(false)
        .flag_if_supported("-fvisibility=hidden")
        .include(&out)
        .include(root.join("cpp"))
        .include(prefix.join("include"));
    if llvm_config(&prefix, "--has-rtti") != "YES" {
        build.flag("-fno-rtti");
    }
    let mut sources: Vec<_> = std::fs::read_dir(root.join("cpp"))
        .expect("cpp/ is part of the crate")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    sources.sort();
    // Registrars in these files are reached by name only, so keep all of the archive.
    build.files(sources).compile("pld_bridge");
}

fn llvm_config(prefix: &Path, flag: &str) -> String {
    let output = Command::new(prefix.join("bin/llvm-config"))
        .arg(flag)
        .output();
    output.map_or_else(
        |_| String::new(),
        |o| String::from_utf8_lossy(&o.stdout).trim().to_owned(),
    )
}

fn generate(prefix: &Path, td: &Path, flags: &[&str], source: &str, output: &Path) {
    let tool = prefix.join("bin/mlir-tblgen");
    let status = Command::new(&tool)
        .args(flags)
        .arg("-I")
        .arg(td)
        .arg("-I")
        .arg(prefix.join("include"))
        .arg(td.join(source))
        .arg("-o")
        .arg(output)
        .status()
        .unwrap_or_else(|error| panic!("cannot run {}: {error}", tool.display()));
    assert!(status.success(), "mlir-tblgen {flags:?} failed on {source}");
}
