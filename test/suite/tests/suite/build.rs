//! Programs built in Rust are those that their text says.

#[path = "../../../../facade/examples/build_shift.rs"]
mod build_shift;
mod every_operation;
#[path = "../../../../facade/examples/ring_allreduce.rs"]
mod ring_allreduce;
#[path = "../../../../facade/examples/toy_frontend.rs"]
mod toy_frontend;

use pld::{
    Element::{BF16, F16, F32, I32},
    Error, Program, Source,
    build::{Module, input, memref, output, scalar, tile},
    ir::{bridge, melior::ir::operation::OperationRef, view},
};
use pld_suite::{all_operations, in_repository};
use std::collections::BTreeSet;

/// Each function of a program, by name, as it prints.
fn functions(program: &Program) -> Vec<(String, String)> {
    program.module(|module| {
        let functions = bridge::collect(module, |name| name == "func.func");
        let of = |op: &OperationRef| Some((view::string(op, "sym_name")?, op.to_string()));
        functions.iter().filter_map(of).collect()
    })
}

/// The example in Rust and the example as text are one program, and it runs.
#[test]
fn the_shift_reads_as_its_text() {
    let path = in_repository("examples/05_remote_load_store.mlir");
    let parsed = Source::read(&path).and_then(|source| Program::parse(&source));
    let parsed = parsed.expect("the example parses");
    let built = Program::build(build_shift::ring_shift).expect("the example builds");
    let within = |built: &Program, parsed: &Program| {
        let (built, parsed) = (functions(built), functions(parsed));
        assert!(!built.is_empty());
        for function in &built {
            assert!(parsed.contains(function), "{}", function.1);
        }
    };
    within(&built, &parsed);
    // Beyond tile level the text of statements has their places in it.
    let [built, parsed] = [&built, &parsed].map(|program| {
        let lowered = program.lowered("lower-pld-to-tile");
        let lowered = Source::new("lowered.mlir", lowered.expect("the example is lowered"));
        Program::parse(&lowered).expect("it parses again")
    });
    within(&built, &parsed);
    build_shift::main().expect("the example runs");
}

/// The example of a frontend: its programs run, and what is found is said of their lines.
#[test]
fn a_frontend_has_its_own_places() {
    toy_frontend::main().expect("the example runs");
}

/// The example of a generator: one program for four element types, on one to five ranks.
#[test]
fn a_generator_for_any_element_type() {
    ring_allreduce::main().expect("the example runs");
}

/// Each compilation has a context of its own, so that threads build, check, compile and run at
/// once, and none hears of another's mistake.
#[test]
fn eight_threads_at_once() {
    let elements = [F32, F16, BF16, I32];
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                let element = elements[thread % elements.len()];
                let program = Program::build(|m| ring_allreduce::ring_allreduce(m, element, 64))
                    .expect("it builds");
                ring_allreduce::check(&program, element, 2 + thread % 3).expect("it runs");
                program.lowered("lower-pld-to-hccl").expect("it lowers");
                let name = format!("thread{thread}.mlir");
                let broken = Source::new(&name, format!("func.func @f{thread}() {{ pld.no }}"));
                let Err(Error::Invalid(said)) = Program::parse(&broken) else {
                    panic!("there is no such operation");
                };
                assert_eq!(said.len(), 1, "{said:?}");
                let place = said[0].position.as_ref().expect("a place");
                assert_eq!(place.file, name);
            });
        }
    });
}

/// There is a method for every operation, and what it builds is well formed and prints as
/// what parses.
#[test]
fn every_operation_can_be_built() {
    let program = Program::build(every_operation::module).expect("all of it is right");
    let built: BTreeSet<_> = program.module(|module| {
        let all = bridge::collect(module, |_| true);
        all.iter().map(|op| view::name(op).to_owned()).collect()
    });
    let missing: Vec<_> = all_operations()
        .into_iter()
        .filter(|operation| !built.contains(operation))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    for control in ["scf.for", "scf.if", "scf.while", "scf.index_switch"] {
        assert!(built.contains(control), "{control}");
    }
    let text = program.to_string();
    let again = Program::parse(&Source::new("again.mlir", text.as_str())).expect("parses");
    assert_eq!(again.to_string(), text);
}

/// A mistake is found where it was made: at the line of Rust.
#[test]
fn diagnostics_name_the_line() {
    let mut line = 0;
    let result = Program::build(|m| {
        let parameters = [input(memref([37, 29], F32))];
        m.incore("core", parameters, |f, [x]| {
            line = line!() + 1;
            f.load(x, [32, 0], &tile([8, 29], F32));
        });
    });
    let Err(Error::Invalid(said)) = result else {
        panic!("the access is out of bounds");
    };
    assert_eq!(said[0].code.map(|code| code.0), Some(104), "{said:?}");
    let position = said[0].position.as_ref().expect("a place");
    assert_eq!((position.file.as_str(), position.line), (file!(), line));
}

/// What cannot be is an error, and neither a panic nor a module.
#[test]
fn nonsense_is_refused() {
    let bodies: [fn(&Module); 6] = [
        |m| {
            // A tile has extents of at least 1.
            m.incore("f", [input(memref([1, 64], F32))], |f, [x]| {
                f.load(x, [0, 0], &tile([0, -3], F32));
            });
        },
        |m| {
            // A float is no offset.
            m.incore("f", [], |f, []| {
                f.addi(1.5, 2);
            });
        },
        |m| {
            // A scalar is no tile.
            m.incore("f", [input(scalar(F32))], |f, [x]| {
                let sum = f.row_sum(x);
                let whole = f.concat(sum, x, 7);
                f.matmul(whole, x, [true, false]);
            });
        },
        |m| {
            // An array is no window, and there is no such function.
            m.host("f", [output(memref([1, 64], F32))], |f, [y]| {
                f.dispatch("nobody", &[y], 0);
                f.barrier(y);
            });
        },
        |m| {
            // Two functions of one name.
            m.device("f", [], |_, []| {});
            m.device("f", [], |_, []| {});
        },
        |m| {
            // An array without its leading dim is none.
            m.host("f", [input(memref([], F32))], |f, [x]| {
                f.shard(x, 0);
            });
        },
    ];
    for (index, body) in bodies.into_iter().enumerate() {
        let result = Program::build(body);
        let Err(Error::Invalid(said)) = result else {
            panic!("body {index} builds, or fails without a reason");
        };
        assert!(!said.is_empty());
    }
}
