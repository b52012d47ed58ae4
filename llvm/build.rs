//! Fails at once, and with a remedy, where LLVM 22 is missing: this crate depends on nothing, so
//! its script runs long before those of the crates that bind LLVM could fail with less to say.

#[path = "src/find.rs"]
#[allow(dead_code, reason = "the rest is for the library")]
mod find;

fn main() {
    println!("cargo:rerun-if-changed=src/find.rs");
    println!("cargo:rerun-if-env-changed=PATH");
    for variable in find::VARIABLES.into_iter().chain(["LIBCLANG_PATH"]) {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    // Documentation is built where there is no LLVM.
    if std::env::var_os("DOCS_RS").is_some() {
        return;
    }
    if let Err(missing) = find::find(&find::Host) {
        eprintln!("{missing}");
        std::process::exit(1);
    }
}
