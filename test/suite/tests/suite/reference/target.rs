//! The pages of target profiles: each operation on each element type, tried; what the target
//! refuses, and what to write instead.

use pld::{Diagnostic, Program, Severity, Source};
use std::fmt::Write;

const ELEMENTS: [&str; 8] = ["i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32"];
const UNARY: &str = "exp log sqrt rsqrt recip abs neg relu not";
const BINARY: &str = "add sub mul div max min and or xor shl shr";
const SCALAR: &str = "adds subs muls divs maxs mins";
const REDUCED: &str = "sum max min prod";
const EXPANDED: &str = "add sub mul div max min";

/// An operation on 16x16 elements: its name, its text behind `pl.`, and its result if it has one.
struct Case {
    name: String,
    /// Element type of what it works on.
    element: &'static str,
    text: String,
    result: Option<String>,
}

fn tile(shape: &str, element: &str) -> String {
    format!("!pl.tile<{shape}x{element}>")
}

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for element in ELEMENTS {
        of_element(&mut all, element);
    }
    all
}

fn of_element(all: &mut Vec<Case>, element: &'static str) {
    let whole = tile("16x16", element);
    let (row, column) = (tile("1x16", element), tile("16x1", element));
    let mut add = |name: &str, text: String, result: &str| {
        all.push(Case {
            name: format!("pl.{name}"),
            element,
            text,
            result: Some(result.to_owned()),
        });
    };
    for op in UNARY.split(' ') {
        add(op, format!("{op} %x : {whole}"), &whole);
    }
    for op in BINARY.split(' ') {
        add(op, format!("{op} %x, %z : {whole}"), &whole);
    }
    for op in SCALAR.split(' ') {
        add(op, format!("{op} %x, %s : {whole}, {element}"), &whole);
    }
    for op in REDUCED.split(' ') {
        add(
            &format!("row_{op}"),
            format!("row_{op} %x : {whole} -> {column}"),
            &column,
        );
        add(
            &format!("col_{op}"),
            format!("col_{op} %x : {whole} -> {row}"),
            &row,
        );
    }
    for op in EXPANDED.split(' ') {
        let rows = format!("row_expand_{op}");
        add(
            &rows,
            format!("{rows} %x, %column : {whole}, {column}"),
            &whole,
        );
        let columns = format!("col_expand_{op}");
        add(
            &columns,
            format!("{columns} %x, %row : {whole}, {row}"),
            &whole,
        );
    }
    add(
        "row_expand",
        format!("row_expand %column : {column} -> {whole}"),
        &whole,
    );
    add(
        "col_expand",
        format!("col_expand %row : {row} -> {whole}"),
        &whole,
    );
    let mask = tile("16x16", "i1");
    add("cmp", format!("cmp lt, %x, %z : {whole} -> {mask}"), &mask);
    add(
        "select",
        format!("select %mask, %x, %z : {mask}, {whole}"),
        &whole,
    );
    add("full", format!("full %s : {whole}"), &whole);
    add("iota", format!("iota : {whole}"), &whole);
    add(
        "transpose",
        format!("transpose %x : {whole} -> {whole}"),
        &whole,
    );
    add(
        "gather",
        format!(
            "gather %x, %index : {whole}, {} -> {whole}",
            tile("16x1", "i32")
        ),
        &whole,
    );
    add(
        "load, pl.store",
        format!("load %a[0, 0] : memref<16x16x{element}> -> {whole}"),
        &whole,
    );
    for sum in ["f32", "i32"] {
        let sum = tile("16x16", sum);
        add(
            "matmul",
            format!("matmul %x, %z : {whole}, {whole} -> {sum}"),
            &sum,
        );
    }
    for to in ELEMENTS {
        let wanted = tile("16x16", to);
        add(
            &format!("cast to {to}"),
            format!("cast rint %x : {whole} -> {wanted}"),
            &wanted,
        );
    }
    all.push(Case {
        name: "pl.store atomic add".into(),
        element,
        text: format!("store %x, %y[0, 0] atomic add : {whole}, memref<16x16x{element}>"),
        result: None,
    });
}

