//! Of a program, what is compiled, and what is looked at.

use pld_dialects::melior::ir::Module;
use pld_lowering::cpu::{CompileOptions, Compiled, compile};

/// Two entries, a golden of each, and whatever else.
fn two_entries(more: &str) -> String {
    let entry = |name: &str| {
        format!(
            "
func.func @f_{name}() attributes {{pl.device}} {{
  return
}}
func.func @{name}() attributes {{pl.host}} {{
  %c0 = arith.constant 0 : index
  pld.dispatch @f_{name}() on %c0 : ()
  return
}}
func.func @golden_{name}() attributes {{pl.golden = @{name}}} {{
  call @plain_{name}() : () -> ()
  return
}}
func.func private @plain_{name}() {{
  return
}}"
        )
    };
    entry("main") + &entry("other") + more
}

fn compiled(text: &str, roots: &[&str]) -> Option<Compiled> {
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).expect("the program parses");
    let options = CompileOptions {
        roots: roots.iter().map(|&root| root.to_owned()).collect(),
        ..CompileOptions::default()
    };
    compile(module.as_operation(), &options).ok()
}

/// Nothing but the roots and what they reach is compiled: a file of many entries takes no
/// longer than one of them. Without roots all is.
#[test]
fn only_what_is_asked_for() {
    let text = two_entries("");
    let names = [
        "main",
        "f_main",
        "golden_main",
        "other",
        "f_other",
        "golden_other",
    ];
    let found = |roots: &[&str]| {
        let code = compiled(&text, roots).expect("the program compiles");
        names.map(|name| code.function(name).is_some())
    };
    assert_eq!(found(&[]), [true; 6]);
    assert_eq!(
        found(&["other", "golden_other"]),
        [false, false, false, true, true, true]
    );
    assert_eq!(
        found(&["golden_main"]),
        [false, false, true, false, false, false]
    );
}

/// A rule that is broken elsewhere in the file is still found.
#[test]
fn the_whole_program_is_linted() {
    let recursion = "
func.func @a() attributes {pl.incore} {
  call @a() : () -> ()
  return
}";
    assert!(compiled(&two_entries(recursion), &["main"]).is_none());
    assert!(compiled(&two_entries(""), &["main"]).is_some());
}
