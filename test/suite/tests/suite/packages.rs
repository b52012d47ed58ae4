//! Every crate can be packaged: its files lie in its folder, and its manifest says whose they are.

use pld_suite::in_repository;
use std::process::Command;

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(in_repository("."))
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What cargo would pack has the license, the manifest and some source, for every member of the
/// workspace. (`./x test --long` packs them all, and builds what it has packed.)
#[test]
fn every_crate_can_be_packaged() {
    let manifest = std::fs::read_to_string(in_repository("Cargo.toml")).expect("the workspace");
    let members = manifest.lines().find(|line| line.starts_with("members = "));
    let members = members.expect("it has members").matches('"').count() / 2;
    let packed = ["package", "--workspace", "--no-verify", "--allow-dirty"];
    let packed = cargo(&[&packed[..], &["--offline", "--list"]].concat());
    let count = |file: &str| packed.lines().filter(|line| *line == file).count();
    assert!(members >= 12);
    assert_eq!(count("LICENSE"), members);
    assert_eq!(count("Cargo.toml"), members);
    assert_eq!(count("src/lib.rs") + count("src/main.rs"), members);
}

/// The fields that a registry asks for.
#[test]
fn every_manifest_is_complete() {
    let all = cargo(&[
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
        "--offline",
    ]);
    for field in ["description", "license", "repository", "rust_version"] {
        assert!(!all.contains(&format!("\"{field}\":null")), "{field}");
    }
}
