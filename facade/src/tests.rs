//! The whole way of an embedder: parse, run, read the results.

use crate::array::{Array, Number};
use crate::bind::{Extent, Input};
use crate::outcome::{Outcome, Verdict};
use crate::simulate::Simulation;
use crate::source::{Program, Source};
use crate::{Error, Fill, Severity};
use pld_dialects::types::Element;

const SHIFT: &str = include_str!("../../examples/05_remote_load_store.mlir");

/// Scalars, extents and an array that is read and written, each at its place.
const SIGNATURE: &str = r#"
    func.func @core(%y: memref<1x3xi32> {pl.inout}, %k: i32, %z: memref<?x?xf16>, %w: index)
        attributes {pl.incore} {
      %d0 = pl.dim %z, 0 : memref<?x?xf16>
      %d1 = pl.dim %z, 1 : memref<?x?xf16>
      %old = pl.read %y[0, 0] : memref<1x3xi32>
      %sum = arith.addi %old, %k : i32
      pl.write %sum, %y[0, 0] : memref<1x3xi32>
      %e0 = arith.index_cast %d0 : index to i32
      pl.write %e0, %y[0, 1] : memref<1x3xi32>
      %d1w = arith.addi %d1, %w : index
      %e1 = arith.index_cast %d1w : index to i32
      pl.write %e1, %y[0, 2] : memref<1x3xi32>
      return
    }
    func.func @rank(%y: memref<1x3xi32> {pl.inout}, %k: i32, %z: memref<?x?xf16>, %w: index)
        attributes {pl.device} {
      call @core(%y, %k, %z, %w) : (memref<1x3xi32>, i32, memref<?x?xf16>, index) -> ()
      return
    }
    func.func @main(%k: i32, %y: memref<?x1x3xi32> {pl.inout}, %z: memref<?x?xf16>, %w: index)
        attributes {pl.host} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = pld.world_size
      scf.for %r = %c0 to %n step %c1 {
        %yr = pl.shard %y[%r] : memref<?x1x3xi32> -> memref<1x3xi32>
        pld.dispatch @rank(%yr, %k, %z, %w) on %r
            : (memref<1x3xi32>, i32, memref<?x?xf16>, index)
      }
      return
    }
"#;

fn program(text: &str) -> Program {
    Program::parse(&Source::new("test.mlir", text)).expect("parses")
}

fn numbers(outcome: &Outcome, argument: usize) -> Vec<f64> {
    let array = outcome.arrays[argument].as_ref().expect("an array");
    (0..array.len()).map(|k| array.get(k).as_f64()).collect()
}

/// An embedder gives arrays and gets arrays.
#[test]
fn arrays_in_and_out() {
    let program = program(SHIFT);
    let mut x = Array::zeros(Element::F32, &[3, 1, 64]).expect("small");
    x.fill(|k| Number::Int((k * k % 251) as i64));
    let outcome = Simulation::new(&program, 3)
        .input(0, Input::Array(x.clone()))
        .run()
        .expect("runs");
    assert_eq!(outcome.verdict(), Verdict::Agrees);
    assert_eq!(outcome.compared, [(1, "golden @main_golden".into())]);
    let y = outcome.arrays[1].as_ref().expect("an array");
    let (first, rest) = x.bytes().split_at(64 * 4);
    assert_eq!(y.bytes(), [rest, first].concat());
}

/// Every word of a signature reaches the program in its place.
#[test]
fn signature() {
    let outcome = Simulation::new(&program(SIGNATURE), 2)
        .input(0, Input::Int(-40))
        .input(1, Input::Fill(Fill::Iota))
        .input(3, Input::Int(1000))
        .extent(2, 0, Extent::Number(5))
        .extent(2, 1, Extent::World(3))
        .run()
        .expect("runs");
    assert_eq!(outcome.run.findings, []);
    assert_eq!(numbers(&outcome, 1), [-40., 5., 1006., -37., 5., 1006.]);
    assert!(outcome.compared.is_empty());
}

/// The same seed gives the same outcome, and the schedules go up to the last one asked
/// for when all agree.
#[test]
fn schedules() {
    let program = program(SHIFT);
    let outcome = Simulation::new(&program, 4)
        .seed(11)
        .schedules(5)
        .run()
        .expect("runs");
    assert_eq!((outcome.seed, outcome.schedules), (15, 5));
}

/// A file in memory has positions too.
#[test]
fn refused_with_position() {
    let text = "func.func @f() attributes {pl.host} {\n  pld.teleport\n}";
    let source = Source::new("memory", text);
    let Err(Error::Invalid(said)) = Program::parse(&source) else {
        panic!("the operation does not exist");
    };
    assert_eq!(said[0].severity, Severity::Error);
    let position = said[0].position.clone().expect("a place");
    assert_eq!(
        (position.file.as_str(), position.line, position.column),
        ("memory", 2, 3)
    );
    assert!(source.render(&said[0]).contains("\n  pld.teleport\n  ^"));
}

/// Neither odd bytes nor an empty text may do more than fail.
#[test]
fn odd_sources() {
    for text in [&b""[..], b"\0", b"\xff\xfe", b"ML\xefR", b"module {"] {
        let _ = Program::parse(&Source::new("odd", text));
    }
}