impl Case {
    /// A program of this operation alone.
    fn program(&self) -> String {
        let element = self.element;
        let tiles = [
            ("x", "a", "16x16"),
            ("z", "b", "16x16"),
            ("row", "c", "1x16"),
            ("column", "d", "16x1"),
        ];
        let mut loads = String::new();
        let mut load = |name, from, shape, element| {
            let tile = tile(shape, element);
            let _ = writeln!(
                loads,
                "  %{name} = pl.load %{from}[0, 0] : memref<{shape}x{element}> -> {tile}"
            );
        };
        for (name, from, shape) in tiles {
            load(name, from, shape, element);
        }
        load("mask", "m", "16x16", "i1");
        load("index", "n", "16x1", "i32");
        let (memory, body) = match &self.result {
            None => (format!("16x16x{element}"), format!("  pl.{}", self.text)),
            Some(result) => {
                let memory = result.trim_start_matches("!pl.tile<").trim_end_matches('>');
                let store = format!("pl.store %r, %y[0, 0] : {result}, memref<{memory}>");
                (
                    memory.to_owned(),
                    format!("  %r = pl.{}\n  {store}", self.text),
                )
            }
        };
        let inputs = [
            ("a", format!("16x16x{element}")),
            ("b", format!("16x16x{element}")),
            ("c", format!("1x16x{element}")),
            ("d", format!("16x1x{element}")),
            ("m", "16x16xi1".into()),
            ("n", "16x1xi32".into()),
        ];
        let typed = |world: &str| -> Vec<_> {
            let input = |(name, shape): &(&str, String)| format!("%{name}: memref<{shape}>");
            let mut all: Vec<_> = inputs.iter().map(input).collect();
            all.push(format!("%y: memref<{world}{memory}> {{pl.inout}}"));
            all
        };
        let types: Vec<_> = inputs
            .iter()
            .map(|(_, shape)| format!("memref<{shape}>"))
            .collect();
        let types = format!("{}, memref<{memory}>", types.join(", "));
        let own = typed("").join(", ");
        let names = "%a, %b, %c, %d, %m, %n";
        format!(
            "func.func @core({own}) attributes {{pl.incore}} {{
{loads}  %s = pl.read %a[0, 0] : memref<16x16x{element}>
{body}
  return
}}
func.func @device({own}) attributes {{pl.device}} {{
  call @core({names}, %y) : ({types}) -> ()
  return
}}
func.func @main({}) attributes {{pl.host}} {{
  %c0 = arith.constant 0 : index
  %yr = pl.shard %y[%c0] : memref<?x{memory}> -> memref<{memory}>
  pld.dispatch @device({names}, %yr) on %c0 : ({types})
  return
}}
",
            typed("?x").join(", ")
        )
    }

    /// What the target says; `None` if the language has no such operation.
    fn said(&self, arch: &str) -> Option<Vec<Diagnostic>> {
        let program = Program::parse(&Source::new("case.mlir", self.program())).ok()?;
        let entry = program.entry(None).expect("an entry");
        let said = program.refused_by(&entry, arch).expect("an answer");
        Some(
            said.into_iter()
                .filter(|said| said.severity == Severity::Error)
                .collect(),
        )
    }
}

/// The page of a profile.
///
/// # Panics
///
/// If something is refused without a code of the target.
pub fn page(arch: &str) -> String {
    let mut text = format!(
        "{}what the target check says of each operation. -->\n\n",
        super::OF
    );
    let _ = write!(
        text,
        "# What `arch={arch}` refuses\n\n\
         Of each operation and element type of the language, on tiles of 16x16; all else is generated. \
         Sizes are refused beside this: on-core memory (pld-301), rows that are no whole blocks where \
         parts of tiles are taken or joined (pld-302), ranks, blocks and window bytes (pld-304).\n\n\
         | operation | on | code | why | instead |\n| --- | --- | --- | --- | --- |\n"
    );
    let mut tried = 0;
    for case in cases() {
        let Some(said) = case.said(arch) else {
            continue;
        };
        tried += 1;
        let Some(first) = said.first() else {
            continue;
        };
        let code = first.code.map(|code| code.to_string()).unwrap_or_default();
        assert!(code.starts_with("pld-30"), "{}: {first:?}", case.name);
        let why = first
            .message
            .split_once("op ")
            .map_or(&*first.message, |(_, why)| why);
        let instead = first.notes.first().map_or("", |note| &*note.message);
        let _ = writeln!(
            text,
            "| `{}` | {} | {code} | {why} | {instead} |",
            case.name, case.element
        );
    }
    assert!(tried > 300, "only {tried} operations are of the language");
    text
}
